//! The flat program: one control-flow graph per thread function, with every call inlined.
//!
//! An [`Edge`] is what one step of the program model will be, except that memory is still named by objects and
//! pointers: where an object lies is decided by the points-to pass, which runs on this form. Registers are numbered
//! without a limit; [`super::registers`] makes few of many.
//!
//! *Invariant:* an edge has at most one access to shared memory, except between the begin and the end of an indivisible section.

use taut_ir::{BinaryOp, Chance, Fault, Type, UnaryOp};
use taut_source::Span;

use super::access::Access;
use super::sizes::Retyped;
use crate::hir::{FunctionId, LocalId};

/// A register of a thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Reg(pub u32);

/// A point of the control-flow graph of a thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Point(pub u32);

/// An object in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct ObjectId(pub u32);

/// A thread function, by its number in [`Mir::threads`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct ThreadId(pub u32);

/// The state of a thread number that runs, where numbers are used again. A free number has 0.
pub(crate) const RUNNING: i64 = 1;
/// The state of a thread number whose thread has ended and was not waited for.
pub(crate) const ENDED: i64 = 2;

/// The flat program.
#[derive(Clone, Debug, Default)]
pub(crate) struct Mir {
    pub objects: Vec<Object>,
    /// The first is `main`, unless all are [roots](Mir::rooted).
    pub threads: Vec<Thread>,
    /// True if all threads run from the start and none of them is `main`.
    pub rooted: bool,
    /// Assertions: their names and places.
    pub asserts: Vec<(String, Span)>,
    /// Results of threads, by their numbers.
    pub results: Option<ObjectId>,
    /// States of threads, by their numbers.
    pub states: Option<ObjectId>,
    /// Number of steps that start a thread with a number of its own.
    pub spawns: u32,
    /// True if all threads have numbers that are known where they are started.
    pub numbered: bool,
    /// True if integers are accessed with and without a sign: a cell may hold a value that its type does not.
    pub mixed_signs: bool,
    /// The distance of addresses of neighbouring cells.
    pub scale: i64,
    /// The liveness of the copies of heap objects.
    pub alive: Vec<(ObjectId, ObjectId)>,
    /// True if the program is one that looks for data races ([`super::races`]).
    pub watched: bool,
    /// The lives of the copies of locals in memory.
    pub frames: Vec<(ObjectId, ObjectId)>,
    /// The allocation sites whose objects must be freed, with their assertions.
    pub leaks: Vec<(ObjectId, usize)>,
    /// Choices of which only some values are tried.
    pub chances: Vec<Chance>,
    /// Pointers that are given the type of a pointer to a scalar.
    pub retyped: Vec<Retyped>,
}

impl Mir {
    /// True if objects of the heap may be interchangeable. What the search for races notes about a cell is no part of its slot.
    pub(crate) fn has_slots(&self) -> bool {
        !self.alive.is_empty() && !self.watched
    }
}

/// An object: some cells, and how many copies of them there are.
#[derive(Clone, Debug)]
pub(crate) struct Object {
    pub name: String,
    pub storage: Storage,
    /// The name of each cell below the object's own: `.next`, `[2]`, or nothing for a scalar.
    pub cells: Vec<Cell>,
    pub span: Span,
}

/// One cell of an object.
#[derive(Clone, Debug)]
pub(crate) struct Cell {
    pub suffix: String,
    pub init: Value,
    /// True if the cell can hold a pointer.
    pub pointer: bool,
    /// The smallest value of its type: what marks a cell as not initialised is below it.
    pub lo: i64,
    /// The largest value of its type.
    pub hi: i64,
    /// The size of its type; none if several types share it, or it is ours.
    pub bytes: Option<u64>,
}

/// Where an object lives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Storage {
    /// Once, in shared memory.
    Static,
    /// Once, never buffered: bookkeeping of ours.
    Ghost,
    /// One copy per thread that runs a function: its locals in memory.
    Frame(ThreadId),
    /// One copy per thread of the program.
    ThreadLocal,
    /// A number of copies that are allocated and freed.
    Heap { slots: u32 },
}

/// A thread function.
#[derive(Clone, Debug)]
pub(crate) struct Thread {
    pub name: String,
    /// True if what is stored to a local always was converted to its type before.
    pub converts: bool,
    /// Register 0 is the number of the thread, register 1 its argument (except in `main`).
    pub regs: Vec<Register>,
    pub points: Vec<PointInfo>,
    pub edges: Vec<Edge>,
    pub entry: Point,
    /// Procedures: functions that call themselves.
    pub procedures: Vec<Recursive>,
    /// Registers whose values matter at the end of the thread.
    pub observed: Vec<Reg>,
    pub span: Span,
}

/// A function that calls itself: its entry, its parameters and all its registers.
#[derive(Clone, Debug)]
pub(crate) struct Recursive {
    pub function: FunctionId,
    pub name: String,
    pub entry: Point,
    pub params: Vec<Reg>,
    pub registers: Vec<Reg>,
}

/// A register.
#[derive(Clone, Debug)]
pub(crate) struct Register {
    pub name: String,
    pub ty: Type,
    pub len: Option<u32>,
    /// True if it can hold a pointer.
    pub pointer: bool,
    /// The local it stands for.
    pub origin: Option<(FunctionId, LocalId)>,
    pub span: Span,
}

/// What is known of a point.
#[derive(Clone, Debug, Default)]
pub(crate) struct PointInfo {
    pub labels: Vec<String>,
    /// A thread may stay here for ever without that being a deadlock.
    pub end: bool,
    /// Inside of an indivisible section.
    pub atomic: bool,
    /// Number of indivisible sections that are open here; none before a step leads here.
    pub sections: Option<u32>,
}

/// A step.
#[derive(Clone, Debug)]
pub(crate) struct Edge {
    pub from: Point,
    pub to: Target,
    /// The part of the guard that decides whether the checks are made.
    pub before: Value,
    /// The whole guard; what it loads is loaded after the checks.
    pub guard: Value,
    pub mode: Mode,
    /// What must be true for the step to be taken without a fault.
    pub checks: Vec<Check>,
    pub ops: Vec<Op>,
    pub span: Span,
    pub text: Option<String>,
}

impl Edge {
    /// Adds to the text what becomes of the step; once is enough.
    pub(crate) fn tell(&mut self, outcome: &str) {
        if let Some(text) = self.text.as_mut().filter(|text| !text.contains(" → ")) {
            text.push_str(" → ");
            text.push_str(outcome);
        }
    }
}

/// Where a step leads.
#[derive(Clone, Debug)]
pub(crate) enum Target {
    Point(Point),
    /// Into a function that calls itself.
    Call {
        procedure: usize,
        args: Vec<Value>,
        back: Point,
    },
    Return,
}

/// How a step stands to the store buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mode {
    Plain,
    /// Waits for the thread's own buffer.
    Fence,
    /// Waits for the thread's own buffer, and acts on memory.
    Locked,
}

/// What a step does.
#[derive(Clone, Debug)]
pub(crate) enum Op {
    Set(Reg, Value),
    SetElem(Reg, Value, Value),
    /// A local comes to life without a value; replaced before local steps are joined.
    Undefine(Reg),
    /// A store; true for one that drains the buffer and is in memory at once.
    Store(Place, Value, bool),
    StoreFence,
    /// A violated assertion, by its number.
    Violate(usize),
    /// Starts a thread with its argument and what else it is given; the register gets its number.
    Spawn(ThreadId, SpawnNumber, Reg, Vec<Value>),
    /// The running thread, with its number, has ended.
    End(Value),
    /// A thread was waited for: its number can be given to another one.
    Joined(Value),
    /// Takes a free copy of a heap object; the register gets its address.
    Allocate(ObjectId, Reg),
    /// Gives a copy of a heap object back.
    Free(Value),
    /// The thread's own copy of a local in memory begins to live, or ends.
    Live(ObjectId, bool),
    /// All locals of the thread end.
    EndFrames,
    /// The program ends: every object of the heap must have been freed.
    Leaks,
    Fail(Fault),
    /// An operation of the search for data races, which changes nothing that the program sees.
    Watch(Watch),
}

/// An operation of the search for data races.
#[derive(Clone, Debug)]
pub(crate) enum Watch {
    /// A fence that acquires, releases, or both; replaced before local steps are joined.
    Fence { acquire: bool, release: bool },
    /// A library function makes its thread learn what was told at a place; replaced as well.
    Acquire(Place),
    /// A library function tells at a place what its thread knows; replaced as well.
    Release(Place),
    /// An access that may be a part of a race.
    Access(Watchpoint),
    /// What the thread knows where it frees an object.
    Free(Value),
    /// A register of knowledge is set.
    Learn(Reg, Value),
    /// The knowledge that the value in a place carries is set.
    Carry(Place, Value, Chain),
}

/// What a store means for the release sequences of its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Chain {
    /// A plain store ends all of them.
    Ended,
    /// An atomic store ends those of other threads.
    Own,
    /// A read-modify-write ends none: what was carried stays.
    Joined,
}

/// An access that may be a part of a race.
#[derive(Clone, Debug)]
pub(crate) struct Watchpoint {
    pub place: Place,
    pub write: bool,
    /// The register with what the thread knows.
    pub knows: Reg,
    /// Its value.
    pub knowledge: Value,
}

/// The number that a thread gets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SpawnNumber {
    /// One that is free.
    Free,
    /// The step is taken once: a number of its own, [`Value::Spawned`].
    Known(u32),
}

/// What must be true for a step to be taken without a fault.
#[derive(Clone, Debug)]
pub(crate) enum Check {
    /// The value is not 0, or the fault happens.
    True(Value, Fault),
    /// The pointer points to an object that is alive.
    Deref(Value),
    /// The cell has a value.
    Filled(Place),
    /// The second pointer points into the object of the first, or just behind it.
    SameObject(Value, Value),
}

/// A value: an expression without effects.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Value {
    Int(i64),
    Reg(Reg),
    Elem(Reg, Box<Value>),
    /// The address of a cell of an object; in a thread with copies of its own, of its copy.
    Address(ObjectId, Box<Value>),
    /// The address of a local that is in a register: never stored, only followed.
    RegAddress(Reg, Box<Value>),
    Function(FunctionId),
    /// The number of the thread that a step starts, by the number of the step.
    Spawned(u32),
    /// 1 if the thread with a number has ended.
    Ended(Box<Value>),
    /// Any value of a range that is too large to be tried value by value. Only decisions can use it.
    Any(i64, i64),
    Load(Box<Place>),
    /// True if the value in a place carries the knowledge that is watched.
    Carries(Box<Place>),
    /// True if a release sequence of the thread's own in a place carries it.
    Heads(Box<Place>),
    Unary(UnaryOp, Box<Value>),
    Binary(BinaryOp, Box<Value>, Box<Value>),
    Cond(Box<Value>, Box<Value>, Box<Value>),
}

/// A cell of memory.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Place {
    pub base: Base,
    /// The cell, counted from the base.
    pub offset: Value,
    /// True if the cell can hold a pointer.
    pub pointer: bool,
    /// How it is accessed.
    pub access: Access,
}

/// What a cell is counted from.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Base {
    Object(ObjectId),
    /// An object of another thread, by the thread's number: a copy of a frame or thread-local object.
    Pointer(Value),
}

impl Value {
    pub(crate) const TRUE: Value = Value::Int(1);

    pub(crate) fn binary(op: BinaryOp, a: Value, b: Value) -> Value {
        match (op, &a, &b) {
            (_, Value::Int(x), Value::Int(y)) => {
                if let Ok(value) = op.apply(*x, *y) {
                    return Value::Int(value);
                }
            }
            (BinaryOp::Add | BinaryOp::Sub, _, Value::Int(0)) => return a,
            (BinaryOp::Add, Value::Int(0), _) => return b,
            (BinaryOp::Mul, _, Value::Int(1)) => return a,
            (BinaryOp::And, Value::Int(x), _) => {
                return if *x == 0 { Value::Int(0) } else { b.truth() };
            }
            (BinaryOp::And, _, Value::Int(y)) if *y != 0 => return a.truth(),
            (BinaryOp::Or, Value::Int(x), _) => {
                return if *x == 0 { b.truth() } else { Value::Int(1) };
            }
            (BinaryOp::Or, _, Value::Int(0)) => return a.truth(),
            (BinaryOp::Eq | BinaryOp::Ne, v, Value::Int(0))
            | (BinaryOp::Eq | BinaryOp::Ne, Value::Int(0), v)
                if v.is_address() =>
            {
                return Value::Int(i64::from(op == BinaryOp::Ne));
            }
            _ => {}
        }
        Value::Binary(op, Box::new(a), Box::new(b))
    }

    pub(crate) fn plus(self, other: Value) -> Value {
        // Constants gather on the right, so that nested members fold to one offset.
        if let (Value::Binary(BinaryOp::Add, a, b), Value::Int(y)) = (&self, &other)
            && let Value::Int(x) = **b
        {
            return Value::binary(BinaryOp::Add, (**a).clone(), Value::Int(x + y));
        }
        Value::binary(BinaryOp::Add, self, other)
    }

    pub(crate) fn and(self, other: Value) -> Value {
        match (&self, &other) {
            (Value::Int(1), _) => other,
            (_, Value::Int(1)) => self,
            _ => Value::binary(BinaryOp::And, self, other),
        }
    }

    pub(crate) fn not(self) -> Value {
        match self {
            Value::Int(x) => Value::Int(i64::from(x == 0)),
            Value::Unary(UnaryOp::Not, inner) if inner.is_truth() => *inner,
            Value::Binary(op, a, b) if inverse(op).is_some() => {
                Value::Binary(inverse(op).unwrap_or(op), a, b)
            }
            v if v.is_address() => Value::Int(0),
            Value::Any(..) => self.truth(),
            other => Value::Unary(UnaryOp::Not, Box::new(other)),
        }
    }

    pub(crate) fn equals(self, other: Value) -> Value {
        Value::binary(BinaryOp::Eq, self, other)
    }

    /// 1 if it is not 0.
    pub(crate) fn truth(self) -> Value {
        if let Value::Any(low, high) = self {
            // A range without 0 is true.
            return if low <= 0 && 0 <= high { Value::Any(0, 1) } else { Value::Int(1) };
        }
        if self.is_truth() {
            return self;
        }
        Value::binary(BinaryOp::Ne, self, Value::Int(0))
    }

    /// True if it is 0 or 1 by its form.
    pub(crate) fn is_truth(&self) -> bool {
        match self {
            Value::Int(x) => *x == 0 || *x == 1,
            Value::Unary(op, _) => *op == UnaryOp::Not,
            Value::Binary(op, ..) => {
                inverse(*op).is_some() || matches!(op, BinaryOp::And | BinaryOp::Or)
            }
            Value::Ended(_) => true,
            _ => false,
        }
    }

    fn is_address(&self) -> bool {
        matches!(self, Value::Address(..) | Value::RegAddress(..) | Value::Function(_))
    }

    /// True if it is the same whenever it is computed.
    pub(crate) fn is_constant(&self) -> bool {
        match self {
            Value::Int(_) | Value::Function(_) | Value::Spawned(_) => true,
            Value::Address(_, offset) | Value::RegAddress(_, offset) => offset.is_constant(),
            _ => false,
        }
    }

    /// Visits this value and all in it, places of loads included.
    pub(crate) fn visit(&self, f: &mut impl FnMut(&Value)) {
        f(self);
        match self {
            Value::Int(_)
            | Value::Reg(_)
            | Value::Function(_)
            | Value::Spawned(_)
            | Value::Any(..) => {}
            Value::Elem(_, a)
            | Value::Ended(a)
            | Value::Address(_, a)
            | Value::RegAddress(_, a)
            | Value::Unary(_, a) => a.visit(f),
            Value::Load(place) | Value::Carries(place) | Value::Heads(place) => place.visit(f),
            Value::Binary(_, a, b) => {
                a.visit(f);
                b.visit(f);
            }
            Value::Cond(a, b, c) => [a, b, c].into_iter().for_each(|v| v.visit(f)),
        }
    }

    /// The same with each register replaced.
    pub(crate) fn map_regs(&self, f: &mut impl FnMut(Reg) -> Value) -> Value {
        let mut sub = |v: &Value| Box::new(v.map_regs(f));
        match self {
            Value::Int(_) | Value::Function(_) | Value::Spawned(_) | Value::Any(..) => self.clone(),
            Value::Ended(a) => Value::Ended(sub(a)),
            Value::Reg(r) => f(*r),
            Value::Elem(r, a) => {
                let index = sub(a);
                match f(*r) {
                    Value::Reg(r) => Value::Elem(r, index),
                    other => other,
                }
            }
            Value::Address(o, a) => Value::Address(*o, sub(a)),
            Value::RegAddress(r, a) => Value::RegAddress(*r, sub(a)),
            Value::Unary(op, a) => Value::Unary(*op, sub(a)),
            Value::Load(place) => Value::Load(Box::new(place.map_regs(f))),
            Value::Carries(place) => Value::Carries(Box::new(place.map_regs(f))),
            Value::Heads(place) => Value::Heads(Box::new(place.map_regs(f))),
            Value::Binary(op, a, b) => {
                let (a, b) = (sub(a), sub(b));
                Value::Binary(*op, a, b)
            }
            Value::Cond(a, b, c) => {
                let (a, b, c) = (sub(a), sub(b), sub(c));
                Value::Cond(a, b, c)
            }
        }
    }

    /// True if a register is read.
    pub(crate) fn reads(&self, reg: Reg) -> bool {
        let mut found = false;
        self.visit(&mut |v| {
            found |= matches!(v, Value::Reg(r) | Value::Elem(r, _) if *r == reg);
        });
        found
    }

    /// True if a part of it can be anything.
    pub(crate) fn is_open(&self) -> bool {
        let mut found = false;
        self.visit(&mut |v| found |= matches!(v, Value::Any(..)));
        found
    }

    /// Number of loads of memory in it.
    pub(crate) fn loads(&self) -> usize {
        let mut count = 0;
        let is_load = |v: &Value| {
            matches!(v, Value::Load(_) | Value::Ended(_) | Value::Carries(_) | Value::Heads(_))
        };
        self.visit(&mut |v| count += usize::from(is_load(v)));
        count
    }
}

impl Place {
    fn visit(&self, f: &mut impl FnMut(&Value)) {
        if let Base::Pointer(pointer) = &self.base {
            pointer.visit(f);
        }
        self.offset.visit(f);
    }

    pub(crate) fn map_regs(&self, f: &mut impl FnMut(Reg) -> Value) -> Place {
        let base = match &self.base {
            Base::Object(object) => Base::Object(*object),
            Base::Pointer(pointer) => Base::Pointer(pointer.map_regs(f)),
        };
        Place { base, offset: self.offset.map_regs(f), pointer: self.pointer, access: self.access }
    }

    /// The values that the place is computed from.
    pub(crate) fn values(&self) -> impl Iterator<Item = &Value> {
        let pointer = match &self.base {
            Base::Pointer(pointer) => Some(pointer),
            Base::Object(_) => None,
        };
        pointer.into_iter().chain([&self.offset])
    }
}

impl Op {
    /// The register that it sets.
    pub(crate) fn target(&self) -> Option<Reg> {
        match self {
            Op::Set(r, _)
            | Op::SetElem(r, ..)
            | Op::Spawn(_, SpawnNumber::Free, r, _)
            | Op::Allocate(_, r)
            | Op::Watch(Watch::Learn(r, _)) => Some(*r),
            _ => None,
        }
    }

    /// The values that it reads.
    pub(crate) fn values(&self) -> Vec<&Value> {
        match self {
            Op::Set(_, v) | Op::Free(v) | Op::Joined(v) | Op::End(v) => vec![v],
            Op::Spawn(.., args) => args.iter().collect(),
            Op::Watch(watch) => watch.values(),
            Op::SetElem(_, i, v) => vec![i, v],
            Op::Store(place, v, _) => place.values().chain([v]).collect(),
            Op::StoreFence | Op::Undefine(_) | Op::Violate(_) | Op::Allocate(..) | Op::Fail(_) => {
                vec![]
            }
            Op::Live(..) | Op::EndFrames | Op::Leaks => vec![],
        }
    }

    /// True if it only concerns registers.
    pub(crate) fn is_local(&self) -> bool {
        match self {
            Op::Set(_, v) => v.loads() == 0,
            Op::SetElem(_, i, v) => i.loads() + v.loads() == 0,
            Op::Fail(_) | Op::Undefine(_) | Op::Live(..) => true,
            Op::Watch(Watch::Learn(_, v)) => v.loads() == 0,
            _ => false,
        }
    }
}

impl Watch {
    fn values(&self) -> Vec<&Value> {
        match self {
            Watch::Fence { .. } => Vec::new(),
            Watch::Acquire(place) | Watch::Release(place) => place.values().collect(),
            Watch::Access(point) => point.place.values().chain([&point.knowledge]).collect(),
            Watch::Learn(_, value) | Watch::Free(value) => vec![value],
            Watch::Carry(place, value, _) => place.values().chain([value]).collect(),
        }
    }
}

impl Check {
    /// The values that it reads.
    pub(crate) fn values(&self) -> Vec<Value> {
        match self {
            Check::True(v, _) | Check::Deref(v) => vec![v.clone()],
            Check::SameObject(a, b) => vec![a.clone(), b.clone()],
            Check::Filled(place) => vec![Value::Load(Box::new(place.clone()))],
        }
    }

    /// The same with each register replaced.
    pub(crate) fn map_regs(&self, f: &mut impl FnMut(Reg) -> Value) -> Check {
        match self {
            Check::True(v, fault) => Check::True(v.map_regs(f), *fault),
            Check::Deref(v) => Check::Deref(v.map_regs(f)),
            Check::Filled(place) => Check::Filled(place.map_regs(f)),
            Check::SameObject(a, b) => {
                let a = a.map_regs(f);
                Check::SameObject(a, b.map_regs(f))
            }
        }
    }
}

/// The comparison that is true exactly where another is false.
fn inverse(op: BinaryOp) -> Option<BinaryOp> {
    Some(match op {
        BinaryOp::Eq => BinaryOp::Ne,
        BinaryOp::Ne => BinaryOp::Eq,
        BinaryOp::Lt => BinaryOp::Ge,
        BinaryOp::Ge => BinaryOp::Lt,
        BinaryOp::Gt => BinaryOp::Le,
        BinaryOp::Le => BinaryOp::Gt,
        _ => return None,
    })
}
