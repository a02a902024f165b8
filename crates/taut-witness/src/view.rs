//! A state as a process sees it.

use taut_ir::{ChanId, Expr, Fault, PointId, ProcId, Program, RegId, VarId};

use crate::address::Address;
use crate::eval::{Contents, Scope, evaluate, position};
use crate::record::{Read, Source};
use crate::state::State;

/// A process's own view: its registers, its newest buffered store of each place, else memory.
pub(crate) struct OwnView<'a> {
    pub program: &'a Program,
    pub state: &'a State,
    pub process: ProcId,
    /// Whether nothing else can happen.
    pub timeout: bool,
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

    fn inside(&mut self, process: ProcId, expr: &Expr) -> Result<i64, Fault> {
        inside(self.program, self.state, process, expr)
    }

    fn at(&mut self, process: ProcId, points: &[PointId]) -> bool {
        is_at(self.state, process, points)
    }

    fn drained(&mut self, _: ProcId) -> bool {
        unreachable!("validation keeps steps from looking at the buffers of other processes")
    }

    fn enabled(&mut self, _: ProcId) -> bool {
        unreachable!("validation keeps steps from asking what others can do")
    }

    fn pid(&mut self) -> i64 {
        i64::from(self.state.process(self.process).pid)
    }

    fn processes(&mut self) -> i64 {
        self.state.living() as i64
    }

    fn alive(&mut self, process: ProcId) -> bool {
        self.state.process(process).started
    }

    fn timeout(&mut self) -> bool {
        self.timeout
    }

    fn channel(&mut self, value: i64) -> Result<Contents, Fault> {
        contents(self.program, self.state, value)
    }
}

/// An expression as another process sees it; 0 if that one does not live.
pub(crate) fn inside(
    program: &Program,
    state: &State,
    process: ProcId,
    expr: &Expr,
) -> Result<i64, Fault> {
    if !state.process(process).started {
        return Ok(0);
    }
    value_in(program, state, process, expr)
}

/// Whether a process lives and is at one of these program points.
pub(crate) fn is_at(state: &State, process: ProcId, points: &[PointId]) -> bool {
    let state = state.process(process);
    state.started && points.contains(&state.point)
}

/// The channel that a value names, with its messages.
pub(crate) fn contents(program: &Program, state: &State, value: i64) -> Result<Contents, Fault> {
    let id = ChanId::of_value(value, program.channels.len()).ok_or(Fault::Channel)?;
    let capacity = program.channel(id).capacity as usize;
    Ok(Contents { capacity, messages: state.channel(id).to_vec() })
}

/// The value of an expression in a process's own view, where it does not matter what it reads and it is no
/// guard that a timeout could concern.
pub(crate) fn value_in(
    program: &Program,
    state: &State,
    process: ProcId,
    expr: &Expr,
) -> Result<i64, Fault> {
    let reads = &mut Vec::new();
    evaluate(expr, &mut OwnView { program, state, process, timeout: false, reads })
}
