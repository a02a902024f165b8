//! From the text of a file to the tokens of the preprocessor.
//!
//! Lines that end in a backslash are joined first; offsets into the joined text are mapped back, so that
//! places are exact. Comments are blank space. Digraphs become the signs that they stand for.

use std::borrow::Cow;

use taut_source::{Diagnostic, Diagnostics, FileId, Span};

use super::hide::Hide;
use super::token::{Interner, Kind, Token};
use crate::codes;

/// The largest number of tokens in one file, and in the result.
pub(crate) const MOST_TOKENS: usize = 1 << 21;

/// Signs of three and two characters.
const SIGNS: &[&str] = &[
    "...", "<<=", ">>=", "->", "++", "--", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "*=",
    "/=", "%=", "+=", "-=", "&=", "^=", "|=", "##", "::",
];

/// Digraphs, with what they stand for.
const DIGRAPHS: &[(&str, &str)] =
    &[("%:%:", "##"), ("<:", "["), (":>", "]"), ("<%", "{"), ("%>", "}"), ("%:", "#")];

/// The tokens of a file.
pub(crate) fn lex(
    text: &str,
    file: FileId,
    interner: &mut Interner,
    diagnostics: &mut Diagnostics,
) -> Vec<Token> {
    let (joined, cuts) = join_lines(text);
    let mut lexer = Lexer { text: &joined, at: 0, space: false, line: true, open_comment: None };
    let mut places = Places { cuts: &cuts, next: 0, cut: 0 };
    let mut tokens = Vec::new();
    while let Some((kind, start)) = lexer.next() {
        taut_budget::tick();
        let span = Span::new(file, places.original(start)..places.original_end(lexer.at));
        if tokens.len() >= MOST_TOKENS {
            diagnostics.push(too_large(span));
            break;
        }
        let text = interner.get(plain_sign(kind, &joined[start..lexer.at]));
        let (space, line) = (lexer.space, lexer.line);
        tokens.push(Token {
            kind,
            space,
            line,
            expanded: false,
            text,
            span,
            hide: Hide::default(),
        });
    }
    if let Some(start) = lexer.open_comment {
        let start = Places { cuts: &cuts, next: 0, cut: 0 }.original(start);
        let message = "this comment has no end";
        let found =
            Diagnostic::error(codes::OPEN_COMMENT, message, Span::new(file, start..start + 2));
        diagnostics.push(found.label("it begins here").help("close it with `*/`"));
    }
    tokens
}

/// The message that a file has too many tokens.
pub(crate) fn too_large(span: Span) -> Diagnostic {
    let message = format!("the program has more than {MOST_TOKENS} tokens");
    Diagnostic::error(codes::TOO_LARGE, message, span)
        .label("the limit is met here")
        .help("check a part of the program")
}

/// The sort of a text that is one token; none if it is not exactly one.
pub(crate) fn single(text: &str) -> Option<Kind> {
    let mut lexer = Lexer { text, at: 0, space: false, line: false, open_comment: None };
    let (kind, start) = lexer.next()?;
    let whole = start == 0 && lexer.at == text.len() && kind != Kind::Open;
    whole.then_some(kind)
}

/// A sign without its digraph.
fn plain_sign(kind: Kind, text: &str) -> &str {
    if kind != Kind::Punct {
        return text;
    }
    DIGRAPHS.iter().find(|(digraph, _)| *digraph == text).map_or(text, |(_, plain)| plain)
}

/// The text with lines joined where they end in a backslash; where something was cut out of it, and the number of
/// bytes cut so far.
fn join_lines(text: &str) -> (Cow<'_, str>, Vec<(usize, usize)>) {
    if !text.contains("\\\n") && !text.contains("\\\r\n") {
        return (Cow::Borrowed(text), Vec::new());
    }
    let (mut joined, mut cuts, mut cut) = (String::with_capacity(text.len()), Vec::new(), 0);
    let mut rest = text;
    while let Some(at) = rest.find('\\') {
        taut_budget::tick();
        let after = &rest[at + 1..];
        let width = match after.as_bytes() {
            [b'\n', ..] => 2,
            [b'\r', b'\n', ..] => 3,
            _ => {
                joined.push_str(&rest[..=at]);
                rest = after;
                continue;
            }
        };
        joined.push_str(&rest[..at]);
        cut += width;
        cuts.push((joined.len(), cut));
        rest = &rest[at + width..];
    }
    joined.push_str(rest);
    (Cow::Owned(joined), cuts)
}

/// Maps offsets of the joined text, in rising order, to those of the original.
struct Places<'c> {
    cuts: &'c [(usize, usize)],
    next: usize,
    cut: usize,
}

impl Places<'_> {
    /// The place of the character at an offset.
    fn original(&mut self, offset: usize) -> usize {
        while let Some(&(at, cut)) = self.cuts.get(self.next) {
            if at > offset {
                break;
            }
            (self.cut, self.next) = (cut, self.next + 1);
        }
        offset + self.cut
    }

    /// The place after the character before an offset.
    fn original_end(&mut self, offset: usize) -> usize {
        debug_assert!(offset > 0, "an end before the text");
        self.original(offset - 1) + 1
    }
}

/// A place in the joined text.
struct Lexer<'t> {
    text: &'t str,
    at: usize,
    /// Blank space stood before the last token.
    space: bool,
    /// A line began before the last token.
    line: bool,
    /// Where a comment without an end begins.
    open_comment: Option<usize>,
}

impl Lexer<'_> {
    /// The sort of the next token and where it begins; it ends at the new place.
    fn next(&mut self) -> Option<(Kind, usize)> {
        (self.space, self.line) = (false, self.at == 0 && self.line);
        self.skip_blank();
        let start = self.at;
        let first = *self.text.as_bytes().get(start)?;
        let kind = match first {
            b'0'..=b'9' => self.number(),
            b'.' if self.byte(1).is_ascii_digit() => self.number(),
            b'"' | b'\'' => self.quote(),
            b'L' | b'u' | b'U' => self.prefixed(),
            _ if is_letter(first) => self.ident(),
            _ => self.sign(),
        };
        debug_assert!(self.at > start, "a token without a character");
        Some((kind, start))
    }

    fn byte(&self, ahead: usize) -> u8 {
        self.text.as_bytes().get(self.at + ahead).copied().unwrap_or(0)
    }

    fn skip_blank(&mut self) {
        let bytes = self.text.as_bytes();
        while let Some(&byte) = bytes.get(self.at) {
            match (byte, self.byte(1)) {
                (b'\n', _) => {
                    self.line = true;
                    self.at += 1;
                }
                (b' ' | b'\t' | b'\r' | 0x0b | 0x0c, _) => self.at += 1,
                (b'/', b'/') => {
                    let end = self.text[self.at..].find('\n');
                    self.at = end.map_or(bytes.len(), |end| self.at + end);
                }
                (b'/', b'*') => match self.text[self.at + 2..].find("*/") {
                    Some(end) => self.at += end + 4,
                    None => {
                        self.open_comment = Some(self.at);
                        self.at = bytes.len();
                    }
                },
                _ => return,
            }
            self.space = true;
        }
    }

    fn number(&mut self) -> Kind {
        self.at += 1;
        loop {
            let exponent = matches!(self.byte(0), b'e' | b'E' | b'p' | b'P');
            match self.byte(0) {
                _ if exponent && matches!(self.byte(1), b'+' | b'-') => self.at += 2,
                byte if is_letter(byte) || byte.is_ascii_digit() || byte == b'.' => self.at += 1,
                _ => return Kind::Number,
            }
        }
    }

    fn ident(&mut self) -> Kind {
        while is_letter(self.byte(0)) || self.byte(0).is_ascii_digit() {
            self.at += 1;
        }
        Kind::Ident
    }

    /// A name, or a quotation with a prefix: `L"…"`, `u8"…"`.
    fn prefixed(&mut self) -> Kind {
        let width = if self.text[self.at..].starts_with("u8") { 2 } else { 1 };
        if !matches!(self.byte(width), b'"' | b'\'') {
            return self.ident();
        }
        self.at += width;
        self.quote()
    }

    /// A quotation, which ends on its line.
    fn quote(&mut self) -> Kind {
        let mark = self.byte(0);
        self.at += 1;
        loop {
            match self.byte(0) {
                0 | b'\n' => return Kind::Open,
                b'\\' if !matches!(self.byte(1), 0 | b'\n') => self.at += 1,
                byte if byte == mark => break,
                _ => {}
            }
            // Past the whole character: the end of a token must not be inside of one.
            self.at += 1;
            while !self.text.is_char_boundary(self.at) {
                self.at += 1;
            }
        }
        self.at += 1;
        if mark == b'"' { Kind::Str } else { Kind::Char }
    }

    fn sign(&mut self) -> Kind {
        let rest = &self.text[self.at..];
        let known = DIGRAPHS.iter().map(|(text, _)| text).chain(SIGNS);
        if let Some(sign) = known.copied().find(|sign| rest.starts_with(sign)) {
            self.at += sign.len();
            return Kind::Punct;
        }
        let first = rest.chars().next().unwrap_or(' ');
        self.at += first.len_utf8();
        if "[](){}.&*+-~!/%<>^|?:;=,#".contains(first) { Kind::Punct } else { Kind::Other }
    }
}

/// Whether a byte is part of a name and no digit. All letters beyond ASCII are.
fn is_letter(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || byte == b'_' || byte == b'$' || byte >= 0x80
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<(String, std::ops::Range<u32>, bool)> {
        let (mut interner, mut found) = (Interner::new(), Diagnostics::new());
        let tokens = lex(text, FileId(0), &mut interner, &mut found);
        assert!(found.is_empty(), "{found:?}");
        let word = |t: &Token| (interner.text(t.text).to_owned(), t.span.start..t.span.end, t.line);
        tokens.iter().map(word).collect()
    }

    #[test]
    fn tokens_know_their_places_across_joined_lines() {
        let found = words("a\\\nb c\\\r\n d\ne /* x\n */ f");
        let expected =
            [("ab", 0..4, true), ("c", 5..6, false), ("d", 10..11, false), ("e", 12..13, true)];
        for (found, expected) in found.iter().zip(expected) {
            assert_eq!((found.0.as_str(), found.1.clone(), found.2), expected);
        }
        assert_eq!(found[4], ("f".into(), 23..24, false));
    }

    #[test]
    fn the_longest_token_wins() {
        let texts = |text| words(text).into_iter().map(|w| w.0).collect::<Vec<_>>();
        assert_eq!(
            texts("a+++b>>=c->d...%:%:"),
            ["a", "++", "+", "b", ">>=", "c", "->", "d", "...", "##"]
        );
        assert_eq!(
            texts("1.5e+3x .5 0x1p-2 u8\"a\\\"\" L'x' u8x"),
            ["1.5e+3x", ".5", "0x1p-2", "u8\"a\\\"\"", "L'x'", "u8x"]
        );
        assert_eq!(texts("é$1 @ \"a"), ["é$1", "@", "\"a"]);
    }

    #[test]
    fn one_token_is_told_from_two() {
        assert_eq!(
            (single("ab"), single("1x"), single("->")),
            (Some(Kind::Ident), Some(Kind::Number), Some(Kind::Punct))
        );
        assert_eq!(
            (single("a b"), single("+-"), single(""), single("\"a"), single("//")),
            (None, None, None, None, None)
        );
    }
}
