//! Stores whose order can be stronger: those of C11 and of the compiler's builtins whose order is written as one word.

use taut_source::{EditSites, Replacement, Span, WritePoint};

use super::MACRO;
use super::words::each_statement;
use super::written::Written;
use crate::hir::{Argument, Callee, Expr, ExprKind, Unit};
use crate::visit::Part;

/// The number of the strongest order.
pub(super) const SEQ_CST: i64 = 5;

/// A store with an order.
pub(super) struct OrderedStore<'u> {
    /// The call.
    pub(super) call: &'u Expr,
    /// The address of what is stored to.
    pub(super) target: &'u Expr,
    /// The order.
    pub(super) order: &'u Expr,
    /// The order's number, if it is known.
    pub(super) number: Option<i64>,
}

impl<'u> OrderedStore<'u> {
    /// The store that an expression is.
    pub(super) fn of(call: &'u Expr) -> Option<OrderedStore<'u>> {
        let ExprKind::Call(Callee::Builtin(name), args, _) = &call.kind else { return None };
        let index = match name.as_str() {
            "__atomic_store_n" | "__atomic_store" => 2,
            "__atomic_clear" => 1,
            _ => return None,
        };
        let (Argument::Value(target), Argument::Value(order)) = (args.first()?, args.get(index)?)
        else {
            return None;
        };
        let number = match order.kind {
            ExprKind::Int(number) => Some(number),
            _ => None,
        };
        Some(OrderedStore { call, target, order, number })
    }

    /// What is stored to, as the source says it.
    pub(super) fn variable(&self, written: &Written<'_>) -> String {
        let name = written.slice(self.target.span).unwrap_or_default();
        name.trim_start_matches('&').trim().to_owned()
    }

    /// The word of the order in the text, if it is one.
    pub(super) fn word<'t>(&self, written: &Written<'t>) -> Option<(Span, &'t str)> {
        let text = written.slice(self.order.span)?;
        let is_word = text.chars().all(|c| c.is_alphanumeric() || c == '_');
        // The use of a macro around the whole store is no word of the store.
        let inside = self.order.span.start > self.call.span.start;
        (is_word && inside).then_some((self.order.span, text))
    }
}

/// The word for an order beside another one: that of C11, or the compiler's.
pub(super) fn spelled_like(word: &str, modern: &str, builtin: &str) -> String {
    let is_builtin = word.starts_with("__ATOMIC") || word.starts_with(|c: char| c.is_ascii_digit());
    if is_builtin { builtin.to_owned() } else { modern.to_owned() }
}

/// Adds the stores of a unit whose order can be stronger.
pub(super) fn orders(unit: &Unit, written: &Written<'_>, sites: &mut EditSites) {
    for body in unit.functions.iter().filter_map(|function| function.body.as_ref()) {
        each_statement(body, &mut |stmt| {
            stmt.parts(&mut |part| {
                if let Part::Expr(expr) = part {
                    each_expression(expr, &mut |inner| store(inner, written, sites));
                }
            });
        });
    }
    // A function that is copied for each of its callers is one text.
    sites.writes.sort_by_key(|write| write.span.start);
    sites.writes.dedup_by_key(|write| write.span);
}

/// Calls a function with an expression and all its parts.
pub(super) fn each_expression<'u>(expr: &'u Expr, f: &mut dyn FnMut(&'u Expr)) {
    f(expr);
    expr.parts(&mut |part| match part {
        Part::Expr(inner) => each_expression(inner, f),
        Part::Block(block) => each_statement(block, &mut |stmt| {
            stmt.parts(&mut |part| {
                if let Part::Expr(inner) = part {
                    each_expression(inner, f);
                }
            });
        }),
        Part::Place(_) => {}
    });
}

fn store(expr: &Expr, written: &Written<'_>, sites: &mut EditSites) {
    let Some(store) = OrderedStore::of(expr) else { return };
    if store.number == Some(SEQ_CST) || written.slice(expr.span).is_none() {
        return;
    }
    let Some((span, word)) = store.word(written) else {
        return sites.unwritable.push((expr.span, MACRO));
    };
    let text = spelled_like(word, "memory_order_seq_cst", "__ATOMIC_SEQ_CST");
    sites.writes.push(WritePoint {
        span: expr.span,
        steps: Vec::new(),
        variable: store.variable(written),
        edits: vec![Replacement { span, text }],
    });
}
