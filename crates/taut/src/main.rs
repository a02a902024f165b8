//! The command line of Taut: flags and glue, no algorithm.

mod cli;

use std::process::ExitCode;

fn main() -> ExitCode {
    cli::run()
}
