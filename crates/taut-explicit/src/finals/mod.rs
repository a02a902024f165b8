//! The states in which everything has ended: the litmus question.
//!
//! Only final states matter here, so orders of independent actions need not be told apart. In each state
//! the search looks for a *persistent* set (Godefroid 1996): some actions such that nothing the other
//! processes may ever do interferes with them. Exploring only those keeps every final state, because the
//! state graph of a program without loops has no cycles. Three sets are tried, all of them the actions of
//! one process `p`:
//!
//! 1. its steps, if they wait for nothing, every place they read is one that no other process can still
//!    change (it has no store to it ahead and none waiting), and every place they write at once is one
//!    that no other process can still look at or change. A store into the buffer is always like that,
//!    unless it replaces one that waits: then the place it is for must be. p's own commits change nothing
//!    that p sees;
//! 2. its fences and locked steps, under the same conditions, once its buffer is empty;
//! 3. one commit, if no other process can still look at the place or change it.
//!
//! Where stores replace each other (delayed writes), a store does not commute with a commit of its place:
//! `commit x; x := 1` and `x := 1` alone leave different values in memory. Sets 1 and 3 are sound all the
//! same, as nobody but p can tell and p sees its slot: both ways, x is what p stored last once the slot
//! is empty.
//!
//! Where none applies, everything is explored. What lies ahead of each program point is computed once.
//! A program with loops, calls, spawned processes, channels, processes that look at each other or hold each
//! other, or more than 64 places is explored in full.

mod tables;

use std::collections::BTreeSet;

use taut_ir::{Expr, Finding, Memory, MemoryModel, Program};
use taut_memory::{CellId, MemorySystem};

use crate::exploration::Stats;
use crate::limits::{Limit, LimitMonitor, Limits};
use crate::store::{StateId, StateStore};
use tables::{Ahead, Now, Tables, tables};
use taut_machine::{
    Bound, CompiledProcess, Machine, MachineVisitor, Provenance, Scratch, Sink, compile,
};

/// The final states of a program, as the values of the watched expressions.
#[derive(Clone, Debug)]
pub struct FinalStates {
    /// The values, in the order of the watched expressions.
    pub values: BTreeSet<Vec<i64>>,
    /// Counts of the search.
    pub stats: Stats,
}

/// How many states are visited between two looks at the limits.
const LIMIT_CHECK_INTERVAL: usize = 256;

/// The largest buffer that is tried. Who needs a larger one stores in a loop, and there is no end to it.
const LARGEST_BUFFER: u32 = 256;

/// Finds all states in which every process has finished and every buffer is empty, with buffers that are
/// never full. Runs that end in a fault or get stuck have no final state.
pub fn final_states(
    program: &Program,
    memory: Memory,
    watched: &[Expr],
    limits: &Limits,
) -> Result<FinalStates, Limit> {
    let watch = LimitMonitor::new(limits.clone());
    let mut size = memory.bound.unwrap_or(Memory::DEFAULT_BOUND);
    loop {
        let sized = memory.bounded(Some(size));
        let subject = (program, memory.model);
        let finals =
            compile(program, sized, watched, 1).visit(Finals { subject, watch: &watch })?;
        match finals {
            Some(finals) => return Ok(finals),
            None if size >= LARGEST_BUFFER => return Err(Limit::Buffer(size)),
            None => size *= 2,
        }
    }
}

/// The search, once the memory system is known.
struct Finals<'a> {
    subject: (&'a Program, MemoryModel),
    watch: &'a LimitMonitor,
}

impl MachineVisitor for Finals<'_> {
    type Out = Result<Option<FinalStates>, Limit>;

    fn visit<M: MemorySystem>(self, machine: &Machine<M>) -> Self::Out {
        Search::new(self.subject, machine, self.watch).run()
    }
}

struct Search<'a, M> {
    machine: &'a Machine<M>,
    watch: &'a LimitMonitor,
    /// `None` if the program is explored in full.
    tables: Option<Vec<Tables>>,
    store: StateStore,
    transitions: u64,
}

impl<'a, M: MemorySystem> Search<'a, M> {
    fn new(
        (program, model): (&Program, MemoryModel),
        machine: &'a Machine<M>,
        watch: &'a LimitMonitor,
    ) -> Search<'a, M> {
        let tables = tables(program, model, machine);
        let store = StateStore::new(machine.words());
        Search { machine, watch, tables, store, transitions: 0 }
    }

    /// Runs the search; `None` if a buffer was too small.
    fn run(mut self) -> Result<Option<FinalStates>, Limit> {
        let mut values = BTreeSet::new();
        let mut scratch = Scratch::default();
        let mut ahead = Vec::new();
        let mut sink = Successors::default();
        self.store.insert(self.machine.initial(), StateId(0));
        let mut next = 0;
        while next < self.store.len() {
            let id = StateId(next as u32);
            sink.clear();
            self.expand(self.store.state(id), &mut scratch, &mut ahead, &mut sink);
            if sink.full {
                return Ok(None);
            }
            if sink.states.is_empty() && self.machine.is_final(self.store.state(id)) {
                values.insert(self.machine.watched(self.store.state(id)));
            }
            for state in sink.states.chunks_exact(self.machine.words()) {
                self.store.insert(state, id);
                self.transitions += 1;
            }
            next += 1;
            if next.is_multiple_of(LIMIT_CHECK_INTERVAL)
                && let Some(limit) = self.watch.check(self.store.bytes())
            {
                return Err(limit);
            }
            if self.store.len() as u64 > self.watch.most_states() {
                return Err(Limit::States(self.watch.most_states()));
            }
        }
        Ok(Some(FinalStates { values, stats: self.stats() }))
    }

    fn stats(&self) -> Stats {
        Stats {
            states: self.store.len() as u64,
            transitions: self.transitions,
            time: self.watch.elapsed(),
            peak_bytes: self.store.bytes(),
            state_bits: self.machine.state_bits() as u64,
            ..Stats::default()
        }
    }

    fn expand(
        &self,
        state: &[u64],
        scratch: &mut Scratch,
        ahead: &mut Vec<Ahead>,
        sink: &mut Successors,
    ) {
        let Some(tables) = &self.tables else {
            self.machine.expand(state, scratch, sink);
            return;
        };
        let processes = self.machine.processes();
        ahead.clear();
        for (process, table) in processes.iter().zip(tables) {
            let mut own = table.ahead[process.pc.bits(state) as usize];
            self.machine.memory().for_each_pending(state, process.id, |p| own.writes |= 1 << p.0);
            ahead.push(own);
        }
        for (i, (process, table)) in processes.iter().zip(tables).enumerate() {
            let bits = process.pc.bits(state) as usize;
            let others = union_but(ahead, i);
            if !process.steps[bits].is_empty()
                && self.replaces_unseen(process, table.now[bits], others, state)
                && self.is_local(process, table.now[bits], others, state)
            {
                return self.machine.expand_process(process, state, scratch, sink);
            }
        }
        for (i, process) in processes.iter().enumerate() {
            let others = union_but(ahead, i);
            if let Some(place) = self.local_commit(process, others, state) {
                return self.machine.expand_commit(process, place, state, scratch, sink);
            }
        }
        self.machine.expand(state, scratch, sink);
    }

    /// Whether nothing the others may still do interferes with the steps of a process (sets 1 and 2).
    fn is_local(&self, process: &CompiledProcess, now: Now, others: Ahead, state: &[u64]) -> bool {
        !now.needs_all
            && now.reads & others.writes == 0
            && now.direct_writes & (others.reads | others.writes) == 0
            && (!now.needs_drained || self.machine.memory().is_drained(state, process.id))
    }

    /// Whether stores of a process that waits are replaced only where nobody else can tell.
    fn replaces_unseen(
        &self,
        process: &CompiledProcess,
        now: Now,
        others: Ahead,
        state: &[u64],
    ) -> bool {
        if !M::OVERWRITES {
            return true;
        }
        let mut waiting = 0;
        self.machine.memory().for_each_pending(state, process.id, |p| waiting |= 1 << p.0);
        now.writes & waiting & (others.reads | others.writes) == 0
    }

    /// A commit of a process that nobody else can tell (set 3).
    fn local_commit(
        &self,
        process: &CompiledProcess,
        others: Ahead,
        state: &[u64],
    ) -> Option<CellId> {
        let mut found = None;
        self.machine.memory().for_each_commit(state, process.id, |place| {
            if (others.reads | others.writes) & (1 << place.0) == 0 {
                found = Some(place);
            }
        });
        found
    }
}

/// What all processes but one may still do.
fn union_but(ahead: &[Ahead], but: usize) -> Ahead {
    let mut all = Ahead::default();
    let others = ahead.iter().enumerate().filter(|&(i, _)| i != but);
    others.for_each(|(_, other)| all.join(*other));
    all
}

/// Takes the successors of one state.
#[derive(Default)]
struct Successors {
    states: Vec<u64>,
    full: bool,
}

impl Successors {
    fn clear(&mut self) {
        self.states.clear();
    }
}

impl Sink for Successors {
    fn successor(&mut self, _: Provenance, state: &[u64]) {
        self.states.extend_from_slice(state);
    }

    fn finding(&mut self, _: Provenance, _: Finding) {}

    fn blocked(&mut self, bound: Bound) {
        self.full |= bound == Bound::Buffer;
    }
}
