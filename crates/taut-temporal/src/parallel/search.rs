//! One thread of the parallel search for components.
//!
//! Each thread walks the whole graph depth first, in an order of its own, as if it were alone; the others only
//! spare it work. A component that any thread has completed is passed over, a node whose transitions any
//! thread has followed is not opened again, and what any thread has united is one set for all. The thread
//! keeps the sets on its way (`roots`, one node of each): a transition back into one of them closes a cycle, and
//! all sets from there on are united. A set is left only when it is complete, so "this thread is inside" means
//! that the set is on its way.
//!
//! **Marks.** After a transition has been followed, and whatever lies behind it is complete or united with its
//! source, the two ends are in one set if and only if they are in one component. Then its marks are added to
//! the set, and the set is looked at. A node is done only when that has happened to all its transitions. So
//! when a component is complete its marks are too (Bloemen, Duret-Lutz and van de Pol, STTT 2019).

use std::sync::atomic::{AtomicBool, Ordering};

use super::sets::{Claim, Sets};
use crate::fairness::is_full;

/// What a search has come to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Outcome<E> {
    /// Every component is complete and none has every mark.
    Nothing,
    /// The component of this node has every mark.
    Cycle(u32),
    /// Somebody else has ended the search.
    Stopped,
    /// The guide has.
    Ended(E),
}

/// Who knows the graph.
pub(super) trait Guide {
    /// Why it ends a search.
    type End: Copy;
    /// Puts the transitions of a node on top of all others.
    fn open(&mut self, node: u32) -> Result<(), Self::End>;
    /// How many transitions there are of all open nodes.
    fn count(&self) -> usize;
    /// The node that one of them leads to.
    fn follow(&mut self, from: u32, at: usize) -> Result<u32, Self::End>;
    /// The marks of one of them.
    fn marks(&self, at: usize) -> &[u64];
    /// Forgets all transitions but the first.
    fn close(&mut self, count: usize);
    /// Takes note that so many transitions, those of the node that was opened last, were followed for good.
    fn followed(&mut self, transitions: usize);
    /// How many marks there are.
    fn sets(&self) -> usize;
}

/// Bytes for each node on the way.
pub(super) const LEVEL_BYTES: usize = size_of::<Level>() + size_of::<u32>();

/// A node that was entered. Of its set, one node is open.
struct Level {
    entered: u32,
    open: u32,
    /// The transitions of the open node are these.
    first: usize,
    count: usize,
    /// How many of them have been followed.
    done: usize,
}

impl Level {
    /// The position of a transition. Each thread begins with another one.
    fn at(&self, number: usize, thread: usize) -> usize {
        let shift = thread.wrapping_mul(0x9e37_79b9).wrapping_add(thread * self.open as usize);
        self.first + (number + shift % self.count) % self.count
    }
}

/// One thread.
pub(super) struct Thread<'a, G: Guide> {
    pub(super) guide: G,
    sets: &'a Sets,
    number: usize,
    stop: &'a AtomicBool,
    path: Vec<Level>,
    /// A node of each set on the way.
    roots: Vec<u32>,
    /// All marks of a set.
    marks: Vec<u64>,
}

impl<'a, G: Guide> Thread<'a, G> {
    pub(super) fn new(guide: G, sets: &'a Sets, number: usize, stop: &'a AtomicBool) -> Self {
        let marks = vec![0; guide.sets().div_ceil(64)];
        Thread { guide, sets, number, stop, path: Vec::new(), roots: Vec::new(), marks }
    }

    /// Walks through everything that a node leads to.
    pub(super) fn search(&mut self, first: u32) -> Outcome<G::End> {
        if self.sets.claim(first, self.number) != Claim::Entered {
            return Outcome::Nothing;
        }
        self.walk(first).map_or_else(|outcome| outcome, |()| Outcome::Nothing)
    }

    fn walk(&mut self, first: u32) -> Result<(), Outcome<G::End>> {
        self.enter(first)?;
        while let Some(level) = self.path.last() {
            if self.stop.load(Ordering::Relaxed) {
                return Err(Outcome::Stopped);
            }
            match level.done == level.count {
                true => self.go_on()?,
                false => self.follow()?,
            }
        }
        Ok(())
    }

    fn enter(&mut self, node: u32) -> Result<(), Outcome<G::End>> {
        self.roots.push(node);
        let first = self.guide.count();
        self.path.push(Level { entered: node, open: node, first, count: 0, done: 0 });
        self.open(node)
    }

    fn open(&mut self, node: u32) -> Result<(), Outcome<G::End>> {
        self.guide.open(node).map_err(Outcome::Ended)?;
        let count = self.guide.count();
        if let Some(level) = self.path.last_mut() {
            (level.open, level.count, level.done) = (node, count - level.first, 0);
        }
        Ok(())
    }

    /// The open node is done: goes on with another of its set, or back if there is none.
    fn go_on(&mut self) -> Result<(), Outcome<G::End>> {
        let Some(&Level { entered, open, first, count, .. }) = self.path.last() else {
            return Ok(());
        };
        if self.sets.done(open) {
            self.guide.followed(count);
        }
        self.guide.close(first);
        match self.sets.busy(entered) {
            Some(other) => self.open(other),
            None => self.leave(entered),
        }
    }

    fn leave(&mut self, entered: u32) -> Result<(), Outcome<G::End>> {
        self.path.pop();
        if self.roots.last() == Some(&entered) {
            self.roots.pop();
        }
        match self.path.last() {
            Some(level) => {
                let (source, at) = (level.open, level.at(level.done - 1, self.number));
                self.account(source, entered, at)
            }
            None => Ok(()),
        }
    }

    /// Follows the next transition of the open node.
    fn follow(&mut self) -> Result<(), Outcome<G::End>> {
        let Some(level) = self.path.last_mut() else { return Ok(()) };
        if self.sets.is_done(level.open) {
            // Another thread was faster.
            level.done = level.count;
            return Ok(());
        }
        let (source, at) = (level.open, level.at(level.done, self.number));
        level.done += 1;
        let target = self.guide.follow(source, at).map_err(Outcome::Ended)?;
        match self.sets.claim(target, self.number) {
            Claim::Complete => self.account(source, target, at),
            Claim::Entered => self.enter(target),
            Claim::Inside => {
                self.unite_down_to(target, source);
                self.account(source, target, at)
            }
        }
    }

    /// Unites the sets on the way from the one with a node on.
    fn unite_down_to(&mut self, node: u32, top: u32) {
        while !self.sets.same(node, top)
            && let Some(last) = self.roots.pop()
            && let Some(&before) = self.roots.last()
        {
            self.sets.unite(last, before);
        }
    }

    /// Adds the marks of a transition that was followed, if its ends are in one set.
    fn account(&mut self, source: u32, target: u32, at: usize) -> Result<(), Outcome<G::End>> {
        if !self.sets.same(source, target) {
            return Ok(());
        }
        self.sets.add_marks(source, self.guide.marks(at), &mut self.marks);
        match is_full(&self.marks, self.guide.sets()) {
            true => Err(Outcome::Cycle(source)),
            false => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests;
