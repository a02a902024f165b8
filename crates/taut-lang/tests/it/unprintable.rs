//! What has no syntax in the Taut language is refused by name, and only that.

use taut_ir::build::ProgramBuilder;
use taut_ir::{
    Atom, ChanId, Channel, ChannelOp, ChannelQuery, Control, Effect, EffectOrder, Expr, Fault,
    Lifecycle, Ltl, Never, ProcId, Program, Property, PropertyKind, RegId, Span, Step, StepId,
    Type,
};
use taut_ltl::{Automaton, Formula};

/// A program with two processes that change a variable; all of it can be printed.
fn plain() -> Program {
    let mut b = ProgramBuilder::new("plain");
    let x = b.shared("x", Type::INT, 0);
    for name in ["p", "q"] {
        let mut p = b.process(name);
        p.register("r", Type::INT, 0);
        p.store(x, 1).store(x, 2);
        p.finish();
    }
    b.build().expect("a valid program")
}

fn refusal(change: impl FnOnce(&mut Program)) -> String {
    let mut program = plain();
    change(&mut program);
    taut_ir::validate::validate(&program).expect("still valid");
    taut_lang::print(&program).expect_err("no syntax").to_string()
}

fn step(program: &mut Program) -> &mut Step {
    &mut program.defs[1].steps[0]
}

fn channel(program: &mut Program) {
    let (name, fields) = ("c".into(), vec![Type::INT]);
    let order = EffectOrder::default();
    program.channels.push(Channel { name, capacity: 1, fields, order, span: Span::NONE });
}

#[test]
fn a_plain_program_is_printed() {
    assert!(taut_lang::print(&plain()).expect("a syntax").contains("x := 2"));
}

#[test]
fn features_without_a_syntax_are_named() {
    let says = |change: fn(&mut Program), what: &str| {
        assert_eq!(refusal(change), format!("the Taut language has no syntax for {what}"));
    };
    says(channel, "channels");
    says(|p| p.lifecycle = Lifecycle::Stack, "processes on a stack");
    says(|p| step(p).holds = true, "steps after which a process holds the others");
    let drains = "steps that wait for the buffer under some memory models only";
    says(|p| step(p).drains = true, drains);
    says(|p| step(p).effects.push(Effect::Fail(Fault::Blocked)), "steps that always go wrong");
    says(
        |p| {
            let other = Step { source: step(p).source, ..p.defs[1].steps[1].clone() };
            p.defs[1].steps[1] = other;
            step(p).yields_to = vec![StepId(1)];
        },
        "steps that yield to others",
    );
    says(
        |p| {
            let channel = Expr::Const(ChanId(0).value());
            let message = vec![Expr::Const(1)];
            step(p).channel = Some(ChannelOp::Send { channel, message, sorted: false });
        },
        "channels",
    );
}

#[test]
fn questions_without_a_syntax_are_named() {
    let asks = |guard: Expr, what: &str| {
        let said = refusal(|p| step(p).guard = guard.clone().equals(Expr::Const(7)).not());
        assert_eq!(said, format!("the Taut language has no syntax for {what}"));
    };
    asks(Expr::Timeout, "timeouts");
    asks(Expr::Alive(ProcId(0)), "asking whether a process lives");
    asks(Expr::At(ProcId(0), vec![]), "steps that look into another process");
    let register = Expr::In(ProcId(0), Box::new(Expr::Reg(RegId(0))));
    asks(register, "steps that look into another process");
    let length = Expr::Channel(ChannelQuery::Length, Box::new(Expr::Const(1)));
    asks(length, "channels");
}

#[test]
fn properties_are_looked_at_too() {
    let said = refusal(|p| {
        let kind = PropertyKind::Forbid(Expr::Alive(ProcId(1)).not());
        p.properties.push(Property { name: "alive".into(), kind, span: Span::NONE });
    });
    assert_eq!(said, "the Taut language has no syntax for asking whether a process lives");
}

#[test]
fn automata_and_infinite_runs_have_no_syntax() {
    let asks = |kind: PropertyKind| {
        refusal(|p| p.properties.push(Property { name: "t".into(), kind, span: Span::NONE }))
    };
    let never = Never { automaton: Automaton::default(), atoms: vec![] };
    let said = asks(PropertyKind::Never(Box::new(never)));
    assert_eq!(said, "the Taut language has no syntax for never claims");
    let (formula, atoms) = (Formula::True, vec![]);
    let said = asks(PropertyKind::Ltl(Box::new(Ltl { formula, atoms, finite_runs: false })));
    assert_eq!(said, "the Taut language has no syntax for formulas about infinite runs only");
    let atoms = vec![Atom { expr: Expr::Alive(ProcId(0)), text: "alive".into() }];
    let formula = Formula::atom(0);
    let said = asks(PropertyKind::Ltl(Box::new(Ltl { formula, atoms, finite_runs: true })));
    assert_eq!(said, "the Taut language has no syntax for asking whether a process lives");
}

#[test]
fn an_exit_is_a_matter_of_the_stack() {
    let said = refusal(|p| {
        p.lifecycle = Lifecycle::Stack;
        step(p).effects.clear();
        step(p).target = Control::Exit;
    });
    assert_eq!(said, "the Taut language has no syntax for processes on a stack");
}
