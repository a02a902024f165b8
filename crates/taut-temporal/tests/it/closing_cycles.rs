//! Cycles that a simplified program closes sooner than the given one.

use taut_explicit::{Completion, Limits, Reduce};
use taut_ir::build::ProgramBuilder;
use taut_ir::{
    Action, Atom, BinaryOp, Effect, Expr, Fairness, Finding, FullBuffer, Ltl, Lvalue, Memory,
    MemoryModel, Mode, Program, PropId, Property, PropertyKind, Span, Type,
};
use taut_ltl::Formula;
use taut_temporal::{Emptiness, TemporalOptions, find_accepting_lasso};
use taut_witness::{Lasso, Trace, replay};

const TSO: Memory =
    Memory { model: MemoryModel::Tso, bound: Some(2), full_buffer: FullBuffer::Wait };

/// Asks whether something holds again and again, of a process that goes round for ever.
fn asks_for_ever(program: &mut Program, bad: Expr) -> PropId {
    let atom = Formula::Eventually(Box::new(Formula::atom(0)));
    let formula = Formula::Always(Box::new(atom));
    let atoms = vec![Atom { expr: bad, text: "bad".into() }];
    let kind = PropertyKind::Ltl(Box::new(Ltl { formula, atoms, finite_runs: true }));
    program.properties.push(Property { name: "run".into(), kind, span: Span::NONE });
    PropId::from(program.properties.len() - 1)
}

/// The run that violates a property, checked by the replayer.
fn run(program: &Program, property: PropId) -> Vec<Action> {
    let options = TemporalOptions {
        fairness: Fairness::NONE,
        emptiness: Emptiness::Components,
        reduce: Reduce::All,
        threads: 1,
        alone: 0,
        spawn_all: false,
        limits: Limits::default(),
    };
    let search = find_accepting_lasso(program, TSO, property, &options).expect("a small automaton");
    assert_eq!(search.completion, Completion::FirstFinding);
    let found = search.found.expect("a run");
    let lasso = found.cycle.map(|cycle| Lasso { cycle, fairness: Fairness::NONE });
    let finding = Finding::Property(property);
    let trace = Trace { memory: TSO, finding, actions: found.actions.clone(), lasso };
    replay(program, &trace).unwrap_or_else(|error| panic!("{error}"));
    found.actions
}

/// What a dead register holds is another thing when the cycle has gone round once.
#[test]
fn a_cycle_closes_in_its_second_round() {
    let mut b = ProgramBuilder::new("round");
    let x = b.shared("x", Type::range(0, 3), 1);
    let mut p = b.process("p");
    let r = p.register("r", Type::range(0, 3), 0);
    let start = p.here();
    p.load(r, x).assume(Expr::from(r).equals(1.into())).goto(start);
    p.finish();
    let mut program = b.build().expect("a program");
    let never = Expr::from(x).equals(2.into());
    let property = asks_for_ever(&mut program, never);
    run(&program, property);
}

/// A ghost that nobody reads may count how often a cycle goes round. Then it is not left out.
#[test]
fn a_cycle_that_is_counted_closes_as_well() {
    let mut b = ProgramBuilder::new("counted");
    let x = b.shared("x", Type::range(0, 3), 1);
    let g = b.ghost("g", Type::range(0, 60), 0);
    let mut p = b.process("p");
    let start = p.here();
    let more = Expr::binary(BinaryOp::Add, g.into(), 1.into());
    let around = Expr::binary(BinaryOp::Rem, more, 50.into());
    p.step(Expr::TRUE, Mode::Plain, vec![Effect::assign(Lvalue::Var(g), around)]).goto(start);
    p.finish();
    let mut program = b.build().expect("a program");
    let never = Expr::from(x).equals(2.into());
    let property = asks_for_ever(&mut program, never);
    assert!(run(&program, property).len() >= 50);
}
