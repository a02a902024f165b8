//! Processes: plain ones and instances of templates.

use taut_source::{Diagnostic, Span, shown};

use super::constant::Values;
use super::{Expand, Expander, Params};
use crate::ast::{Assertion, Assign, BinaryOp, Expr, Message, Name, Process, Sync, Transition};
use crate::codes;
use crate::surface;

impl Expander<'_, '_> {
    /// Adds a process. A mistake in one part does not hide those in others.
    pub(super) fn process(
        &mut self,
        from: &surface::Process,
        name: Name,
        span: Span,
        params: &Params,
    ) -> Expand<()> {
        self.spend_cells(1, span)?;
        self.locals = Values::default();
        self.hidden_by_parameters(from);
        let mut process = Process {
            name,
            channels: vec![],
            locals: vec![],
            states: from.states.clone(),
            init: self.init(from)?,
            accept: from.accept.clone(),
            commit: from.commit.clone(),
            asserts: vec![],
            transitions: vec![],
            span,
        };
        for name in &from.states {
            self.spend(name.span)?;
        }
        self.fill(&mut process, from, params);
        self.locals = Values::default();
        self.model.processes.push(process);
        Ok(())
    }

    fn fill(&mut self, process: &mut Process, from: &surface::Process, params: &Params) {
        for variable in &from.variables {
            if let Ok(variable) = self.variable(variable, params) {
                self.locals.add(&variable);
                process.locals.push(variable);
            }
        }
        for channel in &from.channels {
            process.channels.extend(self.channel(channel, params).ok());
        }
        for one in &from.asserts {
            if let Ok(condition) = self.expr(&one.condition, params) {
                let span = one.state.span.to(one.condition.span);
                process.asserts.push(Assertion { state: one.state.clone(), condition, span });
            }
        }
        for one in &from.transitions {
            process.transitions.extend(self.transition(one, params).ok());
        }
    }

    fn init(&mut self, from: &surface::Process) -> Expand<Name> {
        let missing = match &from.init {
            Some(init) if !from.states.is_empty() => return Ok(init.clone()),
            Some(_) => "locations",
            None => "initial location",
        };
        let message = format!("the process {} has no {missing}", shown(&from.name.text));
        let found = Diagnostic::error(codes::NO_LOCATIONS, message, from.name.span);
        self.refuse(found.help("write `state a, b;` and `init a;` before `trans`"))
    }

    /// Parameters hide globals of the same name.
    fn hidden_by_parameters(&mut self, from: &surface::Process) {
        let params = from.params.as_deref().unwrap_or(&[]);
        for param in params.iter().filter(|p| self.globals.contains(&p.name.text)) {
            let name = shown(&param.name.text);
            let message = format!("the parameter {name} hides a global variable");
            let found = Diagnostic::warning(codes::HIDES, message, param.name.span);
            self.diagnostics.push(found.label("in this process, the parameter is meant"));
        }
    }

    fn transition(&mut self, one: &surface::Transition, params: &Params) -> Expand<Transition> {
        self.spend(one.span)?;
        let guard = self.guard(&one.guards, params)?;
        let sync = match &one.sync {
            Some(sync) => Some(self.sync(sync, params)?),
            None => None,
        };
        let effects = one.effects.iter().map(|(place, value)| {
            let span = place.span.to(value.span);
            let place = self.place(place, params)?;
            Ok(Assign { place, value: self.expr(value, params)?, span })
        });
        let effects = effects.collect::<Expand<_>>()?;
        let (source, target) = (one.source.clone(), one.target.clone());
        Ok(Transition { source, target, guard, sync, effects, span: one.span, close: one.close })
    }

    /// The conjunction of some conditions, which is as much higher than each as there are of them.
    fn guard(&mut self, conditions: &[surface::Expr], params: &Params) -> Expand<Option<Expr>> {
        let around = conditions.len().saturating_sub(1) as u32;
        self.depth += around;
        let all: Expand<Vec<Expr>> = conditions.iter().map(|c| self.expr(c, params)).collect();
        self.depth -= around;
        Ok(all?.into_iter().reduce(|first, next| first.binary(BinaryOp::And, next)))
    }

    fn sync(&mut self, one: &surface::Sync, params: &Params) -> Expand<Sync> {
        let process = match &one.process {
            Some(process) => Some(self.process_ref(process, params)?),
            None => None,
        };
        let message = match &one.message {
            surface::Message::Send(values) => {
                Message::Send(values.iter().map(|v| self.expr(v, params)).collect::<Expand<_>>()?)
            }
            surface::Message::Receive(places) => Message::Receive(
                places.iter().map(|p| self.place(p, params)).collect::<Expand<_>>()?,
            ),
        };
        Ok(Sync { process, channel: one.channel.clone(), message, span: one.span })
    }
}
