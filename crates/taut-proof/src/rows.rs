//! A list of states, as rows of numbers of parts.
//!
//! Each part of a state (a process, or what all share) is listed once per column, and a state is a row with one number
//! per column: SPIN's collapse compression. Rows are sorted. A row is written as the number of columns that it shares
//! with the row before, the difference in the next column, and the numbers after that; both first ones in one number. So
//! most states take two or three bytes.
//!
//! In memory the numbers of a row stand side by side in as few bits as they need.

use taut_budget::tick;
use taut_ir::ProcId;
use taut_witness::State;
use taut_witness::memo::{Columns, UNKNOWN};

use crate::Damaged;
use crate::bytes::Reader;
use crate::parts::{Part, Parts};

/// A place without a row.
pub(crate) const FREE: u32 = u32::MAX;

/// Number of rows that are looked for side by side.
const BATCH: usize = 32;

/// A hash whose upper bits depend on all words.
pub(crate) fn hash(words: impl Iterator<Item = u64>) -> usize {
    let mix = |hash: u64, word: u64| {
        let mixed = (hash ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        mixed ^ mixed >> 32
    };
    mix(words.fold(0, mix), 0) as usize
}

/// Sorts the processes of each group in a row.
pub fn sort_groups(row: &mut [u32], groups: &[Vec<usize>]) {
    for group in groups {
        for end in 1..group.len() {
            let mut at = end;
            while at > 0 && row[group[at - 1]] > row[group[at]] {
                row.swap(group[at - 1], group[at]);
                at -= 1;
            }
        }
    }
}

/// Where the number of a column is in the words of a row.
#[derive(Clone, Copy, Debug)]
struct Field {
    word: usize,
    shift: u32,
    mask: u64,
}

/// A list of states that was read.
#[derive(Debug)]
pub struct Rows<'p> {
    columns: Columns<'p>,
    fields: Vec<Field>,
    /// The number of words of a row.
    width: usize,
    /// Rows one after the other, with the processes of each group sorted.
    words: Vec<u64>,
    /// Where there are groups, rows as they are listed.
    listed: Vec<u64>,
    /// The numbers of rows by their hashes, each in the first free place from there on. The number of places is a power of
    /// two.
    places: Vec<u32>,
    groups: Vec<Vec<usize>>,
}

impl<'p> Rows<'p> {
    /// Reads a list of states of a program.
    pub fn read(parts: Parts<'p>, reader: &mut Reader<'_>) -> Result<Rows<'p>, Damaged> {
        Rows::read_sorted(parts, reader, Vec::new())
    }

    /// The same. States are found whatever the order of the processes of each group.
    pub fn read_sorted(
        parts: Parts<'p>,
        reader: &mut Reader<'_>,
        groups: Vec<Vec<usize>>,
    ) -> Result<Rows<'p>, Damaged> {
        let mut columns = Columns::new(parts.program());
        let mut numbers = Vec::new();
        for column in 0..parts.count() {
            numbers.push(read_parts(parts, column, reader, &mut columns)?);
        }
        let (fields, width) = fields(&columns);
        let (words, listed, places) = (Vec::new(), Vec::new(), Vec::new());
        let mut rows = Rows { columns, fields, width, words, listed, places, groups };
        rows.read_rows(&numbers, reader)?;
        rows.index();
        Ok(rows)
    }

    fn read_rows(&mut self, numbers: &[Vec<u32>], reader: &mut Reader<'_>) -> Result<(), Damaged> {
        let (count, width) = (reader.count()?, numbers.len());
        if count >= FREE as usize {
            return Err("too many states".into());
        }
        let (mut listed, mut row) = (vec![0_u32; width], vec![0; width]);
        for number in 0..count {
            tick();
            let from = if number == 0 { 0 } else { rise(&mut listed, numbers, number, reader)? };
            for (column, known) in numbers.iter().enumerate().skip(from) {
                listed[column] = reader.below(known.len(), "part")? as u32;
            }
            for (own, (known, &part)) in row.iter_mut().zip(numbers.iter().zip(&listed)) {
                *own = known[part as usize];
            }
            if !self.groups.is_empty() {
                push(&self.fields, &row, self.width, &mut self.listed);
                sort_groups(&mut row, &self.groups);
            }
            push(&self.fields, &row, self.width, &mut self.words);
        }
        Ok(())
    }

    /// Makes the table of rows.
    fn index(&mut self) {
        let size = (self.len() * 3 / 2 + 1).next_power_of_two();
        self.places = vec![FREE; size];
        let mut homes = Vec::new();
        for start in (0..self.len()).step_by(BATCH) {
            tick();
            let numbers = start..self.len().min(start + BATCH);
            homes.clear();
            homes.extend(numbers.clone().map(|number| self.home(self.packed(number))));
            self.touch(&homes);
            for (number, &home) in numbers.zip(&homes) {
                let place = self.place(self.packed(number), home);
                // A row that is listed twice is found where it is first.
                if self.places[place] == FREE {
                    self.places[place] = number as u32;
                }
            }
        }
    }

    /// Where the search for a row begins.
    fn home(&self, words: &[u64]) -> usize {
        hash(words.iter().copied()) & (self.places.len() - 1)
    }

    /// The place of a row, taken or free, from its home on.
    fn place(&self, words: &[u64], home: usize) -> usize {
        let mut at = home;
        while self.places[at] != FREE && !self.is_at(self.places[at], words) {
            at = (at + 1) & (self.places.len() - 1);
        }
        at
    }

    /// Whether a number is that of a row. Rows are short: a loop is faster than a comparison of slices.
    fn is_at(&self, number: u32, words: &[u64]) -> bool {
        self.packed(number as usize).iter().zip(words).all(|(a, b)| a == b)
    }

    fn packed(&self, number: usize) -> &[u64] {
        &self.words[number * self.width..][..self.width]
    }

    /// The number of states.
    pub fn len(&self) -> usize {
        self.words.len() / self.width
    }

    /// Whether there is no state.
    pub fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    /// The parts that are listed.
    pub fn columns(&self) -> &Columns<'p> {
        &self.columns
    }

    /// The row of a number that there is, as it is listed.
    pub fn row(&self, number: usize, row: &mut Vec<u32>) {
        let words = if self.groups.is_empty() { &self.words } else { &self.listed };
        let packed = &words[number * self.width..][..self.width];
        let read = |field: &Field| (packed[field.word] >> field.shift & field.mask) as u32;
        row.clear();
        row.extend(self.fields.iter().map(read));
    }

    /// Brings into the cache what the search from some homes needs. A table of millions of rows is in no cache: read side by side,
    /// the processor waits for several of its places at once, and not for one after the other.
    fn touch(&self, homes: &[usize]) {
        let first = |&home: &usize| Some(self.places[home]).filter(|&number| number != FREE);
        let numbers = homes.iter().filter_map(first);
        let sum = numbers.fold(0, |sum, number| sum ^ self.words[number as usize * self.width]);
        std::hint::black_box(sum);
    }

    /// Adds a row to some words, its groups sorted; false if it has a part that is not listed.
    pub fn pack(&self, row: &mut [u32], words: &mut Vec<u64>) -> bool {
        let is_known = !row.contains(&UNKNOWN);
        if is_known {
            sort_groups(row, &self.groups);
            push(&self.fields, row, self.width, words);
        }
        is_known
    }

    /// For each of some rows its number, if it is in the list.
    pub fn find_packed(&self, words: &[u64], found: &mut Vec<Option<usize>>) {
        found.clear();
        let mut homes = [0; BATCH];
        for rows in words.chunks(self.width * BATCH) {
            let rows = rows.chunks_exact(self.width);
            let homes = &mut homes[..rows.len()];
            homes.iter_mut().zip(rows.clone()).for_each(|(home, row)| *home = self.home(row));
            self.touch(homes);
            let numbers = rows.zip(homes).map(|(row, home)| self.places[self.place(row, *home)]);
            found.extend(numbers.map(|n| (n != FREE).then_some(n as usize)));
        }
        debug_assert_eq!(words.len() / self.width, found.len(), "one answer per row");
    }

    /// The number of a row, whatever the order of its groups, if it is in the list.
    pub fn find_row(&self, row: &mut [u32]) -> Option<usize> {
        let (mut words, mut found) = (Vec::new(), Vec::new());
        if self.pack(row, &mut words) {
            self.find_packed(&words, &mut found);
        }
        found.pop().flatten()
    }

    /// A state by its number; none if there are not as many.
    pub fn state(&self, number: usize) -> Option<State> {
        let mut row = Vec::new();
        (number < self.len()).then(|| {
            self.row(number, &mut row);
            self.columns.state(&row)
        })
    }

    /// The number of a state in which no process holds the others, if it is in the list.
    pub fn find(&self, state: &State) -> Option<usize> {
        debug_assert!(state.holder.is_none(), "transient states are not listed");
        self.find_row(&mut self.columns.find(state))
    }
}

/// Adds a row to some words.
fn push(fields: &[Field], row: &[u32], width: usize, words: &mut Vec<u64>) {
    let start = words.len();
    words.resize(start + width, 0);
    pack(fields, row, &mut words[start..]);
}

/// Puts the numbers of a row into its words.
fn pack(fields: &[Field], row: &[u32], words: &mut [u64]) {
    for (field, &number) in fields.iter().zip(row) {
        debug_assert!(u64::from(number) <= field.mask, "a part that is listed");
        words[field.word] |= u64::from(number) << field.shift;
    }
}

/// Where the numbers of columns are in the words of a row, and how many words that are.
fn fields(columns: &Columns<'_>) -> (Vec<Field>, usize) {
    let (mut all, mut word, mut used) = (Vec::new(), 0, 0);
    for column in 0..columns.width() {
        let most = columns.count(column).saturating_sub(1) as u64;
        let bits = u64::BITS - most.leading_zeros();
        if used + bits > u64::BITS {
            (word, used) = (word + 1, 0);
        }
        all.push(Field { word, shift: used.min(u64::BITS - 1), mask: (1 << bits) - 1 });
        used += bits;
    }
    (all, word + 1)
}

/// Reads the parts of a column: the number of each.
fn read_parts(
    parts: Parts<'_>,
    column: usize,
    reader: &mut Reader<'_>,
    columns: &mut Columns<'_>,
) -> Result<Vec<u32>, Damaged> {
    let mut all = Vec::new();
    let mut before: Vec<u8> = Vec::new();
    for _ in 0..reader.count()? {
        tick();
        let shared = reader.below(before.len() + 1, "byte")?;
        let length = reader.count()?;
        before.truncate(shared);
        before.extend_from_slice(reader.raw(length)?);
        all.push(match parts.decode(column, &before)? {
            Part::Process(process) => columns.add_process(ProcId::from(column), &process),
            Part::Shared(memory, channels) => columns.add_shared(&memory, &channels),
        });
    }
    Ok(all)
}

/// Reads what a row shares with the one before, and the difference in the next column: the column after that.
fn rise(
    listed: &mut [u32],
    numbers: &[Vec<u32>],
    number: usize,
    reader: &mut Reader<'_>,
) -> Result<usize, Damaged> {
    let code = reader.number()?;
    let (rise, shared) = (code / listed.len() as u64, (code % listed.len() as u64) as usize);
    let value = u64::from(listed[shared]).saturating_add(rise).saturating_add(1);
    if value >= numbers[shared].len() as u64 {
        return Err(Damaged(format!("state {number} has a part that is not listed")));
    }
    listed[shared] = value as u32;
    Ok(shared + 1)
}
