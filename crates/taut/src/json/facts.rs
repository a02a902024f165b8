//! What SPIN prints about a model: the size of a state, states met again, statements that were never reached.

use serde::Serialize;

use crate::load::Loaded;
use crate::outcome::Report;
use crate::vacuity::one_line;
use crate::vacuity::spin::{Statement, Unreached};

/// The facts of a search of a Promela model.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct FactsDocument {
    /// Bytes of a state.
    pub state_vector_bytes: u64,
    /// Transitions to a state that was stored already.
    pub matched: u64,
    /// Statements that were never reached; none if the search was not complete.
    pub unreached: Option<Vec<UnreachedDocument>>,
}

/// A statement that was not reached.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct UnreachedDocument {
    /// Its proctype.
    pub proctype: String,
    /// Its file.
    pub file: String,
    /// Its line; 0 if it has none.
    pub line: u32,
    /// The statement.
    pub text: String,
}

impl FactsDocument {
    /// The facts of a Promela model; none for other languages.
    pub fn of(loaded: &Loaded, report: &Report) -> Option<FactsDocument> {
        if !loaded.language.shows_search_facts() {
            return None;
        }
        // Where only runs were asked for, no search of states was made.
        let stats = &report.states_search()?.stats;
        let missed = |unreached: &Unreached| -> Vec<UnreachedDocument> {
            let statements = unreached.statements.iter();
            statements.map(|s| missed(loaded, &unreached.name, s)).collect()
        };
        Some(FactsDocument {
            state_vector_bytes: stats.state_bits.div_ceil(8),
            matched: stats.matched,
            unreached: report.unreached().map(|all| all.iter().flat_map(missed).collect()),
        })
    }
}

fn missed(loaded: &Loaded, proctype: &str, statement: &Statement) -> UnreachedDocument {
    let sources = &loaded.sources;
    let file = sources.get(statement.span.file).map_or("", |file| file.name());
    let text = match statement.is_end {
        true => "-end-".into(),
        false => one_line(sources.text(statement.span)),
    };
    UnreachedDocument {
        proctype: proctype.into(),
        file: file.into(),
        line: sources.position(statement.span).map_or(0, |p| p.line),
        text,
    }
}
