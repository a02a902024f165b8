//! Inlines: their definitions are kept as tokens, their calls are replaced by them.
//!
//! As in SPIN a call is textual: the tokens of an argument take the place of its parameter's name, and what
//! comes out is parsed where the call stands. Tokens of the body keep their places in the definition, those of
//! an argument their places in the call, and messages name the call besides.

use std::rc::Rc;

use taut_source::{Diagnostic, Span};

use super::{Parsed, Parser, Reported};
use crate::ast::*;
use crate::codes;
use crate::token::{Kind, Token};

/// How deep inlines may call inlines: SPIN's own limit.
const DEEPEST_CALL: usize = 16;
/// The most tokens all inline calls of one model may produce.
const MOST_PRODUCED: usize = 1 << 21;

/// An inline.
pub(super) struct Definition {
    pub span: Span,
    pub parameters: Vec<Rc<str>>,
    /// From brace to brace.
    pub body: Vec<Token>,
}

impl Parser<'_> {
    /// `inline f(a, b) { … }`
    pub(super) fn inline(&mut self) -> Parsed<Inline> {
        self.bump();
        let name = self.name("the name of an inline")?;
        self.expect(Kind::LeftParen, "`(`")?;
        let mut parameters = Vec::new();
        while self.kind() != Kind::RightParen {
            parameters.push(self.name("a parameter or `)`")?);
            if !self.eat(Kind::Comma) && self.kind() != Kind::RightParen {
                return Err(self.expected("`,` or `)`"));
            }
        }
        self.bump();
        let open = self.span();
        if self.kind() != Kind::LeftBrace {
            return Err(self.expected("`{`"));
        }
        let body = self.raw_braces(open)?;
        let key: Rc<str> = name.text.as_str().into();
        if let Some(first) = self.inlines.get(&key) {
            let first = first.span;
            let d = Diagnostic::error(
                codes::DECLARED_TWICE,
                format!("the inline `{}` is defined twice", name.text),
                name.at.0,
            )
            .label("defined again here")
            .related(first, "first defined here");
            self.report(d);
        }
        let text = body_text(&body);
        let names = parameters.iter().map(|p| p.text.as_str().into()).collect();
        self.declared.insert(key.clone());
        let definition = Definition { span: name.at.0, parameters: names, body };
        self.inlines.insert(key, Rc::new(definition));
        Ok(Inline { name, parameters, body: text })
    }

    /// The tokens of a pair of braces and all between them.
    fn raw_braces(&mut self, open: Span) -> Parsed<Vec<Token>> {
        let mut depth = 0usize;
        let mut body = Vec::new();
        loop {
            let token = self.token().clone();
            match token.kind {
                Kind::LeftBrace => depth += 1,
                Kind::RightBrace => depth -= 1,
                Kind::Eof => {
                    let d =
                        Diagnostic::error(codes::MISSING_CLOSER, "this inline never ends", open)
                            .label("its `}` is missing");
                    return Err(self.report(d));
                }
                _ => {}
            }
            body.push(token);
            self.at += 1;
            if depth == 0 {
                return Ok(body);
            }
        }
    }

    /// A call of an inline, its name first.
    pub(super) fn call(&mut self, result: Option<Reference>) -> Parsed<StatementKind> {
        let name = self.name("an inline")?;
        let key: Rc<str> = name.text.as_str().into();
        let definition = self.inlines[&key].clone();
        let arguments = self.raw_arguments(&name)?;
        if arguments.len() != definition.parameters.len() {
            let (wanted, given) = (definition.parameters.len(), arguments.len());
            let message =
                format!("the inline `{}` takes {wanted} arguments, not {given}", name.text);
            let d = Diagnostic::error(codes::ARGUMENTS, message, name.at.0)
                .label("called here")
                .related(definition.span, "defined here");
            return Err(self.report(d));
        }
        self.may_call(&name)?;
        let tokens = substitute(&definition, &arguments);
        self.produced += tokens.len();
        if self.produced > MOST_PRODUCED {
            let message = format!("inline calls expand to more than {MOST_PRODUCED} words");
            let d = Diagnostic::error(codes::TOO_LARGE, message, name.at.0)
                .label("the limit is met here");
            self.report(d);
            return Err(self.too_deep());
        }
        let texts = arguments.iter().map(|tokens| argument_text(tokens)).collect();
        let body = self.expansion(key, name.at.0, result.is_some(), tokens)?;
        Ok(StatementKind::Call(Call { name, arguments: texts, result, body }))
    }

    /// Reports a call that would never end.
    fn may_call(&mut self, name: &Name) -> Parsed<()> {
        let circle = self.calls.iter().any(|(outer, ..)| **outer == *name.text);
        if !circle && self.calls.len() < DEEPEST_CALL {
            return Ok(());
        }
        let message = match circle {
            true => format!("the inline `{}` calls itself", name.text),
            false => format!("inlines call each other more than {DEEPEST_CALL} deep"),
        };
        let d = Diagnostic::error(codes::INLINE_RECURSION, message, name.at.0)
            .label("this call would never end")
            .help("an inline is text that is copied; use a `do` loop or a process");
        Err(self.report(d))
    }

    /// The tokens of each argument of a call.
    fn raw_arguments(&mut self, name: &Name) -> Parsed<Vec<Vec<Token>>> {
        self.expect(Kind::LeftParen, "`(`")?;
        let mut arguments: Vec<Vec<Token>> = Vec::new();
        let mut current = Vec::new();
        let mut depth = 1usize;
        loop {
            let token = self.token().clone();
            match token.kind {
                Kind::LeftParen | Kind::LeftBracket => depth += 1,
                Kind::RightParen | Kind::RightBracket => depth -= 1,
                Kind::Eof | Kind::Semi | Kind::LeftBrace | Kind::RightBrace => {
                    let message = format!("the call of `{}` never ends", name.text);
                    let d = Diagnostic::error(codes::EXPECTED, message, token.span)
                        .label("`)` expected");
                    return Err(self.report(d));
                }
                _ => {}
            }
            if depth == 0 || (depth == 1 && token.kind == Kind::Comma) {
                if depth == 0 && current.is_empty() && arguments.is_empty() {
                    self.bump();
                    return Ok(arguments);
                }
                if current.is_empty() {
                    return Err(self.expected("an argument"));
                }
                arguments.push(std::mem::take(&mut current));
                self.bump();
                if depth == 0 {
                    return Ok(arguments);
                }
                continue;
            }
            current.push(Token { newline: false, ..token });
            self.bump();
        }
    }

    /// Parses what a call expands to.
    fn expansion(
        &mut self,
        name: Rc<str>,
        span: Span,
        wanted: bool,
        mut tokens: Vec<Token>,
    ) -> Parsed<Sequence> {
        let last = tokens.last().expect("a body has two braces").span;
        tokens.push(Token { kind: Kind::Eof, text: "".into(), span: last, ..tokens[0].clone() });
        let outer = (std::mem::replace(&mut self.tokens, tokens.into()), self.at, self.parentheses);
        (self.at, self.parentheses, self.semi_taken) = (0, 0, false);
        self.calls.push((name, span, wanted));
        let body = self.deeper(|this| this.braces());
        self.calls.pop();
        (self.tokens, self.at, self.parentheses) = outer;
        self.semi_taken = false;
        // The mistake is in the inline; what follows the call is read on.
        body.or(Ok::<_, Reported>(Sequence::default()))
    }
}

/// The body of an inline with the arguments of a call in place of its parameters.
fn substitute(definition: &Definition, arguments: &[Vec<Token>]) -> Vec<Token> {
    taut_budget::tick();
    let mut tokens = Vec::with_capacity(definition.body.len());
    for token in &definition.body {
        let which = match token.kind {
            Kind::Ident => definition.parameters.iter().position(|p| *p == token.text),
            _ => None,
        };
        let Some(which) = which else {
            tokens.push(token.clone());
            continue;
        };
        let first = tokens.len();
        let site = token.site;
        tokens.extend(arguments[which].iter().map(|t| Token { site, ..t.clone() }));
        tokens[first].newline = token.newline;
    }
    tokens
}

/// Tokens as the text of an inline's body: lines stay lines.
fn body_text(tokens: &[Token]) -> String {
    let mut text = String::new();
    for (index, token) in tokens.iter().enumerate() {
        if index > 0 {
            text.push(if token.newline { '\n' } else { ' ' });
        }
        text.push_str(&token.text);
    }
    text
}

/// Tokens as the text of an argument.
fn argument_text(tokens: &[Token]) -> String {
    let words: Vec<&str> = tokens.iter().map(|t| &*t.text).collect();
    words.join(" ")
}
