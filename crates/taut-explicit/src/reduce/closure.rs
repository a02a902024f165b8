//! The smallest set of groups that holds a group and that nothing outside can interfere with: the rules.

use taut_memory::MemorySystem;

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
    /// Everything is in it.
    pub(super) all: bool,
}

impl Groups {
    fn clear(&mut self, processes: usize) {
        self.steps = 0;
        self.all = false;
        self.commits.clear();
        self.commits.resize(processes, 0);
    }

    #[inline]
    pub(super) fn has_steps(&self, process: usize) -> bool {
        self.steps >> process & 1 == 1
    }

    #[inline]
    pub(super) fn has_commit(&self, process: usize, place: Objects) -> bool {
        self.commits[process] & place != 0
    }

    /// How many of its actions can be taken.
    pub(super) fn enabled(&self, scene: &StateView) -> u32 {
        let of = |(p, actor): (usize, &super::view::ProcessView)| {
            let steps = if self.has_steps(p) { actor.startable } else { 0 };
            steps + (self.commits[p] & actor.ready).count_ones()
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
    /// Makes this the smallest closed set with a group in it.
    pub(super) fn of<M: MemorySystem>(&mut self, place: &ClosureContext<'_, M>, seed: Seed) {
        let processes = place.scene.actors.len();
        self.groups.clear(processes);
        self.new_steps = 0;
        self.new_commits.clear();
        self.new_commits.resize(processes, 0);
        match seed {
            Seed::Steps(process) => self.add_steps(process),
            Seed::Commit(process, place) => self.add_commits(process, place),
        }
        while !self.groups.all {
            if self.new_steps != 0 {
                let process = self.new_steps.trailing_zeros() as usize;
                self.new_steps &= self.new_steps - 1;
                self.close_steps(place, process);
            } else if let Some(process) = self.new_commits.iter().position(|&new| new != 0) {
                let commits = std::mem::take(&mut self.new_commits[process]);
                self.close_commits(place, process, commits);
            } else {
                return;
            }
        }
    }

    #[inline]
    fn add_steps(&mut self, process: usize) {
        let new = !self.groups.steps & (1 << process);
        self.groups.steps |= new;
        self.new_steps |= new;
    }

    #[inline]
    fn add_commits(&mut self, process: usize, places: Objects) {
        let new = places & !self.groups.commits[process];
        self.groups.commits[process] |= new;
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
            // A store fence is in the way, and what waits before it.
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
        if now.enters_atomic || (place.reduction.for_runs && now.closes_loop) {
            self.groups.all = true;
            return;
        }
        self.conflicts(place, process, now.touch);
        if actor.pending != 0 {
            if now.needs_own {
                self.add_commits(process, lowest(actor.ready));
            }
            if M::OVERWRITES {
                self.block(place, process, now.touch.stores | now.touch.writes);
            }
            if now.touch.writes & VISIBLE != 0 {
                self.block(place, process, place.reduction.tables[process].seen);
            }
            self.make_room(place, process);
        }
        if now.needs_all
            && let Some(other) = place.scene.actors.iter().position(|a| a.pending != 0)
        {
            self.add_commits(other, lowest(place.scene.actors[other].ready));
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
        let mut touch = ObjectFootprint { writes: commits | table.commit.writes, ..table.commit };
        let seen = commits & table.seen != 0;
        if seen {
            touch.writes |= VISIBLE;
        }
        self.conflicts(place, process, touch);
        let fills = if M::IN_ORDER { table.can_fill } else { table.can_fill & commits };
        let replaced = (ahead.touch.stores | ahead.touch.writes) & commits;
        if (place.keep_buffer_full && fills & ahead.touch.stores != 0)
            || (M::OVERWRITES && replaced != 0)
            || (seen && ahead.touch.writes & VISIBLE != 0)
            || ahead.tells_own
        {
            self.add_steps(process);
        }
        if seen && !M::IN_ORDER {
            self.block(place, process, table.seen);
            let waiting = place.scene.actors[process].pending & place.reduction.numbering.exact;
            if ahead.touch.stores & table.seen & !waiting != 0 {
                self.add_steps(process);
            }
        }
        for (other, actor) in place.scene.actors.iter().enumerate() {
            if place.reduction.tables[other].ahead[actor.at].tells_all {
                self.add_steps(other);
            }
        }
    }

    /// Brings in what other processes may do to what an action of a process touches, or may see of it.
    #[inline]
    fn conflicts<M: MemorySystem>(
        &mut self,
        place: &ClosureContext<'_, M>,
        process: usize,
        touch: ObjectFootprint,
    ) {
        let any = touch.reads | touch.writes;
        for (other, actor) in place.scene.actors.iter().enumerate() {
            if other == process {
                continue;
            }
            let table = &place.reduction.tables[other];
            let ahead = &table.ahead[actor.at].touch;
            let noticed = if touch.writes & VISIBLE != 0 { table.seen } else { 0 };
            let commits = any | noticed;
            if ahead.reads & touch.writes != 0 || ahead.writes & any != 0 {
                self.add_steps(other);
            } else if ahead.stores & commits != 0 {
                self.conflict_of_stores(place, other, ahead.stores & commits);
            }
            let retires = table.commit.reads & touch.writes | table.commit.writes & any;
            let commits = if retires != 0 { Objects::MAX } else { commits };
            self.block(place, other, commits);
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

/// The lowest bit alone.
fn lowest(objects: Objects) -> Objects {
    objects & objects.wrapping_neg()
}
