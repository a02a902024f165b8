//! The accesses of a step to shared memory, in the order in which they are performed.
//!
//! An *access* is one load or one store of one location, which is what a processor does at once. A step of a
//! program may have several: `c := c + 1` loads and stores `c`. Registers, ghost variables and channels are no
//! shared memory, so they have none. The list is static: it also has the loads that a short circuit (`&&`, `||`,
//! `?:`) may leave out in a run.
//!
//! `walk` is the one place that knows the order of evaluation in a step; [`crate::footprint`] walks with it, too.

use crate::{
    ChannelOp, Control, Effect, Expr, Lvalue, Pattern, ProcId, Program, Step, VarId, VarKind,
};

/// One load or one store.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Access {
    /// The variable.
    pub var: VarId,
    /// Whether it is a load or a store.
    pub kind: AccessKind,
}

/// The two kinds of accesses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AccessKind {
    /// The location is read.
    Load,
    /// The location is written.
    Store,
}

/// The accesses of a step: guard, channel, effects, arguments of a call; of an assignment, indices and values
/// before stores.
pub fn accesses(program: &Program, step: &Step) -> Vec<Access> {
    let mut all = Vec::new();
    walk(step, &mut |part| {
        let access = match part {
            Part::Read { expr: Expr::Var(var) | Expr::VarElem(var, _), .. } => {
                Some((*var, AccessKind::Load))
            }
            Part::Read { .. } => None,
            Part::Store { place, .. } => place.variable().map(|var| (var, AccessKind::Store)),
        };
        let shared = access.filter(|(var, _)| program.var(*var).kind == VarKind::Shared);
        all.extend(shared.map(|(var, kind)| Access { var, kind }));
    });
    all
}

/// A part of a step.
pub(crate) enum Part<'s> {
    /// An expression is computed; its operands were before.
    Read {
        /// The expression.
        expr: &'s Expr,
        /// The process in whose place it is computed, if that is not the one that takes the step ([`Expr::In`]).
        inside: Option<ProcId>,
    },
    /// A value is stored; the index of the element was computed before.
    Store {
        /// Where it goes.
        place: &'s Lvalue,
        /// Whether it is an atomic write.
        atomic: bool,
    },
}

/// Calls `f` with every part of a step in the order of evaluation, all branches of short circuits included.
pub(crate) fn walk<'s>(step: &'s Step, f: &mut impl FnMut(Part<'s>)) {
    let mut walk = Walk { f };
    walk.expr(&step.guard);
    if let Some(channel) = &step.channel {
        walk.channel(channel);
    }
    step.effects.iter().for_each(|effect| walk.effect(effect));
    if let Control::Call { args, .. } = &step.target {
        args.iter().for_each(|arg| walk.expr(arg));
    }
}

struct Walk<'f, F> {
    f: &'f mut F,
}

impl<'s, F: FnMut(Part<'s>)> Walk<'_, F> {
    fn expr(&mut self, expr: &'s Expr) {
        expr.visit_inside(None, &mut |expr, inside| (self.f)(Part::Read { expr, inside }));
    }

    fn index(&mut self, place: &'s Lvalue) {
        if let Some(index) = place.index() {
            self.expr(index);
        }
    }

    fn store(&mut self, place: &'s Lvalue, atomic: bool) {
        (self.f)(Part::Store { place, atomic });
    }

    fn channel(&mut self, channel: &'s ChannelOp) {
        self.expr(channel.channel());
        match channel {
            ChannelOp::Send { message, .. } => message.iter().for_each(|value| self.expr(value)),
            ChannelOp::Receive { pattern, .. } => {
                pattern.iter().for_each(|field| self.matched(field));
                pattern.iter().for_each(|field| self.bound(field));
            }
        }
    }

    /// What a field of a receive reads: all matches are decided before the first field is assigned.
    fn matched(&mut self, field: &'s Pattern) {
        match field {
            Pattern::Match(value) => self.expr(value),
            Pattern::Bind(place) => self.index(place),
            Pattern::Any => {}
        }
    }

    fn bound(&mut self, field: &'s Pattern) {
        if let Pattern::Bind(place) = field {
            self.store(place, false);
        }
    }

    fn effect(&mut self, effect: &'s Effect) {
        match effect {
            Effect::Assign(list) => {
                for assignment in list {
                    self.index(&assignment.place);
                    self.expr(&assignment.value);
                }
                list.iter().for_each(|a| self.store(&a.place, a.atomic));
            }
            Effect::Assert { condition, .. } => self.expr(condition),
            Effect::StoreFence | Effect::Fail(_) => {}
            Effect::Spawn { args, pid, .. } => {
                args.iter().for_each(|arg| self.expr(arg));
                if let Some(pid) = pid {
                    self.index(pid);
                    self.store(pid, false);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Assignment, PointId, Span, Type, Variable};

    fn variable(name: &str, kind: VarKind) -> Variable {
        Variable {
            name: name.into(),
            kind,
            ty: Type::BOOL,
            len: None,
            init: vec![0],
            span: Span::NONE,
        }
    }

    /// A program with shared `x` (0) and `y` (1) and the ghost `g` (2).
    fn program() -> Program {
        let vars = vec![
            variable("x", VarKind::Shared),
            variable("y", VarKind::Shared),
            variable("g", VarKind::Ghost),
        ];
        Program { vars, ..Program::default() }
    }

    fn assign(var: u32, value: Expr) -> Effect {
        Effect::Assign(vec![Assignment { place: Lvalue::Var(VarId(var)), value, atomic: false }])
    }

    #[test]
    fn loads_come_before_the_store_and_ghosts_do_not_count() {
        let mut step = Step::skip(PointId(0), PointId(1), Span::NONE);
        let sum = Expr::binary(crate::BinaryOp::Add, Expr::Var(VarId(0)), Expr::Var(VarId(2)));
        step.effects = vec![assign(0, sum), assign(2, Expr::Var(VarId(1)))];
        let found = accesses(&program(), &step);
        let access = |var, kind| Access { var: VarId(var), kind };
        assert_eq!(
            found,
            [
                access(0, AccessKind::Load),
                access(0, AccessKind::Store),
                access(1, AccessKind::Load)
            ]
        );
    }
}
