//! `taut replay`: a trace, run again by the replayer.

use std::sync::Arc;

use taut::Witness;
use taut::ir::Finding;
use taut::render::{LaneOptions, RunView, lanes, lanes_of_run};

use super::args::ReplayArgs;
use super::exit::Exit;
use super::output::{eprint, is_styled, print, width};
use super::recording::{Opened, open};
use super::report;

/// Runs the command.
pub fn run(args: &ReplayArgs) -> Exit {
    let Some(trace) = &args.trace else {
        eprint("error: `taut replay` needs a trace: what `taut check --trace FILE` wrote\n");
        return Exit::BadInput;
    };
    let Opened { loaded, program, recording, run } = match open(&args.input, trace) {
        Ok(opened) => opened,
        Err(exit) => return exit,
    };
    let options = LaneOptions { width: width(), styled: is_styled(), full: args.full };
    let model = recording.memory.model.name().to_uppercase();
    let view = RunView::new(&program, &loaded.sources, &run);
    let Some(trace) = recording.trace() else {
        print(&lanes_of_run(view, options));
        print(&format!(
            "\nThe replayer accepts the run: it is possible under {model}, and claims no more.\n"
        ));
        return without_report(args);
    };
    print(&lanes(view, trace.finding, options));
    let name = trace.finding.name(&program);
    let word = match trace.finding {
        Finding::Property(id) if program.property(id).kind.is_cover() => "covered",
        _ => "violated",
    };
    print(&format!("\nThe replayer accepts the run: {name} is {word} under {model}.\n"));
    let witness = Witness::new(Arc::new(program), trace, run);
    report::write_replayed(&args.report, &loaded, witness)
}

/// There is no report of a run that claims nothing: reports are about what is violated.
fn without_report(args: &ReplayArgs) -> Exit {
    if args.report.path.is_none() {
        return Exit::Holds;
    }
    eprint("error: there is no report of a run that claims no violation\n");
    eprint("  help: look at it with `taut simulate FILE --trace TRACE`\n");
    Exit::BadInput
}
