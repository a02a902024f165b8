//! The empty word beside an expression: `?`, or better something that has the empty word anyway.

use super::expression::Expression::{self, Concat, Empty, Epsilon, Optional, Plus, Star, Union};
use super::expression::{concat, star};
use super::union::union;

/// The words of `body`, and the empty one.
pub(super) fn optional(body: Expression) -> Expression {
    match body {
        Empty | Epsilon => Epsilon,
        body if body.nullable() => body,
        Plus(body) => star(*body),
        Concat(factors) => match folded(&factors) {
            Some(star) => star,
            None => Optional(Box::new(Concat(factors))),
        },
        Union(parts) => match spread(&parts) {
            Some(parts) => union(parts),
            None => Optional(Box::new(Union(parts))),
        },
        body => Optional(Box::new(body)),
    }
}

/// `(r(r|s)*)? = (rs*)*`, and `((r|s)*r)? = (s*r)*`.
fn folded(factors: &[Expression]) -> Option<Expression> {
    let (last, front) = factors.split_last()?;
    if let Some(others) = others_in_star(last, front) {
        return Some(star(concat([front.to_vec(), vec![star(others)]].concat())));
    }
    let (first, back) = factors.split_first()?;
    let others = others_in_star(first, back)?;
    Some(star(concat([vec![star(others)], back.to_vec()].concat())))
}

/// If an expression is `(r|s)*` with the concatenation of `factors` for `r`: the `s`.
fn others_in_star(expression: &Expression, factors: &[Expression]) -> Option<Expression> {
    let Star(body) = expression else { return None };
    let Union(parts) = &**body else { return None };
    let at = parts.iter().position(|part| part.factors() == factors)?;
    let mut others = parts.clone();
    others.remove(at);
    Some(union(others))
}

/// The parts with the empty word given to one of them that needs no sign of its own for it:
/// `(a+|b)? = a*|b`, and `(a|a?b)? = a?b?`.
fn spread(parts: &[Expression]) -> Option<Vec<Expression>> {
    let mut parts = parts.to_vec();
    if let Some(at) = parts.iter().position(|part| matches!(part, Plus(_))) {
        let plus = parts.remove(at);
        parts.push(star(plus));
        return Some(parts);
    }
    let pairs = (0..parts.len()).flat_map(|one| (0..parts.len()).map(move |other| (one, other)));
    let (one, other, spread) = pairs
        .filter_map(|(one, other)| Some((one, other, spread_pair(&parts[one], &parts[other])?)))
        .next()?;
    parts.remove(one.max(other));
    parts.remove(one.min(other));
    parts.push(spread);
    Some(parts)
}

/// `r|r?s` or `r|sr?` with the empty word: `r?s?` or `s?r?`.
fn spread_pair(one: &Expression, other: &Expression) -> Option<Expression> {
    let is_optional_one = |factor: &Expression| matches!(factor, Optional(body) if **body == *one);
    let factors = other.factors();
    let (first, back) = factors.split_first()?;
    if is_optional_one(first) {
        return Some(concat(vec![first.clone(), optional(concat(back.to_vec()))]));
    }
    let (last, front) = factors.split_last()?;
    is_optional_one(last).then(|| concat(vec![optional(concat(front.to_vec())), last.clone()]))
}
