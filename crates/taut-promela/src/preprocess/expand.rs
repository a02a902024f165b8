//! Macro expansion.
//!
//! The pending tokens are a stack, the next one on top. A macro's use is taken off and its body is put on,
//! each token of it hidden from the macros it came out of; so what is produced is looked at again, together
//! with what follows, as C has it.

use std::rc::Rc;

use taut_source::{Diagnostic, Span};

use super::directive::words;
use super::{Macro, Preprocessor, Use};
use crate::codes;
use crate::token::{Hide, Kind, Token, hides};

/// The most tokens all expansions of one model may produce.
const MOST_PRODUCED: usize = 1 << 20;
/// How deep macro calls may stand in the arguments of macro calls, and macros in macros.
const DEEPEST: usize = 128;

/// One call of a function-like macro: its arguments as written.
struct Call {
    arguments: Vec<Vec<Token>>,
    /// Whether the call spans several lines.
    lines: bool,
    /// The closing parenthesis.
    close: Span,
}

impl Preprocessor<'_> {
    /// Expands all macros in a list of tokens; ends of lines become marks on the tokens after them.
    pub(super) fn expand(&mut self, mut tokens: Vec<Token>, depth: usize) -> Vec<Token> {
        tokens.reverse();
        let mut pending = tokens;
        let mut done: Vec<Token> = Vec::new();
        while let Some(token) = pending.pop() {
            if token.kind == Kind::Newline {
                continue;
            }
            let known = match token.kind {
                Kind::Ident if !hides(token.hide.as_ref(), &token.text) => {
                    self.macros.get(&token.text)
                }
                _ => None,
            };
            match known.cloned() {
                Some(known) if !self.stopped => {
                    if let Some(plain) = self.replace(token, &known, &mut pending, depth) {
                        done.push(plain);
                    }
                }
                _ => done.push(token),
            }
        }
        done
    }

    /// Replaces one use of a macro; the token comes back if it is no use after all.
    fn replace(
        &mut self,
        token: Token,
        known: &Rc<Macro>,
        pending: &mut Vec<Token>,
        depth: usize,
    ) -> Option<Token> {
        taut_budget::tick();
        let call = match &known.parameters {
            None => None,
            Some(parameters) => {
                let next = pending.iter().rev().find(|t| t.kind != Kind::Newline);
                if next.is_none_or(|t| t.kind != Kind::LeftParen) {
                    return Some(token);
                }
                let mut call = self.call(&token, known, pending)?;
                if !self.fits(&token, known, parameters.len(), &mut call) {
                    return None;
                }
                Some(call)
            }
        };
        if !self.allowed(&token, known, depth) {
            return None;
        }
        self.uses
            .entry(token.span)
            .or_insert_with(|| Use { name: known.name.clone(), defined: known.span });
        let lines = call.as_ref().is_some_and(|c| c.lines);
        let close = call.as_ref().map_or(token.site, |c| c.close);
        let mut body = self.body(&token, known, call, depth);
        let site = if close.file == token.site.file { token.site.to(close) } else { token.site };
        body.iter_mut().for_each(|produced| produced.site = site);
        self.produced += body.len();
        if lines && let Some(after) = pending.last_mut() {
            after.newline = true;
        }
        pending.extend(body.into_iter().rev());
        None
    }

    /// Whether the limits allow one more expansion; reports and stops otherwise.
    fn allowed(&mut self, token: &Token, known: &Macro, depth: usize) -> bool {
        let mut level = depth;
        let mut hide = token.hide.as_ref();
        while let Some(one) = hide {
            level += 1;
            hide = one.outer.as_ref();
        }
        if level < DEEPEST && self.produced < MOST_PRODUCED {
            return true;
        }
        if std::mem::replace(&mut self.stopped, true) {
            return false;
        }
        let message = match level < DEEPEST {
            true => format!("macros expand to more than {MOST_PRODUCED} words"),
            false => format!("macros are nested more than {DEEPEST} deep"),
        };
        self.report(
            Diagnostic::error(codes::MACRO_LIMIT, message, token.span)
                .label(format!("the limit is met in the macro `{}`", known.name)),
        );
        false
    }

    /// Takes the arguments of a call off the pending tokens; none, with a message, if they never end.
    fn call(&mut self, token: &Token, known: &Macro, pending: &mut Vec<Token>) -> Option<Call> {
        let mut call = Call { arguments: vec![Vec::new()], lines: false, close: token.site };
        let mut nesting = 0;
        while let Some(next) = pending.pop() {
            match next.kind {
                Kind::Newline => {
                    call.lines = true;
                    continue;
                }
                Kind::LeftParen => nesting += 1,
                Kind::RightParen => nesting -= 1,
                Kind::Comma if nesting == 1 => {
                    call.arguments.push(Vec::new());
                    continue;
                }
                _ => {}
            }
            match nesting {
                0 => {
                    call.close = next.site;
                    return Some(call);
                }
                1 if next.kind == Kind::LeftParen && call.is_fresh() => {}
                _ => call.arguments.last_mut().expect("one argument at least").push(next),
            }
        }
        let message = format!("this call of the macro `{}` never ends", known.name);
        self.report(
            Diagnostic::error(codes::MACRO_ARGUMENTS, message, token.span)
                .label("its `)` is missing")
                .related(known.span, "the macro is defined here"),
        );
        None
    }

    /// Whether a call has as many arguments as its macro has parameters; reports if not.
    fn fits(&mut self, token: &Token, known: &Macro, wanted: usize, call: &mut Call) -> bool {
        if wanted == 0 && call.arguments.len() == 1 && call.arguments[0].is_empty() {
            call.arguments.clear();
        }
        if known.variadic && call.arguments.len() >= wanted {
            let comma = call.arguments[0].first().cloned().map(|t| Token {
                kind: Kind::Comma,
                text: ",".into(),
                ..t
            });
            let rest = call.arguments.split_off(wanted - 1);
            let separator: Vec<Token> = comma.into_iter().collect();
            call.arguments.push(rest.join(&separator[..]));
        }
        let given = call.arguments.len();
        if given == wanted || (known.variadic && given + 1 == wanted) {
            call.arguments.resize(wanted, Vec::new());
            return true;
        }
        let message = format!("the macro `{}` takes {wanted} arguments, not {given}", known.name);
        self.report(
            Diagnostic::error(codes::MACRO_ARGUMENTS, message, token.span)
                .label("called here")
                .related(known.span, "the macro is defined here"),
        );
        false
    }

    /// The body of a macro with its arguments put in.
    fn body(
        &mut self,
        token: &Token,
        known: &Rc<Macro>,
        call: Option<Call>,
        depth: usize,
    ) -> Vec<Token> {
        taut_budget::tick();
        let hide = Some(Rc::new(Hide { name: known.name.clone(), outer: token.hide.clone() }));
        let arguments = call.map(|c| c.arguments).unwrap_or_default();
        let names = known.parameters.as_deref().unwrap_or_default();
        let mut expanded: Vec<Option<Vec<Token>>> = vec![None; arguments.len()];
        let mut out: Vec<Token> = Vec::new();
        let mut index = 0;
        let mut paste = false;
        while let Some(piece) = known.body.get(index) {
            // Arguments that were expanded on the way may have grown beyond the limit.
            if !self.allowed(token, known, 0) {
                return Vec::new();
            }
            let parameter =
                |t: &Token| names.iter().position(|n| *n == t.text && t.kind == Kind::Ident);
            let next = known.body.get(index + 1);
            let glued = next.is_some_and(|t| t.kind == Kind::HashHash);
            let mut part = match (piece.kind, next.and_then(parameter), parameter(piece)) {
                (Kind::Hash, Some(which), _) if known.parameters.is_some() => {
                    index += 1;
                    vec![self.stringify(piece, &arguments[which])]
                }
                (Kind::HashHash, ..) if index > 0 => {
                    paste = true;
                    index += 1;
                    continue;
                }
                (_, _, Some(which)) if paste || glued => arguments[which].clone(),
                (_, _, Some(which)) => {
                    self.produced += arguments[which].len();
                    if expanded[which].is_none() {
                        let result = self.expand(arguments[which].clone(), depth + 1);
                        expanded[which] = Some(result);
                    }
                    let copy = expanded[which].clone().unwrap_or_default();
                    self.produced += copy.len();
                    copy.into_iter().map(|t| Token { newline: false, ..t }).collect()
                }
                _ => vec![Token {
                    span: token.span,
                    defined: Some(piece.defined.unwrap_or(piece.span)),
                    hide: hide.clone(),
                    newline: false,
                    ..piece.clone()
                }],
            };
            if let Some(first) = part.first_mut() {
                first.space = piece.space;
            }
            if std::mem::take(&mut paste) {
                self.paste(&mut out, &mut part, token.span);
            }
            out.append(&mut part);
            index += 1;
        }
        if let Some(first) = out.first_mut() {
            (first.newline, first.space) = (token.newline, token.space);
        }
        out
    }

    /// `#parameter`: the argument as a text in quotes.
    fn stringify(&mut self, hash: &Token, argument: &[Token]) -> Token {
        let mut text = String::from("\"");
        for c in words(argument).chars() {
            if matches!(c, '"' | '\\') {
                text.push('\\');
            }
            text.push(c);
        }
        text.push('"');
        Token { kind: Kind::Str, text: self.interner.get(&text), newline: false, ..hash.clone() }
    }

    /// `a ## b`: one word out of two.
    fn paste(&mut self, out: &mut Vec<Token>, part: &mut Vec<Token>, span: Span) {
        if part.is_empty() {
            return;
        }
        let Some(left) = out.pop() else { return };
        let right = part.remove(0);
        let text = format!("{}{}", left.text, right.text);
        let kind = match <Kind as logos::Logos>::lexer(&text).next() {
            Some(Ok(kind)) => kind,
            _ => Kind::Strange,
        };
        out.push(Token { kind, text: self.interner.get(&text), span, ..left });
    }
}

impl Call {
    /// Whether nothing has been taken yet, not even the opening parenthesis.
    fn is_fresh(&self) -> bool {
        self.arguments.len() == 1 && self.arguments[0].is_empty()
    }
}
