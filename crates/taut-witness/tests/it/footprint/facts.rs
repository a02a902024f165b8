//! Everything that an action really does is in its footprint.

use taut_ir::{
    Action, ChanId, Control, Footprint, Lifecycle, Locations, ProcId, RegId, Start, StepId,
};
use taut_witness::{Address, Machine, Move, Outcome, Record, Refusal, State, Target};

use super::{Analysis, Tally};

/// The comparisons that are counted.
pub(super) const KINDS: &[&str] = &[
    "read",
    "buffered store",
    "write to memory",
    "register written",
    "message",
    "process started",
    "wait for the own buffer",
    "wait for all buffers",
    "wait for a channel",
    "wait for the youngest",
    "wait for a timeout",
    "process ended",
    "register after",
    "channel after",
    "other process after",
];

pub(super) fn check(
    analysis: &Analysis<'_>,
    machine: &Machine<'_>,
    (state, action): (&State, Action),
    tally: &mut Tally,
) -> Result<(), String> {
    if matches!(action, Action::Commit { .. }) {
        return Ok(());
    }
    let (own, besides) = analysis.of_action(action);
    let mut facts = Facts { analysis, own: &own, besides: &besides, tally };
    match machine.apply(state, action) {
        Err(refusal) => facts.refused(refusal),
        Ok(done) => {
            facts.done(action, &done.record)?;
            facts.after(state, action, &done)
        }
    }
}

struct Facts<'a> {
    analysis: &'a Analysis<'a>,
    own: &'a Footprint,
    besides: &'a Footprint,
    tally: &'a mut Tally,
}

impl Facts<'_> {
    fn require(&mut self, kind: &'static str, condition: bool) -> Result<(), String> {
        *self.tally.entry(kind).or_default() += 1;
        if condition { Ok(()) } else { Err(format!("the footprint lacks: {kind}")) }
    }

    /// What an action waits for. What another step stands in the way of is decided by `besides`.
    fn refused(&mut self, refusal: Refusal) -> Result<(), String> {
        match refusal {
            Refusal::OwnBufferNotEmpty => {
                self.require("wait for the own buffer", self.own.waits_own)
            }
            Refusal::BufferNotEmpty(_) => self.require("wait for all buffers", self.own.waits_all),
            Refusal::ChannelFull(c)
            | Refusal::ChannelEmpty(c)
            | Refusal::NoMatch(c)
            | Refusal::NeedsPartner(c) => {
                let is_used = self.uses(c);
                self.require("wait for a channel", is_used)
            }
            Refusal::NotYoungest => self.require("wait for the youngest", self.own.exits),
            Refusal::TimeoutNotDue => {
                let asks = self.own.timeout || self.besides.timeout;
                self.require("wait for a timeout", asks)
            }
            _ => Ok(()),
        }
    }

    fn uses(&self, channel: ChanId) -> bool {
        self.own.channels_used.iter().any(|used| used.contains(channel))
    }

    /// What the replayer has recorded; of a rendezvous what each side has done, by the footprint of its own step.
    fn done(&mut self, action: Action, record: &Record) -> Result<(), String> {
        let Action::Handshake { process, step, receiver, receive, .. } = action else {
            return self.recorded(record);
        };
        self.of_side((process, step), record)?;
        match &record.partner {
            Some(partner) => self.of_side((receiver, receive), partner),
            None => Ok(()),
        }
    }

    fn of_side(
        &mut self,
        (process, step): (ProcId, StepId),
        record: &Record,
    ) -> Result<(), String> {
        let own = self.analysis.of(process, step);
        let Facts { analysis, besides, tally, .. } = self;
        Facts { analysis, own: &own, besides, tally }.recorded(record)
    }

    fn recorded(&mut self, record: &Record) -> Result<(), String> {
        let has =
            |list: &[Locations], at: Address| list.iter().any(|l| l.contains(at.var, at.index));
        for read in &record.reads {
            self.require("read", has(&self.own.reads, read.address))?;
        }
        for write in &record.writes {
            let at = write.address;
            match write.to {
                Target::Buffer => self.require("buffered store", has(&self.own.stores, at))?,
                Target::Memory => {
                    let at_once =
                        !self.analysis.memory.model.is_relaxed() && has(&self.own.stores, at);
                    self.require("write to memory", at_once || has(&self.own.writes, at))?;
                }
            }
        }
        for local in &record.locals {
            let is_known = self.own.registers_written.contains(&local.register);
            self.require("register written", is_known)?;
        }
        for &started in &record.spawned {
            let def = self.analysis.program.process(started).def;
            self.require("process started", self.own.spawns.contains(&def))?;
        }
        if let Some(message) = &record.message {
            let is_used = self.uses(message.channel);
            self.require("message", is_used)?;
        }
        Ok(())
    }

    /// Nothing is different after an action but what the footprint names.
    fn after(&mut self, before: &State, action: Action, done: &Move) -> Result<(), String> {
        let Outcome::State(after) = &done.outcome else { return Ok(()) };
        let actors = actors(action);
        let mut emptied: Vec<ChanId> = Vec::new();
        for process in self.analysis.program.process_ids() {
            let step = actors.iter().find(|(actor, _)| *actor == process).map(|(_, step)| *step);
            if step.is_some() {
                emptied.extend(self.own.emptied(self.analysis.program, process));
            }
            if before.process(process).started && !after.process(process).started {
                // A spawned process that has finished vanishes by itself.
                let vanishes = step.is_some_and(|step| self.vanishes(process, step));
                self.require("process ended", vanishes || (step.is_some() && self.own.exits))?;
                emptied.extend(&self.analysis.program.process(process).channels);
            } else {
                self.after_of_process(process, step.is_some(), (before, after))?;
            }
        }
        for (channel, (was, is)) in before.channels.iter().zip(&after.channels).enumerate() {
            let id = ChanId::from(channel);
            if was != is && !emptied.contains(&id) {
                let is_used = self.uses(id);
                self.require("channel after", is_used)?;
            }
        }
        Ok(())
    }

    fn after_of_process(
        &mut self,
        process: ProcId,
        acts: bool,
        (before, after): (&State, &State),
    ) -> Result<(), String> {
        let (was, is) = (before.process(process), after.process(process));
        if !acts {
            let def = self.analysis.program.process(process).def;
            let is_started = !was.started && self.own.spawns.contains(&def);
            return self.require("other process after", was == is || is_started);
        }
        for r in (0..was.registers.len()).filter(|&r| was.registers[r] != is.registers[r]) {
            let is_known = self.own.registers_written.contains(&RegId::from(r));
            self.require("register after", is_known)?;
        }
        Ok(())
    }

    /// Whether a process is one that vanishes when it has finished, and a step may take it there.
    fn vanishes(&self, process: ProcId, step: StepId) -> bool {
        let program = self.analysis.program;
        let def = program.def_of(process);
        let comes_to_its_end = match def.steps[step.index()].target {
            Control::Goto(to) => def.is_final(to),
            Control::Return => true,
            Control::Call { .. } | Control::Exit => false,
        };
        comes_to_its_end
            && program.process(process).start == Start::Spawned
            && program.lifecycle == Lifecycle::Slots
    }
}

/// The processes that take part in an action, with their steps.
pub(super) fn actors(action: Action) -> Vec<(ProcId, StepId)> {
    match action {
        Action::Step { process, step, .. } => vec![(process, step)],
        Action::Handshake { process, step, receiver, receive, .. } => {
            vec![(process, step), (receiver, receive)]
        }
        Action::Commit { .. } => vec![],
    }
}
