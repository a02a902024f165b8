//! Ghosts of several processes.
//!
//! A ghost changes when a step is taken, a store of the dual semantics happens when it reaches memory. For a step that
//! waits for an empty buffer that is the same moment, and its store to the ghost is an atomic write. A load sees memory at
//! the moment at which the step is taken, as long as no own store waits, and no store to such a ghost ever does. So a ghost that
//! is stored to only by steps that find their buffer empty, and read by any, is a shared variable with atomic writes. (A ghost that one process
//! alone uses is one of its registers, see `locals.rs`.)

use std::borrow::Cow;

use taut_ir::{Effect, Expr, Lvalue, Program, Step, VarId, VarKind};

use crate::locals::users_of_ghosts;

/// The program in which ghosts of several processes are shared variables, where that is the same.
pub(crate) fn shared(program: &Program) -> Cow<'_, Program> {
    let users = users_of_ghosts(program);
    let is_shared = |var: &VarId| {
        users.get(var).is_some_and(|users| users.len() > 1) && is_stored_at_once(program, *var)
    };
    let all: Vec<VarId> = program.var_ids().filter(is_shared).collect();
    if all.is_empty() {
        return Cow::Borrowed(program);
    }
    let mut program = program.clone();
    for step in program.defs.iter_mut().flat_map(|def| &mut def.steps) {
        for effect in &mut step.effects {
            let Effect::Assign(list) = effect else { continue };
            let is_one = |place: &Lvalue| place.variable().is_some_and(|v| all.contains(&v));
            list.iter_mut().filter(|a| is_one(&a.place)).for_each(|a| a.atomic = true);
        }
    }
    for var in all {
        program.vars[var.index()].kind = VarKind::Shared;
    }
    Cow::Owned(program)
}

/// Whether only steps that find their buffer empty store to a variable, by assignments.
fn is_stored_at_once(program: &Program, var: VarId) -> bool {
    let steps = program.defs.iter().flat_map(|def| &def.steps);
    let stores = |step: &&Step| step.stores().any(|place| place.variable() == Some(var));
    let assigns = |step: &Step| {
        let assigned = step.assignments().filter(|a| a.place.variable() == Some(var)).count();
        assigned == step.stores().filter(|place| place.variable() == Some(var)).count()
    };
    steps.filter(stores).all(|step| step.needs_drained() && assigns(step))
}

/// Whether only locked steps use a variable, and some do.
pub(crate) fn is_in_locked_steps(program: &Program, var: VarId) -> bool {
    let steps = program.defs.iter().flat_map(|def| &def.steps);
    let mut users = steps.filter(|step| variables(step).contains(&var)).peekable();
    users.peek().is_some() && users.all(|step| step.mode == taut_ir::Mode::Locked)
}

/// The variables that a step uses.
pub(crate) fn variables(step: &Step) -> Vec<VarId> {
    let read = step.expressions().into_iter().flat_map(Expr::variables);
    read.chain(step.stores().filter_map(Lvalue::variable)).collect()
}
