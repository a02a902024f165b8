//! Store buffers written into a model: the source-to-source step of Havel's thesis (Masaryk University).
//!
//! The model that comes out, read under sequential consistency, has the states and steps of the model that
//! goes in under delayed writes ([`taut_ir::MemoryModel::Delayed`]), one for one. So any tool that reads DVE
//! can check a model for that memory.
//!
//! For every shared variable `g` and process `p` there are two new variables ([`slots`]): `sb(g, p)` holds a
//! value that `p` wrote and that is not in memory yet, and `i(g, p)` says whether there is one. Every
//! transition *t* of *p* that reads the elements R(t) of shared variables becomes 2^|R(t)| copies, one for
//! each set A of those of them that wait:
//!
//! 1. The guard of the copy says so: `i(g, p)` is 1 for `g` in A and 0 for the others.
//! 2. Reads of `g` in A become reads of `sb(g, p)` ([`view`]).
//! 3. A write of `g` becomes a write of `sb(g, p)` and of `i(g, p)`; an atomic one goes to memory and drops
//!    what waits ([`store`]).
//!
//! A new process moves what waits into memory, one element at a time ([`memory`]). A barrier at *t* adds to
//! its guard that nothing of *p* waits, and so acts before the effects.
//!
//! The thesis leaves a few things to the author of the model, which are done here:
//!
//! * Arrays stay arrays. An element with a constant index is treated like a scalar; one with another index
//!   is selected by arithmetic where it is read.
//! * An effect that reads what an earlier effect of the same transition wrote reads the new value.
//! * Values that are sent are read through the buffer, and values that are received are written to it.
//! * Conditions `assert s: e` see what their process sees. The property process reads memory.
//! * The process MM must not wait for a committed location to be left, nor may it hold anybody back. So
//!   committed locations are written out: whoever is in no such location waits until nobody is.
//!
//! DIVERGENCE: the new conjuncts stand before the guard, not after it. A guard that cannot be computed leads
//! to the error state, so that it must be looked at by one copy only. DIVERGENCE: |R(t)| is at most
//! [`MOST_READS`]; a transition that reads more becomes one that selects all it reads by arithmetic.

mod codes;
mod fair;
mod memory;
mod slots;
mod store;
mod tree;
mod view;

use taut_source::{Diagnostic, Diagnostics, Span};

use crate::ast::{
    Assertion, Expr, ExprKind, Model, Name, Process, Sync, Transition, Type, UnaryOp, VarDecl,
};
use crate::lower::names::is_property;
use crate::lower::{AtomicEntry, AtomicList};
use fair::Waiting;
use slots::{Cell, Slots};
use store::{Effects, Scratch, variable};
use tree::{all, waits};
use view::{View, Where};

pub use fair::fair_ltl;

/// The most elements for which copies of a transition are made.
pub const MOST_READS: usize = 8;

/// The most transitions of a model with buffers.
const MOST_TRANSITIONS: usize = 200_000;

/// The model with one buffer for each shared variable and process, as the thesis has it.
///
/// The writes and barriers of the list are those of transitions of `model`. Fails if the result would be
/// too large to be of use.
pub fn with_buffers(model: &Model, atomic: &AtomicList) -> Result<Model, Diagnostics> {
    let wrong = atomic.check(model);
    if wrong.has_errors() {
        return Err(wrong);
    }
    written(model, atomic).map_err(|found| Diagnostics::from(*found))
}

fn written(model: &Model, atomic: &AtomicList) -> Result<Model, Box<Diagnostic>> {
    let (slots, mut names) = Slots::of(model);
    let mut left = MOST_TRANSITIONS;
    let commits = slots.cells().count().saturating_mul(slots.processes.len());
    spend(&mut left, commits, model.system.span)?;
    let mut processes = Vec::new();
    let mut numbers = 0..;
    for process in &model.processes {
        if is_property(model, process) {
            processes.push(process.clone());
            continue;
        }
        let number = numbers.next().unwrap_or(0);
        let scratch = Scratch::new(&mut names, &process.name.text);
        let writer = Writer { slots: &slots, atomic, number, scratch, left: &mut left };
        processes.push(writer.process()?);
    }
    if !slots.globals.is_empty() {
        processes.push(memory::process(&slots, &mut names));
    }
    let (mut expressions, mut formulas) = (model.expressions.clone(), Vec::new());
    if !model.formulas.is_empty() {
        (expressions, formulas) = Waiting::new(&slots, &mut names).in_model(model);
    }
    Ok(Model { globals: globals(&slots), processes, expressions, formulas, ..model.clone() })
}

/// Takes from what is left, or says that it is too much.
fn spend(left: &mut usize, transitions: usize, span: Span) -> Result<(), Box<Diagnostic>> {
    taut_budget::tick();
    *left = left.checked_sub(transitions).ok_or_else(|| {
        let message =
            format!("with buffers the model would have more than {MOST_TRANSITIONS} transitions");
        let found = Diagnostic::error(codes::TOO_LARGE, message, span);
        Box::new(
            found
                .label("too many from here on")
                .help("each element of an array counts once for each process; make arrays shorter"),
        )
    })?;
    Ok(())
}

/// The variables of the model, and the new ones behind them.
fn globals(slots: &Slots<'_>) -> Vec<VarDecl> {
    let mut all = slots.model.globals.clone();
    for (number, global) in slots.globals.iter().enumerate() {
        for process in 0..slots.processes.len() {
            let slot = slots.slot(number, process);
            all.push(variable(&slot.value, global.ty, global.length));
            all.push(variable(&slot.valid, Type::Byte, global.length));
        }
    }
    all
}

/// Writes one process.
struct Writer<'w, 'm, 'n> {
    slots: &'w Slots<'m>,
    atomic: &'w AtomicList,
    /// The process, by its number in [`Slots::processes`].
    number: usize,
    scratch: Scratch<'n>,
    /// How many transitions there may still be.
    left: &'w mut usize,
}

impl<'w, 'm> Writer<'w, 'm, '_> {
    fn process(mut self) -> Result<Process, Box<Diagnostic>> {
        let process = self.slots.processes[self.number];
        let mut transitions = Vec::new();
        for (position, transition) in process.transitions.iter().enumerate() {
            transitions.extend(self.copies(position, transition)?);
        }
        let asserts = process.asserts.iter().map(|a| self.assertion(a));
        let asserts = asserts.collect::<Result<_, _>>()?;
        let mut locals = process.locals.clone();
        locals.extend(self.scratch.declarations());
        Ok(Process { locals, commit: Vec::new(), asserts, transitions, ..process.clone() })
    }

    /// The copies of a transition.
    fn copies(
        &mut self,
        position: usize,
        transition: &Transition,
    ) -> Result<Vec<Transition>, Box<Diagnostic>> {
        let fence = self.entries(position).any(|e| matches!(e, AtomicEntry::Fence { .. }));
        let mut conditions = self.commit_conditions(&transition.source.text);
        if fence {
            let nothing = self.slots.cells().map(|cell| waits(self.slots, cell, self.number, 0));
            conditions.extend(nothing);
        }
        let mut view = View::new(self.slots, self.number, fence);
        let whole = self.copy(position, transition, &mut view, conditions.clone());
        if view.too_large {
            return Err(too_deep(transition.span));
        }
        let reads: Vec<Cell> = view.reads.into_iter().collect();
        let copies = if reads.len() > MOST_READS { 1 } else { 1 << reads.len() };
        // A very long guard counts for more than one.
        spend(self.left, copies * (1 + conditions.len() / 64), transition.span)?;
        if copies == 1 {
            return Ok(vec![whole]);
        }
        let sets = 0..1u32 << reads.len();
        let copy = |set| self.copy_for(position, transition, &reads, set, conditions.clone());
        Ok(sets.map(copy).collect())
    }

    /// The copy for the elements that wait: bit *i* of the set is element *i* of those read.
    fn copy_for(
        &mut self,
        position: usize,
        transition: &Transition,
        reads: &[Cell],
        set: u32,
        mut conditions: Vec<Expr>,
    ) -> Transition {
        let mut view = View::new(self.slots, self.number, false);
        for (bit, &cell) in reads.iter().enumerate() {
            let waiting = set >> bit & 1;
            view.learn(cell, if waiting == 1 { Where::Slot } else { Where::Memory });
            conditions.push(waits(self.slots, cell, self.number, i64::from(waiting)));
        }
        self.copy(position, transition, &mut view, conditions)
    }

    /// A transition as the process sees it, under conditions. The order is the one in which things
    /// happen, because the view learns from each write.
    fn copy(
        &mut self,
        position: usize,
        transition: &Transition,
        view: &mut View<'_, 'm>,
        mut conditions: Vec<Expr>,
    ) -> Transition {
        taut_budget::tick();
        conditions.extend(transition.guard.as_ref().map(|guard| view.read(guard)));
        let entries = self.entries(position).collect();
        let scratch = &mut self.scratch;
        let mut effects = Effects { view, scratch, entries, done: Vec::new() };
        let sync = transition.sync.as_ref().map(|sync| {
            let message = effects.message(&sync.message);
            Sync { message, ..sync.clone() }
        });
        transition.effects.iter().for_each(|effect| effects.assign(effect));
        let effects = effects.done;
        Transition { guard: all(conditions), sync, effects, ..transition.clone() }
    }

    /// The entries about a transition.
    fn entries(&self, position: usize) -> impl Iterator<Item = &'w AtomicEntry> + use<'w, 'm> {
        let name = &self.slots.processes[self.number].name.text;
        let about =
            move |e: &&AtomicEntry| e.at().process.text == *name && e.at().index == position;
        self.atomic.entries.iter().filter(about)
    }

    /// That nobody else is in a committed location, for a transition that leaves none.
    fn commit_conditions(&self, source: &str) -> Vec<Expr> {
        let process = self.slots.processes[self.number];
        if process.commit.iter().any(|state| state.text == source) {
            return Vec::new();
        }
        let others = self.slots.committed.iter().filter(|(p, _)| p.text != process.name.text);
        let away = |&(p, state): &(&Name, &Name)| {
            Expr::new(ExprKind::State(p.clone(), state.clone())).unary(UnaryOp::Not)
        };
        others.map(away).collect()
    }

    fn assertion(&self, assertion: &Assertion) -> Result<Assertion, Box<Diagnostic>> {
        let mut view = View::new(self.slots, self.number, false);
        let condition = view.read(&assertion.condition);
        if view.too_large {
            return Err(too_deep(assertion.span));
        }
        Ok(Assertion { condition, ..assertion.clone() })
    }
}

fn too_deep(span: Span) -> Box<Diagnostic> {
    let message = "with buffers an index in an index becomes too large an expression here";
    let found = Diagnostic::error(codes::TOO_LARGE, message, span).label("too deep");
    Box::new(found.help("keep the inner element in a variable of the process first"))
}
