//! What never happens, below the verdicts: as text and as JSON.

use serde::Serialize;
use taut::vacuity::{Level, Vacuous, by_models};
use taut::{Check, Loaded, Report};

use super::args::VacuityArg;
use super::exit::Exit;

/// Lines of text; what comes after them is counted. JSON has everything.
const MOST_LINES: usize = 16;

/// One thing that never happens, as JSON.
#[derive(Serialize)]
pub struct VacuousObject {
    kind: &'static str,
    message: String,
    owner: String,
    text: String,
    file: String,
    line: u32,
}

/// The list of a report; none if it was not looked for, or is not known.
pub fn objects(loaded: &Loaded, report: &Report) -> Option<Vec<VacuousObject>> {
    let list = &report.vacuity.as_ref()?.list;
    Some(list.iter().map(|vacuous| object(loaded, vacuous)).collect())
}

fn object(loaded: &Loaded, vacuous: &Vacuous) -> VacuousObject {
    let (file, line) = vacuous.position(&loaded.sources).unwrap_or((loaded.name.clone(), 0));
    VacuousObject {
        kind: vacuous.kind.name(),
        message: vacuous.message.clone(),
        owner: vacuous.owner.clone(),
        text: vacuous.text.clone(),
        file,
        line,
    }
}

/// A paragraph per set of memory models under which the same never happens.
pub fn text(loaded: &Loaded, reports: &[Report]) -> String {
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

impl VacuityArg {
    /// What it means.
    pub fn level(self) -> Level {
        match self {
            VacuityArg::Error => Level::Error,
            VacuityArg::Note => Level::Note,
            VacuityArg::Off => Level::Off,
        }
    }

    /// A report with what never happens, if that is asked for.
    pub fn look(self, report: Report, check: &Check<'_>, loaded: &Loaded) -> Report {
        match self {
            VacuityArg::Off => report,
            VacuityArg::Note | VacuityArg::Error => report.with_vacuity(check, loaded),
        }
    }

    /// The exit that some reports ask for.
    pub fn exit(self, reports: &[Report]) -> Exit {
        match self == VacuityArg::Error && reports.iter().any(Report::is_vacuous) {
            true => Exit::Violated,
            false => Exit::Holds,
        }
    }
}
