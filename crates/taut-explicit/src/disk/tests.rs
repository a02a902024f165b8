//! Searches with files against searches in memory, with memory for a few states only, so that every file is written,
//! merged and read many times.

use proptest::prelude::*;
use proptest::sample::select;
use taut_ir::{FullBuffer, Memory, MemoryModel, Program};
use taut_memory::MemorySystem;
use taut_testkit::cases::{Case, random_cases};
use taut_testkit::random::{graph, straight};

use taut_machine::compile_for;
use taut_memory::Tso;

use super::DiskSearch;
use crate::exploration::{Completion, Exploration};
use crate::explore::explore;
use crate::explore::tests::{
    Careless, MOST_STATES, counters, essence, explore_with_sizes, lengths, letters,
    reduced_by_the_book, replays, with,
};
use crate::limits::{DiskTrouble, Limit, LimitMonitor, Limits};
use crate::search::SearchContext;
use crate::settings::{DiskOptions, Order, Reduce, SearchOptions, StoreKind};
use crate::sizes::Sizes;

/// From memory for two states to memory for all of them.
const SIZES: [Sizes; 4] = [
    Sizes { table: 2, filter: 3, index: 200, buffer: 64, block: 1, fan: 2 },
    Sizes { table: 7, filter: 3, index: 200, buffer: 128, block: 24, fan: 2 },
    Sizes { table: 64, filter: 1_000, index: 200, buffer: 512, block: 100, fan: 4 },
    Sizes { table: 10_000, filter: 3, index: 200, buffer: 1 << 12, block: 1 << 12, fan: 4 },
];

fn on_disk(options: &SearchOptions) -> SearchOptions {
    SearchOptions { store: StoreKind::Disk, ..options.clone() }
}

/// Nothing is reduced: the result is that of one thread with the exact store, to the letter.
fn compare(
    case: &Case,
    program: &Program,
    memory: Memory,
    options: &SearchOptions,
) -> Result<(), TestCaseError> {
    let exact = explore(program, memory, options);
    if matches!(exact.completion, Completion::Limit(_)) {
        return case.pass_over("too large");
    }
    case.about(program);
    case.count("compared");
    for sizes in SIZES {
        let found = explore_with_sizes(program, memory, &on_disk(options), sizes);
        prop_assert_eq!(letters(&exact), letters(&found), "{:?}", sizes);
        replays(program, memory, &found)?;
    }
    Ok(())
}

/// Something is reduced: all counts and the lengths of runs are the same if every state is visited.
fn compare_reduced(
    case: &Case,
    program: &Program,
    memory: Memory,
    options: &SearchOptions,
) -> Result<(), TestCaseError> {
    let exact = explore(program, memory, options);
    if exact.completion != Completion::Complete {
        return case.pass_over("too large");
    }
    case.about(program);
    case.count("compared");
    let mut first: Option<Exploration> = None;
    for sizes in SIZES {
        let found = explore_with_sizes(program, memory, &on_disk(options), sizes);
        prop_assert_eq!(essence(&exact), essence(&found), "{:?}", sizes);
        prop_assert_eq!(lengths(&exact), lengths(&found), "{:?}", sizes);
        prop_assert_eq!(exact.stats.depth, found.stats.depth, "{:?}", sizes);
        prop_assert_eq!(exact.stats.pruned, found.stats.pruned, "{:?}", sizes);
        replays(program, memory, &found)?;
        if let Some(first) = &first {
            prop_assert_eq!(letters(first), letters(&found), "memory changes nothing: {:?}", sizes);
        }
        first.get_or_insert(found);
    }
    Ok(())
}

#[test]
fn files_change_nothing_to_the_letter() {
    let tally = random_cases(
        12,
        (
            graph(6),
            prop_oneof![Just(None), (1_u32..4).prop_map(Some)],
            any::<bool>(),
            select(MemoryModel::EVERY.to_vec()),
            any::<bool>(),
            any::<bool>(),
        ),
        |case, (draft, bound, full_is_error, model, all, whole)| {
            let full_buffer = if full_is_error { FullBuffer::Error } else { FullBuffer::Wait };
            let memory = Memory { model, bound, full_buffer };
            let options = SearchOptions { all, whole, ..with(Order::Bfs, StoreKind::Exact, 1) };
            compare(case, &draft.program(), memory, &options)
        },
    );
    tally.at_least("compared", 9);
}

#[test]
fn files_change_nothing_in_straight_programs() {
    let tally = random_cases(
        12,
        (straight(4), 1_u32..4, select(MemoryModel::EVERY.to_vec())),
        |case, (draft, bound, model)| {
            let memory = Memory::new(model).bounded(Some(bound));
            compare(case, &draft.program(), memory, &with(Order::Bfs, StoreKind::Exact, 1))
        },
    );
    tally.at_least("compared", 9);
}

#[test]
fn files_change_no_count_with_reductions() {
    let tally = random_cases(
        12,
        (
            graph(6),
            1_u32..4,
            select(MemoryModel::EVERY.to_vec()),
            select(vec![Reduce::Por, Reduce::All]),
        ),
        |case, (draft, bound, model, reduce)| {
            let memory = Memory::new(model).bounded(Some(bound));
            let options = SearchOptions { reduce, ..with(Order::Bfs, StoreKind::Exact, 1) };
            compare_reduced(case, &draft.program(), memory, &options)
        },
    );
    tally.at_least("compared", 9);
}

#[test]
fn the_proviso_is_that_of_the_book() {
    let tally = random_cases(
        12,
        (graph(6), 0_u32..3, select(SIZES.to_vec())),
        |case, (draft, bits, sizes)| {
            let program = draft.program();
            let memory = Memory::new(MemoryModel::Tso).bounded(Some(2));
            let machine = compile_for::<Tso>(&program, memory, &[], 1);
            let expander = Careless { machine: &machine, full: (1 << bits) - 1 };
            let (states, in_part) = reduced_by_the_book(&expander);
            case.count(if states <= MOST_STATES { "compared" } else { "too large" });
            if states <= MOST_STATES {
                prop_assert_eq!(reduced(&expander, sizes), (states, in_part));
            }
            Ok(())
        },
    );
    tally.at_least("compared", 9);
}

/// A search with an expander that leaves things out: the number of states, and of those expanded in part.
fn reduced<M: MemorySystem + Sync>(expander: &Careless<'_, M>, sizes: Sizes) -> (u64, u64) {
    let options = &with(Order::Bfs, StoreKind::Disk, 1);
    let watch = &LimitMonitor::new(options.limits.clone());
    let mut setting = SearchContext::new(options, watch);
    setting.sizes = Some(sizes);
    let (outcome, kept) = DiskSearch::new(expander.machine, expander, setting).run();
    (kept.states, outcome.tally.reduced)
}

fn count_on_disk(disk: DiskOptions, limits: Limits, sizes: Option<Sizes>) -> Exploration {
    let options =
        SearchOptions { store: StoreKind::Disk, disk, limits, ..SearchOptions::default() };
    let memory = Memory::new(MemoryModel::Sc);
    match sizes {
        Some(sizes) => explore_with_sizes(&counters(4, 15), memory, &options, sizes),
        None => explore(&counters(4, 15), memory, &options),
    }
}

#[test]
fn states_that_do_not_fit_the_memory_are_counted_right() {
    let limits = Limits { bytes: Some(256 << 10), ..Limits::default() };
    let found = count_on_disk(DiskOptions::default(), limits, None);
    let stats = found.stats;
    assert_eq!(found.completion, Completion::Complete);
    assert_eq!((stats.states, stats.transitions), (16_u64.pow(4), 4 * 15 * 16_u64.pow(3)));
    assert_eq!((stats.depth, stats.expanded), (60, stats.states));
    assert!(stats.peak_bytes <= 256 << 10, "{} bytes in memory", stats.peak_bytes);
    assert!(stats.disk_bytes > 0);
}

#[test]
fn a_full_disk_is_a_limit_wherever_it_is_met() {
    let sizes = Sizes { table: 500, filter: 3, index: 200, buffer: 1 << 10, block: 256, fan: 3 };
    let all =
        count_on_disk(DiskOptions::default(), Limits::default(), Some(sizes)).stats.disk_bytes;
    for share in 0..20 {
        let most = all * share / 20;
        let disk = DiskOptions { most: Some(most), ..DiskOptions::default() };
        let found = count_on_disk(disk, Limits::default(), Some(sizes));
        let expected = Completion::Limit(Limit::Disk(DiskTrouble::Most(most)));
        assert_eq!(found.completion, expected, "{share} of 20");
        assert!(found.stats.states < 16_u64.pow(4));
        assert!(found.stats.disk_bytes <= most);
    }
    let disk = DiskOptions { most: Some(all), ..DiskOptions::default() };
    let found = count_on_disk(disk, Limits::default(), Some(sizes));
    assert_eq!(found.completion, Completion::Complete);
}

#[test]
fn a_directory_that_is_not_there_is_a_limit() {
    let disk = DiskOptions { directory: Some("/no/such/place".into()), ..DiskOptions::default() };
    let sizes = Sizes { table: 500, filter: 3, index: 200, buffer: 1 << 10, block: 256, fan: 3 };
    let found = count_on_disk(disk, Limits::default(), Some(sizes));
    let expected = Limit::Disk(DiskTrouble::Failed(std::io::ErrorKind::NotFound));
    assert_eq!(found.completion, Completion::Limit(expected));
}

#[test]
fn what_was_found_before_the_disk_was_full_is_shown() {
    let tally = random_cases(8, (graph(6), 0_u64..10), |case, (draft, share)| {
        let program = draft.program();
        let memory = Memory::new(MemoryModel::Tso).bounded(Some(2));
        let options = on_disk(&with(Order::Bfs, StoreKind::Exact, 1));
        let all = explore_with_sizes(&program, memory, &options, SIZES[1]);
        let most = all.stats.disk_bytes * share / 10;
        let disk = DiskOptions { most: Some(most), ..DiskOptions::default() };
        let cut = SearchOptions { disk, ..options };
        let cut = explore_with_sizes(&program, memory, &cut, SIZES[1]);
        prop_assert_eq!(&cut.found, &all.found[..cut.found.len()]);
        if all.stats.disk_bytes > 0 && all.completion == Completion::Complete {
            case.count("compared");
            let expected = Completion::Limit(Limit::Disk(DiskTrouble::Most(most)));
            prop_assert_eq!(cut.completion, expected);
        }
        Ok(())
    });
    tally.at_least("compared", 4);
}
