//! Tokens of a language whose front end writes its own parser.
//!
//! [`crate::tokens!`] generates the type from two lists, of keywords and of signs, together with the
//! text and the description of each. [`tokens`] splits a text with it, by a lexer that `logos`
//! derives, and reports what begins no token. A [`Wording`] has the words and codes in which the
//! messages of two languages differ.

use std::fmt::Debug;
use std::ops::Range;

use crate::{Diagnostic, FileId, Messages, Span};

/// The largest number of tokens in one text. What a person or another tool writes has fewer; the
/// limit keeps a syntax tree within half a gigabyte.
const MOST_TOKENS: usize = 1 << 21;

/// The words and codes in which the messages about tokens differ between languages.
#[derive(Debug)]
pub struct Wording {
    /// Name of a whole text: "program", "model".
    pub whole: &'static str,
    /// Characters that open a quotation; the same character on the same line closes it.
    pub quotes: &'static [char],
    /// Hint about a letter that cannot be part of a name.
    pub letters: &'static str,
    /// Hint about a text that nests too deeply.
    pub too_deep: &'static str,
    /// Codes of the messages.
    pub codes: Codes,
}

/// Codes of the messages about tokens, in the numbering of one language.
#[derive(Debug)]
pub struct Codes {
    /// A character that begins no token.
    pub strange_character: &'static str,
    /// A comment without an end.
    pub open_comment: &'static str,
    /// A quotation without an end.
    pub open_quote: &'static str,
    /// A text with too many tokens.
    pub too_large: &'static str,
    /// Another token was expected.
    pub expected: &'static str,
    /// Nested too deeply.
    pub too_deep: &'static str,
}

/// The sort of a token, by which messages describe it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// A reserved word.
    Keyword,
    /// A sign with a fixed text.
    Sign,
    /// A name.
    Name,
    /// A number.
    Number,
    /// A text in double quotes.
    Text,
    /// A comment, which the parser never sees.
    Comment,
    /// Characters that begin no token.
    Strange,
    /// The end of the text.
    End,
}

/// A token without its place. [`crate::tokens!`] writes the implementation.
pub trait Token: Copy + Eq + Debug {
    /// The language that the token belongs to.
    const WORDING: &'static Wording;
    /// The token that stands for characters that begin none.
    const STRANGE: Self;
    /// The token at the end of every text.
    const END: Self;
    /// The comma between the elements of a list.
    const COMMA: Self;
    /// The semicolon after a statement or a declaration.
    const SEMICOLON: Self;

    /// The text of a keyword or a sign; `None` for a token without a fixed text.
    fn text(self) -> Option<&'static str>;

    /// The sort of the token.
    fn shape(self) -> Shape;

    /// Whether the token is a reserved word.
    fn is_keyword(self) -> bool {
        self.shape() == Shape::Keyword
    }

    /// The token in the words of a message.
    fn describe(self) -> String {
        let text = self.text().unwrap_or_default();
        match self.shape() {
            Shape::Keyword => format!("the keyword `{text}`"),
            Shape::Sign => format!("`{text}`"),
            Shape::Number => "a number".into(),
            Shape::Text => "a text in double quotes".into(),
            Shape::End => "the end of the file".into(),
            Shape::Name | Shape::Comment | Shape::Strange => "a name".into(),
        }
    }
}

/// Generates a token type named `Token` for a `logos` lexer, its list of reserved words `KEYWORDS`,
/// and the implementation of the trait [`Token`].
///
/// Among `others` there must be `Ident`, `Int`, `Str`, `LineComment` and `BlockComment`, and among
/// `signs` `Comma` and `Semi`; `Strange` and `Eof` are added.
#[macro_export]
macro_rules! tokens {
    (
        language $language:expr;
        $(#[$($meta:tt)*])*
        keywords { $($keyword:ident = $word:literal,)* }
        signs { $($sign:ident = $text:literal,)* }
        others { $($(#[$($other_meta:tt)*])* $other:ident,)* }
    ) => {
        $(#[$($meta)*])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub(crate) enum Token {
            $(#[token($word)] $keyword,)*
            $(#[token($text)] $sign,)*
            $($(#[$($other_meta)*])* $other,)*
            /// Characters that begin no token. They have been reported.
            Strange,
            /// The end of the text; there is always exactly one, the last token.
            Eof,
        }

        impl $crate::Token for Token {
            const WORDING: &'static $crate::Wording = $language;
            const STRANGE: Token = Token::Strange;
            const END: Token = Token::Eof;
            const COMMA: Token = Token::Comma;
            const SEMICOLON: Token = Token::Semi;

            fn text(self) -> Option<&'static str> {
                match self {
                    $(Token::$keyword => Some($word),)*
                    $(Token::$sign => Some($text),)*
                    _ => None,
                }
            }

            fn shape(self) -> $crate::Shape {
                match self {
                    $(Token::$keyword)|* => $crate::Shape::Keyword,
                    $(Token::$sign)|* => $crate::Shape::Sign,
                    Token::Int => $crate::Shape::Number,
                    Token::Str => $crate::Shape::Text,
                    Token::LineComment | Token::BlockComment => $crate::Shape::Comment,
                    Token::Strange => $crate::Shape::Strange,
                    Token::Eof => $crate::Shape::End,
                    // All that is left of `others` are names.
                    #[allow(unreachable_patterns, reason = "a language may have one kind of names")]
                    _ => $crate::Shape::Name,
                }
            }
        }

        /// All reserved words.
        pub(crate) const KEYWORDS: &[&str] = &[$($word),*];
    };
}

/// A token and its place in the text.
#[derive(Clone, Copy, Debug)]
pub struct Spanned<T> {
    /// The token.
    pub token: T,
    /// The first byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl<T> Spanned<T> {
    fn new(token: T, range: Range<usize>) -> Spanned<T> {
        taut_budget::tick();
        Spanned { token, start: range.start as u32, end: range.end as u32 }
    }

    /// The place, in its file.
    pub fn span(&self, file: FileId) -> Span {
        Span { file, start: self.start, end: self.end }
    }
}

/// A text as tokens.
#[derive(Debug)]
pub struct Lexed<T> {
    /// The tokens, [`Token::END`] last.
    pub tokens: Vec<Spanned<T>>,
    /// The comments, in order, if the lexer yields them.
    pub comments: Vec<Span>,
    /// Whether all of the text was read. If not, the text that follows is not known; that has been
    /// reported.
    pub complete: bool,
}

/// The tokens of a range of a text, given what a lexer makes of that range. Reading stops early at a
/// comment that never ends, after too many tokens, and after too many strange characters.
pub fn tokens<T: Token>(
    (text, file, range): (&str, FileId, Range<usize>),
    lexer: impl Iterator<Item = (Result<T, ()>, Range<usize>)>,
    messages: &mut dyn Messages,
) -> Lexed<T> {
    let (base, end) = (range.start, range.end);
    let lexed = Lexed { tokens: Vec::new(), comments: Vec::new(), complete: true };
    let mut tokenizer = Tokenizer { text, file, strange: None, lexed, messages };
    for (result, at) in lexer {
        let going_on = tokenizer.add(result, base + at.start..base + at.end);
        if !going_on || tokenizer.messages.is_full() {
            break;
        }
    }
    tokenizer.end_strange();
    let mut lexed = tokenizer.lexed;
    lexed.tokens.push(Spanned::new(T::END, end..end));
    lexed
}

/// The state between two tokens.
struct Tokenizer<'t, 'd, T> {
    text: &'t str,
    file: FileId,
    /// A run of characters that begin no token, so far: it becomes one message.
    strange: Option<Range<usize>>,
    lexed: Lexed<T>,
    messages: &'d mut dyn Messages,
}

impl<T: Token> Tokenizer<'_, '_, T> {
    /// Adds what the lexer made of a range; whether reading goes on.
    fn add(&mut self, result: Result<T, ()>, range: Range<usize>) -> bool {
        let span = Span::new(self.file, range.clone());
        match (result, &mut self.strange) {
            (Err(()), Some(run)) if run.end == range.start => {
                run.end = range.end;
                return true;
            }
            _ => self.end_strange(),
        }
        match result {
            Ok(token) if token.shape() == Shape::Comment => self.lexed.comments.push(span),
            Ok(token) => self.lexed.tokens.push(Spanned::new(token, range)),
            Err(()) if self.text[range.clone()].starts_with("/*") => {
                return self.stop(open_comment::<T>(span));
            }
            Err(()) => self.strange = Some(range),
        }
        self.lexed.tokens.len() <= MOST_TOKENS || self.stop(too_many::<T>(span))
    }

    fn stop(&mut self, found: Diagnostic) -> bool {
        self.messages.push(found);
        self.lexed.complete = false;
        false
    }

    /// Reports the run of strange characters before this place, if there is one.
    fn end_strange(&mut self) {
        let Some(range) = self.strange.take() else { return };
        debug_assert!(!range.is_empty(), "a lexer takes at least one character");
        let span = Span::new(self.file, range.clone());
        self.messages.push(strange::<T>(&self.text[range.clone()], span));
        self.lexed.tokens.push(Spanned::new(T::STRANGE, range));
    }
}

fn too_many<T: Token>(span: Span) -> Diagnostic {
    let whole = T::WORDING.whole;
    let message = format!("the {whole} has more than {MOST_TOKENS} words and signs");
    Diagnostic::error(T::WORDING.codes.too_large, message, span).label("too large here")
}

fn open_comment<T: Token>(span: Span) -> Diagnostic {
    Diagnostic::error(T::WORDING.codes.open_comment, "this comment never ends", span)
        .label("`*/` is missing")
        .help("end the comment with `*/`, or begin each line of it with `//`")
}

/// The message about characters that begin no token.
fn strange<T: Token>(text: &str, span: Span) -> Diagnostic {
    let first = text.chars().next().unwrap_or(' ');
    if T::WORDING.quotes.contains(&first) {
        let quote = if first == '`' { "backtick".into() } else { format!("`{first}`") };
        return Diagnostic::error(T::WORDING.codes.open_quote, "this quotation never ends", span)
            .label(format!("the closing {quote} is missing on this line"));
    }
    let escaped = |c: char| if c == '\\' { vec![c] } else { c.escape_debug().collect() };
    let shown: String = text.chars().take(12).flat_map(escaped).collect();
    let message = match text.chars().nth(1) {
        None => format!("the character `{shown}` has no meaning here"),
        Some(_) => format!("the characters `{shown}` have no meaning here"),
    };
    let code = T::WORDING.codes.strange_character;
    let found = Diagnostic::error(code, message, span).label("not a token");
    if first.is_alphabetic() { found.help(T::WORDING.letters) } else { found }
}
