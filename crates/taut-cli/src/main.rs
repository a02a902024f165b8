//! The executable `taut`.

use std::process::ExitCode;

fn main() -> ExitCode {
    taut_cli::run()
}
