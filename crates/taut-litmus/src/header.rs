//! The header: architecture, name, and lines for people and other tools up to the first `{`.

use taut_source::{Diagnostic, Span};

use crate::ast::Arch;
use crate::error::{self, Parsed};
use crate::lexer::{Kind, Lexer, Token, comment_end};
use crate::parser::{Parser, open_comment, shorten};

impl<'s> Parser<'s> {
    /// The architecture and the name; then anything up to the first `{`.
    pub(crate) fn header(&mut self) -> Parsed<&'s str> {
        self.arch = self.architecture()?;
        let name = self.name()?;
        let brace = self.first_brace(name.end)?;
        self.lexer = Lexer::new(self.text, brace);
        self.bump();
        Ok(self.text_of(name))
    }

    fn architecture(&mut self) -> Parsed<Arch> {
        if self.at(Kind::OpenComment) {
            return Err(self.open_comment());
        }
        let found = match self.token.kind {
            Kind::Word => self.text_of(self.token),
            _ => "",
        };
        match found {
            "X86_64" => Ok(Arch::X86_64),
            "X86" => Ok(Arch::X86),
            "C" => Ok(Arch::C),
            _ => {
                let message = match found {
                    "" => "this is no litmus test".to_owned(),
                    name => format!("unknown architecture `{}`", shorten(name)),
                };
                let diagnostic =
                    Diagnostic::error(error::ARCHITECTURE, message, self.span(self.token))
                        .label("expected `X86_64`, `X86` or `C`")
                        .help("a test starts with its architecture and its name: `X86_64 SB`");
                Err(self.fail(diagnostic))
            }
        }
    }

    /// The name: what follows on the same line up to a blank.
    fn name(&mut self) -> Parsed<Token> {
        let rest = &self.text[self.token.end..];
        let start = self.token.end + (rest.len() - rest.trim_start_matches([' ', '\t']).len());
        let rest = &self.text[start..];
        let length = rest.find(|c: char| c.is_whitespace()).unwrap_or(rest.len());
        let token = Token { kind: Kind::Word, start, end: start + length };
        let bad = rest[..length].find(|c: char| !is_name_character(c));
        if length > 0 && bad.is_none() {
            return Ok(token);
        }
        let diagnostic = match bad {
            None => Diagnostic::error(error::NAME, "the test has no name", self.span(token))
                .label("expected a name")
                .help("a test starts with its architecture and its name: `X86_64 SB`"),
            Some(at) => {
                let c = rest[at..].chars().next().unwrap_or(' ');
                let place = Span::new(self.file, start + at..start + at + c.len_utf8());
                Diagnostic::error(
                    error::NAME,
                    format!("the name of a test cannot have `{c}`"),
                    place,
                )
                .label("expected a letter, a digit or one of `_ / . + - [ ]`")
                .help("rename the test, for example `SB+mfence+po`")
            }
        };
        Err(self.fail(diagnostic))
    }

    /// The offset of the `{` that ends the header. A quoted line and comments are stepped over.
    fn first_brace(&mut self, from: usize) -> Parsed<usize> {
        let bytes = self.text.as_bytes();
        let mut at = from;
        let mut line_start = false;
        while at < bytes.len() {
            match bytes[at] {
                b'{' => return Ok(at),
                b'(' if bytes.get(at + 1) == Some(&b'*') => match comment_end(self.text, at) {
                    Some(end) => at = end,
                    None => {
                        let span = Span::new(self.file, at..at + 2);
                        return Err(self.fail(open_comment(span)));
                    }
                },
                b'"' if line_start => {
                    let close = self.text[at + 1..].find('"').map_or(0, |length| length + 1);
                    at += close + 1;
                    line_start = false;
                }
                b'\n' => (line_start, at) = (true, at + 1),
                b' ' | b'\t' | b'\r' => at += 1,
                _ => (line_start, at) = (false, at + 1),
            }
        }
        let end = Span::new(self.file, bytes.len()..bytes.len());
        let diagnostic = Diagnostic::error(error::NO_INIT, "there is no initial block", end)
            .label("expected `{`")
            .help("after the header comes `{ … }`, empty if everything starts at 0");
        Err(self.fail(diagnostic))
    }
}

fn is_name_character(c: char) -> bool {
    c.is_ascii_alphanumeric() || "_/.+-[]".contains(c)
}
