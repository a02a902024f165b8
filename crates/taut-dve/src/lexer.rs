//! Words of the language: source text to tokens.
//!
//! Only the words that all versions of DiVinE reserve are keywords. Those that only DiVinE 2 (`genbuchi`)
//! or only DiVinE 3 (`input`, `key`, `for`) reserves are names with a meaning in one place, so that models
//! written for the other version may use them.

use logos::{Lexer, Logos};
use taut_source::{Diagnostic, FileId, Span};

use crate::codes;
use crate::found::Found;

/// Generates the token type together with the text of every keyword and sign.
macro_rules! tokens {
    (keywords { $($keyword:ident = $word:literal,)* } signs { $($sign:ident = $text:literal,)* }) => {
        /// A token. Names, numbers and quoted texts carry their text in the source.
        #[derive(Logos, Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[logos(skip r"[ \t\r\n\f]+")]
        // A backslash at the end of a line joins it with the next.
        #[logos(skip r"\\\r?\n")]
        pub(crate) enum Token {
            $(#[token($word)] $keyword,)*
            $(#[token($text)] $sign,)*
            #[regex(r"[A-Za-z_][A-Za-z0-9_$#]*")]
            Ident,
            #[regex(r"[0-9][0-9A-Za-z_]*")]
            Int,
            #[regex(r#""[^"\n\r]*""#)]
            Str,
            #[regex(r"//[^\n]*", logos::skip, allow_greedy = true)]
            LineComment,
            #[token("/*", block_comment)]
            BlockComment,
            /// Characters that begin no token. They have been reported.
            Strange,
            /// The end of the text; there is always exactly one, the last token.
            Eof,
        }

        impl Token {
            /// The text of a keyword or a sign; `None` if it has no fixed text.
            pub(crate) fn text(self) -> Option<&'static str> {
                match self {
                    $(Token::$keyword => Some($word),)*
                    $(Token::$sign => Some($text),)*
                    _ => None,
                }
            }

            /// Whether this is a reserved word.
            pub(crate) fn is_keyword(self) -> bool {
                matches!(self, $(Token::$keyword)|*)
            }
        }

        /// All reserved words.
        pub(crate) const KEYWORDS: &[&str] = &[$($word),*];
    };
}

tokens! {
    keywords {
        Guard = "guard", Sync = "sync", Async = "async", Effect = "effect", Process = "process",
        State = "state", Init = "init", Accept = "accept", Commit = "commit", Trans = "trans",
        System = "system", True = "true", False = "false", And = "and", Or = "or", Not = "not",
        Imply = "imply", IntType = "int", Byte = "byte", Const = "const", Channel = "channel",
        Property = "property", Assert = "assert",
    }
    signs {
        Semi = ";", Colon = ":", Comma = ",", LeftParen = "(", RightParen = ")", LeftBracket = "[",
        RightBracket = "]", LeftBrace = "{", RightBrace = "}", DotDot = "..", Dot = ".",
        Arrow = "->", FatArrow = "=>", Question = "?", Bang = "!", Plus = "+", Minus = "-",
        Star = "*", Slash = "/", Percent = "%", Amp = "&", Bar = "|", Caret = "^", Tilde = "~",
        Shl = "<<", Shr = ">>", AndAnd = "&&", OrOr = "||", EqEq = "==", Equal = "=", NotEq = "!=",
        Less = "<", LessEq = "<=", Greater = ">", GreaterEq = ">=",
    }
}

impl Token {
    /// How messages call it.
    pub(crate) fn describe(self) -> String {
        match (self, self.text()) {
            (token, Some(text)) if token.is_keyword() => format!("the keyword `{text}`"),
            (_, Some(text)) => format!("`{text}`"),
            (Token::Int, _) => "a number".into(),
            (Token::Str, _) => "a text in double quotes".into(),
            (Token::Eof, _) => "the end of the file".into(),
            _ => "a name".into(),
        }
    }
}

/// Takes the rest of a block comment; the comment is an error if it never ends.
///
/// DIVERGENCE: DiVinE 2 lets a `//` inside of a block comment hide a `*/` on the same line. No known model
/// depends on that.
fn block_comment(lexer: &mut Lexer<'_, Token>) -> logos::FilterResult<(), ()> {
    match lexer.remainder().find("*/") {
        Some(at) => {
            lexer.bump(at + 2);
            logos::FilterResult::Skip
        }
        None => logos::FilterResult::Error(()),
    }
}

/// The most tokens of one file. What a person or another tool writes has fewer; the limit keeps a syntax
/// tree within half a gigabyte.
const MOST_TOKENS: usize = 1 << 21;

/// A token and where it stands.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Spanned {
    pub token: Token,
    pub start: u32,
    pub end: u32,
}

/// Splits a range of a text into tokens, [`Token::Eof`] last. `None` if only a part of the text could be
/// read, so that what follows is not known; what stands after too many strange characters is left out.
pub(crate) fn lex(
    text: &str,
    range: std::ops::Range<usize>,
    file: FileId,
    diagnostics: &mut Found,
) -> Option<Vec<Spanned>> {
    let mut tokens = Vec::new();
    let (base, end) = (range.start, range.end);
    let mut lexer = Token::lexer(&text[range]);
    let mut strange: Option<std::ops::Range<usize>> = None;
    while let Some(result) = lexer.next() {
        let range = base + lexer.span().start..base + lexer.span().end;
        if result.is_err() && strange.as_ref().is_some_and(|s| s.end == range.start) {
            strange = strange.map(|s| s.start..range.end);
            continue;
        }
        tokens.extend(report_strange(text, file, strange.take(), diagnostics));
        match result {
            Ok(token) => tokens.push(spanned(token, range.clone())),
            Err(()) if text[range.clone()].starts_with("/*") => {
                diagnostics.push(unterminated_comment(Span::new(file, range.clone())));
                return None;
            }
            Err(()) => strange = Some(range.clone()),
        }
        if tokens.len() > MOST_TOKENS {
            diagnostics.push(too_many(Span::new(file, range)));
            return None;
        }
        if diagnostics.is_full() {
            break;
        }
    }
    tokens.extend(report_strange(text, file, strange, diagnostics));
    tokens.push(spanned(Token::Eof, end..end));
    Some(tokens)
}

fn spanned(token: Token, range: std::ops::Range<usize>) -> Spanned {
    taut_budget::tick();
    Spanned { token, start: range.start as u32, end: range.end as u32 }
}

fn too_many(span: Span) -> Diagnostic {
    let message = format!("the model has more than {MOST_TOKENS} words and signs");
    Diagnostic::error(codes::TOO_LARGE, message, span).label("too large here")
}

fn unterminated_comment(span: Span) -> Diagnostic {
    Diagnostic::error(codes::OPEN_COMMENT, "this comment never ends", span)
        .label("`*/` is missing")
        .help("end the comment with `*/`, or begin each line of it with `//`")
}

/// Reports a run of characters that begin no token; returns what stands for them.
fn report_strange(
    text: &str,
    file: FileId,
    range: Option<std::ops::Range<usize>>,
    diagnostics: &mut Found,
) -> Option<Spanned> {
    let range = range?;
    let span = Span::new(file, range.clone());
    let slice = &text[range.clone()];
    diagnostics.push(match slice.starts_with('"') {
        true => Diagnostic::error(codes::OPEN_QUOTE, "this quotation never ends", span)
            .label("the closing `\"` is missing on this line"),
        false => strange_characters(slice, span),
    });
    Some(spanned(Token::Strange, range))
}

fn strange_characters(text: &str, span: Span) -> Diagnostic {
    let shown: String = text.chars().take(12).flat_map(char::escape_debug).collect();
    let message = match text.chars().nth(1) {
        None => format!("the character `{shown}` has no meaning here"),
        Some(_) => format!("the characters `{shown}` have no meaning here"),
    };
    let found = Diagnostic::error(codes::STRANGE_CHARACTER, message, span).label("not a token");
    if text.starts_with(char::is_alphabetic) {
        found.help("names use the letters a-z, A-Z, digits and `_`")
    } else {
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tokens(text: &str) -> Vec<Token> {
        let mut diagnostics = Found::default();
        let all = lex(text, 0..text.len(), FileId(0), &mut diagnostics).expect("all of it");
        assert!(!diagnostics.has_errors());
        all.iter().map(|t| t.token).collect()
    }

    #[test]
    fn ranges_and_arrows_come_apart() {
        use Token::*;
        assert_eq!(
            tokens("1..3 a->b a.b"),
            [Int, DotDot, Int, Ident, Arrow, Ident, Ident, Dot, Ident, Eof]
        );
        assert_eq!(tokens("inits init commited"), [Ident, Init, Ident, Eof]);
    }

    #[test]
    fn comments_and_joined_lines_are_blank_space() {
        use Token::*;
        assert_eq!(tokens("a // b\n/* c\n */ \\\n d \\\r\n e /**/"), [Ident, Ident, Ident, Eof]);
    }

    #[test]
    fn a_run_of_strange_characters_is_one_error() {
        let mut diagnostics = Found::default();
        let text = "x @@@ y \"open";
        lex(text, 0..text.len(), FileId(0), &mut diagnostics);
        assert_eq!(diagnostics.finish::<()>(None).unwrap_err().iter().count(), 2);
    }
}
