//! Comparing programs by what they mean to the model, whatever text they came from.

use taut_ir::{Atom, Ltl, Program, PropertyKind};
use taut_ltl::{AtomId, Formula};
use taut_source::Span;

/// Whether two programs are equal except for their places in source files, the texts of steps, cells, values and of
/// conditions in formulas, and the order in which those are listed.
pub fn same(a: &Program, b: &Program) -> bool {
    without_spans(a) == without_spans(b)
}

/// A program that points into no source file, and whose steps have no text and no mark that they are whole. The conditions of a formula have no text and are listed in
/// the order in which the formula names them, each once.
pub fn without_spans(program: &Program) -> Program {
    let mut program = program.clone();
    program.shown = taut_ir::Shown::default();
    program.vars.iter_mut().for_each(|v| v.span = Span::NONE);
    for property in &mut program.properties {
        property.span = Span::NONE;
        match &mut property.kind {
            PropertyKind::Ltl(ltl) => renumber(ltl),
            PropertyKind::Never(never) => never.atoms.iter_mut().for_each(|a| a.text.clear()),
            PropertyKind::Assert
            | PropertyKind::Forbid(_)
            | PropertyKind::Cover(_)
            | PropertyKind::Invariant(_) => {}
        }
    }
    for def in &mut program.defs {
        def.span = Span::NONE;
        def.registers.iter_mut().for_each(|r| r.span = Span::NONE);
        for step in &mut def.steps {
            step.span = Span::NONE;
            step.text = None;
            step.whole = false;
        }
    }
    program
}

/// Lists the conditions of a formula in the order in which it names them.
fn renumber(ltl: &mut Ltl) {
    let old = std::mem::take(&mut ltl.atoms);
    let new = &mut ltl.atoms;
    ltl.formula = ltl.formula.substitute(&mut |id: &AtomId| {
        let expr = &old[id.index()].expr;
        let place = new.iter().position(|a| a.expr == *expr).unwrap_or_else(|| {
            new.push(Atom { expr: expr.clone(), text: String::new() });
            new.len() - 1
        });
        Formula::atom(place as u32)
    });
}
