//! The constraints that a search has kept, and the question whether one of them asks for no more than a new one.
//!
//! Constraints are in groups by where they say *any*, and within a group by a hash of the rest of their heads. A new one
//! can only be included in one of a group that says *any* wherever it does; there, the hash of its head without
//! what the group leaves open finds the candidates. Those are in runs by the set of their entries (a signature of 64
//! bits), so that one comparison decides for all candidates of a run; words are looked at where signatures leave it open.
//! Long searches have hundreds of thousands of candidates per head and few signatures.

use std::cell::Cell;
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use taut_fault::{Fault, is_on};

use crate::constraint::{Constraint, Shape, are_subwords};
use crate::pre::Move;

/// A constraint that was kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct KeptId(pub u32);

#[derive(Debug)]
struct Entry {
    start: u32,
    length: u32,
    signature: u64,
    /// The constraint that it comes from, by a move; itself at the start.
    from: KeptId,
    by: Move,
    is_alive: bool,
}

/// Constraints that say *any* in the same places.
#[derive(Debug)]
struct Group {
    /// The positions of the head that are given, as a mask; heads are rarely longer than 64, and positions beyond
    /// count as given.
    given: u128,
    table: HashMap<u64, Vec<Run>, BuildHasherDefault<Same>>,
}

/// Constraints of one head whose words have the same entries, as far as the signature tells.
#[derive(Debug)]
struct Run {
    signature: u64,
    ids: Vec<KeptId>,
}

/// The hash is the key.
#[derive(Debug, Default)]
struct Same(u64);

impl Hasher for Same {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, _: &[u8]) {
        debug_assert!(false, "keys are numbers");
    }

    fn write_u64(&mut self, key: u64) {
        self.0 = key;
    }
}

/// The constraints that were kept.
#[derive(Debug)]
pub(crate) struct Kept {
    shape: Shape,
    rows: Vec<u32>,
    entries: Vec<Entry>,
    groups: Vec<Group>,
    by_mask: HashMap<u128, usize>,
    /// Parts of the hash of the head that was looked up last.
    parts: Vec<u64>,
    alive: usize,
    /// The number of pairs whose words were looked at.
    compared: Cell<u64>,
}

/// The most numbers that rows may have together.
const MOST_NUMBERS: usize = u32::MAX as usize;

impl Kept {
    pub(crate) fn new(shape: Shape) -> Kept {
        Kept {
            shape,
            rows: Vec::new(),
            entries: Vec::new(),
            groups: Vec::new(),
            by_mask: HashMap::new(),
            parts: Vec::new(),
            alive: 0,
            compared: Cell::new(0),
        }
    }

    pub(crate) fn shape(&self) -> Shape {
        self.shape
    }

    /// The number of constraints that no other one includes, as far as that was noticed.
    pub(crate) fn alive(&self) -> usize {
        self.alive
    }

    /// The number of pairs whose words were looked at.
    pub(crate) fn compared(&self) -> u64 {
        self.compared.get()
    }

    /// Whether the first row includes the second.
    fn is_within(&self, small: &[u32], large: &[u32]) -> bool {
        self.compared.set(self.compared.get() + 1);
        is_within(self.shape, small, large)
    }

    pub(crate) fn is_alive(&self, id: KeptId) -> bool {
        self.entries[id.0 as usize].is_alive
    }

    pub(crate) fn bytes(&self) -> u64 {
        // An entry is in one table, whose slots are half empty at worst.
        (self.rows.len() * 4 + self.entries.len() * (size_of::<Entry>() + 64)) as u64
    }

    pub(crate) fn is_full(&self) -> bool {
        self.rows.len() > MOST_NUMBERS - (1 << 16)
    }

    pub(crate) fn row(&self, id: KeptId) -> &[u32] {
        let entry = &self.entries[id.0 as usize];
        &self.rows[entry.start as usize..(entry.start + entry.length) as usize]
    }

    /// The constraint that one comes from, and the move that was undone.
    pub(crate) fn origin(&self, id: KeptId) -> (KeptId, Move) {
        let entry = &self.entries[id.0 as usize];
        (entry.from, entry.by)
    }

    /// Keeps a constraint unless a kept one includes it.
    pub(crate) fn add(&mut self, c: &Constraint, from: Option<KeptId>, by: Move) -> Option<KeptId> {
        let row = c.row();
        let signature = signature(self.shape, row);
        let given = self.look_at(row);
        if self.includes(row, signature, given, None) {
            return None;
        }
        let id = KeptId(self.entries.len() as u32);
        self.drop_included(row, signature, given);
        let (start, length) = (self.rows.len() as u32, row.len() as u32);
        self.rows.extend_from_slice(row);
        let from = from.unwrap_or(id);
        self.entries.push(Entry { start, length, signature, from, by, is_alive: true });
        self.alive += 1;
        let hash = self.hash(given);
        let group = self.group(given);
        let runs = self.groups[group].table.entry(hash).or_default();
        match runs.binary_search_by_key(&signature, |run| run.signature) {
            Ok(at) => runs[at].ids.push(id),
            Err(at) => runs.insert(at, Run { signature, ids: vec![id] }),
        }
        Some(id)
    }

    /// Whether a kept constraint is still of use: if a later one includes it, it is dropped.
    pub(crate) fn is_of_use(&mut self, id: KeptId) -> bool {
        if !self.is_alive(id) {
            return false;
        }
        let row = self.row(id).to_vec();
        let given = self.look_at(&row);
        let signature = self.entries[id.0 as usize].signature;
        if self.includes(&row, signature, given, Some(id)) {
            self.entries[id.0 as usize].is_alive = false;
            self.alive -= 1;
        }
        self.is_alive(id)
    }

    /// The mask of what a head gives. Fills the parts of its hash.
    fn look_at(&mut self, row: &[u32]) -> u128 {
        self.parts.clear();
        let mut given = 0;
        for (position, &number) in row[..self.shape.head()].iter().enumerate() {
            // The frame is always given, though its number may be 0.
            let is_any = number == 0 && (1..128).contains(&position);
            given |= if is_any { 0 } else { bit(position) };
            self.parts.push(if is_any { 0 } else { mix(position as u64, u64::from(number)) });
        }
        given
    }

    fn hash(&self, given: u128) -> u64 {
        let parts = self.parts.iter().enumerate();
        let of =
            |(position, part): (usize, &u64)| if given & bit(position) != 0 { *part } else { 0 };
        parts.map(of).fold(0, u64::wrapping_add)
    }

    fn group(&mut self, given: u128) -> usize {
        let next = self.groups.len();
        let group = *self.by_mask.entry(given).or_insert(next);
        if group == next {
            self.groups.push(Group { given, table: HashMap::default() });
        }
        group
    }

    /// Whether a kept constraint other than `but` includes a row.
    fn includes(&self, row: &[u32], signature: u64, given: u128, but: Option<KeptId>) -> bool {
        let may_include =
            |run: &&Run| run.signature & !signature == 0 || is_on(Fault::WordsDoNotMatter);
        self.groups.iter().filter(|group| group.given & !given == 0).any(|group| {
            let runs = group.table.get(&self.hash(group.given)).into_iter().flatten();
            runs.filter(may_include).flat_map(|run| &run.ids).any(|&id| {
                Some(id) != but && self.is_alive(id) && self.is_within(self.row(id), row)
            })
        })
    }

    /// Drops those with the same head that a new one includes. Others are noticed when their turn comes.
    fn drop_included(&mut self, row: &[u32], signature: u64, given: u128) {
        let hash = self.hash(given);
        let group = self.group(given);
        let Some(mut runs) = self.groups[group].table.remove(&hash) else { return };
        for run in runs.iter_mut().filter(|run| signature & !run.signature == 0) {
            run.ids.retain(|&id| {
                // Those that were dropped in the meantime leave with the first look at their run.
                let is_out = !self.is_alive(id) || self.is_within(row, self.row(id));
                if is_out && self.is_alive(id) {
                    self.entries[id.0 as usize].is_alive = false;
                    self.alive -= 1;
                }
                !is_out
            });
        }
        runs.retain(|run| !run.ids.is_empty());
        self.groups[group].table.insert(hash, runs);
    }
}

/// Whether the first row includes the second.
fn is_within(shape: Shape, small: &[u32], large: &[u32]) -> bool {
    let heads = small[1..shape.head()].iter().zip(&large[1..shape.head()]);
    small[0] == large[0]
        && heads.into_iter().all(|(&own, &other)| own == 0 || own == other)
        && (are_subwords(shape, small, large) || is_on(Fault::WordsDoNotMatter))
}

/// A bit for each pair of a process and an entry of its word.
fn signature(shape: Shape, row: &[u32]) -> u64 {
    let mut at = shape.head() + shape.processes;
    let mut bits = 0;
    for process in 0..shape.processes {
        let length = row[shape.head() + process] as usize;
        for &symbol in &row[at..at + length] {
            bits |= 1 << (mix(process as u64, u64::from(symbol)) >> 58);
        }
        at += length;
    }
    bits
}

fn bit(position: usize) -> u128 {
    1_u128.checked_shl(position as u32).unwrap_or(0)
}

/// A good hash of a position and a number (the finaliser of splitmix64).
fn mix(position: u64, number: u64) -> u64 {
    let mut z = (position << 32 | number).wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ z >> 31
}
