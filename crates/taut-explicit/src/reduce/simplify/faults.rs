//! Whether a computation can go wrong, by a look at the ranges of what it reads.
//!
//! What can go wrong must stay: that it does is a finding.

use taut_ir::ranges::Ranges;
use taut_ir::{
    Assignment, BinaryOp, DefId, Expr, Interval, Lvalue, Overflow, ProcId, Program, Type,
};

/// The ranges of a program.
pub(super) struct Faults<'p> {
    program: &'p Program,
    ranges: Ranges,
    /// The processes of each definition.
    processes: Vec<Vec<ProcId>>,
}

impl<'p> Faults<'p> {
    pub(super) fn of(program: &'p Program) -> Faults<'p> {
        let mut processes = vec![Vec::new(); program.defs.len()];
        for p in program.process_ids() {
            processes[program.process(p).def.index()].push(p);
        }
        Faults { program, ranges: Ranges::of(program), processes }
    }

    /// Whether an expression of a definition can fault in any of its processes.
    pub(super) fn expr(&self, def: DefId, expr: &Expr) -> bool {
        taut_budget::tick();
        self.processes[def.index()].iter().any(|&p| self.in_process(p, expr))
    }

    /// Whether an expression of a definition is 0 in all of its processes, without a fault.
    pub(super) fn is_false(&self, def: DefId, expr: &Expr) -> bool {
        let zero = Interval::single(0);
        let is_zero = |&p: &ProcId| self.ranges.expr(p, expr) == zero || self.falls(p, expr);
        self.processes[def.index()].iter().all(is_zero) && !self.expr(def, expr)
    }

    /// Whether an assignment can fault.
    pub(super) fn assignment(&self, def: DefId, a: &Assignment) -> bool {
        self.index(def, &a.place) || self.argument(def, self.type_of(def, &a.place), &a.value)
    }

    /// Whether storing one of these values can fault.
    pub(super) fn store_any(&self, def: DefId, place: &Lvalue, values: Interval) -> bool {
        self.index(def, place) || is_unfit(self.type_of(def, place), values)
    }

    /// Whether handing over an argument for a parameter of a type can fault.
    pub(super) fn argument(&self, def: DefId, ty: Type, value: &Expr) -> bool {
        let mut all = self.processes[def.index()].iter();
        self.expr(def, value) || all.any(|&p| is_unfit(ty, self.ranges.expr(p, value)))
    }

    fn type_of(&self, def: DefId, place: &Lvalue) -> Type {
        match place {
            Lvalue::Reg(r) | Lvalue::RegElem(r, _) => {
                self.program.defs[def.index()].registers[r.index()].ty
            }
            Lvalue::Var(v) | Lvalue::VarElem(v, _) => self.program.var(*v).ty,
        }
    }

    /// Whether finding a place can fault.
    fn index(&self, def: DefId, place: &Lvalue) -> bool {
        let (size, index) = match place {
            Lvalue::Reg(_) | Lvalue::Var(_) => return false,
            Lvalue::RegElem(r, i) => {
                (self.program.defs[def.index()].registers[r.index()].size(), i)
            }
            Lvalue::VarElem(v, i) => (self.program.var(*v).size(), i),
        };
        self.processes[def.index()].iter().any(|&p| self.outside(p, index, size))
    }

    fn outside(&self, p: ProcId, index: &Expr, size: u32) -> bool {
        let inside = Interval { lo: 0, hi: i64::from(size) - 1 };
        self.in_process(p, index) || !inside.includes(self.ranges.expr(p, index))
    }

    fn in_process(&self, p: ProcId, expr: &Expr) -> bool {
        let here = match expr {
            Expr::RegElem(r, i) => self.outside(p, i, self.program.register(p, *r).size()),
            Expr::VarElem(v, i) => self.outside(p, i, self.program.var(*v).size()),
            Expr::Binary(BinaryOp::Div | BinaryOp::Rem, _, b) => self.ranges.expr(p, b).contains(0),
            Expr::Binary(BinaryOp::Shl | BinaryOp::Shr, _, b) => {
                !Interval { lo: 0, hi: 63 }.includes(self.ranges.expr(p, b))
            }
            Expr::Channel(_, channel) => self.is_no_channel(p, channel),
            Expr::Poll(poll) => self.is_no_channel(p, &poll.channel),
            Expr::In(other, inner) => return self.in_process(*other, inner),
            _ => false,
        };
        here || expr.operands().into_iter().any(|operand| self.in_process(p, operand))
    }

    fn is_no_channel(&self, p: ProcId, channel: &Expr) -> bool {
        let all = Interval { lo: 1, hi: self.program.channels.len() as i64 };
        !all.includes(self.ranges.expr(p, channel))
    }

    /// Whether a comparison or a connective can only be false. Ranges alone say of those that they are 0 or 1.
    fn falls(&self, p: ProcId, expr: &Expr) -> bool {
        let Expr::Binary(op, a, b) = expr else { return false };
        let (x, y) = (self.ranges.expr(p, a), self.ranges.expr(p, b));
        match op {
            BinaryOp::Eq => x.hi < y.lo || y.hi < x.lo,
            BinaryOp::Ne => x == y && x.lo == x.hi,
            BinaryOp::Lt => x.lo >= y.hi,
            BinaryOp::Le => x.lo > y.hi,
            BinaryOp::Gt => x.hi <= y.lo,
            BinaryOp::Ge => x.hi < y.lo,
            BinaryOp::And => self.falls(p, a) || self.falls(p, b),
            _ => false,
        }
    }
}

fn is_unfit(ty: Type, values: Interval) -> bool {
    ty.overflow == Overflow::Fault && !ty.interval().includes(values)
}
