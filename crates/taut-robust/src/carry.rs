//! The answers that sequential consistency gives for a robust program.
//!
//! # The argument
//!
//! Take a run of a robust program under TSO or PSO, and the state at its end. Let every store that still waits commit.
//! That is always possible in the programs of this module: nothing keeps a commit back except an atomic program point and
//! a process that holds the others, and there are none. Commits change no program point and no register. The happens-before
//! relation of this longer run has no circle, so its steps can be taken in an order that agrees with it, each with its
//! stores at once. This is a sequentially consistent run in which each load reads what it read before, and which ends
//! with the same memory. So:
//!
//! > For each state that is reached with buffers, sequential consistency reaches one with the same program points and
//! > registers; and if the buffers are empty, with the same memory.
//!
//! In the other direction every sequentially consistent run is a run with buffers in which each store commits at once.
//!
//! What follows, question by question:
//!
//! - **`forbid` and `invariant`** over program points and registers have the same answer. Over memory they do not: between
//!   a store and its commit memory has the old value although the process has gone on. Nor do they over the buffers, over
//!   the memory that a process sees, or over ghosts: two ghosts of different processes may change in another order.
//! - **Assertions** are part of a step, which is an event of the run with what it loads. A ghost in one is not.
//! - **Deadlock.** Nothing can happen, so no store waits: the same state is reached, with empty buffers, and there the same
//!   steps can be taken.
//! - **Faults.** A step that faults is no event. It is one whose loads could close a circle if it did not fault. So a step
//!   that may fault must not read memory: then program points and registers decide.
//! - **Full buffers** are no question of unbounded buffers. **Temporal properties** are not answered here: fairness to
//!   stores has no counterpart.
//!
//! Programs that start processes are left out. A slot is free again when the buffer of its process is empty, which happens
//! sooner where stores commit at once: the same run could need another slot.

use taut_ir::footprint::{Footprint, deciding};
use taut_ir::{
    DefId, Effect, Expr, Faults, ProcessDef, Program, PropId, PropertyKind, Start, Step,
};

/// Whether the answers about some properties, deadlock and faults under sequential consistency are those under a memory
/// model that the program is robust under.
pub fn carries(program: &Program, asked: &[PropId]) -> bool {
    let mut kinds = asked.iter().map(|&id| &program.property(id).kind);
    let is_carried = |kind: &PropertyKind| match kind {
        PropertyKind::Forbid(e) | PropertyKind::Cover(e) | PropertyKind::Invariant(e) => {
            is_of_processes(e)
        }
        PropertyKind::Assert => true,
        PropertyKind::Ltl(_) | PropertyKind::Never(_) => false,
    };
    kinds.all(is_carried) && is_plain(program)
}

/// Whether the argument is about a program.
fn is_plain(program: &Program) -> bool {
    let has_points = program.defs.iter().any(|def| def.points.iter().any(|p| p.atomic));
    let starts = program.processes.iter().any(|p| p.start == Start::Spawned);
    if has_points || starts || program.event_trace.is_some() || program.heap.is_some() {
        return false;
    }
    let faults = Faults::of(program);
    program.defs.iter().enumerate().all(|(id, def)| {
        def.steps.iter().all(|step| {
            is_plain_step(program, step)
                && !(faults.step_of(DefId::from(id), step) && reads(program, def, step))
        })
    })
}

fn is_plain_step(program: &Program, step: &Step) -> bool {
    let plain = |effect: &Effect| match effect {
        Effect::Spawn { .. } => false,
        Effect::Assert { condition, .. } => {
            condition.variables().iter().all(|&v| program.var(v).kind == taut_ir::VarKind::Shared)
        }
        Effect::Assign(_) | Effect::StoreFence | Effect::Fail(_) => true,
    };
    !step.holds && step.effects.iter().all(plain)
}

/// Whether anything but registers decides about a step.
fn reads(program: &Program, def: &ProcessDef, step: &Step) -> bool {
    let (own, others) = (Footprint::of(program, def, step), deciding(program, def, step));
    [own, others].iter().any(|f| {
        let channels = !f.channels_asked.is_empty() || !f.channels_used.is_empty();
        let processes = !f.processes.is_empty() || f.living || f.timeout;
        !f.reads.is_empty() || channels || processes
    })
}

/// Whether a property looks at program points and registers only.
fn is_of_processes(expr: &Expr) -> bool {
    let mut is = true;
    expr.visit(&mut |part| {
        is &= matches!(
            part,
            Expr::Const(_)
                | Expr::Reg(_)
                | Expr::RegElem(..)
                | Expr::Unary(..)
                | Expr::Binary(..)
                | Expr::Cond(..)
                | Expr::In(..)
                | Expr::At(..)
        );
    });
    is
}
