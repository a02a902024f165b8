//! Models that start any number of processes.
//!
//! A program has a fixed list of processes, a model may start any number. All programs of one model differ in nothing
//! but those numbers: definitions, steps and properties keep theirs. So a search that runs out of processes is made
//! again on a larger program of the same model.

use std::collections::BTreeMap;

use super::model::Lowered;
use crate::ids::DefId;
use crate::program::{Program, Start};

/// A model from which programs of any size can be made.
pub trait Growth {
    /// The largest number of processes that a program of the model may have.
    fn most_processes(&self) -> usize;

    /// The program with so many processes, by the name of their definition, besides those that run from the start;
    /// none if there cannot be so many.
    fn with_slots(&self, slots: &BTreeMap<String, u32>) -> Option<Lowered>;
}

/// The number of processes that a program has besides those that run from the start, by the name of their definition.
pub fn slots(program: &Program) -> BTreeMap<String, u32> {
    let mut slots = BTreeMap::new();
    for process in program.processes.iter().filter(|p| p.start == Start::Spawned) {
        *slots.entry(program.defs[process.def.index()].name.clone()).or_default() += 1;
    }
    slots
}

/// The numbers of processes of a larger program, with more processes of one definition; none if there are too many
/// already.
pub fn with_more(program: &Program, def: DefId, most: usize) -> Option<BTreeMap<String, u32>> {
    let room = most.checked_sub(program.processes.len())? as u32;
    if room == 0 {
        return None;
    }
    let mut slots = slots(program);
    let count = slots.entry(program.defs[def.index()].name.clone()).or_default();
    // One by one where searches are short; faster where each of them may be long.
    let more = if *count < 4 { 1 } else { *count / 2 };
    *count += more.min(room);
    debug_assert!(
        slots.values().all(|&count| count as usize <= most),
        "more than there is room for"
    );
    Some(slots)
}
