//! Forms of other languages: what was meant is clear, so it is said, and reading goes on where it can.

use taut_source::{Descent, Diagnostic, Span};

use super::{GiveUp, Parse, Parser};
use crate::ast::{Block, Stmt};
use crate::codes;
use crate::lexer::Token;
use crate::mistakes::{self, Where, instead};

/// A hint about a token that nothing expects. `in_body` says whether it stands in a body.
pub(super) fn hint(token: Token, in_body: bool) -> Option<&'static str> {
    Some(match token {
        Token::Colon if in_body => {
            "blocks are written with braces, `{ … }`, or with `then … fi` and `do … od`"
        }
        Token::Star | Token::Amp => {
            "there are no pointers: keep an index into an array of records, as in `n[i].next`, or a `ref node` into a pool"
        }
        Token::Arrow if in_body => {
            "there are no pointers: with a reference to a record of a pool write `p.next`, with an array of records `n[p].next`"
        }
        Token::Str => "there are no texts; names of values are declared with `enum { A, B }`",
        Token::LeftBrace if in_body => {
            "a block needs a word before it, such as `loop`, `atomic` or `if (e)`"
        }
        Token::Hash => "there is no preprocessor: constants are declared with `const N = 3;`",
        Token::Bang => "there are no macros",
        _ => return None,
    })
}

impl Parser<'_, '_> {
    /// Reports a form of another language.
    pub(super) fn foreign(&mut self, message: &str, label: &str, span: Span, help: String) {
        let found = Diagnostic::error(codes::OTHER_LANGUAGE, message, span);
        self.report(found.label(label).help(help));
    }

    /// Reports a word of another language, if it is one.
    pub(super) fn foreign_word(&mut self, at: Where) -> Parse<()> {
        if !self.at(Token::Ident) {
            return Ok(());
        }
        let whole = Span { start: 0, ..self.cursor.end() };
        let text = self.cursor.text(whole);
        match mistakes::about(at, self.slice(0), self.span(), text) {
            None => Ok(()),
            Some(found) => {
                self.report(found);
                Err(GiveUp)
            }
        }
    }

    /// `printf("%d", x)`, `atomic_store(&x, 1)`: the function is what has no meaning here, and not its first argument.
    pub(super) fn check_foreign_call(&mut self) -> Parse<()> {
        let foreign = matches!(self.peek_at(2), Token::Str | Token::Amp) && !self.at_known_call();
        if foreign { self.foreign_word(Where::Call) } else { Ok(()) }
    }

    /// Whether an operator of another language stands here: several signs, or one that means something else.
    /// Takes it, and says which token is meant.
    pub(super) fn foreign_operator(&mut self) -> Option<Token> {
        let (count, meant) = match (self.peek(), self.peek_at(1)) {
            (Token::Equal, Token::Less) if self.touches() => (2, Token::LessEq),
            (Token::Equal, Token::Greater) if self.touches() => (2, Token::GreaterEq),
            (Token::EqEq, Token::Equal) if self.touches() => (2, Token::EqEq),
            (Token::NotEq, Token::Equal) if self.touches() => (2, Token::NotEq),
            (Token::SlashEq | Token::Eventually, _) => (1, Token::NotEq),
            (Token::Conjunction, _) => (1, Token::AndAnd),
            (Token::Disjunction, _) => (1, Token::OrOr),
            _ => return None,
        };
        let start = self.bump();
        let span = if count == 2 { start.to(self.bump()) } else { start };
        let sign = self.cursor.text(span).to_owned();
        let meant_text = taut_source::Token::text(meant).unwrap_or_default();
        let message = format!("`{sign}` is no operator here");
        let label = match meant {
            Token::AndAnd | Token::OrOr => "joins conditions in another language",
            _ => "compares in another language",
        };
        self.foreign(&message, label, span, instead(meant_text));
        Some(meant)
    }

    /// Whether the next two tokens touch.
    fn touches(&self) -> bool {
        let span = self.span();
        let next = self.cursor.text(Span { start: span.end, end: self.cursor.end().end, ..span });
        next.starts_with(['=', '<', '>'])
    }

    /// The body of a statement without braces: one statement, which is reported.
    pub(super) fn without_braces(&mut self, what: &str) -> Parse<Block> {
        let open = self.previous();
        if self.at(Token::Semi) {
            let span = self.bump();
            let message = format!("the body of {what} needs braces, even if nothing is in it");
            self.foreign(&message, "expected a block", span, instead("{ }"));
            return Ok(Block { stmts: Vec::new(), braces: true, open, end: span });
        }
        let start = self.span();
        let stmt: Stmt = self.nested(Self::statement)?;
        let span = start.to(self.previous());
        let message = format!("the body of {what} needs braces");
        let text = self.cursor.text(span).to_owned();
        self.foreign(&message, "expected `{` before this", span, instead(&format!("{{ {text} }}")));
        Ok(Block { stmts: vec![stmt], braces: true, open, end: self.span() })
    }

    /// Whether the block of an `if` or `while` whose word was forgotten ends with this word further down.
    pub(super) fn ends_with_word(&self, opener: Token, closer: Token) -> bool {
        let mut open = 0u32;
        for ahead in 0..10_000 {
            match self.peek_at(ahead) {
                token if token == opener => open += 1,
                token if token == closer && open == 0 => return true,
                token if token == closer => open -= 1,
                Token::Process | Token::Main | Token::Procedure | Token::Eof => return false,
                _ => {}
            }
        }
        false
    }

    /// Promela's `if :: … fi` and `do :: … od`.
    pub(super) fn promela_options<T>(&mut self, word: Span) -> Parse<T> {
        let message = "options after `::` are Promela's";
        self.foreign(message, "expected a condition or a block", word,
            "a choice is `choose { assume(e); … } or { … }`, in a `loop` if it repeats; `.pml` files are read as they are".into());
        Err(GiveUp)
    }

    /// Rust's `for i in 0..3`.
    pub(super) fn rust_range<T>(&mut self, word: Span) -> Parse<T> {
        let message = "a `for` has three parts in parentheses";
        self.foreign(
            message,
            "expected `(`",
            word,
            "as in `for (int i = 0; i < 3; i++) { … }`".into(),
        );
        Err(GiveUp)
    }

    /// `#define N 3`
    pub(super) fn define<T>(&mut self) -> Parse<T> {
        let start = self.span();
        if self.peek_at(1) == Token::Ident
            && self.slice(1) == "define"
            && self.peek_at(2) == Token::Ident
            && self.peek_at(3) == Token::Int
        {
            let text = format!("const {} = {};", self.slice(2), self.slice(3));
            (0..3).for_each(|_| {
                self.bump();
            });
            let span = start.to(self.bump());
            self.foreign("there is no preprocessor", "a constant", span, instead(&text));
            return Err(GiveUp);
        }
        let is_include = self.peek_at(1) == Token::Ident && self.slice(1) == "include";
        if is_include && self.peek_at(2) == Token::Str {
            let text = format!("include {};", self.slice(2));
            (0..2).for_each(|_| {
                self.bump();
            });
            let span = start.to(self.bump());
            self.foreign("there is no preprocessor", "another file", span, instead(&text));
            return Err(GiveUp);
        }
        self.expected("a declaration")
    }
}
