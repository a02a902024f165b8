//! The crowds that a search has kept, and the question whether one of them asks for no more than a new one.
//!
//! Crowds are in groups by the cells whose values they give, and within a group by a hash of these values. A new crowd can
//! only be included in one of a group whose cells it gives, too; there, the hash of its values of these cells finds the
//! candidates. Those are compared by a signature of their members before members are assigned.
//!
//! The *cost* of a crowd is the number of processes that its chain needs. A crowd is dropped only for one that costs no
//! more, so that the first chain that is complete is one with the fewest processes. The product of two well-quasi-orders
//! is one: the search still ends.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use super::crowd::Crowd;
use super::undo::Move;
use crate::places::Value;

/// A crowd that was kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct KeptId(pub u32);

#[derive(Debug)]
struct Entry {
    crowd: Crowd,
    /// The crowd that it comes from, by a move; itself at the start.
    from: KeptId,
    by: Move,
    /// The number of processes with any number of instances that its chain has had.
    cost: u32,
    is_alive: bool,
}

/// The cells that a crowd gives, as a mask; cells beyond are looked at one by one.
type Mask = u128;

/// A crowd in a table, with what is compared first: most candidates are passed over without a look at the crowd.
#[derive(Clone, Copy, Debug)]
struct Candidate {
    signature: u64,
    id: KeptId,
    cost: u32,
}

/// The crowds that give the same cells, by a hash of their values.
#[derive(Debug)]
struct Group {
    is_frozen: bool,
    mask: Mask,
    table: HashMap<u64, Vec<Candidate>, BuildHasherDefault<Same>>,
}

/// The hash is the key: one lookup per group and crowd is most of what the search does.
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

/// The crowds that were kept.
#[derive(Debug, Default)]
pub(crate) struct Kept {
    entries: Vec<Entry>,
    groups: Vec<Group>,
    alive: usize,
    bytes: usize,
}

fn mask(crowd: &Crowd) -> Mask {
    let given = crowd.values.iter().take(128).enumerate().filter(|(_, v)| **v != Value::ANY);
    given.fold(0, |mask, (i, _)| mask | 1 << i)
}

/// A hash of the values of the cells of a mask.
fn key(crowd: &Crowd, mut mask: Mask) -> u64 {
    let mut sum = 0_u64;
    while mask != 0 {
        let cell = mask.trailing_zeros();
        sum = sum.wrapping_add(mix(cell, crowd.values[cell as usize].0));
        mask &= mask - 1;
    }
    sum
}

/// A bit for each code with its control point, and for each entry.
fn signature(crowd: &Crowd) -> u64 {
    let mut bits = 0;
    for member in &crowd.members {
        bits |= 1 << hash(member.code, member.control.0);
        for symbol in &member.word {
            bits |= 1 << hash(member.code ^ 0x8000_0000, symbol.0);
        }
    }
    bits
}

/// Six bits of a hash.
fn hash(a: u32, b: u32) -> u64 {
    mix(a, b) >> 58
}

/// A good hash of two numbers (the finaliser of splitmix64).
fn mix(a: u32, b: u32) -> u64 {
    let mut z = (u64::from(a) << 32 | u64::from(b)).wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ z >> 31
}

impl Kept {
    pub(crate) fn alive(&self) -> usize {
        self.alive
    }

    pub(crate) fn bytes(&self) -> u64 {
        self.bytes as u64
    }

    pub(crate) fn crowd(&self, id: KeptId) -> &Crowd {
        &self.entries[id.0 as usize].crowd
    }

    pub(crate) fn cost(&self, id: KeptId) -> u32 {
        self.entries[id.0 as usize].cost
    }

    /// The crowd that one comes from, and the move that was undone.
    pub(crate) fn origin(&self, id: KeptId) -> (KeptId, Move) {
        let entry = &self.entries[id.0 as usize];
        (entry.from, entry.by)
    }

    /// Keeps a crowd unless a kept one includes it.
    pub(crate) fn add(
        &mut self,
        crowd: Crowd,
        from: Option<KeptId>,
        by: Move,
        cost: u32,
    ) -> Option<KeptId> {
        let signature = signature(&crowd);
        if self.includes(&crowd, signature, cost, None) {
            return None;
        }
        let id = KeptId(self.entries.len() as u32);
        let mask = mask(&crowd);
        let is_frozen = crowd.is_frozen;
        let known = self.groups.iter().position(|g| (g.is_frozen, g.mask) == (is_frozen, mask));
        let group = known.unwrap_or_else(|| {
            self.groups.push(Group { is_frozen, mask, table: HashMap::default() });
            self.groups.len() - 1
        });
        let same = self.groups[group].table.entry(key(&crowd, mask)).or_default();
        let entries = &mut self.entries;
        // Those with the same values that the new one includes. Others are noticed when their turn comes.
        same.retain(|other| {
            if cost > other.cost || signature & !other.signature != 0 {
                return true;
            }
            let entry = &mut entries[other.id.0 as usize];
            let is_out = crowd.includes(&entry.crowd);
            if is_out && entry.is_alive {
                entry.is_alive = false;
                self.alive -= 1;
            }
            !is_out
        });
        same.push(Candidate { signature, id, cost });
        let members = crowd.members.len() * size_of::<super::crowd::Member>();
        self.bytes += size_of::<Entry>() + 64 + crowd.values.len() * 8 + members;
        self.bytes += crowd.entries() * 4;
        let from = from.unwrap_or(id);
        self.entries.push(Entry { crowd, from, by, cost, is_alive: true });
        self.alive += 1;
        Some(id)
    }

    /// Whether a kept crowd is still of use: if a later one includes it, it is dropped.
    pub(crate) fn is_of_use(&mut self, id: KeptId) -> bool {
        let entry = &self.entries[id.0 as usize];
        if !entry.is_alive {
            return false;
        }
        if self.includes(&entry.crowd, signature(&entry.crowd), entry.cost, Some(id)) {
            self.entries[id.0 as usize].is_alive = false;
            self.alive -= 1;
            return false;
        }
        true
    }

    /// Whether a kept crowd other than `but` includes one.
    fn includes(&self, crowd: &Crowd, signature: u64, cost: u32, but: Option<KeptId>) -> bool {
        let given = mask(crowd);
        self.groups.iter().any(|group| {
            if group.is_frozen != crowd.is_frozen || group.mask & !given != 0 {
                return false;
            }
            let candidates = group.table.get(&key(crowd, group.mask));
            candidates.into_iter().flatten().any(|other| {
                other.signature & !signature == 0
                    && other.cost <= cost
                    && Some(other.id) != but
                    && self.entries[other.id.0 as usize].is_alive
                    && self.entries[other.id.0 as usize].crowd.includes(crowd)
            })
        })
    }
}
