//! The simulator's screen on a terminal.

use std::io::IsTerminal;

use taut_simulate::{Simulator, tui};

use super::refuse;
use crate::command;
use crate::exit::Exit;

/// Whether standard input and output are a terminal.
pub fn is_watched() -> bool {
    std::io::stdin().is_terminal() && std::io::stdout().is_terminal()
}

/// Runs the simulator on the terminal.
pub fn run(simulator: Simulator<'_>) -> Exit {
    // A signal must not end the process before the terminal is what it was.
    let interrupt = command::interrupt();
    let coloured = std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty());
    let options = tui::Options { coloured, stop: &|| interrupt.is_raised() };
    match tui::run(simulator, &options) {
        Ok(()) => Exit::Holds,
        Err(error) => refuse(&format!("the terminal cannot be used: {error}")),
    }
}
