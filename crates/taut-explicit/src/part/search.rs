//! The part itself: what is expanded, what is inserted, and what is decided.

use std::sync::atomic::Ordering;

use taut_budget::Instant;
use taut_fault::{Fault, is_on};
use taut_ir::{Action, Finding};
use taut_machine::bits::BitSet;
use taut_machine::hash::hash;
use taut_memory::MemorySystem;

use super::blocks::{Blocks, Incoming};
use super::parcel::{Kind, Outbox, pack, read_number, unpack, write_number};
use super::sums::{Place, Sum, Total};
use super::{Doing, Part, Peers, owner};
use crate::bfs::batch::Batch;
use crate::bfs::level::{Level, Waiting};
use crate::bfs::log::{Log, Origin, Stream};
use crate::bfs::worker::at_once;
use crate::checkpoint::saved;
use crate::expander::{Expander, Space};
use crate::exploration::{Completion, Found};
use crate::findings::{FindingSite, Findings};
use crate::search::{Lease, Outcome, Search, Stored};
use crate::store::visited::{Seen, Visited};
use crate::trace;

/// Batches of states that are expanded before parcels are looked at again.
const BATCHES: usize = 8;
/// Batches and blocks between two reports on progress.
const BETWEEN_REPORTS: u32 = 64;

/// A phase of the search; the module's documentation lists them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    Start,
    Expand,
    Answer,
    Full,
    Sum,
    /// The search has ended; ways are asked back.
    Ways,
}

/// What only the first part needs to know, at the end.
struct Last {
    reached: Vec<Vec<bool>>,
    peak_bytes: u64,
    slots: (u64, u64),
}

saved!(Last { reached, peak_bytes, slots });

/// Where a finding was met, before positions of the next level are known.
#[derive(Clone, Copy)]
enum Site {
    /// At a position of this level.
    Source(usize),
    /// In a state that came from a part, the how-manieth from there.
    New(u32, usize),
}

/// One part of a search.
struct PartSearch<'s, 'a, M, E, V: Visited> {
    search: &'s Search<'a, M, E, V>,
    me: u32,
    parts: u32,
    phase: Phase,
    depth: usize,
    level: Level,
    /// The first state of the level that was not expanded.
    cursor: usize,
    /// States of the next level, by the part that found them.
    next: Vec<Waiting>,
    /// How they were found, likewise.
    streams: Vec<Stream>,
    log: Log,
    hand: V::ThreadCache,
    batch: Batch<'a>,
    space: Space,
    source: Vec<u64>,
    /// Successors that this part owns, of the batch; states of a block.
    incoming: Incoming,
    blocks: Blocks,
    /// Sources that were expanded in part, and what a successor that was left out counts from.
    in_part: Vec<Origin>,
    /// Sources that lead on.
    leads: BitSet,
    found: Findings<Site>,
    sums: Vec<Option<Sum>>,
    total: Total,
    /// The limit that this part met.
    cut: Option<Completion>,
    /// Whether some part met a limit.
    stops: bool,
    /// Of each finding, the ordinals of its way, the last one first; at the first part.
    ways: Vec<Vec<Option<u32>>>,
    lasts: Vec<Last>,
    finished: bool,
    inserts: u32,
}

/// Searches one part; what all parts have found, with runs at the first part only.
pub(crate) fn search<M: MemorySystem, E: Expander, V: Visited>(
    search: &Search<'_, M, E, V>,
    peers: &dyn Peers,
) -> (Outcome, Stored) {
    let mut part = PartSearch::new(search, peers);
    peers.drive(&mut part);
    part.finish()
}

impl<'s, 'a, M: MemorySystem, E: Expander, V: Visited> PartSearch<'s, 'a, M, E, V> {
    fn new(search: &'s Search<'a, M, E, V>, peers: &dyn Peers) -> Self {
        let parts = peers.count();
        let words = search.machine.words();
        PartSearch {
            search,
            me: peers.index(),
            parts,
            phase: Phase::Start,
            depth: 0,
            level: Level::new(Vec::new()),
            cursor: 0,
            next: (0..parts).map(|_| Waiting::default()).collect(),
            streams: (0..parts).map(|_| Stream::default()).collect(),
            log: Log::default(),
            hand: V::ThreadCache::default(),
            batch: Batch::new(search.patience()),
            space: Space::default(),
            source: vec![0; words],
            incoming: Incoming::default(),
            blocks: Blocks::new(parts, words),
            in_part: Vec::new(),
            leads: BitSet::default(),
            found: Findings::default(),
            sums: (0..parts).map(|_| None).collect(),
            total: Total::default(),
            cut: None,
            stops: false,
            ways: Vec::new(),
            lasts: Vec::new(),
            finished: false,
            inserts: 0,
        }
    }

    /// The phase after this one.
    fn following(&self) -> Phase {
        match self.phase {
            Phase::Start | Phase::Sum if self.total.end.is_some() => Phase::Ways,
            Phase::Start | Phase::Sum => Phase::Expand,
            Phase::Expand if self.search.expander.reduces() => Phase::Answer,
            Phase::Expand | Phase::Full => Phase::Sum,
            Phase::Answer => Phase::Full,
            Phase::Ways => Phase::Ways,
        }
    }

    /// The level of the initial state, at its owner.
    fn start(&mut self) {
        let search = self.search;
        let initial = search.machine.initial();
        if owner(hash(initial), self.parts) != self.me {
            return;
        }
        let handle = search.insert_initial(&mut self.hand);
        self.next[self.me as usize].push::<V>(handle, initial);
        let site = Site::New(self.me, 0);
        search.for_each_violated(initial, |finding| {
            let is_unasked = search.setting.options.is_unasked(finding);
            if !is_unasked {
                self.found.note(FindingSite { finding, action: None, site });
            }
        });
    }

    /// Expands some states of the level.
    fn expand(&mut self, out: &mut Outbox) -> Doing {
        let at_once = at_once(self.source.len());
        for _ in 0..BATCHES {
            if self.stops || self.cursor == self.level.len() {
                self.blocks.flush(out);
                return Doing::Waits;
            }
            let end = self.level.len().min(self.cursor + at_once);
            let before = Instant::now();
            self.batch.clear();
            for position in self.cursor..end {
                self.load(position);
                let at = (self.depth, position as u32);
                let PartSearch { batch, source, space, search, .. } = self;
                batch.expand(at, source, search.expander, space);
            }
            self.cursor = end;
            self.batch.tally.phases.successors += before.elapsed();
            self.take_batch(out);
        }
        Doing::Works
    }

    /// Expands in full what was expanded in part and does not lead on.
    fn expand_in_full(&mut self, out: &mut Outbox) -> Doing {
        let at_once = at_once(self.source.len());
        for _ in 0..BATCHES {
            let left = self.in_part.len().saturating_sub(at_once);
            let mut sources = self.in_part.split_off(left);
            if self.stops || sources.is_empty() {
                self.blocks.flush(out);
                return Doing::Waits;
            }
            sources.retain(|next| !self.leads.contains(next.source as usize));
            let before = Instant::now();
            self.batch.clear();
            for &next in &sources {
                self.load(next.source as usize);
                let PartSearch { batch, source, space, search, depth, .. } = self;
                batch.expand_fully((*depth, next), source, search.expander, space);
            }
            self.batch.tally.reduced -= sources.len() as u64;
            self.batch.tally.phases.successors += before.elapsed();
            self.take_batch(out);
        }
        Doing::Works
    }

    fn load(&mut self, position: usize) {
        self.level.load(&self.search.visited, position, &mut self.source);
    }

    /// Looks at what went wrong in the batch, and brings its states to their owners.
    fn take_batch(&mut self, out: &mut Outbox) {
        self.check_sources();
        if let Some(limit) = self.batch.patience.ended() {
            return self.stop(Completion::Limit(limit), out);
        }
        let words = self.source.len();
        let mut own = std::mem::take(&mut self.incoming);
        own.clear();
        // The sources that were expanded in part come in the order of their successors.
        let mut reduced = self.batch.reduced.iter().peekable();
        for (i, state) in self.batch.states.chunks_exact(words).enumerate() {
            while reduced.next_if(|r| r.end <= i).is_some() {}
            let asks = reduced.peek().is_some_and(|r| r.first <= i);
            let (hash, origin) = (self.batch.hashes[i], self.batch.origins[i]);
            match owner(hash, self.parts) {
                to if to == self.me => own.push(state, hash, origin, asks),
                to => self.blocks.push(to, (state, hash), origin, asks, out),
            }
        }
        if !is_on(Fault::NoProviso) {
            self.in_part.extend(self.batch.reduced.iter().map(|r| r.next));
        }
        self.incoming = own;
        for source in self.insert(self.me, out) {
            self.leads.insert(source as usize);
        }
        self.report(self.batch.hashes.len() as u64);
    }

    /// Inserts the incoming states, which a part has found; the sources that ask and lead on.
    fn insert(&mut self, from: u32, out: &mut Outbox) -> Vec<u32> {
        let search = self.search;
        if self.stops {
            return Vec::new();
        }
        if let Some(end) = search.limit(self.incoming.hashes.len()) {
            self.stop(end, out);
            return Vec::new();
        }
        let before = Instant::now();
        let incoming = std::mem::take(&mut self.incoming);
        let (mut new, mut leads) = (Vec::new(), Vec::new());
        let states = (incoming.states.as_slice(), self.source.len());
        // The numbers of states are summed up after each block, so no room is kept for the next one.
        let mut lease = Lease::default();
        let hand = (&mut self.hand, &mut lease);
        search.room.insert_all(&search.visited, states, &incoming.hashes, hand, |i, seen| {
            if incoming.asks[i] && seen != Seen::Old {
                leads.push(incoming.origins[i].source);
            }
            if let Seen::New(handle) = seen {
                new.push((i, handle));
            }
        });
        search.room.settle_lease(&mut lease);
        let inserted = Instant::now();
        self.batch.tally.phases.store += inserted - before;
        for (i, handle) in new {
            self.keep_new(from, incoming.origins[i], handle, &incoming, i);
        }
        self.batch.tally.phases.properties += inserted.elapsed();
        self.incoming = incoming;
        leads.dedup();
        leads
    }

    /// Checks a new state and keeps it for the next level.
    fn keep_new(&mut self, from: u32, origin: Origin, handle: u64, all: &Incoming, index: usize) {
        let words = self.source.len();
        let state = &all.states[index * words..(index + 1) * words];
        let site = Site::New(from, self.next[from as usize].len());
        let search = self.search;
        search.for_each_violated(state, |finding| self.note(finding, None, site));
        self.next[from as usize].push::<V>(handle, state);
        self.streams[from as usize].push(origin);
    }

    /// Notes what goes wrong in an action, and deadlocks.
    fn check_sources(&mut self) {
        for (position, action, finding) in std::mem::take(&mut self.batch.findings) {
            self.note(finding, Some(action), Site::Source(position as usize));
        }
        for position in std::mem::take(&mut self.batch.stuck) {
            self.load(position as usize);
            if self.search.machine.is_stuck(&self.source) {
                self.batch.tally.deadlocks += 1;
                if self.search.setting.options.deadlock {
                    self.note(Finding::Deadlock, None, Site::Source(position as usize));
                }
            }
        }
    }

    /// Notes a finding that is asked and was not known before this level.
    fn note(&mut self, finding: Finding, action: Option<Action>, site: Site) {
        let is_unasked = self.search.setting.options.is_unasked(finding);
        if !is_unasked && !self.total.found.has(finding) {
            self.found.note(FindingSite { finding, action, site });
        }
    }

    /// Stops at a limit, and has all others stop.
    fn stop(&mut self, end: Completion, out: &mut Outbox) {
        if self.cut.is_none() && !self.stops {
            (0..self.parts).filter(|&to| to != self.me).for_each(|to| {
                out.send(to, vec![Kind::Stop as u8]);
            });
        }
        self.cut = self.cut.or(Some(end));
        self.stops = true;
    }

    /// Says now and then how far this part has come.
    fn report(&mut self, transitions: u64) {
        let search = self.search;
        search.progress.transitions.fetch_add(transitions, Ordering::Relaxed);
        self.inserts += 1;
        if self.inserts.is_multiple_of(BETWEEN_REPORTS) {
            self.tell();
        }
    }

    /// Says how far this part has come and what it holds beside its states.
    fn tell(&mut self) {
        let search = self.search;
        let waiting: u64 = self.next.iter().map(Waiting::bytes).sum();
        let streams: u64 = self.streams.iter().map(Stream::bytes).sum();
        let beside = self.blocks.bytes() + self.batch.bytes() + self.leads.bytes();
        let bytes = self.level.bytes() + self.log.bytes() + waiting + streams + beside;
        search.aside.store(bytes + self.in_part.capacity() as u64 * 8, Ordering::Relaxed);
        search.progress.expanded.store(self.batch.tally.expanded, Ordering::Relaxed);
        search.progress.depth.store(self.depth as u64, Ordering::Relaxed);
        search.publish();
    }

    /// Puts the next level together and tells all parts what this one has counted and found.
    fn sum(&mut self, out: &mut Outbox) {
        let is_first = self.phase == Phase::Start;
        let next = Level::new(std::mem::take(&mut self.next));
        if !is_first {
            self.log.end_level(self.streams.iter_mut());
        }
        let mut found = Findings::default();
        let level = self.depth + usize::from(!is_first);
        for FindingSite { finding, action, site } in self.found.drain() {
            let owner = self.me;
            let site = match site {
                Site::Source(position) => Place { owner, level: self.depth, position },
                Site::New(part, index) => {
                    let position = next.position(part as usize, index);
                    Place { owner, level, position }
                }
            };
            found.note(FindingSite { finding, action, site });
        }
        let states = self.search.room.stored();
        let tally = self.batch.tally;
        let sum = Sum { states, next: next.len() as u64, tally, found, cut: self.cut };
        let parcel = pack(Kind::Sum, &sum);
        (0..self.parts).for_each(|to| out.send(to, parcel.clone()));
        let mut parts = std::mem::replace(&mut self.level, next).into_parts();
        parts.resize_with(self.parts as usize, Waiting::default);
        parts.iter_mut().for_each(Waiting::clear);
        self.next = parts;
    }

    /// Decides, as all parts do, what the sums of a level mean. The first sum is that of the initial state.
    fn decide(&mut self, is_first: bool) {
        let sums: Vec<Sum> = self.sums.iter_mut().filter_map(Option::take).collect();
        debug_assert_eq!(sums.len(), self.parts as usize, "every part has told its sums");
        self.total.add(sums.into_iter(), &self.search.setting);
        if !is_first {
            let Total { tally, found, .. } = &self.total;
            if tally.bounds_met.buffer || found.has(Finding::FullBuffer) {
                self.search.expander.buffers_can_be_full(self.depth + 1);
            }
            self.search.expander.weigh(self.depth + 1, tally.totals());
            self.depth += usize::from(self.total.end.is_none());
        }
        self.tell();
    }

    /// Begins to expand a level.
    fn begin_level(&mut self) {
        self.search.visited.next_level(&mut [&mut self.hand]);
        self.cursor = 0;
        self.in_part.clear();
        self.leads.clear();
    }

    /// Tells the first part what it alone needs, and asks back for the ways to what this part has found.
    fn begin_ways(&mut self, out: &mut Outbox) {
        let search = self.search;
        let stored = search.room.stored();
        let last = Last {
            reached: search.machine.reached(),
            peak_bytes: search.peak_bytes(),
            slots: search.visited.slots(stored),
        };
        out.send(0, pack(Kind::Last, &last));
        if self.me == 0 {
            let levels = self.total.found.entries().iter().map(|entry| entry.site.level);
            self.ways = levels.map(|level| vec![None; level]).collect();
        }
        let mine: Vec<(usize, Place)> = self
            .total
            .found
            .entries()
            .iter()
            .enumerate()
            .map(|(i, entry)| (i, entry.site))
            .filter(|(_, place)| place.owner == self.me)
            .collect();
        for (finding, Place { level, position, .. }) in mine {
            self.ask_back(finding as u64, level, position, out);
        }
    }

    /// Follows the way to a state backwards, as far as this part knows it.
    fn ask_back(&mut self, finding: u64, level: usize, position: usize, out: &mut Outbox) {
        let (mut level, mut position) = (level, position);
        let streams: Vec<&Stream> = self.streams.iter().collect();
        while level > 0 {
            let (part, origin) = self.log.origin(&streams, level, position);
            let mut parcel = vec![Kind::Ordinal as u8];
            write_number(&mut parcel, finding);
            write_number(&mut parcel, level as u64 - 1);
            write_number(&mut parcel, u64::from(origin.ordinal));
            out.send(0, parcel);
            (level, position) = (level - 1, origin.source as usize);
            if part != self.me {
                let mut parcel = vec![Kind::Way as u8];
                write_number(&mut parcel, finding);
                write_number(&mut parcel, level as u64);
                write_number(&mut parcel, position as u64);
                out.send(part, parcel);
                return;
            }
        }
    }

    /// Whether the first part knows everything.
    fn knows_all(&self) -> bool {
        let is_whole = |way: &Vec<Option<u32>>| way.iter().all(Option::is_some);
        self.lasts.len() == self.parts as usize && self.ways.iter().all(is_whole)
    }

    /// What all parts have found.
    fn finish(self) -> (Outcome, Stored) {
        let search = self.search;
        self.lasts.iter().for_each(|last| {
            let is_same = search.machine.note_reached(&last.reached);
            debug_assert!(is_same, "parts have the same machine");
        });
        let run = |(i, entry): (usize, &FindingSite<Place>)| {
            let wrong = entry.action.map(|action| (action, entry.finding));
            let way: Option<Vec<u32>> =
                self.ways.get(i).map(|way| way.iter().flatten().copied().collect());
            let actions = way.map(|way| trace::run(search.machine, search.expander, &way, wrong));
            Found { finding: entry.finding, actions: actions.unwrap_or_default() }
        };
        let found = self.total.found.entries().iter().enumerate().map(run).collect();
        let Total { states, tally, end, .. } = &self.total;
        let completion = end.unwrap_or(Completion::Complete);
        let stored = Stored {
            states: *states,
            peak_bytes: self.lasts.iter().map(|last| last.peak_bytes).sum(),
            disk_bytes: 0,
            slots: self.lasts.iter().fold((0, 0), |(a, b), l| (a + l.slots.0, b + l.slots.1)),
            lossy: None,
        };
        // Ends between levels do not depend on the order within one: nothing is raced.
        let depth = self.depth as u64;
        (Outcome { completion, tally: *tally, depth, found, raced: false }, stored)
    }
}

impl<M: MemorySystem, E: Expander, V: Visited> Part for PartSearch<'_, '_, M, E, V> {
    fn begin(&mut self, out: &mut Outbox) -> Doing {
        let before = self.phase;
        if before == Phase::Start && self.sums.iter().all(Option::is_none) {
            // The very first phase: the initial state is summed up like a level.
            self.start();
            self.sum(out);
            return Doing::Waits;
        }
        if matches!(before, Phase::Start | Phase::Sum) {
            self.decide(before == Phase::Start);
        }
        self.phase = self.following();
        match self.phase {
            Phase::Expand => {
                self.begin_level();
                Doing::Works
            }
            Phase::Full => Doing::Works,
            Phase::Sum => {
                self.sum(out);
                Doing::Waits
            }
            Phase::Ways if self.finished => Doing::Ends,
            Phase::Ways if before != Phase::Ways => {
                self.begin_ways(out);
                Doing::Waits
            }
            Phase::Ways if self.me == 0 && self.knows_all() => {
                (0..self.parts).for_each(|to| out.send(to, vec![Kind::Finish as u8]));
                Doing::Waits
            }
            Phase::Start | Phase::Answer | Phase::Ways => Doing::Waits,
        }
    }

    fn work(&mut self, out: &mut Outbox) -> Doing {
        // Nothing may grow while a part waits long, but the clock goes on.
        if let Some(limit) = self.search.setting.watch.check_steady().filter(|_| !self.stops) {
            self.stop(Completion::Limit(limit), out);
        }
        match self.phase {
            Phase::Expand => self.expand(out),
            Phase::Full => self.expand_in_full(out),
            Phase::Start | Phase::Answer | Phase::Sum | Phase::Ways => Doing::Waits,
        }
    }

    fn receive(&mut self, from: u32, parcel: &[u8], out: &mut Outbox) {
        let (kind, mut rest) = Kind::of(parcel);
        let mut number = || read_number(&mut rest).expect("a number is read as it was written");
        match kind {
            Kind::Block => {
                let read = self.incoming.read(rest, self.source.len());
                read.expect("a block is read as it was written");
                let leads = self.insert(from, out);
                if !leads.is_empty() {
                    out.send(from, pack(Kind::Leads, &leads));
                }
                self.report(0);
            }
            Kind::Leads => {
                let leads: Vec<u32> = unpack(rest);
                leads.into_iter().for_each(|source| self.leads.insert(source as usize));
            }
            Kind::Stop => self.stops = true,
            Kind::Sum => self.sums[from as usize] = Some(unpack(rest)),
            Kind::Way => {
                let (finding, level, position) = (number(), number(), number());
                self.ask_back(finding, level as usize, position as usize, out);
            }
            Kind::Ordinal => {
                let (finding, level, ordinal) = (number(), number(), number());
                self.ways[finding as usize][level as usize] = Some(ordinal as u32);
            }
            Kind::Last => self.lasts.push(unpack(rest)),
            Kind::Finish => self.finished = true,
        }
    }
}
