//! Steps that need not wait for anybody: ample sets of one process.
//!
//! A process at a program point whose steps only store and compute (they read no variable, write nothing at once,
//! need no empty buffer and concern nobody else) can take them before anything else happens: they are
//! independent of all transitions of other processes, and of its own commits, which take entries from the
//! other end of the buffer. If moreover nobody can tell such a step (it is *invisible*), neither a property nor
//! a step of another process, which may look where this one is or wait until all buffers are empty, whatever
//! can be reached from a state can be reached by taking the steps of this process first (Clarke, Grumberg,
//! Peled: *Model Checking*, chapter 10, conditions C0 to C2). Nobody is put off for ever: if one of the steps
//! leads to no new state, the state is expanded in full (C3 for breadth-first search, Bošnački and Holzmann
//! 2005). The choice depends on program points only, so it is the same for all words of a state.

use taut_ir::{
    Cfg, Control, Effect, Footprint, PointId, ProcId, Program, PropertyKind, Step, VarId,
    Visibility,
};
use taut_machine::Machine;

use crate::sets::BufferSets;

/// For each process and program point, whether its steps can be taken first.
pub(crate) struct Ample {
    private: Vec<Vec<Private>>,
    /// For each process and program point, whether it may still come to a step that waits for all buffers.
    may_wait: Vec<Vec<bool>>,
}

/// Whether the steps at a program point can be taken first.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Private {
    No,
    /// Only if nobody else may still wait until all buffers are empty: once the process has stored, such a step
    /// waits for the commit and sees what it wrote.
    UnlessWaitedFor,
    Yes,
}

impl Private {
    fn and(self, other: Private) -> Private {
        match (self, other) {
            (Private::No, _) | (_, Private::No) => Private::No,
            (Private::Yes, Private::Yes) => Private::Yes,
            _ => Private::UnlessWaitedFor,
        }
    }
}

impl Ample {
    pub(crate) fn new(program: &Program) -> Ample {
        let seen = Seen::of(program);
        let of_def = |def| Footprint::of_steps(program, def);
        let footprints: Vec<Vec<Footprint>> = program.defs.iter().map(of_def).collect();
        let of_process = |process: ProcId| {
            let def = program.def_of(process);
            let mut private = vec![Private::No; def.points.len()];
            for step in &def.steps {
                private[step.source.index()] = Private::Yes;
            }
            let footprints = &footprints[program.process(process).def.index()];
            for (step, footprint) in def.steps.iter().zip(footprints) {
                let here = &mut private[step.source.index()];
                *here = here.and(seen.privacy(process, step, footprint));
            }
            private
        };
        let may_wait = program.process_ids().map(|p| {
            let def = program.process(p).def.index();
            may_wait(&seen.graphs[def], &footprints[def])
        });
        let may_wait = may_wait.collect();
        Ample { private: program.process_ids().map(of_process).collect(), may_wait }
    }

    /// A process whose steps can be taken first in a state.
    pub(crate) fn choose(&self, machine: &Machine<BufferSets>, state: &[u64]) -> Option<ProcId> {
        let is_private = |&p: &usize| {
            let point = machine.point(state, ProcId::from(p));
            match point.map_or(Private::No, |at| self.private[p][at.index()]) {
                Private::No => false,
                Private::UnlessWaitedFor => !self.is_waited_for(machine, state, p),
                Private::Yes => true,
            }
        };
        (0..self.private.len()).find(is_private).map(ProcId::from)
    }

    /// Whether another process than one may still wait until all buffers are empty. One that does not live may
    /// be started.
    fn is_waited_for(&self, machine: &Machine<BufferSets>, state: &[u64], process: usize) -> bool {
        let may_wait = |other: usize| match machine.point(state, ProcId::from(other)) {
            Some(at) => self.may_wait[other][at.index()],
            None => self.may_wait[other].contains(&true),
        };
        (0..self.may_wait.len()).any(|other| other != process && may_wait(other))
    }
}

/// The program points of a process from which it may come to a step that waits for all buffers.
fn may_wait(cfg: &Cfg, footprints: &[Footprint]) -> Vec<bool> {
    let waits = |point| cfg.leaving(point).iter().any(|step| footprints[step.index()].waits_all);
    let own: Vec<bool> = cfg.points().map(waits).collect();
    cfg.ahead(&own, |all, more| *all |= more)
}

/// What properties over states see, and what steps see of other processes than their own.
struct Seen<'p> {
    program: &'p Program,
    visibility: Visibility,
    /// Whether processes are started.
    spawns: bool,
    /// Whether there are atomic sections.
    has_atomic: bool,
    /// By definition.
    graphs: Vec<Cfg>,
}

impl<'p> Seen<'p> {
    fn of(program: &'p Program) -> Seen<'p> {
        let over_states = program.properties.iter().filter_map(|p| match &p.kind {
            PropertyKind::Forbid(expr)
            | PropertyKind::Cover(expr)
            | PropertyKind::Invariant(expr) => Some(expr),
            PropertyKind::Assert | PropertyKind::Ltl(_) | PropertyKind::Never(_) => None,
        });
        // Besides variables, a step sees of others only what it names: where they are, their registers, whether they
        // live.
        let mut visibility = Visibility::of(program, over_states);
        visibility.observe_steps(program);
        let mut points = program.defs.iter().flat_map(|def| &def.points);
        let has_atomic = points.any(|point| point.atomic);
        let graphs = program.defs.iter().map(Cfg::of).collect();
        Seen { program, visibility, spawns: program.spawns(), has_atomic, graphs }
    }

    /// Whether a process may have finished at a program point, so that another can be started in its place.
    fn may_end(&self, process: ProcId, point: PointId) -> bool {
        let def = self.program.process(process).def;
        self.spawns && self.graphs[def.index()].is_last(point)
    }

    /// Whether a step decides between a deadlock and none: it leads from where the process may not end to where it
    /// may, or back, and another may keep it from ever being taken, by stopping in an atomic section.
    fn counts_for_deadlock(&self, process: ProcId, from: PointId, to: PointId) -> bool {
        let points = &self.program.def_of(process).points;
        self.has_atomic && points[from.index()].end != points[to.index()].end
    }

    /// Whether a step of a process can be taken first.
    fn privacy(&self, process: ProcId, step: &Step, footprint: &Footprint) -> Private {
        let Control::Goto(target) = step.target else { return Private::No };
        let is_private = self.is_private(process, (step, target), footprint)
            && !self.tells(process, (step.source, target), footprint);
        match is_private {
            true if !footprint.stores.is_empty() => Private::UnlessWaitedFor,
            true => Private::Yes,
            false => Private::No,
        }
    }

    /// Whether a step to a program point stores and computes only.
    fn is_private(
        &self,
        process: ProcId,
        (step, target): (&Step, PointId),
        footprint: &Footprint,
    ) -> bool {
        let is_plain = |effect: &Effect| matches!(effect, Effect::Assign(_) | Effect::StoreFence);
        let computes = footprint.reads.is_empty() && footprint.reads_variables_only();
        !footprint.waits_own
            && !step.holds
            && step.channel.is_none()
            && !self.program.def_of(process).points[target.index()].atomic
            && !self.may_end(process, target)
            && !self.counts_for_deadlock(process, step.source, target)
            && step.effects.iter().all(is_plain)
            && footprint.writes.is_empty()
            && computes
    }

    /// Whether anything that is looked at may have another value after a step that stores and computes only.
    fn tells(
        &self,
        process: ProcId,
        (from, to): (PointId, PointId),
        footprint: &Footprint,
    ) -> bool {
        let Visibility { living, enabled, timeout, ref processes, .. } = self.visibility;
        let own = self.visibility.of_process(process);
        let stores = |var: VarId| footprint.stores.iter().any(|stored| stored.var == var);
        living
            || enabled
            || timeout
            || processes.iter().any(|p| p.alive)
            || own.tells_apart(from, to)
            || own.notices_registers(footprint)
            || own.view.iter().any(|seen| stores(seen.var))
            || (own.buffer && !footprint.stores.is_empty())
    }
}
