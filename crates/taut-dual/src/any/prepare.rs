//! The program that the search over crowds compiles: with one process more of each definition, and under sequential
//! consistency with steps that act on memory.
//!
//! - **SC.** A step that is locked finds its buffer empty and acts on memory at once. If all steps with an access are
//!   locked, no store is ever buffered: TSO is SC. Fences then have no effect.
//! - **Ghosts** change when a step is taken, stores of the dual semantics when they reach memory. For a step that is locked
//!   that is the same moment, so a ghost that only such steps use is a shared variable. Under SC all are.

use taut_ir::{MemoryModel, Mode, Program, VarId, VarKind};

use crate::ghosts::{is_in_locked_steps, variables};

/// The program that is compiled for a memory model: SC, or TSO.
pub(crate) fn prepare(program: &Program, model: MemoryModel) -> Program {
    let more: Vec<_> = program.least_counts().into_iter().map(|(def, n)| (def, n + 1)).collect();
    let mut prepared = program.instance(&more);
    prepared.replicated.clone_from(&program.replicated);
    let is_sc = !model.is_relaxed();
    for var in program.var_ids() {
        let is_ghost = program.var(var).kind == VarKind::Ghost;
        if is_ghost && (is_sc || is_in_locked_steps(program, var)) {
            prepared.vars[var.index()].kind = VarKind::Shared;
        }
    }
    if is_sc {
        let vars = prepared.vars.clone();
        let is_shared = |var: VarId| vars[var.index()].kind == VarKind::Shared;
        for step in prepared.defs.iter_mut().flat_map(|def| &mut def.steps) {
            let accesses = variables(step).into_iter().any(is_shared);
            step.mode =
                if accesses || step.mode == Mode::Locked { Mode::Locked } else { Mode::Plain };
        }
    }
    prepared
}
