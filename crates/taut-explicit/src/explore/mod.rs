//! Exploring a program: options, results, and the choice of memory system and search order.
//!
//! **The same result at any number of threads.** A search by one thread is deterministic. A search by several
//! threads that finds nothing and visits every state has the same counts, because none of them depends on an order.
//! If it finds something, or ends at something else than time, memory or an interrupt, its outcome may be *raced*
//! (`bfs`). Then:
//!
//! - if it visited every state, its counts stand, and one thread looks once more for the kinds that were found. It ends
//!   at the last of them;
//! - if it ended early, one thread makes the same search, and that result is the one that counts.
//!
//! The price: a search that is shared and finds something takes its own time and then that of one thread, so with
//! many threads hardly more than with one, and never more than twice that. Levels of fewer than some thousand states
//! are never shared, so most violations are found before there is anything to repeat. A search that finds nothing pays
//! nothing. If there is no time left to repeat a search, the first result is reported: it is right, and where a time
//! limit is met no two runs are alike.

pub(crate) mod asked;
mod ends;
pub(crate) mod expander;
pub(crate) mod search;
#[cfg(test)]
pub(crate) mod tests;

use std::fmt::Write as _;
use std::time::Duration;

use taut_ir::{
    Action, DefId, Fault, Finding, FullBuffer, Memory, Program, PropId, PropertyKind, may_fault,
};
use taut_memory::MemorySystem;

use crate::bfs::{BreadthFirst, Kept};
use crate::checkpoint::{Extent, Fingerprint, Keeper, saved};
use crate::dfs::DepthFirst;
use crate::disk::{DiskOptions, DiskSearch, Sizes};
use crate::limits::{Limit, LimitMonitor, Limits};
use crate::reduce::simplify::{Question, Rules, simplify};
use crate::reduce::symmetry::Symmetry;
use crate::reduce::{Reducer, Reduction};
use crate::settings::{Reduce, StoreKind};
use crate::store::visited::{Exact, Visited};
use crate::store::{Bitstate, Compact, Tree};
pub use asked::{Asking, asked};
use expander::Expander;
use search::{Outcome, Search, Tally};
use taut_machine::{AnyMachine, BoundsMet, Machine, compile};

/// In which order states are visited.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Order {
    /// BreadthFirst first: the run to each finding is a shortest one, where what a process does while it holds
    /// the others counts once.
    #[default]
    Bfs,
    /// DepthFirst first.
    Dfs,
}

/// What to look for and how far to go.
#[derive(Clone, Debug)]
pub struct SearchOptions {
    /// The order of the search.
    pub order: Order,
    /// Go on after the first finding until the first of every kind that is asked for and can occur is found. If
    /// nothing is asked for, every state is visited.
    pub all: bool,
    /// Visit every state, whatever is found: for who wants the counts.
    pub whole: bool,
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
    /// How states are kept. [`StoreKind::Disk`] searches breadth first, by one thread.
    pub store: StoreKind,
    /// Where and how far states may be kept in files, with [`StoreKind::Disk`].
    pub disk: DiskOptions,
    /// How many threads search breadth first, at least one; depth first there is always one.
    pub threads: usize,
    /// How far to go.
    pub limits: Limits,
}

impl Default for SearchOptions {
    fn default() -> SearchOptions {
        SearchOptions {
            order: Order::Bfs,
            all: false,
            whole: false,
            deadlock: true,
            unasked: Vec::new(),
            spawn_all: false,
            must_fit: false,
            reduce: Reduce::None,
            store: StoreKind::Exact,
            disk: DiskOptions::default(),
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
    /// BreadthFirst first: the length of the longest shortest run. DepthFirst first: of the longest run followed. In a temporal
    /// search: of the longest path while one thread searched alone; beyond that it would depend on the number of threads.
    pub depth: u64,
    /// Time spent.
    pub time: Duration,
    /// Most bytes held for states.
    pub peak_bytes: u64,
    /// Most bytes held in files.
    pub disk_bytes: u64,
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
    /// Everything that was asked for and can occur was found ([`SearchOptions::all`]). A kind of finding that is missing
    /// cannot occur, by a look at the code.
    Answered,
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
    explore_sharing(program, memory, options, PARALLEL_FROM_STATES)
}

/// Explores a valid program with tables and buffers of other sizes than those that fit the limit on memory.
#[cfg(test)]
pub(crate) fn explore_with_sizes(
    program: &Program,
    memory: Memory,
    options: &SearchOptions,
    sizes: Sizes,
) -> Exploration {
    explore_set(program, memory, options, (PARALLEL_FROM_STATES, Some(sizes)))
}

/// Explores a valid program; levels of so many states are shared by threads.
pub(crate) fn explore_sharing(
    program: &Program,
    memory: Memory,
    options: &SearchOptions,
    large: usize,
) -> Exploration {
    explore_set(program, memory, options, (large, None))
}

/// Explores a valid program; levels of so many states are shared, and files have buffers of these sizes.
fn explore_set(
    program: &Program,
    memory: Memory,
    options: &SearchOptions,
    (large, sizes): (usize, Option<Sizes>),
) -> Exploration {
    let watch = LimitMonitor::new(options.limits.clone());
    let setting = SearchContext { large, sizes, ..SearchContext::new(options, &watch) };
    let mut exploration = match options.reduce {
        Reduce::None => return explore_sized(program, memory, setting),
        Reduce::Por => explore_sized(program, memory, setting),
        Reduce::All => explore_simplified(program, memory, setting),
    };
    if options.order == Order::Bfs {
        shorten(&mut exploration, program, memory, setting);
    }
    exploration
}

/// Explores a simpler program in which the same is found.
fn explore_simplified(
    program: &Program,
    memory: Memory,
    setting: SearchContext<'_>,
) -> Exploration {
    let question = Question::of_states(program, &setting.options.unasked);
    let simple = simplify(program, memory.model, &question, Rules::ALL);
    let mut exploration = explore_sized(&simple.program, memory, setting);
    exploration.reached = simple.reached(exploration.reached);
    // Whether anything is said of faults must not depend on what was left out.
    exploration.may_fault = may_fault(program);
    exploration.stats.pruned.fused = fused(program, &exploration.stats);
    exploration
}

/// States that are looked at for shorter runs, at most.
const SHORTEN_LIMIT: u64 = 100_000;

/// Replaces runs by shorter ones. A search that leaves states out finds runs that are shortest among those it
/// looked at. Once it is known that there is something to find, all states near the initial one are worth a look.
fn shorten(
    exploration: &mut Exploration,
    program: &Program,
    memory: Memory,
    setting: SearchContext<'_>,
) {
    if exploration.found.is_empty() {
        return;
    }
    let is_found = |f: &Finding| exploration.found.iter().any(|found| found.finding.same_kind(*f));
    let properties = program.property_ids().map(Finding::Property);
    let all = properties.chain([Finding::Fault(Fault::Range), Finding::FullBuffer]);
    let limits = setting.watch.limits();
    let options = SearchOptions {
        all: exploration.found.len() > 1,
        whole: false,
        deadlock: is_found(&Finding::Deadlock),
        unasked: all.filter(|finding| !is_found(finding)).collect(),
        spawn_all: false,
        must_fit: false,
        reduce: Reduce::None,
        store: StoreKind::Exact,
        limits: Limits {
            states: Some(limits.states.map_or(SHORTEN_LIMIT, |most| most.min(SHORTEN_LIMIT))),
            time: limits.time.map(|time| time.saturating_sub(setting.watch.elapsed())),
            progress: None,
            ..limits.clone()
        },
        ..setting.options.clone()
    };
    let watch = LimitMonitor::new(options.limits.clone());
    let memory = memory.bounded(Some(exploration.stats.buffer_size));
    let near =
        SearchContext { options: &options, watch: &watch, must_fit: false, asked: &[], ..setting };
    let near = explore_sized(program, memory, near);
    for found in &mut exploration.found {
        let mut others = near.found.iter().filter(|near| near.finding.same_kind(found.finding));
        if let Some(near) = others.next().filter(|near| near.actions.len() <= found.actions.len()) {
            *found = near.clone();
        }
    }
}

/// The actions of local steps after which no state was stored. Where the program itself has processes hold
/// others, those are not told from what it passes over anyway, and none is counted.
fn fused(program: &Program, stats: &Stats) -> u64 {
    let holds = program.defs.iter().flat_map(|d| &d.steps).any(|step| step.holds);
    let inserted = (stats.matched + stats.states).saturating_sub(1);
    if holds { 0 } else { stats.transitions.saturating_sub(inserted) }
}

/// Explores with buffers of the bound, or of as many entries as it takes.
fn explore_sized(program: &Program, memory: Memory, setting: SearchContext<'_>) -> Exploration {
    if let Some(size) = memory.bound {
        let setting = SearchContext { size, ..setting };
        return explore_bounded(program, memory, setting).expect("a bounded search ends");
    }
    // Without a bound no buffer is ever full.
    let memory = Memory { full_buffer: FullBuffer::Wait, ..memory };
    let mut size = Memory::DEFAULT_BOUND;
    loop {
        let sized = memory.bounded(Some(size));
        let setting = SearchContext { size, must_fit: true, ..setting };
        if let Some(exploration) = explore_bounded(program, sized, setting) {
            return exploration;
        }
        size *= 2;
    }
}

/// Explores with buffers of a size; `None` if that was not enough and must be. The result is the same at any number
/// of threads.
fn explore_bounded(
    program: &Program,
    memory: Memory,
    setting: SearchContext<'_>,
) -> Option<Exploration> {
    let shared = explore_once(program, memory, setting);
    let exploration = &shared.exploration;
    if !shared.raced || is_cut(exploration.completion) {
        return shared.fitting();
    }
    // If every state was visited, only the runs are looked for once more.
    let all = setting.options.all || setting.options.whole;
    let options = SearchOptions { all, whole: false, threads: 1, ..setting.options.clone() };
    let asked: Vec<Finding> = match exploration.completion {
        Completion::Complete => exploration.found.iter().map(|found| found.finding).collect(),
        _ => Vec::new(),
    };
    let alone = SearchContext { options: &options, asked: &asked, is_again: true, ..setting };
    let again = explore_once(program, memory, alone);
    canonical(shared, again).fitting()
}

/// Whether a search met a limit at a place that is another one each time.
pub fn is_cut(completion: Completion) -> bool {
    matches!(completion, Completion::Limit(limit) if !limit.is_repeatable())
}

/// The result of a search by several threads and its repetition by one.
fn canonical(mut shared: Attempt, mut again: Attempt) -> Attempt {
    let (first, second) = (&mut shared.exploration, &mut again.exploration);
    if is_cut(second.completion) {
        return shared;
    }
    let peak_bytes = first.stats.peak_bytes.max(second.stats.peak_bytes);
    if first.completion != Completion::Complete {
        second.stats.peak_bytes = peak_bytes;
        return again;
    }
    debug_assert_eq!(first.found.len(), second.found.len(), "what is reachable is found again");
    first.stats = Stats { time: second.stats.time, peak_bytes, ..first.stats };
    first.found = std::mem::take(&mut second.found);
    shared
}

/// The result of one search.
struct Attempt {
    exploration: Exploration,
    /// Whether anything in it depends on which of several threads was faster.
    raced: bool,
    /// Whether a buffer was full that must not be.
    outgrown: bool,
}

impl Attempt {
    /// The result, if all buffers were large enough.
    fn fitting(self) -> Option<Exploration> {
        (!self.outgrown).then_some(self.exploration)
    }
}

saved!(Attempt { exploration, raced, outgrown });

/// Explores with buffers of a size, once: from the start, or from where a checkpoint says.
fn explore_once(program: &Program, memory: Memory, setting: SearchContext<'_>) -> Attempt {
    let Some(keeper) = keeper(program, memory, setting) else {
        return explore_kept(program, memory, setting);
    };
    if let Some(attempt) = keeper.result() {
        return attempt;
    }
    let setting = SearchContext { keeper: Some(&keeper), ..setting };
    let attempt = explore_kept(program, memory, setting);
    if !is_cut(attempt.exploration.completion) {
        keeper.finish(attempt.exploration.stats.states, &attempt);
    }
    attempt
}

/// The checkpoint of a search, if there are any and the search can be kept.
fn keeper(program: &Program, memory: Memory, setting: SearchContext<'_>) -> Option<Keeper> {
    let checkpoints = setting.watch.limits().checkpoints.as_ref()?;
    let SearchOptions { order, store, .. } = *setting.options;
    if order != Order::Bfs || !matches!(store, StoreKind::Exact | StoreKind::Tree) {
        return None;
    }
    let SearchOptions { all, whole, deadlock, unasked, spawn_all, must_fit, reduce, .. } =
        setting.options;
    let mut print = Fingerprint::default();
    let options = (all, whole, deadlock, unasked, spawn_all, must_fit, reduce, store);
    let most = setting.watch.limits().states;
    let own = (setting.size, setting.must_fit, setting.asked, setting.is_again, most);
    let written = write!(print, "states {program:?} {memory:?} {options:?} {own:?}");
    written.is_ok().then(|| Keeper::new(checkpoints, print))
}

/// Explores with buffers of a size, once.
fn explore_kept(program: &Program, memory: Memory, setting: SearchContext<'_>) -> Attempt {
    let subject = Subject { program, memory };
    match compile(program, memory, &[], 1) {
        AnyMachine::Sc(machine) => subject.explore(&machine, setting),
        AnyMachine::Tso(machine) => subject.explore(&machine, setting),
        AnyMachine::Pso(machine) => subject.explore(&machine, setting),
        AnyMachine::Delayed(machine) => subject.explore(&machine, setting),
    }
}

/// What a machine was compiled from.
struct Subject<'a> {
    program: &'a Program,
    memory: Memory,
}

/// What a search is given besides the machine.
#[derive(Clone, Copy)]
pub(crate) struct SearchContext<'a> {
    pub(crate) options: &'a SearchOptions,
    pub(crate) watch: &'a LimitMonitor,
    size: u32,
    /// End as soon as a buffer is full.
    pub(crate) must_fit: bool,
    /// Levels with so many states for each thread are shared.
    pub(crate) large: usize,
    /// The kinds of findings that end the search once all are found; if there are none, everything that is asked.
    pub(crate) asked: &'a [Finding],
    /// Whether this search repeats one of several threads.
    is_again: bool,
    /// Where the search is kept, if it is.
    pub(crate) keeper: Option<&'a Keeper>,
    /// Sizes of tables and buffers of a search with files, if not those that fit the limit on memory.
    pub(crate) sizes: Option<Sizes>,
}

impl<'a> SearchContext<'a> {
    /// What every search is given.
    pub(crate) fn new(options: &'a SearchOptions, watch: &'a LimitMonitor) -> SearchContext<'a> {
        let (size, must_fit, large, asked, sizes) = (0, false, PARALLEL_FROM_STATES, &[][..], None);
        let (is_again, keeper) = (false, None);
        SearchContext { options, watch, size, must_fit, large, asked, is_again, keeper, sizes }
    }
}

/// A level with at least so many states for each thread is shared. Starting a thread takes as long as
/// expanding some ten states.
const PARALLEL_FROM_STATES: usize = 1 << 10;

impl Subject<'_> {
    fn explore<M: MemorySystem + Sync>(
        &self,
        machine: &Machine<M>,
        setting: SearchContext<'_>,
    ) -> Attempt {
        let options = setting.options;
        let asked = self.asked(machine, options);
        let asked = if setting.asked.is_empty() { &asked } else { setting.asked };
        let setting = SearchContext { asked, ..setting };
        let reduction = options.reduce.por().then(|| self.reduction(machine, options)).flatten();
        // Priorities are indexed by pid, which tells equal processes apart.
        let symmetry = match options.reduce.all() && self.program.priorities.is_none() {
            true => {
                let question = Question::of_states(self.program, &options.unasked);
                Symmetry::of(self.program, &question, machine)
            }
            false => Symmetry::default(),
        };
        let reducer = Reducer::new(machine, reduction, symmetry);
        match options.store {
            StoreKind::Exact => search_with::<M, _, Exact>(machine, &reducer, setting),
            StoreKind::Tree => search_with::<M, _, Tree>(machine, &reducer, setting),
            StoreKind::Compact => search_with::<M, _, Compact>(machine, &reducer, setting),
            StoreKind::Bitstate => search_with::<M, _, Bitstate>(machine, &reducer, setting),
            StoreKind::Disk => search_on_disk(machine, &reducer, setting),
        }
    }

    /// The kinds of findings that are asked for and can occur.
    fn asked<M: MemorySystem>(
        &self,
        machine: &Machine<M>,
        options: &SearchOptions,
    ) -> Vec<Finding> {
        let SearchOptions { deadlock, unasked, .. } = options;
        let may_fault = machine.may_fault();
        let asking = Asking { deadlock: *deadlock, unasked, may_fault };
        asked::asked(self.program, self.memory, asking)
    }

    /// What to compute stubborn sets from, if they can be.
    fn reduction<M: MemorySystem>(
        &self,
        machine: &Machine<M>,
        options: &SearchOptions,
    ) -> Option<Reduction> {
        let is_asked = |property: &PropId| {
            let finding = Finding::Property(*property);
            !options.unasked.iter().any(|unasked| unasked.same_kind(finding))
        };
        let program = self.program;
        let asked = program.property_ids().filter(is_asked).map(|id| &program.property(id).kind);
        let of_states = asked.filter(|kind| !kind.is_temporal());
        let looks = of_states.flat_map(PropertyKind::exprs);
        Reduction::new(program, machine, self.memory.model, looks)
    }
}

fn search_with<M: MemorySystem, E: Expander, V: Visited>(
    machine: &Machine<M>,
    expander: &E,
    setting: SearchContext<'_>,
) -> Attempt {
    let mut search = Search::<M, E, V>::new(machine, expander, setting);
    let mut kept = None;
    if let Some(keeper) = setting.keeper.filter(|_| V::CAN_BE_KEPT) {
        kept = keeper.state(|extent, from| match setting.watch.check(extent.bytes) {
            // There is not even room for what is there.
            Some(Limit::Bytes(most)) => Ok(Err((extent, Limit::Bytes(most)))),
            _ => Kept::restore(&mut search, from).map(Ok),
        });
    }
    let kept = match kept.transpose() {
        Ok(kept) => kept,
        Err((extent, limit)) => return no_room(machine, setting, extent, limit),
    };
    let outcome = match setting.options.order {
        Order::Bfs => BreadthFirst::new(&search).run(kept),
        Order::Dfs => DepthFirst::new(&search).run(),
    };
    search.tell();
    let states = search.room.stored();
    let stored = Stored {
        states,
        peak_bytes: search.peak_bytes(),
        disk_bytes: 0,
        slots: search.visited.slots(states),
        lossy: search.visited.lossy(states),
    };
    attempt(machine, setting, stored, outcome)
}

/// The result of a search that stays where it is because a limit leaves no room for the states that it had stored.
fn no_room<M: MemorySystem>(
    machine: &Machine<M>,
    setting: SearchContext<'_>,
    Extent { states, .. }: Extent,
    limit: Limit,
) -> Attempt {
    let completion = Completion::Limit(limit);
    let (tally, found) = (Tally::default(), Vec::new());
    let outcome = Outcome { completion, tally, depth: 0, found, raced: false };
    let stored = Stored { states, ..Stored::default() };
    Attempt {
        exploration: result(machine, setting, stored, outcome),
        raced: false,
        outgrown: false,
    }
}

fn search_on_disk<M: MemorySystem, E: Expander>(
    machine: &Machine<M>,
    expander: &E,
    setting: SearchContext<'_>,
) -> Attempt {
    let (outcome, stored) = DiskSearch::new(machine, expander, setting).run();
    attempt(machine, setting, stored, outcome)
}

/// What a search has stored of states.
#[derive(Default)]
pub(crate) struct Stored {
    pub(crate) states: u64,
    pub(crate) peak_bytes: u64,
    pub(crate) disk_bytes: u64,
    pub(crate) slots: (u64, u64),
    pub(crate) lossy: Option<Lossy>,
}

fn attempt<M: MemorySystem>(
    machine: &Machine<M>,
    setting: SearchContext<'_>,
    stored: Stored,
    outcome: Outcome,
) -> Attempt {
    let outgrown = setting.must_fit && outcome.tally.bounds_met.buffer;
    let raced = outcome.raced;
    Attempt { exploration: result(machine, setting, stored, outcome), raced, outgrown }
}

fn result<M: MemorySystem>(
    machine: &Machine<M>,
    setting: SearchContext<'_>,
    Stored { states, peak_bytes, disk_bytes, slots, lossy }: Stored,
    Outcome { completion, tally, depth, found, .. }: Outcome,
) -> Exploration {
    Exploration {
        found,
        completion,
        bounds_met: tally.bounds_met,
        may_fault: machine.may_fault(),
        reached: machine.reached(),
        stats: Stats {
            states,
            transitions: tally.inserted + tally.passed,
            matched: (tally.inserted + 1).saturating_sub(states),
            deadlocks: tally.deadlocks,
            faults: tally.faults,
            depth,
            time: setting.watch.elapsed(),
            peak_bytes,
            disk_bytes,
            state_bits: machine.state_bits() as u64,
            buffer_size: setting.size,
            expanded: tally.expanded,
            pruned: Pruned { stubborn: tally.reduced, symmetric: tally.sorted, fused: 0 },
            phases: tally.phases,
            slots,
            lossy,
        },
    }
}
