//! From an accepting cycle to a short run.
//!
//! DepthFirst-first search finds long runs. Once it is known where an accepting cycle is, a shortest way there is
//! looked for breadth first among the nodes that were seen, and then a short cycle: from mark to nearest
//! missing mark, and home. The end of the way is turned into the cycle as long as both end alike.

use std::collections::VecDeque;

use taut_ir::Action;
use taut_memory::MemorySystem;

use super::fairness::is_full;
use super::product::{Moves, Opened, Product, ProductScratch};
use super::restore::Transitions;
use taut_explicit::limits::{LimitMonitor, LimitPoll};
use taut_explicit::store::{StateId, StateStore};
use taut_machine::Scratch;

/// One transition of the product.
#[derive(Clone, Copy, Debug)]
struct Hop {
    source: StateId,
    /// Which of those that leave the source.
    at: usize,
    target: StateId,
}

const UNSEEN: (u32, u32) = (u32::MAX, u32::MAX);
/// Nodes opened between two looks at the clock.
const LIMIT_CHECK_INTERVAL: usize = 256;

/// Finds paths among the nodes that a search has stored.
pub(super) struct Paths<'a, M> {
    product: &'a Product<'a, M>,
    store: &'a StateStore,
    watch: &'a LimitMonitor,
    room: ProductScratch<'a>,
    moves: Moves,
    /// How each node was reached in the search in hand: from where, and over which transition.
    reached: Vec<(u32, u32)>,
    touched: Vec<StateId>,
}

/// What a search looks for.
enum Goal<'g> {
    /// A node, the first ones included.
    Node(&'g dyn Fn(StateId) -> bool),
    /// A node whose run is wrong whatever follows.
    BadPrefix,
    /// A transition, by its target and its marks.
    Hop(&'g dyn Fn(StateId, &[u64]) -> bool),
}

impl<'a, M: MemorySystem> Paths<'a, M> {
    pub(super) fn new(
        product: &'a Product<'a, M>,
        store: &'a StateStore,
        watch: &'a LimitMonitor,
    ) -> Paths<'a, M> {
        Paths {
            product,
            store,
            watch,
            // A limit that is met now must not make transitions disappear that were there before.
            room: ProductScratch::new(product.scratch(Scratch::tracing()), LimitPoll::endless()),
            moves: Moves { keeps_causes: true, ..Moves::default() },
            reached: vec![UNSEEN; store.len()],
            touched: Vec::new(),
        }
    }

    /// A short run to a node of a set and round a cycle in it that has every mark. The set must be strongly
    /// connected, and `some` one of its nodes.
    pub(super) fn lasso(
        &mut self,
        is_member: &dyn Fn(StateId) -> bool,
        some: StateId,
    ) -> Option<Transitions> {
        let first = self.initial();
        let mut stem = match self.shortest(&first, &|_| true, &Goal::Node(is_member), true) {
            Some((hops, _)) => hops,
            None => self.by_parents(some),
        };
        let home = match (stem.last(), first.iter().find(|&&n| is_member(n))) {
            (Some(hop), _) => hop.target,
            (None, Some(&node)) => node,
            (None, None) => some,
        };
        let mut cycle = self.cycle(home, is_member)?;
        self.turn(&mut stem, &mut cycle);
        let mut all = self.transitions(&stem);
        let at = all.len();
        all.extend(self.transitions(&cycle));
        Some(Transitions { all, cycle: Some(at) })
    }

    /// A shortest run that is wrong whatever follows, with the nodes it goes through; `some` ends one. If it
    /// ends and is wrong only because its last state lasts, it is given as a run that ends.
    pub(super) fn prefix(&mut self, some: StateId) -> (Transitions, Vec<StateId>) {
        let first = self.initial();
        let found = self.shortest(&first, &|_| true, &Goal::BadPrefix, true);
        let (hops, last) = found.unwrap_or_else(|| (self.by_parents(some), some));
        let nodes = hops.iter().map(|hop| hop.source).chain([last]).collect();
        let all = self.transitions(&hops);
        let cycle = self.stays(&hops).then_some(all.len());
        (Transitions { all, cycle }, nodes)
    }

    /// Whether a path ends with the machine staying where it is.
    fn stays(&mut self, hops: &[Hop]) -> bool {
        hops.last().is_some_and(|hop| {
            self.open(hop.source);
            self.moves.causes[hop.at].is_none()
        })
    }

    /// The truth of the atoms in some nodes.
    pub(super) fn valuations(&mut self, nodes: &[StateId]) -> Vec<u64> {
        let all = nodes.iter().map(|&node| {
            let state = self.store.state(node);
            self.product.expand(state, &mut self.room);
            self.product.valuation(state, &mut self.room)
        });
        all.collect()
    }

    fn initial(&self) -> Vec<StateId> {
        self.product.initial().iter().filter_map(|node| self.store.find(node)).collect()
    }

    /// A cycle with every mark, from a node back to it.
    fn cycle(&mut self, home: StateId, is_member: &dyn Fn(StateId) -> bool) -> Option<Vec<Hop>> {
        let sets = self.product.conditions.sets();
        let mut marks = vec![0; self.product.conditions.words()];
        let mut cycle: Vec<Hop> = Vec::new();
        loop {
            let here = cycle.last().map_or(home, |hop| hop.target);
            let full = is_full(&marks, sets);
            if full && here == home && !cycle.is_empty() {
                return Some(cycle);
            }
            let missing = marks.clone();
            let gains =
                |_: StateId, new: &[u64]| new.iter().zip(&missing).any(|(n, m)| n & !m != 0);
            let closes = |target: StateId, _: &[u64]| target == home;
            let goal = if full { Goal::Hop(&closes) } else { Goal::Hop(&gains) };
            let (hops, _) = self.shortest(&[here], is_member, &goal, false)?;
            for hop in &hops {
                self.open(hop.source);
                let words = marks.len();
                let new = &self.moves.marks[hop.at * words..(hop.at + 1) * words];
                marks.iter_mut().zip(new).for_each(|(m, n)| *m |= n);
            }
            cycle.extend(hops);
        }
    }

    /// Turns the end of the way into the cycle as long as both end with the same transition of the machine:
    /// the run stays the same and the way gets shorter.
    fn turn(&mut self, stem: &mut Vec<Hop>, cycle: &mut [Hop]) {
        while let (Some(&way), Some(&last)) = (stem.last(), cycle.last())
            && self.is_same_state(way.source, last.source)
            && self.transitions(&[way]) == self.transitions(&[last])
        {
            stem.pop();
            cycle.rotate_right(1);
        }
    }

    /// Whether two nodes differ in the observer at most.
    fn is_same_state(&self, a: StateId, b: StateId) -> bool {
        let observer = self.product.machine.observer();
        let [a, b] = [a, b].map(|id| {
            let mut state = self.store.state(id).to_vec();
            observer.set_bits(&mut state, 0);
            state
        });
        a == b
    }

    /// A shortest path to a goal over nodes that are stored and inside a set, with the node that it ends in.
    fn shortest(
        &mut self,
        first: &[StateId],
        is_inside: &dyn Fn(StateId) -> bool,
        goal: &Goal<'_>,
        in_time: bool,
    ) -> Option<(Vec<Hop>, StateId)> {
        self.touched.drain(..).for_each(|node| self.reached[node.0 as usize] = UNSEEN);
        let mut queue: VecDeque<StateId> = VecDeque::new();
        for &node in first {
            if matches!(goal, Goal::Node(is_goal) if is_goal(node)) {
                return Some((Vec::new(), node));
            }
            self.reach(node, (node.0, u32::MAX));
            queue.push_back(node);
        }
        let mut opened = 0;
        while let Some(source) = queue.pop_front() {
            opened += 1;
            if in_time && opened % LIMIT_CHECK_INTERVAL == 0 && self.watch.check_steady().is_some()
            {
                return None;
            }
            if self.open(source) == Opened::BadPrefix {
                match goal {
                    Goal::BadPrefix => return Some((self.back(source), source)),
                    Goal::Node(_) | Goal::Hop(_) => continue,
                }
            }
            for at in 0..self.moves.len {
                let Some(target) = self.target(at) else { continue };
                if !is_inside(target) {
                    continue;
                }
                let hop = Hop { source, at, target };
                if self.is_goal(goal, hop) {
                    let mut hops = self.back(source);
                    hops.push(hop);
                    return Some((hops, target));
                }
                if self.reached[target.0 as usize] == UNSEEN {
                    self.reach(target, (source.0, at as u32));
                    queue.push_back(target);
                }
            }
        }
        None
    }

    fn is_goal(&self, goal: &Goal<'_>, hop: Hop) -> bool {
        let words = self.product.conditions.words();
        match goal {
            Goal::Node(is_goal) => is_goal(hop.target),
            Goal::Hop(is_goal) => {
                is_goal(hop.target, &self.moves.marks[hop.at * words..(hop.at + 1) * words])
            }
            Goal::BadPrefix => false,
        }
    }

    fn reach(&mut self, node: StateId, how: (u32, u32)) {
        self.reached[node.0 as usize] = how;
        self.touched.push(node);
    }

    /// Opens one node.
    fn open(&mut self, node: StateId) -> Opened {
        self.moves.truncate(0, self.product.words(), self.product.conditions.words());
        self.product.open(self.store.state(node), &mut self.room, &mut self.moves)
    }

    /// Where a transition of the open node leads, if the search had come there.
    fn target(&self, at: usize) -> Option<StateId> {
        let words = self.product.words();
        self.store.find(&self.moves.nodes[at * words..(at + 1) * words])
    }

    /// The path by which a node was reached.
    fn back(&self, mut node: StateId) -> Vec<Hop> {
        let mut hops = Vec::new();
        loop {
            let (source, at) = self.reached[node.0 as usize];
            if at == u32::MAX {
                hops.reverse();
                return hops;
            }
            hops.push(Hop { source: StateId(source), at: at as usize, target: node });
            node = StateId(source);
        }
    }

    /// The path by which the search had come to a node.
    fn by_parents(&mut self, mut node: StateId) -> Vec<Hop> {
        let mut hops = Vec::new();
        while self.store.parent(node) != node {
            let source = self.store.parent(node);
            self.open(source);
            let at = (0..self.moves.len).find(|&at| self.target(at) == Some(node));
            hops.extend(at.map(|at| Hop { source, at, target: node }));
            node = source;
        }
        hops.reverse();
        hops
    }

    /// What happens on a path, without staying where it is.
    fn transitions(&mut self, hops: &[Hop]) -> Vec<Vec<Action>> {
        let mut all = Vec::new();
        for hop in hops {
            self.open(hop.source);
            if let Some(way) = self.moves.causes[hop.at] {
                all.push(self.room.scratch.path(way));
            }
        }
        all
    }
}
