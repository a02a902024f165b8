//! How the source says the conditions of claims.
//!
//! A report shows the truth of each condition of a claim, step by step, and so needs a short text for it: the
//! one the user wrote, with macros as they stand there. A part of what a macro stands for has no text of its
//! own in the source (`#define p !(x == 1)` makes `x == 1` of `p`); who asks prints the tree then.

use std::collections::HashMap;

use taut_source::{SourceMap, Span};

use crate::ast::*;
use crate::claim::Extra;

/// The longest text that is taken from the source.
const LONGEST: usize = 200;

/// The texts of all conditions of all claims, by their place.
pub(crate) fn of(map: &SourceMap, model: &Model, extra: &[Extra]) -> HashMap<Span, String> {
    let mut texts = Texts { map, found: HashMap::new() };
    for item in &model.items {
        match item {
            Item::Never(never) => texts.sequence(&never.body),
            Item::Ltl(ltl) => texts.formula(&ltl.formula),
            _ => {}
        }
    }
    for claim in extra {
        match claim {
            Extra::Formula(ltl) => texts.formula(&ltl.formula),
            Extra::Automaton { propositions, .. } => {
                propositions.iter().for_each(|e| texts.leaf(e))
            }
        }
    }
    texts.found
}

struct Texts<'m> {
    map: &'m SourceMap,
    found: HashMap<Span, String>,
}

impl Texts<'_> {
    fn formula(&mut self, formula: &Formula) {
        formula.leaves().for_each(|e| self.condition(e));
    }

    fn sequence(&mut self, sequence: &Sequence) {
        sequence.steps.iter().for_each(|s| self.statement(s));
    }

    fn statement(&mut self, statement: &Statement) {
        match &statement.kind {
            StatementKind::Condition(e) | StatementKind::Assert(e) => self.condition(e),
            StatementKind::Label(_, inner) => inner.iter().for_each(|s| self.statement(s)),
            StatementKind::Unless(a, b) => {
                self.statement(a);
                self.statement(b);
            }
            StatementKind::If(options) | StatementKind::Do(options) => {
                options.iter().for_each(|o| self.sequence(o));
            }
            StatementKind::Atomic(body)
            | StatementKind::DStep(body)
            | StatementKind::Block(body)
            | StatementKind::Call(Call { body, .. }) => self.sequence(body),
            _ => {}
        }
    }

    /// Goes down to the parts without a boolean operator. A part with the place of the whole comes out of the
    /// same macro, and the text there says something else.
    fn condition(&mut self, e: &Expr) {
        let parts = match &e.kind {
            ExprKind::Unary(Unary::Not, a) => vec![a],
            ExprKind::Binary(Binary::And | Binary::Or, a, b) => vec![a, b],
            _ => return self.leaf(e),
        };
        parts.into_iter().filter(|part| part.at.0 != e.at.0).for_each(|part| self.condition(part));
    }

    fn leaf(&mut self, e: &Expr) {
        if let Some(text) = text(self.map, e.at.0) {
            self.found.insert(e.at.0, text);
        }
    }
}

/// The text at a place, on one line and without parentheses around it; with what closes the parentheses that are
/// open there: tokens out of a macro have the place of its name, so its arguments may be cut off.
fn text(map: &SourceMap, span: Span) -> Option<String> {
    if span.is_none() {
        return None;
    }
    let source = map.get(span.file)?.text();
    let (start, end) = (span.start as usize, span.end as usize);
    let slice = source.get(start..end)?;
    let word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let call = slice.ends_with(word) && source[end..].starts_with('(');
    let end = match open_after(slice)? {
        0 if !call => end,
        open => end + closed(&source[end..], open)?,
    };
    let slice = &source[start..end];
    if slice.len() > LONGEST || slice.contains("/*") || slice.contains("//") {
        return None;
    }
    let line = slice.split_whitespace().collect::<Vec<_>>().join(" ");
    Some(bare(&line).to_owned()).filter(|text| !text.is_empty())
}

/// How many parentheses are open after a text; none if one closes that was not open.
fn open_after(text: &str) -> Option<usize> {
    text.chars().try_fold(0usize, |open, c| match c {
        '(' => Some(open + 1),
        ')' => open.checked_sub(1),
        _ => Some(open),
    })
}

/// Where a text has closed so many open parentheses, and those it opens before that.
fn closed(text: &str, mut open: usize) -> Option<usize> {
    for (index, c) in text.char_indices().take(LONGEST) {
        match c {
            '(' => open += 1,
            ')' if open == 1 => return Some(index + 1),
            ')' => open = open.checked_sub(1)?,
            _ => {}
        }
    }
    None
}

/// A text without the parentheses around the whole of it.
fn bare(text: &str) -> &str {
    let text = text.trim();
    match text.starts_with('(') && closed(text, 0) == Some(text.len()) {
        true => bare(&text[1..text.len() - 1]),
        false => text,
    }
}
