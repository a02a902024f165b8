//! The operators of formulas: their words, signs and levels.
//!
//! They are written as SPIN and the literature write them, and bind as in SPIN's `ltl` blocks. Every
//! reader and printer of formulas takes them from here, so that a formula means the same wherever it
//! stands.

/// Operator before a formula.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Prefix {
    /// `!`
    Not,
    /// `X`
    Next,
    /// `[]`
    Always,
    /// `<>`
    Eventually,
}

/// Operator between two formulas.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Infix {
    /// `->`
    Implies,
    /// `<->`
    Iff,
    /// `||`
    Or,
    /// Exclusive or: `^` of DVE. It becomes a negated equivalence.
    Xor,
    /// `&&`
    And,
    /// `U`
    Until,
    /// `V`, in the literature `R`.
    Release,
    /// `W`
    WeakUntil,
    /// `M`
    StrongRelease,
}

impl Prefix {
    /// The operator that a word is. Negation has no word here: `not` is a keyword of some languages
    /// and a name in others.
    pub fn of_word(word: &str) -> Option<Prefix> {
        Some(match word {
            "X" | "next" => Prefix::Next,
            "G" | "always" => Prefix::Always,
            "F" | "eventually" => Prefix::Eventually,
            _ => return None,
        })
    }

    /// The sign, as SPIN writes it.
    pub fn symbol(self) -> &'static str {
        match self {
            Prefix::Not => "!",
            Prefix::Next => "X",
            Prefix::Always => "[]",
            Prefix::Eventually => "<>",
        }
    }

    /// Whether the operator speaks of other positions of a run than the first.
    pub fn is_temporal(self) -> bool {
        self != Prefix::Not
    }
}

impl Infix {
    /// The operator that a word is.
    pub fn of_word(word: &str) -> Option<Infix> {
        Some(match word {
            "implies" => Infix::Implies,
            "equivalent" => Infix::Iff,
            "U" | "until" | "stronguntil" => Infix::Until,
            "V" | "R" | "release" => Infix::Release,
            "W" | "weakuntil" => Infix::WeakUntil,
            "M" => Infix::StrongRelease,
            _ => return None,
        })
    }

    /// The sign, as SPIN writes it.
    pub fn symbol(self) -> &'static str {
        match self {
            Infix::Implies => "->",
            Infix::Iff => "<->",
            Infix::Or => "||",
            Infix::Xor => "^",
            Infix::And => "&&",
            Infix::Until => "U",
            Infix::Release => "V",
            Infix::WeakUntil => "W",
            Infix::StrongRelease => "M",
        }
    }

    /// The level at which the operator binds: a higher one binds tighter. SPIN's order; the
    /// operators of expressions bind tighter than all of them.
    pub fn level(self) -> u8 {
        match self {
            Infix::Implies | Infix::Iff => 1,
            Infix::Or | Infix::Xor => 2,
            Infix::And => 3,
            Infix::Until | Infix::Release | Infix::WeakUntil | Infix::StrongRelease => 4,
        }
    }

    /// Whether the operator speaks of other positions of a run than the first.
    pub fn is_temporal(self) -> bool {
        self.level() == Infix::Until.level()
    }
}
