//! A list of states, as rows of numbers of parts.
//!
//! Each part of a state (a process, or what all share) is listed once per column, and a state is a row with one number
//! per column: SPIN's collapse compression. Rows are sorted. A row is written as the number of columns that it shares
//! with the row before, the difference in the next column, and the numbers after that; both first ones in one number. So
//! most states take two or three bytes.

use std::collections::HashMap;

use taut_budget::tick;
use taut_witness::State;

use crate::Damaged;
use crate::bytes::{Reader, Writer};
use crate::parts::{Part, Parts};

/// A set of states that grows.
#[derive(Debug)]
pub struct Interner<'p> {
    parts: Parts<'p>,
    columns: Vec<HashMap<Vec<u8>, u32>>,
    /// Each part as a value, by its number.
    values: Vec<Vec<Part>>,
    /// Rows one after the other, in the order in which they were added.
    rows: Vec<u32>,
    /// The numbers of rows by their hashes, each in the first free place from there on; at most half of the places are
    /// taken. A table of numbers takes a tenth of what a map of rows takes.
    places: Vec<u32>,
}

/// A place without a row.
const FREE: u32 = u32::MAX;

impl<'p> Interner<'p> {
    /// An empty set of states of a program.
    pub fn new(parts: Parts<'p>) -> Interner<'p> {
        let columns = vec![HashMap::new(); parts.count()];
        let values = vec![Vec::new(); parts.count()];
        Interner { parts, columns, values, rows: Vec::new(), places: vec![FREE; 16] }
    }

    /// The number of states.
    pub fn len(&self) -> usize {
        self.rows.len() / self.columns.len()
    }

    /// Whether there is no state.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    fn row(&self, number: u32) -> &[u32] {
        &self.rows[number as usize * self.columns.len()..][..self.columns.len()]
    }

    /// The place of a row, taken or free.
    fn place(&self, row: &[u32]) -> usize {
        let mix = |hash: u64, &n: &u32| {
            (hash.rotate_left(5) ^ u64::from(n)).wrapping_mul(0x9e37_79b9_7f4a_7c15)
        };
        let mut at = (row.iter().fold(0, mix) >> 16) as usize % self.places.len();
        while self.places[at] != FREE && self.row(self.places[at]) != row {
            at = (at + 1) % self.places.len();
        }
        at
    }

    /// The number of a state, and whether it is new.
    pub fn insert(&mut self, state: &State) -> Result<(u32, bool), Damaged> {
        let mut row = Vec::with_capacity(self.columns.len());
        for column in 0..self.columns.len() {
            row.push(self.part(column, state)?);
        }
        let place = self.place(&row);
        if self.places[place] != FREE {
            return Ok((self.places[place], false));
        }
        let next = u32::try_from(self.len()).ok().filter(|&next| next < FREE);
        let next = next.ok_or("too many states")?;
        self.places[place] = next;
        self.rows.extend(row);
        if self.len() * 2 > self.places.len() {
            self.places = vec![FREE; self.places.len() * 2];
            for number in 0..=next {
                let place = self.place(self.row(number));
                self.places[place] = number;
            }
        }
        Ok((next, true))
    }

    fn part(&mut self, column: usize, state: &State) -> Result<u32, Damaged> {
        let bytes = self.parts.encode(state, column);
        if let Some(&known) = self.columns[column].get(&bytes) {
            return Ok(known);
        }
        let next = self.values[column].len() as u32;
        self.values[column].push(self.parts.decode(column, &bytes)?);
        self.columns[column].insert(bytes, next);
        Ok(next)
    }

    /// A state by its number.
    pub fn state(&self, number: u32) -> Option<State> {
        if number as usize >= self.len() {
            return None;
        }
        let row = self.row(number);
        self.parts.state(row.iter().zip(&self.values).map(|(&part, all)| &all[part as usize]))
    }

    /// The number of a state, if it is in the set.
    pub fn find(&self, state: &State) -> Option<u32> {
        let mut row = Vec::with_capacity(self.columns.len());
        for (column, numbers) in self.columns.iter().enumerate() {
            row.push(*numbers.get(&self.parts.encode(state, column))?);
        }
        Some(self.places[self.place(&row)]).filter(|&number| number != FREE)
    }

    /// The states in the order in which they are written: for each place its number here.
    pub fn write(self, out: &mut Writer) -> Vec<u32> {
        let mut renumbered = Vec::new();
        for column in self.columns {
            let mut all: Vec<(Vec<u8>, u32)> = column.into_iter().collect();
            all.sort();
            write_parts(out, all.iter().map(|(bytes, _)| bytes.as_slice()));
            let mut numbers = vec![0; all.len()];
            for (new, (_, old)) in all.iter().enumerate() {
                numbers[*old as usize] = new as u32;
            }
            renumbered.push(numbers);
        }
        drop(self.places);
        let (mut rows, width) = (self.rows, renumbered.len());
        for row in rows.chunks_mut(width) {
            for (number, column) in row.iter_mut().zip(&renumbered) {
                *number = column[*number as usize];
            }
        }
        let row = |number: u32| &rows[number as usize * width..][..width];
        let mut order: Vec<u32> = (0..(rows.len() / width) as u32).collect();
        order.sort_by(|&a, &b| row(a).cmp(row(b)));
        write_rows(out, width, order.iter().map(|&number| row(number)));
        order
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

/// A list of states that was read.
#[derive(Debug)]
pub struct Rows<'p> {
    parts: Parts<'p>,
    values: Vec<Vec<Part>>,
    numbers: Vec<HashMap<Vec<u8>, u32>>,
    /// Rows one after the other, sorted.
    rows: Vec<u32>,
}

impl<'p> Rows<'p> {
    /// Reads a list of states of a program.
    pub fn read(parts: Parts<'p>, reader: &mut Reader<'_>) -> Result<Rows<'p>, Damaged> {
        let (mut values, mut numbers) = (Vec::new(), Vec::new());
        for column in 0..parts.count() {
            let (all, by_bytes) = read_parts(parts, column, reader)?;
            values.push(all);
            numbers.push(by_bytes);
        }
        let sizes: Vec<usize> = values.iter().map(Vec::len).collect();
        let rows = read_rows(&sizes, reader)?;
        Ok(Rows { parts, values, numbers, rows })
    }

    /// The number of states.
    pub fn len(&self) -> usize {
        self.rows.len() / self.width()
    }

    /// Whether there is no state.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    fn width(&self) -> usize {
        self.values.len()
    }

    fn row(&self, number: usize) -> &[u32] {
        &self.rows[number * self.width()..][..self.width()]
    }

    /// A state by its number; none if there are not as many.
    pub fn state(&self, number: usize) -> Option<State> {
        if number >= self.len() {
            return None;
        }
        let row = self.row(number).iter().zip(&self.values);
        self.parts.state(row.map(|(&part, all)| &all[part as usize]))
    }

    /// The number of a state in which no process holds the others, if it is in the list.
    pub fn find(&self, state: &State) -> Option<usize> {
        debug_assert!(state.holder.is_none(), "transient states are not listed");
        let mut wanted = Vec::with_capacity(self.width());
        for (column, numbers) in self.numbers.iter().enumerate() {
            wanted.push(*numbers.get(&self.parts.encode(state, column))?);
        }
        let (mut low, mut high) = (0, self.len());
        while low < high {
            let middle = low + (high - low) / 2;
            match self.row(middle).cmp(&wanted) {
                std::cmp::Ordering::Less => low = middle + 1,
                std::cmp::Ordering::Equal => return Some(middle),
                std::cmp::Ordering::Greater => high = middle,
            }
        }
        None
    }
}

type ReadParts = (Vec<Part>, HashMap<Vec<u8>, u32>);

fn read_parts(
    parts: Parts<'_>,
    column: usize,
    reader: &mut Reader<'_>,
) -> Result<ReadParts, Damaged> {
    let count = reader.count()?;
    let (mut all, mut numbers) = (Vec::new(), HashMap::new());
    let mut before: Vec<u8> = Vec::new();
    for number in 0..count {
        tick();
        let shared = reader.below(before.len() + 1, "byte")?;
        let length = reader.count()?;
        before.truncate(shared);
        before.extend_from_slice(reader.raw(length)?);
        all.push(parts.decode(column, &before)?);
        // A part that is listed twice has one number, so that its other one is never found.
        numbers.entry(before.clone()).or_insert(number as u32);
    }
    Ok((all, numbers))
}

fn read_rows(sizes: &[usize], reader: &mut Reader<'_>) -> Result<Vec<u32>, Damaged> {
    let (count, width) = (reader.count()?, sizes.len());
    let mut rows: Vec<u32> = Vec::new();
    for number in 0..count {
        tick();
        let from = if number == 0 {
            0
        } else {
            let code = reader.number()?;
            let (rise, shared) = (code / width as u64, (code % width as u64) as usize);
            let start = rows.len() - width;
            rows.extend_from_within(start..start + shared);
            let value = u64::from(rows[start + shared]).saturating_add(rise).saturating_add(1);
            if value >= sizes[shared] as u64 {
                return Err(Damaged(format!("state {number} has a part that is not listed")));
            }
            rows.push(value as u32);
            shared + 1
        };
        for &size in &sizes[from..] {
            rows.push(reader.below(size, "part")? as u32);
        }
    }
    Ok(rows)
}
