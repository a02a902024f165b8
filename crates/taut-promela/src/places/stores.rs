//! Which statements store to shared memory, and which of those stores can be atomic writes.
//!
//! An atomic write waits until the process's own buffer is empty. So it cannot stand where waiting means something
//! else: in `atomic` and `d_step`, and where `else` or the other side of `unless` would be taken instead.

use taut_source::{Span, WritePoint};

use super::walk::{Context, First, MACRO, Walk};
use super::write::{self, Store};
use crate::ast::*;

const HELD: &str = "an atomic write waits, which is not atomic in `atomic` and `d_step`";
const DECIDES: &str = "an atomic write waits, and what could be chosen instead would be chosen";
const NO_FORM: &str = "this store has no atomic form";
const MMLIB: &str = "mmlib has no atomic writes";

impl Walk<'_> {
    /// A statement that holds no others: it may be a store.
    pub(super) fn simple(
        &mut self,
        statement: &Statement,
        around: write::Around<'_>,
        context: Context,
    ) {
        let span = statement.at.0;
        let (target, store) = match &statement.kind {
            // A locked step: nothing of it waits.
            StatementKind::Assign(_, value) if is_locked(value) => return,
            StatementKind::Assign(target, Expr { kind: ExprKind::Run { .. }, .. }) => {
                return self.assigned(Some(target), span, context);
            }
            StatementKind::Assign(target, _) => (target, Store::Assign),
            StatementKind::Increment(target) => (target, Store::Step('+')),
            StatementKind::Decrement(target) => (target, Store::Step('-')),
            StatementKind::Select(target, ..) => {
                return self.assigned(Some(target), span, context);
            }
            StatementKind::Receive { patterns, .. } => {
                for pattern in patterns {
                    if let Pattern::Reference(target) = pattern {
                        self.assigned(Some(target), span, context);
                    }
                }
                return;
            }
            StatementKind::Condition(Expr { kind: ExprKind::Memory(op, arguments), .. }) => {
                match (op, arguments.first().map(|e| &e.kind)) {
                    (MemoryOp::Write, _) => return self.unwritable.push((span, MMLIB)),
                    (MemoryOp::Store, Some(ExprKind::Reference(target))) => (target, Store::Call),
                    _ => return,
                }
            }
            _ => return,
        };
        if context.buffered && write::is_buffered(&self.parsed.symbols, target) {
            self.write(store, around, context);
        }
    }

    /// A store that is made by something else than an assignment.
    pub(super) fn assigned(&mut self, target: Option<&Reference>, span: Span, context: Context) {
        let symbols = &self.parsed.symbols;
        if context.buffered && target.is_some_and(|t| write::is_buffered(symbols, t)) {
            self.unwritable.push((span, NO_FORM));
        }
    }

    fn write(&mut self, store: Store, around: write::Around<'_>, context: Context) {
        let step = around.step;
        let refused = match context {
            Context { closed: Some(_), .. } => Some(HELD),
            Context { first: First::Deciding, .. } => Some(DECIDES),
            _ => None,
        };
        let Some(point) = write::atomic(self.map, store, around) else {
            return self.unwritable.push((step, refused.unwrap_or(MACRO)));
        };
        let place = (point.span.file, point.span.start as usize);
        let fixed = self.fixed.get(&point.span.file).copied();
        if let Some(reason) = refused.or(fixed) {
            self.refused.insert(place, reason);
            self.unwritable.push((point.span, reason));
            return;
        }
        let known =
            self.writes.entry(place).or_insert_with(|| WritePoint { steps: Vec::new(), ..point });
        if !known.steps.contains(&step) {
            known.steps.push(step);
        }
    }
}

/// Whether a value is that of a read-modify-write.
fn is_locked(value: &Expr) -> bool {
    use MemoryOp::{Cas, FetchAdd, Xchg};
    matches!(value.kind, ExprKind::Memory(Cas | FetchAdd | Xchg, _))
}
