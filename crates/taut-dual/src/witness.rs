//! From a chain of constraints to a run of TSO.
//!
//! Read from its end, a chain is a run of the dual semantics: stores, messages, loads. In TSO a store *commits* where
//! the dual run has it, and a load from a message is *executed* where the message left memory. Everything else of a process
//! is executed in program order, as late as what follows allows:
//!
//! - a load from an own entry before that store commits. Then TSO forwards it from the store buffer. This is possible: a
//!   message that the process loaded in between left memory before the store (buffers are queues);
//! - a fence or a read-modify-write where the dual run has it. All older stores have committed there;
//! - the rest when the run ends, which includes the stores that TSO still has in its buffers ([`crate::obligation`]).
//!
//! Nothing is taken on trust: the replayer judges every run.

use taut_ir::{Action, ProcId};

use crate::constraint::Constraint;
use crate::kept::{Kept, KeptId};
use crate::places::{Cell, Fact};
use crate::pre::{Loaded, Move, Undo};
use crate::start::Names;
use crate::system::{Edge, EdgeId, Kind, Point, System};

/// Something that happens in a dual run. Processes are numbers: the edge says which code one has.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Event {
    /// A process takes an edge; whether its store stays in the buffer for good.
    Edge { process: usize, edge: EdgeId, loaded: Loaded, is_pending: bool },
    /// A message leaves memory for a process.
    Propagate(usize),
}

/// A run, and the names that processes have at its end.
type Told = (Vec<Action>, Vec<ProcId>);

/// The run that a chain of constraints describes; none if the chain is broken, which would be a bug.
pub(crate) fn run(undo: &mut Undo<'_>, kept: &Kept, first: KeptId) -> Option<Told> {
    let events = events(undo, kept, first)?;
    actions(undo.system, kept.shape().processes, &events)
}

/// The run of TSO that some events of so many processes are.
pub(crate) fn actions(system: &System, processes: usize, events: &[Event]) -> Option<Told> {
    let plan = Plan::of(system, processes, events)?;
    Some(plan.actions(system, events))
}

/// The events of a chain, in the order in which they happen.
fn events(undo: &mut Undo<'_>, kept: &Kept, first: KeptId) -> Option<Vec<Event>> {
    let mut events = Vec::new();
    let mut here = first;
    loop {
        taut_budget::tick();
        let (next, by) = kept.origin(here);
        if by == Move::Start {
            return Some(events);
        }
        let (loaded, taken) = again(undo, kept, here, next, by)?;
        // What was taken off last was the first to leave memory.
        events.extend(taken.into_iter().rev().map(|p| Event::Propagate(p.index())));
        let shape = kept.shape();
        let is_pending = Constraint::of(shape, kept.row(next)).frame() != 0;
        match by {
            Move::Edge(edge) => {
                let process = undo.system.edge(edge).process.index();
                events.push(Event::Edge { process, edge, loaded, is_pending });
            }
            Move::Propagate(process) => events.push(Event::Propagate(process.index())),
            Move::Freeze | Move::Start => {}
        }
        here = next;
    }
}

/// Undoes a move again, and tells how the kept constraint came about.
fn again(
    undo: &mut Undo<'_>,
    kept: &Kept,
    here: KeptId,
    next: KeptId,
    by: Move,
) -> Option<(Loaded, Vec<ProcId>)> {
    let shape = kept.shape();
    let after = Constraint::of(shape, kept.row(next));
    let mut made: Vec<(Constraint, Loaded)> = Vec::new();
    let mut receive = |c: &Constraint, _: Move, loaded: Loaded| made.push((c.clone(), loaded));
    match by {
        Move::Edge(edge) => undo.edge(&after, edge, &mut receive),
        Move::Propagate(process) => undo.propagate(&after, process.index(), &mut receive),
        Move::Freeze => {
            let mut thawed = after.clone();
            thawed.set_frame(0);
            receive(&thawed, by, Loaded::Own);
        }
        Move::Start => return None,
    }
    made.into_iter().find_map(|(mut c, loaded)| {
        let mut taken = Vec::new();
        undo.settle(&mut c, |process| taken.push(process));
        (c.row() == kept.row(here)).then_some((loaded, taken))
    })
}

/// When each edge of each process is executed at the latest.
struct Plan {
    /// For each process, its edges with the event at which each must have been executed.
    processes: Vec<Vec<(EdgeId, Option<usize>)>>,
    /// The event at which a process enters the atomic section in which the run ends.
    last_section: Option<(usize, usize)>,
}

/// An own store that may be loaded from.
type OwnStore = (Cell, Option<usize>);

impl Plan {
    fn of(system: &System, count: usize, events: &[Event]) -> Option<Plan> {
        let mut processes = vec![Vec::new(); count];
        let mut messages = vec![std::collections::VecDeque::new(); count];
        let mut own: Vec<Vec<OwnStore>> = vec![Vec::new(); count];
        for (now, event) in events.iter().enumerate() {
            match *event {
                Event::Propagate(process) => messages[process].push_back(now),
                Event::Edge { process: p, edge: id, loaded, is_pending } => {
                    let edge = system.edge(id);
                    let own_load = || latest_own(&own[p], &edge.reads);
                    let mut at = match loaded {
                        Loaded::Own if edge.kind == Kind::Plain => own_load(),
                        Loaded::Own => None,
                        Loaded::Kept => Some(*messages[p].front()?),
                        Loaded::Fresh => Some(messages[p].pop_front()?),
                    };
                    let stores = !edge.writes.is_empty() && !is_pending;
                    // A step in which something is found ends the run.
                    let code = edge.process.index();
                    let is_last = matches!(system.point(code, edge.target), Point::Found(_));
                    if edge.kind != Kind::Plain || (stores || is_last) && at.is_none() {
                        at = Some(now);
                    }
                    for &(cell, _) in edge.writes.iter().filter(|_| edge.kind == Kind::Plain) {
                        own[p].retain(|(x, _)| *x != cell);
                        own[p].push((cell, (!is_pending).then_some(now)));
                    }
                    processes[p].push((id, at));
                }
            }
        }
        Some(Plan { processes, last_section: last_section(system, events) })
    }

    /// Executes everything.
    fn actions(&self, system: &System, events: &[Event]) -> Told {
        let (done, actions) = (vec![0; self.processes.len()], Vec::new());
        let names = Names::new(system, self.processes.len());
        let mut run = Run { system, plan: self, done, names, actions };
        for (now, event) in events.iter().enumerate() {
            if let Some((section, process)) = self.last_section
                && section == now
            {
                (0..self.processes.len()).filter(|&p| p != process).for_each(|p| run.all(p));
            }
            let process = match *event {
                Event::Propagate(process) => process,
                Event::Edge { process, .. } => process,
            };
            if run.until(process, now) {
                return run.told();
            }
            if let Event::Edge { process, edge, is_pending: false, .. } = *event {
                run.commit(process, system.edge(edge));
            }
        }
        (0..self.processes.len()).for_each(|p| run.all(p));
        run.told()
    }
}

/// The commit of the store that the loads of an edge are from: the first of several. None if none commits.
fn latest_own(own: &[OwnStore], reads: &[Fact]) -> Option<usize> {
    let of = |(cell, _): &Fact| own.iter().find(|(x, _)| x == cell).and_then(|(_, at)| *at);
    reads.iter().filter_map(of).min()
}

/// The event at which a process enters an atomic section that it does not leave.
fn last_section(system: &System, events: &[Event]) -> Option<(usize, usize)> {
    let mut entered = None;
    for (now, event) in events.iter().enumerate() {
        let Event::Edge { process: p, edge, .. } = *event else { continue };
        let edge = system.edge(edge);
        let code = edge.process.index();
        let is_section =
            |c| system.is_atomic(code, c) && matches!(system.point(code, c), Point::At(..));
        match (is_section(edge.source), is_section(edge.target)) {
            (false, true) => entered = Some((now, p)),
            (true, false) => entered = None,
            _ => {}
        }
    }
    entered
}

/// A run that is being written.
struct Run<'a> {
    system: &'a System,
    plan: &'a Plan,
    /// The number of edges that each process has executed.
    done: Vec<usize>,
    names: Names<'a>,
    actions: Vec<Action>,
}

impl Run<'_> {
    fn told(self) -> Told {
        let names = (0..self.done.len()).map(|p| self.names.name(p)).collect();
        (self.actions, names)
    }

    /// Executes the edges of a process up to the last one that is due. Tells whether something was found, which ends
    /// the run.
    fn until(&mut self, process: usize, now: usize) -> bool {
        let edges = &self.plan.processes[process];
        let due = edges.iter().rposition(|(_, at)| at.is_some_and(|at| at <= now));
        while due.is_some_and(|due| self.done[process] <= due) {
            if self.step(process) {
                return true;
            }
        }
        false
    }

    /// Executes all edges of a process.
    fn all(&mut self, process: usize) {
        while self.done[process] < self.plan.processes[process].len() {
            self.step(process);
        }
    }

    fn step(&mut self, process: usize) -> bool {
        let (edge, _) = self.plan.processes[process][self.done[process]];
        self.done[process] += 1;
        let edge = self.system.edge(edge);
        if let Some(step) = edge.step {
            self.actions.push(Action::step(self.names.name(process), step));
        }
        self.names.step(process, edge);
        matches!(self.system.point(edge.process.index(), edge.target), Point::Found(_))
    }

    /// The store of an edge reaches memory, if it went through the buffer.
    fn commit(&mut self, process: usize, edge: &Edge) {
        if edge.kind != Kind::Plain {
            return;
        }
        for &(cell, _) in &edge.writes {
            let place = self.system.places.place(cell);
            debug_assert!(place.is_some(), "a slot is never buffered");
            let Some((var, index)) = place else { continue };
            let name = self.names.name(process);
            self.actions.push(Action::Commit { process: name, var, index });
            self.names.commit(process);
        }
    }
}
