//! Flags from where they are: the command of a compiler after `--`, or a compilation database (`-p DIR`).
//!
//! Only the words are read ([`Invocation`]); nothing is started. Options of Taut that are typed as well come last, so
//! that they have the last word.

mod database;

use std::path::{Path, PathBuf};

use taut::c::{Invocation, UNDEFINE, macro_name};
use taut::ir::frontend::{DEFINE, OptionKind};

use super::args::{Command, InputArgs, LanguageArgs};
use super::output::eprint;
use super::refused::Refused;

/// Sets the file of the program and the options that a compiler's command says about it.
pub fn take_flags(command: &mut Command) -> Result<(), Refused> {
    if let Command::Replay(args) = command {
        args.only_file_is_trace();
    }
    match command.input_mut() {
        Some(input) => take(input),
        None => Ok(()),
    }
}

/// The same for one program.
pub fn take(input: &mut InputArgs) -> Result<(), Refused> {
    let found = match (&input.compile_commands, input.compiler.as_slice(), &input.typed) {
        // A suite: that a database says nothing about it is told with its other options.
        (Some(_), _, Some(typed)) if typed.is_dir() => None,
        (Some(directory), _, typed) => Some(database::invocation(directory, typed.as_deref())?),
        // One word after `--` is a file whose name could be taken for an option.
        (None, [file], None) => {
            input.file = file.into();
            return Ok(());
        }
        (None, [], _) => None,
        (None, _, Some(typed)) => {
            let file = typed.display();
            return Err(Refused::Message(format!(
                "`{file}` cannot be used with a compiler's command, which names its own file"
            )));
        }
        (None, words, _) => Some(Invocation::of(words).map_err(|why| {
            let help =
                "after `--` stands the command that compiles the file, such as `cc -O2 lock.c`";
            Refused::Message(format!("{why}\nhelp: {help}"))
        })?),
    };
    if let Some(found) = &found {
        found.notes.iter().for_each(|note| eprint(&format!("note: {note}\n")));
        merge(&mut input.options, found);
    }
    // The file as it was typed is the name that answers have.
    let named = found.map(|found| shortest(Path::new(&found.source)));
    input.file = input.typed.clone().or(named).unwrap_or_default();
    Ok(())
}

/// Puts the options of a compiler's command before those that were typed.
fn merge(typed: &mut LanguageArgs, found: &Invocation) {
    let is_macro = |name: &str| name == DEFINE.name || name == UNDEFINE.name;
    let mut words = found.options();
    words.retain(|(option, value)| {
        !typed.words.iter().any(|(other, said)| match is_macro(option.name) {
            true => is_macro(other.name) && macro_name(said) == macro_name(value),
            false => other.name == option.name && !matches!(option.kind, OptionKind::Words { .. }),
        })
    });
    words.append(&mut typed.words);
    typed.words = words;
}

/// A path as seen from the current directory, if it is below it.
fn shortest(path: &Path) -> PathBuf {
    let here = std::env::current_dir().ok();
    let below = here.and_then(|here| path.strip_prefix(here).ok().map(PathBuf::from));
    below.unwrap_or_else(|| path.to_path_buf())
}
