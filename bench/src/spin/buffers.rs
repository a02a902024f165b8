//! The models of mmlib under TSO and PSO with buffers of five to eight entries: Taut, SPIN on Taut's export of the
//! same model, and what was recorded of the library itself.
//!
//! Fairness is that of SPIN's `-f`, so that all answer the same question.

use std::path::Path;

use taut::export::{Export, ExportOptions, promela_with};
use taut::{Check, Fairness, Memory};
use taut_testkit::corpus;
use taut_testkit::mmlib::Case;

use super::SpinArgs;
use super::figures::Figures;
use super::peers::{Spin, Way, taut};
use super::table::{Question, Table};
use crate::mmlib::{self, SPINS};
use crate::plot::{Line, Plot};

const MEMORIES: [&str; 2] = ["tso", "pso"];
/// The tools whose figures are drawn, and added up.
const TOOLS: [&str; 4] = ["Taut", "Taut, not reduced", "SPIN, reduced", "SPIN"];

/// Runs the part; nothing if the models are not there.
pub fn run(args: &SpinArgs, table: &mut Table) -> Result<Vec<Plot>, String> {
    let Some(folder) = corpus::find("taut-bench spin, part 2") else { return Ok(Vec::new()) };
    let folder = folder.join("mmlib");
    let models: Vec<&str> = match args.quick {
        true => vec!["peterson_safety"],
        false => mmlib::models().collect(),
    };
    for model in models.into_iter().filter(|model| args.wants(model)) {
        for memory in MEMORIES {
            compare(args, &folder, model, memory, table)?;
        }
    }
    conclude(table);
    Ok(vec![times(args, table)])
}

/// One model with growing buffers. A tool that gave up at one size is not asked about larger ones.
fn compare(
    args: &SpinArgs,
    folder: &Path,
    model: &str,
    memory: &str,
    table: &mut Table,
) -> Result<(), String> {
    let case = mmlib::find(folder, model, memory, "noreduce")?;
    let fairness = if case.get("search") == "claim" { Fairness::NONE } else { SPINS };
    let mut given_up: Vec<&str> = Vec::new();
    for bound in args.bounds() {
        let name = format!("{model} {memory}");
        let question = Question { bound: Some(bound), ..Question::new(2, name) };
        if bound == *args.bounds().start() {
            recorded(folder, model, memory, &question, table);
        }
        let tools = TOOLS.into_iter().filter(|tool| !(args.no_spin && tool.starts_with("SPIN")));
        for tool in tools.filter(|tool| !given_up.contains(tool)).collect::<Vec<_>>() {
            let answer = match tool {
                "Taut" => by_taut(args, Way::TAUT, &case, bound, fairness),
                "Taut, not reduced" => by_taut(args, Way::UNREDUCED, &case, bound, fairness),
                _ => {
                    let about = table.states(&question);
                    by_spin(args, &case, (bound, about), fairness, tool == "SPIN, reduced")
                }
            };
            if !answer.as_ref().is_ok_and(Figures::is_complete) {
                given_up.push(tool);
            }
            table.add(&question, tool, answer);
        }
    }
    Ok(())
}

/// What was recorded of the library's own encoding in SPIN 6.5.2, with five entries.
fn recorded(folder: &Path, model: &str, memory: &str, question: &Question, table: &mut Table) {
    let ways =
        [("mmlib in SPIN, recorded", "noreduce"), ("mmlib in SPIN, reduced, recorded", "por")];
    for (tool, reduction) in ways {
        let case = mmlib::find(folder, model, memory, reduction);
        if let Some(figures) = case.ok().as_ref().and_then(figures_of) {
            table.add(question, tool, Ok(figures));
        }
    }
}

fn figures_of(case: &Case) -> Option<Figures> {
    let seconds = case.number("pan_elapsed_s")?;
    let outcome = match case.get("verdict") {
        "holds" => "holds",
        "violated" => "violated",
        _ => "cut off",
    };
    Some(Figures {
        outcome,
        states: case.number("states_stored")? as u64,
        transitions: case.number("transitions")? as u64,
        search_seconds: seconds,
        total_seconds: seconds + case.number("gcc_cpu_s")?,
        bytes: case.number("mem_states_actual_mb")? * 1e6,
    })
}

fn by_taut(
    args: &SpinArgs,
    way: Way,
    case: &Case,
    bound: u32,
    fairness: Fairness,
) -> Result<Figures, String> {
    let claims = |loaded: &taut::Loaded| {
        let claims = loaded.program.properties.iter().filter(|p| p.kind.is_temporal());
        claims.map(|p| p.name.clone()).collect()
    };
    taut(
        args,
        way,
        || mmlib::load(case),
        |check, loaded| check.only(claims(loaded)).fairness(fairness).bound(Some(bound)),
    )
}

fn by_spin(
    args: &SpinArgs,
    case: &Case,
    (bound, about): (u32, u64),
    fairness: Fairness,
    reduced: bool,
) -> Result<Figures, String> {
    let export = export(case, bound, fairness)?;
    let claim = export.claims.first().ok_or("no claim")?;
    let compile = export.compile.iter().map(|f| &**f);
    let more = ["-N", &claim.name];
    let spin = Spin {
        text: &export.text,
        generate: &[],
        compile: compile.filter(|flag| !(reduced && *flag == "-DNOREDUCE")).collect(),
        run: export.run.iter().map(|f| &**f).chain(more).collect(),
        about,
    };
    spin.search(args)
}

fn export(case: &Case, bound: u32, fairness: Fairness) -> Result<Export, String> {
    let loaded = mmlib::load(case)?;
    let model = loaded.memory_model().ok_or("no memory model")?;
    // The search for states finds out how many processes run at once.
    let grown = Check::of(&loaded).temporal(false).deadlock(false).asserts(false);
    let grown = grown.max_states(Some(100_000)).run().map_err(|e| e.to_string())?.program;
    let memory = Memory::new(model).bounded(Some(bound));
    let export = promela_with(&grown, memory, ExportOptions { fairness });
    export.map_err(|e| e.to_string()).and_then(|export| match export.exact {
        true => Ok(export),
        false => Err("not the same question".into()),
    })
}

/// Sums over the questions that both finished.
fn conclude(table: &mut Table) {
    for other in ["SPIN", "SPIN, reduced", "mmlib in SPIN, recorded", "Taut, not reduced"] {
        let pairs = table.pairs(2, "Taut", other);
        let rows = pairs.len();
        if rows == 0 {
            continue;
        }
        let ratio = |of: fn(&Figures) -> f64| {
            let [ours, theirs] =
                [0, 1].map(|i| pairs.iter().map(|pair| of([pair.0, pair.1][i])).sum::<f64>());
            theirs / ours
        };
        let total = ratio(|f| f.total_seconds);
        let search = ratio(|f| f.search_seconds);
        let states = ratio(|f| f.states as f64);
        let memory = ratio(|f| f.bytes);
        let what = format!("2: {other} for each of Taut's, sums of {rows} questions:");
        table.conclude_that(format!("{what} seconds from the file"), total);
        table.conclude_that(format!("{what} seconds of search"), search);
        table.conclude_that(format!("{what} states"), states);
        table.conclude_that(format!("{what} bytes"), memory);
    }
}

/// The time of all models together by the size of the buffers, where a tool finished them all.
fn times(args: &SpinArgs, table: &Table) -> Plot {
    let bounds = args.bounds();
    let milliseconds = |tool: &str, bound: u32| {
        let questions = table.questions(2).into_iter().filter(|q| q.bound == Some(bound));
        let figures: Option<Vec<_>> = questions
            .map(|q| table.figures(q, tool).filter(|f| f.is_complete()).map(|f| f.total_seconds))
            .collect();
        figures.map(|all| all.iter().sum::<f64>() * 1e3)
    };
    let line = |tool: &str| Line {
        name: tool.into(),
        rising: bounds.clone().map_while(|bound| milliseconds(tool, bound)).collect(),
        level: None,
    };
    Plot {
        title: "mmlib under TSO and PSO: from the files to all verdicts, in milliseconds".into(),
        across: "entries per buffer".into(),
        upwards: "ms".into(),
        first: *args.bounds().start() as usize,
        lines: TOOLS.map(line).into(),
    }
}
