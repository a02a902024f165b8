//! `taut replay`: a trace, run again by the replayer.

use taut::witness::{LaneOptions, lanes, lanes_of_run};

use super::args::ReplayArgs;
use super::exit::Exit;
use super::output::{is_styled, print, width};
use super::recording::{Opened, open};

/// Runs the command.
pub fn run(args: &ReplayArgs) -> Exit {
    let Opened { loaded, program, recording, run } = match open(&args.input, &args.trace) {
        Ok(opened) => opened,
        Err(exit) => return exit,
    };
    let options = LaneOptions { width: width(), styled: is_styled() };
    let model = recording.memory.model.name().to_uppercase();
    match recording.finding {
        Some(finding) => {
            print(&lanes(&program, &loaded.sources, &run, &finding, options));
            let name = finding.name(&program);
            print(&format!("\nThe replayer accepts the run: {name} is violated under {model}.\n"));
        }
        None => {
            print(&lanes_of_run(&program, &loaded.sources, &run, options));
            print(&format!(
                "\nThe replayer accepts the run: it is possible under {model}, and claims no more.\n"
            ));
        }
    }
    Exit::Holds
}
