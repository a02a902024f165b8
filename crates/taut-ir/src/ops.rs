//! Operators, what they mean, and the ways in which computing can go wrong.
//!
//! Arithmetic is on 64-bit integers and wraps around; a variable then holds what its type makes of the
//! result. Truth is "not zero"; comparisons and connectives give 0 or 1.

/// An operator with one operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum UnaryOp {
    /// `-a`
    Neg,
    /// `!a`: 1 if a is 0, else 0.
    Not,
    /// `~a`
    BitNot,
}

/// An operator with two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum BinaryOp {
    /// `a + b`
    Add,
    /// `a - b`
    Sub,
    /// `a * b`
    Mul,
    /// `a / b`, towards zero.
    Div,
    /// `a % b`, with the sign of a.
    Rem,
    /// `a & b`
    BitAnd,
    /// `a | b`
    BitOr,
    /// `a ^ b`
    BitXor,
    /// `a << b`
    Shl,
    /// `a >> b`, keeping the sign.
    Shr,
    /// `a && b`; b is not computed if a is 0.
    And,
    /// `a || b`; b is not computed if a is not 0.
    Or,
    /// `a == b`
    Eq,
    /// `a != b`
    Ne,
    /// `a < b`
    Lt,
    /// `a <= b`
    Le,
    /// `a > b`
    Gt,
    /// `a >= b`
    Ge,
}

/// An error of the program that shows only when it runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Fault {
    /// A division or remainder by zero.
    DivisionByZero,
    /// An array index outside of the array.
    Index,
    /// A value outside of the range of the variable it was assigned to.
    Range,
    /// A shift by fewer than 0 or more than 63 bits.
    Shift,
    /// A send, a receive or a question on something that is no channel.
    Channel,
    /// A sequence that must not block ([`crate::Effect::Fail`]) cannot go on.
    Blocked,
    /// A pointer that points to no object is followed, or a pointer to no function is called.
    Pointer,
    /// An object is used after it was freed.
    Freed,
    /// Something is freed that is not allocated, or was freed before.
    Free,
    /// A value is read before there is one.
    Uninitialised,
}

impl Fault {
    /// All faults.
    pub const ALL: [Fault; 10] = [
        Fault::DivisionByZero,
        Fault::Index,
        Fault::Range,
        Fault::Shift,
        Fault::Channel,
        Fault::Blocked,
        Fault::Pointer,
        Fault::Freed,
        Fault::Free,
        Fault::Uninitialised,
    ];

    /// A few words for people.
    pub fn describe(self) -> &'static str {
        match self {
            Fault::DivisionByZero => "division by zero",
            Fault::Index => "array index out of range",
            Fault::Range => "value out of the range of its variable",
            Fault::Shift => "shift amount out of range",
            Fault::Channel => "no such channel",
            Fault::Blocked => "an indivisible sequence blocks",
            Fault::Pointer => "a null or invalid pointer is followed",
            Fault::Freed => "use after free",
            Fault::Free => "free of what is not allocated",
            Fault::Uninitialised => "a value is read that was never set",
        }
    }
}

impl UnaryOp {
    /// All of them.
    pub const ALL: [UnaryOp; 3] = [UnaryOp::Neg, UnaryOp::Not, UnaryOp::BitNot];

    /// The value of the operator.
    pub fn apply(self, a: i64) -> i64 {
        match self {
            UnaryOp::Neg => a.wrapping_neg(),
            UnaryOp::Not => i64::from(a == 0),
            UnaryOp::BitNot => !a,
        }
    }
}

impl BinaryOp {
    /// All of them.
    pub const ALL: [BinaryOp; 18] = [
        BinaryOp::Add,
        BinaryOp::Sub,
        BinaryOp::Mul,
        BinaryOp::Div,
        BinaryOp::Rem,
        BinaryOp::BitAnd,
        BinaryOp::BitOr,
        BinaryOp::BitXor,
        BinaryOp::Shl,
        BinaryOp::Shr,
        BinaryOp::And,
        BinaryOp::Or,
        BinaryOp::Eq,
        BinaryOp::Ne,
        BinaryOp::Lt,
        BinaryOp::Le,
        BinaryOp::Gt,
        BinaryOp::Ge,
    ];

    /// The value of the operator on two values that were both computed; `&&` and `||` do not compute
    /// their right side if the left decides, which is the caller's business.
    #[inline]
    pub fn apply(self, a: i64, b: i64) -> Result<i64, Fault> {
        Ok(match self {
            BinaryOp::Add => a.wrapping_add(b),
            BinaryOp::Sub => a.wrapping_sub(b),
            BinaryOp::Mul => a.wrapping_mul(b),
            BinaryOp::Div if b == 0 => return Err(Fault::DivisionByZero),
            BinaryOp::Div => a.wrapping_div(b),
            BinaryOp::Rem if b == 0 => return Err(Fault::DivisionByZero),
            BinaryOp::Rem => a.wrapping_rem(b),
            BinaryOp::BitAnd => a & b,
            BinaryOp::BitOr => a | b,
            BinaryOp::BitXor => a ^ b,
            BinaryOp::Shl | BinaryOp::Shr if !(0..64).contains(&b) => return Err(Fault::Shift),
            BinaryOp::Shl => a.wrapping_shl(b as u32),
            BinaryOp::Shr => a.wrapping_shr(b as u32),
            BinaryOp::And => i64::from(a != 0 && b != 0),
            BinaryOp::Or => i64::from(a != 0 || b != 0),
            BinaryOp::Eq => i64::from(a == b),
            BinaryOp::Ne => i64::from(a != b),
            BinaryOp::Lt => i64::from(a < b),
            BinaryOp::Le => i64::from(a <= b),
            BinaryOp::Gt => i64::from(a > b),
            BinaryOp::Ge => i64::from(a >= b),
        })
    }
}
