//! Programs whose temporal properties are left out: the translation is about states only.

use taut_ir::{Effect, Expr, Program, PropId, PropertyKind};

use crate::{Scope, TranslateError, Translation, translate};

/// Translates what is asked about the states of a program. Temporal properties are left out: each becomes a question
/// that is never violated, so that the others keep their numbers.
pub fn translate_states(program: &Program, scope: Scope) -> Result<Translation, TranslateError> {
    let mut program = program.clone();
    for property in program.properties.iter_mut().filter(|p| p.kind.is_temporal()) {
        property.kind = PropertyKind::Forbid(Expr::Const(0));
    }
    translate(&program, scope)
}

/// The same program without its temporal properties. The others are renumbered.
pub fn states_only(program: &Program) -> Program {
    let mut program = program.clone();
    let kept = program.properties.iter().map(|p| !p.kind.is_temporal());
    let number = |before: &mut usize, kept: bool| {
        let number = *before;
        *before += usize::from(kept);
        Some(PropId::from(number))
    };
    let numbers: Vec<PropId> = kept.scan(0, number).collect();
    program.properties.retain(|p| !p.kind.is_temporal());
    let steps = program.defs.iter_mut().flat_map(|d| &mut d.steps);
    for effect in steps.flat_map(|s| &mut s.effects) {
        if let Effect::Assert { property, .. } = effect {
            *property = numbers[property.index()];
        }
    }
    program
}
