//! Steps that concern nobody else, taken together with the one before.
//!
//! A step is *local* if it waits for nothing and looks at, and assigns, only what its process alone can see:
//! its own registers, constants, and variables that no other process touches. A program point is *passed* if all steps
//! that leave it are local. Steps that lead to one *hold* ([`taut_ir::Step::holds`]): the process goes on at once,
//! and the state in between is not stored. If it cannot go on, it holds nobody and the state is stored after all.
//!
//! Why no finding is lost. In a run of the given program, take the first step *s* that leaves a passed program point,
//! reached by *t*. What others do and what commits between *t* and *s* neither changes what *s* does, nor whether
//! it can, nor is changed by *s*: so *s* can come right after *t*. What is asked cannot tell the states before *s*
//! from those after it. Repeating this gives a run in which nothing comes between, with the same findings; if *s*
//! never comes, a run in which it does shows the same. For that
//! - *s* must not fault: the others would go on without its process, and nothing goes on after a fault;
//! - *s* must not lead into an atomic section or hold of itself, unless the process had the others wait before
//!   it as well: moved forward, it would take along what comes after it;
//! - what is asked, and what other processes look at, must be the same in both program points, and none of the
//!   registers that *s* assigns may be seen;
//! - *s* must not end a spawned process that then makes room for another.
//!
//! Why none is added. A run of the simpler program is one of the given program in which nobody else happens to come
//! between. Where there are atomic sections, steps with channels do not hold: in a rendezvous with somebody who is
//! in one, the receiver could not go on.
//!
//! In every loop of the code one program point is not passed. So chains end, what goes on for ever goes on through
//! stored states, and no process is kept from moving: in each stored state everybody is looked at, and there is
//! no cycle proviso to keep. For properties of runs that is enough if they cannot count steps and do not ask what is
//! enabled (a process at a passed program point always is). Fairness of processes stays: who is at a passed program point
//! must move on, and the others are enabled before *s* if they are after it.

use std::collections::BTreeSet;

use taut_ir::{
    Control, DefId, Effect, Expr, Lifecycle, Lvalue, MemoryModel, Mode, PointId, ProcId,
    ProcessDef, Program, Start, Step, VarId, VarKind,
};

use super::Question;
use super::faults::Faults;
use super::flow::Flow;
use super::seen::Seen;

/// Makes the steps hold that lead to a program point that can be passed.
pub(super) fn hold(program: &mut Program, model: MemoryModel, question: &Question) {
    let seen = Seen::of(program, question);
    if seen.enabled {
        return;
    }
    let locality = Locality::of(program, model, &seen);
    let defs = (0..program.defs.len()).map(DefId::from);
    let passed: Vec<Vec<bool>> = defs.map(|def| locality.passed(def)).collect();
    let has_atomic = program.defs.iter().flat_map(|d| &d.points).any(|l| l.atomic);
    for (def, passed) in program.defs.iter_mut().zip(passed) {
        for step in &mut def.steps {
            if let Control::Goto(to) = step.target {
                let meets = has_atomic && step.channel.is_some();
                step.holds |= passed[to.index()] && !meets;
            }
        }
    }
}

/// What is local in a program.
struct Locality<'p> {
    program: &'p Program,
    seen: &'p Seen,
    faults: Faults<'p>,
    /// For each variable the process that alone touches it, or nobody if it never changes.
    owners: Vec<Owner>,
    model: MemoryModel,
}

/// Who touches a variable.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Owner {
    /// Nobody stores to it.
    Constant,
    /// One process alone.
    One(ProcId),
    /// More than one.
    Many,
}

impl<'p> Locality<'p> {
    fn of(program: &'p Program, model: MemoryModel, seen: &'p Seen) -> Locality<'p> {
        Locality { program, seen, faults: Faults::of(program), owners: owners(program), model }
    }

    /// The program points of a definition that are passed: those that can be, but for one in each loop of them.
    fn passed(&self, id: DefId) -> Vec<bool> {
        let def = &self.program.defs[id.index()];
        let flow = Flow::of(def);
        let can_be = |at: usize| {
            let mut steps = flow.leaving[at].iter().map(|&s| &def.steps[s]);
            !flow.leaving[at].is_empty() && steps.all(|step| self.is_local(id, step))
        };
        let mut passed: Vec<bool> = (0..def.points.len()).map(can_be).collect();
        break_loops(&flow, &mut passed);
        passed
    }

    fn is_local(&self, id: DefId, step: &Step) -> bool {
        let def = &self.program.defs[id.index()];
        let Control::Goto(to) = step.target else { return false };
        let frees = self.program.lifecycle == Lifecycle::Slots
            && self.program.processes.iter().any(|p| p.def == id && p.start == Start::Spawned);
        let is_atomic = |l: PointId| def.points[l.index()].atomic;
        let takes_along = step.holds || (is_atomic(to) && !is_atomic(step.source));
        let shows = (frees && def.is_final(to)) || self.seen.tells_apart(id, step.source, to);
        let waits = step.mode != Mode::Plain || step.drains || step.channel.is_some();
        !takes_along
            && !shows
            && !waits
            && self.is_own(id, &step.guard)
            && !self.faults.expr(id, &step.guard)
            && step.effects.iter().all(|effect| self.is_local_effect(id, effect))
    }

    fn is_local_effect(&self, id: DefId, effect: &Effect) -> bool {
        match effect {
            Effect::Assign(list) => list.iter().all(|a| {
                let own = !a.atomic && self.is_own(id, &a.value) && self.is_own_place(id, &a.place);
                own && !self.faults.assignment(id, a)
            }),
            Effect::Assert { condition, .. } => {
                self.is_own(id, condition) && !self.faults.expr(id, condition)
            }
            Effect::StoreFence | Effect::Spawn { .. } | Effect::Fail(_) => false,
        }
    }

    /// Whether only its process can change what an expression reads.
    fn is_own(&self, id: DefId, expr: &Expr) -> bool {
        let here = match expr {
            Expr::Const(_) | Expr::Reg(_) | Expr::RegElem(..) | Expr::Pid => true,
            Expr::Unary(..) | Expr::Binary(..) | Expr::Cond(..) => true,
            Expr::Var(v) | Expr::VarElem(v, _) => match self.owners[v.index()] {
                Owner::Constant => true,
                Owner::One(p) => self.program.process(p).def == id,
                Owner::Many => false,
            },
            Expr::In(..)
            | Expr::At(..)
            | Expr::Drained(_)
            | Expr::Enabled(_)
            | Expr::Processes
            | Expr::Alive(_)
            | Expr::Timeout
            | Expr::Channel(..)
            | Expr::Poll(_) => false,
        };
        here && expr.operands().into_iter().all(|operand| self.is_own(id, operand))
    }

    /// Whether nobody else can see what a place holds, and a store to it happens at once.
    fn is_own_place(&self, id: DefId, place: &Lvalue) -> bool {
        let own = match place {
            Lvalue::Reg(r) | Lvalue::RegElem(r, _) => !self.seen.register(id, *r),
            Lvalue::Var(v) | Lvalue::VarElem(v, _) => {
                let waits = self.program.var(*v).kind == VarKind::Shared && self.model.is_relaxed();
                let alone = matches!(self.owners[v.index()], Owner::One(p) if self.program.process(p).def == id);
                alone && !waits && !self.seen.var(*v)
            }
        };
        own && place.index().is_none_or(|index| self.is_own(id, index))
    }
}

/// Who touches each variable.
fn owners(program: &Program) -> Vec<Owner> {
    let touched: Vec<BTreeSet<VarId>> = program.defs.iter().map(touched).collect();
    let mut users: Vec<Owner> = vec![Owner::Constant; program.vars.len()];
    for process in program.process_ids() {
        for var in &touched[program.process(process).def.index()] {
            taut_budget::tick();
            let user = &mut users[var.index()];
            *user = if *user == Owner::Constant { Owner::One(process) } else { Owner::Many };
        }
    }
    let steps = program.defs.iter().flat_map(|def| &def.steps);
    let stored: BTreeSet<VarId> =
        steps.flat_map(Step::stores).filter_map(Lvalue::variable).collect();
    let owner = |var: VarId| match (stored.contains(&var), users[var.index()]) {
        (false, _) => Owner::Constant,
        // It is stored by code that no process has.
        (true, Owner::Constant) => Owner::Many,
        (true, user) => user,
    };
    program.var_ids().map(owner).collect()
}

/// The variables that the code of a process reads or stores.
fn touched(def: &ProcessDef) -> BTreeSet<VarId> {
    let mut all = BTreeSet::new();
    for step in &def.steps {
        taut_budget::tick();
        all.extend(step.stores().filter_map(Lvalue::variable));
        all.extend(step.expressions().into_iter().flat_map(Expr::variables));
    }
    all
}

/// Takes one program point out of every loop of passed ones: that to which a depth-first search comes back.
fn break_loops(flow: &Flow, passed: &mut [bool]) {
    #[derive(Clone, Copy, PartialEq)]
    enum Mark {
        New,
        Open,
        Done,
    }
    let mut marks = vec![Mark::New; passed.len()];
    for root in 0..passed.len() {
        if !passed[root] || marks[root] != Mark::New {
            continue;
        }
        // What is left to do at each open program point: its next targets.
        let next = |at: usize| -> Vec<PointId> {
            flow.leaving[at].iter().flat_map(|&s| flow.targets[s].iter().copied()).collect()
        };
        marks[root] = Mark::Open;
        let mut stack = vec![(root, next(root))];
        while let Some((at, targets)) = stack.last_mut() {
            taut_budget::tick();
            let Some(to) = targets.pop() else {
                marks[*at] = Mark::Done;
                stack.pop();
                continue;
            };
            let to = to.index();
            match marks[to] {
                _ if !passed[to] => {}
                Mark::Open => passed[to] = false,
                Mark::Done => {}
                Mark::New => {
                    marks[to] = Mark::Open;
                    stack.push((to, next(to)));
                }
            }
        }
    }
}
