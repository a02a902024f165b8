//! What never happens, below the verdicts.

use crate::load::Loaded;
use crate::outcome::Report;
use crate::vacuity::{Vacuous, by_models};

/// Lines of text; what comes after them is counted. JSON has everything.
const MOST_LINES: usize = 16;

/// A paragraph per set of memory models under which the same never happens.
pub(super) fn text(loaded: &Loaded, reports: &[Report]) -> String {
    let mut text = String::new();
    let all = by_models(reports);
    let is_same = |a: &(String, String, &Vacuous), b: &(String, String, &Vacuous)| {
        (&a.0, &a.1) == (&b.0, &b.1)
    };
    for group in all.chunk_by(is_same) {
        let (models, coverage, _) = &group[0];
        text.push_str(&format!("\nnever happens under {models} ({coverage}):\n"));
        // A line that says "one more" would be no shorter than the one more.
        let lines = if group.len() == MOST_LINES + 1 { group.len() } else { MOST_LINES };
        group.iter().take(lines).for_each(|(.., vacuous)| text.push_str(&line(loaded, vacuous)));
        if group.len() > lines {
            let rest = group.len() - lines;
            text.push_str(&format!("  … and {rest} more; --format json lists all\n"));
        }
    }
    text
}

fn line(loaded: &Loaded, vacuous: &Vacuous) -> String {
    match vacuous.position(&loaded.sources) {
        Some((file, line)) => format!("  {file}:{line}  {}\n", vacuous.message),
        None => format!("  {}\n", vacuous.message),
    }
}
