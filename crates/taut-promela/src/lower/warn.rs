//! The warning about atomic blocks that are meant as locked instructions.
//!
//! `atomic { x == 0 -> x = 1 }` is how people write a test-and-set. It keeps the other processes away, but on
//! relaxed memory the store still waits in the buffer when the block is over, and the next process may test
//! the old value. A locked instruction is `LOCKED { … }`, or `CAS`. Two accesses are to the same variable if
//! they are written alike: `flag[0]` and `flag[1]` are not, and whether `flag[i]` and `flag[j]` are, nobody
//! can say.

use std::collections::HashMap;

use taut_source::{Diagnostic, Span};

use super::Lowering;
use super::storage::Home;
use crate::ast::*;
use crate::codes;
use crate::print::{expression, reference};
use crate::{Binding, Parsed};

impl Lowering<'_> {
    /// Warns of every atomic block that reads and then writes a shared variable.
    pub(super) fn warn(&mut self) {
        let mut blocks = Vec::new();
        for item in &self.parsed.model.items {
            match item {
                Item::Proctype(p) => atomic_blocks(&p.body, &mut blocks),
                Item::Init(init) => atomic_blocks(&init.body, &mut blocks),
                _ => {}
            }
        }
        let mut warned: Vec<Span> = Vec::new();
        for block in blocks {
            let mut accesses = Accesses { lowering: self, read: HashMap::new(), found: Vec::new() };
            accesses.sequence(block);
            for (name, first, write) in accesses.found {
                // An inline that is called twice is one mistake.
                if !warned.contains(&write) {
                    warned.push(write);
                    self.warnings.push(warning(&name, first, write));
                }
            }
        }
    }

    /// Whether a reference is to memory behind store buffers.
    fn is_shared(&self, to: &Reference) -> bool {
        let Binding::Variable(id) = self.symbols().binding(to) else { return false };
        self.storage.of(id).iter().any(|leaf| match leaf.home {
            Home::Var(v) => self.program.var(v).kind.is_buffered(),
            Home::Reg(_) | Home::Channel(_) => false,
        })
    }
}

fn warning(name: &str, first: Span, write: Span) -> Diagnostic {
    let text = format!("an atomic block reads `{name}` and then writes it");
    let d = Diagnostic::warning(codes::ATOMIC_UPDATE, text, write)
        .label("this store waits in the buffer when the block is over")
        .help("if it is meant as a locked instruction, use `LOCKED { … }` or `CAS`");
    if first == write { d } else { d.related(first, "read here") }
}

/// What a block reads and writes, in the order of the text.
struct Accesses<'l, 'm> {
    lowering: &'l Lowering<'m>,
    /// Where each variable, by how it is written, is read first.
    read: HashMap<String, Span>,
    /// The variables that are written after that: the name, where it is read, and where it is written.
    found: Vec<(String, Span, Span)>,
}

impl Accesses<'_, '_> {
    fn sequence(&mut self, body: &Sequence) {
        body.steps.iter().for_each(|s| self.statement(s));
    }

    fn statement(&mut self, statement: &Statement) {
        let span = statement.at.0;
        match &statement.kind {
            StatementKind::Label(_, Some(inner)) => self.statement(inner),
            StatementKind::Unless(main, escape) => {
                self.statement(main);
                self.statement(escape);
            }
            StatementKind::Condition(e) | StatementKind::Assert(e) => self.expr(e, span),
            StatementKind::Assign(to, e) => {
                self.expr(e, span);
                self.write(to, span);
            }
            StatementKind::Increment(to) | StatementKind::Decrement(to) => {
                self.reference(to, span);
                self.write(to, span);
            }
            StatementKind::Receive { patterns, .. } => {
                for pattern in patterns {
                    if let Pattern::Reference(to) = pattern {
                        self.write(to, span);
                    }
                }
            }
            StatementKind::If(options) | StatementKind::Do(options) => {
                options.iter().for_each(|o| self.sequence(o));
            }
            StatementKind::Atomic(body)
            | StatementKind::DStep(body)
            | StatementKind::Block(body)
            | StatementKind::ForRange(.., body)
            | StatementKind::ForIn(.., body) => self.sequence(body),
            StatementKind::Call(call) => self.sequence(&call.body),
            _ => {}
        }
    }

    fn expr(&mut self, e: &Expr, span: Span) {
        match &e.kind {
            ExprKind::Reference(to) => self.reference(to, span),
            ExprKind::Unary(_, a) => self.expr(a, span),
            ExprKind::Binary(_, a, b) => {
                self.expr(a, span);
                self.expr(b, span);
            }
            ExprKind::Conditional(a, b, c) => {
                [a, b, c].into_iter().for_each(|e| self.expr(e, span));
            }
            ExprKind::Memory(MemoryOp::Read | MemoryOp::Load, args) => {
                self.read.entry(expression(&args[0])).or_insert(span);
            }
            ExprKind::Memory(MemoryOp::Write | MemoryOp::Store, args) => {
                self.expr(&args[1], span);
                self.written(expression(&args[0]), span);
            }
            _ => {}
        }
    }

    fn reference(&mut self, to: &Reference, span: Span) {
        if self.lowering.is_shared(to) {
            self.read.entry(reference(to)).or_insert(span);
        }
        let indices = to.parts.iter().filter_map(|p| p.index.as_deref());
        indices.for_each(|e| self.expr(e, span));
    }

    fn write(&mut self, to: &Reference, span: Span) {
        if self.lowering.is_shared(to) {
            self.written(reference(to), span);
        }
    }

    fn written(&mut self, name: String, span: Span) {
        let known = self.found.iter().any(|(n, ..)| *n == name);
        if let (Some(first), false) = (self.read.get(&name), known) {
            self.found.push((name, *first, span));
        }
    }
}

/// The places of the source that an `atomic` or `d_step` makes one step: the blocks, and what they call.
pub fn atomic_places(parsed: &Parsed) -> Vec<Span> {
    let mut blocks = Vec::new();
    for item in &parsed.model.items {
        match item {
            Item::Proctype(p) => atomic_blocks(&p.body, &mut blocks),
            Item::Init(init) => atomic_blocks(&init.body, &mut blocks),
            _ => {}
        }
    }
    let mut places = Vec::new();
    blocks.into_iter().for_each(|block| places_of(block, &mut places));
    places.sort();
    places.dedup();
    places
}

fn places_of(body: &Sequence, places: &mut Vec<Span>) {
    for statement in &body.steps {
        places.push(statement.at.0);
        if let StatementKind::Call(call) = &statement.kind {
            places_of(&call.body, places);
        }
    }
}

/// The outermost atomic blocks and `d_step`s of a body.
fn atomic_blocks<'m>(body: &'m Sequence, blocks: &mut Vec<&'m Sequence>) {
    body.steps.iter().for_each(|s| atomic_blocks_in(s, blocks));
}

fn atomic_blocks_in<'m>(statement: &'m Statement, blocks: &mut Vec<&'m Sequence>) {
    match &statement.kind {
        StatementKind::Atomic(body) | StatementKind::DStep(body) => blocks.push(body),
        StatementKind::Label(_, Some(inner)) => atomic_blocks_in(inner, blocks),
        StatementKind::Unless(main, escape) => {
            atomic_blocks_in(main, blocks);
            atomic_blocks_in(escape, blocks);
        }
        StatementKind::If(options) | StatementKind::Do(options) => {
            options.iter().for_each(|o| atomic_blocks(o, blocks));
        }
        StatementKind::Block(body)
        | StatementKind::ForRange(.., body)
        | StatementKind::ForIn(.., body) => atomic_blocks(body, blocks),
        StatementKind::Call(call) => atomic_blocks(&call.body, blocks),
        _ => {}
    }
}
