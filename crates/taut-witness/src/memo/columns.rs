//! States as rows of numbers: for each process the number of its part, and one for memory and channels.
//!
//! A part is kept once. Processes of one definition share their numbers, so that the row of a state with two of them
//! exchanged has their numbers exchanged.

use std::collections::HashMap;

use taut_ir::{ProcId, Program};

use super::cells::Cells;
use super::pool::Pool;
use crate::state::{ProcessState, State};

/// The number of a part that is not kept.
pub const UNKNOWN: u32 = u32::MAX;

/// The parts of states, by their numbers.
#[derive(Clone, Debug)]
pub struct Columns<'p> {
    program: &'p Program,
    pub(super) cells: Cells,
    /// For each definition the parts of its processes.
    processes: Vec<Processes>,
    shared: Pool,
    bytes: Vec<u8>,
}

#[derive(Clone, Debug, Default)]
struct Processes {
    values: Vec<ProcessState>,
    numbers: HashMap<ProcessState, u32>,
}

impl<'p> Columns<'p> {
    /// No parts yet.
    pub fn new(program: &'p Program) -> Columns<'p> {
        let processes = vec![Processes::default(); program.defs.len()];
        let (cells, shared) = (Cells::new(program), Pool::new());
        Columns { program, cells, processes, shared, bytes: Vec::new() }
    }

    /// The program.
    pub fn program(&self) -> &'p Program {
        self.program
    }

    /// The number of columns of a row.
    pub fn width(&self) -> usize {
        self.program.processes.len() + 1
    }

    /// How many parts a column can have.
    pub fn count(&self, column: usize) -> usize {
        match self.program.processes.get(column) {
            Some(process) => self.processes[process.def.index()].values.len(),
            None => self.shared.len(),
        }
    }

    /// The part of a process by its number.
    pub fn process(&self, id: ProcId, number: u32) -> &ProcessState {
        &self.processes[self.program.process(id).def.index()].values[number as usize]
    }

    /// Memory and channels by their number.
    pub fn shared(&self, number: u32) -> (Vec<Vec<i64>>, Vec<Vec<Vec<i64>>>) {
        self.cells.decode(self.shared.get(number))
    }

    pub(super) fn shared_bytes(&self, number: u32) -> &[u8] {
        self.shared.get(number)
    }

    /// The state of a row all of whose parts are kept; nobody holds the others.
    pub fn state(&self, row: &[u32]) -> State {
        let (memory, channels) = self.shared(row[row.len() - 1]);
        let processes = self.program.process_ids().zip(row);
        let processes = processes.map(|(id, &number)| self.process(id, number).clone()).collect();
        State { memory, processes, channels, holder: None }
    }

    /// Keeps the part of a process: its number.
    pub fn add_process(&mut self, id: ProcId, part: &ProcessState) -> u32 {
        let all = &mut self.processes[self.program.process(id).def.index()];
        if let Some(&number) = all.numbers.get(part) {
            return number;
        }
        let number = all.values.len() as u32;
        all.values.push(part.clone());
        all.numbers.insert(part.clone(), number);
        number
    }

    /// Keeps memory and channels: their number.
    pub fn add_shared(&mut self, memory: &[Vec<i64>], channels: &[Vec<Vec<i64>>]) -> u32 {
        let mut bytes = std::mem::take(&mut self.bytes);
        self.cells.encode(memory, channels, &mut bytes);
        let (number, _) = self.shared.insert(&bytes);
        self.bytes = bytes;
        number
    }

    /// The row of a state, without what process holds the others.
    pub fn add(&mut self, state: &State) -> Vec<u32> {
        let processes = self.program.process_ids().zip(&state.processes);
        let mut row: Vec<u32> = processes.map(|(id, part)| self.add_process(id, part)).collect();
        row.push(self.add_shared(&state.memory, &state.channels));
        row
    }

    /// The same for parts that are kept already; [`UNKNOWN`] for others.
    pub fn find(&self, state: &State) -> Vec<u32> {
        let mut own = self;
        let processes = self.program.process_ids().zip(&state.processes);
        let mut row: Vec<u32> =
            processes.map(|(id, part)| own.number_of_process(id, part)).collect();
        let mut bytes = Vec::new();
        self.cells.encode(&state.memory, &state.channels, &mut bytes);
        row.push(own.number_of_shared(&bytes));
        row
    }
}

/// What gives new parts their numbers: [`Columns`] keep them, a reference to them only finds what is kept.
pub trait Numbers<'p> {
    /// The parts that are kept.
    fn columns(&self) -> &Columns<'p>;
    /// The number of the part of a process.
    fn number_of_process(&mut self, id: ProcId, part: &ProcessState) -> u32;
    /// The number of memory and channels, as bytes.
    fn number_of_shared(&mut self, bytes: &[u8]) -> u32;
}

impl<'p> Numbers<'p> for Columns<'p> {
    fn columns(&self) -> &Columns<'p> {
        self
    }

    fn number_of_process(&mut self, id: ProcId, part: &ProcessState) -> u32 {
        self.add_process(id, part)
    }

    fn number_of_shared(&mut self, bytes: &[u8]) -> u32 {
        self.shared.insert(bytes).0
    }
}

impl<'p> Numbers<'p> for &Columns<'p> {
    fn columns(&self) -> &Columns<'p> {
        self
    }

    fn number_of_process(&mut self, id: ProcId, part: &ProcessState) -> u32 {
        let all = &self.processes[self.program.process(id).def.index()];
        all.numbers.get(part).copied().unwrap_or(UNKNOWN)
    }

    fn number_of_shared(&mut self, bytes: &[u8]) -> u32 {
        self.shared.find(bytes).unwrap_or(UNKNOWN)
    }
}

/// The row of a state.
pub(super) fn number<'p>(
    numbers: &mut impl Numbers<'p>,
    state: &State,
    bytes: &mut Vec<u8>,
) -> Vec<u32> {
    let program = numbers.columns().program();
    let processes = program.process_ids().zip(&state.processes);
    let mut row: Vec<u32> =
        processes.map(|(id, part)| numbers.number_of_process(id, part)).collect();
    numbers.columns().cells.encode(&state.memory, &state.channels, bytes);
    row.push(numbers.number_of_shared(bytes));
    row
}
