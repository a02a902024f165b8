//! `for`, `do … while` and `switch`.

use std::collections::HashMap;

use taut_ir::{BinaryOp, Control, Expr, Mode, PointId};
use taut_source::{Diagnostic, Span};

use super::body::Builder;
use crate::ast::{self, Block, CaseLabel, For, Stmt, StmtKind, Switch};
use crate::codes;

/// Most values of all cases of a `switch` together.
const MOST_CASES: usize = 4_096;
/// Most cases: the condition of what has none names them all.
const MOST_LABELS: usize = 200;

impl Builder<'_, '_> {
    /// `for (init; condition; step) { … }`: `continue` leads to the step.
    pub(super) fn for_loop(&mut self, stmt: &Stmt, all: &For, from: PointId, to: PointId) {
        let test = if all.init.is_some() { self.fresh(all.head) } else { from };
        if let Some(init) = &all.init {
            match init.is_declaration() {
                true => self.skip(from, test, init.span),
                false => self.simple(init, from, test),
            }
        }
        let again = if all.step.is_some() { self.fresh(all.head) } else { test };
        self.enter_loop(stmt, Some(again), to);
        let pieces = self.open(&all.body, again);
        let entry = self.entry(&pieces, again);
        match &all.condition {
            Some(condition) => self.decide(condition, test, (entry, to), all.head),
            None => self.skip(test, entry, all.head),
        }
        self.list(&pieces, entry, again);
        if let Some(step) = &all.step {
            self.simple(step, again, test);
        }
        self.leave_loop();
    }

    /// `do { … } while (condition);`: it starts where its first statement starts.
    pub(super) fn do_while(
        &mut self,
        stmt: &Stmt,
        (body, condition, tail): (&Block, &ast::Expr, Span),
        from: PointId,
        to: PointId,
    ) {
        let empty = body.stmts.iter().all(|s| s.is_declaration() || is_nothing(s));
        let test = if empty { from } else { self.fresh(tail) };
        self.enter_loop(stmt, Some(test), to);
        let pieces = self.open(body, test);
        self.first_round(&pieces, from, test);
        self.decide(condition, test, (from, to), tail);
        self.leave_loop();
    }

    /// `switch (e) { … }`: the value is computed once; then one step leads to its case.
    pub(super) fn switch(&mut self, stmt: &Stmt, all: &Switch, from: PointId, to: PointId) {
        if let Some(label) = all.cases.iter().flat_map(|case| &case.labels).nth(MOST_LABELS) {
            let message = format!("this `switch` has more than {MOST_LABELS} cases");
            let found = Diagnostic::error(codes::TOO_MANY_CHOICES, message, label.span);
            return self.cx.report(found.label("too many here").help("`case 0..9:` is one case"));
        }
        self.begin(from);
        let mut here = from;
        let mut value = self.value(&all.value, &mut here);
        if self.loads(&all.value) {
            value = self.save(value, &mut here);
        }
        let resets = self.resets_of_statement();
        self.enter_switch(stmt, to);
        // Control goes on into the next case, so the last one comes first.
        let mut next = to;
        let mut blocks = Vec::new();
        for case in all.cases.iter().rev() {
            let pieces = self.open(&case.block, next);
            let entry = self.entry(&pieces, next);
            blocks.push((pieces, entry, next));
            next = entry;
        }
        blocks.reverse();
        let mut known = HashMap::new();
        let mut none = Expr::TRUE;
        let mut otherwise = (to, all.head);
        let mut steps = Vec::new();
        for (case, (_, entry, _)) in all.cases.iter().zip(&blocks) {
            let mut guard: Option<Expr> = None;
            for label in &case.labels {
                match self.case_guard(label, &value, &mut known) {
                    Some(one) => guard = Some(guard.map_or(one.clone(), |g| or(g, one))),
                    None if label.values.is_none() => otherwise = (*entry, label.span),
                    None => {}
                }
            }
            if let Some(guard) = guard {
                none = none.and(guard.clone().not());
                steps.push((guard, *entry, case.labels[0].span));
            }
        }
        steps.push((none, otherwise.0, otherwise.1));
        for (guard, target, span) in steps {
            if guard != Expr::Const(0) {
                let effects = resets.clone().into_iter().collect();
                self.step(here, guard, Mode::Plain, effects, Control::Goto(target), span);
            }
        }
        for (pieces, entry, next) in &blocks {
            self.list(pieces, *entry, *next);
        }
        self.leave_loop();
    }

    /// Whether a value belongs to a case; nothing for `default` and after a mistake.
    fn case_guard(
        &mut self,
        label: &CaseLabel,
        value: &Expr,
        known: &mut HashMap<Option<i64>, Span>,
    ) -> Option<Expr> {
        let Some((low, high)) = &label.values else {
            self.case_once(None, label.span, known);
            return None;
        };
        let from = self.cx.constant(low)?;
        let to = match high {
            Some(high) => self.cx.constant(high)?,
            None => from,
        };
        if from > to {
            self.cx.empty_range(from, to, label.span);
            return None;
        }
        let count = i128::from(to) - i128::from(from) + 1;
        if count + known.len() as i128 > MOST_CASES as i128 {
            let message = format!("the cases of this `switch` have more than {MOST_CASES} values");
            let found = Diagnostic::error(codes::TOO_MANY_CHOICES, message, label.span);
            self.cx.report(found.label("too many here").help("use `if` for a large range"));
            return None;
        }
        for one in from..=to {
            self.case_once(Some(one), label.span, known);
        }
        let value = || value.clone();
        Some(match from == to {
            true => value().equals(Expr::Const(from)),
            false => {
                let low = Expr::binary(BinaryOp::Le, Expr::Const(from), value());
                low.and(Expr::binary(BinaryOp::Le, value(), Expr::Const(to)))
            }
        })
    }

    fn case_once(
        &mut self,
        value: Option<i64>,
        span: Span,
        known: &mut HashMap<Option<i64>, Span>,
    ) {
        let Some(first) = known.insert(value, span) else { return };
        let message = match value {
            Some(value) => format!("the value {value} has two cases"),
            None => "this `switch` has two `default`s".into(),
        };
        let found = Diagnostic::error(codes::DECLARED_TWICE, message, span);
        self.cx.report(found.label("again here").related(first, "first here"));
    }
}

fn or(a: Expr, b: Expr) -> Expr {
    Expr::binary(BinaryOp::Or, a, b)
}

fn is_nothing(stmt: &Stmt) -> bool {
    matches!(stmt.kind, StmtKind::Nothing)
}
