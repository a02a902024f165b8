//! An action behaves the same in a state that differs in something that its footprint does not name.
//!
//! The state is changed in one point: a location, a register, a channel, a program point or the life of another process,
//! its buffer, the own pid. If the footprint names neither that point nor something that it is part of, the replayer
//! must refuse the action for the same reason or record the same.

use taut_ir::{
    Action, ChanId, ChannelRef, Footprint, Locations, PointId, ProcId, Program, RegId, Type,
};
use taut_witness::buffer::Buffer;
use taut_witness::{Machine, Move, Outcome, Record, Refusal, State};

use super::facts::actors;
use super::{Analysis, Tally};

/// The comparisons that are counted.
pub(super) const KINDS: &[&str] = &[
    "other location",
    "other register",
    "other channel",
    "other process's register",
    "other process's program point",
    "other process's life",
    "other process's buffer",
    "other pid",
];

pub(super) fn check(
    analysis: &Analysis<'_>,
    machine: &Machine<'_>,
    (state, action): (&State, Action),
    tally: &mut Tally,
) -> Result<(), String> {
    let (mut all, besides) = analysis.of_action(action);
    let meets_others = !besides.channels_used.is_empty();
    all.join(&besides);
    // What depends on everything is not compared.
    if matches!(action, Action::Commit { .. }) || all.timeout {
        return Ok(());
    }
    let given = machine.apply(state, action);
    let scene = Scene { program: analysis.program, all: &all, meets_others, state, action };
    for (kind, changed) in scene.changed_states() {
        *tally.entry(kind).or_default() += 1;
        if !is_same(&given, &machine.apply(&changed, action)) {
            return Err(format!("the footprint lacks what makes a difference: {kind}"));
        }
    }
    Ok(())
}

fn is_same(a: &Result<Move, Refusal>, b: &Result<Move, Refusal>) -> bool {
    let finding = |done: &Move| match &done.outcome {
        Outcome::State(_) => None,
        Outcome::Failure(failure) => Some(failure.finding),
    };
    match (a, b) {
        (Ok(a), Ok(b)) => finding(a) == finding(b) && is_same_record(&a.record, &b.record),
        (Err(a), Err(b)) => a == b,
        _ => false,
    }
}

/// Whether two records tell the same, but for the states inside of failed assertions.
fn is_same_record(a: &Record, b: &Record) -> bool {
    let failed = |r: &Record| r.failed.iter().map(|f| (f.finding, f.process)).collect::<Vec<_>>();
    let partners = match (&a.partner, &b.partner) {
        (Some(a), Some(b)) => is_same_record(a, b),
        (a, b) => a.is_none() && b.is_none(),
    };
    (&a.reads, &a.writes, &a.locals, &a.spawned, &a.message)
        == (&b.reads, &b.writes, &b.locals, &b.spawned, &b.message)
        && failed(a) == failed(b)
        && partners
}

struct Scene<'a> {
    program: &'a Program,
    /// All that the action depends on, as far as is known.
    all: &'a Footprint,
    /// Whether it depends on who could receive a message in a rendezvous.
    meets_others: bool,
    state: &'a State,
    action: Action,
}

impl Scene<'_> {
    /// States that differ from the given one in a point that the footprint does not name.
    fn changed_states(&self) -> Vec<(&'static str, State)> {
        let mut all = Vec::new();
        self.locations(&mut all);
        self.channels(&mut all);
        for (process, _) in actors(self.action) {
            self.registers("other register", process, &self.all.registers_read, &mut all);
            self.pid(process, &mut all);
        }
        let acting: Vec<ProcId> = actors(self.action).into_iter().map(|(p, _)| p).collect();
        let others = self.program.process_ids().filter(|p| !acting.contains(p));
        for other in others.filter(|p| !self.all.processes.contains(p) && !self.meets_others) {
            self.registers("other process's register", other, &[], &mut all);
            self.point(other, &mut all);
            self.life(other, &mut all);
        }
        if !self.all.waits_all {
            self.buffers(&acting, &mut all);
        }
        all
    }

    fn push(
        &self,
        kind: &'static str,
        all: &mut Vec<(&'static str, State)>,
        change: impl FnOnce(&mut State),
    ) {
        let mut state = self.state.clone();
        change(&mut state);
        if state != *self.state {
            all.push((kind, state));
        }
    }

    fn locations(&self, all: &mut Vec<(&'static str, State)>) {
        for var in self.program.var_ids() {
            for index in 0..self.program.var(var).size() {
                let reads = |l: &Locations| l.contains(var, index);
                if !self.all.reads.iter().any(reads) {
                    let ty = self.program.var(var).ty;
                    self.push("other location", all, |state| {
                        another(&mut state.memory[var.index()][index as usize], ty);
                    });
                }
            }
        }
    }

    fn channels(&self, all: &mut Vec<(&'static str, State)>) {
        for (i, channel) in self.program.channels.iter().enumerate() {
            let id = ChanId::from(i);
            let mut named = self.all.channels_asked.iter().chain(&self.all.channels_used);
            if named.any(|c: &ChannelRef| c.contains(id)) || channel.capacity == 0 {
                continue;
            }
            self.push("other channel", all, |state| match state.channels[i].is_empty() {
                true => state.channels[i].push(vec![0; channel.fields.len()]),
                false => state.channels[i].clear(),
            });
        }
    }

    /// The registers of a process but for some.
    fn registers(
        &self,
        kind: &'static str,
        process: ProcId,
        read: &[RegId],
        all: &mut Vec<(&'static str, State)>,
    ) {
        let registers = &self.program.def_of(process).registers;
        // A process that does not live is in its resting state.
        if !self.state.process(process).started || self.all.processes.contains(&process) {
            return;
        }
        for (r, register) in registers.iter().enumerate() {
            if !read.contains(&RegId::from(r)) {
                self.push(kind, all, |state| {
                    let values = &mut state.processes[process.index()].registers[r];
                    values.iter_mut().for_each(|value| another(value, register.ty));
                });
            }
        }
    }

    /// The own number. An exit waits until the process is the youngest.
    fn pid(&self, process: ProcId, all: &mut Vec<(&'static str, State)>) {
        let reads = self.all.pid || self.all.exits || self.all.processes.contains(&process);
        if !reads {
            self.push("other pid", all, |state| state.processes[process.index()].pid += 1);
        }
    }

    fn point(&self, process: ProcId, all: &mut Vec<(&'static str, State)>) {
        let points = &self.program.def_of(process).points;
        let is_atomic = |p: usize| points[p].atomic;
        let at = self.state.process(process);
        let next = (at.point.index() + 1) % points.len();
        if at.started && !is_atomic(at.point.index()) && !is_atomic(next) {
            self.push("other process's program point", all, |state| {
                state.processes[process.index()].point = PointId::from(next);
            });
        }
    }

    /// The life of another process, which decides about new processes, exits and the number of processes.
    fn life(&self, process: ProcId, all: &mut Vec<(&'static str, State)>) {
        let counts = self.all.living || self.all.changes_process_table();
        let at = self.state.process(process);
        let is_atomic = self.program.def_of(process).points[at.point.index()].atomic;
        if !counts && !is_atomic && self.state.holder != Some(process) {
            self.push("other process's life", all, |state| {
                let started = &mut state.processes[process.index()].started;
                *started = !*started;
            });
        }
    }

    fn buffers(&self, acting: &[ProcId], all: &mut Vec<(&'static str, State)>) {
        for process in self.program.process_ids().filter(|p| !acting.contains(p)) {
            self.push("other process's buffer", all, |state| {
                state.processes[process.index()].buffer = Buffer::default();
            });
        }
    }
}

/// Another value of the type.
fn another(value: &mut i64, ty: Type) {
    *value = if *value == ty.hi { ty.lo } else { *value + 1 };
}
