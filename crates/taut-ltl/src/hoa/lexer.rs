//! From text to tokens.

use super::error::HoaError;

/// What a token is.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Kind {
    /// The name of a header, without its colon.
    Header(String),
    Word(String),
    /// `@name`.
    Alias(String),
    Text(String),
    Number(u64),
    /// One of `! & | ( ) [ ] { }`.
    Sign(char),
    Body,
    EndOfAutomaton,
    Abort,
    End,
}

impl Kind {
    /// How it is shown in a message.
    pub fn shown(&self) -> String {
        match self {
            Kind::Header(name) => format!("`{name}:`"),
            Kind::Word(word) => format!("`{word}`"),
            Kind::Alias(name) => format!("`@{name}`"),
            Kind::Text(text) => format!("\"{text}\""),
            Kind::Number(number) => format!("`{number}`"),
            Kind::Sign(sign) => format!("`{sign}`"),
            Kind::Body => "`--BODY--`".to_string(),
            Kind::EndOfAutomaton => "`--END--`".to_string(),
            Kind::Abort => "`--ABORT--`".to_string(),
            Kind::End => "the end of the text".to_string(),
        }
    }
}

/// A token and its line.
#[derive(Clone, Debug)]
pub(super) struct Token {
    pub kind: Kind,
    pub line: usize,
}

/// The tokens of a text; the last one is [`Kind::End`].
pub(super) fn tokens(text: &str) -> Result<Vec<Token>, HoaError> {
    let mut lexer = Lexer { rest: text, line: 1 };
    let mut tokens = vec![];
    loop {
        lexer.skip()?;
        let line = lexer.line;
        let kind = lexer.token()?;
        let end = kind == Kind::End;
        // What is missing at the end is missing after the last token, not on the empty line behind it.
        let last = tokens.last().map(|token: &Token| token.line);
        let line = if end { last.unwrap_or(line) } else { line };
        tokens.push(Token { kind, line });
        if end {
            return Ok(tokens);
        }
    }
}

struct Lexer<'a> {
    rest: &'a str,
    line: usize,
}

impl<'a> Lexer<'a> {
    fn error(&self, message: impl Into<String>) -> HoaError {
        HoaError::new(self.line, message)
    }

    /// Takes so many bytes.
    fn take(&mut self, length: usize) -> &'a str {
        let (taken, rest) = self.rest.split_at(length);
        self.line += taken.matches('\n').count();
        self.rest = rest;
        taken
    }

    /// Takes the characters that satisfy a condition.
    fn take_while(&mut self, wanted: impl Fn(char) -> bool) -> &'a str {
        self.take(self.rest.find(|c| !wanted(c)).unwrap_or(self.rest.len()))
    }

    /// Skips white space and comments, which nest.
    fn skip(&mut self) -> Result<(), HoaError> {
        let mut depth = 0;
        let start = self.line;
        loop {
            if depth == 0 {
                self.take_while(char::is_whitespace);
            }
            if self.rest.starts_with("/*") {
                depth += 1;
                self.take(2);
            } else if depth == 0 {
                return Ok(());
            } else if self.rest.starts_with("*/") {
                depth -= 1;
                self.take(2);
            } else {
                let Some(first) = self.rest.chars().next() else {
                    return Err(HoaError::new(start, "this comment is not closed"));
                };
                self.take(first.len_utf8());
            }
        }
    }

    fn token(&mut self) -> Result<Kind, HoaError> {
        let marks = [
            ("--BODY--", Kind::Body),
            ("--END--", Kind::EndOfAutomaton),
            ("--ABORT--", Kind::Abort),
        ];
        for (text, kind) in marks {
            if self.rest.starts_with(text) {
                self.take(text.len());
                return Ok(kind);
            }
        }
        let Some(first) = self.rest.chars().next() else { return Ok(Kind::End) };
        match first {
            '!' | '&' | '|' | '(' | ')' | '[' | ']' | '{' | '}' => {
                self.take(1);
                Ok(Kind::Sign(first))
            }
            '"' => self.text(),
            '0'..='9' => {
                let digits = self.take_while(|c| c.is_ascii_digit());
                let number = digits.parse();
                number.map(Kind::Number).map_err(|_| self.error(format!("`{digits}` is too large")))
            }
            '@' => {
                self.take(1);
                Ok(Kind::Alias(self.take_while(is_word).to_string()))
            }
            'a'..='z' | 'A'..='Z' | '_' => Ok(self.word()),
            _ => Err(self.error(format!("unexpected character `{}`", first.escape_debug()))),
        }
    }

    fn word(&mut self) -> Kind {
        let word = self.take_while(is_word).to_string();
        if self.rest.starts_with(':') {
            self.take(1);
            Kind::Header(word)
        } else {
            Kind::Word(word)
        }
    }

    fn text(&mut self) -> Result<Kind, HoaError> {
        let start = self.line;
        self.take(1);
        let mut text = String::new();
        loop {
            text += self.take_while(|c| c != '"' && c != '\\');
            let mut left = self.rest.chars();
            match (left.next(), left.next()) {
                (Some('"'), _) => {
                    self.take(1);
                    return Ok(Kind::Text(text));
                }
                (Some(_), Some(escaped)) => {
                    self.take(1);
                    text += self.take(escaped.len_utf8());
                }
                _ => return Err(HoaError::new(start, NOT_CLOSED)),
            }
        }
    }
}

const NOT_CLOSED: &str = "this text is not closed by a quotation mark";

fn is_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_' || c == '-'
}
