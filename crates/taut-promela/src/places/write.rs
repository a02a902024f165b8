//! From a plain store to the text of an atomic write.

use logos::Logos;
use taut_source::{Replacement, SourceMap, Span, WritePoint};

use super::edit::apart;
use crate::ast::{Gap, Reference, Type};
use crate::token::Kind;
use crate::{Binding, Symbols};

/// A store that changes what a variable holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Store {
    /// `x = e`
    Assign,
    /// `x++` or `x--`, with the operator that says it in full.
    Step(char),
    /// Linden and Wolper's `store(x, e)`
    Call,
}

/// A statement with the gaps around it.
#[derive(Clone, Copy)]
pub(super) struct Around<'g> {
    pub before: &'g Gap,
    pub after: &'g Gap,
    /// The place that its steps have.
    pub step: Span,
    /// Whether a label stands before it, in the same gaps.
    pub labelled: bool,
}

/// A store as an atomic write; none if its text is not all there, because a macro brings a part of it.
pub(super) fn atomic(map: &SourceMap, store: Store, around: Around<'_>) -> Option<WritePoint> {
    let span = text_of(around)?;
    let text = map.text(span);
    let (variable, new) = match store {
        Store::Assign => {
            let (left, right) = split(text, Kind::Assign)?;
            (left, format!("ATOMIC_WRITE({left}, {right})"))
        }
        Store::Step(sign) => {
            let kind = if sign == '+' { Kind::Increment } else { Kind::Decrement };
            let (left, rest) = split(text, kind)?;
            let new = format!("ATOMIC_WRITE({left}, {left} {sign} 1)");
            (left, rest.is_empty().then_some(new)?)
        }
        Store::Call => {
            let arguments = text.strip_prefix("store")?.trim_start();
            let inside = arguments.strip_prefix('(')?.strip_suffix(')')?;
            (split(inside, Kind::Comma)?.0, format!("ATOMIC_WRITE{arguments}"))
        }
    };
    let edits = vec![Replacement { span, text: new }];
    Some(WritePoint { span, steps: vec![around.step], variable: variable.into(), edits })
}

/// The text of a statement, without its labels.
fn text_of(around: Around<'_>) -> Option<Span> {
    let (first, last) = (around.before.next, around.after.last);
    let next = around.after.separator.map_or(around.after.next, |s| s.site);
    let before = around.before.separator.map_or(around.before.last, |s| s.site);
    if first.file != last.file || !apart(before, first) || !apart(last, next) {
        return None;
    }
    let whole = Span { end: last.end, ..first };
    if !around.labelled {
        return Some(whole);
    }
    let step = around.step;
    let inside = step.file == whole.file && (whole.start..whole.end).contains(&step.start);
    inside.then_some(Span { start: step.start, ..whole })
}

/// A text before and after the first word of a kind that stands in no parentheses, if the text is balanced.
fn split(text: &str, wanted: Kind) -> Option<(&str, &str)> {
    let mut depth = 0i32;
    let mut found = None;
    let mut lexer = Kind::lexer(text);
    while let Some(kind) = lexer.next() {
        match kind.ok()? {
            Kind::LeftParen | Kind::LeftBracket => depth += 1,
            Kind::RightParen | Kind::RightBracket => depth -= 1,
            Kind::LineComment | Kind::BlockComment => return None,
            kind if kind == wanted && depth == 0 && found.is_none() => found = Some(lexer.span()),
            _ => {}
        }
    }
    let found = found.filter(|_| depth == 0)?;
    let left = text[..found.start].trim();
    (!left.is_empty()).then_some((left, text[found.end..].trim()))
}

/// Whether stores to a variable wait in buffers.
pub(super) fn is_buffered(symbols: &Symbols, reference: &Reference) -> bool {
    let Binding::Variable(id) = symbols.binding(reference) else { return false };
    let variable = symbols.variable(id);
    if variable.owner.is_some() || variable.ghost {
        return false;
    }
    let mut ty = &variable.ty;
    for part in &reference.parts[1..] {
        let Type::User(name) = ty else { break };
        let fields = symbols.typedef(&name.text).map_or(&[][..], |t| &t.fields);
        match fields.iter().find(|field| field.name == part.name.text) {
            Some(field) => ty = &field.ty,
            None => break,
        }
    }
    *ty != Type::Chan
}
