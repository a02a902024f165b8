//! A check of a program under one memory model.

use serde::Serialize;
use taut_dual::DualCounts;
use taut_explicit::Lossy;
use taut_ir::Granularity;
use taut_symbolic::SymbolicCounts;

use super::facts::FactsDocument;
use super::proof::ProofDocument;
use super::races::{self, RacesDocument};
use super::stats::{LossyDocument, ResumedDocument, SearchDocument, StatsDocument};
use super::trace::{TraceFile, channels};
use super::vacuity::{self, VacuousDocument};
use crate::load::Loaded;
use crate::outcome::Report;
use crate::provenance::Provenance;
use crate::verdict::{PropertyResult, Verdict};

/// A report of a check, as the schema `check` describes it.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct CheckDocument<'a> {
    /// The file of the program, as it was named.
    pub file: &'a str,
    /// The memory model.
    pub model: &'static str,
    /// The engine that gave the answers about states.
    pub engine: &'static str,
    /// Entries per buffer, where buffers have a bound.
    pub bound: Option<u32>,
    /// `free` if sends do not wait for store buffers; none if there are no channels or no buffers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub channels: Option<&'static str>,
    /// The reductions that were allowed.
    pub reduce: &'static str,
    /// The store of states.
    pub store: &'static str,
    /// Number of threads.
    pub threads: usize,
    /// An answer to every question.
    pub results: Vec<ResultDocument<'a>>,
    /// Counts of the search of states.
    pub stats: StatsDocument,
    /// All searches that were made.
    pub searches: Vec<SearchDocument<'a>>,
    /// What was taken from a checkpoint.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub resumed: Option<ResumedDocument>,
    /// Counts of the symbolic engine.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub symbolic: Option<SymbolicDocument>,
    /// Counts of the dual engine.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dual: Option<DualDocument>,
    /// What SPIN prints about a Promela model.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub facts: Option<FactsDocument>,
    /// What never happens, if that was looked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub vacuity: Option<Vec<VacuousDocument>>,
    /// The answer about data races, if they were looked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub races: Option<RacesDocument>,
    /// The evidence for what holds, if it was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub proof: Option<ProofDocument<'a>>,
    /// What the answers depend on.
    pub provenance: Provenance,
}

/// Counts of the symbolic engine alone.
#[derive(Clone, Copy, Debug, Serialize)]
#[non_exhaustive]
pub struct SymbolicDocument {
    /// Symbolic states that were visited.
    pub visited: u64,
    /// Symbolic states that were included in others.
    pub included: u64,
    /// Accelerations.
    pub accelerated: u64,
    /// Automata.
    pub automata: u64,
    /// States of the largest automaton of a buffer.
    pub largest: u64,
}

impl From<&SymbolicCounts> for SymbolicDocument {
    fn from(counts: &SymbolicCounts) -> SymbolicDocument {
        let SymbolicCounts { visited, included, accelerated, automata, largest } = *counts;
        SymbolicDocument { visited, included, accelerated, automata, largest }
    }
}

/// Counts of the dual engine alone.
#[derive(Clone, Copy, Debug, Serialize)]
#[non_exhaustive]
pub struct DualDocument {
    /// Constraints that were made.
    pub made: u64,
    /// Constraints that no kept one included.
    pub added: u64,
    /// Constraints that are kept at the end.
    pub kept: u64,
    /// Pairs of constraints whose words were compared.
    pub compared: u64,
    /// Entries of the longest constraint.
    pub longest: u64,
    /// Control points of all processes.
    pub points: u64,
}

impl From<&DualCounts> for DualDocument {
    fn from(counts: &DualCounts) -> DualDocument {
        let DualCounts { made, added, kept, compared, longest, points } = *counts;
        DualDocument { made, added, kept, compared, longest, points }
    }
}

/// The answer to one question.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct ResultDocument<'a> {
    /// The name of the property.
    pub property: &'a str,
    /// The kind of the property.
    pub kind: &'static str,
    /// The verdict in a word.
    pub verdict: &'static str,
    /// What the verdict covers.
    pub coverage: String,
    /// Of what holds: runs are covered up to a fault only.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub without_fault: bool,
    /// Of what holds, but for states that may have been missed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lossy: Option<LossyDocument>,
    /// What is done in one step, where that is not what the language says.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub granularity: Option<&'static str>,
    /// For a property of runs, the fairness.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fairness: Option<&'static str>,
    /// For a property of runs, counts of its search.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stats: Option<StatsDocument>,
    /// A remark about the search.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<&'a str>,
    /// Of what is violated or covered, the run.
    pub witness: Option<TraceFile>,
}

impl<'a> CheckDocument<'a> {
    /// The document of a report. `arguments` are those of the command, if there is one.
    pub fn new(
        loaded: &'a Loaded,
        report: &'a Report,
        arguments: Vec<String>,
    ) -> CheckDocument<'a> {
        let buffered = report.memory.model.has_bound();
        let results = report.results.iter().map(|r| ResultDocument::new(loaded, report, r));
        CheckDocument {
            file: &loaded.name,
            model: report.memory.model.name(),
            engine: report.engine.name(),
            bound: report.memory.bound.filter(|_| buffered),
            channels: loaded.channels().filter(|_| buffered).map(channels),
            reduce: report.reduce.name(),
            store: report.store.name(),
            threads: report.threads,
            results: results.collect(),
            stats: StatsDocument::from(&report.stats),
            searches: searches(report).collect(),
            resumed: report.resumed.map(ResumedDocument::from),
            symbolic: report.symbolic.as_ref().map(SymbolicDocument::from),
            dual: report.dual.as_ref().map(DualDocument::from),
            facts: FactsDocument::of(loaded, report),
            vacuity: vacuity::of_report(loaded, report),
            races: races::of_report(loaded, report),
            proof: report.proof.as_ref().map(ProofDocument::from),
            provenance: loaded.provenance(arguments),
        }
    }
}

impl<'a> ResultDocument<'a> {
    fn new(loaded: &Loaded, report: &Report, result: &'a PropertyResult) -> ResultDocument<'a> {
        let verdict = &result.verdict;
        let witness = verdict.run().map(|witness| TraceFile::of_witness(loaded, witness));
        ResultDocument {
            property: &result.name,
            kind: result.kind.word(),
            verdict: verdict.word(),
            coverage: verdict.coverage(),
            without_fault: verdict.of_all_runs().is_some_and(|c| c.without_fault),
            lossy: lossy(verdict).map(LossyDocument::from),
            granularity: report.program.granularity.map(Granularity::name),
            fairness: result.stats.map(|_| report.fairness.name()),
            stats: result.stats.as_ref().map(StatsDocument::from),
            note: result.note.as_deref(),
            witness,
        }
    }
}

fn searches(report: &Report) -> impl Iterator<Item = SearchDocument<'_>> {
    report.searches.iter().map(|search| SearchDocument::new(search, report.memory.model))
}

fn lossy(verdict: &Verdict) -> Option<Lossy> {
    verdict.of_all_runs()?.lossy
}
