//! Random small programs: every finding has a trace that replays, and weaker models allow more.

use crate::common;

use common::shown::check_view;
use common::*;
use proptest::prelude::*;
use taut_ir::build::{ProcessBuilder, ProgramBuilder};
use taut_ir::{
    Assignment, BinaryOp, Effect, Expr, FullBuffer, Lvalue, Memory, MemoryModel, Mode, Program,
    RegId, Type, VarId,
};
use taut_render::{LaneOptions, RunView, from_json, lanes, to_json_text};
use taut_source::SourceMap;
use taut_witness::enumerate::{explore, shortest};
use taut_witness::replay;

/// A statement of a random program. Variables are numbered 0 and 1.
#[derive(Clone, Debug)]
enum Statement {
    Store(usize, i64),
    Load(usize),
    Increment(usize),
    Element(usize),
    Fence,
    StoreFence,
    Sync,
    Exchange(usize),
    AtomicStore(usize),
    TwoStores,
    Assume(usize),
    Assert(usize),
    Divide(usize),
    Observe,
}

fn statement() -> BoxedStrategy<Statement> {
    use Statement::*;
    prop_oneof![
        4 => (0..2usize, 0..3i64).prop_map(|(v, k)| Store(v, k)),
        4 => (0..2usize).prop_map(Load),
        1 => (0..2usize).prop_map(Increment),
        1 => (0..2usize).prop_map(Element),
        1 => Just(Fence),
        2 => Just(StoreFence),
        1 => Just(Sync),
        1 => (0..2usize).prop_map(Exchange),
        1 => (0..2usize).prop_map(AtomicStore),
        1 => Just(TwoStores),
        1 => (0..2usize).prop_map(Assume),
        1 => (0..2usize).prop_map(Assert),
        1 => (0..2usize).prop_map(Divide),
        1 => Just(Observe),
    ]
    .boxed()
}

struct Names {
    vars: [VarId; 2],
    array: VarId,
    ghost: VarId,
    r: RegId,
}

fn emit(p: &mut ProcessBuilder<'_>, s: &Statement, names: &Names, unique: &str) {
    let var = |v: &usize| names.vars[*v];
    let plain = |p: &mut ProcessBuilder<'_>, effect| {
        p.step(Expr::TRUE, Mode::Plain, vec![effect]);
    };
    let plus_one = |v: VarId| Expr::binary(BinaryOp::Add, v.into(), 1.into());
    match s {
        Statement::Store(v, k) => _ = p.store(var(v), *k),
        Statement::Load(v) => _ = p.load(names.r, var(v)),
        Statement::Increment(v) => _ = p.store(var(v), plus_one(var(v))),
        Statement::Element(v) => {
            plain(p, Effect::assign(Lvalue::VarElem(names.array, var(v).into()), 1));
        }
        Statement::Fence => _ = p.fence(),
        Statement::StoreFence => plain(p, Effect::StoreFence),
        Statement::Sync => _ = p.step(Expr::TRUE, Mode::Sync, vec![]),
        Statement::Exchange(v) => _ = p.exchange(names.r, var(v), 1),
        Statement::AtomicStore(v) => {
            let place = Lvalue::Var(var(v));
            plain(p, Effect::Assign(vec![Assignment { place, value: 2.into(), atomic: true }]));
        }
        Statement::TwoStores => {
            let store = |i: usize| Effect::assign(Lvalue::Var(names.vars[i]), 1);
            p.step(Expr::TRUE, Mode::Plain, vec![store(0), store(1)]);
        }
        Statement::Assume(v) => _ = p.assume(var(v).into()),
        Statement::Assert(v) => _ = p.assert(unique, Expr::from(var(v)).equals(names.r.into())),
        Statement::Divide(v) => {
            let quotient = Expr::Binary(BinaryOp::Div, Box::new(1.into()), Box::new(var(v).into()));
            p.set(names.r, quotient);
        }
        Statement::Observe => plain(p, Effect::assign(Lvalue::Var(names.ghost), names.r)),
    }
}

fn build(code: &[Vec<Statement>]) -> Program {
    let mut b = ProgramBuilder::new("random");
    let vars = ["x", "y"].map(|name| b.shared(name, Type::range(0, 2), 0));
    let array = b.shared_array("a", Type::INT, vec![0, 0]);
    let ghost = b.ghost("g", Type::INT, 0);
    let mut processes = Vec::new();
    for (i, statements) in code.iter().enumerate() {
        let mut p = b.process(&format!("p{i}"));
        let r = p.register("r", Type::INT, 0);
        let names = Names { vars, array, ghost, r };
        for (j, statement) in statements.iter().enumerate() {
            emit(&mut p, statement, &names, &format!("assert {i}.{j}"));
        }
        processes.push((p.finish(), r));
    }
    let (p, r) = processes[0];
    b.forbid("disagree", local(p, r).equals(1.into()).and(Expr::from(vars[0]).equals(0.into())));
    b.invariant("calm", Expr::binary(BinaryOp::Lt, ghost.into(), 2.into()));
    b.invariant(
        "drained or zero",
        Expr::binary(BinaryOp::Or, Expr::Drained(p), Expr::from(vars[1]).equals(0.into())),
    );
    b.build().expect("a valid program")
}

fn program() -> BoxedStrategy<Program> {
    let code = prop::collection::vec(prop::collection::vec(statement(), 0..7), 2..=3);
    code.prop_map(|code| build(&code)).boxed()
}

fn memory() -> BoxedStrategy<Memory> {
    let bound = prop_oneof![Just(None), Just(Some(1)), Just(Some(2))];
    let full = prop_oneof![Just(FullBuffer::Wait), Just(FullBuffer::Error)];
    let model = prop::sample::select(MemoryModel::EVERY.to_vec());
    (model, bound, full)
        .prop_map(|(model, bound, full_buffer)| Memory { model, bound, full_buffer })
        .boxed()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn every_finding_has_a_trace_that_replays(program in program(), memory in memory()) {
        let all = explore(&program, memory, LIMIT).expect("small");
        let sources = SourceMap::new();
        for &finding in &all.findings {
            let trace = shortest(&program, memory, finding, LIMIT).expect("it was found");
            let run = replay(&program, &trace).expect("it is possible");
            let json = to_json_text(RunView::new(&program, &sources, &run), "random.taut", trace.finding);
            prop_assert_eq!(from_json(&program, &json), Ok(trace));
            check_view(RunView::new(&program, &sources, &run), finding)?;
            for (width, full) in [(32, true), (60, false), (100, true)] {
                let options = LaneOptions { width, styled: false, full };
                let text = lanes(RunView::new(&program, &sources, &run), finding, options);
                let widest = text.lines().map(unicode_width::UnicodeWidthStr::width).max();
                prop_assert!(widest <= Some(width), "{}", text);
            }
        }
    }

    #[test]
    fn weaker_models_allow_more(program in program()) {
        let finals = |model| explore(&program, unbounded(model), LIMIT).expect("small").finals;
        use MemoryModel::{Pso, Sc, Tso};
        let [sc, tso, pso] = [Sc, Tso, Pso].map(finals);
        prop_assert!(sc.is_subset(&tso));
        prop_assert!(tso.is_subset(&pso));
        // Of the others it is only known that a buffer need not hold anything back.
        for model in MemoryModel::EVERY {
            prop_assert!(sc.is_subset(&finals(model)), "{}", model);
        }
    }
}
