//! What a counterexample says about all sets that fix a program.
//!
//! Let π be a run of the variant of a set F that violates a property, and F′ a set that does not satisfy the clause.
//! Then there is a run of the variant of F′ that violates it, too:
//!
//! - **A fence of F′ that π passes** (its step is one that does nothing in π) is passed with an empty buffer, since
//!   otherwise it would be in the clause. So it can be taken there. It changes nothing but adds a state, and if the
//!   property could tell that one (`telling`), the fence would be in the clause.
//! - **A store fence of F′ that π passes** makes no commit of π impossible: the clause has it if a later store
//!   commits while an earlier one waits. (Of runs that go on for ever, and under delayed writes, where the newer
//!   store takes over the place of the older one, it is enough for being in the clause that anything waits.)
//! - **A barrier of F′** on a step of π is a fence before it, without a state of its own.
//! - **An atomic write of F′ that is a delayed store of π**: its commit can be moved to the store itself. Nobody
//!   touches the place in between, nor does the property look at it, nor does it wait at the end of a run into a
//!   deadlock (in which an atomic section keeps it from committing) or a full buffer, since otherwise it would be in
//!   the clause; its own process reads the same value from memory as from its buffer. (A spawned process that has
//!   finished is gone when its buffer is empty, which others can tell: its stores always are in the clause.) Under
//!   TSO and PSO nothing waited before it, since otherwise it would be in the clause, so it is the oldest of its
//!   buffer and may commit, and the atomic write need not wait. Under delayed writes a store that is overwritten
//!   shows until what replaced it commits, so that is where the interval ends.
//! - **A fence of F that F′ lacks** is a state less, and a step that waits for less. If the property could tell, F′
//!   would have it ([`Clause::unless`]), and so it would if π ends in a deadlock in which stores wait: that may be
//!   one because of the fence.
//! - **An atomic write of F that F′ lacks** is a store that commits at once: a state more. No property over states
//!   holds less for it. If a formula about runs looks at that variable in memory, F′ would have it. So it would if the
//!   write passes stores that wait behind a store fence, as it does under delayed writes: the plain store could not.
//!
//! Where memory is one process ([`MemoryFairness::Process`]), whoever waits at a fence has its stores committed, and
//! any commit keeps a run fair. So every place may make a run unfair, and every place is in the clause.
//!
//! A property that counts steps may tell everything: for it, all places that π comes by are in the clause.
//!
//! A run that is not robust is broken by the same places: a fence is no access, and an atomic write that nobody could tell
//! from the delayed store leaves happens-before as it is.
//!
//! # Priorities
//!
//! In a program with [priorities](taut_ir::priority) a process stops others while it is enabled, so that a fence can
//! also *add* runs: a process that waits at it stops no other. The argument above then covers only sets F′ that contain
//! F, and the clause says so: F′ may lack any place of F ([`Clause::unless`] is all of F). Let F′ contain F and no place of
//! the clause:
//!
//! - A process that stands at a step of π that does nothing is enabled. So while a process waits there, because others with
//!   higher priorities are enabled, no process with a lower priority moves. In the variant of F′ the process is at the fence
//!   or, if F′ lacks it, at the next program point. Where it is makes no difference to the others: it could only stop those that
//!   do not move in π either, and no step or property asks where it is.
//! - Fences of F′ that are not in F are passed where π passes them, with an empty buffer, and are not stopped there, since
//!   the step that does nothing is not either.
//! - Barriers of F′ make their processes enabled less often, so that they stop fewer others, and every action of π can be
//!   taken.
//! - `timeout` is false while a process stands at a step that does nothing, and what can be taken then can be taken in
//!   the variant of F′. At all other actions the states are those of π.
//! - An atomic write of F′ would reach memory earlier. A process that only *could* move sooner then would stop others,
//!   and no row of π shows that it looked. So every delayed store of the place is in the clause.
//!
//! Where steps or properties ask where processes are, this is used only if each step of π that does nothing is taken before
//! anything else happens. Formulas may tell which processes are stopped, and fairness asks for it. So for properties of runs,
//! and where π with all fences is not a run, the clause excludes F and nothing else, which is true of any set that failed.

use std::collections::BTreeSet;

use taut_ir::{
    Action, Buffers, DefId, Finding, Lifecycle, MemoryFairness, ProcId, Program, PropertyKind,
    Start, StepId, VarId,
};
use taut_witness::buffer::Item;
use taut_witness::{Record, Row, Run, State, Target};

use crate::conflict::{seen_by, touches};
use crate::contract::left_out;
use crate::delay::{Delay, delays};
use crate::expand::expand;
use crate::kind::RepairKind;
use crate::problem::{Counterexample, RepairProblem};
use crate::site::{RepairSite, Set, SiteId};
use crate::stutter::Stutter;

/// What every set that fixes a program satisfies.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Clause {
    /// It has one of these places…
    pub any_of: Set,
    /// …or lacks one of these.
    pub unless: Set,
}

impl Clause {
    /// Whether a set satisfies it.
    pub fn allows(&self, set: &Set) -> bool {
        !self.any_of.is_disjoint(set) || !self.unless.is_subset(set)
    }

    /// Whether every set that satisfies it satisfies another one.
    pub(crate) fn implies(&self, other: &Clause) -> bool {
        self.any_of.is_subset(&other.any_of) && self.unless.is_subset(&other.unless)
    }
}

/// The clause of a counterexample of the variant that a set makes.
pub fn clause(subject: &RepairProblem, set: &Set, found: &Counterexample) -> Clause {
    let _phase = taut_budget::phase("a counterexample is analysed");
    let ranked = found.program.priorities.is_some();
    let is_of_runs = match found.trace.finding {
        Finding::Property(id) => found.program.property(id).kind.is_temporal(),
        Finding::Deadlock | Finding::Fault(_) | Finding::FullBuffer | Finding::NotRobust => false,
    };
    match run_of(subject, set, found).filter(|_| !ranked || !is_of_runs) {
        Some(run) => Reading::new(subject, set, found, &run).clause(),
        None if ranked => Clause { any_of: all_but(subject, set), unless: set.clone() },
        // Fewer places never have fewer runs: no part of the set fixes the program either.
        None => Clause { any_of: all_but(subject, set), unless: Set::new() },
    }
}

/// The actions of a counterexample of the variant that a set makes, with the steps of all fences that it passes.
pub fn actions(subject: &RepairProblem, set: &Set, found: &Counterexample) -> Option<Vec<Action>> {
    let run = run_of(subject, set, found)?;
    let mut actions = run.actions();
    // An assertion fails in a step, and not in the state after the fences that follow.
    let fails = |row: &Row| row.record.all_failed().any(|f| f.finding == found.trace.finding);
    if let Some(last) = run.rows.iter().rposition(fails) {
        actions.truncate(last + 1);
    }
    Some(actions)
}

/// Where a place breaks a counterexample of the variant that a set makes: a process whose stores wait there, and the
/// state in which they do.
pub fn waiting_at(
    subject: &RepairProblem,
    set: &Set,
    found: &Counterexample,
    place: SiteId,
) -> Option<(ProcId, State)> {
    taut_budget::tick();
    let run = run_of(subject, set, found)?;
    Reading::new(subject, set, found, &run).waiting_at(place)
}

/// The run of a counterexample with all the fences that it passes.
pub(crate) fn run_of(subject: &RepairProblem, set: &Set, found: &Counterexample) -> Option<Run> {
    let program = subject.with_all_steps((*found.program).clone(), set);
    let left_out = left_out(&program, &subject.unused(set));
    expand(&program, &left_out, &found.trace).ok()
}

fn all_but(subject: &RepairProblem, set: &Set) -> Set {
    (0..subject.places().len()).filter(|id| !set.contains(id)).collect()
}

/// A run that is read for its clause.
struct Reading<'a> {
    subject: &'a RepairProblem,
    set: &'a Set,
    /// With the processes that the run has.
    program: &'a Program,
    run: &'a Run,
    delays: Vec<Delay>,
    /// The variables whose memory the violated property looks at.
    seen: BTreeSet<VarId>,
    is_of_runs: bool,
    /// Whether what is found depends on what waits at the end: nobody could go on, or a buffer was full.
    is_about_waiting: bool,
    telling: Stutter<'a>,
}

impl<'a> Reading<'a> {
    fn new(
        subject: &'a RepairProblem,
        set: &'a Set,
        found: &'a Counterexample,
        run: &'a Run,
    ) -> Self {
        let program = &found.program;
        let kind = match found.trace.finding {
            Finding::Property(id) => Some(&program.property(id).kind),
            Finding::Deadlock | Finding::Fault(_) | Finding::FullBuffer | Finding::NotRobust => {
                None
            }
        };
        let seen = kind.map(|kind| seen_by(program, kind)).unwrap_or_default();
        let is_of_runs = kind.is_some_and(PropertyKind::is_temporal);
        Reading {
            subject,
            set,
            program,
            run,
            delays: delays(run),
            seen,
            is_of_runs,
            is_about_waiting: matches!(
                found.trace.finding,
                Finding::Deadlock | Finding::FullBuffer
            ),
            telling: Stutter::new(program, run, subject.unused(&Set::new()), kind),
        }
    }

    fn clause(&self) -> Clause {
        let any_of = all_but(self.subject, self.set);
        let any_of =
            any_of.into_iter().filter(|&id| self.breaks(id) || self.memory_is_one()).collect();
        let ranked = self.program.priorities.is_some();
        let shows = |&id: &SiteId| ranked || self.shows(id) || self.ends_in_a_jam();
        Clause { any_of, unless: self.set.iter().copied().filter(shows).collect() }
    }

    /// Whether nobody can go on while stores wait: somebody may be waiting at a chosen fence.
    fn ends_in_a_jam(&self) -> bool {
        let waits = |p: ProcId| !self.run.last().process(p).buffer.is_empty();
        self.is_about_waiting && self.program.process_ids().any(waits)
    }

    /// Whether the run is fair by what one memory for all does.
    fn memory_is_one(&self) -> bool {
        let lasso = self.run.lasso;
        lasso.is_some_and(|lasso| lasso.fairness.memory == MemoryFairness::Process)
    }

    /// Whether the run could be none if a place were chosen.
    fn breaks(&self, id: SiteId) -> bool {
        let place = self.subject.place(id);
        let is_step = |def: DefId, step: StepId| place.steps.contains(&(def, step));
        match place.kind {
            _ if self.telling.counts() => self.rows_of(is_step).next().is_some(),
            RepairKind::Fence => self
                .rows_of(is_step)
                .any(|(row, process)| self.waits(row, process) || self.telling.sees(row)),
            RepairKind::Barrier => {
                self.rows_of(is_step).any(|(row, process)| self.waits(row, process))
            }
            RepairKind::StoreFence => self
                .rows_of(is_step)
                .any(|(row, process)| self.is_overtaken(row, process) || self.telling.sees(row)),
            RepairKind::AtomicWrite => self.delays_at(place).next().is_some(),
        }
    }

    /// The delayed stores of a place that somebody could tell from atomic ones.
    fn delays_at(&self, place: &RepairSite) -> impl Iterator<Item = &Delay> {
        taut_budget::tick();
        self.delays.iter().filter(|delay| {
            let step = (self.program.process(delay.process).def, delay.step);
            let is_ours = place.vars.contains(&delay.address.var) && place.steps.contains(&step);
            is_ours && self.matters(delay)
        })
    }

    /// Where a place breaks the run: a process whose stores wait, and the state in which they do.
    fn waiting_at(&self, id: SiteId) -> Option<(ProcId, State)> {
        let place = self.subject.place(id);
        let is_step = |def: DefId, step: StepId| place.steps.contains(&(def, step));
        match place.kind {
            RepairKind::AtomicWrite => {
                let delay = self.delays_at(place).next()?;
                Some((delay.process, self.run.rows[delay.from].after.clone()))
            }
            RepairKind::Fence | RepairKind::StoreFence | RepairKind::Barrier => {
                let (row, process) = self.rows_of(is_step).find(|&(row, p)| self.waits(row, p))?;
                Some((process, self.run.before(row).clone()))
            }
        }
    }

    /// The rows at which a process takes one of some steps, and the process.
    fn rows_of(
        &self,
        is_step: impl Fn(DefId, StepId) -> bool,
    ) -> impl Iterator<Item = (usize, ProcId)> {
        let taken = self.run.rows.iter().enumerate().flat_map(|(row, done)| {
            let steps = match done.action {
                Action::Step { process, step, .. } => [Some((process, step)), None],
                Action::Handshake { process, step, receiver, receive, .. } => {
                    [Some((process, step)), Some((receiver, receive))]
                }
                Action::Commit { .. } => [None, None],
            };
            steps.into_iter().flatten().map(move |(process, step)| (row, process, step))
        });
        let is_ours = move |&(_, process, step): &(usize, ProcId, StepId)| {
            is_step(self.program.process(process).def, step)
        };
        taken.filter(is_ours).map(|(row, process, _)| (row, process))
    }

    /// Whether stores of a process wait before a row.
    fn waits(&self, row: usize, process: ProcId) -> bool {
        !self.run.before(row).process(process).buffer.is_empty()
    }

    /// Whether a store of a process after a row commits while one from before it waits.
    fn is_overtaken(&self, row: usize, process: ProcId) -> bool {
        if self.run.memory.model.buffers() != Buffers::PerCell || self.run.lasso.is_some() {
            return self.waits(row, process);
        }
        let of_process = || self.delays.iter().filter(move |d| d.process == process);
        let older = || of_process().filter(|d| d.from < row && d.to > row);
        let mut newer = of_process().filter(|d| d.from > row && d.to < self.run.rows.len());
        newer.any(|newer| older().any(|older| older.to > newer.to))
    }

    /// Whether anybody could tell if a delayed store reached memory at once.
    fn matters(&self, delay: &Delay) -> bool {
        if self.program.priorities.is_some() {
            return true;
        }
        let fifo = !self.run.memory.model.overwrites();
        if fifo && !delay.was_drained || self.is_gone_when_drained(delay.process) {
            return true;
        }
        let touched =
            |row: usize| touches(self.program, &self.run.rows[row], delay.process, delay.address);
        let waits_at_end = delay.to == self.run.rows.len();
        let is_seen = self.seen.contains(&delay.address.var) && (self.is_of_runs || waits_at_end);
        let decides = self.is_about_waiting && waits_at_end;
        is_seen || decides || (delay.from + 1..delay.to).any(touched) || self.wraps(delay)
    }

    /// Whether a process that has finished is gone as soon as its buffer is empty, so that others can tell.
    fn is_gone_when_drained(&self, process: ProcId) -> bool {
        let is_spawned = self.program.process(process).start == Start::Spawned;
        is_spawned && self.program.lifecycle == Lifecycle::Slots
    }

    /// Whether the interval of a store goes on from the end of a cycle to its start, and the cycle touches its
    /// place.
    fn wraps(&self, delay: &Delay) -> bool {
        let is_open = delay.to == self.run.rows.len();
        let Some(cycle) = self.run.cycle().filter(|_| is_open) else { return false };
        let rows = &self.run.rows[cycle..];
        rows.iter().any(|row| touches(self.program, row, delay.process, delay.address))
    }

    /// Whether the property could tell that a chosen place is not chosen.
    fn shows(&self, id: SiteId) -> bool {
        let place = self.subject.place(id);
        let is_step = |def: DefId, step: StepId| place.steps.contains(&(def, step));
        let mut rows = self.rows_of(is_step);
        match place.kind {
            _ if self.telling.counts() => rows.next().is_some(),
            RepairKind::Fence | RepairKind::StoreFence => {
                rows.any(|(row, _)| self.telling.sees(row))
            }
            RepairKind::Barrier => false,
            RepairKind::AtomicWrite => rows.any(|(row, process)| {
                self.passes_a_store_fence(row, process)
                    || self.is_of_runs && self.writes_seen(place, row)
            }),
        }
    }

    /// Whether stores of a process wait before a row, and a store fence behind them.
    fn passes_a_store_fence(&self, row: usize, process: ProcId) -> bool {
        self.run.before(row).process(process).buffer.items().contains(&Item::Barrier)
    }

    /// Whether a row writes to memory what the property looks at, by a place.
    fn writes_seen(&self, place: &RepairSite, row: usize) -> bool {
        let writes = |record: &Record| {
            let at_once = record.writes.iter().filter(|w| w.to == Target::Memory);
            let mut vars = at_once.map(|w| w.address.var);
            vars.any(|var| place.vars.contains(&var) && self.seen.contains(&var))
        };
        let record = &self.run.rows[row].record;
        writes(record) || record.partner.as_deref().is_some_and(writes)
    }
}
