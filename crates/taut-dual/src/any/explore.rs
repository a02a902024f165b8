//! One exploration of a program with any number of processes.
//!
//! The search starts from what violates any of the questions. If something is reached, its run says how many processes
//! it takes. Then the engine for a fixed number is asked about the instance with one process less, and so on, up to a limit:
//! so the number is the smallest one, or the answer says how far that is known.

use taut_engine::{Count, Unsupported};
use taut_explicit::limits::LimitMonitor;
use taut_explicit::{
    Asking, BoundsMet, Completion, Exploration, Limit, Limits, SearchOptions, Stats, asked,
};
use taut_ir::replicated::Count as Number;
use taut_ir::{Finding, FullBuffer, Memory, MemoryModel, Program, may_fault};

use super::debts::Debts;
use super::prepare::prepare;
use super::run::{self, AnyRun, Cast};
use super::search::{End, Search};
use super::smallest::Violation;
use super::start::{Bad, codes, crowds};
use super::undo::{Code, Undo};
use crate::compile::compile;
use crate::constraint::Constraint;
use crate::explore::{not_compiled, too_many};
use crate::locals::Locals;
use crate::places::Cell;
use crate::search::DualCounts;
use crate::seeds::{Seeds, TooMany};
use crate::system::{Bound, System};
use crate::window::{self, Attempt, Windows};

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

/// Explores all instances of a program under SC or TSO, with buffers without bounds. Refuses what [`super::supports`]
/// refuses, and data that are too large.
pub fn explore(
    program: &Program,
    model: MemoryModel,
    options: &SearchOptions,
) -> Result<AnySearch, Unsupported> {
    super::refuse::check(program, model)?;
    let prepared = prepare(program, model);
    let watch = LimitMonitor::new(options.limits.clone());
    let attempt = |windows: &Windows| attempt(program, &prepared, model, options, &watch, windows);
    window::search(options.all, attempt)
}

/// Constraints after which a search gives up whose answer may not be worth more: for a run that leaves a window, and for violations
/// if such a run may exist. Half as many for each time that a window has grown.
const FEW: u64 = 20_000;

fn attempt(
    program: &Program,
    prepared: &Program,
    model: MemoryModel,
    options: &SearchOptions,
    watch: &LimitMonitor,
    windows: &Windows,
) -> Attempt<AnySearch> {
    let (system, names) = match compile(prepared, windows, None) {
        Ok(compiled) => compiled,
        Err(why) => return not_compiled(prepared, why),
    };
    let _phase = taut_budget::phase("constraints over any number of processes are searched");
    let (stand, codes) = codes(prepared);
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
        before: 0,
        found: Vec::new(),
    };
    explorer.counts.points = points(&system, &codes);
    let few = LimitMonitor::new(fewer(options, FEW >> windows.grown().min(16)));
    match explorer.beyond(&few) {
        Beyond::Nothing => explorer.whole(options),
        Beyond::By(by) => explorer.within(options, &few, Some(by)),
        Beyond::Open(_) => match explorer.within(options, &few, None) {
            // A window that no run has left yet may well be enough: it is worth all that there is.
            Attempt::Left { found: None, .. } if windows.grown() == 0 => {
                explorer.wide(options, &few)
            }
            other => other,
        },
    }
}

/// Control points of processes that are used.
fn points(system: &System, codes: &[Code]) -> u64 {
    let used = system.processes.iter().zip(codes).filter(|(_, code)| **code != Code::Unused);
    used.map(|(p, _)| p.points.len() as u64 - 1).sum()
}

pub(super) struct Explorer<'a> {
    pub(super) program: &'a Program,
    prepared: &'a Program,
    pub(super) model: MemoryModel,
    system: &'a System,
    names: &'a [Locals],
    stand: &'a [usize],
    codes: &'a [Code],
    /// The limits of the whole search.
    watch: &'a LimitMonitor,
    counts: DualCounts,
    /// The constraints of earlier searches that count for the limit.
    before: u64,
    pub(super) found: Vec<Violation>,
}

/// What is known about runs that leave a window.
enum Beyond {
    /// There is none.
    Nothing,
    /// There is one, by this cell and value.
    By((Cell, i64)),
    /// A limit was met.
    Open(Limit),
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
        watch: &LimitMonitor,
    ) -> Result<Completion, TooMany> {
        while !questions.is_empty() {
            match self.search(&questions, watch)? {
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
    fn search(&mut self, questions: &[Finding], watch: &LimitMonitor) -> Result<Outcome, TooMany> {
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
        let end = search.run(watch, self.before);
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
        self.before += counts.added;
    }

    /// Whether a run leaves a window.
    fn beyond(&mut self, watch: &LimitMonitor) -> Beyond {
        let mut seeds = Seeds::new(self.prepared, self.system, self.names);
        let mut bounds = Vec::new();
        for (bound, places) in self.system.bounds() {
            for (process, control) in places {
                let mut c = Constraint::everything(seeds.shape());
                c.set_control(process, control);
                // What is looked for is no finding: its name is of no concern.
                seeds.list.push((c, Finding::FullBuffer));
                bounds.push(bound);
            }
        }
        if seeds.list.is_empty() {
            return Beyond::Nothing;
        }
        let mut debts = Debts::default();
        let outside = crowds(&seeds, self.stand, &mut debts);
        debug_assert_eq!(outside.len(), bounds.len(), "each seed has a crowd");
        let mut search = Search::new(Undo::new(self.system, self.codes, debts));
        let mut starts = Vec::new();
        for (Bad { crowd, .. }, bound) in outside.into_iter().zip(bounds) {
            starts.extend(search.start(crowd).map(|id| (id, bound)));
        }
        let end = search.run(watch, self.before);
        self.count(&search.counts);
        match end {
            End::Unreachable => Beyond::Nothing,
            End::Limit(limit) => Beyond::Open(limit),
            End::Reached(id) => {
                let root = root(&search, id);
                let bound = starts.iter().find(|(id, _)| *id == root);
                match bound {
                    Some((_, Bound::Values(cell, value))) => Beyond::By((*cell, *value)),
                    _ => Beyond::Open(Limit::Run),
                }
            }
        }
    }

    /// The questions within a window of which a short search does not tell whether a run leaves it.
    fn wide(&mut self, options: &SearchOptions, few: &LimitMonitor) -> Attempt<AnySearch> {
        self.before = self.counts.added;
        match self.beyond(self.watch) {
            Beyond::Nothing => self.whole(options),
            Beyond::By(by) => self.within(options, few, Some(by)),
            Beyond::Open(limit) => Attempt::Whole(self.finish(Completion::Limit(limit), false)),
        }
    }

    /// The questions, where no run leaves a window.
    fn whole(&mut self, options: &SearchOptions) -> Attempt<AnySearch> {
        self.before = self.counts.added;
        match self.run(self.questions(options), options, self.watch) {
            Ok(completion) => {
                let decides_deadlock = self.has_no_deadlock();
                Attempt::Whole(self.finish(completion, decides_deadlock))
            }
            Err(why) => Attempt::Refused(too_many(self.program, why)),
        }
    }

    /// The questions, where some run may leave a window: only what is found is known.
    fn within(
        &mut self,
        options: &SearchOptions,
        few: &LimitMonitor,
        by: Option<(Cell, i64)>,
    ) -> Attempt<AnySearch> {
        self.before = 0;
        if let Err(why) = self.run(self.questions(options), options, few) {
            return Attempt::Refused(too_many(self.program, why));
        }
        let has_found = !self.found.is_empty();
        let found = has_found.then(|| self.finish(Completion::FirstFinding, false));
        Attempt::Left { found, by, beyond: self.system.beyond() }
    }

    fn questions(&self, options: &SearchOptions) -> Vec<Finding> {
        let memory = Memory { bound: None, full_buffer: FullBuffer::Wait, model: self.model };
        let may_fault = may_fault(self.program);
        let asking = Asking { deadlock: false, unasked: &options.unasked, may_fault };
        asked(self.program, memory, asking)
    }

    /// The result, with the counts of all searches.
    fn finish(&mut self, completion: Completion, decides_deadlock: bool) -> AnySearch {
        let counts = self.counts;
        let (instance, found, numbers) = self.instance();
        let stats = Stats {
            states: counts.added,
            transitions: counts.made,
            matched: counts.made.saturating_sub(counts.added),
            depth: counts.longest,
            time: self.watch.elapsed(),
            ..Stats::default()
        };
        let (bounds_met, may_fault) = (BoundsMet::default(), may_fault(self.program));
        let reached = self.system.reached.clone();
        let exploration = Exploration { found, completion, bounds_met, may_fault, reached, stats };
        AnySearch { exploration, instance, numbers, decides_deadlock, counts }
    }

    /// Whether no instance has a deadlock, by a look at where processes may be blocked. If there is no combination of
    /// control points and values in which a process of each definition is blocked, there is none with more of them.
    fn has_no_deadlock(&self) -> bool {
        let mut seeds = Seeds::new(self.prepared, self.system, self.names);
        seeds.add(Finding::Deadlock).is_ok() && seeds.list.is_empty()
    }
}

/// The limits of a search that is not to take long.
fn fewer(options: &SearchOptions, most: u64) -> Limits {
    let states = options.limits.states.map_or(most, |given| given.min(most));
    Limits { states: Some(states), ..options.limits.clone() }
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
