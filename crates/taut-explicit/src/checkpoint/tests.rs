//! Searches that are resumed at every cut, after limits and interrupts, by other numbers of threads, from damaged files:
//! the result is always that of a search that was never disturbed.

use std::fmt::Debug;

use proptest::prelude::*;
use proptest::sample::select;
use taut_ir::{FullBuffer, Memory, MemoryModel, Program};
use taut_testkit::random::{config, graph, straight};
use taut_testkit::shelf::{Files, Shelf, some};

use super::*;
use crate::explore::tests::explore_sharing;
use crate::{Exploration, Limits, Reduce, SearchOptions, StoreKind};

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
/// Programs with more states than this are not searched to the end.
const MOST_STATES: u64 = 1_500;
/// Cuts of one search that are resumed, spread over all of them.
const MOST_CUTS: usize = 10;

/// Everything that is reported but times and bytes.
fn letters(e: &Exploration) -> impl PartialEq + Debug + use<> {
    let s = &e.stats;
    let counts = [s.states, s.transitions, s.matched, s.deadlocks, s.faults, s.depth, s.expanded];
    let bounds = (e.bounds_met, s.buffer_size, s.pruned);
    (e.completion, e.found.clone(), counts, format!("{bounds:?}"), e.reached.clone(), e.may_fault)
}

/// A search of states.
#[derive(Clone, Copy, Debug)]
struct Way {
    store: StoreKind,
    threads: usize,
    reduce: Reduce,
    all: bool,
    whole: bool,
}

fn ways() -> impl Strategy<Value = Way> {
    let stores = select(vec![StoreKind::Exact, StoreKind::Tree]);
    let reductions = select(vec![Reduce::None, Reduce::Por, Reduce::All]);
    (stores, 1_usize..4, reductions, any::<(bool, bool)>()).prop_map(
        |(store, threads, reduce, (all, whole))| Way { store, threads, reduce, all, whole },
    )
}

fn explored(program: &Program, memory: Memory, way: Way, limits: Limits) -> Exploration {
    let Way { store, threads, reduce, all, whole } = way;
    let limits = Limits { states: Some(MOST_STATES), ..limits };
    let options =
        SearchOptions { store, threads, reduce, all, whole, limits, ..SearchOptions::default() };
    explore_sharing(program, memory, &options, 1)
}

fn kept(checkpoints: Option<Checkpoints>) -> Limits {
    Limits { checkpoints, ..Limits::default() }
}

fn resume_states_at_every_cut(
    program: &Program,
    memory: Memory,
    way: Way,
) -> Result<(), TestCaseError> {
    let plain = explored(program, memory, way, Limits::default());
    let shelf = Shelf::default();
    let limits = kept(checkpoints(&shelf, Duration::ZERO));
    let eager = explored(program, memory, way, limits);
    prop_assert_eq!(letters(&plain), letters(&eager), "{:?}", way);
    let history = std::mem::take(&mut shelf.lock().history);
    for (i, files) in some(&history, MOST_CUTS).enumerate() {
        let shelf = Shelf::of(files);
        let checkpoints = checkpoints(&shelf, NEVER);
        let other = Way { threads: 1 + (way.threads + i) % 3, ..way };
        let resumed = explored(program, memory, other, kept(checkpoints.clone()));
        prop_assert_eq!(letters(&plain), letters(&resumed), "{:?} {}", way, i);
        prop_assert!(checkpoints.expect("some").take_resumed().searches > 0);
        prop_assert_eq!(&shelf.lock().warnings, &Vec::<String>::new());
    }
    Ok(())
}

/// Goes on after limits on memory that grow, then after interrupts, until the search ends by itself.
fn resume_states_after_limits(
    program: &Program,
    memory: Memory,
    way: Way,
) -> Result<(), TestCaseError> {
    let plain = explored(program, memory, way, Limits::default());
    let shelf = Shelf::default();
    let mut bytes = 1 << 10;
    loop {
        let limits = kept(checkpoints(&shelf, NEVER));
        let resumed = explored(program, memory, way, Limits { bytes: Some(bytes), ..limits });
        // A limit can leave no room for the repetition by one thread. Then the result is right, but not to the letter.
        if !resumed.completion.is_cut() && letters(&plain) == letters(&resumed) {
            break;
        }
        prop_assert!(bytes < 1 << 26, "{:?}: {:?}, {:?}", way, letters(&plain), letters(&resumed));
        bytes += bytes / 4;
    }
    let shelf = Shelf::default();
    loop {
        let limits = kept(checkpoints(&shelf, Duration::ZERO));
        let so_far = shelf.lock().history.len();
        shelf.lock().interrupt = Some((so_far + 3, limits.interrupt.clone()));
        let resumed = explored(program, memory, way, limits.clone());
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
    fn a_search_of_states_goes_on_from_every_cut(
        draft in graph(4), memory in memories(), way in ways()
    ) {
        resume_states_at_every_cut(&draft.program(), memory, way)?;
    }

    #[test]
    fn a_search_of_states_goes_on_after_every_limit(
        draft in graph(4), memory in memories(), way in ways()
    ) {
        resume_states_after_limits(&draft.program(), memory, way)?;
    }

    #[test]
    fn a_search_of_straight_programs_goes_on(
        draft in straight(4), memory in memories(), way in ways()
    ) {
        resume_states_at_every_cut(&draft.program(), memory, way)?;
    }
}

/// Files in which a bit is flipped or the end is missing.
fn damage(files: &Files, (file, at, kind): (usize, usize, usize)) -> Option<(String, Files)> {
    let (name, bytes) = files.iter().nth(file % files.len().max(1))?;
    let mut bytes = bytes.to_vec();
    let at = at % bytes.len();
    match kind {
        0 => bytes.truncate(at),
        bit => bytes[at] ^= 1 << (bit - 1),
    }
    let mut files = files.clone();
    files.insert(name.clone(), Arc::new(bytes));
    Some((name.clone(), files))
}

proptest! {
    #![proptest_config(config(25))]

    #[test]
    fn damage_is_noticed_and_changes_no_result(
        draft in graph(4),
        memory in memories(),
        way in ways(),
        damages in prop::collection::vec((any::<usize>(), any::<usize>(), 0_usize..9), 60),
    ) {
        let program = draft.program();
        let plain = explored(&program, memory, way, Limits::default());
        let shelf = Shelf::default();
        explored(&program, memory, way, kept(checkpoints(&shelf, Duration::ZERO)));
        let history = std::mem::take(&mut shelf.lock().history);
        for (i, how) in damages.into_iter().enumerate() {
            let files = history.get(i % history.len().max(1));
            let Some((name, files)) = files.and_then(|files| damage(files, how)) else { continue };
            let shelf = Shelf::of(&files);
            prop_assert!(verify(&OnShelf(shelf.clone()), &name).is_err(), "{:?}", how);
            // A caller that does not look at the files first makes the search again.
            let resumed = explored(&program, memory, way, kept(checkpoints(&shelf, NEVER)));
            prop_assert_eq!(letters(&plain), letters(&resumed), "{:?} {:?}", way, how);
        }
    }

    #[test]
    fn a_full_disk_ends_no_search(draft in graph(4), memory in memories(), way in ways()) {
        let program = draft.program();
        let plain = explored(&program, memory, way, Limits::default());
        let shelf = Shelf::default();
        shelf.lock().is_full = true;
        let resumed = explored(&program, memory, way, kept(checkpoints(&shelf, Duration::ZERO)));
        prop_assert_eq!(letters(&plain), letters(&resumed), "{:?}", way);
        prop_assert!(shelf.lock().warnings.iter().all(|w| w.contains("was not written")));
        prop_assert!(shelf.lock().files.is_empty());
    }
}

#[test]
fn notes_are_read_again_under_their_own_names() {
    let shelf = Shelf::default();
    let vault = OnShelf(shelf.clone());
    assert!(read_note(&vault, "note").expect("readable").is_none());
    write_note(&vault, "note", b"text").expect("written");
    assert_eq!(read_note(&vault, "note").expect("readable").as_deref(), Some(&b"text"[..]));
    verify(&vault, "note").expect("whole");
    let bytes = shelf.lock().files["note"].clone();
    shelf.lock().files.insert("other".into(), bytes);
    assert!(read_note(&vault, "other").is_err(), "a file that was renamed");
    assert!(verify(&vault, "none").is_err());
}
