//! What a step does, as writes to the packed words.

use taut_ir::{BinaryOp, ProcId};
use taut_memory::{Field, MemorySystem};

use super::decision::Decision;
use super::test::{Test, Truth};
use crate::Machine;
use crate::code::{Code, FirstFault};
use crate::destination::{Destination, Fit, assign};

/// One thing that a step does to its outcome.
#[derive(Debug)]
pub(crate) enum Write {
    /// New values for some fields of one word: constants, and numbers added to what is there.
    Patch(Patch),
    /// What must hold if the step is to go well.
    Expect(Test),
    /// A field and its new value.
    Set(Field, Code, Fit),
    /// Any other assignment.
    Assign(Destination, Code),
    Assert(Decision),
    StoreFence,
    /// Puts a message behind the last one of a channel with room.
    Append {
        channel: u32,
        message: Box<[Code]>,
        fits: bool,
    },
    /// Takes the first message out of a channel.
    RemoveFirst {
        channel: u32,
    },
    /// Something that is left to the trees.
    GiveUp,
}

/// `word & keep + add`: fields that get a constant are cleared and added to, others are added to. No field
/// overflows, so nothing is carried from one to the next.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Patch {
    word: u32,
    keep: u64,
    add: u64,
}

impl Patch {
    #[inline(always)]
    pub(super) fn apply(self, state: &mut [u64]) {
        let word = &mut state[self.word as usize];
        *word = (*word & self.keep).wrapping_add(self.add);
    }
}

impl Write {
    /// Does it. False if that does not go well; then the state is anything.
    #[inline]
    pub(crate) fn run<M: MemorySystem>(
        &self,
        machine: &Machine<M>,
        process: ProcId,
        next: &mut [u64],
    ) -> bool {
        match self {
            Write::Patch(patch) => patch.apply(next),
            Write::Expect(test) => return test.holds(next),
            Write::Set(field, code, fit) => {
                let mut fault = FirstFault::default();
                let value = code.value(&machine.memory, next, &mut fault);
                let value = fit.apply(value, &mut fault);
                if !fault.is_none() {
                    return false;
                }
                field.set(next, value);
            }
            _ => return self.run_rare(machine, process, next),
        }
        true
    }

    fn run_rare<M: MemorySystem>(
        &self,
        machine: &Machine<M>,
        process: ProcId,
        next: &mut [u64],
    ) -> bool {
        match self {
            Write::Assign(destination, code) => {
                let mut fault = FirstFault::default();
                let value = code.value(&machine.memory, next, &mut fault);
                fault.is_none()
                    && assign(&machine.memory, process, destination, value, next).is_ok()
            }
            Write::Assert(condition) => condition.decide(&machine.memory, next) == Some(true),
            Write::StoreFence => {
                machine.memory.store_fence(next, process);
                true
            }
            Write::Append { channel, message, fits } => {
                append(machine, *channel as usize, message, *fits, next)
            }
            Write::RemoveFirst { channel } => {
                machine.channels[*channel as usize].remove(next, 0);
                true
            }
            Write::GiveUp => false,
            Write::Patch(_) | Write::Expect(_) | Write::Set(..) => {
                unreachable!("done by the caller")
            }
        }
    }
}

/// Sending is the first thing a step does, so that the values are computed in the state before.
fn append<M: MemorySystem>(
    machine: &Machine<M>,
    channel: usize,
    message: &[Code],
    fits: bool,
    next: &mut [u64],
) -> bool {
    let mut fault = FirstFault::default();
    machine.channels[channel].append(next, |state, field, ty| {
        let Some(code) = message.get(field) else { return 0 };
        let value = code.value(&machine.memory, state, &mut fault);
        if fits { value } else { fault.fit(ty, value) }
    });
    fault.is_none()
}

/// A list of writes that grows at its end.
#[derive(Default)]
pub(crate) struct Writes {
    /// Each with the bits that it touches of its word, for a patch.
    list: Vec<(Write, u64)>,
}

impl Writes {
    pub(crate) fn push(&mut self, write: Write) {
        self.list.push((write, 0));
    }

    /// The list, and the patches at its end.
    pub(crate) fn finish(self) -> (Box<[Write]>, Box<[Patch]>) {
        let mut writes: Vec<Write> = self.list.into_iter().map(|(write, _)| write).collect();
        let is_other = |write: &Write| !matches!(write, Write::Patch(_));
        let at = writes.iter().rposition(is_other).map_or(0, |last| last + 1);
        let patch = |write| match write {
            Write::Patch(patch) => Some(patch),
            _ => None,
        };
        let patches = writes.drain(at..).filter_map(patch).collect();
        (writes.into(), patches)
    }

    /// Gives a field a constant, as bits.
    pub(crate) fn set_bits(&mut self, field: Field, bits: u64) {
        debug_assert!(bits.leading_zeros() >= u64::BITS - field.width(), "{bits} in {field:?}");
        let mask = field.mask_in_word();
        self.patch(Patch { word: field.word(), keep: !mask, add: field.in_word(bits) }, mask);
    }

    /// An assignment.
    pub(crate) fn assign(&mut self, destination: Destination, value: Code) {
        match (destination, value) {
            (Destination::Field(field, Fit::Fits), Code::Const(value)) => {
                self.set_bits(field, value.wrapping_sub(field.interval().lo) as u64);
            }
            (Destination::Field(field, fit), value) => {
                if !self.try_add(field, fit, &value) {
                    self.push(Write::Set(field, value, fit));
                }
            }
            (destination, value) => self.push(Write::Assign(destination, value)),
        }
    }

    /// Adds a number to a field, if that is what an assignment to it does.
    fn try_add(&mut self, field: Field, fit: Fit, value: &Code) -> bool {
        let by = match *value {
            Code::Compute { field: of, op: BinaryOp::Add, number } if of == field => number,
            Code::Compute { field: of, op: BinaryOp::Sub, number } if of == field => {
                number.wrapping_neg()
            }
            _ => return false,
        };
        let expected = match fit {
            Fit::Fits => Some(Truth::Always),
            Fit::Into(ty) => {
                let (lo, hi) = (ty.lo.checked_sub(by), ty.hi.checked_sub(by));
                lo.zip(hi).and_then(|(lo, hi)| Truth::within(field, lo, hi))
            }
        };
        match expected {
            Some(Truth::Always) => {}
            Some(Truth::If(test)) => self.push(Write::Expect(test)),
            Some(Truth::Never) | None => return false,
        }
        let patch = Patch { word: field.word(), keep: u64::MAX, add: field.in_word(by as u64) };
        self.patch(patch, field.mask_in_word());
        true
    }

    /// Adds a patch, to an earlier one of the same word where nothing between them can tell.
    fn patch(&mut self, patch: Patch, mask: u64) {
        if mask == 0 {
            return;
        }
        for (write, touched) in self.list.iter_mut().rev() {
            match write {
                Write::Patch(earlier) if earlier.word != patch.word => {}
                Write::Patch(earlier) if *touched & mask == 0 => {
                    earlier.keep &= patch.keep;
                    earlier.add = earlier.add.wrapping_add(patch.add);
                    *touched |= mask;
                    return;
                }
                Write::Expect(test) if test.word != patch.word || test.mask & mask == 0 => {}
                _ => break,
            }
        }
        self.list.push((Write::Patch(patch), mask));
    }
}
