//! Every number of processes, and SC: the program that constraints (`dual.rs`) are then about.
//!
//! **Every number.** An *instance* of a program has some number of processes of each definition of which there is any number
//! ([`taut_ir::replicated`]). Constraints are about one of them, with *n* processes of each of these definitions. But a
//! constraint stands for states of *all* instances: those with a different process for each process of which something is
//! asked, of its definition. So to exchange two processes of a definition makes no difference, and all orders of a
//! listed constraint are listed with it.
//!
//! *Why that is a proof.* Take any instance, and all its states that are in some constraint. The three conditions of
//! `dual.rs` hold for them. Properties name processes that all instances have. The initial state is in none: all
//! processes of a definition start alike. Let a process *q* take a step into a constraint. If *q* is one of those of
//! which something is asked, the step is one that was looked at. If not, it is a step of a process of which nothing is
//! asked. Each listed constraint leaves one of the *n* like that, so that step was looked at, too: *q* does the same, as
//! processes of a definition cannot be told apart ([`may_exchange`]). A step of that kind may ask for one process more
//! than before. That is no more than *n*, and another constraint must include it.
//!
//! Control points are numbered alike for all processes of a definition: they all have those of the first one. Deadlocks
//! have no such proof, since one process more may end one.
//!
//! **SC** is TSO of a program all of whose steps are locked: each finds its buffer empty and acts on memory at once, so no
//! store ever waits. Ghosts then are shared variables: both change when a step is taken.

use taut_ir::{MemoryModel, Mode, ProcId, Program, VarKind};

use crate::may_exchange;

/// The instance that constraints are about: with at least so many processes of each definition of which there is any number.
pub fn instance(program: &Program, model: MemoryModel, number: u32) -> Program {
    let counts: Vec<_> = program.replicated.iter().map(|&def| (def, number)).collect();
    let mut made = program.instance(&counts);
    made.replicated.clone_from(&program.replicated);
    if model == MemoryModel::Sc {
        made.vars.iter_mut().for_each(|var| var.kind = VarKind::Shared);
        let steps = made.defs.iter_mut().flat_map(|def| &mut def.steps);
        steps.for_each(|step| step.mode = Mode::Locked);
    }
    made
}

/// Neighbours among the processes of which there is any number; none if something tells them apart.
pub(crate) fn alike(program: &Program) -> Option<Vec<(ProcId, ProcId)>> {
    let mut all = Vec::new();
    for &def in &program.replicated {
        let own: Vec<ProcId> = program.processes_of(def).collect();
        all.extend(own.windows(2).map(|pair| (pair[0], pair[1])));
    }
    all.iter().all(|&(p, q)| may_exchange(program, &[], p, q)).then_some(all)
}
