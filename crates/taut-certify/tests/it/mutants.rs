//! Certificates that were tampered with, and certificates of other programs: what is not a proof is refused.
//!
//! Whether a mutant is still a proof is decided apart from the checker: all states of the program are found by brute
//! force, and a proof has each of them. A mutant that is accepted and misses one, or that is accepted about a program in
//! which the claim is false, fails the test. Mutants that are still proofs are counted.

use std::collections::HashSet;

use fastrand::Rng;
use proptest::prelude::*;
use taut::proof::claim_states;
use taut_certify::certify_program;
use taut_ir::{Control, Effect, Expr, Memory, MemoryModel, Mode, PointId, Program, Step};
use taut_proof::{Claim, Parts, Proven, Reader, Rows};
use taut_testkit::cases::{Case, random_cases};
use taut_testkit::random::{graph, straight};
use taut_witness::enumerate::explore;
use taut_witness::{Machine, Outcome, State};

use crate::random::{MOST_STATES, is_found, questions};

/// All states in which no process holds the others.
pub fn reachable(program: &Program, memory: Memory) -> HashSet<State> {
    let machine = Machine::new(program, memory);
    let mut seen = HashSet::from([machine.initial()]);
    let mut left = vec![machine.initial()];
    while let Some(state) = left.pop() {
        for (_, done) in machine.successors(&state).moves {
            if let Outcome::State(after) = done.outcome
                && seen.insert(after.clone())
            {
                left.push(after);
            }
        }
    }
    seen.retain(|state| state.holder.is_none());
    seen
}

/// What holds of a program by brute force; none if it is too large.
fn held(program: &Program, memory: Memory) -> Option<Vec<Proven>> {
    let brute = explore(program, memory, MOST_STATES)?;
    let held = questions(program).into_iter().filter(|(_, finding)| !is_found(&brute, *finding));
    Some(held.map(|(proven, _)| proven).collect())
}

/// The list with some bytes changed, dropped or doubled.
pub fn mutated(rng: &mut Rng, body: &[u8]) -> Vec<u8> {
    let mut bytes = body.to_vec();
    let at = rng.usize(..bytes.len());
    match rng.u32(..5) {
        0 => bytes[at] ^= 1 << rng.u32(..8),
        1 => drop(bytes.remove(at)),
        2 => bytes.insert(at, rng.u8(..)),
        3 => bytes.truncate(at),
        _ => bytes[at] = rng.u8(..4),
    }
    bytes
}

fn bytes_of(
    case: &Case,
    program: &Program,
    memory: Memory,
    seed: u64,
) -> Result<(), TestCaseError> {
    case.about(program);
    let Some(held) = held(program, memory).filter(|held| !held.is_empty()) else {
        return case.pass_over("nothing to claim");
    };
    let (claim, body) = claim_states(program, memory, held).expect("a claim");
    let states = reachable(program, memory);
    let mut rng = Rng::with_seed(seed);
    for _ in 0..8 {
        let bytes = mutated(&mut rng, &body);
        if bytes == body {
            continue;
        }
        if certify_program(program, &claim, &bytes).is_err() {
            case.count("refused");
            continue;
        }
        let rows = Rows::read(Parts::new(program), &mut Reader::new(&bytes)).expect("read");
        prop_assert!(states.iter().all(|state| rows.find(state).is_some()), "a state is missing");
        case.count("still a proof");
    }
    Ok(())
}

#[test]
fn changed_bytes() {
    let inputs = (straight(3), 0..MemoryModel::EVERY.len(), any::<u64>());
    let tally = random_cases(120, inputs, |case, (draft, model, seed)| {
        let memory = Memory::new(MemoryModel::EVERY[model]).bounded(Some(2));
        bytes_of(case, &draft.program(), memory, seed)
    });
    println!("{tally}");
    tally.at_least("refused", 500);
}

/// A program with a fence dropped, a constant changed, or a step that leads elsewhere.
pub fn weakened(rng: &mut Rng, program: &Program) -> Program {
    changed(rng, program).0
}

/// A changed program, and the kind of change.
fn changed(rng: &mut Rng, program: &Program) -> (Program, &'static str) {
    let mut program = program.clone();
    let def = rng.usize(..program.defs.len());
    let points = program.defs[def].points.len() as u32;
    let steps = &mut program.defs[def].steps;
    if steps.is_empty() {
        return (program, "nothing");
    }
    let at = rng.usize(..steps.len());
    let elsewhere = Control::Goto(PointId(rng.u32(..points)));
    let step = &mut steps[at];
    let kind = match rng.u32(..6) {
        0 => {
            step.mode = Mode::Plain;
            "a fence dropped"
        }
        1 => {
            step.guard = Expr::Const(1);
            "a guard dropped"
        }
        2 => {
            step.effects.pop();
            "an effect dropped"
        }
        3 => {
            step.target = elsewhere;
            "an edge bent"
        }
        4 => {
            let added = Step { target: elsewhere, ..step.clone() };
            steps.push(added);
            "an edge added"
        }
        _ => {
            for effect in &mut step.effects {
                if let Effect::Assign(list) = effect {
                    list.iter_mut().for_each(|a| a.value = Expr::Const(rng.i64(0..2)));
                }
            }
            "a constant changed"
        }
    };
    (program, kind)
}

#[test]
fn other_programs() {
    let inputs = (graph(4), 0..MemoryModel::EVERY.len(), any::<u64>());
    let tally = random_cases(400, inputs, |case, (draft, model, seed)| {
        let memory = Memory::new(MemoryModel::EVERY[model]).bounded(Some(2));
        let program = draft.program();
        case.about(&program);
        let Some(held) = held(&program, memory).filter(|held| !held.is_empty()) else {
            return case.pass_over("nothing to claim");
        };
        let (claim, body) = claim_states(&program, memory, held.clone()).expect("a claim");
        let mut rng = Rng::with_seed(seed);
        for _ in 0..6 {
            let (other, kind) = changed(&mut rng, &program);
            if other == program || taut_ir::validate::validate(&other).is_err() {
                continue;
            }
            case.count("changed");
            case.count(kind);
            compare_with(case, &other, memory, &claim, &body)?;
        }
        Ok(())
    });
    println!("{tally}");
    tally.at_least("changed", 1_000).at_least("refused", 150).at_least("still true", 100);
    tally.at_least("an edge added", 100).at_least("a constant changed", 100);
    tally.at_least("a fence dropped", 20);
}

/// What is accepted about another program is true of it.
fn compare_with(
    case: &Case,
    other: &Program,
    memory: Memory,
    claim: &Claim,
    body: &[u8],
) -> Result<(), TestCaseError> {
    if certify_program(other, claim, body).is_err() {
        case.count("refused");
        return Ok(());
    }
    let Some(true_of_it) = held(other, memory) else { return case.pass_over("too large") };
    for proven in &claim.holds {
        prop_assert!(true_of_it.contains(proven), "{:?} is accepted and false", proven);
    }
    case.count("still true");
    Ok(())
}
