//! The reasons why nothing was seen.

use std::fmt;
use std::io;

/// Why nothing was seen.
#[derive(Debug)]
#[non_exhaustive]
pub enum Failure {
    /// There is no compiler.
    NoCompiler(String),
    /// The compiler refuses the program, in these words.
    Refused(String),
    /// A file cannot be written, or a process not started.
    System(String, io::Error),
    /// The run did not end in time, and had to be ended.
    Late,
    /// The command was interrupted.
    Interrupted,
    /// The run ended without having said what it saw.
    Broken(String),
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::NoCompiler(tried) => write!(
                f,
                "no C compiler: {tried}. Install gcc or clang, or name a compiler with --cc or the variable CC"
            ),
            Failure::Refused(words) => write!(f, "the compiler refuses the program\n{words}"),
            Failure::System(what, error) => write!(f, "{what}: {error}"),
            Failure::Late => f.write_str("the run did not end in time"),
            Failure::Interrupted => f.write_str("interrupted"),
            Failure::Broken(how) => write!(f, "the run ended without a result ({how})"),
        }
    }
}

impl std::error::Error for Failure {}

/// A failure of the system while something was done.
pub(crate) fn system(what: impl Into<String>) -> impl FnOnce(io::Error) -> Failure {
    let what = what.into();
    move |error| Failure::System(what, error)
}
