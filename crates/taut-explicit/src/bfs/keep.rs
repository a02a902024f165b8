//! A breadth-first search that stands still, in a checkpoint.
//!
//! **The cut.** All workers have stopped. Every state of the level before a position was expanded and its successors are
//! in the set, but for those that a worker had claimed and *left* when it met a limit ([`Left`]). So the search is
//! known from: the set of states, the level and the position in it, what was left, the next level as far as it was found,
//! the log, the counts, and what was found.
//!
//! **One thread goes on exactly.** It has left at most the batch that it claimed last, so the position goes back to where
//! that begins; or the sources of that batch that are to be expanded in full, which come first when the search goes on. Batches
//! begin at the same positions as without the cut, and everything that they depend on is the same: the next number of a
//! state, the number at which the level begins, the level from which on buffers can be full.
//!
//! **Several threads** have no fixed order. What they left is taken up by the first worker. Any number of them can go
//! on: the parts of the log stay those of the workers who wrote them, and a search that has shared a level stays a shared
//! one, so that what it finds is looked for once more by one thread ([`super`]).

use std::io;
use std::sync::atomic::Ordering;

use taut_memory::MemorySystem;

use super::BreadthFirst;
use super::level::{Level, Waiting};
use super::log::{Log, Stream};
use super::worker::{Left, LevelIndex, Site, Worker};
use crate::checkpoint::{Extent, Keeper, Reader, Saved, Writer, damaged, saved};
use crate::expander::Expander;
use crate::findings::Findings;
use crate::search::{Search, Tally};
use crate::store::visited::Visited;

/// A search that was read from a checkpoint, but for the set of states.
pub(crate) struct Kept<H> {
    /// What the first worker has at hand.
    hand: H,
    level: Vec<Waiting>,
    from: usize,
    left: Left,
    workers: Vec<KeptWorker>,
    log: Log,
    found: Findings<LevelIndex>,
    depth: usize,
    shared: bool,
    raced: bool,
}

/// A worker, from level to level.
struct KeptWorker {
    next: Waiting,
    stream: Stream,
    found: Findings<Site>,
    tally: Tally,
}
saved!(KeptWorker { next, stream, found, tally });

impl<'a, M: MemorySystem, E: Expander, V: Visited> BreadthFirst<'_, 'a, M, E, V> {
    /// Writes the search. The position goes back to the first state that was not expanded, as far as that is possible.
    pub(super) fn keep(&mut self, keeper: &Keeper, level: &Level, from: &mut usize) {
        let mut left = Left::default();
        for worker in &mut self.workers {
            let Left { sources, in_part } = std::mem::take(&mut worker.left);
            // Who expands a source in full takes it from the count of those that were expanded in part.
            worker.batch.tally.reduced -= in_part.len() as u64;
            left.sources.extend(sources);
            left.in_part.extend(in_part);
        }
        self.workers[0].batch.tally.reduced += left.in_part.len() as u64;
        left.sources.sort_unstable();
        while let Some(&(start, end)) = left.sources.last()
            && end == *from
        {
            *from = start;
            left.sources.pop();
        }
        let search = self.search;
        let extent = Extent { states: search.room.stored(), bytes: search.bytes() };
        let position = *from;
        keeper.save(extent, |to| {
            let hands: Vec<&V::ThreadCache> = self.workers.iter().map(|w| &w.hand).collect();
            search.visited.save(&hands, to)?;
            search.room.stored().save(to)?;
            search.peak_bytes().save(to)?;
            search.machine.reached().save(to)?;
            search.expander.noted().save(to)?;
            level.parts().save(to)?;
            position.save(to)?;
            left.save(to)?;
            self.save_workers(to)?;
            self.log.save(to)?;
            self.found.save(to)?;
            self.depth.save(to)?;
            (self.shared, self.raced).save(to)
        });
        self.workers[0].left = left;
    }

    fn save_workers(&self, to: &mut Writer<'_>) -> io::Result<()> {
        self.workers.len().save(to)?;
        for worker in &self.workers {
            worker.next.save(to)?;
            worker.stream.save(to)?;
            worker.found.save(to)?;
            worker.batch.tally.save(to)?;
        }
        Ok(())
    }

    /// Takes up a search; the level, and the position in it.
    pub(super) fn take_up(&mut self, kept: Kept<V::ThreadCache>) -> (Level, usize) {
        let search = self.search;
        let mut workers = Vec::new();
        for kept in kept.workers {
            let mut worker = Worker::new(search.machine.words(), search.patience());
            (worker.next, worker.stream, worker.found) = (kept.next, kept.stream, kept.found);
            worker.batch.tally = kept.tally;
            let Tally { inserted, expanded, .. } = kept.tally;
            search.progress.transitions.fetch_add(inserted, Ordering::Relaxed);
            search.progress.expanded.fetch_add(expanded, Ordering::Relaxed);
            workers.push(worker);
        }
        (workers[0].hand, workers[0].left) = (kept.hand, kept.left);
        self.workers = workers;
        (self.log, self.found) = (kept.log, kept.found);
        (self.depth, self.shared, self.raced) = (kept.depth, kept.shared, kept.raced);
        let level = Level::new(kept.level);
        self.tell_aside(&level);
        (level, kept.from)
    }
}

impl<H> Kept<H> {
    /// Reads a search; the set of states becomes that of `search`.
    pub(crate) fn restore<M: MemorySystem, E: Expander, V: Visited<ThreadCache = H>>(
        search: &mut Search<'_, M, E, V>,
        from: &mut Reader<'_>,
    ) -> io::Result<Kept<H>> {
        let words = search.machine.words();
        let (visited, hand) = V::restore(words, from)?;
        let (stored, peak) = <(u64, u64)>::restore(from)?;
        let reached = Vec::<Vec<bool>>::restore(from)?;
        let noted = Vec::<u64>::restore(from)?;
        let level: Vec<Waiting> = Saved::restore(from)?;
        let (position, left) = Saved::restore(from)?;
        let workers: Vec<KeptWorker> = Saved::restore(from)?;
        let log = Log::restore(from)?;
        let found = Findings::restore(from)?;
        let depth = usize::restore(from)?;
        let (shared, raced) = Saved::restore(from)?;
        let words = if V::HAS_HANDLES { 1 } else { words };
        let mut waiting = level.iter().chain(workers.iter().map(|w| &w.next));
        if workers.is_empty() || !waiting.all(|w| w.is_whole(words)) {
            return Err(damaged("a level is not whole"));
        }
        if !search.machine.note_reached(&reached) {
            return Err(damaged("it is of another program"));
        }
        if !search.expander.note_again(&noted) {
            return Err(damaged("it is of another reduction"));
        }
        search.visited = visited;
        search.room.restore(stored);
        search.held_before(peak);
        Ok(Kept { hand, level, from: position, left, workers, log, found, depth, shared, raced })
    }
}
