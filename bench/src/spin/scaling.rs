//! How the cost of locks grows with the number of processes and with the size of the buffers, under TSO.

use taut::export::{ExportOptions, promela_with};
use taut::load::from_text;
use taut::{Loaded, Memory, MemoryModel};

use super::SpinArgs;
use super::figures::Figures;
use super::locks::{LOCKS, Lock};
use super::peers::{Spin, Way, taut};
use super::table::{Question, Table};
use crate::plot::{Line, Plot};

/// The buffers with which processes are added.
const BOUND: u32 = 2;
/// The processes with which buffers grow.
const PROCESSES: u32 = 2;
const LARGEST_BOUND: u32 = 4;
const MOST_PROCESSES: u32 = 4;
const TOOLS: [&str; 4] = ["Taut", "Taut, not reduced", "SPIN, reduced", "SPIN"];

/// Runs the part.
pub fn run(args: &SpinArgs, table: &mut Table) -> Result<Vec<Plot>, String> {
    let locks = if args.quick { &LOCKS[..1] } else { &LOCKS[..] };
    for lock in locks.iter().filter(|lock| args.wants(lock.name)) {
        grow(args, lock, sizes(args, true), table)?;
        grow(args, lock, sizes(args, false), table)?;
    }
    let processes =
        plots(table, "processes", 2, |q| (q.bound == Some(BOUND)).then_some(q.processes?));
    let bounds = plots(table, "entries a buffer", 1, |q| {
        (q.processes == Some(PROCESSES)).then_some(q.bound?)
    });
    Ok(vec![processes, bounds])
}

/// Numbers of processes and entries a buffer, from the smallest on.
fn sizes(args: &SpinArgs, processes: bool) -> Vec<(u32, u32)> {
    match (args.quick, processes) {
        (true, true) => vec![(2, BOUND)],
        (true, false) => Vec::new(),
        (false, true) => (2..=MOST_PROCESSES).map(|n| (n, BOUND)).collect(),
        (false, false) => (1..=LARGEST_BOUND).map(|k| (PROCESSES, k)).collect(),
    }
}

/// Larger and larger. A tool that gave up is not asked about more.
fn grow(
    args: &SpinArgs,
    lock: &Lock,
    sizes: Vec<(u32, u32)>,
    table: &mut Table,
) -> Result<(), String> {
    let mut given_up: Vec<&str> = Vec::new();
    for (processes, bound) in sizes {
        let name = format!("{} tso", lock.name);
        let question = Question { part: 3, name, processes: Some(processes), bound: Some(bound) };
        if table.figures(&question, TOOLS[0]).is_some() {
            continue;
        }
        let text = (lock.text)(processes);
        let tools = TOOLS.into_iter().filter(|tool| !(args.no_spin && tool.starts_with("SPIN")));
        for tool in tools.filter(|tool| !given_up.contains(tool)).collect::<Vec<_>>() {
            let answer = match tool {
                "Taut" => by_taut(args, Way::TAUT, &text, bound),
                "Taut, not reduced" => by_taut(args, Way::UNREDUCED, &text, bound),
                _ => by_spin(args, &text, bound, tool == "SPIN, reduced"),
            };
            if !answer.as_ref().is_ok_and(Figures::is_complete) {
                given_up.push(tool);
            }
            table.add(&question, tool, answer);
        }
    }
    Ok(())
}

fn read(text: &str) -> Result<Loaded, String> {
    from_text("lock.taut", text).map_err(|e| e.to_string())
}

fn by_taut(args: &SpinArgs, way: Way, text: &str, bound: u32) -> Result<Figures, String> {
    taut(args, way, || read(text), |check, _| check.model(MemoryModel::Tso).bound(Some(bound)))
}

fn by_spin(args: &SpinArgs, text: &str, bound: u32, reduced: bool) -> Result<Figures, String> {
    let loaded = read(text)?;
    let memory = Memory::new(MemoryModel::Tso).bounded(Some(bound));
    let export = promela_with(&loaded.program, memory, ExportOptions::default());
    let export = export.map_err(|e| e.to_string())?;
    let mut compile = vec!["-DSAFETY", "-DNOCLAIM"];
    compile.extend((!reduced).then_some("-DNOREDUCE"));
    let run = vec!["-m10000000"];
    Spin { text: &export.text, generate: &[], compile, run, about: 1 << 24 }.search(args)
}

/// States of what was finished, by what grows.
fn plots(table: &Table, across: &str, first: u32, size: impl Fn(&Question) -> Option<u32>) -> Plot {
    let mut lines = Vec::new();
    for lock in &LOCKS {
        for tool in ["Taut", "SPIN, reduced"] {
            let of = |wanted: u32| {
                let mut all = table.questions(3).into_iter();
                let question =
                    all.find(|q| q.name.starts_with(lock.name) && size(q) == Some(wanted))?;
                let figures = table.figures(question, tool)?;
                figures.is_complete().then_some(figures.states as f64)
            };
            let rising: Vec<f64> = (first..).map_while(of).collect();
            lines.push(Line { name: format!("{}, {tool}", lock.name), rising, level: None });
        }
    }
    lines.retain(|line| !line.rising.is_empty());
    Plot {
        title: format!("Locks under TSO: states by {across}"),
        across: across.into(),
        upwards: "states".into(),
        first: first as usize,
        lines,
    }
}
