//! The counts of each search that a check made.

use taut_dual::DualCounts;
use taut_engine::EngineId;
use taut_explicit::{Stats, StoreKind};
use taut_ir::MemoryModel;
use taut_symbolic::SymbolicCounts;

/// What a search visits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum About {
    /// States of the program.
    States,
    /// Nodes: a state, and what the automaton of a property remembers.
    Runs,
}

impl About {
    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            About::States => "states",
            About::Runs => "runs",
        }
    }
}

/// One search of a check. A search that was made again, with more processes, larger buffers or a larger budget, is one
/// search: its counts are those of the last attempt, its time is that of all.
#[derive(Clone, Debug)]
pub struct SearchRecord {
    /// The names of the questions that it was to answer.
    pub questions: Vec<String>,
    /// What it visited.
    pub about: About,
    /// The memory model that it searched under: that of the check, or SC where that has the same answers.
    pub model: MemoryModel,
    /// For a search under SC that answers because the program is robust: the states of the search for attacks; inside,
    /// none if the code alone is the reason.
    pub robust: Option<Option<u64>>,
    /// The engine that searched.
    pub engine: EngineId,
    /// How states were kept.
    pub store: StoreKind,
    /// Number of threads.
    pub threads: usize,
    /// Number of turns that it had.
    pub turns: u32,
    /// Counts.
    pub stats: Stats,
    /// More counts of the symbolic engine.
    pub symbolic: Option<SymbolicCounts>,
    /// More counts of the dual engine.
    pub dual: Option<DualCounts>,
}
