//! Ghosts that locked steps of several processes use: random programs that fill their buffers without end, in which
//! each locked step turns a ghost over, against explicit search with bounds. Every run replays.

use taut_ir::{BinaryOp, VarId, VarKind, Variable};
use taut_ir::{Effect, Expr, Lvalue, Mode, ProcId, Program, Property, PropertyKind, Span, Type};
use taut_testkit::cases::random_cases;
use taut_testkit::looping::{Looping, Operation, looping};

use super::{Said, ask, explicit};

/// The program with the ghost `g`, and a question about it for each program point of the first process.
fn with_ghost(draft: &Looping) -> Program {
    let mut draft = draft.clone();
    for (_, edges) in &mut draft.processes {
        // The first edge is locked in most programs.
        for edge in edges.iter_mut().take(1) {
            if let Operation::Load(x, v) | Operation::Store(x, v) = edge.operation {
                edge.operation = Operation::Exchange(x, v);
            }
        }
    }
    let mut program = draft.program_about_ends();
    let g = VarId::from(program.vars.len());
    program.vars.push(Variable {
        name: "g".into(),
        kind: VarKind::Ghost,
        ty: Type::range(0, 1),
        len: None,
        init: vec![0],
        span: Span::NONE,
    });
    let turned = Expr::binary(BinaryOp::Sub, Expr::Const(1), Expr::from(g));
    for step in program.defs.iter_mut().flat_map(|def| &mut def.steps) {
        if step.mode == Mode::Locked {
            step.effects.push(Effect::assign(Lvalue::Var(g), turned.clone()));
        }
    }
    for point in 0..program.defs[0].points.len() {
        for value in 0..2 {
            let here = Expr::At(ProcId::from(0_usize), vec![point.into()]);
            let kind = PropertyKind::Forbid(here.and(Expr::from(g).equals(value.into())));
            let name = format!("at_{point}_g_is_{value}");
            program.properties.push(Property { name, kind, span: Span::NONE });
        }
    }
    program
}

#[test]
fn ghosts_of_locked_steps_are_answered() {
    let tally = random_cases(250, looping(), |case, draft| {
        let program = with_ghost(&draft);
        case.about(&program);
        let is_locked =
            |def: &taut_ir::ProcessDef| def.steps.iter().any(|s| s.mode == Mode::Locked);
        if !program.defs.iter().all(is_locked) {
            return case.pass_over("one process has no locked step");
        }
        let found = match ask(&program, 200_000) {
            Said::Found(found) => found,
            Said::Wrong(why) => return Err(proptest::test_runner::TestCaseError::fail(why)),
            Said::Refused | Said::Limit => return case.pass_over("open"),
        };
        let bounded = (1..=3).rev().find_map(|bound| explicit(&program, bound, 30_000));
        let Some((bounded, is_full)) = bounded else { return case.pass_over("too large") };
        proptest::prop_assert!(bounded.is_subset(&found), "{:?}, not {:?}", found, bounded);
        if !is_full {
            proptest::prop_assert_eq!(&bounded, &found);
        }
        case.count("compared");
        Ok(())
    });
    println!("{tally}");
    tally.at_least("compared", 100);
}
