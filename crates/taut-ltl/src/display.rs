//! Formulas as text, in SPIN's syntax, with no more parentheses than needed.

use std::fmt;

use crate::formula::Formula;
use crate::parse::parse;

/// How tightly a piece of text binds, as in [`parse`].
#[derive(Clone, Copy, PartialEq, PartialOrd)]
enum Level {
    Implies,
    Or,
    And,
    Until,
    /// An atom with operators, such as `x == 1`.
    Expression,
    Prefix,
}

/// A formula to be shown; see [`Formula::display`].
struct Shown<'a> {
    formula: &'a Formula,
    names: &'a [String],
}

impl Formula {
    /// The formula in SPIN's syntax, which [`parse`] reads back, with the texts of the atoms by
    /// number. An atom without a text is `a` and its number.
    pub fn display<'a>(&'a self, names: &'a [String]) -> impl fmt::Display + 'a {
        Shown { formula: self, names }
    }
}

impl fmt::Display for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        self.write(self.formula, Level::Implies, f)
    }
}

impl Shown<'_> {
    /// Writes a formula where something that binds at least so tightly must stand.
    fn write(&self, formula: &Formula, least: Level, f: &mut fmt::Formatter) -> fmt::Result {
        use Formula::*;
        match formula {
            True => f.write_str("true"),
            False => f.write_str("false"),
            Atom(atom) => match self.names.get(atom.index()) {
                Some(name) => write_atom(name, least, f),
                None => write!(f, "a{}", atom.0),
            },
            Not(g) => self.write_prefix("!", g, f),
            Next(g) => self.write_prefix("X ", g, f),
            Always(g) => self.write_prefix("[] ", g, f),
            Eventually(g) => self.write_prefix("<> ", g, f),
            And(a, b) => self.write_infix(" && ", a, b, (Level::And, Level::Until), least, f),
            Or(a, b) => self.write_infix(" || ", a, b, (Level::Or, Level::And), least, f),
            Implies(a, b) => self.write_infix(" -> ", a, b, (Level::Implies, Level::Or), least, f),
            Iff(a, b) => self.write_infix(" <-> ", a, b, (Level::Implies, Level::Or), least, f),
            Until(a, b) => self.write_until(" U ", a, b, least, f),
            Release(a, b) => self.write_until(" V ", a, b, least, f),
            WeakUntil(a, b) => self.write_until(" W ", a, b, least, f),
            StrongRelease(a, b) => self.write_until(" M ", a, b, least, f),
        }
    }

    fn write_prefix(&self, sign: &str, formula: &Formula, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(sign)?;
        self.write(formula, Level::Prefix, f)
    }

    fn write_until(
        &self,
        sign: &str,
        a: &Formula,
        b: &Formula,
        least: Level,
        f: &mut fmt::Formatter,
    ) -> fmt::Result {
        self.write_infix(sign, a, b, (Level::Until, Level::Expression), least, f)
    }

    /// `levels`: of the operator and its left side, and of its right side, which binds tighter.
    fn write_infix(
        &self,
        sign: &str,
        a: &Formula,
        b: &Formula,
        levels: (Level, Level),
        least: Level,
        f: &mut fmt::Formatter,
    ) -> fmt::Result {
        let parentheses = levels.0 < least;
        f.write_str(if parentheses { "(" } else { "" })?;
        self.write(a, levels.0, f)?;
        f.write_str(sign)?;
        self.write(b, levels.1, f)?;
        f.write_str(if parentheses { ")" } else { "" })
    }
}

/// Writes an atom as it is, in parentheses, or, if it would not be read back as this atom, in
/// quotes.
fn write_atom(name: &str, least: Level, f: &mut fmt::Formatter) -> fmt::Result {
    let same = |text: &str| {
        let parsed = parse(text).ok();
        parsed.is_some_and(|p| matches!(p.formula, Formula::Atom(_)) && p.atoms == [name])
    };
    if !same(name) {
        return write!(f, "\"{name}\"");
    }
    // A name that can be negated without parentheses is one word with what belongs to it.
    let single = parse(&format!("!{name}")).is_ok_and(|p| matches!(p.formula, Formula::Not(_)));
    if least > Level::Expression && !single { write!(f, "({name})") } else { f.write_str(name) }
}
