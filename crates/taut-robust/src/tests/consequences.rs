//! What follows from robustness, on random programs with channels, rendezvous, blocks, processes on a stack and loops:
//! program points and registers of all processes together are reached under SC if they are reached with buffers. And
//! every run that is found is accepted by the replayer.

use std::collections::HashSet;

use proptest::prelude::*;
use taut_ir::{Memory, MemoryModel, Program};
use taut_testkit::cases::{Case, random_cases};
use taut_testkit::looping::looping;
use taut_testkit::promela_like::draft;
use taut_witness::{Frame, Machine, Outcome, State, replay};

use crate::{Robustness, check};

/// What a process knows: whether it lives, where it is, its registers, its calls.
type Local = (bool, u32, Vec<Vec<i64>>, Vec<Frame>);

fn locals(state: &State) -> Vec<Local> {
    let of = |p: &taut_witness::ProcessState| {
        (p.started, p.point.0, p.registers.clone(), p.stack.clone())
    };
    state.processes.iter().map(of).collect()
}

/// What processes know in all states in which nobody is held; none if there are too many states.
fn reachable(program: &Program, memory: Memory, most: usize) -> Option<HashSet<Vec<Local>>> {
    let machine = Machine::new(program, memory);
    let mut seen = HashSet::from([machine.initial()]);
    let mut open = vec![machine.initial()];
    let mut all = HashSet::new();
    while let Some(state) = open.pop() {
        if !state.is_held(program) {
            all.insert(locals(&state));
        }
        for (_, done) in machine.successors(&state).moves {
            let Outcome::State(after) = done.outcome else { continue };
            if seen.insert(after.clone()) {
                open.push(after);
            }
        }
        if seen.len() > most {
            return None;
        }
    }
    Some(all)
}

fn compare(case: &Case, program: &Program) -> Result<(), TestCaseError> {
    case.about(program);
    for model in [MemoryModel::Tso, MemoryModel::Pso] {
        match check(program, model, 2_000) {
            Err(_) => case.count("refused"),
            Ok(Robustness::Unknown(_)) => case.count("open"),
            Ok(Robustness::NotRobust(found)) => {
                let judged = replay(program, &found.trace);
                prop_assert!(judged.is_ok(), "{}: {:?}", model, judged.err());
                case.count("not robust");
            }
            Ok(Robustness::Robust(proof)) => {
                case.count(if proof.states.is_some() { "robust" } else { "robust by code" });
                let relaxed = reachable(program, Memory::new(model).bounded(Some(2)), 4_000);
                let sc = reachable(program, Memory::new(MemoryModel::Sc), 4_000);
                let Some((relaxed, sc)) = relaxed.zip(sc) else {
                    case.count("too large");
                    continue;
                };
                prop_assert!(relaxed.is_subset(&sc), "{}: SC does not reach all", model);
                case.count("compared");
            }
        }
    }
    Ok(())
}

#[test]
fn what_promela_brings_changes_nothing_for_processes_of_a_robust_program() {
    let tally = random_cases(600, draft(), |case, draft| compare(case, &draft.program()));
    println!("{tally}");
    tally.at_least("compared", 60).at_least("not robust", 8);
}

#[test]
fn processes_of_robust_programs_with_loops_know_what_they_know_under_sc() {
    let tally = random_cases(300, looping(), |case, draft| compare(case, &draft.program()));
    println!("{tally}");
    tally.at_least("compared", 200).at_least("robust", 80).at_least("not robust", 80);
}
