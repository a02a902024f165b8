//! Words of the language: source text to tokens, with the comments kept aside for the formatter.

use logos::{Lexer, Logos};
use taut_source::{Diagnostic, Diagnostics, FileId, Span};

use crate::codes;

/// Generates the token type together with the text of every keyword and sign.
macro_rules! tokens {
    (keywords { $($keyword:ident = $word:literal,)* } signs { $($sign:ident = $text:literal,)* }) => {
        /// A token. Identifiers, numbers and quoted names carry their text in the source.
        #[derive(Logos, Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[logos(skip r"[ \t\r\n\f]+")]
        pub(crate) enum Token {
            $(#[token($word)] $keyword,)*
            $(#[token($text)] $sign,)*
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
            /// Characters that begin no token. They have been reported.
            Strange,
            /// The end of the file; there is always exactly one, the last token.
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
        FetchAdd = "fetch_add", Forbid = "forbid", Invariant = "invariant", View = "view",
        Drained = "drained", Ltl = "ltl",
    }
    signs {
        Assign = ":=", Colon = ":", Semi = ";", Comma = ",", LeftParen = "(", RightParen = ")",
        LeftBracket = "[", RightBracket = "]", LeftBrace = "{", RightBrace = "}", DotDot = "..",
        Dot = ".", At = "@", Hash = "#", Question = "?", Plus = "+", Minus = "-", Star = "*",
        Slash = "/", Percent = "%", Amp = "&", Bar = "|", Caret = "^", Shl = "<<", Shr = ">>",
        AndAnd = "&&", OrOr = "||", Bang = "!", Tilde = "~", EqEq = "==", Equal = "=",
        NotEq = "!=", Less = "<", LessEq = "<=", Greater = ">", GreaterEq = ">=",
        Always = "[]", Eventually = "<>", Arrow = "->", Equivalent = "<->",
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
fn block_comment(lexer: &mut Lexer<'_, Token>) -> bool {
    match lexer.remainder().find("*/") {
        Some(at) => {
            lexer.bump(at + 2);
            true
        }
        None => false,
    }
}

/// The most tokens of one file. What a person or another tool writes has far fewer; the limit keeps a
/// syntax tree within half a gigabyte.
const MOST_TOKENS: usize = 1 << 21;

/// A token and where it stands.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Spanned {
    pub token: Token,
    pub start: u32,
    pub end: u32,
}

/// A source text in words.
pub(crate) struct Lexed {
    /// The tokens, [`Token::Eof`] last.
    pub tokens: Vec<Spanned>,
    /// The comments, in order.
    pub comments: Vec<Span>,
}

/// Splits a text into tokens. Stops early when too much of it is no token at all.
pub(crate) fn lex(text: &str, file: FileId, diagnostics: &mut Diagnostics) -> Lexed {
    let mut lexed = Lexed { tokens: Vec::new(), comments: Vec::new() };
    let mut lexer = Token::lexer(text);
    let mut strange: Option<std::ops::Range<usize>> = None;
    while let Some(result) = lexer.next() {
        let range = lexer.span();
        if result.is_err() && strange.as_ref().is_some_and(|s| s.end == range.start) {
            strange = strange.map(|s| s.start..range.end);
            continue;
        }
        lexed.tokens.extend(report_strange(text, file, strange.take(), diagnostics));
        match result {
            Ok(Token::LineComment | Token::BlockComment) => {
                lexed.comments.push(Span::new(file, range));
            }
            Ok(token) => lexed.tokens.push(spanned(token, range)),
            Err(()) if text[range.clone()].starts_with("/*") => {
                diagnostics.push(unterminated_comment(Span::new(file, range)));
                break;
            }
            Err(()) => strange = Some(range),
        }
        if lexed.tokens.len() > MOST_TOKENS {
            diagnostics.push(too_many(Span::new(file, lexer.span())));
            break;
        }
        if diagnostics.is_full() {
            break;
        }
    }
    lexed.tokens.extend(report_strange(text, file, strange, diagnostics));
    lexed.tokens.push(spanned(Token::Eof, text.len()..text.len()));
    lexed
}

fn spanned(token: Token, range: std::ops::Range<usize>) -> Spanned {
    taut_budget::tick();
    Spanned { token, start: range.start as u32, end: range.end as u32 }
}

fn too_many(span: Span) -> Diagnostic {
    let message = format!("the program has more than {MOST_TOKENS} words and signs");
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
    diagnostics: &mut Diagnostics,
) -> Option<Spanned> {
    let range = range?;
    let first = text[range.clone()].chars().next().unwrap_or(' ');
    let span = Span::new(file, range.clone());
    diagnostics.push(match first {
        '`' | '"' => Diagnostic::error(codes::OPEN_QUOTE, "this quotation never ends", span)
            .label(format!("the closing {} is missing on this line", quote_name(first))),
        _ => strange_characters(&text[range.clone()], span),
    });
    Some(spanned(Token::Strange, range))
}

fn quote_name(quote: char) -> &'static str {
    if quote == '"' { "`\"`" } else { "backtick" }
}

fn strange_characters(text: &str, span: Span) -> Diagnostic {
    let shown: String = text.chars().take(12).flat_map(char::escape_debug).collect();
    let many = text.chars().nth(1).is_some();
    let message = match many {
        false => format!("the character `{shown}` has no meaning here"),
        true => format!("the characters `{shown}` have no meaning here"),
    };
    let found = Diagnostic::error(codes::STRANGE_CHARACTER, message, span).label("not a token");
    if text.starts_with(char::is_alphabetic) {
        found.help("names use the letters a-z, A-Z, digits and `_`; put others in backticks: `été`")
    } else {
        found
    }
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
