//! Ten thousand changed certificates: each is refused, or it is still a proof.
//!
//! The judge is brute force. A body that is accepted for what holds must stand for every state that brute force
//! reaches. For what does not hold, nothing is accepted, however the body is changed. Bytes and pieces (`bodies.rs`)
//! are changed.

use std::time::Duration;

use fastrand::Rng;
use proptest::prelude::*;
use taut::budget::Budget;
use taut::proof::{claim_property_of_runs, claim_states, claim_without_bound};
use taut_certify::certify_program;
use taut_ir::{Fairness, Memory, MemoryModel, Program};
use taut_proof::{Claim, Evidence, Kind, Proven};
use taut_testkit::cases::{Case, random_cases};
use taut_testkit::promela_like;
use taut_testkit::random::{graph, straight};
use taut_testkit::temporal::{fairness, question};
use taut_witness::State;
use taut_witness::enumerate::explore;
use taut_witness::temporal::counterexample;

use crate::bodies::Pieces;
use crate::mutants::{mutated, reachable};
use crate::random::{is_found, questions};

/// Programs with more states than this are passed over.
const MOST_STATES: usize = 250;

/// A claim that is true, its body, claims that are false, and what must be in every body for the true one.
struct Subject<'p> {
    program: &'p Program,
    claim: Claim,
    body: Vec<u8>,
    wrong: Vec<Claim>,
    states: Vec<State>,
}

impl Subject<'_> {
    fn attack(&self, case: &Case, rng: &mut Rng, rounds: u32) -> Result<(), TestCaseError> {
        let Subject { program, claim, body, .. } = self;
        let Some(pieces) = Pieces::read(program, &claim.evidence, body) else {
            return case.pass_over("a kind of evidence without pieces");
        };
        let whole = pieces.write(program);
        prop_assert_eq!(whole.as_ref(), Some(body), "pieces are put together");
        for round in 0..rounds {
            let (kind, bytes) = match round % 4 {
                0 => ("bytes changed", Some(mutated(rng, body))),
                _ => {
                    let mut changed = pieces.clone();
                    (changed.change(rng, program), changed.write(program))
                }
            };
            let Some(bytes) = bytes.filter(|bytes| bytes != body) else { continue };
            case.count("changed");
            self.judge(case, kind, &bytes)?;
        }
        Ok(())
    }

    fn judge(&self, case: &Case, kind: &str, bytes: &[u8]) -> Result<(), TestCaseError> {
        let Subject { program, claim, wrong, states, .. } = self;
        for wrong in wrong {
            let refused = certify_program(program, wrong, bytes).is_err();
            prop_assert!(refused, "accepted and false, {}: {:?}", kind, wrong.holds);
            case.count("false and refused");
        }
        if certify_program(program, claim, bytes).is_err() {
            case.count(&format!("refused: {kind}"));
            return Ok(());
        }
        let read = Pieces::read(program, &claim.evidence, bytes).expect("pieces");
        let missing = states.iter().find(|state| !read.has(state));
        prop_assert!(missing.is_none(), "{}: accepted without {:?}", kind, missing);
        case.count("still a proof");
        Ok(())
    }
}

/// What holds and what does not, by brute force; none if that takes too many states.
fn held_and_wrong(program: &Program, memory: Memory) -> Option<(Vec<Proven>, Vec<Proven>)> {
    let brute = explore(program, memory, MOST_STATES)?;
    let (wrong, held): (Vec<_>, Vec<_>) =
        questions(program).into_iter().partition(|(_, finding)| is_found(&brute, *finding));
    let names = |all: Vec<(Proven, _)>| all.into_iter().map(|(proven, _)| proven).collect();
    Some((names(held), names(wrong)))
}

fn forged(claim: &Claim, wrong: Vec<Proven>) -> Vec<Claim> {
    wrong.into_iter().map(|proven| Claim { holds: vec![proven], ..claim.clone() }).collect()
}

fn of_states(
    case: &Case,
    program: &Program,
    memory: Memory,
    seed: u64,
) -> Result<(), TestCaseError> {
    case.about(program);
    let Some((held, wrong)) = held_and_wrong(program, memory).filter(|(held, _)| !held.is_empty())
    else {
        return case.pass_over("too large, or nothing holds");
    };
    let (claim, body) = claim_states(program, memory, held).expect("a claim");
    let states = reachable(program, memory).into_iter().collect();
    let wrong = forged(&claim, wrong);
    let subject = Subject { program, claim, body, wrong, states };
    subject.attack(case, &mut Rng::with_seed(seed), 40)
}

#[test]
fn of_states_of_straight_programs_and_loops() {
    let drafts = prop_oneof![straight(3), graph(4)];
    let inputs = (drafts, 0..MemoryModel::EVERY.len(), any::<u64>());
    let tally = random_cases(150, inputs, |case, (draft, model, seed)| {
        let memory = Memory::new(MemoryModel::EVERY[model]).bounded(Some(2));
        of_states(case, &draft.program(), memory, seed)
    });
    tally.at_least("changed", 4_000).at_least("false and refused", 1_000);
    tally.at_least("refused: a state dropped", 500).at_least("refused: bytes changed", 500);
    tally.at_least("refused: a program point changed", 200);
    tally.at_least("refused: a process of another state", 100);
}

#[test]
fn of_states_with_channels_and_holding() {
    let inputs = (promela_like::draft(), any::<u64>());
    let tally = random_cases(60, inputs, |case, (draft, seed)| {
        of_states(case, &draft.program(), Memory::new(MemoryModel::Sc), seed)
    });
    tally.at_least("changed", 1_400).at_least("refused: a state dropped", 100);
}

#[test]
fn of_symbolic_states() {
    let tally = random_cases(170, (graph(4), any::<u64>()), |case, (draft, seed)| {
        let program = &draft.program();
        case.about(program);
        let few = Memory::new(MemoryModel::Tso).bounded(Some(3));
        let Some((held, wrong)) = held_and_wrong(program, few) else {
            return case.pass_over("too large");
        };
        let budget = Budget::new().time(Some(Duration::from_secs(1)));
        let made = claim_without_bound(program, MemoryModel::Tso, &budget, held).expect("a claim");
        let Some((claim, body)) = made.filter(|(claim, _)| !claim.holds.is_empty()) else {
            return case.pass_over("not told, or nothing holds");
        };
        let states = reachable(program, few).into_iter().collect();
        let wrong = forged(&claim, wrong);
        let subject = Subject { program, claim, body, wrong, states };
        subject.attack(case, &mut Rng::with_seed(seed), 30)
    });
    tally.at_least("changed", 2_200).at_least("false and refused", 500);
    tally.at_least("refused: an automaton shrunk", 150).at_least("still a proof", 50);
    tally.at_least("refused: a symbolic state dropped", 100);
}

fn has_run(program: &Program, memory: Memory, name: &str, fairness: Fairness) -> Option<bool> {
    let property = program.property_ids().find(|&id| program.property(id).name == name)?;
    let found = counterexample(program, memory, property, fairness, MOST_STATES)?;
    Some(found.is_some_and(|trace| trace.lasso.is_some()))
}

#[test]
fn of_runs() {
    const MODELS: [MemoryModel; 3] = [MemoryModel::Sc, MemoryModel::Tso, MemoryModel::Pso];
    let inputs = (graph(4), [question(3), question(3)], 0_usize..3, fairness(), any::<u64>());
    let tally = random_cases(250, inputs, |case, (draft, questions, model, fairness, seed)| {
        let memory = Memory::new(MODELS[model]).bounded(Some(2));
        let mut program = draft.program();
        let first = questions[0].ask(&mut program);
        program.properties[first.index()].name = "first".into();
        let second = questions[1].ask(&mut program);
        program.properties[second.index()].name = "second".into();
        case.about(&program);
        let program = &program;
        let violated = ["first", "second"].map(|name| has_run(program, memory, name, fairness));
        let [Some(false), Some(second)] = violated else {
            return case.pass_over("too large, or violated");
        };
        let found = claim_property_of_runs(program, memory, first, fairness).expect("states");
        let Some((claim, body)) = found else { return case.pass_over("no evidence") };
        let other = Proven { name: "second".into(), kind: Kind::Property };
        let mut wrong = forged(&claim, if second { vec![other] } else { Vec::new() });
        if has_run(program, memory, "first", Fairness::NONE) == Some(true) {
            let evidence = Evidence::Runs { fairness: Fairness::NONE.to_string() };
            wrong.push(Claim { evidence, ..claim.clone() });
        }
        let states = reachable(program, memory).into_iter().collect();
        let subject = Subject { program, claim, body, wrong, states };
        subject.attack(case, &mut Rng::with_seed(seed), 40)
    });
    tally.at_least("changed", 3_300).at_least("false and refused", 500);
    tally.at_least("refused: a node dropped", 300).at_least("still a proof", 50);
    tally.at_least("refused: a component misses another set", 30);
}
