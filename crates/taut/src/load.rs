//! From files to programs: which language it is, and reading it.

use std::path::Path;

use taut_diag::{Diagnostic, Diagnostics, FileId, SourceMap, Span};
use taut_ir::Program;

/// A language Taut reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    /// The Taut language, `.taut`.
    Taut,
    /// x86 litmus tests, `.litmus`.
    Litmus,
}

impl Language {
    /// All of them.
    pub const ALL: [Language; 2] = [Language::Taut, Language::Litmus];

    /// The name, which is also the extension of its files.
    pub fn name(self) -> &'static str {
        match self {
            Language::Taut => "taut",
            Language::Litmus => "litmus",
        }
    }

    /// The language of a file by its extension.
    pub fn of_path(path: &Path) -> Option<Language> {
        let extension = path.extension()?.to_str()?;
        Language::ALL.into_iter().find(|l| l.name() == extension)
    }
}

/// How to read a program.
#[derive(Clone, Debug, Default)]
pub struct LoadOptions {
    /// The language; by default what the extension says.
    pub language: Option<Language>,
    /// Bounds on spawned threads and nested calls.
    pub lang: taut_lang::Options,
}

/// A program with its sources.
#[derive(Clone, Debug)]
pub struct Loaded {
    /// The file's name as it was given.
    pub name: String,
    /// The program.
    pub program: Program,
    /// The language it was written in.
    pub language: Language,
    /// Its sources, for everything that points into them.
    pub sources: SourceMap,
    /// Its main file.
    pub file: FileId,
    /// The question of a litmus test.
    pub litmus: Option<Box<taut_litmus::Test>>,
}

/// Why a program could not be read, with what is needed to show it.
#[derive(Clone, Debug)]
pub struct LoadError {
    /// The sources the messages point into.
    pub sources: SourceMap,
    /// The messages.
    pub diagnostics: Diagnostics,
}

impl LoadError {
    /// The messages as text.
    pub fn render(&self, styled: bool) -> String {
        taut_diag::render_all(&self.sources, &self.diagnostics, styled)
    }

    fn new(sources: SourceMap, diagnostic: Diagnostic) -> Box<LoadError> {
        Box::new(LoadError { sources, diagnostics: diagnostic.into() })
    }
}

impl std::fmt::Display for LoadError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.render(false))
    }
}

impl std::error::Error for LoadError {}

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
    let mut sources = SourceMap::new();
    let file = match sources.add_bytes(name, bytes) {
        Ok(file) => file,
        Err(diagnostic) => return Err(LoadError::new(sources, *diagnostic)),
    };
    let Some(language) = options.language.or_else(|| Language::of_path(Path::new(name))) else {
        let message = format!("cannot tell in which language `{name}` is written");
        let diagnostic = Diagnostic::error("E0005", message, Span::NONE)
            .help("name the file `.taut` or `.litmus`, or use --language");
        return Err(LoadError::new(sources, diagnostic));
    };
    let parsed = match language {
        Language::Taut => taut_lang::parse(&sources, file, &options.lang).map(|p| (p, None)),
        Language::Litmus => taut_litmus::parse(&sources, file)
            .map(|test| (test.program.clone(), Some(Box::new(test)))),
    };
    match parsed {
        Ok((program, litmus)) => {
            Ok(Loaded { name: name.into(), program, language, sources, file, litmus })
        }
        Err(diagnostics) => Err(Box::new(LoadError { sources, diagnostics })),
    }
}
