//! Words of the language: source text to tokens, with the comments kept aside for the formatter.

use logos::{Lexer, Logos};
use taut_source::{Codes, Diagnostics, FileId, Wording};

use crate::codes;

pub(crate) type Spanned = taut_source::Spanned<Token>;
pub(crate) type Lexed = taut_source::Lexed<Token>;

const WORDING: Wording = Wording {
    whole: "program",
    quotes: &['`', '"'],
    letters: "names use the letters a-z, A-Z, digits and `_`; put others in backticks: `été`",
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
    /// A token. Identifiers, numbers and quoted names carry their text in the source.
    #[derive(Logos)]
    #[logos(skip r"[ \t\r\n\f]+")]
    keywords {
        Svar = "Svar", Gvar = "Gvar", Main = "main", Process = "process", Procedure = "procedure",
        Begin = "begin", End = "end", Skip = "skip", Assume = "assume", Await = "await",
        Assert = "assert", Call = "call", Return = "return", If = "if", Then = "then",
        Else = "else", Elif = "elif", Fi = "fi", While = "while", Do = "do", Od = "od",
        Loop = "loop", Break = "break", Continue = "continue", AtomicBegin = "atomic_begin",
        AtomicEnd = "atomic_end", Atomic = "atomic", Locked = "locked", Spawn = "spawn",
        Fence = "fence", Sfence = "sfence", Sync = "sync", Choose = "choose", Or = "or",
        And = "and", Not = "not", True = "true", False = "false", Goto = "goto", Const = "const",
        Shared = "shared", Ghost = "ghost", Local = "local", IntType = "int", Bool = "bool",
        Byte = "byte", Short = "short", Long = "long", Xchg = "xchg", Cas = "cas",
        CasOld = "cas_old", FetchAdd = "fetch_add", FetchSub = "fetch_sub", FetchAnd = "fetch_and",
        FetchOr = "fetch_or", FetchXor = "fetch_xor", For = "for", Switch = "switch", Case = "case",
        Default = "default", Enum = "enum", Struct = "struct", Void = "void", Forbid = "forbid", Invariant = "invariant", View = "view",
        Drained = "drained", Ltl = "ltl",
    }
    signs {
        Assign = ":=", Colon = ":", Semi = ";", Comma = ",", LeftParen = "(", RightParen = ")",
        LeftBracket = "[", RightBracket = "]", LeftBrace = "{", RightBrace = "}", DotDot = "..",
        Dot = ".", At = "@", Hash = "#", Question = "?", Plus = "+", Minus = "-", Star = "*",
        Slash = "/", Percent = "%", Amp = "&", Bar = "|", Caret = "^", Shl = "<<", Shr = ">>",
        AndAnd = "&&", OrOr = "||", Bang = "!", Tilde = "~", EqEq = "==", Equal = "=",
        NotEq = "!=", Less = "<", LessEq = "<=", Greater = ">", GreaterEq = ">=",
        PlusPlus = "++", MinusMinus = "--", PlusEq = "+=", MinusEq = "-=", StarEq = "*=",
        SlashEq = "/=", PercentEq = "%=", AmpEq = "&=", BarEq = "|=", CaretEq = "^=",
        ShlEq = "<<=", ShrEq = ">>=",
        Always = "[]", Eventually = "<>", Arrow = "->", Equivalent = "<->",
        // TLA+'s signs: they mean nothing here, and the message says what is meant.
        Conjunction = "/\\", Disjunction = "\\/",
    }
    others {
        #[regex(r"[A-Za-z_][A-Za-z0-9_]*")]
        Ident,
        #[regex(r"[0-9][0-9A-Za-z_]*")]
        Int,
        #[regex(r"`([^`\\\n\r]|\\[^\n\r])*`")]
        Quoted,
        #[regex(r#""([^"\\\n\r]|\\[^\n\r])*""#)]
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

/// Splits a text into tokens. Stops early when too much of it is no token at all.
pub(crate) fn lex(text: &str, file: FileId, diagnostics: &mut Diagnostics) -> Lexed {
    taut_source::tokens((text, file, 0..text.len()), Token::lexer(text).spanned(), diagnostics)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tokens(text: &str) -> Vec<Token> {
        let mut diagnostics = Diagnostics::new();
        let lexed = lex(text, FileId(0), &mut diagnostics);
        assert!(diagnostics.is_empty(), "{diagnostics:?}");
        lexed.tokens.iter().map(|t| t.token).collect()
    }

    #[test]
    fn ranges_and_signs_come_apart() {
        use Token::*;
        assert_eq!(
            tokens("0..3 x:=a:b"),
            [Int, DotDot, Int, Ident, Assign, Ident, Colon, Ident, Eof]
        );
        assert_eq!(tokens("atomic_begin atomics"), [AtomicBegin, Ident, Eof]);
    }

    #[test]
    fn comments_are_kept_aside() {
        let mut diagnostics = Diagnostics::new();
        let lexed = lex("a // b\n/* c\n */ d /**/", FileId(0), &mut diagnostics);
        assert_eq!(lexed.tokens.len(), 3);
        assert_eq!(lexed.comments.len(), 3);
    }

    #[test]
    fn a_run_of_strange_characters_is_one_error() {
        let mut diagnostics = Diagnostics::new();
        lex("x $$$ y `open", FileId(0), &mut diagnostics);
        assert_eq!(diagnostics.iter().count(), 2);
    }
}
