//! Steps: guards, effects and assignments.

use std::sync::Arc;

use taut_ir::{
    Assignment, Atomics, Effect, Expr, Interval, Lvalue, Mode, Overflow, ProcId, ProcedureId,
    RegId, Step, StepId, Type, VarId,
};
use taut_memory::{Field, MemorySystem};

use super::{Compiler, Scope};
use crate::code::Code;
use crate::destination::{Destination, Fit, Route};
use crate::effect::CompiledEffect;
use crate::flat::Flat;
use crate::step::{CompiledStep, Guard, Needs, Reached, Yields};

/// How a step stands to the others of its definition.
pub(super) struct StepRelations {
    pub(super) yields: Yields,
    pub(super) has_followers: bool,
    pub(super) joins: bool,
}

impl<M: MemorySystem> Compiler<'_, M> {
    pub(super) fn step(
        &mut self,
        process: ProcId,
        id: StepId,
        StepRelations { yields, has_followers, joins }: StepRelations,
        owner: Option<ProcedureId>,
    ) -> CompiledStep {
        taut_budget::tick();
        let step = &self.program.def_of(process).steps[id.index()];
        let needs = match step.mode {
            Mode::Sync => Needs::AllDrained,
            _ if self.parts.memory.model.needs_drained(step) => Needs::OwnDrained,
            _ => Needs::Nothing,
        };
        // In a step that finds the buffer empty and puts nothing into it, reads go to memory.
        let scope = Scope { process, direct: step.mode == Mode::Locked };
        let mut compiled = CompiledStep {
            action: taut_ir::Action::step(process, id),
            needs,
            guard: self.guard(scope, &step.guard),
            yields,
            has_followers,
            channel: step.channel.as_ref().map(|op| self.channel_op(scope, step, op)),
            effects: step.effects.iter().map(|e| self.effect(scope, step, e)).collect(),
            target: self.target(scope, step, owner),
            holds: step.holds,
            joins,
            reached: Reached::default(),
            flat: None,
        };
        compiled.flat = Flat::of(&compiled, self.layout(process).pc, &self.parts.channels);
        compiled
    }

    fn guard(&mut self, scope: Scope, guard: &Expr) -> Guard {
        let mut asks = false;
        guard.visit(&mut |e| asks |= *e == Expr::Timeout);
        if asks {
            self.has_timeout = true;
            let codes = [false, true].map(|timeout| {
                self.timeout = timeout;
                self.expr(scope, guard)
            });
            self.timeout = false;
            return Guard::Timed(Box::new(codes));
        }
        match self.expr(scope, guard) {
            Code::Const(v) if v != 0 => Guard::True,
            code => Guard::When(code),
        }
    }

    fn effect(&mut self, scope: Scope, step: &Step, effect: &Effect) -> CompiledEffect {
        match effect {
            Effect::Assign(list) => {
                let mut all: Vec<_> =
                    list.iter().map(|a| self.assignment(scope, step, a)).collect();
                match (all.len(), all.pop()) {
                    (1, Some((destination, code))) => CompiledEffect::Assign(destination, code),
                    (_, last) => {
                        all.extend(last);
                        CompiledEffect::Parallel(all)
                    }
                }
            }
            Effect::Assert { condition, property } => {
                CompiledEffect::Assert(self.expr(scope, condition), *property)
            }
            Effect::StoreFence => CompiledEffect::StoreFence,
            Effect::Spawn { def, args, pid } => {
                let spawn = self.spawn(scope, step, *def, (args, pid.as_ref()));
                CompiledEffect::Spawn(Box::new(spawn))
            }
            Effect::Fail(fault) => {
                self.may_fault = true;
                CompiledEffect::Fail(*fault)
            }
        }
    }

    fn assignment(&mut self, scope: Scope, step: &Step, a: &Assignment) -> (Destination, Code) {
        let ty = self.type_of(scope, &a.place);
        let fit = self.fit(ty, self.parts.ranges.expr(scope.process, &a.value));
        let value = self.expr(scope, &a.value);
        let route = match self.route(step, &a.place) {
            Route::Buffer if a.atomic => self.atomic_route(),
            route => route,
        };
        (self.destination(scope, &a.place, route, fit), value)
    }

    /// The type of a place.
    pub(super) fn type_of(&self, scope: Scope, place: &Lvalue) -> Type {
        match place {
            Lvalue::Reg(r) | Lvalue::RegElem(r, _) => self.program.register(scope.process, *r).ty,
            Lvalue::Var(v) | Lvalue::VarElem(v, _) => self.program.var(*v).ty,
        }
    }

    /// Which way a plain store of a step to a place takes.
    pub(super) fn route(&self, step: &Step, place: &Lvalue) -> Route {
        let shared = place.variable().is_some_and(|v| self.program.var(v).kind.is_buffered());
        let relaxed = self.parts.memory.model.is_relaxed();
        if shared && relaxed && step.mode != Mode::Locked { Route::Buffer } else { Route::AtOnce }
    }

    /// Which way an atomic write to a place with buffers takes. Something may wait in them that it
    /// must drop, unless it waits until they are empty.
    fn atomic_route(&self) -> Route {
        match self.parts.memory.model.atomics() {
            Atomics::PassBuffer => Route::PastBuffer,
            Atomics::Drain => Route::AtOnce,
        }
    }

    /// How values are made to fit a type.
    pub(super) fn fit(&mut self, ty: Type, value: Interval) -> Fit {
        if ty.interval().includes(value) {
            return Fit::Fits;
        }
        self.may_fault |= ty.overflow == Overflow::Fault;
        Fit::Into(ty)
    }

    pub(super) fn destination(
        &mut self,
        scope: Scope,
        place: &Lvalue,
        route: Route,
        fit: Fit,
    ) -> Destination {
        match place {
            Lvalue::Reg(r) => Destination::Field(self.register(scope, *r)[0], fit),
            Lvalue::RegElem(r, index) => {
                let fields: Arc<[Field]> = self.register(scope, *r).into();
                let index = self.index(scope, index, fields.len() as u32);
                field_element(fields, index, fit)
            }
            Lvalue::Var(v) => match route {
                Route::AtOnce => Destination::Field(self.memory_field(*v, 0), fit),
                Route::Buffer => Destination::Store(self.places.of(*v, 0), fit),
                Route::PastBuffer => Destination::Atomic(self.places.of(*v, 0), fit),
            },
            Lvalue::VarElem(v, index) => self.element_destination(scope, *v, index, route, fit),
        }
    }

    fn element_destination(
        &mut self,
        scope: Scope,
        var: VarId,
        index: &Expr,
        route: Route,
        fit: Fit,
    ) -> Destination {
        let len = self.program.var(var).size();
        let index = self.index(scope, index, len);
        let known = match index {
            Code::Const(i) if (0..i64::from(len)).contains(&i) => Some(i as u32),
            _ => None,
        };
        let first = self.places.of(var, 0);
        match (route, known) {
            (Route::AtOnce, _) => {
                let fields = (0..len).map(|i| self.memory_field(var, i)).collect();
                field_element(fields, index, fit)
            }
            (Route::Buffer, Some(i)) => Destination::Store(self.places.of(var, i), fit),
            (Route::Buffer, None) => Destination::StoreElem { first, len, index, fit },
            (Route::PastBuffer, Some(i)) => Destination::Atomic(self.places.of(var, i), fit),
            (Route::PastBuffer, None) => Destination::AtomicElem { first, len, index, fit },
        }
    }

    pub(super) fn register(&self, scope: Scope, id: RegId) -> &[Field] {
        &self.layout(scope.process).registers[id.index()]
    }

    pub(super) fn memory_field(&self, var: VarId, index: u32) -> Field {
        self.system.field(self.places.of(var, index))
    }

    /// An index, noting whether it can leave the array.
    pub(super) fn index(&mut self, scope: Scope, index: &Expr, len: u32) -> Code {
        let inside = Interval { lo: 0, hi: i64::from(len) - 1 };
        self.may_fault |= !inside.includes(self.parts.ranges.expr(scope.process, index));
        self.expr(scope, index)
    }
}

/// An element of an array that is written at once.
fn field_element(fields: Arc<[Field]>, index: Code, fit: Fit) -> Destination {
    match index {
        Code::Const(i) if (0..fields.len() as i64).contains(&i) => {
            Destination::Field(fields[i as usize], fit)
        }
        index => Destination::FieldElem { fields, index, fit },
    }
}
