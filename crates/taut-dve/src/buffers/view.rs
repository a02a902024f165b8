//! Reads: where a process finds the value of a shared variable, in its slot or in memory.
//!
//! A copy of a transition is made for one answer to "which of the elements that are read wait in a slot?",
//! and its guard says so. Of these elements the place is *known*, and a read names that place. A write
//! makes the place of its element known from there on: a plain one leaves it in the slot, an atomic one in
//! memory. All other reads select by arithmetic, `i*sb + (1 - i)*g`: of `a[e]` where `e` is not constant,
//! and of any element after a write to `a[e]`.
//!
//! Selecting in place, where the thesis splits a transition into one for each value of the index, is exact:
//! the three arrays have the same length and `e` has no effects, so that the expression cannot be computed
//! just when `a[e]` cannot, at the same place of the expression around it. `j < 2 and a[j] == 0` looks at
//! no element if `j` is 2, and neither does its translation. (A guard `e == 0` in front, as splitting has
//! it, must be joined by one more copy for an `e` out of range that is never looked at.)

use std::collections::{BTreeSet, HashMap, HashSet};

use super::slots::{Cell, Slots};
use super::tree::{constant, element, index_of, size};
use crate::ast::{BinaryOp, Expr, ExprKind, Name};

/// The most nodes of one expression. Selecting repeats the index, and in `a[a[a[j]]]` repeats repeat.
const MOST_NODES: usize = 20_000;

/// Where the newest value of an element is, for one process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Where {
    Slot,
    Memory,
}

/// What a process knows of its slots at one point of a transition.
pub(super) struct View<'s, 'm> {
    pub slots: &'s Slots<'m>,
    /// The process, by its number in [`Slots::processes`].
    pub process: usize,
    known: HashMap<Cell, Where>,
    /// Whether no slot was in use when the transition began.
    drained: bool,
    /// Arrays with an element, it is not said which, whose place has changed.
    blurred: HashSet<usize>,
    /// The elements that were read while their place depended on the slots before the transition. This
    /// is R(t), except that the thesis also counts what is read after it was written.
    pub reads: BTreeSet<Cell>,
    /// Whether an expression became too large. What was made then is of no use.
    pub too_large: bool,
}

impl<'s, 'm> View<'s, 'm> {
    /// The view of a process; `drained` if it has nothing in its slots.
    pub(super) fn new(slots: &'s Slots<'m>, process: usize, drained: bool) -> View<'s, 'm> {
        View {
            slots,
            process,
            known: HashMap::new(),
            drained,
            blurred: HashSet::new(),
            reads: BTreeSet::new(),
            too_large: false,
        }
    }

    /// From here on the newest value of an element is there.
    pub(super) fn learn(&mut self, cell: Cell, place: Where) {
        self.known.insert(cell, place);
    }

    /// From here on it is open where the newest values of the elements of an array are.
    pub(super) fn blur(&mut self, global: usize) {
        self.known.retain(|cell, _| cell.global != global);
        self.blurred.insert(global);
    }

    /// The element that an index names, if it is constant and there.
    pub(super) fn cell(&self, global: usize, index: Option<&Expr>) -> Option<Cell> {
        let declared = self.slots.globals[global];
        let (Some(length), Some(index)) = (declared.length, index) else {
            return Some(Cell { global, element: 0 });
        };
        let element = u32::try_from(constant(self.slots, self.process, index)?).ok()?;
        (element < length).then_some(Cell { global, element })
    }

    /// The shared variable that a name means here.
    pub(super) fn shared(&self, name: &Name) -> Option<usize> {
        self.slots.shared(self.process, &name.text)
    }

    /// An expression as the process sees it.
    pub(super) fn read(&mut self, e: &Expr) -> Expr {
        let kind = match &e.kind {
            ExprKind::Num(_) | ExprKind::Bool(_) | ExprKind::State(..) => e.kind.clone(),
            ExprKind::Name(name) => match self.shared(name) {
                Some(global) => return self.read_shared(global, None),
                None => e.kind.clone(),
            },
            ExprKind::Index(name, index) => match self.shared(name) {
                Some(global) => return self.read_shared(global, Some(index)),
                None => ExprKind::Index(name.clone(), self.boxed(index)),
            },
            ExprKind::Remote(process, name, index) => {
                let index = index.as_ref().map(|i| self.boxed(i));
                ExprKind::Remote(process.clone(), name.clone(), index)
            }
            ExprKind::Unary(op, a) => ExprKind::Unary(*op, self.boxed(a)),
            ExprKind::Binary(op, a, b) => ExprKind::Binary(*op, self.boxed(a), self.boxed(b)),
        };
        Expr { kind, span: e.span }
    }

    fn boxed(&mut self, e: &Expr) -> Box<Expr> {
        Box::new(self.read(e))
    }

    fn read_shared(&mut self, global: usize, index: Option<&Expr>) -> Expr {
        let Some(cell) = self.cell(global, index) else {
            let index = index.map(|i| self.read(i));
            let waits =
                |(cell, place): (&Cell, &Where)| cell.global == global && *place == Where::Slot;
            let in_memory = self.untouched(global) && !self.known.iter().any(waits);
            return self.read_at(global, index, in_memory.then_some(Where::Memory));
        };
        let mut place = self.known.get(&cell).copied();
        if place.is_none() && self.untouched(global) {
            place = Some(Where::Memory);
        } else if place.is_none() && !self.blurred.contains(&global) {
            self.reads.insert(cell);
        }
        self.read_at(global, index_of(self.slots, cell), place)
    }

    /// Whether the elements of a variable that are not known to be elsewhere are in memory.
    fn untouched(&self, global: usize) -> bool {
        self.drained && !self.blurred.contains(&global)
    }

    /// The value of an element, from where it is known to be or selected.
    fn read_at(&mut self, global: usize, index: Option<Expr>, place: Option<Where>) -> Expr {
        let name = &self.slots.globals[global].name.text;
        let slot = self.slots.slot(global, self.process);
        match place {
            Some(Where::Memory) => return element(name, index),
            Some(Where::Slot) => return element(&slot.value, index),
            None => {}
        }
        if index.as_ref().is_some_and(|i| size(i) > MOST_NODES / 4) {
            self.too_large = true;
            return Expr::number(0);
        }
        let valid = || element(&slot.valid, index.clone());
        let waiting = valid().binary(BinaryOp::Mul, element(&slot.value, index.clone()));
        let free = Expr::number(1).binary(BinaryOp::Sub, valid());
        let memory = free.binary(BinaryOp::Mul, element(name, index.clone()));
        waiting.binary(BinaryOp::Add, memory)
    }
}
