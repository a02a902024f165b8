//! Where a fence can be put into the text of a program, and the stores whose order can be made stronger: see
//! [`taut_source::EditSites`].
//!
//! A fence can stand after every expression statement and every declaration with a value that stands by itself in a block. Statements
//! that an `if` or a loop has without braces are left out: a second statement there would not belong to them. Text that a macro made
//! is left out, too. Whether a statement stands by itself is read off the text: what comes before it is `{`, `}`, `;` or a label.
//!
//! A store with an explicit order (`atomic_store_explicit`) can be made sequentially consistent.

use taut_source::{EditSites, FileId, Point, Replacement, SourceMap, Span, WritePoint};

use crate::hir::{Argument, Callee, Expr, ExprKind, Stmt, StmtKind, Unit};
use crate::visit::Part;

/// A full fence as a statement.
pub const FENCE: &str = "atomic_thread_fence(memory_order_seq_cst);";
/// A store fence as a statement.
pub const STORE_FENCE: &str = "atomic_thread_fence(memory_order_release);";
/// A full fence in a file that does not include `stdatomic.h`.
pub const BUILTIN_FENCE: &str = "__atomic_thread_fence(__ATOMIC_SEQ_CST);";
/// A store fence in a file that does not include `stdatomic.h`.
pub const BUILTIN_STORE_FENCE: &str = "__atomic_thread_fence(__ATOMIC_RELEASE);";
/// The strongest order.
const STRONGEST: &str = "memory_order_seq_cst";

/// Why a statement without braces has no place for a fence.
const BARE: &str = "it stands without braces";
/// Why text of a macro has no place for a fence.
const MACRO: &str = "a macro makes it";
/// Why a store cannot be made stronger.
const PLAIN: &str = "it has no order that could be stronger";

/// The places of a unit.
pub(crate) fn sites(unit: &Unit, sources: &SourceMap, file: FileId) -> EditSites {
    let text = sources.file(file).text();
    let mut walk = Walk { file, text, before: significant(text), sites: EditSites::default() };
    for function in &unit.functions {
        for stmt in function.body.iter().flatten() {
            walk.statement(stmt);
        }
    }
    walk.sites.points.sort_by_key(|point| point.at);
    walk.sites.points.dedup_by_key(|point| point.at);
    walk.sites
}

struct Walk<'t> {
    file: FileId,
    text: &'t str,
    /// The characters outside of comments, strings and directives, with their places.
    before: Vec<(usize, char)>,
    sites: EditSites,
}

impl Walk<'_> {
    fn statement(&mut self, stmt: &Stmt) {
        if let StmtKind::Expr(_) | StmtKind::Init(..) = &stmt.kind {
            self.after(stmt);
        }
        stmt.parts(&mut |part| match part {
            Part::Expr(expr) => self.stores(expr, stmt.span),
            Part::Place(_) => {}
            Part::Block(block) => block.iter().for_each(|inner| self.statement(inner)),
        });
    }

    /// The place after a statement.
    fn after(&mut self, stmt: &Stmt) {
        let span = stmt.span;
        if span.is_none() || span.file != self.file {
            return;
        }
        let Some(words) = self.text.get(span.start as usize..span.end as usize) else { return };
        if !words.ends_with(';') {
            return self.sites.unpatchable.push((span, MACRO));
        }
        if !self.stands_alone(span) {
            return self.sites.unpatchable.push((span, BARE));
        }
        let shown = words.trim_end_matches(';').split_whitespace().collect::<Vec<_>>().join(" ");
        self.sites.points.push(Point {
            file: self.file,
            at: span.end as usize,
            before: format!("\n{}", self.indentation(span.start as usize)),
            after: String::new(),
            span,
            words: format!("after `{shown}`"),
        });
    }

    /// True if a statement is one of a block's own.
    fn stands_alone(&self, span: Span) -> bool {
        let index = self.before.partition_point(|&(at, _)| at < span.start as usize);
        let last = index.checked_sub(1).map(|i| self.before[i].1);
        matches!(last, Some('{' | '}' | ';' | ':'))
    }

    /// The blanks at the start of a line.
    fn indentation(&self, at: usize) -> &str {
        let start = self.text[..at].rfind('\n').map_or(0, |newline| newline + 1);
        let line = &self.text[start..];
        &line[..line.len() - line.trim_start_matches([' ', '\t']).len()]
    }

    /// Stores whose order can be made stronger.
    fn stores(&mut self, expr: &Expr, statement: Span) {
        if let ExprKind::Call(Callee::Builtin(name), args, _) = &expr.kind
            && name == "__atomic_store_n"
            && let Some(Argument::Value(order)) = args.get(2)
        {
            self.order(order, expr, args, statement);
        }
        expr.parts(&mut |part| match part {
            Part::Expr(inner) => self.stores(inner, statement),
            Part::Place(_) => {}
            Part::Block(block) => block.iter().for_each(|inner| self.statement(inner)),
        });
    }

    fn order(&mut self, order: &Expr, store: &Expr, args: &[Argument], statement: Span) {
        let ExprKind::Int(value) = order.kind else { return };
        if value == 5 {
            return;
        }
        let written = order.span;
        let text = self.text.get(written.start as usize..written.end as usize).unwrap_or("");
        let spelled = written.file == self.file && text.starts_with("memory_order_");
        if !spelled {
            return self.sites.unwritable.push((statement, PLAIN));
        }
        let Some(Argument::Value(target)) = args.first() else { return };
        let name = self.text.get(target.span.start as usize..target.span.end as usize);
        let variable = name.unwrap_or("").trim_start_matches('&').to_owned();
        let edit = Replacement { span: written, text: STRONGEST.into() };
        self.sites.writes.push(WritePoint {
            span: store.span,
            steps: vec![statement],
            variable,
            edits: vec![edit],
        });
    }
}

/// The characters of a text outside of comments, strings, directives and blanks.
fn significant(text: &str) -> Vec<(usize, char)> {
    let bytes = text.as_bytes();
    let (mut all, mut at, mut fresh_line) = (Vec::new(), 0, true);
    while at < bytes.len() {
        let rest = &text[at..];
        let skipped = match bytes[at] {
            b'\n' => {
                fresh_line = true;
                at += 1;
                continue;
            }
            b'/' if rest.starts_with("//") => rest.find('\n').unwrap_or(rest.len()),
            b'/' if rest.starts_with("/*") => rest.find("*/").map_or(rest.len(), |end| end + 2),
            b'#' if fresh_line => directive(rest),
            quote @ (b'"' | b'\'') => literal(rest, quote),
            _ => 0,
        };
        if skipped > 0 {
            at += skipped;
            continue;
        }
        let Some(c) = rest.chars().next() else { break };
        if !c.is_whitespace() {
            all.push((at, c));
            fresh_line = false;
        }
        at += c.len_utf8();
    }
    all
}

/// The length of a directive with its continued lines.
fn directive(text: &str) -> usize {
    let mut length = 0;
    for line in text.split_inclusive('\n') {
        length += line.trim_end_matches('\n').len();
        if !line.trim_end().ends_with('\\') {
            break;
        }
        length += 1;
    }
    length.min(text.len()).max(1)
}

/// The length of a string or a character constant.
fn literal(text: &str, quote: u8) -> usize {
    let mut escaped = false;
    for (at, byte) in text.bytes().enumerate().skip(1) {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = true,
            b'\n' => return at,
            byte if byte == quote => return at + 1,
            _ => {}
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_strings_and_directives_do_not_count() {
        let text = "#define A ; \\\n ;\n/* ; */ a // ;\n\";\" b ';' c";
        let found: String = significant(text).into_iter().map(|(_, c)| c).collect();
        assert_eq!(found, "abc");
    }
}
