//! Checking a program: search, replay what was found, say what was covered.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use taut_budget::{Budget, Level, Met, Reason, host};
use taut_engine::{EngineId, Explicit, Within};
use taut_explicit::{
    Checkpoints, DiskOptions, Interrupt, Limit, Limits, Order, Progress, Reduce, Resumed,
    SearchOptions, Stats, StoreKind,
};
use taut_ir::{DefId, Fairness, FullBuffer, Memory, MemoryModel, Program, PropId};
use taut_repair::{RepairProblem, Set};
use taut_symbolic::SymbolicCounts;
use taut_temporal::{Emptiness, TemporalOptions};
use taut_witness::{ReplayError, Trace, replay};

use crate::engines::EngineChoice;
use crate::load::Loaded;
use crate::plan::{About, Plan, SearchRecord};
use crate::pool::{Change, ProcessPool};
use crate::temporal;
use crate::verdict::{PropertyResult, Unknown, Verdict, Witness};

/// One check of one program under one memory model.
#[derive(Clone, Debug)]
pub struct Check<'p> {
    pub(crate) growing: ProcessPool<'p>,
    pub(crate) memory: Memory,
    pub(crate) options: SearchOptions,
    pub(crate) asserts: bool,
    pub(crate) engine: EngineChoice,
    /// Whether the bound on buffers was given, by the caller or by the program.
    pub(crate) has_bound: bool,
    /// The questions that are asked; all if there are none.
    only: Vec<String>,
    /// Whether to look for runs.
    pub(crate) temporal: bool,
    pub(crate) fairness: Fairness,
    emptiness: Emptiness,
    /// Whether faults are asked about.
    pub(crate) faults: bool,
    observer: Option<Observer<'p>>,
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

/// The result of a check.
#[derive(Clone, Debug)]
pub struct Report {
    /// The memory model and its buffers.
    pub memory: Memory,
    /// Which runs counted for what is asked of runs.
    pub fairness: Fairness,
    /// The engine that gave the answers.
    pub engine: EngineId,
    /// What searches were allowed to leave out.
    pub reduce: Reduce,
    /// How the search for states kept them; searches for runs keep them whole.
    pub store: StoreKind,
    /// How many threads searched.
    pub threads: usize,
    /// The scope that was looked at, if the answers about states are from an engine with scopes: the last one.
    pub scope: Option<Within>,
    /// Whether some run may leave that scope.
    pub(crate) leaves: bool,
    /// Whether the engine has one thread, however many are asked for.
    pub(crate) is_single: bool,
    /// More counts, if the answers about states are from the symbolic engine.
    pub symbolic: Option<SymbolicCounts>,
    /// An answer to every question, in the order of the program.
    pub results: Vec<PropertyResult>,
    /// Counts of all searches together.
    pub stats: Stats,
    /// Each search with its questions and its counts.
    pub searches: Vec<SearchRecord>,
    /// The limit that ended the search of states.
    pub(crate) limit: Option<Limit>,
    /// The program that was searched, which results and traces refer to. A Promela model has been given as
    /// many processes as it needs.
    pub program: Arc<Program>,
    /// Whether every reachable state was visited.
    pub complete: bool,
    /// For each definition and step, whether a process took it.
    pub reached: Vec<Vec<bool>>,
    /// What never happens, if it was looked for ([`Report::with_vacuity`]) and is known.
    pub vacuity: Option<crate::vacuity::Vacuity>,
    /// What was taken from a checkpoint. The counts are those of the whole searches; times are those since then.
    pub resumed: Option<Resumed>,
}

/// The engine claimed a violation that is none: a bug in Taut. The verdict is withheld.
#[derive(Clone, Debug)]
pub struct EngineFault {
    /// What was claimed.
    pub property: String,
    /// Why it is none.
    pub refusal: Refusal,
}

/// Why what an engine found is no violation.
#[derive(Clone, Debug)]
pub enum Refusal {
    /// The replayer does not accept the run.
    Replay(ReplayError),
    /// The engine itself cannot show the run.
    Engine(String),
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refusal::Replay(refusal) => refusal.fmt(f),
            Refusal::Engine(reason) => f.write_str(reason),
        }
    }
}

impl fmt::Display for EngineFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the engine's run for `{}` does not replay: {}", self.property, self.refusal)
    }
}

impl std::error::Error for EngineFault {}

impl<'p> Check<'p> {
    /// A check under sequential consistency, breadth first, that stops at the first violation and uses
    /// at most three quarters of the memory that is free now.
    pub fn new(program: &'p Program) -> Check<'p> {
        let limits = Limits { bytes: default_memory_limit(), ..Limits::default() };
        let options = SearchOptions { reduce: Reduce::All, limits, ..SearchOptions::default() };
        let growing = ProcessPool::new(program);
        Check {
            growing,
            memory: Memory::new(MemoryModel::Sc),
            options,
            asserts: true,
            engine: Explicit.into(),
            has_bound: false,
            only: Vec::new(),
            temporal: true,
            fairness: Fairness::ALL,
            emptiness: Emptiness::Components,
            faults: true,
            observer: None,
        }
    }

    /// A check of a program that was read: as [`Check::new`], but under the memory model and with the bound
    /// that the program asks for, and with as many processes as it starts if it is a Promela model. Where
    /// questions were asked from outside ([`crate::load::LoadOptions::asked`]), those alone are answered.
    pub fn of(loaded: &'p Loaded) -> Check<'p> {
        let model = loaded.memory_model().unwrap_or(MemoryModel::Sc);
        let mut check = Check::new(&loaded.program).model(model).bound(Some(loaded.bound()));
        check.has_bound = loaded.has_bound();
        check.growing = ProcessPool::of(loaded);
        check.only = loaded.asked.clone();
        check
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
            growing: ProcessPool::of(loaded),
            memory: self.memory,
            options: self.options.clone(),
            asserts: self.asserts,
            engine: self.engine.clone(),
            has_bound: self.has_bound,
            only: self.only.iter().map(renamed).collect(),
            temporal: self.temporal,
            fairness: self.fairness,
            emptiness: self.emptiness,
            faults: self.faults,
            // The observer knows the other program.
            observer: None,
        }
    }

    /// Checks a variant of a program that is to be mended: what [`RepairProblem::variant`] made of it. The check must
    /// be one of the subject's program as it was read.
    #[must_use]
    pub fn variant(
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
    pub fn bound(mut self, bound: Option<u32>) -> Self {
        self.has_bound = true;
        self.memory.bound = bound.map(|k| k.max(1));
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
    pub fn checkpoints(mut self, checkpoints: Option<Checkpoints>) -> Self {
        self.options.limits.checkpoints = checkpoints;
        self
    }

    /// Stores at most so many states.
    #[must_use]
    pub fn max_states(mut self, states: Option<u64>) -> Self {
        self.options.limits.states = states;
        self
    }

    /// Uses at most so many bytes for states.
    #[must_use]
    pub fn max_memory(mut self, bytes: u64) -> Self {
        self.options.limits.bytes = Some(bytes);
        self
    }

    /// Takes at most so long.
    #[must_use]
    pub fn timeout(mut self, time: Option<Duration>) -> Self {
        self.options.limits.time = time;
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

    /// Runs the check. An error is a bug in Taut, never of the program.
    pub fn run(&self) -> Result<Report, EngineFault> {
        let checked = self.whole_budget().run(Level::Check, || Plan::new(self).run());
        let mut report = checked.unwrap_or_else(|met| Ok(self.unstarted(met)))?;
        let resumed = self.options.limits.checkpoints.as_ref().map(Checkpoints::take_resumed);
        report.resumed = resumed.filter(|resumed| resumed.searches > 0);
        Ok(report)
    }

    /// The report of a check whose budget was spent outside of its searches.
    fn unstarted(&self, met: Met) -> Report {
        let program = Arc::new(self.growing.program.clone());
        // Whether a step can fault takes an analysis, for which nothing is left.
        let questions = self.questions(&program, true);
        let of_states = questions.into_iter().map(|question| question.name_and_kind(&program));
        let of_runs = self.runs_asked().map(|id| {
            let property = program.property(id);
            (property.name.clone(), property.kind.word())
        });
        let unknown = |(name, kind)| PropertyResult {
            name,
            kind,
            verdict: Verdict::Unknown(Unknown::Spent(met)),
            stats: None,
            note: None,
        };
        let results = of_states.chain(of_runs).map(unknown).collect();
        Report { results, ..self.nothing(self.memory, program.clone()) }
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
            results: Vec::new(),
            stats: Stats::default(),
            searches: Vec::new(),
            limit: None,
            program,
            complete: false,
            reached: Vec::new(),
            vacuity: None,
            resumed: None,
        }
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

    /// Whether a run violates a property.
    pub(crate) fn run_of(&self, property: PropId) -> Result<PropertyResult, EngineFault> {
        let options = TemporalOptions {
            fairness: self.fairness,
            emptiness: self.emptiness,
            reduce: self.options.reduce,
            threads: self.options.threads,
            alone: taut_temporal::PARALLEL_FROM_NODES,
            spawn_all: false,
            limits: self.options.limits.clone(),
        };
        let searched = self.growing.find_accepting_lasso(self.memory, property, &options);
        temporal::answer(self.growing.program, self.memory, property, self.fairness, searched)
    }
}

/// Has the replayer judge a run.
pub(crate) fn witness(
    program: &Arc<Program>,
    trace: Trace,
    name: &str,
) -> Result<Verdict, EngineFault> {
    match replay(program, &trace) {
        Ok(run) => {
            Ok(Verdict::Violated(Box::new(Witness { program: program.clone(), trace, run })))
        }
        Err(refusal) => {
            Err(EngineFault { property: name.into(), refusal: Refusal::Replay(refusal) })
        }
    }
}

/// The most processes that wait to be spawned of any one definition.
pub(crate) fn thread_bound(program: &Program) -> u32 {
    let slots = |d: usize| program.spawn_slots(DefId::from(d)).count() as u32;
    (0..program.defs.len()).map(slots).max().unwrap_or(0)
}

impl Report {
    /// Names the limit on time as it was given. A search that comes after others was given what they had left
    /// of it.
    pub(crate) fn name_time_limit(&mut self, given: Duration) {
        for result in &mut self.results {
            match &mut result.verdict {
                Verdict::Unknown(Unknown::Limit(Limit::Time(left))) => *left = given,
                Verdict::Unknown(Unknown::Spent(met)) => {
                    if let Reason::Time(left) = &mut met.reason {
                        *left = given;
                    }
                }
                _ => {}
            }
        }
    }

    /// Adds a note to the first answer, if there is anything to be said.
    pub(crate) fn add_note(&mut self, text: &str) {
        let Some(first) = self.results.first_mut().filter(|_| !text.is_empty()) else { return };
        first.note = Some(match first.note.take() {
            Some(note) => format!("{note}; {text}"),
            None => text.into(),
        });
    }

    /// Gives the questions that no search came to the reason why.
    pub(crate) fn leave_open(&mut self, met: Met) {
        for result in &mut self.results {
            if matches!(result.verdict, Verdict::NotAsked) {
                result.verdict = Verdict::Unknown(Unknown::Spent(met));
            }
        }
    }

    /// The counts of the search of states; of the last one if several engines searched.
    pub fn states_search(&self) -> Option<&SearchRecord> {
        self.searches.iter().rfind(|search| search.about == About::States)
    }

    /// Where the answer about a property belongs: answers come in the order of the program.
    pub(crate) fn position(&self, property: PropId) -> usize {
        let before: Vec<_> =
            self.program.properties[..property.index()].iter().map(|p| &p.name).collect();
        self.results.iter().take_while(|r| before.contains(&&r.name)).count()
    }

    /// The verdict on a property by its name.
    pub fn verdict(&self, property: &str) -> Option<&Verdict> {
        self.results.iter().find(|r| r.name == property).map(|r| &r.verdict)
    }

    /// The violated properties with their witnesses.
    pub fn violations(&self) -> impl Iterator<Item = (&PropertyResult, &Witness)> {
        self.results.iter().filter_map(|r| match &r.verdict {
            Verdict::Violated(witness) => Some((r, &**witness)),
            _ => None,
        })
    }

    /// Whether anything is violated.
    pub fn is_violated(&self) -> bool {
        self.violations().next().is_some()
    }

    /// Whether a limit left something open, or nothing of what was asked could be decided.
    pub fn is_unknown(&self) -> bool {
        let undecided = |r: &PropertyResult| matches!(r.verdict, Verdict::Unknown(_));
        let nothing = !self.results.is_empty() && self.results.iter().all(undecided);
        nothing || self.results.iter().any(|r| r.verdict.is_open())
    }
}

/// Three quarters of the memory that is free now, for the machine, the control group and the process; none where the
/// system does not tell.
pub fn default_memory_limit() -> Option<u64> {
    host::memory_limit(None)
}
