//! Fairness of memory as a part of formulas.
//!
//! The process MM may stay idle for ever, and then a write would wait for ever, which no machine does. The
//! thesis lets only those runs count in which nothing does: instead of *f* it checks *V* -> *f*, where *V* is
//! GF ¬i(g, p) for every shared variable g and process p. For invariants it changes nothing.

use super::slots::{Names, Slots};
use super::tree::waits;
use crate::ast::{Definition, Expr, Formula, Model, Name};
use crate::claims::lines::{Line, lines};
use taut_source::Span;

/// A proposition for each pair of an element and a process: that a value waits.
pub(super) struct Waiting(Vec<(String, Expr)>);

impl Waiting {
    pub(super) fn new(slots: &Slots<'_>, names: &mut Names) -> Waiting {
        let named = |(cell, process): (super::slots::Cell, usize)| {
            let global = slots.globals[cell.global];
            let element = global.length.map(|_| format!("_{}", cell.element)).unwrap_or_default();
            let owner = &slots.processes[process].name.text;
            // DiVinE takes capital letters in formulas for operators.
            let wanted = format!("waits_{}{element}_{owner}", global.name.text).to_lowercase();
            (names.fresh(&wanted), waits(slots, cell, process, 1))
        };
        Waiting(slots.pairs().map(named).collect())
    }

    /// The formula under the condition that nothing waits for ever.
    fn under_fairness(&self, formula: &str) -> String {
        if self.0.is_empty() {
            return formula.into();
        }
        let each: Vec<_> = self.0.iter().map(|(name, _)| format!("GF !{name}")).collect();
        format!("({}) -> ({formula})", each.join(" && "))
    }

    /// The formulas that stand in the model itself, and the conditions that they name.
    pub(super) fn in_model(&self, model: &Model) -> (Vec<Definition>, Vec<Formula>) {
        let mut definitions = model.expressions.clone();
        definitions.extend(self.0.iter().map(|(name, expr)| {
            let (name, expr) = (Name::new(name), expr.clone());
            Definition { name, expr, span: Span::NONE }
        }));
        let formula = |f: &Formula| Formula { text: self.under_fairness(&f.text), ..f.clone() };
        (definitions, model.formulas.iter().map(formula).collect())
    }
}

/// A file of formulas about `model` as one about [`super::with_buffers`] of it: each formula under the
/// condition that no write waits for ever, with a `#define` for every pair before all else. Propositions
/// have no capital letters and new names.
///
/// What is wrong in the file stays as it is, for its reader to say.
pub fn fair_ltl(text: &str, model: &Model) -> String {
    let (slots, mut names) = Slots::of(model);
    let lines = lines(text);
    for line in &lines {
        if let Line::Define { name, .. } = line {
            names.take(&text[name.clone()]);
        }
    }
    let waiting = Waiting::new(&slots, &mut names);
    let mut out = String::new();
    for (name, expr) in &waiting.0 {
        out.push_str(&format!("#define {name} ({})\n", crate::print::print_expr(expr)));
    }
    let mut copied = 0;
    for line in lines {
        let (Line::Property { formula } | Line::Named { formula, .. }) = line else { continue };
        let before = &text[copied..formula.start];
        out.push_str(before);
        // A file that is one formula becomes one with definitions, where formulas are marked.
        if text[..formula.start].trim().is_empty() && !waiting.0.is_empty() {
            out.push_str("#property ");
        }
        out.push_str(&waiting.under_fairness(&text[formula.clone()]));
        copied = formula.end;
    }
    out.push_str(&text[copied..]);
    out
}
