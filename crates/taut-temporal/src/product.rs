//! The product of a machine and an automaton, one node at a time.
//!
//! A *node* is a state of the machine with the automaton's state in the observer's field. A transition of
//! the product is one of the machine together with an edge of the automaton whose guard holds in the state
//! that it *leaves*; it carries the marks of the acceptance sets it is in. Where nothing can happen the
//! machine stays where it is and the automaton goes on alone (stutter extension).
//!
//! Nested search knows one acceptance set only. For it a node has a *level* as well: how many sets, in a
//! fixed order, have been seen since the last time all were (the counter of Choueka 1974). A node at the
//! highest level is accepting.

use std::io;

use taut_ir::Finding;
use taut_memory::MemorySystem;

use super::fairness::Conditions;
use super::violation::Violation;
use taut_explicit::checkpoint::{Reader, Saved, Writer};
use taut_explicit::limits::LimitPoll;
use taut_explicit::reduce::{Reduction, StubbornSets};
use taut_machine::{Bound, BoundsMet, Machine, Provenance, Scratch, Sink};

/// How acceptance is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Acceptance {
    /// By marks on transitions, of any number of sets.
    Generalised,
    /// By the level of a node.
    Levels,
}

/// A machine, an automaton and the fairness of runs.
pub(super) struct Product<'a, M> {
    pub(super) machine: &'a Machine<M>,
    pub(super) violation: &'a Violation,
    pub(super) conditions: Conditions,
    pub(super) acceptance: Acceptance,
    /// Whether a universal state of the automaton ends the search.
    pub(super) ends_early: bool,
    /// Which states of the machine need not be expanded in full.
    pub(super) reduction: Option<&'a Reduction>,
}

/// How a transition of the product comes about: a way of the machine, or staying where it is.
pub(super) type Cause = Option<Provenance>;

/// The transitions that leave some nodes, one node after the other, as on a stack.
#[derive(Default)]
pub(super) struct Moves {
    /// The nodes they lead to.
    pub(super) nodes: Vec<u64>,
    /// Their marks.
    pub(super) marks: Vec<u64>,
    /// How they come about, if that is kept.
    pub(super) causes: Vec<Cause>,
    pub(super) keeps_causes: bool,
    pub(super) len: usize,
}

impl Saved for Moves {
    fn save(&self, to: &mut Writer<'_>) -> io::Result<()> {
        debug_assert!(!self.keeps_causes, "a search keeps no causes");
        self.nodes.save(to)?;
        self.marks.save(to)?;
        self.len.save(to)
    }

    fn restore(from: &mut Reader<'_>) -> io::Result<Moves> {
        let (nodes, marks) = Saved::restore(from)?;
        Ok(Moves { nodes, marks, len: usize::restore(from)?, ..Moves::default() })
    }
}

impl Moves {
    /// Whether there are as many words as the transitions need.
    pub(super) fn is_whole(&self, words: usize, mark_words: usize) -> bool {
        let has = |list: &Vec<u64>, words| self.len.checked_mul(words) == Some(list.len());
        has(&self.nodes, words) && has(&self.marks, mark_words)
    }

    /// Forgets all but the first.
    pub(super) fn truncate(&mut self, len: usize, words: usize, mark_words: usize) {
        self.len = len;
        self.nodes.truncate(len * words);
        self.marks.truncate(len * mark_words);
        self.causes.truncate(len);
    }

    /// Bytes held.
    pub(super) fn bytes(&self) -> u64 {
        let causes = self.causes.capacity() * size_of::<Cause>();
        (self.nodes.capacity() * 8 + self.marks.capacity() * 8 + causes) as u64
    }
}

/// Space to open nodes in, and what is noted on the way.
pub(super) struct ProductScratch<'w> {
    pub(super) scratch: Scratch,
    chooser: StubbornSets,
    /// The states that follow in the machine.
    states: Vec<u64>,
    ways: Vec<Provenance>,
    /// Edges of the automaton that can be taken.
    edges: Vec<usize>,
    base: Vec<u64>,
    marks: Vec<u64>,
    work: Vec<u64>,
    pub(super) patience: LimitPoll<'w>,
    pub(super) bounds_met: BoundsMet,
    /// Actions that led to transient states.
    pub(super) passed: u64,
}

impl<'w> ProductScratch<'w> {
    pub(super) fn new(scratch: Scratch, patience: LimitPoll<'w>) -> ProductScratch<'w> {
        ProductScratch {
            scratch,
            chooser: StubbornSets::default(),
            states: Vec::new(),
            ways: Vec::new(),
            edges: Vec::new(),
            base: Vec::new(),
            marks: Vec::new(),
            work: Vec::new(),
            patience,
            bounds_met: BoundsMet::default(),
            passed: 0,
        }
    }
}

/// Takes what follows in the machine.
struct Followers<'a, 'w> {
    states: &'a mut Vec<u64>,
    ways: &'a mut Vec<Provenance>,
    bounds_met: &'a mut BoundsMet,
    passed: &'a mut u64,
    patience: &'a mut LimitPoll<'w>,
}

impl Sink for Followers<'_, '_> {
    fn successor(&mut self, way: Provenance, state: &[u64]) {
        self.states.extend_from_slice(state);
        self.ways.push(way);
    }

    fn finding(&mut self, _: Provenance, _: Finding) {}

    fn blocked(&mut self, bound: Bound) {
        self.bounds_met.note(bound);
    }

    fn passed(&mut self, actions: u64) {
        *self.passed += actions;
    }

    fn go_on(&mut self, bytes: u64) -> bool {
        self.patience.lasts(bytes + self.states.capacity() as u64 * 8)
    }
}

/// What became of opening a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Opened {
    /// Its transitions were added.
    Moves,
    /// The run up to here is wrong whatever follows.
    BadPrefix,
}

impl<M: MemorySystem> Product<'_, M> {
    /// Words of a node.
    pub(super) fn words(&self) -> usize {
        self.machine.words()
    }

    fn automaton_states(&self) -> u64 {
        self.violation.automaton.states.len() as u64
    }

    /// Whether a node is at the highest level.
    pub(super) fn is_accepting(&self, node: &[u64]) -> bool {
        let level = self.machine.observer().bits(node) / self.automaton_states();
        self.acceptance == Acceptance::Levels && level == self.conditions.sets() as u64
    }

    /// The nodes in which runs begin.
    pub(super) fn initial(&self) -> Vec<Vec<u64>> {
        let node = |&state: &u32| {
            let mut node = self.machine.initial().to_vec();
            self.machine.observer().set_bits(&mut node, u64::from(state));
            node
        };
        self.violation.automaton.initial.iter().map(node).collect()
    }

    /// The truth of the atoms in a node that was expanded last, or in any if no atom asks what is enabled.
    pub(super) fn valuation(&self, node: &[u64], room: &mut ProductScratch<'_>) -> u64 {
        self.machine.valuation(node, room.scratch.able(), &mut room.work)
    }

    /// Expands the machine's state of a node into the room; whether anything can happen in it.
    pub(super) fn expand(&self, node: &[u64], room: &mut ProductScratch<'_>) -> bool {
        room.states.clear();
        room.ways.clear();
        let mut sink = Followers {
            states: &mut room.states,
            ways: &mut room.ways,
            bounds_met: &mut room.bounds_met,
            passed: &mut room.passed,
            patience: &mut room.patience,
        };
        if let Some(reduction) = self.reduction {
            let space = (&mut room.chooser, &mut room.scratch);
            if reduction.expand(self.machine, (node, true), space, &mut sink) {
                return true;
            }
        }
        self.machine.expand(node, &mut room.scratch, &mut sink)
    }

    /// Adds the transitions that leave a node.
    pub(super) fn open(
        &self,
        node: &[u64],
        room: &mut ProductScratch<'_>,
        moves: &mut Moves,
    ) -> Opened {
        // Where the automaton cannot go on, the machine need not either.
        let late = self.machine.watches_enabled();
        let mut alive = late && self.expand(node, room);
        match self.choose(node, room) {
            Some(Opened::BadPrefix) => return Opened::BadPrefix,
            Some(Opened::Moves) => {}
            None => return Opened::Moves,
        }
        if !late {
            alive = self.expand(node, room);
        }
        if alive {
            self.join(node, room, moves);
        } else if self.violation.finite_runs {
            self.stutter(node, room, moves);
        }
        Opened::Moves
    }

    /// Finds the edges that can be taken in a node; `None` if there are none.
    fn choose(&self, node: &[u64], room: &mut ProductScratch<'_>) -> Option<Opened> {
        let valuation = self.valuation(node, room);
        let observer = self.machine.observer().bits(node);
        let state = (observer % self.automaton_states()) as usize;
        let edges = &self.violation.automaton.states[state].edges;
        room.edges.clear();
        for (i, edge) in edges.iter().enumerate() {
            if !edge.guard.is_satisfied(valuation) {
                continue;
            }
            if self.ends_early && self.violation.universal[edge.target as usize] {
                return Some(Opened::BadPrefix);
            }
            room.edges.push(i);
        }
        (!room.edges.is_empty()).then_some(Opened::Moves)
    }

    /// Joins what follows in the machine with the edges of the automaton.
    fn join(&self, node: &[u64], room: &mut ProductScratch<'_>, moves: &mut Moves) {
        let words = self.words();
        let mark_words = self.conditions.words();
        room.base.resize(mark_words, 0);
        room.marks.resize(mark_words, 0);
        self.conditions.of_state(self.machine, node, &room.scratch, &mut room.base);
        for (i, &way) in room.ways.iter().enumerate() {
            room.marks.copy_from_slice(&room.base);
            self.conditions.of_way(self.machine, &room.scratch, way, &mut room.marks);
            let state = &room.states[i * words..(i + 1) * words];
            for &edge in &room.edges {
                self.push(node, edge, state, &room.marks, Some(way), moves);
            }
        }
    }

    fn stutter(&self, node: &[u64], room: &mut ProductScratch<'_>, moves: &mut Moves) {
        for &edge in &room.edges {
            self.push(node, edge, node, self.conditions.fair(), None, moves);
        }
    }

    fn push(
        &self,
        from: &[u64],
        edge: usize,
        state: &[u64],
        marks: &[u64],
        cause: Cause,
        moves: &mut Moves,
    ) {
        let observer = self.machine.observer().bits(from);
        let states = self.automaton_states();
        let edge = &self.violation.automaton.states[(observer % states) as usize].edges[edge];
        let (node, mark) = (moves.nodes.len(), moves.marks.len());
        moves.nodes.extend_from_slice(state);
        moves.marks.extend_from_slice(marks);
        if let Some(first) = moves.marks.get_mut(mark) {
            *first |= edge.accepts;
        }
        let level = match self.acceptance {
            Acceptance::Generalised => 0,
            Acceptance::Levels => self.next_level(observer / states, &moves.marks[mark..]),
        };
        let target = u64::from(edge.target) + level * states;
        self.machine.observer().set_bits(&mut moves.nodes[node..], target);
        moves.len += 1;
        if moves.keeps_causes {
            moves.causes.push(cause);
        }
    }

    /// The level after a transition with these marks.
    fn next_level(&self, level: u64, marks: &[u64]) -> u64 {
        let sets = self.conditions.sets() as u64;
        let mut level = if level == sets { 0 } else { level };
        while level < sets && marks[(level / 64) as usize] >> (level % 64) & 1 == 1 {
            level += 1;
        }
        level
    }
}
