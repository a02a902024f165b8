//! Loops that only make one buffer longer, and what repeating them leads to.
//!
//! A *trail* is a way from a symbolic state `a` to a later one. Suppose that it leads from `a` to a state that
//! differs from `a` in the language of one process `p` only, and that this language is `L(a)·W`, where `W` is
//! what `p` stored on the way. Then `W` is a *cycle* of `p` at `a`, and the engine would like to go on with
//! `L(a)·W*` at once: that is acceleration.
//!
//! **When that is exact.** Let `a[X]` be the state `a` with `X` for the language of `p`, and let cycles with
//! languages `W1 … Wn` be known at `a`. Put `A = L(a)·(W1 ∪ … ∪ Wn)*`. Everything in `a[A]` can be reached
//! from `a` if, for every `i`, following the trail of `Wi` from `a[A]`
//!
//! 1. takes only what may happen (nobody else moves alone, a timeout only when nothing waits), never asks
//!    anything on which the words of `p`'s language do not agree, nor commits an entry of `p`, and
//! 2. ends in `a[A·Wi]`.
//!
//! For then the trail can be followed from *every* word `u` of `A`, and from `u` it leads to exactly the words
//! `u·Wi`, while all other processes and memory come back to where they were: whatever language another process
//! has on the trail is the image of what it had before, and it has the same at both ends. So if `a[{u}]` is
//! reachable, so is `a[u·Wi]`, and by induction on the number of cycles that a word is made of, so is
//! `a[A]`. Nothing else is added, because `A` has no other words. [`crate::simulate::Simulator`] checks
//! both conditions by doing it. Load equivalence (the third condition of Linden and Wolper's `cycleCondition`)
//! is a case of the first: a load on which `L(a)` and what follows it disagree is one on which the words of
//! `A` disagree. So is a fence, which asks whether nothing waits, and so is a load from memory at a place that
//! somebody else writes in between, which looking at both ends of the trail would miss.
//!
//! The published combination of a new cycle with everything that the language could repeat before, whichever
//! loop wrote it, adds words that nobody writes. Here cycles are combined only if they were found in states that
//! are the same but for the language of `p`, and only if all of them pass the test with the larger `A`.
//!
//! **Where cycles come from.** Either a state is like one before it but for one buffer, and the way between them
//! is the trail; or a process is back at a program point, whatever the others did meanwhile, and its own steps since
//! are. A trail is a run without acceleration, so what a cycle appends is one word; loops in loops need
//! no more than that, because the inner loop is a cycle where it starts. A cycle is kept for the program point of its
//! process and tried in every state in which the process is there: the test tells whether it is one there.

use std::collections::HashMap;
use std::sync::Arc;

use taut_automata::Language;
use taut_ir::{PointId, ProcId, Program};

use crate::edge::{Edge, EdgeKind, State};
use crate::expander::Expander;
use crate::loops::{Loop, loops};

/// An edge, between the states that it was taken between.
pub(crate) struct Taken {
    pub(crate) from: State,
    pub(crate) edge: Edge,
    pub(crate) to: State,
}

/// One part of the way to a state.
#[derive(Clone)]
pub(crate) enum Hop {
    /// An edge.
    Take(Arc<Taken>),
    /// An acceleration.
    Grow(Growth),
}

impl Hop {
    /// The edge as a link of a trail, if it is one.
    pub(crate) fn link(self) -> Option<Link> {
        match self {
            Hop::Take(taken) => Some(Link::of(&taken)),
            Hop::Grow(_) => None,
        }
    }
}

/// A part of a trail.
#[derive(Clone)]
pub(crate) struct Link {
    pub(crate) kind: EdgeKind,
    /// If it was taken in a part of a state only: the state and the part.
    pub(crate) split: Option<(State, State)>,
}

impl Link {
    pub(crate) fn of(taken: &Taken) -> Link {
        let Taken { from, edge, .. } = taken;
        let split = (*from != edge.part).then(|| (from.clone(), edge.part.clone()));
        Link { kind: edge.kind.clone(), split }
    }
}

/// A loop that appends to the buffer of a process and changes nothing else.
pub(crate) struct Cycle {
    pub(crate) process: ProcId,
    pub(crate) trail: Vec<Link>,
    /// What it appends.
    pub(crate) stores: Language,
}

/// Any number of rounds through some cycles of one process.
#[derive(Clone)]
pub(crate) struct Growth {
    pub(crate) process: ProcId,
    pub(crate) cycles: Arc<[Arc<Cycle>]>,
}

/// The cycles that are known, by where their process is when it starts them. Whether one can be followed from
/// a state is for [`crate::simulate::Simulator::accelerate`] to tell.
#[derive(Default)]
pub(crate) struct Cycles {
    at: HashMap<(ProcId, Option<PointId>), Vec<Known>>,
    /// How often the own steps of a process between two visits to a program point were tried as a cycle.
    tried: HashMap<(ProcId, Option<PointId>, Vec<EdgeKind>), u32>,
}

/// A cycle that is known, and what came of it so far.
struct Known {
    cycle: Arc<Cycle>,
    /// Whether it could be repeated from some state.
    worked: bool,
    /// From how many states it could not.
    vain: u32,
}

impl Known {
    /// Such as counting up by one: what is stored depends on what was stored before, so that no round is like the
    /// one before it, while the search finds a new cycle of this kind for every number.
    fn is_hopeless(&self) -> bool {
        !self.worked && self.vain >= MOST_VAIN
    }
}

/// From how many states a cycle is tried that never could be repeated.
const MOST_VAIN: u32 = 64;

/// How often the same steps are tried as a cycle from different states.
const MOST_TRIES: u32 = 4;

/// Cycles of a process at one program point that are remembered.
const MOST_CYCLES: usize = 24;

impl Cycles {
    /// The cycles that the code of the program suggests.
    pub(crate) fn of(program: &Program, expander: &Expander<'_>) -> Cycles {
        let mut cycles = Cycles::default();
        for Loop { process, point, steps, stores } in loops(program, expander.machine.places()) {
            let stores = expander.memory().one_word(&stores);
            if stores == Language::EPSILON {
                continue;
            }
            let trail = steps.into_iter().map(|kind| Link { kind, split: None }).collect();
            cycles.add((process, Some(point)), Arc::new(Cycle { process, trail, stores }));
        }
        cycles
    }

    /// The cycles that may be repeated from a state.
    pub(crate) fn known(
        &self,
        expander: &Expander<'_>,
        process: ProcId,
        state: &[u64],
    ) -> Vec<Arc<Cycle>> {
        let point = expander.machine.point(state, process);
        let known = self.at.get(&(process, point)).into_iter().flatten();
        known.filter(|k| !k.is_hopeless()).map(|k| k.cycle.clone()).collect()
    }

    /// Remembers whether a cycle could be repeated from a state.
    pub(crate) fn publish(
        &mut self,
        expander: &Expander<'_>,
        state: &[u64],
        cycle: &Arc<Cycle>,
        worked: bool,
    ) {
        let at = (cycle.process, expander.machine.point(state, cycle.process));
        let known = self.at.get_mut(&at).into_iter().flatten();
        for known in known.filter(|k| Arc::ptr_eq(&k.cycle, cycle)) {
            known.worked |= worked;
            known.vain += u32::from(!worked);
        }
    }

    /// Whether the own steps of a process since it was last where it is in a state may be a new cycle there.
    pub(crate) fn is_worth_trying(
        &mut self,
        expander: &Expander<'_>,
        state: &[u64],
        process: ProcId,
        trail: &[Link],
    ) -> bool {
        let steps = trail.iter().map(|link| link.kind.clone()).collect();
        let key = (process, expander.machine.point(state, process), steps);
        let tries = self.tried.entry(key).or_default();
        *tries += 1;
        *tries <= MOST_TRIES
    }

    /// Remembers a cycle that was found in a state.
    pub(crate) fn learn(&mut self, expander: &Expander<'_>, state: &[u64], cycle: Arc<Cycle>) {
        let point = expander.machine.point(state, cycle.process);
        self.add((cycle.process, point), cycle);
    }

    /// Adds a cycle; the shorter of two that store the same.
    fn add(&mut self, at: (ProcId, Option<PointId>), cycle: Arc<Cycle>) {
        let known = self.at.entry(at).or_default();
        match known.iter().position(|k| k.cycle.stores == cycle.stores) {
            Some(at) if known[at].cycle.trail.len() > cycle.trail.len() => {
                known[at] = Known { cycle, worked: false, vain: 0 };
            }
            None if known.len() < MOST_CYCLES => {
                known.push(Known { cycle, worked: false, vain: 0 });
            }
            _ => {}
        }
    }
}
