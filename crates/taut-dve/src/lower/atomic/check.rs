//! Whether a list fits its model, and what it then chooses.

use taut_ir::{Expr, ProcId, StepId};
use taut_source::{Diagnostic, Diagnostics, Span, nearest};

use super::{AtomicEntry, AtomicList, Chosen, TransitionRef};
use crate::ast::{Message, Model, Name, Place, Process, Transition};
use crate::lower::codes;
use crate::lower::expr::{Scope, expr};
use crate::lower::names::{Home, Names};

/// A model and what its names mean.
#[derive(Clone, Copy)]
struct Context<'a> {
    model: &'a Model,
    names: &'a Names<'a>,
}

/// A transition that an entry names.
#[derive(Clone, Copy)]
struct Found<'a> {
    process: &'a Process,
    id: ProcId,
    step: StepId,
    transition: &'a Transition,
}

impl Chosen {
    /// What a list chooses, or all that is wrong with it.
    pub(crate) fn new(
        model: &Model,
        names: &Names<'_>,
        list: &AtomicList,
    ) -> Result<Chosen, Diagnostics> {
        let context = Context { model, names };
        let mut chosen = Chosen::default();
        let mut diagnostics = Diagnostics::new();
        for entry in &list.entries {
            if let Err(diagnostic) = chosen.add(context, entry) {
                diagnostics.push(*diagnostic);
            }
        }
        if diagnostics.is_empty() { Ok(chosen) } else { Err(diagnostics) }
    }

    fn add(&mut self, context: Context<'_>, entry: &AtomicEntry) -> Result<(), Box<Diagnostic>> {
        let found = context.find(entry.at(), entry.span())?;
        let (id, step) = (found.id, found.step);
        let AtomicEntry::Write { variable, element, span, .. } = entry else {
            self.fences.insert((id, step));
            return Ok(());
        };
        let name = variable.as_ref();
        if let Some(name) = name {
            context.global(name, *span)?;
        }
        let mut writes = false;
        for (i, place) in received(found.transition).iter().enumerate() {
            if context.is_meant(found, place, name, *element) {
                writes = true;
                self.receives.insert((id, step, i));
            }
        }
        for (i, assign) in found.transition.effects.iter().enumerate() {
            if context.is_meant(found, &assign.place, name, *element) {
                writes = true;
                self.assignments.insert((id, step, i));
            }
        }
        match name {
            Some(name) if !writes => Err(context.not_written(found, name, *element, *span)),
            _ => Ok(()),
        }
    }
}

/// Where a transition receives to.
fn received(transition: &Transition) -> &[Place] {
    match transition.sync.as_ref().map(|s| &s.message) {
        Some(Message::Receive(places)) => places,
        Some(Message::Send(_)) | None => &[],
    }
}

impl<'a> Context<'a> {
    fn find(self, at: &TransitionRef, entry: Span) -> Result<Found<'a>, Box<Diagnostic>> {
        let name = at.process.text.as_str();
        let known = self.names.processes.get(name);
        let Some((process, id)) = known.and_then(|p| Some((p.process, p.id?))) else {
            let text = format!("there is no process `{name}` in the system");
            let d = Diagnostic::error(codes::NO_PROCESS, text, or(at.process.span, entry));
            let others = self.model.processes.iter().map(|p| p.name.text.as_str());
            return Err(meant(d.label("unknown process"), nearest(name, others)));
        };
        let span = or(at.span, entry);
        let Some(transition) = process.transitions.get(at.index) else {
            let text = format!("process `{name}` has no transition {}", at.index);
            let d = Diagnostic::error(codes::NO_TRANSITION, text, span);
            let many = process.transitions.len();
            let label = format!("it has {many}, and the first is number 0");
            return Err(Box::new(d.label(label).related(process.name.span, "this process")));
        };
        if let Some((source, target)) = &at.route
            && (*source != transition.source.text || *target != transition.target.text)
        {
            let index = at.index;
            let route = format!("{}->{}", transition.source, transition.target);
            let text = format!("transition {index} of `{name}` goes {route}");
            let d = Diagnostic::error(codes::OTHER_ROUTE, text, span)
                .label(format!("not {source}->{target}"))
                .related(transition.span, "this transition");
            let same = |t: &&Transition| t.source.text == *source && t.target.text == *target;
            let numbered = process.transitions.iter().enumerate();
            let numbers: Vec<_> =
                numbered.filter(|(_, t)| same(t)).map(|(i, _)| i.to_string()).collect();
            return Err(Box::new(match numbers.is_empty() {
                true => d,
                false => d.help(format!("{source}->{target} is number {}", numbers.join(", "))),
            }));
        }
        Ok(Found { process, id, step: StepId::from(at.index), transition })
    }

    /// Whether a name is that of a global variable.
    fn global(self, name: &Name, entry: Span) -> Result<(), Box<Diagnostic>> {
        let home = self.names.globals.get(name.text.as_str()).map(|v| v.home);
        if matches!(home, Some(Home::Shared(_))) {
            return Ok(());
        }
        let text = match home {
            Some(_) => format!("`{name}` is a constant"),
            None => format!("there is no global variable `{name}`"),
        };
        let d = Diagnostic::error(codes::NO_VARIABLE, text, or(name.span, entry));
        let variables = self.model.globals.iter().filter(|v| !v.constant);
        let near = nearest(&name.text, variables.map(|v| v.name.text.as_str()));
        Err(meant(d.label("only writes to global variables can be atomic"), near))
    }

    /// Whether a write is one that an entry names.
    fn is_meant(
        self,
        found: Found<'_>,
        place: &Place,
        name: Option<&Name>,
        element: Option<u32>,
    ) -> bool {
        let own = Some(found.process.name.text.as_str());
        let home = self.names.variable(own, &place.name.text).map(|v| v.home);
        let named = name.is_none_or(|name| name.text == place.name.text);
        let is_element = element.is_none_or(|i| self.index(found, place) == Some(i64::from(i)));
        matches!(home, Some(Home::Shared(_))) && named && is_element
    }

    /// The index of a place, if it is constant.
    fn index(self, found: Found<'_>, place: &Place) -> Option<i64> {
        let process = &found.process.name.text;
        let scope = Scope::Step { process, id: found.id, at: None };
        match expr(self.names, scope, place.index.as_ref()?) {
            Ok(Expr::Const(index)) => Some(index),
            _ => None,
        }
    }

    fn not_written(
        self,
        found: Found<'_>,
        name: &Name,
        element: Option<u32>,
        entry: Span,
    ) -> Box<Diagnostic> {
        let Found { process, step, transition, .. } = found;
        let place = match element {
            Some(i) => format!("{name}[{i}]"),
            None => name.text.clone(),
        };
        let text = format!("transition {} of `{}` does not write `{place}`", step.0, process.name);
        let d = Diagnostic::error(codes::NOT_WRITTEN, text, or(name.span, entry))
            .label("not written there")
            .related(transition.span, "this transition");
        let all = received(transition).iter().chain(transition.effects.iter().map(|a| &a.place));
        let mut places: Vec<_> = all.filter(|p| self.is_meant(found, p, None, None)).collect();
        let same = |p: &Place| p.name.text == name.text;
        if element.is_some() && places.iter().any(|p| same(p)) {
            let help = format!("it writes an element that is computed, or others: write `{name}`");
            return Box::new(d.help(help));
        }
        places.dedup_by(|a, b| a.name.text == b.name.text);
        let written: Vec<_> = places.iter().map(|p| format!("`{}`", p.name)).collect();
        Box::new(match written.is_empty() {
            true => d.help("it writes no global variable"),
            false => d.help(format!("it writes {}", written.join(", "))),
        })
    }
}

/// A place in the file, or that of the entry if it has none.
fn or(span: Span, entry: Span) -> Span {
    if span.is_none() { entry } else { span }
}

fn meant(d: Diagnostic, near: Option<&str>) -> Box<Diagnostic> {
    Box::new(match near {
        Some(near) => d.help(format!("did you mean `{near}`?")),
        None => d,
    })
}
