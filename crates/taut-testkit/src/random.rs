//! Random programs.
//!
//! A program is drawn as a list of [`Instruction`]s for each thread, which shrinks well, and then built
//! ([`Draft::program`]). [`straight`] draws straight-line threads, as in litmus tests; [`graph`] draws threads
//! whose control flow is a random graph, with loops, blocking and everything the program model has.

use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use taut_ir::build::{ProcessBuilder, ProgramBuilder};
use taut_ir::{
    Assignment, BinaryOp, Control, DefId, Effect, Expr, Lvalue, Mode, Overflow, PointId,
    ProcedureId, Program, RegId, Span, Step, Type, VarId,
};

/// So many cases, always the same ones, so that a commit that passed passes again; or as many times more as
/// `TAUT_SOAK` says, drawn anew each time. proptest writes no files: [`crate::cases`] keeps programs that fail.
pub fn config(cases: u32) -> ProptestConfig {
    let soak = std::env::var("TAUT_SOAK").ok().and_then(|s| s.parse::<u32>().ok());
    ProptestConfig {
        cases: cases.saturating_mul(soak.unwrap_or(1)),
        rng_seed: if soak.is_some() { RngSeed::Random } else { RngSeed::Fixed(2026) },
        max_shrink_iters: 4_000,
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}

/// How many shared scalars a random program has; there is also an array of two and a ghost.
pub const SCALARS: u8 = 2;
/// How many registers each thread has.
pub const REGISTERS: u8 = 2;

/// Something a thread does in one step. Variables, registers and values are small numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Instruction {
    /// `x := value`
    Store(u8, i64),
    /// `x := r`
    StoreRegister(u8, u8),
    /// `r := x`
    Load(u8, u8),
    /// `a[r] := value`
    StoreElement(u8, i64),
    /// `r := a[s]`
    LoadElement(u8, u8),
    /// `fence`
    Fence,
    /// `sfence`
    StoreFence,
    /// `sync`
    Sync,
    /// `r := xchg(x, value)`
    Exchange(u8, u8, i64),
    /// `x := x + 1` at once, the old value to r.
    FetchAdd(u8, u8),
    /// `atomic x := value`
    AtomicWrite(u8, i64),
    /// `assume(x == value)`
    Assume(u8, i64),
    /// `assert(x != value)`
    Assert(u8, i64),
    /// `x, r := r, x` with a plain store.
    Swap(u8, u8),
    /// `x := value; y := x` in one step.
    Two(u8, u8, i64),
    /// `g := g + r` with g a ghost that wraps around.
    Ghost(u8),
    /// `r := r + 1`, a fault when r leaves its range.
    Count(u8),
    /// `r := value / s`, a fault when s is 0.
    Divide(u8, u8, i64),
    /// `call f(r)`: a procedure with a parameter and a local that stores, and may call itself.
    Call(u8),
    /// `spawn w(r)`: a process that stores its parameter and ends.
    Spawn(u8),
}

/// An edge of a random control-flow graph.
#[derive(Clone, Debug)]
pub struct Edge {
    /// Where it starts, modulo the number of program points.
    pub source: u8,
    /// Where it goes, modulo the number of program points.
    pub target: u8,
    /// What it does.
    pub instruction: Instruction,
}

/// The code of one thread.
#[derive(Clone, Debug)]
pub enum Thread {
    /// One instruction after the other.
    Straight(Vec<Instruction>),
    /// A graph of so many program points, of which the last one is an end and the marked one atomic.
    Graph(u8, Option<u8>, Vec<Edge>),
}

/// A program before it is built.
#[derive(Clone, Debug)]
pub struct Draft {
    /// Its threads.
    pub threads: Vec<Thread>,
}

fn common(x: BoxedStrategy<u8>) -> BoxedStrategy<Instruction> {
    let (r, v) = (0..REGISTERS, 0_i64..3);
    prop_oneof![
        6 => (x.clone(), v.clone()).prop_map(|(x, v)| Instruction::Store(x, v)),
        2 => (x.clone(), r.clone()).prop_map(|(x, r)| Instruction::StoreRegister(x, r)),
        6 => (r.clone(), x.clone()).prop_map(|(r, x)| Instruction::Load(r, x)),
        1 => (r.clone(), v.clone()).prop_map(|(r, v)| Instruction::StoreElement(r, v)),
        1 => (r.clone(), r.clone()).prop_map(|(r, s)| Instruction::LoadElement(r, s)),
        2 => Just(Instruction::Fence),
        2 => Just(Instruction::StoreFence),
        2 => (r.clone(), x.clone(), v.clone()).prop_map(|(r, x, v)| Instruction::Exchange(r, x, v)),
        1 => (r.clone(), x.clone()).prop_map(|(r, x)| Instruction::FetchAdd(r, x)),
        1 => (x, v).prop_map(|(x, v)| Instruction::AtomicWrite(x, v)),
    ]
    .boxed()
}

fn anything(x: BoxedStrategy<u8>) -> BoxedStrategy<Instruction> {
    let (r, v) = (0..REGISTERS, 0_i64..3);
    prop_oneof![
        12 => common(x.clone()),
        1 => Just(Instruction::Sync),
        2 => (x.clone(), v.clone()).prop_map(|(x, v)| Instruction::Assume(x, v)),
        1 => (x.clone(), v.clone()).prop_map(|(x, v)| Instruction::Assert(x, v)),
        1 => (x.clone(), r.clone()).prop_map(|(x, r)| Instruction::Swap(x, r)),
        1 => (x.clone(), x, v.clone()).prop_map(|(x, y, v)| Instruction::Two(x, y, v)),
        1 => r.clone().prop_map(Instruction::Ghost),
        1 => r.clone().prop_map(Instruction::Count),
        1 => (r.clone(), r.clone(), v).prop_map(|(r, s, v)| Instruction::Divide(r, s, v)),
        1 => r.clone().prop_map(Instruction::Call),
        1 => r.prop_map(Instruction::Spawn),
    ]
    .boxed()
}

/// Two to three straight-line threads of up to `most` instructions with fences and read-modify-writes.
pub fn straight(most: usize) -> BoxedStrategy<Draft> {
    straight_over(most, (0..SCALARS).boxed())
}

/// The same over some of many scalars: [`Draft::program_with`].
pub fn straight_over(most: usize, scalars: BoxedStrategy<u8>) -> BoxedStrategy<Draft> {
    let thread = prop::collection::vec(common(scalars), 0..=most).prop_map(Thread::Straight);
    prop::collection::vec(thread, 2..=3).prop_map(|threads| Draft { threads }).boxed()
}

/// Two threads whose control flow is a random graph.
pub fn graph(most_edges: usize) -> BoxedStrategy<Draft> {
    graph_over(most_edges, (0..SCALARS).boxed())
}

/// The same over some of many scalars: [`Draft::program_with`].
pub fn graph_over(most_edges: usize, scalars: BoxedStrategy<u8>) -> BoxedStrategy<Draft> {
    let edge = (0..8_u8, 0..8_u8, anything(scalars));
    let edge = edge.prop_map(|(source, target, instruction)| Edge { source, target, instruction });
    let atomic = prop::option::weighted(0.2, 1..4_u8);
    let thread = (2..5_u8, atomic, prop::collection::vec(edge, 1..=most_edges))
        .prop_map(|(points, atomic, edges)| Thread::Graph(points, atomic, edges));
    prop::collection::vec(thread, 2..=2).prop_map(|threads| Draft { threads }).boxed()
}

/// The variables of a random program.
struct Names {
    scalars: Vec<VarId>,
    array: VarId,
    ghost: VarId,
}

/// The definition of the process that random programs spawn: always the first.
const WORKER: DefId = DefId(0);
/// The procedure that random programs call: the only one of a definition.
const PROCEDURE: ProcedureId = ProcedureId(0);
/// How many calls may be open in a random program, and how many workers alive.
const DEPTH: u32 = 2;

impl Draft {
    /// The program, with a property that forbids a certain state.
    pub fn program(&self) -> Program {
        self.program_with(SCALARS)
    }

    /// The same with so many shared scalars, of which the instructions may mean any.
    pub fn program_with(&self, scalars: u8) -> Program {
        debug_assert!(scalars >= SCALARS, "procedures and spawned processes use the first ones");
        let mut b = ProgramBuilder::new("random");
        let wrap = Type { lo: 0, hi: 3, overflow: Overflow::Wrap };
        let scalars = (0..scalars).map(|i| b.shared(&format!("x{i}"), wrap, 0)).collect();
        let array = b.shared_array("a", wrap, vec![0, 1]);
        let ghost = b.ghost("g", wrap, 0);
        let names = Names { scalars, array, ghost };
        b.call_depth(DEPTH);
        let mut w = b.template("w");
        let r = w.parameter("r", Type::range(0, 3));
        w.store(names.scalars[0], r).store(names.scalars[1], r);
        assert_eq!(w.finish_template(), WORKER);
        let mut last = None;
        for (i, thread) in self.threads.iter().enumerate() {
            let mut p = b.process(&format!("p{i}"));
            for r in 0..REGISTERS {
                p.register(&format!("r{r}"), Type::range(0, 3), 0);
            }
            let start = p.here();
            if self.uses(|i| matches!(i, Instruction::Call(_))) {
                add_procedure(&names, &mut p);
            }
            thread.build(&names, p.at(start));
            last = Some(p.finish());
        }
        if self.uses(|i| matches!(i, Instruction::Spawn(_))) {
            b.spawn_slots(WORKER, DEPTH);
        }
        if let Some(p) = last {
            let in_view = Expr::In(p, Box::new(Expr::Var(names.scalars[0])));
            let in_memory = Expr::Var(names.scalars[0]);
            let differ = Expr::binary(BinaryOp::Ne, in_view, in_memory);
            let twice = Expr::Var(names.scalars[1]).equals(Expr::Const(2));
            b.forbid("view", differ.and(twice));
        }
        b.build().expect("a random program is well formed")
    }

    fn uses(&self, wanted: impl Fn(Instruction) -> bool) -> bool {
        self.threads.iter().any(|t| match t {
            Thread::Straight(list) => list.iter().any(|&i| wanted(i)),
            Thread::Graph(_, _, edges) => edges.iter().any(|e| wanted(e.instruction)),
        })
    }

    /// The same without atomic sections.
    #[must_use]
    pub fn without_atomic(mut self) -> Draft {
        for thread in &mut self.threads {
            if let Thread::Graph(_, atomic, _) = thread {
                *atomic = None;
            }
        }
        self
    }

    /// The same with a fence after every plain store.
    #[must_use]
    pub fn fenced(&self) -> Draft {
        let fence = |thread: &Thread| match thread {
            Thread::Straight(list) => {
                Thread::Straight(list.iter().flat_map(|&i| [i, Instruction::Fence]).collect())
            }
            graph @ Thread::Graph(..) => graph.clone(),
        };
        Draft { threads: self.threads.iter().map(fence).collect() }
    }
}

impl Thread {
    fn build(&self, names: &Names, p: &mut ProcessBuilder<'_>) {
        match self {
            Thread::Straight(list) => {
                for &instruction in list {
                    let (guard, mode, effects) = meaning(instruction, names, p);
                    p.step(guard, mode, effects);
                }
            }
            Thread::Graph(count, atomic, edges) => {
                let first = p.here();
                let mut points = vec![first];
                points.extend((1..*count).map(|_| p.point()));
                for edge in edges {
                    let at = |l: u8| points[usize::from(l) % points.len()];
                    add_edge(names, p, at(edge.source), at(edge.target), edge.instruction);
                }
                if let Some(atomic) = atomic {
                    // Never the first: a process enters an atomic section by a step.
                    p.set_atomic(points[1 + usize::from(*atomic) % (points.len() - 1)]);
                }
                p.at(*points.last().expect("a program point"));
            }
        }
    }
}

fn add_edge(
    names: &Names,
    p: &mut ProcessBuilder<'_>,
    source: PointId,
    target: PointId,
    instruction: Instruction,
) {
    let (guard, mode, effects) = meaning(instruction, names, p);
    let target = match instruction {
        Instruction::Call(r) => Control::Call {
            procedure: PROCEDURE,
            args: vec![Expr::Reg(RegId(u32::from(r)))],
            return_to: target,
        },
        _ => Control::Goto(target),
    };
    let step = Step::skip(source, source, Span::NONE);
    p.edge(Step { guard, mode, effects, target, ..step });
}

/// `procedure f(n) local k; begin k := n; x0 := k; if n < 2 then call f(n + 1); fi; x1 := k; end`
fn add_procedure(names: &Names, p: &mut ProcessBuilder<'_>) {
    let n = p.register("n", Type::range(0, 3), 0);
    let k = p.register("k", Type::range(0, 3), 1);
    let at: Vec<_> = (0..5).map(|_| p.point()).collect();
    assert_eq!(p.procedure("f", at[0], vec![n, k], 1), PROCEDURE);
    let mut edge = |source, guard, effects, target| {
        let step = Step::skip(source, source, Span::NONE);
        p.edge(Step { guard, effects, target, ..step });
    };
    let store = |x: usize| vec![Effect::assign(Lvalue::Var(names.scalars[x]), k)];
    let set = vec![Effect::assign(Lvalue::Reg(k), n)];
    let small = Expr::binary(BinaryOp::Lt, n.into(), 2.into());
    edge(at[0], Expr::TRUE, set, Control::Goto(at[1]));
    edge(at[1], Expr::TRUE, store(0), Control::Goto(at[2]));
    let args = vec![plus(n.into(), 1.into())];
    let again = Control::Call { procedure: PROCEDURE, args, return_to: at[3] };
    edge(at[2], small.clone(), vec![], again);
    edge(at[2], small.not(), vec![], Control::Goto(at[3]));
    edge(at[3], Expr::TRUE, store(1), Control::Goto(at[4]));
    edge(at[4], Expr::TRUE, vec![], Control::Return);
}

fn assign(place: Lvalue, value: Expr, atomic: bool) -> Assignment {
    Assignment { place, value, atomic }
}

fn plus(a: Expr, b: Expr) -> Expr {
    Expr::binary(BinaryOp::Add, a, b)
}

/// What an instruction does: guard, mode and effects of its step.
fn meaning(
    instruction: Instruction,
    names: &Names,
    p: &mut ProcessBuilder<'_>,
) -> (Expr, Mode, Vec<Effect>) {
    let var = |x: u8| names.scalars[usize::from(x)];
    let reg = |r: u8| RegId(u32::from(r));
    let plain = |effects| (Expr::TRUE, Mode::Plain, effects);
    let locked = |effects| (Expr::TRUE, Mode::Locked, effects);
    match instruction {
        Instruction::Store(x, v) => plain(vec![Effect::assign(Lvalue::Var(var(x)), v)]),
        Instruction::StoreRegister(x, r) => {
            plain(vec![Effect::assign(Lvalue::Var(var(x)), reg(r))])
        }
        Instruction::Load(r, x) => plain(vec![Effect::assign(Lvalue::Reg(reg(r)), var(x))]),
        Instruction::StoreElement(r, v) => {
            plain(vec![Effect::assign(Lvalue::VarElem(names.array, reg(r).into()), v)])
        }
        Instruction::LoadElement(r, s) => {
            let element = Expr::VarElem(names.array, Box::new(reg(s).into()));
            plain(vec![Effect::assign(Lvalue::Reg(reg(r)), element)])
        }
        Instruction::Fence => (Expr::TRUE, Mode::Fence, vec![]),
        Instruction::StoreFence => plain(vec![Effect::StoreFence]),
        Instruction::Sync => (Expr::TRUE, Mode::Sync, vec![]),
        Instruction::Exchange(r, x, v) => locked(vec![Effect::Assign(vec![
            assign(Lvalue::Reg(reg(r)), var(x).into(), false),
            assign(Lvalue::Var(var(x)), v.into(), false),
        ])]),
        Instruction::FetchAdd(r, x) => locked(vec![
            Effect::assign(Lvalue::Reg(reg(r)), var(x)),
            Effect::assign(Lvalue::Var(var(x)), plus(var(x).into(), 1.into())),
        ]),
        Instruction::AtomicWrite(x, v) => {
            plain(vec![Effect::Assign(vec![assign(Lvalue::Var(var(x)), v.into(), true)])])
        }
        Instruction::Assume(x, v) => (Expr::from(var(x)).equals(v.into()), Mode::Plain, vec![]),
        Instruction::Assert(x, v) => plain(vec![Effect::Assert {
            condition: Expr::from(var(x)).equals(v.into()).not(),
            property: p.assertion(),
        }]),
        Instruction::Swap(x, r) => plain(vec![Effect::Assign(vec![
            assign(Lvalue::Var(var(x)), reg(r).into(), false),
            assign(Lvalue::Reg(reg(r)), var(x).into(), false),
        ])]),
        Instruction::Two(x, y, v) => plain(vec![
            Effect::assign(Lvalue::Var(var(x)), v),
            Effect::assign(Lvalue::Var(var(y)), var(x)),
        ]),
        Instruction::Call(_) => plain(vec![]),
        Instruction::Spawn(r) => {
            plain(vec![Effect::Spawn { def: WORKER, args: vec![reg(r).into()], pid: None }])
        }
        Instruction::Ghost(r) => {
            let sum = plus(names.ghost.into(), reg(r).into());
            plain(vec![Effect::assign(Lvalue::Var(names.ghost), sum)])
        }
        Instruction::Count(r) => {
            plain(vec![Effect::assign(Lvalue::Reg(reg(r)), plus(reg(r).into(), 1.into()))])
        }
        Instruction::Divide(r, s, v) => {
            let quotient = Expr::binary(BinaryOp::Div, v.into(), reg(s).into());
            plain(vec![Effect::assign(Lvalue::Reg(reg(r)), quotient)])
        }
    }
}
