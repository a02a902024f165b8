//! Values that are known before anything runs: initial values of variables, and of the locals of processes
//! that run from the start.

use taut_ir::{BinaryOp, Expr, Type, Variable};

/// What expressions can name before anything runs.
pub(super) struct Known<'p> {
    /// The global variables, with their initial values.
    pub(super) vars: &'p [Variable],
    /// The values of registers, one or one for each element.
    pub(super) registers: &'p [Vec<i64>],
    /// The number of the process.
    pub(super) pid: i64,
}

impl Known<'_> {
    /// The value of an expression; none if it cannot be known.
    pub(super) fn value(&self, expr: &Expr) -> Option<i64> {
        match expr {
            Expr::Const(v) => Some(*v),
            Expr::Reg(r) => self.registers.get(r.index())?.first().copied(),
            Expr::RegElem(r, index) => {
                let index = usize::try_from(self.value(index)?).ok()?;
                self.registers.get(r.index())?.get(index).copied()
            }
            Expr::Var(v) => self.vars.get(v.index())?.init.first().copied(),
            Expr::VarElem(v, index) => {
                let index = usize::try_from(self.value(index)?).ok()?;
                self.vars.get(v.index())?.init.get(index).copied()
            }
            Expr::Unary(op, a) => Some(op.apply(self.value(a)?)),
            Expr::Binary(op, a, b) => op.apply(self.value(a)?, self.value(b)?).ok(),
            Expr::Cond(c, a, b) => match self.value(c)? {
                0 => self.value(b),
                _ => self.value(a),
            },
            Expr::Pid => Some(self.pid),
            // The process that starts counts.
            Expr::Processes => Some(self.pid + 1),
            _ => None,
        }
    }
}

/// The value that a variable of a type holds after it was assigned an expression, as an expression.
pub(super) fn cast(ty: Type, value: Expr) -> Expr {
    if let Expr::Const(v) = value {
        return Expr::Const(ty.fit(v).unwrap_or(v));
    }
    let size = ty.hi - ty.lo + 1;
    let low = Expr::binary(BinaryOp::BitAnd, value, (size - 1).into());
    if ty.lo == 0 {
        return low;
    }
    let half = size / 2;
    let flipped = Expr::binary(BinaryOp::BitXor, low, half.into());
    Expr::binary(BinaryOp::Sub, flipped, half.into())
}

/// An expression of a process that starts, in terms of the one that starts it: registers are replaced by
/// their values, and the number of the new process is how many there are. None if that cannot be said.
pub(super) fn for_parent(expr: &Expr, registers: &[Vec<Expr>]) -> Option<Expr> {
    let inner = |e: &Expr| for_parent(e, registers);
    Some(match expr {
        Expr::Const(_) | Expr::Var(_) => expr.clone(),
        // The new process counts.
        Expr::Processes => Expr::binary(BinaryOp::Add, Expr::Processes, 1.into()),
        Expr::Reg(r) => registers.get(r.index())?.first()?.clone(),
        Expr::RegElem(r, index) => {
            let index = inner(index)?;
            let elements = registers.get(r.index())?.iter().enumerate().rev();
            elements.fold(Expr::Const(0), |otherwise, (i, element)| {
                let is_it = Box::new(index.clone().equals(Expr::Const(i as i64)));
                Expr::Cond(is_it, Box::new(element.clone()), Box::new(otherwise))
            })
        }
        Expr::VarElem(v, index) => Expr::VarElem(*v, Box::new(inner(index)?)),
        Expr::Unary(op, a) => Expr::unary(*op, inner(a)?),
        Expr::Binary(op, a, b) => Expr::binary(*op, inner(a)?, inner(b)?),
        Expr::Cond(c, a, b) => {
            Expr::Cond(Box::new(inner(c)?), Box::new(inner(a)?), Box::new(inner(b)?))
        }
        Expr::Pid => Expr::Processes,
        Expr::Channel(query, channel) => Expr::Channel(*query, Box::new(inner(channel)?)),
        _ => return None,
    })
}
