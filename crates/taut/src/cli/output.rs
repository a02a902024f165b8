//! Standard output and error: colour, width, closed pipes.

use std::io::{IsTerminal, Write};
use std::path::Path;

use super::exit::Exit;
use super::refused::Refused;

/// The width of a table where there is no terminal to ask.
const DEFAULT_WIDTH: usize = 100;

/// Writes to standard output. A reader that went away (`taut … | head`) is no error.
pub fn print(text: &str) {
    let mut out = anstream::AutoStream::auto(std::io::stdout().lock());
    let _ = out.write_all(text.as_bytes());
    let _ = out.flush();
}

/// Writes to standard error.
pub fn eprint(text: &str) {
    let mut err = anstream::AutoStream::auto(std::io::stderr().lock());
    let _ = err.write_all(text.as_bytes());
}

/// Writes a text to a file, or without one to standard output.
pub fn deliver(text: &str, path: Option<&Path>) -> Exit {
    let Some(path) = path else {
        print(text);
        return Exit::Holds;
    };
    match std::fs::write(path, text) {
        Ok(()) => Exit::Holds,
        Err(error) => {
            eprint(&format!("error: cannot write `{}`: {error}\n", path.display()));
            Exit::BadInput
        }
    }
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

/// The width to draw in.
pub fn width() -> usize {
    terminal_size::terminal_size().map_or(DEFAULT_WIDTH, |(width, _)| usize::from(width.0).max(40))
}

/// Paints text in a style if it is to be seen in colour.
pub fn paint(text: &str, style: anstyle::Style, styled: bool) -> String {
    if styled { format!("{style}{text}{style:#}") } else { text.into() }
}

/// The style of a verdict.
pub fn verdict_style(word: &str) -> anstyle::Style {
    let colour = match word {
        "holds" => anstyle::AnsiColor::Green,
        "violated" => anstyle::AnsiColor::Red,
        _ => anstyle::AnsiColor::Yellow,
    };
    colour.on_default().bold()
}

/// The name and the text of a file.
pub fn text_of(path: &Path) -> Result<(String, String), Refused> {
    let name = path.display().to_string();
    match std::fs::read_to_string(path) {
        Ok(text) => Ok((name, text)),
        Err(error) => Err(Refused::Message(format!("cannot read `{name}`: {error}"))),
    }
}
