//! Ghosts that only end waiting.
//!
//! In C the end of `main` ends all threads: a thread that waits then, for a lock or for another thread, is in no deadlock. The front end says so with
//! a ghost that is set once the run is over, and with a step beside each one that waits: if the ghost is set, the thread
//! stops. The ghost is set by ordinary steps, so it is no shared variable (`ghosts.rs`).
//!
//! A ghost *only ends waiting* if it is 0 at first, every store to it is of one other value, and it is read by nothing but
//! guards, as "the ghost has that value", of steps that do nothing and lead to where a process ends.
//!
//! - Such steps are left out here. What is left of a run without them is a run, and reaches the same except for these ends.
//! - A deadlock has to know the ghost: where a process has such a step, it may have stopped if the ghost is set, whether or not it could go on. The
//!   ghost is set if some process has set it, since nothing takes it back. So each process has a ghost of its own that says whether it has,
//!   and the state of all processes together says the rest (`deadlock.rs`).
//! - A run into a deadlock is reported with the steps that were left out.
//! - A process that stops leaves its slot to another start (`start.rs`). If a start ever finds all slots taken, a program in which
//!   processes that others start have such steps is refused.

use std::borrow::Cow;

use taut_ir::{
    BinaryOp, Control, Effect, Expr, Lvalue, PointId, ProcId, ProcessDef, Program, Start, Step,
    StepId, VarId, VarKind,
};

use crate::ghosts;

/// A ghost that only ends waiting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Ends {
    var: VarId,
    value: i64,
}

impl Ends {
    /// The ghost of a program that only ends waiting, if there is one.
    fn of(program: &Program) -> Option<Ends> {
        let in_properties: Vec<VarId> = program
            .properties
            .iter()
            .flat_map(|p| p.kind.exprs())
            .flat_map(Expr::variables)
            .collect();
        let is_flag = |var: &VarId| {
            let variable = program.var(*var);
            let is_one = variable.size() == 1 && variable.init.iter().all(|value| *value == 0);
            variable.kind == VarKind::Ghost && is_one && !in_properties.contains(var)
        };
        let of_value = |var: VarId| Some(Ends { var, value: stored(program, var)? });
        let all = program.var_ids().filter(is_flag).filter_map(of_value);
        all.into_iter().find(|ends| ends.is_one(program))
    }

    /// Whether the ghost is read by steps that stop a process, and by nothing else.
    fn is_one(&self, program: &Program) -> bool {
        let reads =
            |step: &Step| step.expressions().iter().any(|e| e.variables().contains(&self.var));
        let mut is_read = false;
        let only_stops = program.defs.iter().all(|def| {
            def.steps.iter().enumerate().filter(|(_, step)| reads(step)).all(|(id, step)| {
                is_read = true;
                self.is_stop(def, step) && !is_yielded_to(def, StepId::from(id))
            })
        });
        is_read && only_stops
    }

    /// Whether a step stops its process if the ghost is set, and does nothing else.
    fn is_stop(&self, def: &ProcessDef, step: &Step) -> bool {
        let Control::Goto(target) = step.target else { return false };
        let is_end = def.points[target.index()].end && def.steps_from(target).next().is_none();
        is_end
            && step.effects.is_empty()
            && step.yields_to.is_empty()
            && step.channel.is_none()
            && !step.needs_drained()
            && !def.points[step.source.index()].atomic
            && !def.points[target.index()].atomic
            && self.is_set(&step.guard)
    }

    /// Whether an expression says that the ghost is set.
    fn is_set(&self, expr: &Expr) -> bool {
        let Expr::Binary(BinaryOp::Eq, a, b) = expr else { return false };
        let is_ghost = match &**a {
            Expr::Var(var) => *var == self.var,
            Expr::VarElem(var, index) => *var == self.var && **index == Expr::Const(0),
            _ => false,
        };
        is_ghost && **b == Expr::Const(self.value)
    }

    /// The program without the steps that stop processes: they are there, and cannot be taken.
    fn without(&self, program: &Program) -> Program {
        let mut program = program.clone();
        for step in program.defs.iter_mut().flat_map(|def| &mut def.steps) {
            if self.is_set(&step.guard) {
                step.guard = Expr::Const(0);
            }
        }
        program
    }
}

/// The ghost of a program, and where it ends waiting.
#[derive(Clone, Debug)]
pub(crate) struct Ending {
    ghost: Ends,
    /// For each process and program point, the step that stops the process there.
    stops: Vec<Vec<Option<StepId>>>,
}

impl Ending {
    fn of(program: &Program) -> Option<Ending> {
        let ghost = Ends::of(program)?;
        let stop = |def: &ProcessDef, point: usize| {
            let mut steps = def.steps_from(PointId::from(point));
            steps.find(|(_, step)| ghost.is_set(&step.guard)).map(|(id, _)| id)
        };
        let of_process = |p: ProcId| {
            let def = program.def_of(p);
            (0..def.points.len()).map(|point| stop(def, point)).collect()
        };
        Some(Ending { ghost, stops: program.process_ids().map(of_process).collect() })
    }

    pub(crate) fn var(&self) -> VarId {
        self.ghost.var
    }

    /// The step that stops a process at a program point.
    pub(crate) fn stop(&self, process: usize, point: PointId) -> Option<StepId> {
        self.stops[process][point.index()]
    }

    /// Whether a process that others start may be stopped.
    pub(crate) fn stops_started(&self, program: &Program) -> bool {
        let is_started = |p: &ProcId| program.process(*p).start == Start::Spawned;
        let mut started = program.process_ids().filter(is_started);
        started.any(|p| self.stops[p.index()].iter().any(Option::is_some))
    }
}

/// The program that is searched: ghosts of several processes are shared variables where that is the same, and steps that only end
/// waiting are left out.
pub(crate) fn prepare(program: &Program) -> (Cow<'_, Program>, Option<Ending>) {
    let shared = ghosts::shared(program);
    match Ending::of(&shared) {
        None => (shared, None),
        Some(ending) => (Cow::Owned(ending.ghost.without(&shared)), Some(ending)),
    }
}

/// The one value that is ever stored to a variable; none if there are several, or a store that is no assignment of a constant.
fn stored(program: &Program, var: VarId) -> Option<i64> {
    let mut value = None;
    for step in program.defs.iter().flat_map(|def| &def.steps) {
        let stores = step.stores().filter(|place| place.variable() == Some(var)).count();
        let assigned = step.effects.iter().filter_map(|effect| match effect {
            Effect::Assign(list) => Some(list),
            _ => None,
        });
        let own: Vec<_> = assigned.flatten().filter(|a| a.place.variable() == Some(var)).collect();
        if own.len() != stores {
            return None;
        }
        for a in own {
            let Expr::Const(stored) = a.value else { return None };
            let index = a.place.index().is_none_or(|index| *index == Expr::Const(0));
            let is_ghost = matches!(a.place, Lvalue::Var(_) | Lvalue::VarElem(..));
            if stored == 0 || value.is_some_and(|v| v != stored) || !index || !is_ghost {
                return None;
            }
            value = Some(stored);
        }
    }
    value
}

/// Whether another step is taken only if this one cannot be.
fn is_yielded_to(def: &ProcessDef, id: StepId) -> bool {
    def.steps.iter().any(|step| step.yields_to.contains(&id))
}
