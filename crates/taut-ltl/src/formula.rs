//! Formulas of linear temporal logic over numbered atoms.
//!
//! A formula is a tree as it was written: nothing is rewritten here, so that what is shown to the
//! user is what the user wrote. Who made the atoms knows what they mean; this crate knows their
//! numbers only.

use std::collections::BTreeSet;

/// Atom by number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AtomId(pub u32);

impl AtomId {
    /// The number as an index.
    pub fn index(self) -> usize {
        self.0 as usize
    }

    /// Whether the atom is true in a valuation: bit *i* is the truth of atom *i*. A valuation
    /// speaks of 64 atoms; those beyond are false.
    pub fn holds(self, valuation: u64) -> bool {
        self.0 < 64 && valuation >> self.0 & 1 == 1
    }
}

/// A formula over numbered atoms.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Formula {
    /// Always so.
    True,
    /// Never so.
    False,
    /// An atom, now.
    Atom(AtomId),
    /// Negation.
    Not(Box<Formula>),
    /// Both.
    And(Box<Formula>, Box<Formula>),
    /// At least one.
    Or(Box<Formula>, Box<Formula>),
    /// If the first, then the second.
    Implies(Box<Formula>, Box<Formula>),
    /// Both or neither.
    Iff(Box<Formula>, Box<Formula>),
    /// `X f`: from the next position on.
    Next(Box<Formula>),
    /// `[] f`: from every position on.
    Always(Box<Formula>),
    /// `<> f`: from some position on.
    Eventually(Box<Formula>),
    /// `f U g`: `g` at some time, and `f` until then.
    Until(Box<Formula>, Box<Formula>),
    /// `f V g`, in the literature `f R g`: `g` up to and with the first `f`, or for ever.
    Release(Box<Formula>, Box<Formula>),
    /// `f W g`: `f` until `g`, or `f` for ever.
    WeakUntil(Box<Formula>, Box<Formula>),
    /// `f M g`: `g` up to and with the first `f`, which comes.
    StrongRelease(Box<Formula>, Box<Formula>),
}

impl Formula {
    /// The formula of one atom.
    pub fn atom(number: u32) -> Formula {
        Formula::Atom(AtomId(number))
    }

    /// `! f`, written out even if `f` is a negation.
    #[expect(clippy::should_implement_trait, reason = "one of a family of constructors")]
    pub fn not(f: Formula) -> Formula {
        Formula::Not(Box::new(f))
    }

    /// `f && g`.
    pub fn and(f: Formula, g: Formula) -> Formula {
        Formula::And(Box::new(f), Box::new(g))
    }

    /// `f || g`.
    pub fn or(f: Formula, g: Formula) -> Formula {
        Formula::Or(Box::new(f), Box::new(g))
    }

    /// `f -> g`.
    pub fn implies(f: Formula, g: Formula) -> Formula {
        Formula::Implies(Box::new(f), Box::new(g))
    }

    /// `f <-> g`.
    pub fn iff(f: Formula, g: Formula) -> Formula {
        Formula::Iff(Box::new(f), Box::new(g))
    }

    /// `X f`.
    pub fn next(f: Formula) -> Formula {
        Formula::Next(Box::new(f))
    }

    /// `[] f`.
    pub fn always(f: Formula) -> Formula {
        Formula::Always(Box::new(f))
    }

    /// `<> f`.
    pub fn eventually(f: Formula) -> Formula {
        Formula::Eventually(Box::new(f))
    }

    /// `f U g`.
    pub fn until(f: Formula, g: Formula) -> Formula {
        Formula::Until(Box::new(f), Box::new(g))
    }

    /// `f V g`.
    pub fn release(f: Formula, g: Formula) -> Formula {
        Formula::Release(Box::new(f), Box::new(g))
    }

    /// `f W g`.
    pub fn weak_until(f: Formula, g: Formula) -> Formula {
        Formula::WeakUntil(Box::new(f), Box::new(g))
    }

    /// `f M g`.
    pub fn strong_release(f: Formula, g: Formula) -> Formula {
        Formula::StrongRelease(Box::new(f), Box::new(g))
    }

    /// The negation; that of a negation is what was negated, and constants change places.
    pub fn negated(self) -> Formula {
        match self {
            Formula::True => Formula::False,
            Formula::False => Formula::True,
            Formula::Not(f) => *f,
            f => Formula::not(f),
        }
    }

    /// The direct subformulas, from left to right.
    pub fn parts(&self) -> impl Iterator<Item = &Formula> {
        use Formula::*;
        let (first, second) = match self {
            True | False | Atom(_) => (None, None),
            Not(f) | Next(f) | Always(f) | Eventually(f) => (Some(f), None),
            And(f, g) | Or(f, g) | Implies(f, g) | Iff(f, g) => (Some(f), Some(g)),
            Until(f, g) | Release(f, g) => (Some(f), Some(g)),
            WeakUntil(f, g) | StrongRelease(f, g) => (Some(f), Some(g)),
        };
        first.into_iter().chain(second).map(|f| &**f)
    }

    /// Every subformula with its depth, the whole first, at depth 1. Without recursion, so that it
    /// can be asked of a tree of any depth.
    fn walk(&self) -> impl Iterator<Item = (&Formula, usize)> {
        let mut left = vec![(self, 1)];
        std::iter::from_fn(move || {
            let (f, depth) = left.pop()?;
            left.extend(f.parts().map(|part| (part, depth + 1)));
            Some((f, depth))
        })
    }

    /// The atoms that occur.
    pub fn atoms(&self) -> BTreeSet<AtomId> {
        let atom = |(f, _): (&Formula, usize)| match f {
            Formula::Atom(atom) => Some(*atom),
            _ => None,
        };
        self.walk().filter_map(atom).collect()
    }

    /// Whether `X` occurs. A formula without it cannot tell a run from one that stutters, on which
    /// partial-order reductions rely.
    pub fn has_next(&self) -> bool {
        self.walk().any(|(f, _)| matches!(f, Formula::Next(_)))
    }

    /// The height of the tree: 1 for an atom.
    pub fn depth(&self) -> usize {
        self.walk().map(|(_, depth)| depth).max().unwrap_or(0)
    }

    /// The number of operators, atoms and constants.
    pub fn size(&self) -> usize {
        self.walk().count()
    }
}
