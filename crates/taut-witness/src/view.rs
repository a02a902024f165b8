//! The two ways to look at a state: as a process does, and as a property does.

use taut_ir::{
    ChanId, ChannelQuery, EventState, EventTrace, Expr, Fault, PointId, ProcId, Program, RegId,
    VarId,
};

use crate::eval::{Contents, Scope, evaluate, position};
use crate::machine::Machine;
use crate::record::{Read, Source};
use crate::state::{Address, State};

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
fn inside(program: &Program, state: &State, process: ProcId, expr: &Expr) -> Result<i64, Fault> {
    if !state.process(process).started {
        return Ok(0);
    }
    value_in(program, state, process, expr)
}

fn is_at(state: &State, process: ProcId, points: &[PointId]) -> bool {
    let state = state.process(process);
    state.started && points.contains(&state.point)
}

fn contents(program: &Program, state: &State, value: i64) -> Result<Contents, Fault> {
    let id = ChanId::of_value(value, program.channels.len()).ok_or(Fault::Channel)?;
    let capacity = program.channel(id).capacity as usize;
    Ok(Contents { capacity, messages: state.channel(id).to_vec() })
}

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
        inside(self.machine.program, self.state, process, expr)
    }

    fn at(&mut self, process: ProcId, points: &[PointId]) -> bool {
        is_at(self.state, process, points)
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
        contents(self.machine.program, self.state, value)
    }
}

/// Whether a property's expression is true in a state. One that cannot be computed (a division by
/// zero, an index out of range) counts as false.
pub(crate) fn holds(machine: Machine<'_>, expr: &Expr, state: &State) -> bool {
    evaluate(expr, &mut Observer { machine, state }).is_ok_and(|value| value != 0)
}

/// The value of an expression in a process's own view, where nobody cares what it reads and it is no
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

/// Whether an atom asks something that is true or false.
pub(crate) fn is_question(expr: &Expr) -> bool {
    matches!(
        expr,
        Expr::At(..)
            | Expr::Drained(_)
            | Expr::Enabled(_)
            | Expr::Alive(_)
            | Expr::Timeout
            | Expr::Poll(_)
            | Expr::Channel(ChannelQuery::Full | ChannelQuery::Empty, _)
    )
}

/// The trace assertion with its state, if a process lives and the assertion may not end in that state.
pub(crate) fn unfinished_trace<'p>(
    program: &'p Program,
    state: &State,
) -> Option<(&'p EventTrace, &'p EventState)> {
    let trace = program.event_trace.as_ref()?;
    let number = state.value(Address { var: trace.state, index: 0 });
    let at = usize::try_from(number).ok().and_then(|number| trace.states.get(number))?;
    (state.living() > 0 && !at.may_end).then_some((trace, at))
}

/// Whether a process is at a program point where it may stop for ever.
pub(crate) fn may_stop(program: &Program, state: &State, process: ProcId) -> bool {
    let at = state.process(process);
    !at.started || program.def_of(process).points[at.point.index()].end
}
