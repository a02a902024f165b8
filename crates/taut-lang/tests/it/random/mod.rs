//! Random programs over the whole model.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, subsequence};
use taut_ir::*;
use taut_ltl::Formula;

/// Names of all sorts: plain ones, keywords, words that are special in places, and no names at all.
const NAMES: &[&str] = &[
    "x",
    "y",
    "z",
    "r",
    "n",
    "k",
    "f",
    "w",
    "end",
    "fence",
    "reg",
    "var",
    "wrap",
    "graph",
    "when",
    "P0",
    "0",
    "0:EAX",
    "p[0]",
    "p[1]",
    "w#1",
    "p[00]",
    "a b",
    "a`b",
    "back\\slash",
    "\"quoted\"",
    "",
    "new\nline",
    "été",
    "int",
    "as",
    "entry",
    "slot",
    "instance",
    "assert:3",
    "true",
    "ltl",
    "enabled",
    "G",
    "X",
    "U",
    "V",
    "next",
    "until",
];

fn names(count: usize) -> BoxedStrategy<Vec<String>> {
    let all: Vec<String> = NAMES.iter().map(|n| n.to_string()).collect();
    subsequence(all, count).prop_shuffle().boxed()
}

fn any_name() -> BoxedStrategy<String> {
    any::<Index>().prop_map(|i| i.get(NAMES).to_string()).boxed()
}

fn ty() -> BoxedStrategy<Type> {
    let wrap = |lo, hi| Type { lo, hi, overflow: Overflow::Wrap };
    prop_oneof![
        Just(Type::INT),
        Just(Type::BOOL),
        Just(Type::INT64),
        Just(wrap(0, 255)),
        Just(wrap(-32768, 32767)),
        (-9i64..9, 0i64..9).prop_map(|(lo, n)| Type::range(lo, lo + n)),
        (-9i64..9, 0i64..9).prop_map(move |(lo, n)| wrap(lo, lo + n)),
        Just(wrap(i64::MIN, 0)),
    ]
    .boxed()
}

/// Type, length and initial values.
fn storage(array: bool) -> BoxedStrategy<(Type, Option<u32>, Vec<i64>)> {
    let len = if array {
        prop_oneof![Just(None), (1u32..4).prop_map(Some)].boxed()
    } else {
        Just(None).boxed()
    };
    (ty(), len)
        .prop_flat_map(|(ty, len)| {
            let size = len.unwrap_or(1) as usize;
            let value = prop_oneof![Just(ty.lo), Just(ty.hi), ty.lo..=ty.hi];
            (Just(ty), Just(len), vec(value, size))
        })
        .boxed()
}

fn register(array: bool) -> BoxedStrategy<Register> {
    (any_name(), storage(array))
        .prop_map(|(name, (ty, len, init))| Register { name, ty, len, init, span: Span::NONE })
        .boxed()
}

/// What steps and properties can name.
#[derive(Clone, Debug)]
struct World {
    vars: Vec<Variable>,
    registers: Vec<Register>,
}

fn variables() -> BoxedStrategy<Vec<Variable>> {
    (0usize..5)
        .prop_flat_map(|count| {
            (names(count), vec((storage(true), any::<bool>()), count)).prop_map(|(names, all)| {
                let one = |(name, ((ty, len, init), ghost)): (String, ((Type, _, _), bool))| {
                    let kind = if ghost { VarKind::Ghost } else { VarKind::Shared };
                    Variable { name, kind, ty, len, init, span: Span::NONE }
                };
                names.into_iter().zip(all).map(one).collect()
            })
        })
        .boxed()
}

fn constant() -> BoxedStrategy<Expr> {
    let value = prop_oneof![-3i64..4, Just(i64::MIN), Just(i64::MAX), Just(i64::MIN + 1)];
    value.prop_map(Expr::Const).boxed()
}

/// A register or variable to read, with a constant index in range.
fn leaf(world: &World) -> BoxedStrategy<Expr> {
    let mut all = vec![constant()];
    for (i, v) in world.vars.iter().enumerate() {
        let id = VarId::from(i);
        all.push(match v.len {
            None => Just(Expr::Var(id)).boxed(),
            Some(len) => element(len).prop_map(move |e| Expr::VarElem(id, Box::new(e))).boxed(),
        });
    }
    for (i, r) in world.registers.iter().enumerate() {
        let id = RegId::from(i);
        all.push(match r.len {
            None => Just(Expr::Reg(id)).boxed(),
            Some(len) => element(len).prop_map(move |e| Expr::RegElem(id, Box::new(e))).boxed(),
        });
    }
    proptest::strategy::Union::new(all).boxed()
}

fn element(len: u32) -> BoxedStrategy<Expr> {
    (0..i64::from(len)).prop_map(Expr::Const).boxed()
}

fn operators(leaf: BoxedStrategy<Expr>, indexed: BoxedStrategy<Expr>) -> BoxedStrategy<Expr> {
    let leaf = prop_oneof![4 => leaf, 1 => indexed].boxed();
    leaf.prop_recursive(4, 24, 3, |inner| {
        let unary = prop_oneof![Just(UnaryOp::Neg), Just(UnaryOp::Not), Just(UnaryOp::BitNot)];
        prop_oneof![
            (unary, inner.clone()).prop_map(|(op, a)| Expr::Unary(op, Box::new(a))),
            (any::<Index>(), inner.clone(), inner.clone()).prop_map(|(op, a, b)| Expr::Binary(
                *op.get(&BinaryOp::ALL),
                Box::new(a),
                Box::new(b)
            )),
            (inner.clone(), inner.clone(), inner).prop_map(|(c, a, b)| Expr::Cond(
                Box::new(c),
                Box::new(a),
                Box::new(b)
            )),
        ]
    })
    .boxed()
}

fn expr(world: &World) -> BoxedStrategy<Expr> {
    operators(leaf(world), leaf(world))
}

fn place(world: &World) -> BoxedStrategy<Lvalue> {
    let mut all: Vec<BoxedStrategy<Lvalue>> = Vec::new();
    for (i, v) in world.vars.iter().enumerate() {
        let id = VarId::from(i);
        all.push(match v.len {
            None => Just(Lvalue::Var(id)).boxed(),
            Some(_) => expr(world).prop_map(move |e| Lvalue::VarElem(id, e)).boxed(),
        });
    }
    for (i, r) in world.registers.iter().enumerate() {
        let id = RegId::from(i);
        all.push(match r.len {
            None => Just(Lvalue::Reg(id)).boxed(),
            Some(_) => expr(world).prop_map(move |e| Lvalue::RegElem(id, e)).boxed(),
        });
    }
    proptest::strategy::Union::new(all).boxed()
}

/// What a definition looks like from outside, fixed before any code.
#[derive(Clone, Debug)]
struct Shape {
    name: String,
    params: u32,
    registers: Vec<Register>,
    points: usize,
    procedures: Vec<Procedure>,
}

fn shape() -> BoxedStrategy<Shape> {
    (any_name(), vec(register(false), 0..3), vec(register(true), 0..4), 1usize..6)
        .prop_flat_map(|(name, params, locals, points)| {
            let count = params.len() as u32;
            let registers: Vec<_> = params.into_iter().chain(locals).collect();
            let ids: Vec<_> = (0..registers.len()).map(RegId::from).collect();
            let own = ids.len();
            let procedure = (any_name(), 0..points, subsequence(ids, 0..=own), any::<Index>())
                .prop_map(|(name, entry, registers, params)| {
                    let params = params.index(registers.len() + 1) as u32;
                    Procedure { name, entry: PointId::from(entry), registers, params }
                });
            vec(procedure, 0..3).prop_map(move |procedures| Shape {
                name: name.clone(),
                params: count,
                registers: registers.clone(),
                points,
                procedures,
            })
        })
        .boxed()
}

fn assignment(world: &World) -> BoxedStrategy<Assignment> {
    (place(world), expr(world), any::<bool>())
        .prop_map(|(place, value, atomic)| {
            let atomic = atomic && place.variable().is_some();
            Assignment { place, value, atomic }
        })
        .boxed()
}

fn effect(world: &World, asserts: Vec<PropId>, shapes: &[Shape]) -> BoxedStrategy<Effect> {
    let mut all = vec![Just(Effect::StoreFence).boxed()];
    if !world.vars.is_empty() || !world.registers.is_empty() {
        all.push(vec(assignment(world), 1..3).prop_map(Effect::Assign).boxed());
    }
    if !asserts.is_empty() {
        let assert = (expr(world), any::<Index>()).prop_map(move |(condition, i)| Effect::Assert {
            condition,
            property: *i.get(&asserts),
        });
        all.push(assert.boxed());
    }
    for (i, shape) in shapes.iter().enumerate() {
        let def = DefId::from(i);
        let args = vec(expr(world), shape.params as usize);
        all.push(args.prop_map(move |args| Effect::Spawn { def, args, pid: None }).boxed());
    }
    proptest::strategy::Union::new(all).boxed()
}

fn control(world: &World, shape: &Shape) -> BoxedStrategy<Control> {
    let goto = (0..shape.points).prop_map(|l| Control::Goto(PointId::from(l))).boxed();
    let mut all = vec![goto];
    for (i, procedure) in shape.procedures.iter().enumerate() {
        let procedure_id = ProcedureId::from(i);
        let args = vec(expr(world), procedure.params as usize);
        let call = (args, 0..shape.points).prop_map(move |(args, to)| Control::Call {
            procedure: procedure_id,
            args,
            return_to: PointId::from(to),
        });
        all.push(call.boxed());
    }
    proptest::strategy::Union::new(all).boxed()
}

fn mode() -> BoxedStrategy<Mode> {
    prop_oneof![Just(Mode::Plain), Just(Mode::Fence), Just(Mode::Sync), Just(Mode::Locked)].boxed()
}

fn point() -> BoxedStrategy<ProgramPoint> {
    (vec(any_name(), 0..3), any::<bool>(), any::<bool>())
        .prop_map(|(labels, end, atomic)| ProgramPoint { labels, end, atomic, inner: false })
        .boxed()
}

fn def(
    vars: Vec<Variable>,
    index: usize,
    shapes: Vec<Shape>,
    asserts: Vec<PropId>,
) -> BoxedStrategy<ProcessDef> {
    let shape = shapes[index].clone();
    let world = World { vars, registers: shape.registers.clone() };
    let step = (
        0..shape.points,
        expr(&world),
        mode(),
        vec(effect(&world, asserts, &shapes), 0..3),
        control(&world, &shape),
    )
        .prop_map(|(source, guard, mode, effects, target)| {
            let plain = Step::skip(PointId::from(source), PointId::from(source), Span::NONE);
            Step { guard, mode, effects, target, ..plain }
        });
    let returns = vec(any::<bool>(), 7);
    (vec(point(), shape.points), vec(step, 0..7), 0..shape.points, returns)
        .prop_map(move |(points, steps, entry, returns)| {
            let mut def = ProcessDef {
                name: shape.name.clone(),
                registers: shape.registers.clone(),
                params: shape.params,
                points,
                entry: PointId::from(entry),
                steps,
                procedures: shape.procedures.clone(),
                channel_registers: Vec::new(),
                span: Span::NONE,
            };
            def.points[entry].atomic = false;
            let owner = def.procedure_of();
            for (step, back) in def.steps.iter_mut().zip(returns) {
                // Cutting one way out can only make fewer program points belong to procedures.
                if back
                    && shape.procedures.iter().any(|p| p.entry == step.source)
                    && owner[step.source.index()].is_some()
                {
                    step.target = Control::Return;
                }
            }
            def
        })
        .boxed()
}

fn processes(shapes: Vec<Shape>) -> BoxedStrategy<Vec<Process>> {
    (1usize..4, 0usize..3)
        .prop_flat_map(move |(initial, waiting)| {
            let count = initial + waiting;
            let defs = vec(0..shapes.len(), count);
            let shapes = shapes.clone();
            (names(count), defs, vec(any::<bool>(), 8)).prop_map(move |(names, defs, ends)| {
                let one = |(i, (name, def)): (usize, (String, usize))| {
                    let start = if i < initial { Start::Initially } else { Start::Spawned };
                    let params = &shapes[def].registers[..shapes[def].params as usize];
                    let ends = &ends;
                    let value = |(k, r): (usize, &Register)| {
                        if ends[(i + k) % 8] { r.ty.lo } else { r.ty.hi }
                    };
                    let args = params.iter().enumerate().map(value);
                    let args = if i < initial { args.collect() } else { Vec::new() };
                    Process { name, def: DefId::from(def), args, start, channels: Vec::new() }
                };
                names.into_iter().zip(defs).enumerate().map(one).collect()
            })
        })
        .boxed()
}

/// What a property asks of a state; one about runs may ask what is enabled, too.
fn question(
    vars: &[Variable],
    shapes: &[Shape],
    processes: &[Process],
    temporal: bool,
) -> BoxedStrategy<Expr> {
    let world = World { vars: vars.to_vec(), registers: Vec::new() };
    let mut asked: Vec<BoxedStrategy<Expr>> = Vec::new();
    for (i, process) in processes.iter().enumerate() {
        let id = ProcId::from(i);
        let shape = &shapes[process.def.index()];
        let inner = World { vars: vars.to_vec(), registers: shape.registers.clone() };
        let read = leaf(&inner).prop_filter("a read", |e| !matches!(e, Expr::Const(_)));
        if !inner.vars.is_empty() || !inner.registers.is_empty() {
            asked.push(read.prop_map(move |e| Expr::In(id, Box::new(e))).boxed());
        }
        let points: Vec<_> = (0..shape.points).map(PointId::from).collect();
        let most = points.len();
        asked.push(subsequence(points, 0..=most).prop_map(move |l| Expr::At(id, l)).boxed());
        asked.push(Just(Expr::Drained(id)).boxed());
        if temporal {
            asked.push(Just(Expr::Enabled(id)).boxed());
        }
    }
    operators(leaf(&world), proptest::strategy::Union::new(asked).boxed())
}

/// A formula over some conditions.
fn formula(atoms: u32) -> BoxedStrategy<Formula> {
    let leaf = prop_oneof![
        1 => Just(Formula::True),
        1 => Just(Formula::False),
        8 => (0..atoms).prop_map(Formula::atom),
    ];
    leaf.prop_recursive(5, 30, 2, |inner| {
        let unary: [fn(Formula) -> Formula; 4] =
            [Formula::not, Formula::next, Formula::always, Formula::eventually];
        let binary: [fn(Formula, Formula) -> Formula; 8] = [
            Formula::and,
            Formula::or,
            Formula::implies,
            Formula::iff,
            Formula::until,
            Formula::release,
            Formula::weak_until,
            Formula::strong_release,
        ];
        prop_oneof![
            (any::<Index>(), inner.clone()).prop_map(move |(op, f)| op.get(&unary)(f)),
            (any::<Index>(), inner.clone(), inner)
                .prop_map(move |(op, f, g)| op.get(&binary)(f, g)),
        ]
    })
    .boxed()
}

fn ltl(question: BoxedStrategy<Expr>) -> BoxedStrategy<Ltl> {
    let atom = question.prop_map(|expr| Atom { expr, text: "as it was written".into() });
    let with_formula = |atoms: Vec<Atom>| {
        let formula = formula(atoms.len() as u32);
        (formula, Just(atoms))
    };
    let whole = vec(atom, 1..4).prop_flat_map(with_formula);
    whole.prop_map(|(formula, atoms)| Ltl { formula, atoms, finite_runs: true }).boxed()
}

fn properties(
    kinds: &[u8],
    vars: &[Variable],
    shapes: &[Shape],
    processes: &[Process],
) -> BoxedStrategy<Vec<Property>> {
    let state = || question(vars, shapes, processes, false);
    let of_kind = |kind: &u8| match kind {
        0 => Just(PropertyKind::Assert).boxed(),
        1 => state().prop_map(PropertyKind::Forbid).boxed(),
        2 => state().prop_map(PropertyKind::Invariant).boxed(),
        _ => ltl(question(vars, shapes, processes, true))
            .prop_map(|ltl| PropertyKind::Ltl(Box::new(ltl)))
            .boxed(),
    };
    let kinds: Vec<_> = kinds.iter().map(of_kind).collect();
    (names(kinds.len()), kinds)
        .prop_map(|(names, kinds)| {
            let one = |(name, kind)| Property { name, kind, span: Span::NONE };
            names.into_iter().zip(kinds).map(one).collect()
        })
        .boxed()
}

/// Any valid program.
pub fn program() -> BoxedStrategy<Program> {
    let outline = (variables(), vec(shape(), 1..4), vec(0u8..5, 0..4), any_name(), 0u32..20);
    outline
        .prop_flat_map(|(vars, shapes, kinds, name, call_depth)| {
            let asserts: Vec<_> =
                (0..kinds.len()).filter(|&i| kinds[i] == 0).map(PropId::from).collect();
            let defs: Vec<_> = (0..shapes.len())
                .map(|i| def(vars.clone(), i, shapes.clone(), asserts.clone()))
                .collect();
            let head = (Just(vars), Just(name), Just(call_depth), defs);
            (head, processes(shapes.clone())).prop_flat_map(move |(head, processes)| {
                let properties = properties(&kinds, &head.0, &shapes, &processes);
                (Just(head), Just(processes), properties).prop_map(
                    |((vars, name, call_depth, defs), processes, properties)| Program {
                        name,
                        vars,
                        defs,
                        processes,
                        properties,
                        call_depth,
                        ..Program::default()
                    },
                )
            })
        })
        .boxed()
}
