//! Statements after a `do` loop that nothing leaves.
//!
//! SPIN's control structure has no state for them, so neither has the program that is made of a model. A loop is endless, as
//! far as its form shows, if no `break` in it is its own; a `goto` leads to a label, and what stands at a label may be
//! jumped to.

use taut_ir::lint::codes::UNREACHABLE;
use taut_source::{Diagnostic, Diagnostics};

use crate::Parsed;
use crate::ast::*;

/// Warnings about the statements of a model that stand after an endless loop.
pub fn after_endless_loops(parsed: &Parsed) -> Diagnostics {
    let mut found = Diagnostics::new();
    for item in &parsed.model.items {
        match item {
            Item::Proctype(p) => sequence(&p.body, &mut found),
            Item::Init(init) => sequence(&init.body, &mut found),
            _ => {}
        }
    }
    found
}

fn sequence(body: &Sequence, found: &mut Diagnostics) {
    for pair in body.steps.windows(2) {
        let [before, after] = pair else { continue };
        let is_named = matches!(after.kind, StatementKind::Label(..) | StatementKind::Declare(_));
        if is_endless(before) && !is_named {
            found.push(warning(before, after));
        }
    }
    body.steps.iter().for_each(|statement| inside(statement, found));
}

fn inside(statement: &Statement, found: &mut Diagnostics) {
    match &statement.kind {
        StatementKind::Label(_, Some(inner)) => inside(inner, found),
        StatementKind::Unless(main, escape) => {
            [main, escape].into_iter().for_each(|s| inside(s, found))
        }
        StatementKind::If(options) | StatementKind::Do(options) => {
            options.iter().for_each(|option| sequence(option, found));
        }
        StatementKind::Atomic(body)
        | StatementKind::DStep(body)
        | StatementKind::Block(body)
        | StatementKind::ForRange(.., body)
        | StatementKind::ForIn(.., body) => sequence(body, found),
        StatementKind::Call(call) => sequence(&call.body, found),
        _ => {}
    }
}

fn is_endless(statement: &Statement) -> bool {
    match &statement.kind {
        StatementKind::Do(options) => !options.iter().any(breaks),
        StatementKind::Label(_, Some(inner)) => is_endless(inner),
        _ => false,
    }
}

/// Whether a `break` in a sequence leaves the loop around it.
fn breaks(body: &Sequence) -> bool {
    body.steps.iter().any(leaves)
}

fn leaves(statement: &Statement) -> bool {
    match &statement.kind {
        StatementKind::Break => true,
        StatementKind::Label(_, Some(inner)) => leaves(inner),
        StatementKind::Unless(main, escape) => leaves(main) || leaves(escape),
        StatementKind::If(options) => options.iter().any(breaks),
        StatementKind::Atomic(body) | StatementKind::DStep(body) | StatementKind::Block(body) => {
            breaks(body)
        }
        StatementKind::Call(call) => breaks(&call.body),
        _ => false,
    }
}

fn warning(before: &Statement, after: &Statement) -> Diagnostic {
    Diagnostic::warning(UNREACHABLE, "this statement can never run", after.at.0)
        .label("no path leads here")
        .related(before.at.0, "this loop never ends")
        .help("leave the loop with `break`, or remove what follows")
}
