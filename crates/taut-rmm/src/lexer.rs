//! Words of the language: source text to tokens, with the comments kept aside for the formatter.

use logos::{Lexer, Logos};
use taut_source::{Codes, Diagnostic, Diagnostics, FileId, Wording};

use crate::codes;

pub(crate) type Spanned = taut_source::Spanned<Token>;
pub(crate) type Lexed = taut_source::Lexed<Token>;

const WORDING: Wording = Wording {
    whole: "program",
    quotes: &['"'],
    letters: "names use the letters a-z, A-Z, digits and `_`",
    too_deep: "is this text generated? split it into smaller statements",
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
    /// A token. Names, registers and numbers carry their text in the source.
    #[derive(Logos)]
    #[logos(skip r"[ \t\r\n\f]+")]
    keywords {
        If = "if", Then = "then", Else = "else", While = "while", Do = "do", Read = "read",
        Write = "write", Fence = "fence", Ssfence = "ssfence", Llfence = "llfence",
        Locked = "locked", Slocked = "slocked", Cas = "cas", Goto = "goto", True = "true",
        False = "false", My = "my", Process = "process", Not = "not", Nop = "nop", Text = "text",
        Data = "data", Either = "either", Or = "or", Forbidden = "forbidden", Assume = "assume",
        Predicates = "predicates", Registers = "registers", Macro = "macro", EndMacro = "endmacro",
    }
    signs {
        Assign = ":=", Colon = ":", Semi = ";", Comma = ",", LeftParen = "(", RightParen = ")",
        LeftBracket = "[", RightBracket = "]", LeftBrace = "{", RightBrace = "}", Star = "*",
        Plus = "+", Minus = "-", AndAnd = "&&", OrOr = "||", Equal = "=", NotEq = "!=",
        LessEq = "<=", Less = "<", GreaterEq = ">=", Greater = ">",
    }
    others {
        #[regex(r"[A-Za-z_][A-Za-z0-9_]*")]
        Ident,
        #[regex(r"\$[A-Za-z_][A-Za-z0-9_]*")]
        Register,
        #[regex(r"[0-9][0-9A-Za-z_]*")]
        Int,
        #[regex(r#""[^"\n\r]*""#)]
        Str,
        #[regex(r"//[^\n]*", allow_greedy = true)]
        LineComment,
        #[token("/*", block_comment)]
        BlockComment,
    }
}

/// Takes the rest of a block comment; the comment is an error if it never ends.
fn block_comment(lexer: &mut Lexer<'_, Token>) -> bool {
    match lexer.remainder().find("*/") {
        Some(at) => {
            lexer.bump(at + 2);
            true
        }
        None => false,
    }
}

/// Splits a text into tokens. Nothing is left of a text with too many of them.
pub(crate) fn lex(text: &str, file: FileId, diagnostics: &mut Diagnostics) -> Lexed {
    let lexer = Token::lexer(text).spanned();
    let mut lexed = taut_source::tokens((text, file, 0..text.len()), lexer, diagnostics);
    if !lexed.complete {
        lexed.tokens.drain(..lexed.tokens.len() - 1);
    }
    for comment in &lexed.comments {
        if text[comment.start as usize..].starts_with("//") {
            diagnostics.push(
                Diagnostic::error(codes::LINE_COMMENT, "`//` begins no comment in RMM", *comment)
                    .label("not a comment")
                    .help("write `/* … */`"),
            );
        }
    }
    lexed
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_and_signs_come_apart() {
        use Token::*;
        let mut diagnostics = Diagnostics::new();
        let lexed = lex("L0:write:x[my]:=$r0<=1;endmacro/* c */", FileId(0), &mut diagnostics);
        assert!(diagnostics.is_empty(), "{diagnostics:?}");
        let tokens: Vec<_> = lexed.tokens.iter().map(|t| t.token).collect();
        assert_eq!(
            tokens,
            [
                Ident,
                Colon,
                Write,
                Colon,
                Ident,
                LeftBracket,
                My,
                RightBracket,
                Assign,
                Register,
                LessEq,
                Int,
                Semi,
                EndMacro,
                Eof
            ]
        );
        assert_eq!(lexed.comments.len(), 1);
    }

    #[test]
    fn a_comment_of_another_language_is_reported() {
        let mut diagnostics = Diagnostics::new();
        lex("forbidden // CS\n", FileId(0), &mut diagnostics);
        assert_eq!(diagnostics.iter().map(|d| d.code).collect::<Vec<_>>(), [codes::LINE_COMMENT]);
    }
}
