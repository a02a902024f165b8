//! The file: header, initial block, table, question.
//!
//! A mistake in an entry of the initial block or in a cell of the table is reported and skipped, so that
//! one run finds all of them; a mistake in the structure around them ends the reading. The parts are read
//! in `header`, `init`, `table` (its cells in `instruction`) and `proposition`, names in `names`.

use taut_source::{Diagnostic, Diagnostics, FileId, Span};

use crate::ast::{Arch, Tree};
use crate::error::{self, Failed, Parsed};
use crate::lexer::{Kind, Lexer, Token};

/// How much of an unexpected word is quoted.
const QUOTED: usize = 24;

/// Reads one file.
pub(crate) struct Parser<'s> {
    pub(crate) text: &'s str,
    pub(crate) file: FileId,
    pub(crate) arch: Arch,
    pub(crate) lexer: Lexer<'s>,
    /// The token that is looked at.
    pub(crate) token: Token,
    /// Where the token before it ended.
    last_end: usize,
    diagnostics: Diagnostics,
}

impl<'s> Parser<'s> {
    /// A reader at the start of a text.
    pub(crate) fn new(text: &'s str, file: FileId) -> Parser<'s> {
        let mut lexer = Lexer::new(text, 0);
        let token = lexer.next();
        let diagnostics = Diagnostics::new();
        Parser { text, file, arch: Arch::X86_64, lexer, token, last_end: 0, diagnostics }
    }

    /// Reads the file.
    pub(crate) fn run(mut self) -> Result<Tree<'s>, Diagnostics> {
        let tree = self.tree();
        self.done(tree)
    }

    /// What was read, or the messages.
    pub(crate) fn done<T>(self, read: Parsed<T>) -> Result<T, Diagnostics> {
        match read {
            Ok(read) if !self.diagnostics.has_errors() => Ok(read),
            _ => Err(self.diagnostics),
        }
    }

    /// Whether the header names C.
    pub(crate) fn is_c(&self) -> bool {
        self.at_word("C")
    }

    fn tree(&mut self) -> Parsed<Tree<'s>> {
        let name = self.header()?;
        if self.arch == Arch::C {
            return Err(
                self.unexpected("a table", "a C test has functions; see `taut_litmus::read`")
            );
        }
        let init = self.init()?;
        let start = self.token.start;
        let mut threads = self.thread_names()?;
        let mut rows = vec![self.span_from(start)];
        rows.extend(self.rows(&mut threads)?);
        let question = self.question()?;
        Ok(Tree { arch: self.arch, name, init, threads, rows, question })
    }
}

/// Tokens and messages.
impl<'s> Parser<'s> {
    pub(crate) fn span(&self, token: Token) -> Span {
        Span::new(self.file, token.start..token.end)
    }

    /// From a byte to the end of the last token read.
    pub(crate) fn span_from(&self, start: usize) -> Span {
        Span::new(self.file, start..self.last_end.max(start))
    }

    /// The empty span after the last token read: where something is missing.
    pub(crate) fn span_after(&self) -> Span {
        Span::new(self.file, self.last_end..self.last_end)
    }

    pub(crate) fn text_of(&self, token: Token) -> &'s str {
        &self.text[token.start..token.end]
    }

    pub(crate) fn slice(&self, from: Token, to: Token) -> &'s str {
        &self.text[from.start..to.end]
    }

    pub(crate) fn bump(&mut self) -> Token {
        let token = self.token;
        self.last_end = token.end;
        self.token = self.lexer.next();
        token
    }

    pub(crate) fn at(&self, kind: Kind) -> bool {
        self.token.kind == kind
    }

    /// The token after the one that is looked at.
    pub(crate) fn after(&self) -> Token {
        self.lexer.clone().next()
    }

    pub(crate) fn at_word(&self, word: &str) -> bool {
        self.at(Kind::Word) && self.text_of(self.token) == word
    }

    pub(crate) fn eat(&mut self, kind: Kind) -> bool {
        let there = self.at(kind);
        if there {
            self.bump();
        }
        there
    }

    pub(crate) fn expect(&mut self, kind: Kind, what: &str, help: &str) -> Parsed<Token> {
        if self.at(kind) { Ok(self.bump()) } else { Err(self.unexpected(what, help)) }
    }

    pub(crate) fn fail(&mut self, diagnostic: Diagnostic) -> Failed {
        self.diagnostics.push(diagnostic);
        Failed
    }

    pub(crate) fn is_full(&self) -> bool {
        self.diagnostics.is_full()
    }

    /// The message that something else was expected here.
    pub(crate) fn unexpected(&mut self, expected: &str, help: &str) -> Failed {
        let span = self.span(self.token);
        if self.at(Kind::OpenComment) {
            return self.open_comment();
        }
        let message = match self.token.kind {
            Kind::End => "the file ends too early".to_owned(),
            Kind::Unknown => format!("unexpected character `{}`", self.text_of(self.token)),
            _ => format!("unexpected `{}`", shorten(self.text_of(self.token))),
        };
        let diagnostic = Diagnostic::error(error::UNEXPECTED, message, span)
            .label(format!("expected {expected}"))
            .help(help);
        self.fail(diagnostic)
    }

    /// The message that there is more of something than is accepted.
    pub(crate) fn too_many(&mut self, what: &str, most: usize) -> Failed {
        let message = format!("the test has too many {what}");
        let diagnostic = Diagnostic::error(error::LIMIT, message, self.span(self.token))
            .label(format!("at most {most} are accepted"))
            .help("a test this large cannot be explored; split it");
        self.fail(diagnostic)
    }

    /// The message about the comment here that does not end.
    pub(crate) fn open_comment(&mut self) -> Failed {
        debug_assert!(self.at(Kind::OpenComment));
        self.fail(open_comment(self.span(self.token)))
    }

    /// The value of a number.
    pub(crate) fn number(&mut self) -> Parsed<i64> {
        let token = self.expect(Kind::Number, "a number", "numbers are `1`, `-1` or `0x1f`")?;
        let text = self.text_of(token);
        value_of(text).ok_or_else(|| {
            let message = format!("`{}` is not a 64-bit number", shorten(text));
            let diagnostic = Diagnostic::error(error::NUMBER, message, self.span(token))
                .label("expected a decimal number, or a hexadecimal one after `0x`")
                .help("values are 64 bits wide, signed or unsigned");
            self.fail(diagnostic)
        })
    }
}

pub(crate) fn open_comment(span: Span) -> Diagnostic {
    Diagnostic::error(error::COMMENT, "a comment does not end", span)
        .label("it starts here")
        .help("close it with `*)`; comments nest, so every `(*` needs its own")
}

/// A number of 64 bits, signed or unsigned, as a signed one.
fn value_of(text: &str) -> Option<i64> {
    let (negative, digits) = match text.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, text),
    };
    let magnitude = match digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X")) {
        Some(hexadecimal) => u64::from_str_radix(hexadecimal, 16).ok()?,
        None => digits.parse::<u64>().ok()?,
    };
    match negative {
        false => Some(magnitude as i64),
        true => i64::try_from(-i128::from(magnitude)).ok(),
    }
}

/// The start of a text, short enough to be quoted.
pub(crate) fn shorten(text: &str) -> String {
    match text.char_indices().nth(QUOTED) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
