//! Ghosts of several processes.
//!
//! A ghost changes when a step is taken, a store of the dual semantics happens when it reaches memory. For a step that is
//! locked that is the same moment: its buffer is empty, and it acts on memory at once. So a ghost that only locked steps
//! use is a shared variable. (A ghost that one process alone uses is one of its registers, see `locals.rs`.)

use std::borrow::Cow;

use taut_ir::{Expr, Lvalue, Program, Step, VarId, VarKind};

use crate::locals::users_of_ghosts;

/// The program in which ghosts of several processes are shared variables, where that is the same.
pub(crate) fn shared(program: &Program) -> Cow<'_, Program> {
    let users = users_of_ghosts(program);
    let is_shared = |var: &VarId| {
        users.get(var).is_some_and(|users| users.len() > 1) && is_in_locked_steps(program, *var)
    };
    let all: Vec<VarId> = program.var_ids().filter(is_shared).collect();
    if all.is_empty() {
        return Cow::Borrowed(program);
    }
    let mut program = program.clone();
    for var in all {
        program.vars[var.index()].kind = VarKind::Shared;
    }
    Cow::Owned(program)
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
