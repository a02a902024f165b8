//! Several processes against one, on random programs: the same states, transitions, findings, bounds and steps reached; runs that
//! replay and are as short.

use std::collections::BTreeSet;

use proptest::prelude::*;
use proptest::test_runner::TestCaseResult;
use taut_cluster::Cluster;
use taut_engine::{Completion, Engine, Exploration, Job, SearchOptions, Stats};
use taut_explicit::{Limits, Reduce, StoreKind, explore};
use taut_ir::{Finding, Memory, MemoryModel, Program};
use taut_testkit::cases::{Case, random_cases};
use taut_testkit::random::{graph, straight};
use taut_testkit::{padding, promela_like};
use taut_witness::{Trace, replay};

use crate::common::cluster;

/// Programs with more states are passed over.
const MOST: u64 = 20_000;

fn counts(stats: &Stats) -> [u64; 8] {
    let Stats { states, transitions, matched, deadlocks, faults, depth, expanded, pruned, .. } =
        *stats;
    [
        states,
        transitions,
        matched,
        deadlocks,
        faults,
        depth,
        expanded,
        pruned.stubborn + pruned.symmetric,
    ]
}

fn kinds(exploration: &Exploration) -> BTreeSet<Finding> {
    let one = |finding: Finding| match finding {
        Finding::Fault(_) => Finding::Fault(taut_ir::Fault::Range),
        other => other,
    };
    exploration.found.iter().map(|found| one(found.finding)).collect()
}

/// The result of a cluster, without what one process would add.
fn shared(
    cluster: &Cluster,
    program: &Program,
    memory: Memory,
    options: &SearchOptions,
) -> Exploration {
    let job = Job::new(program, memory, options.clone());
    cluster.supports(&job).expect("workers can do this");
    cluster.run(&job).expect("no fault").exploration
}

/// Compares searches of all states, and searches that end when they are answered.
fn compare(
    case: &Case,
    cluster: &Cluster,
    program: &Program,
    memory: Memory,
    (reduce, store): (Reduce, StoreKind),
) -> TestCaseResult {
    case.about(program);
    let limits = Limits { states: Some(MOST), ..Limits::default() };
    let whole =
        SearchOptions { all: true, whole: true, reduce, store, limits, ..SearchOptions::default() };
    let one = explore(program, memory, &whole);
    if one.completion != Completion::Complete {
        return case.pass_over("too large");
    }
    let several = shared(cluster, program, memory, &whole);
    prop_assert_eq!(several.completion, Completion::Complete);
    prop_assert_eq!(counts(&several.stats), counts(&one.stats), "{:?} {:?}", memory, reduce);
    prop_assert_eq!(several.bounds_met, one.bounds_met);
    prop_assert_eq!(&several.reached, &one.reached);
    prop_assert_eq!(several.may_fault, one.may_fault);
    prop_assert_eq!(kinds(&several), kinds(&one));
    case.count("compared");
    case.count(if one.found.is_empty() { "without findings" } else { "with findings" });
    let first = SearchOptions { all: false, whole: false, ..whole.clone() };
    let early = shared(cluster, program, memory, &first);
    prop_assert_eq!(early.found.is_empty(), one.found.is_empty());
    let alone = explore(program, memory, &first);
    prop_assert_eq!(early.completion, alone.completion);
    // A search by several ends between two levels.
    prop_assert!(early.stats.states >= alone.stats.states);
    for found in several.found.iter().chain(&early.found) {
        let trace = Trace::new(memory, found.finding, found.actions.clone());
        replay(program, &trace).map_err(|error| TestCaseError::fail(format!("{error}")))?;
        let holds = program.defs.iter().flat_map(|d| &d.steps).any(|step| step.holds)
            || program.defs.iter().flat_map(|d| &d.points).any(|point| point.atomic);
        let theirs = one.found.iter().find(|theirs| theirs.finding.same_kind(found.finding));
        if !holds && reduce == Reduce::None {
            prop_assert_eq!(theirs.map(|f| f.actions.len()), Some(found.actions.len()));
            case.count("lengths");
        }
    }
    Ok(())
}

fn every_reduction(
    case: &Case,
    clusters: &[Cluster],
    program: &Program,
    memory: Memory,
) -> TestCaseResult {
    for (i, reduce) in [Reduce::None, Reduce::Por, Reduce::All].into_iter().enumerate() {
        compare(case, &clusters[i % clusters.len()], program, memory, (reduce, StoreKind::Exact))?;
    }
    compare(case, &clusters[0], program, memory, (Reduce::None, StoreKind::Tree))
}

#[test]
fn straight_programs() {
    let clusters = [cluster(2), cluster(3)];
    let tally = random_cases(24, (straight(4), 1_u32..4), |case, (draft, bound)| {
        for model in MemoryModel::EVERY {
            let memory = Memory::new(model).bounded(Some(bound));
            every_reduction(case, &clusters, &draft.program(), memory)?;
        }
        Ok(())
    });
    tally.at_least("compared", 300).at_least("with findings", 8);
}

#[test]
fn programs_with_loops_and_local_steps() {
    let clusters = [cluster(5), cluster(2)];
    let drafts = (graph(5), padding::padding(), 1_u32..3);
    let tally = random_cases(16, drafts, |case, (draft, padding, bound)| {
        let program = padding.put_into(draft.program());
        for model in MemoryModel::EVERY {
            let memory = Memory::new(model).bounded(Some(bound));
            every_reduction(case, &clusters, &program, memory)?;
        }
        Ok(())
    });
    tally.at_least("compared", 150).at_least("with findings", 20).at_least("lengths", 8);
}

#[test]
fn programs_with_channels() {
    let clusters = [cluster(3)];
    let tally = random_cases(12, promela_like::draft(), |case, draft| {
        every_reduction(case, &clusters, &draft.program(), Memory::new(MemoryModel::Tso))
    });
    tally.at_least("compared", 20).at_least("with findings", 5);
}

/// Buffers without a bound are laid out larger and larger; the parts agree on it.
#[test]
fn buffers_without_a_bound() {
    let clusters = [cluster(2)];
    let tally = random_cases(12, straight(12), |case, draft| {
        let memory = Memory::new(MemoryModel::Tso).bounded(None);
        compare(case, &clusters[0], &draft.program(), memory, (Reduce::All, StoreKind::Exact))
    });
    tally.at_least("compared", 10);
}

/// The limit on states is a limit whatever the number of workers, and one that is just not met is none.
#[test]
fn limits_on_states() {
    let cluster = cluster(3);
    let tally = random_cases(12, straight(4), |case, draft| {
        let (program, memory) = (draft.program(), Memory::new(MemoryModel::Tso));
        let whole = SearchOptions { all: true, whole: true, ..SearchOptions::default() };
        let states = explore(&program, memory, &whole).stats.states;
        if states < 3 {
            return case.pass_over("small");
        }
        for (most, is_met) in [(states, false), (states - 1, true), (states / 2, true)] {
            let limits = Limits { states: Some(most), ..Limits::default() };
            let options = SearchOptions { limits, ..whole.clone() };
            let end = shared(&cluster, &program, memory, &options).completion;
            let limit = Completion::Limit(taut_engine::Limit::States(most));
            prop_assert_eq!(end, if is_met { limit } else { Completion::Complete });
        }
        case.count("compared");
        Ok(())
    });
    tally.at_least("compared", 8);
}
