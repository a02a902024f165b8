//! Brackets that pair, and nesting that is not too deep for the parser and the passes after it.
//!
//! Depth is counted without parsing: brackets that are open, and in each of them the tokens since the last place
//! where a new expression or statement began. That is at least the depth of the syntax tree.

use taut_source::{DEEPEST, Diagnostic, Diagnostics};

use crate::codes;
use crate::preprocess::Preprocessed;

/// The longest chain of operators or statements, all levels of brackets together.
const LONGEST: usize = 1_000;
/// The deepest nesting of types in `sizeof`, `_Alignof` and `__typeof__`. The parser reads each of them twice: the
/// time doubles with each level.
const DEEPEST_TYPE: usize = 8;

/// An open bracket.
struct Level {
    /// The token that opened it.
    token: usize,
    close: &'static str,
    /// Number of tokens since a new expression or statement began.
    run: usize,
    /// It holds the operand of `sizeof` or its kind.
    of_type: bool,
}

/// Refuses brackets that do not pair and text that nests too deeply.
pub(super) fn check(program: &Preprocessed) -> Result<(), Diagnostics> {
    let words: Vec<&str> = program.places.words(&program.text).collect();
    let bottom = Level { token: 0, close: "", run: 0, of_type: false };
    let (mut levels, mut total, mut types) = (vec![bottom], 0_usize, 0_usize);
    for (index, word) in words.iter().enumerate() {
        taut_budget::tick();
        if let Some(close) = closes_with(word) {
            let of_type = index > 0 && takes_type(words[index - 1]);
            types += usize::from(of_type);
            levels.push(Level { token: index, close, run: 0, of_type });
        } else if matches!(*word, ")" | "]" | "}") {
            let Some(level) = levels.pop_if(|level| level.close == *word) else {
                return Err(unpaired(program, index, word, levels.last()).into());
            };
            total -= level.run;
            types -= usize::from(level.of_type);
        }
        let Some(level) = levels.last_mut() else { break };
        let goes_on = words.get(index + 1).is_some_and(|next| *next == "else");
        if matches!(*word, ";" | "," | "}") && !goes_on {
            total -= std::mem::take(&mut level.run);
        } else if !word.starts_with('"') {
            level.run += 1;
            total += 1;
        }
        debug_assert_eq!(total, levels.iter().map(|level| level.run).sum::<usize>());
        if levels.len() > DEEPEST as usize || total > LONGEST || types > DEEPEST_TYPE {
            return Err(too_deep(program, index).into());
        }
    }
    match levels.pop().filter(|level| !level.close.is_empty()) {
        Some(open) => Err(unclosed(program, &open).into()),
        None => Ok(()),
    }
}

/// The bracket that closes one.
fn closes_with(open: &str) -> Option<&'static str> {
    match open {
        "(" => Some(")"),
        "[" => Some("]"),
        "{" => Some("}"),
        _ => None,
    }
}

/// Whether a type may stand in the parentheses after a word.
fn takes_type(word: &str) -> bool {
    matches!(word, "sizeof" | "_Alignof" | "typeof")
        || word.starts_with("__typeof")
        || word.starts_with("__alignof")
}

fn too_deep(program: &Preprocessed, index: usize) -> Diagnostic {
    let message = "this is nested too deeply, or an expression that is too long";
    Diagnostic::error(codes::TOO_DEEP, message, program.places.token(index))
        .label(format!("more than {DEEPEST} levels of brackets, or a chain of {LONGEST} tokens"))
        .help("split it into several statements")
}

fn unpaired(program: &Preprocessed, index: usize, word: &str, open: Option<&Level>) -> Diagnostic {
    let message = format!("`{word}` closes nothing");
    let found = Diagnostic::error(codes::UNPAIRED, message, program.places.token(index));
    match open.filter(|level| !level.close.is_empty()) {
        None => found.label("no bracket is open here").help("remove it"),
        Some(level) => found
            .label(format!("expected `{}`", level.close))
            .related(program.places.token(level.token), "this bracket is open")
            .help(format!("close it with `{}` before", level.close)),
    }
}

fn unclosed(program: &Preprocessed, open: &Level) -> Diagnostic {
    let message = "this bracket is never closed";
    Diagnostic::error(codes::UNPAIRED, message, program.places.token(open.token))
        .label("opened here")
        .help(format!("close it with `{}`", open.close))
}
