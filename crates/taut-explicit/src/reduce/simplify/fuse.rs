//! Steps that concern nobody else, taken together with the one before.
//!
//! A step is *local* if it waits for nothing and looks at, and assigns, only what its process alone can see:
//! its own registers, constants, and variables that no other process touches. A program point is *passed* if all steps
//! that leave it are local. Steps that lead to one *hold* ([`taut_ir::Step::holds`]): the process goes on at once,
//! and the state in between is not stored. If it cannot go on, it holds nobody and the state is stored after all.
//!
//! Why no finding is lost. In a run of the given program, take the first step *s* that leaves a passed program point,
//! reached by *t*. What others do and what commits between *t* and *s* neither changes what *s* does, nor whether
//! it can, nor is changed by *s*: so *s* can come right after *t*. What is asked cannot tell the states before *s*
//! from those after it. Repeating this gives a run in which nothing comes between, with the same findings; if *s*
//! never comes, a run in which it does shows the same. For that
//! - *s* must not fault: the others would go on without its process, and nothing goes on after a fault;
//! - *s* must not lead into an atomic section or hold of itself, unless the process had the others wait before
//!   it as well: moved forward, it would take along what comes after it;
//! - what is asked, and what other processes look at, must be the same in both program points, and none of the
//!   registers that *s* assigns may be seen;
//! - *s* must not end a spawned process that then makes room for another.
//!
//! Why none is added. A run of the simpler program is one of the given program in which nobody else happens to come
//! between. Where there are atomic sections, steps with channels do not hold: in a rendezvous with somebody who is
//! in one, the receiver could not go on.
//!
//! In every loop of the code one program point is not passed. So chains end, what goes on for ever goes on through
//! stored states, and no process is kept from moving: in each stored state everybody is looked at, and there is
//! no cycle proviso to keep. For properties of runs that is enough if they cannot count steps and do not ask what is
//! enabled (a process at a passed program point always is). Fairness of processes stays: who is at a passed program point
//! must move on, and the others are enabled before *s* if they are after it.

use std::collections::BTreeSet;

use taut_fault::{Fault, is_on};
use taut_ir::{
    Cfg, Control, DefId, Effect, Faults, Footprint, Lifecycle, Locations, MemoryModel, PointId,
    ProcId, Program, Start, StepId, VarId,
};

use super::Question;
use super::question::Seen;

/// Makes the steps hold that lead to a program point that can be passed.
pub(super) fn hold(program: &mut Program, model: MemoryModel, question: &Question) {
    let seen = Seen::of(program, question);
    if seen.enabled {
        return;
    }
    let locality = Locality::of(program, model, &seen);
    let defs = (0..program.defs.len()).map(DefId::from);
    let passed: Vec<Vec<bool>> = defs.map(|def| locality.passed(def)).collect();
    let has_atomic = program.defs.iter().flat_map(|d| &d.points).any(|l| l.atomic);
    for (def, passed) in program.defs.iter_mut().zip(passed) {
        for step in &mut def.steps {
            if let Control::Goto(to) = step.target {
                let meets = has_atomic && step.channel.is_some();
                step.holds |= passed[to.index()] && !meets;
            }
        }
    }
}

/// What is local in a program.
struct Locality<'p> {
    program: &'p Program,
    seen: &'p Seen,
    faults: Faults<'p>,
    /// By definition and step.
    footprints: Vec<Vec<Footprint>>,
    /// For each variable the process that alone touches it, or nobody if it never changes.
    owners: Vec<Owner>,
    model: MemoryModel,
}

/// The processes that touch a variable.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Owner {
    /// Nobody stores to it.
    Constant,
    /// One process alone.
    One(ProcId),
    /// More than one.
    Many,
}

impl<'p> Locality<'p> {
    fn of(program: &'p Program, model: MemoryModel, seen: &'p Seen) -> Locality<'p> {
        let of_def = |def| Footprint::of_steps(program, def);
        let footprints: Vec<Vec<Footprint>> = program.defs.iter().map(of_def).collect();
        let owners = owners(program, &footprints);
        Locality { program, seen, faults: Faults::of(program), footprints, owners, model }
    }

    /// The program points of a definition that are passed: those that can be, but for one in each loop of them.
    fn passed(&self, id: DefId) -> Vec<bool> {
        let def = &self.program.defs[id.index()];
        let cfg = Cfg::of(def);
        let can_be = |at: PointId| {
            let mut steps = cfg.leaving(at).iter();
            !cfg.is_last(at) && steps.all(|&step| self.is_local(id, &cfg, step))
        };
        let can_be: Vec<bool> = cfg.points().map(can_be).collect();
        let mut passed = can_be.clone();
        // One program point of every loop is taken out: that to which a depth-first search comes back.
        let is_inside = |step: StepId| {
            can_be[cfg.source(step).index()]
                && cfg.targets(step).iter().all(|to| can_be[to.index()])
        };
        let back = cfg.back_edges(is_inside);
        for (step, _) in back.into_iter().enumerate().filter(|(_, is_back)| *is_back) {
            cfg.targets(StepId::from(step)).iter().for_each(|to| passed[to.index()] = false);
        }
        passed
    }

    fn is_local(&self, id: DefId, cfg: &Cfg, step: StepId) -> bool {
        let def = &self.program.defs[id.index()];
        let footprint = &self.footprints[id.index()][step.index()];
        let step = &def.steps[step.index()];
        let Control::Goto(to) = step.target else { return false };
        let frees = self.program.lifecycle == Lifecycle::Slots
            && self.program.processes.iter().any(|p| p.def == id && p.start == Start::Spawned);
        let is_atomic = |l: PointId| def.points[l.index()].atomic;
        let takes_along = step.holds || (is_atomic(to) && !is_atomic(step.source));
        let is_final = def.points[to.index()].end && cfg.is_last(to);
        let shows = (frees && is_final) || self.seen.of_def(id).tells_apart(step.source, to);
        let waits = footprint.waits_own || step.channel.is_some();
        !takes_along
            && (!shows || is_on(Fault::ChangesAreLocal))
            && !waits
            && self.is_own(id, footprint)
            && !self.faults.expr_of(id, &step.guard)
            && step.effects.iter().all(|effect| self.is_safe(id, effect))
    }

    /// Whether an effect is none that others wait for or that stops the process, and cannot fault.
    fn is_safe(&self, id: DefId, effect: &Effect) -> bool {
        match effect {
            Effect::Assign(list) => list.iter().all(|a| !self.faults.assignment_of(id, a)),
            Effect::Assert { condition, .. } => !self.faults.expr_of(id, condition),
            Effect::StoreFence | Effect::Spawn { .. } | Effect::Fail(_) => false,
        }
    }

    /// Whether only its process can change what a step reads, no other can see what it assigns, and its stores happen
    /// at once. The pid of a process never changes.
    fn is_own(&self, id: DefId, footprint: &Footprint) -> bool {
        let reads_own = !footprint.looks_around()
            && footprint
                .reads
                .iter()
                .all(|l| self.owners[l.var.index()].may_read(self.program, id));
        let is_own = |l: &Locations| {
            let owner = self.owners[l.var.index()];
            owner.is_alone(self.program, id) && !self.seen.var(l.var)
        };
        reads_own
            && !self.seen.of_def(id).notices_registers(footprint)
            && footprint.writes.iter().all(is_own)
            && footprint.stores.iter().all(|l| !self.model.is_relaxed() && is_own(l))
    }
}

impl Owner {
    /// Whether no process of another definition stores to the variable.
    fn may_read(self, program: &Program, def: DefId) -> bool {
        self == Owner::Constant || self.is_alone(program, def) || is_on(Fault::ReadsAreLocal)
    }

    /// Whether the one process that touches the variable has this code.
    fn is_alone(self, program: &Program, def: DefId) -> bool {
        matches!(self, Owner::One(p) if program.process(p).def == def)
    }
}

/// The owner of each variable.
fn owners(program: &Program, footprints: &[Vec<Footprint>]) -> Vec<Owner> {
    let touched = |steps: &Vec<Footprint>| steps.iter().flat_map(Footprint::variables).collect();
    let touched: Vec<BTreeSet<VarId>> = footprints.iter().map(touched).collect();
    let mut users: Vec<Owner> = vec![Owner::Constant; program.vars.len()];
    for process in program.process_ids() {
        for var in &touched[program.process(process).def.index()] {
            taut_budget::tick();
            let user = &mut users[var.index()];
            *user = if *user == Owner::Constant { Owner::One(process) } else { Owner::Many };
        }
    }
    let stores = |step: &'_ Footprint| [step.stores.clone(), step.writes.clone()].concat();
    let stored: BTreeSet<VarId> =
        footprints.iter().flatten().flat_map(stores).map(|locations| locations.var).collect();
    let owner = |var: VarId| match (stored.contains(&var), users[var.index()]) {
        (false, _) => Owner::Constant,
        // It is stored by code that no process has.
        (true, Owner::Constant) => Owner::Many,
        (true, user) => user,
    };
    program.var_ids().map(owner).collect()
}
