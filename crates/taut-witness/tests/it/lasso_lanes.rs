//! How runs that go on for ever look on the terminal.

use crate::common;

use common::code::{self, Also, edge, set_var, shared};
use common::runs::*;
use common::*;
use taut_ir::MemoryModel::{Pso, Sc, Tso};
use taut_ir::build::ProgramBuilder;
use taut_ir::{Atom, Expr, Fairness, Finding, Memory, Program, PropId, Type, VarId};
use taut_ltl::Automaton;
use taut_render::{LaneOptions, RunView, explain, lanes};
use taut_source::SourceMap;
use taut_witness::{Lasso, Trace, replay};
use unicode_width::UnicodeWidthStr;

fn draw(program: &Program, trace: &Trace, width: usize) -> String {
    let run = replay(program, trace).expect("the trace is fine");
    let options = LaneOptions { width, styled: false, full: true };
    let text = lanes(RunView::new(program, &SourceMap::new(), &run), trace.finding, options);
    let widest = text.lines().map(UnicodeWidthStr::width).max();
    assert!(widest <= Some(width), "wider than {width}:\n{text}");
    assert!(text.lines().all(|line| line == line.trim_end()), "blanks at the end:\n{text}");
    text
}

/// The run of [`starving`] in which `q` goes round.
fn starved() -> (Program, Trace) {
    let (program, property) = starving();
    let actions = vec![step(0, 0), commit(0, 0), step(1, 0), commit(1, 1), step(1, 1)];
    let lasso = Some(Lasso { cycle: 2, fairness: Fairness::ALL });
    let finding = Finding::Property(property);
    (program, Trace { memory: Memory::new(Tso), finding, actions, lasso })
}

#[test]
fn a_cycle_has_a_bar() {
    let (program, trace) = starved();
    insta::assert_snapshot!(draw(&program, &trace, 80));
}

#[test]
fn a_cycle_in_a_narrow_terminal() {
    let (program, trace) = starved();
    insta::assert_snapshot!(draw(&program, &trace, 36));
}

#[test]
fn a_cycle_in_colours() {
    let (program, trace) = starved();
    let run = replay(&program, &trace).unwrap();
    let options = LaneOptions { width: 80, styled: true, full: true };
    let styled = lanes(RunView::new(&program, &SourceMap::new(), &run), trace.finding, options);
    insta::assert_snapshot!(styled.replace('\u{1b}', "␛"));
}

#[test]
fn a_run_that_ends() {
    let mut b = ProgramBuilder::new("lost wake-up");
    let ready = b.shared("ready", Type::BOOL, 0);
    let mut p = b.process("p");
    p.store(ready, 1).store(ready, 0);
    p.finish();
    let mut q = b.process("q");
    q.assume(is(ready, 1));
    let awake = q.here();
    let q = q.finish();
    let mut program = b.build().unwrap();
    let property = ltl(&mut program, "<> q@awake", &[("q@awake", Expr::At(q, vec![awake]))]);
    let trace = shown(&program, Memory::new(Tso), property, Fairness::ALL).unwrap();
    insta::assert_snapshot!(draw(&program, &trace, 80));
}

#[test]
fn a_finite_run_that_nothing_fixes() {
    let p = vec![
        edge(0, 1).does(set_var(0, 1)).holds(),
        edge(1, 2).does(set_var(1, 1)),
        edge(2, 2).does(set_var(0, code::bad())),
    ];
    let mut program =
        code::program(vec![shared("x"), shared("y")], vec![], vec![code::code("p", &[], p)]);
    let meanings = [("x == 1", is(VarId(0), 1))];
    let property = ltl(&mut program, "[] ! (x == 1)", &meanings);
    let trace = shown(&program, Memory::new(Sc), property, Fairness::ALL).unwrap();
    assert_eq!(trace.lasso, None);
    insta::assert_snapshot!(draw(&program, &trace, 60));
}

fn words(program: &Program, trace: &Trace) -> String {
    let run = replay(program, trace).unwrap();
    let words = explain(RunView::new(program, &SourceMap::new(), &run), trace.finding);
    format!("{}\n{}", words.headline, words.details.join("\n"))
}

#[test]
fn every_kind_of_violation_in_words() {
    let (mut program, good) = starved();
    let atoms = vec![Atom { expr: is(VarId(0), 1), text: "want == 1".into() }];
    let of = |text: &str| {
        Automaton::of(&taut_ltl::parse(text).expect("a formula").formula, 1).expect("small")
    };
    let settles = never(&mut program, "settles", of("<> [] a"), atoms.clone());
    let wants = never(&mut program, "wants", of("<> a"), atoms);
    let with = |property: PropId, fairness: &str| Trace {
        finding: Finding::Property(property),
        lasso: Some(Lasso { cycle: 2, fairness: fairness.parse().unwrap() }),
        ..good.clone()
    };
    let prefix = Trace { lasso: None, ..with(wants, "none") };
    let mut all = vec![words(&program, &prefix)];
    for fairness in ["none", "process", "memory", "memory-process"] {
        all.push(words(&program, &with(settles, fairness)));
    }
    let mut b = ProgramBuilder::new("spin");
    let x = b.shared("x", Type::INT, 0);
    for name in ["p", "q", "r"] {
        spin(&mut b, name);
    }
    let mut spinning = b.build().unwrap();
    let property = ltl(&mut spinning, "<> (x == 1)", &[("x == 1", is(x, 1))]);
    for (model, fairness) in [(Sc, Fairness::NONE), (Pso, Fairness::ALL)] {
        let trace = shown(&spinning, Memory::new(model), property, fairness).unwrap();
        all.push(words(&spinning, &trace));
    }
    insta::assert_snapshot!(all.join("\n\n"));
}
