//! What the search starts from: constraints that stand for the states, or steps, that must not be.
//!
//! A property is evaluated with everything open. What it asks for (the control point of a process, the value of a cell, the
//! newest pending store of a process) is guessed, one branch per answer, and each branch in which the property is
//! violated is a constraint. What it does not ask for is *any*.
//!
//! A process that others start is taken for what its slot says (`start.rs`): it is not there while it waits, at its entry
//! after its start, and not there any more when it has finished with an empty buffer.
//! Deadlocks are listed by `deadlock.rs`.

use std::borrow::Cow;

use taut_ir::{Expr, Finding, PointId, ProcId, Program, PropertyKind, RegId, VarId};

use crate::constraint::{Constraint, Shape};
use crate::eval::{Scope, Stop, evaluate};
use crate::locals::Locals;
use crate::obligation::{Obligation, Obligations, THAWED};
use crate::places::{Cell, Fact, Value};
use crate::system::{ControlId, Point, System};

/// There are more constraints to start from than can be listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TooMany(pub(crate) Finding);

/// The most constraints of one question.
pub(crate) const MOST_SEEDS: usize = 1 << 18;

/// What is open in a property.
#[derive(Clone, Copy, Debug)]
enum Ask {
    Control(usize),
    Memory(Cell),
    View(usize, Cell),
    Drained(usize),
}

/// Answers so far.
#[derive(Clone, Debug, Default)]
struct Guess {
    controls: Vec<(usize, ControlId)>,
    memory: Vec<Fact>,
    pending: Obligation,
}

/// Lists what searches start from.
pub(crate) struct Seeds<'a> {
    pub(crate) program: &'a Program,
    pub(crate) system: &'a System,
    pub(crate) names: &'a [Locals],
    pub(crate) obligations: Obligations,
    pub(crate) list: Vec<(Constraint, Finding)>,
}

impl<'a> Seeds<'a> {
    pub(crate) fn new(program: &'a Program, system: &'a System, names: &'a [Locals]) -> Seeds<'a> {
        let obligations = Obligations::default();
        Seeds { program, system, names, obligations, list: Vec::new() }
    }

    pub(crate) fn shape(&self) -> Shape {
        Shape { processes: self.program.processes.len(), cells: self.system.places.len() }
    }

    /// Adds what violates a finding. Of faults, all.
    pub(crate) fn add(&mut self, finding: Finding) -> Result<(), TooMany> {
        match finding {
            Finding::Property(id) => match &self.program.property(id).kind {
                PropertyKind::Assert => self.steps(|found| found == finding),
                PropertyKind::Forbid(e) | PropertyKind::Cover(e) => {
                    self.states(finding, e, true)?
                }
                PropertyKind::Invariant(e) => self.states(finding, e, false)?,
                PropertyKind::Ltl(_) | PropertyKind::Never(_) => {}
            },
            Finding::Fault(_) => self.steps(|found| matches!(found, Finding::Fault(_))),
            Finding::Deadlock => self.deadlocks()?,
            // Neither is found here.
            Finding::FullBuffer | Finding::NotRobust => {}
        }
        Ok(())
    }

    /// Steps in which something is found.
    fn steps(&mut self, is_asked: impl Fn(Finding) -> bool) {
        let shape = self.shape();
        for (process, own) in self.system.processes.iter().enumerate() {
            for (control, point) in own.points.iter().enumerate() {
                if let Point::Found(finding) = point
                    && is_asked(*finding)
                {
                    let mut c = Constraint::everything(shape);
                    c.set_control(process, ControlId(control as u32));
                    self.list.push((c, *finding));
                }
            }
        }
    }

    /// States in which an expression has a truth value. One that cannot be computed counts as false.
    fn states(&mut self, finding: Finding, expr: &Expr, bad: bool) -> Result<(), TooMany> {
        let mut open = vec![Guess::default()];
        let first = self.list.len();
        while let Some(guess) = open.pop() {
            taut_budget::tick();
            let mut scope = PropertyScope { seeds: self, guess: &guess, inside: None };
            let is_true = match evaluate(expr, &mut scope) {
                Ok(value) => value != 0,
                Err(Stop::Fault(_)) => false,
                Err(Stop::Ask(ask)) => {
                    self.branch(&guess, ask, &mut open);
                    continue;
                }
            };
            if is_true == bad {
                self.seed(&guess, finding);
            }
            if self.list.len() - first > MOST_SEEDS || open.len() > MOST_SEEDS {
                return Err(TooMany(finding));
            }
        }
        Ok(())
    }

    fn branch(&self, guess: &Guess, ask: Ask, open: &mut Vec<Guess>) {
        let values = |cell: Cell| (1..=self.system.places.values(cell).len() as u32).map(Value);
        let mut push = |change: &dyn Fn(&mut Guess)| {
            let mut next = guess.clone();
            change(&mut next);
            open.push(next);
        };
        match ask {
            Ask::Control(p) => {
                self.system.real(p).for_each(|c| push(&|g| g.controls.push((p, c))));
            }
            Ask::Memory(x) => values(x).for_each(|v| push(&|g| g.memory.push((x, v)))),
            Ask::View(p, x) => {
                push(&|g| g.pending.views.push((p, x, None)));
                values(x).for_each(|v| push(&|g| g.pending.views.push((p, x, Some(v)))));
            }
            Ask::Drained(p) => {
                [false, true].iter().for_each(|&d| push(&|g| g.pending.drained.push((p, d))));
            }
        }
    }

    /// The constraint of a guess, and those in which a process of which nothing is asked is in an atomic section.
    fn seed(&mut self, guess: &Guess, finding: Finding) {
        let asks_memory = !guess.memory.is_empty() || guess.pending != Obligation::default();
        let is_atomic = |c: &Constraint, p: usize| self.system.is_atomic(p, c.control(p));
        let mut c = Constraint::everything(self.shape());
        guess.controls.iter().for_each(|&(p, control)| c.set_control(p, control));
        guess.memory.iter().for_each(|&(x, v)| c.set_value(x, v));
        let processes = self.shape().processes;
        let frozen = self.obligations.frame(guess.pending.clone().sorted());
        let is_in = (0..processes).any(|p| is_atomic(&c, p));
        c.set_frame(if asks_memory || is_in { frozen } else { THAWED });
        self.list.push((c.clone(), finding));
        if is_in {
            return;
        }
        for p in (0..processes).filter(|&p| c.control(p) == ControlId::ANY) {
            for control in self.system.real(p).filter(|&c| self.system.is_atomic(p, c)) {
                let mut inside = c.clone();
                inside.set_control(p, control);
                // No store commits there.
                inside.set_frame(frozen);
                self.list.push((inside, finding));
            }
        }
    }
}

/// A process that lives: where it is, and its private state.
type Present<'a> = (PointId, Cow<'a, [i64]>);

/// The names of a property.
struct PropertyScope<'a> {
    seeds: &'a Seeds<'a>,
    guess: &'a Guess,
    /// The process in whose place an expression is computed.
    inside: Option<usize>,
}

impl PropertyScope<'_> {
    fn control(&self, process: usize) -> Result<ControlId, Stop<Ask>> {
        let known = self.guess.controls.iter().find(|(p, _)| *p == process);
        known.map(|(_, control)| *control).ok_or(Stop::Ask(Ask::Control(process)))
    }

    /// Where a process is, and its private state; none if it is not there.
    fn present(&self, process: usize) -> Result<Option<Present<'_>>, Stop<Ask>> {
        let system = self.seeds.system;
        let control = self.control(process)?;
        Ok(match (system.point(process, control), system.places.slot(process)) {
            (Point::Waiting, Some(slot)) => {
                let slot = self.memory(slot)?;
                let entry = self.seeds.program.def_of(ProcId::from(process)).entry;
                let begins = |args| Cow::Owned(self.seeds.names[process].starting(args));
                system.places.given(process, slot).map(|args| (entry, begins(args)))
            }
            (Point::At(point, locals), _) => {
                let finished = system.processes[process].finished[control.index()];
                let is_gone = finished && self.is_drained(process)?;
                (!is_gone).then_some((*point, Cow::Borrowed(&**locals)))
            }
            _ => None,
        })
    }

    fn is_drained(&self, process: usize) -> Result<bool, Stop<Ask>> {
        let known = self.guess.pending.drained.iter().find(|d| d.0 == process);
        known.map(|d| d.1).ok_or(Stop::Ask(Ask::Drained(process)))
    }

    fn memory(&self, cell: Cell) -> Result<i64, Stop<Ask>> {
        let known = self.guess.memory.iter().find(|(x, _)| *x == cell);
        let fact = known.ok_or(Stop::Ask(Ask::Memory(cell)))?;
        Ok(self.seeds.system.places.value(*fact))
    }

    fn view(&self, process: usize, cell: Cell) -> Result<i64, Stop<Ask>> {
        // The stores that are pending belong to a process at a program point, not inside of a step.
        self.control(process)?;
        let known = self.guess.pending.views.iter().find(|v| (v.0, v.1) == (process, cell));
        match known {
            None => Err(Stop::Ask(Ask::View(process, cell))),
            Some((_, _, Some(value))) => Ok(self.seeds.system.places.value((cell, *value))),
            Some((_, _, None)) => self.memory(cell),
        }
    }

    fn ghost(&self, var: VarId, index: i64) -> Result<i64, Stop<Ask>> {
        let owner = self.seeds.names.iter().position(|names| names.ghost(var, 0).is_some());
        let init = &self.seeds.program.var(var).init;
        let Some(owner) = owner else {
            return Ok(init[if init.len() > 1 { index as usize } else { 0 }]);
        };
        let position = self.seeds.names[owner].ghost(var, index).unwrap_or(0);
        // A ghost is there before its process is, and after it.
        Ok(match self.seeds.system.point(owner, self.control(owner)?) {
            Point::At(_, locals) => locals[position],
            _ => self.seeds.names[owner].initial[position],
        })
    }
}

impl Scope for PropertyScope<'_> {
    type Ask = Ask;

    fn register(&mut self, register: RegId, index: i64) -> Result<i64, Stop<Ask>> {
        let process = self.inside.unwrap_or(0);
        debug_assert!(self.inside.is_some(), "registers are those of a process");
        let def = self.seeds.program.def_of(ProcId::from(process));
        let position = self.seeds.names[process].register(def, register, index)?;
        Ok(self.present(process)?.map_or(0, |(_, locals)| locals[position]))
    }

    fn variable(&mut self, var: VarId, index: i64) -> Result<i64, Stop<Ask>> {
        match self.seeds.system.places.cell(self.seeds.program, var, index)? {
            None => self.ghost(var, index),
            Some(cell) => match self.inside {
                Some(process) => self.view(process, cell),
                None => self.memory(cell),
            },
        }
    }

    fn inside(&mut self, process: ProcId, expr: &Expr) -> Result<i64, Stop<Ask>> {
        if self.present(process.index())?.is_none() {
            return Ok(0);
        }
        let inside = Some(process.index());
        let mut scope = PropertyScope { seeds: self.seeds, guess: self.guess, inside };
        evaluate(expr, &mut scope)
    }

    fn at(&mut self, process: ProcId, points: &[PointId]) -> Result<bool, Stop<Ask>> {
        Ok(self.present(process.index())?.is_some_and(|(at, _)| points.contains(&at)))
    }

    fn drained(&mut self, process: ProcId) -> Result<bool, Stop<Ask>> {
        let process = process.index();
        self.control(process)?;
        self.is_drained(process)
    }

    fn alive(&mut self, process: ProcId) -> Result<bool, Stop<Ask>> {
        Ok(self.present(process.index())?.is_some())
    }

    fn pid(&self) -> i64 {
        self.inside.unwrap_or(0) as i64
    }
}
