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

use taut_memory::MemorySystem;

use super::fairness::is_full;
use super::product::Opened;
use super::walk::{Ended, Frame, Walk};
use crate::bits::BitSet;
use crate::store::{Inserted, StateId};

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
        self.roots.push(node);
        self.open.push(node);
        self.inside.resize(self.inside.len() + self.words, 0);
        self.before.extend_from_slice(marks);
    }

    /// Notes a transition to an open node; gives the marks of the component it is then in.
    fn join(&mut self, node: StateId, marks: &[u64]) -> &[u64] {
        let words = self.words;
        let keep = self.roots.partition_point(|&root| root <= node);
        let top = (keep - 1) * words;
        for (i, &mark) in marks.iter().enumerate() {
            let mut all = mark;
            for component in keep..self.roots.len() {
                all |= self.inside[component * words + i] | self.before[component * words + i];
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

/// Looks for an accepting cycle. If there is one, it is in the last component. None if that takes more than
/// so many nodes.
pub(super) fn search<M: MemorySystem>(
    walk: &mut Walk<'_, M>,
    most: usize,
) -> (Option<Ended>, Components) {
    let words = walk.product.conditions.words();
    let mut components = Components { words, ..Components::default() };
    for node in walk.product.initial() {
        let Some(id) = walk.begin(&node) else { continue };
        let ended = from(walk, &mut components, id, most);
        if ended != Some(Ended::Empty) {
            return (ended, components);
        }
    }
    (Some(Ended::Empty), components)
}

/// Walks through everything that a node leads to and that was not seen before.
fn from<M: MemorySystem>(
    walk: &mut Walk<'_, M>,
    components: &mut Components,
    first: StateId,
    most: usize,
) -> Option<Ended> {
    let mut path: Vec<Frame> = Vec::new();
    components.enter(first, &vec![0; components.words]);
    let mut entered = Some(first);
    loop {
        if let Some(node) = entered.take() {
            let (frame, opened) = walk.open(node);
            if opened == Opened::BadPrefix {
                return Some(Ended::BadPrefix(node));
            }
            path.push(frame);
            let own = components.bytes() + (path.capacity() * size_of::<Frame>()) as u64;
            if let Some(ended) = walk.ended(path.len() - 1, own) {
                return Some(ended);
            }
            if walk.store.len() >= most {
                return None;
            }
        }
        let Some(frame) = path.last_mut() else { return Some(Ended::Empty) };
        if frame.next == frame.end {
            let Frame { node, .. } = *frame;
            path.pop();
            components.leave(node);
            walk.close(path.last().map_or(0, |f| f.end));
            continue;
        }
        let at = frame.next;
        frame.next += 1;
        let source = frame.node;
        match walk.follow(source, at) {
            Err(ended) => return Some(ended),
            Ok(Inserted::New(node)) => {
                components.enter(node, walk.marks(at));
                entered = Some(node);
            }
            Ok(Inserted::Old(node)) if !components.closed.contains(node.0 as usize) => {
                let marks = components.join(node, walk.marks(at));
                if is_full(marks, walk.product.conditions.sets()) {
                    return Some(Ended::Cycle);
                }
            }
            Ok(Inserted::Old(_)) => {}
        }
    }
}
