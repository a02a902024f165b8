//! Robustness: whether a program behaves under TSO or PSO exactly as under sequential consistency.
//!
//! The *trace* of a run is what its processes can tell of it: program order, the order of stores to each location
//! (coherence), and for each load the store that it reads from, hence the stores that it comes before (from-read). A
//! program is *robust* if every run has the trace of a sequentially consistent one, that is, if the union of these
//! orders, *happens-before*, has no circle in any run (Shasha and Snir 1988).
//!
//! # How it is decided
//!
//! **A circle closes at a commit.** Take a run up to the first action after which happens-before has a circle. A load
//! that has just been made comes before nothing yet, and neither does a store that waits. So the action is the commit
//! of a store of some step `n`, and the circle leaves `n` by what its process did while the store waited.
//!
//! **Normal form.** Before that commit there was no circle. So the steps can be taken in an order that agrees with
//! happens-before, each with the commits of its stores at once, except for the stores that never commit in the run:
//! those wait for ever. What others see and what each process reads is the same. Only the newest store per location
//! that waits matters, so there are finitely many states if the program has finitely many, whatever the size of
//! buffers. Events that do not happen after `n` can be taken before it. Hence: a program is not robust if and only if
//! some run of this form has a store of a step `n` that waits, after it only events that happen after `n`, and at last
//! one of them that touches the location of that store in memory. The search (`search`, `attack`) looks for exactly that: two marks
//! per object tell what happens after `n`.
//!
//! **One process is enough under TSO** (the locality lemma of Bouajjani, Derevenetc and Meyer, *Checking and enforcing
//! robustness against TSO*, ESOP 2013), as long as a process whose stores wait shows the others nothing. Take
//! a circle with as few steps as possible and let `u` be the last process on it, other than that of `n`, with waiting
//! stores before an event `q` of `u` on the circle. Take everything that does not happen after `q` before `q`. If something
//! after `q` touches a location of which a store of `u` waits, then that closes a circle for `u`; all steps of the process of `n` from
//! `n` on can be left out, as nobody has seen them, and there are fewer steps. Otherwise these stores can commit just before `q`: this closes a
//! circle, with fewer steps, or changes nothing for the others, and `q` has no waiting store before it. Under PSO a process
//! whose store waits does show later stores, and under TSO it may start processes or use channels without a fence: then
//! every process may let stores wait (`search::Mode`), and no lemma is needed.
//!
//! A *step* may have several accesses, and what is done while the others are held is one step as well: its loads happen
//! with it, its stores commit later, one by one. The argument does not care.
//!
//! # What is not part of a trace
//!
//! A step that faults ends the run before it. Ghost variables that decide nothing are observers ([`Watched`]). A program
//! that asks for more than processes, memory and channels is refused with the place.
//!
//! The search steps with the replayer's machine, as brute force does: there is no engine that tells for each step what
//! it really loaded and where it found it. A run that is found is judged by the definition
//! ([`taut_witness::happens`]), which the search does not use.

mod attack;
mod carry;
mod delay;
mod encode;
mod node;
mod scope;
mod search;
#[cfg(test)]
mod tests;

use taut_ir::{Finding, Memory, MemoryModel, Program};
use taut_witness::happens::Watched;
use taut_witness::{BoundsMet, Trace};

pub use carry::carries;
pub use delay::Pair;
pub use scope::NotDecided;

use delay::Delays;
use node::Nodes;
use search::{Mode, Search};

/// What is known about a program.
#[derive(Clone, Debug)]
pub enum Robustness {
    /// Every run has the trace of a sequentially consistent run.
    Robust(Proof),
    /// A run has another trace.
    NotRobust(Attacked),
    /// A limit was met.
    Unknown(OpenReason),
}

/// The reason why a program is robust.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Proof {
    /// Number of states of the search; none if the code alone is the reason.
    pub states: Option<u64>,
    /// The bounds on processes and calls that runs met.
    pub bounds: BoundsMet,
}

/// The reason why nothing is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OpenReason {
    /// So many states were kept.
    States(u64),
    /// A block that is done at once is too long to be followed.
    LongBlock,
}

/// A run whose trace no sequentially consistent run has. The replayer has yet to judge it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attacked {
    /// What happens. The last action is the commit that closes the circle.
    pub trace: Trace,
    /// Number of states of the search.
    pub states: u64,
}

/// Whether the question can be asked under a memory model: sequential consistency itself, or one with queues as buffers.
pub fn has_question(model: MemoryModel) -> bool {
    !model.is_relaxed() || model.buffers().are_queues()
}

/// Whether the code alone shows that a program is robust.
pub fn is_robust_by_code(program: &Program, model: MemoryModel) -> Result<bool, NotDecided> {
    if !model.is_relaxed() {
        return Ok(true);
    }
    scope::refuse(program, model)?;
    Ok(Delays::of(program, &Watched::of(program), model).pairs.is_empty())
}

/// Decides robustness, keeping at most so many states.
pub fn check(program: &Program, model: MemoryModel, most: u64) -> Result<Robustness, NotDecided> {
    let _phase = taut_budget::phase("robustness is decided");
    let nothing = BoundsMet::default();
    if !model.is_relaxed() {
        return Ok(Robustness::Robust(Proof { states: None, bounds: nothing }));
    }
    scope::refuse(program, model)?;
    let watched = Watched::of(program);
    let delays = Delays::of(program, &watched, model);
    if delays.pairs.is_empty() {
        return Ok(Robustness::Robust(Proof { states: None, bounds: nothing }));
    }
    let nodes = Nodes::new(program, model, watched);
    let hides = !delays.shows && !model.has_store_fences();
    // Most programs that are not robust have an attack by one process, which is found much sooner.
    let first = Search { nodes: &nodes, delays: &delays, mode: Mode::One, most };
    let answer = answer(&nodes, &first);
    match answer {
        Robustness::Robust(_) if !hides => {}
        answer => return Ok(answer),
    }
    Ok(self::answer(&nodes, &Search { mode: Mode::All, ..first }))
}

fn answer(nodes: &Nodes<'_>, search: &Search<'_, '_>) -> Robustness {
    let done = search.run();
    let Some(actions) = done.found else {
        return match (done.is_full, done.is_cut) {
            (true, _) => Robustness::Unknown(OpenReason::States(done.states)),
            (_, true) => Robustness::Unknown(OpenReason::LongBlock),
            _ => Robustness::Robust(Proof { states: Some(done.states), bounds: done.bounds }),
        };
    };
    let memory = Memory::new(nodes.model).bounded(None);
    let trace = Trace::new(memory, Finding::NotRobust, actions);
    Robustness::NotRobust(Attacked { trace, states: done.states })
}
