//! Macros: `macro NAME(a, b) tokens endmacro`, used as `NAME(…, …)` from there on.
//!
//! Tokens are replaced by tokens, so a macro can stand for whole processes or for half of an expression. A macro that uses
//! itself, directly or not, is an error; so the expansion ends, and its length is bounded.

use std::collections::HashMap;

use taut_source::{Diagnostic, Diagnostics, FileId, Span, shown};

use crate::codes;
use crate::lexer::{Spanned, Token};

/// The largest number of tokens that macros may make.
const MOST: usize = 1 << 18;

/// The deepest nesting of macros.
const DEEPEST: usize = 64;

/// A token with the place that counts for messages and edits.
#[derive(Clone, Copy, Debug)]
struct Placed {
    token: Spanned,
    place: Span,
}

/// The tokens of a file without macros.
#[derive(Debug, Default)]
pub(crate) struct Expanded {
    pub(crate) tokens: Vec<Spanned>,
    /// The place of each token: see [`crate::ast`].
    pub(crate) places: Vec<Span>,
}

struct Macro {
    name: Span,
    parameters: Vec<String>,
    body: Vec<Placed>,
}

struct Expander<'t, 'd> {
    text: &'t str,
    macros: HashMap<&'t str, Macro>,
    out: Expanded,
    /// Tokens made so far.
    made: usize,
    diagnostics: &'d mut Diagnostics,
}

/// A mistake was reported.
struct Wrong;

/// Expands the macros in the tokens of a file.
pub(crate) fn expand(
    text: &str,
    file: FileId,
    tokens: &[Spanned],
    diagnostics: &mut Diagnostics,
) -> Expanded {
    let all: Vec<_> =
        tokens.iter().map(|&token| Placed { token, place: token.span(file) }).collect();
    let (macros, out) = (HashMap::new(), Expanded::default());
    let mut expander = Expander { text, macros, out, made: 0, diagnostics };
    // After a mistake the rest is not looked at: the parser would complain about a text that nobody wrote.
    if expander.list(&all, &mut Vec::new()).is_err() {
        return Expanded::default();
    }
    expander.out
}

impl<'t> Expander<'t, '_> {
    fn slice(&self, token: Placed) -> &'t str {
        &self.text[token.token.start as usize..token.token.end as usize]
    }

    fn wrong<T>(&mut self, found: Diagnostic) -> Result<T, Wrong> {
        self.diagnostics.push(found);
        Err(Wrong)
    }

    /// Writes tokens out. `active` are the macros that are being expanded.
    fn list(&mut self, all: &[Placed], active: &mut Vec<&'t str>) -> Result<(), Wrong> {
        let mut at = 0;
        while let Some(&token) = all.get(at) {
            taut_budget::tick();
            let name = self.slice(token);
            if token.token.token == Token::Macro {
                at = self.definition(all, at, active)?;
            } else if token.token.token == Token::Ident && self.macros.contains_key(name) {
                at = self.call(all, at, active)?;
            } else {
                self.out.tokens.push(token.token);
                self.out.places.push(token.place);
                at += 1;
            }
        }
        Ok(())
    }

    /// Reads a definition and tells where it ends.
    fn definition(
        &mut self,
        all: &[Placed],
        at: usize,
        active: &[&'t str],
    ) -> Result<usize, Wrong> {
        let word = all[at].place;
        if !active.is_empty() {
            let message = "a macro is defined inside of a macro";
            return self.wrong(Diagnostic::error(codes::BAD_MACRO, message, word).label("here"));
        }
        let Some(&name) = all.get(at + 1).filter(|t| t.token.token == Token::Ident) else {
            let message = "expected the name of a macro after `macro`";
            let found = Diagnostic::error(codes::BAD_MACRO, message, word).label("without a name");
            return self.wrong(found.help("write `macro NAME(a, b) … endmacro`"));
        };
        if let Some(first) = self.macros.get(self.slice(name)).map(|m| m.name) {
            let message = format!("the macro {} is defined twice", shown(self.slice(name)));
            let found = Diagnostic::error(codes::BAD_MACRO, message, name.place).label("again");
            return self.wrong(found.related(first, "first defined here"));
        }
        let (parameters, start) = self.parameters(all, at + 2, name)?;
        let length = all[start..].iter().position(|t| t.token.token == Token::EndMacro);
        let Some(length) = length else {
            let message = format!("the macro {} never ends", shown(self.slice(name)));
            let found = Diagnostic::error(codes::BAD_MACRO, message, word);
            return self.wrong(found.label("`endmacro` is missing").help("end it with `endmacro`"));
        };
        let body = all[start..start + length].to_vec();
        self.macros.insert(self.slice(name), Macro { name: name.place, parameters, body });
        Ok(start + length + 1)
    }

    /// The parameters of a definition, and where its body begins.
    fn parameters(
        &mut self,
        all: &[Placed],
        at: usize,
        name: Placed,
    ) -> Result<(Vec<String>, usize), Wrong> {
        let mut parameters: Vec<String> = Vec::new();
        let (arguments, end) = self.arguments(all, at, name)?;
        for argument in arguments {
            let [parameter] = argument[..] else {
                let place = argument.first().map_or(name.place, |t| t.place);
                return self.bad_parameter(place);
            };
            let text = self.slice(parameter);
            if parameter.token.token != Token::Ident || parameters.iter().any(|p| p == text) {
                return self.bad_parameter(parameter.place);
            }
            parameters.push(text.into());
        }
        Ok((parameters, end))
    }

    fn bad_parameter<T>(&mut self, place: Span) -> Result<T, Wrong> {
        let message = "the parameters of a macro are names, each once";
        self.wrong(Diagnostic::error(codes::BAD_MACRO, message, place).label("not a new name"))
    }

    /// The lists of tokens between `(`, `,` and `)`, and where they end.
    fn arguments(
        &mut self,
        all: &[Placed],
        at: usize,
        name: Placed,
    ) -> Result<(Vec<Vec<Placed>>, usize), Wrong> {
        let is = |i: usize, token| all.get(i).is_some_and(|t: &Placed| t.token.token == token);
        if !is(at, Token::LeftParen) {
            let message = format!("expected `(` after the macro {}", shown(self.slice(name)));
            let found = Diagnostic::error(codes::BAD_MACRO, message, name.place);
            return self.wrong(found.label("without arguments").help("write `()` if it has none"));
        }
        let (mut lists, mut depth) = (vec![Vec::new()], 1);
        for (i, &token) in all.iter().enumerate().skip(at + 1) {
            match token.token.token {
                Token::LeftParen => depth += 1,
                Token::RightParen => depth -= 1,
                Token::Comma if depth == 1 => {
                    lists.push(Vec::new());
                    continue;
                }
                Token::Eof => break,
                _ => {}
            }
            if depth == 0 {
                if lists.len() == 1 && lists[0].is_empty() {
                    lists.clear();
                }
                return Ok((lists, i + 1));
            }
            if let Some(last) = lists.last_mut() {
                last.push(token);
            }
        }
        let message = format!("the arguments of {} never end", shown(self.slice(name)));
        let found = Diagnostic::error(codes::BAD_MACRO, message, all[at].place);
        self.wrong(found.label("`)` is missing"))
    }

    /// Expands a use and tells where it ends.
    fn call(
        &mut self,
        all: &[Placed],
        at: usize,
        active: &mut Vec<&'t str>,
    ) -> Result<usize, Wrong> {
        let name = all[at];
        let word = self.slice(name);
        if active.contains(&word) || active.len() >= DEEPEST {
            let message = format!("the macro {} uses itself", shown(word));
            let found = Diagnostic::error(codes::MACRO_CYCLE, message, name.place);
            return self.wrong(found.label("would never end"));
        }
        let (arguments, end) = self.arguments(all, at + 1, name)?;
        let defined = &self.macros[word];
        let (wanted, place) = (defined.parameters.len(), defined.name);
        if arguments.len() != wanted {
            let given = arguments.len();
            let message = format!("{} has {wanted} parameters, not {given}", shown(word));
            let found = Diagnostic::error(codes::MACRO_ARGUMENTS, message, name.place);
            return self.wrong(found.label("used here").related(place, "defined here"));
        }
        let body = self.filled(word, &arguments, name.place)?;
        active.push(word);
        let result = self.list(&body, active);
        active.pop();
        result.map(|()| end)
    }

    /// The body of a macro with its arguments.
    fn filled(
        &mut self,
        word: &str,
        arguments: &[Vec<Placed>],
        place: Span,
    ) -> Result<Vec<Placed>, Wrong> {
        let Macro { parameters, body, .. } = &self.macros[word];
        let mut filled = Vec::with_capacity(body.len());
        for &token in body {
            let argument = parameters.iter().position(|p| p == self.slice(token));
            match argument.filter(|_| token.token.token == Token::Ident) {
                // An edit can change the parameter, not what it stands for.
                Some(number) => {
                    let put = |t: &Placed| Placed { place: token.place, ..*t };
                    filled.extend(arguments[number].iter().map(put));
                }
                None => filled.push(token),
            }
            if self.made + filled.len() > MOST {
                let message = format!("macros make more than {MOST} words and signs");
                let found = Diagnostic::error(codes::TOO_LARGE, message, place);
                return self.wrong(found.label("too large here"));
            }
        }
        self.made += filled.len();
        Ok(filled)
    }
}
