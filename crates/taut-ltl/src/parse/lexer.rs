//! From text to tokens.

use std::ops::Range;

use super::error::ParseError;
use crate::operator::{Infix, Prefix};

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Kind {
    /// A name or a number.
    Word,
    /// A text in double quotes.
    Quoted,
    /// `true` or `false`.
    Constant(bool),
    /// An operator before a formula.
    Prefix(Prefix),
    /// An operator between formulas.
    Infix(Infix),
    /// An operator of expressions, such as `==`.
    Arithmetic,
    LeftParen,
    RightParen,
    LeftBracket,
    RightBracket,
    Comma,
    /// `@`, `:` or `.`, between names.
    Joint,
    End,
}

impl Kind {
    /// Whether the token is an operator that atoms cannot contain.
    pub fn is_temporal(self) -> bool {
        match self {
            Kind::Prefix(operator) => operator.is_temporal(),
            Kind::Infix(operator) => operator.is_temporal(),
            _ => false,
        }
    }
}

/// A token and where it stands.
#[derive(Clone, Debug)]
pub(super) struct Token<'a> {
    pub kind: Kind,
    pub text: &'a str,
    pub at: Range<usize>,
}

/// Signs, longest first where one begins another.
const SIGNS: &[(&str, Kind)] = &[
    ("<->", Kind::Infix(Infix::Iff)),
    ("->", Kind::Infix(Infix::Implies)),
    ("<>", Kind::Prefix(Prefix::Eventually)),
    ("[]", Kind::Prefix(Prefix::Always)),
    ("&&", Kind::Infix(Infix::And)),
    ("/\\", Kind::Infix(Infix::And)),
    ("||", Kind::Infix(Infix::Or)),
    ("\\/", Kind::Infix(Infix::Or)),
    ("==", Kind::Arithmetic),
    ("!=", Kind::Arithmetic),
    ("<=", Kind::Arithmetic),
    (">=", Kind::Arithmetic),
    ("<<", Kind::Arithmetic),
    (">>", Kind::Arithmetic),
    ("<", Kind::Arithmetic),
    (">", Kind::Arithmetic),
    ("+", Kind::Arithmetic),
    ("-", Kind::Arithmetic),
    ("*", Kind::Arithmetic),
    ("/", Kind::Arithmetic),
    ("%", Kind::Arithmetic),
    ("&", Kind::Arithmetic),
    ("|", Kind::Arithmetic),
    ("^", Kind::Arithmetic),
    ("~", Kind::Arithmetic),
    ("!", Kind::Prefix(Prefix::Not)),
    ("(", Kind::LeftParen),
    (")", Kind::RightParen),
    ("[", Kind::LeftBracket),
    ("]", Kind::RightBracket),
    (",", Kind::Comma),
    ("@", Kind::Joint),
    (":", Kind::Joint),
    (".", Kind::Joint),
];

/// Signs that are not ours, with what was probably meant.
const STRANGERS: &[(&str, &str)] = &[
    ("<=>", "equivalence is written `<->`"),
    ("=>", "implication is written `->`"),
    ("===", "equality is written `==`"),
];

/// The tokens of a text; the last one is [`Kind::End`].
pub(super) fn tokens(text: &str) -> Result<Vec<Token<'_>>, ParseError> {
    let mut tokens = vec![];
    let mut place = 0;
    loop {
        place += text[place..].len() - text[place..].trim_start().len();
        let rest = &text[place..];
        let Some(first) = rest.chars().next() else { break };
        let (kind, length) = token(rest, first).map_err(|e| moved(e, place))?;
        let at = place..place + length;
        tokens.push(Token { kind, text: &text[at.clone()], at });
        place += length;
    }
    tokens.push(Token { kind: Kind::End, text: "", at: text.len()..text.len() });
    Ok(tokens)
}

fn moved(error: ParseError, by: usize) -> ParseError {
    ParseError { at: error.at.start + by..error.at.end + by, ..error }
}

/// The first token of a text that does not begin with white space, and its length.
fn token(rest: &str, first: char) -> Result<(Kind, usize), ParseError> {
    if is_word(first) {
        let word = &rest[..rest.find(|c| !is_word(c)).unwrap_or(rest.len())];
        return Ok((word_kind(word), word.len()));
    }
    if first == '"' {
        let Some(end) = rest[1..].find('"') else {
            return Err(ParseError::new(0..1, "this quotation mark is not closed"));
        };
        return if rest[1..=end].trim().is_empty() {
            Err(ParseError::new(0..end + 2, "there is no atom between the quotation marks"))
        } else {
            Ok((Kind::Quoted, end + 2))
        };
    }
    if let Some((sign, help)) = STRANGERS.iter().find(|(sign, _)| rest.starts_with(sign)) {
        let message = format!("`{sign}` is not an operator of formulas");
        return Err(ParseError::new(0..sign.len(), message).help(*help));
    }
    match SIGNS.iter().find(|(sign, _)| rest.starts_with(sign)) {
        Some((sign, kind)) => Ok((*kind, sign.len())),
        None if first == '=' => {
            Err(ParseError::new(0..1, "a formula cannot assign").help("write `==` to compare"))
        }
        None => {
            let message = format!("unexpected character `{}`", first.escape_debug());
            Err(ParseError::new(0..first.len_utf8(), message))
        }
    }
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

fn word_kind(word: &str) -> Kind {
    let prefix = Prefix::of_word(word).map(Kind::Prefix);
    match word {
        "true" | "false" => Kind::Constant(word == "true"),
        "not" => Kind::Prefix(Prefix::Not),
        _ => prefix.or_else(|| Infix::of_word(word).map(Kind::Infix)).unwrap_or(Kind::Word),
    }
}
