//! The parser: tokens to the surface tree, by recursive descent.
//!
//! A mistake does not end the reading. The declaration or transition it stands in is given up and the
//! parser goes on after it, so one run reports many mistakes. Two things do end it: nesting beyond
//! [`DEEPEST`], which no person writes, and a full list of messages.
//!
//! The parser is as lenient as DiVinE 3 where real files need it: the parts of a process may stand in any
//! order, commas between transitions and the last `;` may be left out.

mod declarations;
mod expr;
mod items;
mod process;

pub(crate) use expr::HIGHEST;

use taut_source::{Diagnostic, FileId, Span};

use crate::ast::Name;
use crate::codes;
use crate::found::Found;
use crate::lexer::{KEYWORDS, Spanned, Token};
use crate::surface::{Expr, File};

/// How deep parentheses and `for` and `if` nest.
const DEEPEST: u32 = 200;

/// A mistake was reported; the caller decides where to go on.
struct GiveUp;

type Parse<T> = Result<T, GiveUp>;

/// Parses the tokens of a file.
pub(crate) fn file(text: &str, file: FileId, tokens: &[Spanned], diagnostics: &mut Found) -> File {
    Parser::new(text, file, tokens, "the end of the file", diagnostics).file()
}

/// Parses an expression that stands alone.
pub(crate) fn expression(
    text: &str,
    file: FileId,
    tokens: &[Spanned],
    diagnostics: &mut Found,
) -> Option<Expr> {
    let mut parser = Parser::new(text, file, tokens, "the end of the expression", diagnostics);
    let found = parser.expression().ok()?;
    if !parser.at(Token::Eof) {
        return parser.expected("an operator or the end of the expression").ok();
    }
    (!parser.stopped).then_some(found)
}

struct Parser<'t, 'd> {
    text: &'t str,
    file: FileId,
    tokens: &'t [Spanned],
    /// What messages call the end.
    end: &'static str,
    at: usize,
    depth: u32,
    /// Nothing more is read or reported.
    stopped: bool,
    diagnostics: &'d mut Found,
}

impl<'t, 'd> Parser<'t, 'd> {
    fn new(
        text: &'t str,
        file: FileId,
        tokens: &'t [Spanned],
        end: &'static str,
        diagnostics: &'d mut Found,
    ) -> Parser<'t, 'd> {
        Parser { text, file, tokens, end, at: 0, depth: 0, stopped: false, diagnostics }
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

    fn slice(&self) -> &'t str {
        let token = self.spanned(0);
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

    /// Whether the next token is a name that has a meaning here.
    fn at_word(&self, word: &str) -> bool {
        self.at(Token::Ident) && self.slice() == word
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
        let found = Diagnostic::error(codes::EXPECTED, message, self.span());
        let found = found.label(format!("expected {what}"));
        // A slip in a keyword reads as a name where no name can stand.
        let slip = self
            .at(Token::Ident)
            .then(|| taut_source::nearest(self.slice(), KEYWORDS.iter().copied()));
        self.report(match slip.flatten() {
            Some(word) => found.help(format!("did you mean `{word}`?")),
            None => found,
        });
        Err(GiveUp)
    }

    /// The next token in words.
    fn found(&self) -> String {
        match self.peek() {
            Token::Ident => format!("the name {}", shown(self.slice())),
            Token::Int => format!("the number {}", shown(self.slice())),
            Token::Eof => self.end.into(),
            token => token.describe(),
        }
    }

    fn expect(&mut self, token: Token) -> Parse<Span> {
        if self.at(token) { Ok(self.bump()) } else { self.expected(&token.describe()) }
    }

    /// A closing sign; if it is missing, the message shows what it would have closed.
    fn close(&mut self, token: Token, open: Span) -> Parse<Span> {
        if self.at(token) {
            return Ok(self.bump());
        }
        let wanted = token.describe();
        let message = format!("expected {wanted}, found {}", self.found());
        let found = Diagnostic::error(codes::EXPECTED, message, self.span());
        self.report(found.label(format!("expected {wanted}")).related(open, "to close this"));
        Err(GiveUp)
    }

    /// The `;` after something. A missing one is reported at the end of what stands before it, and reading
    /// goes on as if it were there if something new begins on the next line.
    fn semicolon(&mut self, after: &str) -> Parse<()> {
        if self.eat(Token::Semi) {
            return Ok(());
        }
        let message = format!("expected `;` after {after}, found {}", self.found());
        let place = self.previous().after();
        self.report(Diagnostic::error(codes::EXPECTED, message, place).label("expected `;`"));
        let next = self.span().start.max(place.start) as usize;
        let fresh_line = self.text[place.start as usize..next].contains('\n');
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

    /// Reports something that is too deep for anybody and stops reading.
    fn too_deep(&mut self, span: Span, message: String) {
        let found = Diagnostic::error(codes::TOO_DEEP, message, span).label("too deep here");
        self.report(found.help("is this text generated? split it into smaller expressions"));
        self.stopped = true;
    }

    /// A name of something the user declares or uses.
    fn name(&mut self, what: &str) -> Parse<Name> {
        match self.peek() {
            Token::Ident => {
                let text = self.slice().into();
                Ok(Name { text, span: self.bump() })
            }
            token if token.is_keyword() => self.keyword_as_name(what),
            _ => self.expected(what),
        }
    }

    fn keyword_as_name<T>(&mut self, what: &str) -> Parse<T> {
        let message = format!("`{}` is a reserved word and cannot be a name", self.slice());
        let found = Diagnostic::error(codes::KEYWORD_AS_NAME, message, self.span());
        self.report(found.label(format!("expected {what}")).help("choose another name"));
        // These are more likely to begin something than to be meant as names.
        if !matches!(self.peek(), Token::Process | Token::System) {
            self.bump();
        }
        Err(GiveUp)
    }

    /// One thing or more, with commas between them.
    fn commas<T>(&mut self, mut one: impl FnMut(&mut Self) -> Parse<T>) -> Parse<Vec<T>> {
        let mut all = vec![one(self)?];
        while self.eat(Token::Comma) {
            all.push(one(self)?);
        }
        Ok(all)
    }

    /// Skips to a place where reading can go on: after a token, or before one of these.
    fn skip_to(&mut self, stops: &[Token], after: Option<Token>) {
        while !self.at(Token::Eof) && !stops.contains(&self.peek()) {
            if Some(self.bump_token()) == after {
                return;
            }
        }
    }

    fn bump_token(&mut self) -> Token {
        let token = self.peek();
        self.bump();
        token
    }
}

/// A word in messages: in quotes, and cut if somebody wrote a very long one.
pub(crate) fn shown(word: &str) -> String {
    match word.char_indices().nth(40) {
        Some((cut, _)) => format!("`{}…`", &word[..cut]),
        None => format!("`{word}`"),
    }
}
