//! Why an action cannot happen.

use taut_ir::{ProcId, Program};

use crate::state::Address;
use crate::text;

/// Why an action cannot happen in a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Refusal {
    /// The program has no such process.
    NoSuchProcess,
    /// The process's definition has no such step.
    NoSuchStep,
    /// The program has no such variable or element.
    NoSuchPlace,
    /// The process waits to be spawned.
    NotStarted,
    /// The step starts from another location.
    NotAtSource,
    /// Another process is at an atomic location.
    OtherIsAtomic(ProcId),
    /// A process is at an atomic location, so nothing commits.
    NoCommitInAtomic(ProcId),
    /// The step needs the process's own buffer empty.
    OwnBufferNotEmpty,
    /// The step needs all buffers empty, and this process's is not.
    BufferNotEmpty(ProcId),
    /// The guard is false.
    GuardFalse,
    /// Bound: the step stores to this place and the buffer is full.
    BufferFull(Address),
    /// Bound: no process waits to be spawned.
    NoThreadLeft,
    /// Bound: as many calls are open as may be.
    CallsTooDeep,
    /// The step returns and no call is open.
    NothingToReturnTo,
    /// The process has no store to this place in its buffer.
    NothingToCommit(Address),
    /// TSO: a store to another place is older.
    OlderStore(Address),
    /// PSO: an `sfence` stands between the store and older ones.
    BehindStoreFence(Address),
}

impl Refusal {
    /// Whether only a bound of the search stands in the way, not the program.
    pub fn is_bound(self) -> bool {
        matches!(self, Refusal::BufferFull(_) | Refusal::NoThreadLeft | Refusal::CallsTooDeep)
    }

    /// The reason in words that follow "… cannot happen:".
    pub fn describe(self, program: &Program) -> String {
        let name = |p: ProcId| program.process(p).name.as_str();
        let place = |a: Address| text::address(program, a);
        match self {
            Refusal::NoSuchProcess => "the program has no such process".into(),
            Refusal::NoSuchStep => "the process has no such step".into(),
            Refusal::NoSuchPlace => "the program has no such variable".into(),
            Refusal::NotStarted => "it has not been started".into(),
            Refusal::NotAtSource => "it is somewhere else".into(),
            Refusal::OtherIsAtomic(p) => format!("{} is in an atomic section", name(p)),
            Refusal::NoCommitInAtomic(p) => {
                format!("nothing commits while {} is in an atomic section", name(p))
            }
            Refusal::OwnBufferNotEmpty => "its buffer is not empty".into(),
            Refusal::BufferNotEmpty(p) => format!("the buffer of {} is not empty", name(p)),
            Refusal::GuardFalse => "its guard is false".into(),
            Refusal::BufferFull(a) => {
                format!("its buffer has no room for a store to `{}`", place(a))
            }
            Refusal::NoThreadLeft => "no process is left to be spawned".into(),
            Refusal::CallsTooDeep => {
                format!("{} calls are open and no more are allowed", program.call_depth)
            }
            Refusal::NothingToReturnTo => "no call is open".into(),
            Refusal::NothingToCommit(a) => {
                format!("its buffer holds no store to `{}`", place(a))
            }
            Refusal::OlderStore(a) => format!("its store to `{}` is older", place(a)),
            Refusal::BehindStoreFence(a) => {
                format!("an sfence holds its store to `{}` back behind older ones", place(a))
            }
        }
    }
}
