//! Processes that others start.
//!
//! All processes are there from the beginning. One that others start *waits*, at a control point of its own, and has a cell in memory, its
//! *slot*, that says whether it was started and with which values of its parameters (`places.rs`). To start a process is to store to
//! its slot; to begin is a step of the process that finds its slot changed.
//!
//! - *Why is that the same?* Between its start and its first step a process does nothing, so where it begins makes no
//!   difference to anything but a property, and a property takes a process with a changed slot for one at its entry (`seeds.rs`). Both
//!   steps find the buffer of their process empty. The one that begins has stored nothing yet.
//! - *The buffer of the process that starts another one.* A start happens when the step is taken, a store of the dual
//!   semantics when it reaches memory. For a step that waits for an empty buffer that is the same moment. It also is for one that does not wait, if the process
//!   has stored nothing since its buffer was empty, whatever way it came: the buffer *is* empty then (`History::is_drained`). Otherwise the program is
//!   refused with the place.
//! - *Processes that start again.* Under [`Lifecycle::Slots`] a process that has finished waits again as soon as its
//!   buffer is empty. A step of its own does this here, at any time after that. If no start can find all slots taken without such steps, there
//!   are none, and each start takes a slot of its own. In both cases another slot than the first one that waits may be
//!   taken. Processes of a definition are alike, so runs are the same up to their names, and the run that is reported gets the
//!   right ones ([`Names`]). A property that names one of several could tell: it is refused if such a process may finish.
//!   With [`Lifecycle::Stack`] processes that have finished stay where they are, and a program that needs their slots is refused.
//! - A start that finds all slots taken is *blocked* ([`Bound::Threads`]). With slots that are given back late this may be said
//!   of a bound that is not met: the coverage of the answer is then smaller than it could be, and still true.

use taut_ir::{DefId, Effect, Expr, Lifecycle, ProcId, Program, Span, Start, Step};

use crate::edge::{Bound, Edge, Kind, Point};
use crate::eval::Stop;
use crate::places::{Cell, Places};
use crate::step::{Execution, Halt, Open};
use crate::system::{ControlId, System};

/// Whether a step starts a process.
pub(crate) fn starts(step: &Step) -> bool {
    step.effects.iter().any(|effect| matches!(effect, Effect::Spawn { .. }))
}

/// The processes of a definition that a start can take, in the order in which it tries them.
pub(crate) fn slots(program: &Program, def: DefId) -> impl Iterator<Item = ProcId> {
    let is_spawned = |p: &ProcId| program.process(*p).start == Start::Spawned;
    program.spawn_slots(def).filter(is_spawned)
}

impl Execution<'_> {
    /// Starts a process. Whether one waits comes before the values of its parameters.
    pub(crate) fn spawn(&mut self, def: DefId, args: &[Expr]) -> Result<(), Halt> {
        let Some(child) = self.vacant(def)? else { return Err(Halt::Bound(Bound::Threads(def))) };
        let mut given = Vec::new();
        let registers = &self.program.def_of(child).registers;
        for (register, value) in registers.iter().zip(self.values(args)?) {
            given.push(register.ty.fit(value).ok_or(taut_ir::Fault::Range).map_err(Open::from)?);
        }
        self.spawned.push((child, given));
        Ok(())
    }

    /// The first process of a definition that waits.
    fn vacant(&self, def: DefId) -> Result<Option<ProcId>, Open> {
        for process in slots(self.program, def) {
            let Some(slot) = self.places.slot(process.index()) else { continue };
            if self.spawned.iter().any(|(other, _)| *other == process) {
                continue;
            }
            let known = self.known.iter().find(|(cell, _)| *cell == slot);
            let (_, value) = known.ok_or(Stop::Ask(slot))?;
            if *value == Places::WAITING {
                return Ok(Some(process));
            }
        }
        Ok(None)
    }
}

/// The place of a property that names one of several processes of a definition that may finish.
pub(crate) fn named(program: &Program, system: &System) -> Option<Span> {
    let may_finish = |p: ProcId| system.processes[p.index()].finished.contains(&true);
    let is_one_of_several = |p: ProcId| {
        let def = program.process(p).def;
        program.process(p).start == Start::Spawned
            && slots(program, def).nth(1).is_some()
            && slots(program, def).any(may_finish)
    };
    let names = |expr: &Expr| {
        let mut found = false;
        expr.visit(&mut |e| {
            found |= matches!(e, Expr::In(p, _) | Expr::At(p, _) | Expr::Alive(p) | Expr::Drained(p)
                if is_one_of_several(*p));
        });
        found
    };
    let mut about_states = program.properties.iter().filter(|p| !p.kind.is_temporal());
    about_states.find(|p| p.kind.exprs().into_iter().any(names)).map(|p| p.span)
}

/// The names that processes have in the run that is reported: those of the program's own rule, by which a start takes
/// the first process that waits.
pub(crate) struct Names<'s> {
    system: &'s System,
    /// The name of each process.
    names: Vec<usize>,
    /// Whether a name is in use, by the process that has it.
    users: Vec<Option<usize>>,
    /// Stores of each process that have not reached memory.
    pending: Vec<u32>,
    at: Vec<ControlId>,
}

impl<'s> Names<'s> {
    pub(crate) fn new(system: &'s System, processes: usize) -> Names<'s> {
        let users = vec![None; processes];
        let (pending, at) = (vec![0; processes], vec![ControlId::INITIAL; processes]);
        Names { system, names: (0..processes).collect(), users, pending, at }
    }

    pub(crate) fn name(&self, process: usize) -> ProcId {
        ProcId::from(self.names[process])
    }

    /// A process has taken an edge.
    pub(crate) fn step(&mut self, process: usize, edge: &Edge) {
        self.at[process] = edge.target;
        if edge.kind == Kind::Plain {
            self.pending[process] += edge.writes.len() as u32;
        }
        for &(cell, value) in edge.writes.iter() {
            if value != Places::INITIAL
                && let Some(child) = self.system.places.process_of(cell)
            {
                self.start(child.index());
            }
        }
        self.release(process);
    }

    /// A store of a process has reached memory.
    pub(crate) fn commit(&mut self, process: usize) {
        self.pending[process] = self.pending[process].saturating_sub(1);
        self.release(process);
    }

    /// A process is started: it gets the first name of its definition that is free.
    fn start(&mut self, child: usize) {
        let alike = &self.system.alike[child];
        let free = alike.iter().find(|&&name| self.users[name].is_none());
        debug_assert!(free.is_some(), "a process that waits has left its name");
        let name = free.copied().unwrap_or(child);
        self.names[child] = name;
        self.users[name] = Some(child);
    }

    /// A process that has finished with an empty buffer leaves its name.
    fn release(&mut self, process: usize) {
        let finished = &self.system.processes.get(process).map(|p| &p.finished);
        let is_over = finished.is_some_and(|f| f.get(self.at[process].index()) == Some(&true));
        if is_over && self.pending[process] == 0 {
            self.users.iter_mut().filter(|user| **user == Some(process)).for_each(|u| *u = None);
        }
    }
}

/// For each process, the processes that a start of its definition can take.
pub(crate) fn alike(program: &Program) -> Vec<Vec<usize>> {
    let of = |p: ProcId| match program.process(p).start {
        Start::Spawned => slots(program, program.process(p).def).map(ProcId::index).collect(),
        Start::Initially => Vec::new(),
    };
    program.process_ids().map(of).collect()
}

/// Whether a process has finished at a control point, so that it waits again.
pub(crate) fn is_finished(program: &Program, process: ProcId, point: &Point) -> bool {
    let is_spawned = program.process(process).start == Start::Spawned;
    let Point::At(point, _) = point else { return false };
    is_spawned && program.lifecycle == Lifecycle::Slots && program.def_of(process).is_final(*point)
}

/// The edge by which a process that was started begins.
pub(crate) fn begin(
    process: ProcId,
    target: ControlId,
    slot: (Cell, crate::places::Value),
) -> Edge {
    let (source, kind) = (ControlId::INITIAL, Kind::Locked);
    let (reads, writes) = ([slot].into(), Box::default());
    Edge { process, source, target, step: None, kind, reads, writes }
}

/// The edge by which a process that has finished waits again.
pub(crate) fn wait_again(process: ProcId, source: ControlId, slot: Cell) -> Edge {
    let (target, kind) = (ControlId::INITIAL, Kind::Locked);
    let (reads, writes) = (Box::default(), [(slot, Places::INITIAL)].into());
    Edge { process, source, target, step: None, kind, reads, writes }
}
