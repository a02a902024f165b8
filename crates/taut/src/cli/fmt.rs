//! `taut fmt`: a program in the Taut language.

use taut::Language;

use super::args::FmtArgs;
use super::exit::Exit;
use super::input::read;
use super::output::{eprint, is_error_styled, print};

/// Runs the command.
pub fn run(args: &FmtArgs) -> Exit {
    let Ok(loaded) = read(&args.input) else { return Exit::BadInput };
    let text = match loaded.language {
        Language::Taut => match taut::lang::format(&loaded.sources, loaded.file) {
            Ok(text) => text,
            Err(diagnostics) => {
                let styled = is_error_styled();
                eprint(&taut::diag::render_all(&loaded.sources, &diagnostics, styled));
                return Exit::BadInput;
            }
        },
        _ if args.write || args.check => {
            eprint("error: only .taut files can be formatted in place\n");
            return Exit::BadInput;
        }
        Language::Litmus | Language::Promela | Language::Dve => {
            match taut::lang::print(&loaded.program) {
                Ok(text) => text,
                Err(error) => {
                    eprint(&format!("error: `{}`: {error}\n", loaded.name));
                    return Exit::BadInput;
                }
            }
        }
    };
    if args.check {
        let formatted = loaded.sources.file(loaded.file).text() == text;
        return if formatted { Exit::Holds } else { Exit::Violated };
    }
    if args.write {
        return write(args, &text);
    }
    print(&text);
    Exit::Holds
}

fn write(args: &FmtArgs, text: &str) -> Exit {
    match std::fs::write(&args.input.file, text) {
        Ok(()) => Exit::Holds,
        Err(error) => {
            eprint(&format!("error: cannot write `{}`: {error}\n", args.input.file.display()));
            Exit::BadInput
        }
    }
}
