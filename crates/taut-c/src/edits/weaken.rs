//! Fences and stores that can be weaker: see [`Weakenings`].
//!
//! - A full fence that is a statement: a store fence, or nothing.
//! - A sequentially consistent store: a release store. `atomic_store(&x, v)` becomes
//!   `atomic_store_explicit(&x, v, memory_order_release)`, and so does `x = v` on an `_Atomic` object where its value is not
//!   used.
//!
//! Everything else stays: loads and read-modify-writes cost no less on x86 with a weaker order, and no memory model here shows
//! what is lost below release and acquire.

use taut_source::layout::removal;
use taut_source::{Replacement, Span, Weakening, Weakenings, Weaker};

use super::MACRO;
use super::orders::{OrderedStore, SEQ_CST, each_expression, spelled_like};
use super::points::shortened;
use super::words::{Words, each_statement};
use super::written::Written;
use crate::fence::{self, Fence};
use crate::hir::{Expr, ExprKind, Place, Stmt, StmtKind, Unit};
use crate::types::Ty;
use crate::visit::Part;

/// Why an assignment cannot be a call.
const USED: &str = "its value is used";
/// The words for a weaker store.
const RELEASE: &str = "memory_order_release";

/// What can be weaker in a unit.
pub(super) fn weakenings(
    unit: &Unit,
    written: &Written<'_>,
    words: &Words,
    has_atomics: bool,
) -> Weakenings {
    let mut walk = Walk { written, words, has_atomics, found: Weakenings::default() };
    for body in unit.functions.iter().filter_map(|function| function.body.as_ref()) {
        each_statement(body, &mut |stmt| walk.statement(stmt));
    }
    let mut found = walk.found;
    found.list.sort_by_key(|weakening| weakening.span.start);
    found.list.dedup_by_key(|weakening| weakening.span);
    found.kept.sort_by_key(|(span, _)| span.start);
    found.kept.dedup();
    found
}

struct Walk<'w, 't> {
    written: &'w Written<'t>,
    words: &'w Words,
    has_atomics: bool,
    found: Weakenings,
}

impl Walk<'_, '_> {
    fn statement(&mut self, stmt: &Stmt) {
        if fence::of_statement(stmt) == Some(Fence::Full) {
            return self.fence(stmt);
        }
        let mut unused = Vec::new();
        match &stmt.kind {
            StmtKind::Expr(expr) => collect_unused(expr, &mut unused),
            StmtKind::For(_, _, Some(step), _) => collect_unused(step, &mut unused),
            _ => {}
        }
        stmt.parts(&mut |part| {
            if let Part::Expr(expr) = part {
                each_expression(expr, &mut |inner| {
                    let is_unused = unused.iter().any(|other| std::ptr::eq(*other, inner));
                    self.store(inner, is_unused);
                });
            }
        });
    }

    fn fence(&mut self, stmt: &Stmt) {
        let written = self.written;
        let Some(text) = written.slice(stmt.span) else { return };
        if !text.ends_with(';') {
            return self.found.kept.push((stmt.span, MACRO));
        }
        let (start, end) = (stmt.span.start as usize, stmt.span.end as usize);
        let replaced = |text: &str| vec![Replacement { span: stmt.span, text: text.into() }];
        let without = match written.before(start) {
            Some((_, '{' | '}' | ';')) => {
                let gone = Span::new(written.file, removal(written.text, start..end));
                vec![Replacement { span: gone, text: String::new() }]
            }
            // A label needs a statement, and so does an `if`.
            Some((_, ':')) => replaced(";"),
            _ => replaced("{}"),
        };
        let weaker = &self.words.store_fence;
        let store_fence = Some((format!("`{weaker}`"), replaced(weaker)));
        let was = shortened(text.trim_end_matches(';'));
        let weaker = Weaker::Fence { without, store_fence };
        self.found.list.push(Weakening { span: stmt.span, was, weaker });
    }

    fn store(&mut self, expr: &Expr, is_unused: bool) {
        if let Some(store) = OrderedStore::of(expr) {
            if store.number == Some(SEQ_CST) && self.written.slice(expr.span).is_some() {
                self.ordered(&store);
            }
        } else if let ExprKind::Assign(place, _) = &expr.kind
            && place.ty.atomic
            && self.written.slice(expr.span).is_some()
        {
            self.assignment(expr, place, is_unused);
        }
    }

    /// A store by a call.
    fn ordered(&mut self, store: &OrderedStore<'_>) {
        let span = store.call.span;
        let edits = match store.word(self.written) {
            Some((word, text)) => {
                let text = spelled_like(text, RELEASE, "__ATOMIC_RELEASE");
                Some(vec![Replacement { span: word, text }])
            }
            None => self.explicit(span),
        };
        let variable = store.variable(self.written);
        self.write(span, variable, edits.ok_or(MACRO));
    }

    /// The edits that give `atomic_store(…)` its order.
    fn explicit(&self, call: Span) -> Option<Vec<Replacement>> {
        let text = self.written.slice(call)?;
        let names = ["atomic_store", "atomic_flag_clear"];
        let name = names.into_iter().find(|name| {
            let rest = text.strip_prefix(name);
            rest.is_some_and(|rest| rest.trim_start().starts_with('('))
        })?;
        if !text.ends_with(')') {
            return None;
        }
        let (start, end) = (call.start as usize, call.end as usize);
        let at = |at: usize| Span::new(self.written.file, at..at);
        Some(vec![
            Replacement { span: at(start + name.len()), text: "_explicit".into() },
            Replacement { span: at(end - 1), text: format!(", {RELEASE}") },
        ])
    }

    /// `x = v` on an `_Atomic` object.
    fn assignment(&mut self, expr: &Expr, place: &Place, is_unused: bool) {
        let edits = match is_unused && place.ty.ty != Ty::Void {
            true => self.call_instead(expr.span).ok_or(MACRO),
            false => Err(USED),
        };
        let variable = self.written.slice(place.span).unwrap_or_default().to_owned();
        self.write(expr.span, variable, edits);
    }

    /// The edits that make a call of an assignment.
    fn call_instead(&self, span: Span) -> Option<Vec<Replacement>> {
        let (start, end) = (span.start as usize, span.end as usize);
        let sign = self.assignment_sign(start, end)?;
        let text = self.written.text;
        let target = text[start..sign].trim_end();
        let value = text[sign + 1..end].trim_start();
        if target.is_empty() || value.is_empty() {
            return None;
        }
        let (name, order) = match self.has_atomics {
            true => ("atomic_store_explicit", RELEASE),
            false => ("__atomic_store_n", "__ATOMIC_RELEASE"),
        };
        // A comma inside of braces would end an argument of a macro.
        let (open, close) = if value.contains('{') { ("(", ")") } else { ("", "") };
        let at = |range: std::ops::Range<usize>| Span::new(self.written.file, range);
        let value_start = end - value.len();
        Some(vec![
            Replacement { span: at(start..start), text: format!("{name}(&") },
            Replacement { span: at(start + target.len()..value_start), text: format!(", {open}") },
            Replacement { span: at(end..end), text: format!("{close}, {order})") },
        ])
    }

    /// Where the `=` of an assignment stands: the first one outside of all brackets.
    fn assignment_sign(&self, start: usize, end: usize) -> Option<usize> {
        let mut depth = 0_i32;
        for (at, c) in self.written.in_range(start, end) {
            match c {
                '(' | '[' | '{' => depth += 1,
                ')' | ']' | '}' => depth -= 1,
                '=' if depth == 0 => {
                    let alone = !self.written.text[at + 1..].starts_with('=');
                    return alone.then_some(at);
                }
                _ => {}
            }
        }
        None
    }

    fn write(
        &mut self,
        span: Span,
        variable: String,
        edits: Result<Vec<Replacement>, &'static str>,
    ) {
        let was = self.written.slice(span).map(shortened).unwrap_or_default();
        match edits {
            Ok(edits) => {
                let weaker = Weaker::Write { variable, becomes: "a release store".into(), edits };
                self.found.list.push(Weakening { span, was, weaker });
            }
            Err(why) => self.found.kept.push((span, why)),
        }
    }
}

/// The parts of an expression statement whose values nothing uses.
fn collect_unused<'u>(expr: &'u Expr, unused: &mut Vec<&'u Expr>) {
    unused.push(expr);
    match &expr.kind {
        ExprKind::Convert(inner) if expr.ty == Ty::Void => collect_unused(inner, unused),
        ExprKind::Comma(list) => list.iter().for_each(|inner| collect_unused(inner, unused)),
        ExprKind::Cond(_, yes, no) => {
            collect_unused(yes, unused);
            collect_unused(no, unused);
        }
        _ => {}
    }
}
