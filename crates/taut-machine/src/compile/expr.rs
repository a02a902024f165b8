//! Expressions. What can have only one value becomes that number.

use std::sync::Arc;

use taut_ir::{BinaryOp, Expr, Interval, PointId, ProcId, UnaryOp, VarId};
use taut_memory::{Field, MemorySystem};

use super::{Compiler, Scope};
use crate::code::Code;

impl<M: MemorySystem> Compiler<'_, M> {
    pub(super) fn expr(&mut self, scope: Scope, expr: &Expr) -> Code {
        taut_budget::tick();
        match expr {
            Expr::Const(v) => Code::Const(*v),
            Expr::Reg(r) => field(self.register(scope, *r)[0]),
            Expr::RegElem(r, index) => {
                let fields: Arc<[Field]> = self.register(scope, *r).into();
                self.element(scope, fields, index)
            }
            Expr::Var(v) => self.load(scope, *v, 0),
            Expr::VarElem(v, index) => self.load_element(scope, *v, index),
            Expr::Unary(op, a) => unary(*op, self.expr(scope, a)),
            Expr::Binary(op, a, b) => self.binary(scope, *op, a, b),
            Expr::Cond(c, a, b) => Code::Cond(Box::new([c, a, b].map(|e| self.expr(scope, e)))),
            Expr::In(process, inner) => self.inside(*process, inner),
            Expr::At(process, points) => self.at(*process, points),
            Expr::Drained(process) => Code::Drained(*process),
            Expr::Enabled(process) => self.enabled(*process),
            Expr::Pid => field(self.layout(scope.process).pid.expect("processes have numbers")),
            Expr::Processes => field(self.parts.living),
            Expr::Alive(process) => self.alive(*process),
            Expr::Timeout => Code::Const(i64::from(self.timeout)),
            Expr::Channel(query, channel) => self.query(scope, *query, channel),
            Expr::Poll(poll) => self.poll(scope, poll),
        }
    }

    fn element(&mut self, scope: Scope, fields: Arc<[Field]>, index: &Expr) -> Code {
        match self.index(scope, index, fields.len() as u32) {
            Code::Const(i) if (0..fields.len() as i64).contains(&i) => field(fields[i as usize]),
            index if fields.iter().all(|f| f.width() == 0) => {
                let values = fields.iter().map(|f| f.interval().lo).collect();
                Code::Table { values, index: Box::new(index) }
            }
            index => Code::FieldElem { fields, index: Box::new(index) },
        }
    }

    fn load(&self, scope: Scope, var: VarId, index: u32) -> Code {
        if self.parts.constants.var(var) {
            return Code::Const(self.program.var(var).init[index as usize]);
        }
        let place = self.places.of(var, index);
        let memory = field(self.system.field(place));
        if scope.direct || !self.system.is_buffered(scope.process, place) {
            return memory;
        }
        match memory {
            Code::Const(value) => Code::Const(value),
            _ => Code::Load { process: scope.process, place },
        }
    }

    fn load_element(&mut self, scope: Scope, var: VarId, index: &Expr) -> Code {
        let len = self.program.var(var).size();
        let first = self.places.of(var, 0);
        if self.parts.constants.var(var) {
            let values = self.program.var(var).init.as_slice().into();
            return match self.index(scope, index, len) {
                Code::Const(i) if (0..i64::from(len)).contains(&i) => {
                    self.load(scope, var, i as u32)
                }
                index => Code::Table { values, index: Box::new(index) },
            };
        }
        let mut all = (0..len).map(|i| self.places.of(var, i));
        if scope.direct || !all.any(|p| self.system.is_buffered(scope.process, p)) {
            let fields = (0..len).map(|i| self.memory_field(var, i)).collect();
            return self.element(scope, fields, index);
        }
        match self.index(scope, index, len) {
            Code::Const(i) if (0..i64::from(len)).contains(&i) => self.load(scope, var, i as u32),
            index => Code::LoadElem { process: scope.process, first, len, index: Box::new(index) },
        }
    }

    fn binary(&mut self, scope: Scope, op: BinaryOp, a: &Expr, b: &Expr) -> Code {
        let divides = matches!(op, BinaryOp::Div | BinaryOp::Rem);
        let shifts = matches!(op, BinaryOp::Shl | BinaryOp::Shr);
        if divides || shifts {
            let right = self.parts.ranges.expr(scope.process, b);
            let bits = Interval { lo: 0, hi: 63 };
            self.may_fault |= if divides { right.contains(0) } else { !bits.includes(right) };
        }
        let (a, b) = (self.expr(scope, a), self.expr(scope, b));
        if let (Code::Const(a), Code::Const(b)) = (&a, &b)
            && let Ok(value) = op.apply(*a, *b)
        {
            return Code::Const(value);
        }
        match (op, a, b) {
            (BinaryOp::And, Code::Const(0), _) => Code::Const(0),
            (BinaryOp::And, a, b) => Code::And(Box::new(a), Box::new(b)),
            (BinaryOp::Or, a, b) => Code::Or(Box::new(a), Box::new(b)),
            (op, Code::Field(field), Code::Const(number)) => Code::Compute { field, op, number },
            (op, a, b) => Code::Binary(op, Box::new(a), Box::new(b)),
        }
    }

    fn inside(&mut self, process: ProcId, inner: &Expr) -> Code {
        let code = self.expr(Scope { process, direct: false }, inner);
        let layout = self.layout(process);
        match layout.may_be_absent {
            true => Code::IfStarted { pc: layout.pc, code: Box::new(code) },
            false => code,
        }
    }

    fn at(&self, process: ProcId, points: &[PointId]) -> Code {
        let layout = self.layout(process);
        let absent = usize::from(layout.may_be_absent);
        let mut marked = vec![false; self.program.def_of(process).points.len() + absent];
        for &point in points {
            marked[layout.at(point) as usize] = true;
        }
        Code::At { pc: layout.pc, marked: marked.into() }
    }

    fn enabled(&self, process: ProcId) -> Code {
        let asked = self.parts.observer.enabled.iter().find(|(p, _)| *p == process);
        // Validation keeps the question out of everything but temporal properties, which are watched.
        asked.map_or(Code::Const(0), |(_, field)| Code::Field(*field))
    }

    fn alive(&self, process: ProcId) -> Code {
        let layout = self.layout(process);
        match layout.may_be_absent {
            // The program point field starts at -1, for a process that does not live.
            true => Code::Compute { field: layout.pc, op: BinaryOp::Ge, number: 0 },
            false => Code::Const(1),
        }
    }
}

fn unary(op: UnaryOp, a: Code) -> Code {
    match a {
        Code::Const(a) => Code::Const(op.apply(a)),
        a => Code::Unary(op, Box::new(a)),
    }
}

/// What a field holds.
pub(super) fn field(field: Field) -> Code {
    if field.width() == 0 { Code::Const(field.interval().lo) } else { Code::Field(field) }
}
