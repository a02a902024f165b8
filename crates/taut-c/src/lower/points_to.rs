//! Points-to classes: which objects a pointer can point to.
//!
//! Steensgaard's analysis (*Points-to analysis in almost linear time*, 1996): values that may flow into each other are
//! unified. Each node stands for what a register or the cells of an object hold; `target` is the node of the objects that
//! it points to. Objects of one class become one array of the program model, and a pointer an index into it; so two
//! pointers that are compared must be of one class, too.
//!
//! Calls are inlined before, so that the analysis tells the callers of a function apart.

use taut_ir::BinaryOp;

use super::mir::{
    Base, Check, Edge, Mir, ObjectId, Op, Place, Reg, Target, ThreadId, Value, Watch,
};

/// A node of the graph.
type Node = usize;

/// The classes of a program.
#[derive(Debug, Default)]
pub(crate) struct Classes {
    parent: Vec<Node>,
    target: Vec<Option<Node>>,
    /// The first node of the registers of each thread.
    registers: Vec<Node>,
    /// True for classes into which a pointer is moved, by their representative at the end.
    moved: Vec<Node>,
}

impl Classes {
    /// The classes of a program. Object `o` is node `o`.
    pub(crate) fn of(mir: &Mir) -> Classes {
        let mut classes = Classes::default();
        let mut count = mir.objects.len();
        for thread in &mir.threads {
            classes.registers.push(count);
            count += thread.regs.len();
        }
        classes.parent = (0..count).collect();
        classes.target = vec![None; count];
        for (index, object) in mir.objects.iter().enumerate() {
            for cell in &object.cells {
                classes.flow(ThreadId(0), index, &cell.init);
            }
        }
        for (index, thread) in mir.threads.iter().enumerate() {
            for edge in &thread.edges {
                taut_budget::tick();
                classes.edge(mir, ThreadId(index as u32), edge);
            }
        }
        classes
    }

    /// The class of an object.
    pub(crate) fn of_object(&self, object: ObjectId) -> Node {
        self.find(object.0 as usize)
    }

    /// The class of what a value points to; none if it never points to an object.
    pub(crate) fn of_pointer(&self, thread: ThreadId, value: &Value) -> Option<Node> {
        let mut found = None;
        self.carried(thread, value, &mut |classes, node| {
            found = found.or(match node {
                Carried::Object(object) => Some(classes.find(object)),
                Carried::Holder(holder) => {
                    classes.target[classes.find(holder)].map(|target| classes.find(target))
                }
            });
        });
        found
    }

    /// The class of what the cells of an object point to.
    pub(crate) fn behind(&self, object: ObjectId) -> Option<Node> {
        self.target[self.find(object.0 as usize)].map(|target| self.find(target))
    }

    /// True if pointers into a class are moved by pointer arithmetic.
    pub(crate) fn is_moved(&self, class: Node) -> bool {
        self.moved.iter().any(|&node| self.find(node) == class)
    }

    fn find(&self, mut node: Node) -> Node {
        while self.parent[node] != node {
            node = self.parent[node];
        }
        node
    }

    fn fresh(&mut self) -> Node {
        self.parent.push(self.parent.len());
        self.target.push(None);
        self.parent.len() - 1
    }

    /// The node of what a node points to.
    fn target_of(&mut self, node: Node) -> Node {
        let node = self.find(node);
        match self.target[node] {
            Some(target) => self.find(target),
            None => {
                let fresh = self.fresh();
                self.target[node] = Some(fresh);
                fresh
            }
        }
    }

    fn join(&mut self, a: Node, b: Node) {
        let mut pairs = vec![(a, b)];
        while let Some((a, b)) = pairs.pop() {
            let (a, b) = (self.find(a), self.find(b));
            if a == b {
                continue;
            }
            self.parent[b] = a;
            match (self.target[a], self.target[b]) {
                (Some(x), Some(y)) => pairs.push((x, y)),
                (None, Some(y)) => self.target[a] = Some(y),
                _ => {}
            }
        }
    }

    fn register(&self, thread: ThreadId, reg: Reg) -> Node {
        self.registers[thread.0 as usize] + reg.0 as usize
    }

    /// The value may be held by a node.
    fn flow(&mut self, thread: ThreadId, holder: Node, value: &Value) {
        let mut sources = Vec::new();
        self.carried(thread, value, &mut |_, carried| sources.push(carried));
        for source in sources {
            let target = self.target_of(holder);
            match source {
                Carried::Object(object) => self.join(target, object),
                Carried::Holder(other) => {
                    let others = self.target_of(other);
                    self.join(target, others);
                }
            }
        }
    }

    /// Calls a function with everything whose address a value may be.
    fn carried(&self, thread: ThreadId, value: &Value, f: &mut dyn FnMut(&Classes, Carried)) {
        match value {
            Value::Int(_)
            | Value::Any(..)
            | Value::Function(_)
            | Value::Spawned(_)
            | Value::Ended(_)
            | Value::RegAddress(..)
            | Value::Carries(_)
            | Value::Heads(_) => {}
            Value::Reg(r) | Value::Elem(r, _) => {
                f(self, Carried::Holder(self.register(thread, *r)));
            }
            Value::Address(object, _) => f(self, Carried::Object(object.0 as usize)),
            Value::Load(place) if !place.pointer => {}
            Value::Load(place) => {
                if let Some(memory) = self.memory(thread, place) {
                    f(self, Carried::Holder(memory));
                }
            }
            Value::Unary(_, a) => self.carried(thread, a, f),
            Value::Binary(op, ..) if is_comparison(*op) => {}
            Value::Binary(_, a, b) => {
                self.carried(thread, a, f);
                self.carried(thread, b, f);
            }
            Value::Cond(_, a, b) => {
                self.carried(thread, a, f);
                self.carried(thread, b, f);
            }
        }
    }

    /// The node of the cells of a place, if it is known already.
    fn memory(&self, thread: ThreadId, place: &Place) -> Option<Node> {
        match &place.base {
            Base::Object(object) => Some(self.find(object.0 as usize)),
            Base::Pointer(pointer) => self.of_pointer(thread, pointer),
        }
    }

    fn edge(&mut self, mir: &Mir, thread: ThreadId, edge: &Edge) {
        self.value(mir, thread, &edge.guard);
        for check in &edge.checks {
            for value in check.values() {
                self.value(mir, thread, &value);
            }
            if let Check::SameObject(pointer, _) = check {
                let class = self.pointed(thread, pointer);
                self.moved.extend(class);
            }
        }
        for op in &edge.ops {
            for value in op.values() {
                self.value(mir, thread, value);
            }
            self.op(mir, thread, op);
        }
        if let Target::Call { procedure, args, .. } = &edge.to {
            let params = mir.threads[thread.0 as usize].procedures[*procedure].params.clone();
            for (param, arg) in params.into_iter().zip(args) {
                self.set(mir, thread, param, arg);
            }
        }
    }

    fn op(&mut self, mir: &Mir, thread: ThreadId, op: &Op) {
        match op {
            Op::Set(reg, value) | Op::SetElem(reg, _, value) => {
                self.set(mir, thread, *reg, value);
            }
            Op::Store(place, value, _) => {
                let memory = self.place(thread, place);
                if place.pointer {
                    self.flow(thread, memory, value);
                }
            }
            Op::Spawn(started, _, _, args) => {
                let param = self.register(*started, Reg(1));
                args.iter().take(1).for_each(|arg| self.flow(thread, param, arg));
            }
            Op::Watch(Watch::Access(point)) => {
                self.place(thread, &point.place);
            }
            Op::Watch(Watch::Carry(place, ..)) => {
                self.place(thread, place);
            }
            Op::Allocate(object, reg) => {
                self.set(mir, thread, *reg, &Value::Address(*object, Box::new(Value::Int(0))));
            }
            Op::Free(pointer) => {
                self.pointed(thread, pointer);
            }
            _ => {}
        }
    }

    fn set(&mut self, mir: &Mir, thread: ThreadId, reg: Reg, value: &Value) {
        if mir.threads[thread.0 as usize].regs[reg.0 as usize].pointer {
            let holder = self.register(thread, reg);
            self.flow(thread, holder, value);
        }
    }

    /// The node of what a pointer points to, made if there is none.
    fn pointed(&mut self, thread: ThreadId, pointer: &Value) -> Option<Node> {
        let mut holders = Vec::new();
        self.carried(thread, pointer, &mut |_, carried| holders.push(carried));
        let mut result = None;
        for carried in holders {
            let node = match carried {
                Carried::Object(object) => object,
                Carried::Holder(holder) => self.target_of(holder),
            };
            if let Some(other) = result {
                self.join(other, node);
            }
            result = Some(node);
        }
        result
    }

    /// The node of the cells of a place, made if there is none.
    fn place(&mut self, thread: ThreadId, place: &Place) -> Node {
        match &place.base {
            Base::Object(object) => object.0 as usize,
            Base::Pointer(pointer) => self.pointed(thread, pointer).unwrap_or_else(|| self.fresh()),
        }
    }

    /// Places that are read inside of a value, pointers that are compared, addresses that are computed with.
    fn value(&mut self, mir: &Mir, thread: ThreadId, value: &Value) {
        let mut inner = Vec::new();
        value.visit(&mut |v| match v {
            Value::Load(place) | Value::Carries(place) | Value::Heads(place) => {
                inner.push(Inner::Place((**place).clone()));
            }
            Value::Binary(op, a, b) if is_comparison(*op) => {
                inner.push(Inner::Compared((**a).clone(), (**b).clone()));
            }
            _ => {}
        });
        for part in inner {
            match part {
                Inner::Place(place) => {
                    self.place(thread, &place);
                }
                Inner::Compared(a, b) if self.may_point(mir, thread, &a) => {
                    let pair = (self.pointed(thread, &a), self.pointed(thread, &b));
                    if let (Some(a), Some(b)) = pair {
                        self.join(a, b);
                    }
                }
                Inner::Compared(..) => {}
            }
        }
    }

    /// True if a value can be an address by its form.
    fn may_point(&self, mir: &Mir, thread: ThreadId, value: &Value) -> bool {
        match value {
            Value::Reg(r) | Value::Elem(r, _) => {
                mir.threads[thread.0 as usize].regs[r.0 as usize].pointer
            }
            Value::Address(..) => true,
            Value::Load(place) => place.pointer,
            Value::Unary(_, a) => self.may_point(mir, thread, a),
            Value::Binary(op, a, b) => {
                !is_comparison(*op)
                    && (self.may_point(mir, thread, a) || self.may_point(mir, thread, b))
            }
            Value::Cond(_, a, b) => {
                self.may_point(mir, thread, a) || self.may_point(mir, thread, b)
            }
            Value::Int(_)
            | Value::Any(..)
            | Value::Function(_)
            | Value::Spawned(_)
            | Value::Ended(_)
            | Value::RegAddress(..)
            | Value::Carries(_)
            | Value::Heads(_) => false,
        }
    }
}

/// Something whose address a value may be.
#[derive(Clone, Copy)]
enum Carried {
    Object(Node),
    /// Whatever a node holds the address of.
    Holder(Node),
}

/// A part of a value that joins classes.
enum Inner {
    Place(Place),
    Compared(Value, Value),
}

fn is_comparison(op: BinaryOp) -> bool {
    use BinaryOp::{And, Eq, Ge, Gt, Le, Lt, Ne, Or};
    matches!(op, And | Or | Eq | Ne | Lt | Le | Gt | Ge)
}
