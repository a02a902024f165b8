//! Variables that nobody but one process can tell the state of.
//!
//! Under PSO and with delayed writes each variable has a buffer of its own. If only one process, its *owner*,
//! ever looks at a variable, nobody can tell whether a store to it waits or has been committed: the owner
//! sees it either way. So such stores may go to memory at once, and the buffers of these variables, which
//! multiply the states without making a difference, are gone. A program with one process needs no buffers.
//!
//! Why no run is lost and none is added, for a property that cannot count steps (no `X`), that asks only for
//! the owner's view of the variable and neither for empty buffers of the owner nor for what is enabled:
//! - Take the commits of the variable out of a run, and let its stores act at once. Every other step can still
//!   be taken: the owner reads the same values, nobody else reads the variable, and a fence of the owner
//!   waits for less. The states read by the property are the same but for repetitions.
//! - The other way round, put a commit behind every transition that stored to the variable (`restore`): that
//!   is a run of the program as it is.
//! - Fairness stays: if every buffer is fair, an owner that waits at a fence does so for a while only, so it
//!   moves again and again in one run if it does in the other. If stores may wait for ever, an owner with
//!   fences can, too; and if the memory is one process, it can be busy with the variable and starve others. Then
//!   nothing is taken out, unless nobody waits for a buffer, or no other buffer is left.
//! - A store fence of the owner would make other stores wait for those to the variable, and who waits for *all*
//!   buffers at once may wait for those of the variable for ever, though none of its stores does: where there
//!   is one or the other, nothing is taken out.
//!
//! A variable may be *handed over*: the process that starts the owner may have used it before, at once, as
//! `init` does in Promela. It must start the owner once and not touch the variable afterwards.

use std::collections::BTreeSet;

use taut_ir::{
    Cfg, DefId, Effect, Fairness, Footprint, MemoryFairness, MemoryModel, Mode, ProcId, Process,
    ProcessDef, Program, PropertyKind, Start, Step, StepId, VarId, VarKind, Visibility,
};

/// The variables of which only one process can tell the state, with their owners.
pub(super) fn private(
    program: &Program,
    model: MemoryModel,
    kind: &PropertyKind,
    fairness: Fairness,
) -> Vec<(VarId, ProcId)> {
    if !model.buffers().are_per_cell() {
        return Vec::new();
    }
    let steps = || program.defs.iter().flat_map(|d| &d.steps);
    let shared: Vec<VarId> =
        program.var_ids().filter(|&v| program.var(v).kind == VarKind::Shared).collect();
    let codes: Vec<Code<'_>> = program.defs.iter().map(|def| Code::of(program, def)).collect();
    let visibility = Visibility::of(program, kind.exprs());
    let private = shared.iter().filter_map(|&var| {
        let owner = owner(program, &codes, var)?;
        let is_private = !has_store_fence(program, owner) && is_unseen(&visibility, var, owner);
        is_private.then_some((var, owner))
    });
    let private: Vec<_> = private.collect();
    let is_fair = match fairness.memory {
        MemoryFairness::Buffers => true,
        MemoryFairness::Process => private.len() == shared.len(),
        MemoryFairness::None => !steps().any(Step::needs_drained),
    };
    let waits_for_all = steps().any(|step| step.mode == Mode::Sync);
    if is_fair && !waits_for_all { private } else { Vec::new() }
}

/// The same program with some variables that are never buffered.
pub(super) fn unbuffered(program: &Program, private: &[(VarId, ProcId)]) -> Program {
    let mut program = program.clone();
    for (var, _) in private {
        program.vars[var.index()].kind = VarKind::Ghost;
    }
    program
}

/// The code of a definition with the variables that it touches.
struct Code<'p> {
    def: &'p ProcessDef,
    /// By step.
    footprints: Vec<Footprint>,
    variables: BTreeSet<VarId>,
}

impl<'p> Code<'p> {
    fn of(program: &Program, def: &'p ProcessDef) -> Code<'p> {
        let footprints = Footprint::of_steps(program, def);
        let variables = footprints.iter().flat_map(Footprint::variables).collect();
        Code { def, footprints, variables }
    }
}

/// The one process that touches a variable, but for the one that hands it over.
fn owner(program: &Program, codes: &[Code<'_>], var: VarId) -> Option<ProcId> {
    let code = |p: ProcId| &codes[program.process(p).def.index()];
    let users: Vec<ProcId> =
        program.process_ids().filter(|&p| code(p).variables.contains(&var)).collect();
    match users[..] {
        [owner] => Some(owner),
        [a, b] if hands_over(program, code(a), (a, b), var) => Some(b),
        [a, b] if hands_over(program, code(b), (b, a), var) => Some(a),
        _ => None,
    }
}

/// Whether a process starts another, once, and touches a variable before that only, past its buffer.
fn hands_over(
    program: &Program,
    code: &Code<'_>,
    (giver, owner): (ProcId, ProcId),
    var: VarId,
) -> bool {
    let Process { def, start, .. } = *program.process(owner);
    let alone = |def: DefId| program.processes.iter().filter(|p| p.def == def).count() == 1;
    let giving = program.process(giver);
    if start != Start::Spawned || !alone(def) || !alone(giving.def) {
        return false;
    }
    let spawns = |step: &Step| {
        step.effects
            .iter()
            .filter(|e| matches!(e, Effect::Spawn { def: d, .. } if *d == def))
            .count()
    };
    let all: usize = program.defs.iter().flat_map(|d| &d.steps).map(spawns).sum();
    let own = code.def.steps.iter().position(|step| spawns(step) == 1);
    let (Some(spawn), 1) = (own.map(StepId::from), all) else { return false };
    let cfg = Cfg::of(code.def);
    let later = cfg.reachable(cfg.targets(spawn).iter().copied(), |_| true);
    let is_late = |step: &Step| later[step.source.index()];
    let touches = |footprint: &Footprint| footprint.variables().any(|v| v == var);
    let buffers = |footprint: &Footprint| footprint.stores.iter().any(|stored| stored.var == var);
    let mut steps = code.def.steps.iter().zip(&code.footprints);
    giving.start == Start::Initially
        && !is_late(&code.def.steps[spawn.index()])
        && steps.all(|(step, own)| !touches(own) || (!is_late(step) && !buffers(own)))
}

fn has_store_fence(program: &Program, process: ProcId) -> bool {
    let steps = &program.def_of(process).steps;
    steps.iter().any(|step| step.effects.contains(&Effect::StoreFence))
}

/// Whether a property cannot tell if a store of the owner to the variable waits.
fn is_unseen(visibility: &Visibility, var: VarId, owner: ProcId) -> bool {
    !visibility.enabled
        && !visibility.of_process(owner).buffer
        && !visibility.memory_but(owner).any(|seen| seen.var == var)
}
