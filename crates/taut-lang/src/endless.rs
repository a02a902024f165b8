//! Statements after a loop whose condition is always true.
//!
//! Lowering drops them without a word, as no path leads there. After `loop` they are an error already; `while (true)` is
//! what people write first and change later, so it is a warning.

use taut_ir::lint::codes::UNREACHABLE;
use taut_source::{Diagnostic, Diagnostics, FileId, SourceMap};

use crate::ast::{Block, Expr, ExprKind, ItemKind, Stmt, StmtKind};
use crate::lower::breaks;

/// Warnings about the statements of a file that stand after an endless `while`; none if it cannot be read.
pub fn after_endless_loops(map: &SourceMap, file: FileId) -> Diagnostics {
    let mut errors = Diagnostics::new();
    let (tree, _) = crate::tree(map, file, &mut errors);
    let mut found = Diagnostics::new();
    if errors.has_errors() {
        return found;
    }
    for item in &tree.items {
        match &item.kind {
            ItemKind::Process(process) => block(&process.body, &mut found),
            ItemKind::Procedure(procedure) => block(&procedure.body, &mut found),
            _ => {}
        }
    }
    found
}

fn block(block: &Block, found: &mut Diagnostics) {
    for pair in block.stmts.windows(2) {
        let [before, after] = pair else { continue };
        let does_something = !matches!(after.kind, StmtKind::Nothing) && !after.is_declaration();
        if is_endless(before) && after.labels.is_empty() && does_something {
            found.push(warning(before, after));
        }
    }
    block.stmts.iter().for_each(|stmt| inside(stmt, found));
}

fn inside(stmt: &Stmt, found: &mut Diagnostics) {
    stmt.blocks().into_iter().for_each(|body| block(body, found));
}

/// Whether a statement is a loop that nothing leaves, as far as its form shows: a jump out of it leads to a label.
fn is_endless(stmt: &Stmt) -> bool {
    match &stmt.kind {
        StmtKind::While(condition, ..) | StmtKind::DoWhile(_, condition, _) => {
            is_true(condition) && !breaks(stmt)
        }
        _ => false,
    }
}

fn is_true(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Bool(value) => *value,
        ExprKind::Int(value) => *value != 0,
        ExprKind::Paren(inner) => is_true(inner),
        _ => false,
    }
}

fn warning(before: &Stmt, after: &Stmt) -> Diagnostic {
    Diagnostic::warning(UNREACHABLE, "this statement can never run", after.span)
        .label("no path leads here")
        .related(before.span, "this loop never ends")
        .help("leave the loop with `break`, or remove what follows")
}
