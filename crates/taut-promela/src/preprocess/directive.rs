//! Lines that begin with `#`.

use std::rc::Rc;

use taut_source::{Diagnostic, Span};

use super::{Conditional, Macro, Preprocessor};
use crate::codes;
use crate::token::{Kind, PROPERTY, Token};
use taut_source::nearest;

/// The directives there are.
const DIRECTIVES: &[&str] = &[
    "define", "undef", "include", "if", "ifdef", "ifndef", "elif", "else", "endif", "error",
    "warning", "line", "pragma", "ident",
];

/// How deep `#if` may be nested.
const DEEPEST_IF: usize = 256;

impl Preprocessor<'_> {
    /// Obeys a directive: `hash` is the place of the `#`, `line` what follows it.
    pub(super) fn directive(&mut self, hash: Span, line: &[Token], stack: &mut Vec<Conditional>) {
        let Some(first) = line.first() else { return };
        // `# 12 "file"`: where text came from before another preprocessor saw it.
        if first.kind == Kind::Number {
            return;
        }
        let rest = &line[1..];
        let span = Span { start: hash.start, ..first.span };
        if self.conditional(&first.text, span, rest, stack) || !stack.iter().all(|c| c.active) {
            return;
        }
        match &*first.text {
            "define" => self.define(span, rest),
            "undef" => match rest.first() {
                Some(name) if name.kind == Kind::Ident => drop(self.macros.remove(&name.text)),
                _ => self.bad(span, "`#undef` needs the name of a macro"),
            },
            "include" => self.include_line(span, rest),
            "error" => {
                let text = words(rest);
                self.report(
                    Diagnostic::error(
                        codes::ERROR_DIRECTIVE,
                        format!("the model says: {text}"),
                        span,
                    )
                    .label("here"),
                );
            }
            "property" if self.properties => self.property(span, rest),
            "warning" | "line" | "pragma" | "ident" => {}
            other => self.unknown(other, span),
        }
    }

    /// Obeys the directives that keep or drop lines; false if it is none of them.
    fn conditional(
        &mut self,
        name: &str,
        span: Span,
        rest: &[Token],
        stack: &mut Vec<Conditional>,
    ) -> bool {
        let outer = stack.iter().all(|c| c.active);
        match name {
            "if" | "ifdef" | "ifndef" if stack.len() >= DEEPEST_IF => {
                let message = format!("`#if` is nested more than {DEEPEST_IF} deep");
                self.stopped = true;
                self.report(Diagnostic::error(codes::UNBALANCED_IF, message, span).label("here"));
            }
            "if" | "ifdef" | "ifndef" => {
                let active = outer && self.opens(name, span, rest);
                stack.push(Conditional { span, active, taken: active, last: false });
            }
            "elif" | "else" => {
                let around = stack.iter().rev().skip(1).all(|c| c.active);
                let Some(top) = stack.last_mut().filter(|c| !c.last) else {
                    self.unpaired(name, span);
                    return true;
                };
                let mut open = around && !top.taken;
                top.last = name == "else";
                if name == "elif" && open {
                    open = self.condition(span, rest);
                }
                top.active = open;
                top.taken |= open;
            }
            "endif" => {
                if stack.pop().is_none() {
                    self.unpaired(name, span);
                }
            }
            _ => return false,
        }
        true
    }

    /// Whether an `#if`, `#ifdef` or `#ifndef` keeps its lines.
    fn opens(&mut self, name: &str, span: Span, rest: &[Token]) -> bool {
        if name == "if" {
            return self.condition(span, rest);
        }
        match rest.first() {
            Some(word) if word.kind == Kind::Ident => {
                self.macros.contains_key(&word.text) == (name == "ifdef")
            }
            _ => {
                self.bad(span, &format!("`#{name}` needs the name of a macro"));
                false
            }
        }
    }

    /// Reports an `#else`, `#elif` or `#endif` without its `#if`.
    fn unpaired(&mut self, name: &str, span: Span) {
        let message = format!("`#{name}` without an `#if`");
        self.report(
            Diagnostic::error(codes::UNBALANCED_IF, message, span).label("nothing is open here"),
        );
    }

    /// Reports a directive that is not understood.
    fn bad(&mut self, span: Span, message: &str) {
        self.report(Diagnostic::error(codes::BAD_DIRECTIVE, message, span).label("here"));
    }

    /// Reports a directive that does not exist.
    fn unknown(&mut self, name: &str, span: Span) {
        let mut d = Diagnostic::error(
            codes::BAD_DIRECTIVE,
            format!("there is no directive `#{name}`"),
            span,
        )
        .label("unknown");
        if let Some(near) = nearest(name, DIRECTIVES.iter().copied()) {
            d = d.help(format!("did you mean `#{near}`?"));
        }
        self.report(d);
    }

    /// `#include "file"` or `#include <file>`.
    fn include_line(&mut self, span: Span, rest: &[Token]) {
        let path = match rest {
            [one] if one.kind == Kind::Str => one.text[1..one.text.len() - 1].to_string(),
            [first, inner @ .., last] if first.kind == Kind::Less && last.kind == Kind::Greater => {
                words(inner).replace(' ', "")
            }
            _ => return self.bad(span, "`#include` needs a file name in quotes"),
        };
        let place = rest[0].span;
        let place = Span { end: rest[rest.len() - 1].span.end.max(place.end), ..place };
        self.include(place, &path);
    }

    /// `#property f`, as in DVE's files: a formula, marked by a word that nobody can write.
    fn property(&mut self, span: Span, rest: &[Token]) {
        let mark = Token {
            kind: Kind::Keyword,
            text: self.interner.get(PROPERTY),
            ..Token::eof("", span)
        };
        self.text(std::iter::once(mark).chain(rest.iter().cloned()).collect());
    }

    /// `#define`: `line` begins with the name.
    pub(super) fn define(&mut self, span: Span, line: &[Token]) {
        let Some(name) = line.first().filter(|t| t.kind == Kind::Ident) else {
            return self.bad(span, "`#define` needs a name");
        };
        let mut body = &line[1..];
        let mut variadic = false;
        let mut parameters = None;
        if body.first().is_some_and(|t| t.kind == Kind::LeftParen && !t.space) {
            let Some(close) = body.iter().position(|t| t.kind == Kind::RightParen) else {
                return self.bad(name.span, "the parameters of this macro never end");
            };
            match parse_parameters(&body[1..close]) {
                Some((names, more)) => (parameters, variadic) = (Some(names), more),
                None => {
                    return self
                        .bad(name.span, "the parameters of a macro are names between commas");
                }
            }
            body = &body[close + 1..];
        }
        let new = Macro {
            name: name.text.clone(),
            span: name.span,
            parameters,
            variadic,
            body: body.to_vec(),
        };
        self.redefined(&new);
        self.macros.insert(name.text.clone(), Rc::new(new));
    }

    /// Warns, as cpp does, of a macro that gets a second meaning.
    fn redefined(&mut self, new: &Macro) {
        let Some(old) = self.macros.get(&new.name) else { return };
        let texts = |m: &Macro| m.body.iter().map(|t| t.text.clone()).collect::<Vec<_>>();
        if texts(old) == texts(new) && old.parameters == new.parameters {
            return;
        }
        let message = format!("the macro `{}` gets a second meaning", new.name);
        let first = old.span;
        self.diagnostics.push(
            Diagnostic::warning(codes::MACRO_REDEFINED, message, new.span)
                .label("this one is used from here on")
                .related(first, "first defined here"),
        );
    }
}

/// The names between the parentheses of a macro's parameters, and whether the last takes all the rest.
fn parse_parameters(tokens: &[Token]) -> Option<(Vec<Rc<str>>, bool)> {
    let mut names: Vec<Rc<str>> = Vec::new();
    if tokens.is_empty() {
        return Some((names, false));
    }
    for part in tokens.split(|t| t.kind == Kind::Comma) {
        match part {
            [name] if name.kind == Kind::Ident => names.push(name.text.clone()),
            [a, b] if a.kind == Kind::DotDot && b.kind == Kind::Dot => {
                names.push("__VA_ARGS__".into());
                return Some((names, true));
            }
            _ => return None,
        }
    }
    Some((names, false))
}

/// Tokens as text, a blank where there was one.
pub(super) fn words(tokens: &[Token]) -> String {
    let mut text = String::new();
    for (index, token) in tokens.iter().enumerate() {
        if index > 0 && token.space {
            text.push(' ');
        }
        text.push_str(&token.text);
    }
    text
}
