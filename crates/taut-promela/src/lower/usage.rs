//! What a model makes use of, found before anything is laid out.

use std::collections::HashSet;

use taut_source::Span;

use super::mmlib::{self, Named};
use crate::ast::*;
use crate::claim::Extra;
use crate::{Binding, Parsed, Symbols, VariableId};

/// What is used somewhere in the processes of a model.
#[derive(Clone, Debug, Default)]
pub(super) struct Usage {
    /// The proctypes that are ever run, by name.
    pub(super) run: HashSet<String>,
    /// The variables that are assigned, wholly or in part.
    pub(super) assigned: HashSet<VariableId>,
    /// The labels of each proctype, by its name, that are looked at from elsewhere.
    pub(super) labels: Vec<(String, String)>,
    /// Where a priority is first given, set or read.
    pub(super) priority: Option<Span>,
    /// The first channel that is declared without room for messages, also in a proctype that is never run.
    pub(super) rendezvous: Option<Span>,
    /// Whether `_last` is read.
    pub(super) last: bool,
    /// The highest variable of mmlib that is named.
    pub(super) mm_variables: Option<u32>,
    /// Whether one is named by an expression.
    pub(super) mm_computed: bool,
}

impl Usage {
    /// What a model uses, its claims included.
    pub(super) fn of(parsed: &Parsed) -> Usage {
        let mut walk = Walk { usage: Usage::default(), symbols: &parsed.symbols };
        for item in &parsed.model.items {
            match item {
                Item::Proctype(p) => {
                    walk.declared_priority(p.priority, p.name.at.0);
                    p.provided.iter().for_each(|e| walk.expr(e));
                    p.parameters.iter().for_each(|v| walk.variables(v));
                    walk.sequence(&p.body);
                }
                Item::Init(init) => {
                    walk.declared_priority(init.priority, init.at.0);
                    walk.sequence(&init.body);
                }
                Item::Never(never) => walk.sequence(&never.body),
                Item::Variables(v) => walk.variables(v),
                Item::Ltl(ltl) => walk.formula(&ltl.formula),
                // The variables of a trace stand for any value: it assigns nothing.
                Item::Typedef(_) | Item::Mtype(_) | Item::Inline(_) | Item::Trace(_) => {}
            }
        }
        let native = walk.usage.mm_variables.is_some();
        for claim in &parsed.extra {
            match claim {
                Extra::Formula(ltl) => walk.formula(&ltl.formula),
                Extra::Automaton { propositions, .. } => {
                    propositions.iter().for_each(|e| walk.expr(e));
                }
            }
        }
        // A claim from outside does not make a model one of mmlib.
        if !native {
            (walk.usage.mm_variables, walk.usage.mm_computed) = (None, false);
        }
        walk.usage
    }
}

struct Walk<'s> {
    usage: Usage,
    symbols: &'s Symbols,
}

impl Walk<'_> {
    fn declared_priority(&mut self, priority: Option<i32>, span: Span) {
        if priority.is_some() {
            self.usage.priority.get_or_insert(span);
        }
    }

    fn sequence(&mut self, sequence: &Sequence) {
        sequence.steps.iter().for_each(|s| self.statement(s));
    }

    fn variables(&mut self, variables: &Variables) {
        for declarator in &variables.list {
            match &declarator.initial {
                Some(Initial::Value(e)) => self.expr(e),
                Some(Initial::List(list)) => list.iter().for_each(|e| self.expr(e)),
                Some(Initial::Channel { capacity, .. }) if capacity.kind == ExprKind::Number(0) => {
                    self.usage.rendezvous.get_or_insert(declarator.name.at.0);
                }
                Some(Initial::Channel { .. }) | None => {}
            }
        }
    }

    fn statement(&mut self, statement: &Statement) {
        match &statement.kind {
            StatementKind::Declare(v) => self.variables(v),
            StatementKind::Label(_, inner) => inner.iter().for_each(|s| self.statement(s)),
            StatementKind::Unless(a, b) => {
                self.statement(a);
                self.statement(b);
            }
            StatementKind::Condition(e)
            | StatementKind::Assert(e)
            | StatementKind::Return(e)
            | StatementKind::Printm(e) => self.expr(e),
            StatementKind::Assign(r, e) => {
                self.assigned(r);
                self.expr(e);
            }
            StatementKind::Increment(r) | StatementKind::Decrement(r) => self.assigned(r),
            StatementKind::Send { channel, values, .. } => {
                self.reference(channel);
                values.iter().for_each(|e| self.expr(e));
            }
            StatementKind::Receive { channel, patterns, .. } => {
                self.reference(channel);
                self.patterns(patterns);
            }
            StatementKind::If(options) | StatementKind::Do(options) => {
                options.iter().for_each(|o| self.sequence(o));
            }
            StatementKind::ForRange(r, a, b, body) => {
                self.assigned(r);
                self.expr(a);
                self.expr(b);
                self.sequence(body);
            }
            StatementKind::ForIn(r, over, body) => {
                self.assigned(r);
                self.reference(over);
                self.sequence(body);
            }
            StatementKind::Select(r, a, b) => {
                self.assigned(r);
                self.expr(a);
                self.expr(b);
            }
            StatementKind::Atomic(body)
            | StatementKind::DStep(body)
            | StatementKind::Block(body)
            | StatementKind::Locked(body) => self.sequence(body),
            StatementKind::Printf(_, values) => values.iter().for_each(|e| self.expr(e)),
            StatementKind::SetPriority(a, b) => {
                self.usage.priority.get_or_insert(statement.at.0);
                self.expr(a);
                self.expr(b);
            }
            StatementKind::Call(call) => {
                call.result.iter().for_each(|r| self.assigned(r));
                self.sequence(&call.body);
            }
            StatementKind::Exclusive { .. }
            | StatementKind::Break
            | StatementKind::Goto(_)
            | StatementKind::Else => {}
        }
    }

    fn formula(&mut self, formula: &Formula) {
        formula.leaves().for_each(|e| self.expr(e));
    }

    fn patterns(&mut self, patterns: &[Pattern]) {
        for pattern in patterns {
            match pattern {
                Pattern::Reference(r) => self.assigned(r),
                Pattern::Constant(e) | Pattern::Eval(e) => self.expr(e),
            }
        }
    }

    fn assigned(&mut self, reference: &Reference) {
        if let Binding::Variable(id) = self.symbols.binding(reference) {
            self.usage.assigned.insert(id);
        }
        self.reference(reference);
    }

    fn reference(&mut self, reference: &Reference) {
        if let Binding::Predefined(which) = self.symbols.binding(reference) {
            let name = PREDEFINED[which as usize];
            self.usage.last |= name == "_last";
            if name == "_priority" {
                self.usage.priority.get_or_insert(reference.at.0);
            }
        }
        let indices = reference.parts.iter().filter_map(|p| p.index.as_deref());
        indices.for_each(|e| self.expr(e));
    }

    fn expr(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Reference(r) | ExprKind::Channel(_, r) => self.reference(r),
            ExprKind::Process(query, a) => {
                if *query == ProcessQuery::GetPriority {
                    self.usage.priority.get_or_insert(expr.at.0);
                }
                self.expr(a);
            }
            ExprKind::Unary(_, a) => self.expr(a),
            ExprKind::Binary(_, a, b) => {
                self.expr(a);
                self.expr(b);
            }
            ExprKind::Conditional(a, b, c) => [a, b, c].into_iter().for_each(|e| self.expr(e)),
            ExprKind::Run { name, arguments, priority } => {
                self.declared_priority(*priority, name.at.0);
                self.usage.run.insert(name.text.clone());
                arguments.iter().for_each(|e| self.expr(e));
            }
            ExprKind::Poll { channel, patterns, .. } => {
                self.reference(channel);
                for pattern in patterns {
                    match pattern {
                        Pattern::Reference(r) => self.reference(r),
                        Pattern::Constant(e) | Pattern::Eval(e) => self.expr(e),
                    }
                }
            }
            ExprKind::RemoteLabel { proctype, process, label } => {
                self.usage.labels.push((proctype.text.clone(), label.text.clone()));
                process.iter().for_each(|e| self.expr(e));
            }
            ExprKind::RemoteVariable { process, .. } => process.iter().for_each(|e| self.expr(e)),
            ExprKind::Memory(op, arguments) => {
                match mmlib::named(*op, arguments) {
                    Some(Named::Number(n)) => {
                        self.usage.mm_variables = self.usage.mm_variables.max(Some(n));
                    }
                    Some(Named::Computed) => {
                        self.usage.mm_variables = self.usage.mm_variables.max(Some(0));
                        self.usage.mm_computed = true;
                    }
                    None => {}
                }
                if matches!(
                    op,
                    MemoryOp::Store
                        | MemoryOp::Cas
                        | MemoryOp::Xchg
                        | MemoryOp::FetchAdd
                        | MemoryOp::AtomicWrite
                ) && let Some(ExprKind::Reference(r)) = arguments.first().map(|e| &e.kind)
                {
                    self.assigned(r);
                }
                arguments.iter().for_each(|e| self.expr(e));
            }
            ExprKind::Number(_)
            | ExprKind::Char(_)
            | ExprKind::Bool(_)
            | ExprKind::Skip
            | ExprKind::Timeout
            | ExprKind::NonProgress => {}
        }
    }
}
