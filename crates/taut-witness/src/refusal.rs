//! Why an action cannot happen.

use taut_ir::{ChanId, ProcId, Program, StepId};

use crate::address::Address;
use crate::text;

/// Why an action cannot happen in a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Refusal {
    /// The program has no such process.
    NoSuchProcess,
    /// The process's definition has no such step.
    NoSuchStep,
    /// The loads of the action have no such outcome.
    NoSuchChoice,
    /// The program has no such variable or element.
    NoSuchPlace,
    /// The process waits to be spawned, or is gone.
    NotStarted,
    /// The step starts from another program point.
    NotAtSource,
    /// Another process is at an atomic program point.
    OtherIsAtomic(ProcId),
    /// A process is at an atomic program point, so nothing commits.
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
    /// The step is an exit, and a younger process lives.
    NotYoungest,
    /// Another step of the process comes first.
    Yields {
        /// The process.
        process: ProcId,
        /// The step that comes first.
        to: StepId,
    },
    /// Another process holds all others.
    Held(ProcId),
    /// A process holds all others, so nothing commits.
    NoCommitWhileHeld(ProcId),
    /// This process has a higher priority and could take a step.
    Outranked(ProcId),
    /// A send finds no room in the channel.
    ChannelFull(ChanId),
    /// A receive finds no message in the channel.
    ChannelEmpty(ChanId),
    /// A receive finds only messages in the channel that it does not want.
    NoMatch(ChanId),
    /// The step sends to or receives from a channel of capacity 0, which takes two.
    NeedsPartner(ChanId),
    /// The sender's step in a rendezvous is no send on a channel of capacity 0.
    NoRendezvous,
    /// Sender and receiver in a rendezvous are the same process.
    OwnPartner,
    /// The receiver in a rendezvous cannot receive from this channel now.
    PartnerNotReady(ProcId),
    /// The receiver in a rendezvous wants another message.
    PartnerWantsOther(ProcId),
    /// The action needs a timeout, and something else can happen.
    TimeoutNotDue,
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
        let channel = |c: ChanId| program.channel(c).name.as_str();
        match self {
            Refusal::NoSuchProcess => "the program has no such process".into(),
            Refusal::NoSuchStep => "the process has no such step".into(),
            Refusal::NoSuchChoice => "its loads have no such outcome".into(),
            Refusal::NoSuchPlace => "the program has no such variable".into(),
            Refusal::NotStarted => "it does not run".into(),
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
            Refusal::NotYoungest => "a younger process lives".into(),
            Refusal::Yields { process, to } => {
                format!("it yields to `{}`", text::step(program, process, to))
            }
            Refusal::Held(p) => format!("{} goes on and holds all others", name(p)),
            Refusal::NoCommitWhileHeld(p) => {
                format!("nothing commits while {} goes on and holds all others", name(p))
            }
            Refusal::Outranked(p) => {
                format!("{} has a higher priority and could take a step", name(p))
            }
            Refusal::ChannelFull(c) => format!("channel `{}` is full", channel(c)),
            Refusal::ChannelEmpty(c) => format!("channel `{}` is empty", channel(c)),
            Refusal::NoMatch(c) => {
                format!("channel `{}` offers no message that matches", channel(c))
            }
            Refusal::NeedsPartner(c) => {
                format!("it needs a partner at the other end of channel `{}`", channel(c))
            }
            Refusal::NoRendezvous => "it is no send on a channel of capacity 0".into(),
            Refusal::OwnPartner => "nobody can be their own partner".into(),
            Refusal::PartnerNotReady(p) => format!("{} is not ready to receive it", name(p)),
            Refusal::PartnerWantsOther(p) => format!("{} wants another message", name(p)),
            Refusal::TimeoutNotDue => "its timeout is not due: something else can happen".into(),
        }
    }
}
