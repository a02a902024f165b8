//! Steps: the edges of a process's control-flow graph.
//!
//! A step can be taken when its process is at its source, its guard is true, its [`Mode`] finds the
//! buffers empty that it needs empty, its channel is ready, and no step that it yields to can be taken. Its effects then happen one after the other, at once for every
//! other process: later effects see earlier ones, nobody else sees anything in between.

use crate::{ChannelOp, DefId, Expr, Fault, Lvalue, PointId, ProcedureId, PropId, Span, StepId};

/// An edge of a process's control-flow graph.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Step {
    /// Where the process must be.
    pub source: PointId,
    /// What must be true; in the process's own view.
    pub guard: Expr,
    /// Which buffers must be empty, and where stores go.
    pub mode: Mode,
    /// What happens, in this order.
    pub effects: Vec<Effect>,
    /// Where the process goes.
    pub target: Control,
    /// Where it stands in the source.
    pub span: Span,
    /// How the source says it, where that differs from the Taut language; reports show this.
    pub text: Option<String>,
    /// What it does with a channel, before its effects.
    pub channel: Option<ChannelOp>,
    /// Steps of the same source that come first: this one can be taken only if none of them can. Of those,
    /// only what stands in their way before they are taken counts (their mode, guard and channel, what
    /// they yield to, an exit that must wait), not what holds them back then (a full buffer, no process to
    /// spawn); one whose guard faults counts as one that can be taken. The send of a rendezvous counts if
    /// some process is ready to receive the message. The receive of one never counts, except against
    /// another receive: in a rendezvous, the receiver's step is out if one that it yields to would receive
    /// the same message. Never in a circle. `else` and `unless` are made of this.
    pub yields_to: Vec<StepId>,
    /// After it the process *holds* the others: as long as it can go on, nobody else moves and nothing
    /// commits. As soon as it cannot, it holds nobody. States in which a process holds others are passed
    /// through, not stored or counted, and properties over states do not look at them. After a rendezvous
    /// the receiver's step decides, and it is the receiver who holds.
    pub holds: bool,
    /// Under TSO and PSO the step waits until the process's own buffer is empty, as a fence does; with delayed
    /// writes it does not. The sends of Promela and DVE models do this: the locked instruction or the system
    /// call behind a channel drains the store buffer. So does the failure of a `d_step` at such a send.
    pub drains: bool,
    /// The source asks for one step, whatever its accesses: [`crate::granularity`] does not split it.
    pub whole: bool,
}

/// How a step stands to store buffers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Mode {
    /// Needs nothing; stores go to the process's own buffer.
    Plain,
    /// Waits until the process's own buffer is empty; stores go to the buffer. With no effects, this is
    /// an `mfence`.
    Fence,
    /// Waits until all buffers of all processes are empty; stores go to the buffer.
    Sync,
    /// Waits until the process's own buffer is empty; reads and stores act on memory at once. This is a
    /// read-modify-write.
    Locked,
}

/// One effect of a step.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Effect {
    /// Assignments at the same time: all right sides and indices are computed before any is stored.
    Assign(Vec<Assignment>),
    /// An error of the program if the condition is false. The step goes on past it either way: assertions
    /// only watch, so that what is said of other properties covers all runs.
    Assert {
        /// The condition, in the process's own view.
        condition: Expr,
        /// The property that is then violated.
        property: PropId,
    },
    /// Under PSO and with delayed writes, no later store of the process reaches memory before an earlier one.
    StoreFence,
    /// Starts a process: the first one of the definition that waits to be spawned
    /// ([`crate::Start::Spawned`]). Without one, the step cannot be taken, and the verdict says that the
    /// thread bound was met.
    Spawn {
        /// What to start.
        def: DefId,
        /// The values of its parameters.
        args: Vec<Expr>,
        /// What is assigned the pid of the new process; with [`crate::Lifecycle::Stack`] only.
        pid: Option<Lvalue>,
    },
    /// Goes wrong.
    Fail(Fault),
}

/// One assignment.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Assignment {
    /// What is assigned.
    pub place: Lvalue,
    /// The new value.
    pub value: Expr,
    /// An atomic write: under TSO and PSO the step waits until the process's own buffer is empty, and the
    /// store acts on memory at once; under delayed writes it acts at once and drops what the process had
    /// pending for that variable. Always false for registers.
    pub atomic: bool,
}

/// Where a process goes after a step.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Control {
    /// To a program point.
    Goto(PointId),
    /// Into a procedure. The values of the procedure's own registers are put on the stack together with
    /// the place to come back to; its parameters get the values of the arguments and its other registers
    /// their initial values. At the stack's depth bound the step cannot be taken, and the verdict says so.
    Call {
        /// The procedure.
        procedure: ProcedureId,
        /// The values of its parameters, computed before anything else changes but after the effects.
        args: Vec<Expr>,
        /// Where to go on after it returns.
        return_to: PointId,
    },
    /// Back to the caller: the procedure's registers get the values they had before the call.
    Return,
    /// The process is gone. With [`crate::Lifecycle::Stack`] only: it waits until the process is the
    /// youngest and its own buffer is empty.
    Exit,
}

impl Step {
    /// A plain step from one program point to another, without a guard or effects.
    pub fn skip(source: PointId, target: PointId, span: Span) -> Step {
        Step {
            source,
            guard: Expr::TRUE,
            mode: Mode::Plain,
            effects: Vec::new(),
            target: Control::Goto(target),
            span,
            text: None,
            channel: None,
            yields_to: Vec::new(),
            holds: false,
            drains: false,
            whole: false,
        }
    }

    /// All assignments of the step.
    pub fn assignments(&self) -> impl Iterator<Item = &Assignment> {
        self.effects.iter().flat_map(|effect| match effect {
            Effect::Assign(assignments) => assignments.as_slice(),
            _ => &[],
        })
    }

    /// All places that the step stores to: by receives, assignments, and pids of spawned processes.
    pub fn stores(&self) -> impl Iterator<Item = &Lvalue> {
        let assigned = self.assignments().map(|a| &a.place);
        self.channel.iter().flat_map(ChannelOp::places).chain(assigned).chain(self.pid_places())
    }

    /// The places that are assigned the pids of spawned processes.
    fn pid_places(&self) -> impl Iterator<Item = &Lvalue> {
        self.effects.iter().filter_map(|effect| match effect {
            Effect::Spawn { pid, .. } => pid.as_ref(),
            _ => None,
        })
    }

    /// The places that the step stores to like any plain store, which on relaxed memory means through the
    /// buffer: by assignments that are not atomic, receives, and pids of spawned processes. None if it is
    /// locked.
    pub fn plain_stores(&self) -> impl Iterator<Item = &Lvalue> {
        let assigned = self.assignments().filter(|a| !a.atomic).map(|a| &a.place);
        let received = self.channel.iter().flat_map(ChannelOp::places);
        let plain = self.mode != Mode::Locked;
        received.chain(assigned).chain(self.pid_places()).filter(move |_| plain)
    }

    /// The outermost expressions of the step.
    pub fn expressions(&self) -> Vec<&Expr> {
        let mut all = vec![&self.guard];
        all.extend(self.channel.iter().flat_map(ChannelOp::expressions));
        for effect in &self.effects {
            match effect {
                Effect::Assign(list) => {
                    for a in list {
                        all.extend(a.place.index());
                        all.push(&a.value);
                    }
                }
                Effect::Assert { condition, .. } => all.push(condition),
                Effect::StoreFence | Effect::Fail(_) => {}
                Effect::Spawn { args, pid, .. } => {
                    all.extend(args);
                    all.extend(pid.iter().filter_map(Lvalue::index));
                }
            }
        }
        if let Control::Call { args, .. } = &self.target {
            all.extend(args);
        }
        all
    }

    /// Whether the step waits for the process's own buffer to be empty, under TSO and PSO; see
    /// [`crate::MemoryModel::needs_drained`].
    pub fn needs_drained(&self) -> bool {
        self.mode != Mode::Plain
            || self.drains
            || self.target == Control::Exit
            || self.assignments().any(|a| a.atomic)
    }
}

impl Effect {
    /// A single plain assignment.
    pub fn assign(place: Lvalue, value: impl Into<Expr>) -> Effect {
        Effect::Assign(vec![Assignment { place, value: value.into(), atomic: false }])
    }
}
