//! Which objects of the heap are interchangeable, and what refers to them.
//!
//! An allocation takes any free object of its site. So objects of a site cannot be told apart as long as their addresses are only followed,
//! copied, moved inside of the object, and compared for equality with each other and with null. Here every value of the
//! program is looked at. A class of objects is left out, with the reason, if an address in it is ordered, subtracted or
//! computed with otherwise, if it goes where integers are kept, or if an integer goes where its addresses are kept.
//!
//! Marks in low bits are part of an address and stay with it.

use std::collections::BTreeMap;

use taut_ir::{BinaryOp, DefId, References, RegId, Slots, UnaryOp};

use super::emit::Emit;
use super::layout::is_heap;
use super::mir::{Base, Check, Edge, ObjectId, Op, Place, Reg, Target, ThreadId, Value};

const COMPUTED: &str = "its addresses are ordered or computed with";
const AS_NUMBER: &str = "its addresses are kept as integers";
const FROM_NUMBER: &str = "integers are kept where its addresses are";
const RECURSION: &str = "a function that calls itself keeps addresses on a stack";

/// The interchangeable objects of a program, given the registers of the program for those of each thread.
pub(crate) fn references(emit: &Emit<'_>, registers: &[Vec<Option<RegId>>]) -> References {
    let mut analysis = Analysis { emit, apart: BTreeMap::new() };
    analysis.program();
    analysis.result(registers)
}

/// What a value is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// An address in a class.
    Address(usize),
    /// Null, or another number that is not positive: never an address.
    Nothing,
    Number,
}

struct Analysis<'e, 'm> {
    emit: &'e Emit<'m>,
    /// Classes whose objects can be told apart, with the reason.
    apart: BTreeMap<usize, &'static str>,
}

impl Analysis<'_, '_> {
    fn program(&mut self) {
        let mir = self.emit.mir;
        for (index, object) in mir.objects.iter().enumerate() {
            for cell in object.cells.iter().filter(|cell| cell.pointer) {
                let holder = self.behind(ObjectId(index as u32));
                let kind = self.kind(ThreadId(0), &cell.init);
                self.flow(kind, holder);
            }
        }
        for (index, thread) in mir.threads.iter().enumerate() {
            if !thread.procedures.is_empty() {
                self.all_apart(RECURSION);
            }
            for edge in &thread.edges {
                taut_budget::tick();
                self.edge(ThreadId(index as u32), edge);
            }
        }
    }

    fn all_apart(&mut self, reason: &'static str) {
        (0..self.emit.layout.classes.len()).for_each(|class| self.is_apart(class, reason));
    }

    fn is_apart(&mut self, class: usize, reason: &'static str) {
        self.apart.entry(class).or_insert(reason);
    }

    /// The class of what a register holds addresses in.
    fn held(&self, thread: ThreadId, reg: Reg) -> Option<usize> {
        let node = self.emit.classes.of_pointer(thread, &Value::Reg(reg))?;
        self.emit.layout.class(node)
    }

    /// The class of what the cells of an object hold addresses in.
    fn behind(&self, object: ObjectId) -> Option<usize> {
        self.emit.classes.behind(object).and_then(|node| self.emit.layout.class(node))
    }

    /// The class of what a cell that can hold an address holds addresses in.
    fn behind_place(&self, thread: ThreadId, place: &Place) -> Option<usize> {
        if !place.pointer {
            return None;
        }
        let load = Value::Load(Box::new(place.clone()));
        self.emit.classes.of_pointer(thread, &load).and_then(|node| self.emit.layout.class(node))
    }

    /// A value goes where addresses of a class are kept, or integers.
    fn flow(&mut self, kind: Kind, holder: Option<usize>) {
        match (kind, holder) {
            (Kind::Address(class), Some(other)) if class == other => {}
            (Kind::Address(class), _) => {
                self.is_apart(class, AS_NUMBER);
                holder.into_iter().for_each(|other| self.is_apart(other, FROM_NUMBER));
            }
            (Kind::Number, Some(class)) => self.is_apart(class, FROM_NUMBER),
            (Kind::Nothing, _) | (Kind::Number, None) => {}
        }
    }

    fn edge(&mut self, thread: ThreadId, edge: &Edge) {
        self.kind(thread, &edge.guard);
        for check in &edge.checks {
            match check {
                Check::True(value, _) | Check::Deref(value) => {
                    self.kind(thread, value);
                }
                Check::Filled(place) => {
                    self.kind(thread, &Value::Load(Box::new(place.clone())));
                }
                Check::SameObject(a, b) => {
                    self.kind(thread, a);
                    self.kind(thread, b);
                }
            }
        }
        edge.ops.iter().for_each(|op| self.op(thread, op));
        if let Target::Call { args, .. } = &edge.to {
            args.iter().for_each(|arg| {
                self.kind(thread, arg);
            });
        }
    }

    fn op(&mut self, thread: ThreadId, op: &Op) {
        match op {
            Op::Set(reg, value) => {
                let kind = self.kind(thread, value);
                self.flow(kind, self.held(thread, *reg));
            }
            Op::SetElem(reg, index, value) => {
                self.number(thread, index);
                let kind = self.kind(thread, value);
                self.flow(kind, self.held(thread, *reg));
            }
            Op::Store(place, value, _) => {
                self.place(thread, place);
                let kind = self.kind(thread, value);
                self.flow(kind, self.behind_place(thread, place));
            }
            Op::Spawn(started, _, _, args) => {
                for (position, arg) in args.iter().enumerate() {
                    let kind = self.kind(thread, arg);
                    // The first parameter is the thread's number.
                    self.flow(kind, self.held(*started, Reg(position as u32 + 1)));
                }
            }
            op => op.values().into_iter().for_each(|value| {
                self.kind(thread, value);
            }),
        }
    }

    /// A value that must not be an address.
    fn number(&mut self, thread: ThreadId, value: &Value) {
        if let Kind::Address(class) = self.kind(thread, value) {
            self.is_apart(class, COMPUTED);
        }
    }

    fn place(&mut self, thread: ThreadId, place: &Place) {
        if let Base::Pointer(pointer) = &place.base {
            self.kind(thread, pointer);
        }
        self.number(thread, &place.offset);
    }

    fn kind(&mut self, thread: ThreadId, value: &Value) -> Kind {
        let of_class = |class: Option<usize>| class.map_or(Kind::Number, Kind::Address);
        match value {
            Value::Int(x) if *x <= 0 => Kind::Nothing,
            Value::Int(_) | Value::Function(_) | Value::Spawned(_) | Value::Any(..) => Kind::Number,
            // What only the search for races looks at is nowhere in this program.
            Value::RegAddress(..) | Value::Carries(_) | Value::Heads(_) => Kind::Number,
            Value::Ended(number) => {
                self.number(thread, number);
                Kind::Number
            }
            Value::Reg(reg) => of_class(self.held(thread, *reg)),
            Value::Elem(reg, index) => {
                self.number(thread, index);
                of_class(self.held(thread, *reg))
            }
            Value::Address(object, offset) => {
                self.number(thread, offset);
                Kind::Address(self.emit.layout.positions[object.0 as usize].class)
            }
            Value::Load(place) => {
                self.place(thread, place);
                of_class(self.behind_place(thread, place))
            }
            Value::Unary(op, a) => {
                if *op == UnaryOp::Not {
                    self.kind(thread, a);
                } else {
                    self.number(thread, a);
                }
                Kind::Number
            }
            Value::Binary(op, a, b) => self.binary(thread, *op, a, b),
            Value::Cond(condition, a, b) => {
                self.kind(thread, condition);
                let (a, b) = (self.kind(thread, a), self.kind(thread, b));
                self.either(a, b)
            }
        }
    }

    /// One of two values.
    fn either(&mut self, a: Kind, b: Kind) -> Kind {
        match (a, b) {
            (a, b) if a == b => a,
            (Kind::Nothing, other) | (other, Kind::Nothing) => other,
            (a, b) => {
                for kind in [a, b] {
                    self.flow(kind, None);
                }
                Kind::Number
            }
        }
    }

    fn binary(&mut self, thread: ThreadId, op: BinaryOp, a: &Value, b: &Value) -> Kind {
        use BinaryOp::{Add, And, BitAnd, BitOr, BitXor, Eq, Ne, Or, Sub};
        let (left, right) = (self.kind(thread, a), self.kind(thread, b));
        match (op, left, right) {
            (_, Kind::Number | Kind::Nothing, Kind::Number | Kind::Nothing) => Kind::Number,
            (And | Or, ..) => Kind::Number,
            (Eq | Ne, Kind::Address(x), Kind::Address(y)) if x == y => Kind::Number,
            (Eq | Ne, _, Kind::Nothing) | (Eq | Ne, Kind::Nothing, _) => Kind::Number,
            (Add, Kind::Address(class), Kind::Number | Kind::Nothing)
            | (Add, Kind::Number | Kind::Nothing, Kind::Address(class))
            | (Sub, Kind::Address(class), Kind::Number | Kind::Nothing) => Kind::Address(class),
            (BitAnd | BitOr | BitXor, Kind::Address(class), _) => self.marked(op, class, b),
            (BitAnd | BitOr | BitXor, _, Kind::Address(class)) => self.marked(op, class, a),
            _ => {
                for kind in [left, right] {
                    if let Kind::Address(class) = kind {
                        self.is_apart(class, COMPUTED);
                    }
                }
                Kind::Number
            }
        }
    }

    /// An address whose low bits are changed or looked at.
    fn marked(&mut self, op: BinaryOp, class: usize, bits: &Value) -> Kind {
        let scale = self.emit.mir.scale;
        match (op, bits) {
            (BinaryOp::BitAnd, Value::Int(x)) if (0..scale).contains(x) => Kind::Number,
            (BinaryOp::BitAnd, Value::Int(x)) if (-scale..0).contains(x) => Kind::Address(class),
            (_, Value::Int(x)) if op != BinaryOp::BitAnd && (0..scale).contains(x) => {
                Kind::Address(class)
            }
            _ => {
                self.is_apart(class, COMPUTED);
                Kind::Number
            }
        }
    }

    fn result(&self, registers: &[Vec<Option<RegId>>]) -> References {
        let emit = self.emit;
        let mut all = References { defs: emit.heap_def + 1, ..References::default() };
        for (site, alive) in &emit.mir.alive {
            let position = emit.layout.positions[site.0 as usize];
            if let Some(reason) = self.apart.get(&position.class) {
                all.apart.push((emit.mir.objects[site.0 as usize].name.clone(), reason));
                continue;
            }
            let flags = emit.layout.positions[alive.0 as usize];
            all.slots.push(Slots {
                var: emit.layout.classes[position.class].var,
                first: (position.first - 1) as u32,
                stride: position.stride as u32,
                count: position.copies as u32,
                taken: (emit.layout.classes[flags.class].var, (flags.first - 1) as u32),
                scale: emit.mir.scale,
                empty: emit.layout.classes[position.class].poison,
            });
        }
        let is_listed = |class: usize| {
            let var = emit.layout.classes[class].var;
            all.slots.iter().any(|slots| slots.var == var)
        };
        let (cells, held) = (self.cells(&is_listed), self.registers(registers, &is_listed));
        References { cells, registers: held, ..all }
    }

    /// The cells that hold addresses.
    fn cells(
        &self,
        is_listed: &impl Fn(usize) -> bool,
    ) -> Vec<(taut_ir::VarId, u32, taut_ir::VarId)> {
        let (emit, mut all) = (self.emit, Vec::new());
        for (index, object) in emit.mir.objects.iter().enumerate() {
            let id = ObjectId(index as u32);
            let Some(class) = self.behind(id).filter(|class| is_listed(*class)) else { continue };
            let to = emit.layout.classes[class].var;
            let position = emit.layout.positions[index];
            let var = emit.layout.classes[position.class].var;
            for copy in 0..position.copies {
                for cell in 0..position.cells {
                    // Objects with a cell per thread are described by one cell.
                    let known = object.cells.get(cell as usize).or(object.cells.first());
                    if known.is_some_and(|cell| cell.pointer) {
                        let at = position.first - 1 + copy * position.stride + cell;
                        all.push((var, at as u32, to));
                    }
                }
            }
        }
        debug_assert!(emit.mir.alive.iter().all(|(site, _)| is_heap(emit.mir, *site)));
        all
    }

    /// The registers that hold addresses.
    fn registers(
        &self,
        registers: &[Vec<Option<RegId>>],
        is_listed: &impl Fn(usize) -> bool,
    ) -> Vec<(DefId, RegId, taut_ir::VarId)> {
        let mut all = Vec::new();
        for (thread, of_thread) in registers.iter().enumerate() {
            for (index, register) in of_thread.iter().enumerate() {
                let class = self.held(ThreadId(thread as u32), Reg(index as u32));
                let (Some(register), Some(class)) = (register, class) else { continue };
                let entry = (DefId::from(thread), *register, self.emit.layout.classes[class].var);
                if is_listed(class) && !all.contains(&entry) {
                    all.push(entry);
                }
            }
        }
        all
    }
}
