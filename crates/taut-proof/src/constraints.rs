//! Constraints: sets of states of the load-buffer semantics of TSO, for buffers without a bound.
//!
//! A load buffer runs from memory to a process; `taut-certify` says what that means. A constraint stands for all
//! states that have what it gives, whose buffers have the entries of its words, in this order, and more.

use std::collections::{BTreeSet, HashMap};

use taut_ir::ProcId;
use taut_witness::control::{Fact, Head};

use crate::Damaged;
use crate::bytes::{Reader, Writer};

/// An entry of a load buffer.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Entry {
    /// The newest store of the process itself to a cell.
    Own(Fact),
    /// What memory had at one time.
    Message(Vec<Fact>),
}

/// A set of states.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Constraint {
    /// Whether memory is frozen.
    pub frozen: bool,
    /// Where processes are, and what memory has.
    pub head: Head,
    /// The entries that the buffer of each process has, the oldest first.
    pub words: Vec<Vec<Entry>>,
}

impl Constraint {
    /// Writes a constraint.
    pub fn write(&self, out: &mut Writer) {
        out.number(u64::from(self.frozen));
        for value in &self.head {
            out.number(u64::from(value.is_some()));
            value.iter().for_each(|&value| out.signed(value));
        }
        for word in &self.words {
            out.number(word.len() as u64);
            for entry in word {
                let (length, facts) = match entry {
                    Entry::Own(fact) => (0, std::slice::from_ref(fact)),
                    Entry::Message(facts) => (facts.len() as u64, facts.as_slice()),
                };
                out.number(length);
                for &(cell, value) in facts {
                    out.number(cell as u64);
                    out.signed(value);
                }
            }
        }
    }

    /// Reads a constraint about so many processes and cells.
    pub fn read(
        input: &mut Reader<'_>,
        processes: usize,
        cells: usize,
    ) -> Result<Constraint, Damaged> {
        let frozen = input.below(2, "answer")? == 1;
        let mut head = Vec::new();
        for _ in 0..processes + cells {
            let is_given = input.below(2, "answer")? == 1;
            head.push(if is_given { Some(input.signed()?) } else { None });
        }
        let mut words = vec![Vec::new(); processes];
        for word in &mut words {
            for _ in 0..input.count()? {
                let length = input.count()?;
                let mut facts = Vec::new();
                for _ in 0..length.max(1) {
                    facts.push((input.below(cells, "cell")?, input.signed()?));
                }
                let own = facts[0];
                word.push(if length == 0 { Entry::Own(own) } else { Entry::Message(facts) });
            }
        }
        Ok(Constraint { frozen, head, words })
    }

    /// All constraints with neighbours exchanged, in any order.
    pub fn arranged(&self, neighbours: &[(ProcId, ProcId)]) -> BTreeSet<Constraint> {
        let (mut all, mut left) = (BTreeSet::from([self.clone()]), vec![self.clone()]);
        while let Some(next) = left.pop() {
            for &(p, q) in neighbours {
                let mut other = next.clone();
                other.head.swap(p.index(), q.index());
                other.words.swap(p.index(), q.index());
                if all.insert(other.clone()) {
                    left.push(other);
                }
            }
        }
        all
    }
}

/// The words of constraints with one head.
type Alike = Vec<Vec<Vec<Entry>>>;

/// Constraints, by whether memory is frozen and what is given in their heads, and then by their heads.
#[derive(Debug, Default)]
pub struct Basis {
    groups: HashMap<(bool, Vec<bool>), HashMap<Vec<i64>, Alike>>,
}

impl Basis {
    /// Adds a constraint.
    pub fn insert(&mut self, c: &Constraint) {
        let given = c.head.iter().map(Option::is_some).collect();
        let group = self.groups.entry((c.frozen, given)).or_default();
        let alike = group.entry(c.head.iter().copied().flatten().collect()).or_default();
        alike.push(c.words.clone());
    }

    /// Whether one of these stands for all that a constraint stands for: it gives no more, and its words are subwords.
    pub fn includes(&self, c: &Constraint) -> bool {
        self.groups.iter().filter(|((frozen, _), _)| *frozen == c.frozen).any(
            |((_, given), group)| {
                let asked = given.iter().zip(&c.head).filter(|(given, _)| **given);
                let Some(key) = asked.map(|(_, value)| *value).collect::<Option<Vec<i64>>>() else {
                    return false;
                };
                group.get(&key).into_iter().flatten().any(|words| {
                    words.iter().zip(&c.words).all(|(small, large)| {
                        let mut large = large.iter();
                        small.iter().all(|entry| large.any(|other| other == entry))
                    })
                })
            },
        )
    }
}
