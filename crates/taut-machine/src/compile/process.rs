//! Processes: what starts, what leaves each program point, calls, spawns and exits.

use std::collections::{HashMap, HashSet};

use taut_ir::{
    Control, DefId, Expr, Lvalue, Overflow, PointId, ProcId, ProcedureId, ProcessDef, RegId, Step,
    StepId,
};
use taut_memory::{Field, MemorySystem};

use super::channel::rendezvous;
use super::step::StepRelations;
use super::{Compiler, Scope};
use crate::CompiledProcess;
use crate::constants::start_value;
use crate::layout::Stack;
use crate::lifecycle::{Exit, Spawn, SpawnSlot};
use crate::procedure::{Call, Return};
use crate::step::{CompiledStep, Target, Yields};

impl<M: MemorySystem> Compiler<'_, M> {
    pub(super) fn process(&mut self, id: ProcId) -> CompiledProcess {
        taut_budget::tick();
        let def = self.program.def_of(id);
        let (pc, may_be_absent) = (self.layout(id).pc, self.layout(id).may_be_absent);
        let absent = usize::from(may_be_absent);
        let steps = self.steps(id, absent);
        let flags = |flag: &dyn Fn(usize) -> bool, if_absent: bool| {
            let present = (0..def.points.len()).map(flag);
            std::iter::repeat_n(if_absent, absent).chain(present).collect::<Vec<_>>()
        };
        CompiledProcess {
            id,
            def: self.program.process(id).def,
            pc,
            may_be_absent,
            may_end: flags(&|l| def.points[l].end, true),
            is_final: flags(&|l| def.points[l].end && steps[l + absent].is_empty(), false),
            is_atomic: flags(&|l| def.points[l].atomic, false),
            is_inner: flags(&|l| def.points[l].inner, false),
            registers: self.layout(id).registers.clone(),
            fields: self.start_fields(id),
            rendezvous: steps.iter().map(|list| rendezvous(list)).collect(),
            steps,
        }
    }

    /// The steps of a process by the bits of their source.
    fn steps(&mut self, id: ProcId, absent: usize) -> Vec<Vec<CompiledStep>> {
        let def = self.program.def_of(id);
        let owner = def.procedure_of();
        let incoming = incoming(def);
        let mut at: Vec<Vec<StepId>> = vec![vec![]; def.points.len()];
        for (i, step) in def.steps.iter().enumerate() {
            at[step.source.index()].push(StepId::from(i));
        }
        let mut is_preferred = vec![false; def.steps.len()];
        for preferred in def.steps.iter().flat_map(|step| &step.yields_to) {
            is_preferred[preferred.index()] = true;
        }
        let mut all: Vec<Vec<CompiledStep>> = (0..absent).map(|_| vec![]).collect();
        for list in at {
            let order = yielding_last(&def.steps, list);
            let positions: HashMap<StepId, u32> = (0..).zip(&order).map(|(i, &s)| (s, i)).collect();
            let compiled = order.iter().enumerate().map(|(position, &step)| {
                let code = &def.steps[step.index()];
                let joins = match code.target {
                    Control::Goto(to) => incoming[to.index()] > 1,
                    Control::Call { .. } | Control::Return | Control::Exit => true,
                };
                let relations = StepRelations {
                    yields: yields(code, position, &positions),
                    has_followers: is_preferred[step.index()],
                    joins,
                };
                self.step(id, step, relations, owner[code.source.index()])
            });
            all.push(compiled.collect());
        }
        all
    }

    /// All fields of a process but its program point, and their bits when it starts.
    pub(super) fn start_fields(&self, id: ProcId) -> Vec<(Field, u64)> {
        let layout = self.layout(id);
        let mut all = Vec::new();
        for (r, fields) in layout.registers.iter().enumerate() {
            for (e, &field) in fields.iter().enumerate() {
                let value = start_value(self.program, id, RegId::from(r), e as u32);
                all.push((field, value.wrapping_sub(field.interval().lo) as u64));
            }
        }
        let stack = layout.stack.iter().flat_map(|s| s.fields());
        all.extend(stack.map(|field| (field, 0)));
        let own = self.program.process(id).channels.iter();
        let channels = own.flat_map(|c| self.parts.channels[c.index()].state_fields());
        all.extend(channels.map(|field| (field, 0)));
        if let Some(pid) = layout.pid {
            // Right for a process that runs from the start; a spawn sets another.
            let number = i64::from(id.0).clamp(pid.interval().lo, pid.interval().hi);
            all.push((pid, number.wrapping_sub(pid.interval().lo) as u64));
        }
        all.retain(|(field, _)| field.width() > 0);
        all
    }

    pub(super) fn spawn(
        &mut self,
        scope: Scope,
        step: &Step,
        def: DefId,
        (args, pid): (&[Expr], Option<&Lvalue>),
    ) -> Spawn {
        let args = args.iter().map(|a| self.expr(scope, a)).collect();
        let ids: Vec<_> = self.program.spawn_slots(def).collect();
        // A process that always lives is never free.
        let vacant = ids.into_iter().filter(|&p| self.layout(p).may_be_absent);
        let slots = vacant.collect::<Vec<_>>().into_iter().map(|p| self.spawn_slot(p)).collect();
        let most = self.program.processes.len() as i64 - 1;
        let pid = pid.map(|place| {
            let fit = self.fit(self.type_of(scope, place), taut_ir::Interval { lo: 0, hi: most });
            let route = self.route(step, place);
            self.destination(scope, place, route, fit)
        });
        Spawn { def, slots, args, pid }
    }

    fn spawn_slot(&mut self, p: ProcId) -> SpawnSlot {
        let def = self.program.def_of(p);
        let layout = self.layout(p);
        let params = def.registers.iter().take(def.params as usize).enumerate();
        let params: Vec<_> = params.map(|(i, r)| (layout.registers[i][0], r.ty)).collect();
        let slot = SpawnSlot {
            pc: layout.pc,
            entry: layout.at(def.entry),
            fields: self.start_fields(p),
            params,
            pid: layout.pid,
        };
        self.may_fault |= slot.params.iter().any(|(_, ty)| ty.overflow == Overflow::Fault);
        slot
    }

    pub(super) fn target(
        &mut self,
        scope: Scope,
        step: &Step,
        owner: Option<ProcedureId>,
    ) -> Target {
        let layout = self.layout(scope.process);
        match &step.target {
            Control::Goto(to) => Target::Goto(layout.at(*to)),
            Control::Call { procedure, args, return_to } => {
                let call = self.call(scope, *procedure, args, *return_to);
                Target::Call(Box::new(call))
            }
            Control::Return => {
                let owner = owner.expect("a return is inside a procedure");
                Target::Return(Box::new(self.back(scope.process, owner)))
            }
            Control::Exit => {
                let pid = layout.pid.expect("processes that exit have numbers");
                Target::Exit(Box::new(Exit { pid, living: self.parts.living }))
            }
        }
    }

    fn back(&self, process: ProcId, owner: ProcedureId) -> Return {
        let layout = self.layout(process);
        // A process without calls has no stack, and its procedures are never entered.
        let none = || Stack { depth: layout.pc, frames: Vec::new() };
        Return {
            stack: layout.stack.clone().unwrap_or_else(none),
            own: layout.own_fields(self.program, process, owner),
            pc_offset: u64::from(layout.may_be_absent),
        }
    }

    fn call(&mut self, scope: Scope, id: ProcedureId, args: &[Expr], return_to: PointId) -> Call {
        let process = scope.process;
        let def = self.program.def_of(process);
        let procedure = &def.procedures[id.index()];
        let mut own = Vec::new();
        for r in &procedure.registers {
            let fields = &self.layout(process).registers[r.index()];
            let init = &def.registers[r.index()].init;
            let start = |(&f, &v): (&Field, &i64)| (f, v.wrapping_sub(f.interval().lo) as u64);
            own.extend(fields.iter().zip(init).map(start));
        }
        let mut compiled = Vec::new();
        for (arg, r) in args.iter().zip(&procedure.registers) {
            let fit = self.fit(def.registers[r.index()].ty, self.parts.ranges.expr(process, arg));
            compiled.push((self.expr(scope, arg), fit));
        }
        let layout = self.layout(process);
        Call {
            stack: layout.stack.clone().expect("a process that calls has a stack"),
            return_to: u64::from(return_to.0),
            entry: layout.at(procedure.entry),
            own,
            args: compiled,
        }
    }
}

/// How many ways lead to each program point. Every loop has a program point to which more than one leads.
fn incoming(def: &ProcessDef) -> Vec<u32> {
    let mut ways = vec![0; def.points.len()];
    ways[def.entry.index()] += 1;
    for step in &def.steps {
        match step.target {
            Control::Goto(to) => ways[to.index()] += 1,
            // A procedure is entered from anywhere and returns to anywhere.
            Control::Call { procedure, return_to, .. } => {
                ways[def.procedures[procedure.index()].entry.index()] += 2;
                ways[return_to.index()] += 2;
            }
            Control::Return | Control::Exit => {}
        }
    }
    ways
}

/// The steps of a program point, each behind those it yields to, and else in their order.
fn yielding_last(steps: &[Step], mut left: Vec<StepId>) -> Vec<StepId> {
    if left.iter().all(|step| steps[step.index()].yields_to.is_empty()) {
        return left;
    }
    let mut order = Vec::with_capacity(left.len());
    let mut placed = HashSet::new();
    while !left.is_empty() {
        taut_budget::tick_many(left.len() / 64);
        let ready = |s: &StepId| {
            let mut others = steps[s.index()].yields_to.iter();
            others.all(|other| placed.contains(other))
        };
        let first = left.iter().position(ready).expect("steps do not yield in a circle");
        let step = left.remove(first);
        placed.insert(step);
        order.push(step);
    }
    order
}

/// To whom a step at a position among the steps of its program point yields.
fn yields(step: &Step, position: usize, positions: &HashMap<StepId, u32>) -> Yields {
    taut_budget::tick();
    let at = |other: &StepId| *positions.get(other).expect("of the same program point");
    let others: Vec<u32> = step.yields_to.iter().map(at).collect();
    if others.is_empty() {
        Yields::Nobody
    } else if position <= 64 {
        Yields::ToEarly(others.iter().fold(0, |mask, &i| mask | 1 << i))
    } else {
        Yields::To(others.into())
    }
}
