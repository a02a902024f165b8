//! Where control goes on after a statement, as far as its form shows.

use crate::ast::{Sequence, Statement, StatementKind};

/// Whether control never goes on after a statement.
pub(super) fn leaves(statement: &Statement) -> bool {
    let ends = |sequence: &Sequence| sequence.steps.last().is_some_and(leaves);
    match &statement.kind {
        StatementKind::Goto(_) | StatementKind::Break => true,
        StatementKind::Label(_, inner) => inner.as_deref().is_some_and(leaves),
        StatementKind::Unless(main, escape) => leaves(main) && leaves(escape),
        StatementKind::If(options) => options.iter().all(ends),
        StatementKind::Do(options) => !options.iter().any(breaks),
        StatementKind::Block(body)
        | StatementKind::Atomic(body)
        | StatementKind::DStep(body)
        | StatementKind::Locked(body) => ends(body),
        StatementKind::Call(call) => ends(&call.body),
        _ => false,
    }
}

/// Whether a `break` in a sequence leaves the loop around it.
fn breaks(sequence: &Sequence) -> bool {
    sequence.steps.iter().any(breaks_out)
}

fn breaks_out(statement: &Statement) -> bool {
    match &statement.kind {
        StatementKind::Break => true,
        StatementKind::Label(_, inner) => inner.as_deref().is_some_and(breaks_out),
        StatementKind::Unless(main, escape) => breaks_out(main) || breaks_out(escape),
        StatementKind::If(options) => options.iter().any(breaks),
        StatementKind::Block(body)
        | StatementKind::Atomic(body)
        | StatementKind::DStep(body)
        | StatementKind::Locked(body) => breaks(body),
        StatementKind::Call(call) => breaks(&call.body),
        _ => false,
    }
}

/// Whether a statement only declares something.
pub(super) fn declares(statement: &Statement) -> bool {
    matches!(statement.kind, StatementKind::Declare(_) | StatementKind::Exclusive { .. })
}

/// Whether one of the options is `else`.
pub(super) fn has_else(options: &[Sequence]) -> bool {
    let is_else = |s: &Statement| matches!(s.kind, StatementKind::Else);
    options.iter().any(|option| option.steps.first().is_some_and(is_else))
}
