//! Emptiness by nested depth-first search.
//!
//! The search with the smallest footprint: beside the stored nodes it needs two bits for each and the path in
//! hand. It knows a single acceptance condition, so nodes have levels (see [`super::product`]), which costs
//! copies of nodes where there are many conditions. The colours are those of Schwoon and Esparza ("A note on
//! on-the-fly verification algorithms", TACAS 2005):
//! *cyan* nodes are on the path in hand, *blue* ones have been left, and from *red* ones no accepting node of
//! the path in hand can be reached.

use std::io;

use taut_fault::{Fault, is_on};
use taut_memory::MemorySystem;

use super::method::Method;
use super::product::Opened;
use super::product_dfs::{Ended, Frame, Walk, are_stacked};
use taut_explicit::checkpoint::{Reader, Saved, Writer, damaged, saved};
use taut_explicit::store::{Inserted, StateId};

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
    dive: Dive,
}

/// A search that is under way.
#[derive(Default)]
pub(super) struct Dive {
    colours: Vec<Colour>,
    path: Vec<Frame>,
    /// The path of the inner search; empty if none is under way.
    inner: Vec<Frame>,
    /// A node that was found and is to be opened next: by the inner search if one is under way.
    entered: Option<StateId>,
    /// Number of initial nodes from which the search has begun.
    begun: usize,
}
saved!(Dive { colours, path, inner, entered, begun });

impl Saved for Colour {
    fn save(&self, to: &mut Writer<'_>) -> io::Result<()> {
        (*self as u8).save(to)
    }

    fn restore(from: &mut Reader<'_>) -> io::Result<Colour> {
        let colours = [Colour::Cyan, Colour::Blue, Colour::Red];
        let colour = colours.get(usize::from(u8::restore(from)?));
        colour.copied().ok_or_else(|| damaged("a colour is none"))
    }
}

impl Dive {
    /// Whether this can be a search of a walk.
    pub(super) fn fits<M: MemorySystem>(&self, walk: &Walk<'_, M>) -> bool {
        let nodes = walk.store.len();
        // A node that is to be opened has its colour already, but for the outer search.
        let coloured =
            self.colours.len() + usize::from(self.inner.is_empty() && self.entered.is_some());
        let frames = [self.path.as_slice(), &self.inner].concat();
        coloured == nodes
            && self.entered.iter().all(|node| (node.0 as usize) < nodes)
            && are_stacked(&frames, walk.moves.len, nodes)
    }
}

/// Looks for an accepting cycle, from the start or from a cut.
pub(super) fn search<M: MemorySystem>(walk: &mut Walk<'_, M>, dive: Dive) -> (Ended, Cycle) {
    let mut nested = Nested { walk, dive };
    let initial = nested.walk.product.initial();
    loop {
        match nested.outer() {
            (Ended::Empty, _) => {}
            found => return found,
        }
        let Some(node) = initial.get(nested.dive.begun) else {
            return (Ended::Empty, Cycle::new());
        };
        nested.dive.begun += 1;
        nested.dive.entered = nested.walk.begin(node);
    }
}

impl<M: MemorySystem> Nested<'_, '_, M> {
    fn colour(&self, node: StateId) -> Colour {
        self.dive.colours[node.0 as usize]
    }

    fn is_accepting(&self, node: StateId) -> bool {
        self.walk.product.is_accepting(self.walk.store.state(node))
    }

    fn bytes(&self) -> u64 {
        let frames = self.dive.path.capacity() + self.dive.inner.capacity();
        (frames * size_of::<Frame>() + self.dive.colours.capacity()) as u64
    }

    /// The outer search: everything that the path leads to and that was not seen before.
    fn outer(&mut self) -> (Ended, Cycle) {
        if !self.dive.inner.is_empty()
            && let Some(found) = self.go_round()
        {
            return found;
        }
        loop {
            if let Some(node) = self.dive.entered.take()
                && let Some(ended) = self.enter(node)
            {
                return (ended, Cycle::new());
            }
            let Some(frame) = self.dive.path.last_mut() else {
                return (Ended::Empty, Cycle::new());
            };
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
                Ok(Inserted::New(target)) => self.dive.entered = Some(target),
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
        self.dive.colours.push(Colour::Cyan);
        let (frame, opened) = self.walk.open(node);
        if opened == Opened::BadPrefix {
            return Some(Ended::BadPrefix(node));
        }
        self.dive.path.push(frame);
        let bytes = self.bytes();
        let ended = self.walk.ended(self.dive.path.len() - 1, bytes);
        if ended.is_some_and(Ended::is_cut) {
            if self.walk.is_truncated() {
                self.dive.path.pop();
                self.dive.colours.pop();
                self.walk.unopen(frame);
                self.dive.entered = Some(node);
            }
            self.keep();
        } else {
            self.keep_if_due();
        }
        ended
    }

    fn keep(&self) {
        self.walk.keep(|to| save(&self.dive, to));
    }

    fn keep_if_due(&mut self) {
        let Nested { walk, dive } = self;
        walk.keep_if_due(|to| save(dive, to));
    }

    /// Leaves a node; from an accepting one, looks for the path in hand first.
    fn leave(&mut self, node: StateId) -> Option<(Ended, Cycle)> {
        if self.is_accepting(node) && !is_on(Fault::AcceptingIsOrdinary) {
            return self.inner(node);
        }
        self.left(node, Colour::Blue);
        None
    }

    /// Takes a node, the last one, from the path.
    fn left(&mut self, node: StateId, colour: Colour) {
        self.dive.colours[node.0 as usize] = colour;
        self.dive.path.pop();
        self.walk.close(self.dive.path.last().map_or(0, |f| f.end));
    }

    /// The inner search: whether an accepting node, the last one of the path, leads to the path in hand, which leads to
    /// it.
    fn inner(&mut self, first: StateId) -> Option<(Ended, Cycle)> {
        let (frame, _) = self.walk.open(first);
        if self.walk.is_truncated() {
            // When the search goes on, it leaves the node once more.
            self.walk.unopen(frame);
            self.keep();
            let bytes = self.bytes();
            return self.walk.ended(self.dive.path.len(), bytes).map(|ended| (ended, Cycle::new()));
        }
        self.dive.inner.push(frame);
        self.go_round()
    }

    /// Goes on with the inner search; if it finds nothing, the node from which it began is left.
    fn go_round(&mut self) -> Option<(Ended, Cycle)> {
        if let Some(target) = self.dive.entered.take()
            && let Some(ended) = self.enter_inner(target)
        {
            return Some((ended, Cycle::new()));
        }
        while let Some(frame) = self.dive.inner.last_mut() {
            let Frame { node, next, end } = *frame;
            if next == end {
                self.dive.inner.pop();
                let below = self.dive.inner.last().or(self.dive.path.last());
                self.walk.close(below.map_or(0, |f| f.end));
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
                    self.dive.colours[target.0 as usize] = Colour::Red;
                    if let Some(ended) = self.enter_inner(target) {
                        return Some((ended, Cycle::new()));
                    }
                }
                Colour::Red => {}
            }
        }
        if let Some(&Frame { node, .. }) = self.dive.path.last() {
            self.left(node, Colour::Red);
        }
        None
    }

    /// Opens a node in the inner search.
    fn enter_inner(&mut self, target: StateId) -> Option<Ended> {
        let (frame, _) = self.walk.open(target);
        self.dive.inner.push(frame);
        let bytes = self.bytes();
        let ended = self.walk.ended(self.dive.path.len(), bytes);
        if ended.is_some_and(Ended::is_cut) {
            if self.walk.is_truncated() {
                self.dive.inner.pop();
                self.walk.unopen(frame);
                self.dive.entered = Some(target);
            }
            self.keep();
        } else {
            self.keep_if_due();
        }
        ended
    }

    /// The nodes of the cycle that a transition to a node of the path closes.
    fn cycle_from(&self, target: StateId) -> Cycle {
        let start = self.dive.path.iter().position(|f| f.node == target).unwrap_or(0);
        let nodes = self.dive.path[start..].iter().chain(&self.dive.inner).map(|f| f.node);
        let mut cycle: Cycle = nodes.collect();
        cycle.sort();
        cycle.dedup();
        cycle
    }
}

fn save(dive: &Dive, to: &mut Writer<'_>) -> io::Result<()> {
    Method::Nested.save(to)?;
    dive.save(to)
}
