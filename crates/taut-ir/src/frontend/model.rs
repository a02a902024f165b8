//! What a front end makes of a file.

use std::any::Any;
use std::fmt::Debug;

use taut_source::{Diagnostics, EditSites, FileId, SourceMap, Span, Weakenings};

use super::growth::Growth;
use super::repair::{FenceWords, RepairList};
use crate::claim::Claim;
use crate::expr::Expr;
use crate::model::MemoryModel;
use crate::program::Program;
use crate::property::Property;

/// A file that was read: what questions about the source need after the program was made.
///
/// The type behind it is for code that is about one language, such as `taut litmus`: `(&*model as &dyn Any)` can be
/// downcast.
pub trait Model: Any + Debug + Send + Sync {
    /// The memory model that the source itself asks for.
    fn memory_model(&self) -> Option<MemoryModel> {
        None
    }

    /// The bound on buffers that the source itself asks for.
    fn bound(&self) -> Option<u32> {
        None
    }

    /// How larger programs are made; none if the number of processes is fixed.
    fn growth(&self) -> Option<&dyn Growth> {
        None
    }

    /// The files that it includes, apart from headers that are built in.
    fn included(&self) -> Vec<FileId> {
        Vec::new()
    }

    /// Properties from outside of the text, read about a program that was made from the model; none if the text has to
    /// be read again for that.
    fn claims(
        &self,
        program: &Program,
        sources: &SourceMap,
        claims: &[Claim],
    ) -> Option<Result<Vec<Property>, Diagnostics>> {
        let _ = (program, sources, claims);
        None
    }

    /// The program that looks for data races ([`crate::RaceWatch`]).
    fn races(&self, sources: &SourceMap) -> RaceProgram {
        let _ = sources;
        RaceProgram::NoQuestion
    }

    /// The places where fences can be put into the text, and the stores that can be made atomic. The sources are
    /// those that it was read with.
    fn edit_sites(&self, sources: &SourceMap, file: FileId) -> Result<EditSites, Diagnostics> {
        let _ = (sources, file);
        Ok(EditSites::default())
    }

    /// The fences and atomic writes of the text that can be weaker; none if the language does not know them. The sources are
    /// those that it was read with.
    fn weakenings(
        &self,
        sources: &SourceMap,
        file: FileId,
    ) -> Option<Result<Weakenings, Diagnostics>> {
        let _ = (sources, file);
        None
    }

    /// The texts of fences in this file, where they differ from those of the language ([`super::Frontend::fences`]).
    fn fences(&self) -> Option<FenceWords<'_>> {
        None
    }

    /// The list next to the text in which repairs stand, for languages without fences.
    fn repair_list(&self) -> Option<&dyn RepairList> {
        None
    }

    /// Warnings about statements that are no part of the program because they stand after an endless loop.
    fn dropped_statements(&self, sources: &SourceMap, file: FileId) -> Diagnostics {
        let _ = (sources, file);
        Diagnostics::new()
    }

    /// The parts of the text that are one step because it says so. Other statements with several accesses get a warning.
    fn atomic_spans(&self) -> Vec<Span> {
        Vec::new()
    }

    /// Text that names variables and is no part of the program, such as what is printed.
    fn printed(&self, sources: &SourceMap, file: FileId) -> String {
        let _ = (sources, file);
        String::new()
    }
}

/// What a front end has to say about data races.
#[derive(Debug)]
pub enum RaceProgram {
    /// The language has no data races.
    NoQuestion,
    /// There are none, by a look at the code.
    None,
    /// The program that would look for them is too large.
    TooLarge,
    /// A search of this program under sequential consistency tells.
    Search(Box<ReadModel>),
}

/// A file that was read, with its first program.
#[derive(Debug)]
#[non_exhaustive]
pub struct ReadModel {
    /// The model.
    pub model: Box<dyn Model>,
    /// The program made from it.
    pub lowered: Lowered,
    /// What is worth a look though the file is accepted.
    pub warnings: Warnings,
}

impl ReadModel {
    /// A model with its first program, without warnings.
    pub fn new(model: impl Model, lowered: impl Into<Lowered>) -> ReadModel {
        let (lowered, warnings) = (lowered.into(), Warnings::default());
        ReadModel { model: Box::new(model), lowered, warnings }
    }

    /// The same with warnings, under every memory model and on relaxed memory only.
    #[must_use]
    pub fn warn(mut self, always: Diagnostics, relaxed: Diagnostics) -> ReadModel {
        self.warnings = Warnings { always, relaxed };
        self
    }
}

/// A program of a model.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Lowered {
    /// The program.
    pub program: Program,
    /// The states in which a process is at a label with a meaning, where the front end knows better than the labels of
    /// program points.
    pub labelled: Option<Labelled>,
}

impl Lowered {
    /// A program with the conditions about labels that the front end knows.
    pub fn labelled(program: Program, labelled: Labelled) -> Lowered {
        Lowered { program, labelled: Some(labelled) }
    }
}

impl From<Program> for Lowered {
    fn from(program: Program) -> Lowered {
        Lowered { program, labelled: None }
    }
}

/// Conditions about labels with a meaning; none where the program has no such label.
#[derive(Clone, Debug, Default)]
pub struct Labelled {
    /// True where some process is at a label that begins with `progress`.
    pub progress: Option<Expr>,
    /// True where some process is at a label that begins with `accept`.
    pub accept: Option<Expr>,
}

/// What is worth a look though a file is accepted.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Warnings {
    /// Under every memory model.
    pub always: Diagnostics,
    /// On relaxed memory only.
    pub relaxed: Diagnostics,
}
