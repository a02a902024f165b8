//! Conditions on final states: the proposition after `exists`, `~exists`, `forall` or `filter`.

use std::fmt;

/// A proposition about a final state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Condition {
    /// `true`
    True,
    /// `false`
    False,
    /// `0:rax=1`. There is no form for `<>`: herd7 reads `a<>b` as `not (a=b)` and prints it so.
    Atom(Atom),
    /// `not (p)`
    Not(Box<Condition>),
    /// `p /\ q /\ r`
    And(Vec<Condition>),
    /// `p \/ q \/ r`
    Or(Vec<Condition>),
    /// `p => q`
    Implies(Box<Condition>, Box<Condition>),
}

/// An equation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Atom {
    /// The variable on the left.
    pub left: Variable,
    /// What it is compared with.
    pub right: Side,
}

/// The right side of an equation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Side {
    /// A number.
    Number(i64),
    /// Another variable.
    Variable(Variable),
}

/// A register of a thread or a memory location, in a condition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variable {
    /// As herd7 prints it: `0:rax` or `[x]`.
    pub name: String,
    /// Its position in [`crate::Test::watched`].
    pub slot: usize,
}

impl Condition {
    /// Whether a final state satisfies the condition; the state has one value for each watched variable.
    pub fn holds(&self, state: &[i64]) -> bool {
        match self {
            Condition::True => true,
            Condition::False => false,
            Condition::Atom(atom) => atom.holds(state),
            Condition::Not(p) => !p.holds(state),
            Condition::And(all) => all.iter().all(|p| p.holds(state)),
            Condition::Or(any) => any.iter().any(|p| p.holds(state)),
            Condition::Implies(p, q) => !p.holds(state) || q.holds(state),
        }
    }

    /// Visits every variable, from left to right.
    pub fn visit(&self, f: &mut impl FnMut(&Variable)) {
        match self {
            Condition::True | Condition::False => {}
            Condition::Atom(Atom { left, right }) => {
                f(left);
                if let Side::Variable(right) = right {
                    f(right);
                }
            }
            Condition::Not(p) => p.visit(f),
            Condition::And(list) | Condition::Or(list) => list.iter().for_each(|p| p.visit(f)),
            Condition::Implies(p, q) => {
                p.visit(f);
                q.visit(f);
            }
        }
    }

    /// Renumbers every variable.
    pub(crate) fn renumber(&mut self, slot: &impl Fn(usize) -> usize) {
        match self {
            Condition::True | Condition::False => {}
            Condition::Atom(Atom { left, right }) => {
                left.slot = slot(left.slot);
                if let Side::Variable(right) = right {
                    right.slot = slot(right.slot);
                }
            }
            Condition::Not(p) => p.renumber(slot),
            Condition::And(list) | Condition::Or(list) => {
                list.iter_mut().for_each(|p| p.renumber(slot));
            }
            Condition::Implies(p, q) => {
                p.renumber(slot);
                q.renumber(slot);
            }
        }
    }
}

impl Atom {
    fn holds(&self, state: &[i64]) -> bool {
        let right = match &self.right {
            Side::Number(value) => *value,
            Side::Variable(variable) => state[variable.slot],
        };
        state[self.left.slot] == right
    }
}

/// What stands around a proposition that is being printed.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Around {
    Nothing,
    And,
    Or,
    LeftOfImplies,
    RightOfImplies,
}

impl Condition {
    /// herd7's rules for parentheses.
    ///
    /// DIVERGENCE: herd7 prints `(p => q) => r` without the parentheses, which reads as something else.
    fn needs_parentheses(&self, around: Around) -> bool {
        match (self, around) {
            (_, Around::Nothing) => false,
            (Condition::And(_), Around::And | Around::Or) => false,
            (Condition::Or(_), Around::Or) => false,
            (Condition::Implies(..), Around::RightOfImplies) => false,
            (Condition::And(_) | Condition::Or(_) | Condition::Implies(..), _) => true,
            _ => false,
        }
    }

    fn write(&self, f: &mut fmt::Formatter<'_>, around: Around) -> fmt::Result {
        let parentheses = self.needs_parentheses(around);
        if parentheses {
            f.write_str("(")?;
        }
        match self {
            Condition::True => f.write_str("true")?,
            Condition::False => f.write_str("false")?,
            Condition::Atom(atom) => write!(f, "{atom}")?,
            Condition::Not(p) => write!(f, "not ({p})")?,
            Condition::And(list) => write_list(f, list, " /\\ ", Around::And)?,
            Condition::Or(list) => write_list(f, list, " \\/ ", Around::Or)?,
            Condition::Implies(p, q) => {
                p.write(f, Around::LeftOfImplies)?;
                f.write_str(" => ")?;
                q.write(f, Around::RightOfImplies)?;
            }
        }
        if parentheses {
            f.write_str(")")?;
        }
        Ok(())
    }
}

fn write_list(
    f: &mut fmt::Formatter<'_>,
    list: &[Condition],
    separator: &str,
    around: Around,
) -> fmt::Result {
    for (index, p) in list.iter().enumerate() {
        if index > 0 {
            f.write_str(separator)?;
        }
        p.write(f, around)?;
    }
    Ok(())
}

impl fmt::Display for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write(f, Around::Nothing)
    }
}

impl fmt::Display for Atom {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}={}", self.left, self.right)
    }
}

impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Side::Number(value) => write!(f, "{value}"),
            Side::Variable(variable) => write!(f, "{variable}"),
        }
    }
}

impl fmt::Display for Variable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)
    }
}
