//! A state as a property sees it: what is true in it, and what is wrong with it.

use taut_ir::{
    Atom, EventState, EventTrace, Expr, Fault, Finding, PointId, ProcId, PropId, PropertyKind,
    RegId, VarId,
};
use taut_ltl::MOST_BITS;

use crate::address::Address;
use crate::eval::{Contents, Scope, evaluate, position};
use crate::machine::Machine;
use crate::outcome::Successors;
use crate::record::Read;
use crate::state::State;
use crate::view::{self, OwnView};

/// What properties see: memory, and every process from the inside. What a process can do next is no part of
/// the state: it takes the machine to tell.
pub(crate) struct Observer<'a> {
    pub machine: Machine<'a>,
    pub state: &'a State,
}

impl Scope for Observer<'_> {
    fn register(&mut self, _: RegId, _: i64) -> Result<i64, Fault> {
        unreachable!("validation keeps properties from naming registers without a process")
    }

    fn variable(&mut self, var: VarId, index: i64) -> Result<i64, Fault> {
        let values = &self.state.memory[var.index()];
        Ok(values[position(index, values.len())?])
    }

    fn inside(&mut self, process: ProcId, expr: &Expr) -> Result<i64, Fault> {
        view::inside(self.machine.program, self.state, process, expr)
    }

    fn at(&mut self, process: ProcId, points: &[PointId]) -> bool {
        view::is_at(self.state, process, points)
    }

    fn drained(&mut self, process: ProcId) -> bool {
        let state = self.state.process(process);
        !state.started || state.buffer.is_empty()
    }

    fn enabled(&mut self, process: ProcId) -> bool {
        self.machine.enables(self.state, process)
    }

    fn pid(&mut self) -> i64 {
        unreachable!("validation keeps properties from asking for a pid without a process")
    }

    fn processes(&mut self) -> i64 {
        self.state.living() as i64
    }

    fn alive(&mut self, process: ProcId) -> bool {
        self.state.process(process).started
    }

    fn timeout(&mut self) -> bool {
        unreachable!("validation keeps properties from asking for a timeout")
    }

    fn channel(&mut self, value: i64) -> Result<Contents, Fault> {
        view::contents(self.machine.program, self.state, value)
    }
}

/// What a property asks of states, and the answer that violates it. What is asked of steps and of runs cannot be seen in a
/// state.
pub fn condition(kind: &PropertyKind) -> Option<(&Expr, bool)> {
    match kind {
        PropertyKind::Assert | PropertyKind::Ltl(_) | PropertyKind::Never(_) => None,
        PropertyKind::Forbid(bad) | PropertyKind::Cover(bad) => Some((bad, true)),
        PropertyKind::Invariant(good) => Some((good, false)),
    }
}

impl<'p> Machine<'p> {
    /// What is wrong with a state: forbidden or not invariant, or a deadlock. What goes wrong in a
    /// step is an [`crate::Outcome`] or in the [`crate::Record`] of that step instead. Nothing is wrong with a state
    /// in which a process holds the others: nobody looks at it.
    pub fn findings(&self, state: &State) -> Vec<Finding> {
        self.findings_before(state, &self.successors(state))
    }

    /// The same, for a caller that knows already what can happen in the state.
    pub fn findings_before(&self, state: &State, next: &Successors) -> Vec<Finding> {
        if state.holder.is_some() {
            return Vec::new();
        }
        let violated = self.program.property_ids().filter(|&id| self.violates(state, id));
        let mut all: Vec<_> = violated.map(Finding::Property).collect();
        let all_may_stop = self.program.process_ids().all(|p| self.may_stop(state, p));
        let may_stop = all_may_stop && self.unfinished_trace(state).is_none();
        if next.is_nothing() && !may_stop {
            all.push(Finding::Deadlock);
        }
        all
    }

    fn violates(&self, state: &State, id: PropId) -> bool {
        let condition = condition(&self.program.property(id).kind);
        condition.is_some_and(|(expr, bad)| self.holds(state, expr) == bad)
    }

    /// Whether a property's expression is true in a state. One that cannot be computed (a division by
    /// zero, an index out of range) counts as false.
    pub(crate) fn holds(&self, state: &State, expr: &Expr) -> bool {
        self.value(state, expr).is_ok_and(|value| value != 0)
    }

    /// The truth of the atoms of a temporal property in a state: bit *i* is that of atom *i*.
    pub fn valuation(&self, state: &State, atoms: &[Atom]) -> u64 {
        let numbered = atoms.iter().take(MOST_BITS).enumerate();
        let holding = numbered.filter(|(_, atom)| self.holds(state, &atom.expr));
        holding.fold(0, |word, (i, _)| word | 1 << i)
    }

    /// The value of a property's expression in a state.
    pub fn value(&self, state: &State, expr: &Expr) -> Result<i64, Fault> {
        evaluate(expr, &mut Observer { machine: *self, state })
    }

    /// The value of an expression in a process's own view.
    pub fn value_in(&self, state: &State, process: ProcId, expr: &Expr) -> Result<i64, Fault> {
        view::value_in(self.program, state, process, expr)
    }

    /// Everything that a process reads of shared and ghost variables to compute an expression in its own view, in
    /// order, up to the first fault.
    pub fn reads_in(&self, state: &State, process: ProcId, expr: &Expr) -> Vec<Read> {
        let (program, timeout, mut reads) = (self.program, false, Vec::new());
        let view = &mut OwnView { program, state, process, timeout, reads: &mut reads };
        // A fault ends the computation; what was read before it was read.
        let _ = evaluate(expr, view);
        reads
    }

    /// The value of an expression in the guard of a process that waits where nothing else can happen: a timeout is due.
    pub fn value_at_timeout(
        &self,
        state: &State,
        process: ProcId,
        expr: &Expr,
    ) -> Result<i64, Fault> {
        let (program, timeout, reads) = (self.program, true, &mut Vec::new());
        evaluate(expr, &mut OwnView { program, state, process, timeout, reads })
    }

    /// The trace assertion with its state, if a process lives and the assertion may not end in that state.
    pub fn unfinished_trace(&self, state: &State) -> Option<(&'p EventTrace, &'p EventState)> {
        let trace = self.program.event_trace.as_ref()?;
        let number = state.value(Address { var: trace.state, index: 0 });
        let at = usize::try_from(number).ok().and_then(|number| trace.states.get(number))?;
        (state.living() > 0 && !at.may_end).then_some((trace, at))
    }

    /// Whether a process is at a program point where it may stop for ever.
    pub fn may_stop(&self, state: &State, process: ProcId) -> bool {
        let at = state.process(process);
        !at.started || self.program.def_of(process).points[at.point.index()].end
    }
}
