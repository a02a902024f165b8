//! Macros without parameters, by tokens: `#define NAME text`.
//!
//! A name in the text of its own macro stays what it is, as in C. The tokens of a macro keep their places, so
//! that messages about them point to its definition.

use std::collections::HashMap;

use taut_source::{Diagnostic, Diagnostics, FileId, Span};

use crate::codes;
use crate::lexer::{Spanned, Token};

/// How many tokens may be looked at in one formula.
const MOST_WORDS: usize = 1 << 16;

/// How deep macros may stand in macros.
const DEEPEST: usize = 100;

/// The macros of a file so far.
pub(super) struct Macros<'t> {
    text: &'t str,
    file: FileId,
    known: HashMap<&'t str, (Vec<Spanned>, Span)>,
}

impl<'t> Macros<'t> {
    pub(super) fn new(text: &'t str, file: FileId) -> Macros<'t> {
        Macros { text, file, known: HashMap::new() }
    }

    fn span(&self, token: Spanned) -> Span {
        Span { file: self.file, start: token.start, end: token.end }
    }

    fn slice(&self, token: Spanned) -> &'t str {
        &self.text[token.start as usize..token.end as usize]
    }

    /// `NAME text`, what follows `#define`.
    pub(super) fn define(&mut self, words: &[Spanned], diagnostics: &mut Diagnostics, line: Span) {
        let Some((&name, body)) = words.split_first() else {
            let found = Diagnostic::error(codes::BAD_MACRO, "this macro has no name", line);
            return diagnostics.push(found.label("expected `#define NAME text`"));
        };
        let place = self.span(name);
        if name.token != Token::Ident {
            let message = format!("`{}` cannot be the name of a macro", self.slice(name));
            let found = Diagnostic::error(codes::BAD_MACRO, message, place);
            return diagnostics.push(found.label("expected a name"));
        }
        let parameters = body.first().filter(|t| t.token == Token::LeftParen);
        if parameters.is_some_and(|open| open.start == name.end) {
            let found = Diagnostic::error(codes::BAD_MACRO, "this macro has parameters", place)
                .label("expected a space after the name, and the text")
                .help("write out what it stands for where it is used");
            return diagnostics.push(found);
        }
        if let Some((_, first)) = self.known.insert(self.slice(name), (body.to_vec(), place)) {
            let message = format!("the macro `{}` is defined twice", self.slice(name));
            let found = Diagnostic::error(codes::DECLARED_TWICE, message, place);
            diagnostics
                .push(found.label("defined again here").related(first, "first defined here"));
        }
    }

    /// Tokens with what the macros in them stand for; `None` if that is too much.
    pub(super) fn expand(
        &self,
        words: &[Spanned],
        diagnostics: &mut Diagnostics,
    ) -> Option<Vec<Spanned>> {
        let mut expansion =
            Expansion { macros: self, out: Vec::new(), open: Vec::new(), looked_at: 0 };
        match expansion.add(words) {
            Ok(()) => Some(expansion.out),
            Err(place) => {
                let found = Diagnostic::error(codes::BAD_MACRO, "macros make this too long", place);
                diagnostics.push(found.label(format!(
                    "expected at most {MOST_WORDS} words, and macros at most {DEEPEST} deep"
                )));
                None
            }
        }
    }
}

/// A formula in which macros are being replaced.
struct Expansion<'m, 't> {
    macros: &'m Macros<'t>,
    out: Vec<Spanned>,
    /// The macros whose texts are being added.
    open: Vec<&'t str>,
    /// How many tokens were looked at. (Their result may be short though it takes for ever.)
    looked_at: usize,
}

impl Expansion<'_, '_> {
    /// Adds tokens; the place of the macro that is too much otherwise.
    fn add(&mut self, words: &[Spanned]) -> Result<(), Span> {
        for &word in words {
            self.looked_at += 1;
            let name = self.macros.slice(word);
            let known = self.macros.known.get(name).filter(|_| word.token == Token::Ident);
            let Some((body, _)) = known.filter(|_| !self.open.contains(&name)) else {
                self.out.push(word);
                continue;
            };
            if self.looked_at > MOST_WORDS || self.open.len() == DEEPEST {
                return Err(self.macros.span(word));
            }
            self.open.push(name);
            self.add(body)?;
            self.open.pop();
        }
        Ok(())
    }
}
