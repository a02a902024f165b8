//! Parameterised models (`.mdve`): DVE with m4 macros.
//!
//! [`expand`] runs the `m4` program on a model, with a prelude of the macros that DiVinE offers to models:
//! `default`, `forloop`, `myloop`, `forallx`, `bool`, stacks and queues, and channels with a process in the
//! middle (`buffer_channel` and its kin). DiVinE rewrites the uses of such channels by m4's `changeword`, which
//! usual builds of m4 do not have; here it is done afterwards, in the text that m4 returns.
//!
//! A model is not trusted: macros that read or write files or start programs are taken away from it, m4 is
//! started without a shell, and it is stopped after [`TIME_LIMIT`] or [`LARGEST_OUTPUT`].

mod channels;
mod run;

use std::time::Duration;

/// How long m4 may take.
pub const TIME_LIMIT: Duration = Duration::from_secs(20);

/// How many bytes m4 may return.
pub const LARGEST_OUTPUT: usize = 16 << 20;

/// Why a model could not be expanded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct M4Error {
    kind: Kind,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Kind {
    Missing,
    BadDefine(String),
    /// m4 refused the model; its own words.
    Refused(String),
    TooLarge,
    TooSlow,
    /// m4 could not be run.
    Broken(String),
}

impl M4Error {
    fn new(kind: Kind) -> M4Error {
        M4Error { kind }
    }

    /// Whether the reason is that the m4 program is not there.
    pub fn is_missing(&self) -> bool {
        self.kind == Kind::Missing
    }
}

impl std::fmt::Display for M4Error {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match &self.kind {
            Kind::Missing => f.write_str(
                "a parameterised model needs the program `m4`, which is not installed: install the package \
                 m4 of your system (apt install m4, dnf install m4, brew install m4), or give the \
                 generated .dve file",
            ),
            Kind::BadDefine(text) => {
                let text: String = text.chars().take(60).flat_map(char::escape_debug).collect();
                write!(f, "`{text}` is no parameter: expected NAME=VALUE, such as N=3")
            }
            Kind::Refused(words) => write!(f, "m4 refuses the model:\n{words}"),
            Kind::TooLarge => {
                write!(f, "the model expands to more than {} MB", LARGEST_OUTPUT >> 20)
            }
            Kind::TooSlow => write!(
                f,
                "m4 did not finish within {} seconds; does a macro expand to itself?",
                TIME_LIMIT.as_secs()
            ),
            Kind::Broken(why) => write!(f, "m4 could not be run: {why}"),
        }
    }
}

impl std::error::Error for M4Error {}

/// Expands the macros of a model. Each of `defines` is a parameter, `NAME=VALUE`.
///
/// Messages of m4 name lines of `text`.
pub fn expand(text: &str, defines: &[String]) -> Result<String, M4Error> {
    let arguments = defines.iter().map(|d| define(d)).collect::<Result<Vec<_>, _>>()?;
    let input = format!("{}{text}", prelude());
    let output = run::m4(&arguments, input)?;
    Ok(channels::rewrite(output))
}

/// The prelude on one line.
fn prelude() -> String {
    let lines = include_str!("prelude.m4").lines().filter(|line| !line.starts_with('#'));
    lines.filter(|line| !line.is_empty()).collect::<Vec<_>>().join(" ")
}

/// The argument of m4 for a parameter.
fn define(text: &str) -> Result<String, M4Error> {
    let name = text.split_once('=').map_or("", |(name, _)| name);
    let mut letters = name.chars();
    let good = letters.next().is_some_and(|c| c.is_ascii_alphabetic() || c == '_')
        && letters.all(|c| c.is_ascii_alphanumeric() || c == '_')
        && !text.contains('\0');
    if good { Ok(format!("-D{text}")) } else { Err(M4Error::new(Kind::BadDefine(text.into()))) }
}
