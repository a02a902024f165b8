//! `taut export`: a program with its store buffers, for another tool.

use taut::dve::DveModel;
use taut::export::ExportOptions;
use taut::{Atomics, Buffers, FullBuffer, Loaded, Memory, MemoryModel, Program};

use super::args::{ExportArgs, TargetArg};
use super::checking::full_buffer;
use super::command;
use super::exit::Exit;
use super::files::deliver_text;
use super::input::text_of;
use super::input::warn_under;
use super::output::{eprint, is_error_styled};
use super::temporal::read_questions;

/// Runs the command.
pub fn run(args: &ExportArgs) -> Exit {
    let loaded = match read_questions(&args.input, &args.questions) {
        Ok(loaded) => loaded,
        Err(exit) => return exit,
    };
    let model = match args.model {
        Some(model) => model.model(),
        None => loaded.memory_model().unwrap_or(MemoryModel::USUAL),
    };
    if args.to == TargetArg::Dve {
        return dve(args, &loaded, model);
    }
    warn_under(&loaded, &[model]);
    let memory = Memory {
        model,
        bound: args.buffers.bound_for(&loaded),
        full_buffer: full_buffer(&args.buffers),
    };
    let program = with_all_processes(&loaded, memory);
    let options = ExportOptions { fairness: args.questions.fairness };
    match taut::export::promela_with(&program, memory, options) {
        Ok(export) => deliver_text(&export.text, args.output.as_deref()),
        Err(error) => refuse(&loaded, &error.to_string()),
    }
}

/// Writes a DVE model back: as it is, or with its buffers written out.
fn dve(args: &ExportArgs, loaded: &Loaded, model: MemoryModel) -> Exit {
    let Some(own) = loaded.model_as::<DveModel>() else {
        return refuse(loaded, "only DVE models can be written as DVE; use `--to promela`");
    };
    let written = match (model.buffers(), model.atomics()) {
        (Buffers::None, _) => Ok(own.model.clone()),
        (Buffers::Slot, Atomics::PassBuffer) => own.with_buffers(),
        _ => {
            return refuse(
                loaded,
                "DVE has one-place buffers, `--model delayed`; for TSO and PSO use `--to promela`",
            );
        }
    };
    let written = match written {
        Ok(written) => written,
        Err(diagnostics) => {
            eprint(&taut::diag::render_all(&loaded.sources, &diagnostics, is_error_styled()));
            return Exit::BadInput;
        }
    };
    let exit = formulas(args, own);
    if exit != Exit::Holds {
        return exit;
    }
    deliver_text(&taut::dve::print(&written), args.output.as_deref())
}

/// Writes the formulas under the condition that no write waits for ever.
fn formulas(args: &ExportArgs, model: &DveModel) -> Exit {
    let Some(path) = &args.ltl_out else { return Exit::Holds };
    let mut all = String::new();
    for file in &args.questions.ltl_file {
        let text = match text_of(file) {
            Ok((_, text)) => text,
            Err(refused) => return refused.show(),
        };
        all.push_str(&text);
    }
    deliver_text(&model.fair_ltl(&all), Some(path))
}

fn refuse(loaded: &Loaded, why: &str) -> Exit {
    eprint(&format!("error: `{}` cannot be exported: {why}\n", loaded.name));
    Exit::BadInput
}

/// The program with all the processes that it can start.
pub fn with_all_processes(loaded: &Loaded, memory: Memory) -> Program {
    let memory = Memory { full_buffer: FullBuffer::Wait, ..memory };
    let (program, limit) = loaded.with_all_processes(memory, &command::search_limits());
    if let Some(limit) = limit {
        eprint(&format!(
            "note: {limit} while the processes that run at once were counted; there may be more\n"
        ));
    }
    program
}
