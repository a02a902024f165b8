//! The accesses of a step to shared memory, in the order in which they are performed.
//!
//! An *access* is one load or one store of one program point, which is what a processor does at once. A step of a
//! program may have several: `c := c + 1` loads and stores `c`. Registers, ghost variables and channels are no
//! shared memory, so they have none. The list is static: it also has the loads that a short circuit (`&&`, `||`,
//! `?:`) may leave out in a run.

use crate::{ChannelOp, Control, Effect, Expr, Lvalue, Pattern, Program, Step, VarId, VarKind};

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
    /// The program point is read.
    Load,
    /// The program point is written.
    Store,
}

/// The accesses of a step: guard, channel, effects, arguments of a call; of an assignment, indices and values
/// before stores.
pub fn accesses(program: &Program, step: &Step) -> Vec<Access> {
    let mut list = Accesses { program, all: Vec::new() };
    list.loads(&step.guard);
    if let Some(channel) = &step.channel {
        list.channel(channel);
    }
    step.effects.iter().for_each(|effect| list.effect(effect));
    if let Control::Call { args, .. } = &step.target {
        args.iter().for_each(|arg| list.loads(arg));
    }
    list.all
}

struct Accesses<'p> {
    program: &'p Program,
    all: Vec<Access>,
}

impl Accesses<'_> {
    fn push(&mut self, var: VarId, kind: AccessKind) {
        if self.program.var(var).kind == VarKind::Shared {
            self.all.push(Access { var, kind });
        }
    }

    /// The loads of an expression: operands from left to right, an index before its element.
    fn loads(&mut self, expr: &Expr) {
        expr.operands().into_iter().for_each(|operand| self.loads(operand));
        if let Expr::Var(var) | Expr::VarElem(var, _) = expr {
            self.push(*var, AccessKind::Load);
        }
    }

    fn index(&mut self, place: &Lvalue) {
        if let Some(index) = place.index() {
            self.loads(index);
        }
    }

    fn store(&mut self, place: &Lvalue) {
        if let Some(var) = place.variable() {
            self.push(var, AccessKind::Store);
        }
    }

    fn channel(&mut self, channel: &ChannelOp) {
        self.loads(channel.channel());
        match channel {
            ChannelOp::Send { message, .. } => message.iter().for_each(|value| self.loads(value)),
            ChannelOp::Receive { pattern, .. } => {
                pattern.iter().for_each(|field| self.matched(field));
                pattern.iter().for_each(|field| self.bound(field));
            }
        }
    }

    /// What a field of a receive reads: all matches are decided before the first field is assigned.
    fn matched(&mut self, field: &Pattern) {
        match field {
            Pattern::Match(value) => self.loads(value),
            Pattern::Bind(place) => self.index(place),
            Pattern::Any => {}
        }
    }

    fn bound(&mut self, field: &Pattern) {
        if let Pattern::Bind(place) = field {
            self.store(place);
        }
    }

    fn effect(&mut self, effect: &Effect) {
        match effect {
            Effect::Assign(list) => {
                for assignment in list {
                    self.index(&assignment.place);
                    self.loads(&assignment.value);
                }
                list.iter().for_each(|assignment| self.store(&assignment.place));
            }
            Effect::Assert { condition, .. } => self.loads(condition),
            Effect::StoreFence | Effect::Fail(_) => {}
            Effect::Spawn { args, pid, .. } => {
                args.iter().for_each(|arg| self.loads(arg));
                if let Some(pid) = pid {
                    self.index(pid);
                    self.store(pid);
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
