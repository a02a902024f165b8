//! The process MM, which moves what waits into memory.
//!
//! It has one location and a self-loop for each element and process. Clearing `sb` keeps values that nobody
//! will ever read out of the states.

use taut_source::Span;

use super::slots::{Cell, Names, Slots};
use super::tree::{assign, element, index_of, waits};
use crate::ast::{Expr, Name, Process, Transition};

/// The process, under free names.
pub(super) fn process(slots: &Slots<'_>, names: &mut Names) -> Process {
    let name = Name::new(names.fresh("MM"));
    let state = Name::new(names.fresh("q0"));
    let transitions = slots.pairs().map(|(cell, process)| commit(slots, cell, process, &state));
    Process {
        name,
        channels: Vec::new(),
        locals: Vec::new(),
        states: vec![state.clone()],
        init: state.clone(),
        accept: Vec::new(),
        commit: Vec::new(),
        asserts: Vec::new(),
        transitions: transitions.collect(),
        span: Span::NONE,
    }
}

/// `guard i == 1; effect g = sb, i = 0, sb = 0;`
fn commit(slots: &Slots<'_>, cell: Cell, process: usize, state: &Name) -> Transition {
    let slot = slots.slot(cell.global, process);
    let memory = &slots.globals[cell.global].name.text;
    let index = || index_of(slots, cell);
    Transition {
        source: state.clone(),
        target: state.clone(),
        guard: Some(waits(slots, cell, process, 1)),
        sync: None,
        effects: vec![
            assign(memory, index(), element(&slot.value, index())),
            assign(&slot.valid, index(), Expr::number(0)),
            assign(&slot.value, index(), Expr::number(0)),
        ],
        span: Span::NONE,
        close: Span::NONE,
    }
}
