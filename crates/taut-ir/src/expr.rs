//! Expressions over registers, shared memory and, in properties, the whole machine.

use crate::{BinaryOp, PointId, ProcId, RegId, UnaryOp, VarId};

/// An expression.
///
/// In a step, variables are read through the process's own view: its newest buffered store, else
/// memory. In a property they are read from memory, except inside [`Expr::In`].
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Expr {
    /// A number.
    Const(i64),
    /// A register.
    Reg(RegId),
    /// An element of a register array.
    RegElem(RegId, Box<Expr>),
    /// A variable.
    Var(VarId),
    /// An element of an array variable.
    VarElem(VarId, Box<Expr>),
    /// An operator with one operand.
    Unary(UnaryOp, Box<Expr>),
    /// An operator with two operands.
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// `condition ? a : b`; only one of a and b is computed.
    Cond(Box<Expr>, Box<Expr>, Box<Expr>),
    /// An expression as a process sees it, with its registers and its own view of memory. `view(P, x)` is
    /// `In(P, Var(x))`, `P:r` is `In(P, Reg(r))`, and `In(P, Pid)` is its number. 0 where the process does
    /// not live. In steps, of registers and the pid only.
    In(ProcId, Box<Expr>),
    /// Whether a process lives and is at one of these program points.
    At(ProcId, Vec<PointId>),
    /// Properties only: whether a process's buffer is empty.
    Drained(ProcId),
    /// Temporal properties only: whether a process can take a step now, or send in a rendezvous. Waiting
    /// for somebody to send does not count.
    Enabled(ProcId),
    /// The process's own pid ([`crate::Lifecycle::Stack`] only).
    Pid,
    /// How many processes live ([`crate::Lifecycle::Stack`] only).
    Processes,
    /// Whether a process lives: it has started and is not gone.
    Alive(ProcId),
    /// Whether nothing can happen, neither a step nor a commit, as long as this is false. Guards only.
    Timeout,
    /// A question about a channel.
    Channel(ChannelQuery, Box<Expr>),
    /// Whether a receive could be taken.
    Poll(Box<Poll>),
}

/// A question about a channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum ChannelQuery {
    /// How many messages it holds.
    Length,
    /// Whether it has no room left. A channel of capacity 0 is full.
    Full,
    /// Whether it holds no message.
    Empty,
}

/// Whether a receive could be taken now, without taking it. Never true of a channel of capacity 0.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Poll {
    /// Which channel.
    pub channel: Expr,
    /// The value each field must have; `None` if any will do. Fields that messages do not have are 0.
    pub pattern: Vec<Option<Expr>>,
    /// Any message may match, not only the first.
    pub anywhere: bool,
}

impl Expr {
    /// The expression that is always true.
    pub const TRUE: Expr = Expr::Const(1);

    /// `op a`, folded if a is a number.
    pub fn unary(op: UnaryOp, a: Expr) -> Expr {
        match a {
            Expr::Const(a) => Expr::Const(op.apply(a)),
            a => Expr::Unary(op, Box::new(a)),
        }
    }

    /// `a op b`, folded if both are numbers and the result is one.
    pub fn binary(op: BinaryOp, a: Expr, b: Expr) -> Expr {
        if let (Expr::Const(x), Expr::Const(y)) = (&a, &b)
            && let Ok(value) = op.apply(*x, *y)
        {
            return Expr::Const(value);
        }
        Expr::Binary(op, Box::new(a), Box::new(b))
    }

    /// `!a`
    #[must_use]
    #[allow(clippy::should_implement_trait)]
    pub fn not(self) -> Expr {
        Expr::unary(UnaryOp::Not, self)
    }

    /// `a && b`, without `true` on either side.
    #[must_use]
    pub fn and(self, other: Expr) -> Expr {
        match (self, other) {
            (Expr::Const(1), e) | (e, Expr::Const(1)) => e,
            (a, b) => Expr::binary(BinaryOp::And, a, b),
        }
    }

    /// `a == b`
    #[must_use]
    pub fn equals(self, other: Expr) -> Expr {
        Expr::binary(BinaryOp::Eq, self, other)
    }

    /// The direct operands.
    pub fn operands(&self) -> Vec<&Expr> {
        match self {
            Expr::Const(_)
            | Expr::Reg(_)
            | Expr::Var(_)
            | Expr::At(..)
            | Expr::Drained(_)
            | Expr::Enabled(_)
            | Expr::Pid
            | Expr::Processes
            | Expr::Alive(_)
            | Expr::Timeout => vec![],
            Expr::Channel(_, a) => vec![a],
            Expr::Poll(poll) => {
                std::iter::once(&poll.channel).chain(poll.pattern.iter().flatten()).collect()
            }
            Expr::RegElem(_, a) | Expr::VarElem(_, a) | Expr::Unary(_, a) | Expr::In(_, a) => {
                vec![a]
            }
            Expr::Binary(_, a, b) => vec![a, b],
            Expr::Cond(a, b, c) => vec![a, b, c],
        }
    }

    /// Visits this expression and all in it, outermost first.
    pub fn visit<'e>(&'e self, f: &mut impl FnMut(&'e Expr)) {
        f(self);
        for operand in self.operands() {
            operand.visit(f);
        }
    }

    /// Visits this expression and all in it, operands from left to right and before what is computed from them, each with
    /// the process in whose place it is computed ([`Expr::In`]), if that is not the one that computes the whole.
    pub(crate) fn visit_inside<'e>(
        &'e self,
        inside: Option<ProcId>,
        f: &mut impl FnMut(&'e Expr, Option<ProcId>),
    ) {
        let scope = if let Expr::In(process, _) = self { Some(*process) } else { inside };
        for operand in self.operands() {
            operand.visit_inside(scope, f);
        }
        f(self, inside);
    }

    /// The registers read of the process that computes it: not those that [`Expr::In`] reads of a process by name.
    pub fn registers(&self) -> Vec<RegId> {
        let mut all = Vec::new();
        self.visit_inside(None, &mut |expr, inside| {
            if let (Expr::Reg(r) | Expr::RegElem(r, _), None) = (expr, inside) {
                all.push(*r);
            }
        });
        all.sort();
        all.dedup();
        all
    }

    /// The variables read.
    pub fn variables(&self) -> Vec<VarId> {
        let mut all = Vec::new();
        self.visit(&mut |e| {
            if let Expr::Var(v) | Expr::VarElem(v, _) = e {
                all.push(*v);
            }
        });
        all.sort();
        all.dedup();
        all
    }
}

impl From<i64> for Expr {
    fn from(value: i64) -> Expr {
        Expr::Const(value)
    }
}

impl From<RegId> for Expr {
    fn from(reg: RegId) -> Expr {
        Expr::Reg(reg)
    }
}

impl From<VarId> for Expr {
    fn from(var: VarId) -> Expr {
        Expr::Var(var)
    }
}
