//! Every number of processes: certificates of constraints that leave a process of which nothing is asked.
//!
//! The judges are the engine for every number of processes, which shares no code with the checker, and brute force with one to
//! three processes: whatever that finds is a violation for some number.

use std::time::Duration;

use fastrand::Rng;
use proptest::prelude::*;
use taut::budget::Budget;
use taut::load::{LoadOptions, from_path};
use taut::proof::{claim_by_constraints, claim_every_number};
use taut::{Check, MemoryModel};
use taut_certify::certify_program;
use taut_dual::any::explore as search;
use taut_explicit::{Completion, Limits, SearchOptions};
use taut_ir::{DefId, Finding, Memory, Program};
use taut_proof::{Claim, Evidence, Kind, Proven};
use taut_testkit::cases::{Case, random_cases};
use taut_testkit::looping::looping;
use taut_testkit::suite::root;
use taut_testkit::tally::Tally;
use taut_witness::enumerate::explore;

use crate::mutants::{mutated, weakened};
use crate::random::{is_found, questions};

/// What the engine finds for some number of processes; none if it does not end.
fn found(program: &Program, model: MemoryModel) -> Option<Vec<Finding>> {
    let limits = Limits { states: Some(20_000), ..Limits::default() };
    let options = SearchOptions { all: true, limits, ..SearchOptions::default() };
    let exploration = search(program, model, &options).ok()?.exploration;
    let is_whole = matches!(exploration.completion, Completion::Complete | Completion::Answered);
    is_whole.then(|| exploration.found.iter().map(|found| found.finding).collect())
}

fn instance(program: &Program, count: u32) -> Program {
    let counts: Vec<_> = program.replicated.iter().map(|&def| (def, count)).collect();
    program.instance(&counts)
}

/// Whether brute force with one to three processes of each definition contradicts a claim.
fn is_false(program: &Program, model: MemoryModel, holds: &[Proven]) -> bool {
    (1..=3).any(|count| {
        let memory = Memory::new(model).bounded(Some(2));
        let brute = explore(&instance(program, count), memory, 1_500);
        brute.is_some_and(|brute| {
            let wrong = |(proven, finding): (Proven, Finding)| {
                holds.contains(&proven) && is_found(&brute, finding)
            };
            questions(program).into_iter().any(wrong)
        })
    })
}

fn compare(
    case: &Case,
    program: &Program,
    model: MemoryModel,
    seed: u64,
) -> Result<(), TestCaseError> {
    case.about(program);
    let Some(found) = found(program, model) else { return case.pass_over("not known") };
    let all = questions(program).into_iter().filter(|(_, finding)| *finding != Finding::Deadlock);
    let (wrong, held): (Vec<_>, Vec<_>) =
        all.partition(|(_, finding)| found.iter().any(|other| other.same_kind(*finding)));
    let held: Vec<Proven> = held.into_iter().map(|(proven, _)| proven).collect();
    prop_assert!(!is_false(program, model, &held), "the engine is wrong");
    let Some((claim, body)) = claim_every_number(program, model, held) else {
        return case.pass_over("not claimed");
    };
    let accepted = certify_program(program, &claim, &body);
    prop_assert!(accepted.is_ok(), "{:?}", accepted);
    prop_assert!(accepted.is_ok_and(|accepted| accepted.coverage.contains("every number")));
    case.count("accepted");
    let mut rng = Rng::with_seed(seed);
    for (proven, _) in wrong.into_iter().take(4) {
        let claimed = claim_every_number(program, model, vec![proven.clone()]);
        prop_assert!(claimed.is_none(), "claimed: {:?}", proven);
        let forged = Claim { holds: vec![proven], ..claim.clone() };
        prop_assert!(certify_program(program, &forged, &body).is_err(), "{:?}", forged.holds);
        let bytes = mutated(&mut rng, &body);
        prop_assert!(certify_program(program, &forged, &bytes).is_err(), "{:?}", bytes);
        case.count("false claim refused");
    }
    for _ in 0..4 {
        let bytes = mutated(&mut rng, &body);
        let is_proof = bytes == body || certify_program(program, &claim, &bytes).is_ok();
        case.count(if is_proof { "still a proof" } else { "mutant refused" });
        let other = weakened(&mut rng, program);
        if other == *program || taut_ir::validate::validate(&other).is_err() {
            continue;
        }
        if certify_program(&other, &claim, &body).is_err() {
            case.count("other refused");
        } else {
            prop_assert!(!is_false(&other, model, &claim.holds), "accepted and false");
            case.count("other still true");
        }
    }
    Ok(())
}

#[test]
fn looping_programs() {
    let draws = (looping(), any::<u64>(), 0_u32..3, prop::bool::weighted(0.25));
    let tally = random_cases(120, draws, |case, (draft, seed, which, is_sc)| {
        let mut program = draft.program();
        program.replicated = match which {
            0 => vec![DefId(0)],
            1 => vec![DefId(1)],
            _ => vec![DefId(0), DefId(1)],
        };
        let model = if is_sc { MemoryModel::Sc } else { MemoryModel::Tso };
        compare(case, &program, model, seed)
    });
    println!("{tally}");
    tally.at_least("accepted", 80).at_least("false claim refused", 200);
    tally.at_least("mutant refused", 80).at_least("other refused", 10);
}

fn of_file(name: &str) -> Program {
    let path = root().join("examples/any").join(name);
    from_path(&path, LoadOptions::default()).expect("a program").program
}

/// Mutual exclusion of this lock holds with three processes, and not with four.
#[test]
fn three_processes_are_not_every_number() {
    let program = of_file("ticket_lock.taut");
    let mutex = vec![Proven { name: "mutex".into(), kind: Kind::Property }];
    let three = instance(&program, 3);
    let (claim, body) = claim_by_constraints(&three, mutex.clone()).expect("it holds with three");
    assert!(certify_program(&three, &claim, &body).is_ok());
    assert!(claim_every_number(&program, MemoryModel::Tso, mutex).is_none());
    let forged = [&[3][..], &body].concat();
    let refusal = certify_program(&program, &claim, &forged).expect_err("no proof");
    assert!(refusal.to_string().contains("outside of all constraints"), "{refusal}");
    // The same in an instance with four processes, of which one is never asked for.
    let forged = [&[4][..], &body].concat();
    assert!(certify_program(&program, &claim, &forged).is_err());
    assert!(certify_program(&program, &claim, &body).is_err());
}

#[test]
fn deadlocks_have_no_proof_for_every_number() {
    let program = of_file("tas_lock.taut");
    let mutex = vec![Proven { name: "mutex".into(), kind: Kind::Property }];
    let (claim, body) = claim_every_number(&program, MemoryModel::Tso, mutex).expect("it holds");
    assert!(certify_program(&program, &claim, &body).is_ok());
    let deadlock = Proven { name: "deadlock".into(), kind: Kind::Deadlock };
    let forged = Claim { holds: vec![deadlock], ..claim.clone() };
    let refusal = certify_program(&program, &forged, &body).expect_err("no proof");
    assert!(refusal.to_string().contains("one process more"), "{refusal}");
    // States of one instance are no evidence.
    let forged = Claim { evidence: Evidence::States, ..claim };
    assert!(certify_program(&program, &forged, &body).is_err());
}

#[test]
fn what_holds_of_the_examples_is_accepted() {
    let tally = Tally::new();
    let mut files: Vec<_> = std::fs::read_dir(root().join("examples/any"))
        .expect("examples")
        .map(|entry| entry.expect("an entry").path())
        .collect();
    files.sort();
    for file in files {
        let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let Ok(loaded) = from_path(&file, LoadOptions::default()) else { continue };
        for model in [MemoryModel::Sc, MemoryModel::Tso] {
            let check = Check::of(&loaded).model(model).all(true).max_states(3_000);
            let Ok(report) = check.timeout(Some(Duration::from_secs(1))).run() else { continue };
            let budget = Budget::new().time(Some(Duration::from_secs(2)));
            let report = report.certified(&loaded, &budget);
            let report = report.unwrap_or_else(|fault| panic!("{name}: {fault}"));
            for (claim, _) in report.proof.iter().flat_map(|proof| &proof.claims) {
                assert_eq!(claim.evidence, Evidence::Constraints, "{name}");
                tally.count(&format!("{model}: accepted"));
                tally.count(&format!("accepted {name} {model}"));
            }
            for open in report.proof.iter().flat_map(|proof| &proof.open) {
                tally.count(&format!("open in {name} {model}: {} {}", open.name, open.why));
            }
        }
    }
    println!("{tally}");
    tally.at_least("sc: accepted", 6).at_least("tso: accepted", 4);
}
