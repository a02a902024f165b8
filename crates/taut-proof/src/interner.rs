//! A set of states that grows, and how it is written.

use taut_budget::tick;
use taut_ir::ProcId;
use taut_witness::State;
use taut_witness::memo::Columns;

use crate::Damaged;
use crate::bytes::Writer;
use crate::parts::Parts;
use crate::rows::{FREE, hash};

/// A set of states that grows.
#[derive(Debug)]
pub struct Interner<'p> {
    parts: Parts<'p>,
    columns: Columns<'p>,
    /// Rows one after the other, in the order in which they were added.
    rows: Vec<u32>,
    /// The numbers of rows by their hashes, each in the first free place from there on; at most half of the places are
    /// taken, and their number is a power of two.
    places: Vec<u32>,
}

impl<'p> Interner<'p> {
    /// An empty set of states of a program.
    pub fn new(parts: Parts<'p>) -> Interner<'p> {
        let columns = Columns::new(parts.program());
        Interner { parts, columns, rows: Vec::new(), places: vec![FREE; 16] }
    }

    /// The number of states.
    pub fn len(&self) -> usize {
        self.rows.len() / self.parts.count()
    }

    /// Whether there is no state.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// The parts of states.
    pub fn columns(&mut self) -> &mut Columns<'p> {
        &mut self.columns
    }

    /// The row of a state that there is.
    pub fn row(&self, number: u32) -> &[u32] {
        &self.rows[number as usize * self.parts.count()..][..self.parts.count()]
    }

    /// The place of a row, taken or free.
    fn place(&self, row: &[u32]) -> usize {
        let mask = self.places.len() - 1;
        let mut at = hash(row.iter().map(|&number| u64::from(number))) & mask;
        while self.places[at] != FREE && self.row(self.places[at]) != row {
            at = (at + 1) & mask;
        }
        at
    }

    /// The number of a state, and whether it is new. The state must fit the program.
    pub fn insert(&mut self, state: &State) -> Result<(u32, bool), Damaged> {
        for (column, process) in state.processes.iter().enumerate() {
            self.parts.decode(column, &self.parts.encode_process(process))?;
        }
        let shared = self.parts.encode_shared(&state.memory, &state.channels);
        self.parts.decode(state.processes.len(), &shared)?;
        let row = self.columns.add(state);
        self.insert_row(&row)
    }

    /// The number of a row, and whether it is new.
    pub fn insert_row(&mut self, row: &[u32]) -> Result<(u32, bool), Damaged> {
        let place = self.place(row);
        if self.places[place] != FREE {
            return Ok((self.places[place], false));
        }
        let next = u32::try_from(self.len()).ok().filter(|&next| next < FREE);
        let next = next.ok_or("too many states")?;
        self.places[place] = next;
        self.rows.extend_from_slice(row);
        if self.len() * 2 > self.places.len() {
            self.places = vec![FREE; self.places.len() * 2];
            for number in 0..=next {
                let place = self.place(self.row(number));
                self.places[place] = number;
            }
        }
        Ok((next, true))
    }

    /// A state by its number.
    pub fn state(&self, number: u32) -> Option<State> {
        ((number as usize) < self.len()).then(|| self.columns.state(self.row(number)))
    }

    /// The number of a state, if it is in the set.
    pub fn find(&self, state: &State) -> Option<u32> {
        self.find_row(&self.columns.find(state))
    }

    /// The number of a row, if it is in the set.
    pub fn find_row(&self, row: &[u32]) -> Option<u32> {
        Some(self.places[self.place(row)]).filter(|&number| number != FREE)
    }

    /// The states in the order in which they are written: for each place its number here.
    pub fn write(self, out: &mut Writer) -> Vec<u32> {
        let Interner { parts, columns, mut rows, places } = self;
        drop(places);
        let width = parts.count();
        for column in 0..width {
            let mut is_used = vec![false; columns.count(column)];
            rows.iter().skip(column).step_by(width).for_each(|&n| is_used[n as usize] = true);
            let used = (0..is_used.len()).filter(|&number| is_used[number]);
            let mut all: Vec<(Vec<u8>, usize)> = used
                .map(|number| (encode(parts, &columns, column, number as u32), number))
                .collect();
            all.sort();
            write_parts(out, all.iter().map(|(bytes, _)| bytes.as_slice()));
            let mut numbers = vec![0; is_used.len()];
            for (new, (_, old)) in all.iter().enumerate() {
                numbers[*old] = new as u32;
            }
            rows.iter_mut().skip(column).step_by(width).for_each(|n| *n = numbers[*n as usize]);
        }
        let row = |number: u32| &rows[number as usize * width..][..width];
        let mut order: Vec<u32> = (0..(rows.len() / width) as u32).collect();
        order.sort_unstable_by(|&a, &b| row(a).cmp(row(b)));
        write_rows(out, width, order.iter().map(|&number| row(number)));
        order
    }
}

/// A part as bytes.
fn encode(parts: Parts<'_>, columns: &Columns<'_>, column: usize, number: u32) -> Vec<u8> {
    tick();
    match column + 1 < parts.count() {
        true => parts.encode_process(columns.process(ProcId::from(column), number)),
        false => {
            let (memory, channels) = columns.shared(number);
            parts.encode_shared(&memory, &channels)
        }
    }
}

fn write_parts<'b>(out: &mut Writer, all: impl ExactSizeIterator<Item = &'b [u8]>) {
    out.number(all.len() as u64);
    let mut before: &[u8] = &[];
    for bytes in all {
        let shared = before.iter().zip(bytes).take_while(|(a, b)| a == b).count();
        out.number(shared as u64);
        out.number((bytes.len() - shared) as u64);
        out.raw(&bytes[shared..]);
        before = bytes;
    }
}

fn write_rows<'r>(
    out: &mut Writer,
    width: usize,
    rows: impl ExactSizeIterator<Item = &'r [u32]> + Clone,
) {
    out.number(rows.len() as u64);
    let mut before: Option<&[u32]> = None;
    for row in rows {
        match before {
            None => row.iter().for_each(|&n| out.number(u64::from(n))),
            Some(before) => {
                let shared = before.iter().zip(row).take_while(|(a, b)| a == b).count();
                debug_assert!(shared < width && row[shared] > before[shared], "rows are sorted");
                let rise = u64::from(row[shared] - before[shared]);
                out.number((rise - 1) * width as u64 + shared as u64);
                row[shared + 1..].iter().for_each(|&n| out.number(u64::from(n)));
            }
        }
        before = Some(row);
    }
}
