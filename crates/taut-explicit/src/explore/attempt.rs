//! One search of one machine: from the start, or from where a checkpoint says.

use std::cell::{Cell, OnceCell};
use std::fmt::Write as _;

use taut_ir::{Finding, Memory, Program, PropId, PropertyKind};
use taut_machine::{AnyMachine, Machine, MachineVisitor, compile};
use taut_memory::MemorySystem;

use super::asked::{Asking, asked};
use crate::bfs::{BreadthFirst, Kept};
use crate::checkpoint::{Extent, Fingerprint, Keeper, saved};
use crate::dfs::DepthFirst;
use crate::disk::DiskSearch;
use crate::expander::{Expander, Reducer};
use crate::exploration::{Completion, Effort, Exploration, Pruned, Stats};
use crate::limits::Limit;
use crate::part::{self, Peers};
use crate::reduce::Reduction;
use crate::reduce::simplify::Question;
use crate::reduce::symmetry::Symmetry;
use crate::search::{Outcome, Search, SearchContext, Stored, Tally};
use crate::settings::{Order, SearchOptions, StoreKind};
use crate::store::visited::{Exact, Visited};
use crate::store::{Bitstate, Compact, Tree};

/// The result of one search.
pub(super) struct Attempt {
    pub(super) exploration: Exploration,
    /// Whether anything in it depends on which of several threads was faster.
    pub(super) raced: bool,
    /// Whether a buffer was full that must not be.
    pub(super) outgrown: bool,
}

saved!(Attempt { exploration, raced, outgrown });

impl Attempt {
    /// The result, if all buffers were large enough.
    pub(super) fn fitting(self) -> Option<Exploration> {
        (!self.outgrown).then_some(self.exploration)
    }

    /// The result of this search by several threads and its repetition by one.
    pub(super) fn repeated(mut self, mut again: Attempt) -> Attempt {
        let (first, second) = (&mut self.exploration, &mut again.exploration);
        if second.completion.is_cut() {
            return self;
        }
        let peak_bytes = first.stats.peak_bytes.max(second.stats.peak_bytes);
        if first.completion != Completion::Complete {
            second.stats.peak_bytes = peak_bytes;
            return again;
        }
        debug_assert_eq!(first.found.len(), second.found.len(), "what is reachable is found again");
        first.stats = Stats { time: second.stats.time, peak_bytes, ..first.stats };
        first.found = std::mem::take(&mut second.found);
        self
    }
}

/// A search, once the memory system is known.
struct SearchMachine<'a, 'p> {
    subject: &'a Subject<'p>,
    context: SearchContext<'a>,
    peers: Option<&'a dyn Peers>,
}

impl MachineVisitor for SearchMachine<'_, '_> {
    type Out = Attempt;

    fn visit<M: MemorySystem>(self, machine: &Machine<M>) -> Attempt {
        self.subject.search_machine(machine, self.context, self.peers)
    }
}

/// A program with buffers of a size, compiled when it is searched for the first time.
pub(super) struct Subject<'p> {
    program: &'p Program,
    memory: Memory,
    machine: OnceCell<AnyMachine>,
}

impl<'p> Subject<'p> {
    pub(super) fn new(program: &'p Program, memory: Memory) -> Subject<'p> {
        debug_assert!(memory.bound.is_some(), "buffers have a size");
        Subject { program, memory, machine: OnceCell::new() }
    }

    /// Whether this is that program with that memory.
    pub(super) fn is_of(&self, program: &Program, memory: Memory) -> bool {
        std::ptr::eq(self.program, program) && self.memory == memory
    }

    /// Searches once: from the start, or from where a checkpoint says.
    /// With peers, this process's part of the search.
    pub(super) fn search(
        &self,
        context: SearchContext<'_>,
        effort: &Cell<Effort>,
        peers: Option<&dyn Peers>,
    ) -> Attempt {
        let keeper = self.keeper(context).filter(|_| peers.is_none());
        let Some(keeper) = keeper else { return self.search_kept(context, effort, peers) };
        if let Some(attempt) = keeper.result() {
            return attempt;
        }
        let context = SearchContext { keeper: Some(&keeper), ..context };
        let attempt = self.search_kept(context, effort, None);
        if !attempt.exploration.completion.is_cut() {
            keeper.finish(attempt.exploration.stats.states, &attempt);
        }
        attempt
    }

    /// The checkpoint of a search, if there are any and the search can be kept.
    fn keeper(&self, context: SearchContext<'_>) -> Option<Keeper> {
        let Subject { program, memory, .. } = self;
        let checkpoints = context.watch.limits().checkpoints.as_ref()?;
        let SearchOptions { order, store, .. } = *context.options;
        if order != Order::Bfs || !matches!(store, StoreKind::Exact | StoreKind::Tree) {
            return None;
        }
        let SearchOptions { all, whole, deadlock, unasked, spawn_all, must_fit, .. } =
            context.options;
        let mut print = Fingerprint::default();
        let reduce = (context.options.reduce, context.options.passes());
        let options = (all, whole, deadlock, unasked, spawn_all, must_fit, reduce, store);
        let most = context.watch.limits().states;
        let own = (context.size, context.must_fit, context.asked, context.is_again, most);
        let written = write!(print, "states {program:?} {memory:?} {options:?} {own:?}");
        written.is_ok().then(|| Keeper::new(checkpoints, print))
    }

    /// Searches once, with the machine that was compiled for the first search.
    fn search_kept(
        &self,
        context: SearchContext<'_>,
        effort: &Cell<Effort>,
        peers: Option<&dyn Peers>,
    ) -> Attempt {
        let machine = self.machine.get_or_init(|| {
            let Effort { machines, .. } = effort.get();
            effort.set(Effort { machines: machines + 1, ..effort.get() });
            compile(self.program, self.memory, &[], 1)
        });
        let Effort { searches, .. } = effort.get();
        effort.set(Effort { searches: searches + 1, ..effort.get() });
        machine.visit(SearchMachine { subject: self, context, peers })
    }

    fn search_machine<M: MemorySystem + Sync>(
        &self,
        machine: &Machine<M>,
        context: SearchContext<'_>,
        peers: Option<&dyn Peers>,
    ) -> Attempt {
        // An earlier search of the same machine has noted its own steps.
        machine.forget_reached();
        let options = context.options;
        let asked = self.asked(machine, options);
        let asked = if context.asked.is_empty() { &asked } else { context.asked };
        let context = SearchContext { asked, ..context };
        let reduction = options.reduce.por().then(|| self.reduction(machine, options)).flatten();
        let symmetry = self.symmetry(machine, options);
        let reducer = Reducer::new(machine, (reduction, options.passes()), symmetry);
        if let Some(peers) = peers {
            return match options.store {
                StoreKind::Tree => search_part::<M, _, Tree>(machine, &reducer, context, peers),
                _ => search_part::<M, _, Exact>(machine, &reducer, context, peers),
            };
        }
        match options.store {
            StoreKind::Exact => search_with::<M, _, Exact>(machine, &reducer, context),
            StoreKind::Tree => search_with::<M, _, Tree>(machine, &reducer, context),
            StoreKind::Compact => search_with::<M, _, Compact>(machine, &reducer, context),
            StoreKind::Bitstate => search_with::<M, _, Bitstate>(machine, &reducer, context),
            StoreKind::Disk => search_on_disk(machine, &reducer, context),
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
        asked(self.program, self.memory, asking)
    }

    /// What to compute stubborn sets from, if they can be.
    fn reduction<M: MemorySystem>(
        &self,
        machine: &Machine<M>,
        options: &SearchOptions,
    ) -> Option<Reduction> {
        let is_asked = |property: &PropId| !options.is_unasked(Finding::Property(*property));
        let program = self.program;
        let asked = program.property_ids().filter(is_asked).map(|id| &program.property(id).kind);
        let of_states = asked.filter(|kind| !kind.is_temporal());
        let looks = of_states.flat_map(PropertyKind::exprs);
        Reduction::new(program, machine, self.memory.model, looks)
    }

    /// The equal processes that are sorted.
    fn symmetry<M: MemorySystem>(&self, machine: &Machine<M>, options: &SearchOptions) -> Symmetry {
        // Priorities are indexed by pid, which tells equal processes apart.
        if !options.reduce.all() || self.program.priorities.is_some() {
            return Symmetry::default();
        }
        let question = Question::of_states(self.program, &options.unasked);
        Symmetry::of(self.program, &question, machine)
    }
}

pub(super) fn search_with<M: MemorySystem, E: Expander, V: Visited>(
    machine: &Machine<M>,
    expander: &E,
    context: SearchContext<'_>,
) -> Attempt {
    let mut search = Search::<M, E, V>::new(machine, expander, context);
    let mut kept = None;
    if let Some(keeper) = context.keeper.filter(|_| V::CAN_BE_KEPT) {
        kept = keeper.state(|extent, from| match context.watch.check(extent.bytes) {
            // There is not even room for what is there.
            Some(Limit::Bytes(most)) => Ok(Err((extent, Limit::Bytes(most)))),
            _ => Kept::restore(&mut search, from).map(Ok),
        });
    }
    let kept = match kept.transpose() {
        Ok(kept) => kept,
        Err((extent, limit)) => return no_room(machine, context, extent, limit),
    };
    let outcome = match context.options.order {
        Order::Bfs => BreadthFirst::new(&search).run(kept),
        Order::Dfs => DepthFirst::new(&search).run(),
    };
    search.publish();
    let states = search.room.stored();
    let stored = Stored {
        states,
        peak_bytes: search.peak_bytes(),
        disk_bytes: 0,
        slots: search.visited.slots(states),
        lossy: search.visited.lossy(states),
    };
    attempt(machine, context, stored, outcome)
}

/// This process's part of a search; what all parts have found.
fn search_part<M: MemorySystem, E: Expander, V: Visited>(
    machine: &Machine<M>,
    expander: &E,
    context: SearchContext<'_>,
    peers: &dyn Peers,
) -> Attempt {
    debug_assert!(matches!(context.options.store, StoreKind::Exact | StoreKind::Tree));
    let search = Search::<M, E, V>::new(machine, expander, context).without_quota();
    let (outcome, stored) = part::search(&search, peers);
    attempt(machine, context, stored, outcome)
}

/// The result of a search that stays where it is because a limit leaves no room for the states that it had stored.
fn no_room<M: MemorySystem>(
    machine: &Machine<M>,
    context: SearchContext<'_>,
    Extent { states, .. }: Extent,
    limit: Limit,
) -> Attempt {
    let completion = Completion::Limit(limit);
    let (tally, found) = (Tally::default(), Vec::new());
    let outcome = Outcome { completion, tally, depth: 0, found, raced: false };
    let stored = Stored { states, ..Stored::default() };
    Attempt {
        exploration: result(machine, context, stored, outcome),
        raced: false,
        outgrown: false,
    }
}

fn search_on_disk<M: MemorySystem, E: Expander>(
    machine: &Machine<M>,
    expander: &E,
    context: SearchContext<'_>,
) -> Attempt {
    let (outcome, stored) = DiskSearch::new(machine, expander, context).run();
    attempt(machine, context, stored, outcome)
}

fn attempt<M: MemorySystem>(
    machine: &Machine<M>,
    context: SearchContext<'_>,
    stored: Stored,
    outcome: Outcome,
) -> Attempt {
    let outgrown = context.must_fit && outcome.tally.bounds_met.buffer;
    let raced = outcome.raced;
    Attempt { exploration: result(machine, context, stored, outcome), raced, outgrown }
}

fn result<M: MemorySystem>(
    machine: &Machine<M>,
    context: SearchContext<'_>,
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
            time: context.watch.elapsed(),
            peak_bytes,
            disk_bytes,
            state_bits: machine.state_bits() as u64,
            buffer_size: context.size,
            expanded: tally.expanded,
            pruned: Pruned {
                stubborn: tally.reduced + tally.through,
                symmetric: tally.sorted,
                fused: 0,
            },
            phases: tally.phases,
            slots,
            lossy,
            effort: Effort::default(),
        },
    }
}
