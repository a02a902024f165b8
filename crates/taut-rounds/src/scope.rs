//! Which runs a translation covers, and the arithmetic of round numbers that follows from it.
//!
//! The rounds of a process in which a store may reach memory are its *destinations*. They are numbered
//! `0 ..= k`, as the paper numbers rounds; one more number, `k + 1`, is [`Scope::never`]: the store does not
//! reach memory in the run that is looked at.

use std::fmt;

use taut_ir::{BinaryOp, Expr, RegId, Type};

use crate::error::TranslateError;

/// The largest `k`. Conditions over all rounds are chains of as many operands.
pub const MOST_ROUNDS: u32 = 64;

/// Which runs of the original program the translation has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Scope {
    /// Those in which every process has at most `k + 1` rounds. A round is a piece of a run in which only
    /// one process takes steps and only stores of its own buffer reach memory.
    Rounds(u32),
    /// Those in which no store waits while its process begins more than `k` rounds.
    Age(u32),
}

impl fmt::Display for Scope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Scope::Rounds(0) => write!(f, "1 round"),
            Scope::Rounds(k) => write!(f, "{} rounds", u64::from(*k) + 1),
            Scope::Age(k) => write!(f, "store age {k}"),
        }
    }
}

impl Scope {
    /// The paper's `k`.
    pub fn k(self) -> u32 {
        match self {
            Scope::Rounds(k) | Scope::Age(k) => k,
        }
    }

    pub(crate) fn check(self) -> Result<(), TranslateError> {
        match self.k() {
            0..=MOST_ROUNDS => Ok(()),
            k => Err(TranslateError::whole(format!(
                "the bound is {k}, and {MOST_ROUNDS} is the largest that is possible"
            ))),
        }
    }

    /// The destination of stores that do not reach memory.
    pub(crate) fn never(self) -> i64 {
        i64::from(self.k()) + 1
    }

    /// How many destinations there are, `never` included.
    pub(crate) fn destinations(self) -> i64 {
        self.never() + 1
    }

    /// The number of `r_SC` and `r_TSO` before the first round. Rounds are counted from there; ages only
    /// need differences, so there any number would do.
    pub(crate) fn before_first(self) -> i64 {
        match self {
            Scope::Rounds(_) => -1,
            Scope::Age(_) => 0,
        }
    }

    pub(crate) fn r_sc_type(self) -> Type {
        Type::range(self.before_first(), i64::from(self.k()))
    }

    pub(crate) fn r_tso_type(self) -> Type {
        Type::range(self.before_first(), self.never())
    }

    /// The number of the round after a round.
    pub(crate) fn next_round(self, round: Expr) -> Expr {
        let next = Expr::binary(BinaryOp::Add, round, 1.into());
        match self {
            Scope::Rounds(_) => next,
            Scope::Age(0) => 0.into(),
            Scope::Age(_) => Expr::binary(BinaryOp::Rem, next, self.never().into()),
        }
    }

    /// Whether a destination, which is not `never`, is the last one that a store made in round `r_SC` can
    /// have before that.
    pub(crate) fn is_last(self, destination: Expr, r_sc: RegId) -> Expr {
        match self {
            Scope::Rounds(k) => destination.equals(i64::from(k).into()),
            Scope::Age(0) => Expr::TRUE,
            // The paper's `(r_SC - r_TSO) mod k+1 == 1`, without a remainder of something negative: k
            // rounds from here is one round back.
            Scope::Age(_) => self.next_round(destination).equals(r_sc.into()),
        }
    }

    /// The destination after one that is not `never`.
    pub(crate) fn next_destination(self, destination: Expr, r_sc: RegId) -> Expr {
        let next = self.next_round(destination.clone());
        match self {
            // After round k comes k + 1, which is `never`.
            Scope::Rounds(_) => next,
            Scope::Age(0) => self.never().into(),
            Scope::Age(_) => {
                let last = self.is_last(destination, r_sc);
                Expr::Cond(Box::new(last), Box::new(self.never().into()), Box::new(next))
            }
        }
    }
}
