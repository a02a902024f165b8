//! What a front end makes of a file.

use std::any::Any;
use std::fmt::Debug;

use taut_ltl::Formula;
use taut_source::{Diagnostics, EditSites, FileId, SourceMap, Span, Weakenings};

use super::growth::Growth;
use super::repair::{FenceWords, RepairList};
use crate::claim::Claim;
use crate::expr::Expr;
use crate::ids::PointId;
use crate::model::MemoryModel;
use crate::ops::BinaryOp;
use crate::program::Program;
use crate::property::{Atom, Ltl, Property, PropertyKind};

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

impl Labelled {
    /// The conditions by the labels of program points.
    pub fn of(program: &Program) -> Labelled {
        Labelled { progress: at_labels(program, "progress"), accept: at_labels(program, "accept") }
    }

    /// The property `progress`: every infinite run comes to a label that begins with `progress` again and again.
    pub fn progress_property(&self) -> Property {
        let again = Formula::always(Formula::eventually(Formula::atom(0)));
        about("progress", again, false, (&self.progress, "at progress"))
    }

    /// The property `acceptance`: no run comes to a label that begins with `accept` again and again.
    pub fn acceptance_property(&self) -> Property {
        let never = Formula::always(Formula::not(Formula::atom(0)));
        about("acceptance", Formula::eventually(never), true, (&self.accept, "at accept"))
    }
}

/// A formula about processes at labels.
fn about(
    name: &str,
    formula: Formula,
    finite_runs: bool,
    (at, text): (&Option<Expr>, &str),
) -> Property {
    // Without a label no process is ever at one.
    let expr = at.clone().unwrap_or(Expr::Const(0));
    let atoms = vec![Atom { expr, text: text.into() }];
    let kind = PropertyKind::Ltl(Box::new(Ltl { formula, atoms, finite_runs }));
    Property { name: name.into(), kind, span: Span::NONE }
}

/// Whether some process is at a label that begins with a word; none if there is no such label.
fn at_labels(program: &Program, word: &str) -> Option<Expr> {
    let places = program.process_ids().filter_map(|process| {
        let points = program.def_of(process).points.iter().enumerate();
        let marked = points.filter(|(_, l)| l.labels.iter().any(|name| name.starts_with(word)));
        let marked: Vec<PointId> = marked.map(|(i, _)| PointId::from(i)).collect();
        (!marked.is_empty()).then_some(Expr::At(process, marked))
    });
    places.reduce(|a, b| Expr::binary(BinaryOp::Or, a, b))
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
