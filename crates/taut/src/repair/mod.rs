//! Mending a program: the cheapest fences and atomic writes that make it right, put into its own source.
//!
//! A program is first checked under sequential consistency: what is wrong there no fence mends. Then its source is
//! read for places (`source` for languages with statements, `model` for DVE), [`taut_repair`] finds a cheapest set, the
//! source is edited, and what came of it is read and checked again like any other program. Only what that
//! check says is said to hold.
//!
//! ```
//! use taut::repair::{Outcome, Repair};
//! use taut::{Check, MemoryModel, load};
//!
//! let lock = "shared bool want[2] = 0;
//! process p[2](i) begin
//!   want[i] := 1;
//!   await(want[1 - i] == 0);
//!   cs: skip;
//! end
//! forbid mutex: p[0]@cs && p[1]@cs;
//! ";
//! let loaded = load::from_text("lock.taut", lock).expect("a program");
//! let check = Check::of(&loaded).model(MemoryModel::Tso).deadlock(false);
//! let report = Repair::new(&loaded).run(&check).expect("a report");
//! let Outcome::Mended(mended) = report.outcome else { panic!("one fence is enough") };
//! assert_eq!(mended.sets[0].places[0].words, "after `want[i] := 1`");
//! assert!(mended.text.contains("want[i] := 1;\n  fence;\n"));
//! ```

mod diff;
mod judge;
mod model;
mod need;
mod source;

use std::fmt;

use taut_ir::{DefId, MemoryModel, Process, StepId, VarId};
use taut_repair::greedy::greedy;
use taut_repair::minimal::{self, End, minimal};
use taut_repair::{Kind, Place, PlaceId, Set, Subject};

use crate::check::{Check, EngineFault, Report};
use crate::load::{LoadError, Loaded};
pub use diff::unified;
use judge::Checks;
pub use need::Need;

/// What may be put into a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum With {
    /// Fences and store fences.
    Fences,
    /// Atomic writes.
    Atomics,
    /// Both.
    Both,
}

impl With {
    /// What is usual for a memory model: the thesis mends delayed writes with atomic ones.
    pub fn usual(model: MemoryModel) -> With {
        if model == MemoryModel::Delayed { With::Atomics } else { With::Fences }
    }

    fn has_fences(self) -> bool {
        self != With::Atomics
    }

    fn has_atomics(self) -> bool {
        self != With::Fences
    }
}

/// What each change costs; more than nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Costs {
    /// A fence.
    pub fence: u64,
    /// A store fence.
    pub store_fence: u64,
    /// An atomic write.
    pub atomic: u64,
}

impl Default for Costs {
    fn default() -> Costs {
        Costs { fence: 3, store_fence: 1, atomic: 5 }
    }
}

impl Costs {
    fn of(self, kind: Kind) -> u64 {
        match kind {
            Kind::Fence | Kind::Barrier => self.fence,
            Kind::StoreFence => self.store_fence,
            Kind::AtomicWrite => self.atomic,
        }
    }
}

/// How a set is looked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Strategy {
    /// A cheapest one.
    #[default]
    Minimal,
    /// By the loop of Havel's thesis, with atomic writes only.
    Greedy,
}

/// A repair to be made.
#[derive(Clone, Copy, Debug)]
pub struct Repair<'l> {
    loaded: &'l Loaded,
    with: Option<With>,
    costs: Costs,
    strategy: Strategy,
    all: bool,
    show_runs: bool,
}

/// A place as it is shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShownPlace {
    /// The name of the file.
    pub file: String,
    /// The line.
    pub line: u32,
    /// `fence`, `sfence` or `atomic`.
    pub kind: &'static str,
    /// Where it is, in words: "after `x := 1`".
    pub words: String,
    /// The processes that come by.
    pub processes: Vec<String>,
    /// What it costs.
    pub cost: u64,
    /// A run that of all places of its set it alone breaks.
    pub need: Option<Need>,
}

/// A set of places that mends a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShownSet {
    /// Its places, in the order of the source.
    pub places: Vec<ShownPlace>,
    /// What they cost together.
    pub cost: u64,
}

/// What came of a repair.
#[derive(Clone, Debug)]
pub struct RepairReport {
    /// The memory model.
    pub model: MemoryModel,
    /// How many places there are.
    pub candidates: usize,
    /// How many variants of the program were checked.
    pub checks: u64,
    /// How many counterexamples were learned from.
    pub counterexamples: usize,
    /// Places at which a change would be of use and the source cannot be changed: file, line and why.
    pub unpatchable: Vec<(String, u32, &'static str)>,
    /// The result.
    pub outcome: Outcome,
}

/// The result of a repair.
#[derive(Clone, Debug)]
pub enum Outcome {
    /// The program is wrong under sequential consistency already: no fence mends it.
    WrongUnderSc(Box<Report>),
    /// Nothing is wrong.
    Right(Box<Report>),
    /// It is mended.
    Mended(Box<Mended>),
    /// No set of places mends it. If there is one, a run that none of them breaks.
    Hopeless(Option<Box<Report>>),
    /// A limit was met before there was an answer; in words.
    Unknown(String),
}

/// A program that was mended.
#[derive(Clone, Debug)]
pub struct Mended {
    /// The set that was chosen, or if all were asked for all cheapest ones; the first is the one that was proven
    /// again from the edited text.
    pub sets: Vec<ShownSet>,
    /// Whether no set costs less.
    pub optimal: bool,
    /// The file that was edited: that of the program, or the list of atomic writes of a DVE model.
    pub file: String,
    /// Its text before.
    pub original: String,
    /// Its text after.
    pub text: String,
    /// The check of the program as it is in the edited file.
    pub proof: Box<Report>,
    /// The program as it is in the edited file.
    pub loaded: Box<Loaded>,
    /// If they were asked for, for each place of the first set what is wrong without it.
    without: Vec<Option<Without>>,
}

/// What is wrong with a mended program without one of its places.
#[derive(Clone, Debug)]
pub struct Without {
    /// The program without the place.
    pub loaded: Loaded,
    /// Its check.
    pub report: Report,
}

impl Mended {
    /// The places of the first set with what is wrong without them, if that was asked for.
    pub fn runs(&self) -> impl Iterator<Item = (&ShownPlace, &Without)> {
        let places = self.sets.first().into_iter().flat_map(|set| &set.places);
        places.zip(&self.without).filter_map(|(place, without)| Some((place, without.as_ref()?)))
    }
}

/// Why no repair could be made.
#[derive(Debug)]
pub enum RepairError {
    /// Something that cannot be asked; in words.
    Refused(String),
    /// The edited source is not what was checked: a bug in Taut.
    Source(Box<LoadError>),
    /// The edited program was not proven though its model was: a bug in Taut.
    NotProven(Box<Report>),
    /// A bug in an engine.
    Engine(EngineFault),
}

impl From<EngineFault> for RepairError {
    fn from(fault: EngineFault) -> RepairError {
        RepairError::Engine(fault)
    }
}

impl fmt::Display for RepairError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RepairError::Refused(why) => f.write_str(why),
            RepairError::Source(error) => write!(f, "the edited source cannot be read:\n{error}"),
            RepairError::NotProven(_) => f.write_str("the edited program was not proven right"),
            RepairError::Engine(fault) => fault.fmt(f),
        }
    }
}

impl std::error::Error for RepairError {}

/// Where in its source each place of a subject is, and how the source is changed.
pub(crate) trait Source {
    /// The program with all its places, as it was read.
    fn loaded(&self) -> &Loaded;
    /// The program with its places.
    fn subject(&self) -> &Subject;
    /// A place without what is known of it from counterexamples.
    fn show(&self, id: PlaceId) -> ShownPlace;
    /// The name, the text before and the text after of the file to change.
    fn edit(&self, set: &Set) -> Edit;
    /// The program as it is after the change.
    fn reread(&self, text: &str) -> Result<Loaded, Box<LoadError>>;
    /// What cannot be changed.
    fn unpatchable(&self) -> Vec<(String, u32, &'static str)>;
}

/// A change of a file.
pub(crate) struct Edit {
    file: String,
    original: String,
    text: String,
}

impl<'l> Repair<'l> {
    /// A repair by a cheapest set of what is usual for the memory model.
    pub fn new(loaded: &'l Loaded) -> Repair<'l> {
        Repair {
            loaded,
            with: None,
            costs: Costs::default(),
            strategy: Strategy::default(),
            all: false,
            show_runs: false,
        }
    }

    /// What may be put into the program.
    #[must_use]
    pub fn with(mut self, with: Option<With>) -> Self {
        self.with = with;
        self
    }

    /// What each change costs.
    #[must_use]
    pub fn costs(mut self, costs: Costs) -> Self {
        self.costs = costs;
        self
    }

    /// How a set is looked for.
    #[must_use]
    pub fn strategy(mut self, strategy: Strategy) -> Self {
        self.strategy = strategy;
        self
    }

    /// Whether all cheapest sets are wanted.
    #[must_use]
    pub fn all(mut self, all: bool) -> Self {
        self.all = all;
        self
    }

    /// Whether a run is wanted for each place: of the program with all places of the first set but this one.
    #[must_use]
    pub fn show_runs(mut self, show_runs: bool) -> Self {
        self.show_runs = show_runs;
        self
    }

    /// Makes the repair. All checks are made as this one would be; what it asks must hold in the end.
    pub fn run(&self, check: &Check<'_>) -> Result<RepairReport, RepairError> {
        let model = check.memory.model;
        let mut report = RepairReport {
            model,
            candidates: 0,
            checks: 0,
            counterexamples: 0,
            unpatchable: Vec::new(),
            outcome: Outcome::Hopeless(None),
        };
        let under_sc = check.on(self.loaded).model(MemoryModel::Sc).run()?;
        if under_sc.violations().next().is_some() {
            report.outcome = Outcome::WrongUnderSc(Box::new(under_sc));
            return Ok(report);
        }
        let with = self.allowed(model)?;
        let source = self.source(model, with)?;
        report.candidates = source.subject().places().len();
        report.unpatchable = source.unpatchable();
        let mut checks = Checks::new(source.loaded(), check);
        let repair = match self.strategy {
            Strategy::Minimal => minimal(source.subject(), &mut checks, self.all)?,
            Strategy::Greedy => greedy(source.subject(), &mut checks)?,
        };
        report.checks = repair.checks;
        report.counterexamples = repair.lessons.len();
        report.outcome = self.outcome(&*source, &repair, checks.last, check)?;
        Ok(report)
    }

    /// What may be put into the program, if that makes sense.
    fn allowed(&self, model: MemoryModel) -> Result<With, RepairError> {
        let refused = |why: &str| Err(RepairError::Refused(why.into()));
        if model == MemoryModel::Sc {
            return refused(
                "under sequential consistency there is nothing that a fence could mend",
            );
        }
        match (self.strategy, self.with) {
            (Strategy::Greedy, None | Some(With::Atomics)) if !self.all => Ok(With::Atomics),
            (Strategy::Greedy, None | Some(With::Atomics)) => {
                refused("the greedy strategy finds one set, not all")
            }
            (Strategy::Greedy, _) => refused("the greedy strategy knows atomic writes only"),
            (Strategy::Minimal, with) => Ok(with.unwrap_or(With::usual(model))),
        }
    }

    fn source(&self, model: MemoryModel, with: With) -> Result<Box<dyn Source + 'l>, RepairError> {
        let choice = Choice { model, with, costs: self.costs };
        Ok(match &self.loaded.dve {
            Some(dve) => Box::new(model::Transitions::new(self.loaded, dve, choice)),
            None => Box::new(source::Statements::new(self.loaded, choice)?),
        })
    }

    fn outcome(
        &self,
        source: &dyn Source,
        repair: &minimal::Repair,
        last: Option<Report>,
        check: &Check<'_>,
    ) -> Result<Outcome, RepairError> {
        match &repair.end {
            End::Hopeless => Ok(Outcome::Hopeless(last.map(Box::new))),
            End::Unknown { why, .. } => Ok(Outcome::Unknown(why.clone())),
            End::Done => match (repair.sets.first(), last) {
                (Some(set), Some(last)) if set.is_empty() => Ok(Outcome::Right(Box::new(last))),
                (Some(set), _) => self.mended(source, repair, set, check),
                (None, _) => Ok(Outcome::Hopeless(None)),
            },
        }
    }

    fn mended(
        &self,
        source: &dyn Source,
        repair: &minimal::Repair,
        set: &Set,
        check: &Check<'_>,
    ) -> Result<Outcome, RepairError> {
        let Edit { file, original, text } = source.edit(set);
        let loaded = Box::new(source.reread(&text).map_err(RepairError::Source)?);
        let proof = Box::new(check.on(&loaded).all(true).run()?);
        if proof.violations().next().is_some() {
            return Err(RepairError::NotProven(proof));
        }
        if proof.is_unknown() {
            let words = proof.results.iter().find(|r| r.verdict.is_open());
            let words = words.map_or_else(String::new, |r| r.verdict.coverage());
            return Ok(Outcome::Unknown(format!("the mended program: {words}")));
        }
        let sets = repair.sets.iter().map(|set| shown(source, repair, set)).collect();
        let optimal = self.strategy == Strategy::Minimal;
        let without = match self.show_runs {
            true => self.without(source, set, check)?,
            false => Vec::new(),
        };
        Ok(Outcome::Mended(Box::new(Mended {
            sets,
            optimal,
            file,
            original,
            text,
            proof,
            loaded,
            without,
        })))
    }

    /// What is wrong without each place of a set, in the order in which they are shown.
    fn without(
        &self,
        source: &dyn Source,
        set: &Set,
        check: &Check<'_>,
    ) -> Result<Vec<Option<Without>>, RepairError> {
        let mut all = Vec::new();
        for id in in_order(source, set) {
            let rest = set.iter().copied().filter(|&other| other != id).collect();
            let loaded = source.reread(&source.edit(&rest).text).map_err(RepairError::Source)?;
            let report = check.on(&loaded).run()?;
            let is_wrong = report.violations().next().is_some();
            all.push(is_wrong.then_some(Without { loaded, report }));
        }
        Ok(all)
    }
}

/// A set as it is shown.
fn shown(source: &dyn Source, repair: &minimal::Repair, set: &Set) -> ShownSet {
    let subject = source.subject();
    let place = |id: PlaceId| {
        let lesson = repair.need(set, id);
        let need = lesson.map(|lesson| Need::of(subject, lesson, id));
        ShownPlace { need, ..source.show(id) }
    };
    let places = in_order(source, set).into_iter().map(place).collect();
    ShownSet { places, cost: subject.cost(set) }
}

/// The places of a set in the order of the source.
fn in_order(source: &dyn Source, set: &Set) -> Vec<PlaceId> {
    let mut ids: Vec<_> = set.iter().copied().collect();
    ids.sort_by_key(|&id| {
        let place = source.show(id);
        (place.file, place.line)
    });
    ids
}

/// What places a subject has.
#[derive(Clone, Copy)]
pub(crate) struct Choice {
    model: MemoryModel,
    with: With,
    costs: Costs,
}

impl Choice {
    /// The kinds of fences that do anything under the memory model.
    fn fences(self) -> &'static [Kind] {
        match (self.with.has_fences(), self.model) {
            (false, _) => &[],
            (true, MemoryModel::Tso | MemoryModel::Sc) => &[Kind::Fence],
            (true, MemoryModel::Pso | MemoryModel::Delayed) => &[Kind::Fence, Kind::StoreFence],
        }
    }

    fn place(self, kind: Kind, steps: Vec<(DefId, StepId)>, vars: Vec<VarId>) -> Place {
        Place { kind, steps, vars, cost: self.costs.of(kind) }
    }
}

/// The names of the processes that a place belongs to.
fn processes(loaded: &Loaded, place: &Place) -> Vec<String> {
    let is_of = |p: &&Process| place.steps.iter().any(|(def, _)| *def == p.def);
    loaded.program.processes.iter().filter(is_of).map(|p| p.name.clone()).collect()
}
