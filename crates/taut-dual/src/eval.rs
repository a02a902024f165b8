//! The value of an expression of which some parts are not known yet.
//!
//! Steps and properties are compiled for all values that a load may see. An evaluation that comes to something open
//! stops and says what it asks for ([`Stop::Ask`]). The caller makes one branch per answer and evaluates again.

use taut_ir::{BinaryOp, Expr, Fault, PointId, ProcId, RegId, VarId};

/// Why there is no value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stop<A> {
    /// Something is open.
    Ask(A),
    /// The computation goes wrong.
    Fault(Fault),
}

impl<A> From<Fault> for Stop<A> {
    fn from(fault: Fault) -> Stop<A> {
        Stop::Fault(fault)
    }
}

/// What the names of an expression mean.
pub(crate) trait Scope {
    /// What can be open.
    type Ask;

    fn register(&mut self, register: RegId, index: i64) -> Result<i64, Stop<Self::Ask>>;
    fn variable(&mut self, var: VarId, index: i64) -> Result<i64, Stop<Self::Ask>>;
    fn inside(&mut self, process: ProcId, expr: &Expr) -> Result<i64, Stop<Self::Ask>>;
    fn at(&mut self, process: ProcId, points: &[PointId]) -> Result<bool, Stop<Self::Ask>>;
    fn drained(&mut self, process: ProcId) -> Result<bool, Stop<Self::Ask>>;
    fn alive(&mut self, process: ProcId) -> Result<bool, Stop<Self::Ask>>;
    fn pid(&self) -> i64;
}

/// The value of an expression. What no program that the engine supports can have counts as 0 (`refuse.rs`).
pub(crate) fn evaluate<S: Scope>(expr: &Expr, scope: &mut S) -> Result<i64, Stop<S::Ask>> {
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
        Expr::Unary(op, a) => Ok(op.apply(evaluate(a, scope)?)),
        Expr::Binary(op, a, b) => binary(*op, a, b, scope),
        Expr::Cond(condition, a, b) => match evaluate(condition, scope)? {
            0 => evaluate(b, scope),
            _ => evaluate(a, scope),
        },
        Expr::In(process, inner) => scope.inside(*process, inner),
        Expr::At(process, points) => scope.at(*process, points).map(i64::from),
        Expr::Drained(process) => scope.drained(*process).map(i64::from),
        Expr::Pid => Ok(scope.pid()),
        Expr::Alive(process) => scope.alive(*process).map(i64::from),
        Expr::Processes | Expr::Enabled(_) | Expr::Timeout | Expr::Channel(..) | Expr::Poll(_) => {
            debug_assert!(false, "refused");
            Ok(0)
        }
    }
}

fn binary<S: Scope>(op: BinaryOp, a: &Expr, b: &Expr, scope: &mut S) -> Result<i64, Stop<S::Ask>> {
    let left = evaluate(a, scope)?;
    match op {
        BinaryOp::And if left == 0 => return Ok(0),
        BinaryOp::Or if left != 0 => return Ok(1),
        _ => {}
    }
    let right = evaluate(b, scope)?;
    Ok(op.apply(left, right)?)
}
