//! Interchangeable slots of arrays, and what refers to them.
//!
//! A front end with a heap (C) keeps allocated objects in slots of an array. A slot has a number, but no step can tell which:
//! an allocation takes any free one, pointers are followed, copied and compared for equality only. So a renumbering of the slots, together
//! with all references to them, is an automorphism of the program, and an engine may keep one of all states that differ by
//! such a renumbering (Iosif, *Symmetry reduction criteria for software model checking*, 2002).
//!
//! The front end promises this for every slot that it lists; what it cannot promise it leaves out, with the reason.

use crate::ids::{DefId, RegId, VarId};

/// The interchangeable slots of a program and all that can refer to them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct References {
    /// Runs of slots.
    pub slots: Vec<Slots>,
    /// Elements of variables that hold references: the variable, the index, the variable that is referred to.
    pub cells: Vec<(VarId, u32, VarId)>,
    /// Registers that hold references, with the variable that is referred to. All elements of an array do.
    pub registers: Vec<(DefId, RegId, VarId)>,
    /// Number of definitions that `registers` speaks of: others are copies that were made later.
    pub defs: usize,
    /// Slots that can be told apart: their name, and the reason.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub apart: Vec<(String, &'static str)>,
}

/// Some slots that are interchangeable: equal parts of an array.
///
/// A reference to the cell with index `i` of the array is `(i + 1) * scale`, plus a mark below `scale`. What is not
/// positive is no reference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Slots {
    /// The array.
    pub var: VarId,
    /// The index of the first cell of the first slot.
    pub first: u32,
    /// Number of cells from one slot to the next.
    pub stride: u32,
    /// Number of slots.
    pub count: u32,
    /// The array of flags that say which slots are taken, and the index of the first flag.
    pub taken: (VarId, u32),
    /// Distance of references to neighbouring cells.
    pub scale: i64,
    /// What the cells of a slot hold that is not taken.
    pub empty: i64,
}

impl Slots {
    /// The slot that a cell of the array is in, and its place there.
    pub fn locate(&self, cell: i64) -> Option<(u32, u32)> {
        let distance = u32::try_from(cell.checked_sub(i64::from(self.first))?).ok()?;
        let slot = distance / self.stride;
        (slot < self.count).then_some((slot, distance % self.stride))
    }

    /// The slot that a reference into the array leads to.
    pub fn slot_of(&self, reference: i64) -> Option<u32> {
        if reference <= 0 {
            return None;
        }
        self.locate(reference / self.scale - 1).map(|(slot, _)| slot)
    }

    /// The same reference to another slot.
    pub fn moved(&self, reference: i64, from: u32, to: u32) -> i64 {
        let cells = (i64::from(to) - i64::from(from)) * i64::from(self.stride);
        reference + cells * self.scale
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn references_find_their_slot_and_keep_their_place_and_mark() {
        let slots = Slots {
            var: VarId(0),
            first: 1,
            stride: 2,
            count: 3,
            taken: (VarId(1), 0),
            scale: 16,
            empty: -1,
        };
        let to = |cell: i64, mark: i64| (cell + 1) * 16 + mark;
        assert_eq!(slots.slot_of(to(0, 0)), None);
        assert_eq!(slots.slot_of(to(1, 0)), Some(0));
        assert_eq!(slots.slot_of(to(4, 3)), Some(1));
        assert_eq!(slots.slot_of(to(7, 0)), None);
        assert_eq!([slots.slot_of(0), slots.slot_of(-16)], [None, None]);
        assert_eq!(slots.moved(to(4, 3), 1, 2), to(6, 3));
        assert_eq!(slots.locate(6), Some((2, 1)));
    }
}
