//! Checking a program: search, replay what was found, say what was covered.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use taut_budget::{Budget, host};
use taut_engine::Explicit;
use taut_explicit::{
    Checkpoints, DiskOptions, Interrupt, Limits, Order, Progress, Reduce, SearchOptions, Stats,
    StoreKind,
};
use taut_ir::{Fairness, FullBuffer, Memory, MemoryModel, Program};
use taut_repair::{RepairProblem, Set};
use taut_temporal::Emptiness;

use crate::engines::EngineChoice;
use crate::load::Loaded;
use crate::outcome::Report;
use crate::pool::{Change, ProcessPool};
use crate::subject::Subject;
use crate::verdict::PropertyResult;

/// One check of one program under one memory model.
#[derive(Clone, Debug)]
pub struct Check<'p> {
    pub(crate) growing: ProcessPool<'p>,
    pub(crate) memory: Memory,
    pub(crate) options: SearchOptions,
    pub(crate) asserts: bool,
    /// Whether a deadlock is a mistake in the language of the program; if not, it is asked about by name only.
    pub(crate) usual_deadlock: bool,
    pub(crate) engine: EngineChoice,
    /// Whether the bound on buffers was given, by the caller or by the program.
    pub(crate) has_bound: bool,
    /// The questions that are asked; all if there are none.
    only: Vec<String>,
    /// Whether to look for runs.
    pub(crate) temporal: bool,
    pub(crate) fairness: Fairness,
    pub(crate) emptiness: Emptiness,
    /// Whether faults are asked about.
    pub(crate) faults: bool,
    /// Whether robustness is asked about.
    pub(crate) robust: bool,
    /// Whether SC may answer for a program that is robust.
    pub(crate) shortcut: bool,
    pub(crate) covers: Covers,
    observer: Option<Observer<'p>>,
}

/// When covers are asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Covers {
    /// After everything else, by a search of their own.
    After,
    /// By this search, which is that one: it asks for nothing else.
    Search,
    /// Not at all.
    Never,
}

/// A function that is called with each violation, and the memory that it is one under.
type Observe<'p> = dyn Fn(Memory, &PropertyResult) + Send + Sync + 'p;

#[derive(Clone)]
struct Observer<'p>(Arc<Observe<'p>>);

impl fmt::Debug for Observer<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Observer")
    }
}

impl<'p> Check<'p> {
    /// A check of a program that was read ([`Loaded`]) or built ([`Program`]), as the command line makes it if no option is
    /// given: what is asked for by the program itself, else sequential consistency; the engine of the automatic choice; up
    /// to the first violation; with at most three quarters of the memory that is free now.
    ///
    /// This is the one place where defaults are decided. Where questions were asked from outside
    /// ([`crate::load::LoadOptions::asked`]), those alone are answered.
    pub fn of(subject: impl Into<Subject<'p>>) -> Check<'p> {
        let Subject { pool, model, bound, deadlock, asked } = subject.into();
        // The limit of a command is in force anyway, and is known without asking the system.
        let bytes = Budget::current().most_memory().or_else(default_memory_limit);
        let limits = Limits { bytes, ..Limits::default() };
        let options = SearchOptions { reduce: Reduce::All, limits, ..SearchOptions::default() };
        let check = Check {
            growing: pool,
            memory: Memory::new(model.unwrap_or(MemoryModel::Sc)),
            options,
            asserts: true,
            usual_deadlock: deadlock,
            engine: EngineChoice::Auto,
            has_bound: false,
            only: asked,
            temporal: true,
            fairness: Fairness::ALL,
            emptiness: Emptiness::Components,
            faults: true,
            robust: false,
            shortcut: true,
            covers: Covers::After,
            observer: None,
        };
        match bound {
            Some(bound) => check.bound(bound),
            None => check,
        }
    }

    /// The same check of another program, which has the same properties in the same order. Their names may differ:
    /// those of assertions have the line in them.
    pub(crate) fn on<'a>(&self, loaded: &'a Loaded) -> Check<'a> {
        let (ours, theirs) = (&self.growing.program.properties, &loaded.program.properties);
        let renamed = |name: &String| {
            let at = ours.iter().position(|p| p.name == *name);
            at.and_then(|i| theirs.get(i)).map_or_else(|| name.clone(), |p| p.name.clone())
        };
        Check {
            growing: Subject::from(loaded).pool,
            memory: self.memory,
            options: self.options.clone(),
            asserts: self.asserts,
            usual_deadlock: self.usual_deadlock,
            engine: self.engine.clone(),
            has_bound: self.has_bound,
            only: self.only.iter().map(renamed).collect(),
            temporal: self.temporal,
            fairness: self.fairness,
            emptiness: self.emptiness,
            faults: self.faults,
            robust: self.robust,
            shortcut: self.shortcut,
            covers: self.covers,
            // The observer knows the other program.
            observer: None,
        }
    }

    /// Checks a variant of a program that is to be fixed: what [`RepairProblem::variant`] made of it. The check must
    /// be one of the subject's program as it was read.
    #[must_use]
    pub(crate) fn variant(
        mut self,
        program: &'p Program,
        subject: &'p RepairProblem,
        set: &'p Set,
    ) -> Self {
        self.growing.program = program;
        self.growing.change = Some(Change { subject, set });
        self
    }

    /// Chooses the memory model.
    #[must_use]
    pub fn model(mut self, model: MemoryModel) -> Self {
        self.memory.model = model;
        self
    }

    /// Entries per buffer; `None` for buffers without a bound. With the automatic choice of an engine, a bound that is
    /// given is the question: states are searched one by one, up to it.
    #[must_use]
    pub fn bound(mut self, bound: impl Into<Option<u32>>) -> Self {
        self.has_bound = true;
        self.memory.bound = bound.into().map(|k| k.max(1));
        self
    }

    /// What a store into a full buffer does.
    #[must_use]
    pub fn full_buffer(mut self, full_buffer: FullBuffer) -> Self {
        self.memory.full_buffer = full_buffer;
        self
    }

    /// The order of the search; breadth first gives shortest runs.
    #[must_use]
    pub fn order(mut self, order: Order) -> Self {
        self.options.order = order;
        self
    }

    /// Goes on after the first violation, until every question has its answer.
    #[must_use]
    pub fn all(mut self, all: bool) -> Self {
        self.options.all = all;
        self
    }

    /// Visits every state, whatever is found: for the counts of all states. Without this a search ends as soon as
    /// every question has its answer. Searches that are not explicit go on as with [`Check::all`].
    #[must_use]
    pub fn whole(mut self, whole: bool) -> Self {
        self.options.all |= whole;
        self.options.whole = whole;
        self
    }

    /// Whether to look for deadlocks.
    #[must_use]
    pub fn deadlock(mut self, deadlock: bool) -> Self {
        self.options.deadlock = deadlock;
        self
    }

    /// Whether to look at assertions.
    #[must_use]
    pub fn asserts(mut self, asserts: bool) -> Self {
        self.asserts = asserts;
        self
    }

    /// Whether to ask about faults, which is so unless it is said otherwise here, whatever else is asked: a run ends
    /// where it faults. If it is not asked of a program that may fault, what holds is known of runs without a fault only.
    #[must_use]
    pub fn faults(mut self, faults: bool) -> Self {
        self.faults = faults;
        self
    }

    /// Whether to ask if every run is like a sequentially consistent one ([`crate::robust`]).
    #[must_use]
    pub fn robust(mut self, robust: bool) -> Self {
        self.robust = robust;
        self
    }

    /// Whether the automatic choice of an engine may have sequential consistency answer where the program is robust; it
    /// may unless it is said otherwise here.
    #[must_use]
    pub fn shortcut(mut self, shortcut: bool) -> Self {
        self.shortcut = shortcut;
        self
    }

    /// Whether to ask for runs that reach what `cover` names.
    #[must_use]
    pub fn covers(mut self, covers: bool) -> Self {
        self.covers = if covers { Covers::After } else { Covers::Never };
        self
    }

    /// Calls a function with each violation as soon as it has been found and replayed, before other questions have their
    /// answers. Each is also in the report.
    #[must_use]
    pub fn observe(
        mut self,
        observer: impl Fn(Memory, &PropertyResult) + Send + Sync + 'p,
    ) -> Self {
        self.observer = Some(Observer(Arc::new(observer)));
        self
    }

    /// The check that asks for covers and for nothing else, in the time that is left.
    pub(crate) fn covering(&self, left: Option<Duration>) -> Self {
        let mut check = self.clone().all(true).deadlock(false).faults(false).temporal(false);
        check.options.whole = false;
        check.options.limits.checkpoints = None;
        Check { covers: Covers::Search, robust: false, observer: None, ..check.timeout(left) }
    }

    /// Whether somebody wants to know of violations at once.
    pub(crate) fn is_observed(&self) -> bool {
        self.observer.is_some()
    }

    /// Chooses the engine for what is asked of states; questions about runs are always answered state by
    /// state.
    #[must_use]
    pub fn engine(mut self, engine: impl Into<EngineChoice>) -> Self {
        self.engine = engine.into();
        self
    }

    /// Answers some questions only, by their names, and whether a run faults; all if there are none.
    #[must_use]
    pub fn only(mut self, names: Vec<String>) -> Self {
        self.only = names;
        self
    }

    /// Whether to look at properties of runs: `ltl` and `never`.
    #[must_use]
    pub fn temporal(mut self, temporal: bool) -> Self {
        self.temporal = temporal;
        self
    }

    /// Which runs count for properties of runs; by default those that are fair to processes and stores.
    #[must_use]
    pub fn fairness(mut self, fairness: Fairness) -> Self {
        self.fairness = fairness;
        self
    }

    /// How cycles are looked for.
    #[must_use]
    pub fn emptiness(mut self, emptiness: Emptiness) -> Self {
        self.emptiness = emptiness;
        self
    }

    /// Which states may be left out because they cannot matter; everything by default.
    #[must_use]
    pub fn reduce(mut self, reduce: Reduce) -> Self {
        self.options.reduce = reduce;
        self
    }

    /// How states are kept; whole by default.
    #[must_use]
    pub fn store(mut self, store: StoreKind) -> Self {
        self.options.store = store;
        self
    }

    /// Where and how far states may be kept in files, with [`StoreKind::Disk`].
    #[must_use]
    pub fn disk(mut self, disk: DiskOptions) -> Self {
        self.options.disk = disk;
        self
    }

    /// How many threads search; one by default.
    #[must_use]
    pub fn threads(mut self, threads: usize) -> Self {
        self.options.threads = threads.max(1);
        self
    }

    /// Tells somebody how far the search has come.
    #[must_use]
    pub fn progress(mut self, progress: Progress) -> Self {
        self.options.limits.progress = Some(progress);
        self
    }

    /// Keeps searches, so that the same check can go on later from where this one ended ([`taut_explicit::checkpoint`]).
    /// Searches depth first, symbolic ones and those with stores that can miss states are not kept.
    #[must_use]
    pub fn checkpoints(mut self, checkpoints: impl Into<Option<Checkpoints>>) -> Self {
        self.options.limits.checkpoints = checkpoints.into();
        self
    }

    /// The largest number of states that are stored; `None` for no limit.
    #[must_use]
    pub fn max_states(mut self, states: impl Into<Option<u64>>) -> Self {
        self.options.limits.states = states.into();
        self
    }

    /// The largest number of bytes for states; `None` for no limit.
    #[must_use]
    pub fn max_memory(mut self, bytes: impl Into<Option<u64>>) -> Self {
        self.options.limits.bytes = bytes.into();
        self
    }

    /// The longest time; `None` for no limit.
    #[must_use]
    pub fn timeout(mut self, time: impl Into<Option<Duration>>) -> Self {
        self.options.limits.time = time.into();
        self
    }

    /// Ends when somebody raises this flag.
    #[must_use]
    pub fn interrupt(mut self, interrupt: Interrupt) -> Self {
        let budget = std::mem::take(&mut self.options.limits.budget);
        self.options.limits.budget = budget.interrupted_by(interrupt.clone());
        self.options.limits.interrupt = interrupt;
        self
    }

    /// The budget of the command that this check is a part of: its time, the memory of the process, its interrupt.
    /// Where it has a limit on time, the check takes at most what is left of it now.
    #[must_use]
    pub fn budget(mut self, budget: &Budget) -> Self {
        let limits = &mut self.options.limits;
        limits.time = budget.left().or(limits.time);
        limits.bytes = budget.most_memory().or(limits.bytes);
        limits.interrupt = budget.interrupt().clone();
        limits.budget = budget.clone();
        self
    }

    /// What is left of the budget for this check, with the limit on its own time.
    pub(crate) fn whole_budget(&self) -> Budget {
        self.options.limits.budget.within(self.options.limits.time)
    }

    /// A report of nothing so far.
    pub(crate) fn nothing(&self, memory: Memory, program: Arc<Program>) -> Report {
        let SearchOptions { reduce, store, threads, .. } = self.options;
        Report {
            memory,
            fairness: self.fairness,
            engine: Explicit::ID,
            reduce,
            store,
            threads,
            scope: None,
            leaves: false,
            is_single: false,
            symbolic: None,
            dual: None,
            results: Vec::new(),
            stats: Stats::default(),
            searches: Vec::new(),
            limit: None,
            program,
            complete: false,
            reached: Vec::new(),
            vacuity: None,
            races: None,
            proof: None,
            resumed: None,
        }
    }

    /// A report of one answer alone, which is known before the others ([`Check::observe`]).
    pub fn known(&self, result: &PropertyResult) -> Report {
        let program = match result.verdict.run() {
            Some(witness) => witness.program.clone(),
            None => Arc::new(self.growing.program.clone()),
        };
        Report { results: vec![result.clone()], ..self.nothing(self.memory, program) }
    }

    /// A report of nothing so far about the program as it is.
    pub(crate) fn nothing_yet(&self) -> Report {
        self.nothing(self.memory, Arc::new(self.growing.program.clone()))
    }

    /// The names of the properties of runs that are asked.
    pub fn temporal_properties(&self) -> impl Iterator<Item = &str> {
        self.runs_asked().map(|id| self.growing.program.property(id).name.as_str())
    }

    /// How states are searched.
    pub(crate) fn search_options(&self) -> SearchOptions {
        let deadlock = self.asks_deadlock();
        SearchOptions { deadlock, unasked: self.unasked(), ..self.options.clone() }
    }

    /// Whether a question with this name is among those that were chosen.
    pub(crate) fn is_named(&self, name: &str) -> bool {
        self.only.is_empty() || self.only.iter().any(|asked| asked == name)
    }

    /// Whether a question was chosen by its name.
    pub(crate) fn is_chosen(&self, name: &str) -> bool {
        self.only.iter().any(|asked| asked == name)
    }

    /// Whether a report has an answer to everything, or a violation where one is enough.
    pub(crate) fn is_answered_by(&self, report: &Report) -> bool {
        !report.is_unknown() || report.is_violated() && !self.options.all
    }

    /// Hands a violation to the observer.
    pub(crate) fn tell(&self, violated: &PropertyResult) {
        if let Some(observer) = &self.observer {
            (observer.0)(self.memory, violated);
        }
    }
}

/// Three quarters of the memory that is free now, for the machine, the control group and the process; none where the
/// system does not tell.
pub fn default_memory_limit() -> Option<u64> {
    host::memory_limit(None)
}
