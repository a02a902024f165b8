//! Steps that need not wait for anybody: ample sets of one process.
//!
//! A process at a program point whose steps only store and compute (they read no variable, write nothing at once,
//! need no empty buffer and concern nobody else) can take them before anything else happens: they are
//! independent of all transitions of other processes, and of its own commits, which take entries from the
//! other end of the buffer. If moreover nobody can tell such a step (it is *invisible*), neither a property nor
//! a step of another process, which may look where this one is or wait until all buffers are empty, whatever
//! can be reached from a state can be reached by taking the steps of this process first (Clarke, Grumberg,
//! Peled: *Model Checking*, chapter 10, conditions C0 to C2). Nobody is put off for ever: if one of the steps
//! leads to no new state, the state is expanded in full (C3 for breadth-first search, Bošnački and Holzmann
//! 2005). The choice depends on program points only, so it is the same for all words of a state.

use taut_ir::{
    Control, Effect, Expr, Mode, PointId, ProcId, ProcessDef, Program, PropertyKind, RegId, Step,
};
use taut_machine::Machine;
use taut_memory::BufferSets;

/// For each process and program point, whether its steps can be taken first.
pub(crate) struct Ample {
    private: Vec<Vec<Private>>,
    /// For each process and program point, whether it may still come to a step that waits for all buffers.
    may_wait: Vec<Vec<bool>>,
}

/// Whether the steps at a program point can be taken first.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Private {
    No,
    /// Only if nobody else may still wait until all buffers are empty: once the process has stored, such a step
    /// waits for the commit and sees what it wrote.
    UnlessWaitedFor,
    Yes,
}

impl Private {
    fn and(self, other: Private) -> Private {
        match (self, other) {
            (Private::No, _) | (_, Private::No) => Private::No,
            (Private::Yes, Private::Yes) => Private::Yes,
            _ => Private::UnlessWaitedFor,
        }
    }
}

impl Ample {
    pub(crate) fn new(program: &Program) -> Ample {
        let seen = Seen::of(program);
        let of_process = |process: ProcId| {
            let def = program.def_of(process);
            let mut private = vec![Private::No; def.points.len()];
            for step in &def.steps {
                private[step.source.index()] = Private::Yes;
            }
            for step in &def.steps {
                let here = &mut private[step.source.index()];
                *here = here.and(seen.privacy(process, step));
            }
            private
        };
        let may_wait = program.process_ids().map(|p| may_wait(program.def_of(p))).collect();
        Ample { private: program.process_ids().map(of_process).collect(), may_wait }
    }

    /// A process whose steps can be taken first in a state.
    pub(crate) fn choose(&self, machine: &Machine<BufferSets>, state: &[u64]) -> Option<ProcId> {
        let is_private = |&p: &usize| {
            let point = machine.point(state, ProcId::from(p));
            match point.map_or(Private::No, |at| self.private[p][at.index()]) {
                Private::No => false,
                Private::UnlessWaitedFor => !self.is_waited_for(machine, state, p),
                Private::Yes => true,
            }
        };
        (0..self.private.len()).find(is_private).map(ProcId::from)
    }

    /// Whether another process than one may still wait until all buffers are empty. One that does not live may
    /// be started.
    fn is_waited_for(&self, machine: &Machine<BufferSets>, state: &[u64], process: usize) -> bool {
        let may_wait = |other: usize| match machine.point(state, ProcId::from(other)) {
            Some(at) => self.may_wait[other][at.index()],
            None => self.may_wait[other].contains(&true),
        };
        (0..self.may_wait.len()).any(|other| other != process && may_wait(other))
    }
}

/// From which program points of a process a step can be come to that waits for all buffers.
fn may_wait(def: &ProcessDef) -> Vec<bool> {
    let waits = |step: &&Step| step.mode == Mode::Sync;
    let is_simple = def.steps.iter().all(|s| matches!(s.target, Control::Goto(_) | Control::Exit));
    if !is_simple {
        return vec![def.steps.iter().any(|s| waits(&s)); def.points.len()];
    }
    let mut may = vec![false; def.points.len()];
    def.steps.iter().filter(waits).for_each(|step| may[step.source.index()] = true);
    let mut grows = true;
    while std::mem::take(&mut grows) {
        // Backwards, as most steps lead to one that comes later: then a few rounds are enough.
        for step in def.steps.iter().rev() {
            taut_budget::tick();
            let Control::Goto(target) = step.target else { continue };
            let leads_there = may[target.index()] && !may[step.source.index()];
            may[step.source.index()] |= leads_there;
            grows |= leads_there;
        }
    }
    may
}

/// Whether a step stores and computes only.
fn is_private(seen: &Seen<'_>, process: ProcId, step: &Step) -> bool {
    let program = seen.program;
    let points = &program.def_of(process).points;
    let Control::Goto(target) = step.target else { return false };
    let is_plain_effect = |effect: &Effect| match effect {
        Effect::Assign(list) => list.iter().all(|assignment| {
            let variable = assignment.place.variable();
            !assignment.atomic && variable.is_none_or(|var| program.var(var).kind.is_buffered())
        }),
        Effect::StoreFence => true,
        Effect::Assert { .. } | Effect::Spawn { .. } | Effect::Fail(_) => false,
    };
    step.mode == Mode::Plain
        && !step.needs_drained()
        && !step.holds
        && step.channel.is_none()
        && !points[target.index()].atomic
        && !seen.may_end(process, target)
        && !seen.counts_for_deadlock(process, step.source, target)
        && step.effects.iter().all(is_plain_effect)
        && step.expressions().into_iter().all(is_of_registers)
}

fn is_of_registers(expr: &Expr) -> bool {
    let mut own = true;
    expr.visit(&mut |e| {
        own &= matches!(
            e,
            Expr::Const(_)
                | Expr::Reg(_)
                | Expr::RegElem(..)
                | Expr::Unary(..)
                | Expr::Binary(..)
                | Expr::Cond(..)
        );
    });
    own
}

/// What properties over states look at, and what steps look at in other processes than their own.
struct Seen<'p> {
    program: &'p Program,
    /// The expressions of which a step of another process may change the value.
    exprs: Vec<&'p Expr>,
    /// Whether processes are started.
    spawns: bool,
    /// Whether there are atomic sections.
    has_atomic: bool,
    /// For each definition and program point, whether a step leaves it.
    is_left: Vec<Vec<bool>>,
}

impl<'p> Seen<'p> {
    fn of(program: &'p Program) -> Seen<'p> {
        let over_states = program.properties.iter().filter_map(|p| match &p.kind {
            PropertyKind::Forbid(expr) | PropertyKind::Invariant(expr) => Some(expr),
            PropertyKind::Assert | PropertyKind::Ltl(_) | PropertyKind::Never(_) => None,
        });
        // Beside variables, a step sees of others only what these expressions name: where they are, their
        // registers, whether they live.
        let steps = program.defs.iter().flat_map(|def| &def.steps);
        let exprs = over_states.chain(steps.flat_map(Step::expressions));
        let exprs = exprs.filter(|expr| looks_elsewhere(expr)).collect();
        let mut points = program.defs.iter().flat_map(|def| &def.points);
        let has_atomic = points.any(|point| point.atomic);
        let is_left = program.defs.iter().map(is_left).collect();
        Seen { program, exprs, spawns: program.spawns(), has_atomic, is_left }
    }

    /// Whether a process may have finished at a program point, so that another can be started in its place.
    fn may_end(&self, process: ProcId, point: PointId) -> bool {
        let def = self.program.process(process).def;
        self.spawns && !self.is_left[def.index()][point.index()]
    }

    /// Whether a step decides between a deadlock and none: it leads from where the process may not end to where it
    /// may, or back, and another may keep it from ever being taken, by stopping in an atomic section.
    fn counts_for_deadlock(&self, process: ProcId, from: PointId, to: PointId) -> bool {
        let points = &self.program.def_of(process).points;
        self.has_atomic && points[from.index()].end != points[to.index()].end
    }

    /// Whether a step of a process can be taken first.
    fn privacy(&self, process: ProcId, step: &Step) -> Private {
        match is_private(self, process, step) && !self.tells(process, step) {
            true if stores(step) => Private::UnlessWaitedFor,
            true => Private::Yes,
            false => Private::No,
        }
    }

    /// Whether anything that is looked at may change its value when a process takes a step that stores and
    /// computes only.
    fn tells(&self, process: ProcId, step: &Step) -> bool {
        let mut tells = false;
        for expr in &self.exprs {
            taut_budget::tick();
            expr.visit(&mut |e| tells |= is_changed(e, process, step));
        }
        tells
    }
}

/// For each program point of a definition, whether a step leaves it.
fn is_left(def: &ProcessDef) -> Vec<bool> {
    let mut left = vec![false; def.points.len()];
    def.steps.iter().for_each(|step| left[step.source.index()] = true);
    left
}

/// Whether an expression looks at anything that [`is_changed`] tells of.
fn looks_elsewhere(expr: &Expr) -> bool {
    let mut looks = false;
    expr.visit(&mut |e| {
        looks |= matches!(
            e,
            Expr::At(..)
                | Expr::In(..)
                | Expr::Drained(_)
                | Expr::Enabled(_)
                | Expr::Alive(_)
                | Expr::Processes
                | Expr::Timeout
        );
    });
    looks
}

/// Whether a step assigns variables.
fn stores(step: &Step) -> bool {
    step.assignments().any(|a| a.place.variable().is_some())
}

fn is_changed(expr: &Expr, process: ProcId, step: &Step) -> bool {
    match expr {
        Expr::At(p, points) => {
            let Control::Goto(target) = step.target else { return true };
            *p == process && points.contains(&step.source) != points.contains(&target)
        }
        Expr::In(p, inner) => *p == process && is_assigned(inner, step),
        Expr::Drained(p) => *p == process && stores(step),
        Expr::Enabled(_) | Expr::Alive(_) | Expr::Processes | Expr::Timeout => true,
        _ => false,
    }
}

/// Whether a step assigns something that an expression in the scope of its process reads.
fn is_assigned(expr: &Expr, step: &Step) -> bool {
    use taut_ir::Lvalue;
    let assigns_register = |r: RegId| {
        step.assignments()
            .any(|a| matches!(a.place, Lvalue::Reg(to) | Lvalue::RegElem(to, _) if to == r))
    };
    let mut assigned = false;
    expr.visit(&mut |e| {
        assigned |= match e {
            Expr::Reg(r) | Expr::RegElem(r, _) => assigns_register(*r),
            Expr::Var(v) | Expr::VarElem(v, _) => {
                step.assignments().any(|a| a.place.variable() == Some(*v))
            }
            _ => false,
        };
    });
    assigned
}
