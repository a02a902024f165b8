//! Trace files: a run, and what it takes to read its program again.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use taut_ir::{ChannelOp, Channels, Finding, Granularity, Program};
use taut_render::RunView;
use taut_render::json::{Document, document, document_of_run};
use taut_witness::{Run, Trace, replay};

use crate::extra::ExtraProperty;
use crate::load::Loaded;
use crate::verdict::Witness;

/// A trace file, as the schema `trace` describes it.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct TraceFile {
    /// The run.
    #[serde(flatten)]
    pub document: Document,
    /// For a Promela model, the number of processes of each proctype besides those that run from the start. The trace of
    /// a model can be read only into a program of that size.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub slots: Option<BTreeMap<String, u32>>,
    /// The questions from outside the program; the trace may be an answer to one of them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub asked: Vec<ExtraProperty>,
    /// The granularity, where it is not that of the language.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub granularity: Option<&'static str>,
    /// `free` if sends do not wait for store buffers. It is said under every memory model, because the steps of
    /// the trace are compared with those of the program.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub channels: Option<&'static str>,
    /// `races` if the run is one of the program that looks for data races.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub watches: Option<&'static str>,
}

impl TraceFile {
    /// The trace file of a violating run.
    pub fn of_witness(loaded: &Loaded, witness: &Witness) -> TraceFile {
        let document = document(witness.view(loaded), &loaded.name, witness.trace.finding);
        TraceFile::new(loaded, &witness.program, document)
    }

    /// The text of the file: indented, with a line break at the end.
    pub fn text(&self) -> String {
        serde_json::to_string_pretty(self).expect("numbers and strings") + "\n"
    }

    fn new(loaded: &Loaded, program: &Program, document: Document) -> TraceFile {
        let slots = loaded.grows().then(|| taut_ir::frontend::slots(program));
        let granularity = program.granularity.map(Granularity::name);
        let channels = sends_freely(program).then(|| channels(Channels::Free));
        let (asked, watches) = (loaded.questions.clone(), program.races.map(|_| RACES));
        TraceFile { document, slots, asked, granularity, channels, watches }
    }
}

/// Whether a program has sends that do not wait for store buffers.
fn sends_freely(program: &Program) -> bool {
    let mut steps = program.defs.iter().flat_map(|def| &def.steps);
    steps.any(|step| matches!(step.channel, Some(ChannelOp::Send { .. })) && !step.drains)
}

/// The options that the program of a trace is to be read with, as far as the trace says them.
#[derive(Clone, Debug, Default, Deserialize)]
#[non_exhaustive]
pub struct ReadWith {
    /// `--granularity`.
    pub granularity: Option<String>,
    /// `--channels`.
    pub channels: Option<String>,
    /// `races` if the run is one of the program that looks for data races.
    pub watches: Option<String>,
}

/// The word for the program that looks for data races.
const RACES: &str = "races";

impl ReadWith {
    /// The options that a trace says.
    pub fn of(trace: &str) -> ReadWith {
        serde_json::from_str(trace).unwrap_or_default()
    }

    /// Whether the run is one of the program that looks for data races.
    pub fn watches_races(&self) -> bool {
        self.watches.as_deref() == Some(RACES)
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
pub(super) fn channels(channels: Channels) -> &'static str {
    match channels {
        Channels::Drain => "drain",
        Channels::Free => "free",
    }
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
            document(RunView::new(program, sources, &run), name, finding)
        }
        None => document_of_run(RunView::new(program, sources, run), name),
    };
    Ok(TraceFile::new(loaded, program, document).text())
}
