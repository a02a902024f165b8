//! What a search asks of the set of states it has visited, whatever that keeps of a state.
//!
//! A search hands over whole states and gets back a *handle* for each new one, by which it finds the state
//! again when its turn comes to be expanded. A set that keeps states gives a word for each; a set that does not
//! lets the search hold on to the whole state until then.

use std::io;
use std::sync::atomic::{AtomicU64, Ordering};

use super::shared::{Ids, SharedStore};
use super::{Inserted, StateId};
use crate::checkpoint::{Reader, Saved, Writer};
use crate::exploration::Lossy;
use taut_machine::hash::hash;

/// What became of a state that was shown to the set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Seen {
    /// It was not there before; its handle, if the set has one.
    New(u64),
    /// It was there, found since the level began.
    Next,
    /// It was there. A set that does not know since when says this of every known state.
    Old,
}

/// When several threads may insert into a set in any order and the states that it takes for new are always the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sharing {
    /// In any search.
    Always,
    /// In a search that follows every action. The set does not know in which level a state was found, and a reduced
    /// expansion is repeated in full depending on that ([`crate::expander`]).
    Unreduced,
    /// Never: a state can be taken for a known one, and for which depends on the order.
    Never,
}

/// A set of states that several threads search with.
pub(crate) trait Visited: Sync {
    /// What one thread needs to insert states.
    type ThreadCache: Default + Send;
    /// Whether handles are words of the set; if not, they are the states themselves.
    const HAS_HANDLES: bool;
    /// When the order of insertions makes no difference.
    const SHARING: Sharing;

    /// Whether the set can be written to a checkpoint.
    const CAN_BE_KEPT: bool = false;

    /// An empty set for states of so many words, which may take so many bytes.
    fn new(words: usize, most_bytes: Option<u64>) -> Self;

    /// Inserts states that lie one after the other, and calls `f` with the position and the outcome of each, in
    /// order. `f` must not ask the set anything.
    fn insert_all(
        &self,
        states: &[u64],
        hashes: &[u64],
        hand: &mut Self::ThreadCache,
        f: impl FnMut(usize, Seen),
    );

    /// Whether a state would not be new.
    fn contains(&self, state: &[u64]) -> bool;

    /// The state with a handle.
    fn load(&self, handle: u64, state: &mut [u64]);

    /// What is inserted from now on belongs to a new level. No thread is inserting.
    fn next_level(&self, _hands: &mut [&mut Self::ThreadCache]) {}

    /// Bytes held.
    fn bytes(&self) -> u64;

    /// Bytes held once so many more states are there, at most, growing included.
    fn bytes_after(&self, more: usize) -> u64;

    /// Whether no more states can be numbered.
    fn is_full(&self) -> bool {
        false
    }

    /// Slots of the table, and how many of them are in use with so many states found.
    fn slots(&self, states: u64) -> (u64, u64);

    /// Writes the set to a checkpoint, with what the first thread has at hand. No thread is inserting.
    fn save(&self, _hands: &[&Self::ThreadCache], _to: &mut Writer<'_>) -> io::Result<()> {
        Err(io::ErrorKind::Unsupported.into())
    }

    /// Reads a set for states of so many words, with what the first thread had at hand. The other threads begin with
    /// nothing.
    fn restore(_words: usize, _from: &mut Reader<'_>) -> io::Result<(Self, Self::ThreadCache)>
    where
        Self: Sized,
    {
        Err(io::ErrorKind::Unsupported.into())
    }

    /// How far a result is to be trusted, with so many states found.
    fn lossy(&self, _states: u64) -> Option<Lossy> {
        None
    }
}

/// Whole states: [`SharedStore`] with handles that are numbers.
pub(crate) struct Exact {
    store: SharedStore,
    /// The numbers of states of the level that is being built start here.
    level: AtomicU64,
}

impl Visited for Exact {
    type ThreadCache = Ids;
    const HAS_HANDLES: bool = true;
    const SHARING: Sharing = Sharing::Always;
    const CAN_BE_KEPT: bool = true;

    fn new(words: usize, _: Option<u64>) -> Exact {
        Exact { store: SharedStore::new(words), level: AtomicU64::new(0) }
    }

    #[inline]
    fn insert_all(
        &self,
        states: &[u64],
        hashes: &[u64],
        ids: &mut Ids,
        mut f: impl FnMut(usize, Seen),
    ) {
        let level = self.level.load(Ordering::Relaxed);
        self.store.insert_all(states, hashes, ids, |i, inserted| {
            let seen = match inserted {
                Inserted::New(id) => Seen::New(u64::from(id.0)),
                Inserted::Old(id) if u64::from(id.0) >= level => Seen::Next,
                Inserted::Old(_) => Seen::Old,
            };
            f(i, seen);
        });
    }

    fn contains(&self, state: &[u64]) -> bool {
        self.store.find(state).is_some()
    }

    #[inline]
    fn load(&self, handle: u64, state: &mut [u64]) {
        self.store.read(StateId(handle as u32), state);
    }

    /// Numbers that are left over are smaller than those of other threads' states. One thread can go on with
    /// its own if it was alone; else all are forgotten.
    fn next_level(&self, hands: &mut [&mut Ids]) {
        let (first, others) = hands.split_first_mut().expect("a thread");
        if others.iter().any(|ids| !ids.is_empty()) {
            first.forget();
            others.iter_mut().for_each(|ids| ids.forget());
        }
        let level = first.peek().map_or(self.store.next_id(), u64::from);
        self.level.store(level, Ordering::Relaxed);
    }

    fn bytes(&self) -> u64 {
        self.store.bytes()
    }

    fn bytes_after(&self, more: usize) -> u64 {
        self.store.bytes_after(more)
    }

    fn is_full(&self) -> bool {
        self.store.is_full()
    }

    fn slots(&self, states: u64) -> (u64, u64) {
        (self.store.slots(), states)
    }

    fn save(&self, hands: &[&Ids], to: &mut Writer<'_>) -> io::Result<()> {
        self.level.load(Ordering::Relaxed).save(to)?;
        save_first(hands, to)?;
        self.store.save(to)
    }

    fn restore(words: usize, from: &mut Reader<'_>) -> io::Result<(Exact, Ids)> {
        let level = AtomicU64::new(u64::restore(from)?);
        let ids = Ids::restore(from)?;
        Ok((Exact { store: SharedStore::restore(words, from)?, level }, ids))
    }
}

/// Writes the numbers of the first thread if it alone has any left. If others have some, all are forgotten, as at the end
/// of a level ([`Exact::next_level`]): numbers that are left over must not be smaller than those of the others' states.
pub(super) fn save_first(hands: &[&Ids], to: &mut Writer<'_>) -> io::Result<()> {
    match hands {
        [first, others @ ..] if others.iter().all(|ids| ids.is_empty()) => first.save(to),
        _ => Ids::default().save(to),
    }
}

/// Inserts one state.
pub(crate) fn insert<V: Visited>(visited: &V, state: &[u64], hand: &mut V::ThreadCache) -> Seen {
    let mut seen = Seen::Old;
    visited.insert_all(state, &[hash(state)], hand, |_, outcome| seen = outcome);
    seen
}
