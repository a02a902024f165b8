//! Temporal properties of small programs: which claims they become, and what SPIN says of each.

use crate::support;

use support::*;
use taut_export::{Export, ExportOptions};
use taut_ir::{
    Atom, Expr, Fairness, Ltl, Lvalue, Memory, MemoryFairness, Never, PointId, ProcId, Program,
    Property, PropertyKind, Span, VarId, VarKind,
};
use taut_ltl::{Automaton, Formula};
use taut_testkit::spin::Verifier;

/// A process that stores 1 and then 2 to x, and one that goes round for ever.
fn busy() -> Program {
    let mut program = Program::default();
    let x = variable(&mut program, "x", VarKind::Shared);
    let mut writer = Code::new(3, 0);
    writer.assign(0, 1, Lvalue::Var(x), 1);
    writer.assign(1, 2, Lvalue::Var(x), 2);
    writer.run(&mut program, "writer");
    let mut other = Code::new(2, 0);
    other.step(0, 0);
    other.run(&mut program, "other");
    program
}

fn atoms() -> Vec<Atom> {
    let x = |value: i64| Atom { expr: is(VarId(0), value), text: format!("x == {value}") };
    vec![x(1), x(2)]
}

fn ask(program: &mut Program, name: &str, kind: PropertyKind) {
    program.properties.push(Property { name: name.into(), kind, span: Span::NONE });
}

fn ltl(program: &mut Program, name: &str, formula: Formula) {
    let ltl = Ltl { formula, atoms: atoms(), finite_runs: true };
    ask(program, name, PropertyKind::Ltl(Box::new(ltl)));
}

fn eventually(atom: u32) -> Formula {
    Formula::eventually(Formula::atom(atom))
}

fn exported(program: &Program, memory: Memory, fairness: Fairness) -> Export {
    taut_ir::validate::validate(program).expect("a valid program");
    let options = ExportOptions { fairness };
    taut_export::promela_with(program, memory, options).expect("an export")
}

/// What SPIN says about each claim, by name.
fn verdicts(export: &Export) -> Vec<(&str, bool)> {
    let flags: Vec<_> = export.compile.iter().map(String::as_str).collect();
    let verifier = Verifier::quick(&export.text, &[], &flags).unwrap_or_else(|e| panic!("{e}"));
    let ask = |name: &str| {
        let run = export.run.iter().map(String::as_str);
        let chosen = if export.claims.len() > 1 { vec!["-N", name] } else { vec![] };
        finds_errors(&verifier, &run.chain(chosen).collect::<Vec<_>>()).expect("a verdict")
    };
    export.claims.iter().map(|c| (c.name.as_str(), ask(&c.name))).collect()
}

#[test]
fn each_property_is_a_claim_of_its_own() {
    let mut program = busy();
    ltl(&mut program, "two", eventually(1));
    ltl(&mut program, "never", Formula::always(Formula::not(Formula::atom(1))));
    ltl(&mut program, "next", Formula::next(Formula::atom(0)));
    forbid(&mut program, is(VarId(0), 1));
    forbid(&mut program, is(VarId(0), 3));
    let export = exported(&program, sc(), Fairness::ALL);
    let expected = [
        ("two", false),
        ("never_2", true),
        ("next_2", true),
        ("forbid_3", true),
        ("forbid_4", false),
    ];
    assert_eq!(verdicts(&export), expected, "{}", export.text);
    assert!(export.text.contains("ltl two { (<> two__1) }"), "{}", export.text);
    assert!(export.text.contains("never next_2 {"), "SPIN knows no X:\n{}", export.text);
}

#[test]
fn fairness_decides() {
    for (asked, memory) in [(0, sc()), (1, tso(1))] {
        let mut program = busy();
        ltl(&mut program, "live", eventually(1));
        for (fairness, violated) in [(Fairness::ALL, false), (Fairness::NONE, true)] {
            let export = exported(&program, memory, fairness);
            assert!(export.exact);
            assert_eq!(verdicts(&export), [("live", violated)], "{asked}: {}", export.text);
        }
    }
}

#[test]
fn each_buffer_is_emptied_or_any() {
    // The first process goes on storing, so that a memory that picks any buffer may never pick the other.
    let mut program = Program::default();
    let x = variable(&mut program, "x", VarKind::Shared);
    let y = variable(&mut program, "y", VarKind::Shared);
    let mut busy = Code::new(2, 0);
    busy.assign(0, 0, Lvalue::Var(y), 1);
    busy.run(&mut program, "busy");
    let mut once = Code::new(2, 0);
    once.assign(0, 1, Lvalue::Var(x), 1);
    once.run(&mut program, "once");
    ltl(&mut program, "reaches", eventually(0));
    let any = Fairness { process: true, memory: MemoryFairness::Process };
    assert_eq!(verdicts(&exported(&program, tso(1), Fairness::ALL)), [("reaches", false)]);
    assert_eq!(verdicts(&exported(&program, tso(1), any)), [("reaches", true)]);
    // At a fence the process is sure to see it committed.
    program.defs[1].points.push(taut_ir::ProgramPoint::end());
    let mut fence = taut_ir::Step::skip(PointId(1), PointId(2), Span::NONE);
    fence.mode = taut_ir::Mode::Fence;
    program.defs[1].steps.push(fence);
    assert_eq!(verdicts(&exported(&program, tso(1), any)), [("reaches", false)]);
}

#[test]
fn runs_that_end_may_not_count() {
    let question = |finite_runs: bool| {
        let mut program = busy();
        program.processes.truncate(1);
        program.defs.truncate(1);
        let formula = Formula::eventually(Formula::always(Formula::not(Formula::atom(1))));
        let ltl = Ltl { formula, atoms: atoms(), finite_runs };
        ask(&mut program, "quiet", PropertyKind::Ltl(Box::new(ltl)));
        program
    };
    for fairness in [Fairness::ALL, Fairness::NONE] {
        let export = |finite_runs| exported(&question(finite_runs), sc(), fairness);
        assert_eq!(verdicts(&export(true)), [("quiet", true)]);
        assert_eq!(verdicts(&export(false)), [("quiet", false)]);
    }
}

#[test]
fn an_automaton_accepts_a_prefix_at_once() {
    // After x == 1 everything is accepted, though the process then only goes wrong.
    let program = |fails: bool| {
        let mut program = Program::default();
        let x = variable(&mut program, "x", VarKind::Shared);
        let mut process = Code::new(3, 0);
        process.assign(0, 1, Lvalue::Var(x), if fails { 1 } else { 0 });
        process.step(1, 2).effects.push(taut_ir::Effect::Fail(taut_ir::Fault::Blocked));
        process.run(&mut program, "process");
        let automaton = Automaton::of(&eventually(0), 2).expect("small");
        let never = Never { automaton, atoms: atoms() };
        ask(&mut program, "prefix", PropertyKind::Never(Box::new(never)));
        // No run is infinite or ends: whatever is asked of all of them holds.
        ltl(&mut program, "vacuous", Formula::always(Formula::eventually(Formula::atom(1))));
        program
    };
    let said = |fails: bool| {
        let export = exported(&program(fails), sc(), Fairness::ALL);
        verdicts(&export).into_iter().map(|(_, violated)| violated).collect::<Vec<_>>()
    };
    assert_eq!(said(true), [true, false]);
    assert_eq!(said(false), [false, false]);
}

#[test]
fn assertions_and_deadlock_are_asked_without_claims() {
    let mut program = busy();
    program.processes.truncate(1);
    program.defs.truncate(1);
    ltl(&mut program, "ends", eventually(1));
    expect(&program, sc(), NONE);
    let property = assertion(&mut program);
    program.defs[0].points[2].end = false;
    expect(&program, sc(), STUCK);
    let mut wrong = Code::new(2, 0);
    wrong.assert(0, 1, property, Expr::Const(0));
    wrong.run(&mut program, "wrong");
    expect(&program, sc(), (true, true));
    // The claim does not mind.
    assert_eq!(verdicts(&exported(&program, sc(), Fairness::ALL)), [("ends", false)]);
}

#[test]
fn a_fairness_that_spin_does_not_have_is_refused() {
    let mut program = busy();
    ltl(&mut program, "live", eventually(1));
    let refused = |memory: Memory, fairness: &str| {
        let options = ExportOptions { fairness: fairness.parse().expect("a fairness") };
        taut_export::promela_with(&program, memory, options).err().map(|e| e.to_string())
    };
    for fairness in ["process", "memory", "memory-process"] {
        let why = format!("which is not fairness `{fairness}`");
        assert!(refused(tso(1), fairness).is_some_and(|e| e.ends_with(&why)), "{fairness}");
        assert_eq!(refused(sc(), fairness), None, "nothing is ever committed");
    }
    for fairness in ["none", "all", "process,memory-process"] {
        assert_eq!(refused(tso(1), fairness), None);
    }
}

#[test]
fn one_machine_is_not_fair_and_says_so() {
    let mut program = receives(with_sender(0, 1, &[&[1]]), vec![bind(0)], Expr::TRUE);
    variable(&mut program, "x", VarKind::Shared);
    ltl(&mut program, "live", eventually(0));
    let export = exported(&program, sc(), Fairness::ALL);
    assert!(!export.exact && export.text.contains("NOT what SPIN checks"), "{}", export.text);
    assert!(exported(&program, sc(), Fairness::NONE).exact);
    let enabled = Atom { expr: Expr::Enabled(ProcId(0)), text: "enabled".into() };
    let formula = eventually(0);
    let asks = Ltl { formula, atoms: vec![enabled], finite_runs: true };
    ask(&mut program, "enabled", PropertyKind::Ltl(Box::new(asks)));
    let refused = taut_export::promela(&program, sc()).expect_err("no export");
    assert!(refused.to_string().starts_with("`enabled`"), "{refused}");
}
