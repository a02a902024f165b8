//! `taut lsp`: the language server on standard input and output.

use std::io::BufReader;
use std::time::Duration;

use taut_lsp::{Settings, serve};

use super::args::ResourceArgs;
use super::exit::Exit;

/// The time of a check, unless something else is typed.
const USUAL_TIME: Duration = Duration::from_secs(60);

/// Runs the command. An editor that goes without a word is told so by the exit code, as the protocol says.
pub fn run(args: &ResourceArgs) -> Exit {
    let settings = Settings { time: args.timeout.unwrap_or(USUAL_TIME), memory: args.max_memory };
    match serve(BufReader::new(std::io::stdin()), std::io::stdout(), settings) {
        true => Exit::Holds,
        false => Exit::Violated,
    }
}
