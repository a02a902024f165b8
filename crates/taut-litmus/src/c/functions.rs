//! The threads of a C test, found in the text: `P0 (atomic_int *x, int *y) { … }`.
//!
//! Brackets are matched outside of comments and quotes of C. What stands between them is read later, by the front end of C.

use std::ops::Range;

use taut_source::{Diagnostic, Diagnostics, Span};

use super::{Function, Param, Tree};
use crate::error::{self, Parsed};
use crate::lexer::{Kind, Lexer};
use crate::parser::Parser;

/// The most threads of a test.
const MOST_THREADS: usize = 64;

const THREAD: &str = "a thread is `P0 (atomic_int *x, int *y) { … }`";

impl<'s> Parser<'s> {
    /// Reads a C test.
    pub(super) fn c_test(mut self) -> Result<Tree<'s>, Diagnostics> {
        let tree = self.c_tree();
        self.done(tree)
    }

    fn c_tree(&mut self) -> Parsed<Tree<'s>> {
        let name = self.header()?;
        let globals = self.c_init()?;
        let mut functions: Vec<Function<'s>> = Vec::new();
        self.skip_c_comments();
        while !self.at_question() {
            if functions.len() == MOST_THREADS {
                return Err(self.too_many("threads", MOST_THREADS));
            }
            let function = self.function()?;
            if let Some(other) = functions.iter().find(|f| f.number == function.number) {
                let message = format!("there are two threads P{}", function.number);
                let diagnostic = Diagnostic::error(error::THREADS, message, function.span)
                    .label("expected another number")
                    .related(other.span, "the first one")
                    .help("number the threads P0, P1, P2, …");
                return Err(self.fail(diagnostic));
            }
            functions.push(function);
            self.skip_c_comments();
        }
        if functions.is_empty() {
            return Err(self.unexpected("a thread", THREAD));
        }
        let question = self.question()?;
        Ok(Tree { name, globals, functions, question })
    }

    /// Steps over comments of C between threads.
    fn skip_c_comments(&mut self) {
        let start = self.token.start;
        let end = blanks(self.text, start);
        if end > start {
            self.lexer = Lexer::new(self.text, end);
            self.token = self.lexer.next();
        }
    }

    fn function(&mut self) -> Parsed<Function<'s>> {
        for word in ["static", "void"] {
            if self.at_word(word) {
                self.bump();
            }
        }
        let token = self.expect(Kind::Word, "a thread", THREAD)?;
        let digits = self.text_of(token).strip_prefix('P').unwrap_or_default();
        let is_number = !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
        let Some(number) = digits.parse().ok().filter(|_| is_number) else {
            let message = format!("`{}` is no thread", self.text_of(token));
            let diagnostic = Diagnostic::error(error::THREADS, message, self.span(token))
                .label("expected `P0`, `P1`, …")
                .help(THREAD);
            return Err(self.fail(diagnostic));
        };
        let params = self.bracket(token.end, b'(')?;
        let body = self.bracket(params.end, b'{')?;
        let span = self.span(token);
        let params = self.params(params.start + 1..params.end - 1)?;
        self.lexer = Lexer::new(self.text, body.end);
        self.bump();
        Ok(Function { number, range: token.start..body.end, params, span })
    }

    /// The part of the text from a bracket, which comes next, to the one that closes it.
    fn bracket(&mut self, from: usize, open: u8) -> Parsed<Range<usize>> {
        let start = blanks(self.text, from);
        if self.text.as_bytes().get(start) != Some(&open) {
            let end = (start + 1).min(self.text.len()).max(start);
            let place = Span::new(
                self.file,
                start..if self.text.is_char_boundary(end) { end } else { start },
            );
            let diagnostic =
                Diagnostic::error(error::UNEXPECTED, "something else was expected here", place)
                    .label(format!("expected `{}`", open as char))
                    .help(THREAD);
            return Err(self.fail(diagnostic));
        }
        match closing(self.text, start) {
            Some(end) => Ok(start..end),
            None => {
                let place = Span::new(self.file, start..start + 1);
                let message = format!("this `{}` is never closed", open as char);
                let diagnostic = Diagnostic::error(error::UNEXPECTED, message, place)
                    .label("it begins here")
                    .help("every bracket of a thread needs the one that closes it");
                Err(self.fail(diagnostic))
            }
        }
    }

    /// The parameters, each a pointer to the location of its name.
    fn params(&mut self, range: Range<usize>) -> Parsed<Vec<Param<'s>>> {
        let inner = &self.text[range.clone()];
        if inner.trim().is_empty() || inner.trim() == "void" {
            return Ok(Vec::new());
        }
        let mut params = Vec::new();
        let mut start = range.start;
        for piece in inner.split(',') {
            params.push(self.param(start..start + piece.len())?);
            start += piece.len() + 1;
        }
        Ok(params)
    }

    fn param(&mut self, range: Range<usize>) -> Parsed<Param<'s>> {
        let text = &self.text[range.clone()];
        let trimmed = text.trim_end();
        let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let name_start = trimmed.trim_end_matches(is_name).len();
        let name = &trimmed[name_start..];
        let star = trimmed[..name_start].rfind('*');
        let begin = range.start + (text.len() - text.trim_start().len());
        let span =
            Span::new(self.file, begin..range.start + trimmed.len().max(begin - range.start));
        match star {
            Some(star) if !name.is_empty() && trimmed[star + 1..name_start].trim().is_empty() => {
                Ok(Param { name, ty: begin..range.start + star })
            }
            _ => {
                let message = "a parameter is a pointer to the location of its name";
                let diagnostic = Diagnostic::error(error::THREADS, message, span)
                    .label("expected `TYPE *NAME`")
                    .help(THREAD);
                Err(self.fail(diagnostic))
            }
        }
    }
}

/// The place after blanks and comments of C and of herd.
fn blanks(text: &str, mut at: usize) -> usize {
    loop {
        let rest = text.get(at..).unwrap_or_default();
        let trimmed = rest.trim_start();
        at += rest.len() - trimmed.len();
        let end = if trimmed.starts_with("//") {
            trimmed.find('\n')
        } else if let Some(inner) = trimmed.strip_prefix("/*") {
            inner.find("*/").map(|end| end + 4)
        } else if let Some(inner) = trimmed.strip_prefix("(*") {
            inner.find("*)").map(|end| end + 4)
        } else {
            return at;
        };
        at += end.unwrap_or(trimmed.len());
    }
}

/// The place after the bracket that closes the one at a place.
fn closing(text: &str, start: usize) -> Option<usize> {
    let bytes = text.as_bytes();
    let mut depth = 0_usize;
    let mut at = start;
    while at < bytes.len() {
        taut_budget::tick();
        match bytes[at] {
            b'(' | b'{' | b'[' => depth += 1,
            b')' | b'}' | b']' => {
                depth -= 1;
                if depth == 0 {
                    return Some(at + 1);
                }
            }
            b'/' if bytes.get(at + 1) == Some(&b'/') => {
                at += text[at..].find('\n')?;
                continue;
            }
            b'/' if bytes.get(at + 1) == Some(&b'*') => {
                at += text[at + 2..].find("*/")? + 4;
                continue;
            }
            quote @ (b'"' | b'\'') => at = quoted(bytes, at, quote)?,
            _ => {}
        }
        at += 1;
    }
    None
}

/// The place of the quote that closes the one at a place.
fn quoted(bytes: &[u8], start: usize, quote: u8) -> Option<usize> {
    let mut at = start + 1;
    loop {
        match bytes.get(at)? {
            b'\\' => at += 2,
            b'\n' => return None,
            byte if *byte == quote => return Some(at),
            _ => at += 1,
        }
    }
}
