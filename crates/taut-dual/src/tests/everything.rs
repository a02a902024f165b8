//! Random programs with everything the program model has: arrays, registers, ghosts, read-modify-writes, atomic
//! sections, `sync`, faults, views of processes in properties; against explicit search.

use std::collections::BTreeSet;

use proptest::prelude::*;
use taut_ir::{Finding, Memory, MemoryModel, Program};
use taut_testkit::cases::{Case, random_cases};
use taut_testkit::random::{Draft, graph, straight};

use super::{Said, ask, explicit, kind};

pub(super) fn compare(case: &Case, program: &Program) -> Result<(), TestCaseError> {
    case.about(program);
    let found = match ask(program, 100_000) {
        Said::Found(found) => found,
        Said::Refused => return case.pass_over("refused"),
        Said::Limit => return case.pass_over("left open"),
        Said::Wrong(why) => return Err(TestCaseError::fail(why)),
    };
    let Some((bounded, met)) = explicit(program, 6, 100_000) else {
        return case.pass_over("too large");
    };
    case.count(if met { "compared up to a bound" } else { "compared" });
    let missed: Vec<_> = bounded.difference(&found).collect();
    prop_assert!(missed.is_empty(), "misses {missed:?}");
    if !met {
        prop_assert_eq!(&found, &bounded);
    }
    by_force(case, program, &found)
}

/// Brute force, which shares no code with any engine, finds the same.
fn by_force(
    case: &Case,
    program: &Program,
    found: &BTreeSet<Finding>,
) -> Result<(), TestCaseError> {
    let memory = Memory::new(MemoryModel::Tso).bounded(Some(6));
    let Some(force) = taut_witness::enumerate::explore(program, memory, 1_000) else {
        return Ok(());
    };
    case.count("compared with brute force");
    let all: BTreeSet<Finding> = force.findings.into_iter().map(kind).collect();
    prop_assert!(all.is_subset(found), "brute force finds {all:?}, the engine {found:?}");
    Ok(())
}

#[test]
fn graphs() {
    let tally = random_cases(400, graph(8), |case, draft| compare(case, &draft.program()));
    tally.at_least("compared", 40).at_least("compared up to a bound", 45);
}

#[test]
fn crowds() {
    let tally = random_cases(300, (graph(3), graph(2)), |case, (two, more)| {
        let threads = two.threads.into_iter().chain(more.threads).take(3).collect();
        compare(case, &Draft { threads }.program())
    });
    tally.at_least("compared", 60);
}

#[test]
fn straight_lines() {
    let tally = random_cases(400, straight(5), |case, draft| compare(case, &draft.program()));
    tally.at_least("compared", 200).at_least("compared with brute force", 150);
}
