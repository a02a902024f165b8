//! Regular expressions that are simplified while they are built.
//!
//! Invariants of what `union`, `concat`, `star` and `optional` give: a `Concat` or `Union` has at
//! least two parts, none of its own kind and none `Empty` or `Epsilon`; the parts of a `Union` are
//! sorted, none is `Optional`, and no two begin or end with the same factor; the body of a `Star`,
//! `Plus` or `Optional` is none of the three.
//!
//! Every rule is an identity of Kleene algebra. They do not find the shortest expression, which is
//! as hard as comparing languages; they find what a person sees at once.

use super::union::union;
use crate::automaton::Letter;

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Expression {
    Empty,
    Epsilon,
    Letter(Letter),
    Concat(Vec<Expression>),
    Union(Vec<Expression>),
    Star(Box<Expression>),
    Plus(Box<Expression>),
    Optional(Box<Expression>),
}

use Expression::{Concat, Empty, Epsilon, Optional, Plus, Star, Union};

impl Expression {
    /// Whether it has the empty word.
    pub(super) fn nullable(&self) -> bool {
        match self {
            Epsilon | Star(_) | Optional(_) => true,
            Empty | Expression::Letter(_) => false,
            Concat(parts) => parts.iter().all(Expression::nullable),
            Union(parts) => parts.iter().any(Expression::nullable),
            Plus(body) => body.nullable(),
        }
    }

    /// How long it is on paper: four for a letter, one for a sign, two for a pair of parentheses.
    pub(super) fn cost(&self) -> usize {
        match self {
            Empty | Epsilon => 1,
            Expression::Letter(_) => 4,
            Concat(parts) => {
                let parentheses = parts.iter().filter(|part| matches!(part, Union(_))).count();
                parts.iter().map(Expression::cost).sum::<usize>() + 2 * parentheses
            }
            Union(parts) => parts.iter().map(Expression::cost).sum::<usize>() + parts.len() - 1,
            Star(body) | Plus(body) | Optional(body) => {
                let parentheses = if matches!(**body, Concat(_) | Union(_)) { 2 } else { 0 };
                body.cost() + parentheses + 1
            }
        }
    }

    /// The expressions that it is the concatenation of.
    pub(super) fn factors(&self) -> &[Expression] {
        match self {
            Concat(parts) => parts,
            Epsilon => &[],
            other => std::slice::from_ref(other),
        }
    }

    /// The body of a repetition, or itself.
    fn unrepeated(self) -> Expression {
        match self {
            Star(body) | Plus(body) | Optional(body) => *body,
            other => other,
        }
    }

    /// Whether it can be seen that all its words are in `body*`.
    fn within_star(&self, body: &Expression) -> bool {
        if self == body {
            return true;
        }
        match self {
            Empty | Epsilon => true,
            Expression::Letter(_) => matches!(body, Union(parts) if parts.contains(self)),
            Concat(parts) => {
                matches!(body, Union(bodies) if bodies.contains(self))
                    || parts.iter().all(|part| part.within_star(body))
            }
            Union(parts) => parts.iter().all(|part| part.within_star(body)),
            Star(inner) | Plus(inner) | Optional(inner) => inner.within_star(body),
        }
    }

    /// Whether it can be seen that all words of `other` are among its own.
    pub(super) fn covers(&self, other: &Expression) -> bool {
        match self {
            Star(body) => other.within_star(body),
            Plus(body) => other == &**body || (!other.nullable() && other.within_star(body)),
            _ => self == other,
        }
    }
}

/// Any number of words of `body`.
pub(super) fn star(body: Expression) -> Expression {
    match body {
        Empty | Epsilon => Epsilon,
        Star(body) | Plus(body) | Optional(body) => star(*body),
        // (a*b*)* = (a|b)*
        Concat(parts) if parts.iter().all(Expression::nullable) => star(union(parts)),
        Union(parts) => {
            let simpler = parts.iter().cloned().map(Expression::unrepeated).collect();
            match union(simpler) {
                Union(simpler) if simpler == parts => Star(Box::new(Union(parts))),
                simpler => star(simpler),
            }
        }
        body => Star(Box::new(body)),
    }
}

/// The words made of a word of each of the parts.
pub(super) fn concat(parts: Vec<Expression>) -> Expression {
    let mut factors = Vec::new();
    for part in parts {
        match part {
            Empty => return Empty,
            Epsilon => {}
            Concat(parts) => parts.into_iter().for_each(|part| join(&mut factors, part)),
            part => join(&mut factors, part),
        }
    }
    match factors.len() {
        0 => Epsilon,
        1 => factors.swap_remove(0),
        _ => Concat(factors),
    }
}

/// Puts one more factor after the others: rr* = r*r = r+, r*r* = r*r? = r*, r+r* = r+.
fn join(factors: &mut Vec<Expression>, next: Expression) {
    if next.nullable()
        && let Some(Star(body) | Plus(body)) = factors.last()
        && next.within_star(body)
    {
        return;
    }
    let (Star(body) | Plus(body)) = &next else {
        factors.push(next);
        return join_repeated(factors);
    };
    while factors.last().is_some_and(|last| last.nullable() && last.within_star(body)) {
        factors.pop();
    }
    if matches!(next, Star(_)) && factors.ends_with(body.factors()) {
        factors.truncate(factors.len() - body.factors().len());
        let plus = Plus(body.clone());
        return join(factors, plus);
    }
    factors.push(next);
}

/// If the factors end with `r*r`, makes that `r+`.
fn join_repeated(factors: &mut Vec<Expression>) {
    let repeated = factors.iter().rposition(|factor| matches!(factor, Star(_)));
    if let Some(at) = repeated
        && let Star(body) = &factors[at]
        && body.factors() == &factors[at + 1..]
    {
        let plus = Plus(body.clone());
        factors.truncate(at);
        factors.push(plus);
    }
}
