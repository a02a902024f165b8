//! Unions: flat, sorted, without what other parts cover, and with common factors taken out.

use super::expression::Expression::{self, Concat, Empty, Epsilon, Optional, Plus, Star, Union};
use super::expression::concat;
use super::optional::optional;
use crate::automaton::Letter;

/// The words of any of the parts.
pub(super) fn union(parts: Vec<Expression>) -> Expression {
    let (mut parts, mut epsilon) = (flatten(parts), false);
    loop {
        taut_budget::tick();
        epsilon |= take_epsilon(&mut parts);
        absorb(&mut parts);
        let Some(pair) = common(&parts) else { break };
        let factored = pair.factored(&mut parts);
        parts.extend(flatten(vec![factored]));
    }
    let union = match parts.len() {
        0 => Empty,
        1 => parts.swap_remove(0),
        _ => Union(parts),
    };
    match (epsilon, union) {
        (true, Empty) => Epsilon,
        (true, union) => optional(union),
        (false, union) => union,
    }
}

/// The parts of unions within unions, side by side.
fn flatten(parts: Vec<Expression>) -> Vec<Expression> {
    let mut flat = Vec::new();
    for part in parts {
        match part {
            Union(parts) => flat.extend(parts),
            Optional(body) => {
                flat.push(Epsilon);
                flat.extend(flatten(vec![*body]));
            }
            part => flat.push(part),
        }
    }
    flat
}

/// Removes the empty word and the parts without words, and says whether the first was there.
fn take_epsilon(parts: &mut Vec<Expression>) -> bool {
    let epsilon = parts.contains(&Epsilon);
    parts.retain(|part| !matches!(part, Empty | Epsilon));
    epsilon
}

/// Sorts the parts by their letters, and removes those that others cover.
fn absorb(parts: &mut Vec<Expression>) {
    parts.sort_by_cached_key(|part| (letters(part), part.clone()));
    parts.dedup();
    let mut at = 0;
    while at < parts.len() {
        let covered = |&other: &usize| other != at && parts[other].covers(&parts[at]);
        if (0..parts.len()).any(|other| covered(&other)) {
            parts.remove(at);
        } else {
            at += 1;
        }
    }
}

/// The letters of an expression, from left to right.
fn letters(expression: &Expression) -> Vec<Letter> {
    match expression {
        Empty | Epsilon => Vec::new(),
        Expression::Letter(letter) => vec![*letter],
        Concat(parts) | Union(parts) => parts.iter().flat_map(letters).collect(),
        Star(body) | Plus(body) | Optional(body) => letters(body),
    }
}

/// Two parts of a union with common factors: `a|ab` is `ab?`.
struct Common {
    one: usize,
    other: usize,
    /// How many factors are common, at the beginning or at the end.
    count: usize,
    at_end: bool,
}

/// The two parts with the most common factors.
fn common(parts: &[Expression]) -> Option<Common> {
    let mut best: Option<Common> = None;
    for other in 1..parts.len() {
        for one in 0..other {
            let (left, right) = (parts[one].factors(), parts[other].factors());
            let begin = left.iter().zip(right).take_while(|(l, r)| l == r).count();
            let end = left.iter().rev().zip(right.iter().rev()).take_while(|(l, r)| l == r).count();
            let (count, at_end) = if end > begin { (end, true) } else { (begin, false) };
            if count > best.as_ref().map_or(0, |best| best.count) {
                best = Some(Common { one, other, count, at_end });
            }
        }
    }
    best
}

impl Common {
    /// Takes the two out of `parts` and gives them as one expression.
    fn factored(self, parts: &mut Vec<Expression>) -> Expression {
        let other = parts.remove(self.other);
        let one = parts.remove(self.one);
        let (one, other) = (one.factors(), other.factors());
        let rest = |factors: &[Expression]| {
            let kept = factors.len() - self.count;
            let rest = if self.at_end { &factors[..kept] } else { &factors[self.count..] };
            concat(rest.to_vec())
        };
        let choice = union(vec![rest(one), rest(other)]);
        if self.at_end {
            let mut factors = vec![choice];
            factors.extend_from_slice(&one[one.len() - self.count..]);
            concat(factors)
        } else {
            let mut factors = one[..self.count].to_vec();
            factors.push(choice);
            concat(factors)
        }
    }
}
