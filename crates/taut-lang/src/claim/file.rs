//! Files of formulas, entry by entry ([`taut_ltl::file`]).

use std::borrow::Cow;
use std::collections::HashSet;

use taut_ltl::file::{Mark, Role};
use taut_source::{Diagnostic, Diagnostics, FileId, Span, Token as _};

use super::macros::Macros;
use super::{Named, Reader, end_at, tokens};
use crate::ast::{Formula, Name};
use crate::codes;
use crate::lexer::{Spanned, Token};
use crate::parser::formula::joins;
use crate::parser::{self, Words};

const FORMS: &str = "write `ltl NAME: f`, `ltl NAME { f }`, `#property f` or `#define NAME text`";

/// The formulas of a file, without those that are wrong.
pub(crate) fn read(reader: &mut Reader<'_>, file: FileId) -> Vec<Named> {
    let text = joined(reader.map.file(file).text());
    let Some(lexed) = tokens(&text, file, reader.diagnostics) else { return Vec::new() };
    let words = &lexed.tokens[..lexed.tokens.len() - 1];
    let mut entries = Entries {
        text: &text,
        file,
        macros: Macros::new(&text, file),
        processes: &reader.processes,
        found: Vec::new(),
        properties: 0,
        diagnostics: reader.diagnostics,
    };
    for range in taut_ltl::file::entries(&marks(&text, words)) {
        if entries.diagnostics.is_full() {
            break;
        }
        entries.entry(&words[range]);
    }
    entries.found
}

/// The parts that the tokens play in the layout of the file.
fn marks(text: &str, words: &[Spanned]) -> Vec<Mark> {
    let between = |i: usize| &text[words[i - 1].end as usize..words[i].start as usize];
    let begins_line = |i: usize| i == 0 || between(i).contains('\n');
    let slice = |t: &Spanned| &text[t.start as usize..t.end as usize];
    let is_property = |hash: usize| {
        words.get(hash + 1).is_some_and(|t| slice(t) == "property" && !begins_line(hash + 1))
    };
    let role = |i: usize| match words[i].token {
        Token::Hash if is_property(i) => Role::Property,
        Token::Hash => Role::Directive,
        token => role(token),
    };
    (0..words.len()).map(|i| Mark { role: role(i), begins_line: begins_line(i) }).collect()
}

fn role(token: Token) -> Role {
    use Token::*;
    match token {
        Ltl => Role::Ltl,
        LeftParen | LeftBracket => Role::Open,
        RightParen | RightBracket => Role::Close,
        LeftBrace => Role::OpenBrace,
        RightBrace => Role::CloseBrace,
        Semi => Role::Semicolon,
        Ident | Quoted | Str | Int | True | False | Strange => Role::Operand,
        _ if joins(token) => Role::Infix,
        _ => Role::Other,
    }
}

/// The text with blanks for each `\` at the end of a line and for that end, so that places stay the same.
fn joined(text: &str) -> Cow<'_, str> {
    if !text.contains("\\\n") && !text.contains("\\\r\n") {
        return Cow::Borrowed(text);
    }
    Cow::Owned(text.replace("\\\r\n", "   ").replace("\\\n", "  "))
}

struct Entries<'t, 'd> {
    text: &'t str,
    file: FileId,
    macros: Macros<'t>,
    processes: &'d HashSet<&'d str>,
    found: Vec<Named>,
    /// Number of formulas without a name so far.
    properties: u32,
    diagnostics: &'d mut Diagnostics,
}

impl<'t> Entries<'t, '_> {
    fn span(&self, words: &[Spanned]) -> Span {
        let start = words.first().map_or(0, |t| t.start);
        let end = words.last().map_or(0, |t| t.end);
        Span { file: self.file, start, end }
    }

    fn slice(&self, token: Spanned) -> &'t str {
        &self.text[token.start as usize..token.end as usize]
    }

    fn report(&mut self, code: &'static str, message: &str, place: Span, label: &str) {
        let found = Diagnostic::error(code, message, place).label(label).help(FORMS);
        self.diagnostics.push(found);
    }

    /// One formula or macro.
    fn entry(&mut self, words: &[Spanned]) {
        if words[0].token == Token::Hash { self.directive(words) } else { self.named(words) }
    }

    /// `#define …` or `#property …`
    fn directive(&mut self, words: &[Spanned]) {
        let place = self.span(words);
        match words.get(1).map_or("", |&word| self.slice(word)) {
            "define" => self.macros.define(&words[2..], self.diagnostics, place),
            "property" => {
                self.properties += 1;
                let name = Name { text: format!("property_{}", self.properties), span: place };
                if let Some(formula) = self.formula(&words[2..], place) {
                    self.found.push(Named { name, formula });
                }
            }
            _ => {
                let message = "only macros and properties can follow a `#`";
                self.report(codes::BAD_CLAIM, message, place, "unknown");
            }
        }
    }

    /// `ltl NAME: f`, `NAME: f` or `ltl NAME { f }`
    fn named(&mut self, words: &[Spanned]) {
        let whole = self.span(words);
        let first = words.iter().find(|t| t.token != Token::Ltl).copied();
        let first = first.unwrap_or(end_at(whole));
        if !matches!(first.token, Token::Ident | Token::Quoted | Token::Str)
            && !first.token.is_keyword()
        {
            let place = self.span(&[first]);
            let message = "expected the name of a formula";
            return self.report(codes::BAD_CLAIM, message, place, "expected a name");
        }
        let head: Vec<_> = words.iter().copied().chain([end_at(whole)]).collect();
        let Some((name, length)) = parser::claim_head(self.words(&head), self.diagnostics) else {
            return;
        };
        let rest = &words[length..];
        let formula = match rest {
            [colon, formula @ ..] if colon.token == Token::Colon => formula,
            [open, inner @ .., close]
                if (open.token, close.token) == (Token::LeftBrace, Token::RightBrace) =>
            {
                inner
            }
            _ => return self.no_formula(rest, whole),
        };
        if let Some(formula) = self.formula(formula, whole) {
            self.found.push(Named { name, formula });
        }
    }

    /// Reports that a name is followed by something else than `: f` or `{ f }`.
    fn no_formula(&mut self, rest: &[Spanned], whole: Span) {
        if rest.first().is_some_and(|t| t.token == Token::LeftBrace) {
            let message = "expected `}` after the formula";
            return self.report(codes::BAD_CLAIM, message, whole.after(), "expected `}`");
        }
        let place = rest.first().map_or(whole.after(), |t| self.span(&[*t]));
        let message = "expected `:` or a formula in braces after the name";
        self.report(codes::BAD_CLAIM, message, place, "expected `:`");
    }

    /// A formula of an entry.
    fn formula(&mut self, words: &[Spanned], whole: Span) -> Option<Formula> {
        let end = words.last().map_or(whole, |t| self.span(&[*t]));
        let mut words = self.macros.expand(words, self.diagnostics)?;
        words.push(end_at(end));
        parser::formula(self.words(&words), self.processes, self.diagnostics)
    }

    fn words<'w>(&self, tokens: &'w [Spanned]) -> Words<'w>
    where
        't: 'w,
    {
        Words { text: self.text, file: self.file, tokens, end: "the end of the formula" }
    }
}
