//! Random programs, with channels, pids, timeouts, holds and priorities and without: SPIN, run for real on
//! what is exported, agrees with brute force.

use crate::support;

use std::collections::BTreeMap;

use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use support::draw::{draw, holds_in_a_circle, memory};
use support::*;
use taut_ir::{Lifecycle, Memory, Program};
use taut_testkit::priorities::ranks;
use taut_testkit::random::{graph, straight};

/// Compares one program; what the verdicts are, or nothing if it is too large or is not exported.
fn compare(name: usize, program: &Program, memory: Memory) -> Result<Option<Verdicts>, String> {
    taut_ir::validate::validate(program).map_err(|e| format!("{name}: {e:?}"))?;
    let Some(force) = by_force(program, memory) else { return Ok(None) };
    let Ok(promela) = taut_export::promela(program, memory) else { return Ok(None) };
    let spin = match by_spin(&promela) {
        Err(e) if e == CUT_OFF && holds_in_a_circle(program) => return Ok(None),
        spin => spin.map_err(|e| format!("{name}: {e}"))?,
    };
    match spin == force {
        true => Ok(Some(force)),
        false => Err(format!(
            "{name}, {memory:?}: (wrong, deadlock): brute force {force:?}, SPIN {spin:?}\n{promela}"
        )),
    }
}

/// Compares programs; how often each verdict came out.
fn compare_all(programs: &[(Program, Memory)]) -> BTreeMap<Verdicts, usize> {
    let all =
        on_two_threads(programs, |number, (program, memory)| compare(number, program, *memory));
    assert!(all.len() * 10 >= programs.len() * 6, "{} of {}", all.len(), programs.len());
    let mut verdicts = BTreeMap::new();
    all.into_iter().for_each(|v| *verdicts.entry(v).or_insert(0) += 1);
    println!("{verdicts:?}");
    verdicts
}

#[test]
fn random_programs_of_promela_have_the_same_verdicts_in_spin() {
    let programs: Vec<_> = (0..seeds(80)).map(|seed| (draw(seed), memory(seed))).collect();
    let verdicts = compare_all(&programs);
    assert_eq!(verdicts.len(), 4, "all verdicts come out: {verdicts:?}");
}

#[test]
fn random_programs_with_priorities_have_the_same_verdicts_in_spin() {
    let mut runner = TestRunner::deterministic();
    let program = |seed: u64| {
        let ranks = ranks().new_tree(&mut runner).expect("priorities").current();
        (ranks.put_into(draw(seed)), memory(seed))
    };
    let stack = |seed: &u64| draw(*seed).lifecycle == Lifecycle::Stack;
    let seeds = (0..seeds(150)).filter(stack).filter(|&seed| !holds_in_a_circle(&draw(seed)));
    let programs: Vec<_> = seeds.map(program).collect();
    let verdicts = compare_all(&programs);
    assert!(verdicts.len() > 2, "most verdicts come out: {verdicts:?}");
    let states = |program: &Program, memory: Memory| {
        taut_witness::enumerate::explore(program, memory, 3_000).map(|found| found.states)
    };
    let different = programs.iter().filter(|(program, memory)| {
        let without = Program { priorities: None, ..program.clone() };
        states(program, *memory) != states(&without, *memory)
    });
    let different = different.count();
    assert!(different > 10, "priorities make a difference in {different} programs");
}

#[test]
fn random_programs_of_taut_have_the_same_verdicts_in_spin() {
    let mut runner = TestRunner::deterministic();
    let drafts = prop_oneof![straight(4), graph(5)];
    let program = |seed: u64| {
        let draft = drafts.new_tree(&mut runner).expect("a draft").current();
        (draft.program(), memory(seed))
    };
    let programs: Vec<_> = (0..seeds(80) / 2).map(program).collect();
    assert!(compare_all(&programs).len() > 1);
}
