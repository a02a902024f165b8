//! Calls and returns.

use taut_memory::{Field, MemorySystem};

use super::code::{Code, FirstFault, NoValue};
use super::destination::Fit;
use super::layout::Stack;
use super::stop::Stop;
use super::{Bound, CompiledProcess, Machine};

/// A call with everything resolved.
pub(crate) struct Call {
    pub(crate) stack: Stack,
    pub(crate) return_to: u64,
    pub(crate) entry: u64,
    /// The procedure's own registers and their bits at the start; the parameters come first.
    pub(crate) own: Vec<(Field, u64)>,
    pub(crate) args: Vec<(Code, Fit)>,
}

/// A return with everything resolved.
pub(crate) struct Return {
    pub(crate) stack: Stack,
    /// The procedure's own registers, to be restored.
    pub(crate) own: Vec<Field>,
    /// What to add to a program point to get the bits of `pc`.
    pub(crate) pc_offset: u64,
}

/// Goes into a procedure.
pub(crate) fn enter<M: MemorySystem>(
    machine: &Machine<M>,
    process: &CompiledProcess,
    call: &Call,
    next: &mut [u64],
) -> Result<(), Stop> {
    let depth = call.stack.depth.bits(next);
    let frame = call.stack.frames.get(depth as usize).ok_or(Stop::Blocked(Bound::Calls))?;
    let value = |(code, _): &(Code, Fit)| code.eval(&machine.memory, next);
    let values: Vec<i64> = call.args.iter().map(value).collect::<Result<_, NoValue>>()?;
    frame.return_to.set_bits(next, call.return_to);
    for ((own, start), saved) in call.own.iter().zip(&frame.saved) {
        saved.set_bits(next, own.bits(next));
        own.set_bits(next, *start);
    }
    for (((param, _), (_, fit)), value) in call.own.iter().zip(&call.args).zip(values) {
        let mut fault = FirstFault::default();
        let value = fit.apply(value, &mut fault);
        fault.check()?;
        param.set(next, value);
    }
    call.stack.depth.set_bits(next, depth + 1);
    process.pc.set_bits(next, call.entry);
    Ok(())
}

/// Goes back to the caller.
pub(crate) fn leave(process: &CompiledProcess, ret: &Return, next: &mut [u64]) {
    let depth = ret.stack.depth.bits(next) - 1;
    let frame = &ret.stack.frames[depth as usize];
    process.pc.set_bits(next, frame.return_to.bits(next) + ret.pc_offset);
    frame.return_to.set_bits(next, 0);
    for (own, saved) in ret.own.iter().zip(&frame.saved) {
        own.set_bits(next, saved.bits(next));
    }
    frame.saved.iter().for_each(|saved| saved.set_bits(next, 0));
    ret.stack.depth.set_bits(next, depth);
}
