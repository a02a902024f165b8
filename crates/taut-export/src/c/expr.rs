//! Expressions in C.
//!
//! Arithmetic of the model is on 64 bits and wraps around, and some operations fault; in C both are undefined.
//! So what can overflow or fault calls a function of the shim, which notes a fault in `taut_fault`. Where the
//! types of the operands show that nothing can happen, the plain operator is written.

use taut_ir::{BinaryOp, DefId, Expr, Overflow, PointId, ProcId, Program, Type, UnaryOp};

use super::names::Names;

/// What an expression is written with.
#[derive(Clone, Copy)]
pub(super) struct Writer<'w> {
    pub program: &'w Program,
    pub names: &'w Names,
    /// Whose registers it names without saying so, and how they are reached.
    pub own: Option<(DefId, &'w str)>,
}

/// The values of an expression: the smallest and the largest, as far as types tell.
type Bounds = (i64, i64);

const ALL: Bounds = (i64::MIN, i64::MAX);

/// A number. The smallest has no literal in C.
pub(crate) fn number(value: i64) -> String {
    match value {
        i64::MIN => "(-9223372036854775807LL - 1)".into(),
        v if v < 0 => format!("({v}LL)"),
        v => format!("{v}LL"),
    }
}

impl<'w> Writer<'w> {
    fn register(self, id: taut_ir::RegId) -> (String, &'w taut_ir::Register) {
        let (def, access) = self.own.expect("a register has a process");
        let register = &self.program.defs[def.index()].registers[id.index()];
        (format!("{access}{}", self.names.register(def, id)), register)
    }

    /// An expression.
    pub(super) fn expr(self, expr: &Expr) -> String {
        taut_budget::tick();
        match expr {
            Expr::Const(v) => number(*v),
            Expr::Reg(r) => self.register(*r).0,
            Expr::RegElem(r, i) => {
                let (name, register) = self.register(*r);
                format!("{name}[{}]", self.index(i, register.size()))
            }
            Expr::Var(v) => self.names.var(*v).into(),
            Expr::VarElem(v, i) => {
                let index = self.index(i, self.program.var(*v).size());
                format!("{}[{index}]", self.names.var(*v))
            }
            Expr::Unary(op, a) => self.unary(*op, a),
            Expr::Binary(op, a, b) => self.binary(*op, a, b),
            Expr::Cond(c, a, b) => {
                let [c, a, b] = [c, a, b].map(|e| self.expr(e));
                format!("({c} ? {a} : {b})")
            }
            Expr::In(p, inner) => self.inside(*p, inner),
            Expr::At(p, points) => self.at(*p, points),
            Expr::Alive(p) => format!("{}.started", self.names.process(*p)),
            // Under SC nothing waits.
            Expr::Drained(_) => "1".into(),
            Expr::Enabled(_)
            | Expr::Pid
            | Expr::Processes
            | Expr::Timeout
            | Expr::Channel(..)
            | Expr::Poll(_) => unreachable!("refused before anything is written"),
        }
    }

    /// An index into something of a size.
    pub(super) fn index(self, index: &Expr, size: u32) -> String {
        let (lo, hi) = self.bounds(index);
        let text = self.expr(index);
        match lo >= 0 && hi < i64::from(size) {
            true => text,
            false => format!("taut_index({text}, {size})"),
        }
    }

    /// A value as something of a type holds it.
    pub(super) fn fit(self, value: &Expr, ty: Type) -> String {
        let (lo, hi) = self.bounds(value);
        let text = self.expr(value);
        if ty.contains(lo) && ty.contains(hi) {
            return text;
        }
        let function = match ty.overflow {
            Overflow::Fault => "taut_range",
            Overflow::Wrap => "taut_wrap",
        };
        format!("{function}({text}, {}, {})", number(ty.lo), number(ty.hi))
    }

    fn unary(self, op: UnaryOp, a: &Expr) -> String {
        let text = self.expr(a);
        match op {
            UnaryOp::Neg if self.bounds(a).0 == i64::MIN => format!("taut_sub(0, {text})"),
            _ => format!("({}{text})", op.symbol()),
        }
    }

    fn binary(self, op: BinaryOp, a: &Expr, b: &Expr) -> String {
        let (x, y) = (self.expr(a), self.expr(b));
        let divisor = self.bounds(b);
        let function = match op {
            BinaryOp::Add if self.exact(op, a, b).is_none() => "taut_add",
            BinaryOp::Sub if self.exact(op, a, b).is_none() => "taut_sub",
            BinaryOp::Mul if self.exact(op, a, b).is_none() => "taut_mul",
            BinaryOp::Div if divisor.0 <= 0 => "taut_div",
            BinaryOp::Rem if divisor.0 <= 0 => "taut_rem",
            BinaryOp::Shl => "taut_shl",
            BinaryOp::Shr => "taut_shr",
            _ => return format!("({x} {} {y})", op.symbol()),
        };
        format!("{function}({x}, {y})")
    }

    fn inside(self, process: ProcId, inner: &Expr) -> String {
        let name = self.names.process(process);
        let access = format!("{name}.");
        let own = Some((self.program.process(process).def, access.as_str()));
        let writer = Writer { program: self.program, names: self.names, own };
        format!("({name}.started ? {} : 0)", writer.expr(inner))
    }

    fn at(self, process: ProcId, points: &[PointId]) -> String {
        let name = self.names.process(process);
        let tests: Vec<_> = points.iter().map(|l| format!("{name}.pc == {}", l.0)).collect();
        match tests.is_empty() {
            true => "0".into(),
            false => format!("({name}.started && ({}))", tests.join(" || ")),
        }
    }

    /// The bounds of a sum, difference or product that cannot overflow.
    fn exact(self, op: BinaryOp, a: &Expr, b: &Expr) -> Option<Bounds> {
        let ((a, b), (c, d)) = (self.bounds(a), self.bounds(b));
        let wide = i128::from;
        let corners = match op {
            BinaryOp::Add => [wide(a) + wide(c), wide(b) + wide(d)].to_vec(),
            BinaryOp::Sub => [wide(a) - wide(d), wide(b) - wide(c)].to_vec(),
            BinaryOp::Mul => {
                [(a, c), (a, d), (b, c), (b, d)].map(|(x, y)| wide(x) * wide(y)).into()
            }
            _ => return None,
        };
        let lo = i64::try_from(*corners.iter().min()?).ok()?;
        let hi = i64::try_from(*corners.iter().max()?).ok()?;
        Some((lo, hi))
    }

    fn bounds(self, expr: &Expr) -> Bounds {
        let of = |ty: Type| (ty.lo, ty.hi);
        match expr {
            Expr::Const(v) => (*v, *v),
            Expr::Reg(r) | Expr::RegElem(r, _) => of(self.register(*r).1.ty),
            Expr::Var(v) | Expr::VarElem(v, _) => of(self.program.var(*v).ty),
            Expr::Unary(UnaryOp::Not, _) | Expr::At(..) | Expr::Alive(_) => (0, 1),
            Expr::Cond(_, a, b) => {
                let ((a, b), (c, d)) = (self.bounds(a), self.bounds(b));
                (a.min(c), b.max(d))
            }
            Expr::Binary(BinaryOp::Rem, a, b) => match (self.bounds(a), self.bounds(b)) {
                ((0.., _), (1.., most)) => (0, most - 1),
                _ => ALL,
            },
            Expr::Binary(op @ (BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul), a, b) => {
                self.exact(*op, a, b).unwrap_or(ALL)
            }
            Expr::Binary(op, ..) if is_truth(*op) => (0, 1),
            _ => ALL,
        }
    }
}

fn is_truth(op: BinaryOp) -> bool {
    use BinaryOp::*;
    matches!(op, And | Or | Eq | Ne | Lt | Le | Gt | Ge)
}
