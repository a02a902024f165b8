//! Properties of runs: what holds by brute force has a certificate that is accepted; a certificate that is forged, for
//! another formula, for another fairness or for another program, is accepted only if what it says is true.
//!
//! Brute force multiplies by a tableau of guesses (Lichtenstein and Pnueli), the checker by one of obligations: they share
//! nothing but the program and the replayer's steps.

use fastrand::Rng;
use proptest::prelude::*;
use taut::proof::claim_property_of_runs;
use taut_certify::certify_program;
use taut_ir::{Fairness, Memory, MemoryModel, Program, PropId};
use taut_proof::{Claim, Evidence, Kind, Proven};
use taut_testkit::cases::{Case, random_cases};
use taut_testkit::promela_like;
use taut_testkit::random::graph;
use taut_testkit::temporal::{Question, fairness, question};
use taut_witness::temporal::counterexample;

use crate::mutants::{mutated, weakened};

const MOST_STATES: usize = 1_000;

/// Whether some fair run violates a property; none if that takes too many states.
fn has_run(
    program: &Program,
    memory: Memory,
    property: PropId,
    fairness: Fairness,
) -> Option<bool> {
    let found = counterexample(program, memory, property, fairness, MOST_STATES)?;
    Some(found.is_some_and(|trace| trace.lasso.is_some()))
}

fn compare(
    case: &Case,
    mut program: Program,
    questions: &[Question; 2],
    memory: Memory,
    fairness: Fairness,
    seed: u64,
) -> Result<(), TestCaseError> {
    let property = questions[0].ask(&mut program);
    program.properties[property.index()].name = "first".into();
    let other = questions[1].ask(&mut program);
    program.properties[other.index()].name = "second".into();
    case.about(&program);
    let Some(violated) = has_run(&program, memory, property, fairness) else {
        return case.pass_over("too large");
    };
    let found = claim_property_of_runs(&program, memory, property, fairness).expect("states");
    let Some((claim, body)) = found else {
        case.count(if violated { "violated" } else { "open" });
        return Ok(());
    };
    prop_assert!(!violated, "evidence for what does not hold");
    let accepted = certify_program(&program, &claim, &body);
    prop_assert!(accepted.is_ok(), "{:?}", accepted);
    case.count("accepted");
    // The same evidence for another formula, and for every run.
    let holds = vec![Proven { name: "second".into(), kind: Kind::Property }];
    let forged = Claim { holds, ..claim.clone() };
    judge(case, &program, memory, (other, fairness), &forged, &body)?;
    let evidence = Evidence::Runs { fairness: "none".into() };
    let forged = Claim { evidence, ..claim.clone() };
    judge(case, &program, memory, (property, Fairness::NONE), &forged, &body)?;
    let mut rng = Rng::with_seed(seed);
    for _ in 0..4 {
        let weaker = weakened(&mut rng, &program);
        if weaker != program && taut_ir::validate::validate(&weaker).is_ok() {
            judge(case, &weaker, memory, (property, fairness), &claim, &body)?;
        }
        // Other bytes about a program in which the formula is false would have to be accepted to be wrong.
        let bytes = mutated(&mut rng, &body);
        judge(case, &program, memory, (other, fairness), &forged_for(&claim, "second"), &bytes)?;
    }
    Ok(())
}

fn forged_for(claim: &Claim, name: &str) -> Claim {
    Claim { holds: vec![Proven { name: name.into(), kind: Kind::Property }], ..claim.clone() }
}

/// What is accepted is true.
fn judge(
    case: &Case,
    program: &Program,
    memory: Memory,
    (property, fairness): (PropId, Fairness),
    claim: &Claim,
    body: &[u8],
) -> Result<(), TestCaseError> {
    if certify_program(program, claim, body).is_err() {
        case.count("refused");
        return Ok(());
    }
    let Some(violated) = has_run(program, memory, property, fairness) else { return Ok(()) };
    prop_assert!(!violated, "accepted and false: {:?}", claim);
    case.count("still true");
    Ok(())
}

const MODELS: [MemoryModel; 4] =
    [MemoryModel::Sc, MemoryModel::Tso, MemoryModel::Pso, MemoryModel::Delayed];

#[test]
fn of_programs_with_buffers() {
    let inputs = (graph(4), [question(4), question(3)], 0_usize..4, fairness(), any::<u64>());
    let tally = random_cases(250, inputs, |case, (draft, questions, model, fairness, seed)| {
        let memory = Memory::new(MODELS[model]).bounded(Some(2));
        compare(case, draft.program(), &questions, memory, fairness, seed)
    });
    println!("{tally}");
    tally.at_least("accepted", 80).at_least("violated", 40).at_least("refused", 150);
}

#[test]
fn of_programs_with_channels_and_holding() {
    let inputs =
        (promela_like::draft(), [question(4), question(3)], 0_usize..4, fairness(), any::<u64>());
    let tally = random_cases(150, inputs, |case, (draft, questions, model, fairness, seed)| {
        let memory = Memory::new(MODELS[model]).bounded(Some(2));
        compare(case, draft.program(), &questions, memory, fairness, seed)
    });
    println!("{tally}");
    tally.at_least("accepted", 30).at_least("violated", 15).at_least("refused", 60);
}
