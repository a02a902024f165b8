//! Reports as JSON, one object a model on a line of its own.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use taut::witness::json::{Document, document};
use taut::{Loaded, Report, Verdict, Witness};

use super::facts::{Facts, facts};

#[derive(Serialize)]
struct Object<'a> {
    file: &'a str,
    model: &'static str,
    engine: &'static str,
    bound: Option<u32>,
    results: Vec<ResultObject<'a>>,
    stats: StatsObject,
    #[serde(skip_serializing_if = "Option::is_none")]
    facts: Option<Facts>,
}

#[derive(Serialize)]
struct ResultObject<'a> {
    property: &'a str,
    kind: &'static str,
    verdict: &'static str,
    coverage: String,
    witness: Option<TraceFile>,
}

#[derive(Serialize)]
struct StatsObject {
    states: u64,
    transitions: u64,
    depth: u64,
    seconds: f64,
    peak_bytes: u64,
}

/// A trace, and for a Promela model how many processes of each proctype the program has besides those that
/// run from the start. The trace of a model can be read only into a program of that size.
#[derive(Serialize)]
struct TraceFile {
    #[serde(flatten)]
    document: Document,
    #[serde(skip_serializing_if = "Option::is_none")]
    slots: Option<BTreeMap<String, u32>>,
}

/// The numbers of processes that a trace says.
pub fn slots(trace: &str) -> Option<BTreeMap<String, u32>> {
    #[derive(Deserialize)]
    struct Slots {
        slots: Option<BTreeMap<String, u32>>,
    }
    serde_json::from_str::<Slots>(trace).ok()?.slots
}

/// A violating run as the text of a trace file.
pub fn trace(loaded: &Loaded, report: &Report, witness: &Witness) -> String {
    let file = trace_file(loaded, report, witness);
    serde_json::to_string_pretty(&file).expect("numbers and strings") + "\n"
}

fn trace_file(loaded: &Loaded, report: &Report, witness: &Witness) -> TraceFile {
    let (program, trace, run) = (&report.program, &witness.trace, &witness.run);
    let slots = loaded.promela.as_ref().map(|_| taut::promela::slots(program));
    TraceFile { document: document(program, &loaded.sources, &loaded.name, trace, run), slots }
}

/// A report as one line.
pub fn line(loaded: &Loaded, report: &Report) -> String {
    let results = report.results.iter().map(|r| ResultObject {
        property: &r.name,
        kind: r.kind,
        verdict: r.verdict.word(),
        coverage: r.verdict.coverage(),
        witness: witness(loaded, report, &r.verdict),
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
        facts: facts(loaded, report),
    };
    serde_json::to_string(&object).expect("numbers and strings") + "\n"
}

fn witness(loaded: &Loaded, report: &Report, verdict: &Verdict) -> Option<TraceFile> {
    let Verdict::Violated(witness) = verdict else { return None };
    Some(trace_file(loaded, report, witness))
}
