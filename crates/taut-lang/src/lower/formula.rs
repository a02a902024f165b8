//! Formulas: what was written to a formula over numbered conditions.
//!
//! Equal conditions share a number. One that is a number itself is true or false and needs none.

use taut_ir::{Atom, Ltl};
use taut_ltl::{AtomId, Formula, MOST_BITS};
use taut_source::{Diagnostic, Span};

use super::Lowering;
use super::scope::Scope;
use crate::ast::{self, ExprKind, FormulaKind};
use crate::{codes, format};

/// The conditions of a formula so far.
#[derive(Default)]
struct Atoms {
    list: Vec<Atom>,
    /// There are more than are possible; that has been reported.
    too_many: bool,
}

impl Lowering<'_> {
    /// Lowers a formula. After a mistake, which has been reported, it means nothing.
    pub(super) fn ltl(&mut self, formula: &ast::Formula) -> Ltl {
        let mut atoms = Atoms::default();
        let formula = self.formula(&Scope::temporal(), formula, &mut atoms);
        Ltl { formula, atoms: atoms.list, finite_runs: true }
    }

    /// A condition that is not taken apart.
    pub(super) fn atom(&mut self, scope: &Scope, expr: &ast::Expr) -> Atom {
        Atom { expr: self.expr(scope, expr), text: text(expr) }
    }

    fn formula(&mut self, scope: &Scope, formula: &ast::Formula, atoms: &mut Atoms) -> Formula {
        match &formula.kind {
            FormulaKind::Paren(inner) => self.formula(scope, inner, atoms),
            FormulaKind::Plain(e) => {
                let atom = self.atom(scope, e);
                match atom.expr {
                    taut_ir::Expr::Const(0) => Formula::False,
                    taut_ir::Expr::Const(_) => Formula::True,
                    _ => self.numbered(atom, e.span, atoms),
                }
            }
            FormulaKind::Whole(e) => {
                let atom = self.atom(scope, e);
                self.numbered(atom, e.span, atoms)
            }
            FormulaKind::Prefix(op, f) => op.apply(self.formula(scope, f, atoms)),
            FormulaKind::Infix(op, f, g) => {
                let f = self.formula(scope, f, atoms);
                op.apply(f, self.formula(scope, g, atoms))
            }
        }
    }

    fn numbered(&mut self, atom: Atom, span: Span, atoms: &mut Atoms) -> Formula {
        if let Some(known) = atoms.list.iter().position(|a| a.expr == atom.expr) {
            return Formula::Atom(AtomId(known as u32));
        }
        if atoms.list.len() < MOST_BITS {
            atoms.list.push(atom);
            return Formula::Atom(AtomId(atoms.list.len() as u32 - 1));
        }
        if !std::mem::replace(&mut atoms.too_many, true) {
            let message = format!("this formula has more than {MOST_BITS} different conditions");
            let found = Diagnostic::error(codes::TOO_MANY_ATOMS, message, span);
            self.report(found.label("one too many").help(
                "conditions in braces count as one: `{a && b}`; or make several properties of it",
            ));
        }
        Formula::True
    }
}

/// How the source says a condition, without parentheses around it.
fn text(expr: &ast::Expr) -> String {
    match &expr.kind {
        ExprKind::Paren(inner) => text(inner),
        _ => format::expression(expr),
    }
}
