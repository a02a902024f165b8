//! Formulas of linear temporal logic.
//!
//! A formula is a tree as it was written: nothing is rewritten here, so that what is shown to the
//! user is what the user wrote. Its atoms are of any type: syntax trees and texts in readers, and
//! numbers everywhere else. The algorithms of this crate know the numbers only.

use std::collections::BTreeSet;

use crate::operator::{Infix, Prefix};

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

/// A formula, over numbered atoms if nothing else is said.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Formula<A = AtomId> {
    /// Always so.
    True,
    /// Never so.
    False,
    /// An atom, now.
    Atom(A),
    /// Negation.
    Not(Box<Formula<A>>),
    /// Both.
    And(Box<Formula<A>>, Box<Formula<A>>),
    /// At least one.
    Or(Box<Formula<A>>, Box<Formula<A>>),
    /// If the first, then the second.
    Implies(Box<Formula<A>>, Box<Formula<A>>),
    /// Both or neither.
    Iff(Box<Formula<A>>, Box<Formula<A>>),
    /// `X f`: from the next position on.
    Next(Box<Formula<A>>),
    /// `[] f`: from every position on.
    Always(Box<Formula<A>>),
    /// `<> f`: from some position on.
    Eventually(Box<Formula<A>>),
    /// `f U g`: `g` at some time, and `f` until then.
    Until(Box<Formula<A>>, Box<Formula<A>>),
    /// `f V g`, in the literature `f R g`: `g` up to and with the first `f`, or for ever.
    Release(Box<Formula<A>>, Box<Formula<A>>),
    /// `f W g`: `f` until `g`, or `f` for ever.
    WeakUntil(Box<Formula<A>>, Box<Formula<A>>),
    /// `f M g`: `g` up to and with the first `f`, which comes.
    StrongRelease(Box<Formula<A>>, Box<Formula<A>>),
}

/// One node of a formula: most that walks a formula treats all operators before one formula alike,
/// and all operators between two.
#[derive(Clone, Copy, Debug)]
pub enum Node<'f, A> {
    /// A constant.
    Constant(bool),
    /// An atom.
    Atom(&'f A),
    /// An operator before a formula.
    Prefix(Prefix, &'f Formula<A>),
    /// An operator between two formulas.
    Infix(Infix, &'f Formula<A>, &'f Formula<A>),
}

impl<A> Formula<A> {
    /// `! f`, written out even if `f` is a negation.
    #[expect(clippy::should_implement_trait, reason = "one of a family of constructors")]
    pub fn not(f: Formula<A>) -> Formula<A> {
        Formula::Not(Box::new(f))
    }

    /// `f && g`.
    pub fn and(f: Formula<A>, g: Formula<A>) -> Formula<A> {
        Formula::And(Box::new(f), Box::new(g))
    }

    /// `f || g`.
    pub fn or(f: Formula<A>, g: Formula<A>) -> Formula<A> {
        Formula::Or(Box::new(f), Box::new(g))
    }

    /// `f -> g`.
    pub fn implies(f: Formula<A>, g: Formula<A>) -> Formula<A> {
        Formula::Implies(Box::new(f), Box::new(g))
    }

    /// `f <-> g`.
    pub fn iff(f: Formula<A>, g: Formula<A>) -> Formula<A> {
        Formula::Iff(Box::new(f), Box::new(g))
    }

    /// `X f`.
    pub fn next(f: Formula<A>) -> Formula<A> {
        Formula::Next(Box::new(f))
    }

    /// `[] f`.
    pub fn always(f: Formula<A>) -> Formula<A> {
        Formula::Always(Box::new(f))
    }

    /// `<> f`.
    pub fn eventually(f: Formula<A>) -> Formula<A> {
        Formula::Eventually(Box::new(f))
    }

    /// `f U g`.
    pub fn until(f: Formula<A>, g: Formula<A>) -> Formula<A> {
        Formula::Until(Box::new(f), Box::new(g))
    }

    /// `f V g`.
    pub fn release(f: Formula<A>, g: Formula<A>) -> Formula<A> {
        Formula::Release(Box::new(f), Box::new(g))
    }

    /// `f W g`.
    pub fn weak_until(f: Formula<A>, g: Formula<A>) -> Formula<A> {
        Formula::WeakUntil(Box::new(f), Box::new(g))
    }

    /// `f M g`.
    pub fn strong_release(f: Formula<A>, g: Formula<A>) -> Formula<A> {
        Formula::StrongRelease(Box::new(f), Box::new(g))
    }

    /// The negation; that of a negation is what was negated, and constants change places.
    pub fn negated(self) -> Formula<A> {
        match self {
            Formula::True => Formula::False,
            Formula::False => Formula::True,
            Formula::Not(f) => *f,
            f => Formula::not(f),
        }
    }

    /// The outermost operator with its operands, or the atom or constant.
    pub fn node(&self) -> Node<'_, A> {
        match self {
            Formula::True => Node::Constant(true),
            Formula::False => Node::Constant(false),
            Formula::Atom(atom) => Node::Atom(atom),
            Formula::Not(f) => Node::Prefix(Prefix::Not, f),
            Formula::Next(f) => Node::Prefix(Prefix::Next, f),
            Formula::Always(f) => Node::Prefix(Prefix::Always, f),
            Formula::Eventually(f) => Node::Prefix(Prefix::Eventually, f),
            Formula::And(f, g) => Node::Infix(Infix::And, f, g),
            Formula::Or(f, g) => Node::Infix(Infix::Or, f, g),
            Formula::Implies(f, g) => Node::Infix(Infix::Implies, f, g),
            Formula::Iff(f, g) => Node::Infix(Infix::Iff, f, g),
            Formula::Until(f, g) => Node::Infix(Infix::Until, f, g),
            Formula::Release(f, g) => Node::Infix(Infix::Release, f, g),
            Formula::WeakUntil(f, g) => Node::Infix(Infix::WeakUntil, f, g),
            Formula::StrongRelease(f, g) => Node::Infix(Infix::StrongRelease, f, g),
        }
    }

    /// The direct subformulas, from left to right.
    pub fn parts(&self) -> impl DoubleEndedIterator<Item = &Formula<A>> {
        let (first, second) = match self.node() {
            Node::Constant(_) | Node::Atom(_) => (None, None),
            Node::Prefix(_, f) => (Some(f), None),
            Node::Infix(_, f, g) => (Some(f), Some(g)),
        };
        first.into_iter().chain(second)
    }

    /// Every subformula with its depth, from left to right and the whole first, at depth 1. Without
    /// recursion, so that it can be asked of a tree of any depth.
    fn walk(&self) -> impl Iterator<Item = (&Formula<A>, usize)> {
        let mut left = vec![(self, 1)];
        std::iter::from_fn(move || {
            let (f, depth) = left.pop()?;
            left.extend(f.parts().rev().map(|part| (part, depth + 1)));
            Some((f, depth))
        })
    }

    /// The atoms from left to right, each as often as it occurs.
    pub fn leaves(&self) -> impl Iterator<Item = &A> {
        self.walk().filter_map(|(f, _)| match f {
            Formula::Atom(atom) => Some(atom),
            _ => None,
        })
    }

    /// The formula with a formula in the place of each atom, which are asked for from left to right.
    pub fn substitute<'f, B>(&'f self, atom: &mut impl FnMut(&'f A) -> Formula<B>) -> Formula<B> {
        match self.node() {
            Node::Constant(true) => Formula::True,
            Node::Constant(false) => Formula::False,
            Node::Atom(a) => atom(a),
            Node::Prefix(operator, f) => operator.apply(f.substitute(atom)),
            Node::Infix(operator, f, g) => {
                let f = f.substitute(atom);
                operator.apply(f, g.substitute(atom))
            }
        }
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

impl Prefix {
    /// The operator before a formula.
    pub fn apply<A>(self, f: Formula<A>) -> Formula<A> {
        match self {
            Prefix::Not => Formula::not(f),
            Prefix::Next => Formula::next(f),
            Prefix::Always => Formula::always(f),
            Prefix::Eventually => Formula::eventually(f),
        }
    }
}

impl Infix {
    /// The operator between two formulas.
    pub fn apply<A>(self, f: Formula<A>, g: Formula<A>) -> Formula<A> {
        match self {
            Infix::Implies => Formula::implies(f, g),
            Infix::Iff => Formula::iff(f, g),
            Infix::Or => Formula::or(f, g),
            Infix::Xor => Formula::not(Formula::iff(f, g)),
            Infix::And => Formula::and(f, g),
            Infix::Until => Formula::until(f, g),
            Infix::Release => Formula::release(f, g),
            Infix::WeakUntil => Formula::weak_until(f, g),
            Infix::StrongRelease => Formula::strong_release(f, g),
        }
    }
}

impl Formula {
    /// The formula of one atom.
    pub fn atom(number: u32) -> Formula {
        Formula::Atom(AtomId(number))
    }

    /// The atoms that occur.
    pub fn atoms(&self) -> BTreeSet<AtomId> {
        self.leaves().copied().collect()
    }
}
