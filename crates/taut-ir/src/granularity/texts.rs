//! The text of split steps: what a reader wants to see of them. Putting a register back to its initial value
//! is not part of it.

use std::collections::HashSet;

use crate::{Assignment, DefId, Effect, Expr, Lvalue, ProcessDef, Program, RegId, Step, Variable};

/// Gives a text to the steps that put hidden registers back.
pub(super) fn describe(vars: &[Variable], def: &mut ProcessDef, hidden: &HashSet<RegId>) {
    if hidden.is_empty() {
        return;
    }
    let steps = std::mem::take(&mut def.steps);
    // The printer needs a program around the definition. Names of other definitions are not known here, so a
    // step that spawns is printed as it is.
    let mut shown = Program { vars: vars.to_vec(), defs: vec![def.clone()], ..Program::default() };
    let texts: Vec<Option<String>> = steps.iter().map(|s| text(&shown, s, hidden)).collect();
    *def = shown.defs.remove(0);
    def.steps = steps;
    for (step, text) in def.steps.iter_mut().zip(texts) {
        step.text = step.text.take().or(text);
    }
}

fn text(program: &Program, step: &Step, hidden: &HashSet<RegId>) -> Option<String> {
    let spawns = step.effects.iter().any(|e| matches!(e, Effect::Spawn { .. }));
    let mut seen = step.clone();
    let mut resets = false;
    for effect in &mut seen.effects {
        let Effect::Assign(list) = effect else { continue };
        let before = list.len();
        list.retain(|a| !is_reset(program, a, hidden));
        resets |= list.len() < before;
    }
    seen.effects.retain(|e| !matches!(e, Effect::Assign(list) if list.is_empty()));
    (resets && !spawns).then(|| program.show_step(DefId(0), &seen).to_string())
}

fn is_reset(program: &Program, a: &Assignment, hidden: &HashSet<RegId>) -> bool {
    let Lvalue::Reg(r) = a.place else { return false };
    let register = &program.defs[0].registers[r.index()];
    hidden.contains(&r) && a.value == Expr::Const(register.init[0])
}
