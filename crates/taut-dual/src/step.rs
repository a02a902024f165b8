//! What a step of a process does, for given values of its loads.
//!
//! The order is that of `SEMANTICS.md`: guard, the steps it yields to, effects one after the other. The mode is not
//! asked here: it is a condition on buffers, and becomes one of the edge (`compile.rs`).

use taut_ir::{
    Assignment, Control, Effect, Expr, Fault, Finding, Lvalue, Mode, PointId, ProcId, ProcessDef,
    Program, PropId, RegId, Step, VarId,
};

use crate::edge::Bound;
use crate::eval::{Scope, Stop, evaluate};
use crate::locals::{Locals, type_of};
use crate::places::{Cell, Places};

/// What becomes of a step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// It cannot be taken.
    Refused,
    /// It is taken and goes wrong.
    Wrong(Fault),
    /// It is taken.
    Taken(Taken),
    /// A bound blocks it.
    Blocked(Bound),
}

/// A step that was taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Taken {
    /// The private state afterwards.
    pub(crate) locals: Vec<i64>,
    /// Stores to shared memory in their order, and whether each is at once.
    pub(crate) stores: Vec<(Cell, i64, bool)>,
    /// Processes that were started, with the values of their parameters.
    pub(crate) spawned: Vec<(ProcId, Vec<i64>)>,
    /// Assertions that failed.
    pub(crate) failed: Vec<PropId>,
    pub(crate) target: PointId,
}

impl Taken {
    /// What is found in the step.
    pub(crate) fn findings(&self) -> impl Iterator<Item = Finding> {
        self.failed.iter().map(|&id| Finding::Property(id))
    }
}

/// A step on its way. A load that was not answered yet is asked for.
pub(crate) struct Execution<'a> {
    pub(crate) program: &'a Program,
    pub(crate) process: ProcId,
    pub(crate) places: &'a Places,
    pub(crate) names: &'a Locals,
    pub(crate) locals: Vec<i64>,
    /// The values of loads.
    pub(crate) known: &'a [(Cell, i64)],
    stores: Vec<(Cell, i64, bool)>,
    pub(crate) spawned: Vec<(ProcId, Vec<i64>)>,
    failed: Vec<PropId>,
}

pub(crate) type Open = Stop<Cell>;

/// Why a step does not go on.
pub(crate) enum Halt {
    /// A load is open, or something goes wrong.
    Stop(Open),
    /// A bound blocks it.
    Bound(Bound),
}

impl From<Open> for Halt {
    fn from(stop: Open) -> Halt {
        Halt::Stop(stop)
    }
}

impl From<Fault> for Halt {
    fn from(fault: Fault) -> Halt {
        Halt::Stop(Stop::Fault(fault))
    }
}

impl<'a> Execution<'a> {
    pub(crate) fn new(
        program: &'a Program,
        process: ProcId,
        places: &'a Places,
        names: &'a Locals,
        locals: &[i64],
        known: &'a [(Cell, i64)],
    ) -> Execution<'a> {
        Execution {
            program,
            process,
            places,
            names,
            locals: locals.to_vec(),
            known,
            stores: Vec::new(),
            spawned: Vec::new(),
            failed: Vec::new(),
        }
    }

    pub(crate) fn def(&self) -> &'a ProcessDef {
        self.program.def_of(self.process)
    }

    /// Takes the step; or says which load it waits for.
    pub(crate) fn run(mut self, step: &'a Step) -> Result<Outcome, Cell> {
        match self.take(step) {
            Ok(None) => Ok(Outcome::Refused),
            Ok(Some(target)) => {
                let Execution { locals, stores, spawned, failed, .. } = self;
                Ok(Outcome::Taken(Taken { locals, stores, spawned, failed, target }))
            }
            Err(Halt::Stop(Stop::Fault(fault))) => Ok(Outcome::Wrong(fault)),
            Err(Halt::Stop(Stop::Ask(cell))) => Err(cell),
            Err(Halt::Bound(bound)) => Ok(Outcome::Blocked(bound)),
        }
    }

    /// Whether the step could be taken as far as guards say; or which load that depends on.
    pub(crate) fn could_start(mut self, step: &Step) -> Result<bool, Cell> {
        match self.is_ready(step) {
            Ok(ready) => Ok(ready),
            Err(Stop::Fault(_)) => Ok(true),
            Err(Stop::Ask(cell)) => Err(cell),
        }
    }

    fn take(&mut self, step: &Step) -> Result<Option<PointId>, Halt> {
        // A process that exits stays where it is: nothing that is asked can tell (`refuse.rs`).
        if step.target == Control::Exit || !self.is_ready(step)? {
            return Ok(None);
        }
        for effect in &step.effects {
            self.effect(effect, step.mode == Mode::Locked)?;
        }
        match &step.target {
            Control::Goto(target) => Ok(Some(*target)),
            Control::Call { procedure, args, return_to } => {
                self.call(*procedure, args, *return_to).map(Some)
            }
            Control::Return => Ok(self.come_back()),
            Control::Exit => Ok(None),
        }
    }

    /// The values of some expressions.
    pub(crate) fn values(&mut self, exprs: &[Expr]) -> Result<Vec<i64>, Open> {
        exprs.iter().map(|expr| evaluate(expr, self)).collect()
    }

    /// A value that a register gets.
    pub(crate) fn fitting(&self, register: RegId, value: i64) -> Result<i64, Fault> {
        self.def().registers[register.index()].ty.fit(value).ok_or(Fault::Range)
    }

    fn is_ready(&mut self, step: &Step) -> Result<bool, Open> {
        if evaluate(&step.guard, self)? == 0 {
            return Ok(false);
        }
        let steps = &self.def().steps;
        for other in &step.yields_to {
            match self.is_ready(&steps[other.index()]) {
                Ok(false) => {}
                // One whose guard faults counts as one that can be taken.
                Ok(true) | Err(Stop::Fault(_)) => return Ok(false),
                Err(ask) => return Err(ask),
            }
        }
        Ok(true)
    }

    fn effect(&mut self, effect: &Effect, locked: bool) -> Result<(), Halt> {
        match effect {
            Effect::Assign(list) => Ok(self.assign(list, locked)?),
            Effect::Assert { condition, property } => {
                if evaluate(condition, self)? == 0 {
                    self.failed.push(*property);
                }
                Ok(())
            }
            Effect::Fail(fault) => Err((*fault).into()),
            Effect::Spawn { def, args, .. } => self.spawn(*def, args),
            // Under TSO a store fence has no effect.
            Effect::StoreFence => Ok(()),
        }
    }

    /// Indices and values first, then the stores in their order.
    fn assign(&mut self, list: &[Assignment], locked: bool) -> Result<(), Open> {
        let mut computed = Vec::with_capacity(list.len());
        for a in list {
            let index = a.place.index().map_or(Ok(0), |index| evaluate(index, self))?;
            self.look(&a.place, index)?;
            computed.push((index, evaluate(&a.value, self)?));
        }
        for (a, (index, value)) in list.iter().zip(computed) {
            let ty = type_of(self.program, self.def(), &a.place);
            let value = ty.fit(value).ok_or(Stop::Fault(Fault::Range))?;
            self.store(&a.place, index, value, locked || a.atomic)?;
        }
        Ok(())
    }

    /// Whether an index is inside.
    fn look(&self, place: &Lvalue, index: i64) -> Result<(), Open> {
        match place {
            Lvalue::Reg(r) | Lvalue::RegElem(r, _) => {
                self.names.register(self.def(), *r, index)?;
            }
            Lvalue::Var(v) | Lvalue::VarElem(v, _) => {
                self.places.cell(self.program, *v, index)?;
            }
        }
        Ok(())
    }

    fn store(&mut self, place: &Lvalue, index: i64, value: i64, at_once: bool) -> Result<(), Open> {
        match place {
            Lvalue::Reg(r) | Lvalue::RegElem(r, _) => {
                let position = self.names.register(self.def(), *r, index)?;
                self.locals[position] = value;
            }
            Lvalue::Var(v) | Lvalue::VarElem(v, _) => {
                match self.places.cell(self.program, *v, index)? {
                    Some(cell) => self.stores.push((cell, value, at_once)),
                    None => {
                        if let Some(position) = self.names.ghost(*v, index) {
                            self.locals[position] = value;
                        }
                    }
                }
            }
        }
        Ok(())
    }
}

impl Scope for Execution<'_> {
    type Ask = Cell;

    fn register(&mut self, register: RegId, index: i64) -> Result<i64, Open> {
        Ok(self.locals[self.names.register(self.def(), register, index)?])
    }

    fn variable(&mut self, var: VarId, index: i64) -> Result<i64, Open> {
        let Some(cell) = self.places.cell(self.program, var, index)? else {
            let position = self.names.ghost(var, index);
            debug_assert!(position.is_some(), "a step uses a ghost of its process");
            return Ok(position.map_or(0, |position| self.locals[position]));
        };
        // The process sees its own stores of this step first.
        let own = self.stores.iter().rev().find(|(c, ..)| *c == cell).map(|(_, value, _)| *value);
        let known = || self.known.iter().find(|(c, _)| *c == cell).map(|(_, value)| *value);
        own.or_else(known).ok_or(Stop::Ask(cell))
    }

    fn inside(&mut self, process: ProcId, expr: &Expr) -> Result<i64, Open> {
        debug_assert_eq!(process, self.process, "refused");
        evaluate(expr, self)
    }

    fn at(&mut self, _: ProcId, _: &[PointId]) -> Result<bool, Open> {
        debug_assert!(false, "refused");
        Ok(false)
    }

    fn drained(&mut self, _: ProcId) -> Result<bool, Open> {
        debug_assert!(false, "refused");
        Ok(true)
    }

    fn alive(&mut self, _: ProcId) -> Result<bool, Open> {
        debug_assert!(false, "refused");
        Ok(true)
    }

    fn pid(&self) -> i64 {
        self.process.index() as i64
    }
}
