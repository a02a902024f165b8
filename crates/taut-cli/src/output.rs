//! Standard output and error: colour, width, closed pipes.

use std::io::{ErrorKind, IsTerminal, Write};
use std::sync::atomic::{AtomicBool, Ordering};

use taut::formats::Page;

use super::exit::Exit;
use super::provenance;

/// The width of a table where there is no terminal to ask.
const DEFAULT_WIDTH: usize = 100;

/// Whether something that was to be on standard output is not there.
static IS_LOST: AtomicBool = AtomicBool::new(false);

/// The exit code of a program that a closed pipe ends, as a shell names it: 128 and the number of SIGPIPE.
const CLOSED_PIPE: i32 = 141;

/// Whether something is being written to standard output.
static IS_WRITING: AtomicBool = AtomicBool::new(false);

/// Whether something is being written to standard output.
pub fn is_writing() -> bool {
    IS_WRITING.load(Ordering::Relaxed)
}

/// Writes to standard output. Without a reader (`taut … | head`) there is nothing left to do, and the program ends
/// quietly. Any other failure is told once and decides the exit code ([`outcome`]).
pub fn print(text: &str) {
    let mut out = anstream::AutoStream::auto(std::io::stdout().lock());
    IS_WRITING.store(true, Ordering::Relaxed);
    let written = out.write_all(text.as_bytes()).and_then(|()| out.flush());
    IS_WRITING.store(false, Ordering::Relaxed);
    let Err(error) = written else { return };
    if error.kind() == ErrorKind::BrokenPipe {
        std::process::exit(CLOSED_PIPE);
    }
    if !IS_LOST.swap(true, Ordering::Relaxed) {
        eprint(&format!("error: cannot write to standard output: {error}\n"));
    }
}

/// Writes to standard error or to standard output.
pub fn write_all(text: &str, to_stderr: bool) {
    if to_stderr { eprint(text) } else { print(text) }
}

/// The exit that the state of standard output asks for.
pub fn outcome() -> Exit {
    if IS_LOST.load(Ordering::Relaxed) { Exit::NotWritten } else { Exit::Holds }
}

/// Writes to standard error.
pub fn eprint(text: &str) {
    let mut err = anstream::AutoStream::auto(std::io::stderr().lock());
    let _ = err.write_all(text.as_bytes());
}

/// Whether standard output shows colours.
pub fn is_styled() -> bool {
    anstream::AutoStream::choice(&std::io::stdout()) != anstream::ColorChoice::Never
}

/// Whether standard error shows colours.
pub fn is_error_styled() -> bool {
    anstream::AutoStream::choice(&std::io::stderr()) != anstream::ColorChoice::Never
}

/// Whether somebody watches standard error.
pub fn is_watched() -> bool {
    std::io::stderr().is_terminal()
}

/// Standard output as a page.
pub fn page() -> Page {
    Page::new(width(), is_styled(), provenance::arguments())
}

/// The width to draw in.
pub fn width() -> usize {
    terminal_size::terminal_size().map_or(DEFAULT_WIDTH, |(width, _)| usize::from(width.0).max(40))
}
