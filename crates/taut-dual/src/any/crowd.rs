//! Constraints over any number of processes: sets of states of all instances of a program.
//!
//! A *crowd* has a value per cell (or *any*) and a multiset of *members*. A member is a process of a definition: its
//! code, its control point, the word that its buffer fits (`constraint.rs`), and what it owes while memory is frozen
//! (`obligation.rs`). It stands for all states, of all instances, that have a process for each member, all different,
//! and agree with the values. Other processes may be anywhere but in an atomic section.
//!
//! The order: `a ⊑ b` if the members of `a` can be mapped to different members of `b` with the same code, control point and
//! debts and with words of which theirs are subwords, and `a` has the same values as `b` or *any*. A well-quasi-order on members
//! makes one on multisets of them (Higman's lemma), so this is one.

use crate::edge::ControlId;
use crate::places::{Cell, Fact, Value};
use crate::symbol::Symbol;

/// What a process owes about its pending stores, by its number in a table; 0 is nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Owed(pub u32);

impl Owed {
    pub(crate) const NOTHING: Owed = Owed(0);
}

/// A process of which something is asked.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Member {
    /// The number of the process in the system whose code it has.
    pub(crate) code: u32,
    pub(crate) control: ControlId,
    pub(crate) owed: Owed,
    /// The entries, oldest first.
    pub(crate) word: Vec<Symbol>,
}

impl Member {
    pub(crate) fn code(&self) -> usize {
        self.code as usize
    }

    /// Whether everything that fits the other member fits this one.
    fn includes(&self, other: &Member) -> bool {
        (self.code, self.control, self.owed) == (other.code, other.control, other.owed)
            && is_subword(&self.word, &other.word)
    }
}

fn is_subword(small: &[Symbol], large: &[Symbol]) -> bool {
    let mut large = large.iter();
    small.len() <= large.len() && small.iter().all(|symbol| large.any(|other| other == symbol))
}

/// A constraint.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Crowd {
    /// Whether memory is frozen (`obligation.rs`).
    pub(crate) is_frozen: bool,
    pub(crate) values: Vec<Value>,
    pub(crate) members: Vec<Member>,
}

impl Crowd {
    pub(crate) fn value(&self, cell: Cell) -> Value {
        self.values[cell.index()]
    }

    pub(crate) fn set_value(&mut self, cell: Cell, value: Value) {
        self.values[cell.index()] = value;
    }

    /// Whether a cell may have a value.
    pub(crate) fn allows(&self, (cell, value): Fact) -> bool {
        let own = self.value(cell);
        own == Value::ANY || own == value
    }

    pub(crate) fn has_no_entries(&self) -> bool {
        self.members.iter().all(|m| m.word.is_empty())
    }

    pub(crate) fn entries(&self) -> usize {
        self.members.iter().map(|m| m.word.len()).sum()
    }

    /// Puts the members into their order; the positions that they had.
    pub(crate) fn sort(&mut self) -> Vec<usize> {
        let mut positions: Vec<usize> = (0..self.members.len()).collect();
        positions.sort_by(|&a, &b| self.members[a].cmp(&self.members[b]));
        self.members.sort();
        positions
    }

    /// Whether this stands for all that the other one stands for.
    pub(crate) fn includes(&self, other: &Crowd) -> bool {
        self.is_frozen == other.is_frozen
            && self.members.len() <= other.members.len()
            && self.values.iter().zip(&other.values).all(|(a, b)| *a == Value::ANY || a == b)
            && Matching::of(&self.members, &other.members).place_all()
    }
}

/// The assignment of members to members of a larger crowd, grown by augmenting paths (Kuhn's algorithm).
struct Matching<'c> {
    small: &'c [Member],
    large: &'c [Member],
    /// For each member of the larger crowd, the one that it is taken for.
    taken: Vec<Option<usize>>,
    tried: Vec<bool>,
}

impl<'c> Matching<'c> {
    fn of(small: &'c [Member], large: &'c [Member]) -> Matching<'c> {
        let (taken, tried) = (vec![None; large.len()], vec![false; large.len()]);
        Matching { small, large, taken, tried }
    }

    /// Whether each member has one of its own.
    fn place_all(mut self) -> bool {
        (0..self.small.len()).all(|member| {
            self.tried.fill(false);
            self.place(member)
        })
    }

    fn place(&mut self, member: usize) -> bool {
        for other in 0..self.large.len() {
            if self.tried[other] || !self.small[member].includes(&self.large[other]) {
                continue;
            }
            self.tried[other] = true;
            let is_free = match self.taken[other] {
                None => true,
                Some(before) => self.place(before),
            };
            if is_free {
                self.taken[other] = Some(member);
                return true;
            }
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn member(control: u32, word: &[u32]) -> Member {
        let word = word.iter().map(|&s| Symbol(s)).collect();
        Member { code: 0, control: ControlId(control), owed: Owed::NOTHING, word }
    }

    fn crowd(value: u32, members: &[Member]) -> Crowd {
        let mut crowd =
            Crowd { is_frozen: false, values: vec![Value(value)], members: members.to_vec() };
        crowd.sort();
        crowd
    }

    #[test]
    fn each_member_needs_one_of_its_own() {
        let one = crowd(0, &[member(2, &[1])]);
        let two = crowd(0, &[member(2, &[1]), member(2, &[1])]);
        assert!(one.includes(&two) && !two.includes(&one));
    }

    #[test]
    fn members_are_assigned_anew_where_that_helps() {
        // The first fits both, the second only what the first would take.
        let small = crowd(0, &[member(2, &[]), member(2, &[7])]);
        let large = crowd(3, &[member(2, &[7, 8]), member(2, &[9])]);
        assert!(small.includes(&large));
        assert!(!large.includes(&small));
        assert!(!crowd(4, &[]).includes(&large) && crowd(3, &[]).includes(&large));
    }
}
