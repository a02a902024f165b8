//! Buffers without a bound: certificates of constraints on load buffers.
//!
//! The judges are the dual engine, which shares no code with the checker, and brute force with buffers of a few entries: whatever that
//! finds is a violation without a bound, too.

use std::collections::BTreeSet;
use std::time::Duration;

use fastrand::Rng;
use proptest::prelude::*;
use taut::budget::Budget;
use taut::load::{LoadOptions, from_path};
use taut::proof::claim_by_constraints;
use taut::{Check, MemoryModel};
use taut_certify::{Dual, certify_program};
use taut_dual::explore as search;
use taut_explicit::{Completion, Limits, SearchOptions};
use taut_ir::{Finding, Memory, Program};
use taut_proof::{Basis, Claim, Constraint, Evidence, Proven, Reader, Writer};
use taut_testkit::cases::{Case, random_cases};
use taut_testkit::looping::looping;
use taut_testkit::suite::root;
use taut_testkit::tally::Tally;
use taut_witness::control::ControlGraph;
use taut_witness::enumerate::explore;
use taut_witness::{Machine, Outcome};

use crate::mutants::{mutated, weakened};
use crate::random::{is_found, questions};

/// What the dual engine finds; none if it does not know the program, or does not end in time.
fn found(program: &Program) -> Option<BTreeSet<Finding>> {
    let limits = Limits { states: Some(50_000), ..Limits::default() };
    let options = SearchOptions { all: true, limits, ..SearchOptions::default() };
    let exploration = search(program, &options).ok()?.exploration;
    let is_whole = matches!(exploration.completion, Completion::Complete | Completion::Answered);
    is_whole.then(|| exploration.found.iter().map(|found| found.finding).collect())
}

fn is_wrong(found: &BTreeSet<Finding>, finding: Finding) -> bool {
    found.iter().any(|other| other.same_kind(finding))
}

/// Whether brute force with a few entries per buffer contradicts a claim; none if there are too many states.
fn is_false(program: &Program, holds: &[Proven]) -> Option<bool> {
    let brute = explore(program, Memory::new(MemoryModel::Tso).bounded(Some(3)), 1_500)?;
    let wrong = questions(program).into_iter().filter(|(_, finding)| is_found(&brute, *finding));
    Some(wrong.map(|(proven, _)| proven).any(|proven| holds.contains(&proven)))
}

fn written(constraints: &[Constraint]) -> Vec<u8> {
    let mut out = Writer::default();
    out.number(constraints.len() as u64);
    constraints.iter().for_each(|constraint| constraint.write(&mut out));
    out.into_bytes()
}

fn listed(program: &Program, body: &[u8]) -> Vec<Constraint> {
    let cells: u32 = program.vars.iter().map(|var| var.size()).sum();
    let mut input = Reader::new(body);
    let count = input.count().expect("a number");
    let mut read = || Constraint::read(&mut input, program.processes.len(), cells as usize);
    (0..count).map(|_| read().expect("a constraint")).collect()
}

/// Everything that leads to a violation, but for constraints that have the initial state: the best that can be said for a
/// false claim.
fn almost(program: &Program, holds: &[Proven]) -> Option<Vec<u8>> {
    let dual = Dual::new(program).ok()?;
    let is_asked = |finding| {
        questions(program).iter().any(|(proven, f)| holds.contains(proven) && f.same_kind(finding))
    };
    let (mut basis, mut all, mut next) = (Basis::default(), Vec::new(), 0);
    let mut made = dual.bad(&is_asked).ok()?;
    loop {
        for constraint in made.into_iter().filter(|c| !dual.is_initial(c)) {
            if !basis.includes(&constraint) {
                basis.insert(&constraint);
                all.push(constraint);
            }
        }
        if all.len() > 2_000 {
            return None;
        }
        let Some(constraint) = all.get(next) else { return Some(written(&all)) };
        made = dual.before(constraint);
        next += 1;
    }
}

fn compare(case: &Case, program: &Program, seed: u64) -> Result<(), TestCaseError> {
    case.about(program);
    let Some(found) = found(program) else { return case.pass_over("not known") };
    let all = questions(program).into_iter().filter(|(_, finding)| *finding != Finding::FullBuffer);
    let (wrong, held): (Vec<_>, Vec<_>) = all.partition(|(_, finding)| is_wrong(&found, *finding));
    let names = |all: Vec<(Proven, Finding)>| all.into_iter().map(|(proven, _)| proven);
    let held: Vec<Proven> = names(held).collect();
    let made = claim_by_constraints(program, held.clone());
    let Some((claim, body)) = made.filter(|_| !held.is_empty()) else {
        // Either the program has something that is refused, or the engine is wrong.
        let is_known = Dual::new(program).is_ok();
        prop_assert!(!is_known || held.is_empty(), "no constraints");
        return case.pass_over("not claimed");
    };
    let accepted = certify_program(program, &claim, &body);
    prop_assert!(accepted.is_ok(), "{:?}", accepted);
    case.count("accepted");
    let mut rng = Rng::with_seed(seed);
    for proven in names(wrong).take(6) {
        prop_assert!(claim_by_constraints(program, vec![proven.clone()]).is_none(), "claimed");
        let forged = Claim { holds: vec![proven], ..claim.clone() };
        prop_assert!(certify_program(program, &forged, &body).is_err(), "{:?}", forged.holds);
        case.count("false claim refused");
        let bytes = mutated(&mut rng, &body);
        prop_assert!(certify_program(program, &forged, &bytes).is_err(), "{:?}", bytes);
        case.count("false claim with changed bytes refused");
        if let Some(bytes) = almost(program, &forged.holds) {
            prop_assert!(certify_program(program, &forged, &bytes).is_err(), "{:?}", forged.holds);
            case.count("almost a proof");
        }
    }
    let mut listed = listed(program, &body);
    let dropped = rng.usize(..listed.len().max(1));
    if dropped < listed.len() {
        case.count("with constraints");
        listed.remove(dropped);
        let is_proof = certify_program(program, &claim, &written(&listed)).is_ok();
        case.count(if is_proof { "one constraint is not needed" } else { "one less is refused" });
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
        } else if let Some(is_false) = is_false(&other, &claim.holds) {
            prop_assert!(!is_false, "accepted and false");
            case.count("other still true");
        }
    }
    Ok(())
}

#[test]
fn looping_programs() {
    let tally = random_cases(240, (looping(), any::<u64>()), |case, (draft, seed)| {
        compare(case, &draft.program(), seed)
    });
    println!("{tally}");
    tally.at_least("accepted", 200).at_least("with constraints", 40);
    tally.at_least("false claim refused", 600).at_least("mutant refused", 200);
    tally.at_least("false claim with changed bytes refused", 600);
    tally.at_least("other refused", 30).at_least("other still true", 80);
    tally.at_least("almost a proof", 600).at_least("one less is refused", 40);
}

/// Programs with registers, assertions, faults, deadlocks and locked instructions, each with what holds and what does not.
const TEXTS: [&str; 4] = [
    "shared bool x, y;
process w begin loop { x := 1; y := 1; x := 1; } end
process r begin
  local bool a, b;
  loop { a := y; b := x; assert(!a || b) as newer; b := x; a := y; assert(!a || b) as older; }
end
",
    "shared 0..2 n;
shared bool go;
process p begin local 0..2 r; loop { go := 1; r := n; assert(r < 2) as small; n := r + go; } end
process q begin loop { await(go == 1); n := 0; } end
invariant within: n <= 2;
forbid never: n == 2 && go == 0;
",
    "shared bool x, y;
process p begin loop { x := 1; await(y == 1); y := 0; } end
process q begin loop { await(x == 1); x := 0; await(x == 1); end: y := 1; fence; } end
forbid both: x == 1 && y == 1;
",
    "shared bool lock, data;
process p[2](i) begin
  local bool old;
  loop {
    old := 1;
    while (old == 1) { old := xchg(lock, 1); }
    cs: data := i; assert(data == i) as mine;
    lock := 0;
  }
end
forbid mutex: p[0]@cs && p[1]@cs;
",
];

#[test]
fn programs_with_registers_assertions_faults_and_deadlocks() {
    let texts = proptest::sample::select(TEXTS.to_vec());
    let tally = random_cases(24, (texts, any::<u64>()), |case, (text, seed)| {
        let loaded = taut::load::from_text("program.taut", text);
        let loaded = loaded.unwrap_or_else(|error| panic!("{text}{}", error.render(false)));
        compare(case, &loaded.program, seed)
    });
    println!("{tally}");
    tally.at_least("accepted", 20).at_least("false claim refused", 20);
}

/// Every state of a process in a run is a control point.
#[test]
fn control_points_are_more_than_what_is_reached() {
    let tally = random_cases(100, looping(), |case, draft| {
        let program = draft.program();
        case.about(&program);
        let Some(graph) = ControlGraph::new(&program) else { return case.pass_over("not known") };
        let machine = Machine::new(&program, Memory::new(MemoryModel::Tso).bounded(Some(2)));
        let mut seen = std::collections::HashSet::from([machine.initial()]);
        let mut left = vec![machine.initial()];
        while let Some(state) = left.pop().filter(|_| seen.len() < 2_000) {
            for (own, points) in state.processes.iter().zip(&graph.points) {
                let buffer = taut_witness::buffer::Buffer::default();
                let own = taut_witness::ProcessState { buffer, ..own.clone() };
                prop_assert!(points.contains(&own), "{:?}", own);
            }
            case.count("states");
            for (_, done) in machine.successors(&state).moves {
                if let Outcome::State(after) = done.outcome
                    && seen.insert(after.clone())
                {
                    left.push(after);
                }
            }
        }
        Ok(())
    });
    tally.at_least("states", 2_000);
}

#[test]
fn what_the_dual_engine_answers_is_accepted() {
    let tally = Tally::new();
    let mut files: Vec<_> = std::fs::read_dir(root().join("examples"))
        .expect("examples")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|ext| ext == "taut"))
        .collect();
    files.sort();
    for file in files {
        let name =
            file.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let Ok(loaded) = from_path(&file, LoadOptions::default()) else { continue };
        let check = Check::of(&loaded).model(MemoryModel::Tso).all(true);
        let check = check.engine(taut_dual::Dual).max_states(1_500);
        let Ok(report) = check.timeout(Some(Duration::from_millis(500))).run() else { continue };
        let budget = Budget::new().time(Some(Duration::from_secs(2)));
        let report = report.certified(&loaded, &budget);
        let report = report.unwrap_or_else(|fault| panic!("{name}: {fault}"));
        for (claim, _) in report.proof.iter().flat_map(|proof| &proof.claims) {
            let is_backward = claim.evidence == Evidence::Constraints;
            tally.count(if is_backward { "constraints" } else { "others" });
        }
        for open in report.proof.iter().flat_map(|proof| &proof.open) {
            tally.count(&format!("open in {name}: {} {}", open.name, open.why));
        }
    }
    println!("{tally}");
    tally.at_least("constraints", 3);
}
