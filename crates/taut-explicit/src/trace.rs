//! Rebuilding the run that leads to a finding.
//!
//! A search knows the stored states on the way, or which successor to take each time. The actions between two
//! stored states, of which there are several if a process held the others in between, are found again by
//! expanding each state of the path once more, which costs nothing beside the search.

use taut_ir::{Action, Finding};
use taut_memory::MemorySystem;

use crate::expander::{Expander, Space};
use crate::reduce::symmetry::Symmetry;
use taut_machine::{Bound, Machine, Provenance, Scratch, Sink};

/// The actions of a run by successors with these ordinals, and then of an action that goes wrong.
pub(crate) fn run<M: MemorySystem>(
    machine: &Machine<M>,
    expander: &impl Expander,
    ordinals: &[u32],
    wrong: Option<(Action, Finding)>,
) -> Vec<Action> {
    let mut states = follow(machine, expander, ordinals);
    if let Some(wrong) = wrong {
        let last = states.last().expect("the initial state");
        let chain = chain(expander, ordinals.len(), last, Target::Wrong(wrong));
        states.extend(chain.expect("it goes wrong again"));
    }
    actions(machine, expander.symmetry(), &states, wrong)
}

/// The states on the way from the initial state by successors with these ordinals, both ends and those that were passed
/// through included.
fn follow<M: MemorySystem>(
    machine: &Machine<M>,
    expander: &impl Expander,
    ordinals: &[u32],
) -> Vec<Vec<u64>> {
    let mut states = vec![machine.initial().to_vec()];
    for (level, &ordinal) in ordinals.iter().enumerate() {
        let from = states.last().expect("the initial state");
        let chain = chain(expander, level, from, Target::Ordinal(ordinal));
        states.extend(chain.expect("a successor comes at the same place again"));
    }
    states
}

/// The same for a path of stored states, each of which was expanded at one of the first levels.
pub(crate) fn fill(
    expander: &impl Expander,
    levels: usize,
    path: &[&[u64]],
    wrong: Option<(Action, Finding)>,
) -> Vec<Vec<u64>> {
    let mut states: Vec<Vec<u64>> = path.first().map(|state| state.to_vec()).into_iter().collect();
    let at_some_level =
        |from, target| (0..levels).rev().find_map(|level| chain(expander, level, from, target));
    for pair in path.windows(2) {
        let chain = at_some_level(pair[0], Target::State(pair[1]));
        states.extend(chain.expect("a successor comes again"));
    }
    if let (Some(wrong), Some(last)) = (wrong, path.last()) {
        states.extend(at_some_level(last, Target::Wrong(wrong)).expect("it goes wrong again"));
    }
    states
}

/// The states after a state of a level up to a target, if that is found.
fn chain(
    expander: &impl Expander,
    level: usize,
    from: &[u64],
    target: Target<'_>,
) -> Option<Vec<Vec<u64>>> {
    let mut space = Space::default();
    let mut waiting = Chain { target, successors: 0, passed: Vec::new(), found: None };
    let expansion = expander.expand(level, from, &mut space, &mut waiting);
    if expansion.reduced && waiting.found.is_none() {
        expander.expand_fully(level, from, &mut space, &mut waiting);
    }
    waiting.found
}

/// The actions of a run through stored states, and then of an action that goes wrong. Where equal processes are
/// sorted in stored states, real ones are followed beside them ([`crate::reduce::symmetry`]).
pub(crate) fn actions<M: MemorySystem>(
    machine: &Machine<M>,
    symmetry: Option<&Symmetry>,
    states: &[impl AsRef<[u64]>],
    wrong: Option<(Action, Finding)>,
) -> Vec<Action> {
    let mut actions = Vec::new();
    let mut real = machine.initial().to_vec();
    for state in states.iter().skip(1) {
        let wanted = Wanted::State(state.as_ref());
        actions.extend(actions_to(machine, symmetry, &mut real, wanted));
    }
    if let Some((action, finding)) = wrong {
        let wanted = Wanted::Finding(action, finding);
        actions.extend(actions_to(machine, symmetry, &mut real, wanted));
    }
    actions
}

/// The first actions that lead from a state to something; the state becomes the one they lead to.
fn actions_to<M: MemorySystem>(
    machine: &Machine<M>,
    symmetry: Option<&Symmetry>,
    state: &mut Vec<u64>,
    wanted: Wanted<'_>,
) -> Vec<Action> {
    let mut scratch = Scratch::tracing();
    let mut first = First { wanted, symmetry, found: None, real: Vec::new(), sorted: Vec::new() };
    machine.expand(state, &mut scratch, &mut first);
    *state = first.real;
    scratch.path(first.found.expect("what was found once is found again"))
}

/// The end of a chain of states that are passed through.
#[derive(Clone, Copy)]
enum Target<'s> {
    /// The successor that comes after so many others.
    Ordinal(u32),
    /// This successor.
    State(&'s [u64]),
    /// The action that goes wrong.
    Wrong((Action, Finding)),
}

/// Waits for the end of a chain.
struct Chain<'s> {
    target: Target<'s>,
    successors: u32,
    /// The states that were passed through since the last successor.
    passed: Vec<Vec<u64>>,
    found: Option<Vec<Vec<u64>>>,
}

impl Sink for Chain<'_> {
    fn successor(&mut self, _: Provenance, state: &[u64]) {
        let mut chain = std::mem::take(&mut self.passed);
        let is_it = match self.target {
            Target::Ordinal(ordinal) => ordinal == self.successors,
            Target::State(wanted) => wanted == state,
            Target::Wrong(_) => false,
        };
        self.successors += 1;
        if is_it && self.found.is_none() {
            chain.push(state.to_vec());
            self.found = Some(chain);
        }
    }

    fn through(&mut self, state: &[u64]) {
        self.passed.push(state.to_vec());
    }

    fn finding(&mut self, way: Provenance, finding: Finding) {
        let is_it = matches!(self.target, Target::Wrong(wrong) if wrong == (way.action, finding));
        if is_it && self.found.is_none() {
            self.found = Some(self.passed.clone());
        }
    }

    fn blocked(&mut self, _: Bound) {}

    fn go_on(&mut self, _: u64) -> bool {
        self.found.is_none()
    }
}

/// What to look for.
enum Wanted<'s> {
    State(&'s [u64]),
    Finding(Action, Finding),
}

/// Waits for the first way to something.
struct First<'s> {
    wanted: Wanted<'s>,
    symmetry: Option<&'s Symmetry>,
    found: Option<Provenance>,
    /// The state that was found.
    real: Vec<u64>,
    /// Space to sort a state in.
    sorted: Vec<u64>,
}

impl First<'_> {
    /// Whether a state is the one that is wanted, but for the order of equal processes.
    fn is_wanted(&mut self, state: &[u64]) -> bool {
        let Wanted::State(to) = self.wanted else { return false };
        let Some(symmetry) = self.symmetry else { return to == state };
        self.sorted.clear();
        self.sorted.extend_from_slice(state);
        symmetry.canonicalise(&mut self.sorted);
        self.sorted == to
    }
}

/// Whether two actions are the same but for who takes them.
fn same_kind(a: Action, b: Action) -> bool {
    match (a, b) {
        (Action::Step { step: s, .. }, Action::Step { step: t, .. }) => {
            s == t && a.choice() == b.choice()
        }
        (
            Action::Handshake { step: s, receive: r, .. },
            Action::Handshake { step: t, receive: u, .. },
        ) => (s, r) == (t, u) && a.choice() == b.choice(),
        _ => a == b,
    }
}

impl Sink for First<'_> {
    fn successor(&mut self, way: Provenance, state: &[u64]) {
        if self.found.is_none() && self.is_wanted(state) {
            self.found = Some(way);
            self.real = state.to_vec();
        }
    }

    fn finding(&mut self, way: Provenance, finding: Finding) {
        let wanted = match self.wanted {
            Wanted::Finding(a, f) if self.symmetry.is_none() => (a, f) == (way.action, finding),
            Wanted::Finding(a, f) => {
                let renumbers = self.symmetry.is_some_and(Symmetry::renumbers);
                f == finding && (renumbers || same_kind(a, way.action))
            }
            Wanted::State(_) => false,
        };
        if self.found.is_none() && wanted {
            self.found = Some(way);
        }
    }

    fn blocked(&mut self, _: Bound) {}

    fn go_on(&mut self, _: u64) -> bool {
        self.found.is_none()
    }
}
