//! Emptiness by nested depth-first search.
//!
//! The search with the smallest footprint: beside the stored nodes it needs two bits for each and the path in
//! hand. It knows a single acceptance condition, so nodes have levels (see [`super::product`]), which costs
//! copies of nodes where there are many conditions. The colours are those of Schwoon and Esparza ("A note on
//! on-the-fly verification algorithms", TACAS 2005):
//! *cyan* nodes are on the path in hand, *blue* ones have been left, and from *red* ones no accepting node of
//! the path in hand can be reached.

use taut_memory::MemorySystem;

use super::product::Opened;
use super::walk::{Ended, Frame, Walk};
use crate::store::{Inserted, StateId};

#[derive(Clone, Copy, PartialEq, Eq)]
enum Colour {
    Cyan,
    Blue,
    Red,
}

/// The nodes of the accepting cycle that was found, sorted.
pub(super) type Cycle = Vec<StateId>;

struct Nested<'w, 'a, M> {
    walk: &'w mut Walk<'a, M>,
    colours: Vec<Colour>,
    path: Vec<Frame>,
    inner: Vec<Frame>,
}

/// Looks for an accepting cycle.
pub(super) fn search<M: MemorySystem>(walk: &mut Walk<'_, M>) -> (Ended, Cycle) {
    let mut nested = Nested { walk, colours: Vec::new(), path: Vec::new(), inner: Vec::new() };
    for node in nested.walk.product.initial() {
        let Some(id) = nested.walk.begin(&node) else { continue };
        match nested.outer(id) {
            (Ended::Empty, _) => {}
            found => return found,
        }
    }
    (Ended::Empty, Cycle::new())
}

impl<M: MemorySystem> Nested<'_, '_, M> {
    fn colour(&self, node: StateId) -> Colour {
        self.colours[node.0 as usize]
    }

    fn is_accepting(&self, node: StateId) -> bool {
        self.walk.product.is_accepting(self.walk.store.state(node))
    }

    fn bytes(&self) -> u64 {
        let frames = self.path.capacity() + self.inner.capacity();
        (frames * size_of::<Frame>() + self.colours.capacity()) as u64
    }

    /// The outer search: everything that a node leads to and that was not seen before.
    fn outer(&mut self, first: StateId) -> (Ended, Cycle) {
        let mut entered = Some(first);
        loop {
            if let Some(node) = entered.take()
                && let Some(ended) = self.enter(node)
            {
                return (ended, Cycle::new());
            }
            let Some(frame) = self.path.last_mut() else { return (Ended::Empty, Cycle::new()) };
            let Frame { node, next, end } = *frame;
            if next == end {
                if let Some(found) = self.leave(node) {
                    return found;
                }
                continue;
            }
            frame.next += 1;
            match self.walk.follow(node, next) {
                Err(ended) => return (ended, Cycle::new()),
                Ok(Inserted::New(target)) => entered = Some(target),
                Ok(Inserted::Old(target)) => {
                    let closes = self.colour(target) == Colour::Cyan;
                    if closes && (self.is_accepting(node) || self.is_accepting(target)) {
                        return (Ended::Cycle, self.cycle_from(target));
                    }
                }
            }
        }
    }

    fn enter(&mut self, node: StateId) -> Option<Ended> {
        self.colours.push(Colour::Cyan);
        let (frame, opened) = self.walk.open(node);
        if opened == Opened::BadPrefix {
            return Some(Ended::BadPrefix(node));
        }
        self.path.push(frame);
        let bytes = self.bytes();
        self.walk.ended(self.path.len() - 1, bytes)
    }

    /// Leaves a node; from an accepting one, looks for the path in hand first.
    fn leave(&mut self, node: StateId) -> Option<(Ended, Cycle)> {
        let mut colour = Colour::Blue;
        if self.is_accepting(node) {
            if let Some(found) = self.inner(node) {
                return Some(found);
            }
            colour = Colour::Red;
        }
        self.colours[node.0 as usize] = colour;
        self.path.pop();
        self.walk.close(self.path.last().map_or(0, |f| f.end));
        None
    }

    /// The inner search: whether an accepting node leads to the path in hand, which leads to it.
    fn inner(&mut self, first: StateId) -> Option<(Ended, Cycle)> {
        let base = self.walk.moves.len;
        self.inner.clear();
        let (frame, _) = self.walk.open(first);
        self.inner.push(frame);
        while let Some(frame) = self.inner.last_mut() {
            let Frame { node, next, end } = *frame;
            if next == end {
                self.inner.pop();
                self.walk.close(self.inner.last().map_or(base, |f| f.end));
                continue;
            }
            frame.next += 1;
            let target = match self.walk.follow(node, next) {
                Err(ended) => return Some((ended, Cycle::new())),
                // Everything that a node leads to was seen before it was left.
                Ok(Inserted::New(target) | Inserted::Old(target)) => target,
            };
            match self.colour(target) {
                Colour::Cyan => return Some((Ended::Cycle, self.cycle_from(target))),
                Colour::Blue => {
                    self.colours[target.0 as usize] = Colour::Red;
                    let (frame, _) = self.walk.open(target);
                    self.inner.push(frame);
                    let bytes = self.bytes();
                    if let Some(ended) = self.walk.ended(self.path.len(), bytes) {
                        return Some((ended, Cycle::new()));
                    }
                }
                Colour::Red => {}
            }
        }
        None
    }

    /// The nodes of the cycle that a transition to a node of the path closes.
    fn cycle_from(&self, target: StateId) -> Cycle {
        let start = self.path.iter().position(|f| f.node == target).unwrap_or(0);
        let nodes = self.path[start..].iter().chain(&self.inner).map(|f| f.node);
        let mut cycle: Cycle = nodes.collect();
        cycle.sort();
        cycle.dedup();
        cycle
    }
}
