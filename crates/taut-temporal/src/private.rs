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

use taut_ir::{
    Control, DefId, Effect, Expr, Fairness, MemoryFairness, MemoryModel, Mode, PointId, ProcId,
    Process, ProcessDef, Program, PropertyKind, Start, Step, VarId, VarKind,
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
    let private = shared.iter().filter_map(|&var| {
        let owner = owner(program, var)?;
        (!has_store_fence(program, owner) && is_unseen(kind, var, owner)).then_some((var, owner))
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

fn touches(step: &Step, var: VarId) -> bool {
    let reads = step.expressions().into_iter().any(|e| e.variables().contains(&var));
    reads || step.stores().any(|place| place.variable() == Some(var))
}

/// The one process that touches a variable, but for who hands it over.
fn owner(program: &Program, var: VarId) -> Option<ProcId> {
    let uses = |def: &ProcessDef| def.steps.iter().any(|step| touches(step, var));
    let users: Vec<ProcId> = program.process_ids().filter(|&p| uses(program.def_of(p))).collect();
    match users[..] {
        [owner] => Some(owner),
        [a, b] if hands_over(program, a, b, var) => Some(b),
        [a, b] if hands_over(program, b, a, var) => Some(a),
        _ => None,
    }
}

/// Whether a process starts another, once, and touches a variable before that only, past its buffer.
fn hands_over(program: &Program, giver: ProcId, owner: ProcId, var: VarId) -> bool {
    let Process { def, start, .. } = *program.process(owner);
    let alone = |def: DefId| program.processes.iter().filter(|p| p.def == def).count() == 1;
    let giving = program.process(giver);
    if start != Start::Spawned || !alone(def) || !alone(giving.def) {
        return false;
    }
    let spawns = |step: &&Step| {
        step.effects.iter().any(|e| matches!(e, Effect::Spawn { def: d, .. } if *d == def))
    };
    let mut all = program.defs.iter().flat_map(|d| &d.steps).filter(spawns);
    let code = program.def_of(giver);
    let mut own = code.steps.iter().filter(spawns);
    let (Some(spawn), None, Some(_), None) = (own.next(), own.next(), all.next(), all.next())
    else {
        return false;
    };
    let later = reachable(code, spawn);
    let past_buffer = |step: &Step| {
        let stores = step.plain_stores().any(|place| place.variable() == Some(var));
        !stores || step.mode == Mode::Locked
    };
    let is_late = |step: &Step| later[step.source.index()];
    giving.start == Start::Initially
        && !is_late(spawn)
        && code.steps.iter().all(|s| !touches(s, var) || (!is_late(s) && past_buffer(s)))
}

/// The program points that a process can be at after a step.
fn reachable(def: &ProcessDef, from: &Step) -> Vec<bool> {
    let mut seen = vec![false; def.points.len()];
    let mut todo: Vec<PointId> = targets(def, from);
    while let Some(at) = todo.pop() {
        if !std::mem::replace(&mut seen[at.index()], true) {
            def.steps_from(at).for_each(|(_, step)| todo.extend(targets(def, step)));
        }
    }
    seen
}

/// Where a step may lead. After a return a process may be anywhere.
fn targets(def: &ProcessDef, step: &Step) -> Vec<PointId> {
    match &step.target {
        Control::Goto(to) => vec![*to],
        Control::Call { procedure, return_to, .. } => {
            vec![def.procedures[procedure.index()].entry, *return_to]
        }
        Control::Return => (0..def.points.len()).map(PointId::from).collect(),
        Control::Exit => vec![],
    }
}

fn has_store_fence(program: &Program, process: ProcId) -> bool {
    let steps = &program.def_of(process).steps;
    steps.iter().any(|step| step.effects.contains(&Effect::StoreFence))
}

/// Whether a property cannot tell if a store of the owner to the variable waits.
fn is_unseen(kind: &PropertyKind, var: VarId, owner: ProcId) -> bool {
    kind.exprs().into_iter().all(|expr| hides(expr, var, owner))
}

fn hides(expr: &Expr, var: VarId, owner: ProcId) -> bool {
    match expr {
        Expr::Var(v) | Expr::VarElem(v, _) if *v == var => false,
        Expr::Drained(process) if *process == owner => false,
        Expr::Enabled(_) => false,
        Expr::In(process, _) if *process == owner => true,
        _ => expr.operands().into_iter().all(|operand| hides(operand, var, owner)),
    }
}
