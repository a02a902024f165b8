//! Reductions: states that need not be visited because what happens in them happens in others as well.

mod choose;
mod closure;
mod flow;
mod objects;
mod scene;
mod sight;
pub mod simplify;
mod tables;
mod touch;

use taut_ir::{Expr, Finding, MemoryModel, ProcId, Program};
use taut_memory::MemorySystem;

pub(crate) use choose::Chooser;
use objects::Numbering;
use sight::Sight;
use tables::Table;
use touch::Subject;

use crate::machine::{Bound, Machine, Scratch, Sink, Way};

/// What stubborn sets of a program are computed from.
pub(crate) struct Reduction {
    numbering: Numbering,
    /// By process.
    tables: Vec<Table>,
    /// For runs: states in which a loop of the code may be closed, or something visible happen, are expanded in
    /// full.
    for_runs: bool,
    /// Whether it is still to be found out that a buffer can be full.
    minds_full: bool,
}

/// What became of expanding a state.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Expanded {
    /// Whether anything can happen, be it but for a bound.
    pub(crate) alive: bool,
    /// Whether something that can happen was left out.
    pub(crate) in_part: bool,
}

impl Reduction {
    /// For a search that looks at expressions over states; `None` if the program is too large.
    pub(crate) fn new<'e, M: MemorySystem>(
        program: &Program,
        machine: &Machine<M>,
        model: MemoryModel,
        looks: impl IntoIterator<Item = &'e Expr>,
    ) -> Option<Reduction> {
        let has_end = |l: &taut_ir::Location| l.atomic && l.end;
        if program.processes.len() > 64
            || program.defs.iter().flat_map(|d| &d.locations).any(has_end)
        {
            return None;
        }
        let numbering = Numbering::new(program, machine.places())?;
        let sight = Sight::new(program, machine.places(), &numbering, looks);
        let subject = Subject { program, machine, model, numbering: &numbering, sight: &sight };
        let tables = machine.processes.iter().map(|p| tables::table(&subject, p)).collect();
        Some(Reduction { numbering, tables, for_runs: false, minds_full: true })
    }

    /// The same for runs.
    pub(crate) fn for_runs(self) -> Reduction {
        Reduction { for_runs: true, ..self }
    }

    /// Follows a stubborn set of a state, if there is one that leaves something out; whether it did. If not, the
    /// state is to be expanded in full.
    pub(crate) fn expand<M: MemorySystem>(
        &self,
        machine: &Machine<M>,
        state: &[u64],
        (chooser, scratch): (&mut Chooser, &mut Scratch),
        sink: &mut impl Sink,
    ) -> bool {
        if machine.moves_alone(state).is_some() {
            return false;
        }
        let Some(chosen) = chooser.choose(self, machine, state) else { return false };
        let commits = |p: ProcId, place| chosen.has_commit(p.index(), self.numbering.place(place));
        let steps = |p: ProcId| chosen.has_steps(p.index());
        let mut counted = Counted { sink, successors: 0 };
        machine.expand_some(state, (steps, commits), scratch, &mut counted);
        counted.successors > 0
    }
}

/// Expands the states of one search, in part where a reduction allows it.
pub(crate) struct Reducer<'m, M> {
    machine: &'m Machine<M>,
    reduction: Option<Reduction>,
    chooser: Chooser,
    /// States expanded, and those that only a part was followed of in the end.
    pub(crate) expanded: u64,
    pub(crate) in_part: u64,
}

impl<'m, M: MemorySystem> Reducer<'m, M> {
    pub(crate) fn new(machine: &'m Machine<M>, reduction: Option<Reduction>) -> Reducer<'m, M> {
        Reducer { machine, reduction, chooser: Chooser::default(), expanded: 0, in_part: 0 }
    }

    /// From now on it is known that a buffer can be full.
    pub(crate) fn forget_full(&mut self) {
        if let Some(reduction) = &mut self.reduction {
            reduction.minds_full = false;
        }
    }

    /// Calls the sink with enough of what can happen in a state.
    pub(crate) fn expand(
        &mut self,
        state: &[u64],
        scratch: &mut Scratch,
        sink: &mut impl Sink,
    ) -> Expanded {
        self.expanded += 1;
        if let Some(reduction) = &self.reduction
            && reduction.expand(self.machine, state, (&mut self.chooser, scratch), sink)
        {
            self.in_part += 1;
            return Expanded { alive: true, in_part: true };
        }
        Expanded { alive: self.machine.expand(state, scratch, sink), in_part: false }
    }

    /// Calls the sink with everything that can happen in a state of which a part was followed.
    pub(crate) fn complete(&mut self, state: &[u64], scratch: &mut Scratch, sink: &mut impl Sink) {
        self.expanded += 1;
        self.in_part -= 1;
        self.machine.expand(state, scratch, sink);
    }
}

/// Counts the states that follow.
struct Counted<'s, S> {
    sink: &'s mut S,
    successors: u64,
}

impl<S: Sink> Sink for Counted<'_, S> {
    fn successor(&mut self, way: Way, state: &[u64]) {
        self.successors += 1;
        self.sink.successor(way, state);
    }

    fn finding(&mut self, way: Way, finding: Finding) {
        self.sink.finding(way, finding);
    }

    fn held(&mut self, bound: Bound) {
        self.sink.held(bound);
    }

    fn passed(&mut self, actions: u64) {
        self.sink.passed(actions);
    }

    fn go_on(&mut self, bytes: u64) -> bool {
        self.sink.go_on(bytes)
    }
}
