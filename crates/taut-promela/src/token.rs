//! Tokens: what the lexer makes, the preprocessor replaces and the parser reads.

use std::rc::Rc;

use logos::{Lexer, Logos};
use taut_source::Span;

/// The kind of a token.
///
/// The signs of formulas (`[]`, `<>`, `<->`) mean nothing outside of them, so they are always one token.
#[derive(Logos, Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[logos(skip r"([ \t\r\f\x0B]|\\\r?\n)+")]
pub(crate) enum Kind {
    /// A name; the preprocessor sees reserved words as names too.
    #[regex(r"[A-Za-z_][A-Za-z0-9_]*")]
    Ident,
    /// A reserved word. Only made after preprocessing.
    Keyword,
    /// A number as the C preprocessor sees it: `8..21` is one.
    #[regex(r"[0-9]([eEpP][+-]|[0-9A-Za-z_.])*")]
    Number,
    #[regex(r#""([^"\\\n]|\\[^\n])*""#)]
    Str,
    #[regex(r"'([^'\\\n]|\\[^\n])'")]
    Char,
    #[token("\n")]
    Newline,
    #[regex(r"//([^\n\\]|\\\r?\n|\\)*")]
    LineComment,
    #[token("/*", block_comment)]
    BlockComment,
    #[token("#")]
    Hash,
    #[token("##")]
    HashHash,
    #[token("::")]
    Option,
    #[token(":")]
    Colon,
    #[token(";")]
    Semi,
    #[token("->")]
    Arrow,
    #[token(",")]
    Comma,
    #[token("..")]
    DotDot,
    #[token(".")]
    Dot,
    #[token("(")]
    LeftParen,
    #[token(")")]
    RightParen,
    #[token("[")]
    LeftBracket,
    #[token("]")]
    RightBracket,
    #[token("{")]
    LeftBrace,
    #[token("}")]
    RightBrace,
    #[token("@")]
    At,
    #[token("=")]
    Assign,
    #[token("++")]
    Increment,
    #[token("--")]
    Decrement,
    #[token("!")]
    Bang,
    #[token("!!")]
    BangBang,
    #[token("?")]
    Question,
    #[token("??")]
    QuestionQuestion,
    #[token("+")]
    Plus,
    #[token("-")]
    Minus,
    #[token("*")]
    Star,
    #[token("/")]
    Slash,
    #[token("%")]
    Percent,
    #[token("&")]
    Amp,
    #[token("|")]
    Bar,
    #[token("^")]
    Caret,
    #[token("~")]
    Tilde,
    #[token("&&")]
    #[token("/\\")]
    AndAnd,
    #[token("||")]
    #[token("\\/")]
    OrOr,
    #[token("==")]
    Equal,
    #[token("!=")]
    NotEqual,
    #[token("<")]
    Less,
    #[token("<=")]
    LessEqual,
    #[token(">")]
    Greater,
    #[token(">=")]
    GreaterEqual,
    #[token("<<")]
    ShiftLeft,
    #[token(">>")]
    ShiftRight,
    #[token("[]")]
    Always,
    #[token("<>")]
    Eventually,
    #[token("<->")]
    Equivalent,
    /// A character that begins no token.
    Strange,
    /// The end of the input; there is always exactly one, the last token.
    Eof,
}

/// Takes the rest of a block comment; the comment is an error if it never ends.
fn block_comment(lexer: &mut Lexer<'_, Kind>) -> bool {
    match lexer.remainder().find("*/") {
        Some(at) => {
            lexer.bump(at + 2);
            true
        }
        None => false,
    }
}

/// The macros a token came out of: it is not replaced by them again.
#[derive(Debug)]
pub(crate) struct Hide {
    pub name: Rc<str>,
    pub outer: Option<Rc<Hide>>,
}

/// Whether a name is hidden by the macros a token came out of.
pub(crate) fn hides(mut hide: Option<&Rc<Hide>>, name: &str) -> bool {
    while let Some(one) = hide {
        if &*one.name == name {
            return true;
        }
        hide = one.outer.as_ref();
    }
    false
}

/// A token and where it comes from.
#[derive(Clone, Debug)]
pub(crate) struct Token {
    pub kind: Kind,
    pub text: Rc<str>,
    /// The place in a source file: for a token from a macro's body, the use of the macro.
    pub span: Span,
    /// The text that it came out of and that cannot be taken apart: itself, the whole use of a macro with its
    /// arguments, or a parameter in the body of an inline.
    pub site: Span,
    /// For a token from a macro's body, its place in the `#define`.
    pub defined: Option<Span>,
    pub hide: Option<Rc<Hide>>,
    /// Whether it begins a line.
    pub newline: bool,
    /// Whether blank space stands before it.
    pub space: bool,
}

/// The word that begins a formula of a `#property` line.
pub(crate) const PROPERTY: &str = "#property";

impl Token {
    /// The end of a text; messages call it the end of `what`, or of the file if that is empty.
    pub(crate) fn eof(what: &str, span: Span) -> Token {
        let text = what.into();
        let (newline, space) = (true, true);
        Token { kind: Kind::Eof, text, span, site: span, defined: None, hide: None, newline, space }
    }

    /// Whether this is the given reserved word.
    pub(crate) fn is(&self, word: &str) -> bool {
        self.kind == Kind::Keyword && &*self.text == word
    }

    /// Whether this is the given name, reserved or not.
    pub(crate) fn is_word(&self, word: &str) -> bool {
        matches!(self.kind, Kind::Keyword | Kind::Ident) && &*self.text == word
    }

    /// How messages call it.
    pub(crate) fn describe(&self) -> String {
        match self.kind {
            Kind::Keyword => format!("the keyword `{}`", self.text),
            Kind::Eof if self.text.is_empty() => "the end of the file".into(),
            Kind::Eof => format!("the end of {}", self.text),
            Kind::Str => "a text in double quotes".into(),
            Kind::Number => format!("the number `{}`", self.text),
            _ => format!("`{}`", self.text),
        }
    }
}
