//! Exploring a program: options, results, and the choice of memory system and search order.

use std::time::Duration;

use taut_ir::{Action, DefId, Finding, FullBuffer, Memory, Program};
use taut_memory::MemorySystem;

use crate::ledger::{Entry, Ledger};
use crate::limits::{Limit, Limits, Patience, Watch};
use crate::machine::{AnyMachine, BoundsMet, Machine, compile};
use crate::reduce::simplify::{Question, Rules, simplify};
use crate::reduce::symmetry::Symmetry;
use crate::settings::{Reduce, StoreKind};
use crate::store::{Inserted, StateId, StateStore};
use crate::{bfs, dfs, trace};

/// In which order states are visited.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Order {
    /// Breadth first: the run to each finding is a shortest one, where what a process does while it holds
    /// the others counts once.
    #[default]
    Bfs,
    /// Depth first.
    Dfs,
}

/// What to look for and how far to go.
#[derive(Clone, Debug)]
pub struct SearchOptions {
    /// The order of the search.
    pub order: Order,
    /// Go on after the first finding until the first of every kind is found.
    pub all: bool,
    /// Look for deadlocks.
    pub deadlock: bool,
    /// What is not asked: such findings are passed over and end no search. Of faults, one stands for all.
    pub unasked: Vec<Finding>,
    /// End as soon as a spawn finds no process to start ([`Completion::NoProcess`]), instead of taking
    /// that for a bound of the model.
    pub spawn_all: bool,
    /// End as soon as a store meets a full buffer ([`Completion::BufferFull`]), instead of taking that for a
    /// bound of the model.
    pub must_fit: bool,
    /// Which states may be left out.
    pub reduce: Reduce,
    /// How states are kept.
    pub store: StoreKind,
    /// How many threads search; at least one.
    pub threads: usize,
    /// How far to go.
    pub limits: Limits,
}

impl Default for SearchOptions {
    fn default() -> SearchOptions {
        SearchOptions {
            order: Order::Bfs,
            all: false,
            deadlock: true,
            unasked: Vec::new(),
            spawn_all: false,
            must_fit: false,
            reduce: Reduce::None,
            store: StoreKind::Exact,
            threads: 1,
            limits: Limits::default(),
        }
    }
}

/// Counts of one search.
#[derive(Clone, Copy, Debug, Default)]
pub struct Stats {
    /// States stored, the initial one included.
    pub states: u64,
    /// Actions that led to a state, new or not, stored or held.
    pub transitions: u64,
    /// How often a state was found that was already stored.
    pub matched: u64,
    /// States in which nothing can happen though some process is where it may not end, whether or not
    /// deadlocks are looked for.
    pub deadlocks: u64,
    /// Actions that ended in a fault; they lead to no state and are not among the transitions. A search
    /// that goes through everything has met all of them, each once, except where a process holds others:
    /// there different ways to the same fault count once each.
    pub faults: u64,
    /// Breadth first: the length of the longest shortest run. Depth first: of the longest run followed.
    pub depth: u64,
    /// Time spent.
    pub time: Duration,
    /// Most bytes held for states.
    pub peak_bytes: u64,
    /// Bits of a state.
    pub state_bits: u64,
    /// The buffer size in force: the bound, or what was needed where there is none.
    pub buffer_size: u32,
    /// States expanded, the second time included where a state was expanded again.
    pub expanded: u64,
    /// What reductions left out.
    pub pruned: Pruned,
    /// Where the time went; summed over threads.
    pub phases: Phases,
    /// Slots of the table of states, and how many of them are in use.
    pub slots: (u64, u64),
    /// The probability that some state was taken for another, or the expected share of states seen, where
    /// the store can confuse states.
    pub lossy: Option<Lossy>,
}

/// What each reduction left out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Pruned {
    /// States in which only some of the possible actions were followed.
    pub stubborn: u64,
    /// Actions of a chain of local steps after which no state was stored; 0 where the program itself has
    /// processes hold others.
    pub fused: u64,
    /// States that stand for others in which equal processes have changed places.
    pub symmetric: u64,
}

/// Time spent in the parts of a search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Phases {
    /// Computing successors.
    pub successors: Duration,
    /// Looking states up and keeping them.
    pub store: Duration,
    /// Evaluating properties.
    pub properties: Duration,
}

/// How far a store that can confuse states is to be trusted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Lossy {
    /// Hash compaction: at most the probability that any state was left out.
    Omission(f64),
    /// Bitstate hashing: the expected share of reachable states that were visited.
    Coverage(f64),
}

/// How a search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Completion {
    /// Every reachable state was visited.
    Complete,
    /// It stopped at the first finding, as asked.
    FirstFinding,
    /// A spawn found no process of this definition to start, and that was not to be.
    NoProcess(DefId),
    /// A store met a full buffer, and that was not to be.
    BufferFull,
    /// A limit was met.
    Limit(Limit),
}

/// A finding with the run that leads to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// What is wrong.
    pub finding: Finding,
    /// The run from the initial state. For an assertion, a fault or a full buffer its last action is the
    /// one that goes wrong.
    pub actions: Vec<Action>,
}

/// The result of a search.
#[derive(Clone, Debug)]
pub struct Exploration {
    /// What was found, in the order of discovery.
    pub found: Vec<Found>,
    /// How the search ended.
    pub completion: Completion,
    /// Which bounds held back a step somewhere.
    pub bounds_met: BoundsMet,
    /// Whether the program could fault at all, by a look at its code.
    pub may_fault: bool,
    /// For each definition and each of its steps, whether any process took it.
    pub reached: Vec<Vec<bool>>,
    /// Counts.
    pub stats: Stats,
}

/// Explores a valid program.
///
/// With `memory.bound` `None` buffers have no bound: they are laid out for a few entries, and whenever
/// that is not enough the search starts again with twice as many. For a program that can fill a buffer
/// without end this ends at the limits.
pub fn explore(program: &Program, memory: Memory, options: &SearchOptions) -> Exploration {
    let watch = Watch::new(options.limits.clone());
    if options.reduce.all() {
        let question = Question::of_states(program, &options.unasked);
        let simple = simplify(program, memory.model, &question, Rules::ALL);
        let mut exploration = explore_sized(&simple.program, memory, options, &watch);
        exploration.reached = simple.reached(exploration.reached);
        exploration.stats.pruned.fused = fused(program, &exploration.stats);
        return exploration;
    }
    explore_sized(program, memory, options, &watch)
}

/// The actions of local steps after which no state was stored. Where the program itself has processes hold
/// others, those are not told from what it passes over anyway, and none is counted.
fn fused(program: &Program, stats: &Stats) -> u64 {
    let holds = program.defs.iter().flat_map(|d| &d.steps).any(|step| step.holds);
    let inserted = (stats.matched + stats.states).saturating_sub(1);
    if holds { 0 } else { stats.transitions.saturating_sub(inserted) }
}

/// Explores with buffers of the bound, or of as many entries as it takes.
fn explore_sized(
    program: &Program,
    memory: Memory,
    options: &SearchOptions,
    watch: &Watch,
) -> Exploration {
    if memory.bound.is_some() {
        return explore_bounded(program, memory, options, watch, false)
            .expect("a bounded search ends");
    }
    // Without a bound no buffer is ever full.
    let memory = Memory { full_buffer: FullBuffer::Wait, ..memory };
    let mut size = Memory::DEFAULT_BOUND;
    loop {
        let sized = memory.bounded(Some(size));
        if let Some(exploration) = explore_bounded(program, sized, options, watch, true) {
            return exploration;
        }
        size *= 2;
    }
}

/// Explores with buffers of a size; `None` if that was not enough and must be.
fn explore_bounded(
    program: &Program,
    memory: Memory,
    options: &SearchOptions,
    watch: &Watch,
    must_fit: bool,
) -> Option<Exploration> {
    let size = memory.bound.expect("a size");
    let setting = Setting { program, options, watch, size, must_fit };
    match compile(program, memory, &[], 1) {
        AnyMachine::Sc(machine) => Explorer::new(&machine, setting).run(),
        AnyMachine::Tso(machine) => Explorer::new(&machine, setting).run(),
        AnyMachine::Pso(machine) => Explorer::new(&machine, setting).run(),
        AnyMachine::Delayed(machine) => Explorer::new(&machine, setting).run(),
    }
}

/// What a search is given besides the machine.
#[derive(Clone, Copy)]
pub(crate) struct Setting<'a> {
    program: &'a Program,
    pub(crate) options: &'a SearchOptions,
    watch: &'a Watch,
    size: u32,
    /// End as soon as a buffer is full.
    must_fit: bool,
}

/// What both orders of search share: the machine, the states seen, the findings, the limits.
pub(crate) struct Explorer<'a, M> {
    pub(crate) machine: &'a Machine<M>,
    pub(crate) symmetry: Symmetry,
    pub(crate) setting: Setting<'a>,
    pub(crate) store: StateStore,
    pub(crate) ledger: Ledger,
    pub(crate) bounds_met: BoundsMet,
    /// States inserted, new or not; without the initial one.
    pub(crate) inserted: u64,
    /// Actions that led to held states.
    pub(crate) passed: u64,
    /// States in which equal processes changed places before they were inserted.
    pub(crate) symmetric: u64,
    deadlocks: u64,
    /// Actions that ended in a fault.
    pub(crate) faults: u64,
    pub(crate) depth: u64,
    /// Bytes held beside the store, such as a search stack.
    pub(crate) extra_bytes: u64,
    peak_bytes: u64,
}

impl<'a, M: MemorySystem> Explorer<'a, M> {
    fn new(machine: &'a Machine<M>, setting: Setting<'a>) -> Explorer<'a, M> {
        let Setting { program, options, .. } = setting;
        let question = || Question::of_states(program, &options.unasked);
        let symmetry = match options.reduce.all() {
            true => Symmetry::of(program, &question(), machine),
            false => Symmetry::default(),
        };
        Explorer {
            machine,
            symmetry,
            setting,
            store: StateStore::new(machine.words()),
            ledger: Ledger::without(setting.options.unasked.clone()),
            bounds_met: BoundsMet::default(),
            inserted: 0,
            passed: 0,
            symmetric: 0,
            deadlocks: 0,
            faults: 0,
            depth: 0,
            extra_bytes: 0,
            peak_bytes: 0,
        }
    }

    fn run(mut self) -> Option<Exploration> {
        let root = StateId(0);
        let inserted = self.store.insert(self.machine.initial(), root);
        debug_assert_eq!(inserted, Inserted::New(root));
        self.check_state(root);
        let completion = match self.end() {
            Some(completion) => completion,
            None => match self.setting.options.order {
                Order::Bfs => bfs::run(&mut self),
                Order::Dfs => dfs::run(&mut self),
            },
        };
        if self.setting.must_fit && self.bounds_met.buffer {
            return None;
        }
        Some(self.finish(completion))
    }

    fn finish(self, completion: Completion) -> Exploration {
        let found = self.ledger.entries().iter().map(|e| trace::rebuild(&self, e));
        let found = found.collect();
        Exploration {
            found,
            completion,
            bounds_met: self.bounds_met,
            may_fault: self.machine.may_fault(),
            reached: self.machine.reached(),
            stats: Stats {
                states: self.store.len() as u64,
                transitions: self.inserted + self.passed,
                matched: (self.inserted + 1).saturating_sub(self.store.len() as u64),
                deadlocks: self.deadlocks,
                faults: self.faults,
                depth: self.depth,
                time: self.setting.watch.elapsed(),
                peak_bytes: self.peak_bytes.max(self.bytes()),
                state_bits: self.machine.state_bits() as u64,
                buffer_size: self.setting.size,
                pruned: Pruned { symmetric: self.symmetric, ..Pruned::default() },
                ..Stats::default()
            },
        }
    }

    /// Notes the properties that a new state violates.
    pub(crate) fn check_state(&mut self, id: StateId) {
        let ledger = &mut self.ledger;
        self.machine.for_each_violated(self.store.state(id), |property| {
            ledger.note(Entry { finding: Finding::Property(property), state: id, action: None });
        });
    }

    /// Notes a deadlock if a state in which nothing can happen is one.
    pub(crate) fn check_stuck(&mut self, id: StateId) {
        if !self.machine.is_stuck(self.store.state(id)) {
            return;
        }
        self.deadlocks += 1;
        if self.setting.options.deadlock {
            self.ledger.note(Entry { finding: Finding::Deadlock, state: id, action: None });
        }
    }

    /// How long one expansion may take.
    pub(crate) fn patience(&self) -> Patience<'a> {
        Patience::new(self.setting.watch)
    }

    /// Bytes held now.
    pub(crate) fn bytes(&self) -> u64 {
        self.store.bytes() + self.extra_bytes
    }

    /// Whether the search is to end now, and why; asked every few states. `about` to be inserted are so
    /// many more.
    pub(crate) fn end_before(&mut self, about: usize) -> Option<Completion> {
        let bytes = self.store.bytes_after(about) + self.extra_bytes;
        let end = self.end().or_else(|| {
            if self.store.is_full() {
                return Some(Completion::Limit(Limit::States(self.store.len() as u64)));
            }
            self.setting.watch.check(bytes).map(Completion::Limit)
        });
        if end.is_none() {
            self.peak_bytes = self.peak_bytes.max(bytes);
        }
        end
    }

    /// Whether the limit on states leaves room for so many more.
    pub(crate) fn has_room(&self, more: usize) -> bool {
        (self.store.len() + more) as u64 <= self.setting.watch.most_states()
    }

    /// How the search ends if a state cannot be inserted because it is new and there is no room for it.
    pub(crate) fn refuse(&self, state: &[u64]) -> Option<Completion> {
        let refused = !self.has_room(1) && !self.store.contains(state);
        refused.then(|| Completion::Limit(Limit::States(self.store.len() as u64)))
    }

    /// Whether what was found ends the search.
    pub(crate) fn end(&self) -> Option<Completion> {
        if self.setting.options.spawn_all
            && let Some(def) = self.bounds_met.no_process
        {
            return Some(Completion::NoProcess(def));
        }
        if self.bounds_met.buffer && (self.setting.must_fit || self.setting.options.must_fit) {
            return Some(Completion::BufferFull);
        }
        let first = !self.ledger.is_empty() && !self.setting.options.all;
        first.then_some(Completion::FirstFinding)
    }
}
