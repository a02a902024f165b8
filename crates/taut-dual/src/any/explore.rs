//! One exploration of a program with any number of processes.
//!
//! The search starts from what violates any of the questions. If something is reached, its run says how many processes
//! it takes. Then the engine for a fixed number is asked about the instance with one process less, and so on, up to a limit:
//! so the number is the smallest one, or the answer says how far that is known.

use taut_engine::{Count, Unsupported};
use taut_explicit::limits::LimitMonitor;
use taut_explicit::{
    Asking, BoundsMet, Completion, Exploration, Found, Limit, Limits, SearchOptions, Stats, asked,
};
use taut_ir::replicated::Count as Number;
use taut_ir::{Action, Fault, Finding, FullBuffer, Memory, MemoryModel, Program, may_fault};

use super::debts::Debts;
use super::prepare::prepare;
use super::run::{self, AnyRun, Cast};
use super::search::{End, Search};
use super::start::{Bad, codes, crowds};
use super::undo::{Code, Undo};
use crate::compile::{MOST_VALUES, compile};
use crate::constraint::Constraint;
use crate::explore::{NoAttempt, too_many};
use crate::locals::Locals;
use crate::search::DualCounts;
use crate::seeds::{Seeds, TooMany};
use crate::system::System;

/// The result of an exploration.
#[derive(Clone, Debug)]
pub struct AnySearch {
    /// What was found, and how the search ended. Runs are those of the instance.
    pub exploration: Exploration,
    /// The instance that runs are of: the smallest one that has all of them.
    pub instance: Program,
    /// For each finding, in their order, the number of processes.
    pub numbers: Vec<Numbers>,
    /// Whether deadlocks were decided: there is none, by a look at the code.
    pub decides_deadlock: bool,
    /// Counts.
    pub counts: DualCounts,
}

/// The number of processes of a violation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Numbers {
    /// The number of processes of each definition with any number of them.
    pub counts: Vec<Number>,
    /// Whether no instance with fewer processes has a violation.
    pub is_smallest: bool,
}

/// Constraints after which the engine for a fixed number gives up, when a smaller number is tried.
const MOST_TRIED: u64 = 60_000;

/// Explores all instances of a program under SC or TSO, with buffers without bounds. Refuses what [`super::supports`]
/// refuses, and data that are too large.
pub fn explore(
    program: &Program,
    model: MemoryModel,
    options: &SearchOptions,
) -> Result<AnySearch, Unsupported> {
    super::refuse::check(program, model)?;
    let prepared = prepare(program, model);
    let refused = match attempt(program, &prepared, model, options, MOST_VALUES) {
        Ok(search) => return Ok(search),
        Err(NoAttempt::Values(refused)) => refused,
        Err(NoAttempt::Other(refused)) => return Err(refused),
    };
    attempt(program, &prepared, model, options, WINDOW).map_err(|_| refused)
}

/// The number of values that a cell may have, if it has too many otherwise (`compile.rs`). It is smaller than for a fixed
/// number of processes: here each process may count once more.
const WINDOW: usize = 5;

/// Constraints after which the search for a run that leaves the window gives up, and the one for violations if such a run
/// exists.
const MOST_OUTSIDE: u64 = 20_000;

fn attempt(
    program: &Program,
    prepared: &Program,
    model: MemoryModel,
    options: &SearchOptions,
    window: usize,
) -> Result<AnySearch, NoAttempt> {
    let (system, names) =
        compile(prepared, window).map_err(|(why, places)| NoAttempt::of(prepared, why, &places))?;
    let _phase = taut_budget::phase("constraints over any number of processes are searched");
    let may_fault = may_fault(program);
    let memory = Memory { bound: None, full_buffer: FullBuffer::Wait, model };
    let asking = Asking { deadlock: false, unasked: &options.unasked, may_fault };
    let questions = asked(program, memory, asking);
    let (stand, codes) = codes(prepared);
    let watch = LimitMonitor::new(options.limits.clone());
    let mut explorer = Explorer {
        program,
        prepared,
        model,
        system: &system,
        names: &names,
        stand: &stand,
        codes: &codes,
        watch,
        counts: DualCounts::default(),
        found: Vec::new(),
    };
    explorer.counts.points = points(&system, &codes);
    let is_inside = explorer.is_inside(options);
    if !is_inside {
        explorer.watch = LimitMonitor::new(fewer(options));
    }
    let mut completion =
        explorer.run(questions, options).map_err(|why| NoAttempt::Other(too_many(program, why)))?;
    if !is_inside {
        // Only what was found is known.
        if explorer.found.is_empty() {
            return Err(NoAttempt::Other(Unsupported::new("a run leaves the window")));
        }
        completion = Completion::FirstFinding;
    }
    let decides_deadlock = is_inside && explorer.has_no_deadlock();
    let (instance, found, numbers) = explorer.instance();
    let Explorer { watch, counts, .. } = explorer;
    let stats = Stats {
        states: counts.added,
        transitions: counts.made,
        matched: counts.made.saturating_sub(counts.added),
        depth: counts.longest,
        time: watch.elapsed(),
        ..Stats::default()
    };
    let bounds_met = BoundsMet::default();
    let exploration =
        Exploration { found, completion, bounds_met, may_fault, reached: system.reached, stats };
    Ok(AnySearch { exploration, instance, numbers, decides_deadlock, counts })
}

/// Control points of processes that are used.
fn points(system: &System, codes: &[Code]) -> u64 {
    let used = system.processes.iter().zip(codes).filter(|(_, code)| **code != Code::Unused);
    used.map(|(p, _)| p.points.len() as u64 - 1).sum()
}

struct Explorer<'a> {
    program: &'a Program,
    prepared: &'a Program,
    model: MemoryModel,
    system: &'a System,
    names: &'a [Locals],
    stand: &'a [usize],
    codes: &'a [Code],
    watch: LimitMonitor,
    counts: DualCounts,
    found: Vec<Violation>,
}

/// A finding with its run.
struct Violation {
    finding: Finding,
    run: ViolatingRun,
    numbers: Numbers,
}

enum ViolatingRun {
    /// A run that the chain of crowds describes.
    Any(AnyRun),
    /// A run of the instance with these numbers, by the engine for a fixed number.
    Fixed(Vec<Action>),
}

enum Outcome {
    Nothing,
    Found(Finding, Option<AnyRun>),
    Limit(Limit),
}

impl Explorer<'_> {
    fn run(
        &mut self,
        mut questions: Vec<Finding>,
        options: &SearchOptions,
    ) -> Result<Completion, TooMany> {
        while !questions.is_empty() {
            match self.search(&questions)? {
                Outcome::Limit(limit) => return Ok(Completion::Limit(limit)),
                Outcome::Nothing => return Ok(Completion::Complete),
                Outcome::Found(_, None) => return Ok(Completion::Limit(Limit::Run)),
                Outcome::Found(finding, Some(run)) => {
                    let violation = self.smallest(finding, run, options);
                    self.found.push(violation);
                    questions.retain(|question| !question.same_kind(finding));
                }
            }
            if !options.all {
                return Ok(Completion::FirstFinding);
            }
        }
        Ok(if self.found.is_empty() { Completion::Complete } else { Completion::Answered })
    }

    /// One search for all of the questions.
    fn search(&mut self, questions: &[Finding]) -> Result<Outcome, TooMany> {
        let mut seeds = Seeds::new(self.prepared, self.system, self.names);
        questions.iter().try_for_each(|&question| seeds.add(question))?;
        let mut debts = Debts::default();
        let bad = crowds(&seeds, self.stand, &mut debts);
        let mut search = Search::new(Undo::new(self.system, self.codes, debts));
        let mut starts = Vec::new();
        for Bad { crowd, processes, finding } in bad {
            let mut tidy = crowd.clone();
            let members = search.undo.tidy(&mut tidy);
            let cast = Cast { processes, members };
            starts.extend(search.start(crowd).map(|id| (id, finding, cast)));
        }
        let end = search.run(&self.watch, self.counts.added);
        self.count(&search.counts);
        Ok(match end {
            End::Limit(limit) => Outcome::Limit(limit),
            End::Unreachable => Outcome::Nothing,
            End::Reached(id) => {
                let root = root(&search, id);
                let Some((_, finding, cast)) = starts.iter().find(|s| s.0 == root) else {
                    return Ok(Outcome::Limit(Limit::Run));
                };
                let named = self.program.processes.len();
                let Search { undo, kept, .. } = &mut search;
                Outcome::Found(*finding, run::run(undo, self.prepared, kept, id, cast, named))
            }
        })
    }

    fn count(&mut self, counts: &DualCounts) {
        self.counts.made += counts.made;
        self.counts.added += counts.added;
        self.counts.kept = counts.kept;
        self.counts.longest = self.counts.longest.max(counts.longest);
    }

    /// Whether no run leaves the window, as far as a short search tells.
    fn is_inside(&mut self, options: &SearchOptions) -> bool {
        let mut seeds = Seeds::new(self.prepared, self.system, self.names);
        for (process, control) in self.system.bounds().into_iter().flat_map(|(_, places)| places) {
            let mut c = Constraint::everything(seeds.shape());
            c.set_control(process, control);
            // What is looked for is no finding: its name is of no concern.
            seeds.list.push((c, Finding::FullBuffer));
        }
        if seeds.list.is_empty() {
            return true;
        }
        let mut debts = Debts::default();
        let outside = crowds(&seeds, self.stand, &mut debts);
        let mut search = Search::new(Undo::new(self.system, self.codes, debts));
        for Bad { crowd, .. } in outside {
            search.start(crowd);
        }
        let end = search.run(&LimitMonitor::new(fewer(options)), 0);
        self.count(&search.counts);
        matches!(end, End::Unreachable)
    }

    /// Whether no instance has a deadlock, by a look at where processes may be blocked. If there is no combination of
    /// control points and values in which a process of each definition is blocked, there is none with more of them.
    fn has_no_deadlock(&self) -> bool {
        let mut seeds = Seeds::new(self.prepared, self.system, self.names);
        seeds.add(Finding::Deadlock).is_ok() && seeds.list.is_empty()
    }

    /// The violation with the fewest processes, as far as the engine for a fixed number tells.
    fn smallest(&self, finding: Finding, run: AnyRun, options: &SearchOptions) -> Violation {
        let counts = run.counts(self.program);
        let mut numbers = Numbers { counts, is_smallest: false };
        let mut run = ViolatingRun::Any(run);
        loop {
            let least = self.program.least_counts();
            let reduced: Vec<usize> =
                (0..least.len()).filter(|&i| numbers.counts[i].1 > least[i].1).collect();
            let mut is_smallest = true;
            let mut smaller = None;
            for i in reduced {
                let mut fewer = numbers.counts.clone();
                fewer[i].1 -= 1;
                match self.fixed(finding, &fewer, options) {
                    Fixed::Violated(actions) => smaller = Some((fewer, actions)),
                    Fixed::Holds => {}
                    Fixed::Unknown => is_smallest = false,
                }
                if smaller.is_some() {
                    break;
                }
            }
            match smaller {
                Some((counts, actions)) => {
                    numbers.counts = counts;
                    run = ViolatingRun::Fixed(actions);
                }
                None => {
                    numbers.is_smallest = is_smallest;
                    return Violation { finding, run, numbers };
                }
            }
        }
    }

    /// What the engine for a fixed number says of one question.
    fn fixed(&self, finding: Finding, counts: &[Number], options: &SearchOptions) -> Fixed {
        let mut instance = prepare(self.program, self.model).instance(&[]);
        instance.processes = self.program.instance(counts).processes;
        let states = Some(MOST_TRIED);
        let limits = Limits { states, ..options.limits.clone() };
        let properties = instance.property_ids().map(Finding::Property);
        let all = properties.chain([Finding::Fault(Fault::Range)]);
        let unasked = all.filter(|other| !other.same_kind(finding)).collect();
        let options = SearchOptions {
            deadlock: false,
            all: false,
            unasked,
            limits,
            ..SearchOptions::default()
        };
        let Ok(search) = crate::explore(&instance, &options) else { return Fixed::Unknown };
        let found = search.exploration.found.into_iter().find(|f| f.finding.same_kind(finding));
        match (found, search.exploration.completion) {
            (Some(found), _) => Fixed::Violated(found.actions),
            (None, Completion::Complete | Completion::Answered) => Fixed::Holds,
            (None, _) => Fixed::Unknown,
        }
    }

    /// The smallest instance that has all runs, with these.
    fn instance(&mut self) -> (Program, Vec<Found>, Vec<Numbers>) {
        let mut counts = self.program.least_counts();
        for violation in &self.found {
            for (count, own) in counts.iter_mut().zip(&violation.numbers.counts) {
                count.1 = count.1.max(own.1);
            }
        }
        let instance = self.program.instance(&counts);
        let (mut found, mut numbers) = (Vec::new(), Vec::new());
        for Violation { finding, run, numbers: own } in std::mem::take(&mut self.found) {
            let actions = match run {
                ViolatingRun::Any(run) => run.of(self.program, &instance),
                ViolatingRun::Fixed(actions) => {
                    by_name(&actions, &self.program.instance(&own.counts), &instance)
                }
            };
            found.push(Found { finding, actions });
            numbers.push(own);
        }
        (instance, found, numbers)
    }
}

enum Fixed {
    Violated(Vec<Action>),
    Holds,
    Unknown,
}

/// The limits of a search that is not to take long.
fn fewer(options: &SearchOptions) -> Limits {
    let states = options.limits.states.map_or(MOST_OUTSIDE, |given| given.min(MOST_OUTSIDE));
    Limits { states: Some(states), ..options.limits.clone() }
}

/// A run of an instance as one of a larger one, in which processes have other positions.
fn by_name(actions: &[Action], small: &Program, large: &Program) -> Vec<Action> {
    let position = |p| large.find_process(&small.process(p).name).unwrap_or(p);
    let names: Vec<_> = small.process_ids().map(position).collect();
    actions.iter().map(|action| run::renamed(*action, &names)).collect()
}

/// The crowd that a chain starts from.
fn root(search: &Search<'_>, from: super::kept::KeptId) -> super::kept::KeptId {
    let mut here = from;
    loop {
        let (next, by) = search.kept.origin(here);
        if by == super::undo::Move::Start {
            return here;
        }
        here = next;
    }
}

impl AnySearch {
    /// The counts with their names.
    pub fn list(&self) -> Vec<Count> {
        self.counts.list()
    }
}
