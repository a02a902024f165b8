//! Emptiness by strongly connected components, on the fly.
//!
//! Couvreur's algorithm (FM 1999), in the form of Couvreur, Duret-Lutz and Poitrenaud (SPIN 2005). The nodes
//! on the path in hand and those found from them form components that are still open; each has a *root*, the
//! first of its nodes that was found, and the marks of all transitions inside it that were followed. A
//! transition back to an open node joins all components from there on. As soon as a component has every
//! mark there is a cycle through all of them: an accepting run, found with the smallest part of the product
//! that can show it.
//!
//! Nodes are numbered in the order in which they are found, so that the open nodes are a stack, and the
//! nodes of the last component are those from its root on.

use std::io;

use taut_fault::{Fault, is_on};
use taut_memory::MemorySystem;

use super::fairness::is_full;
use super::method::Method;
use super::product::Opened;
use super::product_dfs::{Ended, Frame, Walk, are_stacked};
use taut_explicit::checkpoint::{Reader, Saved, Writer};
use taut_explicit::store::{Inserted, StateId};
use taut_machine::bits::BitSet;

/// The components that are open.
#[derive(Default)]
pub(super) struct Components {
    /// The root of each.
    roots: Vec<StateId>,
    /// The marks of the transitions inside each.
    inside: Vec<u64>,
    /// The marks of the transition that led to the root of each.
    before: Vec<u64>,
    /// The open nodes.
    open: Vec<StateId>,
    /// Nodes whose components are closed: no accepting run goes through them.
    closed: BitSet,
    /// Words of a set of marks.
    words: usize,
}

impl Components {
    fn enter(&mut self, node: StateId, marks: &[u64]) {
        debug_assert!(self.roots.last() < Some(&node), "roots are in the order of discovery");
        debug_assert_eq!(marks.len(), self.words);
        self.roots.push(node);
        self.open.push(node);
        self.inside.resize(self.inside.len() + self.words, 0);
        self.before.extend_from_slice(marks);
    }

    /// Notes a transition to an open node; gives the marks of the component it is then in.
    fn join(&mut self, node: StateId, marks: &[u64]) -> &[u64] {
        let words = self.words;
        // All components from that of the node on are one now. Roots ascend, so it is the last with a root up to the node.
        let keep = self.roots.partition_point(|&root| root <= node);
        debug_assert!(keep > 0, "an open node is in some component");
        let top = (keep - 1) * words;
        for (i, &mark) in marks.iter().enumerate() {
            // On the new cycle are the marks inside of each of them, and those of the transitions between them.
            let mut all = mark;
            for component in keep..self.roots.len() {
                let inside = self.inside[component * words + i];
                let before = self.before[component * words + i];
                all |= if is_on(Fault::InsideIsLost) { 0 } else { inside };
                all |= if is_on(Fault::BetweenIsLost) { 0 } else { before };
            }
            self.inside[top + i] |= all;
        }
        self.roots.truncate(keep);
        self.inside.truncate(keep * words);
        self.before.truncate(keep * words);
        &self.inside[top..]
    }

    /// Leaves a node; if it is a root, its component is complete.
    fn leave(&mut self, node: StateId) {
        if self.roots.last() != Some(&node) {
            return;
        }
        self.roots.pop();
        self.inside.truncate(self.roots.len() * self.words);
        self.before.truncate(self.roots.len() * self.words);
        // Open nodes ascend as roots do: those from the root on are its component.
        while let Some(&last) = self.open.last()
            && last >= node
        {
            self.closed.insert(last.0 as usize);
            self.open.pop();
        }
    }

    /// Whether a node belongs to the last component.
    pub(super) fn is_in_last(&self, node: StateId) -> bool {
        let root = self.roots.last().copied();
        root.is_some_and(|root| node >= root) && !self.closed.contains(node.0 as usize)
    }

    fn bytes(&self) -> u64 {
        let nodes = (self.roots.capacity() + self.open.capacity()) * size_of::<StateId>();
        let marks = (self.inside.capacity() + self.before.capacity()) * 8;
        (nodes + marks) as u64 + self.closed.bytes()
    }
}

/// A search that is under way.
#[derive(Default)]
pub(super) struct Dive {
    pub(super) components: Components,
    path: Vec<Frame>,
    /// A node that was found and is to be opened next.
    entered: Option<StateId>,
    /// Number of initial nodes from which the search has begun.
    begun: usize,
    /// Whether the search repeats one of several threads.
    pub(super) is_again: bool,
}

impl Saved for Dive {
    fn save(&self, to: &mut Writer<'_>) -> io::Result<()> {
        let Components { roots, inside, before, open, closed, words } = &self.components;
        roots.save(to)?;
        inside.save(to)?;
        before.save(to)?;
        open.save(to)?;
        closed.words().len().save(to)?;
        closed.words().iter().try_for_each(|word| word.save(to))?;
        words.save(to)?;
        self.path.save(to)?;
        self.entered.save(to)?;
        (self.begun, self.is_again).save(to)
    }

    fn restore(from: &mut Reader<'_>) -> io::Result<Dive> {
        let (roots, inside) = Saved::restore(from)?;
        let (before, open) = Saved::restore(from)?;
        let (closed, words) = Saved::restore(from)?;
        let closed = BitSet::from_words(closed);
        let components = Components { roots, inside, before, open, closed, words };
        let (path, entered) = Saved::restore(from)?;
        let (begun, is_again) = Saved::restore(from)?;
        Ok(Dive { components, path, entered, begun, is_again })
    }
}

impl Dive {
    /// A search that repeats one of several threads.
    pub(super) fn again() -> Dive {
        Dive { is_again: true, ..Dive::default() }
    }

    /// Whether this can be a search of a walk.
    pub(super) fn fits<M: MemorySystem>(&self, walk: &Walk<'_, M>) -> bool {
        let Components { roots, inside, before, open, words, .. } = &self.components;
        let is_stored = |node: &StateId| (node.0 as usize) < walk.store.len();
        *words == walk.product.conditions.words()
            && inside.len() == roots.len() * words
            && before.len() == inside.len()
            && roots.iter().chain(open).chain(&self.entered).all(is_stored)
            && are_stacked(&self.path, walk.moves.len, walk.store.len())
    }

    fn bytes(&self) -> u64 {
        self.components.bytes() + (self.path.capacity() * size_of::<Frame>()) as u64
    }
}

/// Looks for an accepting cycle, from the start or from a cut. If there is one, it is in the last component. None if that
/// takes more than so many nodes.
pub(super) fn search<M: MemorySystem>(
    walk: &mut Walk<'_, M>,
    most: usize,
    mut dive: Dive,
) -> (Option<Ended>, Components) {
    dive.components.words = walk.product.conditions.words();
    let initial = walk.product.initial();
    loop {
        let ended = go_on(walk, &mut dive, most);
        if ended != Some(Ended::Empty) {
            return (ended, dive.components);
        }
        let Some(node) = initial.get(dive.begun) else { return (ended, dive.components) };
        dive.begun += 1;
        if let Some(id) = walk.begin(node) {
            let no_marks = vec![0; dive.components.words];
            dive.components.enter(id, &no_marks);
            dive.entered = Some(id);
        }
    }
}

/// Walks through everything that the path leads to and that was not seen before.
fn go_on<M: MemorySystem>(walk: &mut Walk<'_, M>, dive: &mut Dive, most: usize) -> Option<Ended> {
    loop {
        // 1. A new node: its transitions are computed, and limits are looked at.
        if let Some(node) = dive.entered.take() {
            let (frame, opened) = walk.open(node);
            if opened == Opened::BadPrefix {
                return Some(Ended::BadPrefix(node));
            }
            dive.path.push(frame);
            if let Some(ended) = walk.ended(dive.path.len() - 1, dive.bytes()) {
                if ended.is_cut() {
                    keep(walk, dive, frame);
                }
                return Some(ended);
            }
            walk.keep_if_due(|to| save(dive, to));
            if walk.store.len() >= most {
                return None;
            }
        }
        let Some(frame) = dive.path.last_mut() else { return Some(Ended::Empty) };
        // 2. A node without transitions left: back to the one before.
        if frame.next == frame.end {
            let Frame { node, .. } = *frame;
            dive.path.pop();
            dive.components.leave(node);
            walk.close(dive.path.last().map_or(0, |f| f.end));
            continue;
        }
        // 3. The next transition: to a new node, or to an open one, which closes a cycle.
        let at = frame.next;
        frame.next += 1;
        let source = frame.node;
        match walk.follow(source, at) {
            Err(ended) => return Some(ended),
            Ok(Inserted::New(node)) => {
                dive.components.enter(node, walk.marks(at));
                dive.entered = Some(node);
            }
            Ok(Inserted::Old(node)) if !dive.components.closed.contains(node.0 as usize) => {
                let marks = dive.components.join(node, walk.marks(at));
                if is_full(marks, walk.product.conditions.sets()) {
                    return Some(Ended::Cycle);
                }
            }
            Ok(Inserted::Old(_)) => {}
        }
    }
}

/// Writes a search that a limit ended after a node was opened. If the node was not opened as a whole, it is to be opened
/// again.
fn keep<M: MemorySystem>(walk: &mut Walk<'_, M>, dive: &mut Dive, frame: Frame) {
    if walk.is_truncated() {
        dive.path.pop();
        walk.unopen(frame);
        dive.entered = Some(frame.node);
    }
    walk.keep(|to| save(dive, to));
}

fn save(dive: &Dive, to: &mut Writer<'_>) -> io::Result<()> {
    Method::Components.save(to)?;
    dive.save(to)
}
