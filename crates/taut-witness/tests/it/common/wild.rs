//! Random programs over everything that steps can do with channels, holds, timeouts and processes that
//! come and go.

use proptest::prelude::*;
use taut_ir::{
    BinaryOp, ChanId, ChannelOp, ChannelQuery, Control, DefId, Effect, Expr, Fault, Lifecycle,
    Lvalue, Mode, Overflow, Pattern, PointId, Poll, ProcId, Process, ProcessDef, Program, PropId,
    Property, PropertyKind, RegId, Span, Start, Step, StepId, Type, VarId, VarKind,
};

use super::code::{bad, channel, code, edge, program, shared};

/// Channels: two of capacity 0, one of capacity 1, one of 2 with two fields, and the workers' own.
const CHANNELS: u32 = 6;
const SMALL: Type = Type { lo: 0, hi: 2, overflow: Overflow::Wrap };
/// Registers: a number, a channel.
const NUMBER: RegId = RegId(0);
const OWN: RegId = RegId(1);

fn weighted(plain: Expr, others: impl Strategy<Value = Expr> + 'static) -> BoxedStrategy<Expr> {
    prop_oneof![4 => Just(plain), 2 => others].boxed()
}

fn value() -> BoxedStrategy<Expr> {
    prop_oneof![
        12 => (0..3i64).prop_map(Expr::Const),
        8 => Just(Expr::Reg(NUMBER)),
        6 => (0..2u32).prop_map(|v| Expr::Var(VarId(v))),
        4 => Just(Expr::binary(BinaryOp::Add, NUMBER.into(), 1.into())),
        1 => Just(Expr::binary(BinaryOp::Div, 2.into(), NUMBER.into())),
    ]
    .boxed()
}

fn a_channel() -> BoxedStrategy<Expr> {
    prop_oneof![
        12 => Just(Expr::Const(1)),
        12 => (1..=4i64).prop_map(Expr::Const),
        4 => Just(Expr::Reg(OWN)),
        1 => Just(Expr::Reg(NUMBER)),
    ]
    .boxed()
}

fn question(stack: bool) -> BoxedStrategy<Expr> {
    let query = prop_oneof![
        Just(ChannelQuery::Length),
        Just(ChannelQuery::Full),
        Just(ChannelQuery::Empty)
    ];
    let poll = (a_channel(), prop::option::of(value()), any::<bool>()).prop_map(
        |(channel, first, anywhere)| {
            Expr::Poll(Box::new(Poll { channel, pattern: vec![first, None], anywhere }))
        },
    );
    let living = if stack { Expr::Processes } else { Expr::Alive(ProcId(2)) };
    let pid = if stack { Expr::Pid } else { Expr::Alive(ProcId(3)) };
    let other = if stack { Expr::Pid } else { Expr::Reg(NUMBER) };
    let process = || (0..4u32).prop_map(ProcId);
    prop_oneof![
        3 => (value(), value()).prop_map(|(a, b)| a.equals(b)),
        3 => Just(Expr::Timeout),
        1 => Just(Expr::Timeout.not()),
        2 => (query, a_channel()).prop_map(|(q, c)| Expr::Channel(q, Box::new(c))),
        2 => poll,
        1 => (0..4i64).prop_map(move |n| living.clone().equals(n.into())),
        1 => (0..4i64).prop_map(move |n| pid.clone().equals(n.into())),
        1 => process().prop_map(Expr::Alive),
        1 => process().prop_map(move |p| Expr::In(p, Box::new(other.clone()))),
        1 => (process(), 0..3u32).prop_map(|(p, l)| Expr::At(p, vec![PointId(l)])),
    ]
    .boxed()
}

fn place() -> BoxedStrategy<Lvalue> {
    prop_oneof![
        4 => Just(Lvalue::Reg(NUMBER)),
        4 => (0..2u32).prop_map(|v| Lvalue::Var(VarId(v))),
        1 => Just(Lvalue::VarElem(VarId(2), NUMBER.into())),
    ]
    .boxed()
}

fn pattern() -> BoxedStrategy<Pattern> {
    prop_oneof![
        3 => place().prop_map(Pattern::Bind),
        2 => value().prop_map(Pattern::Match),
        1 => Just(Pattern::Any),
    ]
    .boxed()
}

fn operation() -> BoxedStrategy<ChannelOp> {
    let send = (a_channel(), prop::collection::vec(value(), 0..3), any::<bool>())
        .prop_map(|(channel, message, sorted)| ChannelOp::Send { channel, message, sorted });
    let receive =
        (a_channel(), prop::collection::vec(pattern(), 0..3), any::<bool>(), any::<bool>())
            .prop_map(|(channel, pattern, anywhere, keep)| ChannelOp::Receive {
                channel,
                pattern,
                anywhere,
                keep: keep && anywhere,
            });
    prop_oneof![send, receive].boxed()
}

fn effect(stack: bool) -> BoxedStrategy<Effect> {
    let spawn = (value(), prop::option::of(place())).prop_map(move |(arg, pid)| Effect::Spawn {
        def: DefId(2),
        args: vec![arg],
        pid: pid.filter(|_| stack),
    });
    prop_oneof![
        24 => (place(), value()).prop_map(|(place, value)| Effect::assign(place, value)),
        3 => value().prop_map(|e| Effect::Assert { condition: e, property: PropId(0) }),
        12 => spawn,
        1 => Just(Effect::Fail(Fault::Blocked)),
    ]
    .boxed()
}

/// A step out of a program point; which steps it yields to is decided by the bits.
fn step(stack: bool) -> BoxedStrategy<(Step, u32)> {
    let mode = prop_oneof![
        9 => Just(Mode::Plain), 1 => Just(Mode::Fence), 1 => Just(Mode::Locked), 1 => Just(Mode::Sync)
    ];
    let head = (0..4u32, weighted(Expr::TRUE, question(stack)), mode);
    let body = (
        prop::option::of(operation()),
        prop::option::weighted(0.6, effect(stack)),
        prop::bool::weighted(0.3),
        prop::bool::weighted(0.1),
        prop::bool::weighted(0.2),
    );
    (head, body, prop_oneof![2 => Just(0u32), 1 => any::<u32>()])
        .prop_map(move |((to, guard, mode), (channel, effect, holds, exits, drains), bits)| {
            let plain = Step { guard, mode, holds, drains, ..edge(0, to) };
            // An exit does nothing else: what it would store is nobody's.
            let step = match exits && stack {
                true => Step { target: Control::Exit, ..plain },
                false => Step { channel, effects: effect.into_iter().collect(), ..plain },
            };
            (step, bits)
        })
        .boxed()
}

fn definition(name: &'static str, stack: bool) -> BoxedStrategy<ProcessDef> {
    prop::collection::vec(step(stack), 2..8)
        .prop_map(move |mut steps| {
            // Every program point but the last has a step that leaves it, if there are enough.
            for (i, (step, _)) in steps.iter_mut().enumerate() {
                step.source = PointId(i as u32 % 3);
            }
            for i in 0..steps.len() {
                let earlier = (0..i).filter(|&j| steps[j].0.source == steps[i].0.source);
                let yields =
                    earlier.filter(|j| steps[i].1 >> j & 1 == 1).map(StepId::from).collect();
                steps[i].0.yields_to = yields;
            }
            let mut def = code(name, &["n", "own"], steps.into_iter().map(|(s, _)| s).collect());
            def.points.resize(4, taut_ir::ProgramPoint::end());
            def.registers[0].ty = SMALL;
            def.params = u32::from(name == "worker");
            def.channel_registers = vec![(OWN, 0)];
            def
        })
        .boxed()
}

/// Two processes from the start and two workers that can be spawned.
pub fn wild() -> BoxedStrategy<Program> {
    any::<bool>()
        .prop_flat_map(|stack| {
            let defs =
                (definition("p", stack), definition("q", stack), definition("worker", stack));
            (defs, value()).prop_map(move |((p, q, worker), seen)| {
                let mut vars = vec![shared("x"), shared("g"), shared("list")];
                vars.iter_mut().for_each(|v| v.ty = SMALL);
                vars[1].kind = VarKind::Ghost;
                (vars[2].len, vars[2].init) = (Some(2), vec![0, 0]);
                let capacities = [0, 1, 0, 2, 1, 1];
                let fields = [1, 1, 1, 2, 1, 1];
                let made = (0..CHANNELS as usize)
                    .map(|i| channel(&format!("c{i}"), capacities[i], fields[i]))
                    .collect();
                let mut all = program(vars, made, vec![p, q, worker]);
                all.channels.iter_mut().flat_map(|c| &mut c.fields).for_each(|ty| *ty = SMALL);
                all.lifecycle = if stack { Lifecycle::Stack } else { Lifecycle::Slots };
                all.processes.truncate(2);
                for (i, name) in ["worker#1", "worker#2"].into_iter().enumerate() {
                    all.processes.push(Process {
                        name: name.into(),
                        def: DefId(2),
                        args: Vec::new(),
                        start: Start::Spawned,
                        channels: vec![ChanId::from(4 + i)],
                    });
                }
                all.processes[0].channels = vec![ChanId(1)];
                all.processes[1].channels = vec![ChanId(2)];
                all.properties = properties(seen);
                all
            })
        })
        .boxed()
}

fn properties(seen: Expr) -> Vec<Property> {
    let of_p = match seen {
        Expr::Reg(r) => Expr::In(ProcId(0), Box::new(Expr::Reg(r))),
        Expr::Const(n) => Expr::Channel(ChannelQuery::Length, Box::new(named(n))),
        Expr::Var(v) => Expr::Var(v),
        _ => bad(),
    };
    let of = |name: &str, kind| Property { name: name.into(), kind, span: Span::NONE };
    let two = of_p.equals(2.into());
    vec![of("assertion", PropertyKind::Assert), of("two", PropertyKind::Forbid(two))]
}

fn named(n: i64) -> Expr {
    Expr::Const(n + 2)
}
