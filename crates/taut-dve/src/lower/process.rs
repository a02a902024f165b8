//! The code of a process: its registers, its locations, and a step for each transition.
//!
//! *Committed locations.* As long as any process is in one, only transitions that leave such locations may be
//! taken. So every transition that leaves another location has the condition that nobody is in one. A
//! rendezvous needs that of both its steps, which makes it one of two processes that are both committed.

use taut_ir::{
    Assignment, BinaryOp, ChannelOp, Channels, Control, Effect, Expr, Lvalue, Mode, PointId,
    ProcId, ProcessDef, ProgramPoint, RegId, Register, Step, StepId,
};
use taut_source::Diagnostic;

use super::expr::{Scope, all, expr};
use super::names::Home;
use super::{Lowering, codes};
use crate::ast::{self, Name, Process, Transition};
use crate::print_transition;

/// How often the transitions of a model may ask together whether a process is in a committed location.
const MOST_QUESTIONS: usize = 1 << 20;

/// A process while its code is made.
pub(super) struct Body<'m> {
    pub(super) process: &'m Process,
    pub(super) id: ProcId,
    pub(super) registers: Vec<Register>,
    /// The registers that hold a received message until it is written atomically.
    pub(super) received: Vec<RegId>,
    /// Nobody is in a committed location.
    free: Expr,
}

impl<'m> Lowering<'m> {
    pub(super) fn definition(
        &mut self,
        process: &'m Process,
        committed: &[(ProcId, Vec<PointId>)],
    ) -> ProcessDef {
        let id = ProcId::from(self.program.processes.len());
        let registers = self.registers(process);
        let others = committed.iter().filter(|(p, _)| *p != id);
        let free = all(others.map(|(p, at)| Expr::At(*p, at.clone()).not()).collect());
        let mut body = Body { process, id, registers, received: Vec::new(), free };
        let mut steps = Vec::new();
        for (i, transition) in process.transitions.iter().enumerate() {
            let step = self.step(&mut body, StepId::from(i), transition);
            // One that is wrong was reported; the others keep their numbers.
            steps.extend(self.noted(step));
        }
        let location =
            |s: &Name| ProgramPoint { labels: vec![s.text.clone()], ..ProgramPoint::new() };
        ProcessDef {
            name: process.name.text.clone(),
            registers: body.registers,
            params: 0,
            points: process.states.iter().map(location).collect(),
            entry: self.location(process, &process.init),
            steps,
            procedures: Vec::new(),
            channel_registers: Vec::new(),
            span: process.span,
        }
    }

    fn registers(&self, process: &Process) -> Vec<Register> {
        let variables = process.locals.iter().filter(|v| !v.constant);
        let register = |v: &ast::VarDecl| Register {
            name: v.name.text.clone(),
            ty: self.ty(v.ty),
            len: v.length,
            init: v.initial.clone(),
            span: v.span,
        };
        variables.map(register).collect()
    }

    /// The committed locations of each process that has any.
    pub(super) fn committed(&mut self) -> Vec<(ProcId, Vec<PointId>)> {
        let of = |process: &Process| {
            let known = self.names.processes.get(process.name.text.as_str())?;
            let at = process.commit.iter().filter_map(|s| known.states.get(s.text.as_str()));
            Some((known.id?, at.copied().collect::<Vec<_>>()))
        };
        let all = self.model.processes.iter().filter_map(of).filter(|(_, at)| !at.is_empty());
        let all: Vec<_> = all.collect();
        let transitions: usize = self.model.processes.iter().map(|p| p.transitions.len()).sum();
        if all.len().saturating_mul(transitions) <= MOST_QUESTIONS {
            return all;
        }
        let text = format!("{} processes with committed locations", all.len());
        let span = self.model.system.span;
        let d = Diagnostic::error(codes::MANY_COMMITTED, text, span).label("are too many");
        let help = "every transition asks all of them whether they are in one";
        self.diagnostics.push(d.help(help));
        Vec::new()
    }

    fn step(
        &mut self,
        body: &mut Body<'m>,
        id: StepId,
        transition: &'m Transition,
    ) -> Result<Step, Box<Diagnostic>> {
        let process = body.process;
        let source = self.location(process, &transition.source);
        let target = self.location(process, &transition.target);
        let before = body.scope(source);
        let after = body.scope(target);
        let mut guard = match process.commit.iter().any(|s| s.text == transition.source.text) {
            true => Expr::TRUE,
            false => body.free.clone(),
        };
        if let Some(condition) = &transition.guard {
            guard = and(guard, expr(&self.names, before, condition)?);
        }
        let mut effects = Vec::new();
        let channel = match &transition.sync {
            None => None,
            Some(sync) => Some(self.sync(body, id, sync, (before, after), &mut effects)?),
        };
        for (i, assign) in transition.effects.iter().enumerate() {
            let place = self.place(after, &assign.place)?;
            let atomic = place.variable().is_some() && self.chosen.assignment(body.id, id, i);
            let value = expr(&self.names, after, &assign.value)?;
            effects.push(Effect::Assign(vec![Assignment { place, value, atomic }]));
        }
        let sends = matches!(channel, Some(ChannelOp::Send { .. }));
        let fenced = self.chosen.fence(body.id, id);
        Ok(Step {
            guard,
            mode: if fenced { Mode::Fence } else { Mode::Plain },
            effects,
            channel,
            drains: sends && self.options.channels == Channels::Drain,
            text: Some(print_transition(transition)),
            target: Control::Goto(target),
            ..Step::skip(source, target, transition.span)
        })
    }

    /// A location of a process, which a checked model has.
    pub(super) fn location(&self, process: &Process, name: &Name) -> PointId {
        let known = self.names.processes.get(process.name.text.as_str());
        known.and_then(|p| p.states.get(name.text.as_str())).copied().unwrap_or(PointId(0))
    }

    /// What is assigned.
    pub(super) fn place(
        &self,
        scope: Scope<'_>,
        place: &ast::Place,
    ) -> Result<Lvalue, Box<Diagnostic>> {
        let index = place.index.as_ref().map(|i| expr(&self.names, scope, i)).transpose()?;
        let variable = match scope {
            Scope::Step { process, .. } => self.names.variable(Some(process), &place.name.text),
            Scope::View { .. } | Scope::Memory { .. } => None,
        };
        match (variable.map(|v| v.home), index) {
            (Some(Home::Shared(v)), None) => Ok(Lvalue::Var(v)),
            (Some(Home::Shared(v)), Some(i)) => Ok(Lvalue::VarElem(v, i)),
            (Some(Home::Register(r)), None) => Ok(Lvalue::Reg(r)),
            (Some(Home::Register(r)), Some(i)) => Ok(Lvalue::RegElem(r, i)),
            (None | Some(Home::Constant(_) | Home::Constants(_)), _) => {
                let text = format!("`{}` cannot be assigned", place.name);
                Err(Box::new(Diagnostic::error(codes::BROKEN_TREE, text, place.span)))
            }
        }
    }
}

impl<'m> Body<'m> {
    fn scope(&self, at: PointId) -> Scope<'m> {
        Scope::Step { process: &self.process.name.text, id: self.id, at: Some(at) }
    }
}

/// `a && b`, where either may be any number, not only 0 or 1.
fn and(a: Expr, b: Expr) -> Expr {
    match (a, b) {
        (Expr::Const(1), e) => e,
        (a, b) => Expr::binary(BinaryOp::And, a, b),
    }
}
