//! Tests of one field, decided on the packed word.
//!
//! A field is masked, not shifted: every comparison with a number is then one mask, one subtraction and one
//! comparison without a sign, `(word & mask) - from <= span`. The numbers of a word form a circle, so that
//! "not equal" is an interval like the others: it begins behind the number and goes all the way round to it.

use taut_ir::{BinaryOp, Interval, UnaryOp};
use taut_memory::Field;

use crate::code::Code;

/// Whether the bits of a word under a mask lie in an interval.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Test {
    pub(super) word: u32,
    pub(super) mask: u64,
    from: u64,
    span: u64,
}

/// What is known of a condition before the program runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Truth {
    Always,
    Never,
    If(Test),
}

impl Truth {
    /// A condition as a test, if it is about one field only.
    pub(crate) fn of(code: &Code) -> Option<Truth> {
        match code {
            Code::Const(value) => Some(if *value != 0 { Truth::Always } else { Truth::Never }),
            Code::Field(field) => Truth::compare(*field, BinaryOp::Ne, 0),
            Code::Compute { field, op, number } => Truth::compare(*field, *op, *number),
            Code::Unary(UnaryOp::Not, a) => Some(Truth::of(a)?.not()),
            _ => None,
        }
    }

    /// The comparison of a field with a number; none for other operators.
    fn compare(field: Field, op: BinaryOp, number: i64) -> Option<Truth> {
        let (min, max) = (i64::MIN, i64::MAX);
        match op {
            BinaryOp::Eq => Truth::within(field, number, number),
            BinaryOp::Ne => Some(Truth::within(field, number, number)?.not()),
            BinaryOp::Le => Truth::within(field, min, number),
            BinaryOp::Gt => Some(Truth::within(field, min, number)?.not()),
            BinaryOp::Ge => Truth::within(field, number, max),
            BinaryOp::Lt => Some(Truth::within(field, number, max)?.not()),
            _ => None,
        }
    }

    /// Whether a field holds one of the numbers from `first` to `last`; none for a field whose numbers wrap.
    pub(super) fn within(field: Field, first: i64, last: i64) -> Option<Truth> {
        let Interval { lo, hi } = field.interval();
        if hi < lo {
            return None;
        }
        let (first, last) = (first.max(lo), last.min(hi));
        if first > last {
            return Some(Truth::Never);
        }
        if (first, last) == (lo, hi) {
            return Some(Truth::Always);
        }
        Some(Truth::If(Test {
            word: field.word(),
            mask: field.mask_in_word(),
            from: field.in_word(first.wrapping_sub(lo) as u64),
            span: field.in_word(last.wrapping_sub(first) as u64),
        }))
    }

    fn not(self) -> Truth {
        match self {
            Truth::Always => Truth::Never,
            Truth::Never => Truth::Always,
            Truth::If(test) => Truth::If(test.not()),
        }
    }
}

impl Test {
    #[inline]
    pub(crate) fn holds(&self, state: &[u64]) -> bool {
        (state[self.word as usize] & self.mask).wrapping_sub(self.from) <= self.span
    }

    /// The rest of the circle. It is not empty, since no test holds always.
    fn not(self) -> Test {
        let from = self.from.wrapping_add(self.span).wrapping_add(1);
        Test { from, span: u64::MAX - self.span - 1, ..self }
    }

    /// Both tests in one: two equalities about different fields of a word.
    pub(super) fn and(self, other: Test) -> Option<Test> {
        let equalities = self.span == 0 && other.span == 0;
        let apart = self.word == other.word && self.mask & other.mask == 0;
        let (mask, from) = (self.mask | other.mask, self.from | other.from);
        (equalities && apart).then_some(Test { mask, from, ..self })
    }
}
