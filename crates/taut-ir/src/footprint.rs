//! The footprint of a step: everything that it may read, change or wait for.
//!
//! Reductions, simplifications and repairs ask when two steps can have to do with each other. All of them ask it
//! here, so that there is one answer and one place for a mistake. The clients are listed in ARCHITECTURE.md.
//!
//! **The invariant.** A footprint is an over-approximation, for every process of the definition, every state and every
//! memory model:
//!
//! - whatever the step really reads or changes is in it; whatever is in it *may* be read or changed;
//! - the step behaves the same in two states that differ only in what its footprint does not read, does not write and
//!   does not wait for. This includes whether it can be taken, except for what [`deciding`] adds: the steps that it
//!   yields to, and in a rendezvous the step of its partner.
//!
//! Tests hold the footprints of random programs against the replayer, which does not use them, and see to it that a
//! footprint with one entry less is noticed (`taut-witness/tests/it/footprint.rs`).
//!
//! **Precision.** Branches of short circuits count, whatever the condition. An index that is a number means one element;
//! any other index means all elements of the array. The same holds for channels. A parameter of a process is a number
//! after the simplification `specialise`, so that each process has footprints of its own then.
//!
//! **What is not in here.** Memory models: a footprint says *stored*, and the memory system decides whether that waits in
//! a buffer. What follows a step in an atomic section or a chain of held states: a client that takes several steps for
//! one joins their footprints ([`Footprint::join`]).
//!
//! **Cost.** Proportional to the text of the step.

use crate::access::{Part, walk};
use crate::{
    ChanId, ChannelOp, Control, DefId, Effect, Expr, Lvalue, Mode, ProcId, ProcessDef, Program,
    RegId, Step, StepId, VarId,
};

/// The locations that one access may mean: one element of a variable, or any.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Locations {
    /// The variable.
    pub var: VarId,
    /// The element, 0 for a scalar; `None` for any element.
    pub index: Option<u32>,
}

/// The channels that an expression may mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ChannelRef {
    /// This one.
    One(ChanId),
    /// Any channel of the program.
    Any,
}

/// Everything that a step may read, change or wait for. Lists are sorted and without repetition, except for
/// [`Footprint::stores`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Footprint {
    /// Locations that are read, in the process's own view.
    pub reads: Vec<Locations>,
    /// Stores that go through the buffer of the process, if the memory model has one: one entry per store, in order.
    pub stores: Vec<Locations>,
    /// Locations that are written at once: ghost variables, atomic writes, and all that a locked step stores.
    pub writes: Vec<Locations>,
    /// Registers of the process that are read, also by saving them on the stack.
    pub registers_read: Vec<RegId>,
    /// Registers of the process that are assigned, also by calls and returns.
    pub registers_written: Vec<RegId>,
    /// Channels that expressions ask about.
    pub channels_asked: Vec<ChannelRef>,
    /// Channels that messages are sent to or received from: they are read and changed.
    pub channels_used: Vec<ChannelRef>,
    /// Processes that expressions look at: their registers, their program points, or whether they live.
    pub processes: Vec<ProcId>,
    /// Definitions of which processes are started. That changes the process table and the new process, which begins
    /// with empty channels of its own.
    pub spawns: Vec<DefId>,
    /// The process ends, which changes the process table and empties the channels of the process.
    pub exits: bool,
    /// The number of the process is read. It does not change as long as the process lives.
    pub pid: bool,
    /// The number of living processes is read.
    pub living: bool,
    /// It is asked whether nothing else can happen, which depends on everything.
    pub timeout: bool,
    /// It is asked what only properties ask: whether a buffer is empty or a process enabled. This is in no valid program.
    pub of_properties: bool,
    /// Waits until the buffer of the process is empty, under some memory model; [`crate::MemoryModel::needs_drained`]
    /// says under which.
    pub waits_own: bool,
    /// Waits until all buffers are empty.
    pub waits_all: bool,
}

impl Locations {
    /// The locations of a variable or, with an index, of an element; `None` if the index is a number outside of the
    /// array, so that there is no such location.
    fn of(program: &Program, var: VarId, index: Option<&Expr>) -> Option<Locations> {
        match index {
            None => Some(Locations { var, index: Some(0) }),
            Some(Expr::Const(index)) => {
                let index = u32::try_from(*index).ok().filter(|i| *i < program.var(var).size())?;
                Some(Locations { var, index: Some(index) })
            }
            Some(_) => Some(Locations { var, index: None }),
        }
    }

    /// The locations that an expression reads, apart from its operands.
    pub fn read_by(program: &Program, expr: &Expr) -> Option<Locations> {
        match expr {
            Expr::Var(var) => Locations::of(program, *var, None),
            Expr::VarElem(var, index) => Locations::of(program, *var, Some(index)),
            _ => None,
        }
    }

    /// The locations that may be stored to; none if it is a register.
    pub fn stored_by(program: &Program, place: &Lvalue) -> Option<Locations> {
        Locations::of(program, place.variable()?, place.index())
    }

    /// Whether an element of a variable is among them.
    pub fn contains(self, var: VarId, index: u32) -> bool {
        self.meets(Locations { var, index: Some(index) })
    }

    /// Whether some location is in both.
    pub fn meets(self, other: Locations) -> bool {
        let apart = self.index.zip(other.index).is_some_and(|(a, b)| a != b);
        self.var == other.var && !apart
    }
}

impl ChannelRef {
    /// The channels that an expression may mean; `None` if it is a number that is no channel.
    pub fn of(program: &Program, channel: &Expr) -> Option<ChannelRef> {
        match channel {
            Expr::Const(value) => {
                ChanId::of_value(*value, program.channels.len()).map(ChannelRef::One)
            }
            _ => Some(ChannelRef::Any),
        }
    }

    /// The channels that an expression asks about, apart from its operands.
    pub fn asked_by(program: &Program, expr: &Expr) -> Option<ChannelRef> {
        match expr {
            Expr::Channel(_, channel) => ChannelRef::of(program, channel),
            Expr::Poll(poll) => ChannelRef::of(program, &poll.channel),
            _ => None,
        }
    }

    /// Whether a channel is among them.
    pub fn contains(self, channel: ChanId) -> bool {
        match self {
            ChannelRef::One(one) => one == channel,
            ChannelRef::Any => true,
        }
    }
}

impl Footprint {
    /// The footprint of a step of a definition.
    pub fn of(program: &Program, def: &ProcessDef, step: &Step) -> Footprint {
        taut_budget::tick();
        let mut all = Footprint::default();
        walk(step, &mut |part| all.add(program, step, &part));
        all.add_channel(program, step);
        all.add_control(def, step);
        all.spawns = step.effects.iter().filter_map(spawned).collect();
        all.waits_own = step.needs_drained();
        all.waits_all = step.mode == Mode::Sync;
        all.tidy();
        all
    }

    /// The footprints of all steps of a definition.
    pub fn of_steps(program: &Program, def: &ProcessDef) -> Vec<Footprint> {
        def.steps.iter().map(|step| Footprint::of(program, def, step)).collect()
    }

    fn add(&mut self, program: &Program, step: &Step, part: &Part<'_>) {
        match part {
            Part::Read { expr, inside } => self.add_read(program, expr, *inside),
            Part::Store { place, atomic } => self.add_store(program, step, place, *atomic),
        }
    }

    fn add_read(&mut self, program: &Program, expr: &Expr, inside: Option<ProcId>) {
        match expr {
            Expr::Var(_) | Expr::VarElem(..) => {
                self.reads.extend(Locations::read_by(program, expr));
            }
            // A register of another process is among what is read of that.
            Expr::Reg(register) | Expr::RegElem(register, _) => {
                self.registers_read.extend(inside.is_none().then_some(*register));
            }
            Expr::In(process, _) | Expr::At(process, _) | Expr::Alive(process) => {
                self.processes.push(*process);
            }
            Expr::Channel(..) | Expr::Poll(_) => {
                self.channels_asked.extend(ChannelRef::asked_by(program, expr));
            }
            Expr::Pid => self.pid |= inside.is_none(),
            Expr::Processes => self.living = true,
            Expr::Timeout => self.timeout = true,
            Expr::Drained(_) | Expr::Enabled(_) => self.of_properties = true,
            Expr::Const(_) | Expr::Unary(..) | Expr::Binary(..) | Expr::Cond(..) => {}
        }
    }

    fn add_store(&mut self, program: &Program, step: &Step, place: &Lvalue, atomic: bool) {
        match place {
            Lvalue::Reg(register) | Lvalue::RegElem(register, _) => {
                self.registers_written.push(*register);
            }
            Lvalue::Var(var) | Lvalue::VarElem(var, _) => {
                let at_once = atomic || step.mode == Mode::Locked;
                let waits = !at_once && program.var(*var).kind.is_buffered();
                let list = if waits { &mut self.stores } else { &mut self.writes };
                list.extend(Locations::stored_by(program, place));
            }
        }
    }

    fn add_channel(&mut self, program: &Program, step: &Step) {
        let used = step.channel.as_ref().map(ChannelOp::channel);
        self.channels_used.extend(used.and_then(|channel| ChannelRef::of(program, channel)));
    }

    /// What a step does by going where it goes: calls save registers and give them new values, returns bring the old
    /// ones back.
    fn add_control(&mut self, def: &ProcessDef, step: &Step) {
        match &step.target {
            Control::Goto(_) => {}
            Control::Call { procedure, .. } => {
                let own = &def.procedures[procedure.index()].registers;
                self.registers_read.extend(own);
                self.registers_written.extend(own);
            }
            Control::Return => {
                self.registers_written.extend(def.procedures.iter().flat_map(|p| &p.registers));
            }
            Control::Exit => self.exits = true,
        }
    }

    /// Sorts the lists.
    fn tidy(&mut self) {
        tidy(&mut self.reads);
        tidy(&mut self.writes);
        tidy(&mut self.registers_read);
        tidy(&mut self.registers_written);
        tidy(&mut self.channels_asked);
        tidy(&mut self.channels_used);
        tidy(&mut self.processes);
        tidy(&mut self.spawns);
    }

    /// Adds another footprint: what a process may do that takes one step or the other, or both.
    pub fn join(&mut self, other: &Footprint) {
        self.reads.extend(&other.reads);
        self.stores.extend(&other.stores);
        self.writes.extend(&other.writes);
        self.registers_read.extend(&other.registers_read);
        self.registers_written.extend(&other.registers_written);
        self.channels_asked.extend(&other.channels_asked);
        self.channels_used.extend(&other.channels_used);
        self.processes.extend(&other.processes);
        self.spawns.extend(&other.spawns);
        self.exits |= other.exits;
        self.pid |= other.pid;
        self.living |= other.living;
        self.timeout |= other.timeout;
        self.of_properties |= other.of_properties;
        self.waits_own |= other.waits_own;
        self.waits_all |= other.waits_all;
        self.tidy();
    }

    /// The variables that are read, stored or written.
    pub fn variables(&self) -> impl Iterator<Item = VarId> {
        let all = self.reads.iter().chain(&self.stores).chain(&self.writes);
        all.map(|locations| locations.var)
    }

    /// Whether the process table may change: a process starts or ends.
    pub fn changes_process_table(&self) -> bool {
        !self.spawns.is_empty() || self.exits
    }

    /// The channels that are emptied because a process that has them starts or ends, if a process takes the step.
    pub fn emptied(&self, program: &Program, process: ProcId) -> impl Iterator<Item = ChanId> {
        let started = self.spawns.iter().flat_map(|&def| program.spawn_slots(def));
        let ended = self.exits.then_some(process);
        started.chain(ended).flat_map(|p| program.process(p).channels.iter().copied())
    }

    /// Whether something is read that belongs neither to memory nor to the process: a channel is asked about, a process
    /// looked at, or something asked that depends on the whole state.
    pub fn looks_around(&self) -> bool {
        !self.channels_asked.is_empty()
            || !self.processes.is_empty()
            || self.living
            || self.timeout
            || self.of_properties
    }

    /// Whether variables and the registers of the process are all that is read, and not even its pid.
    pub fn reads_variables_only(&self) -> bool {
        !self.looks_around() && !self.pid
    }
}

/// What decides about whether a step can be taken besides the step itself: mode, guard and channel of the steps that
/// it yields to, of those that these yield to, and so on. Nothing is changed.
pub fn deciding(program: &Program, def: &ProcessDef, step: &Step) -> Footprint {
    let mut all = Footprint::default();
    let mut seen: Vec<StepId> = Vec::new();
    let mut todo = step.yields_to.clone();
    while let Some(id) = todo.pop() {
        taut_budget::tick();
        if seen.contains(&id) {
            continue;
        }
        seen.push(id);
        let other = &def.steps[id.index()];
        let channel = other.channel.iter().flat_map(ChannelOp::expressions);
        for expr in std::iter::once(&other.guard).chain(channel) {
            expr.visit_inside(None, &mut |expr, inside| {
                all.add(program, other, &Part::Read { expr, inside });
            });
        }
        all.add_channel(program, other);
        all.exits |= other.target == Control::Exit;
        all.waits_own |= other.needs_drained();
        all.waits_all |= other.mode == Mode::Sync;
        todo.extend(&other.yields_to);
    }
    all.tidy();
    all
}

fn spawned(effect: &Effect) -> Option<DefId> {
    match effect {
        Effect::Spawn { def, .. } => Some(*def),
        _ => None,
    }
}

fn tidy<T: Ord>(list: &mut Vec<T>) {
    list.sort_unstable();
    list.dedup();
}
