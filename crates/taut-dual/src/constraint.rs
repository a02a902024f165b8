//! Constraints: sets of states of the dual semantics, each written as a row of numbers.
//!
//! A constraint has a *frame* (is memory frozen, see [`crate::obligation`]), a control point per process, a value per
//! cell, and a *word* per process. Control points and values may be *any*. It stands for all states that agree with
//! what is given and whose buffers fit the words:
//!
//! A buffer *fits* a word if the word can be embedded into it, oldest entry first, such that
//!
//! - an own entry `own(x, v)` of the word is the newest own store to `x` in the buffer;
//! - no own store to `x` in the buffer is newer than a message about `x` of the word.
//!
//! So a word has what later loads need, and nothing else. Where it does not speak of `x`, any own store to `x`
//! may be in the buffer. In a well-formed word messages about `x` are newer than `own(x, v)`.
//!
//! The order: `a ⊑ b` (a stands for all that b stands for) if a has the same or *any* everywhere and each word
//! of a is a subword of that of b. By Higman's lemma this is a well-quasi-order: control points, values
//! and entries are finitely many.
//!
//! The row: `[frame, control points…, values…, lengths of words…, entries…]`.

use crate::places::{Cell, Value};
use crate::symbol::Symbol;
use crate::system::ControlId;

/// The sizes of the parts of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Shape {
    pub(crate) processes: usize,
    pub(crate) cells: usize,
}

impl Shape {
    /// The length of what has to agree: frame, control points and values.
    pub(crate) fn head(self) -> usize {
        1 + self.processes + self.cells
    }

    /// The length of a row without entries.
    fn fixed(self) -> usize {
        self.head() + self.processes
    }
}

/// A row that is worked on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Constraint {
    shape: Shape,
    row: Vec<u32>,
}

impl Constraint {
    /// Everything: nothing is asked.
    pub(crate) fn everything(shape: Shape) -> Constraint {
        Constraint { shape, row: vec![0; shape.fixed()] }
    }

    /// From a row that was kept.
    pub(crate) fn of(shape: Shape, row: &[u32]) -> Constraint {
        Constraint { shape, row: row.to_vec() }
    }

    /// Becomes a copy without taking new memory.
    pub(crate) fn copy(&mut self, other: &Constraint) {
        self.shape = other.shape;
        self.row.clear();
        self.row.extend_from_slice(&other.row);
    }

    /// Becomes a copy of a row that was kept.
    pub(crate) fn copy_row(&mut self, row: &[u32]) {
        self.row.clear();
        self.row.extend_from_slice(row);
    }

    pub(crate) fn shape(&self) -> Shape {
        self.shape
    }

    pub(crate) fn row(&self) -> &[u32] {
        &self.row
    }

    pub(crate) fn frame(&self) -> u32 {
        self.row[0]
    }

    pub(crate) fn set_frame(&mut self, frame: u32) {
        self.row[0] = frame;
    }

    pub(crate) fn control(&self, process: usize) -> ControlId {
        ControlId(self.row[1 + process])
    }

    pub(crate) fn set_control(&mut self, process: usize, control: ControlId) {
        self.row[1 + process] = control.0;
    }

    pub(crate) fn value(&self, cell: Cell) -> Value {
        Value(self.row[1 + self.shape.processes + cell.index()])
    }

    pub(crate) fn set_value(&mut self, cell: Cell, value: Value) {
        self.row[1 + self.shape.processes + cell.index()] = value.0;
    }

    /// Whether a cell may have a value.
    pub(crate) fn allows(&self, (cell, value): (Cell, Value)) -> bool {
        let own = self.value(cell);
        own == Value::ANY || own == value
    }

    fn start(&self, process: usize) -> usize {
        let lengths = &self.row[self.shape.head()..self.shape.head() + process];
        self.shape.fixed() + lengths.iter().sum::<u32>() as usize
    }

    /// The entries of a process, the oldest first.
    pub(crate) fn word(&self, process: usize) -> &[u32] {
        let start = self.start(process);
        &self.row[start..start + self.row[self.shape.head() + process] as usize]
    }

    /// Whether no entries are asked for.
    pub(crate) fn has_no_entries(&self) -> bool {
        self.row.len() == self.shape.fixed()
    }

    /// The number of entries.
    pub(crate) fn entries(&self) -> usize {
        self.row.len() - self.shape.fixed()
    }

    pub(crate) fn insert(&mut self, process: usize, position: usize, symbol: Symbol) {
        let at = self.start(process) + position;
        self.row[self.shape.head() + process] += 1;
        self.row.insert(at, symbol.0);
    }

    /// Takes off the newest entry.
    pub(crate) fn pop(&mut self, process: usize) {
        let last = self.start(process) + self.word(process).len() - 1;
        self.row[self.shape.head() + process] -= 1;
        self.row.remove(last);
    }
}

/// Whether each word of one row is a subword of the other's. The heads are looked at elsewhere.
pub(crate) fn are_subwords(shape: Shape, small: &[u32], large: &[u32]) -> bool {
    let lengths = shape.head()..shape.fixed();
    let pairs = small[lengths.clone()].iter().zip(&large[lengths]);
    let (mut s, mut l) = (&small[shape.fixed()..], &large[shape.fixed()..]);
    for (&short, &long) in pairs {
        if short > long {
            return false;
        }
        let (own, rest) = s.split_at(short as usize);
        let (other, left) = l.split_at(long as usize);
        if !is_subword(own, other) {
            return false;
        }
        (s, l) = (rest, left);
    }
    true
}

fn is_subword(small: &[u32], large: &[u32]) -> bool {
    let mut large = large.iter();
    small.iter().all(|symbol| large.any(|other| other == symbol))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_several_processes_stand_in_one_row() {
        let mut c = Constraint::everything(Shape { processes: 2, cells: 1 });
        c.insert(1, 0, Symbol(7));
        c.insert(0, 0, Symbol(5));
        c.insert(0, 1, Symbol(6));
        assert_eq!((c.word(0), c.word(1)), (&[5, 6][..], &[7][..]));
        c.pop(0);
        assert_eq!((c.word(0), c.word(1), c.entries()), (&[5][..], &[7][..], 2));
    }

    #[test]
    fn subwords_keep_the_order() {
        assert!(is_subword(&[1, 3], &[1, 2, 3]));
        assert!(!is_subword(&[3, 1], &[1, 2, 3]));
        assert!(!is_subword(&[1, 1], &[1, 2]));
        assert!(is_subword(&[], &[]));
    }
}
