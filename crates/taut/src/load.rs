//! From files to programs: the language of a file, and reading it.

use std::any::Any;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

pub use taut_ir::frontend::FileAccess;
use taut_ir::frontend::{
    CHANNELS, LoadContext, Lowered, Model, OptionSpec, OptionValues, ReadModel, slots, with_more,
};
use taut_ir::granularity::{Most, split_program};
use taut_ir::{
    ChannelOp, Channels, Claim, ClaimText, DefId, Granularity, Ltl, Memory, MemoryModel, Program,
    Property, PropertyKind, Step,
};
use taut_source::{Diagnostic, Diagnostics, FileId, SourceMap, Span};

use crate::extra::{self, ExtraProperty};
pub use crate::frontends::Language;
use crate::frontends::listed;
use crate::provenance::Source;

/// How to read a program.
#[derive(Clone, Debug, Default)]
pub struct LoadOptions {
    /// The language; by default what the extension says.
    pub language: Option<Language>,
    /// Permission to read other files.
    pub access: FileAccess,
    /// The granularity of steps; by default what the language says.
    pub granularity: Option<Granularity>,
    /// The values of the languages' own options.
    pub values: OptionValues,
    /// Questions about runs that are not in the text. If there are any, a check answers them alone.
    pub asked: Vec<ExtraProperty>,
}

impl LoadOptions {
    /// Defines macros, each `NAME` or `NAME=VALUE`, for languages that have them.
    #[must_use]
    pub fn define<M: Into<String>>(mut self, macros: impl IntoIterator<Item = M>) -> Self {
        self.values.define(macros);
        self
    }

    /// Gives a value to an option of a language, such as [`taut_ir::frontend::DEFINE`]; what the option cannot have is
    /// refused.
    pub fn with(mut self, option: &OptionSpec, value: impl Into<String>) -> Result<Self, String> {
        self.values.set(option, value)?;
        Ok(self)
    }
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
    /// The model that the program was made from.
    pub model: Arc<dyn Model>,
    /// How it was read.
    pub options: LoadOptions,
    /// What is worth a look though the program is accepted.
    pub warnings: Diagnostics,
    /// What is worth a look on relaxed memory only.
    pub relaxed_warnings: Diagnostics,
    /// What is worth a look under TSO and PSO only: under memory models with store buffers.
    pub buffer_warnings: Diagnostics,
    /// The texts of the questions from outside.
    claims: Vec<Claim>,
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
    /// The model, if it is of a language's own type.
    pub fn model_as<T: Model>(&self) -> Option<&T> {
        (&*self.model as &dyn Any).downcast_ref()
    }

    /// The question of a litmus test.
    pub fn litmus(&self) -> Option<&taut_litmus::Test> {
        self.model_as()
    }

    /// The memory model that the program itself asks for, as models of mmlib do.
    pub fn memory_model(&self) -> Option<MemoryModel> {
        self.model.memory_model()
    }

    /// The bound on buffers unless something else is asked for: the program's own, or the usual one.
    pub fn bound(&self) -> u32 {
        self.model.bound().unwrap_or(Memory::DEFAULT_BOUND)
    }

    /// Whether the program itself says how large buffers are.
    pub fn has_bound(&self) -> bool {
        self.model.bound().is_some()
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
    fn warn_of_free_channels(&mut self) {
        let asked = Channels::of(&self.options.values);
        let has_option = self.language.options().contains(&CHANNELS);
        let is_mmlib = self.memory_model().is_some();
        let Some(send) = first_send(&self.program) else { return };
        if asked == Channels::Drain || !has_option || is_mmlib {
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

    /// The granularity of the program's steps.
    pub fn granularity(&self) -> Granularity {
        self.program.granularity.unwrap_or(self.language.granularity())
    }

    /// Whether programs with more processes can be made from the model.
    pub fn grows(&self) -> bool {
        self.model.growth().is_some()
    }

    /// The largest number of processes that a program of the model may have.
    pub(crate) fn most_processes(&self) -> usize {
        self.model.growth().map_or(self.program.processes.len(), |growth| growth.most_processes())
    }

    /// The program with so many processes, by the name of their definition, besides those that run from the start; none
    /// if there cannot be so many.
    pub fn with_slots(&self, slots: &BTreeMap<String, u32>) -> Option<Program> {
        let lowered = self.model.growth()?.with_slots(slots)?;
        self.finish().program(lowered).ok()
    }

    /// A program with more processes of one definition; none if there are too many already. Checks use it where a model
    /// starts processes without saying how many.
    ///
    /// ```
    /// use taut::{Check, MemoryModel, load};
    ///
    /// // Each process starts the next one: three of them, though the text does not say so.
    /// let model = "
    ///     byte x;
    ///     proctype p(byte n) {
    ///         x = n;
    ///         if :: n < 3 -> run p(n + 1) :: else fi
    ///     }
    ///     init { run p(1); x == 3; assert(_nr_pr > 1) }
    /// ";
    /// let loaded = load::from_text("chain.pml", model).expect("a model");
    /// let report = Check::of(&loaded).model(MemoryModel::Tso).all(true).run().expect("a report");
    /// assert!(!report.is_unknown());
    /// assert_eq!(taut::ir::frontend::slots(&report.program)["p"], 3);
    /// ```
    pub fn with_more(&self, program: &Program, def: DefId) -> Option<Program> {
        let most = self.model.growth()?.most_processes();
        self.with_slots(&with_more(program, def, most)?)
    }

    fn finish(&self) -> Finish<'_> {
        Finish {
            language: self.language,
            options: &self.options,
            claims: &self.claims,
            sources: &self.sources,
        }
    }

    /// A condition about the states of one of the model's programs, in the words of its language. It may say everything
    /// that a formula of `--ltl` may.
    pub fn condition(&self, program: &Program, text: &str) -> Result<Ltl, Diagnostics> {
        let found = match self.further_claims(program, text)? {
            Some(properties) => properties,
            None => self.reread_with(program, text)?,
        };
        match found.into_iter().next_back().map(|property| property.kind) {
            Some(PropertyKind::Ltl(ltl)) => Ok(*ltl),
            _ => Err(Diagnostic::error("E0007", "this is no condition", Span::NONE).into()),
        }
    }

    /// The property of a formula, without reading the program again; none if that cannot be done.
    fn further_claims(
        &self,
        program: &Program,
        text: &str,
    ) -> Result<Option<Vec<Property>>, Diagnostics> {
        // Where statements were split after the front end made the program, its numbers of program points are others.
        if self.granularity() != self.language.granularity() {
            return Ok(None);
        }
        let mut sources = self.sources.clone();
        let file = sources.add_bytes("--ltl", text.as_bytes().to_vec()).map_err(|d| *d)?;
        // A name that no property has.
        let name = ClaimText::Formula { name: "the condition".into() };
        let claims = [Claim { files: vec![file], text: name }];
        match self.model.claims(program, &sources, &claims) {
            Some(read) => read.map(Some),
            None if !self.language.reads_claims() => {
                taut_lang::claims(program, &sources, &claims).map(Some)
            }
            None => Ok(None),
        }
    }

    /// The property of a formula, read together with the program, of the size of another program.
    fn reread_with(&self, program: &Program, text: &str) -> Result<Vec<Property>, Diagnostics> {
        let asked = vec![ExtraProperty::Ltl(text.into())];
        let options = LoadOptions { asked, ..self.options.clone() };
        let source = self.sources.file(self.file).text();
        let again = self.reread(source, options).map_err(|error| error.diagnostics)?;
        let same_size = match again.grows() {
            true => again.with_slots(&slots(program)),
            false => Some(again.program.clone()),
        };
        let too_large = || Diagnostic::error("E0007", "the model is too large", Span::NONE);
        let mut properties = same_size.ok_or_else(too_large)?.properties;
        properties.retain(|property| again.asked.contains(&property.name));
        Ok(properties)
    }
}

/// What is done to every program of a model after its front end made it.
struct Finish<'f> {
    language: Language,
    options: &'f LoadOptions,
    claims: &'f [Claim],
    sources: &'f SourceMap,
}

impl Finish<'_> {
    fn granularity(&self) -> Granularity {
        self.options.granularity.unwrap_or(self.language.granularity())
    }

    /// Adds the questions that the front end did not read, and splits statements if it did not do that.
    fn program(&self, lowered: Lowered) -> Result<Program, Diagnostics> {
        let Lowered { mut program, labelled, .. } = lowered;
        if !self.language.reads_claims() {
            let properties = taut_lang::claims(&program, self.sources, self.claims)?;
            program.properties.extend(properties);
        }
        let labelled = labelled.unwrap_or_else(|| extra::labelled(&program));
        extra::add_labels(&self.options.asked, &mut program, &labelled);
        let (usual, granularity) = (self.language.granularity(), self.granularity());
        if granularity == Granularity::Access && usual == Granularity::Statement {
            program = split(program)?;
        }
        program.granularity = Some(granularity).filter(|g| *g != usual);
        Ok(program)
    }
}

/// A program with one access per step.
fn split(program: Program) -> Result<Program, Diagnostics> {
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
    let mut sources = SourceMap::new();
    let text = match language_of(name, &options) {
        Some(language) => language.expand(name, bytes, &options.values, &mut sources),
        None => Ok(bytes),
    };
    match text {
        Ok(text) => read_text(name, text, options).map(|loaded| Loaded { source, ..loaded }),
        Err(diagnostic) => Err(LoadError::new(sources, *diagnostic)),
    }
}

fn language_of(name: &str, options: &LoadOptions) -> Option<Language> {
    options.language.or_else(|| Language::of_path(Path::new(name)))
}

/// Reads a program from text in which there is nothing left to expand.
fn read_text(name: &str, bytes: Vec<u8>, options: LoadOptions) -> Result<Loaded, Box<LoadError>> {
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
    let help = format!("name the file {}, or use --language", listed(&extensions, "or"));
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
        };
        loaded.warn_of_free_channels();
        loaded.lint();
        loaded
    }
}

#[cfg(test)]
mod tests {
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
