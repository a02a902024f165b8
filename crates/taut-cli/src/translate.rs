//! `taut translate`: a program that does under SC what another does under TSO, for any tool that knows SC.

use taut::rounds::{Scope, states_only, translate_states};
use taut::{Loaded, Memory, MemoryModel, Program, export, lang};

use super::args::{TranslateArgs, TranslateTargetArg};
use super::exit::Exit;
use super::export::with_all_processes;
use super::files::deliver_text;
use super::input::read;
use super::output::eprint;
use super::scope;

/// Runs the command.
pub fn run(args: &TranslateArgs) -> Exit {
    let loaded = match read(&args.input) {
        Ok(loaded) => loaded,
        Err(exit) => return exit,
    };
    let memory = Memory::new(MemoryModel::Tso).bounded(Some(loaded.bound()));
    let program = with_all_processes(&loaded, memory);
    note_runs(&program);
    let translation = match translate_states(&states_only(&program), wanted(args)) {
        Ok(translation) => translation,
        Err(error) => return scope::refused(&loaded, &error.into()).show(),
    };
    match written(&translation.portable(), args.to) {
        Ok(text) => deliver_text(&text, args.output.as_deref()),
        Err(why) => refuse(&loaded, args.to, &why),
    }
}

/// Exactly one of the two is given.
fn wanted(args: &TranslateArgs) -> Scope {
    match (args.scope.rounds, args.scope.age) {
        (Some(k), _) => Scope::Rounds(k),
        (None, age) => Scope::Age(age.unwrap_or_default()),
    }
}

/// Says which properties have no translation.
fn note_runs(program: &Program) {
    let runs = program.properties.iter().filter(|p| p.kind.is_temporal());
    let names: Vec<_> = runs.map(|p| format!("`{}`", p.name)).collect();
    if !names.is_empty() {
        eprint(&format!("note: left out, as a round is one step of a run: {}\n", names.join(", ")));
    }
}

fn written(program: &Program, to: TranslateTargetArg) -> Result<String, String> {
    match to {
        TranslateTargetArg::Taut => lang::print(program).map_err(|e| e.to_string()),
        TranslateTargetArg::Promela => {
            export::promela(program, Memory::new(MemoryModel::Sc)).map_err(|e| e.to_string())
        }
        TranslateTargetArg::C => export::c(program).map_err(|e| e.to_string()),
    }
}

fn refuse(loaded: &Loaded, to: TranslateTargetArg, why: &str) -> Exit {
    let language = match to {
        TranslateTargetArg::Taut => "the Taut language",
        TranslateTargetArg::Promela => "Promela",
        TranslateTargetArg::C => "C",
    };
    eprint(&format!("error: `{}` cannot be written in {language}: {why}\n", loaded.name));
    Exit::BadInput
}
