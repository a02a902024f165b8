//! The size of translations, what is refused, and runs that are none.

use crate::support;

use support::parse;
use taut_ir::{Action, Effect, Expr, ProcId, Program, StepId};
use taut_rounds::{MOST_ROUNDS, Scope, map_back, translate};

/// Everything in a program that has to be stored or written: nodes of expressions, values of registers,
/// program points, steps.
fn size(program: &Program) -> usize {
    let nodes = |e: &Expr| {
        let mut count = 0;
        e.visit(&mut |_| count += 1);
        count
    };
    let of_def = |d: &taut_ir::ProcessDef| {
        let steps = d.steps.iter().flat_map(|s| s.expressions()).map(nodes).sum::<usize>();
        let values = d.registers.iter().map(|r| r.init.len()).sum::<usize>();
        let effects: usize = d.steps.iter().map(|s| s.effects.len()).sum();
        steps + values + effects + d.steps.len() + d.points.len()
    };
    let properties = program.properties.iter().flat_map(|p| p.kind.exprs()).map(nodes);
    program.defs.iter().map(of_def).sum::<usize>() + properties.sum::<usize>()
}

/// So many statements, on as many variables.
fn program(statements: usize, variables: usize) -> Program {
    let mut text = String::new();
    (0..variables).for_each(|v| text += &format!("shared int x{v};"));
    text += "process p begin local int r;";
    for i in 0..statements {
        let (v, w) = (i % variables, (i + 1) % variables);
        text += &format!("x{v} := r + {i}; r := x{w};");
    }
    parse(&(text + "end"))
}

fn translated_size(program: &Program, scope: Scope) -> usize {
    size(&translate(program, scope).expect("it is translated").portable())
}

/// Whether equal steps of what is measured make equal steps of the size.
fn is_linear(sizes: &[usize]) -> bool {
    let steps: Vec<usize> = sizes.windows(2).map(|w| w[1] - w[0]).collect();
    steps.windows(2).all(|w| w[0] == w[1])
}

#[test]
fn size_is_linear_in_the_program_and_in_the_bound() {
    for scope in [Scope::Rounds, Scope::Age] {
        let long = |n: usize| translated_size(&program(12 * n, 3), scope(2));
        let sizes = [1, 2, 3, 4].map(long);
        assert!(is_linear(&sizes), "statements: {sizes:?}");
        // Variables make the beginning and the end of rounds longer, not the statements.
        let wide = |n: usize| translated_size(&program(24, 4 * n), scope(2));
        let sizes = [1, 2, 3].map(wide);
        assert!(is_linear(&sizes), "variables: {sizes:?}");
        let deep = |k| translated_size(&program(12, 3), scope(k));
        let sizes = [2, 4, 6, 8].map(deep);
        assert!(is_linear(&sizes), "bound: {sizes:?}");
        assert!(sizes[1] > sizes[0]);
    }
}

fn refusal(program: &Program, scope: Scope) -> String {
    translate(program, scope).expect_err("it is refused").to_string()
}

#[test]
fn bounds_have_a_bound() {
    let program = program(1, 2);
    assert!(translate(&program, Scope::Age(MOST_ROUNDS)).is_ok());
    let said = refusal(&program, Scope::Rounds(MOST_ROUNDS + 1));
    assert_eq!(said, "the bound is 65, and 64 is the largest that is possible");
    assert!(translate(&program, Scope::Age(u32::MAX)).is_err());
    let large = parse("shared int a[60000]; process p begin a[1] := 1; end");
    assert!(refusal(&large, Scope::Age(20)).contains("copies of shared variables"));
}

#[test]
fn what_is_not_translated_is_said_with_its_place() {
    let program = parse("shared int x; process p begin x := 1; end ltl f: <> (x == 1);");
    let error = translate(&program, Scope::Rounds(1)).expect_err("it is refused");
    assert!(error.to_string().starts_with("not translated: a property of runs"), "{error}");
    assert!(!error.span().is_none());

    let mut program = parse("shared int x; process p begin x := 1; fence; end");
    program.defs[0].steps[0].holds = true;
    let error = translate(&program, Scope::Rounds(1)).expect_err("it is refused");
    assert!(error.to_string().contains("holds the others"), "{error}");
    assert!(!error.span().is_none());
    let mut program = parse("shared int x; process p begin choose { fence; } or { x := 1; } end");
    program.defs[0].steps[1].yields_to = vec![taut_ir::StepId(0)];
    assert!(refusal(&program, Scope::Rounds(1)).contains("yields to one that waits"));

    let mut program = parse("shared int x; process p begin x := 1; x := 2; end");
    program.defs[0].points[1].atomic = true;
    assert!(refusal(&program, Scope::Rounds(1)).contains("atomic section"));

    let mut program =
        parse("shared int x; shared int y; process p begin locked { x, y := 1, 2; } end");
    program.defs[0].steps[0].mode = taut_ir::Mode::Plain;
    assert!(translate(&program, Scope::Rounds(1)).is_ok());
    let Effect::Assign(list) = &mut program.defs[0].steps[0].effects[0] else { panic!("assigns") };
    list[1].place = list[0].place.clone();
    assert!(refusal(&program, Scope::Rounds(1)).contains("store twice"));
}

#[test]
fn names_are_not_taken_twice() {
    let program =
        parse("shared int x; process p begin local int r_SC; local int view_x; x := 1; end");
    let translation = translate(&program, Scope::Age(1)).expect("it is translated");
    let names: Vec<_> = translation.program.defs[0].registers.iter().map(|r| &r.name).collect();
    let unique: std::collections::BTreeSet<_> = names.iter().collect();
    assert_eq!(names.len(), unique.len(), "{names:?}");
}

#[test]
fn what_is_no_run_is_not_mapped_back() {
    let program = parse("shared int x; process p begin x := 1; x := 2; end");
    let translation = translate(&program, Scope::Rounds(1)).expect("it is translated");
    let step = |process, step| Action::step(ProcId(process), StepId(step));
    assert!(map_back(&translation, &[step(7, 0)]).is_err());
    assert!(map_back(&translation, &[step(0, 999)]).is_err());
    let commit = Action::Commit { process: ProcId(0), var: taut_ir::VarId(0), index: 0 };
    assert!(map_back(&translation, &[commit]).is_err());
    // The second store before the first.
    let takes = (0..).map(StepId);
    let second = taut_rounds::Role::Take(StepId(1));
    let def = program.process(ProcId(0)).def;
    let at =
        takes.take(100).find(|&s| translation.map.role(def, s) == Some(second)).expect("a step");
    assert!(map_back(&translation, &[Action::step(ProcId(0), at)]).is_err());
}

/// A program that nothing can wait in is its own translation, up to the counting of rounds.
#[test]
fn only_what_is_stored_through_the_buffer_has_copies() {
    let program = parse(
        "shared int x; shared int y; ghost int g;
        process p begin x := 1; g := 1; end
        process q begin local int r; r := x; r := xchg(y, 1); end",
    );
    let translation = translate(&program, Scope::Age(3)).expect("it is translated");
    let copies = |d: usize| {
        let registers = &translation.program.defs[d].registers;
        registers.iter().filter(|r| r.name.starts_with("view_")).count()
    };
    assert_eq!([copies(0), copies(1)], [1, 0]);
}
