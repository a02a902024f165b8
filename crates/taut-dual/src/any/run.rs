//! From a chain of crowds to a run of an instance.
//!
//! Members of crowds have no names. Here they get some: the chain is undone once more, from what must not be to the initial
//! state, and each member is followed from crowd to crowd. The processes that ever were members are those of the run; what
//! happens to them becomes a run of TSO as for a fixed number of processes (`witness.rs`).

use taut_ir::{Action, DefId, ProcId, Program};

use super::crowd::Crowd;
use super::kept::{Kept, KeptId};
use super::undo::{Made, Move, Undo};
use crate::pre::Loaded;
use crate::witness::{Event, actions};

/// A process of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Runner {
    /// One that the program has: that a property names, or of which there is one.
    Named(ProcId),
    /// Another one of a definition.
    Another(DefId),
}

/// The processes of what a chain starts from.
#[derive(Clone, Debug)]
pub(crate) struct Cast {
    /// The processes that something is asked of. Each is one of its own, also where it has not started and is no member.
    pub(crate) processes: Vec<ProcId>,
    /// For each member of the crowd, the position of its process.
    pub(crate) members: Vec<usize>,
}

/// A run of some instance.
#[derive(Clone, Debug)]
pub(crate) struct AnyRun {
    pub(crate) runners: Vec<Runner>,
    /// Processes are positions in the list of runners.
    actions: Vec<Action>,
}

/// The run that a chain of crowds describes; none if the chain is broken, which would be a bug. The first `named` processes
/// of the program are those of every instance.
pub(crate) fn run(
    undo: &mut Undo<'_>,
    program: &Program,
    kept: &Kept,
    first: KeptId,
    cast: &Cast,
    named: usize,
) -> Option<AnyRun> {
    let mut chain = vec![first];
    while let Some(&here) = chain.last()
        && kept.origin(here).1 != Move::Start
    {
        taut_budget::tick();
        chain.push(kept.origin(here).0);
    }
    let mut follower = Follower::new(undo, program, kept.crowd(*chain.last()?), cast);
    for pair in chain.windows(2).rev() {
        taut_budget::tick();
        follower.step(kept, pair[1], pair[0])?;
    }
    let Follower { mut runners, mut events, .. } = follower;
    for runner in &mut runners {
        // One that only the search added.
        if let Runner::Named(process) = *runner
            && process.index() >= named
        {
            *runner = Runner::Another(program.process(process).def);
        }
    }
    events.reverse();
    let (actions, _) = actions(undo.system, runners.len(), &events)?;
    Some(AnyRun { runners, actions })
}

/// Follows members from crowd to crowd, against the run.
struct Follower<'u, 's> {
    undo: &'u mut Undo<'s>,
    program: &'u Program,
    /// The runner that each member of the crowd is.
    names: Vec<usize>,
    runners: Vec<Runner>,
    /// The last event first.
    events: Vec<Event>,
}

impl<'u, 's> Follower<'u, 's> {
    fn new(
        undo: &'u mut Undo<'s>,
        program: &'u Program,
        last: &Crowd,
        cast: &Cast,
    ) -> Follower<'u, 's> {
        let runners = cast.processes.iter().map(|&p| Runner::Named(p)).collect();
        let names = cast.members.clone();
        debug_assert_eq!(names.len(), last.members.len(), "a process per member");
        Follower { undo, program, names, runners, events: Vec::new() }
    }

    /// Goes from a crowd to the one that was made from it.
    fn step(&mut self, kept: &Kept, from: KeptId, to: KeptId) -> Option<()> {
        let (_, by) = kept.origin(to);
        let after = kept.crowd(from);
        for Made { mut crowd, loaded, .. } in self.undo.again(after, by) {
            let mut taken = Vec::new();
            self.undo.settle(&mut crowd, |member| taken.push(member));
            let untidy = crowd.clone();
            let stay = self.undo.tidy(&mut crowd);
            if crowd == *kept.crowd(to) {
                self.meet(&untidy);
                self.record(by, loaded, after.is_frozen, &taken);
                self.names = stay.into_iter().map(|position| self.names[position]).collect();
                return Some(());
            }
        }
        None
    }

    /// Gives a name to a new member.
    fn meet(&mut self, crowd: &Crowd) {
        for member in &crowd.members[self.names.len()..] {
            let process = ProcId::from(member.code());
            let def = self.program.process(process).def;
            self.names.push(self.runners.len());
            self.runners.push(match self.program.is_replicated(def) {
                true => Runner::Another(def),
                false => Runner::Named(process),
            });
        }
    }

    fn record(&mut self, by: Move, loaded: Loaded, is_pending: bool, taken: &[usize]) {
        match by {
            Move::Edge(member, edge) => {
                let process = self.names[member as usize];
                self.events.push(Event::Edge { process, edge, loaded, is_pending });
            }
            Move::Propagate(member) => {
                self.events.push(Event::Propagate(self.names[member as usize]));
            }
            Move::Freeze | Move::Start => {}
        }
        // What was taken off last was the first to leave memory.
        self.events.extend(taken.iter().map(|&member| Event::Propagate(self.names[member])));
    }
}

impl AnyRun {
    /// The numbers of processes that the run needs, and no less than there must be.
    pub(crate) fn counts(&self, program: &Program) -> Vec<(DefId, u32)> {
        let mut counts = program.least_counts();
        for (def, count) in &mut counts {
            let named: Vec<ProcId> = program.processes_of(*def).collect();
            let is_used = |p: &&ProcId| self.runners.contains(&Runner::Named(**p));
            let used = named.iter().filter(is_used).count();
            let others = self.runners.iter().filter(|r| **r == Runner::Another(*def)).count();
            *count = (*count).max((used + others) as u32);
        }
        counts
    }

    /// The run of an instance with at least so many processes.
    pub(crate) fn of(&self, program: &Program, instance: &Program) -> Vec<Action> {
        let mut free: Vec<ProcId> = instance.process_ids().collect();
        free.retain(|p| !self.runners.contains(&Runner::Named(*p)));
        let mut name = |runner: &Runner| match *runner {
            Runner::Named(process) => process,
            Runner::Another(def) => {
                let at = free.iter().position(|&p| instance.process(p).def == def);
                debug_assert!(at.is_some(), "the instance has as many processes as the run");
                at.map_or(ProcId(0), |at| free.remove(at))
            }
        };
        debug_assert!(program.processes.len() <= instance.processes.len(), "an instance is larger");
        let names: Vec<ProcId> = self.runners.iter().map(&mut name).collect();
        self.actions.iter().map(|action| renamed(*action, &names)).collect()
    }
}

/// An action of the process with a name. Rendezvous are refused.
pub(crate) fn renamed(action: Action, names: &[ProcId]) -> Action {
    match action {
        Action::Step { process, step, choice } => {
            Action::Step { process: names[process.index()], step, choice }
        }
        Action::Commit { process, var, index } => {
            Action::Commit { process: names[process.index()], var, index }
        }
        Action::Handshake { .. } => action,
    }
}
