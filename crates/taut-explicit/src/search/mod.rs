//! What all threads of a search share: the machine, the states seen, the limits; and what they count.

mod context;
mod ends;

use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use taut_ir::Finding;
use taut_memory::MemorySystem;

use crate::checkpoint::saved;
use crate::expander::{Expander, Totals};
use crate::exploration::{Completion, Found, Phases};
use crate::limits::{Limit, LimitPoll, ProgressSnapshot};
use crate::store::lanes::Apart;
use crate::store::visited::{Seen, Visited, insert};
use taut_machine::{BoundsMet, Machine};

pub(crate) use context::{PARALLEL_FROM_STATES, SearchContext, Stored};

/// A search, as its threads see it.
pub(crate) struct Search<'a, M, E, V> {
    pub(crate) machine: &'a Machine<M>,
    pub(crate) expander: &'a E,
    pub(crate) setting: SearchContext<'a>,
    pub(crate) visited: V,
    pub(crate) room: Apart<StateQuota>,
    /// Bytes held beside the states seen: what waits to be expanded, a log, a stack.
    pub(crate) aside: Apart<AtomicU64>,
    peak_bytes: Apart<AtomicU64>,
    pub(crate) progress: Apart<Counts>,
}

/// How far a search has come.
#[derive(Default)]
pub(crate) struct Counts {
    pub(crate) transitions: AtomicU64,
    pub(crate) expanded: AtomicU64,
    pub(crate) depth: AtomicU64,
}

/// What a search came to.
pub(crate) struct Outcome {
    pub(crate) completion: Completion,
    pub(crate) tally: Tally,
    pub(crate) depth: u64,
    pub(crate) found: Vec<Found>,
    /// Whether anything in it depends on which of several threads was faster.
    pub(crate) raced: bool,
}

/// What one thread has counted.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Tally {
    /// States shown to the set of visited ones, new or not.
    pub(crate) inserted: u64,
    /// Actions that led to transient states.
    pub(crate) passed: u64,
    pub(crate) deadlocks: u64,
    /// Actions that ended in a fault.
    pub(crate) faults: u64,
    /// States expanded, the second time included.
    pub(crate) expanded: u64,
    /// States of which only a part of the successors was followed.
    pub(crate) reduced: u64,
    /// States in which it was tried to leave something out.
    pub(crate) tried: u64,
    /// States that were passed through.
    pub(crate) through: u64,
    /// Successors in which equal processes have changed places.
    pub(crate) sorted: u64,
    pub(crate) bounds_met: BoundsMet,
    pub(crate) phases: Phases,
}

saved!(Tally {
    inserted,
    passed,
    deadlocks,
    faults,
    expanded,
    reduced,
    tried,
    through,
    sorted,
    bounds_met,
    phases,
});

impl Tally {
    /// What leaving out has come to.
    pub(crate) fn totals(&self) -> Totals {
        Totals { tried: self.tried, gained: self.reduced + self.through }
    }

    /// Adds what another thread has counted.
    pub(crate) fn add(&mut self, other: &Tally) {
        self.inserted += other.inserted;
        self.passed += other.passed;
        self.deadlocks += other.deadlocks;
        self.faults += other.faults;
        self.expanded += other.expanded;
        self.reduced += other.reduced;
        self.tried += other.tried;
        self.through += other.through;
        self.sorted += other.sorted;
        self.phases.successors += other.phases.successors;
        self.phases.store += other.phases.store;
        self.phases.properties += other.phases.properties;
        self.bounds_met.join(other.bounds_met);
    }
}

impl<'a, M: MemorySystem, E: Expander, V: Visited> Search<'a, M, E, V> {
    pub(crate) fn new(
        machine: &'a Machine<M>,
        expander: &'a E,
        setting: SearchContext<'a>,
    ) -> Self {
        let limits = setting.watch.limits();
        Search {
            machine,
            expander,
            setting,
            visited: V::new(machine.words(), limits.bytes),
            room: Apart(StateQuota::new(setting.watch.most_states())),
            aside: Apart::default(),
            peak_bytes: Apart::default(),
            progress: Apart::default(),
        }
    }

    /// The same search without a limit on the number of states here: the parts of a shared search look at the sum.
    pub(crate) fn without_quota(mut self) -> Self {
        self.room = Apart(StateQuota::new(u64::MAX));
        self
    }

    /// Inserts the initial state.
    pub(crate) fn insert_initial(&self, hand: &mut V::ThreadCache) -> u64 {
        let Seen::New(handle) = insert(&self.visited, self.machine.initial(), hand) else {
            unreachable!("nothing was inserted before")
        };
        self.room.reserved.store(1, Ordering::Relaxed);
        self.room.settle(1, 1);
        handle
    }

    /// How long one expansion may take.
    pub(crate) fn patience(&self) -> LimitPoll<'a> {
        LimitPoll::new(self.setting.watch)
    }

    /// Bytes held now.
    pub(crate) fn bytes(&self) -> u64 {
        self.visited.bytes() + self.aside.load(Ordering::Relaxed)
    }

    /// Most bytes held so far.
    pub(crate) fn peak_bytes(&self) -> u64 {
        self.peak_bytes.load(Ordering::Relaxed).max(self.bytes())
    }

    /// Takes note of the most bytes that were held before a checkpoint.
    pub(crate) fn held_before(&self, bytes: u64) {
        self.peak_bytes.fetch_max(bytes, Ordering::Relaxed);
    }

    /// The limit that is met if so many more states are inserted; asked every few states.
    pub(crate) fn limit(&self, about: usize) -> Option<Completion> {
        if self.visited.is_full() {
            return Some(Completion::Limit(Limit::States(self.room.stored())));
        }
        let bytes = self.visited.bytes_after(about) + self.aside.load(Ordering::Relaxed);
        let limit = self.setting.watch.check(bytes);
        // Looking first keeps the cache line with all threads.
        if limit.is_none() && bytes > self.peak_bytes.load(Ordering::Relaxed) {
            self.peak_bytes.fetch_max(bytes, Ordering::Relaxed);
        }
        limit.map(Completion::Limit)
    }

    /// Whether bounds that were met end the search.
    pub(crate) fn end_by(&self, met: BoundsMet) -> Option<Completion> {
        self.setting.end_by(met)
    }

    /// Whether what was found ends the search.
    pub(crate) fn end_by_findings(
        &self,
        any: bool,
        has: impl Fn(Finding) -> bool,
    ) -> Option<Completion> {
        self.setting.end_by_findings(any, has)
    }

    /// Calls `f` with what is wrong in a new state.
    #[inline]
    pub(crate) fn for_each_violated(&self, state: &[u64], mut f: impl FnMut(Finding)) {
        self.machine.for_each_violated(state, |property| f(Finding::Property(property)));
    }

    /// Says how far the search has come, to who watches.
    pub(crate) fn publish(&self) {
        let Some(progress) = &self.setting.watch.limits().progress else { return };
        let of = |count: &AtomicU64| count.load(Ordering::Relaxed);
        let states = self.room.stored();
        progress.publish(ProgressSnapshot {
            states,
            transitions: of(&self.progress.transitions),
            queue: states.saturating_sub(of(&self.progress.expanded)),
            depth: of(&self.progress.depth),
            bytes: self.bytes(),
        });
    }
}

/// StateQuota for states under a limit on their number, which several threads meet exactly.
///
/// A thread *reserves* room for as many states as it is about to insert, or many more as long as the limit is
/// far away, and *settles* what were new. What is reserved is at least what is stored, and the difference is what
/// threads are busy with: the sum of their [`Lease`]s. A thread settles its lease before it waits for others, so
/// close to the limit no room is kept by a thread that does not need it.
pub(crate) struct StateQuota {
    most: u64,
    reserved: AtomicU64,
    stored: AtomicU64,
    /// Held by the one thread that inserts states one by one, close to the limit.
    narrow: Mutex<()>,
}

/// Room that one thread has reserved and not settled.
#[derive(Debug, Default)]
pub(crate) struct Lease {
    /// For states to come.
    left: u64,
    /// For states that were stored.
    used: u64,
}

/// States for which room is reserved at a time. Threads meet at the counters once for so many.
const LEASE: u64 = 1 << 12;

impl StateQuota {
    fn new(most: u64) -> StateQuota {
        let (reserved, stored) = (AtomicU64::new(0), AtomicU64::new(0));
        StateQuota { most, reserved, stored, narrow: Mutex::new(()) }
    }

    /// Takes note of states that are stored already. No thread is inserting.
    pub(crate) fn restore(&self, stored: u64) {
        self.stored.store(stored, Ordering::Release);
        self.reserved.store(stored, Ordering::Release);
    }

    /// How many states are stored.
    pub(crate) fn stored(&self) -> u64 {
        self.stored.load(Ordering::Acquire)
    }

    fn reserve(&self, more: u64) -> bool {
        let fits = |reserved: u64| reserved.checked_add(more).filter(|&all| all <= self.most);
        self.reserved.fetch_update(Ordering::AcqRel, Ordering::Acquire, fits).is_ok()
    }

    /// Reserves room for so many states; false if there is none.
    fn extend(&self, lease: &mut Lease, more: u64) -> bool {
        if lease.left >= more {
            return true;
        }
        self.settle_lease(lease);
        let sizes = [LEASE.max(more), more];
        lease.left = sizes.into_iter().find(|&size| self.reserve(size)).unwrap_or(0);
        lease.left > 0 || more == 0
    }

    /// Gives back the room that a thread did not need, and counts the states that it has stored.
    pub(crate) fn settle_lease(&self, lease: &mut Lease) {
        let Lease { left, used } = std::mem::take(lease);
        if left + used > 0 {
            self.settle(left + used, used);
        }
    }

    fn settle(&self, reserved: u64, new: u64) {
        debug_assert!(new <= reserved, "room was reserved for every new state");
        self.stored.fetch_add(new, Ordering::AcqRel);
        self.reserved.fetch_sub(reserved - new, Ordering::AcqRel);
    }

    /// Inserts states of so many words; `f` gets the position and the outcome of each, in order. False if one
    /// was new and there was no room for it.
    pub(crate) fn insert_all<V: Visited>(
        &self,
        visited: &V,
        (states, words): (&[u64], usize),
        hashes: &[u64],
        (hand, lease): (&mut V::ThreadCache, &mut Lease),
        mut f: impl FnMut(usize, Seen),
    ) -> bool {
        if self.extend(lease, hashes.len() as u64) {
            let mut new = 0;
            visited.insert_all(states, hashes, hand, |i, seen| {
                new += u64::from(matches!(seen, Seen::New(_)));
                f(i, seen);
            });
            debug_assert!(new <= lease.left, "room was reserved for every new state");
            (lease.left, lease.used) = (lease.left - new, lease.used + new);
            return true;
        }
        // Close to the limit: one by one, so that it is met exactly.
        let _alone = self.narrow.lock();
        let mut each = states.chunks_exact(words).enumerate();
        each.all(|(i, state)| {
            self.insert_one(visited, state, hand).map(|seen| f(i, seen)).is_some()
        })
    }

    /// Inserts one state; none if it is new and there is no room for it. Waits for threads that have reserved
    /// room which they may not need.
    pub(crate) fn insert_one<V: Visited>(
        &self,
        visited: &V,
        state: &[u64],
        hand: &mut V::ThreadCache,
    ) -> Option<Seen> {
        loop {
            if self.reserve(1) {
                let seen = insert(visited, state, hand);
                self.settle(1, u64::from(matches!(seen, Seen::New(_))));
                return Some(seen);
            }
            if visited.contains(state) {
                return Some(Seen::Old);
            }
            if self.stored() >= self.most {
                return None;
            }
            std::thread::yield_now();
        }
    }
}
