//! The answer about data races.

use serde::Serialize;
use taut_render::RacingAccess;

use super::stats::StatsDocument;
use super::trace::TraceFile;
use crate::load::Loaded;
use crate::outcome::{RaceLevel, Races, Report};

/// The answer about data races, and the pair of accesses if there is one.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct RacesDocument {
    /// `warn` or `error`. Where it is `error`, the answer is among the results, too.
    pub level: &'static str,
    /// The verdict in a word.
    pub verdict: &'static str,
    /// What the verdict covers.
    pub coverage: String,
    /// The race in a sentence.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// The two accesses, in the order of the run.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub accesses: Vec<RacingAccessDocument>,
    /// Counts of the search; absent if a look at the code was enough.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stats: Option<StatsDocument>,
    /// The run of a race that is a warning.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub witness: Option<TraceFile>,
}

/// One of the accesses of a race.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct RacingAccessDocument {
    /// The process.
    pub process: String,
    /// What it does, in words.
    pub access: String,
    /// Its file.
    pub file: String,
    /// Its line; 0 if it has none.
    pub line: u32,
    /// The row of the run, from 1.
    pub row: usize,
}

impl RacingAccessDocument {
    fn new(loaded: &Loaded, access: &RacingAccess) -> RacingAccessDocument {
        let file = loaded.sources.get(access.span.file);
        RacingAccessDocument {
            process: access.process.clone(),
            access: access.words.clone(),
            file: file.map_or_else(|| loaded.name.clone(), |file| file.name().into()),
            line: access.line.unwrap_or(0),
            row: access.row + 1,
        }
    }
}

/// The answer of a report; none if races were not looked for.
pub(super) fn of_report(loaded: &Loaded, report: &Report) -> Option<RacesDocument> {
    let Races { level, result, race, stats } = report.races.as_ref()?;
    let accesses = race.iter().flat_map(|race| [&race.first, &race.second]);
    let witness = result.verdict.witness().filter(|_| *level == RaceLevel::Warn);
    Some(RacesDocument {
        level: level.word(),
        verdict: result.verdict.word(),
        coverage: result.verdict.coverage(),
        message: race.as_ref().map(ToString::to_string),
        accesses: accesses.map(|access| RacingAccessDocument::new(loaded, access)).collect(),
        stats: stats.as_ref().map(StatsDocument::from),
        witness: witness.map(|witness| TraceFile::of_witness(loaded, witness)),
    })
}
