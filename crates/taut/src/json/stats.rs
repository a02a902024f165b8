//! What searches did.

use serde::Serialize;
use taut_explicit::{Lossy, Pruned, Resumed, Stats};
use taut_ir::MemoryModel;

use crate::outcome::SearchRecord;

/// The counts of a search.
#[derive(Clone, Copy, Debug, Serialize)]
#[non_exhaustive]
pub struct StatsDocument {
    /// States that were stored.
    pub states: u64,
    /// States that were expanded.
    pub expanded: u64,
    /// Transitions between them.
    pub transitions: u64,
    /// Transitions to a state that was stored already.
    pub matched: u64,
    /// States in which nothing can happen.
    pub deadlocks: u64,
    /// Steps that end in a fault.
    pub faults: u64,
    /// Distance of the farthest state from the start.
    pub depth: u64,
    /// Time in seconds.
    pub seconds: f64,
    /// Most bytes that were in use at a time.
    pub peak_bytes: u64,
    /// The same, per state.
    pub bytes_per_state: f64,
    /// Bytes in files; none if nothing was written to files.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub disk_bytes: Option<u64>,
    /// Bits of a packed state.
    pub state_bits: u64,
    /// The share of the table that is in use; none if there is no table.
    pub load_factor: Option<f64>,
    /// What reductions left out.
    pub pruned: PrunedDocument,
    /// Where the time went.
    pub phases: PhasesDocument,
    /// How far the answers can be trusted, for a store that can miss states.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lossy: Option<LossyDocument>,
}

/// What was taken from a checkpoint.
#[derive(Clone, Copy, Debug, Serialize)]
#[non_exhaustive]
pub struct ResumedDocument {
    /// Number of searches.
    pub searches: u64,
    /// Number of their states.
    pub states: u64,
}

impl From<Resumed> for ResumedDocument {
    fn from(Resumed { searches, states }: Resumed) -> ResumedDocument {
        ResumedDocument { searches, states }
    }
}

/// One search of a check.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct SearchDocument<'a> {
    /// The names of the properties that it answered.
    pub questions: &'a [String],
    /// `states` or `runs`.
    pub about: &'static str,
    /// The engine.
    pub engine: &'static str,
    /// The store of states.
    pub store: &'static str,
    /// Number of threads.
    pub threads: usize,
    /// Number of turns in which it was made.
    pub turns: u32,
    /// Its counts.
    pub stats: StatsDocument,
    /// The memory model that it searched under, if that is not the one of the check.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model: Option<&'static str>,
    /// Why a search under another memory model answers: the program is robust.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub robust: Option<RobustDocument>,
}

/// The proof that a program is robust.
#[derive(Clone, Copy, Debug, Serialize)]
#[non_exhaustive]
pub struct RobustDocument {
    /// States of the search for attacks; none if the code alone is the reason.
    pub attack_states: Option<u64>,
}

impl<'a> SearchDocument<'a> {
    /// The document of a search of a check under a memory model.
    pub(super) fn new(search: &'a SearchRecord, model: MemoryModel) -> SearchDocument<'a> {
        SearchDocument {
            questions: &search.questions,
            about: search.about.word(),
            engine: search.engine.name(),
            store: search.store.name(),
            threads: search.threads,
            turns: search.turns,
            stats: StatsDocument::from(&search.stats),
            model: (search.model != model).then(|| search.model.name()),
            robust: search.robust.map(|attack_states| RobustDocument { attack_states }),
        }
    }
}

/// What reductions left out.
#[derive(Clone, Copy, Debug, Serialize)]
#[non_exhaustive]
pub struct PrunedDocument {
    /// States that were expanded in part.
    pub stubborn: u64,
    /// Steps that were fused with the one before.
    pub fused: u64,
    /// States that stand for others by symmetry.
    pub symmetric: u64,
}

/// Seconds in the parts of a search, of all threads together.
#[derive(Clone, Copy, Debug, Serialize)]
#[non_exhaustive]
pub struct PhasesDocument {
    /// Computing successors.
    pub successors: f64,
    /// Storing states.
    pub store: f64,
    /// Looking at properties.
    pub properties: f64,
}

/// How far a store that can miss states is to be trusted.
#[derive(Clone, Copy, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum LossyDocument {
    /// The probability that a state was missed is at most this.
    OmissionProbability(f64),
    /// The expected share of states that were visited.
    Coverage(f64),
}

impl From<Lossy> for LossyDocument {
    fn from(lossy: Lossy) -> LossyDocument {
        match lossy {
            Lossy::Omission(probability) => LossyDocument::OmissionProbability(probability),
            Lossy::Coverage(share) => LossyDocument::Coverage(share),
        }
    }
}

impl From<&Stats> for StatsDocument {
    fn from(stats: &Stats) -> StatsDocument {
        let Pruned { stubborn, fused, symmetric } = stats.pruned;
        let [successors, store, properties] =
            [stats.phases.successors, stats.phases.store, stats.phases.properties]
                .map(|time| time.as_secs_f64());
        StatsDocument {
            states: stats.states,
            expanded: stats.expanded,
            transitions: stats.transitions,
            matched: stats.matched,
            deadlocks: stats.deadlocks,
            faults: stats.faults,
            depth: stats.depth,
            seconds: stats.time.as_secs_f64(),
            peak_bytes: stats.peak_bytes,
            bytes_per_state: stats.peak_bytes as f64 / stats.states.max(1) as f64,
            disk_bytes: Some(stats.disk_bytes).filter(|&bytes| bytes > 0),
            state_bits: stats.state_bits,
            load_factor: load_factor(stats),
            pruned: PrunedDocument { stubborn, fused, symmetric },
            phases: PhasesDocument { successors, store, properties },
            lossy: stats.lossy.map(LossyDocument::from),
        }
    }
}

/// The share of the table that is in use, if there is a table.
fn load_factor(stats: &Stats) -> Option<f64> {
    let (slots, used) = stats.slots;
    (slots > 0).then(|| used as f64 / slots as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_numbers() {
        let stats = Stats {
            states: 1_000,
            peak_bytes: 16_000,
            slots: (2_000, 1_000),
            pruned: Pruned { stubborn: 300, fused: 40, symmetric: 5 },
            lossy: Some(Lossy::Omission(1.2e-9)),
            ..Stats::default()
        };
        let json = serde_json::to_value(StatsDocument::from(&stats)).expect("numbers");
        assert_eq!(json["load_factor"], 0.5);
        assert_eq!(json["bytes_per_state"], 16.0);
        assert_eq!(json["lossy"]["omission_probability"], 1.2e-9);
        assert_eq!(json["pruned"]["fused"], 40);
    }
}
