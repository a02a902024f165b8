//! How cost grows under TSO: with the number of processes and with the size of the buffers, on locks; and with the
//! number of variables.

use taut::export::{ExportOptions, promela_with};
use taut::load::from_text;
use taut::{Loaded, Memory, MemoryModel};

use super::SpinArgs;
use super::figures::Figures;
use super::locks::{LOCKS, mailboxes};
use super::peers::{Spin, Way, taut};
use super::table::{Question, Table};
use crate::plot::{Line, Plot};

/// The buffers with which processes and variables are added.
const BOUND: u32 = 2;
/// The processes with which buffers grow.
const PROCESSES: u32 = 2;
const LARGEST_BOUND: u32 = 4;
const MOST_PROCESSES: u32 = 4;
const MOST_VARIABLES: u32 = 4;
const TOOLS: [&str; 4] = ["Taut", "Taut, not reduced", "SPIN, reduced", "SPIN"];

/// What grows.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Axis {
    Processes,
    Bound,
    Variables,
}

/// A question with the program that it is about.
struct Sized {
    question: Question,
    text: String,
    bound: u32,
}

/// Runs the part.
pub fn run(args: &SpinArgs, table: &mut Table) -> Result<Vec<Plot>, String> {
    for series in series(args) {
        grow(args, &series, table);
    }
    let axes = [Axis::Processes, Axis::Bound, Axis::Variables];
    Ok(axes.map(|axis| plot(table, axis)).into_iter().filter(|p| !p.lines.is_empty()).collect())
}

/// Programs from the smallest to the largest, one list for each thing that grows.
fn series(args: &SpinArgs) -> Vec<Vec<Sized>> {
    let mut all: Vec<Vec<Sized>> = Vec::new();
    let locks = if args.quick { &LOCKS[..1] } else { &LOCKS[..] };
    for lock in locks {
        let sized = |processes: u32, bound: u32| Sized {
            question: Question {
                processes: Some(processes),
                bound: Some(bound),
                ..Question::new(3, format!("{} tso", lock.name))
            },
            text: (lock.text)(processes),
            bound,
        };
        let most = if args.quick { 2 } else { MOST_PROCESSES };
        all.push((2..=most).map(|processes| sized(processes, BOUND)).collect());
        let bounds = 1..=LARGEST_BOUND;
        let others = bounds.filter(|&bound| !args.quick && bound != BOUND);
        all.push(others.map(|bound| sized(PROCESSES, bound)).collect());
    }
    let most = if args.quick { 1 } else { MOST_VARIABLES };
    let mailboxes = (1..=most).map(|variables| Sized {
        question: Question {
            variables: Some(variables),
            bound: Some(BOUND),
            ..Question::new(3, "mailboxes tso")
        },
        text: mailboxes(variables),
        bound: BOUND,
    });
    all.push(mailboxes.collect());
    for series in &mut all {
        series.retain(|sized| args.wants(&sized.question.name));
    }
    all
}

/// Larger and larger. A tool that gave up is not asked about more.
fn grow(args: &SpinArgs, series: &[Sized], table: &mut Table) {
    let mut asked: Vec<&str> = TOOLS.to_vec();
    asked.retain(|tool| !(args.no_spin && tool.starts_with("SPIN")));
    for sized in series {
        asked.retain(|&tool| {
            let answer = match tool {
                "Taut" => by_taut(args, Way::TAUT, sized),
                "Taut, not reduced" => by_taut(args, Way::UNREDUCED, sized),
                _ => by_spin(args, sized, table.states(&sized.question), tool == "SPIN, reduced"),
            };
            let finished = answer.as_ref().is_ok_and(Figures::is_complete);
            table.add(&sized.question, tool, answer);
            finished
        });
    }
}

fn read(text: &str) -> Result<Loaded, String> {
    from_text("program.taut", text).map_err(|e| e.to_string())
}

fn by_taut(args: &SpinArgs, way: Way, sized: &Sized) -> Result<Figures, String> {
    let bound = Some(sized.bound);
    taut(args, way, || read(&sized.text), |check, _| check.model(MemoryModel::Tso).bound(bound))
}

fn by_spin(args: &SpinArgs, sized: &Sized, about: u64, reduced: bool) -> Result<Figures, String> {
    let loaded = read(&sized.text)?;
    let memory = Memory::new(MemoryModel::Tso).bounded(Some(sized.bound));
    let export = promela_with(&loaded.program, memory, ExportOptions::default());
    let export = export.map_err(|e| e.to_string())?;
    let mut compile = vec!["-DSAFETY", "-DNOCLAIM"];
    compile.extend((!reduced).then_some("-DNOREDUCE"));
    Spin { text: &export.text, generate: &[], compile, run: Vec::new(), about }.search(args)
}

impl Axis {
    fn words(self) -> &'static str {
        match self {
            Axis::Processes => "processes",
            Axis::Bound => "entries per buffer",
            Axis::Variables => "variables a process",
        }
    }

    fn first(self) -> u32 {
        if self == Axis::Processes { 2 } else { 1 }
    }

    /// The size of a question, if this is what grows in it.
    fn size(self, question: &Question) -> Option<u32> {
        match self {
            Axis::Processes if question.bound == Some(BOUND) => question.processes,
            Axis::Bound if question.processes == Some(PROCESSES) => question.bound,
            Axis::Variables => question.variables,
            Axis::Processes | Axis::Bound => None,
        }
    }
}

/// States of what was finished, by what grows.
fn plot(table: &Table, axis: Axis) -> Plot {
    let questions = table.questions(3);
    let mut names: Vec<&str> = questions.iter().map(|q| q.name.as_str()).collect();
    names.dedup();
    let states = |name: &str, tool: &str, size: u32| {
        let question = questions.iter().find(|q| q.name == name && axis.size(q) == Some(size))?;
        let figures = table.figures(question, tool)?;
        figures.is_complete().then_some(figures.states as f64)
    };
    let mut lines = Vec::new();
    for name in names {
        for tool in ["Taut", "SPIN, reduced"] {
            let rising = (axis.first()..).map_while(|size| states(name, tool, size)).collect();
            let name = format!("{}, {tool}", name.trim_end_matches(" tso"));
            lines.push(Line { name, rising, level: None });
        }
    }
    lines.retain(|line| !line.rising.is_empty());
    Plot {
        title: format!("Under TSO: states by {}", axis.words()),
        across: axis.words().into(),
        upwards: "states".into(),
        first: axis.first() as usize,
        lines,
    }
}
