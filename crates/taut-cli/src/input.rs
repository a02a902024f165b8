//! Reading the program that a command is about, and showing what is to be said about it.

use std::path::Path;

use taut::budget::Level;
use taut::diag::{Diagnostic, Diagnostics, render_all};
use taut::ir::frontend::{NamedText, OptionValues};
use taut::load::FileAccess;
use taut::{ExtraProperty, Loaded, MemoryModel, load};

use super::args::{GranularityArg, InputArgs};
use super::command;
use super::exit::Exit;
use super::output::{eprint, is_error_styled};
use super::refused::Refused;
use super::scope;

/// Reads the program; bad input has been shown when this fails, and warnings when it does not.
pub fn read(input: &InputArgs) -> Result<Loaded, Exit> {
    read_asking(input, Vec::new())
}

/// Reads the program, which may have any number of processes.
pub fn read_any(input: &InputArgs) -> Result<Loaded, Exit> {
    shown(load_asking(input, Vec::new()))
}

/// Reads the program with questions from outside.
pub fn read_asking(input: &InputArgs, asked: Vec<ExtraProperty>) -> Result<Loaded, Exit> {
    shown(load_asking(input, asked).and_then(fixed))
}

/// Refuses a program with any number of processes, for commands that need to know it.
pub fn fixed(loaded: Loaded) -> Result<Loaded, Refused> {
    match taut::engines::fixed_number(&loaded.program, "this command") {
        Some(why) => Err(scope::refused(&loaded, &why)),
        None => Ok(loaded),
    }
}

/// Shows what is to be said about what was read, bad or good.
pub fn shown(loaded: Result<Loaded, Refused>) -> Result<Loaded, Exit> {
    match loaded {
        Ok(loaded) => {
            show(&loaded, &loaded.warnings);
            Ok(loaded)
        }
        Err(refused) => Err(refused.show()),
    }
}

/// Reads the program with questions from outside, and shows nothing.
pub fn load_asking(input: &InputArgs, asked: Vec<ExtraProperty>) -> Result<Loaded, Refused> {
    let options = load::LoadOptions { asked, ..options(input)? };
    let loaded = command::budget().run(Level::Work, || match input.file.to_str() {
        Some("-") => from_stdin(options),
        _ => load::from_path(&input.file, options),
    });
    Ok(loaded.map_err(Refused::Spent)??)
}

fn options(input: &InputArgs) -> Result<load::LoadOptions, Refused> {
    let mut values = OptionValues::default();
    for (option, word) in &input.options.words {
        values.set(option, word).map_err(Refused::Message)?;
    }
    for (option, path) in &input.options.files {
        let (name, text) = text_of(path)?;
        values.set_file(option, NamedText { name, text });
    }
    Ok(load::LoadOptions {
        language: input.language,
        access: FileAccess::Allowed,
        granularity: input.granularity.map(GranularityArg::meant),
        values,
        asked: Vec::new(),
    })
}

/// The name and the text of a file.
pub fn text_of(path: &Path) -> Result<(String, String), Refused> {
    let name = path.display().to_string();
    match std::fs::read_to_string(path) {
        Ok(text) => Ok((name, text)),
        Err(error) => Err(Refused::Message(format!("cannot read `{name}`: {error}"))),
    }
}

/// Reads the program from standard input; without `--language` it is in the first language of the list.
fn from_stdin(options: load::LoadOptions) -> Result<Loaded, Box<taut::LoadError>> {
    let mut bytes = Vec::new();
    // What could be read is read; a broken pipe shows as a program that ends early.
    let _ = std::io::Read::read_to_end(&mut std::io::stdin().lock(), &mut bytes);
    let language = Some(options.language.unwrap_or_default());
    load::from_bytes("-", bytes, load::LoadOptions { language, ..options })
}

/// Shows what is worth a look in a program, and what is if the program is run under one of these memory models.
pub fn warn_of(loaded: &Loaded, models: &[MemoryModel]) {
    show(loaded, &loaded.warnings);
    warn_under(loaded, models);
}

/// Shows what is worth a look if the program is run under one of these memory models.
pub fn warn_under(loaded: &Loaded, models: &[MemoryModel]) {
    show(loaded, &loaded.warnings_under(models));
}

/// Shows one warning.
pub fn show_one(loaded: &Loaded, warning: Diagnostic) {
    show(loaded, &Diagnostics::from(warning));
}

fn show(loaded: &Loaded, warnings: &Diagnostics) {
    if !warnings.is_empty() {
        eprint(&render_all(&loaded.sources, warnings, is_error_styled()));
        eprint("\n\n");
    }
}
