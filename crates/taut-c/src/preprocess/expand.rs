//! Uses of macros: which tokens are replaced, and what the arguments are.
//!
//! The main loop is Prosser's algorithm: the tokens to be read are a stack; a macro's use is taken off it and what it
//! stands for is put back on it, marked with the macros it came out of.

use std::sync::Arc;

use taut_source::{Diagnostic, Span};

use super::Preprocessor;
use super::hide::Hide;
use super::token::{Kind, Symbol, Token, sym};
use crate::codes;

/// The deepest nesting of macro calls in arguments of macro calls: each level takes a part of the stack.
const DEEPEST_CALL: usize = 200;

/// A macro.
#[derive(Clone, Debug)]
pub(super) struct Macro {
    pub name: Symbol,
    /// Where its name stands in its definition.
    pub span: Span,
    /// The parameters of a function-like macro.
    pub parameters: Option<Vec<Symbol>>,
    /// The last parameter takes all further arguments.
    pub variadic: bool,
    pub body: Vec<Part>,
}

/// A token of a macro's body.
#[derive(Clone, Copy, Debug)]
pub(super) struct Part {
    pub token: Token,
    /// The parameter that it names.
    pub parameter: Option<u16>,
}

/// An argument: as it was written and, once that was asked for, with macros replaced.
#[derive(Clone, Debug, Default)]
pub(super) struct Argument {
    pub written: Vec<Token>,
    pub replaced: Option<Vec<Token>>,
}

/// Whether a name without a definition behaves like a macro.
pub(super) fn is_special(name: Symbol) -> bool {
    [
        sym::FILE,
        sym::LINE,
        sym::COUNTER,
        sym::INCLUDE_LEVEL,
        sym::HAS_INCLUDE,
        sym::HAS_INCLUDE_NEXT,
        sym::HAS_ATTRIBUTE,
        sym::HAS_BUILTIN,
    ]
    .contains(&name)
}

impl Preprocessor<'_> {
    /// Replaces macros in tokens that are complete: nothing after them can be an argument.
    pub(super) fn expand(&mut self, mut tokens: Vec<Token>, depth: usize) -> Vec<Token> {
        let mut out = Vec::with_capacity(tokens.len());
        tokens.reverse();
        let mut stack = tokens;
        while let Some(token) = stack.pop() {
            if self.stopped {
                break;
            }
            if !self.replace(token, &mut stack, depth) {
                out.push(token);
            }
        }
        out
    }

    /// Replaces a token at the front of others if it is the use of a macro.
    fn replace(&mut self, token: Token, stack: &mut Vec<Token>, depth: usize) -> bool {
        let Some(name) = token.name() else { return false };
        let Some(found) = self.lookup(name).cloned() else {
            return name.0 <= sym::ATOMIC.0 && self.replace_special(token, stack);
        };
        if self.hides.contains(token.hide, name) {
            return false;
        }
        self.spend(1, token.span);
        if found.parameters.is_none() {
            let hide = self.hides.with(token.hide, name);
            let body = self.substitute(&found, &mut [], token, hide, depth);
            put_back(stack, body, token);
            return true;
        }
        if !stack.last().is_some_and(|next| next.is(sym::OPEN)) {
            return false;
        }
        let Some((mut arguments, close)) = self.arguments(&found, token, stack, depth) else {
            return false;
        };
        let both = self.hides.intersection(token.hide, close.hide);
        let hide = self.hides.with(both, name);
        let head = Token { span: whole_use(token.span, close.span), ..token };
        let body = self.substitute(&found, &mut arguments, head, hide, depth);
        put_back(stack, body, token);
        true
    }

    /// Takes the arguments of a call off the stack; none if they do not fit, which is reported.
    fn arguments(
        &mut self,
        found: &Arc<Macro>,
        head: Token,
        stack: &mut Vec<Token>,
        depth: usize,
    ) -> Option<(Vec<Argument>, Token)> {
        let Some(length) = call_length(stack) else {
            self.spend(stack.len(), head.span);
            // Inside of an argument the rest of the call may follow later.
            if depth == 0 {
                self.bad_call(found, head.span, "the arguments of this macro never end".into());
            }
            return None;
        };
        if depth >= DEEPEST_CALL {
            self.stopped = true;
            let message = format!("calls of macros are nested more than {DEEPEST_CALL} deep");
            let found = Diagnostic::error(codes::MACRO_LIMIT, message, head.span);
            self.report(found.label("too deep here").help("use fewer levels"));
            return None;
        }
        let from = stack.len() - length;
        let mut call = stack.drain(from..);
        let close = call.next()?;
        let inner: Vec<Token> = call.rev().skip(1).collect();
        self.spend(inner.len(), head.span);
        let arguments = split(&inner, found);
        let expected = found.parameters.as_ref().map_or(0, Vec::len);
        let given = arguments.len();
        let fits = given == expected || (found.variadic && given + 1 == expected);
        if !fits {
            let message = format!("this macro takes {expected} arguments, not {given}");
            self.bad_call(found, whole_use(head.span, close.span), message);
            return None;
        }
        Some((arguments, close))
    }

    fn bad_call(&mut self, found: &Macro, span: Span, message: String) {
        let name = self.interner.text(found.name).to_owned();
        let found = Diagnostic::error(codes::MACRO_ARGUMENTS, message, span)
            .label("used here")
            .related(found.span, format!("`{name}` is defined here"));
        self.report(found);
    }

    /// Replaces the names that behave like macros.
    fn replace_special(&mut self, token: Token, stack: &mut Vec<Token>) -> bool {
        let number = match token.text {
            sym::FILE => {
                let name = self.sources.file(token.span.file).name();
                let quoted = format!("\"{}\"", name.replace('\\', "\\\\").replace('"', "\\\""));
                let text = self.interner.get(&quoted);
                stack.push(Token { kind: Kind::Str, text, hide: Hide::default(), ..token });
                // A string is no name: it is not replaced again.
                return true;
            }
            sym::LINE => self.sources.position(token.span).map_or(0, |place| place.line),
            sym::COUNTER => {
                self.counter += 1;
                self.counter - 1
            }
            sym::INCLUDE_LEVEL => self.open.len().saturating_sub(1) as u32,
            sym::PRAGMA => return skip_pragma(stack),
            sym::DEFINED if self.in_condition => match take_defined(stack) {
                Some(name) => u32::from(self.is_defined(name)),
                None => return false,
            },
            sym::HAS_INCLUDE | sym::HAS_INCLUDE_NEXT | sym::HAS_ATTRIBUTE | sym::HAS_BUILTIN
                if self.in_condition =>
            {
                match take_call(stack) {
                    Some(inner) => u32::from(self.has(token, &inner)),
                    None => return false,
                }
            }
            _ => return false,
        };
        let text = self.interner.get(&number.to_string());
        stack.push(Token { kind: Kind::Number, text, ..token });
        true
    }

    /// `__has_include(…)` and its kind.
    fn has(&mut self, token: Token, inner: &[Token]) -> bool {
        match token.text {
            sym::HAS_BUILTIN => inner.first().is_some_and(|name| {
                let text = self.text(name);
                let known = ["__builtin_expect", "__builtin_unreachable", "__builtin_offsetof"];
                text.starts_with("__atomic_")
                    || text.starts_with("__sync_")
                    || known.contains(&text)
            }),
            sym::HAS_ATTRIBUTE => false,
            _ => match self.header_name(inner) {
                Some((path, quoted)) => self.can_include(&path, quoted),
                None => false,
            },
        }
    }
}

/// Puts what a macro stands for back on the stack. Blank space before one that stands for nothing stands before what
/// follows.
fn put_back(stack: &mut Vec<Token>, body: Vec<Token>, head: Token) {
    match stack.last_mut() {
        Some(next) if body.is_empty() => {
            next.space |= head.space;
            next.line |= head.line;
        }
        _ => stack.extend(body.into_iter().rev()),
    }
}

/// The place of a macro's use from its name to its closing parenthesis, as far as both stand in one file.
fn whole_use(name: Span, close: Span) -> Span {
    if name.file != close.file || close.end < name.end {
        name
    } else {
        Span { end: close.end, ..name }
    }
}

/// Number of tokens of the argument list on top of a stack, with its parentheses.
fn call_length(stack: &[Token]) -> Option<usize> {
    let mut depth = 0_usize;
    for (index, token) in stack.iter().rev().enumerate() {
        if token.kind != Kind::Punct {
            continue;
        }
        if token.is(sym::OPEN) {
            depth += 1;
        } else if token.is(sym::CLOSE) {
            depth -= 1;
            if depth == 0 {
                return Some(index + 1);
            }
        }
    }
    None
}

/// The arguments between parentheses. No argument at all is none for a macro without parameters, and an empty one
/// for the others.
fn split(inner: &[Token], found: &Macro) -> Vec<Argument> {
    let parameters = found.parameters.as_ref().map_or(0, Vec::len);
    if inner.is_empty() && parameters == 0 {
        return Vec::new();
    }
    let mut all = vec![Argument::default()];
    let mut depth = 0_usize;
    for token in inner {
        let punct = token.kind == Kind::Punct;
        let in_rest = found.variadic && all.len() == parameters;
        if punct && depth == 0 && token.is(sym::COMMA) && !in_rest {
            all.push(Argument::default());
            continue;
        }
        if punct && token.is(sym::OPEN) {
            depth += 1;
        } else if punct && token.is(sym::CLOSE) {
            depth = depth.saturating_sub(1);
        }
        if let Some(last) = all.last_mut() {
            last.written.push(*token);
        }
    }
    all
}

/// Takes `NAME` or `(NAME)` off a stack.
fn take_defined(stack: &mut Vec<Token>) -> Option<Symbol> {
    let first = *stack.last()?;
    if let Some(name) = first.name() {
        stack.pop();
        return Some(name);
    }
    let [.., close, name, open] = stack.as_slice() else { return None };
    let name = name.name().filter(|_| open.is(sym::OPEN) && close.is(sym::CLOSE))?;
    stack.truncate(stack.len() - 3);
    Some(name)
}

/// Takes what stands in parentheses off a stack.
fn take_call(stack: &mut Vec<Token>) -> Option<Vec<Token>> {
    if !stack.last()?.is(sym::OPEN) {
        return None;
    }
    let length = call_length(stack)?;
    let call = stack.split_off(stack.len() - length);
    Some(call[1..length - 1].iter().rev().copied().collect())
}

/// Drops `("…")` after `_Pragma`.
fn skip_pragma(stack: &mut Vec<Token>) -> bool {
    take_call(stack).is_some()
}
