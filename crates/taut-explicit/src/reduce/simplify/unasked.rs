//! Properties that are not asked: nothing is computed for them.
//!
//! An assertion only watches, so one that is not asked may go, unless its condition can fault. What is not asked
//! of states becomes something that is always so.

use taut_ir::{DefId, Effect, Expr, Faults, Program, PropertyKind};

use super::Question;

/// Drops what is not asked.
pub(super) fn drop(program: &mut Program, question: &Question) {
    let given = program.clone();
    let faults = Faults::of(&given);
    for (i, def) in program.defs.iter_mut().enumerate() {
        for step in &mut def.steps {
            step.effects.retain(|effect| match effect {
                Effect::Assert { condition, property } => {
                    question.asks(*property) || faults.expr_of(DefId::from(i), condition)
                }
                _ => true,
            });
        }
    }
    for id in given.property_ids().filter(|&id| !question.asks(id)) {
        let kind = &mut program.properties[id.index()].kind;
        if matches!(
            kind,
            PropertyKind::Forbid(_) | PropertyKind::Cover(_) | PropertyKind::Invariant(_)
        ) {
            *kind = PropertyKind::Invariant(Expr::TRUE);
        }
    }
}
