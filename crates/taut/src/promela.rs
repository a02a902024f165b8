//! Promela models: read once, and made into programs with as many processes as a search turns out to need.
//!
//! A model may `run` any number of processes, a program has a fixed number of them. So a model is kept
//! beside the program made from it, and [`Model::with_slots`] makes another one with other numbers. All
//! programs of one model differ in nothing else: definitions, steps and properties keep their numbers.
//!
//! ```
//! use taut::{Check, MemoryModel, load};
//!
//! // Each process starts the next one: three of them, though nobody says so.
//! let model = "
//!     byte x;
//!     proctype p(byte n) {
//!         x = n;
//!         if :: n < 3 -> run p(n + 1) :: else fi
//!     }
//!     init { run p(1); x == 3; assert(_nr_pr > 1) }
//! ";
//! let loaded = load::from_text("chain.pml", model).expect("a model");
//! let report = Check::of(&loaded).model(MemoryModel::Tso).all(true).run().expect("a report");
//! assert!(!report.is_unknown());
//! assert_eq!(taut::promela::slots(&report.program)["p"], 3);
//! ```

use std::collections::BTreeMap;

use taut_ir::{Channels, DefId, Granularity, MemoryModel, Program, Start};
use taut_promela::{Headers, LowerOptions, Lowered, Options, Parsed, lower, parse_with_claims};
use taut_source::{Diagnostics, EditSites, FileId, SourceMap, Span};

use crate::extra::{self, ExtraProperty, Labelled, Outside};
use crate::load::{self, FileAccess};

/// The header for SPIN, with which models that use Taut's operations run there under sequential
/// consistency.
pub const HEADER: &str = include_str!("../../taut-promela/include/taut.h");

/// What the header is for Taut itself: the operations are part of the language it reads.
const OWN_HEADER: &str = "/* Taut knows these operations without a header. */\n";

/// How headers of mmlib are read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mmlib {
    /// Not at all: the name chooses the memory model, and the library's macros are Taut's own operations.
    #[default]
    Native,
    /// As the plain Promela that they are, from disk.
    AsWritten,
}

/// What is not in the text of a model.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ModelOptions {
    /// Macros defined from outside, each `NAME` or `NAME=VALUE`.
    pub defines: Vec<String>,
    /// Global variables that are observers', besides those declared `ghost`.
    pub ghosts: Vec<String>,
    /// How headers of mmlib are read.
    pub mmlib: Mmlib,
    /// Whether sends wait for the store buffer.
    pub channels: Channels,
}

/// How a model is read.
pub(crate) struct Reading<'o> {
    pub(crate) options: &'o ModelOptions,
    pub(crate) granularity: Granularity,
    pub(crate) headers: Headers,
    pub(crate) outside: Outside,
}

/// A model.
#[derive(Clone, Debug)]
pub struct Model {
    name: String,
    parsed: Parsed,
    ghosts: Vec<String>,
    channels: Channels,
    granularity: Granularity,
    /// Questions about runs from outside the model.
    asked: Vec<ExtraProperty>,
    /// The memory model that the model's mmlib header chooses.
    pub memory_model: Option<MemoryModel>,
    /// The bound on buffers that the model chooses.
    pub bound: Option<u32>,
}

impl Model {
    /// The files that the model includes, apart from headers that are built in.
    pub(crate) fn included(&self) -> impl Iterator<Item = FileId> {
        self.parsed.includes.iter().filter(|include| !include.built_in).map(|include| include.file)
    }

    /// The most processes there may be, as in SPIN.
    pub const MOST_PROCESSES: usize = 255;

    /// Reads a model. Besides it: a first program made from it, with what is worth a look.
    pub(crate) fn read(
        sources: &mut SourceMap,
        file: FileId,
        reading: Reading<'_>,
    ) -> Result<(Model, Lowered), Diagnostics> {
        let Reading { options, granularity, mut headers, outside } = reading;
        let defines = Options { defines: options.defines.clone() };
        let parsed = parse_with_claims(sources, file, &defines, &outside.claims, &mut headers)?;
        let ghosts = options.ghosts.clone();
        let name = sources.file(file).name().to_owned();
        let (slots, channels) = (BTreeMap::new(), options.channels);
        let first = LowerOptions { name: name.clone(), ghosts: ghosts.clone(), slots, channels };
        let mut lowered = lower(&parsed, &first)?;
        add_labels(&outside.asked, &mut lowered);
        if granularity == Granularity::Access {
            lowered.program = load::split(lowered.program)?;
        }
        lowered.warnings.extend(parsed.warnings.clone());
        let (memory_model, bound) = match options.mmlib {
            Mmlib::Native => (lowered.model, lowered.bound),
            // The buffers are written out in the model; another pair of them would be one too many.
            Mmlib::AsWritten => (includes_mmlib(&parsed).then_some(MemoryModel::Sc), None),
        };
        let asked = outside.asked;
        let model =
            Model { name, parsed, ghosts, channels, granularity, asked, memory_model, bound };
        Ok((model, lowered))
    }

    /// The program with so many processes, by proctype, besides those that run from the start; none if
    /// there cannot be so many.
    pub fn with_slots(&self, slots: BTreeMap<String, u32>) -> Option<Program> {
        // Before anything is made: the numbers may come from a file.
        if slots.values().any(|&count| count as usize > Model::MOST_PROCESSES) {
            return None;
        }
        let (name, ghosts) = (self.name.clone(), self.ghosts.clone());
        let options = LowerOptions { name, ghosts, slots, channels: self.channels };
        let mut lowered = lower(&self.parsed, &options).ok()?;
        add_labels(&self.asked, &mut lowered);
        let program = match self.granularity {
            Granularity::Access => load::split(lowered.program).ok()?,
            Granularity::Statement => lowered.program,
        };
        let granularity = Some(self.granularity).filter(|g| *g != Granularity::Statement);
        let program = Program { granularity, ..program };
        (program.processes.len() <= Model::MOST_PROCESSES).then_some(program)
    }

    /// Where fences can be put into the model, and which stores can be made atomic. The map is the one that it was
    /// read with.
    pub fn places(&self, sources: &SourceMap) -> EditSites {
        taut_promela::places(sources, &self.parsed)
    }

    /// Warnings about the statements that stand after an endless loop.
    pub(crate) fn after_endless_loops(&self) -> Diagnostics {
        taut_promela::after_endless_loops(&self.parsed)
    }

    /// The places of the source that an `atomic` or `d_step` makes one step.
    pub(crate) fn atomic_places(&self) -> Vec<Span> {
        taut_promela::atomic_places(&self.parsed)
    }

    /// A program with more processes of one definition; none if there are too many already.
    pub fn grown(&self, program: &Program, def: DefId) -> Option<Program> {
        let room = Model::MOST_PROCESSES.checked_sub(program.processes.len())? as u32;
        if room == 0 {
            return None;
        }
        let mut slots = slots(program);
        let count = slots.entry(program.defs[def.index()].name.clone()).or_default();
        // One by one where searches are short; faster where each of them may be long.
        let more = if *count < 4 { 1 } else { *count / 2 };
        *count += more.min(room);
        self.with_slots(slots)
    }
}

fn add_labels(asked: &[ExtraProperty], lowered: &mut Lowered) {
    let (progress, accept) = (lowered.progress.clone(), lowered.accept.clone());
    extra::add_labels(asked, &mut lowered.program, &Labelled { progress, accept });
}

/// How many processes a program has besides those that run from the start, by the name of their
/// definition.
pub fn slots(program: &Program) -> BTreeMap<String, u32> {
    let mut slots = BTreeMap::new();
    for process in program.processes.iter().filter(|p| p.start == Start::Spawned) {
        *slots.entry(program.defs[process.def.index()].name.clone()).or_default() += 1;
    }
    slots
}

/// The headers that a model may include.
pub(crate) fn headers(mmlib: Mmlib, beside: FileAccess) -> Headers {
    let headers = match beside {
        FileAccess::Files => Headers::on_disk(),
        FileAccess::Nothing => Headers::none(),
    };
    let headers = headers.with("taut.h", OWN_HEADER);
    match mmlib {
        Mmlib::AsWritten => headers,
        Mmlib::Native => {
            MemoryModel::ALL.into_iter().fold(headers, |all, model| all.with(header_of(model), ""))
        }
    }
}

/// The name of mmlib's header for a memory model.
fn header_of(model: MemoryModel) -> String {
    format!("{model}.h")
}

fn includes_mmlib(parsed: &Parsed) -> bool {
    let bare = |path: &str| path.rsplit('/').next().unwrap_or(path).to_owned();
    let is_header = |path: &str| MemoryModel::ALL.iter().any(|&m| header_of(m) == bare(path));
    parsed.includes.iter().any(|include| is_header(&include.path))
}
