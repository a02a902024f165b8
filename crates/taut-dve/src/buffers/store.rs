//! Writes: what becomes of an assignment, and of a receive, of one process.
//!
//! `g = e` becomes `sb = e, i = 1`, and if it is atomic `g = e, i = 0, sb = 0`: memory changes in the same
//! step and what waits for that element is dropped, because it would arrive later and undo the write. An
//! index that is not constant is repeated in each of these. If it reads the array that is written, it may
//! have changed then, so it is kept in a variable of the process's own, which is 0 between transitions and
//! so makes no states.
//!
//! A receive `c?g` becomes `c?sb`, with `i = 1` before the other effects. One that stores to an element with
//! an index that is not constant goes through variables of the process's own as well: nothing can stand
//! between a value's arrival and the next value's, which may change the index.

use taut_source::Span;

use super::slots::{Names, Slots};
use super::tree::{assign, index_of};
use super::view::{View, Where};
use crate::ast::{Assign, BinaryOp, Expr, ExprKind, Message, Name, Place, Type, VarDecl};
use crate::lower::AtomicEntry;

/// Variables of the process's own that are 0 between transitions.
pub(super) struct Scratch<'n> {
    names: &'n mut Names,
    process: String,
    index: Option<String>,
    /// For values received, by their position in a message.
    received: Vec<(usize, Type, String)>,
}

impl<'n> Scratch<'n> {
    pub(super) fn new(names: &'n mut Names, process: &str) -> Scratch<'n> {
        Scratch { names, process: process.into(), index: None, received: Vec::new() }
    }

    /// A place for an index.
    fn index(&mut self) -> String {
        let wanted = format!("index_{}", self.process);
        self.index.get_or_insert_with(|| self.names.fresh(&wanted)).clone()
    }

    /// A place for a value received.
    fn received(&mut self, position: usize, ty: Type) -> String {
        let known = self.received.iter().find(|(p, t, _)| (*p, *t) == (position, ty));
        if let Some((.., name)) = known {
            return name.clone();
        }
        let name = self.names.fresh(&format!("received_{}_{}", self.process, position + 1));
        self.received.push((position, ty, name.clone()));
        name
    }

    /// The declarations of those that were needed.
    pub(super) fn declarations(self) -> Vec<VarDecl> {
        let received = self.received.into_iter().map(|(_, ty, name)| (name, ty));
        let all = self.index.map(|name| (name, Type::Int)).into_iter().chain(received);
        all.map(|(name, ty)| variable(&name, ty, None)).collect()
    }
}

/// A new variable, 0 at first.
pub(super) fn variable(name: &str, ty: Type, length: Option<u32>) -> VarDecl {
    VarDecl {
        name: Name::new(name),
        constant: false,
        ty,
        length,
        initial: vec![0; length.unwrap_or(1) as usize],
        span: Span::NONE,
    }
}

/// The effects of one transition in the making.
pub(super) struct Effects<'a, 's, 'm, 'n> {
    pub view: &'a mut View<'s, 'm>,
    pub scratch: &'a mut Scratch<'n>,
    /// What the list of atomic writes says of the transition.
    pub entries: Vec<&'a AtomicEntry>,
    pub done: Vec<Assign>,
}

impl Effects<'_, '_, '_, '_> {
    /// An assignment of the source.
    pub(super) fn assign(&mut self, source: &Assign) {
        let value = self.view.read(&source.value);
        self.store(&source.place, value);
    }

    /// What a channel operation becomes. What it leads to stands before all other effects.
    pub(super) fn message(&mut self, message: &Message) -> Message {
        match message {
            Message::Send(values) => {
                Message::Send(values.iter().map(|v| self.view.read(v)).collect())
            }
            Message::Receive(places) if places.iter().any(|p| self.is_scattered(p)) => {
                self.receive_through_scratch(places)
            }
            Message::Receive(places) => {
                Message::Receive(places.iter().map(|p| self.receive(p)).collect())
            }
        }
    }

    /// Whether the write to a place, which is shared, is atomic.
    fn is_atomic(&self, place: &Place) -> bool {
        let global = self.view.shared(&place.name);
        let cell = global.and_then(|g| self.view.cell(g, place.index.as_ref()));
        self.entries.iter().any(|entry| match entry {
            AtomicEntry::Fence { .. } => false,
            AtomicEntry::Write { variable, element, .. } => {
                variable.as_ref().is_none_or(|v| v.text == place.name.text)
                    && element.is_none_or(|e| cell.is_some_and(|c| c.element == e))
            }
        })
    }

    /// Whether a place is an element of a shared array with an index that is not constant.
    fn is_scattered(&self, place: &Place) -> bool {
        let Some(global) = self.view.shared(&place.name) else { return false };
        self.view.cell(global, place.index.as_ref()).is_none()
    }

    /// Where a value goes that the source receives into a place that is not scattered.
    fn receive(&mut self, place: &Place) -> Place {
        let Some(global) = self.view.shared(&place.name) else {
            let index = place.index.as_ref().map(|i| self.view.read(i));
            return Place { index, ..place.clone() };
        };
        let cell = self.view.cell(global, place.index.as_ref()).expect("not scattered");
        let index = index_of(self.view.slots, cell);
        let slot = self.view.slots.slot(global, self.view.process);
        let name = if self.is_atomic(place) {
            self.done.push(assign(&slot.valid, index.clone(), Expr::number(0)));
            self.done.push(assign(&slot.value, index.clone(), Expr::number(0)));
            self.view.learn(cell, Where::Memory);
            place.name.clone()
        } else {
            self.done.push(assign(&slot.valid, index.clone(), Expr::number(1)));
            self.view.learn(cell, Where::Slot);
            Name::new(&slot.value)
        };
        Place { name, index, span: place.span }
    }

    /// All values first into variables of the process's own, and from there to their places in order.
    fn receive_through_scratch(&mut self, places: &[Place]) -> Message {
        let owner = self.view.slots.processes[self.view.process];
        let model = self.view.slots.model;
        let mut stops = Vec::new();
        for (position, place) in places.iter().enumerate() {
            let declared = model.variable(Some(owner), &place.name.text);
            let ty = declared.map_or(Type::Int, |v| v.ty);
            stops.push(self.scratch.received(position, ty));
        }
        for (stop, place) in stops.iter().zip(places) {
            self.store(place, Expr::name(stop));
            self.done.push(assign(stop, None, Expr::number(0)));
        }
        let place = |name: &String| Place { name: Name::new(name), index: None, span: Span::NONE };
        Message::Receive(stops.iter().map(place).collect())
    }

    /// Stores a value, which is in terms of the new model already, to a place of the source.
    fn store(&mut self, place: &Place, value: Expr) {
        let Some(global) = self.view.shared(&place.name) else {
            let index = place.index.as_ref().map(|i| self.view.read(i));
            self.done.push(assign(&place.name.text, index, value));
            return;
        };
        let atomic = self.is_atomic(place);
        if let Some(cell) = self.view.cell(global, place.index.as_ref()) {
            self.write(global, index_of(self.view.slots, cell), value, atomic);
            self.view.learn(cell, if atomic { Where::Memory } else { Where::Slot });
            return;
        }
        let Some(source) = place.index.as_ref() else { return };
        let index = self.view.read(source);
        if mentions(source, &place.name.text) {
            self.write_by_scratch(global, index, value, atomic);
        } else {
            self.write(global, Some(index), value, atomic);
        }
        self.view.blur(global);
    }

    fn write(&mut self, global: usize, index: Option<Expr>, value: Expr, atomic: bool) {
        let name = &self.view.slots.globals[global].name.text;
        let slot = self.view.slots.slot(global, self.view.process);
        let number = Expr::number;
        if atomic {
            self.done.push(assign(name, index.clone(), value));
            self.done.push(assign(&slot.valid, index.clone(), number(0)));
            self.done.push(assign(&slot.value, index, number(0)));
        } else {
            self.done.push(assign(&slot.value, index.clone(), value));
            self.done.push(assign(&slot.valid, index, number(1)));
        }
    }

    /// A write whose index reads the array that it writes to.
    fn write_by_scratch(&mut self, global: usize, index: Expr, value: Expr, atomic: bool) {
        let kept = self.scratch.index();
        let held = fenced(self.view.slots, global, index);
        self.done.push(assign(&kept, None, held));
        self.write(global, Some(Expr::name(&kept)), value, atomic);
        self.done.push(assign(&kept, None, Expr::number(0)));
    }
}

/// An index, or -1 if it is out of range: `(0 <= e and e < length) * (e + 1) - 1`. An index that the
/// variable it is kept in cannot hold must not wrap around to one that is in range.
fn fenced(slots: &Slots<'_>, global: usize, index: Expr) -> Expr {
    let length = i64::from(slots.globals[global].length.unwrap_or(1));
    let low = index.clone().binary(BinaryOp::Ge, Expr::number(0));
    let high = index.clone().binary(BinaryOp::Lt, Expr::number(length));
    let next = index.binary(BinaryOp::Add, Expr::number(1));
    let chosen = low.binary(BinaryOp::And, high).binary(BinaryOp::Mul, next);
    chosen.binary(BinaryOp::Sub, Expr::number(1))
}

/// Whether an expression reads an array.
fn mentions(e: &Expr, array: &str) -> bool {
    let mut found = false;
    e.visit(&mut |e| found |= matches!(&e.kind, ExprKind::Index(name, _) if name.text == array));
    found
}
