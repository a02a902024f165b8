//! `taut export`: a program with its store buffers, for another tool.

use taut::Memory;

use super::args::{ExportArgs, TargetArg};
use super::check::{full_buffer, read};
use super::exit::Exit;
use super::output::{eprint, print};

/// Runs the command.
pub fn run(args: &ExportArgs) -> Exit {
    let Ok(loaded) = read(&args.input) else { return Exit::BadInput };
    let memory = Memory {
        model: args.model.model(),
        bound: args.buffers.bound,
        full_buffer: full_buffer(&args.buffers),
    };
    let written = match args.to {
        TargetArg::Promela => taut::export::promela(&loaded.program, memory),
    };
    let text = match written {
        Ok(text) => text,
        Err(error) => {
            eprint(&format!("error: `{}` cannot be exported: {error}\n", loaded.name));
            return Exit::BadInput;
        }
    };
    let Some(path) = &args.output else {
        print(&text);
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
