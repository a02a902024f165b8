//! The part of the product near its initial nodes.
//!
//! A depth-first search finds cycles far away: it fills buffers before it looks at anything else. Once it is
//! known that there is an accepting cycle, it is worth a look whether there is one close by. The nodes nearest to
//! the initial ones are listed breadth first, up to a number, and their components found; what lies beyond is
//! left out, so a component here is a part of one of the product.

use taut_memory::MemorySystem;

use super::fairness::is_full;
use super::product::{Moves, Opened, Product, ProductScratch};
use taut_explicit::limits::{LimitMonitor, LimitPoll};
use taut_explicit::store::{Inserted, StateId, StateStore};
use taut_machine::Scratch;

/// How far to look.
#[derive(Clone, Copy)]
pub(super) struct Horizon {
    /// Transitions from an initial node: what is farther away than a whole run is long makes none shorter.
    pub(super) distance: usize,
    /// Nodes.
    pub(super) nodes: usize,
}

impl Horizon {
    /// The horizon after a search of so many nodes found a run of so many transitions. Looking around should
    /// cost no more than a few times what the search did, and never much.
    pub(super) fn after(nodes: usize, transitions: usize) -> Horizon {
        Horizon { distance: transitions, nodes: (8 * nodes).clamp(1_000, 20_000) }
    }
}

/// Nodes opened between two looks at the clock.
const LIMIT_CHECK_INTERVAL: usize = 256;

/// Nodes near the initial ones, and which components of them have every mark.
pub(super) struct Near {
    pub(super) store: StateStore,
    component: Vec<u32>,
    accepting: Vec<bool>,
}

impl Near {
    /// Lists the nodes; none if there is no time for it.
    pub(super) fn of<M: MemorySystem>(
        product: &Product<'_, M>,
        watch: &LimitMonitor,
        horizon: Horizon,
    ) -> Option<Near> {
        let mut graph = Graph::new(product.words(), horizon);
        graph.list(product, watch)?;
        let component = components(&graph.first, &graph.targets);
        let count = component.iter().max().map_or(0, |&last| last as usize + 1);
        let (words, sets) = (product.conditions.words(), product.conditions.sets());
        let mut marks = vec![0; count * words];
        let mut has_cycle = vec![false; count];
        for node in 0..component.len() {
            for edge in graph.edges(node) {
                let target = graph.targets[edge] as usize;
                let at = component[node] as usize;
                if component[target] as usize == at {
                    has_cycle[at] = true;
                    for i in 0..words {
                        marks[at * words + i] |= graph.marks[edge * words + i];
                    }
                }
            }
        }
        let full = |c: usize| is_full(&marks[c * words..(c + 1) * words], sets);
        let accepting = (0..count).map(|c| has_cycle[c] && full(c)).collect();
        Some(Near { store: graph.store, component, accepting })
    }

    /// The accepting components.
    pub(super) fn accepting(&self) -> impl Iterator<Item = u32> {
        (0..self.accepting.len() as u32).filter(|&c| self.accepting[c as usize])
    }

    /// Whether a node is in a component.
    pub(super) fn is_in(&self, node: StateId, component: u32) -> bool {
        self.component.get(node.0 as usize) == Some(&component)
    }
}

/// Nodes in the order of their distance, each with its transitions to others of them.
struct Graph {
    store: StateStore,
    /// For each node its first transition; and one more.
    first: Vec<usize>,
    targets: Vec<u32>,
    marks: Vec<u64>,
    horizon: Horizon,
}

impl Graph {
    fn new(words: usize, horizon: Horizon) -> Graph {
        let (first, targets, marks) = (vec![0], Vec::new(), Vec::new());
        Graph { store: StateStore::new(words), first, targets, marks, horizon }
    }

    fn edges(&self, node: usize) -> std::ops::Range<usize> {
        self.first[node]..self.first[node + 1]
    }

    fn list<M: MemorySystem>(
        &mut self,
        product: &Product<'_, M>,
        watch: &LimitMonitor,
    ) -> Option<()> {
        for node in product.initial() {
            self.store.insert(&node, StateId(0));
        }
        let scratch = product.scratch(Scratch::default());
        let mut room = ProductScratch::new(scratch, LimitPoll::new(watch));
        let mut moves = Moves::default();
        let (words, mark_words) = (product.words(), product.conditions.words());
        let (mut next, mut level, mut level_end) = (0, 0, self.store.len());
        while next < self.store.len() {
            if next == level_end {
                (level, level_end) = (level + 1, self.store.len());
            }
            let is_far = level >= self.horizon.distance;
            if next % LIMIT_CHECK_INTERVAL == 0 && watch.check_steady().is_some() {
                return None;
            }
            let source = StateId(next as u32);
            next += 1;
            moves.truncate(0, words, mark_words);
            let opened = product.open(self.store.state(source), &mut room, &mut moves);
            if room.patience.ended().is_some() {
                return None;
            }
            if opened == Opened::Moves {
                for at in 0..moves.len {
                    let node = &moves.nodes[at * words..(at + 1) * words];
                    let Some(target) = self.reach(node, source, is_far) else { continue };
                    self.targets.push(target.0);
                    self.marks
                        .extend_from_slice(&moves.marks[at * mark_words..(at + 1) * mark_words]);
                }
            }
            self.first.push(self.targets.len());
        }
        Some(())
    }

    /// The number of a node, unless it is new and too far away or there are enough.
    fn reach(&mut self, node: &[u64], source: StateId, is_far: bool) -> Option<StateId> {
        if is_far || self.store.len() >= self.horizon.nodes {
            return self.store.find(node);
        }
        match self.store.insert(node, source) {
            Inserted::New(id) | Inserted::Old(id) => Some(id),
        }
    }
}

/// The strongly connected component of each node (Tarjan 1972, without recursion).
pub(super) fn components(first: &[usize], targets: &[u32]) -> Vec<u32> {
    const NONE: u32 = u32::MAX;
    let nodes = first.len() - 1;
    let mut component = vec![NONE; nodes];
    let (mut index, mut low) = (vec![NONE; nodes], vec![NONE; nodes]);
    let (mut stack, mut path) = (Vec::new(), Vec::new());
    let (mut found, mut count) = (0, 0);
    for root in 0..nodes {
        if index[root] != NONE {
            continue;
        }
        path.push((root, first[root]));
        while let Some((node, edge)) = path.last_mut() {
            let node = *node;
            if index[node] == NONE {
                (index[node], low[node]) = (found, found);
                found += 1;
                stack.push(node);
            }
            if *edge < first[node + 1] {
                let target = targets[*edge] as usize;
                *edge += 1;
                if index[target] == NONE {
                    path.push((target, first[target]));
                } else if component[target] == NONE {
                    low[node] = low[node].min(index[target]);
                }
                continue;
            }
            path.pop();
            if let Some(&(parent, _)) = path.last() {
                low[parent] = low[parent].min(low[node]);
            }
            if low[node] == index[node] {
                while let Some(member) = stack.pop() {
                    component[member] = count;
                    if member == node {
                        break;
                    }
                }
                count += 1;
            }
        }
    }
    component
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Components of a graph given by its transitions.
    fn of(nodes: usize, edges: &[(usize, u32)]) -> Vec<u32> {
        let mut first = vec![0];
        let mut targets = Vec::new();
        for node in 0..nodes {
            targets.extend(edges.iter().filter(|e| e.0 == node).map(|e| e.1));
            first.push(targets.len());
        }
        components(&first, &targets)
    }

    #[test]
    fn nodes_that_lead_to_each_other_are_in_one_component() {
        let edges = [(0, 1), (1, 2), (2, 1), (2, 3), (3, 4), (4, 4), (0, 4), (5, 0)];
        let c = of(6, &edges);
        assert_eq!(c[1], c[2]);
        let mut others = vec![c[0], c[1], c[3], c[4], c[5]];
        others.sort();
        others.dedup();
        assert_eq!(others.len(), 5, "{c:?}");
        assert_eq!(of(0, &[]), Vec::<u32>::new());
        assert_eq!(of(3, &[(0, 1), (1, 2), (2, 0)]).iter().max(), Some(&0));
    }
}
