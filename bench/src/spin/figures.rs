//! What one tool did for one question.

use serde_json::{Value, json};
use taut::{Report, Verdict};

/// The figures of a search.
#[derive(Clone, Debug)]
pub struct Figures {
    /// `holds`, `violated`, or `cut off`.
    pub outcome: &'static str,
    /// States stored.
    pub states: u64,
    /// States that were met, new or not.
    pub transitions: u64,
    /// Of the search alone.
    pub search_seconds: f64,
    /// From the file to the verdict.
    pub total_seconds: f64,
    /// For states.
    pub bytes: f64,
}

impl Figures {
    /// Those of a check by Taut.
    pub fn of(report: &Report, total_seconds: f64) -> Figures {
        let open = report.results.iter().any(|r| r.verdict.is_open());
        let violated = report.results.iter().any(|r| matches!(r.verdict, Verdict::Violated(_)));
        let outcome = match (violated, open) {
            (true, _) => "violated",
            (false, true) => "cut off",
            (false, false) => "holds",
        };
        let stats = &report.stats;
        Figures {
            outcome,
            states: stats.states,
            // As SPIN counts them: steps inside of an atomic block are part of the one that leaves it.
            transitions: stats.states + stats.matched,
            search_seconds: stats.time.as_secs_f64(),
            total_seconds,
            bytes: stats.peak_bytes as f64,
        }
    }

    /// Whether the search went to its end.
    pub fn is_complete(&self) -> bool {
        self.outcome != "cut off"
    }

    /// States a second.
    pub fn rate(&self) -> f64 {
        self.states as f64 / self.search_seconds.max(1e-6)
    }

    /// Bytes for each state.
    pub fn bytes_per_state(&self) -> f64 {
        self.bytes / self.states.max(1) as f64
    }

    /// Cells of the table.
    pub fn cells(&self) -> String {
        format!(
            "{} | {} | {} | {:.0} | {:.1} | {:.1} | {:.4} | {:.4}",
            self.outcome,
            self.states,
            self.transitions,
            self.rate(),
            self.bytes_per_state(),
            self.bytes / f64::from(1 << 20),
            self.search_seconds,
            self.total_seconds,
        )
    }

    /// For a file.
    pub fn json(&self) -> Value {
        json!({
            "outcome": self.outcome,
            "complete": self.is_complete(),
            "states": self.states,
            "transitions": self.transitions,
            "search_seconds": self.search_seconds,
            "total_seconds": self.total_seconds,
            "bytes": self.bytes,
            "states_per_second": self.rate(),
            "bytes_per_state": self.bytes_per_state(),
        })
    }
}
