//! Reading: bytes, the language, its front end, the program.

use std::path::Path;
use std::sync::Arc;

use taut_ir::frontend::{LoadContext, ReadModel};
use taut_ir::{Claim, Program};
use taut_source::{Diagnostic, Diagnostics, FileId, SourceMap, Span};

use super::finish::Finish;
use super::{LoadError, LoadOptions, Loaded};
use crate::extra;
use crate::frontends::{Language, listed};
use crate::provenance::Source;

/// Reads a program from a file.
pub fn from_path(path: &Path, options: LoadOptions) -> Result<Loaded, Box<LoadError>> {
    let name = path.display().to_string();
    match std::fs::read(path) {
        Ok(bytes) => from_bytes(&name, bytes, options),
        Err(error) => {
            let message = format!("cannot read `{name}`: {}", plain(&error));
            Err(LoadError::new(SourceMap::new(), Diagnostic::error("E0004", message, Span::NONE)))
        }
    }
}

/// The words of an I/O error without the number that follows them.
fn plain(error: &std::io::Error) -> String {
    let text = error.to_string();
    text.split(" (os error").next().unwrap_or(&text).to_lowercase()
}

/// Reads a program from text; the name's extension says in which language it is.
pub fn from_text(name: &str, text: &str) -> Result<Loaded, Box<LoadError>> {
    from_bytes(name, text.as_bytes().to_vec(), LoadOptions::default())
}

/// Reads a program from what a file holds.
pub fn from_bytes(
    name: &str,
    bytes: Vec<u8>,
    options: LoadOptions,
) -> Result<Loaded, Box<LoadError>> {
    let source = Source::new(name, &bytes);
    let given: Arc<[u8]> = Arc::from(bytes.as_slice());
    let _phase = taut_budget::phase("the program is read");
    let mut sources = SourceMap::new();
    let text = match language_of(name, &options) {
        Some(language) => language.expand(name, bytes, &options.values, &mut sources),
        None => Ok(bytes),
    };
    match text {
        Ok(text) => read_text(name, text, options).map(|loaded| {
            let is_same = loaded.sources.file(loaded.file).text().as_bytes() == &*given;
            Loaded { source, given: Some(given).filter(|_| !is_same), ..loaded }
        }),
        Err(diagnostic) => Err(LoadError::new(sources, *diagnostic)),
    }
}

fn language_of(name: &str, options: &LoadOptions) -> Option<Language> {
    options.language.or_else(|| Language::of_path(Path::new(name)))
}

/// Reads a program from text in which there is nothing left to expand.
pub(super) fn read_text(
    name: &str,
    bytes: Vec<u8>,
    options: LoadOptions,
) -> Result<Loaded, Box<LoadError>> {
    let mut sources = SourceMap::new();
    let file = match sources.add_bytes(name, bytes) {
        Ok(file) => file,
        Err(diagnostic) => return Err(LoadError::new(sources, *diagnostic)),
    };
    let Some(language) = language_of(name, &options) else {
        return Err(LoadError::new(sources, unknown_language(name)));
    };
    match read_program(language, &mut sources, file, &options) {
        Ok(read) => Ok(read.loaded(name, language, sources, options)),
        Err(diagnostics) => Err(Box::new(LoadError { sources, diagnostics })),
    }
}

fn unknown_language(name: &str) -> Diagnostic {
    let message = format!("cannot tell in which language `{name}` is written");
    let usual = |language: Language| format!("`.{}`", language.extensions()[0]);
    let extensions: Vec<String> = Language::all().into_iter().map(usual).collect();
    let is_cpp = [".cpp", ".cc", ".cxx", ".hpp"].iter().any(|end| name.ends_with(end));
    let help = match is_cpp {
        true => "C++ is not read: C11 is, as `.c`, with `_Atomic int` for `std::atomic<int>` and `pthread_create` or `thrd_create` for `std::thread`".into(),
        false => format!("name the file {}, or use --language", listed(&extensions, "or")),
    };
    Diagnostic::error("E0005", message, Span::NONE).help(help)
}

/// A program that was read from its sources.
struct ReadProgram {
    file: FileId,
    program: Program,
    claims: Vec<Claim>,
    read: ReadModel,
}

fn read_program(
    language: Language,
    sources: &mut SourceMap,
    file: FileId,
    options: &LoadOptions,
) -> Result<ReadProgram, Diagnostics> {
    let claims = extra::claims(&options.asked, sources)?;
    let mut cx = LoadContext::new(sources, file, &options.values);
    cx.access = options.access;
    cx.granularity = options.granularity.unwrap_or(language.granularity());
    cx.claims = &claims;
    let mut read = language.load(&mut cx)?;
    let lowered = std::mem::replace(&mut read.lowered, Program::default().into());
    let finish = Finish { language, options, claims: &claims, sources };
    let program = finish.program(lowered)?;
    Ok(ReadProgram { file, program, claims, read })
}

impl ReadProgram {
    /// The program with its sources, and with all warnings.
    fn loaded(
        self,
        name: &str,
        language: Language,
        sources: SourceMap,
        options: LoadOptions,
    ) -> Loaded {
        let ReadProgram { file, program, claims, read } = self;
        let mut loaded = Loaded {
            name: name.into(),
            source: Source::new(name, sources.file(file).text().as_bytes()),
            asked: extra::names(&options.asked, &claims, &program),
            questions: options.asked.clone(),
            program,
            language,
            sources,
            file,
            model: Arc::from(read.model),
            options,
            warnings: read.warnings.always,
            relaxed_warnings: read.warnings.relaxed,
            buffer_warnings: Diagnostics::new(),
            claims,
            given: None,
        };
        loaded.warn_of_free_channels();
        loaded.lint();
        loaded
    }
}

#[cfg(test)]
mod tests {
    use taut_ir::frontend::FileAccess;

    use super::*;

    /// The code of the first message about a text, read with nothing beside it.
    fn refusal(name: &str, text: &str) -> Option<&'static str> {
        let options = LoadOptions { access: FileAccess::Denied, ..LoadOptions::default() };
        let error = from_bytes(name, text.as_bytes().to_vec(), options).err()?;
        error.diagnostics.iter().next().map(|diagnostic| diagnostic.code)
    }

    #[test]
    fn with_nothing_beside_it_no_file_is_read() {
        let here = concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml");
        let read = "active proctype p() { skip }";
        for file in [here, "Cargo.toml", "./Cargo.toml"] {
            let model = format!("#include \"{file}\"\n{read}");
            assert_eq!(refusal("p.pml", &model), Some("P0031"), "{file}");
        }
        for file in ["taut.h", "../library/tso.h"] {
            assert_eq!(refusal("p.pml", &format!("#include \"{file}\"\n{read}")), None, "{file}");
        }
    }

    #[test]
    fn with_nothing_beside_it_models_with_parameters_are_read() {
        let model = "default(N, 1)process p { state s; init s; } system async;";
        assert_eq!(refusal("p.mdve", model), None);
        assert_eq!(refusal("p.mdve", &format!("syscmd(`true'){model}")), Some("E0010"));
    }
}
