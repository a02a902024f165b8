//! DepthFirst-first search, by one thread.
//!
//! A state is visited when it is taken from the stack, not when it is found, so that the stack is a path
//! of the state graph, and the run to whatever is found is on it. Successors wait on the stack as words; their
//! bytes count against the memory limit.
//!
//! Several threads do not help here: what makes the order depth first is that one state comes after the
//! other. Who wants all cores searches breadth first.

use std::collections::HashMap;
use std::sync::atomic::Ordering;

use taut_fault::{Fault, is_on};
use taut_ir::{Action, Finding};
use taut_memory::MemorySystem;

use crate::expander::{Expander, Expansion, Space};
use crate::exploration::{Completion, Found};
use crate::limits::{Limit, LimitPoll};
use crate::search::{Outcome, Search, Tally};
use crate::store::visited::{Seen, Visited};
use crate::trace;
use taut_machine::hash::hash;
use taut_machine::{Bound, Provenance, Sink};

/// States visited between two looks at the limits.
const LIMIT_CHECK_INTERVAL: u64 = 64;

/// A state on the stack, by its position among the waiting words; its successors that still wait are from
/// `next` to `end`.
struct Frame {
    state: usize,
    next: usize,
    end: usize,
}

/// Takes the successors of one state.
struct Successors<'a, 'w> {
    words: &'a mut Vec<u64>,
    wrong: &'a mut Vec<(Action, Finding)>,
    tally: &'a mut Tally,
    patience: &'a mut LimitPoll<'w>,
}

impl Sink for Successors<'_, '_> {
    fn successor(&mut self, _: Provenance, state: &[u64]) {
        self.words.extend_from_slice(state);
    }

    fn finding(&mut self, way: Provenance, finding: Finding) {
        self.tally.faults += u64::from(matches!(finding, Finding::Fault(_)));
        self.wrong.push((way.action, finding));
    }

    fn blocked(&mut self, bound: Bound) {
        self.tally.bounds_met.note(bound);
    }

    fn through(&mut self, _: &[u64]) {
        self.tally.through += 1;
    }

    fn passed(&mut self, actions: u64) {
        self.tally.passed += actions;
    }

    fn go_on(&mut self, bytes: u64) -> bool {
        self.patience.lasts(bytes + self.words.capacity() as u64 * 8)
    }
}

/// A search depth first.
pub(crate) struct DepthFirst<'s, 'a, M, E, V: Visited> {
    search: &'s Search<'a, M, E, V>,
    hand: V::ThreadCache,
    stack: Vec<Frame>,
    /// The states that wait to be visited, and those on the stack.
    waiting: Vec<u64>,
    /// How many states on the stack have a hash, if anything is left out because of that.
    on_stack: HashMap<u64, u32>,
    /// The state on top.
    top: Vec<u64>,
    /// What goes wrong in an action from it.
    wrong: Vec<(Action, Finding)>,
    found: Vec<Found>,
    tally: Tally,
    space: Space,
    patience: LimitPoll<'a>,
    depth: usize,
    /// Number of changes in what expansions depend on besides their state.
    level: usize,
    /// Whether it is known that a buffer can be full.
    knows_full: bool,
}

impl<'s, 'a, M: MemorySystem, E: Expander, V: Visited> DepthFirst<'s, 'a, M, E, V> {
    pub(crate) fn new(search: &'s Search<'a, M, E, V>) -> Self {
        DepthFirst {
            search,
            hand: V::ThreadCache::default(),
            stack: Vec::new(),
            waiting: Vec::new(),
            on_stack: HashMap::new(),
            top: Vec::new(),
            wrong: Vec::new(),
            found: Vec::new(),
            tally: Tally::default(),
            space: Space::default(),
            patience: search.patience(),
            depth: 0,
            level: 0,
            knows_full: false,
        }
    }

    /// Runs the search.
    pub(crate) fn run(mut self) -> Outcome {
        self.search.insert_initial(&mut self.hand);
        self.waiting.extend_from_slice(self.search.machine.initial());
        self.open(0);
        let completion = loop {
            if let Some(completion) = self.end() {
                break completion;
            }
            match self.step() {
                Ok(true) => {}
                Ok(false) => break Completion::Complete,
                Err(completion) => break completion,
            }
        };
        let DepthFirst { tally, depth, found, .. } = self;
        Outcome { completion, tally, depth: depth as u64, found, raced: false }
    }

    /// Visits the next state or leaves the one on top; false if there is none.
    fn step(&mut self) -> Result<bool, Completion> {
        let words = self.search.machine.words();
        let Some(frame) = self.stack.last_mut() else { return Ok(false) };
        if frame.next == frame.end {
            self.close();
            return Ok(true);
        }
        let at = frame.next;
        frame.next += words;
        let state = &self.waiting[at..at + words];
        self.tally.inserted += 1;
        let seen = self.search.room.insert_one(&self.search.visited, state, &mut self.hand);
        let Some(seen) = seen else {
            self.tally.inserted -= 1;
            return Err(Completion::Limit(Limit::States(self.search.room.stored())));
        };
        if matches!(seen, Seen::New(_)) {
            self.open(at);
            self.look()?;
        }
        Ok(true)
    }

    /// Puts a new state on the stack, checks it and expands it.
    fn open(&mut self, at: usize) {
        let words = self.search.machine.words();
        let next = self.waiting.len();
        let mut state = std::mem::take(&mut self.top);
        state.clear();
        state.extend_from_slice(&self.waiting[at..at + words]);
        self.stack.push(Frame { state: at, next, end: next });
        self.depth = self.depth.max(self.stack.len() - 1);
        let search = self.search;
        search.for_each_violated(&state, |finding| self.note(finding, None));
        if self.search.expander.reduces() {
            *self.on_stack.entry(hash(&state)).or_default() += 1;
        }
        if self.tally.bounds_met.buffer || self.has(Finding::FullBuffer) {
            self.know_full();
        }
        if search.expander.weigh(self.level + 1, self.tally.totals()) {
            self.level += 1;
        }
        let expansion = self.expand(&state, false);
        let Expansion { alive, reduced, must_lead_on, tried, sorted } = expansion;
        self.tally.sorted += sorted;
        self.tally.tried += u64::from(tried);
        if must_lead_on && self.closes_a_cycle(next) && !is_on(Fault::NoProviso) {
            self.tally.sorted += self.expand(&state, true).sorted;
        } else {
            self.tally.reduced += u64::from(reduced);
        }
        self.stack.last_mut().expect("just pushed").end = self.waiting.len();
        for (action, finding) in std::mem::take(&mut self.wrong) {
            self.note(finding, Some(action));
        }
        if !alive && search.machine.is_stuck(&state) {
            self.tally.deadlocks += 1;
            if search.setting.options.deadlock {
                self.note(Finding::Deadlock, None);
            }
        }
        self.top = state;
    }

    /// Takes note that a buffer can be full.
    fn know_full(&mut self) {
        if !std::mem::replace(&mut self.knows_full, true) {
            self.level += 1;
            self.search.expander.buffers_can_be_full(self.level);
        }
    }

    /// Adds successors of a state to the waiting words.
    fn expand(&mut self, state: &[u64], in_full: bool) -> Expansion {
        self.tally.expanded += 1;
        let DepthFirst { search, waiting, wrong, tally, patience, space, level, .. } = self;
        let mut sink = Successors { words: waiting, wrong, tally, patience };
        if in_full {
            let sorted = search.expander.expand_fully(*level, state, space, &mut sink);
            return Expansion { sorted, ..Expansion::FULL };
        }
        search.expander.expand(*level, state, space, &mut sink)
    }

    /// Whether all successors from a position on may be on the stack.
    fn closes_a_cycle(&self, first: usize) -> bool {
        let mut successors = self.waiting[first..].chunks_exact(self.search.machine.words());
        successors.all(|state| self.on_stack.contains_key(&hash(state)))
    }

    /// Takes the state on top from the stack.
    fn close(&mut self) {
        let Some(frame) = self.stack.pop() else { return };
        if self.search.expander.reduces() {
            let words = self.search.machine.words();
            let hash = hash(&self.waiting[frame.state..frame.state + words]);
            if let Some(count) = self.on_stack.get_mut(&hash) {
                *count -= 1;
                if *count == 0 {
                    self.on_stack.remove(&hash);
                }
            }
        }
        let below = self.stack.last().map_or(0, |f| f.end);
        self.waiting.truncate(below.min(frame.end));
    }

    /// Whether there is a finding of this kind.
    fn has(&self, finding: Finding) -> bool {
        self.found.iter().any(|f| f.finding.same_kind(finding))
    }

    /// Notes a finding in the state on top, if it is asked and the first of its kind.
    fn note(&mut self, finding: Finding, action: Option<Action>) {
        let unasked = &self.search.setting.options.unasked;
        if self.has(finding) || unasked.iter().any(|f| f.same_kind(finding)) {
            return;
        }
        let words = self.search.machine.words();
        let state = |frame: &Frame| &self.waiting[frame.state..frame.state + words];
        let path: Vec<&[u64]> = self.stack.iter().map(state).collect();
        let wrong = action.map(|action| (action, finding));
        let expander = self.search.expander;
        let states = trace::fill(expander, self.level + 1, &path, wrong);
        let actions = trace::actions(self.search.machine, expander.symmetry(), &states, wrong);
        self.found.push(Found { finding, actions });
    }

    /// Whether what was found, a bound, or the limits of an expansion end the search.
    fn end(&self) -> Option<Completion> {
        let any = !self.found.is_empty();
        let end = self.search.end_by(self.tally.bounds_met);
        end.or_else(|| self.search.end_by_findings(any, |finding| self.has(finding)))
            .or(self.patience.ended().map(Completion::Limit))
    }

    /// Looks at the limits every few states.
    fn look(&mut self) -> Result<(), Completion> {
        if !self.tally.expanded.is_multiple_of(LIMIT_CHECK_INTERVAL) {
            return Ok(());
        }
        let frames = self.stack.capacity() * size_of::<Frame>() + self.on_stack.capacity() * 16;
        let aside = self.waiting.capacity() * 8 + frames;
        self.search.aside.store(aside as u64, Ordering::Relaxed);
        self.patience.beside(self.search.visited.bytes());
        let counts = &self.search.progress;
        counts.expanded.store(self.tally.expanded, Ordering::Relaxed);
        counts.transitions.store(self.tally.inserted, Ordering::Relaxed);
        counts.depth.store(self.stack.len() as u64, Ordering::Relaxed);
        self.search.publish();
        match self.end() {
            Some(end) => Err(end),
            None => self.search.limit(LIMIT_CHECK_INTERVAL as usize).map_or(Ok(()), Err),
        }
    }
}
