//! How a round begins and ends: the paper's `init_round` and `is_end_round`.
//!
//! Both are the same code at every program point, so each body and each procedure has them once. A process that
//! begins a round notes in `back` where it is, runs `init_round`, and is sent back there; likewise at the
//! end. That is the paper's procedure call without the stack, whose depth is the user's.

use taut_ir::{Assignment, BinaryOp, Effect, Expr, Lvalue, Program, VarId};

use crate::copies::{Copies, effect, either, read, set, var_place, view_place};
use crate::scope::Scope;

/// Begins and ends rounds of one definition.
pub(crate) struct Round<'r> {
    pub program: &'r Program,
    pub copies: &'r Copies,
    /// The ghost that counts the processes with stores that wait, if `sync` needs it. Who is in a round is
    /// not counted.
    pub waiting: Option<VarId>,
}

fn plus(a: impl Into<Expr>, b: impl Into<Expr>) -> Expr {
    Expr::binary(BinaryOp::Add, a.into(), b.into())
}

impl Round<'_> {
    /// Whether the process may begin one more round.
    pub(crate) fn may_begin(&self) -> Expr {
        let Copies { scope, r_sc, r_tso, left, .. } = self.copies;
        match scope {
            Scope::Rounds(k) => Expr::binary(BinaryOp::Lt, Expr::from(*r_sc), i64::from(*k).into()),
            // The oldest store that is never to reach memory gets older, too.
            Scope::Age(_) => match left.filter(|_| !self.copies.is_empty()) {
                None => Expr::TRUE,
                Some(left) => {
                    let never = Expr::from(*r_tso).equals(scope.never().into());
                    let rounds = Expr::binary(BinaryOp::Gt, left.into(), 0.into());
                    Expr::binary(BinaryOp::Or, never.not(), rounds)
                }
            },
        }
    }

    /// `init_round`: counts the round, writes to memory what waits for it, and rebuilds the view.
    pub(crate) fn init(&self) -> Vec<Effect> {
        let mut effects = self.count(false);
        effects.extend(self.number());
        for (var, index) in self.copies.places(self.program) {
            effects.extend(self.flush(var, index));
        }
        effects
    }

    /// The number of the new round; stores go to it at the earliest.
    fn number(&self) -> Option<Effect> {
        let Copies { scope, r_sc, r_tso, left, .. } = self.copies;
        if self.numbers_mean_nothing() {
            return None;
        }
        let next = scope.next_round((*r_sc).into());
        let same = Expr::from(*r_tso).equals((*r_sc).into());
        let mut list: Vec<Assignment> = vec![
            set(Lvalue::Reg(*r_tso), either(same, next.clone(), (*r_tso).into())),
            set(Lvalue::Reg(*r_sc), next),
        ];
        if let Some(left) = left {
            let never = Expr::from(*r_tso).equals(scope.never().into());
            list.push(set(Lvalue::Reg(*left), either(never, plus(*left, -1), (*left).into())));
        }
        Some(Effect::Assign(list))
    }

    /// For ages, where nothing ever waits.
    fn numbers_mean_nothing(&self) -> bool {
        matches!(self.copies.scope, Scope::Age(_)) && self.copies.is_empty()
    }

    fn flush(&self, var: VarId, index: u32) -> Vec<Effect> {
        let Some(copy) = self.copies.of(var) else { return Vec::new() };
        let (i, r_sc) = (Expr::from(i64::from(index)), self.copies.r_sc);
        let (mask, slot) = self.copies.mask(copy, i.clone(), r_sc.into());
        let mask = Lvalue::RegElem(mask, slot);
        let (queue, slot) = self.copies.queue(copy, i.clone(), r_sc.into());
        let queue = Lvalue::RegElem(queue, slot);
        let memory = var_place(self.program, var, i.clone());
        let view = view_place(self.program, var, copy.view, i.clone());
        let sim = self.copies.sim;
        let init = self.program.var(var).init[index as usize];
        let kept = either(self.copies.waits(copy, &i), read(&view), read(&memory));
        vec![
            effect(Lvalue::Reg(sim), either(read(&mask), 2.into(), sim.into())),
            effect(memory.clone(), either(read(&mask), read(&queue), read(&memory))),
            effect(mask, 0),
            effect(queue, init),
            effect(view, kept),
        ]
    }

    /// `is_end_round`: forgets what is only of use inside of a round.
    pub(crate) fn finish(&self) -> Vec<Effect> {
        let mut effects = self.count(true);
        effects.extend(self.copies.held.map(|held| effect(Lvalue::Reg(held), 0)));
        for (var, index) in self.copies.places(self.program) {
            effects.extend(self.forget(var, index));
            effects.extend(self.turn(var, index));
        }
        if matches!(self.copies.scope, Scope::Age(_)) && !self.copies.is_empty() {
            effects.push(self.start_again());
        }
        effects
    }

    fn forget(&self, var: VarId, index: u32) -> Option<Effect> {
        let copy = self.copies.of(var)?;
        let i = Expr::from(i64::from(index));
        let view = view_place(self.program, var, copy.view, i.clone());
        let init = self.program.var(var).init[index as usize];
        let value = either(self.copies.waits(copy, &i), read(&view), init.into());
        Some(effect(view, value))
    }

    /// The round that is so many rounds from `r_SC`.
    fn ahead(&self, rounds: i64) -> Expr {
        let sum = plus(self.copies.r_sc, rounds);
        Expr::binary(BinaryOp::Rem, sum, self.copies.scope.never().into())
    }

    /// For ages, only the difference of round numbers means anything. So the masks and queues of an element
    /// are turned until the round that ends is number 0, and states that differ in nothing else are equal.
    /// Dekker's algorithm with fences at age 2 has 16,462 states so, and 94,310 without.
    fn turn(&self, var: VarId, index: u32) -> Option<Effect> {
        let Scope::Age(k @ 1..) = self.copies.scope else { return None };
        let (copy, i) = (self.copies.of(var)?, Expr::from(i64::from(index)));
        let mask = |round: Expr| {
            let (mask, slot) = self.copies.mask(copy, i.clone(), round);
            Lvalue::RegElem(mask, slot)
        };
        let queue = |round: Expr| {
            let (queue, slot) = self.copies.queue(copy, i.clone(), round);
            Lvalue::RegElem(queue, slot)
        };
        let rounds = 0..=i64::from(k);
        let turned = rounds.flat_map(|j| {
            let from = self.ahead(j);
            let masks = set(mask(j.into()), read(&mask(from.clone())));
            [masks, set(queue(j.into()), read(&queue(from)))]
        });
        Some(Effect::Assign(turned.collect()))
    }

    /// The round numbers after the turn.
    fn start_again(&self) -> Effect {
        let Copies { scope, r_sc, r_tso, .. } = *self.copies;
        let never = Expr::from(r_tso).equals(scope.never().into());
        let back = Expr::binary(BinaryOp::Sub, plus(r_tso, scope.never()), r_sc.into());
        let ahead = Expr::binary(BinaryOp::Rem, back, scope.never().into());
        let turned = either(never, scope.never().into(), ahead);
        Effect::Assign(vec![set(Lvalue::Reg(r_tso), turned), set(Lvalue::Reg(r_sc), 0)])
    }

    /// Counts the process among those with stores that wait, or no longer.
    fn count(&self, up: bool) -> Vec<Effect> {
        let Some(waiting) = self.waiting.filter(|_| !self.copies.is_empty()) else {
            return Vec::new();
        };
        let change = either(self.copies.drained(), 0.into(), Expr::from(if up { 1 } else { -1 }));
        vec![effect(Lvalue::Var(waiting), plus(waiting, change))]
    }
}
