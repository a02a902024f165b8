//! Parameterised models (`.mdve`): DVE with macros in the style of m4.
//!
//! [`expand`] reads a model, after a prelude of the macros that DiVinE offers to models: `default`, `forloop`,
//! `myloop`, `forallx`, `bool`, stacks and queues, and channels with a process in the middle (`buffer_channel` and
//! its kin). DiVinE rewrites the uses of such channels by m4's `changeword`; here that is done afterwards, in the
//! expanded text (`channels.rs`).
//!
//! The macro processor is Taut's own (`scan.rs` is m4's algorithm, `builtin.rs` the macros it starts with). It can
//! compute on text and nothing else: no macro reads or writes a file, starts a program or looks at the
//! environment, so a model from a stranger can be read anywhere. Its work, its output and its nesting are limited.
//!
//! DIVERGENCE from m4: only the macros of `builtin.rs` exist; another one of m4's is an error where it is called.
//! `eval` computes with 64 bits instead of 32, and reports an overflow. Text that is diverted elsewhere than to the
//! output or to nowhere is refused. A macro call that never ends is an error with the line where it began.

mod arithmetic;
mod builtin;
mod channels;
mod scan;

use std::fmt;

/// Number of bytes that a model may expand to.
pub const LARGEST_OUTPUT: usize = 16 << 20;

/// Number of characters that may be looked at in the course of one expansion. BEEM's largest model needs a hundredth of it.
pub(crate) const MOST_WORK: u64 = 1 << 27;

/// The work of one macro call besides its text, in characters.
pub(crate) const WORK_OF_A_CALL: u64 = 128;

/// Number of macro calls that may stand inside of each other's arguments.
pub(crate) const DEEPEST_CALL: usize = 200;

/// A model that could not be expanded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MacroError {
    /// The line of the model at which the expansion stopped, counted from one; none for a bad parameter.
    pub line: Option<usize>,
    kind: Kind,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    BadDefine(String),
    /// A macro of m4 that models do not have.
    Unavailable(String),
    /// An open quotation.
    OpenQuote,
    /// A call of this macro whose closing parenthesis is missing.
    OpenCall(String),
    /// An argument that is no number or no expression: the macro, the argument, the reason.
    BadNumber(&'static str, String, &'static str),
    /// A builtin that is called in a way that it does not know.
    BadCall(&'static str, &'static str),
    TooLarge,
    TooMuchWork,
    TooDeep,
}

impl MacroError {
    pub(crate) fn new(kind: Kind, line: usize) -> MacroError {
        MacroError { line: Some(line), kind }
    }
}

/// The first characters of a text, with nothing in it that moves a cursor.
fn excerpt(text: &str) -> String {
    text.chars().take(60).flat_map(char::escape_debug).collect()
}

impl fmt::Display for MacroError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(line) = self.line {
            write!(f, "line {line}: ")?;
        }
        self.kind.fmt(f)
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Kind::BadDefine(text) => {
                let text = excerpt(text);
                write!(f, "`{text}` is no parameter: expected NAME=VALUE, such as N=3")
            }
            Kind::Unavailable(name) => write!(
                f,
                "the macro `{name}` of m4 is not available to models, which can define macros, compute and nothing else"
            ),
            Kind::OpenQuote => f.write_str("a quotation that begins with ` has no closing '"),
            Kind::OpenCall(name) => {
                write!(f, "the call of the macro `{}` has no closing parenthesis", excerpt(name))
            }
            Kind::BadNumber(name, text, why) => {
                write!(f, "{name}: `{}` {why}", excerpt(text))
            }
            Kind::BadCall(name, why) => write!(f, "{name}: {why}"),
            Kind::TooLarge => {
                write!(f, "the model expands to more than {} MB", LARGEST_OUTPUT >> 20)
            }
            Kind::TooMuchWork => {
                let most = MOST_WORK / 1_000_000;
                write!(
                    f,
                    "the expansion needs more than {most} million characters; does a macro expand to itself?"
                )
            }
            Kind::TooDeep => write!(f, "macro calls are nested more than {DEEPEST_CALL} deep"),
        }
    }
}

impl std::error::Error for MacroError {}

/// Expands the macros of a model. Each of `defines` is a parameter, `NAME=VALUE`.
pub fn expand(text: &str, defines: &[String]) -> Result<String, MacroError> {
    let _phase = taut_budget::phase("macros are expanded");
    let mut scanner = scan::Scanner::new();
    scanner.read(&prelude())?;
    // Parameters come after the prelude: what a command line defines wins over `default`, and a parameter that has
    // the name of a macro replaces that macro, nothing more.
    for define in defines {
        let (name, value) = parameter(define)?;
        scanner.define(name, value);
    }
    scanner.read(text)?;
    Ok(channels::rewrite(scanner.finish()?))
}

/// The prelude on one line, so that the model's lines are counted as its author counts them.
fn prelude() -> String {
    let lines = include_str!("prelude.m4").lines().filter(|line| !line.starts_with('#'));
    lines.filter(|line| !line.is_empty()).collect::<Vec<_>>().join(" ")
}

/// The name and the value of a parameter.
fn parameter(text: &str) -> Result<(&str, &str), MacroError> {
    let bad = || MacroError { line: None, kind: Kind::BadDefine(text.into()) };
    let (name, value) = text.split_once('=').ok_or_else(bad)?;
    let mut letters = name.chars();
    let good = letters.next().is_some_and(|c| c.is_ascii_alphabetic() || c == '_')
        && letters.all(|c| c.is_ascii_alphanumeric() || c == '_')
        && !text.contains('\0');
    if good { Ok((name, value)) } else { Err(bad()) }
}
