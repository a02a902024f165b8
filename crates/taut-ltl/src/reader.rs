//! The reader of formulas, for every language that has them.
//!
//! Languages differ in their conditions, in the words that are names and in their messages; they
//! agree in the grammar of formulas. So the grammar is here, and a language is a [`Host`]: it says
//! which operator comes next, reads a condition, and makes a tree of what was read. The trees are
//! the host's own, since one keeps places, another parentheses, a third nothing.
//!
//! ```text
//! formula  = prefixed { infix prefixed }
//! prefixed = { prefix } operand
//! operand  = condition | "(" formula ")"
//! ```
//!
//! Operators bind by their levels ([`Infix::level`]), and from left to right on one level. Operators
//! that wait for their right side are kept on a stack of our own (the shunting yard of Dijkstra,
//! 1961), so that only parentheses and operators before a formula use the program's stack:
//! [`Host::recurse`] limits these.

use crate::operator::{Infix, Prefix};

/// Operator between two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Between<P> {
    /// One of formulas.
    Formula(Infix),
    /// One of the host's expressions, such as `==`.
    Plain(P),
}

/// A language with formulas.
pub trait Host: Sized {
    /// What is made of a formula.
    type Tree;
    /// Operator of expressions.
    type Plain: Copy;
    /// An operator with its place, for messages and trees.
    type Sign;
    /// A mistake.
    type Error;

    /// The operator before a formula that comes next.
    fn prefix(&self) -> Option<Prefix>;

    /// The operator between two operands that comes next.
    fn infix(&self) -> Option<Between<Self::Plain>>;

    /// The level of an operator. Plain ones must bind tighter than those of formulas.
    fn level(&self, operator: Between<Self::Plain>) -> u8;

    /// Takes the operator that comes next.
    fn take(&mut self) -> Result<Self::Sign, Self::Error>;

    /// Reads a condition, or a formula in parentheses with [`formula`].
    fn operand(&mut self) -> Result<Self::Tree, Self::Error>;

    /// Reads something one level deeper, unless that is too deep.
    fn recurse(
        &mut self,
        read: fn(&mut Self) -> Result<Self::Tree, Self::Error>,
    ) -> Result<Self::Tree, Self::Error>;

    /// An operator before a formula, which has just been read.
    fn apply(
        &mut self,
        operator: Prefix,
        sign: Self::Sign,
        inner: Self::Tree,
    ) -> Result<Self::Tree, Self::Error>;

    /// An operator between two operands, of which the second has just been read.
    fn join(
        &mut self,
        operator: Between<Self::Plain>,
        sign: Self::Sign,
        left: Self::Tree,
        right: Self::Tree,
    ) -> Result<Self::Tree, Self::Error>;
}

/// An operator that waits for its right side.
struct Waiting<H: Host> {
    left: H::Tree,
    operator: Between<H::Plain>,
    sign: H::Sign,
}

/// Reads a formula: operands with operators between them.
pub fn formula<H: Host>(host: &mut H) -> Result<H::Tree, H::Error> {
    // The levels of waiting operators rise from first to last.
    let mut waiting: Vec<Waiting<H>> = Vec::new();
    let mut right = prefixed(host)?;
    loop {
        let next = host.infix();
        let least = next.map_or(0, |operator| host.level(operator));
        debug_assert!(next.is_none() || least > 0, "level 0 is the end of a formula");
        // What binds at least as tightly as the next operator is complete.
        while let Some(Waiting { left, operator, sign }) =
            waiting.pop_if(|waiting| host.level(waiting.operator) >= least)
        {
            right = host.join(operator, sign, left, right)?;
        }
        let Some(operator) = next else {
            debug_assert!(waiting.is_empty(), "no operator waits at the end");
            return Ok(right);
        };
        let sign = host.take()?;
        waiting.push(Waiting { left: right, operator, sign });
        right = prefixed(host)?;
    }
}

/// Reads an operand with the operators before it.
pub fn prefixed<H: Host>(host: &mut H) -> Result<H::Tree, H::Error> {
    let Some(operator) = host.prefix() else { return host.operand() };
    let sign = host.take()?;
    let inner = host.recurse(prefixed)?;
    host.apply(operator, sign, inner)
}
