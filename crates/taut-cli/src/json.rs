//! Reports as JSON, one object a model on a line of its own.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use taut::ir::{ChannelOp, Channels, Finding};
use taut::render::json::{Document, document, document_of_run};
use taut::symbolic::SymbolicCounts;
use taut::witness::{Run, Trace, replay};
use taut::{
    ExtraProperty, Granularity, Loaded, Lossy, Program, Provenance, Report, Verdict, Witness,
};

use super::facts::{Facts, facts};
use super::provenance;
use super::stats::{LossyObject, ResumedObject, SearchObject, StatsObject};
use super::vacuity::{self, VacuousObject};

#[derive(Serialize)]
struct Object<'a> {
    file: &'a str,
    model: &'static str,
    engine: &'static str,
    bound: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    channels: Option<&'static str>,
    reduce: &'static str,
    store: &'static str,
    threads: usize,
    results: Vec<ResultObject<'a>>,
    stats: StatsObject,
    searches: Vec<SearchObject<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    resumed: Option<ResumedObject>,
    #[serde(skip_serializing_if = "Option::is_none")]
    symbolic: Option<SymbolicObject>,
    #[serde(skip_serializing_if = "Option::is_none")]
    facts: Option<Facts>,
    #[serde(skip_serializing_if = "Option::is_none")]
    vacuity: Option<Vec<VacuousObject>>,
    provenance: Provenance,
}

/// What the symbolic engine counts beside.
#[derive(Serialize)]
struct SymbolicObject {
    visited: u64,
    included: u64,
    accelerated: u64,
    automata: u64,
    largest: u64,
}

impl SymbolicObject {
    fn of(counts: &SymbolicCounts) -> SymbolicObject {
        let SymbolicCounts { visited, included, accelerated, automata, largest } = *counts;
        SymbolicObject { visited, included, accelerated, automata, largest }
    }
}

#[derive(Serialize)]
struct ResultObject<'a> {
    property: &'a str,
    kind: &'static str,
    verdict: &'static str,
    coverage: String,
    /// Of what holds: runs are covered up to a fault only.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    without_fault: bool,
    /// Of what holds, but for states that may have been missed.
    #[serde(skip_serializing_if = "Option::is_none")]
    lossy: Option<LossyObject>,
    /// What is done in one step, where that is not what the language says.
    #[serde(skip_serializing_if = "Option::is_none")]
    granularity: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    fairness: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    stats: Option<StatsObject>,
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<&'a str>,
    witness: Option<TraceFile>,
}

/// A trace, and for a Promela model how many processes of each proctype the program has besides those that
/// run from the start. The trace of a model can be read only into a program of that size.
#[derive(Serialize)]
struct TraceFile {
    #[serde(flatten)]
    document: Document,
    #[serde(skip_serializing_if = "Option::is_none")]
    slots: Option<BTreeMap<String, u32>>,
    /// The questions from outside the program; the trace may be an answer to one of them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    asked: Vec<ExtraProperty>,
    /// The granularity, where it is not that of the language.
    #[serde(skip_serializing_if = "Option::is_none")]
    granularity: Option<&'static str>,
    /// `free` if sends do not wait for store buffers. It is said under every memory model, because the steps of
    /// the trace are compared with those of the program.
    #[serde(skip_serializing_if = "Option::is_none")]
    channels: Option<&'static str>,
}

impl TraceFile {
    fn new(loaded: &Loaded, program: &Program, document: Document) -> TraceFile {
        let slots = loaded.promela.as_ref().map(|_| taut::promela::slots(program));
        let granularity = program.granularity.map(Granularity::name);
        let channels = sends_freely(program).then(|| channels(Channels::Free));
        TraceFile { document, slots, asked: loaded.questions.clone(), granularity, channels }
    }
}

/// Whether a program has sends that do not wait for store buffers.
fn sends_freely(program: &Program) -> bool {
    let mut steps = program.defs.iter().flat_map(|def| &def.steps);
    steps.any(|step| matches!(step.channel, Some(ChannelOp::Send { .. })) && !step.drains)
}

/// The options that the program of a trace is to be read with, as far as the trace says them.
#[derive(Default, Deserialize)]
pub struct ReadWith {
    /// `--granularity`.
    pub granularity: Option<String>,
    /// `--channels`.
    pub channels: Option<String>,
}

impl ReadWith {
    /// The options that a trace says.
    pub fn of(trace: &str) -> ReadWith {
        serde_json::from_str(trace).unwrap_or_default()
    }
}

/// The questions from outside that a trace says.
pub fn asked(trace: &str) -> Vec<ExtraProperty> {
    #[derive(Deserialize)]
    struct Questions {
        #[serde(default)]
        asked: Vec<ExtraProperty>,
    }
    serde_json::from_str::<Questions>(trace).map(|q| q.asked).unwrap_or_default()
}

/// The numbers of processes that a trace says.
pub fn slots(trace: &str) -> Option<BTreeMap<String, u32>> {
    #[derive(Deserialize)]
    struct Slots {
        slots: Option<BTreeMap<String, u32>>,
    }
    serde_json::from_str::<Slots>(trace).ok()?.slots
}

/// Whether sends wait for store buffers, in a word.
fn channels(channels: Channels) -> &'static str {
    match channels {
        Channels::Drain => "drain",
        Channels::Free => "free",
    }
}

/// A violating run as the text of a trace file.
pub fn trace(loaded: &Loaded, witness: &Witness) -> String {
    let file = trace_file(loaded, witness);
    serde_json::to_string_pretty(&file).expect("numbers and strings") + "\n"
}

fn trace_file(loaded: &Loaded, witness: &Witness) -> TraceFile {
    let (program, trace, run) = (&*witness.program, &witness.trace, &witness.run);
    let document = document(program, &loaded.sources, &loaded.name, trace, run);
    TraceFile::new(loaded, program, document)
}

/// A run as the text of a trace file, with what is wrong at its end if anything is. What is claimed is replayed
/// first.
pub fn recording(
    loaded: &Loaded,
    program: &Program,
    run: &Run,
    finding: Option<Finding>,
) -> Result<String, String> {
    let (sources, name) = (&loaded.sources, &loaded.name);
    let document = match finding {
        Some(finding) => {
            let trace = Trace::new(run.memory, finding, run.actions());
            let run = replay(program, &trace).map_err(|error| error.describe(sources))?;
            document(program, sources, name, &trace, &run)
        }
        None => document_of_run(program, sources, name, run),
    };
    let file = TraceFile::new(loaded, program, document);
    Ok(serde_json::to_string_pretty(&file).expect("numbers and strings") + "\n")
}

/// A report as one line.
pub fn line(loaded: &Loaded, report: &Report) -> String {
    let results = report.results.iter().map(|r| ResultObject {
        property: &r.name,
        kind: r.kind,
        verdict: r.verdict.word(),
        coverage: r.verdict.coverage(),
        without_fault: matches!(&r.verdict, Verdict::Holds(c) if c.without_fault),
        lossy: lossy(&r.verdict).map(LossyObject::of),
        granularity: report.program.granularity.map(Granularity::name),
        fairness: r.stats.map(|_| report.fairness.name()),
        stats: r.stats.as_ref().map(StatsObject::of),
        note: r.note.as_deref(),
        witness: witness(loaded, &r.verdict),
    });
    let object = Object {
        file: &loaded.name,
        model: report.memory.model.name(),
        engine: report.engine.name(),
        bound: report.memory.bound.filter(|_| report.memory.model.has_bound()),
        channels: loaded.channels().filter(|_| report.memory.model.has_bound()).map(channels),
        reduce: report.reduce.name(),
        store: report.store.name(),
        threads: report.threads,
        results: results.collect(),
        stats: StatsObject::of(&report.stats),
        searches: report.searches.iter().map(SearchObject::of).collect(),
        resumed: report.resumed.map(ResumedObject::of),
        symbolic: report.symbolic.as_ref().map(SymbolicObject::of),
        facts: facts(loaded, report),
        vacuity: vacuity::objects(loaded, report),
        provenance: provenance::of(loaded),
    };
    serde_json::to_string(&object).expect("numbers and strings") + "\n"
}

fn lossy(verdict: &Verdict) -> Option<Lossy> {
    let Verdict::Holds(coverage) = verdict else { return None };
    coverage.lossy
}

fn witness(loaded: &Loaded, verdict: &Verdict) -> Option<TraceFile> {
    let Verdict::Violated(witness) = verdict else { return None };
    Some(trace_file(loaded, witness))
}
