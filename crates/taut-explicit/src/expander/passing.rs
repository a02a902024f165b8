//! States with one action to follow are passed through, not stored.
//!
//! Where a stubborn set has one action, that action has one outcome, and no question can tell the two states apart, the
//! state says nothing that its successor does not say. So the search goes on with the successor at once, and stores the
//! first state behind which there is a choice (Behrmann, Larsen and Pelánek, "To store or not to store", 2003).
//! Local steps, and commits of stores that no other process reads, take no states by this.
//!
//! **Why nothing is missed.** Which actions are followed does not change, only which states are kept: the graph that is
//! searched is the same one. What is left is the proviso ([`super`]), which the search sees to for stored states. Let y be
//! a state that is passed through. The chain that begins there ends in a stored state z. Either z is expanded
//! in full, or it leads, by a chain, to a stored state of the next level (depth first: to one that is left earlier). So
//! there is a way of followed actions from y to a state that is expanded in full, and no action is put off for ever.
//!
//! **Chains end.** A chain that comes back to a state that it has passed through ends there (Brent, 1980: it remembers
//! one of its states, at each power of two), and after [`LONGEST`] actions in any case. The state at its end is
//! stored. Which state that is depends on where the chain began; storing more states than necessary is never wrong.
//!
//! **Findings.** An action in a chain can go wrong, like any other one. It is told as an action of the
//! stored state that the chain comes from; to rebuild the run, that is expanded once more ([`crate::trace`]).
//! An action that leads to no state, or meets a bound, is not passed: its state is stored and expanded as ever.
//! Properties over states are not asked in between: the action is one that they cannot notice.
//!
//! **Equal processes.** The states of a chain are sorted one by one, so that a run can be rebuilt through them in the same
//! way as through stored states.

use taut_fault::{Fault, is_on};
use taut_ir::Finding;
use taut_machine::{Bound, Machine, Provenance, Scratch, Sink};
use taut_memory::MemorySystem;

use crate::reduce::symmetry::Symmetry;
use crate::reduce::{Reduction, StubbornSets};

/// Actions in a chain, at most.
const LONGEST: u32 = 1 << 10;

/// What states are passed through in.
#[derive(Default)]
pub(crate) struct PassingSpace {
    scratch: Scratch,
    chooser: StubbornSets,
    /// A state of the chain, to see whether it comes back.
    earlier: Vec<u64>,
    next: Only,
}

/// Passes through states.
pub(super) struct Passing<'s, M> {
    pub(super) machine: &'s Machine<M>,
    pub(super) reduction: &'s Reduction,
    pub(super) keep_buffer_full: bool,
    pub(super) space: &'s mut PassingSpace,
}

/// Sorts equal processes in states on their way to a sink, and passes through those that need not be stored.
pub(super) struct Outcomes<'s, M, S> {
    pub(super) sink: &'s mut S,
    pub(super) symmetry: &'s Symmetry,
    pub(super) sorted: &'s mut Vec<u64>,
    /// None if every state is stored.
    pub(super) passing: Option<Passing<'s, M>>,
    /// Number of states that were not sorted.
    pub(super) changed: u64,
}

impl<M: MemorySystem, S: Sink> Outcomes<'_, M, S> {
    fn sort(&mut self) {
        if self.symmetry.is_trivial() {
            return;
        }
        self.changed += u64::from(self.symmetry.canonicalise(self.sorted));
        debug_assert!(!self.symmetry.canonicalise(&mut self.sorted.clone()), "sorted is sorted");
    }

    /// Goes on from the state at hand as far as there is one action to follow.
    fn pass(&mut self) {
        for passed in 0..LONGEST {
            let Some(passing) = &mut self.passing else { return };
            if passed.is_power_of_two() || passed == 0 {
                passing.space.earlier.clone_from(self.sorted);
            }
            if !passing.step(self.sorted, self.sink) {
                return;
            }
            let Only { state, findings, passed, .. } = &mut passing.space.next;
            self.sink.through(self.sorted);
            let told = findings.drain(..).filter(|_| !is_on(Fault::PassedIsRight));
            told.for_each(|(way, finding)| self.sink.finding(way, finding));
            self.sink.passed(*passed + 1);
            std::mem::swap(self.sorted, state);
            self.sort();
            let is_back = self.passing.as_ref().is_some_and(|p| p.space.earlier == *self.sorted);
            if is_back || !self.sink.go_on(0) {
                return;
            }
        }
    }
}

impl<M: MemorySystem> Passing<'_, M> {
    /// Takes the one action to be followed in a state, if it leads to one state and meets no bound.
    fn step(&mut self, state: &[u64], sink: &mut impl Sink) -> bool {
        let Passing { machine, reduction, keep_buffer_full, space } = self;
        let PassingSpace { scratch, chooser, next, .. } = &mut **space;
        next.clear();
        let in_state = (state, *keep_buffer_full);
        let mut polling = Polling { next, sink };
        reduction.expand_one(machine, in_state, (chooser, scratch), &mut polling) && next.leads_on()
    }
}

impl<M: MemorySystem, S: Sink> Sink for Outcomes<'_, M, S> {
    #[inline]
    fn successor(&mut self, way: Provenance, state: &[u64]) {
        if self.symmetry.is_trivial() && self.passing.is_none() {
            return self.sink.successor(way, state);
        }
        self.sorted.clear();
        self.sorted.extend_from_slice(state);
        self.sort();
        self.pass();
        self.sink.successor(way, self.sorted);
    }

    fn finding(&mut self, way: Provenance, finding: Finding) {
        self.sink.finding(way, finding);
    }

    fn blocked(&mut self, bound: Bound) {
        self.sink.blocked(bound);
    }

    fn passed(&mut self, actions: u64) {
        self.sink.passed(actions);
    }

    fn go_on(&mut self, bytes: u64) -> bool {
        self.sink.go_on(bytes)
    }
}

/// Takes the outcome of one action.
#[derive(Default)]
struct Only {
    state: Vec<u64>,
    states: u32,
    findings: Vec<(Provenance, Finding)>,
    is_blocked: bool,
    passed: u64,
}

impl Only {
    /// Whether there is one outcome, and no bound was met.
    fn leads_on(&self) -> bool {
        let several = is_on(Fault::OutcomesArePassed) || is_on(Fault::ChoicesArePassed);
        let is_one = self.states == 1 || (several && self.states > 1);
        is_one && (!self.is_blocked || is_on(Fault::BoundsArePassed))
    }

    fn clear(&mut self) {
        (self.states, self.is_blocked, self.passed) = (0, false, 0);
        self.findings.clear();
    }
}

/// Takes the outcome of one action, on behalf of a sink that knows the limits.
struct Polling<'n, S> {
    next: &'n mut Only,
    sink: &'n mut S,
}

impl<S: Sink> Sink for Polling<'_, S> {
    fn successor(&mut self, _: Provenance, state: &[u64]) {
        self.next.states += 1;
        self.next.state.clear();
        self.next.state.extend_from_slice(state);
    }

    fn finding(&mut self, way: Provenance, finding: Finding) {
        self.next.findings.push((way, finding));
    }

    fn blocked(&mut self, _: Bound) {
        self.next.is_blocked = true;
    }

    fn passed(&mut self, actions: u64) {
        self.next.passed += actions;
    }

    /// One action may be a long chain of transient states. Of those with several outcomes two are enough.
    fn go_on(&mut self, bytes: u64) -> bool {
        self.next.states < 2 && self.sink.go_on(bytes)
    }
}
