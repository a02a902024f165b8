//! Very many very small programs: one question each, the engine against the plain search of `semantics.rs`.
//!
//! Without loops, buffers as long as the code make that search exact, so both answers are compared. With loops, what it reaches within
//! a bound must be found; what is found is replayed ([`super::ask`]).

use proptest::prelude::*;
use taut_ir::build::ProgramBuilder;
use taut_ir::{Effect, Expr, Lvalue, Mode, PointId, Program, Span, Step, Type, VarId};
use taut_testkit::cases::random_cases;

use super::semantics::{Code, Instruction, code, next, reachable, tso};
use super::{Said, ask};

/// One question: a program point per process, and with it what memory has while no store is pending.
#[derive(Clone, Debug)]
struct Question {
    points: Vec<usize>,
    memory: Option<[u8; 2]>,
}

fn step(instruction: Instruction, cells: [VarId; 2], source: PointId, target: PointId) -> Step {
    let plain = Step::skip(source, target, Span::NONE);
    let cell = |x: u8| cells[usize::from(x)];
    let is = |x: u8, v: u8| Expr::Var(cell(x)).equals(Expr::Const(i64::from(v)));
    let put = |x: u8, v: u8| vec![Effect::assign(Lvalue::Var(cell(x)), i64::from(v))];
    match instruction {
        Instruction::Store(x, v) => Step { effects: put(x, v), ..plain },
        Instruction::Load(x, v) => Step { guard: is(x, v), ..plain },
        Instruction::Fence => Step { mode: Mode::Fence, ..plain },
        Instruction::Exchange(x, old, new) => {
            Step { guard: is(x, old), mode: Mode::Locked, effects: put(x, new), ..plain }
        }
    }
}

/// The program with the question as its only property.
fn program(all: &[Code], question: &Question) -> Program {
    let mut b = ProgramBuilder::new("tiny");
    let cells = ["x", "y"].map(|name| b.shared(name, Type::range(0, 1), 0));
    let mut bad = Expr::TRUE;
    for (number, code) in all.iter().enumerate() {
        let mut p = b.process(&format!("p{number}"));
        let mut points = vec![p.here()];
        (0..code.list.len()).for_each(|_| points.push(p.point()));
        for (at, &instruction) in code.list.iter().enumerate() {
            p.edge(step(instruction, cells, points[at], points[next(code, at)]));
        }
        p.at(points[code.list.len()]);
        let process = p.finish();
        bad = bad.and(Expr::At(process, vec![points[question.points[number]]]));
        if question.memory.is_some() {
            bad = bad.and(Expr::Drained(process));
        }
    }
    for (cell, value) in cells.into_iter().zip(question.memory.into_iter().flatten()) {
        bad = bad.and(Expr::Var(cell).equals(Expr::Const(i64::from(value))));
    }
    b.forbid("bad", bad);
    b.build().expect("a valid program")
}

/// Whether the plain search with a bound reaches what is asked; none if that is too much.
fn is_reached(all: &[Code], question: &Question, bound: usize) -> Option<bool> {
    let [points, with_memory] = reachable(all, bound, tso)?;
    Some(match question.memory {
        None => points.contains(&question.points),
        Some(memory) => {
            let memory = memory.iter().map(|&v| usize::from(v));
            with_memory.contains(&question.points.iter().copied().chain(memory).collect::<Vec<_>>())
        }
    })
}

/// Programs of so many processes with so many instructions each.
fn question(processes: usize, most: usize) -> impl Strategy<Value = (Vec<Code>, Question)> {
    let memory = prop::option::of((0_u8..2, 0_u8..2).prop_map(|(x, y)| [x, y]));
    let codes = prop::collection::vec(code(most), processes);
    (codes, prop::collection::vec(any::<prop::sample::Index>(), processes), memory).prop_map(
        |(codes, points, memory)| {
            let at =
                |(code, index): (&Code, &prop::sample::Index)| index.index(code.list.len() + 1);
            let points = codes.iter().zip(&points).map(at).collect();
            (codes, Question { points, memory })
        },
    )
}

fn compare(cases: u32, processes: usize, most: usize) {
    let tally = random_cases(cases, question(processes, most), |case, (codes, question)| {
        let program = program(&codes, &question);
        case.about(&program);
        let found = match ask(&program, 50_000) {
            Said::Found(found) => found.iter().any(|f| matches!(f, taut_ir::Finding::Property(_))),
            Said::Refused => return Err(TestCaseError::fail("refused")),
            Said::Limit => return Err(TestCaseError::fail("left open")),
            Said::Wrong(why) => return Err(TestCaseError::fail(why)),
        };
        let Some(reached) = is_reached(&codes, &question, 3) else {
            return case.pass_over("too large");
        };
        case.count(if found { "reached" } else { "not reached" });
        if codes.iter().any(|code| code.loops) {
            case.count("within a bound");
            prop_assert!(found || !reached, "missed {question:?} of {codes:?}");
        } else {
            case.count("exact");
            prop_assert_eq!(found, reached, "{:?} of {:?}", question, codes);
        }
        Ok(())
    });
    let cases = u64::from(cases);
    tally.at_least("exact", cases / 4).at_least("within a bound", cases / 4);
    tally.at_least("reached", cases / 10).at_least("not reached", cases / 10);
}

#[test]
fn two_processes() {
    compare(14_000, 2, 3);
}

#[test]
fn three_processes() {
    compare(6_000, 3, 2);
}
