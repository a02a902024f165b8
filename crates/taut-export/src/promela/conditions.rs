//! When a step can be taken, and what may hold it back.
//!
//! Conditions are lists of conjuncts in the order in which the model looks at things. The order matters: what
//! could fault stands behind the condition that it does not.

use taut_ir::{
    Assignment, ChannelOp, Control, Effect, Expr, FullBuffer, Lvalue, Mode, PointId, ProcId, Step,
};

use super::Exporter;
use super::expr::{Scope, either};

/// A step of a process, as it is looked at for one value of `timeout`.
#[derive(Clone, Copy)]
pub(super) struct Moment<'s> {
    pub(super) process: ProcId,
    pub(super) step: &'s Step,
    pub(super) timeout: bool,
    pub(super) site: Site,
}

/// Where the options of a step stand.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Site {
    /// Where nobody is held: at the label of a program point, or where a round of the machine begins.
    Open,
    /// Inside of an atomic block: the process holds the others.
    Held,
    /// Inside of an atomic block that is a round of the machine: no process is held.
    Round,
    /// Where a process waits to be started.
    Start,
    /// With somebody else: nothing says where the process is.
    Outside,
}

/// Something that may hold a step back which could be taken otherwise.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Bound {
    /// A full buffer, and that is an error.
    Error,
    /// A full buffer: it has room after some commits.
    Buffer,
    /// A buffer that is too small for all stores of the step, also when it is empty.
    Size,
    /// The number of processes, or of calls.
    Program,
}

impl Moment<'_> {
    pub(super) fn scope(self) -> Scope {
        let direct = self.step.mode == Mode::Locked;
        Scope { process: self.process, direct, timeout: self.timeout }
    }
}

impl<'p> Exporter<'p> {
    /// What a step waits for before its guard is looked at, besides being at its source.
    pub(super) fn needs(&self, moment: Moment) -> Vec<String> {
        let Moment { process, step, .. } = moment;
        let mut all = Vec::new();
        all.extend(self.is_let_go(moment));
        all.extend(self.has_highest_priority(moment));
        all.extend(self.mode(process, step));
        all
    }

    /// That no other process keeps this one from moving, where a variable says so.
    pub(super) fn is_let_go(&self, moment: Moment) -> Option<String> {
        let me = moment.process.0 + 1;
        match (self.one_machine, moment.site) {
            _ if !self.has_holder => None,
            (false, _) => Some(format!("(holder == 0 || holder == {me})")),
            // Nobody waits for a timeout while others are held.
            (true, Site::Held) if !moment.timeout => Some(format!("holder == {me}")),
            (true, _) => None,
        }
    }

    /// The buffers that must be empty, and the place on the stack that an exit needs.
    pub(super) fn mode(&self, process: ProcId, step: &Step) -> Vec<String> {
        let mut all = Vec::new();
        if self.memory.model.needs_drained(step) {
            all.push(self.drained(process));
        }
        if step.mode == Mode::Sync {
            all.extend(self.program.process_ids().map(|p| self.drained(p)));
        }
        if step.target == Control::Exit {
            all.push(format!("{} == living - 1", self.names.own(process, "pid")));
        }
        all.retain(|condition| condition != "true");
        all
    }

    /// That the guard is true, and computed without a fault.
    pub(super) fn guarded(&self, moment: Moment) -> Vec<String> {
        let mut all = Vec::new();
        if let Some(fault) = self.fault(moment.scope(), &moment.step.guard) {
            all.push(format!("!({fault})"));
        }
        if moment.step.guard != Expr::TRUE {
            all.push(self.expr(moment.scope(), &moment.step.guard));
        }
        all
    }

    /// That the process is where the step starts.
    pub(super) fn is_at(&self, process: ProcId, point: PointId) -> String {
        format!("{} == {}", self.names.own(process, "pc"), point.0 + 1)
    }

    /// That nothing can be taken that the step yields to.
    pub(super) fn yields(&self, moment: Moment) -> Vec<String> {
        let steps = &self.program.def_of(moment.process).steps;
        let first = moment.step.yields_to.iter().map(|s| &steps[s.index()]);
        first.map(|step| format!("!({})", self.could_start(Moment { step, ..moment }))).collect()
    }

    /// Whether a step could be taken as far as those that yield to it look: a fault counts as something
    /// that could be taken, and a rendezvous never does.
    pub(super) fn could_start(&self, moment: Moment) -> String {
        let scope = moment.scope();
        let mut rest = Vec::new();
        if moment.step.guard != Expr::TRUE {
            rest.push(self.expr(scope, &moment.step.guard));
        }
        rest.extend(self.yields(moment));
        rest.extend(moment.step.channel.as_ref().map(|op| self.is_ready(scope, op)));
        let rest = conjunction(rest);
        let started = match self.fault(scope, &moment.step.guard) {
            Some(fault) => format!("({fault} || ({rest}))"),
            None => format!("({rest})"),
        };
        conjunction(self.mode(moment.process, moment.step).into_iter().chain([started]))
    }

    /// The bounds that may hold a step back, each with the condition that it does not.
    pub(super) fn bounds(&self, moment: Moment) -> Vec<(String, Bound)> {
        let mut all = Vec::new();
        if let Some(room) = self.room_for(moment) {
            let bound = match self.memory.full_buffer {
                FullBuffer::Error => Bound::Error,
                FullBuffer::Wait if self.exceeds_buffer(moment.step) => Bound::Size,
                FullBuffer::Wait => Bound::Buffer,
            };
            all.push((room, bound));
        }
        for effect in &moment.step.effects {
            if let Effect::Spawn { def, .. } = effect {
                let free = self.program.spawn_slots(*def).map(|p| format!("!{}", self.alive(p)));
                let free: Vec<_> = free.collect();
                let free = if free.is_empty() { "false".into() } else { free.join(" || ") };
                all.push((format!("({free})"), Bound::Program));
            }
        }
        if let Control::Call { .. } = moment.step.target {
            let sp = self.names.own(moment.process, "sp");
            all.push((format!("{sp} < {}", self.program.call_depth), Bound::Program));
        }
        all
    }

    /// Whether all stores of a step find room. Indices outside of their arrays, which fault before that,
    /// count as room.
    fn room_for(&self, moment: Moment) -> Option<String> {
        let scope = moment.scope();
        let stores = self.buffered_stores(moment.step);
        let places: Vec<_> = stores.iter().map(|p| self.destination(scope, p)).collect();
        let room = self.room(moment.process, &places)?;
        let faults = stores.iter().map(|p| self.destination_fault(scope, p));
        let fault = either(faults.fold(None, either), self.first_fault(moment));
        Some(match fault {
            Some(fault) => format!("({fault} || {room})"),
            None => room,
        })
    }

    /// When the first effect faults before it stores anything.
    fn first_fault(&self, moment: Moment) -> Option<String> {
        match (&moment.step.channel, moment.step.effects.first()) {
            (None, Some(Effect::Assign(list))) => self.assign_fault(moment.scope(), list),
            _ => None,
        }
    }

    /// Whether a step may store more than fits into an empty buffer.
    pub(super) fn exceeds_buffer(&self, step: &Step) -> bool {
        self.memory.model.has_bound() && self.buffered_stores(step).len() > self.bound as usize
    }

    /// The places a step stores to through the buffer.
    pub(super) fn buffered_stores<'s>(&self, step: &'s Step) -> Vec<&'s Lvalue> {
        let mut all: Vec<_> = step.channel.iter().flat_map(ChannelOp::places).collect();
        all.retain(|place| self.is_buffered(step, place));
        for effect in &step.effects {
            match effect {
                Effect::Assign(list) => {
                    let stores = list.iter().filter(|a| self.goes_to_buffer(step, a));
                    all.extend(stores.map(|a| &a.place));
                }
                Effect::Spawn { pid: Some(place), .. } if self.is_buffered(step, place) => {
                    all.push(place);
                }
                _ => {}
            }
        }
        all
    }

    fn goes_to_buffer(&self, step: &Step, a: &Assignment) -> bool {
        !a.atomic && self.is_buffered(step, &a.place)
    }

    /// Whether a plain store of a step to a place goes through the buffer of its process.
    pub(super) fn is_buffered(&self, step: &Step, place: &Lvalue) -> bool {
        let shared = place.variable().is_some_and(|v| self.program.var(v).kind.is_buffered());
        shared && step.mode != Mode::Locked
    }
}

/// Conditions that must all be true.
pub(super) fn conjunction(conditions: impl IntoIterator<Item = String>) -> String {
    let all: Vec<_> = conditions.into_iter().filter(|c| c != "true").collect();
    // Always true, but SPIN refuses loops that say so.
    if all.is_empty() { "_nr_pr > 0".into() } else { all.join(" && ") }
}
