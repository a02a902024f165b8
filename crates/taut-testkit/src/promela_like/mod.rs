//! Random programs with what Promela brings: channels, rendezvous, processes on a stack, `else` and
//! `unless`, `atomic`, `timeout`, and looking at each other.
//!
//! A program is drawn as a [`Draft`] of small numbers, which shrinks well, and then built. Numbers are taken
//! modulo what there is to choose from.

mod build;

use proptest::prelude::*;

/// Which channel.
#[derive(Clone, Copy, Debug)]
enum Which {
    /// One of the program's.
    Global(u8),
    /// The process's own.
    Own,
    /// What a register holds, which may be no channel.
    Register,
    /// An element of a constant array, whose index is a register and may be outside.
    Element,
}

/// A value.
#[derive(Clone, Copy, Debug)]
enum Value {
    Const(i8),
    Register(u8),
    Shared(u8),
    Ghost,
    Pid,
    Length(Which),
    /// One divided by a register: a fault if that is 0.
    Quotient(u8),
    /// A channel as a value.
    Channel(Which),
}

/// What is assigned.
#[derive(Clone, Copy, Debug)]
enum Place {
    Register(u8),
    Shared(u8),
    /// An element of a shared array; the index is a register and may be outside.
    Element(u8),
    Ghost,
    /// The register that holds a channel.
    Channel,
}

/// A condition.
#[derive(Clone, Copy, Debug)]
enum Condition {
    True,
    Equal(Value, i8),
    Timeout,
    /// A timeout, or a register has a value.
    TimeoutOr(u8, i8),
    Full(Which),
    NotFull(Which),
    Empty(Which),
    Poll(Which, Option<Value>, bool),
    At(u8, u8),
    Alive(u8),
    Remote(u8, u8, i8),
    RemotePid(u8, i8),
    Processes(i8),
}

/// What a receive does with a field.
#[derive(Clone, Copy, Debug)]
enum Field {
    Bind(Place),
    Match(Value),
    Any,
}

/// What a step does.
#[derive(Clone, Debug)]
enum Operation {
    Skip,
    Assign(Place, Value),
    Send { which: Which, message: Vec<Value>, sorted: bool },
    Receive { which: Which, pattern: Vec<Field>, anywhere: bool, keep: bool },
    Spawn { def: u8, arg: Value, pid: Option<Place> },
    Assert(Value, i8),
    Fail,
    Locked(Place, Value),
    Fence,
    StoreFence,
    Sync,
    Exit,
}

/// A step.
#[derive(Clone, Debug)]
struct Edge {
    source: u8,
    target: u8,
    guard: Condition,
    operation: Operation,
    /// Something more that is done.
    also: Option<(Place, Value)>,
    /// Steps yield only to those of lower rank.
    rank: u8,
    /// To which of them.
    yields: u8,
    holds: bool,
    /// Whether a send, or a failure, waits for the own buffer under TSO and PSO.
    drains: bool,
}

/// The code of a definition; its last program point is an end.
#[derive(Clone, Debug)]
struct Code {
    points: u8,
    edges: Vec<Edge>,
}

/// A program before it is built.
#[derive(Clone, Debug)]
pub struct Draft {
    codes: Vec<Code>,
    /// How many processes of each definition run from the start, and how many more there are.
    processes: Vec<(u8, u8)>,
    /// The capacity and the number of fields of each channel of the program.
    channels: Vec<(u8, u8)>,
    /// The same of each process's own.
    own: (u8, u8),
}

fn which() -> BoxedStrategy<Which> {
    prop_oneof![
        8 => (0_u8..3).prop_map(Which::Global),
        2 => Just(Which::Own),
        1 => Just(Which::Register),
        1 => Just(Which::Element),
    ]
    .boxed()
}

fn value() -> BoxedStrategy<Value> {
    prop_oneof![
        6 => (-1_i8..4).prop_map(Value::Const),
        4 => (0_u8..2).prop_map(Value::Register),
        3 => (0_u8..2).prop_map(Value::Shared),
        1 => Just(Value::Ghost),
        1 => Just(Value::Pid),
        1 => which().prop_map(Value::Length),
        1 => (0_u8..2).prop_map(Value::Quotient),
        1 => which().prop_map(Value::Channel),
    ]
    .boxed()
}

fn place() -> BoxedStrategy<Place> {
    prop_oneof![
        6 => (0_u8..2).prop_map(Place::Register),
        4 => (0_u8..2).prop_map(Place::Shared),
        1 => (0_u8..2).prop_map(Place::Element),
        1 => Just(Place::Ghost),
        1 => Just(Place::Channel),
    ]
    .boxed()
}

fn condition() -> BoxedStrategy<Condition> {
    prop_oneof![
        30 => Just(Condition::True),
        3 => (value(), 0_i8..3).prop_map(|(v, n)| Condition::Equal(v, n)),
        1 => Just(Condition::Timeout),
        1 => (0_u8..2, 0_i8..3).prop_map(|(r, n)| Condition::TimeoutOr(r, n)),
        1 => which().prop_map(Condition::Full),
        1 => which().prop_map(Condition::NotFull),
        1 => which().prop_map(Condition::Empty),
        1 => (which(), prop::option::of(value()), any::<bool>())
            .prop_map(|(w, v, a)| Condition::Poll(w, v, a)),
        1 => (0_u8..5, 0_u8..4).prop_map(|(p, l)| Condition::At(p, l)),
        1 => (0_u8..5).prop_map(Condition::Alive),
        1 => (0_u8..5, 0_u8..2, 0_i8..3).prop_map(|(p, r, n)| Condition::Remote(p, r, n)),
        1 => (0_u8..5, 0_i8..3).prop_map(|(p, n)| Condition::RemotePid(p, n)),
        1 => (1_i8..5).prop_map(Condition::Processes),
    ]
    .boxed()
}

fn field() -> BoxedStrategy<Field> {
    prop_oneof![
        4 => place().prop_map(Field::Bind),
        2 => value().prop_map(Field::Match),
        1 => Just(Field::Any),
    ]
    .boxed()
}

fn operation() -> BoxedStrategy<Operation> {
    let message = prop::collection::vec(value(), 0..3);
    let pattern = prop::collection::vec(field(), 0..3);
    prop_oneof![
        2 => Just(Operation::Skip),
        5 => (place(), value()).prop_map(|(p, v)| Operation::Assign(p, v)),
        7 => (which(), message, any::<bool>())
            .prop_map(|(which, message, sorted)| Operation::Send { which, message, sorted }),
        7 => (which(), pattern, prop::bool::weighted(0.3), prop::bool::weighted(0.2)).prop_map(
            |(which, pattern, anywhere, keep)| Operation::Receive { which, pattern, anywhere, keep }
        ),
        3 => (0_u8..3, value(), prop::option::of(place()))
            .prop_map(|(def, arg, pid)| Operation::Spawn { def, arg, pid }),
        1 => (value(), 0_i8..3).prop_map(|(v, n)| Operation::Assert(v, n)),
        1 => Just(Operation::Fail),
        1 => (place(), value()).prop_map(|(p, v)| Operation::Locked(p, v)),
        1 => Just(Operation::Fence),
        1 => Just(Operation::StoreFence),
        1 => Just(Operation::Sync),
        3 => Just(Operation::Exit),
    ]
    .boxed()
}

fn edge() -> BoxedStrategy<Edge> {
    let also = prop::option::weighted(0.3, (place(), value()));
    let yields = prop_oneof![5 => Just(0_u8), 2 => any::<u8>()];
    let (holds, drains) = (prop::bool::weighted(0.35), prop::bool::weighted(0.5));
    let switches = (yields, holds, drains);
    (0_u8..4, 0_u8..4, condition(), operation(), also, any::<u8>(), switches)
        .prop_map(|(source, target, guard, operation, also, rank, (yields, holds, drains))| Edge {
            source,
            target,
            guard,
            operation,
            also,
            rank,
            yields,
            holds,
            drains,
        })
        .boxed()
}

fn code() -> BoxedStrategy<Code> {
    (2_u8..4, prop::collection::vec(edge(), 2..9))
        .prop_map(|(points, edges)| Code { points, edges })
        .boxed()
}

/// Random programs.
pub fn draft() -> BoxedStrategy<Draft> {
    let code = prop::collection::vec(code(), 1..4);
    let processes = prop::collection::vec((1_u8..3, 0_u8..3), 3);
    let channels = prop::collection::vec((0_u8..3, 1_u8..3), 1..4);
    (code, processes, channels, (0_u8..3, 1_u8..3))
        .prop_map(|(codes, processes, channels, own)| Draft { codes, processes, channels, own })
        .boxed()
}
