//! The graph form: program points and steps one to one.

use taut_ir::{
    Assignment, Control, Effect, Expr, PointId, Procedure, ProcedureId, ProcessDef, ProgramPoint,
    RegId, Step,
};
use taut_source::Diagnostic;

use super::scope::{Place, Scope};
use super::{Lowering, MOST_POINTS, MOST_STEPS, empty_def};
use crate::ast::{
    Base, GraphEffect, GraphItem, GraphProcedure, GraphStep, Number, Section, Target, Which,
};
use crate::codes;

/// Lowers a process in graph form.
pub(super) fn process(cx: &mut Lowering<'_>, index: usize, item: &GraphItem) -> ProcessDef {
    let definition = &cx.definitions[index];
    let mut def = empty_def(&item.name.text, definition.span);
    def.registers = definition.params.clone();
    def.params = def.registers.len() as u32;
    for (declared, _) in &item.locals {
        let registers = cx.graph_registers(declared);
        def.registers.extend(registers);
    }
    let count = item.sections.len();
    let mut graph = Graph { cx, def, item, scope: Scope::constant() };
    graph.points(count);
    graph.def.entry = match &item.entry {
        Some(number) => graph.point(number),
        None => PointId(0),
    };
    graph.procedures();
    graph.scope = Scope::whole(Place::Graph, &graph.def);
    graph.steps();
    graph.check_returns();
    graph.check_entry();
    graph.def
}

struct Graph<'l, 'a, 'i> {
    cx: &'l mut Lowering<'a>,
    def: ProcessDef,
    item: &'i GraphItem,
    scope: Scope,
}

impl Graph<'_, '_, '_> {
    /// Makes the program points: numbered without gaps, each with at least one section.
    fn points(&mut self, sections: usize) {
        let mut points: Vec<Option<ProgramPoint>> = vec![None; sections];
        for section in &self.item.sections {
            match points.get_mut(section.point.value as usize) {
                Some(point) => describe(point.get_or_insert_default(), section),
                None => self.no_point(&section.point),
            }
        }
        let first_gap = points.iter().position(Option::is_none).unwrap_or(sections);
        if let Some(late) = points[first_gap..].iter().position(Option::is_some) {
            let message =
                format!("there is no program point #{first_gap}, but #{}", first_gap + late);
            let found = Diagnostic::error(codes::BAD_POINT, message, self.item.name.span);
            self.cx.report(found.label("program points are numbered from #0 without gaps"));
        }
        self.def.points = points.into_iter().flatten().collect();
        if self.def.points.is_empty() {
            let message = "this graph has no program points";
            let found = Diagnostic::error(codes::BAD_POINT, message, self.item.name.span);
            self.cx.report(found.label("expected at least `#0:`"));
            self.def.points.push(ProgramPoint::end());
        }
        self.cx.points += self.def.points.len();
        if self.cx.points > MOST_POINTS {
            self.cx.too_large(self.item.name.span, "program points", MOST_POINTS);
        }
    }

    fn no_point(&mut self, number: &Number) {
        let message = format!("there is no program point #{}", number.value);
        let found = Diagnostic::error(codes::BAD_POINT, message, number.span);
        self.cx.report(found.label("program points are numbered from #0 without gaps"));
    }

    fn point(&mut self, number: &Number) -> PointId {
        if (number.value as usize) < self.def.points.len() {
            return PointId(number.value);
        }
        self.no_point(number);
        PointId(0)
    }

    fn procedures(&mut self) {
        // Names of registers only: members need the procedures that are being made.
        let scope = Scope::whole(Place::Graph, &self.def);
        for item in &self.item.procedures {
            let procedure = self.procedure(&scope, item);
            self.def.procedures.push(procedure);
        }
    }

    fn procedure(&mut self, scope: &Scope, item: &GraphProcedure) -> Procedure {
        let all = item.params.iter().chain(&item.registers);
        let registers: Vec<RegId> = all
            .filter_map(|base: &Base| self.cx.register_base(scope, base))
            .map(|n| n.id)
            .collect();
        let entry = self.point(&item.entry);
        let params = item.params.len() as u32;
        Procedure { name: item.name.text.clone(), entry, registers, params }
    }

    fn steps(&mut self) {
        for section in &self.item.sections {
            let source = self.point(&section.point);
            for step in &section.steps {
                if self.cx.hopeless() {
                    return;
                }
                self.cx.steps += 1;
                if self.cx.steps > MOST_STEPS {
                    return self.cx.too_large(step.span, "steps", MOST_STEPS);
                }
                let step = self.step(source, step);
                self.def.steps.push(step);
            }
        }
    }

    fn step(&mut self, source: PointId, step: &GraphStep) -> Step {
        let guard = step.guard.as_ref().map_or(Expr::TRUE, |e| self.cx.expr(&self.scope, e));
        let effects = step.effects.iter().filter_map(|e| self.effect(e, step)).collect();
        let target = self.target(step);
        let plain = Step::skip(source, source, step.span);
        Step { guard, mode: step.mode, effects, target, ..plain }
    }

    fn check_entry(&mut self) {
        if self.def.points[self.def.entry.index()].atomic {
            let message = "a process cannot start inside of an atomic section";
            let place = self.item.entry.map_or(self.item.name.span, |entry| entry.span);
            let found = Diagnostic::error(codes::NOT_WELL_FORMED, message, place);
            self.cx.report(found.label("it would start at an atomic program point"));
        }
    }

    /// Reports steps that return although no call leads to them.
    fn check_returns(&mut self) {
        let returns = |s: &&Step| s.target == Control::Return;
        if self.cx.diagnostics.has_errors() || !self.def.steps.iter().any(|s| returns(&s)) {
            return;
        }
        let owner = self.def.procedure_of();
        for step in self.def.steps.iter().filter(returns) {
            if owner[step.source.index()].is_none() {
                let message = "this step returns, but it belongs to no procedure";
                let found = Diagnostic::error(codes::NOT_WELL_FORMED, message, step.span);
                self.cx.report(found.label("no entry of a procedure leads here"));
            }
        }
    }

    fn exprs(&mut self, list: &[crate::ast::Expr]) -> Vec<Expr> {
        list.iter().map(|e| self.cx.expr(&self.scope, e)).collect()
    }

    fn effect(&mut self, effect: &GraphEffect, step: &GraphStep) -> Option<Effect> {
        match effect {
            GraphEffect::Sfence => Some(Effect::StoreFence),
            GraphEffect::Assert(condition, name) => {
                let condition = self.cx.expr(&self.scope, condition);
                let property = *self.cx.assertion_names.get(&name.text)?;
                Some(Effect::Assert { condition, property })
            }
            GraphEffect::Spawn(which, args) => {
                let def = self.cx.which_definition(which)?;
                let args = self.exprs(args);
                let definition = &self.cx.definitions[def.index()];
                let (params, place) = (definition.params.len(), definition.name.span);
                self.cx.count_arguments("this process", args.len(), params, step.span, place);
                Some(Effect::Spawn { def, args, pid: None })
            }
            GraphEffect::Assign(places, values) => {
                self.cx.even(places.len(), values.len(), step.span)?;
                let values = self.exprs(values);
                let mut all = Vec::new();
                for ((atomic, place), value) in places.iter().zip(values) {
                    let place = self.cx.place(&self.scope, place)?;
                    all.push(Assignment { place, value, atomic: *atomic });
                }
                Some(Effect::Assign(all))
            }
        }
    }

    fn target(&mut self, step: &GraphStep) -> Control {
        match &step.target {
            Target::Return => Control::Return,
            Target::Goto(number) => Control::Goto(self.point(number)),
            Target::Call(which, args, then) => {
                let return_to = self.point(then);
                let args = self.exprs(args);
                match self.which_procedure(which) {
                    Some(procedure) => {
                        self.check_call(procedure, args.len(), step);
                        Control::Call { procedure, args, return_to }
                    }
                    None => Control::Goto(return_to),
                }
            }
        }
    }

    fn check_call(&mut self, procedure: ProcedureId, args: usize, step: &GraphStep) {
        let item = &self.item.procedures[procedure.index()];
        let what = format!("procedure `{}`", item.name.text);
        self.cx.count_arguments(&what, args, item.params.len(), step.span, item.span);
    }

    fn which_procedure(&mut self, which: &Which) -> Option<ProcedureId> {
        let items = &self.item.procedures;
        match which {
            Which::Number(number) if (number.value as usize) < items.len() => {
                Some(ProcedureId(number.value))
            }
            Which::Number(number) => {
                let message = format!("there is no procedure #{}", number.value);
                self.cx.report(Diagnostic::error(codes::BAD_POINT, message, number.span));
                None
            }
            Which::Name(name) => {
                let found = items.iter().position(|p| p.name.text == name.text);
                if found.is_none() {
                    let names = items.iter().map(|p| p.name.text.as_str());
                    self.cx.unknown(codes::UNKNOWN_PROCEDURE, "procedure", name, names);
                }
                found.map(ProcedureId::from)
            }
        }
    }
}

/// Adds what a section says about its program point.
fn describe(point: &mut ProgramPoint, section: &Section) {
    point.end |= section.end;
    point.atomic |= section.atomic;
    point.labels.extend(section.labels.iter().map(|l| l.text.clone()));
}
