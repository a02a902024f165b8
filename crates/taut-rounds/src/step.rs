//! Steps of the original as steps of the translation.
//!
//! A step without stores that wait is one step here. One with them is a chain of steps, all of one round:
//! first the guard; then, for each store, any number of steps that move its destination on, the paper's
//! `while (*)`; then all effects at once. The later stores of a step begin where the store before them
//! ended, since buffers are queues. The paper has one store a statement, so its `r_TSO` is enough there;
//! here further stores have registers of their own until the step is done.

use taut_ir::{
    Assignment, BinaryOp, Control, Effect, Expr, Lvalue, Mode, PointId, Program, ProgramPoint,
    Step, StepId, VarId,
};

use crate::copies::{Copies, buffered, either, read, set, var_place, view_place};
use crate::expr::{Reader, Seen};
use crate::layout::Layout;
use crate::map::Role;

/// Translates the steps of one definition.
pub(crate) struct Steps<'s> {
    pub program: &'s Program,
    pub copies: &'s Copies,
    pub layout: &'s Layout,
    /// What all definitions have in addition, and where their program points are.
    pub parts: &'s [(Copies, Layout)],
    /// The ghost that counts the processes with stores that wait.
    pub waiting: Option<VarId>,
    /// Program points of the definition, to which those inside of a chain are added.
    pub points: &'s mut Vec<ProgramPoint>,
    /// What has been made.
    pub made: Vec<(Step, Role)>,
    /// For each step of the original, the first one here: that with its guard.
    pub first: Vec<StepId>,
}

impl Steps<'_> {
    fn reader(&self) -> Reader<'_> {
        Reader { program: self.program, seen: Seen::Step(self.copies, self.parts) }
    }

    /// Translates a step.
    pub(crate) fn step(&mut self, id: StepId, step: &Step) {
        taut_budget::tick();
        self.first.push(StepId::from(self.made.len()));
        let source = self.layout.inside(step.source);
        let stores = buffered(self.program, step).len();
        let guard = self.guard(step);
        let plain =
            Step { guard, text: step.text.clone(), ..Step::skip(source, source, step.span) };
        if stores == 0 {
            return self.take(id, step, plain);
        }
        let mut at = self.fresh();
        let open = Step { target: Control::Goto(at), ..plain };
        self.made.push((open, Role::Open(id)));
        self.advance(at, 0, step);
        for store in 1..stores {
            let next = self.fresh();
            let cut = self.copies.destination(store);
            let before = self.copies.destination(store - 1);
            let effects = vec![Effect::assign(Lvalue::Reg(cut), before)];
            let follow = Step { effects, ..Step::skip(at, next, step.span) };
            self.made.push((follow, Role::Follow(store)));
            self.advance(next, store, step);
            at = next;
        }
        let text = step.text.clone();
        self.take(id, step, Step { text, ..Step::skip(at, at, step.span) });
    }

    /// A program point inside of a round.
    fn fresh(&mut self) -> PointId {
        self.points.push(ProgramPoint { end: true, atomic: true, ..ProgramPoint::default() });
        PointId::from(self.points.len() - 1)
    }

    /// What a step waits for. `fence()` of the paper blocks where the guess was wrong; so does this.
    fn guard(&self, step: &Step) -> Expr {
        let mut guard = self.reader().expr(&step.guard);
        if let (Mode::Sync, Some(waiting)) = (step.mode, self.waiting) {
            guard = Expr::from(waiting).equals(0.into()).and(guard);
        }
        match step.needs_drained() {
            true => self.copies.drained().and(guard),
            false => guard,
        }
    }

    /// A step that moves the destination of a store on by one.
    fn advance(&mut self, at: PointId, store: usize, step: &Step) {
        let Copies { scope, r_sc, left, .. } = *self.copies;
        let to = self.copies.destination(store);
        let guard = Expr::binary(BinaryOp::Ne, to.into(), scope.never().into());
        let mut list = vec![set(Lvalue::Reg(to), scope.next_destination(to.into(), r_sc))];
        if let Some(left) = left {
            let last = scope.is_last(to.into(), r_sc);
            let rounds = Expr::from(i64::from(scope.k()));
            list.push(set(Lvalue::Reg(left), either(last, rounds, left.into())));
        }
        let effects = vec![Effect::Assign(list)];
        let advance = Step { guard, effects, ..Step::skip(at, at, step.span) };
        self.made.push((advance, Role::Advance(store)));
    }

    /// The step itself, with everything it does.
    fn take(&mut self, id: StepId, step: &Step, plain: Step) {
        let mut effects = Vec::new();
        let mut store = 0;
        for effect in &step.effects {
            effects.extend(self.effect(effect, step, &mut store));
        }
        effects.push(self.done(store, step.holds));
        let target = self.target(&step.target);
        self.made.push((Step { effects, target, ..plain }, Role::Take(id)));
    }

    /// What is to be noted after a step with so many stores, which may hold the others.
    fn done(&self, stores: usize, holds: bool) -> Effect {
        let mut list = vec![set(Lvalue::Reg(self.copies.sim), 2)];
        let held = self.copies.held.map(|held| set(Lvalue::Reg(held), i64::from(holds)));
        list.extend(held);
        if stores > 1 {
            let last = self.copies.destination(stores - 1);
            list.push(set(Lvalue::Reg(self.copies.r_tso), last));
            let before = self.copies.scope.before_first();
            let cuts = self.copies.cuts.iter().take(stores - 1);
            list.extend(cuts.map(|&cut| set(Lvalue::Reg(cut), before)));
        }
        Effect::Assign(list)
    }

    fn target(&self, target: &Control) -> Control {
        match target {
            Control::Goto(to) => Control::Goto(self.layout.inside(*to)),
            Control::Call { procedure, args, return_to } => Control::Call {
                procedure: *procedure,
                args: args.iter().map(|e| self.reader().expr(e)).collect(),
                return_to: self.layout.inside(*return_to),
            },
            Control::Return => Control::Return,
            Control::Exit => Control::Exit,
        }
    }

    fn effect(&self, effect: &Effect, step: &Step, store: &mut usize) -> Option<Effect> {
        taut_budget::tick();
        let reader = self.reader();
        Some(match effect {
            Effect::Assign(list) => {
                Effect::Assign(list.iter().flat_map(|a| self.assign(a, step, store)).collect())
            }
            Effect::Assert { condition, property } => {
                Effect::Assert { condition: reader.expr(condition), property: *property }
            }
            // Stores of one process reach memory in order in any case.
            Effect::StoreFence => return None,
            Effect::Spawn { def, args, pid } => Effect::Spawn {
                def: *def,
                args: args.iter().map(|e| reader.expr(e)).collect(),
                pid: pid.clone(),
            },
            Effect::Fail(fault) => Effect::Fail(*fault),
        })
    }

    /// The paper's `memory_update`: the view first, whose index and type are those of the variable, so that
    /// what goes wrong in the original goes wrong here.
    fn assign(&self, assignment: &Assignment, step: &Step, store: &mut usize) -> Vec<Assignment> {
        let reader = self.reader();
        let value = reader.expr(&assignment.value);
        let index = assignment.place.index().map(|i| reader.expr(i));
        let index = index.unwrap_or(Expr::Const(0));
        let var = match &assignment.place {
            Lvalue::Reg(r) => return vec![set(Lvalue::Reg(*r), value)],
            Lvalue::RegElem(r, _) => return vec![set(Lvalue::RegElem(*r, index), value)],
            Lvalue::Var(v) | Lvalue::VarElem(v, _) => *v,
        };
        let memory = var_place(self.program, var, index.clone());
        let Some(copy) = self.copies.of(var) else { return vec![set(memory, value)] };
        let view = set(view_place(self.program, var, copy.view, index.clone()), value.clone());
        if step.mode == Mode::Locked || assignment.atomic {
            return vec![view, set(memory, value)];
        }
        let to = self.copies.destination(*store);
        *store += 1;
        let now = Expr::from(to).equals(self.copies.r_sc.into());
        let never = Expr::from(to).equals(self.copies.scope.never().into());
        let (mask, slot) = self.copies.mask(copy, index.clone(), to.into());
        let mask = Lvalue::RegElem(mask, slot);
        // What never reaches memory has no queue; there the first one stays as it is.
        let round = either(never.clone(), 0.into(), to.into());
        let (queue, slot) = self.copies.queue(copy, index, round);
        let queue = Lvalue::RegElem(queue, slot);
        let stays = Expr::binary(BinaryOp::Or, now.clone(), never);
        vec![
            view,
            set(memory.clone(), either(now.clone(), value.clone(), read(&memory))),
            set(mask.clone(), either(now, read(&mask), 1.into())),
            set(queue.clone(), either(stays, read(&queue), value)),
        ]
    }
}
