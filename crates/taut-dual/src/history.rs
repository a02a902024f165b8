//! What a process has stored last, by its control point: a second over-approximation that no constraint may contradict.
//!
//! For each control point of a process and each cell, two sets of values are found forward along the edges of this
//! process alone:
//!
//! - *last*: the values that the process may have stored last, and whether it may have stored none. If no other process stores to the
//!   cell, memory has the last one, or the initial value: a store of the dual semantics is in memory at once;
//! - *own*: the values of the newest own entry that may be in its buffer. A fence empties the buffer.
//!
//! A constraint that asks for another value at this control point has no states. On the locks of `testdata/dual` this
//! drops a third of the constraints and more.

use crate::edge::{ControlId, Edge, Kind};
use crate::places::{Cell, Fact, Places, Value};

/// A set of values of a cell; bit 0 stands for no store. Cells with more values have all of them.
type Set = u64;

const NONE_STORED: Set = 1;
const ALL: Set = u64::MAX;

/// Sets after which none are made: then nothing is known, and nothing is dropped.
const MOST_SETS: usize = 1 << 22;

/// The sets of one process.
#[derive(Debug, Default)]
pub(crate) struct History {
    cells: usize,
    /// By control point and cell.
    last: Vec<Set>,
    own: Vec<Set>,
    /// The cells to which only this process stores.
    alone: Vec<bool>,
}

fn bit(places: &Places, (cell, value): Fact) -> Set {
    if places.values(cell).len() > 63 { ALL } else { 1 << value.0 }
}

impl History {
    /// The sets of a process with so many control points, by the edges that leave each of them.
    pub(crate) fn of(places: &Places, leaving: &[Vec<Edge>], alone: Vec<bool>) -> History {
        let cells = places.len();
        if leaving.len().saturating_mul(cells) > MOST_SETS {
            return History::default();
        }
        let mut history = History {
            cells,
            last: vec![0; leaving.len() * cells],
            own: vec![0; leaving.len() * cells],
            alone,
        };
        let start = ControlId::INITIAL.index() * cells;
        history.last[start..start + cells].fill(NONE_STORED);
        history.own[start..start + cells].fill(NONE_STORED);
        let mut queue = vec![ControlId::INITIAL];
        while let Some(control) = queue.pop() {
            taut_budget::tick();
            for edge in &leaving[control.index()] {
                if history.flow(places, edge) {
                    queue.push(edge.target);
                }
            }
        }
        history
    }

    /// Carries the sets over an edge; whether something is new.
    fn flow(&mut self, places: &Places, edge: &Edge) -> bool {
        let mut changed = false;
        for cell in 0..self.cells {
            let (from, to) =
                (edge.source.index() * self.cells + cell, edge.target.index() * self.cells + cell);
            let (mut last, mut own) = (self.last[from], self.own[from]);
            if edge.kind != Kind::Plain {
                own = NONE_STORED;
            }
            if let Some(&fact) = edge.writes.iter().find(|(x, _)| x.index() == cell) {
                last = bit(places, fact);
                if edge.kind == Kind::Plain {
                    own = last;
                }
            }
            changed |= last & !self.last[to] != 0 || own & !self.own[to] != 0;
            self.last[to] |= last;
            self.own[to] |= own;
        }
        changed
    }

    /// Whether the process has stored nothing since its buffer was empty, on every way to a control point.
    pub(crate) fn is_drained(&self, control: ControlId) -> bool {
        let first = control.index() * self.cells;
        let sets = self.own.get(first..first + self.cells);
        sets.is_some_and(|sets| sets.iter().all(|set| set & !NONE_STORED == 0))
    }

    /// Whether a value may be the newest own entry of a cell in the buffer.
    pub(crate) fn may_own(&self, places: &Places, control: ControlId, fact: Fact) -> bool {
        let at = control.index() * self.cells + fact.0.index();
        let known = self.own.get(at).filter(|_| control != ControlId::ANY);
        known.is_none_or(|set| set & bit(places, fact) != 0)
    }

    /// Whether memory may have a value in a cell while the process is there.
    pub(crate) fn may_be(&self, places: &Places, control: ControlId, fact: Fact) -> bool {
        let (cell, value): (Cell, Value) = fact;
        if control == ControlId::ANY || value == Value::ANY {
            return true;
        }
        if !self.alone.get(cell.index()).is_some_and(|alone| *alone) {
            return true;
        }
        let set = self.last[control.index() * self.cells + cell.index()];
        let is_initial = value == Places::INITIAL && set & NONE_STORED != 0;
        is_initial || set & bit(places, fact) != 0
    }
}
