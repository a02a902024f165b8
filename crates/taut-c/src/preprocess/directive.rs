//! Lines that begin with `#`.

use std::sync::Arc;

use taut_source::{Diagnostic, Span, nearest};

use super::expand::{Macro, Part, is_special};
use super::token::{Kind, Symbol, Token, sym};
use super::{Conditional, DEEPEST_IF, Preprocessor};
use crate::codes;

/// The directives there are.
const DIRECTIVES: &[&str] = &[
    "define",
    "undef",
    "include",
    "include_next",
    "if",
    "ifdef",
    "ifndef",
    "elif",
    "elifdef",
    "elifndef",
    "else",
    "endif",
    "error",
    "warning",
    "line",
    "pragma",
    "ident",
    "sccs",
];

impl Preprocessor<'_> {
    /// Obeys a directive: `hash` is the place of the `#`, `line` the tokens after it.
    pub(super) fn directive(&mut self, hash: Span, line: &[Token], stack: &mut Vec<Conditional>) {
        let Some(first) = line.first() else { return };
        // `# 12 "file"`: where text came from before another preprocessor saw it.
        if first.kind == Kind::Number {
            return;
        }
        let (name, rest) = (self.interner.shared(first.text), &line[1..]);
        let span = Span { start: hash.start, ..first.span };
        if self.conditional(&name, span, rest, stack) || !stack.last().is_none_or(|c| c.active) {
            return;
        }
        match &*name {
            "define" => {
                self.flush();
                self.define(span, rest);
            }
            "undef" => {
                self.flush();
                self.undefine(span, rest);
            }
            "include" | "include_next" | "import" => {
                self.flush();
                self.include_line(span, rest, &*name == "include_next");
            }
            "error" => self.said(Diagnostic::error, codes::ERROR_DIRECTIVE, span, rest),
            "warning" => self.said(Diagnostic::warning, codes::WARNING_DIRECTIVE, span, rest),
            "pragma" => self.pragma(rest),
            "line" | "ident" | "sccs" => {}
            other => self.unknown(other, span),
        }
    }

    /// `#error` and `#warning`.
    fn said(
        &mut self,
        severity: fn(&'static str, String, Span) -> Diagnostic,
        code: &'static str,
        span: Span,
        rest: &[Token],
    ) {
        let message = format!("the program says: {}", self.words(rest));
        self.report(
            severity(code, message, span).label("here").help(
                "the line is reached with the macros that are defined; define others with `-D`",
            ),
        );
    }

    /// Obeys the directives that keep or drop lines; false if it is none of them.
    fn conditional(
        &mut self,
        name: &str,
        span: Span,
        rest: &[Token],
        stack: &mut Vec<Conditional>,
    ) -> bool {
        let outer = stack.last().is_none_or(|c| c.active);
        match name {
            "if" | "ifdef" | "ifndef" if stack.len() >= DEEPEST_IF => {
                self.stopped = true;
                let message = format!("`#if` is nested more than {DEEPEST_IF} deep");
                let found = Diagnostic::error(codes::UNBALANCED_IF, message, span);
                self.report(found.label("too deep here").help("use fewer levels"));
            }
            "if" | "ifdef" | "ifndef" => {
                let active = outer && self.opens(name, span, rest);
                // Nothing inside of a dropped part is ever kept.
                stack.push(Conditional { span, active, taken: active || !outer, last: false });
            }
            "elif" | "elifdef" | "elifndef" | "else" => {
                let Some(top) = stack.last_mut().filter(|c| !c.last) else {
                    self.unpaired(name, span);
                    return true;
                };
                let mut open = !top.taken;
                top.last = name == "else";
                if open && name != "else" {
                    open = self.opens(&name[2..], span, rest);
                }
                let Some(top) = stack.last_mut() else { return true };
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
        match rest.first().and_then(Token::name) {
            Some(word) => self.is_defined(word) == (name == "ifdef"),
            None => {
                self.bad(span, format!("`#{name}` needs the name of a macro"));
                false
            }
        }
    }

    fn unpaired(&mut self, name: &str, span: Span) {
        let message = format!("`#{name}` without an `#if`");
        let found = Diagnostic::error(codes::UNBALANCED_IF, message, span);
        self.report(found.label("no `#if` is open here").help("remove the line, or add the `#if`"));
    }

    /// Reports a directive that is not understood.
    fn bad(&mut self, span: Span, message: String) {
        self.report(Diagnostic::error(codes::BAD_DIRECTIVE, message, span).label("here"));
    }

    fn unknown(&mut self, name: &str, span: Span) {
        let message = format!("there is no directive `#{name}`");
        let found = Diagnostic::error(codes::BAD_DIRECTIVE, message, span).label("unknown");
        self.report(match nearest(name, DIRECTIVES.iter().copied()) {
            Some(near) => found.help(format!("did you mean `#{near}`?")),
            None => found,
        });
    }

    /// `#pragma once`; other pragmas are for compilers.
    fn pragma(&mut self, rest: &[Token]) {
        if rest.first().is_some_and(|word| self.text(word) == "once") {
            self.once.extend(self.open.last().copied());
        }
    }

    fn undefine(&mut self, span: Span, rest: &[Token]) {
        let Some(name) = rest.first().and_then(Token::name) else {
            return self.bad(span, "`#undef` needs the name of a macro".into());
        };
        if let Some(slot) = self.macros.get_mut(name.index()) {
            *slot = None;
        }
    }

    /// `#define`: `line` begins with the name.
    pub(super) fn define(&mut self, span: Span, line: &[Token]) {
        let Some(head) = line.first().filter(|t| t.kind == Kind::Ident) else {
            return self.bad(span, "`#define` needs a name".into());
        };
        if head.text == sym::DEFINED || is_special(head.text) {
            let message = format!("`{}` cannot be defined", self.text(head));
            return self.bad(head.span, message);
        }
        let (mut body, mut parameters) = (&line[1..], None);
        let mut variadic = false;
        if body.first().is_some_and(|t| t.is(sym::OPEN) && !t.space) {
            let Some(close) = body.iter().position(|t| t.is(sym::CLOSE)) else {
                return self.bad(head.span, "the parameters of this macro never end".into());
            };
            let Some((names, rest)) = self.parameters(&body[1..close]) else { return };
            (parameters, variadic) = (Some(names), rest);
            body = &body[close + 1..];
        }
        let body = with_parameters(body, parameters.as_deref().unwrap_or(&[]));
        let found = Macro { name: head.text, span: head.span, parameters, variadic, body };
        if self.body_is_right(&found) {
            self.keep(found);
        }
    }

    /// The parameters of a macro, and whether the last one takes all further arguments.
    fn parameters(&mut self, tokens: &[Token]) -> Option<(Vec<Symbol>, bool)> {
        let mut names: Vec<Symbol> = Vec::new();
        if tokens.is_empty() {
            return Some((names, false));
        }
        let mut variadic = false;
        for (index, one) in tokens.split(|t| t.is(sym::COMMA)).enumerate() {
            let name = match one {
                [dots] if dots.is(sym::ELLIPSIS) => (sym::VA_ARGS, true),
                [name, dots] if name.kind == Kind::Ident && dots.is(sym::ELLIPSIS) => {
                    (name.text, true)
                }
                [name] if name.kind == Kind::Ident => (name.text, false),
                _ => (sym::EMPTY, false),
            };
            if name.0 == sym::EMPTY || variadic || names.contains(&name.0) || index > 255 {
                let place = one.first().unwrap_or(&tokens[0]).span;
                let message = "parameters of a macro are different names with commas between them";
                self.bad(place, message.into());
                return None;
            }
            variadic = name.1;
            names.push(name.0);
        }
        Some((names, variadic))
    }

    /// Whether `#` and `##` have their operands.
    fn body_is_right(&mut self, found: &Macro) -> bool {
        let body = &found.body;
        let paste = |part: Option<&Part>| part.is_some_and(|part| part.token.is(sym::PASTE));
        if paste(body.first()) || paste(body.last()) {
            self.bad(found.span, "`##` cannot stand at an end of a macro's body".into());
            return false;
        }
        let next = |at: usize| body.get(at + 1);
        let lonely = body.iter().enumerate().find(|(at, part)| {
            let operand = |p: &Part| p.parameter.is_some() || p.token.is(sym::VA_OPT);
            part.token.kind == Kind::Punct
                && part.token.is(sym::HASH)
                && !next(*at).is_some_and(operand)
        });
        let Some((_, part)) = lonely.filter(|_| found.parameters.is_some()) else { return true };
        let span = part.token.span;
        self.bad(span, "`#` needs a parameter of the macro after it".into());
        false
    }

    /// Keeps a macro. Another meaning for a macro of the user's own is worth a warning.
    fn keep(&mut self, found: Macro) {
        let index = found.name.index();
        if self.macros.len() <= index {
            self.macros.resize(index + 1, None);
        }
        if let Some(old) = &self.macros[index] {
            let own = |file| self.built_in.contains(&file);
            if !own(old.span.file) && !own(found.span.file) && !same(old, &found) {
                let name = self.interner.text(found.name);
                let message = format!("`{name}` is defined again with another meaning");
                let warning = Diagnostic::warning(codes::MACRO_REDEFINED, message, found.span)
                    .label("defined again here")
                    .related(old.span, "first defined here")
                    .help(format!("`#undef {name}` in between says that it is meant"));
                self.diagnostics.push(warning);
            }
        }
        self.macros[index] = Some(Arc::new(found));
    }

    /// Tokens as text.
    pub(super) fn words(&self, tokens: &[Token]) -> String {
        let mut text = String::new();
        for token in tokens {
            if token.space && !text.is_empty() {
                text.push(' ');
            }
            text.push_str(self.text(token));
        }
        text
    }
}

/// A body in which the parameters are known.
fn with_parameters(body: &[Token], parameters: &[Symbol]) -> Vec<Part> {
    let number = |token: &Token| parameters.iter().position(|name| Some(*name) == token.name());
    let part = |token: &Token| Part { token: *token, parameter: number(token).map(|n| n as u16) };
    body.iter().map(part).collect()
}

/// Whether two macros have the same parameters and the same body.
fn same(a: &Macro, b: &Macro) -> bool {
    let tokens = |m: &Macro| m.body.iter().map(|p| p.token.text).collect::<Vec<_>>();
    a.parameters == b.parameters && a.variadic == b.variadic && tokens(a) == tokens(b)
}
