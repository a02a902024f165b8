//! `taut completions`: what a shell needs to complete commands and options.

use super::args::{Args, CompletionsArgs};
use super::exit::Exit;
use super::output::print;

/// Runs the command.
pub fn run(args: &CompletionsArgs) -> Exit {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Args::command(), "taut", &mut script);
    print(&String::from_utf8_lossy(&script));
    Exit::Holds
}
