//! Tokens, one at a time.
//!
//! One lexer serves the initial block, the table and the condition; only the header, which is free text,
//! is read by the parser itself. Nothing is allocated, and the lexer can be copied to look ahead.

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A name: a letter or `_`, then letters, digits, `_`, `/`, `.`, `-`.
    Word,
    /// Something that starts like a number; whether it is one is checked where its value is needed.
    Number,
    /// `{`
    OpenBrace,
    /// `}`
    CloseBrace,
    /// `(`
    Open,
    /// `)`
    Close,
    /// `[`
    OpenBracket,
    /// `]`
    CloseBracket,
    /// `;`
    Semicolon,
    /// `|`
    Bar,
    /// `:`
    Colon,
    /// `,`
    Comma,
    /// `$`
    Dollar,
    /// `%`
    Percent,
    /// `*`
    Star,
    /// `&`
    Ampersand,
    /// `~`
    Tilde,
    /// `=` or `==`
    Equal,
    /// `<>` or `!=`
    NotEqual,
    /// `=>`
    Implies,
    /// `/\`
    And,
    /// `\/`
    Or,
    /// A character that starts no token.
    Unknown,
    /// `(*` without its `*)`; the rest of the text is inside.
    OpenComment,
    /// The end of the text.
    End,
}

/// A token: its kind and its bytes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Token {
    pub(crate) kind: Kind,
    pub(crate) start: usize,
    pub(crate) end: usize,
}

/// A place in a text from which tokens are read.
#[derive(Clone, Copy)]
pub(crate) struct Lexer<'s> {
    text: &'s str,
    at: usize,
}

impl<'s> Lexer<'s> {
    /// Reads from a byte offset.
    pub(crate) fn new(text: &'s str, at: usize) -> Lexer<'s> {
        Lexer { text, at }
    }

    fn byte(&self, ahead: usize) -> u8 {
        self.text.as_bytes().get(self.at + ahead).copied().unwrap_or(0)
    }

    /// The next token.
    pub(crate) fn next(&mut self) -> Token {
        taut_budget::tick();
        if let Err(comment) = self.skip_blank() {
            return Token { kind: Kind::OpenComment, start: comment, end: comment + 2 };
        }
        let start = self.at;
        let kind = self.scan();
        Token { kind, start, end: self.at }
    }

    /// Skips blanks and comments; gives the start of a comment that does not end.
    fn skip_blank(&mut self) -> Result<(), usize> {
        loop {
            match self.byte(0) {
                b' ' | b'\t' | b'\r' | b'\n' | 0x0b | 0x0c => self.at += 1,
                b'(' if self.byte(1) == b'*' => {
                    let start = self.at;
                    self.at = comment_end(self.text, start).ok_or_else(|| {
                        self.at = self.text.len();
                        start
                    })?;
                }
                _ => return Ok(()),
            }
        }
    }

    fn scan(&mut self) -> Kind {
        let (kind, length) = match (self.byte(0), self.byte(1)) {
            (0, _) if self.at >= self.text.len() => (Kind::End, 0),
            (b'{', _) => (Kind::OpenBrace, 1),
            (b'}', _) => (Kind::CloseBrace, 1),
            (b'(', _) => (Kind::Open, 1),
            (b')', _) => (Kind::Close, 1),
            (b'[', _) => (Kind::OpenBracket, 1),
            (b']', _) => (Kind::CloseBracket, 1),
            (b';', _) => (Kind::Semicolon, 1),
            (b'|', _) => (Kind::Bar, 1),
            (b':', _) => (Kind::Colon, 1),
            (b',', _) => (Kind::Comma, 1),
            (b'$', _) => (Kind::Dollar, 1),
            (b'%', _) => (Kind::Percent, 1),
            (b'*', _) => (Kind::Star, 1),
            (b'&', _) => (Kind::Ampersand, 1),
            (b'~', _) => (Kind::Tilde, 1),
            (b'=', b'>') => (Kind::Implies, 2),
            (b'=', b'=') => (Kind::Equal, 2),
            (b'=', _) => (Kind::Equal, 1),
            (b'<', b'>') | (b'!', b'=') => (Kind::NotEqual, 2),
            (b'/', b'\\') => (Kind::And, 2),
            (b'\\', b'/') => (Kind::Or, 2),
            (b'-', next) if next.is_ascii_digit() => (Kind::Number, 1 + self.number(1)),
            (first, _) if first.is_ascii_digit() => (Kind::Number, self.number(0)),
            (b'_', _) => (Kind::Word, self.word()),
            (first, _) if first.is_ascii_alphabetic() => (Kind::Word, self.word()),
            _ => (Kind::Unknown, self.character()),
        };
        self.at += length;
        kind
    }

    /// The length of the digits and letters from here on: `12`, `0x1f`, but also `12ab`.
    fn number(&self, from: usize) -> usize {
        let rest = &self.text.as_bytes()[self.at + from..];
        rest.iter().position(|b| !b.is_ascii_alphanumeric()).unwrap_or(rest.len())
    }

    /// The length of the name that starts here. A `/` belongs to it unless it starts a `/\`.
    fn word(&self) -> usize {
        let rest = &self.text.as_bytes()[self.at..];
        let inside = |i: usize| match rest[i] {
            b'_' | b'.' | b'-' => true,
            b'/' => rest.get(i + 1) != Some(&b'\\'),
            b => b.is_ascii_alphanumeric(),
        };
        (0..rest.len()).find(|&i| !inside(i)).unwrap_or(rest.len())
    }

    fn character(&self) -> usize {
        self.text[self.at..].chars().next().map_or(0, char::len_utf8)
    }
}

/// Where a comment ends that starts at an offset with `(*`; comments nest. `None` if it does not end.
pub(crate) fn comment_end(text: &str, start: usize) -> Option<usize> {
    let bytes = text.as_bytes();
    let mut depth = 0_usize;
    let mut at = start;
    while at + 1 < bytes.len() {
        match (bytes[at], bytes[at + 1]) {
            (b'(', b'*') => (depth, at) = (depth + 1, at + 2),
            (b'*', b')') => (depth, at) = (depth - 1, at + 2),
            _ => at += 1,
        }
        if depth == 0 {
            return Some(at);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(text: &str) -> Vec<(Kind, &str)> {
        let mut lexer = Lexer::new(text, 0);
        let tokens = std::iter::from_fn(|| Some(lexer.next()).filter(|t| t.kind != Kind::End));
        tokens.map(|t| (t.kind, &text[t.start..t.end])).collect()
    }

    #[test]
    fn a_slash_joins_names_and_starts_and() {
        assert_eq!(kinds("a/b/\\c"), [(Kind::Word, "a/b"), (Kind::And, "/\\"), (Kind::Word, "c")]);
    }

    #[test]
    fn numbers_may_be_negative_and_hexadecimal() {
        assert_eq!(kinds("-1 0x1f"), [(Kind::Number, "-1"), (Kind::Number, "0x1f")]);
    }

    #[test]
    fn comments_nest_and_may_stand_anywhere() {
        assert_eq!(kinds("a(* x (* y *) z *)b"), [(Kind::Word, "a"), (Kind::Word, "b")]);
        assert_eq!(kinds("a (* x"), [(Kind::Word, "a"), (Kind::OpenComment, "(*")]);
        assert_eq!(kinds("(*)"), [(Kind::OpenComment, "(*")]);
    }

    #[test]
    fn an_unknown_character_is_taken_whole() {
        assert_eq!(kinds("é@"), [(Kind::Unknown, "é"), (Kind::Unknown, "@")]);
    }
}
