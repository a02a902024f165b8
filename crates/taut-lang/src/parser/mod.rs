//! The parser: tokens to the syntax tree, by recursive descent.
//!
//! A mistake does not end the reading. The statement or declaration it stands in is given up, the parser
//! goes on after the next `;` or before the next word that ends a block or begins a declaration, and so
//! one run reports many mistakes. Two things do end it: nesting beyond [`DEEPEST`], which no person
//! writes, and a full list of messages.

mod alone;
mod expr;
pub(crate) mod formula;
mod graph;
mod items;
mod stmt;

pub(crate) use alone::{Words, claim_head, expression, formula};

use std::collections::HashSet;

use taut_source::{Diagnostic, Diagnostics, FileId, Span};

use crate::ast::{File, Name, Number};
use crate::codes;
use crate::lexer::{Lexed, Spanned, Token};
use crate::names;

/// How deep statements and parentheses nest.
const DEEPEST: u32 = 200;

/// A mistake was reported; the caller decides where to go on.
pub(crate) struct GiveUp;

type Parse<T> = Result<T, GiveUp>;

/// Parses the tokens of a file.
pub(crate) fn parse(
    text: &str,
    file: FileId,
    lexed: &Lexed,
    diagnostics: &mut Diagnostics,
) -> File {
    let processes = process_names(text, &lexed.tokens);
    let words = Words { text, file, tokens: &lexed.tokens, end: "the end of the file" };
    Parser::new(words, &processes, diagnostics).file()
}

/// The names after `process`, `main` and `instance`. In `c ? p : r` only they tell the parser whether
/// `p : r` is the local r of process p or two operands of the conditional.
fn process_names<'t>(text: &'t str, tokens: &[Spanned]) -> HashSet<&'t str> {
    let slice = |t: &Spanned| &text[t.start as usize..t.end as usize];
    let names = tokens.windows(2).filter(|pair| match pair[0].token {
        Token::Main | Token::Process => true,
        Token::Ident => matches!(slice(&pair[0]), "instance" | "slot"),
        _ => false,
    });
    names.map(|pair| slice(&pair[1]).trim_matches('`')).collect()
}

struct Parser<'t, 'd> {
    text: &'t str,
    file: FileId,
    tokens: &'t [Spanned],
    end: &'static str,
    at: usize,
    depth: u32,
    /// Nothing more is read or reported.
    stopped: bool,
    processes: &'t HashSet<&'t str>,
    /// Between the `?` and the `:` of a conditional, where a `:` after a name may be the conditional's.
    in_conditional: bool,
    /// What ends each of the blocks around this place.
    closers: Vec<&'static [Token]>,
    diagnostics: &'d mut Diagnostics,
}

impl<'t, 'd> Parser<'t, 'd> {
    fn new(
        words: Words<'t>,
        processes: &'t HashSet<&'t str>,
        diagnostics: &'d mut Diagnostics,
    ) -> Parser<'t, 'd> {
        let Words { text, file, tokens, end } = words;
        Parser {
            text,
            file,
            tokens,
            end,
            at: 0,
            depth: 0,
            stopped: false,
            processes,
            in_conditional: false,
            closers: Vec::new(),
            diagnostics,
        }
    }

    fn spanned(&self, ahead: usize) -> Spanned {
        let last = self.tokens.len() - 1;
        self.tokens[(self.at + ahead).min(last)]
    }

    fn peek(&self) -> Token {
        self.peek_at(0)
    }

    fn peek_at(&self, ahead: usize) -> Token {
        if self.stopped { Token::Eof } else { self.spanned(ahead).token }
    }

    /// The span of the next token.
    fn span(&self) -> Span {
        let next = self.spanned(0);
        Span { file: self.file, start: next.start, end: next.end }
    }

    /// The span of the token just taken.
    fn previous(&self) -> Span {
        let token = self.tokens[self.at.saturating_sub(1)];
        Span { file: self.file, start: token.start, end: token.end }
    }

    fn slice(&self, ahead: usize) -> &'t str {
        let token = self.spanned(ahead);
        &self.text[token.start as usize..token.end as usize]
    }

    fn bump(&mut self) -> Span {
        taut_budget::tick();
        let span = self.span();
        if self.at + 1 < self.tokens.len() {
            self.at += 1;
        }
        span
    }

    fn at(&self, token: Token) -> bool {
        self.peek() == token
    }

    fn eat(&mut self, token: Token) -> bool {
        let found = self.at(token);
        if found {
            self.bump();
        }
        found
    }

    /// Whether the next token is a word that is only special here.
    fn at_word(&self, word: &str) -> bool {
        self.at(Token::Ident) && self.slice(0) == word
    }

    fn eat_word(&mut self, word: &str) -> bool {
        let found = self.at_word(word);
        if found {
            self.bump();
        }
        found
    }

    fn report(&mut self, diagnostic: Diagnostic) {
        // What is no token at all has been reported as such.
        if !self.stopped && !self.at(Token::Strange) {
            self.diagnostics.push(diagnostic);
            self.stopped = self.diagnostics.is_full();
        }
    }

    /// Reports that something else was expected at the next token.
    fn expected<T>(&mut self, what: &str) -> Parse<T> {
        let message = format!("expected {what}, found {}", self.found());
        let at = self.span();
        self.report(
            Diagnostic::error(codes::EXPECTED, message, at).label(format!("expected {what}")),
        );
        Err(GiveUp)
    }

    /// The next token in words.
    fn found(&self) -> String {
        match self.peek() {
            Token::Ident | Token::Quoted => format!("the name {}", shown(self.slice(0))),
            Token::Int => format!("the number {}", shown(self.slice(0))),
            Token::Eof => self.end.into(),
            token => token.describe(),
        }
    }

    fn expect(&mut self, token: Token) -> Parse<Span> {
        if self.at(token) { Ok(self.bump()) } else { self.expected(&token.describe()) }
    }

    /// The `;` at the end of a statement or declaration. What is missing is reported at the end of what
    /// stands before it, and reading goes on as if it were there if something new begins.
    fn semicolon(&mut self, after: &str) -> Parse<()> {
        if self.eat(Token::Semi) {
            return Ok(());
        }
        let message = format!("expected `;` after {after}, found {}", self.found());
        let place = self.previous().after();
        self.report(Diagnostic::error(codes::EXPECTED, message, place).label("expected `;`"));
        let fresh_line = self.text[place.start as usize..self.span().start as usize].contains('\n');
        if fresh_line { Ok(()) } else { Err(GiveUp) }
    }

    /// Runs something one level deeper, unless that is too deep.
    fn nested<T>(&mut self, inner: impl FnOnce(&mut Self) -> Parse<T>) -> Parse<T> {
        if self.depth >= DEEPEST {
            let at = self.span();
            self.too_deep(at, format!("nested more than {DEEPEST} levels deep"));
            return Err(GiveUp);
        }
        self.depth += 1;
        let result = inner(self);
        self.depth -= 1;
        result
    }

    /// Runs something with another idea of what a `:` after a name is.
    fn in_conditional<T>(
        &mut self,
        inside: bool,
        inner: impl FnOnce(&mut Self) -> Parse<T>,
    ) -> Parse<T> {
        let outer = std::mem::replace(&mut self.in_conditional, inside);
        let result = inner(self);
        self.in_conditional = outer;
        result
    }

    /// Reports something that is too deep for anybody and stops reading.
    fn too_deep(&mut self, span: Span, message: String) {
        let help = "is this text generated? split it into smaller statements";
        let found = Diagnostic::error(codes::TOO_DEEP, message, span).label("too deep here");
        self.report(found.help(help));
        self.stopped = true;
    }

    /// A name of something the user declares or uses.
    fn name(&mut self, what: &str) -> Parse<Name> {
        match self.peek() {
            Token::Ident => {
                let text = self.slice(0).into();
                Ok(Name { text, span: self.bump() })
            }
            Token::Quoted => self.unquote(),
            token if token.is_keyword() => self.keyword_as_name(what),
            _ => self.expected(what),
        }
    }

    /// The name of a program or property: a name, or any text in double quotes.
    fn title(&mut self, what: &str) -> Parse<Name> {
        if self.at(Token::Str) { self.unquote() } else { self.name(what) }
    }

    fn unquote(&mut self) -> Parse<Name> {
        let slice = self.slice(0);
        let span = self.bump();
        match names::unescape(&slice[1..slice.len() - 1]) {
            Ok(text) => Ok(Name { text, span }),
            Err(at) => {
                let start = span.start as usize + 1 + at;
                let place = Span::new(self.file, start..start + 2);
                let found =
                    Diagnostic::error(codes::OPEN_QUOTE, "unknown escape in a quoted name", place);
                self.report(found.label("known are \\\\ \\` \\\" \\n \\r"));
                Err(GiveUp)
            }
        }
    }

    fn keyword_as_name<T>(&mut self, what: &str) -> Parse<T> {
        let word = self.slice(0);
        let span = self.span();
        let message = format!("`{word}` is a reserved word and cannot be a name");
        self.report(
            Diagnostic::error(codes::KEYWORD_AS_NAME, message, span)
                .label(format!("expected {what}"))
                .help(format!("choose another name, or write it in backticks: `{word}`")),
        );
        Err(GiveUp)
    }

    /// `#3`
    fn number(&mut self) -> Parse<Number> {
        let hash = self.expect(Token::Hash)?;
        self.bare_number(hash)
    }

    /// A number after something that already stands for what it counts.
    fn bare_number(&mut self, start: Span) -> Parse<Number> {
        if !self.at(Token::Int) {
            return self.expected("a number");
        }
        let slice = self.slice(0);
        let span = self.bump();
        match slice.parse() {
            Ok(value) => Ok(Number { value, span: start.to(span) }),
            Err(_) => self.bad_number(slice, span),
        }
    }

    fn bad_number<T>(&mut self, text: &str, span: Span) -> Parse<T> {
        let digits = text.bytes().all(|b| b.is_ascii_digit());
        let found = match digits {
            true => Diagnostic::error(codes::BAD_NUMBER, "this number is too large", span)
                .label("does not fit")
                .help("numbers are 64-bit: from -9223372036854775808 to 9223372036854775807"),
            false => {
                Diagnostic::error(codes::BAD_NUMBER, "this is neither a number nor a name", span)
                    .label("letters after digits")
                    .help(
                        "numbers are decimal, or hexadecimal as in 0x1f; names begin with a letter",
                    )
            }
        };
        self.report(found);
        Err(GiveUp)
    }

    /// Things separated by commas up to a closing token, which is taken.
    fn list<T>(
        &mut self,
        close: Token,
        mut one: impl FnMut(&mut Self) -> Parse<T>,
    ) -> Parse<(Vec<T>, Span)> {
        let mut all = Vec::new();
        if self.at(close) {
            return Ok((all, self.bump()));
        }
        loop {
            all.push(one(self)?);
            if self.at(close) {
                return Ok((all, self.bump()));
            }
            if !self.eat(Token::Comma) {
                return self.expected(&format!("`,` or {}", close.describe()));
            }
        }
    }
}

/// A word in messages: in quotes, and cut if somebody wrote a very long one.
pub(crate) fn shown(word: &str) -> String {
    match word.char_indices().nth(40) {
        Some((cut, _)) => format!("`{}…`", &word[..cut]),
        None => format!("`{}`", word.trim_matches('`')),
    }
}
