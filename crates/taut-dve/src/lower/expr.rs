//! Expressions.
//!
//! DiVinE computes in 32 bits with sign, the program model in 64. With every operator the interval of what it
//! can give is carried along: only where that leaves 32 bits is the result cut to 32 bits, by a shift up and
//! down again. Two departures, where C leaves the meaning open: a shift by 32 to 63 bits shifts everything out,
//! and one by any other amount is an error of the model (DIVERGENCE: DiVinE does what the processor does).
//!
//! Whose eyes an expression is seen with ([`Scope`]) decides what a name becomes. In a step a process sees its
//! registers, and memory through its own buffer. An assertion sees what its process sees, from outside. A
//! property process and a formula see memory.

use taut_ir::{BinaryOp as Op, Expr, Interval, PointId, ProcId, UnaryOp};
use taut_source::{Diagnostic, Span};

use super::codes;
use super::names::{Home, Names, ProcessNames, Variable};
use crate::ast::{self, BinaryOp, ExprKind, Name};

/// Whose eyes an expression is seen with.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Scope<'m> {
    /// A process takes a step; where it is, if that is known.
    Step { process: &'m str, id: ProcId, at: Option<PointId> },
    /// Anybody looks at what a process sees.
    View { process: &'m str, id: ProcId },
    /// Anybody looks at memory; a property process may have constants of its own.
    Memory { process: Option<&'m str> },
}

impl<'m> Scope<'m> {
    fn process(self) -> Option<&'m str> {
        match self {
            Scope::Step { process, .. } | Scope::View { process, .. } => Some(process),
            Scope::Memory { process } => process,
        }
    }
}

/// An expression and the interval of its values, which is within 32 bits.
type Bounded = (Expr, Interval);

const INT32: Interval = Interval { lo: i32::MIN as i64, hi: i32::MAX as i64 };

/// How large the choice among the elements of another process's array may be, in parts of expressions: the
/// computed index is asked once for each element.
const LARGEST_CHOICE: usize = 4096;

/// An expression of a checked model.
pub(crate) fn expr(
    names: &Names<'_>,
    scope: Scope<'_>,
    e: &ast::Expr,
) -> Result<Expr, Box<Diagnostic>> {
    taut_budget::tick();
    bounded(names, scope, e).map(|(expr, _)| expr)
}

fn bounded(names: &Names<'_>, scope: Scope<'_>, e: &ast::Expr) -> Result<Bounded, Box<Diagnostic>> {
    let constant = |value: i64| Ok((Expr::Const(value), Interval::single(value)));
    match &e.kind {
        ExprKind::Num(value) => constant(*value),
        ExprKind::Bool(value) => constant(i64::from(*value)),
        ExprKind::Name(name) => read(names, scope, name, None),
        ExprKind::Index(name, index) => read(names, scope, name, Some(index)),
        ExprKind::State(process, state) => at(names, scope, process, state),
        ExprKind::Remote(process, name, index) => {
            remote(names, scope, (process, name), index.as_deref(), e.span)
        }
        ExprKind::Unary(op, a) => {
            let (a, of) = bounded(names, scope, a)?;
            Ok(unary(*op, a, of))
        }
        ExprKind::Binary(op, a, b) => {
            let (a, b) = (bounded(names, scope, a)?, bounded(names, scope, b)?);
            Ok(binary(*op, a, b))
        }
    }
}

/// A variable by its name alone.
fn read(
    names: &Names<'_>,
    scope: Scope<'_>,
    name: &Name,
    index: Option<&ast::Expr>,
) -> Result<Bounded, Box<Diagnostic>> {
    let variable = names.variable(scope.process(), &name.text).ok_or_else(|| broken(name))?;
    match (variable.home, scope) {
        (Home::Register(_), Scope::Memory { .. }) => Err(watched(name.span)),
        (Home::Register(_) | Home::Shared(_), Scope::View { process, id }) => {
            let inner = Scope::Step { process, id, at: None };
            let (expr, values) = element(names, inner, variable, index)?;
            Ok((Expr::In(id, Box::new(expr)), values))
        }
        _ => element(names, scope, variable, index),
    }
}

/// A variable or an element of it, for who sees it directly.
fn element(
    names: &Names<'_>,
    scope: Scope<'_>,
    variable: Variable<'_>,
    index: Option<&ast::Expr>,
) -> Result<Bounded, Box<Diagnostic>> {
    let index = index.map(|i| expr(names, scope, i)).transpose()?;
    let expr = match (variable.home, index) {
        (Home::Constant(value), _) => return Ok((Expr::Const(value), Interval::single(value))),
        (Home::Constants(_), Some(Expr::Const(i))) if value_at(variable, i).is_some() => {
            let value = value_at(variable, i).unwrap_or(0);
            return Ok((Expr::Const(value), Interval::single(value)));
        }
        (Home::Shared(v) | Home::Constants(v), None) => Expr::Var(v),
        (Home::Shared(v) | Home::Constants(v), Some(i)) => Expr::VarElem(v, Box::new(i)),
        (Home::Register(r), None) => Expr::Reg(r),
        (Home::Register(r), Some(i)) => Expr::RegElem(r, Box::new(i)),
    };
    Ok((expr, values_of(variable)))
}

fn value_at(variable: Variable<'_>, index: i64) -> Option<i64> {
    variable.decl.initial.get(usize::try_from(index).ok()?).copied()
}

fn values_of(variable: Variable<'_>) -> Interval {
    let (lo, hi) = variable.ty().range();
    Interval { lo, hi }
}

/// `P.s`. Where the process of a step is, is known: at its source until it starts, then, as in DiVinE 2, at
/// its target.
fn at(
    names: &Names<'_>,
    scope: Scope<'_>,
    process: &Name,
    state: &Name,
) -> Result<Bounded, Box<Diagnostic>> {
    let (id, other) = system_process(names, process)?;
    let location = *other.states.get(state.text.as_str()).ok_or_else(|| broken(state))?;
    let expr = match scope {
        Scope::Step { id: own, at: Some(at), .. } if own == id => {
            Expr::Const(i64::from(at == location))
        }
        _ => Expr::At(id, vec![location]),
    };
    Ok((expr, Interval::BOOL))
}

/// `P->v` and `P->a[e]`.
fn remote(
    names: &Names<'_>,
    scope: Scope<'_>,
    (process, name): (&Name, &Name),
    index: Option<&ast::Expr>,
    span: Span,
) -> Result<Bounded, Box<Diagnostic>> {
    let (id, other) = system_process(names, process)?;
    let variable = *other.locals.get(name.text.as_str()).ok_or_else(|| broken(name))?;
    let Home::Register(register) = variable.home else {
        return element(names, scope, variable, index);
    };
    let of = |inner: Expr| Expr::In(id, Box::new(inner));
    let element = |i: i64| of(Expr::RegElem(register, Box::new(Expr::Const(i))));
    let value = match index.map(|i| expr(names, scope, i)).transpose()? {
        None => of(Expr::Reg(register)),
        Some(Expr::Const(i)) => element(i),
        // The index is seen with other eyes than the element, so that it cannot go inside.
        Some(index) => {
            let length = variable.decl.length.unwrap_or(1);
            if (length as usize).saturating_mul(size(&index)) > LARGEST_CHOICE {
                return Err(far(span));
            }
            let chosen = |i: i64, otherwise: Expr| {
                let this = index.clone().equals(Expr::Const(i));
                Expr::Cond(Box::new(this), Box::new(element(i)), Box::new(otherwise))
            };
            let length = i64::from(length);
            // One past the end: the element that is not there is the fault that it must be.
            (0..length).rev().fold(element(length), |otherwise, i| chosen(i, otherwise))
        }
    };
    Ok((value, values_of(variable)))
}

fn system_process<'n, 'm>(
    names: &'n Names<'m>,
    process: &Name,
) -> Result<(ProcId, &'n ProcessNames<'m>), Box<Diagnostic>> {
    let known = names.processes.get(process.text.as_str()).ok_or_else(|| broken(process))?;
    match known.id {
        Some(id) => Ok((id, known)),
        None => {
            let text = format!("`{process}` is the property process, which only watches");
            let d = Diagnostic::error(codes::ASKS_THE_WATCHER, text, process.span);
            Err(Box::new(d.label("not a process of the system")))
        }
    }
}

fn unary(op: ast::UnaryOp, a: Expr, of: Interval) -> Bounded {
    match op {
        ast::UnaryOp::Not => (a.not(), Interval::BOOL),
        ast::UnaryOp::BitNot => {
            (Expr::unary(UnaryOp::BitNot, a), Interval { lo: !of.hi, hi: !of.lo })
        }
        ast::UnaryOp::Neg => cut(Expr::unary(UnaryOp::Neg, a), Interval { lo: -of.hi, hi: -of.lo }),
    }
}

fn binary(op: BinaryOp, (a, of_a): Bounded, (b, of_b): Bounded) -> Bounded {
    let Some(plain) = operator(op) else {
        return (Expr::binary(Op::Or, a.not(), b), Interval::BOOL);
    };
    cut(Expr::binary(plain, a, b), result(op, of_a, of_b))
}

/// The operator of the program model; none for `imply`, which it does not have.
fn operator(op: BinaryOp) -> Option<Op> {
    Some(match op {
        BinaryOp::Imply => return None,
        BinaryOp::Or => Op::Or,
        BinaryOp::And => Op::And,
        BinaryOp::BitOr => Op::BitOr,
        BinaryOp::BitXor => Op::BitXor,
        BinaryOp::BitAnd => Op::BitAnd,
        BinaryOp::Eq => Op::Eq,
        BinaryOp::Ne => Op::Ne,
        BinaryOp::Lt => Op::Lt,
        BinaryOp::Le => Op::Le,
        BinaryOp::Gt => Op::Gt,
        BinaryOp::Ge => Op::Ge,
        BinaryOp::Shl => Op::Shl,
        BinaryOp::Shr => Op::Shr,
        BinaryOp::Add => Op::Add,
        BinaryOp::Sub => Op::Sub,
        BinaryOp::Mul => Op::Mul,
        BinaryOp::Div => Op::Div,
        BinaryOp::Rem => Op::Rem,
    })
}

/// What an operator can give for operands within 32 bits, as a number without bounds.
fn result(op: BinaryOp, a: Interval, b: Interval) -> Interval {
    match op {
        BinaryOp::Add => Interval { lo: a.lo + b.lo, hi: a.hi + b.hi },
        BinaryOp::Sub => Interval { lo: a.lo - b.hi, hi: a.hi - b.lo },
        BinaryOp::Mul => {
            let corners = [a.lo * b.lo, a.lo * b.hi, a.hi * b.lo, a.hi * b.hi];
            Interval::hull(&corners).unwrap_or(Interval::ALL)
        }
        BinaryOp::Shl => Interval::ALL,
        // The smallest number divided by -1 is too large by one.
        BinaryOp::Div => a.join(Interval { lo: -a.hi, hi: -a.lo }).join(Interval::single(0)),
        BinaryOp::Rem | BinaryOp::Shr => a.join(Interval { lo: -1, hi: 0 }),
        BinaryOp::BitOr | BinaryOp::BitXor | BinaryOp::BitAnd => INT32,
        BinaryOp::Imply
        | BinaryOp::Or
        | BinaryOp::And
        | BinaryOp::Eq
        | BinaryOp::Ne
        | BinaryOp::Lt
        | BinaryOp::Le
        | BinaryOp::Gt
        | BinaryOp::Ge => Interval::BOOL,
    }
}

/// Cuts a value to 32 bits with sign, if it can have more.
fn cut(expr: Expr, values: Interval) -> Bounded {
    if let Expr::Const(value) = expr {
        let value = i64::from(value as i32);
        return (Expr::Const(value), Interval::single(value));
    }
    if INT32.includes(values) {
        return (expr, values);
    }
    let up = Expr::binary(Op::Shl, expr, Expr::Const(32));
    (Expr::binary(Op::Shr, up, Expr::Const(32)), INT32)
}

/// All of some conditions, as a tree that is no deeper than it must be: a model may have very many.
pub(crate) fn all(mut conditions: Vec<Expr>) -> Expr {
    while conditions.len() > 1 {
        let mut half = Vec::with_capacity(conditions.len().div_ceil(2));
        let mut rest = conditions.into_iter();
        while let Some(first) = rest.next() {
            half.push(match rest.next() {
                Some(second) => Expr::binary(Op::And, first, second),
                None => first,
            });
        }
        conditions = half;
    }
    conditions.pop().unwrap_or(Expr::TRUE)
}

/// How many parts an expression has.
fn size(expr: &Expr) -> usize {
    let mut parts = 0;
    expr.visit(&mut |_| parts += 1);
    parts
}

fn far(span: Span) -> Box<Diagnostic> {
    let text = "a computed index into a long array of another process";
    let d = Diagnostic::error(codes::FAR_INDEX, text, span).label("this is too large to compute");
    Box::new(d.help("use a shorter array, a simpler index, or a global variable"))
}

fn watched(span: Span) -> Box<Diagnostic> {
    let text = "a property process has no variables of its own";
    let d = Diagnostic::error(codes::WATCHER_ACTS, text, span).label("changes with the automaton");
    Box::new(d.help("let a process of the system keep it, or use more locations"))
}

/// Checked models have no such names.
fn broken(name: &Name) -> Box<Diagnostic> {
    let text = format!("`{name}` has no meaning here");
    Box::new(Diagnostic::error(codes::BROKEN_TREE, text, name.span).label("unknown name"))
}
