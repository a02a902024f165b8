//! `taut export`: a program with its store buffers, for another tool.

use taut::export::ExportOptions;
use taut::{Check, Limit, Loaded, Memory, MemoryModel, Program, Unknown, Verdict};

use super::args::{ExportArgs, TargetArg};
use super::check::{full_buffer, on_ctrl_c};
use super::exit::Exit;
use super::input::warn_under;
use super::output::{deliver, eprint};
use super::runs::read_questions;

/// Runs the command.
pub fn run(args: &ExportArgs) -> Exit {
    let Ok(loaded) = read_questions(&args.input, &args.questions) else {
        return Exit::BadInput;
    };
    let model = match args.model {
        Some(model) => model.model(),
        None => loaded.memory_model().unwrap_or(MemoryModel::Tso),
    };
    warn_under(&loaded, &[model]);
    let memory = Memory {
        model,
        bound: args.buffers.bound_for(&loaded),
        full_buffer: full_buffer(&args.buffers),
    };
    let program = match grown(&loaded, memory) {
        Ok(program) => program,
        Err(exit) => return exit,
    };
    let written = match args.to {
        TargetArg::Promela => {
            let options = ExportOptions { fairness: args.questions.fairness };
            taut::export::promela_with(&program, memory, options)
        }
    };
    match written {
        Ok(export) => deliver(&export.text, args.output.as_deref()),
        Err(error) => {
            eprint(&format!("error: `{}` cannot be exported: {error}\n", loaded.name));
            Exit::BadInput
        }
    }
}

/// The program with all the processes that it can start. How many those are only a search can tell.
pub fn grown(loaded: &Loaded, memory: Memory) -> Result<Program, Exit> {
    if loaded.promela.is_none() || !loaded.program.spawns() {
        return Ok(loaded.program.clone());
    }
    let check = Check::of(loaded).model(memory.model).bound(memory.bound);
    let report = check.only(Vec::new()).temporal(false).all(true).interrupt(on_ctrl_c()).run();
    let report = report.map_err(|fault| super::check::internal(&fault))?;
    if let Some(limit) = limit(&report) {
        eprint(&format!(
            "note: {limit} while the processes that run at once were counted; there may be more\n"
        ));
    }
    Ok(std::sync::Arc::unwrap_or_clone(report.program))
}

/// The limit that ended a search, if one did.
fn limit(report: &taut::Report) -> Option<Limit> {
    report.results.iter().find_map(|r| match r.verdict {
        Verdict::Unknown(Unknown::Limit(limit)) => Some(limit),
        _ => None,
    })
}
