//! Trace assertions: what may stand in them.
//!
//! SPIN reads a trace as it reads a process, and says *not an event* of every statement that is neither a plain
//! send or receive nor control flow. The same statements are refused here, and two more that make no sense as events:
//! `for` and `select`, and declarations.

use taut_source::{Diagnostic, Span};

use super::Checker;
use crate::ast::*;
use crate::codes;

impl Checker<'_> {
    /// A trace assertion. Its names are those that are declared above it, as in a process.
    pub(super) fn trace(&mut self, index: usize, trace: &Trace) {
        let mut strange = Vec::new();
        not_events(&trace.body, &mut strange);
        for (span, what) in &strange {
            self.no_event(trace.word(), *span, what);
        }
        if !strange.is_empty() {
            return;
        }
        self.in_trace = true;
        self.body(index, &[], &trace.body);
        self.in_trace = false;
    }

    fn no_event(&mut self, word: &str, span: Span, what: &str) {
        let message = format!("{what} cannot stand in a `{word}` assertion");
        self.report(
            Diagnostic::error(codes::TRACE, message, span)
                .label("not an event")
                .help("events are `q!…` and `q?…`; `if`, `do`, `goto` and `break` connect them"),
        );
    }

    /// The fields of a send in a trace: `_` and variables stand for any value.
    pub(super) fn event_values(&mut self, values: &[Expr]) {
        for value in values {
            match &value.kind {
                ExprKind::Reference(reference) => self.reference(reference, true),
                _ => self.expr(value, false),
            }
        }
    }
}

/// Collects the statements that are no events, with a name for each.
fn not_events(body: &Sequence, found: &mut Vec<(Span, &'static str)>) {
    body.steps.iter().for_each(|statement| not_event(statement, found));
}

fn not_event(statement: &Statement, found: &mut Vec<(Span, &'static str)>) {
    let what = match &statement.kind {
        StatementKind::Send { sorted: false, .. }
        | StatementKind::Receive { random: false, copy: false, .. }
        | StatementKind::Goto(_)
        | StatementKind::Break => return,
        StatementKind::Label(_, Some(labelled)) => return not_event(labelled, found),
        StatementKind::Unless(main, escape) => {
            not_event(main, found);
            return not_event(escape, found);
        }
        StatementKind::If(options) | StatementKind::Do(options) => {
            return options.iter().for_each(|option| not_events(option, found));
        }
        StatementKind::Label(_, None) => "a label without a statement",
        StatementKind::Send { .. } => "a sorted send",
        StatementKind::Receive { copy: true, .. } => "a receive that leaves the message",
        StatementKind::Receive { .. } => "a random receive",
        StatementKind::Declare(_) => "a declaration",
        StatementKind::Else => "`else`",
        StatementKind::Call(_) => "a call of an inline",
        StatementKind::Atomic(_) | StatementKind::DStep(_) | StatementKind::Block(_) => "a block",
        _ => "this statement",
    };
    found.push((statement.at.0, what));
}
