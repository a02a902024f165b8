//! The graph form: locations and steps one to one.

use taut_diag::Diagnostic;
use taut_ir::{
    Assignment, Control, Effect, Expr, LocId, Location, Procedure, ProcedureId, ProcessDef, RegId,
    Step,
};

use super::scope::{Place, Scope};
use super::{Lowering, MOST_LOCATIONS, MOST_STEPS, empty_def};
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
    graph.locations(count);
    graph.def.entry = match &item.entry {
        Some(number) => graph.location(number),
        None => LocId(0),
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
    /// Makes the locations: numbered without gaps, each with at least one section.
    fn locations(&mut self, sections: usize) {
        let mut locations: Vec<Option<Location>> = vec![None; sections];
        for section in &self.item.sections {
            match locations.get_mut(section.location.value as usize) {
                Some(location) => describe(location.get_or_insert_default(), section),
                None => self.no_location(&section.location),
            }
        }
        let first_gap = locations.iter().position(Option::is_none).unwrap_or(sections);
        if let Some(late) = locations[first_gap..].iter().position(Option::is_some) {
            let message = format!("there is no location #{first_gap}, but #{}", first_gap + late);
            let found = Diagnostic::error(codes::BAD_LOCATION, message, self.item.name.span);
            self.cx.report(found.label("locations are numbered from #0 without gaps"));
        }
        self.def.locations = locations.into_iter().flatten().collect();
        if self.def.locations.is_empty() {
            let message = "this graph has no locations";
            let found = Diagnostic::error(codes::BAD_LOCATION, message, self.item.name.span);
            self.cx.report(found.label("expected at least `#0:`"));
            self.def.locations.push(Location::end());
        }
        self.cx.locations += self.def.locations.len();
        if self.cx.locations > MOST_LOCATIONS {
            self.cx.too_large(self.item.name.span, "locations", MOST_LOCATIONS);
        }
    }

    fn no_location(&mut self, number: &Number) {
        let message = format!("there is no location #{}", number.value);
        let found = Diagnostic::error(codes::BAD_LOCATION, message, number.span);
        self.cx.report(found.label("locations are numbered from #0 without gaps"));
    }

    fn location(&mut self, number: &Number) -> LocId {
        if (number.value as usize) < self.def.locations.len() {
            return LocId(number.value);
        }
        self.no_location(number);
        LocId(0)
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
        let entry = self.location(&item.entry);
        let params = item.params.len() as u32;
        Procedure { name: item.name.text.clone(), entry, registers, params }
    }

    fn steps(&mut self) {
        for section in &self.item.sections {
            let source = self.location(&section.location);
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

    fn step(&mut self, source: LocId, step: &GraphStep) -> Step {
        let guard = step.guard.as_ref().map_or(Expr::TRUE, |e| self.cx.expr(&self.scope, e));
        let effects = step.effects.iter().filter_map(|e| self.effect(e, step)).collect();
        let target = self.target(step);
        let plain = Step::skip(source, source, step.span);
        Step { guard, mode: step.mode, effects, target, ..plain }
    }

    fn check_entry(&mut self) {
        if self.def.locations[self.def.entry.index()].atomic {
            let message = "a process cannot start inside of an atomic section";
            let place = self.item.entry.map_or(self.item.name.span, |entry| entry.span);
            let found = Diagnostic::error(codes::NOT_WELL_FORMED, message, place);
            self.cx.report(found.label("it would start at an atomic location"));
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
            Target::Goto(number) => Control::Goto(self.location(number)),
            Target::Call(which, args, then) => {
                let return_to = self.location(then);
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
                self.cx.report(Diagnostic::error(codes::BAD_LOCATION, message, number.span));
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

/// Adds what a section says about its location.
fn describe(location: &mut Location, section: &Section) {
    location.end |= section.end;
    location.atomic |= section.atomic;
    location.labels.extend(section.labels.iter().map(|l| l.text.clone()));
}
