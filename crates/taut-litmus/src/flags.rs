//! The processor's flags, as far as conditional jumps can ask for them.
//!
//! Four truth values: *zero*, *sign*, *carry*, and *less*, which is sign ≠ overflow and all that signed
//! comparisons need of the overflow flag. A thread has a register for each flag that one of its jumps
//! reads, and no others, so a test without jumps has none.

use taut_ir::{BinaryOp, Expr};

/// A flag.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Flag {
    Zero,
    Sign,
    Less,
    Carry,
}

impl Flag {
    /// All flags.
    pub(crate) const ALL: [Flag; 4] = [Flag::Zero, Flag::Sign, Flag::Less, Flag::Carry];

    /// The name of its register; no register of a test starts with an underscore.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Flag::Zero => "_zero",
            Flag::Sign => "_sign",
            Flag::Less => "_less",
            Flag::Carry => "_carry",
        }
    }
}

/// What a conditional jump asks: whether one of two flags is set, or neither.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Test {
    pub(crate) first: Flag,
    pub(crate) second: Option<Flag>,
    /// Whether the jump is taken if neither is set.
    pub(crate) negated: bool,
}

/// The condition of a jump, by what follows the `j`.
pub(crate) fn test(suffix: &str) -> Option<Test> {
    let (first, second, negated) = match suffix {
        "e" | "z" => (Flag::Zero, None, false),
        "ne" | "nz" => (Flag::Zero, None, true),
        "s" => (Flag::Sign, None, false),
        "ns" => (Flag::Sign, None, true),
        "l" | "lt" | "nge" => (Flag::Less, None, false),
        "ge" | "nl" => (Flag::Less, None, true),
        "le" | "ng" => (Flag::Less, Some(Flag::Zero), false),
        "g" | "gt" | "nle" => (Flag::Less, Some(Flag::Zero), true),
        "b" | "c" | "nae" => (Flag::Carry, None, false),
        "ae" | "nb" | "nc" => (Flag::Carry, None, true),
        "be" | "na" => (Flag::Carry, Some(Flag::Zero), false),
        "a" | "nbe" => (Flag::Carry, Some(Flag::Zero), true),
        _ => return None,
    };
    Some(Test { first, second, negated })
}

impl Test {
    /// Whether the test reads a flag.
    pub(crate) fn reads(self, flag: Flag) -> bool {
        self.first == flag || self.second == Some(flag)
    }
}

/// A computation that sets flags.
pub(crate) enum Source {
    /// `a - b`; also a comparison.
    Subtract(Expr, Expr),
    /// `a + b`
    Add(Expr, Expr),
    /// `a + 1`, which leaves carry alone.
    Increment(Expr),
    /// `a - 1`, which leaves carry alone.
    Decrement(Expr),
    /// The result of a bitwise operation.
    Bitwise(Expr),
}

impl Source {
    /// The new value of a flag; `None` if it stays as it is.
    pub(crate) fn value(&self, flag: Flag) -> Option<Expr> {
        Some(match (self, flag) {
            (Source::Increment(_) | Source::Decrement(_), Flag::Carry) => return None,
            (Source::Increment(a), _) => sum(a, &Expr::Const(1), flag),
            (Source::Decrement(a), _) => difference(a, &Expr::Const(1), flag),
            (Source::Subtract(a, b), _) => difference(a, b, flag),
            (Source::Add(a, b), _) => sum(a, b, flag),
            (Source::Bitwise(_), Flag::Carry) => Expr::Const(0),
            (Source::Bitwise(r), Flag::Zero) => r.clone().equals(Expr::Const(0)),
            (Source::Bitwise(r), Flag::Sign | Flag::Less) => negative(r.clone()),
        })
    }
}

fn op(op: BinaryOp, a: &Expr, b: &Expr) -> Expr {
    Expr::binary(op, a.clone(), b.clone())
}

fn negative(a: Expr) -> Expr {
    Expr::binary(BinaryOp::Lt, a, Expr::Const(0))
}

/// `a < b` as unsigned numbers: as signed ones after flipping the sign bits.
fn below(a: Expr, b: Expr) -> Expr {
    let flip = |e| Expr::binary(BinaryOp::BitXor, e, Expr::Const(i64::MIN));
    Expr::binary(BinaryOp::Lt, flip(a), flip(b))
}

fn difference(a: &Expr, b: &Expr, flag: Flag) -> Expr {
    match flag {
        Flag::Zero => op(BinaryOp::Eq, a, b),
        Flag::Sign => negative(op(BinaryOp::Sub, a, b)),
        Flag::Less => op(BinaryOp::Lt, a, b),
        Flag::Carry => below(a.clone(), b.clone()),
    }
}

fn sum(a: &Expr, b: &Expr, flag: Flag) -> Expr {
    let result = op(BinaryOp::Add, a, b);
    match flag {
        Flag::Zero => result.equals(Expr::Const(0)),
        Flag::Sign => negative(result),
        // The sign of the sum without overflow: that of the result if the signs of a and b differ (then
        // nothing overflows), else that of a.
        Flag::Less => Expr::Cond(
            Box::new(negative(op(BinaryOp::BitXor, a, b))),
            Box::new(negative(result)),
            Box::new(negative(a.clone())),
        ),
        Flag::Carry => below(result, a.clone()),
    }
}
