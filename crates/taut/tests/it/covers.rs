//! Covers: the answers of `forbid` turned round, on random programs and by brute force.

use proptest::prelude::*;
use taut::ir::{Finding, Program, PropertyKind};
use taut::repair::{Outcome, Repair};
use taut::witness::enumerate;
use taut::{Check, Memory, MemoryModel, Report, Verdict, VerdictKind, load};
use taut_testkit::cases::{Case, random_cases};
use taut_testkit::looping::looping;

const BOUND: u32 = 2;

/// The same program with every forbidden state as a cover.
fn turned(program: &Program) -> Program {
    let mut program = program.clone();
    for property in &mut program.properties {
        if let PropertyKind::Forbid(expr) = &property.kind {
            property.kind = PropertyKind::Cover(expr.clone());
        }
    }
    program
}

fn run(check: &Check) -> Report {
    check.run().unwrap_or_else(|fault| panic!("{fault}"))
}

/// What a verdict on a forbidden state is of a cover. Bounds that were met may differ: the searches have other reductions.
fn expected(verdict: &Verdict) -> VerdictKind {
    match verdict.kind() {
        VerdictKind::Violated => VerdictKind::Covered,
        VerdictKind::Holds => VerdictKind::Never,
        other => other,
    }
}

fn checked(program: &Program, model: MemoryModel) -> Check<'_> {
    Check::of(program).model(model).bound(Some(BOUND)).all(true).max_states(Some(20_000))
}

fn compare(case: &Case, program: &Program, model: MemoryModel) -> Result<(), TestCaseError> {
    case.about(program);
    let cover = turned(program);
    let (forbidden, covered) = (run(&checked(program, model)), run(&checked(&cover, model)));
    let names = |report: &Report| report.results.iter().map(|r| r.name.clone()).collect::<Vec<_>>();
    prop_assert_eq!(names(&forbidden), names(&covered));
    for (a, b) in forbidden.results.iter().zip(&covered.results) {
        let got = b.verdict.kind();
        match b.kind.word() {
            "cover" => {
                case.count(b.verdict.word());
                prop_assert_eq!(got, expected(&a.verdict), "{} under {}", b.name, model);
            }
            _ => prop_assert_eq!(got, a.verdict.kind(), "{} under {}", b.name, model),
        }
    }
    let memory = Memory { bound: Some(BOUND), ..Memory::new(model) };
    let Some(brute) = enumerate::explore(&cover, memory, 4_000) else {
        return case.pass_over("too large for brute force");
    };
    for id in cover.property_ids().filter(|&id| cover.property(id).kind.is_cover()) {
        let verdict = covered.verdict(&cover.property(id).name);
        let reached = brute.findings.contains(&Finding::Property(id));
        let word = if reached { VerdictKind::Covered } else { VerdictKind::Never };
        prop_assert_eq!(verdict.map(Verdict::kind), Some(word), "by brute force under {}", model);
    }
    case.count("beside brute force");
    Ok(())
}

#[test]
fn covers_are_forbidden_states_turned_round() {
    let tally = random_cases(40, looping(), |case, draft| {
        let program = draft.program();
        for model in MemoryModel::ALL {
            compare(case, &program, model)?;
        }
        Ok(())
    });
    tally.at_least("covered", 20).at_least("never", 20).at_least("beside brute force", 40);
}

const LOCK: &str = "shared bool f[2];
process p[2](i) { f[i] := 1; if (f[1 - i] == 0) { cs: skip; } }
forbid both: p[0]@cs && p[1]@cs;
cover first: p[0]@cs;
cover together: p[0]@cs && p[1]@cs;
";

fn verdicts(check: &Check<'_>) -> Vec<&'static str> {
    run(check).results.iter().map(|result| result.verdict.word()).collect()
}

#[test]
fn a_cover_does_not_end_the_search_and_a_violation_ends_the_covers() {
    let loaded = load::from_text("lock.taut", LOCK).expect("a program");
    let of = |model| Check::of(&loaded).model(model);
    assert_eq!(verdicts(&of(MemoryModel::Sc)), ["holds", "covered", "never", "holds"]);
    let tso = of(MemoryModel::Tso);
    assert_eq!(verdicts(&tso), ["violated", "not asked", "not asked", "not asked"]);
    assert_eq!(verdicts(&tso.clone().all(true)), ["violated", "covered", "covered", "holds"]);
    assert_eq!(verdicts(&tso.clone().only(vec!["first".into()])), ["covered"]);
    let none = of(MemoryModel::Sc).max_states(Some(3));
    let open = run(&none.only(vec!["together".into()]));
    assert_eq!(open.verdict("together").map(Verdict::word), Some("unknown"));
    assert!(open.is_unknown() && !open.is_violated());
    let never = run(&of(MemoryModel::Sc));
    assert!(never.is_violated() && never.violations().next().is_none());
    assert_eq!(never.verdict_kind(), VerdictKind::Never);
}

#[test]
fn never_has_a_certificate() {
    let loaded = load::from_text("lock.taut", LOCK).expect("a program");
    let report = run(&Check::of(&loaded).model(MemoryModel::Sc));
    let report =
        report.certified(&loaded, &taut::budget::Budget::default()).expect("a certificate");
    assert_eq!(report.verdict("together").map(Verdict::word), Some("never"));
    let proof = report.proof.as_ref().expect("a proof");
    assert!(proof.accepted.is_some() && proof.names().any(|name| name == "together"));
}

#[test]
fn a_repair_tells_the_covers_that_it_loses() {
    let loaded = load::from_text("lock.taut", LOCK).expect("a program");
    let check = Check::of(&loaded).model(MemoryModel::Tso);
    let report = Repair::new(&loaded).run(&check).expect("a repair");
    assert!(matches!(report.outcome, Outcome::Repaired(_)));
    assert_eq!(report.lost, [(MemoryModel::Tso, "together".to_string())]);
}

#[test]
fn runs_that_fault_are_named_in_the_coverage() {
    let text = "shared 0..1 x; process p { x := 1; x := 2; x := 0; } cover far: x == 0 && p@end_; cover one: x == 1;";
    let text = text.replace("x := 0; }", "x := 0; end_: ; }");
    let loaded = load::from_text("fault.taut", &text).expect("a program");
    let report = run(&Check::of(&loaded).all(true));
    let far = report.verdict("far").expect("an answer");
    assert_eq!((far.word(), far.coverage().as_str()), ("never", "runs without a fault"));
    assert_eq!(report.verdict("one").map(Verdict::word), Some("covered"));
}

/// The programs of `examples/pools` have the verdicts of their headers, covers among them.
#[test]
fn examples_with_pools_are_as_expected() {
    use taut::suite::{Status, programs, run_file};
    let folder = taut_testkit::suite::root().join("examples/pools");
    let files = programs(&folder).expect("the examples");
    assert!(files.len() >= 4);
    for path in files {
        let level = taut::vacuity::VacuityLevel::Off;
        let result = run_file(&path, &taut::Limits::default(), level);
        assert_eq!(result.status(), Status::Met, "{}: {:?}", path.display(), result.answers());
    }
}
