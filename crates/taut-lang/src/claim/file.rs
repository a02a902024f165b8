//! Files of formulas, line by line.

use std::borrow::Cow;
use std::collections::HashSet;

use taut_source::{Diagnostic, Diagnostics, FileId, Span};

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
    let mut lines = Lines {
        text: &text,
        file,
        tokens: &lexed.tokens,
        at: 0,
        macros: Macros::new(&text, file),
        processes: &reader.processes,
        found: Vec::new(),
        properties: 0,
        diagnostics: reader.diagnostics,
    };
    while !lines.is_at_end() {
        lines.entry();
    }
    lines.found
}

/// The text with blanks for each `\` at the end of a line and for that end, so that places stay the same.
fn joined(text: &str) -> Cow<'_, str> {
    if !text.contains("\\\n") && !text.contains("\\\r\n") {
        return Cow::Borrowed(text);
    }
    Cow::Owned(text.replace("\\\r\n", "   ").replace("\\\n", "  "))
}

struct Lines<'t, 'd> {
    text: &'t str,
    file: FileId,
    /// All tokens of the file.
    tokens: &'t [Spanned],
    at: usize,
    macros: Macros<'t>,
    processes: &'d HashSet<&'d str>,
    found: Vec<Named>,
    /// How many formulas had no name so far.
    properties: u32,
    diagnostics: &'d mut Diagnostics,
}

impl<'t> Lines<'t, '_> {
    fn is_at_end(&self) -> bool {
        self.tokens[self.at].token == Token::Eof || self.diagnostics.is_full()
    }

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
    fn entry(&mut self) {
        match self.tokens[self.at].token {
            Token::Hash => self.directive(),
            // A semicolon after a closing brace.
            Token::Semi => self.at += 1,
            _ => {
                let words = self.formula_words();
                self.named(words);
            }
        }
    }

    /// Whether the token with this number is the first on its line.
    fn begins_line(&self, index: usize) -> bool {
        let Some(before) = index.checked_sub(1).map(|i| self.tokens[i]) else { return true };
        let between = &self.text[before.end as usize..self.tokens[index].start as usize];
        between.contains('\n') || self.tokens[index].token == Token::Eof
    }

    /// Takes the rest of this line.
    fn line(&mut self) -> &'t [Spanned] {
        let start = self.at;
        self.at += 1;
        while !self.begins_line(self.at) {
            self.at += 1;
        }
        &self.tokens[start..self.at]
    }

    /// Takes a formula with what stands before it: the rest of this line, up to a `;`, more lines as long as
    /// a parenthesis is open or an operator has no operand. A block ends with its brace. Words that begin
    /// something else end it always.
    fn formula_words(&mut self) -> &'t [Spanned] {
        let start = self.at;
        let block = self.is_block();
        let mut open = 0u32;
        loop {
            match self.tokens[self.at].token {
                Token::Semi => {
                    self.at += 1;
                    return &self.tokens[start..self.at - 1];
                }
                Token::LeftParen | Token::LeftBracket | Token::LeftBrace => open += 1,
                Token::RightParen | Token::RightBracket | Token::RightBrace => {
                    open = open.saturating_sub(1);
                }
                _ => {}
            }
            let closed = block && open == 0 && self.tokens[self.at].token == Token::RightBrace;
            self.at += 1;
            let next = self.tokens[self.at].token;
            if closed {
                return &self.tokens[start..self.at];
            }
            let other = matches!(next, Token::Hash | Token::Ltl | Token::Eof);
            let ended = other || open == 0 && !self.goes_on();
            if self.begins_line(self.at) && ended {
                return &self.tokens[start..self.at];
            }
        }
    }

    /// Whether the line before this token ends, or the one after begins, in the middle of a formula.
    fn goes_on(&self) -> bool {
        use Token::*;
        let (last, next) = (self.tokens[self.at - 1].token, self.tokens[self.at].token);
        let operand = matches!(last, Ident | Quoted | Str | Int | True | False | Strange);
        let ends = operand || matches!(last, RightParen | RightBracket | RightBrace);
        !ends || next == LeftBrace || joins(next)
    }

    /// Whether `ltl NAME {` or `NAME {` comes next.
    fn is_block(&self) -> bool {
        let name = self.at + usize::from(self.tokens[self.at].token == Token::Ltl);
        self.tokens.get(name + 1).is_some_and(|t| t.token == Token::LeftBrace)
    }

    /// `#define …` or `#property …`
    fn directive(&mut self) {
        let hash = self.at;
        let alone = self.begins_line(hash + 1);
        let word = if alone { "" } else { self.slice(self.tokens[hash + 1]) };
        match word {
            "define" => {
                let line = self.line();
                let place = self.span(line);
                self.macros.define(&line[2..], self.diagnostics, place);
            }
            "property" => {
                let words = self.formula_words();
                self.properties += 1;
                let text = format!("property_{}", self.properties);
                let name = Name { text, span: self.span(words) };
                if let Some(formula) = self.formula(&words[2..], self.span(words)) {
                    self.found.push(Named { name, formula });
                }
            }
            _ => {
                let line = self.line();
                let place = self.span(line);
                let message = "only macros and properties can follow a `#`";
                self.report(codes::BAD_CLAIM, message, place, "unknown");
            }
        }
    }

    /// `ltl NAME: f`, `NAME: f` or `ltl NAME { f }`
    fn named(&mut self, words: &'t [Spanned]) {
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
