//! Where objects lie: each class of the points-to pass is one variable of the program.
//!
//! A pointer is the number of a cell of its class, counted from 1; 0 is the null pointer. Objects stand one after the
//! other, each with all its copies. Where pointers are moved by arithmetic, a cell that belongs to no object
//! follows each copy, so that "one past the end" is no other object.
//!
//! A cell without a value holds a mark, one below all values that its class can hold ([`Marks`]).

use std::collections::HashMap;

use taut_ir::ranges::Ranges;
use taut_ir::{Overflow, Program, Type, VarId, VarKind, Variable};
use taut_source::Span;

use super::mir::{ENDED, Mir, ObjectId, Storage, ThreadId, Value};
use super::points_to::Classes;

/// The number of threads of each function, and their numbers.
#[derive(Clone, Debug)]
pub(crate) struct Counts {
    /// Number of threads by thread function; 1 for `main`.
    pub slots: Vec<u32>,
    /// The number of the first thread of each function.
    pub first: Vec<u32>,
    /// Number of all threads.
    pub total: u32,
}

impl Counts {
    /// The numbers of threads with so many of each function.
    pub(crate) fn new(slots: Vec<u32>) -> Counts {
        let mut first = Vec::new();
        let mut total = 0;
        for count in &slots {
            first.push(total);
            total += count;
        }
        Counts { slots, first, total }
    }
}

/// Where an object lies.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Position {
    pub class: usize,
    /// The number of its first cell.
    pub first: i64,
    /// Number of cells of a copy.
    pub cells: i64,
    /// Distance of copies.
    pub stride: i64,
    pub copies: i64,
}

/// The mark of a cell without a value, by class.
///
/// What a class holds is found by an analysis of the program in which nothing is marked; a mark right beside those values
/// keeps cells narrow. It never becomes a value elsewhere: a read of a marked cell is a fault.
#[derive(Clone, Debug, Default)]
pub(crate) struct Marks(Option<Vec<i64>>);

impl Marks {
    /// No mark: 0, to find out what classes hold.
    pub(crate) const NONE: Marks = Marks(None);

    /// The marks for a program that was made without them.
    pub(crate) fn beside(program: &Program) -> Marks {
        let ranges = Ranges::of(program);
        let below = |var: VarId| ranges.var(var).lo.saturating_sub(1);
        Marks(Some(program.var_ids().map(below).collect()))
    }

    fn of(&self, class: usize) -> i64 {
        self.0.as_ref().and_then(|marks| marks.get(class).copied()).unwrap_or(0)
    }
}

/// A class of objects: a variable.
#[derive(Clone, Debug)]
pub(crate) struct Class {
    pub var: VarId,
    pub objects: Vec<ObjectId>,
    /// Number of cells.
    pub total: i64,
    /// True if cells that belong to no object stand between objects.
    pub gaps: bool,
    /// The mark of a cell without a value.
    pub poison: i64,
}

/// Where everything lies.
#[derive(Debug)]
pub(crate) struct Layout {
    pub positions: Vec<Position>,
    pub classes: Vec<Class>,
    pub variables: Vec<Variable>,
    by_node: HashMap<usize, usize>,
}

impl Layout {
    /// The layout of a program.
    pub(crate) fn of(mir: &Mir, classes: &Classes, counts: &Counts, marks: &Marks) -> Layout {
        let mut layout = Layout {
            positions: Vec::new(),
            classes: Vec::new(),
            variables: Vec::new(),
            by_node: HashMap::new(),
        };
        for index in 0..mir.objects.len() {
            layout.place(mir, classes, counts, ObjectId(index as u32));
        }
        for index in 0..layout.classes.len() {
            layout.classes[index].poison = marks.of(index);
            layout.variable(mir, counts, index);
        }
        layout
    }

    /// The class of a node of the points-to pass, if it has objects.
    pub(crate) fn class(&self, node: usize) -> Option<usize> {
        self.by_node.get(&node).copied()
    }

    fn place(&mut self, mir: &Mir, classes: &Classes, counts: &Counts, id: ObjectId) {
        let node = classes.of_object(id);
        let fresh = self.classes.len();
        let class = *self.by_node.entry(node).or_insert(fresh);
        if class == fresh {
            let gaps = classes.is_moved(node);
            let var = VarId::from(fresh);
            self.classes.push(Class { var, objects: Vec::new(), total: 0, gaps, poison: 0 });
        }
        let (cells, copies) = extent(mir, counts, id);
        let stride = cells + i64::from(self.classes[class].gaps);
        let target = &mut self.classes[class];
        let first = target.total + 1;
        target.total += stride * copies;
        target.objects.push(id);
        self.positions.push(Position { class, first, cells, stride, copies });
    }

    fn variable(&mut self, mir: &Mir, counts: &Counts, index: usize) {
        let class = &self.classes[index];
        let mut init = vec![class.poison; class.total as usize];
        for &id in &class.objects {
            let object = &mir.objects[id.0 as usize];
            let position = self.positions[id.0 as usize];
            if is_heap(mir, id) {
                continue;
            }
            for copy in 0..position.copies {
                for cell in 0..position.cells {
                    let at = position.first - 1 + copy * position.stride + cell;
                    let value = object.cells.get(cell as usize).map_or(&Value::Int(0), |c| &c.init);
                    init[at as usize] = self.constant(mir.scale, value);
                }
            }
        }
        let first = &mir.objects[class.objects[0].0 as usize];
        let kind = if first.storage == Storage::Ghost { VarKind::Ghost } else { VarKind::Shared };
        let name = self.name(mir, class, counts);
        let len = (class.total > 1).then_some(class.total as u32);
        let span: Span = first.span;
        let ty = self.ty(mir, counts, class);
        debug_assert!(init.iter().all(|value| ty.interval().contains(*value)), "a first value");
        self.variables.push(Variable { name, kind, ty, len, init, span });
    }

    /// The values of the cells of a class, by their types. What is stored was converted before, so that nothing wraps around
    /// here; but the analysis of ranges learns how large it can be.
    fn ty(&self, mir: &Mir, counts: &Counts, class: &Class) -> Type {
        let overflow = Overflow::Wrap;
        if class.objects.iter().any(|o| Some(*o) == mir.states) {
            return Type { lo: 0, hi: i64::from(counts.total.max(ENDED as u32)), overflow };
        }
        let cells = || class.objects.iter().flat_map(|o| &mir.objects[o.0 as usize].cells);
        if mir.mixed_signs || cells().any(|cell| cell.pointer) {
            return Type::INT64;
        }
        let lo = cells().map(|cell| cell.lo).min().unwrap_or(i64::MIN);
        let hi = cells().map(|cell| cell.hi).max().unwrap_or(i64::MAX);
        let marked = class.gaps || class.objects.iter().any(|o| is_heap(mir, *o));
        Type { lo: if marked { lo.min(class.poison) } else { lo }, hi: hi.max(0), overflow }
    }

    /// The name of a class: that of its object, or of what its objects have in common.
    fn name(&self, mir: &Mir, class: &Class, _counts: &Counts) -> String {
        let names: Vec<&str> =
            class.objects.iter().map(|o| mir.objects[o.0 as usize].name.as_str()).collect();
        let base = match names.as_slice() {
            [one] => (*one).to_owned(),
            [first, .., last] => format!("{first}..{last}"),
            [] => "memory".to_owned(),
        };
        let taken = |name: &str| self.variables.iter().any(|v| v.name == name);
        if !taken(&base) {
            return base;
        }
        let mut number = 2;
        while taken(&format!("{base}#{number}")) {
            number += 1;
        }
        format!("{base}#{number}")
    }

    fn constant(&self, scale: i64, value: &Value) -> i64 {
        match value {
            Value::Int(x) => *x,
            Value::Function(function) => i64::from(function.0) + 1,
            Value::Address(object, offset) => {
                let offset = if let Value::Int(x) = **offset { x } else { 0 };
                (self.positions[object.0 as usize].first + offset) * scale
            }
            _ => 0,
        }
    }
}

/// True for an object that is allocated.
pub(crate) fn is_heap(mir: &Mir, id: ObjectId) -> bool {
    matches!(mir.objects[id.0 as usize].storage, Storage::Heap { .. })
}

/// Number of cells of a copy, and of copies.
fn extent(mir: &Mir, counts: &Counts, id: ObjectId) -> (i64, i64) {
    let object = &mir.objects[id.0 as usize];
    let cells = object.cells.len().max(1) as i64;
    if Some(id) == mir.states || Some(id) == mir.results {
        return (i64::from(counts.total), 1);
    }
    if let Some((local, _)) = mir.frames.iter().find(|(_, lives)| *lives == id) {
        return (extent(mir, counts, *local).1, 1);
    }
    let copies = match object.storage {
        Storage::Static | Storage::Ghost => 1,
        Storage::Frame(ThreadId(thread)) => i64::from(counts.slots[thread as usize].max(1)),
        Storage::ThreadLocal => i64::from(counts.total),
        Storage::Heap { slots } => i64::from(slots),
    };
    (cells, copies)
}
