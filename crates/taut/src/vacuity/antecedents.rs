//! The left sides of implications in properties.
//!
//! `[] (a -> b)` says nothing of a program in which `a` is never true. Wanted are the left sides of all implications
//! in *positive* position, that is, under an even number of negations: each of them makes its property weaker. If
//! `a` is false in every state that the program can be in, then `a -> b` is true at every position of every run,
//! wherever it stands in the formula. So reachability of a state with `a` decides; a left side that is reachable, but
//! not at the positions the formula looks at, is not listed. Left sides with temporal operators are left alone.
//!
//! In plain expressions an implication is written `!a || b`, and it is recognised in that form, too.

use taut_ir::{Atom, BinaryOp, Expr, Program, Property, PropertyKind, UnaryOp};
use taut_ltl::Formula;

/// A left side: a condition on one state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Antecedent {
    /// The condition.
    pub(super) expr: Expr,
    /// How the source says it.
    pub(super) text: String,
}

/// The left sides in a property that a search of states can look for.
pub(super) fn antecedents(program: &Program, property: &Property) -> Vec<Antecedent> {
    let mut all = match &property.kind {
        PropertyKind::Invariant(expr) => {
            let mut found = Vec::new();
            of_expr(expr, &mut found);
            let text = |expr: &Expr| program.show_expr(None, expr).to_string();
            found.into_iter().map(|e| Antecedent { text: text(&e), expr: e }).collect()
        }
        PropertyKind::Ltl(ltl) => {
            let mut found = Vec::new();
            of_formula(&ltl.formula, true, &mut found);
            let names: Vec<String> = ltl.atoms.iter().map(|atom| atom.text.clone()).collect();
            let of = |f: &Formula| {
                let expr = condition(f, &ltl.atoms)?;
                Some(Antecedent { expr, text: f.display(&names).to_string() })
            };
            found.into_iter().filter_map(of).collect()
        }
        PropertyKind::Assert
        | PropertyKind::Forbid(_)
        | PropertyKind::Cover(_)
        | PropertyKind::Never(_) => Vec::new(),
    };
    all.retain(|antecedent| {
        !matches!(antecedent.expr, Expr::Const(_)) && is_of_states(&antecedent.expr)
    });
    all
}

/// The left sides of `!a || b` in an expression that must be true. A disjunction of negations, such as `!a || !b`, says
/// that two things exclude each other; neither is the left side.
fn of_expr(expr: &Expr, found: &mut Vec<Expr>) {
    match expr {
        Expr::Binary(BinaryOp::And, a, b) => [a, b].into_iter().for_each(|e| of_expr(e, found)),
        Expr::Binary(BinaryOp::Or, a, b) => {
            match (negated(a), negated(b)) {
                (Some(left), None) | (None, Some(left)) => found.push(left),
                _ => {}
            }
            [a, b].into_iter().for_each(|e| of_expr(e, found));
        }
        _ => {}
    }
}

/// The operand of a negation.
fn negated(expr: &Expr) -> Option<Expr> {
    match expr {
        Expr::Unary(UnaryOp::Not, operand) => Some((**operand).clone()),
        _ => None,
    }
}

/// The left sides of implications in positive position.
fn of_formula<'f>(formula: &'f Formula, positive: bool, found: &mut Vec<&'f Formula>) {
    use Formula::*;
    match formula {
        True | False | Atom(_) | Iff(..) => {}
        Not(f) => of_formula(f, !positive, found),
        Implies(a, b) => {
            if positive {
                found.push(a);
            }
            of_formula(a, !positive, found);
            of_formula(b, positive, found);
        }
        Or(a, b) => {
            if positive {
                match (&**a, &**b) {
                    (Not(_), Not(_)) => {}
                    (Not(left), _) | (_, Not(left)) => found.push(left),
                    _ => {}
                }
            }
            [a, b].into_iter().for_each(|f| of_formula(f, positive, found));
        }
        And(a, b) | Until(a, b) | Release(a, b) | WeakUntil(a, b) | StrongRelease(a, b) => {
            [a, b].into_iter().for_each(|f| of_formula(f, positive, found));
        }
        Next(f) | Always(f) | Eventually(f) => of_formula(f, positive, found),
    }
}

/// A formula without temporal operators as one expression; none if it has some, or if its atoms can fault in a
/// way that changes its meaning. An atom that cannot be computed counts as false, an expression with such a part
/// counts as false as a whole: the same for conjunctions, not for the others.
fn condition(formula: &Formula, atoms: &[Atom]) -> Option<Expr> {
    let expr = joined(formula, atoms)?;
    let is_safe = is_conjunction(formula) || !can_fault(&expr);
    is_safe.then_some(expr)
}

fn joined(formula: &Formula, atoms: &[Atom]) -> Option<Expr> {
    let of = |f: &Formula| joined(f, atoms);
    let or = |a, b| Expr::binary(BinaryOp::Or, a, b);
    Some(match formula {
        Formula::True => Expr::TRUE,
        Formula::False => Expr::Const(0),
        Formula::Atom(id) => atoms.get(id.index())?.expr.clone(),
        Formula::Not(f) => of(f)?.not(),
        Formula::And(a, b) => Expr::binary(BinaryOp::And, of(a)?, of(b)?),
        Formula::Or(a, b) => or(of(a)?, of(b)?),
        Formula::Implies(a, b) => or(of(a)?.not(), of(b)?),
        Formula::Iff(a, b) => of(a)?.not().equals(of(b)?.not()),
        _ => return None,
    })
}

fn is_conjunction(formula: &Formula) -> bool {
    match formula {
        Formula::Atom(_) | Formula::True => true,
        Formula::And(a, b) => is_conjunction(a) && is_conjunction(b),
        _ => false,
    }
}

/// Whether an expression may have no value, by its form.
fn can_fault(expr: &Expr) -> bool {
    let mut found = false;
    expr.visit(&mut |e| {
        found |= matches!(
            e,
            Expr::VarElem(..)
                | Expr::RegElem(..)
                | Expr::Binary(BinaryOp::Div | BinaryOp::Rem | BinaryOp::Shl | BinaryOp::Shr, ..)
                | Expr::Channel(..)
                | Expr::Poll(_)
        );
    });
    found
}

/// Whether a property of states may ask it.
fn is_of_states(expr: &Expr) -> bool {
    let mut allowed = true;
    expr.visit(&mut |e| allowed &= !matches!(e, Expr::Enabled(_) | Expr::Timeout));
    allowed
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(formula: &str) -> Vec<String> {
        let parsed = taut_ltl::parse(formula).expect("a formula");
        let mut found = Vec::new();
        of_formula(&parsed.formula, true, &mut found);
        found.iter().map(|f| f.display(&parsed.atoms).to_string()).collect()
    }

    #[test]
    fn left_sides_in_positive_position_only() {
        assert_eq!(texts("[] (a -> <> b)"), ["a"]);
        assert_eq!(texts("[] (a -> (b -> c))"), ["a", "b"]);
        assert_eq!(texts("! <> ! (a -> b)"), ["a"]);
        assert_eq!(texts("! (a -> b)"), [""; 0]);
        assert_eq!(texts("(a -> b) -> c"), ["a -> b"]);
        assert_eq!(texts("[] (!a || b)"), ["a"]);
        assert_eq!(texts("[] (!a || !b)"), [""; 0]);
        assert_eq!(texts("p U (a -> b)"), ["a"]);
    }

    #[test]
    fn what_can_fault_under_a_negation_is_left_alone() {
        let parsed = taut_ltl::parse("!a").expect("a formula");
        let element = Expr::VarElem(taut_ir::VarId(0), Box::new(Expr::Var(taut_ir::VarId(1))));
        let atom = Atom { expr: element, text: "x[y]".into() };
        assert_eq!(condition(&parsed.formula, std::slice::from_ref(&atom)), None);
        let parsed = taut_ltl::parse("a").expect("a formula");
        assert!(condition(&parsed.formula, &[atom]).is_some());
    }
}
