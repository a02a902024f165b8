//! Words of the language: source text to tokens.
//!
//! Only the words that all versions of DiVinE reserve are keywords. Those that only DiVinE 2 (`genbuchi`)
//! or only DiVinE 3 (`input`, `key`, `for`) reserves are names with a meaning in one place, so that models
//! written for the other version may use them.

use logos::{Lexer, Logos};
use taut_source::{Codes, FileId, Wording};

use crate::codes;
use crate::found::Found;

pub(crate) type Spanned = taut_source::Spanned<Token>;

const WORDING: Wording = Wording {
    whole: "model",
    quotes: &['"'],
    letters: "names use the letters a-z, A-Z, digits and `_`",
    too_deep: "is this text generated? split it into smaller expressions",
    codes: Codes {
        strange_character: codes::STRANGE_CHARACTER,
        open_comment: codes::OPEN_COMMENT,
        open_quote: codes::OPEN_QUOTE,
        too_large: codes::TOO_LARGE,
        expected: codes::EXPECTED,
        too_deep: codes::TOO_DEEP,
    },
};

taut_source::tokens! {
    language &WORDING;
    /// A token. Names, numbers and quoted texts carry their text in the source.
    #[derive(Logos)]
    #[logos(skip r"[ \t\r\n\f]+")]
    // A backslash at the end of a line joins it with the next.
    #[logos(skip r"\\\r?\n")]
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
    others {
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

/// Splits a range of a text into tokens, [`Token::Eof`] last. `None` if only a part of the text could be
/// read, so that what follows is not known; what stands after too many strange characters is left out.
pub(crate) fn lex(
    text: &str,
    range: std::ops::Range<usize>,
    file: FileId,
    diagnostics: &mut Found,
) -> Option<Vec<Spanned>> {
    let lexer = Token::lexer(&text[range.clone()]).spanned();
    let lexed = taut_source::tokens((text, file, range), lexer, diagnostics);
    lexed.complete.then_some(lexed.tokens)
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
