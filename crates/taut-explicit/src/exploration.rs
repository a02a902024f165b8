//! Results of a search: findings with the runs that lead to them, the way it ended, counts.

use std::io;
use std::time::Duration;

use taut_ir::{Action, DefId, Finding};
use taut_machine::BoundsMet;

use crate::checkpoint::{Reader, Saved, Writer, damaged, saved};
use crate::limits::Limit;

/// Counts of one search.
#[derive(Clone, Copy, Debug, Default)]
pub struct Stats {
    /// States stored, the initial one included.
    pub states: u64,
    /// Actions that led to a state, new or not, stored or held.
    pub transitions: u64,
    /// How often a state was found that was already stored.
    pub matched: u64,
    /// States in which nothing can happen though some process is where it may not end, whether or not
    /// deadlocks are looked for.
    pub deadlocks: u64,
    /// Actions that ended in a fault; they lead to no state and are not among the transitions. A search
    /// that goes through everything has met all of them, each once, except where a process holds others:
    /// there different ways to the same fault count once each.
    pub faults: u64,
    /// Breadth first: the length of the longest shortest run. Depth first: of the longest run followed. In a temporal
    /// search: of the longest path while one thread searched alone; beyond that it would depend on the number of threads.
    pub depth: u64,
    /// Time spent.
    pub time: Duration,
    /// Most bytes held for states.
    pub peak_bytes: u64,
    /// Most bytes held in files.
    pub disk_bytes: u64,
    /// Bits of a state.
    pub state_bits: u64,
    /// The buffer size in force: the bound, or what was needed where there is none.
    pub buffer_size: u32,
    /// States expanded, the second time included where a state was expanded again.
    pub expanded: u64,
    /// What reductions left out.
    pub pruned: Pruned,
    /// Where the time went; summed over threads.
    pub phases: Phases,
    /// Slots of the table of states, and how many of them are in use.
    pub slots: (u64, u64),
    /// The probability that some state was taken for another, or the expected share of states seen, where
    /// the store can confuse states.
    pub lossy: Option<Lossy>,
    /// Machines compiled and searches made.
    pub effort: Effort,
}

/// The work that an exploration took. A small program takes one machine and one search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Effort {
    /// Machines compiled: one per program and size of buffers.
    pub machines: u32,
    /// Searches made: with growing buffers, once more by one thread, once more for shorter runs.
    pub searches: u32,
    /// States stored by the search for shorter runs; they are not among [`Stats::states`].
    pub states_for_shorter_runs: u64,
}

/// What each reduction left out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Pruned {
    /// States in which only some of the possible actions were followed, each time that one was passed through included.
    pub stubborn: u64,
    /// Actions of a chain of local steps after which no state was stored; 0 where the program itself has
    /// processes hold others.
    pub fused: u64,
    /// States that stand for others in which equal processes have changed places.
    pub symmetric: u64,
}

/// Time spent in the parts of a search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Phases {
    /// Computing successors.
    pub successors: Duration,
    /// Looking states up and keeping them.
    pub store: Duration,
    /// Evaluating properties.
    pub properties: Duration,
}

/// How far a store that can confuse states is to be trusted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Lossy {
    /// Hash compaction: at most the probability that any state was left out.
    Omission(f64),
    /// Bitstate hashing: the expected share of reachable states that were visited.
    Coverage(f64),
}

/// How a search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Completion {
    /// Every reachable state was visited.
    Complete,
    /// It stopped at the first finding, as asked.
    FirstFinding,
    /// Everything that was asked for and can occur was found ([`crate::SearchOptions::all`]). A kind of finding that is missing
    /// cannot occur, by a look at the code.
    Answered,
    /// A spawn found no process of this definition to start, and that was not to be.
    NoProcess(DefId),
    /// A store met a full buffer, and that was not to be.
    BufferFull,
    /// A limit was met.
    Limit(Limit),
}

/// A finding with the run that leads to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// What is wrong.
    pub finding: Finding,
    /// The run from the initial state. For an assertion, a fault or a full buffer its last action is the
    /// one that goes wrong.
    pub actions: Vec<Action>,
}

/// The result of a search.
#[derive(Clone, Debug)]
pub struct Exploration {
    /// What was found, in the order of discovery.
    pub found: Vec<Found>,
    /// How the search ended.
    pub completion: Completion,
    /// Which bounds held back a step somewhere.
    pub bounds_met: BoundsMet,
    /// Whether the program could fault at all, by a look at its code.
    pub may_fault: bool,
    /// For each definition and each of its steps, whether any process took it.
    pub reached: Vec<Vec<bool>>,
    /// Counts.
    pub stats: Stats,
}

impl Completion {
    /// Whether the search met a limit at a state that is another one each time.
    pub fn is_cut(self) -> bool {
        matches!(self, Completion::Limit(limit) if !limit.is_repeatable())
    }
}

impl Saved for Completion {
    fn save(&self, to: &mut Writer<'_>) -> io::Result<()> {
        match *self {
            Completion::Complete => 0_u8.save(to),
            Completion::FirstFinding => 1_u8.save(to),
            Completion::Answered => 2_u8.save(to),
            Completion::NoProcess(def) => (3_u8, def).save(to),
            Completion::BufferFull => 4_u8.save(to),
            Completion::Limit(limit) => (5_u8, limit).save(to),
        }
    }

    fn restore(from: &mut Reader<'_>) -> io::Result<Completion> {
        Ok(match u8::restore(from)? {
            0 => Completion::Complete,
            1 => Completion::FirstFinding,
            2 => Completion::Answered,
            3 => Completion::NoProcess(Saved::restore(from)?),
            4 => Completion::BufferFull,
            5 => Completion::Limit(Saved::restore(from)?),
            _ => return Err(damaged("an end of a search is none")),
        })
    }
}

impl Saved for Lossy {
    fn save(&self, to: &mut Writer<'_>) -> io::Result<()> {
        match *self {
            Lossy::Omission(share) => (0_u8, share.to_bits()).save(to),
            Lossy::Coverage(share) => (1_u8, share.to_bits()).save(to),
        }
    }

    fn restore(from: &mut Reader<'_>) -> io::Result<Lossy> {
        match <(u8, u64)>::restore(from)? {
            (0, bits) => Ok(Lossy::Omission(f64::from_bits(bits))),
            (1, bits) => Ok(Lossy::Coverage(f64::from_bits(bits))),
            _ => Err(damaged("a share is none")),
        }
    }
}

saved!(Found { finding, actions });
saved!(Pruned { stubborn, fused, symmetric });
saved!(Phases { successors, store, properties });
saved!(Stats {
    states,
    transitions,
    matched,
    deadlocks,
    faults,
    depth,
    time,
    peak_bytes,
    disk_bytes,
    state_bits,
    buffer_size,
    expanded,
    pruned,
    phases,
    slots,
    lossy,
} else effort);
saved!(Exploration { found, completion, bounds_met, may_fault, reached, stats });
