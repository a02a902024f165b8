//! The place of a parser in a list of tokens, and what every recursive descent does there.
//!
//! A parser owns a [`Cursor`] and implements [`Descent`]; it then has the usual methods: look ahead,
//! take, expect, report, recover, go one level deeper. Two things end the reading for good: nesting
//! deeper than the limit, which no person writes, and a full list of messages. Afterwards every
//! token is [`Token::END`] and nothing is reported, so that no loop of a parser needs to ask.

use crate::{Diagnostic, FileId, Messages, Shape, Span, Spanned, Token};

/// A mistake was reported; the caller decides where to go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GiveUp;

/// A part of the tree, or [`GiveUp`].
pub type Parse<T> = Result<T, GiveUp>;

/// The deepest nesting of statements and parentheses: each level takes a part of the stack.
pub const DEEPEST: u32 = 200;

/// Tokens to be parsed. All stand in one text, but not always in its order: macros may have moved
/// them.
#[derive(Clone, Copy, Debug)]
pub struct Words<'t, T> {
    /// The text.
    pub text: &'t str,
    /// Its file.
    pub file: FileId,
    /// The tokens, [`Token::END`] last.
    pub tokens: &'t [Spanned<T>],
    /// The name of the end in messages.
    pub end: &'static str,
}

/// A place in a list of tokens.
pub struct Cursor<'t, 'd, T> {
    words: Words<'t, T>,
    at: usize,
    depth: u32,
    /// Nothing more is read or reported.
    stopped: bool,
    messages: &'d mut dyn Messages,
}

impl<'t, 'd, T: Token> Cursor<'t, 'd, T> {
    /// The place before the first token.
    pub fn new(words: Words<'t, T>, messages: &'d mut dyn Messages) -> Cursor<'t, 'd, T> {
        debug_assert!(words.tokens.last().is_some_and(|t| t.token == T::END), "an end token");
        Cursor { words, at: 0, depth: 0, stopped: false, messages }
    }

    /// Number of tokens taken.
    pub fn position(&self) -> usize {
        self.at
    }

    /// Whether the reading has ended for good.
    pub fn is_stopped(&self) -> bool {
        self.stopped
    }

    /// The name of the end in messages.
    pub fn end_name(&self) -> &'static str {
        self.words.end
    }

    /// The place of the end.
    pub fn end(&self) -> Span {
        self.words.tokens[self.words.tokens.len() - 1].span(self.words.file)
    }

    /// The text of a place.
    pub fn text(&self, span: Span) -> &'t str {
        &self.words.text[span.start as usize..span.end as usize]
    }

    fn spanned(&self, ahead: usize) -> Spanned<T> {
        let last = self.words.tokens.len() - 1;
        self.words.tokens[(self.at + ahead).min(last)]
    }
}

/// A parser by recursive descent.
pub trait Descent<'t, 'd>: Sized {
    /// The tokens of the language.
    type Token: Token + 't;

    /// The place of the parser.
    fn cursor(&self) -> &Cursor<'t, 'd, Self::Token>;

    /// The place of the parser, to change it.
    fn cursor_mut(&mut self) -> &mut Cursor<'t, 'd, Self::Token>;

    /// A hint where another token was expected.
    fn hint(&self) -> Option<String> {
        None
    }

    /// The next token.
    fn peek(&self) -> Self::Token {
        self.peek_at(0)
    }

    /// The token after some others.
    fn peek_at(&self, ahead: usize) -> Self::Token {
        let cursor = self.cursor();
        if cursor.stopped { Self::Token::END } else { cursor.spanned(ahead).token }
    }

    /// The place of the next token.
    fn span(&self) -> Span {
        self.cursor().spanned(0).span(self.cursor().words.file)
    }

    /// The place of the token just taken.
    fn previous(&self) -> Span {
        let cursor = self.cursor();
        cursor.words.tokens[cursor.at.saturating_sub(1)].span(cursor.words.file)
    }

    /// The text of the token after some others.
    fn slice(&self, ahead: usize) -> &'t str {
        let token = self.cursor().spanned(ahead);
        &self.cursor().words.text[token.start as usize..token.end as usize]
    }

    /// Takes the next token.
    fn bump(&mut self) -> Span {
        taut_budget::tick();
        let span = self.span();
        let cursor = self.cursor_mut();
        if cursor.at + 1 < cursor.words.tokens.len() {
            cursor.at += 1;
        }
        span
    }

    /// Whether this token comes next.
    fn at(&self, token: Self::Token) -> bool {
        self.peek() == token
    }

    /// Takes the next token if it is this one.
    fn eat(&mut self, token: Self::Token) -> bool {
        let found = self.at(token);
        if found {
            self.bump();
        }
        found
    }

    /// Whether the next token is a word that is no keyword and has a meaning only here.
    fn at_word(&self, word: &str) -> bool {
        self.peek().shape() == Shape::Name && self.slice(0) == word
    }

    /// Takes the next token if it is such a word.
    fn eat_word(&mut self, word: &str) -> bool {
        let found = self.at_word(word);
        if found {
            self.bump();
        }
        found
    }

    /// Adds a message, unless the reading has ended.
    fn report(&mut self, found: Diagnostic) {
        // Characters that are no token at all have been reported as such.
        if self.cursor().stopped || self.at(Self::Token::STRANGE) {
            return;
        }
        let cursor = self.cursor_mut();
        cursor.messages.push(found);
        cursor.stopped = cursor.messages.is_full();
    }

    /// The next token in words.
    fn found(&self) -> String {
        let token = self.peek();
        match token.shape() {
            Shape::Name => format!("the name {}", shown(self.slice(0))),
            Shape::Number => format!("the number {}", shown(self.slice(0))),
            Shape::End => self.cursor().words.end.into(),
            _ => token.describe(),
        }
    }

    /// The message that something else was expected at the next token.
    fn unexpected(&self, what: &str) -> Diagnostic {
        let message = format!("expected {what}, found {}", self.found());
        let code = Self::Token::WORDING.codes.expected;
        Diagnostic::error(code, message, self.span()).label(format!("expected {what}"))
    }

    /// Reports that something else was expected at the next token.
    fn expected<T>(&mut self, what: &str) -> Parse<T> {
        let found = self.unexpected(what);
        self.report(match self.hint() {
            Some(hint) => found.help(hint),
            None => found,
        });
        Err(GiveUp)
    }

    /// Takes the next token, which must be this one.
    fn expect(&mut self, token: Self::Token) -> Parse<Span> {
        if self.at(token) { Ok(self.bump()) } else { self.expected(&token.describe()) }
    }

    /// Takes a closing sign; if it is missing, the message shows the sign that it would have closed.
    fn close(&mut self, token: Self::Token, open: Span) -> Parse<Span> {
        if self.at(token) {
            return Ok(self.bump());
        }
        let found = self.unexpected(&token.describe()).related(open, "to close this");
        self.report(found);
        Err(GiveUp)
    }

    /// Takes the `;` at the end of a statement or declaration. A missing one is reported at the end of
    /// the text before it, and reading goes on as if it were there if the next token begins a line.
    fn semicolon(&mut self, after: &str) -> Parse<()> {
        if self.eat(Self::Token::SEMICOLON) {
            return Ok(());
        }
        let message = format!("expected `;` after {after}, found {}", self.found());
        let place = self.previous().after();
        let code = Self::Token::WORDING.codes.expected;
        self.report(Diagnostic::error(code, message, place).label("expected `;`"));
        let next = self.span().start.max(place.start);
        let fresh_line = self.cursor().text(Span { end: next, ..place }).contains('\n');
        if fresh_line { Ok(()) } else { Err(GiveUp) }
    }

    /// Reads something one level deeper, unless that is too deep.
    fn nested<T>(&mut self, inner: impl FnOnce(&mut Self) -> Parse<T>) -> Parse<T> {
        if self.cursor().depth >= DEEPEST {
            let at = self.span();
            return self.too_deep(at, format!("nested more than {DEEPEST} levels deep"));
        }
        self.cursor_mut().depth += 1;
        let result = inner(self);
        self.cursor_mut().depth -= 1;
        result
    }

    /// Reports something that is too deep and ends the reading.
    fn too_deep<T>(&mut self, span: Span, message: String) -> Parse<T> {
        let language = Self::Token::WORDING;
        let found = Diagnostic::error(language.codes.too_deep, message, span);
        self.report(found.label("too deep here").help(language.too_deep));
        self.cursor_mut().stopped = true;
        Err(GiveUp)
    }

    /// Elements with commas between them, at least one.
    fn commas<T>(&mut self, mut one: impl FnMut(&mut Self) -> Parse<T>) -> Parse<Vec<T>> {
        let mut all = vec![one(self)?];
        while self.eat(Self::Token::COMMA) {
            all.push(one(self)?);
        }
        Ok(all)
    }

    /// Elements with commas between them up to a closing token, which is taken.
    fn list<T>(
        &mut self,
        close: Self::Token,
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
            if !self.eat(Self::Token::COMMA) {
                return self.expected(&format!("`,` or {}", close.describe()));
            }
        }
    }

    /// Recovers: skips to a place where reading can go on, after a token or before one of these.
    fn skip_to(&mut self, stops: &[Self::Token], after: Option<Self::Token>) {
        while !self.at(Self::Token::END) && !stops.contains(&self.peek()) {
            let token = self.peek();
            self.bump();
            if Some(token) == after {
                return;
            }
        }
    }

    /// Reads something that must be all of the text.
    fn alone<T>(&mut self, one: impl FnOnce(&mut Self) -> Parse<T>) -> Option<T> {
        let found = one(self).ok()?;
        if !self.at(Self::Token::END) {
            let what = format!("an operator or {}", self.cursor().words.end);
            return self.expected(&what).ok();
        }
        (!self.cursor().stopped).then_some(found)
    }
}

/// A word in a message: in quotes, and cut if it is very long.
pub fn shown(word: &str) -> String {
    match word.char_indices().nth(40) {
        Some((cut, _)) => format!("`{}…`", &word[..cut]),
        None => format!("`{}`", word.trim_matches('`')),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Codes, Diagnostics, Wording};

    const WORDING: Wording = Wording {
        whole: "text",
        quotes: &['"'],
        letters: "names have the letters a-z",
        too_deep: "use fewer parentheses",
        codes: Codes {
            strange_character: "X0001",
            open_comment: "X0002",
            open_quote: "X0003",
            too_large: "X0004",
            expected: "X0005",
            too_deep: "X0006",
        },
    };

    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    enum Toy {
        Name,
        Open,
        Close,
        Comma,
        Semi,
        Strange,
        End,
    }

    impl Token for Toy {
        const WORDING: &'static Wording = &WORDING;
        const STRANGE: Toy = Toy::Strange;
        const END: Toy = Toy::End;
        const COMMA: Toy = Toy::Comma;
        const SEMICOLON: Toy = Toy::Semi;

        fn text(self) -> Option<&'static str> {
            match self {
                Toy::Open => Some("("),
                Toy::Close => Some(")"),
                Toy::Comma => Some(","),
                Toy::Semi => Some(";"),
                Toy::Name | Toy::Strange | Toy::End => None,
            }
        }

        fn shape(self) -> Shape {
            match self {
                Toy::Name => Shape::Name,
                Toy::Strange => Shape::Strange,
                Toy::End => Shape::End,
                _ => Shape::Sign,
            }
        }
    }

    /// Reads nested lists of names: `(a, (b), c)`.
    struct Lists<'t, 'd> {
        cursor: Cursor<'t, 'd, Toy>,
    }

    impl<'t, 'd> Descent<'t, 'd> for Lists<'t, 'd> {
        type Token = Toy;

        fn cursor(&self) -> &Cursor<'t, 'd, Toy> {
            &self.cursor
        }

        fn cursor_mut(&mut self) -> &mut Cursor<'t, 'd, Toy> {
            &mut self.cursor
        }
    }

    impl Lists<'_, '_> {
        /// Number of names in one element.
        fn element(&mut self) -> Parse<usize> {
            if !self.eat(Toy::Open) {
                return self.expect(Toy::Name).map(|_| 1);
            }
            let (all, _) = self.nested(|p| p.list(Toy::Close, Self::element))?;
            Ok(all.into_iter().sum())
        }
    }

    fn lexer(text: &str) -> impl Iterator<Item = (Result<Toy, ()>, std::ops::Range<usize>)> {
        let token = |c: char| match c {
            '(' => Ok(Toy::Open),
            ')' => Ok(Toy::Close),
            ',' => Ok(Toy::Comma),
            ';' => Ok(Toy::Semi),
            c if c.is_ascii_lowercase() => Ok(Toy::Name),
            _ => Err(()),
        };
        let all = text.char_indices().filter(|(_, c)| !c.is_whitespace());
        all.map(move |(at, c)| (token(c), at..at + c.len_utf8()))
    }

    /// The number of names in a text, or the messages about it.
    fn read(text: &str) -> Result<usize, Vec<String>> {
        let (file, mut found) = (FileId(0), Diagnostics::new());
        let lexed = crate::tokens((text, file, 0..text.len()), lexer(text), &mut found);
        let words = Words { text, file, tokens: &lexed.tokens, end: "the end" };
        let names = Lists { cursor: Cursor::new(words, &mut found) }.alone(Lists::element);
        let shown = |d: &Diagnostic| format!("{} {}..{}", d.message, d.span.start, d.span.end);
        names.ok_or_else(|| found.iter().map(shown).collect())
    }

    #[test]
    fn lists_are_read() {
        assert_eq!(read("(a, (b, c), ())"), Ok(3));
    }

    #[test]
    fn what_was_expected_is_reported_once() {
        let message = "expected `,` or `)`, found the name `b` 3..4";
        assert_eq!(read("(a b c"), Err(vec![message.into()]));
        assert_eq!(
            read("a b"),
            Err(vec!["expected an operator or the end, found the name `b` 2..3".into()])
        );
        assert_eq!(read("(a,"), Err(vec!["expected a name, found the end 3..3".into()]));
    }

    #[test]
    fn strange_characters_are_one_message_and_nothing_is_expected_of_them() {
        let message = "the characters `$$` have no meaning here 1..3";
        assert_eq!(read("($$)"), Err(vec![message.into()]));
    }

    #[test]
    fn nesting_ends_at_the_limit() {
        let deep = |levels: usize| "(".repeat(levels) + &")".repeat(levels);
        assert_eq!(read(&deep(DEEPEST as usize)), Ok(0));
        let messages = read(&deep(100_000)).unwrap_err();
        assert_eq!(messages, ["nested more than 200 levels deep 201..202"]);
    }

    #[test]
    fn reading_ends_with_a_full_list_of_messages() {
        let text = "$ a ".repeat(100);
        assert_eq!(read(&text).unwrap_err().len(), Diagnostics::LIMIT);
    }

    #[test]
    fn a_missing_semicolon_is_reported_where_it_belongs() {
        let (text, file, mut found) = ("a\nb", FileId(0), Diagnostics::new());
        let lexed = crate::tokens((text, file, 0..3), lexer(text), &mut found);
        let words = Words { text, file, tokens: &lexed.tokens, end: "the end" };
        let mut parser = Lists { cursor: Cursor::new(words, &mut found) };
        parser.bump();
        // The next token begins a line, so reading goes on.
        assert_eq!(parser.semicolon("the name"), Ok(()));
        parser.bump();
        assert_eq!(parser.semicolon("the name"), Err(GiveUp));
        let places: Vec<_> = found.iter().map(|d| d.span.start).collect();
        assert_eq!(places, [1, 3]);
    }
}
