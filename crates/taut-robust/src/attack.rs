//! An attack: a store that is delayed, and everything that comes after it.
//!
//! From the delayed store on, only events that *happen after* it are looked at: those of its own process, those of a
//! process that had one, and those that touch an object that one touched before, where at least one of the two is a
//! store. Two marks per object are enough to know: whether an event that happens after the delayed store has loaded it, or
//! stored to it. The attack succeeds when such an event touches the location of the delayed store in memory: it comes
//! before the delayed store then, and the circle is closed.

use std::collections::BTreeMap;

use taut_fault::{Fault, is_on};
use taut_ir::ProcId;
use taut_witness::Address;
use taut_witness::happens::{Accesses, Object};

use crate::node::{Choice, Node};

/// What events that happen after the delayed store did to an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Mark {
    Loaded,
    Stored,
}

/// A delayed store and what happens after it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Attack {
    pub process: ProcId,
    /// The location of the delayed store.
    pub aim: Address,
    /// The processes with events that happen after the delayed store.
    pub after: Vec<ProcId>,
    pub marks: BTreeMap<Object, Mark>,
}

impl Attack {
    /// The attack that begins with a node one of whose stores waits from now on.
    pub fn begin(process: ProcId, aim: Address, node: &Node, choice: &Choice) -> Attack {
        let mut attack = Attack { process, aim, after: vec![process], marks: BTreeMap::new() };
        if !is_on(Fault::OwnStepLeavesNoMark) {
            attack.take(node, choice);
        }
        attack
    }

    /// Whether a node happens after the delayed store.
    pub fn reaches(&self, node: &Node, choice: &Choice) -> bool {
        let Accesses { processes, reads, spawned, .. } = &node.accesses;
        let marked = |object: &Object, least: Mark| {
            self.marks.get(object).is_some_and(|&mark| mark >= least)
        };
        let before_load = if is_on(Fault::LoadsFollowLoads) { Mark::Loaded } else { Mark::Stored };
        let before_store =
            if is_on(Fault::StoresFollowStores) { Mark::Stored } else { Mark::Loaded };
        processes.iter().chain(spawned).any(|p| self.after.contains(p))
            || reads.iter().any(|object| marked(object, before_load))
            || written(node, choice).any(|object| marked(&object, before_store))
            || is_on(Fault::NothingIsAfter)
    }

    /// Whether a node that happens after the delayed store comes before it.
    pub fn closes(&self, node: &Node, choice: &Choice) -> bool {
        let aim = Object::Cell(self.aim);
        let loads = node.accesses.reads.contains(&aim) && !is_on(Fault::ClosesAtStores);
        loads || (written(node, choice).any(|o| o == aim) && !is_on(Fault::ClosesAtLoads))
    }

    /// Marks what a node does that happens after the delayed store.
    pub fn take(&mut self, node: &Node, choice: &Choice) {
        let Accesses { processes, reads, spawned, .. } = &node.accesses;
        if !is_on(Fault::NoProgramOrder) {
            self.after.extend(processes);
        }
        if !is_on(Fault::NoStart) {
            self.after.extend(spawned);
        }
        self.after.sort();
        self.after.dedup();
        for object in reads.iter().filter(|_| !is_on(Fault::LoadsLeaveNoMark)) {
            self.marks.entry(*object).or_insert(Mark::Loaded);
        }
        for object in written(node, choice) {
            self.marks.insert(object, Mark::Stored);
        }
    }
}

/// What a node writes in memory, at once or by commits.
fn written(node: &Node, choice: &Choice) -> impl Iterator<Item = Object> {
    let committed = choice.committed.iter().map(|&address| Object::Cell(address));
    node.accesses.writes.iter().copied().chain(committed)
}
