//! What questions about states look at, and so which actions they can notice.
//!
//! An action that no question can notice is *invisible*: every question has the same answer before and after
//! it. Which actions are visible is decided from the code, so an action may be called visible that changes
//! nothing in the state at hand.

use std::collections::BTreeSet;

use taut_ir::{Control, Expr, Lvalue, PointId, ProcId, Program, RegId, Step};
use taut_memory::Cells;

use super::footprint::Footprint;
use super::objects::{Numbering, Objects, PROCESS_TABLE};

/// What some expressions look at.
#[derive(Default)]
pub(super) struct Visibility {
    /// Memory, and channels.
    shared: Objects,
    /// What is looked at in each process.
    processes: Vec<Process>,
    /// Whether which processes live is looked at.
    roster: bool,
}

/// What is looked at in one process.
#[derive(Clone, Default)]
struct Process {
    /// Its view of these places.
    view: Objects,
    registers: BTreeSet<RegId>,
    points: Vec<Vec<PointId>>,
    /// Whether its buffer is empty.
    buffer: bool,
    /// Whether it lives.
    life: bool,
}

impl Visibility {
    /// What expressions over states look at.
    pub(super) fn new<'e>(
        program: &Program,
        places: &Cells,
        numbering: &Numbering,
        exprs: impl IntoIterator<Item = &'e Expr>,
    ) -> Visibility {
        let mut sight = Visibility {
            processes: vec![Process::default(); program.processes.len()],
            ..Visibility::default()
        };
        let possible = |e: &Expr| numbering.places(places.read(program, e));
        for expr in exprs {
            sight.look(expr, None, numbering, &possible);
        }
        sight
    }

    fn look(
        &mut self,
        expr: &Expr,
        viewer: Option<ProcId>,
        numbering: &Numbering,
        possible: &impl Fn(&Expr) -> Objects,
    ) {
        let mut inside = viewer;
        match expr {
            Expr::Var(_) | Expr::VarElem(..) => match viewer {
                Some(p) => self.processes[p.index()].view |= possible(expr),
                None => self.shared |= possible(expr),
            },
            Expr::Reg(register) | Expr::RegElem(register, _) => {
                if let Some(p) = viewer {
                    self.processes[p.index()].registers.insert(*register);
                }
            }
            Expr::In(p, _) => {
                self.processes[p.index()].life = true;
                inside = Some(*p);
            }
            Expr::At(p, points) => {
                let process = &mut self.processes[p.index()];
                process.life = true;
                process.points.push(points.clone());
            }
            Expr::Alive(p) => self.processes[p.index()].life = true,
            Expr::Drained(p) => {
                let process = &mut self.processes[p.index()];
                process.life = true;
                process.buffer = true;
            }
            Expr::Pid | Expr::Processes => self.roster = true,
            Expr::Channel(_, channel) => self.shared |= numbering.channels_of(channel),
            Expr::Poll(poll) => self.shared |= numbering.channels_of(&poll.channel),
            Expr::Const(_)
            | Expr::Unary(..)
            | Expr::Binary(..)
            | Expr::Cond(..)
            | Expr::Enabled(_)
            | Expr::Timeout => {}
        }
        for operand in expr.operands() {
            self.look(operand, inside, numbering, possible);
        }
    }

    /// The memory that questions look at, directly or by the view of a process other than this.
    fn memory_but(&self, process: ProcId) -> Objects {
        let others = self.processes.iter().enumerate().filter(|(p, _)| *p != process.index());
        others.fold(self.shared, |all, (_, other)| all | other.view)
    }

    /// The places of which a commit of a process can be noticed. A commit changes nothing in the view of its
    /// own process.
    pub(super) fn notices_commits(&self, process: ProcId, retires: bool) -> Objects {
        let own = &self.processes[process.index()];
        let always = own.buffer || (retires && (own.life || self.roster));
        if always { Objects::MAX } else { self.memory_but(process) }
    }

    /// Whether a step can be noticed, but for where its process goes.
    pub(super) fn notices_step(&self, process: ProcId, step: &Step, touch: Footprint) -> bool {
        let own = &self.processes[process.index()];
        let life = self.roster || self.processes.iter().any(|p| p.life);
        let assigned = |place: &Lvalue| match place {
            Lvalue::Reg(r) | Lvalue::RegElem(r, _) => own.registers.contains(r),
            Lvalue::Var(_) | Lvalue::VarElem(..) => false,
        };
        let moves_frame = matches!(step.target, Control::Call { .. } | Control::Return);
        touch.writes & (self.memory_but(process) | own.view) != 0
            || touch.stores & own.view != 0
            || (touch.stores != 0 && own.buffer)
            || (touch.writes & PROCESS_TABLE != 0 && life)
            || step.stores().any(assigned)
            || (moves_frame && !own.registers.is_empty())
    }

    /// Whether it can be noticed that a process moves from a program point to another.
    pub(super) fn notices_move(&self, process: ProcId, from: PointId, to: PointId) -> bool {
        let mut sets = self.processes[process.index()].points.iter();
        sets.any(|set| set.contains(&from) != set.contains(&to))
    }

    /// Whether it can be noticed that a process is gone because it has finished.
    pub(super) fn notices_end(&self, process: ProcId) -> bool {
        self.roster || self.processes[process.index()].life
    }
}
