//! Temporal searches that are resumed at every cut and after every interrupt, by other numbers of threads: the result is
//! always that of a search that was never disturbed.

use std::fmt::Debug;
use std::io::{self, Write};
use std::time::Duration;

use proptest::prelude::*;
use proptest::sample::select;
use taut_explicit::checkpoint::Content;
use taut_explicit::{Checkpoints, Limits, Reduce, Vault};
use taut_ir::{Fairness, FullBuffer, Memory, MemoryModel, Program, PropId};
use taut_temporal::{Emptiness, TemporalOptions, TemporalSearch, find_accepting_lasso};
use taut_testkit::random::{config, graph};
use taut_testkit::shelf::{Shelf, some};
use taut_testkit::temporal::{fairness, question};

/// A shelf as the vault of a search.
#[derive(Debug)]
struct OnShelf(Shelf);

impl Vault for OnShelf {
    fn write(
        &self,
        name: &str,
        body: &mut dyn FnMut(&mut dyn Write) -> io::Result<()>,
    ) -> io::Result<()> {
        self.0.write(name, body)
    }

    fn read(&self, name: &str) -> io::Result<Option<Content<'_>>> {
        Ok(self.0.read(name).map(|(content, length)| (Box::new(content) as _, length)))
    }

    fn warn(&self, message: &str) {
        self.0.warn(message);
    }
}

fn checkpoints(shelf: &Shelf, every: Duration) -> Option<Checkpoints> {
    Some(Checkpoints::new(Box::new(OnShelf(shelf.clone())), every))
}

const NEVER: Duration = Duration::from_secs(1 << 20);
/// Products with more nodes than this are not searched to the end: they are written after every node.
const MOST_NODES: u64 = 300;
/// Cuts of one search that are resumed, spread over all of them.
const MOST_CUTS: usize = 10;

fn kept(checkpoints: Option<Checkpoints>) -> Limits {
    Limits { checkpoints, ..Limits::default() }
}

/// Everything that is reported but times and bytes.
fn letters(r: &TemporalSearch) -> impl PartialEq + Debug + use<> {
    let s = &r.stats;
    let counts = [s.states, s.transitions, s.matched, s.depth, u64::from(s.buffer_size)];
    let bounds = format!("{:?}", r.bounds_met);
    (r.completion, r.found.clone(), counts, bounds, r.private.clone(), r.counts_steps)
}

/// The options of a search.
#[derive(Clone, Copy, Debug)]
struct Way {
    emptiness: Emptiness,
    threads: usize,
    reduce: Reduce,
    alone: usize,
    fairness: Fairness,
}

fn ways() -> impl Strategy<Value = Way> {
    let emptiness = select(vec![Emptiness::Components, Emptiness::Nested]);
    let reductions = select(vec![Reduce::None, Reduce::All]);
    // All threads from the start, after a few nodes, or never.
    let alone = select(vec![0, 20, 100_000]);
    (emptiness, 1_usize..4, reductions, alone, fairness()).prop_map(
        |(emptiness, threads, reduce, alone, fairness)| Way {
            emptiness,
            threads,
            reduce,
            alone,
            fairness,
        },
    )
}

fn searched(
    program: &Program,
    memory: Memory,
    id: PropId,
    way: Way,
    limits: Limits,
) -> TemporalSearch {
    let Way { emptiness, threads, reduce, alone, fairness } = way;
    let limits = Limits { states: Some(MOST_NODES), ..limits };
    let options =
        TemporalOptions { fairness, emptiness, reduce, threads, alone, spawn_all: false, limits };
    find_accepting_lasso(program, memory, id, &options).expect("a small formula")
}

fn resume(program: &Program, memory: Memory, id: PropId, way: Way) -> Result<(), TestCaseError> {
    let plain = searched(program, memory, id, way, Limits::default());
    let shelf = Shelf::default();
    let eager = searched(program, memory, id, way, kept(checkpoints(&shelf, Duration::ZERO)));
    prop_assert_eq!(letters(&plain), letters(&eager), "{:?}", way);
    let history = std::mem::take(&mut shelf.lock().history);
    for (i, files) in some(&history, MOST_CUTS).enumerate() {
        let shelf = Shelf::of(files);
        let other = Way { threads: 1 + (way.threads + i) % 3, ..way };
        let resumed = searched(program, memory, id, other, kept(checkpoints(&shelf, NEVER)));
        prop_assert_eq!(letters(&plain), letters(&resumed), "{:?} {}", way, i);
        prop_assert_eq!(&shelf.lock().warnings, &Vec::<String>::new());
    }
    // The same after interrupts, one after the other.
    let shelf = Shelf::default();
    loop {
        let limits = kept(checkpoints(&shelf, Duration::ZERO));
        let so_far = shelf.lock().history.len();
        shelf.lock().interrupt = Some((so_far + 3, limits.interrupt.clone()));
        let resumed = searched(program, memory, id, way, limits.clone());
        if !limits.interrupt.is_raised() {
            prop_assert_eq!(letters(&plain), letters(&resumed), "{:?}", way);
            return Ok(());
        }
    }
}

fn memories() -> impl Strategy<Value = Memory> {
    let full = select(vec![FullBuffer::Wait, FullBuffer::Error]);
    let bounds = select(vec![Some(1), Some(2), None]);
    (select(MemoryModel::EVERY.to_vec()), bounds, full)
        .prop_map(|(model, bound, full_buffer)| Memory { model, bound, full_buffer })
}

proptest! {
    #![proptest_config(config(150))]

    #[test]
    fn a_temporal_search_goes_on_from_every_cut_and_after_every_interrupt(
        draft in graph(4), question in question(4), memory in memories(), way in ways()
    ) {
        let mut program = draft.program();
        let id = question.ask(&mut program);
        resume(&program, memory, id, way)?;
    }
}
