//! What expressions are worth: an evaluator of its own, which shares nothing with the engines'.
//!
//! Arithmetic is on 64-bit integers and wraps around. It is written here over 128-bit integers cut
//! back to 64 bits, on purpose: the engines use wrapping operations, and the two are checked
//! against each other. `&&`, `||` and `?:` compute only what they need, left to right.

use taut_ir::{
    BinaryOp, ChannelQuery, Expr, Fault, Overflow, PointId, Poll, ProcId, RegId, Type, UnaryOp,
    VarId,
};

/// Where an expression stands: what its names mean.
pub(crate) trait Scope {
    /// An element of a register.
    fn register(&mut self, register: RegId, index: i64) -> Result<i64, Fault>;
    /// An element of a variable.
    fn variable(&mut self, var: VarId, index: i64) -> Result<i64, Fault>;
    /// An expression as a process sees it.
    fn inside(&mut self, process: ProcId, expr: &Expr) -> Result<i64, Fault>;
    /// Whether a process is at one of these program points.
    fn at(&mut self, process: ProcId, points: &[PointId]) -> bool;
    /// Whether a process's buffer is empty.
    fn drained(&mut self, process: ProcId) -> bool;
    /// Whether a process can take a step or send in a rendezvous.
    fn enabled(&mut self, process: ProcId) -> bool;
    /// The pid of the process whose expression it is.
    fn pid(&mut self) -> i64;
    /// How many processes live.
    fn processes(&mut self) -> i64;
    /// Whether a process lives.
    fn alive(&mut self, process: ProcId) -> bool;
    /// Whether nothing else can happen.
    fn timeout(&mut self) -> bool;
    /// The channel that a value names.
    fn channel(&mut self, value: i64) -> Result<Contents, Fault>;
}

/// A channel, as an expression can ask about it.
pub(crate) struct Contents {
    /// How many messages it holds at most.
    pub capacity: usize,
    /// The messages, the oldest first.
    pub messages: Vec<Vec<i64>>,
}

/// The value of an expression.
pub(crate) fn evaluate(expr: &Expr, scope: &mut dyn Scope) -> Result<i64, Fault> {
    taut_budget::tick();
    match expr {
        Expr::Const(value) => Ok(*value),
        Expr::Reg(r) => scope.register(*r, 0),
        Expr::RegElem(r, index) => {
            let index = evaluate(index, scope)?;
            scope.register(*r, index)
        }
        Expr::Var(v) => scope.variable(*v, 0),
        Expr::VarElem(v, index) => {
            let index = evaluate(index, scope)?;
            scope.variable(*v, index)
        }
        Expr::Unary(op, a) => Ok(unary(*op, evaluate(a, scope)?)),
        Expr::Binary(op, a, b) => binary(*op, a, b, scope),
        Expr::Cond(condition, a, b) => match evaluate(condition, scope)? {
            0 => evaluate(b, scope),
            _ => evaluate(a, scope),
        },
        Expr::In(process, inner) => scope.inside(*process, inner),
        Expr::At(process, points) => Ok(truth(scope.at(*process, points))),
        Expr::Drained(process) => Ok(truth(scope.drained(*process))),
        Expr::Enabled(process) => Ok(truth(scope.enabled(*process))),
        Expr::Pid => Ok(scope.pid()),
        Expr::Processes => Ok(scope.processes()),
        Expr::Alive(process) => Ok(truth(scope.alive(*process))),
        Expr::Timeout => Ok(truth(scope.timeout())),
        Expr::Channel(query, channel) => {
            let value = evaluate(channel, scope)?;
            Ok(ask(*query, &scope.channel(value)?))
        }
        Expr::Poll(poll) => Ok(truth(could_receive(poll, scope)?)),
    }
}

fn ask(query: ChannelQuery, channel: &Contents) -> i64 {
    match query {
        ChannelQuery::Length => channel.messages.len() as i64,
        ChannelQuery::Full => truth(channel.messages.len() >= channel.capacity),
        ChannelQuery::Empty => truth(channel.messages.is_empty()),
    }
}

/// Whether there is a message that matches. An empty channel answers before the pattern is computed,
/// and one of capacity 0 always is.
fn could_receive(poll: &Poll, scope: &mut dyn Scope) -> Result<bool, Fault> {
    let value = evaluate(&poll.channel, scope)?;
    let Contents { messages, .. } = scope.channel(value)?;
    if messages.is_empty() {
        return Ok(false);
    }
    let mut wanted = Vec::new();
    for expr in &poll.pattern {
        wanted.push(expr.as_ref().map(|e| evaluate(e, scope)).transpose()?);
    }
    let tried = if poll.anywhere { &messages[..] } else { &messages[..1] };
    Ok(tried.iter().any(|message| matches(&wanted, message)))
}

/// A field of a message.
pub(crate) fn field_of(message: &[i64], field: usize) -> i64 {
    message.get(field).copied().unwrap_or(0)
}

/// Whether the fields of a message have the values that they must have.
pub(crate) fn matches(wanted: &[Option<i64>], message: &[i64]) -> bool {
    let agrees = |(i, w): (usize, &Option<i64>)| w.is_none_or(|w| w == field_of(message, i));
    wanted.iter().enumerate().all(agrees)
}

/// An index as a position in a list of `len` values.
pub(crate) fn position(index: i64, len: usize) -> Result<usize, Fault> {
    usize::try_from(index).ok().filter(|&i| i < len).ok_or(Fault::Index)
}

/// A value as something of a type holds it.
pub(crate) fn fit(ty: Type, value: i64) -> Result<i64, Fault> {
    let (lo, hi) = (i128::from(ty.lo), i128::from(ty.hi));
    let wide = i128::from(value);
    let inside = lo <= wide && wide <= hi;
    match ty.overflow {
        _ if inside => Ok(value),
        Overflow::Fault => Err(Fault::Range),
        Overflow::Wrap => {
            let size = hi - lo + 1;
            let from_lo = ((wide - lo) % size + size) % size;
            Ok(cut(lo + from_lo))
        }
    }
}

fn unary(op: UnaryOp, a: i64) -> i64 {
    match op {
        UnaryOp::Neg => cut(-i128::from(a)),
        UnaryOp::Not => truth(a == 0),
        UnaryOp::BitNot => cut(-i128::from(a) - 1),
    }
}

fn binary(op: BinaryOp, a: &Expr, b: &Expr, scope: &mut dyn Scope) -> Result<i64, Fault> {
    let left = evaluate(a, scope)?;
    match op {
        BinaryOp::And if left == 0 => return Ok(0),
        BinaryOp::Or if left != 0 => return Ok(1),
        _ => {}
    }
    let right = evaluate(b, scope)?;
    strict(op, left, right)
}

/// An operator whose operands are both there. For `&&` and `||` the left one has not decided.
fn strict(op: BinaryOp, a: i64, b: i64) -> Result<i64, Fault> {
    let (wide_a, wide_b) = (i128::from(a), i128::from(b));
    Ok(match op {
        BinaryOp::Add => cut(wide_a + wide_b),
        BinaryOp::Sub => cut(wide_a - wide_b),
        BinaryOp::Mul => cut(wide_a * wide_b),
        BinaryOp::Div => cut(wide_a.checked_div(wide_b).ok_or(Fault::DivisionByZero)?),
        BinaryOp::Rem => cut(wide_a.checked_rem(wide_b).ok_or(Fault::DivisionByZero)?),
        BinaryOp::BitAnd => a & b,
        BinaryOp::BitOr => a | b,
        BinaryOp::BitXor => a ^ b,
        BinaryOp::Shl => cut(wide_a << shift(b)?),
        BinaryOp::Shr => cut(wide_a >> shift(b)?),
        BinaryOp::And | BinaryOp::Or => truth(b != 0),
        BinaryOp::Eq => truth(a == b),
        BinaryOp::Ne => truth(a != b),
        BinaryOp::Lt => truth(a < b),
        BinaryOp::Le => truth(a <= b),
        BinaryOp::Gt => truth(a > b),
        BinaryOp::Ge => truth(a >= b),
    })
}

fn shift(bits: i64) -> Result<u32, Fault> {
    if (0..=63).contains(&bits) { Ok(bits as u32) } else { Err(Fault::Shift) }
}

fn truth(condition: bool) -> i64 {
    if condition { 1 } else { 0 }
}

/// The low 64 bits.
fn cut(wide: i128) -> i64 {
    wide as i64
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    struct Nothing;

    impl Scope for Nothing {
        fn register(&mut self, _: RegId, _: i64) -> Result<i64, Fault> {
            unreachable!()
        }
        fn variable(&mut self, _: VarId, _: i64) -> Result<i64, Fault> {
            unreachable!()
        }
        fn inside(&mut self, _: ProcId, _: &Expr) -> Result<i64, Fault> {
            unreachable!()
        }
        fn at(&mut self, _: ProcId, _: &[PointId]) -> bool {
            unreachable!()
        }
        fn drained(&mut self, _: ProcId) -> bool {
            unreachable!()
        }
        fn enabled(&mut self, _: ProcId) -> bool {
            unreachable!()
        }
        fn pid(&mut self) -> i64 {
            unreachable!()
        }
        fn processes(&mut self) -> i64 {
            unreachable!()
        }
        fn alive(&mut self, _: ProcId) -> bool {
            unreachable!()
        }
        fn timeout(&mut self) -> bool {
            unreachable!()
        }
        fn channel(&mut self, _: i64) -> Result<Contents, Fault> {
            unreachable!()
        }
    }

    fn constant(value: i64) -> Box<Expr> {
        Box::new(Expr::Const(value))
    }

    fn value() -> impl Strategy<Value = i64> {
        prop_oneof![-3..70i64, any::<i64>(), Just(i64::MIN), Just(i64::MAX)]
    }

    proptest! {
        #[test]
        fn operators_agree_with_the_program_model(a in value(), b in value()) {
            for op in BinaryOp::ALL {
                let own = evaluate(&Expr::Binary(op, constant(a), constant(b)), &mut Nothing);
                // `&&` and `||` with a deciding left side never compute the right one.
                prop_assert_eq!(own, op.apply(a, b));
            }
            for op in [UnaryOp::Neg, UnaryOp::Not, UnaryOp::BitNot] {
                let own = evaluate(&Expr::Unary(op, constant(a)), &mut Nothing);
                prop_assert_eq!(own, Ok(op.apply(a)));
            }
        }

        #[test]
        fn fitting_agrees_with_the_program_model(a in value(), b in value(), v in value()) {
            for overflow in [Overflow::Wrap, Overflow::Fault] {
                let ty = Type { lo: a.min(b), hi: a.max(b), overflow };
                prop_assert_eq!(fit(ty, v).ok(), ty.fit(v));
            }
        }
    }

    #[test]
    fn connectives_and_conditions_compute_only_what_they_need() {
        let bad = || Box::new(Expr::Binary(BinaryOp::Div, constant(1), constant(0)));
        let value = |e: Expr| evaluate(&e, &mut Nothing);
        assert_eq!(value(Expr::Binary(BinaryOp::And, constant(0), bad())), Ok(0));
        assert_eq!(value(Expr::Binary(BinaryOp::Or, constant(7), bad())), Ok(1));
        assert_eq!(value(Expr::Binary(BinaryOp::And, constant(7), constant(9))), Ok(1));
        assert_eq!(value(Expr::Cond(constant(2), constant(5), bad())), Ok(5));
        assert_eq!(value(Expr::Cond(constant(0), bad(), constant(6))), Ok(6));
        assert_eq!(
            value(Expr::Binary(BinaryOp::Or, constant(0), bad())),
            Err(Fault::DivisionByZero)
        );
    }
}
