//! The smallest set of groups that holds a group and that nothing outside can interfere with: the rules.

use taut_fault::{Fault, is_on};
use taut_memory::{CellId, MemorySystem};

use super::Reduction;
use super::footprint::ObjectFootprint;
use super::objects::{Objects, VISIBLE};
use super::view::StateView;
use taut_machine::Machine;

/// A set of groups: the steps of some processes, and commits of some places of each process.
#[derive(Clone, Default)]
pub(super) struct Groups {
    /// The processes whose steps are in it.
    pub(super) steps: u64,
    /// For each process, the places whose commits are in it.
    pub(super) commits: Vec<Objects>,
    /// For each process, those of which every commit is in it, and not only the first one of several places.
    every: Vec<Objects>,
    /// The objects that stand for several places.
    several: Objects,
    /// Everything is in it.
    pub(super) all: bool,
}

impl Groups {
    fn clear(&mut self, processes: usize, several: Objects) {
        self.steps = 0;
        self.all = false;
        self.several = several;
        self.commits.clear();
        self.commits.resize(processes, 0);
        self.every.clear();
        self.every.resize(processes, 0);
    }

    #[inline]
    pub(super) fn has_steps(&self, process: usize) -> bool {
        self.steps >> process & 1 == 1
    }

    /// Whether the commit of a place is in it, which has an object.
    #[inline]
    pub(super) fn has_commit(
        &self,
        scene: &StateView,
        process: usize,
        (place, object): (CellId, Objects),
    ) -> bool {
        debug_assert!(self.every[process] & !self.commits[process] == 0);
        self.every[process] & object != 0
            || (self.commits[process] & object != 0
                && scene.commits(process, object).first == Some(place))
    }

    /// Number of its actions that can be taken.
    pub(super) fn enabled(&self, scene: &StateView) -> u32 {
        let of = |(p, actor): (usize, &super::view::ProcessView)| {
            let steps = if self.has_steps(p) { actor.startable } else { 0 };
            let commits = self.commits[p] & actor.ready;
            // One of each object, and the others of those of which every commit is followed.
            let others = |object| scene.commits(p, object).count - 1;
            let several = bits(commits & self.every[p] & self.several);
            steps + commits.count_ones() + several.map(others).sum::<u32>()
        };
        scene.actors.iter().enumerate().map(of).sum()
    }
}

/// A set of groups on the way to being closed.
#[derive(Default)]
pub(super) struct Closure {
    pub(super) groups: Groups,
    /// What was added and not yet looked at.
    new_steps: u64,
    new_commits: Vec<Objects>,
    /// Actions that can be taken, of the groups that were looked at: at least so many.
    count: u32,
    counted: Vec<Objects>,
}

/// What a group to begin with is.
#[derive(Clone, Copy, Debug)]
pub(super) enum Seed {
    Steps(usize),
    Commit(usize, Objects),
}

/// A state in which a set is looked for.
pub(super) struct ClosureContext<'a, M> {
    pub(super) reduction: &'a Reduction,
    pub(super) machine: &'a Machine<M>,
    pub(super) state: &'a [u64],
    pub(super) scene: &'a StateView,
    /// Whether it is still to be found out that a buffer can be full.
    pub(super) keep_buffer_full: bool,
}

impl Closure {
    /// Makes this the smallest closed set with a group in it. False if it has no fewer than `fewest` actions that can be
    /// taken, or is everything: then it is left as it is, not closed.
    pub(super) fn of<M: MemorySystem>(
        &mut self,
        place: &ClosureContext<'_, M>,
        seed: Seed,
        fewest: u32,
    ) -> bool {
        let processes = place.scene.actors.len();
        self.groups.clear(processes, place.reduction.numbering.several);
        self.new_steps = 0;
        self.new_commits.clear();
        self.new_commits.resize(processes, 0);
        self.count = 0;
        self.counted.clear();
        self.counted.resize(processes, 0);
        match seed {
            Seed::Steps(process) => self.add_steps(process),
            Seed::Commit(process, place) => self.add_commit(process, place),
        }
        // A worklist: each group that has come in brings in what its rules ask for, once.
        while !self.groups.all && self.count < fewest {
            debug_assert_eq!(self.new_steps & !self.groups.steps, 0, "what is new is in the set");
            if self.new_steps != 0 {
                let process = self.new_steps.trailing_zeros() as usize;
                self.new_steps &= self.new_steps - 1;
                self.count += place.scene.actors[process].startable;
                self.close_steps(place, process);
            } else if let Some(process) = self.new_commits.iter().position(|&new| new != 0) {
                let commits = std::mem::take(&mut self.new_commits[process]);
                self.count_commits(place, process, commits);
                self.close_commits(place, process, commits);
            } else {
                return true;
            }
        }
        false
    }

    /// Counts commits that can be taken, each object once: where it stands for several places there may be more.
    fn count_commits<M: MemorySystem>(
        &mut self,
        place: &ClosureContext<'_, M>,
        process: usize,
        commits: Objects,
    ) {
        let ready = commits & place.scene.actors[process].ready & !self.counted[process];
        self.counted[process] |= ready;
        self.count += ready.count_ones();
    }

    #[inline]
    fn add_steps(&mut self, process: usize) {
        let new = !self.groups.steps & (1 << process);
        self.groups.steps |= new;
        self.new_steps |= new;
    }

    /// Adds a commit of an object: if it stands for several places, the first one that can be taken.
    #[inline]
    fn add_commit(&mut self, process: usize, object: Objects) {
        let new = object & !self.groups.commits[process];
        self.groups.commits[process] |= new;
        self.groups.every[process] |= new & !self.groups.several;
        self.new_commits[process] |= new;
    }

    /// Adds every commit of some objects.
    #[inline]
    fn add_commits(&mut self, process: usize, objects: Objects) {
        // Where only the first commit was in it, the rules are asked again: about stores that are replaced they know
        // more of one commit than of all.
        let new = objects & !self.groups.every[process];
        self.groups.commits[process] |= new;
        self.groups.every[process] |= new;
        self.new_commits[process] |= new;
    }

    /// Keeps stores of a process to some places, where such wait, from being committed by others.
    #[inline]
    fn block<M: MemorySystem>(
        &mut self,
        place: &ClosureContext<'_, M>,
        process: usize,
        places: Objects,
    ) {
        let actor = &place.scene.actors[process];
        let waiting = actor.pending & places;
        if waiting == 0 {
            return;
        }
        if M::IN_ORDER {
            return self.add_commits(process, actor.ready);
        }
        self.add_commits(process, waiting & actor.ready);
        if waiting & !actor.ready != 0 {
            // A store fence is in the way, and what waits before it. If some of an object's stores may commit and
            // others may not, the former are what waits before the fence, and they are in the set.
            self.add_commits(process, actor.ready);
            if M::OVERWRITES {
                self.add_steps(process);
            }
        }
    }

    /// The rules for the steps of a process.
    fn close_steps<M: MemorySystem>(&mut self, place: &ClosureContext<'_, M>, process: usize) {
        let actor = &place.scene.actors[process];
        let now = &place.reduction.tables[process].now[actor.at];
        let closes = place.reduction.for_runs && now.closes_loop && !is_on(Fault::LoopsStayInPart);
        if closes || (now.enters_atomic && !is_on(Fault::AtomicIsOrdinary)) {
            self.groups.all = true;
            return;
        }
        self.conflicts(place, process, now.touch);
        if actor.pending != 0 {
            if now.needs_own {
                self.add_commit(process, lowest(actor.ready));
            }
            if M::OVERWRITES {
                self.block(place, process, now.touch.writes | replaced_now(place, process));
            }
            if now.touch.writes & VISIBLE != 0 {
                self.block(place, process, place.reduction.tables[process].seen);
            }
            self.make_room(place, process);
        }
        if now.needs_all
            && let Some(other) = place.scene.actors.iter().position(|a| a.pending != 0)
        {
            self.add_commit(other, lowest(place.scene.actors[other].ready));
        }
    }

    /// A store that finds too little room waits for a commit of its buffer.
    fn make_room<M: MemorySystem>(&mut self, place: &ClosureContext<'_, M>, process: usize) {
        let now = &place.reduction.tables[process].now[place.scene.actors[process].at];
        let id = place.machine.processes()[process].id;
        for &stored in &now.stored {
            if place.machine.memory().room(place.state, id, stored) < now.most_stores {
                let object = place.reduction.numbering.place(stored);
                self.block(place, process, if M::IN_ORDER { Objects::MAX } else { object });
            }
        }
    }

    /// The rules for commits of a process.
    fn close_commits<M: MemorySystem>(
        &mut self,
        place: &ClosureContext<'_, M>,
        process: usize,
        commits: Objects,
    ) {
        let table = &place.reduction.tables[process];
        let ahead = &table.ahead[place.scene.actors[process].at];
        // A commit writes its places; if it is the last one of a finished process, it may retire the process as well.
        let mut touch = ObjectFootprint { writes: commits | table.commit.writes, ..table.commit };
        let seen = commits & table.seen != 0;
        if seen {
            touch.writes |= VISIBLE;
        }
        self.conflicts(place, process, touch);
        // The process itself comes in where a step of it can tell whether the commit was before it: a store that finds
        // the buffer full, a store that replaces the one that waits, a step that is as visible as the commit, a step
        // that asks for its own buffer.
        let fills = if M::IN_ORDER { table.can_fill } else { table.can_fill & commits };
        if (place.keep_buffer_full && fills & ahead.touch.stores != 0)
            || (M::OVERWRITES && self.may_be_replaced(place, process, commits))
            || (seen && ahead.touch.writes & VISIBLE != 0)
            || ahead.tells_own
        {
            self.add_steps(process);
        }
        // Visible commits must keep their order among each other. With one queue they do; without, the other visible
        // stores of the process come in, and its steps if they can still store to such a place.
        if seen && !M::IN_ORDER {
            self.block(place, process, table.seen);
            let waiting = place.scene.actors[process].pending & place.reduction.numbering.exact;
            if ahead.touch.stores & table.seen & !waiting != 0 {
                self.add_steps(process);
            }
        }
        // A step that waits for all buffers can tell, whoever takes it.
        for (other, actor) in place.scene.actors.iter().enumerate() {
            if place.reduction.tables[other].ahead[actor.at].tells_all {
                self.add_steps(other);
            }
        }
    }

    /// Whether a process may still replace one of the stores whose commits are in the set, or write over it at once.
    fn may_be_replaced<M: MemorySystem>(
        &self,
        place: &ClosureContext<'_, M>,
        process: usize,
        commits: Objects,
    ) -> bool {
        let ahead = &place.reduction.tables[process].ahead[place.scene.actors[process].at].touch;
        if ahead.writes & commits != 0 {
            return true;
        }
        let stores = ahead.stores & commits;
        let first_alone = !self.groups.every[process];
        let first = |object| place.scene.commits(process, object).may_be_replaced;
        stores & !first_alone != 0 || bits(stores & first_alone).any(first)
    }

    /// Brings in what other processes may do to what an action of a process touches, or may see of it.
    #[inline]
    fn conflicts<M: MemorySystem>(
        &mut self,
        place: &ClosureContext<'_, M>,
        process: usize,
        mut touch: ObjectFootprint,
    ) {
        if is_on(Fault::VisibleIsInvisible) {
            touch.writes &= !VISIBLE;
        }
        let any = touch.reads | touch.writes;
        for (other, actor) in place.scene.actors.iter().enumerate() {
            if other == process {
                continue;
            }
            let table = &place.reduction.tables[other];
            let ahead = &table.ahead[actor.at].touch;
            // Two visible actions must keep their order: a visible one is in conflict with every store that is seen.
            let noticed = if touch.writes & VISIBLE != 0 { table.seen } else { 0 };
            let commits = any | noticed;
            let reads = ahead.reads & touch.writes != 0 && !is_on(Fault::ReadersStayOut);
            let writes = ahead.writes & any != 0 && !is_on(Fault::WritersStayOut);
            if reads || writes {
                self.add_steps(other);
            } else if ahead.stores & commits != 0 && !is_on(Fault::StoringStaysOut) {
                self.conflict_of_stores(place, other, ahead.stores & commits);
            }
            let retires = table.commit.reads & touch.writes | table.commit.writes & any;
            let commits = if retires != 0 { Objects::MAX } else { commits };
            if !is_on(Fault::CommitsStayOut) {
                self.block(place, other, commits);
            }
        }
    }

    /// Another process may store to places. If a store to each waits already, it is enough to keep that from
    /// being committed.
    fn conflict_of_stores<M: MemorySystem>(
        &mut self,
        place: &ClosureContext<'_, M>,
        other: usize,
        stores: Objects,
    ) {
        let actor = &place.scene.actors[other];
        let blocked = M::IN_ORDER && self.groups.commits[other] & actor.ready != 0;
        let waiting = actor.pending & place.reduction.numbering.exact;
        if !blocked && stores & !waiting != 0 {
            self.add_steps(other);
        }
    }
}

/// The objects of the stores that wait and that a step of the process, where it is, may replace.
fn replaced_now<M: MemorySystem>(place: &ClosureContext<'_, M>, process: usize) -> Objects {
    let ClosureContext { reduction, machine, state, scene, .. } = place;
    let now = &reduction.tables[process].now[scene.actors[process].at];
    let id = machine.processes()[process].id;
    let waits = |&&stored: &&CellId| machine.memory().is_pending(state, id, stored);
    reduction.numbering.places(now.stored.iter().filter(waits).copied())
}

/// Each object of a set by itself.
fn bits(mut objects: Objects) -> impl Iterator<Item = Objects> {
    std::iter::from_fn(move || {
        let next = lowest(objects);
        objects &= !next;
        (next != 0).then_some(next)
    })
}

/// The lowest bit alone.
fn lowest(objects: Objects) -> Objects {
    objects & objects.wrapping_neg()
}
