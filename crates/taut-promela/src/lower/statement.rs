//! Statements that are one step: what each waits for and does.

use taut_ir::{
    Assignment, BinaryOp, ChannelOp, ChannelQuery, Effect, Expr, Lvalue, Mode, PropId, Property,
    PropertyKind,
};
use taut_source::Span;

use super::Lowering;
use super::flow::Basic;
use crate::Binding;
use crate::ast::{self, ExprKind, MemoryOp, Reference, Statement, StatementKind};
use crate::print::expression;

/// What a step waits for and does; where it leads is up to the table.
#[derive(Clone, Debug)]
pub(super) struct Act {
    pub(super) guard: Expr,
    pub(super) mode: Mode,
    pub(super) channel: Option<ChannelOp>,
    pub(super) effects: Vec<Effect>,
}

impl Act {
    pub(super) fn skip() -> Act {
        Act { guard: Expr::TRUE, mode: Mode::Plain, channel: None, effects: Vec::new() }
    }

    fn wait(guard: Expr) -> Act {
        Act { guard, ..Act::skip() }
    }

    pub(super) fn run(effects: Vec<Effect>) -> Act {
        Act { effects, ..Act::skip() }
    }
}

impl<'m> Lowering<'m> {
    /// A statement that is one step.
    pub(super) fn act(&mut self, basic: Basic<'m>, span: Span) -> Act {
        match basic {
            Basic::Skip | Basic::Else => Act::skip(),
            Basic::Statement(statement) => self.statement(statement),
            Basic::Condition(e) => self.condition(e, span),
            Basic::Assign(to, value) => self.assignment(to, value),
            Basic::Set(to, value) => self.store(to, Expr::Const(i64::from(value))),
            Basic::Increment(to) => self.count(to, BinaryOp::Add),
            Basic::AtMost(r, high) => {
                let (r, high) = (self.reference(r), self.expr(high));
                Act::wait(Expr::binary(BinaryOp::Le, r, high))
            }
            Basic::Below(r, high) => {
                let (r, high) = (self.reference(r), self.expr(high));
                Act::wait(Expr::binary(BinaryOp::Lt, r, high))
            }
            Basic::AtMostNumber(r, high) => {
                let r = self.reference(r);
                Act::wait(Expr::binary(BinaryOp::Le, r, i64::from(high).into()))
            }
            Basic::Declare(variables, declarator) => self.declared(variables, declarator),
            Basic::ResetCounter(number) => {
                let counter = Lvalue::Reg(self.counter(number));
                Act::run(vec![Effect::assign(counter, 0)])
            }
            Basic::CounterBelow(number, channel) => {
                let length = Expr::Channel(ChannelQuery::Length, Box::new(self.reference(channel)));
                Act::wait(Expr::binary(BinaryOp::Lt, self.counter(number).into(), length))
            }
            Basic::IncrementCounter(number) => {
                let counter = self.counter(number);
                let next = Expr::binary(BinaryOp::Add, counter.into(), 1.into());
                Act::run(vec![Effect::assign(Lvalue::Reg(counter), next)])
            }
            Basic::Rotate(channel, variable) => {
                let channel = self.reference(channel);
                let pattern = self.parts(variable).into_iter();
                let pattern = pattern.map(super::expr::Access::pattern).collect();
                let op = ChannelOp::Receive { channel, pattern, anywhere: false, keep: false };
                Act { channel: Some(op), ..Act::skip() }
            }
            Basic::RotateBack(channel, variable) => {
                let channel = self.reference(channel);
                let message = self.parts(variable).into_iter().map(|a| a.read()).collect();
                let op = ChannelOp::Send { channel, message, sorted: false };
                Act { channel: Some(op), ..Act::skip() }
            }
        }
    }

    fn statement(&mut self, statement: &'m Statement) -> Act {
        taut_budget::tick();
        match &statement.kind {
            StatementKind::Assign(to, value) => self.assignment(to, value),
            StatementKind::Increment(to) => self.count(to, BinaryOp::Add),
            StatementKind::Decrement(to) => self.count(to, BinaryOp::Sub),
            StatementKind::Send { channel, sorted, values } => {
                let channel = self.reference(channel);
                let message = self.message(values);
                let op = ChannelOp::Send { channel, message, sorted: *sorted };
                Act { channel: Some(op), ..Act::skip() }
            }
            StatementKind::Receive { channel, random, copy, patterns } => {
                let channel = self.reference(channel);
                let pattern = self.pattern(patterns);
                let op = ChannelOp::Receive { channel, pattern, anywhere: *random, keep: *copy };
                let effects = self.received_priority(patterns);
                Act { channel: Some(op), effects, ..Act::skip() }
            }
            StatementKind::Assert(condition) => self.assertion(condition, statement.at.0),
            StatementKind::Condition(e) => self.condition(e, statement.at.0),
            StatementKind::SetPriority(process, value) => self.set_priority(process, value),
            // Nothing that a check can see.
            _ => Act::skip(),
        }
    }

    fn condition(&mut self, e: &'m ast::Expr, span: Span) -> Act {
        match &e.kind {
            ExprKind::Run { name, arguments, priority } => {
                let spawn = self.spawn(&name.text, arguments, None);
                Act::run(self.give_priority(*priority).into_iter().chain(spawn).collect())
            }
            ExprKind::Memory(op, arguments) => self.operation(*op, arguments, span),
            _ => Act::wait(self.expr(e)),
        }
    }

    fn assignment(&mut self, to: &'m Reference, value: &'m ast::Expr) -> Act {
        match &value.kind {
            ExprKind::Run { name, arguments, priority } => {
                let pid = self.place(to);
                let spawn = self.spawn(&name.text, arguments, pid);
                Act::run(self.give_priority(*priority).into_iter().chain(spawn).collect())
            }
            ExprKind::Memory(op @ (MemoryOp::Cas | MemoryOp::Xchg | MemoryOp::FetchAdd), args) => {
                self.update(*op, args, Some(to))
            }
            _ => {
                let value = self.expr(value);
                self.store(to, value)
            }
        }
    }

    /// `to = value`; what is written to `_` is gone, and `_priority` is a byte.
    fn store(&mut self, to: &'m Reference, value: Expr) -> Act {
        if let Some(place) = self.priority_place(to) {
            let value = Expr::binary(BinaryOp::BitAnd, value, 255.into());
            return Act::run(vec![Effect::assign(place, value)]);
        }
        match self.place(to) {
            Some(place) => Act::run(vec![Effect::assign(place, value)]),
            None => Act::skip(),
        }
    }

    fn count(&mut self, to: &'m Reference, op: BinaryOp) -> Act {
        let value = Expr::binary(op, self.reference(to), 1.into());
        self.store(to, value)
    }

    /// The value that a declaration after the first statement gives: of an array, SPIN sets the first element.
    fn declared(&mut self, variables: &'m ast::Variables, declarator: &'m ast::Declarator) -> Act {
        if matches!(variables.ty, ast::Type::User(_)) {
            return Act::skip();
        }
        let id = self.declaration(declarator);
        let leaf = self.storage.of(id)[0].clone();
        let super::storage::Home::Reg(register) = leaf.home else { return Act::skip() };
        let values = match &declarator.initial {
            Some(ast::Initial::Value(e)) => vec![self.expr(e)],
            Some(ast::Initial::List(list)) => list.iter().map(|e| self.expr(e)).collect(),
            _ => vec![Expr::Const(0)],
        };
        let assign = |(i, value): (usize, Expr)| match leaf.sizes.is_empty() {
            true => Effect::assign(Lvalue::Reg(register), value),
            false => Effect::assign(Lvalue::RegElem(register, Expr::Const(i as i64)), value),
        };
        Act::run(values.into_iter().enumerate().map(assign).collect())
    }

    fn assertion(&mut self, condition: &'m ast::Expr, span: Span) -> Act {
        let value = self.expr(condition);
        let property = self.assertion_at(condition, span);
        Act::run(vec![Effect::Assert { condition: value, property }])
    }

    /// The property of an assertion: one for each place in the text.
    fn assertion_at(&mut self, condition: &'m ast::Expr, span: Span) -> PropId {
        let known = self.program.properties.iter().position(|p| p.span == span);
        if let Some(known) = known {
            return PropId::from(known);
        }
        let text = format!("assert({})", expression(condition));
        let names = |name: &str| self.program.properties.iter().any(|p| p.name == name);
        let mut name = text.clone();
        for number in 2.. {
            if !names(&name) {
                break;
            }
            name = format!("{text} #{number}");
        }
        let id = PropId::from(self.program.properties.len());
        self.program.properties.push(Property { name, kind: PropertyKind::Assert, span });
        id
    }

    /// An operation of one of the dialects that stands alone.
    fn operation(&mut self, op: MemoryOp, args: &'m [ast::Expr], span: Span) -> Act {
        match op {
            MemoryOp::Fence => Act { mode: Mode::Fence, ..Act::skip() },
            MemoryOp::Sync | MemoryOp::SyncWord => Act { mode: Mode::Sync, ..Act::skip() },
            MemoryOp::Sfence => Act::run(vec![Effect::StoreFence]),
            MemoryOp::Store => {
                let value = self.expr(&args[1]);
                self.store_to(&args[0], value, false)
            }
            MemoryOp::AtomicWrite => {
                let value = self.expr(&args[1]);
                self.store_to(&args[0], value, true)
            }
            MemoryOp::Load => {
                let (variable, value) = (self.expr(&args[0]), self.expr(&args[1]));
                Act::wait(variable.equals(value))
            }
            MemoryOp::Cas => self.wait_and_swap(args),
            MemoryOp::Xchg | MemoryOp::FetchAdd => self.update(op, args, None),
            MemoryOp::Write | MemoryOp::Init => {
                let value = self.expr(&args[1]);
                match self.mm_place(&args[0]) {
                    Some(place) => {
                        let atomic = op == MemoryOp::Init;
                        Act::run(vec![Effect::Assign(vec![Assignment { place, value, atomic }])])
                    }
                    None => Act::skip(),
                }
            }
            MemoryOp::Read => Act::wait(self.mm_read(&args[0])),
            MemoryOp::Svar | MemoryOp::Gsvar | MemoryOp::View | MemoryOp::Drained => {
                self.only_in_claims(op.text(), span);
                Act::skip()
            }
        }
    }

    /// The variable that an operation works on.
    fn operand(&mut self, e: &'m ast::Expr) -> Option<(Lvalue, Expr)> {
        let reference = match &e.kind {
            ExprKind::Reference(r) if matches!(self.symbols().binding(r), Binding::Variable(_)) => {
                r
            }
            _ => {
                let text = "a memory operation needs a variable".into();
                self.unsupported(text, e.at.0, "name a variable or an element of an array");
                return None;
            }
        };
        Some((self.place(reference)?, self.reference(reference)))
    }

    fn store_to(&mut self, to: &'m ast::Expr, value: Expr, atomic: bool) -> Act {
        let Some((place, _)) = self.operand(to) else { return Act::skip() };
        let atomic = atomic && place.variable().is_some();
        Act::run(vec![Effect::Assign(vec![Assignment { place, value, atomic }])])
    }

    /// `CAS(x, old, new)` alone waits for the old value.
    fn wait_and_swap(&mut self, args: &'m [ast::Expr]) -> Act {
        let Some((place, now)) = self.operand(&args[0]) else { return Act::skip() };
        let (old, new) = (self.expr(&args[1]), self.expr(&args[2]));
        let effects = vec![Effect::assign(place, new)];
        Act { guard: now.equals(old), mode: Mode::Locked, channel: None, effects }
    }

    /// A read-modify-write whose result goes to a variable, if any.
    fn update(
        &mut self,
        op: MemoryOp,
        args: &'m [ast::Expr],
        result: Option<&'m Reference>,
    ) -> Act {
        let Some((place, now)) = self.operand(&args[0]) else { return Act::skip() };
        let (value, new) = match op {
            MemoryOp::Cas => {
                let (old, new) = (self.expr(&args[1]), self.expr(&args[2]));
                let same = now.clone().equals(old);
                let new = Expr::Cond(Box::new(same.clone()), Box::new(new), Box::new(now));
                (same, new)
            }
            MemoryOp::FetchAdd => {
                let sum = Expr::binary(BinaryOp::Add, now.clone(), self.expr(&args[1]));
                (now, sum)
            }
            _ => (now, self.expr(&args[1])),
        };
        let plain = |place, value| Assignment { place, value, atomic: false };
        let mut list = vec![plain(place, new)];
        if let Some(place) = result.and_then(|r| self.place(r)) {
            list.push(plain(place, value));
        }
        Act { mode: Mode::Locked, effects: vec![Effect::Assign(list)], ..Act::skip() }
    }
}
