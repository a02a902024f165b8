//! `taut fmt`: a program in the Taut language.

use super::args::{FmtArgs, formatted};
use super::exit::Exit;
use super::files;
use super::input::read_any;
use super::output::{eprint, is_error_styled, print};

/// Runs the command.
pub fn run(args: &FmtArgs) -> Exit {
    let loaded = match read_any(&args.input) {
        Ok(loaded) => loaded,
        Err(exit) => return exit,
    };
    let text = match loaded.language.formatter() {
        Some(format) => match format(&loaded.sources, loaded.file) {
            Ok(text) => text,
            Err(diagnostics) => {
                let styled = is_error_styled();
                eprint(&taut::diag::render_all(&loaded.sources, &diagnostics, styled));
                return Exit::BadInput;
            }
        },
        None if args.write || args.check => {
            eprint(&format!("error: only {} files can be formatted in place\n", formatted()));
            return Exit::BadInput;
        }
        None => match taut::lang::print(&loaded.program) {
            Ok(text) => text,
            Err(error) => {
                eprint(&format!("error: `{}`: {error}\n", loaded.name));
                return Exit::BadInput;
            }
        },
    };
    if args.check {
        let formatted = loaded.sources.file(loaded.file).text() == text;
        return if formatted { Exit::Holds } else { Exit::Violated };
    }
    if args.write {
        return write(args, loaded.sources.file(loaded.file).text(), &text);
    }
    print(&text);
    Exit::Holds
}

/// Replaces the file, unless nothing is to be changed about it.
fn write(args: &FmtArgs, before: &str, text: &str) -> Exit {
    if before == text {
        return Exit::Holds;
    }
    match files::replace_source(&args.input.file, before.as_bytes(), text.as_bytes()) {
        Ok(()) => Exit::Holds,
        Err(exit) => exit,
    }
}
