//! The transient states between two stored ones.
//!
//! After a step that holds, its process goes on alone, and the states in between are passed through, not
//! stored. A *chain* is all of them that one stored state leads to, in the order in which they are found: it
//! is its own queue, a set that ends loops, and a record of how each was reached.
//! Most chains are a few states long and there is one for most stored states, so making the set empty must
//! cost nothing: a slot of the table says for which chain it is meant.
//!
//! Only states after a step that leads where other steps lead, too, are looked up in the set. Every loop
//! has one, so chains end; and what two ways lead to is followed twice only as far as the next of them.

use taut_ir::Action;

use super::moved::Movers;
use crate::hash::hash;

/// How an outcome comes about: an action, after some state of the chain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Provenance {
    /// The state it is taken in: 0 for the stored state that is expanded, else a transient state. Right only
    /// where the whole chain is kept ([`super::Scratch::tracing`]).
    pub(crate) after: u32,
    /// The action.
    pub action: Action,
    /// Who has moved on the way from the stored state, if that is tracked: a number of
    /// [`super::moved::Movers`], 0 if the action is all that happened.
    pub(crate) movers: u32,
}

/// A transient state.
#[derive(Clone, Copy)]
struct Link {
    way: Provenance,
    /// Who holds.
    holder: u32,
}

/// The transient states that one stored state leads to.
#[derive(Default)]
pub(crate) struct TransientClosure {
    words: usize,
    states: Vec<u64>,
    links: Vec<Link>,
    /// Links by the hash of their states: the number of the chain in the high half, the position of the
    /// link in the low half. A slot of another chain is free.
    table: Vec<u64>,
    /// The number of this chain.
    number: u32,
    /// Actions that led to a transient state, added or not.
    pub(crate) passed: u64,
    /// Who moves in it. Ways on which others move do not lead to the same link.
    pub(crate) movers: Movers,
}

/// Slots of the table before it grows.
const FIRST_SLOTS: usize = 64;

impl TransientClosure {
    /// Makes it empty, for states of so many words.
    #[inline]
    pub(crate) fn clear(&mut self, words: usize) {
        self.words = words;
        self.passed = 0;
        if !self.links.is_empty() {
            self.forget();
        }
    }

    fn forget(&mut self) {
        self.states.clear();
        self.links.clear();
        self.movers.clear();
        self.number += 1;
        // After so many chains their numbers start again.
        if self.number == u32::MAX {
            (self.number, self.table) = (0, Vec::new());
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.links.len()
    }

    pub(crate) fn bytes(&self) -> u64 {
        let links = self.links.capacity() * size_of::<Link>();
        (self.states.capacity() * 8 + links + self.table.capacity() * 8) as u64
    }

    pub(crate) fn state(&self, index: usize) -> &[u64] {
        &self.states[index * self.words..(index + 1) * self.words]
    }

    pub(crate) fn holder(&self, index: usize) -> u32 {
        self.links[index].holder
    }

    pub(crate) fn way(&self, index: usize) -> Provenance {
        self.links[index].way
    }

    /// The actions from the stored state to an outcome.
    pub(crate) fn path(&self, way: Provenance) -> Vec<Action> {
        debug_assert!(way.after as usize <= self.links.len(), "a way begins in this chain");
        let mut actions = vec![way.action];
        let mut after = way.after;
        // Links are numbered from 1 here: 0 is the stored state itself.
        while after > 0 {
            let way = self.way(after as usize - 1);
            debug_assert!(way.after < after, "a link comes after the one it was found from");
            actions.push(way.action);
            after = way.after;
        }
        actions.reverse();
        actions
    }

    /// Adds a transient state that nobody asks for again.
    pub(crate) fn push(&mut self, way: Provenance, holder: u32, state: &[u64]) {
        self.states.extend_from_slice(state);
        self.links.push(Link { way, holder });
    }

    /// Adds a transient state unless it is there.
    pub(crate) fn add(&mut self, way: Provenance, holder: u32, state: &[u64]) {
        // `push` adds links that are in no slot, so the table is at most half full, and a free slot ends every probe.
        if self.links.len() * 2 >= self.table.len() {
            self.grow();
        }
        debug_assert!(self.links.len() * 2 < self.table.len());
        let slot = self.slot(way.movers, holder, state);
        if !self.is_used(slot) {
            self.table[slot] = self.entry(self.links.len());
            self.push(way, holder, state);
        }
    }

    /// What the table says of the link at a position.
    fn entry(&self, index: usize) -> u64 {
        u64::from(self.number) << 32 | index as u64
    }

    #[inline]
    fn is_used(&self, slot: usize) -> bool {
        self.table[slot] >> 32 == u64::from(self.number)
    }

    #[inline]
    fn is(&self, slot: usize, movers: u32, holder: u32, state: &[u64]) -> bool {
        let index = self.table[slot] as u32 as usize;
        let link = &self.links[index];
        link.holder == holder
            && link.way.movers == movers
            && self.state(index).iter().zip(state).all(|(a, b)| a == b)
    }

    /// Where a transient state is in the table or would go.
    #[inline]
    fn slot(&self, movers: u32, holder: u32, state: &[u64]) -> usize {
        let mask = self.table.len() - 1;
        let mut at = (hash(state) ^ u64::from(holder)) as usize & mask;
        while self.is_used(at) && !self.is(at, movers, holder, state) {
            at = (at + 1) & mask;
        }
        at
    }

    fn grow(&mut self) {
        let slots = (self.table.len() * 2).max(FIRST_SLOTS);
        // No chain has the number u32::MAX, so these slots are free. Links of `push` get slots, too, which does no harm.
        self.table.clear();
        self.table.resize(slots, u64::MAX);
        for index in 0..self.links.len() {
            let Link { way, holder } = self.links[index];
            let slot = self.slot(way.movers, holder, self.state(index));
            self.table[slot] = self.entry(index);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use taut_ir::{ProcId, StepId};

    fn way(after: u32) -> Provenance {
        let action = Action::step(ProcId(0), StepId(after));
        Provenance { after, action, movers: 0 }
    }

    #[test]
    fn a_chain_is_a_set_of_states_with_their_holders() {
        let mut chain = TransientClosure::default();
        for round in 0..3 {
            chain.clear(2);
            assert_eq!(chain.len(), 0);
            for state in 0..1_000 {
                for holder in 0..2 {
                    chain.add(way(state), holder, &[u64::from(state), round]);
                    chain.add(way(0), holder, &[u64::from(state / 2), round]);
                }
            }
            assert_eq!(chain.len(), 2_000);
            assert_eq!(chain.state(17), [8, round]);
            assert_eq!(chain.holder(17), 1);
        }
    }

    #[test]
    fn a_path_leads_from_the_stored_state_to_the_outcome() {
        let mut chain = TransientClosure::default();
        chain.clear(1);
        chain.add(way(0), 0, &[5]);
        chain.add(way(1), 0, &[6]);
        chain.add(way(1), 0, &[7]);
        let steps: Vec<Action> = [0, 1, 3].map(|after| way(after).action).into();
        assert_eq!(chain.path(way(3)), steps);
    }
}
