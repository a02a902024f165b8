//! Tokens of the preprocessor, and the table of their texts.
//!
//! A token is small and is copied: its text is a number in an [`Interner`], the macros that it must not be replaced by
//! again are a number in [`super::hide::HideSets`].

use std::collections::HashMap;
use std::sync::Arc;

use taut_source::Span;

use super::hide::Hide;

/// A text, by its number in an [`Interner`]. Equal texts have equal numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Symbol(pub u32);

impl Symbol {
    /// The number as an index.
    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}

/// The sort of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Ident,
    /// A number as the preprocessor sees it: a digit or a dot, then letters, digits, dots and signs of exponents.
    Number,
    Char,
    Str,
    Punct,
    /// A character that begins no token.
    Other,
    /// A quotation without its end.
    Open,
    /// Nothing, as an operand of `##`.
    Placemarker,
}

/// A token with its place.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Token {
    pub kind: Kind,
    /// Blank space or a comment stands before it.
    pub space: bool,
    /// It is the first one of its line.
    pub line: bool,
    /// It came out of the body of a macro: its span is the use of the macro.
    pub expanded: bool,
    pub text: Symbol,
    pub span: Span,
    /// The macros that it came out of.
    pub hide: Hide,
}

impl Token {
    pub(crate) fn is(&self, text: Symbol) -> bool {
        self.text == text
    }

    /// The name of an identifier.
    pub(crate) fn name(&self) -> Option<Symbol> {
        (self.kind == Kind::Ident).then_some(self.text)
    }
}

macro_rules! known {
    ($($name:ident = $text:literal),* $(,)?) => {
        #[allow(non_camel_case_types, clippy::upper_case_acronyms)]
        enum Known { $($name),* }

        /// Texts with a fixed number.
        pub(crate) mod sym {
            use super::{Known, Symbol};
            $(pub(crate) const $name: Symbol = Symbol(Known::$name as u32);)*
        }

        const KNOWN: &[&str] = &[$($text),*];
    };
}

known! {
    EMPTY = "", OPEN = "(", CLOSE = ")", COMMA = ",", COLON = ":", QUESTION = "?", SAME = "__taut_same", LABEL = "__label__", HASH = "#", PASTE = "##", ELLIPSIS = "...", LESS = "<",
    GREATER = ">", LEFT_BRACE = "{", RIGHT_BRACE = "}", LEFT_BRACKET = "[", RIGHT_BRACKET = "]", SEMICOLON = ";",
    ASSIGN = "=", DEFINED = "defined", VA_ARGS = "__VA_ARGS__", VA_OPT = "__VA_OPT__",
    FILE = "__FILE__", LINE = "__LINE__", COUNTER = "__COUNTER__", INCLUDE_LEVEL = "__INCLUDE_LEVEL__",
    PRAGMA = "_Pragma", HAS_INCLUDE = "__has_include", HAS_INCLUDE_NEXT = "__has_include_next",
    HAS_ATTRIBUTE = "__has_attribute", HAS_BUILTIN = "__has_builtin", ATTRIBUTE = "__attribute",
    ATTRIBUTE__ = "__attribute__", EXTENSION = "__extension__", THREAD = "__thread", THREAD_LOCAL = "_Thread_local", ABORT = "abort", ASSUME = "__taut_assume",
    ZERO = "0", ONE = "1", CPROVER_FENCE = "__CPROVER_fence", TAUT_FENCE = "__taut_fence", TWO = "2",
    AUTO_TYPE = "__auto_type", TYPEOF = "__typeof__",
    ALIGNAS = "_Alignas", STATIC_ASSERT = "_Static_assert", ATOMIC = "_Atomic",
}

/// The texts of tokens.
#[derive(Debug)]
pub(crate) struct Interner {
    texts: Vec<Arc<str>>,
    numbers: HashMap<Arc<str>, Symbol>,
}

impl Interner {
    pub(crate) fn new() -> Interner {
        let mut this = Interner { texts: Vec::new(), numbers: HashMap::new() };
        for text in KNOWN {
            this.get(text);
        }
        debug_assert_eq!(this.texts.len(), KNOWN.len(), "one text, two names");
        this
    }

    /// The number of a text.
    pub(crate) fn get(&mut self, text: &str) -> Symbol {
        if let Some(symbol) = self.numbers.get(text) {
            return *symbol;
        }
        let symbol = Symbol(self.texts.len() as u32);
        let text: Arc<str> = text.into();
        self.texts.push(text.clone());
        self.numbers.insert(text, symbol);
        symbol
    }

    /// The number of a text that some token has.
    pub(crate) fn find(&self, text: &str) -> Option<Symbol> {
        self.numbers.get(text).copied()
    }

    /// The text of a number.
    pub(crate) fn text(&self, symbol: Symbol) -> &str {
        &self.texts[symbol.index()]
    }

    /// The text of a number, shared.
    pub(crate) fn shared(&self, symbol: Symbol) -> Arc<str> {
        self.texts[symbol.index()].clone()
    }
}
