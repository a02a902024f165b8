//! The numbers that a document has for processes, cells and registers, and the places at which a process
//! can go on.

use taut_html::Place;
use taut_ir::{PointId, ProcId, Program, RegId};
use taut_witness::{Address, Run, State};

use super::places::Texts;

/// A run and the numbers of what is in it.
pub(super) struct Numbers<'a> {
    pub(super) program: &'a Program,
    pub(super) run: &'a Run,
    /// The processes that live at some time.
    lanes: Vec<ProcId>,
    /// For each variable, the number of its first cell.
    first: Vec<usize>,
}

impl<'a> Numbers<'a> {
    pub(super) fn new(program: &'a Program, run: &'a Run) -> Numbers<'a> {
        let states = || std::iter::once(&run.initial).chain(run.rows.iter().map(|row| &row.after));
        let lives = |p: &ProcId| states().any(|state| state.process(*p).started);
        let mut first = Vec::new();
        let mut cells = 0;
        for variable in &program.vars {
            first.push(cells);
            cells += variable.size() as usize;
        }
        Numbers { program, run, lanes: program.process_ids().filter(lives).collect(), first }
    }

    pub(super) fn lanes(&self) -> &[ProcId] {
        &self.lanes
    }

    /// The number of a process that takes part in the run.
    pub(super) fn lane(&self, process: ProcId) -> usize {
        self.lanes.binary_search(&process).expect("who acts lives")
    }

    pub(super) fn cell(&self, address: Address) -> usize {
        self.first[address.var.index()] + address.index as usize
    }

    pub(super) fn addresses(&self) -> impl Iterator<Item = Address> {
        let vars = self.program.var_ids();
        vars.flat_map(|var| {
            (0..self.program.var(var).size()).map(move |index| Address { var, index })
        })
    }

    /// The registers of a process, elements of arrays one by one.
    pub(super) fn registers(&self, process: ProcId) -> impl Iterator<Item = (RegId, u32)> {
        let registers = self.program.def_of(process).registers.iter().enumerate();
        registers.flat_map(|(i, r)| (0..r.size()).map(move |index| (RegId::from(i), index)))
    }

    /// The lines of the steps that a process may take next; none if it does not live or has ended.
    pub(super) fn at(&self, state: &State, id: ProcId, texts: &mut Texts<'_>) -> Vec<Place> {
        let process = state.process(id);
        if !process.started {
            return Vec::new();
        }
        self.leaving(id, process.point, texts)
    }

    fn leaving(&self, id: ProcId, point: PointId, texts: &mut Texts<'_>) -> Vec<Place> {
        let steps = self.program.def_of(id).steps_from(point);
        let mut places: Vec<_> = steps.filter_map(|(_, step)| texts.place(step.span)).collect();
        places.sort();
        places.dedup();
        places
    }
}
