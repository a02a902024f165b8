//! The code of one definition while its statements are split: registers for loaded values, intermediate
//! program points, steps, and the size of all of it.

use std::collections::HashMap;

use super::decisions::Way;
use super::{Most, TooLarge};
use crate::{
    Assignment, Control, Effect, Expr, Lvalue, Mode, PointId, ProcessDef, RegId, Register, Span,
    Step, Type, VarId, VarKind, Variable,
};

/// What a register for a loaded value is for; registers of one purpose are used again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Purpose {
    /// Values of a variable or of an element of it.
    Loaded(VarId),
    /// Truth values.
    Truth,
    /// Values of a conditional expression.
    Value,
}

/// A value that a register holds until the step that uses it.
#[derive(Clone, Debug)]
pub(super) struct Held {
    pub register: RegId,
    /// The expression that it is the value of.
    pub of: Expr,
}

/// The code of one definition.
pub(super) struct Code<'v> {
    vars: &'v [Variable],
    pub def: ProcessDef,
    /// Number of registers before any were added.
    pub first_hidden: usize,
    /// The split steps, in order.
    pub steps: Vec<Step>,
    pool: HashMap<Purpose, Vec<RegId>>,
    /// The values that are in use.
    pub held: Vec<Held>,
    /// The program point that the current statement starts at.
    pub head: PointId,
    /// Where the current statement stands in the source.
    pub span: Span,
    /// The way through the current condition.
    pub way: Way,
    most: Most,
    /// Number of expression nodes that were copied.
    copied: usize,
}

/// A step that is being made: it takes more effects until it has its one access.
#[derive(Debug)]
pub(super) struct Pending {
    pub at: PointId,
    pub guard: Expr,
    pub mode: Mode,
    pub effects: Vec<Effect>,
    /// Whether it has its access.
    pub used: bool,
}

impl Pending {
    /// A step without conditions.
    pub(super) fn at(at: PointId) -> Pending {
        Pending { at, guard: Expr::TRUE, mode: Mode::Plain, effects: Vec::new(), used: false }
    }

    /// Whether nothing happens in it, so that conditions can be added.
    pub(super) fn is_open(&self) -> bool {
        self.effects.is_empty() && !self.used
    }
}

impl<'v> Code<'v> {
    pub(super) fn new(vars: &'v [Variable], def: ProcessDef, most: Most) -> Code<'v> {
        let (steps, pool, held) = (Vec::new(), HashMap::new(), Vec::new());
        let head = def.entry;
        let (span, way) = (Span::NONE, Way::default());
        let first_hidden = def.registers.len();
        Code { vars, def, first_hidden, steps, pool, held, head, span, way, most, copied: 0 }
    }

    /// Whether a variable is shared memory.
    pub(super) fn is_shared(&self, var: VarId) -> bool {
        self.vars.get(var.index()).is_some_and(|v| v.kind == VarKind::Shared)
    }

    /// Number of loads in an expression.
    pub(super) fn loads(&self, expr: &Expr) -> usize {
        let mut count = 0;
        expr.visit(&mut |e| {
            if let Expr::Var(v) | Expr::VarElem(v, _) = e {
                count += usize::from(self.is_shared(*v));
            }
        });
        count
    }

    /// Whether an assignment is a store to shared memory.
    pub(super) fn stores(&self, assignment: &Assignment) -> bool {
        assignment.place.variable().is_some_and(|v| self.is_shared(v))
    }

    /// A program point in the middle of the current statement: it has the labels of the statement's start.
    pub(super) fn inner(&mut self) -> Result<PointId, TooLarge> {
        if self.def.points.len() >= self.most.points {
            return Err(TooLarge::Points);
        }
        let point = self.def.points[self.head.index()].clone();
        debug_assert!(!point.atomic, "statements in atomic sections are one step");
        self.def.points.push(point);
        Ok(PointId::from(self.def.points.len() - 1))
    }

    /// Adds a step. A step may have conditions as long as those of all others together, so the sum is
    /// bounded, too.
    pub(super) fn push(&mut self, step: Step) -> Result<(), TooLarge> {
        taut_budget::tick();
        for expr in step.expressions() {
            expr.visit(&mut |_| self.copied += 1);
        }
        if self.steps.len() >= self.most.steps || self.copied > self.most.nodes {
            return Err(TooLarge::Steps);
        }
        self.steps.push(step);
        Ok(())
    }

    /// Ends a step that is being made.
    pub(super) fn close(&mut self, pending: Pending, target: Control) -> Result<(), TooLarge> {
        let Pending { at, guard, mode, effects, .. } = pending;
        let plain = Step::skip(at, at, self.span);
        self.push(Step { guard, mode, effects, target, ..plain })
    }

    /// Ends a step that is being made at a new program point, where the next one begins.
    pub(super) fn flush(&mut self, pending: &mut Pending) -> Result<(), TooLarge> {
        let next = self.inner()?;
        let done = std::mem::replace(pending, Pending::at(next));
        self.close(done, Control::Goto(next))
    }

    /// Makes room for one access.
    pub(super) fn access(&mut self, pending: &mut Pending) -> Result<(), TooLarge> {
        if pending.used {
            self.flush(pending)?;
        }
        pending.used = true;
        Ok(())
    }

    /// A free register, which holds the value of an expression from now on.
    pub(super) fn hold(&mut self, purpose: Purpose, of: Expr) -> RegId {
        let free = self.pool.get(&purpose).into_iter().flatten().copied();
        let free = free.into_iter().find(|r| self.held.iter().all(|held| held.register != *r));
        let register = free.unwrap_or_else(|| self.register(purpose));
        self.held.push(Held { register, of });
        register
    }

    fn register(&mut self, purpose: Purpose) -> RegId {
        let (stem, ty) = match purpose {
            Purpose::Loaded(v) => (self.vars[v.index()].name.as_str(), self.vars[v.index()].ty),
            Purpose::Truth => ("condition", Type::BOOL),
            Purpose::Value => ("value", Type::INT64),
        };
        let name = self.unused_name(stem);
        let id = RegId::from(self.def.registers.len());
        let init = vec![if ty.contains(0) { 0 } else { ty.lo }];
        self.def.registers.push(Register { name, ty, len: None, init, span: self.def.span });
        self.pool.entry(purpose).or_default().push(id);
        id
    }

    /// A name with as many primes as it takes: the value that was loaded from `x` is called `x'`.
    fn unused_name(&self, stem: &str) -> String {
        let mut name = format!("{stem}'");
        while self.def.registers.iter().any(|r| r.name == name) {
            name.push('\'');
        }
        name
    }

    /// The assignments that put registers whose last use is in these expressions back to their initial
    /// values. The registers are free afterwards.
    pub(super) fn release<'e>(
        &mut self,
        used_in: impl IntoIterator<Item = &'e Expr>,
    ) -> Vec<Assignment> {
        let mut used = Vec::new();
        for expr in used_in {
            expr.visit(&mut |e| {
                if let Expr::Reg(r) = e {
                    used.push(*r);
                }
            });
        }
        let (done, held) = self.held.drain(..).partition(|held| used.contains(&held.register));
        self.held = held;
        let done: Vec<Held> = done;
        done.iter().map(|held| self.reset(held.register)).collect()
    }

    /// The assignment that puts a register back to its initial value.
    pub(super) fn reset(&self, register: RegId) -> Assignment {
        let value = Expr::Const(self.def.registers[register.index()].init[0]);
        Assignment { place: Lvalue::Reg(register), value, atomic: false }
    }

    /// The effects that reset all values in use.
    pub(super) fn reset_all(&self, held: &[Held]) -> Vec<Effect> {
        let all: Vec<_> = held.iter().map(|held| self.reset(held.register)).collect();
        if all.is_empty() { Vec::new() } else { vec![Effect::Assign(all)] }
    }
}
