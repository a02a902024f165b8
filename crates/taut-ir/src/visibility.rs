//! Visibility: what an observer can see of a state, and so which steps it can notice.
//!
//! An *observer* is whatever looks at states from outside of a process: a property, the atoms of a formula, the watched
//! expressions of a search, or the steps of other processes, which may name registers and program points
//! (Promela's remote references). A step that no observer can notice is *invisible*: every expression that is
//! looked at has the same value before and after it (Valmari 1991; Peled 1993). Reductions take such a step earlier or
//! later than it would have been.
//!
//! **The invariant.** If [`Visibility::notices_step`] and [`Visibility::notices_move`] deny, no observed expression has
//! another value after the step. The other way round nothing is promised: a step may be called visible that changes
//! nothing in the state at hand. Tests hold this against the replayer (`taut-witness/tests/it/footprint.rs`).
//!
//! **Cost.** Proportional to the text of the observed expressions; a question about a step takes time proportional to the
//! footprint of the step times what is observed.

use std::collections::BTreeSet;

use crate::footprint::{ChannelRef, Footprint, Locations};
use crate::{Atomics, ChanId, Expr, MemoryModel, PointId, ProcId, Program, RegId, VarId};

/// What observers can see.
#[derive(Clone, Debug, Default)]
pub struct Visibility {
    /// Locations of which the value in memory is seen.
    pub memory: Vec<Locations>,
    /// Channels that are asked about.
    pub channels: Vec<ChannelRef>,
    /// What is seen of each process.
    pub processes: Vec<Observed>,
    /// The number of living processes, or a pid.
    pub process_table: bool,
    /// Whether the number of living processes is asked for.
    pub living: bool,
    /// Whether a process is enabled, which depends on everything.
    pub enabled: bool,
    /// Whether nothing else can happen, which depends on everything. Steps can ask it, properties cannot.
    pub timeout: bool,
}

/// What is seen of one process.
#[derive(Clone, Debug, Default)]
pub struct Observed {
    /// Locations in the view of the process.
    pub view: Vec<Locations>,
    /// Registers.
    pub registers: BTreeSet<RegId>,
    /// Sets of program points: whether the process is at one of them.
    pub points: Vec<Vec<PointId>>,
    /// Whether the buffer of the process is empty.
    pub buffer: bool,
    /// Whether the process lives, asked for by itself or because everything that is seen of it depends on it.
    pub life: bool,
    /// Whether the process lives, asked for by itself.
    pub alive: bool,
}

impl Visibility {
    /// Nothing is seen.
    pub fn nothing(program: &Program) -> Visibility {
        let processes = vec![Observed::default(); program.processes.len()];
        Visibility { processes, ..Visibility::default() }
    }

    /// What expressions over states see.
    pub fn of<'e>(program: &Program, exprs: impl IntoIterator<Item = &'e Expr>) -> Visibility {
        let mut all = Visibility::nothing(program);
        exprs.into_iter().for_each(|expr| all.observe(program, expr));
        all
    }

    /// Adds what an expression over states sees.
    pub fn observe(&mut self, program: &Program, expr: &Expr) {
        self.look(program, expr, Scope::Memory);
    }

    /// Adds what the steps of all processes see of processes, their own included. Memory, and what a step sees of its
    /// own process without naming it, are not added: they are in its footprint.
    pub fn observe_steps(&mut self, program: &Program) {
        for step in program.defs.iter().flat_map(|def| &def.steps) {
            taut_budget::tick();
            for expr in step.expressions() {
                self.look(program, expr, Scope::Own);
            }
        }
    }

    fn look(&mut self, program: &Program, expr: &Expr, scope: Scope) {
        let mut inside = scope;
        match expr {
            Expr::Var(_) | Expr::VarElem(..) => {
                let seen = Locations::read_by(program, expr);
                match scope {
                    Scope::Memory => self.memory.extend(seen),
                    Scope::Process(p) => self.processes[p.index()].view.extend(seen),
                    Scope::Own => {}
                }
            }
            Expr::Reg(register) | Expr::RegElem(register, _) => {
                if let Scope::Process(p) = scope {
                    self.processes[p.index()].registers.insert(*register);
                }
            }
            Expr::In(p, _) => {
                self.processes[p.index()].life = true;
                inside = Scope::Process(*p);
            }
            Expr::At(p, points) => {
                let process = &mut self.processes[p.index()];
                process.life = true;
                process.points.push(points.clone());
            }
            Expr::Alive(p) => {
                let process = &mut self.processes[p.index()];
                (process.life, process.alive) = (true, true);
            }
            Expr::Drained(p) => {
                let process = &mut self.processes[p.index()];
                (process.life, process.buffer) = (true, true);
            }
            Expr::Pid => self.process_table = true,
            Expr::Processes => (self.process_table, self.living) = (true, true),
            Expr::Channel(..) | Expr::Poll(_) => {
                self.channels.extend(ChannelRef::asked_by(program, expr));
            }
            Expr::Enabled(_) => self.enabled = true,
            Expr::Timeout => self.timeout = true,
            Expr::Const(_) | Expr::Unary(..) | Expr::Binary(..) | Expr::Cond(..) => {}
        }
        for operand in expr.operands() {
            self.look(program, operand, inside);
        }
    }

    /// What is seen of a process.
    pub fn of_process(&self, process: ProcId) -> &Observed {
        &self.processes[process.index()]
    }

    /// For each definition, what is seen of its processes together.
    pub fn by_definition(&self, program: &Program) -> Vec<Observed> {
        let mut all = vec![Observed::default(); program.defs.len()];
        for process in program.process_ids() {
            all[program.process(process).def.index()].join(self.of_process(process));
        }
        all
    }

    /// The variables that are seen, in memory or in the view of some process.
    pub fn variables(&self) -> BTreeSet<VarId> {
        let views = self.processes.iter().flat_map(|process| &process.view);
        self.memory.iter().chain(views).map(|locations| locations.var).collect()
    }

    /// The locations that are seen in memory, or in the view of another process than one. A commit of the process can be
    /// noticed by these alone, as it changes nothing in the view of its own process.
    pub fn memory_but(&self, process: ProcId) -> impl Iterator<Item = Locations> {
        let others = self.processes.iter().enumerate().filter(move |(p, _)| *p != process.index());
        let views = others.flat_map(|(_, other)| &other.view);
        self.memory.iter().chain(views).copied()
    }

    /// Whether it is asked of some process if it lives, or for the process table.
    pub fn sees_lives(&self) -> bool {
        self.process_table || self.processes.iter().any(|p| p.life)
    }

    /// Whether a step of a process can be noticed under a memory model, but for where the process goes.
    pub fn notices_step(
        &self,
        (program, model): (&Program, MemoryModel),
        process: ProcId,
        footprint: &Footprint,
    ) -> bool {
        let own = self.of_process(process);
        let Footprint { stores, writes, .. } = footprint;
        let waits = model.is_relaxed();
        // An atomic write drops what waits for its location.
        let drops = model.atomics() == Atomics::PassBuffer && !writes.is_empty();
        let meets = |list: &[Locations], seen: Locations| list.iter().any(|l| l.meets(seen));
        let in_memory = |seen| meets(writes, seen) || (!waits && meets(stores, seen));
        self.memory_but(process).any(in_memory)
            || own.view.iter().any(|&seen| meets(writes, seen) || meets(stores, seen))
            || (own.buffer && ((waits && !stores.is_empty()) || drops))
            || (self.sees_lives() && footprint.changes_process_table())
            || self.notices_messages(footprint)
            || footprint.emptied(program, process).any(|channel| self.sees_channel(channel))
            || own.notices_registers(footprint)
    }

    /// Whether a message that is sent or received can be noticed.
    fn notices_messages(&self, footprint: &Footprint) -> bool {
        footprint.channels_used.iter().any(|used| match used {
            ChannelRef::One(channel) => self.sees_channel(*channel),
            ChannelRef::Any => !self.channels.is_empty(),
        })
    }

    fn sees_channel(&self, channel: ChanId) -> bool {
        self.channels.iter().any(|seen| seen.contains(channel))
    }

    /// Whether it can be noticed that a process moves from a program point to another.
    pub fn notices_move(&self, process: ProcId, from: PointId, to: PointId) -> bool {
        self.of_process(process).tells_apart(from, to)
    }

    /// Whether it can be noticed that a process is gone because it has finished. Its own channels are emptied then.
    pub fn notices_end(&self, program: &Program, process: ProcId) -> bool {
        let mut channels = program.process(process).channels.iter();
        self.process_table
            || self.of_process(process).life
            || channels.any(|&channel| self.sees_channel(channel))
    }
}

impl Observed {
    fn join(&mut self, other: &Observed) {
        self.view.extend(&other.view);
        self.registers.extend(&other.registers);
        self.points.extend_from_slice(&other.points);
        self.buffer |= other.buffer;
        self.life |= other.life;
        self.alive |= other.alive;
    }

    /// Whether two program points can be told apart.
    pub fn tells_apart(&self, a: PointId, b: PointId) -> bool {
        self.points.iter().any(|set| set.contains(&a) != set.contains(&b))
    }

    /// Whether a register that is seen is assigned.
    pub fn notices_registers(&self, footprint: &Footprint) -> bool {
        footprint.registers_written.iter().any(|r| self.registers.contains(r))
    }
}

/// The place in which an expression is computed.
#[derive(Clone, Copy)]
enum Scope {
    /// Variables are read from memory: a property.
    Memory,
    /// Registers and variables are those of the process that takes the step, and no business of an observer.
    Own,
    /// Registers and the view are those of a process that is named.
    Process(ProcId),
}
