//! From preprocessed text to a syntax tree, by `lang-c`.
//!
//! The parser knows neither budgets nor limits. So brackets and nesting are looked at before (`nesting`), it runs on
//! a thread of its own with a large stack, and its caller waits for it as long as the budget lasts.
//!
//! | file | idea |
//! | --- | --- |
//! | `nesting.rs` | brackets that pair, and nesting that is not too deep |
//! | `explain.rs` | the likely cause of a syntax error |

mod explain;
mod nesting;

#[cfg(not(target_family = "wasm"))]
use std::{
    sync::mpsc::{RecvTimeoutError, channel},
    thread,
    time::Duration,
};

use lang_c::ast::TranslationUnit;
use lang_c::driver::{Config, Flavor, SyntaxError, parse_preprocessed};
use taut_source::{Diagnostic, Diagnostics};

use crate::codes;
use crate::preprocess::Preprocessed;

/// The stack of the parser: a level of parentheses takes 2,500 bytes, one of other brackets some times that, and
/// [`nesting`] lets 200 levels through.
#[cfg(not(target_family = "wasm"))]
const STACK: usize = 16 << 20;

/// The syntax tree of a preprocessed text. Its spans are those of the text.
pub fn parse(program: &Preprocessed) -> Result<TranslationUnit, Diagnostics> {
    let _phase = taut_budget::phase("the program is parsed");
    nesting::check(program)?;
    match run(program.text.clone()) {
        Some(Ok(unit)) => Ok(unit),
        Some(Err(error)) => Err(explain::explain(program, &error).into()),
        None => {
            let message = "the parser ended without a result";
            let found = Diagnostic::error(codes::SYNTAX, message, program.places.span(0..0));
            Err(found.label("in this program").help("is there enough memory?").into())
        }
    }
}

/// Parses a text.
fn parsed(text: String) -> Result<TranslationUnit, SyntaxError> {
    let config =
        Config { cpp_command: String::new(), cpp_options: Vec::new(), flavor: Flavor::GnuC11 };
    parse_preprocessed(&config, text).map(|parsed| parsed.unit)
}

/// Runs the parser; none if it does not come to an end of its own.
#[cfg(not(target_family = "wasm"))]
fn run(text: String) -> Option<Result<TranslationUnit, SyntaxError>> {
    let (sender, receiver) = channel();
    let work = move || {
        // Without a receiver the budget was spent.
        let _ = sender.send(parsed(text));
    };
    // Not a scoped thread: if the budget is spent, it is left behind.
    thread::Builder::new().stack_size(STACK).spawn(work).ok()?;
    loop {
        match receiver.recv_timeout(Duration::from_millis(5)) {
            Ok(parsed) => return Some(parsed),
            Err(RecvTimeoutError::Disconnected) => return None,
            Err(RecvTimeoutError::Timeout) => taut_budget::tick_many(1 << 20),
        }
    }
}

/// Runs the parser. A page has no threads: its worker is ended from outside, and it lends its own stack.
#[cfg(target_family = "wasm")]
fn run(text: String) -> Option<Result<TranslationUnit, SyntaxError>> {
    Some(parsed(text))
}
