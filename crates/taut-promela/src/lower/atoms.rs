//! The conditions that a claim speaks of, as numbered atoms.
//!
//! Conditions are taken apart at `!`, `&&` and `||`, which the logic has itself: what is left are comparisons
//! that a report can show one by one. Conditions that say the same are one atom.

use taut_ir::{Atom, Expr};
use taut_ltl::{AtomId, Cube, Formula, Guard, MOST_BITS};

use super::Lowering;
use crate::ast::{self, Binary, ExprKind, Unary};
use crate::print::expression;

/// The most cubes of a guard.
const MOST_CUBES: usize = 512;
/// Up to so many cubes a guard is made as small as it can be.
const FEW_CUBES: usize = 16;

/// The atoms of one claim.
#[derive(Default)]
pub(super) struct Atoms {
    atoms: Vec<Atom>,
    /// How each is printed, where its text in the source is not its own.
    printed: Vec<String>,
}

impl Atoms {
    /// The atoms, each with a text of its own.
    pub(super) fn finish(self) -> Vec<Atom> {
        let texts: Vec<_> = self.atoms.iter().map(|a| a.text.clone()).collect();
        let shared = |text: &String| texts.iter().filter(|t| *t == text).count() > 1;
        let all = self.atoms.into_iter().zip(self.printed);
        all.map(|(atom, printed)| match shared(&atom.text) {
            true => Atom { text: printed, ..atom },
            false => atom,
        })
        .collect()
    }

    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.atoms.len()
    }

    /// Adds an atom, even if it is there already.
    pub(super) fn push(&mut self, expr: Expr, text: String, printed: String) -> AtomId {
        self.atoms.push(Atom { expr, text });
        self.printed.push(printed);
        AtomId(self.atoms.len() as u32 - 1)
    }
}

impl<'m> Lowering<'m> {
    /// A condition as a formula without temporal operators.
    pub(super) fn condition_of(&mut self, atoms: &mut Atoms, e: &'m ast::Expr) -> Formula {
        match &e.kind {
            ExprKind::Unary(Unary::Not, a) => self.condition_of(atoms, a).negated(),
            ExprKind::Binary(Binary::And, a, b) => {
                and(self.condition_of(atoms, a), self.condition_of(atoms, b))
            }
            ExprKind::Binary(Binary::Or, a, b) => {
                or(self.condition_of(atoms, a), self.condition_of(atoms, b))
            }
            _ => self.atom(atoms, e),
        }
    }

    fn atom(&mut self, atoms: &mut Atoms, e: &'m ast::Expr) -> Formula {
        let expr = self.expr(e);
        if let Expr::Const(value) = expr {
            return if value == 0 { Formula::False } else { Formula::True };
        }
        if let Some(known) = atoms.atoms.iter().position(|a| a.expr == expr) {
            return Formula::atom(known as u32);
        }
        // One too many is reported; the rest would only cost time.
        if atoms.len() > MOST_BITS {
            return Formula::False;
        }
        let text = self.text_of(e);
        Formula::Atom(atoms.push(expr, text, expression(e)))
    }

    /// How the source says a condition.
    pub(super) fn text_of(&self, e: &ast::Expr) -> String {
        self.parsed.texts.get(&e.at.0).cloned().unwrap_or_else(|| expression(e))
    }
}

/// `f && g`, simplified where one is a constant.
pub(super) fn and(f: Formula, g: Formula) -> Formula {
    match (f, g) {
        (Formula::True, f) | (f, Formula::True) => f,
        (Formula::False, _) | (_, Formula::False) => Formula::False,
        (f, g) => Formula::and(f, g),
    }
}

/// `f || g`, simplified where one is a constant.
pub(super) fn or(f: Formula, g: Formula) -> Formula {
    match (f, g) {
        (Formula::False, f) | (f, Formula::False) => f,
        (Formula::True, _) | (_, Formula::True) => Formula::True,
        (f, g) => Formula::or(f, g),
    }
}

/// Whether one of some conditions holds. The tree is as low as can be, since others walk it.
pub(super) fn any(conditions: &[Formula]) -> Formula {
    match conditions {
        [] => Formula::False,
        [one] => one.clone(),
        more => {
            let (left, right) = more.split_at(more.len() / 2);
            or(any(left), any(right))
        }
    }
}

/// A condition as a guard; none if that has too many cubes.
pub(super) fn guard(condition: &Formula) -> Option<Guard> {
    let cubes = cubes(condition, true)?;
    Some(if cubes.len() <= FEW_CUBES { Guard::new(cubes) } else { Guard { cubes } })
}

/// The cubes of a condition, or of its negation. Negations are pushed inwards on the way.
fn cubes(condition: &Formula, positive: bool) -> Option<Vec<Cube>> {
    match (condition, positive) {
        (Formula::True, true) | (Formula::False, false) => Some(vec![Cube::TRUE]),
        (Formula::True, false) | (Formula::False, true) => Some(Vec::new()),
        (Formula::Atom(atom), _) if atom.index() < MOST_BITS => {
            Some(vec![Cube::literal(atom.0, positive)])
        }
        (Formula::Not(f), _) => cubes(f, !positive),
        (Formula::And(f, g), true) | (Formula::Or(f, g), false) => {
            let (f, g) = (cubes(f, positive)?, cubes(g, positive)?);
            let pairs = f.iter().flat_map(|a| g.iter().filter_map(|b| a.and(*b)));
            limited(pairs)
        }
        (Formula::Or(f, g), true) | (Formula::And(f, g), false) => {
            limited(cubes(f, positive)?.into_iter().chain(cubes(g, positive)?))
        }
        // Nothing else is made of conditions.
        _ => None,
    }
}

/// Some cubes without those that another one contains; none if there are too many.
fn limited(all: impl Iterator<Item = Cube>) -> Option<Vec<Cube>> {
    let mut kept: Vec<Cube> = Vec::new();
    for cube in all {
        if kept.iter().any(|k| cube.implies(*k)) {
            continue;
        }
        kept.retain(|k| !k.implies(cube));
        kept.push(cube);
        if kept.len() > MOST_CUBES {
            return None;
        }
    }
    Some(kept)
}
