//! The states of a search: in memory, and in sorted files.
//!
//! A state that is not in memory is put there and is *pending*: it may be in a file. Pending states are *settled*
//! together, when a level ends or the memory is full: those that pass a filter are sorted and looked up in all files, in
//! one pass per file. What is in no file is new. It goes to the queue of the next level and into the log, in the order of discovery,
//! which is the order of the numbers in memory.
//!
//! Settled states stay in memory, new or not, so that states that come again soon are known at once. When the memory is
//! full, the states that are in no file are written to files of their own, those of the next level apart from the others,
//! and the memory is emptied.

use std::ops::Range;

use super::files::Files;
use super::filter::Filter;
use super::log::{Found, Log};
use super::run::Key;
use super::runs::Runs;
use super::spool::Spool;
use super::table::{States, Table};
use crate::bfs::log::Origin;
use crate::limits::{Limit, LimitMonitor};
use crate::sizes::Sizes;
use taut_machine::hash::hash;

/// The state is in a file.
const IN_FILE: u8 = 1;
/// The state was found since the level began. It counts for states that were put into memory since then.
const NEXT: u8 = 2;

/// StateQuota for pending states to begin with.
const FEW: usize = 64;

/// What is known of a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Seen {
    /// It was not in memory. Whether it is new will be known when it is settled.
    Inserted(u32),
    /// It was put into memory before, and is not settled.
    Pending(u32),
    /// It was found since the level began.
    Next,
    /// It was found before the level began.
    Old,
}

/// The states that were found.
pub(super) struct Store<'w> {
    watch: &'w LimitMonitor,
    table: Table,
    runs: Runs,
    filter: Filter,
    /// The states of the next level.
    pub(super) next: Spool,
    log: Log,
    /// Number of states that were found.
    stored: u64,
    /// The numbers of pending states start here.
    pending_from: u32,
    /// The numbers of states that were put into memory since the level began start here.
    level_from: u32,
    /// Where each pending state was found. Positions of sources count from `base`.
    origins: Vec<Origin>,
    base: u64,
    /// Space to sort states in.
    keys: Vec<Key>,
}

impl<'w> Store<'w> {
    /// An empty store for states of so many words.
    pub(super) fn new(
        files: &Files,
        words: usize,
        sizes: &Sizes,
        watch: &'w LimitMonitor,
    ) -> Store<'w> {
        Store {
            watch,
            table: Table::new(words, sizes.table),
            runs: Runs::new(files, words, *sizes),
            filter: Filter::new(sizes.filter),
            next: Spool::new(files, words, sizes),
            log: Log::new(files, sizes),
            stored: 0,
            pending_from: 0,
            level_from: 0,
            origins: Vec::new(),
            base: 0,
            keys: Vec::new(),
        }
    }

    /// Inserts the initial state. The log knows the way to it without an entry.
    pub(super) fn insert_initial(&mut self, state: &[u64]) -> Result<(), Limit> {
        self.table.insert(state, hash(state));
        (self.stored, self.pending_from) = (1, 1);
        self.next.push(state)
    }

    /// Number of states that were found and settled.
    pub(super) fn stored(&self) -> u64 {
        self.stored
    }

    /// Slots in memory, and states in them.
    pub(super) fn slots(&self) -> (u64, u64) {
        (self.table.slots(), u64::from(self.table.len()))
    }

    /// Bytes held in memory.
    pub(super) fn bytes(&self) -> u64 {
        let beside =
            self.origins.capacity() * size_of::<Origin>() + self.keys.capacity() * size_of::<Key>();
        self.table.bytes()
            + self.runs.bytes()
            + self.filter.bytes()
            + self.next.bytes()
            + self.log.bytes()
            + beside as u64
    }

    /// Whether a state cannot be put into memory now, found from a source at this position.
    pub(super) fn is_full(&self, source: u64) -> bool {
        self.table.is_full() || !self.origins.is_empty() && self.is_far(source)
    }

    /// Shows a state with its hash, found from a source at a position of the level. There is room.
    #[inline]
    pub(super) fn insert(&mut self, state: &[u64], hash: u64, found: Found) -> Seen {
        let (id, inserted) = self.table.insert(state, hash);
        if !inserted {
            return self.seen(id);
        }
        if self.origins.is_empty() {
            self.base = found.source;
        }
        debug_assert!(!self.is_far(found.source), "sources come in order within a round");
        if self.origins.len() == self.origins.capacity() {
            // As far as the table has room, and no further.
            let more = self.table.room().min(self.origins.len().max(FEW));
            self.origins.reserve_exact(more.max(1));
        }
        let source = (found.source - self.base) as u32;
        self.origins.push(Origin { source, ordinal: found.ordinal });
        Seen::Inserted(id)
    }

    /// Whether the position of a source cannot be counted from the base.
    fn is_far(&self, source: u64) -> bool {
        source.checked_sub(self.base).is_none_or(|distance| distance > u64::from(u32::MAX))
    }

    /// What is known of a state in memory.
    #[inline]
    pub(super) fn seen(&self, id: u32) -> Seen {
        if id >= self.pending_from {
            return Seen::Pending(id);
        }
        let is_next = id >= self.level_from && self.table.flags(id) & NEXT != 0;
        if is_next { Seen::Next } else { Seen::Old }
    }

    /// Finds out which pending states are new.
    pub(super) fn settle(&mut self) -> Result<(), Limit> {
        self.look_up()?;
        let pending = self.pending();
        self.pending_from = pending.end;
        for id in pending.clone() {
            if self.table.flags(id) & IN_FILE != 0 {
                continue;
            }
            if self.stored >= self.watch.most_states() {
                return Err(Limit::States(self.stored));
            }
            self.stored += 1;
            self.table.parts().1[id as usize] |= NEXT;
            self.next.push(self.table.state(id))?;
            let Origin { source, ordinal } = self.origins[(id - pending.start) as usize];
            self.log.push(Found { source: self.base + u64::from(source), ordinal })?;
        }
        self.origins.clear();
        Ok(())
    }

    fn pending(&self) -> Range<u32> {
        self.pending_from..self.table.len()
    }

    /// Notes which pending states are in files.
    fn look_up(&mut self) -> Result<(), Limit> {
        let pending = self.pending();
        if self.runs.is_empty() || pending.is_empty() {
            return Ok(());
        }
        let (states, flags) = self.table.parts();
        let filter = &self.filter;
        let may_be_in_file = |&id: &u32| filter.may_have(hash(states.state(id)));
        sort(&mut self.keys, pending.filter(may_be_in_file), states);
        let state_of = |id: u32| states.state(id);
        self.runs.look_up(&mut self.keys, state_of, self.watch, |id, is_next| {
            flags[id as usize] |= if is_next { IN_FILE | NEXT } else { IN_FILE };
        })
    }

    /// Empties the memory, in which everything is settled, into a file.
    pub(super) fn flush(&mut self) -> Result<(), Limit> {
        debug_assert!(self.pending().is_empty(), "everything is settled");
        let level_from = self.level_from.min(self.table.len());
        self.write(0..level_from, false)?;
        self.write(level_from..self.table.len(), true)?;
        self.table.clear();
        (self.pending_from, self.level_from) = (0, 0);
        Ok(())
    }

    /// Writes those of some states in memory that are in no file to one of their own: states of the next level, or of
    /// levels before.
    fn write(&mut self, ids: Range<u32>, are_next: bool) -> Result<(), Limit> {
        let (states, flags) = self.table.parts();
        sort(&mut self.keys, ids.filter(|&id| flags[id as usize] & IN_FILE == 0), states);
        if self.keys.is_empty() {
            return Ok(());
        }
        let sorted = self.keys.iter().map(|&(_, id)| states.state(id));
        // Before it is in a file, so that the filter knows of every state in files at any time.
        sorted.clone().for_each(|state| self.filter.insert(hash(state)));
        self.runs.add(sorted, are_next, self.watch)
    }

    /// Begins the expansion of a level: what is found from now on belongs to the next one.
    pub(super) fn next_level(&mut self) -> Result<(), Limit> {
        debug_assert!(self.pending().is_empty(), "everything is settled");
        self.level_from = self.table.len();
        self.runs.next_level(self.watch)
    }

    /// Notes that the states of a level are all there.
    pub(super) fn end_level(&mut self) -> Result<(), Limit> {
        self.log.end_level();
        self.next.seal()
    }

    /// The ordinals of the successors on the way to a state, given its level and its position there.
    pub(super) fn way(&self, level: usize, position: u64) -> Result<Vec<u32>, Limit> {
        self.log.way(level, position)
    }
}

/// Sorts states by their words.
fn sort(keys: &mut Vec<Key>, ids: impl Iterator<Item = u32>, states: States<'_>) {
    keys.clear();
    keys.reserve_exact(ids.size_hint().1.unwrap_or(0));
    keys.extend(ids.map(|id| (states.state(id)[0], id)));
    keys.sort_unstable_by(|&(a, i), &(b, j)| {
        a.cmp(&b).then_with(|| states.state(i)[1..].cmp(&states.state(j)[1..]))
    });
}
