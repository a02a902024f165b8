//! The one model of a run that every output draws from.
//!
//! A [`RunView`] is a program, its sources and a run that [`taut_witness::replay()`] has accepted. It answers what there is
//! to show: the rows ([`RowView`]), in each the parts that processes have in it ([`PartView`]: the text of the step, the
//! values that came out of it, what was read and written), and the states between them ([`StateView`]: memory, registers,
//! buffers, channels, program points). Names of elements, texts of actions and contents of buffers are put into words
//! here and nowhere else; outputs say only how to lay them out. So is what became of a condition or of a compare-and-swap
//! ([`PartView::outcome`]), which rows matter (`folds`), and which buffers a row changes (`buffers`).
//!
//! ```text
//! RunView ── rows: RowView ── parts: PartView     who does what, with which values
//!    │             └ before, after: StateView     what is where
//!    └ names: Names                               what everything is called
//! ```
//!
//! Nothing is copied: rows and states are borrowed from the run, and words are made when they are asked for. So a view of
//! a run of a million rows costs nothing, and an output that shows ten of them pays for ten.

mod buffers;
mod folds;
mod names;
mod part;
mod row;
mod state;

use taut_ir::{Memory, ProcId, Program, StepId};
use taut_source::SourceMap;
use taut_witness::{AtomTruths, Machine, Run, State};

pub use buffers::BufferView;
pub use folds::{Fold, ShownRow};
pub use names::{Names, constants, is_hidden};
pub(crate) use part::told_text;
pub use part::{AccessView, PartView};
pub use row::{ActionKind, MessageView, RowView};
pub use state::{Held, PointView, StateView, ValueView};

/// A run and the names of what is in it.
#[derive(Clone, Copy, Debug)]
pub struct RunView<'a> {
    names: Names<'a>,
    run: &'a Run,
}

impl<'a> RunView<'a> {
    /// A run of a program.
    pub fn new(program: &'a Program, sources: &'a SourceMap, run: &'a Run) -> RunView<'a> {
        RunView { names: Names::new(program, sources), run }
    }

    /// The names of what is in it.
    pub fn names(self) -> Names<'a> {
        self.names
    }

    /// The program.
    pub fn program(self) -> &'a Program {
        self.names.program()
    }

    /// The run.
    pub fn run(self) -> &'a Run {
        self.run
    }

    /// The memory system.
    pub fn memory(self) -> Memory {
        self.run.memory
    }

    /// The machine that says what could happen.
    pub fn machine(self) -> Machine<'a> {
        Machine::new(self.program(), self.run.memory)
    }

    /// Number of rows.
    pub fn len(self) -> usize {
        self.run.rows.len()
    }

    /// Whether nothing happens.
    pub fn is_empty(self) -> bool {
        self.run.rows.is_empty()
    }

    /// A row, counted from 0.
    pub fn row(self, index: usize) -> RowView<'a> {
        RowView::new(self.names, &self.run.rows[index], self.run.before(index))
    }

    /// All rows.
    pub fn rows(self) -> impl Iterator<Item = RowView<'a>> {
        (0..self.len()).map(move |index| self.row(index))
    }

    /// The state at the start.
    pub fn start(self) -> StateView<'a> {
        self.names.state(&self.run.initial)
    }

    /// The state at the end.
    pub fn end(self) -> StateView<'a> {
        self.names.state(self.run.last())
    }

    /// The states: the start, and the one after each row.
    pub fn states(self) -> impl Iterator<Item = &'a State> {
        std::iter::once(&self.run.initial).chain(self.run.rows.iter().map(|row| &row.after))
    }

    /// The step that a process takes in a row.
    pub fn step_of(self, row: usize, process: ProcId) -> Option<StepId> {
        let row = self.run.rows.get(row)?;
        self.names.part(row, process)?.step()
    }

    /// The line of the step that a process takes in a row.
    pub fn line_of(self, row: usize, process: ProcId) -> Option<u32> {
        self.names.step_line(process, self.step_of(row, process)?)
    }

    /// The processes that do something, or whose store commits, in some row.
    pub fn acting(self) -> Vec<ProcId> {
        let mut all: Vec<_> = self.rows().flat_map(|row| row.acting()).collect();
        all.sort();
        all.dedup();
        all
    }

    /// The processes that live at some time.
    pub fn living(self) -> Vec<ProcId> {
        let lives = |p: &ProcId| self.states().any(|state| state.process(*p).started);
        self.program().process_ids().filter(lives).collect()
    }

    /// For a property of runs, its atoms with their truth.
    pub fn atoms(self) -> Option<&'a AtomTruths> {
        self.run.atoms.as_ref()
    }

    /// The truth of the atoms after so many rows; none where per process holds the others.
    pub fn truth(self, rows: usize) -> Option<&'a [bool]> {
        self.atoms()?.at.get(rows)?.as_deref()
    }
}
