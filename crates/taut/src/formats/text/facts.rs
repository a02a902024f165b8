//! What SPIN's users expect below a verdict: the size of a state, the depth, the numbers of states stored and met
//! again. The statements that were never reached are part of what never happens, which is listed for every language
//! (`vacuity`).

use taut_explicit::Stats;

use crate::formats::columns::thousands;
use crate::load::Loaded;
use crate::outcome::Report;

/// The facts of Promela models as text, one paragraph per report; nothing for other languages.
pub(super) fn paragraphs(loaded: &Loaded, reports: &[Report]) -> String {
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
