//! Checks of a plain model: every name means something, and what it means fits its use.
//!
//! DVE has one name space: in one scope a name is a variable, a channel or a process, never two of them. The
//! manual forbids that a name of a process hides one of the model, but models of the BEEM benchmark do it
//! (pgm_protocol), so it is a warning. Locations are only ever named where nothing else can stand; they have
//! to differ from each other and from the variables and channels of their process.

mod channels;
mod expr;
mod table;

use std::collections::HashMap;

use taut_source::{Diagnostic, Span, shown};

use crate::ast::{Expr, Model, Name, Process, Transition};
use crate::codes;
use crate::expand::declared_twice;
use crate::found::Found;
use table::{Table, Words};

/// Checks a model.
pub(crate) fn model(model: &Model, diagnostics: &mut Found) {
    let mut check = Check { table: Table::new(model), diagnostics };
    check.system(model);
    check.globals(model);
    for process in &model.processes {
        if check.diagnostics.is_full() {
            return;
        }
        check.process(process);
    }
    model.expressions.iter().for_each(|d| check.expr(&d.expr, None));
    check.arities(model);
}

/// Checks an expression that stands outside of all processes.
pub(crate) fn expression(model: &Model, expr: &Expr, diagnostics: &mut Found) {
    Check { table: Table::new(model), diagnostics }.expr(expr, None);
}

struct Check<'m, 'd> {
    table: Table<'m>,
    diagnostics: &'d mut Found,
}

impl<'m> Check<'m, '_> {
    fn system(&mut self, model: &Model) {
        let span = model.system.span;
        if model.system.synchronous {
            let message = "synchronous systems are not supported";
            let found = Diagnostic::error(codes::SYNCHRONOUS, message, span);
            self.diagnostics.push(
                found.label("all processes would step at once").help("write `system async;`"),
            );
        }
        if model.processes.is_empty() {
            let message = "this model has no process";
            self.diagnostics.push(Diagnostic::error(codes::NO_PROCESS, message, span));
        }
        if let Some(name) = &model.system.property {
            self.known_process(name);
        }
    }

    fn globals(&mut self, model: &Model) {
        let formulas = model.formulas.iter().map(|f| &f.name);
        self.distinct(formulas);
        let variables = model.globals.iter().map(|v| &v.name);
        let channels = model.channels.iter().map(|c| &c.name);
        let processes = model.processes.iter().map(|p| &p.name);
        self.distinct(variables.chain(channels).chain(processes));
    }

    /// Reports the second of two equal names.
    fn distinct<'n>(&mut self, names: impl Iterator<Item = &'n Name>) {
        let mut seen: HashMap<&str, Span> = HashMap::new();
        for name in names {
            match seen.get(name.text.as_str()) {
                Some(&first) => self.diagnostics.push(declared_twice(name, first)),
                None => {
                    seen.insert(&name.text, name.span);
                }
            }
        }
    }

    fn process(&mut self, process: &Process) {
        let variables = process.locals.iter().map(|v| &v.name);
        let channels = process.channels.iter().map(|c| &c.name);
        let own: Vec<&Name> = variables.chain(channels).collect();
        own.iter().for_each(|name| self.hides(name));
        self.distinct(own.into_iter().chain(&process.states));
        let lists = [std::slice::from_ref(&process.init), &process.accept, &process.commit];
        lists.into_iter().flatten().for_each(|state| self.location(state, &process.name));
        for one in &process.asserts {
            self.location(&one.state, &process.name);
            self.expr(&one.condition, Some(process));
        }
        process.transitions.iter().for_each(|t| self.transition(t, process));
    }

    fn hides(&mut self, name: &Name) {
        let Some(first) = self.table.global_span(&name.text) else { return };
        let message = format!("{} hides a name of the whole model", shown(&name.text));
        let found = Diagnostic::warning(codes::HIDES, message, name.span);
        let found = found.label("in this process, this one is meant");
        let found = found.related(first, "the hidden one");
        self.diagnostics.push(found);
    }

    fn transition(&mut self, transition: &Transition, process: &Process) {
        self.location(&transition.source, &process.name);
        self.location(&transition.target, &process.name);
        if let Some(guard) = &transition.guard {
            self.expr(guard, Some(process));
        }
        if let Some(sync) = &transition.sync {
            self.sync(sync, process);
        }
        for effect in &transition.effects {
            self.place(&effect.place, process);
            self.expr(&effect.value, Some(process));
        }
    }

    /// Checks that a process has a location.
    fn location(&mut self, state: &Name, process: &Name) {
        let Some(words) = self.table.process(&process.text) else { return };
        if words.states.contains(state.text.as_str()) || self.diagnostics.is_full() {
            return;
        }
        let of = shown(&process.text);
        let message = format!("the process {of} has no location {}", shown(&state.text));
        let known = words.states.iter().copied();
        let found = Diagnostic::error(codes::UNKNOWN_LOCATION, message, state.span);
        self.diagnostics.push(with_nearest(found, &state.text, known, "add it to `state`"));
    }

    /// Reports a process that does not exist.
    fn known_process(&mut self, name: &Name) -> Option<&Words<'m>> {
        if self.table.process(&name.text).is_none() && !self.diagnostics.is_full() {
            let message = format!("there is no process {}", shown(&name.text));
            let found = Diagnostic::error(codes::UNKNOWN_PROCESS, message, name.span);
            let known = self.table.processes();
            self.diagnostics.push(with_nearest(found, &name.text, known, ""));
        }
        self.table.process(&name.text)
    }
}

/// Adds what a misspelt name was meant to be, or else other advice, if there is any.
fn with_nearest<'n>(
    found: Diagnostic,
    name: &str,
    known: impl Iterator<Item = &'n str>,
    otherwise: &str,
) -> Diagnostic {
    let found = found.label("unknown");
    match taut_source::nearest(name, known) {
        Some(near) => found.help(format!("did you mean `{near}`?")),
        None if otherwise.is_empty() => found,
        None => found.help(otherwise),
    }
}
