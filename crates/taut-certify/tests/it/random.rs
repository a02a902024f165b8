//! Random programs: what holds by brute force is claimed and accepted; what does not hold is claimed and refused.

use proptest::prelude::*;
use taut::proof::claim_states;
use taut_certify::certify_program;
use taut_ir::{Finding, FullBuffer, Memory, MemoryModel, Program};
use taut_proof::{Claim, Cut, Kind, Proven};
use taut_testkit::cases::{Case, random_cases};
use taut_testkit::promela_like;
use taut_testkit::random::{graph, straight};
use taut_witness::enumerate::{Exploration, explore};

/// Programs with more states than this are passed over.
pub const MOST_STATES: usize = 1_500;

/// Everything that can be asked of states, with the findings that answer it.
pub fn questions(program: &Program) -> Vec<(Proven, Finding)> {
    let of_states = program.property_ids().filter(|&id| !program.property(id).kind.is_temporal());
    let property = |id| {
        let name = program.property(id).name.clone();
        (Proven { name, kind: Kind::Property }, Finding::Property(id))
    };
    let mut all: Vec<_> = of_states.map(property).collect();
    let deadlock = Proven { name: "deadlock".into(), kind: Kind::Deadlock };
    let fault = Proven { name: "fault".into(), kind: Kind::Fault };
    all.push((deadlock, Finding::Deadlock));
    all.push((fault, Finding::Fault(taut_ir::Fault::Range)));
    all
}

/// Whether brute force found what answers a question.
pub fn is_found(brute: &Exploration, finding: Finding) -> bool {
    brute.findings.iter().any(|found| found.same_kind(finding))
}

fn compare(case: &Case, program: &Program, memory: Memory) -> Result<(), TestCaseError> {
    case.about(program);
    let Some(brute) = explore(program, memory, MOST_STATES) else {
        return case.pass_over("too large");
    };
    let (wrong, held): (Vec<_>, Vec<_>) =
        questions(program).into_iter().partition(|(_, finding)| is_found(&brute, *finding));
    let held: Vec<Proven> = held.into_iter().map(|(proven, _)| proven).collect();
    let (claim, body) = claim_states(program, memory, held).expect("a claim");
    prop_assert_eq!(claim.cut.buffer, brute.bounds.buffer || is_found(&brute, Finding::FullBuffer));
    prop_assert_eq!(claim.cut.threads, brute.bounds.threads);
    prop_assert_eq!(claim.cut.calls, brute.bounds.calls);
    if !claim.holds.is_empty() {
        let accepted = certify_program(program, &claim, &body);
        prop_assert!(accepted.is_ok(), "{:?}", accepted);
        case.count("accepted");
    }
    for (proven, _) in wrong {
        let false_claim = Claim { holds: vec![proven.clone()], ..claim.clone() };
        prop_assert!(certify_program(program, &false_claim, &body).is_err(), "{:?}", proven);
        case.count("refused");
    }
    if claim.cut != Cut::default() && !claim.holds.is_empty() {
        let silent = Claim { cut: Cut::default(), ..claim };
        prop_assert!(certify_program(program, &silent, &body).is_err(), "a cut is not named");
        case.count("silent");
    }
    Ok(())
}

/// Memory models with buffers of one to three entries.
pub fn memories() -> impl Strategy<Value = Memory> {
    let models = proptest::sample::select(MemoryModel::EVERY.to_vec());
    (models, 1_u32..4, any::<bool>()).prop_map(|(model, bound, error)| {
        let full_buffer = if error { FullBuffer::Error } else { FullBuffer::Wait };
        Memory { model, bound: Some(bound), full_buffer }
    })
}

#[test]
fn straight_programs() {
    let tally = random_cases(250, (straight(4), memories()), |case, (draft, memory)| {
        compare(case, &draft.program(), memory)
    });
    tally.at_least("accepted", 150).at_least("refused", 4).at_least("silent", 8);
}

#[test]
fn programs_with_loops_spawns_and_calls() {
    let tally = random_cases(250, (graph(4), memories()), |case, (draft, memory)| {
        compare(case, &draft.program(), memory)
    });
    tally.at_least("accepted", 100).at_least("refused", 60).at_least("silent", 20);
}

#[test]
fn programs_with_channels_and_holding() {
    let tally = random_cases(200, (promela_like::draft(), memories()), |case, (draft, memory)| {
        compare(case, &draft.program(), memory)
    });
    tally.at_least("accepted", 60).at_least("refused", 40);
}
