//! The accesses of an action to what processes share: the events of a trace.
//!
//! An *object* is a location of memory, a channel, or the table of processes. Channels and the table act at once under
//! every memory model. A store that waits in a buffer is no access until it commits, and a load that the process's own
//! buffer serves is none at all.
//!
//! What decides about a step is read by it: the guards of the steps that it yields to (`else`) as much as its own. A
//! guard that is false is no event: the process waits.

use taut_ir::{Action, ChanId, Control, Expr, ProcId, Step, StepId};

use super::watched::Watched;
use crate::address::Address;
use crate::machine::Machine;
use crate::record::{Read, Record, Source, Target, Transfer};
use crate::state::State;

/// Something that processes share.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Object {
    /// A location of memory.
    Cell(Address),
    /// A channel.
    Channel(ChanId),
    /// The table of processes: starts and exits write it.
    Processes,
}

/// The accesses of one action, or of several that happen at once.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Accesses {
    /// The processes that take part.
    pub processes: Vec<ProcId>,
    /// Objects that are read, not from a buffer.
    pub reads: Vec<Object>,
    /// Objects that are written at once.
    pub writes: Vec<Object>,
    /// Stores that enter a buffer, in order.
    pub stores: Vec<(ProcId, Address)>,
    /// Processes that are started.
    pub spawned: Vec<ProcId>,
}

impl Accesses {
    /// The accesses of a step or a rendezvous, in the state before it.
    pub fn of(
        machine: &Machine<'_>,
        watched: &Watched,
        before: &State,
        action: Action,
        record: &Record,
    ) -> Accesses {
        let mut all = Accesses::default();
        let mut look = Look { machine, watched, before, all: &mut all };
        match action {
            Action::Step { process, step, .. } => look.at(process, step, record),
            Action::Handshake { process, step, receiver, receive, .. } => {
                look.at(process, step, record);
                if let Some(partner) = &record.partner {
                    look.at(receiver, receive, partner);
                }
            }
            Action::Commit { .. } => {}
        }
        all.tidy();
        all
    }

    /// Adds the accesses of an action that happens at once with these.
    pub fn join(&mut self, later: &Accesses) {
        self.processes.extend(&later.processes);
        self.reads.extend(&later.reads);
        self.writes.extend(&later.writes);
        self.stores.extend(&later.stores);
        self.spawned.extend(&later.spawned);
        self.tidy();
    }

    fn tidy(&mut self) {
        for list in [&mut self.processes, &mut self.spawned] {
            list.sort();
            list.dedup();
        }
        for list in [&mut self.reads, &mut self.writes] {
            list.sort();
            list.dedup();
        }
    }
}

struct Look<'a, 'p> {
    machine: &'a Machine<'p>,
    watched: &'a Watched,
    before: &'a State,
    all: &'a mut Accesses,
}

impl Look<'_, '_> {
    fn at(&mut self, process: ProcId, id: StepId, record: &Record) {
        let steps = &self.machine.program().def_of(process).steps;
        let step = &steps[id.index()];
        self.all.processes.push(process);
        self.record(process, record);
        for expr in step.expressions() {
            self.queries(process, expr);
        }
        self.yields(process, steps, step);
        if step.target == Control::Exit || !record.spawned.is_empty() {
            self.all.writes.push(Object::Processes);
        }
        self.all.spawned.extend(&record.spawned);
    }

    fn record(&mut self, process: ProcId, record: &Record) {
        self.reads(&record.reads);
        for write in record.writes.iter().filter(|w| self.watched.has(w.address.var)) {
            match write.to {
                Target::Memory => self.all.writes.push(Object::Cell(write.address)),
                Target::Buffer => self.all.stores.push((process, write.address)),
            }
        }
        if let Some(message) = &record.message {
            let object = Object::Channel(message.channel);
            match message.how {
                Transfer::Copied => self.all.reads.push(object),
                Transfer::Sent | Transfer::Received => self.all.writes.push(object),
            }
        }
    }

    fn reads(&mut self, reads: &[Read]) {
        let from_memory = reads.iter().filter(|r| r.from == Source::Memory);
        let seen = from_memory.filter(|r| self.watched.has(r.address.var));
        self.all.reads.extend(seen.map(|r| Object::Cell(r.address)));
    }

    /// What an expression asks about channels and processes.
    fn queries(&mut self, process: ProcId, expr: &Expr) {
        expr.visit(&mut |part| match part {
            Expr::Channel(_, channel) => self.channel(process, channel),
            Expr::Poll(poll) => self.channel(process, &poll.channel),
            Expr::Processes | Expr::Alive(_) => self.all.reads.push(Object::Processes),
            _ => {}
        });
    }

    fn channel(&mut self, process: ProcId, channel: &Expr) {
        let value = self.machine.value_in(self.before, process, channel);
        let count = self.machine.program().channels.len();
        let named = value.ok().and_then(|value| ChanId::of_value(value, count));
        self.all.reads.extend(named.map(Object::Channel));
    }

    /// What the steps that come first are asked: their guards and channels.
    fn yields(&mut self, process: ProcId, steps: &[Step], step: &Step) {
        let mut todo = step.yields_to.clone();
        let mut seen: Vec<StepId> = Vec::new();
        while let Some(id) = todo.pop() {
            if seen.contains(&id) {
                continue;
            }
            seen.push(id);
            let other = &steps[id.index()];
            let channel = other.channel.iter().flat_map(|op| op.expressions());
            for expr in std::iter::once(&other.guard).chain(channel) {
                self.reads(&self.machine.reads_in(self.before, process, expr));
                self.queries(process, expr);
            }
            if let Some(op) = &other.channel {
                self.channel(process, op.channel());
            }
            todo.extend(&other.yields_to);
        }
    }
}
