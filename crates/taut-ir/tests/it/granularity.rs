//! Splitting steps into accesses, on programs of the model.

use taut_ir::granularity::{Most, TooLarge, split_program};
use taut_ir::{
    Assignment, BinaryOp, DefId, Effect, Expr, Lvalue, Mode, PointId, ProcId, Process, ProcessDef,
    Program, ProgramPoint, Property, PropertyKind, Span, Start, Step, StepId, Type, VarId, VarKind,
    Variable, access, validate,
};

const X: VarId = VarId(0);
const Y: VarId = VarId(1);

/// A program of one process with these steps between program points 0, 1 and 2, over shared `x` and `y`.
fn program(steps: Vec<Step>) -> Program {
    let variable = |name: &str| Variable {
        name: name.into(),
        kind: VarKind::Shared,
        ty: Type::range(0, 3),
        len: None,
        init: vec![0],
        span: Span::NONE,
    };
    let label = |name: &str| ProgramPoint { labels: vec![name.into()], ..ProgramPoint::default() };
    let def = ProcessDef {
        name: "p".into(),
        registers: Vec::new(),
        params: 0,
        points: vec![label("a"), label("b"), ProgramPoint::end()],
        entry: PointId(0),
        steps,
        procedures: Vec::new(),
        channel_registers: Vec::new(),
        span: Span::NONE,
    };
    let process = Process {
        name: "p".into(),
        def: DefId(0),
        args: Vec::new(),
        start: Start::Initially,
        channels: Vec::new(),
    };
    let at = PropertyKind::Forbid(Expr::At(ProcId(0), vec![PointId(0)]));
    let property = Property { name: "at_a".into(), kind: at, span: Span::NONE };
    Program {
        name: "t".into(),
        vars: vec![variable("x"), variable("y")],
        defs: vec![def],
        processes: vec![process],
        properties: vec![property],
        call_depth: 1,
        ..Program::default()
    }
}

fn step(from: u32, to: u32) -> Step {
    Step::skip(PointId(from), PointId(to), Span::NONE)
}

fn increment() -> Effect {
    let value = Expr::binary(BinaryOp::Add, Expr::Var(X), Expr::Const(1));
    Effect::Assign(vec![Assignment { place: Lvalue::Var(X), value, atomic: false }])
}

fn equal(var: VarId, value: i64) -> Expr {
    Expr::Var(var).equals(Expr::Const(value))
}

fn split(steps: Vec<Step>) -> Program {
    let split = split_program(program(steps), Most::default()).expect("it is small");
    validate::validate(&split).expect("a valid program");
    split
}

/// The steps as text, each with its source.
fn shown(program: &Program) -> Vec<String> {
    let steps = program.defs[0].steps.iter();
    steps.map(|s| format!("{}: {}", s.source.0, program.show_step(DefId(0), s))).collect()
}

#[test]
fn a_read_and_a_write_are_two_steps_and_properties_know_the_point_between() {
    let split = split(vec![Step { effects: vec![increment()], ..step(0, 1) }]);
    assert_eq!(shown(&split), ["0: x' := x", "3: x := x' + 1"]);
    let PropertyKind::Forbid(Expr::At(_, points)) = &split.properties[0].kind else {
        panic!("a question about program points");
    };
    assert_eq!(points, &[PointId(0), PointId(3)]);
    assert_eq!(split.defs[0].points[3].labels, ["a"]);
    let most = split.defs[0].steps.iter().map(|s| access::accesses(&split, s).len()).max();
    assert_eq!(most, Some(1));
}

#[test]
fn what_is_locked_holds_or_is_marked_stays_whole() {
    for whole in [
        Step { mode: Mode::Locked, ..step(0, 1) },
        Step { holds: true, ..step(0, 1) },
        Step { whole: true, ..step(0, 1) },
    ] {
        let split = split(vec![Step { effects: vec![increment()], ..whole }]);
        assert_eq!(split.defs[0].steps.len(), 1);
        assert_eq!(split.defs[0].registers.len(), 0);
    }
}

#[test]
fn else_is_the_other_outcome_of_one_decision() {
    let both = equal(X, 1).and(equal(Y, 1));
    let split = split(vec![
        Step { guard: both, ..step(0, 1) },
        Step { yields_to: vec![StepId(0)], ..step(0, 2) },
    ]);
    assert_eq!(
        shown(&split),
        ["0: assume(x == 1)", "0: assume(!(x == 1))", "3: assume(y == 1)", "3: assume(!(y == 1))"]
    );
}

#[test]
fn several_alternatives_that_wait_have_a_crossing() {
    let split = split(vec![
        Step { guard: equal(X, 1).and(equal(Y, 1)), ..step(0, 1) },
        Step { guard: equal(Y, 2).and(equal(X, 2)), ..step(0, 2) },
    ]);
    let back = shown(&split).into_iter().filter(|s| s.ends_with("test the condition again"));
    // From each of the two blocked program points to the head and to the crossing, and from there to the head.
    assert_eq!(back.count(), 5);
}

#[test]
fn sizes_are_bounded() {
    let increments = || vec![Step { effects: vec![increment(); 50], ..step(0, 1) }];
    let few = |most: Most| split_program(program(increments()), most).err();
    assert_eq!(few(Most::default()), None);
    assert_eq!(few(Most { points: 20, ..Most::default() }), Some(TooLarge::Points));
    assert_eq!(few(Most { steps: 20, ..Most::default() }), Some(TooLarge::Steps));
    assert_eq!(few(Most { nodes: 20, ..Most::default() }), Some(TooLarge::Steps));
}
