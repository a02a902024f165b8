//! The last stage: preprocessed tokens become words of Promela.

use taut_source::{Diagnostic, Span};

use super::Preprocessor;
use crate::codes;
use crate::names::KEYWORDS;
use crate::token::{Kind, Token};

/// The longest number of C that is taken apart.
const LONGEST_NUMBER: usize = 256;

impl Preprocessor<'_> {
    /// Marks reserved words, takes numbers apart that only C sees as one, and reports what is no word.
    pub(super) fn finish(&mut self, tokens: Vec<Token>) -> Vec<Token> {
        let mut words = Vec::with_capacity(tokens.len());
        for token in tokens {
            if self.diagnostics.is_full() {
                break;
            }
            match token.kind {
                Kind::Ident if KEYWORDS.contains(&&*token.text) => {
                    words.push(Token { kind: Kind::Keyword, ..token });
                }
                Kind::Number if !token.text.bytes().all(|b| b.is_ascii_digit()) => {
                    self.split(&token, &mut words);
                }
                Kind::Strange | Kind::Hash | Kind::HashHash => self.strange(&token),
                _ => words.push(token),
            }
        }
        words
    }

    /// Takes `8..21` apart. In `1..N` the C preprocessor does not see `N`, so a macro of that name is not
    /// replaced; SPIN then speaks of an undeclared variable, which helps nobody.
    fn split(&mut self, token: &Token, words: &mut Vec<Token>) {
        taut_budget::tick();
        if token.text.len() > LONGEST_NUMBER {
            return self.bad_number(token);
        }
        let mut at = 0;
        for piece in pieces(&token.text) {
            let span = match token.defined {
                Some(_) => token.span,
                None => {
                    let start = token.span.start + at as u32;
                    Span { start, end: start + piece.len() as u32, ..token.span }
                }
            };
            let kind = match piece.as_bytes()[0] {
                b'0'..=b'9' if at == 0 || token.text.as_bytes()[at - 1] == b'.' => Kind::Number,
                b'.' if piece == ".." => Kind::DotDot,
                b'.' if piece == "." => Kind::Dot,
                b'A'..=b'Z' | b'a'..=b'z' | b'_'
                    if at > 0 && token.text.as_bytes()[at - 1] == b'.' =>
                {
                    if self.macros.contains_key(piece) {
                        self.glued(token, piece, span);
                    }
                    if KEYWORDS.contains(&piece) { Kind::Keyword } else { Kind::Ident }
                }
                _ => return self.bad_number(token),
            };
            let text = self.interner.get(piece);
            let (newline, space) = (token.newline && at == 0, token.space && at == 0);
            words.push(Token { kind, text, span, newline, space, ..token.clone() });
            at += piece.len();
        }
    }

    /// Reports a macro's name that is glued to a number.
    fn glued(&mut self, token: &Token, name: &str, span: Span) {
        let message = format!(
            "`{}` is one word to the preprocessor, so `{name}` is not replaced",
            token.text
        );
        self.report(
            Diagnostic::error(codes::GLUED_RANGE, message, span)
                .label("not replaced")
                .help(format!("leave a blank after the dots: `.. {name}`")),
        );
    }

    /// Reports a malformed number.
    fn bad_number(&mut self, token: &Token) {
        let shown: String = token.text.chars().take(LONGEST_NUMBER).collect();
        self.report(
            Diagnostic::error(codes::BAD_NUMBER, format!("`{shown}` is no number"), token.span)
                .label("numbers are decimal"),
        );
    }

    /// Reports something that is no word of Promela.
    fn strange(&mut self, token: &Token) {
        let first = token.text.chars().next().unwrap_or(' ');
        let d = match first {
            '"' | '\'' => {
                Diagnostic::error(codes::OPEN_QUOTE, "this quote is never closed", token.span)
                    .label("it must end on the same line")
            }
            _ => {
                let message = format!("`{}` begins no word of Promela", first.escape_debug());
                Diagnostic::error(codes::STRANGE_CHARACTER, message, token.span)
                    .label("not expected")
            }
        };
        self.report(d);
    }
}

/// A number of C in pieces: digits, dots (two at most together), letters.
fn pieces(text: &str) -> Vec<&str> {
    let class = |b: u8| match b {
        b'0'..=b'9' => 0,
        b'.' => 1,
        b'A'..=b'Z' | b'a'..=b'z' | b'_' => 2,
        _ => 3,
    };
    let bytes = text.as_bytes();
    let mut pieces = Vec::new();
    let mut start = 0;
    for end in 1..=bytes.len() {
        let one = |i: usize| class(bytes[i]);
        let inside_name = end < bytes.len() && one(start) == 2 && one(end) == 0;
        let joined = end < bytes.len()
            && (one(end) == one(start) || inside_name)
            && !(one(start) == 1 && end - start == 2);
        if !joined {
            pieces.push(&text[start..end]);
            start = end;
        }
    }
    pieces
}
