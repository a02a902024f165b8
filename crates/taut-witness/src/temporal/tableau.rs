//! The tableau of a formula.
//!
//! Lichtenstein and Pnueli, "Checking that finite state concurrent programs satisfy their linear
//! specification", POPL 1985. This is not how `taut-ltl` makes automata, and on purpose: it is what the
//! answers obtained with them are compared with.
//!
//! A *guess* says of every temporal subformula whether what it asks of the next position is so: one bit
//! each. Given the atoms at a position and a guess, the truth of all subformulas there follows, because
//! `f U g` is `g || (f && X (f U g))` and the others unfold likewise. A guess at one position must agree
//! with the truth at the next; so of two guesses in a row the second decides the first, and at every
//! position there are a few second ones for each first.
//!
//! Guesses that agree with each other may still put something off for ever: `f U g` because of
//! `X (f U g)`, and so on. Each subformula gives an acceptance set that excludes this. With them, a run
//! has exactly one accepted sequence of guesses, the true one.

use std::collections::HashMap;

use taut_ltl::Formula;

use super::product::Reader;

/// Every guess at a position, by the valuation there: what it says and what it asks.
pub(super) struct Tableau {
    sub: Vec<Part>,
    bits: usize,
    columns: HashMap<u64, Column>,
    /// The truth that is wanted of the whole formula at the first position.
    wanted: bool,
}

/// A subformula; its own parts stand before it.
struct Part {
    formula: Formula,
    parts: Vec<usize>,
    /// The bit of a guess that says what it asks of the next position.
    bit: Option<usize>,
}

/// All guesses at a position with some valuation.
#[derive(Default)]
struct Column {
    guesses: Vec<Guess>,
    /// The guesses that agree with a guess at the position before.
    after: HashMap<u32, Vec<u32>>,
}

#[derive(Clone, Copy)]
struct Guess {
    /// What the guess before it must say.
    before: u32,
    /// The acceptance sets it is in: bit *i* unless subformula *i* puts something off.
    kept: u64,
    /// The truth of the whole formula.
    truth: bool,
}

impl Tableau {
    /// The tableau for the runs that satisfy a formula, or that do not, over positions with these
    /// valuations. None if there are more than so many temporal subformulas.
    pub fn new(
        formula: &Formula,
        wanted: bool,
        most: usize,
        valuations: impl Iterator<Item = u64>,
    ) -> Option<Tableau> {
        let (sub, bits) = closure(formula);
        if bits > most {
            return None;
        }
        let mut tableau = Tableau { sub, bits, columns: HashMap::new(), wanted };
        for v in valuations {
            if !tableau.columns.contains_key(&v) {
                let column = tableau.column(v);
                tableau.columns.insert(v, column);
            }
        }
        Some(tableau)
    }

    /// For every guess at a position with a valuation: the guess before it, itself, and the acceptance sets it
    /// is in.
    pub fn arcs(&self, valuation: u64) -> impl Iterator<Item = (u32, u32, u64)> {
        let guesses = self.columns[&valuation].guesses.iter().zip(0..);
        guesses.map(|(guess, number)| (guess.before, number, guess.kept))
    }

    fn column(&self, valuation: u64) -> Column {
        let mut column = Column::default();
        for number in 0..1 << self.bits {
            let guess = self.guess(valuation, number);
            column.guesses.push(guess);
            column.after.entry(guess.before).or_default().push(number);
        }
        column
    }

    /// What a guess says at a position.
    fn guess(&self, valuation: u64, number: u32) -> Guess {
        let mut truth: Vec<bool> = Vec::new();
        let (mut before, mut kept) = (0, 0);
        for part in &self.sub {
            let next = part.bit.is_some_and(|bit| number >> bit & 1 == 1);
            let own: Vec<bool> = part.parts.iter().map(|&i| truth[i]).collect();
            let holds = holds(&part.formula, valuation, &own, next);
            if let Some(bit) = part.bit {
                let asked = if matches!(part.formula, Formula::Next(_)) { own[0] } else { holds };
                before |= u32::from(asked) << bit;
                kept |= u64::from(is_kept(&part.formula, holds, &own)) << bit;
            }
            truth.push(holds);
        }
        Guess { before, kept, truth: truth.last().copied().unwrap_or(true) }
    }
}

/// The truth of a formula, given the truth of its parts here and of what it asks of the next position.
fn holds(formula: &Formula, valuation: u64, parts: &[bool], next: bool) -> bool {
    let part = |i: usize| parts[i];
    match formula {
        Formula::True => true,
        Formula::False => false,
        Formula::Atom(atom) => atom.holds(valuation),
        Formula::Not(_) => !part(0),
        Formula::And(..) => part(0) && part(1),
        Formula::Or(..) => part(0) || part(1),
        Formula::Implies(..) => !part(0) || part(1),
        Formula::Iff(..) => part(0) == part(1),
        Formula::Next(_) => next,
        Formula::Always(_) => part(0) && next,
        Formula::Eventually(_) => part(0) || next,
        Formula::Until(..) | Formula::WeakUntil(..) => part(1) || (part(0) && next),
        Formula::Release(..) | Formula::StrongRelease(..) => part(1) && (part(0) || next),
    }
}

/// Whether a temporal formula puts nothing off here: what it promises is kept or not promised. The weak
/// operators promise something when they are false.
fn is_kept(formula: &Formula, holds: bool, parts: &[bool]) -> bool {
    match formula {
        Formula::Eventually(_) | Formula::StrongRelease(..) => !holds || parts[0],
        Formula::Until(..) => !holds || parts[1],
        Formula::Always(_) | Formula::WeakUntil(..) => holds || !parts[0],
        Formula::Release(..) => holds || !parts[1],
        _ => true,
    }
}

/// All subformulas without repetition, parts before wholes, and the number of temporal ones.
fn closure(formula: &Formula) -> (Vec<Part>, usize) {
    let (mut sub, mut bits) = (Vec::new(), 0);
    let mut numbers: HashMap<&Formula, usize> = HashMap::new();
    let mut left = vec![(formula, false)];
    while let Some((f, parts_done)) = left.pop() {
        if numbers.contains_key(f) {
            continue;
        }
        if !parts_done {
            left.push((f, true));
            left.extend(f.parts().map(|part| (part, false)));
            continue;
        }
        let parts = f.parts().map(|part| numbers[part]).collect();
        let bit = is_temporal(f).then_some(bits);
        bits += usize::from(bit.is_some());
        numbers.insert(f, sub.len());
        sub.push(Part { formula: f.clone(), parts, bit });
    }
    (sub, bits)
}

fn is_temporal(formula: &Formula) -> bool {
    !matches!(
        formula,
        Formula::True
            | Formula::False
            | Formula::Atom(_)
            | Formula::Not(_)
            | Formula::And(..)
            | Formula::Or(..)
            | Formula::Implies(..)
            | Formula::Iff(..)
    )
}

impl Reader for Tableau {
    fn sets(&self) -> usize {
        self.bits
    }

    fn initial(&self, valuation: u64) -> Vec<u32> {
        let guesses = self.columns[&valuation].guesses.iter().zip(0..);
        guesses.filter(|(guess, _)| guess.truth == self.wanted).map(|(_, number)| number).collect()
    }

    fn read(&self, at: u32, valuation: u64, next: u64) -> Vec<(u32, u64)> {
        let kept = self.columns[&valuation].guesses[at as usize].kept;
        let after = self.columns[&next].after.get(&at);
        after.into_iter().flatten().map(|&to| (to, kept)).collect()
    }
}
