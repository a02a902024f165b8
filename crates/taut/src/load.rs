//! From files to programs: which language it is, and reading it.

use std::path::Path;

use taut_ir::granularity::{Most, split_program};
use taut_ir::{ChannelOp, Channels, Granularity, Memory, MemoryModel, Program, Step};
use taut_source::{Diagnostic, Diagnostics, FileId, SourceMap, Span};

use crate::dve::{self, DveModel, DveOptions};
use crate::extra::{self, ExtraProperty, Outside};
use crate::promela::{self, Model, ModelOptions, Reading};
use crate::provenance::Source;

/// A language Taut reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    /// The Taut language, `.taut`.
    Taut,
    /// x86 litmus tests, `.litmus`.
    Litmus,
    /// Promela, the language of SPIN, `.pml`.
    Promela,
    /// DVE, the language of DiVinE, `.dve`; with parameters, `.mdve`.
    Dve,
}

impl Language {
    /// All of them.
    pub const ALL: [Language; 4] =
        [Language::Taut, Language::Litmus, Language::Promela, Language::Dve];

    /// The name, as on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Language::Taut => "taut",
            Language::Litmus => "litmus",
            Language::Promela => "promela",
            Language::Dve => "dve",
        }
    }

    /// The extensions of its files, the usual one first.
    pub fn extensions(self) -> &'static [&'static str] {
        match self {
            Language::Taut => &["taut"],
            Language::Litmus => &["litmus"],
            Language::Promela => &["pml", "prom", "promela", "spin"],
            Language::Dve => &["dve", PARAMETERISED],
        }
    }

    /// What is done in one step unless something else is asked for.
    pub fn granularity(self) -> Granularity {
        match self {
            Language::Taut => Granularity::Access,
            Language::Litmus | Language::Promela | Language::Dve => Granularity::Statement,
        }
    }

    /// The language of a file by its extension.
    pub fn of_path(path: &Path) -> Option<Language> {
        let extension = path.extension()?.to_str()?;
        Language::ALL.into_iter().find(|l| l.extensions().contains(&extension))
    }
}

/// The extension of DVE models with parameters, which are expanded first.
const PARAMETERISED: &str = "mdve";

/// What may be read beside the text of a program.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FileAccess {
    /// Files that it includes.
    #[default]
    Files,
    /// Nothing: no file is opened and no program is started, whatever the text asks for. For texts from strangers.
    Nothing,
}

/// How to read a program.
#[derive(Clone, Debug, Default)]
pub struct LoadOptions {
    /// The language; by default what the extension says.
    pub language: Option<Language>,
    /// What may be read beside the text.
    pub beside: FileAccess,
    /// What is done in one step; by default what the language says.
    pub granularity: Option<Granularity>,
    /// Bounds on spawned threads and nested calls. (The granularity in here is not used.)
    pub lang: taut_lang::Options,
    /// What is not in the text of a Promela model.
    pub promela: ModelOptions,
    /// What is not in the text of a DVE model.
    pub dve: DveOptions,
    /// Questions about runs that are not in the text. If there are any, a check answers them alone.
    pub asked: Vec<ExtraProperty>,
}

/// A program with its sources.
#[derive(Clone, Debug)]
pub struct Loaded {
    /// The file's name as it was given.
    pub name: String,
    /// The file as it was read, by its hash.
    pub source: Source,
    /// The program, with the questions from outside among its properties.
    pub program: Program,
    /// The names of the properties that were asked for from outside.
    pub asked: Vec<String>,
    /// The questions from outside.
    pub questions: Vec<ExtraProperty>,
    /// The language it was written in.
    pub language: Language,
    /// Its sources, for everything that points into them.
    pub sources: SourceMap,
    /// Its main file.
    pub file: FileId,
    /// The question of a litmus test.
    pub litmus: Option<Box<taut_litmus::Test>>,
    /// The Promela model that the program was made from.
    pub promela: Option<Box<Model>>,
    /// The DVE model that the program was made from.
    pub dve: Option<Box<DveModel>>,
    /// How it was read.
    pub options: LoadOptions,
    /// What is worth a look though the program is accepted.
    pub warnings: Diagnostics,
    /// What is worth a look on relaxed memory only.
    pub relaxed_warnings: Diagnostics,
    /// What is worth a look under TSO and PSO only: under memory models with store buffers.
    pub buffer_warnings: Diagnostics,
}

/// Whether the sends of a program wait for store buffers under TSO and PSO; none where that makes no difference,
/// because the program has no sends or no shared variables.
pub(crate) fn channels(program: &Program) -> Option<Channels> {
    Some(if first_send(program)?.drains { Channels::Drain } else { Channels::Free })
}

/// The first send of a program with shared variables.
fn first_send(program: &Program) -> Option<&Step> {
    let shared = program.vars.iter().any(|v| v.kind.is_buffered());
    let mut steps = program.defs.iter().flat_map(|def| &def.steps);
    let is_send = |step: &&Step| matches!(step.channel, Some(ChannelOp::Send { .. }));
    steps.find(is_send).filter(|_| shared)
}

impl Loaded {
    fn new(name: &str, language: Language, sources: SourceMap, file: FileId) -> Loaded {
        Loaded {
            name: name.into(),
            source: Source::new(name, sources.file(file).text().as_bytes()),
            program: Program::default(),
            asked: Vec::new(),
            questions: Vec::new(),
            language,
            sources,
            file,
            litmus: None,
            promela: None,
            dve: None,
            options: LoadOptions::default(),
            warnings: Diagnostics::new(),
            relaxed_warnings: Diagnostics::new(),
            buffer_warnings: Diagnostics::new(),
        }
    }

    /// The memory model that the program itself asks for, as models of mmlib do.
    pub fn memory_model(&self) -> Option<MemoryModel> {
        self.promela.as_ref()?.memory_model
    }

    /// The bound on buffers unless something else is asked for: the program's own, or the usual one.
    pub fn bound(&self) -> u32 {
        self.promela.as_ref().and_then(|model| model.bound).unwrap_or(Memory::DEFAULT_BOUND)
    }

    /// Whether the program itself says how large buffers are.
    pub fn has_bound(&self) -> bool {
        self.promela.as_ref().is_some_and(|model| model.bound.is_some())
    }

    /// Whether the sends of the program wait for store buffers under TSO and PSO; none where that makes no
    /// difference, because the program has no sends or no shared variables.
    pub fn channels(&self) -> Option<Channels> {
        channels(&self.program)
    }

    /// The warnings under some memory models, besides those under every model.
    pub fn warnings_under(&self, models: &[MemoryModel]) -> Diagnostics {
        let mut all = Diagnostics::new();
        if models.iter().any(|model| model.is_relaxed()) {
            all.extend(self.relaxed_warnings.clone());
        }
        if models.iter().any(|model| model.has_bound()) {
            all.extend(self.buffer_warnings.clone());
        }
        all
    }

    /// Warns where messages can overtake stores because the user asked for it.
    fn warn_of_free_channels(&mut self, options: &LoadOptions) {
        let asked = match self.language {
            Language::Promela => options.promela.channels,
            Language::Dve => options.dve.channels,
            Language::Taut | Language::Litmus => return,
        };
        let is_mmlib = self.memory_model().is_some();
        let Some(send) = first_send(&self.program) else { return };
        if asked == Channels::Drain || is_mmlib {
            return;
        }
        let text =
            "under TSO and PSO a message can overtake the stores before it (`--channels free`)";
        let warning = Diagnostic::warning("E0013", text, send.span)
            .label("this send does not wait for the store buffer")
            .help("with `--channels drain`, the default, sends wait until the buffer is empty");
        self.buffer_warnings.push(warning);
    }

    /// Reads another text as this one was read.
    pub fn reread(&self, text: &str, options: LoadOptions) -> Result<Loaded, Box<LoadError>> {
        let options = LoadOptions { language: Some(self.language), ..options };
        read_text(&self.name, text.as_bytes().to_vec(), options)
    }

    /// What is done in one step of the program.
    pub fn granularity(&self) -> Granularity {
        self.program.granularity.unwrap_or(self.language.granularity())
    }

    /// Splits the program into accesses if that is asked for and the front end does not do it.
    fn split(&mut self, granularity: Granularity) -> Result<(), Diagnostics> {
        if granularity == Granularity::Access {
            self.program = split(std::mem::take(&mut self.program))?;
        }
        Ok(())
    }

    fn ask_about_labels(&mut self, asked: &[ExtraProperty]) {
        let labelled = extra::Labelled::of(&self.program);
        extra::add_labels(asked, &mut self.program, &labelled);
    }

    /// Reads the file's text into the program.
    fn fill(&mut self, options: &LoadOptions) -> Result<(), Diagnostics> {
        let claims = extra::claims(&options.asked, &mut self.sources)?;
        let usual = self.language.granularity();
        let granularity = options.granularity.unwrap_or(usual);
        match self.language {
            Language::Taut => {
                let lang = taut_lang::Options { granularity, ..options.lang.clone() };
                let read = taut_lang::parse_with_claims(&self.sources, self.file, &lang, &claims);
                self.program = read?;
                self.ask_about_labels(&options.asked);
            }
            Language::Litmus => {
                let test = taut_litmus::parse(&self.sources, self.file)?;
                self.program = test.program.clone();
                self.litmus = Some(Box::new(test));
                let properties = taut_lang::claims(&self.program, &self.sources, &claims)?;
                self.program.properties.extend(properties);
                self.ask_about_labels(&options.asked);
                self.split(granularity)?;
            }
            Language::Promela => {
                let outside = Outside { asked: options.asked.clone(), claims: claims.clone() };
                let headers = promela::headers(options.promela.mmlib, options.beside);
                let reading = Reading { options: &options.promela, granularity, headers, outside };
                let (model, lowered) = Model::read(&mut self.sources, self.file, reading)?;
                self.program = lowered.program;
                self.promela = Some(Box::new(model));
                self.warnings = lowered.warnings;
                self.relaxed_warnings = lowered.relaxed_warnings;
            }
            Language::Dve => {
                let read = dve::read(&mut self.sources, self.file, &options.dve, &claims)?;
                self.program = read.program;
                self.dve = Some(Box::new(read.model));
                self.warnings = read.warnings;
                self.ask_about_labels(&options.asked);
                self.split(granularity)?;
            }
        }
        self.warn_of_free_channels(options);
        self.program.granularity = Some(granularity).filter(|g| *g != usual);
        self.questions = options.asked.clone();
        self.asked = extra::names(&options.asked, &claims, &self.program);
        Ok(())
    }
}

/// A program with one access per step.
pub(crate) fn split(program: Program) -> Result<Program, Diagnostics> {
    split_program(program, Most::default()).map_err(|what| {
        let message = format!("with one access per step the program has too many {}", what.word());
        let found = Diagnostic::error("E0014", message, Span::NONE);
        found.help("use `--granularity statement`, or split large conditions").into()
    })
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
        taut_source::render_all(&self.sources, &self.diagnostics, styled)
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
    let source = Source::new(name, &bytes);
    let _phase = taut_budget::phase("the program is read");
    let is_parameterised = Path::new(name).extension().is_some_and(|e| e == PARAMETERISED);
    let loaded = if is_parameterised {
        let mut sources = SourceMap::new();
        match dve::expanded(name, bytes, &options.promela.defines, &mut sources) {
            Ok(text) => read_text(name, text, options),
            Err(diagnostic) => Err(LoadError::new(sources, *diagnostic)),
        }
    } else {
        read_text(name, bytes, options)
    };
    loaded.map(|loaded| Loaded { source, ..loaded })
}

/// Reads a program from text in which there is nothing left to expand.
fn read_text(name: &str, bytes: Vec<u8>, options: LoadOptions) -> Result<Loaded, Box<LoadError>> {
    let mut sources = SourceMap::new();
    let file = match sources.add_bytes(name, bytes) {
        Ok(file) => file,
        Err(diagnostic) => return Err(LoadError::new(sources, *diagnostic)),
    };
    let Some(language) = options.language.or_else(|| Language::of_path(Path::new(name))) else {
        let message = format!("cannot tell in which language `{name}` is written");
        let diagnostic = Diagnostic::error("E0005", message, Span::NONE)
            .help("name the file `.taut`, `.litmus`, `.pml` or `.dve`, or use --language");
        return Err(LoadError::new(sources, diagnostic));
    };
    let mut loaded = Loaded::new(name, language, sources, file);
    match loaded.fill(&options) {
        Ok(()) => {
            loaded.options = options;
            loaded.lint();
            Ok(loaded)
        }
        Err(diagnostics) => Err(Box::new(LoadError { sources: loaded.sources, diagnostics })),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The code of the first message about a text, read with nothing beside it.
    fn refusal(name: &str, text: &str) -> Option<&'static str> {
        let options = LoadOptions { beside: FileAccess::Nothing, ..LoadOptions::default() };
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
