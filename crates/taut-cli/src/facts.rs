//! What SPIN's users expect below a verdict: the size of a state, the depth, the numbers of states stored and met
//! again; as JSON, also the statements that were never reached. As text those are part of what never happens, which is
//! listed for every language (`vacuity`).

use serde::Serialize;
use taut::vacuity::spin::{Statement, Unreached};
use taut::{Loaded, Report, Stats};

use super::columns::thousands;

/// The facts of a search as JSON.
#[derive(Serialize)]
pub struct Facts {
    state_vector_bytes: u64,
    matched: u64,
    /// None if the search was not complete.
    unreached: Option<Vec<Missed>>,
}

/// A statement that was not reached.
#[derive(Serialize)]
struct Missed {
    proctype: String,
    file: String,
    line: u32,
    text: String,
}

/// The facts of a Promela model; none for other languages.
pub fn facts(loaded: &Loaded, report: &Report) -> Option<Facts> {
    if !loaded.language.shows_search_facts() {
        return None;
    }
    // Where only runs were asked for, no search of states was made.
    let stats = &report.states_search()?.stats;
    let missed = |unreached: &Unreached| -> Vec<Missed> {
        let statements = unreached.statements.iter();
        statements.map(|s| missed(loaded, &unreached.name, s)).collect()
    };
    Some(Facts {
        state_vector_bytes: stats.state_bits.div_ceil(8),
        matched: stats.matched,
        unreached: report.unreached().map(|all| all.iter().flat_map(missed).collect()),
    })
}

fn missed(loaded: &Loaded, proctype: &str, statement: &Statement) -> Missed {
    let sources = &loaded.sources;
    let file = sources.get(statement.span.file).map_or("", |file| file.name());
    let text = match statement.is_end {
        true => "-end-".into(),
        false => taut::vacuity::one_line(sources.text(statement.span)),
    };
    Missed {
        proctype: proctype.into(),
        file: file.into(),
        line: sources.position(statement.span).map_or(0, |p| p.line),
        text,
    }
}

/// The facts of Promela models as text, one paragraph per report; nothing for other languages.
pub fn paragraphs(loaded: &Loaded, reports: &[Report]) -> String {
    if !loaded.language.shows_search_facts() {
        return String::new();
    }
    // Where only runs were asked for, no search of states was made.
    let made = reports.iter().filter_map(|report| Some((report, report.states_search()?)));
    made.map(|(report, search)| paragraph(report, &search.stats)).collect()
}

fn paragraph(report: &Report, stats: &Stats) -> String {
    format!(
        "\n{}: state vector {} bytes, depth {}, {} states stored, {} matched, {} transitions\n",
        report.memory.model.name(),
        stats.state_bits.div_ceil(8),
        thousands(stats.depth),
        thousands(stats.states),
        thousands(stats.matched),
        thousands(stats.transitions),
    )
}
