//! Random programs that fill their buffers without end.
//!
//! Two processes, two variables, two values, three to five program points each, and in at least one process a loop
//! that stores: what an engine for unbounded buffers is made for. Every combination of program points and memory is
//! forbidden by a property of its own ([`Looping::program`]), so that two engines that agree on all properties
//! agree on everything that can be reached.

use proptest::prelude::*;
use taut_ir::build::{ProcessBuilder, ProgramBuilder};
use taut_ir::{
    Control, Effect, Expr, Lvalue, Mode, PointId, ProcId, Program, PropId, Property, PropertyKind,
    Span, Step, Type, VarId,
};

/// What one step does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operation {
    /// `x := value`
    Store(u8, i64),
    /// `assume(x == value)`
    Load(u8, i64),
    /// `assume(x == value && y == other)`
    Both(i64, i64),
    /// `fence`
    Fence,
    /// `sfence`
    StoreFence,
    /// `x := y` in one step.
    Copy,
    /// `xchg(x, value)` that finds 1 - value.
    Exchange(u8, i64),
    /// Nothing.
    Skip,
}

/// An edge of the control-flow graph; program points are taken modulo their number.
#[derive(Clone, Copy, Debug)]
pub struct LoopEdge {
    /// Where it starts.
    pub source: u8,
    /// Where it goes.
    pub target: u8,
    /// What it does.
    pub operation: Operation,
}

/// A program before it is built: program points and edges of each process, and initial values.
#[derive(Clone, Debug)]
pub struct Looping {
    /// The processes.
    pub processes: Vec<(u8, Vec<LoopEdge>)>,
    /// What memory holds first.
    pub initially: [i64; 2],
}

fn operation() -> BoxedStrategy<Operation> {
    let (x, v) = (0_u8..2, 0_i64..2);
    prop_oneof![
        8 => (x.clone(), v.clone()).prop_map(|(x, v)| Operation::Store(x, v)),
        6 => (x.clone(), v.clone()).prop_map(|(x, v)| Operation::Load(x, v)),
        1 => (v.clone(), v.clone()).prop_map(|(a, b)| Operation::Both(a, b)),
        2 => Just(Operation::Fence),
        1 => Just(Operation::StoreFence),
        1 => Just(Operation::Copy),
        1 => (x, v).prop_map(|(x, v)| Operation::Exchange(x, v)),
        1 => Just(Operation::Skip),
    ]
    .boxed()
}

fn edge() -> BoxedStrategy<LoopEdge> {
    (0_u8..5, 0_u8..5, operation())
        .prop_map(|(source, target, operation)| LoopEdge { source, target, operation })
        .boxed()
}

/// A process: random edges, and a loop through the first program point, which stores if `stores`.
fn process(stores: bool) -> BoxedStrategy<(u8, Vec<LoopEdge>)> {
    let loop_edges = (0_u8..5, 0_u8..2, 0_i64..2, operation());
    let edges = prop::collection::vec(edge(), 2..6);
    (3_u8..=5, loop_edges, edges)
        .prop_map(move |(points, (via, x, value, back), mut edges)| {
            if stores {
                let via = via % points;
                let there =
                    LoopEdge { source: 0, target: via, operation: Operation::Store(x, value) };
                edges.push(there);
                if via != 0 {
                    edges.push(LoopEdge { source: via, target: 0, operation: back });
                }
            }
            (points, edges)
        })
        .boxed()
}

/// A random looping program.
pub fn looping() -> BoxedStrategy<Looping> {
    let processes = (process(true), any::<bool>().prop_flat_map(process));
    let initially = prop::array::uniform2(0_i64..2);
    (processes, initially)
        .prop_map(|((p, q), initially)| Looping { processes: vec![p, q], initially })
        .boxed()
}

impl Looping {
    /// The program. Property number n of it forbids the n-th combination of program points and memory.
    pub fn program(&self) -> Program {
        self.program_that_forbids(|_, _| true)
    }

    /// The program with properties only for states in which both processes are where they end, so that most
    /// steps are of no concern to any.
    pub fn program_about_ends(&self) -> Program {
        let last = |process: usize| usize::from(self.processes[process].0) - 1;
        self.program_that_forbids(|p, q| (p, q) == (last(0), last(1)))
    }

    /// The program with properties about processes alone: one per combination of program points, and the assertion of
    /// each step that does nothing else that `x` is 1.
    pub fn program_of_processes(&self) -> Program {
        let mut program = self.program_that_forbids(|_, _| false);
        let points = |p: usize| (0..usize::from(self.processes[p].0)).map(PointId::from);
        for (i, j) in points(0).flat_map(|i| points(1).map(move |j| (i, j))) {
            let here = Expr::At(ProcId::from(0_usize), vec![i]);
            let there = Expr::At(ProcId::from(1_usize), vec![j]);
            let name = format!("at_{}_{}", i.index(), j.index());
            let kind = PropertyKind::Forbid(here.and(there));
            program.properties.push(Property { name, kind, span: Span::NONE });
        }
        let property = PropId::from(program.properties.len());
        let (name, kind) = ("x_is_1".into(), PropertyKind::Assert);
        program.properties.push(Property { name, kind, span: Span::NONE });
        let condition = Expr::from(VarId::from(0_usize)).equals(1.into());
        for step in program.defs.iter_mut().flat_map(|def| &mut def.steps) {
            if step.effects.is_empty() && step.guard == Expr::TRUE && step.mode == Mode::Plain {
                step.effects.push(Effect::Assert { condition: condition.clone(), property });
            }
        }
        program
    }

    fn program_that_forbids(&self, forbids: impl Fn(usize, usize) -> bool) -> Program {
        let mut b = ProgramBuilder::new("looping");
        let bit = Type::range(0, 1);
        let vars = ["x", "y"].iter().zip(self.initially).map(|(name, v)| b.shared(name, bit, v));
        let vars: Vec<VarId> = vars.collect();
        let mut built: Vec<(ProcId, Vec<PointId>)> = Vec::new();
        for (i, (count, edges)) in self.processes.iter().enumerate() {
            let mut p = b.process(&format!("p{i}"));
            let first = p.here();
            let mut points = vec![first];
            points.extend((1..*count).map(|_| p.point()));
            for edge in edges {
                add(&mut p, &points, edge, &vars);
            }
            p.at(points[points.len() - 1]);
            built.push((p.finish(), points));
        }
        forbid(&mut b, &built, &vars, forbids);
        b.build().expect("a random program is well formed")
    }
}

fn add(p: &mut ProcessBuilder<'_>, points: &[PointId], edge: &LoopEdge, vars: &[VarId]) {
    let at = |l: u8| points[usize::from(l) % points.len()];
    let (guard, mode, effects) = meaning(edge.operation, vars);
    let step = Step::skip(at(edge.source), at(edge.target), Span::NONE);
    p.edge(Step { guard, mode, effects, target: Control::Goto(at(edge.target)), ..step });
}

fn meaning(operation: Operation, vars: &[VarId]) -> (Expr, Mode, Vec<Effect>) {
    let var = |x: u8| vars[usize::from(x)];
    let is = |x: u8, v: i64| Expr::from(var(x)).equals(v.into());
    match operation {
        Operation::Store(x, v) => {
            (Expr::TRUE, Mode::Plain, vec![Effect::assign(Lvalue::Var(var(x)), v)])
        }
        Operation::Load(x, v) => (is(x, v), Mode::Plain, vec![]),
        Operation::Both(v, w) => (is(0, v).and(is(1, w)), Mode::Plain, vec![]),
        Operation::Fence => (Expr::TRUE, Mode::Fence, vec![]),
        Operation::StoreFence => (Expr::TRUE, Mode::Plain, vec![Effect::StoreFence]),
        Operation::Copy => {
            (Expr::TRUE, Mode::Plain, vec![Effect::assign(Lvalue::Var(var(0)), var(1))])
        }
        Operation::Exchange(x, v) => {
            (is(x, 1 - v), Mode::Locked, vec![Effect::assign(Lvalue::Var(var(x)), v)])
        }
        Operation::Skip => (Expr::TRUE, Mode::Plain, vec![]),
    }
}

fn forbid(
    b: &mut ProgramBuilder,
    built: &[(ProcId, Vec<PointId>)],
    vars: &[VarId],
    forbids: impl Fn(usize, usize) -> bool,
) {
    let [(p, at_p), (q, at_q)] = built else { return };
    for (i, a) in at_p.iter().enumerate() {
        for (j, c) in at_q.iter().enumerate().filter(|&(j, _)| forbids(i, j)) {
            for memory in 0..4_i64 {
                let here = Expr::At(*p, vec![*a]).and(Expr::At(*q, vec![*c]));
                let x = Expr::from(vars[0]).equals((memory & 1).into());
                let y = Expr::from(vars[1]).equals((memory >> 1).into());
                b.forbid(&format!("at_{i}_{j}_with_{memory}"), here.and(x).and(y));
            }
        }
    }
}
