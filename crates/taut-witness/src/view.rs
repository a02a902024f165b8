//! The two ways to look at a state: as a process does, and as a property does.

use taut_ir::{Expr, Fault, LocId, ProcId, Program, RegId, VarId};

use crate::eval::{Scope, evaluate, position};
use crate::record::{Read, Source};
use crate::state::{Address, State};

/// A process's own view: its registers, its newest buffered store of each place, else memory.
pub(crate) struct OwnView<'a> {
    pub state: &'a State,
    pub process: ProcId,
    /// Everything read from shared or ghost variables, in order.
    pub reads: &'a mut Vec<Read>,
}

impl Scope for OwnView<'_> {
    fn register(&mut self, register: RegId, index: i64) -> Result<i64, Fault> {
        let values = &self.state.process(self.process).registers[register.index()];
        Ok(values[position(index, values.len())?])
    }

    fn variable(&mut self, var: VarId, index: i64) -> Result<i64, Fault> {
        let index = position(index, self.state.memory[var.index()].len())? as u32;
        let address = Address { var, index };
        let (value, from) = match self.state.process(self.process).buffer.newest(address) {
            Some(value) => (value, Source::Buffer),
            None => (self.state.value(address), Source::Memory),
        };
        self.reads.push(Read { address, value, from });
        Ok(value)
    }

    fn inside(&mut self, _: ProcId, _: &Expr) -> Result<i64, Fault> {
        unreachable!("validation keeps steps from looking at other processes")
    }

    fn at(&mut self, _: ProcId, _: &[LocId]) -> bool {
        unreachable!("validation keeps steps from looking at other processes")
    }

    fn drained(&mut self, _: ProcId) -> bool {
        unreachable!("validation keeps steps from looking at other processes")
    }
}

/// What properties see: memory, and every process from the inside.
pub(crate) struct Observer<'a> {
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
        if !self.state.process(process).started {
            return Ok(0);
        }
        evaluate(expr, &mut OwnView { state: self.state, process, reads: &mut Vec::new() })
    }

    fn at(&mut self, process: ProcId, locations: &[LocId]) -> bool {
        let state = self.state.process(process);
        state.started && locations.contains(&state.location)
    }

    fn drained(&mut self, process: ProcId) -> bool {
        let state = self.state.process(process);
        !state.started || state.buffer.is_empty()
    }
}

/// Whether a property's expression is true in a state. One that cannot be computed (a division by
/// zero, an index out of range) counts as false.
pub(crate) fn holds(expr: &Expr, state: &State) -> bool {
    evaluate(expr, &mut Observer { state }).is_ok_and(|value| value != 0)
}

/// The value of an expression in a process's own view, for explanations.
pub(crate) fn value_in(state: &State, process: ProcId, expr: &Expr) -> Result<i64, Fault> {
    evaluate(expr, &mut OwnView { state, process, reads: &mut Vec::new() })
}

/// The line-up of what an expression reads: its outermost variables, registers and questions about
/// processes, left to right and without repetition.
pub(crate) fn atoms(expr: &Expr) -> Vec<&Expr> {
    let mut found = Vec::new();
    collect_atoms(expr, &mut found);
    found
}

fn collect_atoms<'e>(expr: &'e Expr, found: &mut Vec<&'e Expr>) {
    let is_atom =
        !matches!(expr, Expr::Const(_) | Expr::Unary(..) | Expr::Binary(..) | Expr::Cond(..));
    if is_atom && !found.contains(&expr) {
        found.push(expr);
    }
    if !matches!(expr, Expr::In(..)) {
        expr.operands().into_iter().for_each(|operand| collect_atoms(operand, found));
    }
}

/// Whether an atom asks something about a process that is true or false.
pub(crate) fn is_question(expr: &Expr) -> bool {
    matches!(expr, Expr::At(..) | Expr::Drained(_))
}

/// Whether a process is at a location where it may stop for ever.
pub(crate) fn may_stop(program: &Program, state: &State, process: ProcId) -> bool {
    let at = state.process(process);
    !at.started || program.def_of(process).locations[at.location.index()].end
}
