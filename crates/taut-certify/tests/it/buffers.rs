//! Buffers without a bound: certificates of symbolic states.
//!
//! The judge is brute force with buffers of a few entries: whatever it finds is a violation without a bound, too. So a claim
//! that is accepted must agree with it, about the program itself and about programs that were changed.

use std::time::Duration;

use fastrand::Rng;
use proptest::prelude::*;
use taut::budget::Budget;
use taut::load::{LoadOptions, from_path};
use taut::proof::claim_without_bound;
use taut::{Check, MemoryModel};
use taut_certify::certify_program;
use taut_ir::{Memory, Program};
use taut_proof::{Claim, Evidence, Kind, Proven};
use taut_testkit::cases::{Case, random_cases};
use taut_testkit::random::{graph, straight};
use taut_testkit::suite::root;
use taut_testkit::tally::Tally;
use taut_witness::enumerate::explore;

use crate::mutants::{mutated, weakened};
use crate::random::{is_found, questions};

#[test]
fn what_holds_of_programs_that_fill_buffers_is_accepted() {
    let tally = Tally::new();
    let files = [
        "lw_unlock.taut",
        "lw_forwarding.taut",
        "lw_two_writers.taut",
        "insisting_lock.taut",
        "insisting_peterson.taut",
        "lw_dekker_repeated_sync.taut",
        "lw_peterson_repeated_sync.taut",
        "late_toggles.taut",
    ];
    for file in files {
        let path = root().join("examples").join(file);
        let loaded = from_path(&path, LoadOptions::default()).expect("a program");
        for model in [MemoryModel::Tso, MemoryModel::Pso] {
            let check = Check::of(&loaded).model(model).all(true);
            let report = check.max_states(20_000).run().expect("a report");
            let budget = Budget::new().time(Some(Duration::from_secs(3)));
            let report = report.certified(&loaded, &budget);
            let report = report.unwrap_or_else(|fault| panic!("{file}: {fault}"));
            for (claim, _) in report.proof.iter().flat_map(|proof| &proof.claims) {
                let is_unbounded = claim.evidence == Evidence::Buffers;
                let kind = if is_unbounded { "without a bound" } else { "states" };
                tally.count(&format!("{model}: {kind}"));
            }
            for open in report.proof.iter().flat_map(|proof| &proof.open) {
                tally.count(&format!("{model}: open in {file}: {} {}", open.name, open.why));
            }
        }
    }
    println!("{tally}");
    tally.at_least("tso: without a bound", 3).at_least("pso: without a bound", 3);
}

/// A writer that repeats its message, with a store fence or without, and a reader.
fn message(fence: &str) -> Program {
    let text = format!(
        "shared bool x, y;
process w begin loop {{ x := 1; {fence} y := 1; }} end
process r begin local bool a, b; a := y; b := x; done: ; end
forbid stale: r@done && r:a == 1 && r:b == 0;
"
    );
    let loaded = taut::load::from_text("message.taut", &text);
    loaded.unwrap_or_else(|error| panic!("{}", error.render(false))).program
}

#[test]
fn the_evidence_of_tso_is_none_for_pso() {
    let budget = Budget::new().time(Some(Duration::from_secs(20)));
    let claim = |program: &Program, model| {
        let all = vec![Proven { name: "stale".into(), kind: Kind::Property }];
        claim_without_bound(program, model, &budget, all).expect("a claim").expect("it ends")
    };
    let (open, fenced) = (message(""), message("sfence;"));
    let (tso, body) = claim(&open, MemoryModel::Tso);
    assert!(certify_program(&open, &tso, &body).is_ok());
    let forged = Claim { model: "pso".into(), ..tso };
    let refusal = certify_program(&open, &forged, &body).expect_err("stores overtake");
    assert!(refusal.to_string().contains("no listed state includes"), "{refusal}");
    // PSO does what the claim says not to happen, unless there is a store fence.
    assert!(claim(&open, MemoryModel::Pso).0.holds.is_empty());
    let (pso, body) = claim(&fenced, MemoryModel::Pso);
    assert_eq!(pso.holds.len(), 1);
    assert!(certify_program(&fenced, &pso, &body).is_ok());
    assert!(certify_program(&open, &pso, &body).is_err());
}

/// What is found with a few entries per buffer; none if there are too many states.
fn wrong_and_held(program: &Program, model: MemoryModel) -> Option<(Vec<Proven>, Vec<Proven>)> {
    let memory = Memory::new(model).bounded(Some(3));
    let brute = explore(program, memory, 1_500)?;
    let (wrong, held): (Vec<_>, Vec<_>) =
        questions(program).into_iter().partition(|(_, finding)| is_found(&brute, *finding));
    let names = |all: Vec<(Proven, _)>| all.into_iter().map(|(proven, _)| proven).collect();
    Some((names(wrong), names(held)))
}

fn compare(
    case: &Case,
    program: &Program,
    model: MemoryModel,
    seed: u64,
) -> Result<(), TestCaseError> {
    case.about(program);
    let Some((wrong, held)) = wrong_and_held(program, model) else {
        return case.pass_over("too large");
    };
    let budget = Budget::new().time(Some(Duration::from_secs(2)));
    let made = claim_without_bound(program, model, &budget, held).expect("a claim");
    let Some((claim, body)) = made else { return case.pass_over("not told") };
    if !claim.holds.is_empty() {
        let accepted = certify_program(program, &claim, &body);
        prop_assert!(accepted.is_ok(), "{:?}", accepted);
        case.count("accepted");
    }
    let mut rng = Rng::with_seed(seed);
    for proven in wrong {
        let forged = Claim { holds: vec![proven], ..claim.clone() };
        prop_assert!(certify_program(program, &forged, &body).is_err(), "{:?}", forged.holds);
        case.count("refused");
        for _ in 0..4 {
            let bytes = mutated(&mut rng, &body);
            prop_assert!(certify_program(program, &forged, &bytes).is_err(), "{:?}", bytes);
            case.count("mutant refused");
        }
    }
    if claim.holds.is_empty() {
        return Ok(());
    }
    for _ in 0..4 {
        let other = weakened(&mut rng, program);
        if other == *program || taut_ir::validate::validate(&other).is_err() {
            continue;
        }
        if certify_program(&other, &claim, &body).is_err() {
            case.count("other refused");
        } else if let Some((wrong, _)) = wrong_and_held(&other, model) {
            prop_assert!(!wrong.iter().any(|p| claim.holds.contains(p)), "accepted and false");
            case.count("other still true");
        }
    }
    Ok(())
}

#[test]
fn random_programs_with_loops() {
    let tally = random_cases(200, (graph(4), any::<u64>()), |case, (draft, seed)| {
        compare(case, &draft.program(), MemoryModel::Tso, seed)
    });
    println!("{tally}");
    tally.at_least("accepted", 60).at_least("refused", 20).at_least("mutant refused", 80);
    tally.at_least("other refused", 20);
}

#[test]
fn random_programs_with_loops_under_pso() {
    let tally = random_cases(200, (graph(4), any::<u64>()), |case, (draft, seed)| {
        compare(case, &draft.program(), MemoryModel::Pso, seed)
    });
    println!("{tally}");
    tally.at_least("accepted", 60).at_least("refused", 20).at_least("mutant refused", 80);
    tally.at_least("other refused", 20);
}

#[test]
fn random_straight_programs() {
    for model in [MemoryModel::Tso, MemoryModel::Pso] {
        let tally = random_cases(100, (straight(3), any::<u64>()), |case, (draft, seed)| {
            compare(case, &draft.program(), model, seed)
        });
        println!("{tally}");
        tally.at_least("accepted", 40);
    }
}
