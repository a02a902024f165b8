//! `taut replay`: a trace, run again by the replayer.

use std::sync::Arc;

use taut::witness::{LaneOptions, from_json, lanes, replay};
use taut::{Loaded, Program, Witness};

use super::args::ReplayArgs;
use super::exit::Exit;
use super::input::read_asking;
use super::json::{asked, slots};
use super::output::{eprint, is_styled, print, width};
use super::report;

/// Runs the command.
pub fn run(args: &ReplayArgs) -> Exit {
    let shown = args.trace.display();
    let text = match std::fs::read_to_string(&args.trace) {
        Ok(text) => text,
        Err(error) => return refuse(&format!("cannot read `{shown}`: {error}")),
    };
    let text = witness_in(&text);
    let Ok(loaded) = read_asking(&args.input, asked(&text)) else { return Exit::BadInput };
    let Some(program) = program_of(&loaded, &text) else {
        return refuse(&format!(
            "`{shown}`: the model cannot have as many processes as the trace says"
        ));
    };
    let trace = match from_json(&program, &text) {
        Ok(trace) => trace,
        Err(error) => return refuse(&format!("`{shown}`: {error}")),
    };
    let run = match replay(&program, &trace) {
        Ok(run) => run,
        Err(error) => return refuse(&format!("`{shown}`: {}", error.describe(&loaded.sources))),
    };
    let options = LaneOptions { width: width(), styled: is_styled() };
    print(&lanes(&program, &loaded.sources, &run, &trace.finding, options));
    print(&format!(
        "\nThe replayer accepts the run: {} is violated under {}.\n",
        trace.finding.name(&program),
        trace.memory.model.name().to_uppercase()
    ));
    let witness = Witness { program: Arc::new(program), trace, run };
    report::write_replayed(&args.report, &loaded, witness)
}

/// The program that a trace is about: a model has as many processes as the trace says.
fn program_of(loaded: &Loaded, trace: &str) -> Option<Program> {
    match (&loaded.promela, slots(trace)) {
        (Some(model), Some(slots)) => model.with_slots(slots),
        _ => Some(loaded.program.clone()),
    }
}

fn refuse(message: &str) -> Exit {
    eprint(&format!("error: {message}\n"));
    Exit::BadInput
}

/// The trace in a text: the text itself, or the first witness of an object of `check --format json`.
fn witness_in(text: &str) -> String {
    let objects = serde_json::Deserializer::from_str(text).into_iter::<serde_json::Value>();
    for object in objects.map_while(Result::ok) {
        let results = object.get("results").and_then(|r| r.as_array());
        let mut witnesses = results.into_iter().flatten().filter_map(|r| r.get("witness"));
        if let Some(witness) = witnesses.find(|w| w.is_object()) {
            return witness.to_string();
        }
    }
    text.into()
}
