//! From a table to the canonical automaton of its language.
//!
//! Three steps. *Trim*: states from which nothing is accepted go, with the edges into them.
//! *Merge*: states that accept the same language become one, by Valmari's variant of Hopcroft's
//! algorithm ("Fast brief practical DFA minimization", 2012), which needs no complete automaton and
//! costs O(m log m) for m edges.
//! *Number*: breadth-first from the start along sorted edges, which also drops what cannot be
//! reached.

use crate::automaton::{Automaton, Table};
use crate::partition::Partition;

/// The canonical automaton of the language that `table` accepts.
pub(crate) fn canonical(table: Table) -> Automaton {
    let table = trim(&table);
    let merged = merge(&table);
    number(&table, 0, |state| merged.set_of(state))
}

/// The canonical automaton of what `automaton` accepts from `start` on.
///
/// A part of a minimal automaton is minimal: its states accept different languages already, and
/// from each of them something is accepted. So numbering is all there is to do.
pub(crate) fn canonical_from(automaton: &Automaton, start: u32) -> Automaton {
    number(&automaton.to_table(), start, |state| state)
}

/// The table without its dead states. The start stays, dead or not, and it stays state 0.
fn trim(table: &Table) -> Table {
    let live = live(table);
    if live.iter().all(|&live| live) {
        return table.clone();
    }
    let mut names = vec![u32::MAX; table.states()];
    let mut kept = Vec::new();
    for state in 0..table.states() as u32 {
        if state == 0 || live[state as usize] {
            names[state as usize] = kept.len() as u32;
            kept.push(state);
        }
    }
    let mut trimmed = Table::default();
    for state in kept {
        trimmed.open(table.accepts(state));
        for &(letter, to) in table.edges_from(state) {
            if live[to as usize] {
                trimmed.edge(letter, names[to as usize]);
            }
        }
    }
    trimmed
}

/// Which states reach an accepting one.
fn live(table: &Table) -> Vec<bool> {
    let into = Incoming::new(table);
    let mut live: Vec<bool> = (0..table.states() as u32).map(|s| table.accepts(s)).collect();
    let mut work: Vec<u32> = (0..table.states() as u32).filter(|&s| live[s as usize]).collect();
    while let Some(state) = work.pop() {
        taut_budget::tick();
        for &edge in into.edges(state) {
            let from = into.tails[edge as usize];
            if !std::mem::replace(&mut live[from as usize], true) {
                work.push(from);
            }
        }
    }
    live
}

/// The edges of a table by the state they lead to.
struct Incoming {
    /// The state that each edge leaves.
    tails: Vec<u32>,
    /// The edges into state `s` are `order[first[s]..first[s + 1]]`.
    order: Vec<u32>,
    first: Vec<u32>,
}

impl Incoming {
    fn new(table: &Table) -> Self {
        let tails: Vec<u32> = table.edges().map(|(from, ..)| from).collect();
        let mut first = vec![0; table.states() + 1];
        for (_, _, to) in table.edges() {
            first[to as usize + 1] += 1;
        }
        for state in 0..table.states() {
            first[state + 1] += first[state];
        }
        let mut free = first.clone();
        let mut order = vec![0; tails.len()];
        for (edge, (_, _, to)) in table.edges().enumerate() {
            order[free[to as usize] as usize] = edge as u32;
            free[to as usize] += 1;
        }
        Incoming { tails, order, first }
    }

    fn edges(&self, state: u32) -> &[u32] {
        let state = state as usize;
        &self.order[self.first[state] as usize..self.first[state + 1] as usize]
    }
}

/// The states of a trimmed table, grouped by the language they accept.
///
/// Two partitions refine each other until neither can be split: `blocks` of states that no letter
/// tells apart so far, and `cords` of edges with one letter into one block. The states at the tails
/// of a cord can read its letter into its block, the others of their blocks cannot.
fn merge(table: &Table) -> Partition {
    let into = Incoming::new(table);
    let mut blocks = by_acceptance(table);
    let mut cords = by_letter(table);
    // The first block needs no look: an edge into it is one that goes into none of the others.
    let (mut block, mut cord) = (1, 0);
    while cord < cords.len() {
        taut_budget::tick();
        for index in 0..cords.size(cord) {
            blocks.mark(into.tails[cords.member(cord, index) as usize]);
        }
        blocks.split();
        cord += 1;
        while block < blocks.len() {
            taut_budget::tick();
            for index in 0..blocks.size(block) {
                for &edge in into.edges(blocks.member(block, index)) {
                    cords.mark(edge);
                }
            }
            cords.split();
            block += 1;
        }
    }
    blocks
}

fn by_acceptance(table: &Table) -> Partition {
    let mut states: Vec<u32> = (0..table.states() as u32).collect();
    states.sort_by_key(|&state| table.accepts(state));
    Partition::by_key(states, |state| table.accepts(state))
}

fn by_letter(table: &Table) -> Partition {
    let letters: Vec<_> = table.edges().map(|(_, letter, _)| letter).collect();
    let mut edges: Vec<u32> = (0..letters.len() as u32).collect();
    edges.sort_by_key(|&edge| letters[edge as usize]);
    Partition::by_key(edges, |edge| letters[edge as usize])
}

/// Numbers the blocks that can be reached from `start` breadth-first, and writes them down in that
/// order.
fn number(table: &Table, start: u32, block_of: impl Fn(u32) -> u32) -> Automaton {
    const NONE: u32 = u32::MAX;
    let mut names = vec![NONE; table.states()];
    // One state stands for each block: all of them have the same edges between blocks.
    let mut found = vec![start];
    names[block_of(start) as usize] = 0;
    let mut numbered = Table::default();
    while numbered.states() < found.len() {
        taut_budget::tick();
        let state = found[numbered.states()];
        numbered.open(table.accepts(state));
        for &(letter, to) in table.edges_from(state) {
            let name = &mut names[block_of(to) as usize];
            if *name == NONE {
                *name = found.len() as u32;
                found.push(to);
            }
            numbered.edge(letter, *name);
        }
    }
    numbered.into_canonical()
}
