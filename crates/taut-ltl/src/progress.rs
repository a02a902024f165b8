//! Formula progression: what a formula asks of the rest of a run once one position was read.
//!
//! Bacchus and Kabanza, "Using temporal logics to express search control knowledge for planning",
//! AIJ 2000. The result is in negation normal form except for `<->`, which is kept because writing
//! it out doubles the formula. Conjunctions and disjunctions are kept flat, sorted and without
//! repetition, so that a formula that can no longer be saved (`p && ! p`) becomes
//! [`Formula::False`] and the formulas that arise over a run stay finitely many.

use crate::formula::Formula;

/// What must hold from the next position on, given the atoms now.
pub fn progress(formula: &Formula, valuation: u64) -> Formula {
    step(formula, valuation, true)
}

/// Progression of a formula or, if not `positive`, of its negation.
fn step(formula: &Formula, v: u64, positive: bool) -> Formula {
    use Formula::*;
    let constant = |truth: bool| if truth == positive { True } else { False };
    match formula {
        True => constant(true),
        False => constant(false),
        Atom(atom) => constant(atom.holds(v)),
        Not(f) => step(f, v, !positive),
        And(f, g) => join(positive, step(f, v, positive), step(g, v, positive)),
        Or(f, g) => join(!positive, step(f, v, positive), step(g, v, positive)),
        Implies(f, g) => join(!positive, step(f, v, !positive), step(g, v, positive)),
        Iff(f, g) => iff(step(f, v, positive), step(g, v, true)),
        Next(f) => normal(f, positive),
        Always(f) => join(positive, step(f, v, positive), normal(formula, positive)),
        Eventually(f) => join(!positive, step(f, v, positive), normal(formula, positive)),
        Until(f, g) | WeakUntil(f, g) => {
            let wait = join(positive, step(f, v, positive), normal(formula, positive));
            join(!positive, step(g, v, positive), wait)
        }
        Release(f, g) | StrongRelease(f, g) => {
            let wait = join(!positive, step(f, v, positive), normal(formula, positive));
            join(positive, step(g, v, positive), wait)
        }
    }
}

/// The formula, or its negation, with negations at the atoms only.
fn normal(formula: &Formula, positive: bool) -> Formula {
    use Formula::*;
    let part = |f: &Formula| normal(f, positive);
    let two = |yes: fn(Formula, Formula) -> Formula,
               no: fn(Formula, Formula) -> Formula,
               f: &Formula,
               g: &Formula| (if positive { yes } else { no })(part(f), part(g));
    match formula {
        True | False | Atom(_) if positive => formula.clone(),
        True | False | Atom(_) => formula.clone().negated(),
        Not(f) => normal(f, !positive),
        And(f, g) => join(positive, part(f), part(g)),
        Or(f, g) => join(!positive, part(f), part(g)),
        Implies(f, g) => join(!positive, normal(f, !positive), part(g)),
        Iff(f, g) => iff(part(f), normal(g, true)),
        Next(f) => temporal(Formula::next, part(f)),
        Always(f) => {
            temporal(if positive { Formula::always } else { Formula::eventually }, part(f))
        }
        Eventually(f) => {
            temporal(if positive { Formula::eventually } else { Formula::always }, part(f))
        }
        Until(f, g) => two(Formula::until, Formula::release, f, g),
        Release(f, g) => two(Formula::release, Formula::until, f, g),
        WeakUntil(f, g) => two(Formula::weak_until, Formula::strong_release, f, g),
        StrongRelease(f, g) => two(Formula::strong_release, Formula::weak_until, f, g),
    }
}

/// The negation of a formula in normal form, operator by operator. Unlike [`normal`] it does not
/// sort anew, so that it takes linear time; a contradiction between long conjunctions may be missed
/// for that.
fn dual(formula: &Formula) -> Formula {
    use Formula::*;
    let two = |make: fn(Formula, Formula) -> Formula, f, g| make(dual(f), dual(g));
    match formula {
        True | False | Atom(_) | Not(_) => formula.clone().negated(),
        And(f, g) => two(Formula::or, f, g),
        Or(f, g) => two(Formula::and, f, g),
        Implies(f, g) => Formula::and((**f).clone(), dual(g)),
        Iff(f, g) => Formula::iff(dual(f), (**g).clone()),
        Next(f) => Formula::next(dual(f)),
        Always(f) => Formula::eventually(dual(f)),
        Eventually(f) => Formula::always(dual(f)),
        Until(f, g) => two(Formula::release, f, g),
        Release(f, g) => two(Formula::until, f, g),
        WeakUntil(f, g) => two(Formula::strong_release, f, g),
        StrongRelease(f, g) => two(Formula::weak_until, f, g),
    }
}

/// A temporal operator on a formula, which changes nothing about a constant.
fn temporal(make: fn(Formula) -> Formula, f: Formula) -> Formula {
    if matches!(f, Formula::True | Formula::False) { f } else { make(f) }
}

/// Both or neither.
fn iff(f: Formula, g: Formula) -> Formula {
    match (f, g) {
        (Formula::True, f) | (f, Formula::True) => f,
        (Formula::False, f) | (f, Formula::False) => normal(&f, false),
        (f, g) if f == g => Formula::True,
        (f, g) if f == dual(&g) => Formula::False,
        (f, g) if f <= g => Formula::iff(f, g),
        (f, g) => Formula::iff(g, f),
    }
}

/// `f && g` if `and`, else `f || g`: flat, sorted, without repetition, with absorption.
fn join(and: bool, f: Formula, g: Formula) -> Formula {
    let (neutral, zero) =
        if and { (Formula::True, Formula::False) } else { (Formula::False, Formula::True) };
    let mut parts = vec![];
    flatten(and, f, &mut parts);
    flatten(and, g, &mut parts);
    parts.retain(|part| *part != neutral);
    parts.sort();
    parts.dedup();
    let contradicts = |part: &Formula| parts.binary_search(&dual(part)).is_ok();
    if parts.contains(&zero) || parts.iter().any(contradicts) {
        return zero;
    }
    let parts = absorb(and, parts);
    let make = if and { Formula::and } else { Formula::or };
    parts.into_iter().rev().reduce(|rest, part| make(part, rest)).unwrap_or(neutral)
}

/// The parts of a conjunction (or of a disjunction).
fn flatten(and: bool, formula: Formula, parts: &mut Vec<Formula>) {
    let mut left = vec![formula];
    while let Some(f) = left.pop() {
        match f {
            Formula::And(f, g) if and => left.extend([*g, *f]),
            Formula::Or(f, g) if !and => left.extend([*g, *f]),
            f => parts.push(f),
        }
    }
}

/// Without the parts that another part absorbs: `f && (f || g)` is `f`.
fn absorb(and: bool, parts: Vec<Formula>) -> Vec<Formula> {
    let inner = |part: &Formula| {
        let mut inner = vec![];
        flatten(!and, part.clone(), &mut inner);
        inner
    };
    let inners: Vec<Vec<Formula>> = parts.iter().map(inner).collect();
    let within =
        |a: &[Formula], b: &[Formula]| a.len() < b.len() && a.iter().all(|f| b.contains(f));
    let absorbed = |i: usize| inners.iter().any(|other| within(other, &inners[i]));
    let keep: Vec<bool> = (0..parts.len()).map(|i| !absorbed(i)).collect();
    parts.into_iter().zip(keep).filter_map(|(part, keep)| keep.then_some(part)).collect()
}
