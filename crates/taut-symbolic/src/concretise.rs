//! From a way through symbolic states to a run with one word in each buffer.
//!
//! The run follows the edges of the way; at an acceleration it may follow the cycles, each as often as it
//! likes. Which rounds lead on is found by trying, the fewest first: a search over positions on the way and
//! states with one word in each buffer, first without any round, then with one, and so on. The symbolic search
//! is exact, so there are rounds that lead to the end.

use std::collections::HashSet;

use taut_automata::Language;
use taut_ir::{Action, Finding, ProcId};

use crate::cycle::{Hop, Link};
use crate::edge::{Edge, EdgeKind, State};
use crate::expander::Expander;
use crate::sets::{Committed, Entry};

/// What the run is to end in.
pub(crate) enum End<'a> {
    /// A state with the finding, like this one but for its buffers.
    State { part: &'a [u64], finding: Finding },
    /// The finding of this edge.
    Edge { edge: &'a Edge, finding: Finding },
}

/// Where a run is on the way.
#[derive(Default)]
struct Position {
    /// The positions that it is at as well.
    also: Vec<usize>,
    /// An edge from here, and where it leads; on a cycle, which may be followed from other states than those it
    /// was found in, only to which position.
    next: Option<(EdgeKind, Option<State>, usize)>,
    /// Starts of cycles.
    cycles: Vec<usize>,
}

/// The way as a small automaton.
struct Way {
    positions: Vec<Position>,
}

impl Way {
    fn of(trail: &[Hop]) -> (Way, usize) {
        let mut way = Way { positions: vec![Position::default()] };
        let end = way.add(0, trail);
        (way, end)
    }

    /// Adds the way from a position; where it ends.
    fn add(&mut self, from: usize, trail: &[Hop]) -> usize {
        taut_budget::tick();
        trail.iter().fold(from, |at, hop| match hop {
            Hop::Take(taken) => self.add_edge(at, &taken.edge.kind, Some(taken.to.clone())),
            Hop::Grow(growth) => {
                let next = self.position();
                self.positions[at].also.push(next);
                for cycle in growth.cycles.iter() {
                    let start = self.position();
                    self.positions[next].cycles.push(start);
                    let along = |at, link: &Link| self.add_edge(at, &link.kind, None);
                    let end = cycle.trail.iter().fold(start, along);
                    self.positions[end].also.push(next);
                }
                next
            }
        })
    }

    fn add_edge(&mut self, at: usize, kind: &EdgeKind, to: Option<State>) -> usize {
        let next = self.position();
        self.positions[at].next = Some((kind.clone(), to, next));
        next
    }

    fn position(&mut self) -> usize {
        self.positions.push(Position::default());
        self.positions.len() - 1
    }
}

/// States of the search after which it is given up.
const MOST_TRIED: usize = 60_000;

/// A run along a trail from the initial state to a finding; none if none was found in reasonable time.
pub(crate) fn concretise(
    expander: &mut Expander<'_>,
    initial: &State,
    trail: &[Hop],
    end: &End<'_>,
) -> Option<Vec<Action>> {
    let (way, last) = Way::of(trail);
    let mut tried = Tried::default();
    tried.add((0, initial.clone()), 0, None, Box::new([]));
    while let Some(at) = tried.next() {
        let Try { position, ref state, rounds, .. } = tried.list[at];
        let state = state.clone();
        if position == last
            && let Some(actions) = ends(expander, &state, end)
        {
            return Some(tried.run(at, actions));
        }
        let here = &way.positions[position];
        for &start in &here.cycles {
            tried.add((start, state.clone()), rounds + 1, Some(at), Box::new([]));
        }
        for &also in &here.also {
            tried.add((also, state.clone()), rounds, Some(at), Box::new([]));
        }
        if let Some((kind, to, next)) = &here.next {
            for (state, actions) in take(expander, &state, kind, to.as_ref()) {
                tried.add((*next, state), rounds, Some(at), actions);
            }
        }
        if tried.list.len() > MOST_TRIED {
            return None;
        }
    }
    None
}

/// The last actions of a run that ends in a state, if it may.
fn ends(expander: &mut Expander<'_>, state: &State, end: &End<'_>) -> Option<Box<[Action]>> {
    match end {
        End::State { part, finding } => {
            let found = same_kind(expander, state, part) && expander.is_found(state, *finding);
            found.then(|| Box::from([]))
        }
        End::Edge { edge, finding } => {
            let EdgeKind::Steps { actions, .. } = &edge.kind else { return None };
            expander.finds(state, &edge.kind, *finding).then(|| actions.clone())
        }
    }
}

/// Whether two states differ in nothing but what waits.
fn same_kind(expander: &Expander<'_>, state: &State, other: &[u64]) -> bool {
    expander.skeleton(state) == expander.skeleton(other)
}

/// What an edge leads to from a state with one word in each buffer, and by which actions.
fn take(
    expander: &mut Expander<'_>,
    state: &State,
    kind: &EdgeKind,
    to: Option<&State>,
) -> Vec<(State, Box<[Action]>)> {
    if !expander.may_happen(state, kind) {
        return Vec::new();
    }
    let all = match kind {
        EdgeKind::Steps { process, timeout, actions } => {
            let next = expander.follow(state, *process, *timeout, actions);
            next.map(|next| (next, actions.clone())).into_iter().collect()
        }
        EdgeKind::Commit { process, place, value } => {
            let committed = expander.memory().committed(state, *process);
            let same = |c: &&Committed| (c.place, c.value) == (*place, *value);
            let mut all = Vec::new();
            for committed in committed.iter().filter(same) {
                all.extend(commit(expander, state, *process, committed));
            }
            all
        }
    };
    let is_there = |next: &State| to.is_none_or(|to| same_kind(expander, next, to));
    all.into_iter().filter(|(next, _)| is_there(next)).collect()
}

/// Commits of a place: under PSO one or more, each a number of actions.
fn commit(
    expander: &mut Expander<'_>,
    state: &State,
    process: ProcId,
    committed: &Committed,
) -> Vec<(State, Box<[Action]>)> {
    let memory = expander.memory();
    let (var, index) = expander.machine.places().variable(committed.place);
    let action = Action::Commit { process, var, index };
    let waiting = |language: Language| {
        let words = memory.with_languages(|languages| languages.as_word(language));
        let is_of_place = |&letter: &_| matches!(memory.entry(letter), Entry::Store { place, .. } if place == committed.place);
        words.unwrap_or_default().into_iter().filter(|l| is_of_place(l)).count()
    };
    let before = waiting(memory.language(state, process));
    let rests = memory.with_languages(|languages| {
        let words = languages.finite_words(committed.rest, usize::MAX).unwrap_or_default();
        words.iter().map(|word| languages.word(word)).collect::<Vec<_>>()
    });
    let mut all = Vec::new();
    for rest in rests {
        let actions: Box<[Action]> = vec![action; before.saturating_sub(waiting(rest))].into();
        let after = expander.after_commit(state, process, &Committed { rest, ..*committed });
        all.extend(after.into_iter().map(|next| (next, actions.clone())));
    }
    all
}

/// The search for a run.
#[derive(Default)]
struct Tried {
    list: Vec<Try>,
    seen: HashSet<(usize, State)>,
    /// What is to be looked at, by the number of rounds so far; what came last first.
    open: Vec<Vec<usize>>,
}

struct Try {
    position: usize,
    state: State,
    rounds: usize,
    before: Option<usize>,
    actions: Box<[Action]>,
}

impl Tried {
    fn add(
        &mut self,
        (position, state): (usize, State),
        rounds: usize,
        before: Option<usize>,
        actions: Box<[Action]>,
    ) {
        if self.seen.insert((position, state.clone())) {
            self.open.resize_with(self.open.len().max(rounds + 1), Vec::new);
            self.open[rounds].push(self.list.len());
            self.list.push(Try { position, state, rounds, before, actions });
        }
    }

    fn next(&mut self) -> Option<usize> {
        self.open.iter_mut().find_map(Vec::pop)
    }

    /// The actions of a run that ends with some more.
    fn run(&self, end: usize, last: Box<[Action]>) -> Vec<Action> {
        let path = std::iter::successors(Some(end), |&at| self.list[at].before);
        let mut parts: Vec<_> = path.map(|at| &self.list[at].actions).collect();
        parts.reverse();
        parts.into_iter().flatten().chain(&last).copied().collect()
    }
}
