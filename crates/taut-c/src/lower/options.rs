//! Options of the lowering.

use taut_source::{Diagnostic, FileId, Span};

/// A thread function with the globals whose addresses are its arguments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Root {
    /// The name of the function.
    pub function: String,
    /// The names of globals, one per parameter.
    pub arguments: Vec<String>,
}

/// Options of the lowering.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// Number of objects of each allocation site.
    pub heap: u32,
    /// True if signed arithmetic wraps around instead of being a fault.
    pub wraps: bool,
    /// The values that are tried where any of a large range can come; none for the usual ones.
    pub nondet: Option<Vec<i64>>,
    /// True if memory that is not freed when `main` returns is an error.
    pub leaks: bool,
    /// Number of calls of functions that call themselves that can be open at once.
    pub max_calls: u32,
    /// True if the program is to be one that looks for data races.
    pub races: bool,
    /// Files of Taut's own: their statements are not shown.
    pub built_in: Vec<FileId>,
    /// The thread functions that run from the start; none if `main` starts the program.
    pub roots: Vec<Root>,
    /// Globals that are part of the program though no thread may use them.
    pub globals: Vec<String>,
}

/// The most values that can be tried of one choice.
const MOST_VALUES: usize = 256;

/// The values that some words name, `3` or `-1..3`; none without words. The error is the word that names none, or too many.
pub(crate) fn nondet_values(words: &[String]) -> Result<Option<Vec<i64>>, String> {
    if words.is_empty() {
        return Ok(None);
    }
    let mut values = Vec::new();
    for word in words {
        let (low, high) = word.split_once("..").unwrap_or((word, word));
        let high = high.strip_prefix('=').unwrap_or(high);
        let (Ok(low), Ok(high)) = (low.trim().parse::<i64>(), high.trim().parse::<i64>()) else {
            return Err(word.clone());
        };
        if low > high || high.abs_diff(low) >= MOST_VALUES as u64 {
            return Err(word.clone());
        }
        values.extend(low..=high);
        if values.len() > MOST_VALUES {
            return Err(word.clone());
        }
    }
    Ok(Some(values))
}

/// The message about a word of `--nondet` that names no values, or too many.
pub(crate) fn bad_nondet(word: &str, span: Span) -> Diagnostic {
    let message = format!("`--nondet` cannot be `{word}`");
    let help = format!(
        "numbers and ranges with commas between them, such as `--nondet=-1..3,10`, together at most {MOST_VALUES} values"
    );
    Diagnostic::error(super::codes::NONDETERMINISTIC, message, span).help(help)
}

/// The message about steps that are whole statements.
pub(crate) fn no_statements(span: Span) -> Diagnostic {
    let message =
        "a C statement is no single step: compilers make one instruction per access of it";
    Diagnostic::error(super::codes::UNSUPPORTED, message, span)
        .help("leave `--granularity statement` out; `__VERIFIER_atomic_begin()` and `__VERIFIER_atomic_end()` make several accesses one step")
}

impl Default for Options {
    fn default() -> Options {
        Options {
            heap: 3,
            wraps: false,
            nondet: None,
            leaks: false,
            max_calls: taut_ir::build::DEFAULT_CALL_DEPTH,
            races: false,
            built_in: Vec::new(),
            roots: Vec::new(),
            globals: Vec::new(),
        }
    }
}
