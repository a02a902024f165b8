//! A ghost that ends waiting: random programs in which some ordinary steps set it, and some program points may be left for an
//! end if it is set, against explicit search and brute force. Deadlocks are among the questions.

use proptest::prelude::*;
use taut_ir::{
    Effect, Expr, Finding, Lvalue, PointId, Program, ProgramPoint, Span, Step, Type, VarId,
    VarKind, Variable,
};
use taut_testkit::cases::random_cases;
use taut_testkit::random::graph;

use super::everything::compare;
use super::{Said, ask};
use crate::ends::prepare;

/// The program with the ghost. The bits of two numbers say which steps set it, and which points may be left.
fn with_ghost(mut program: Program, sets: u32, stops: u32) -> Program {
    let over = VarId::from(program.vars.len());
    program.vars.push(Variable {
        name: "over".into(),
        kind: VarKind::Ghost,
        ty: Type::range(0, 1),
        len: None,
        init: vec![0],
        span: Span::NONE,
    });
    let is_on = |bits: u32, i: usize| bits >> (i % 32) & 1 == 1;
    for (d, def) in program.defs.iter_mut().enumerate() {
        for (i, step) in def.steps.iter_mut().enumerate() {
            if is_on(sets, 7 * d + i) && !def.points[step.source.index()].atomic {
                step.effects.push(Effect::assign(Lvalue::Var(over), 1));
            }
        }
        let end = PointId::from(def.points.len());
        let points = def.points.len();
        def.points.push(ProgramPoint { end: true, ..ProgramPoint::default() });
        for point in (0..points).filter(|&p| is_on(stops, 11 * d + p) && !def.points[p].atomic) {
            let mut stop = Step::skip(PointId::from(point), end, Span::NONE);
            stop.guard = Expr::from(over).equals(Expr::Const(1));
            def.steps.push(stop);
        }
    }
    program
}

#[test]
fn a_ghost_that_ends_waiting_is_known() {
    let drafts = (graph(7), any::<u32>(), any::<u32>());
    let tally = random_cases(600, drafts, |case, (draft, sets, stops)| {
        // Few steps set it: otherwise no run is in a deadlock.
        let program = with_ghost(draft.program(), sets & sets >> 16, stops);
        if prepare(&program).1.is_none() {
            return case.pass_over("no such ghost");
        }
        if let Said::Found(found) = ask(&program, 100_000) {
            case.count("answered");
            if found.contains(&Finding::Deadlock) {
                case.count("deadlock");
            }
        }
        compare(case, &program)
    });
    println!("{tally}");
    tally.at_least("compared", 60).at_least("deadlock", 30).at_least("answered", 100);
}

/// A process that stays in an atomic section keeps others from stopping: their last step is no part of the run.
#[test]
fn no_process_stops_while_another_one_stays_in_an_atomic_section() {
    let name = "a_process_cannot_stop_while_another_one_stays_in_an_atomic_section.taut";
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../testdata/regressions/");
    let text = std::fs::read_to_string(format!("{path}{name}")).expect("a program");
    let mut map = taut_source::SourceMap::new();
    let file = map.add(name, &text);
    let program = taut_lang::parse(&map, file, &taut_lang::Options::default()).expect("a program");
    let Said::Found(found) = ask(&program, 10_000) else { panic!("no answer") };
    assert!(found.contains(&Finding::Deadlock));
}
