//! Reports as JSON, one object a model on a line of its own.

use serde::Serialize;
use taut::witness::json::{Document, document};
use taut::{Loaded, Report, Verdict};

#[derive(Serialize)]
struct Object<'a> {
    file: &'a str,
    model: &'static str,
    engine: &'static str,
    bound: Option<u32>,
    results: Vec<ResultObject<'a>>,
    stats: StatsObject,
}

#[derive(Serialize)]
struct ResultObject<'a> {
    property: &'a str,
    kind: &'static str,
    verdict: &'static str,
    coverage: String,
    witness: Option<Document>,
}

#[derive(Serialize)]
struct StatsObject {
    states: u64,
    transitions: u64,
    depth: u64,
    seconds: f64,
    peak_bytes: u64,
}

/// A report as one line.
pub fn line(loaded: &Loaded, report: &Report) -> String {
    let results = report.results.iter().map(|r| ResultObject {
        property: &r.name,
        kind: r.kind,
        verdict: r.verdict.word(),
        coverage: r.verdict.coverage(),
        witness: witness(loaded, &r.verdict),
    });
    let object = Object {
        file: &loaded.name,
        model: report.memory.model.name(),
        engine: report.engine,
        bound: report.memory.bound.filter(|_| report.memory.model != taut::MemoryModel::Sc),
        results: results.collect(),
        stats: StatsObject {
            states: report.stats.states,
            transitions: report.stats.transitions,
            depth: report.stats.depth,
            seconds: report.stats.time.as_secs_f64(),
            peak_bytes: report.stats.peak_bytes,
        },
    };
    serde_json::to_string(&object).expect("numbers and strings") + "\n"
}

fn witness(loaded: &Loaded, verdict: &Verdict) -> Option<Document> {
    let Verdict::Violated(witness) = verdict else { return None };
    let (trace, run) = (&witness.trace, &witness.run);
    Some(document(&loaded.program, &loaded.sources, &loaded.name, trace, run))
}
