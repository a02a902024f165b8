//! The variables that are part of a trace.
//!
//! Ghost variables are observers. One that decides nothing (no guard, no index and no value of anything else depends on
//! it, and it cannot fault) is no part of a trace. One that decides something counts as an object that acts at once.

use taut_ir::{Control, Effect, Expr, Lvalue, Overflow, Program, Step, VarId, VarKind};

/// The variables whose accesses are part of a trace.
#[derive(Clone, Debug)]
pub struct Watched(Vec<bool>);

impl Watched {
    /// Whether accesses of a variable are part of a trace.
    pub fn has(&self, var: VarId) -> bool {
        self.0[var.index()]
    }

    /// Shared variables, and the ghosts that decide something.
    pub fn of(program: &Program) -> Watched {
        let is_shared = |v: &taut_ir::Variable| v.kind == VarKind::Shared;
        let mut watched = Watched(program.vars.iter().map(is_shared).collect());
        let steps: Vec<&Step> = program.defs.iter().flat_map(|d| &d.steps).collect();
        // Until nothing changes: what is assigned to a ghost that counts counts, too.
        loop {
            let before = watched.0.clone();
            steps.iter().for_each(|step| watched.add(program, step));
            if watched.0 == before {
                return watched;
            }
        }
    }

    fn add(&mut self, program: &Program, step: &Step) {
        self.expr(&step.guard);
        step.channel.iter().flat_map(|op| op.expressions()).for_each(|e| self.expr(e));
        for effect in &step.effects {
            match effect {
                Effect::Assign(list) => {
                    list.iter().for_each(|a| self.assigned(program, &a.place, &a.value));
                }
                Effect::Assert { condition, .. } if may_fail(condition) => self.expr(condition),
                Effect::Spawn { args, .. } => args.iter().for_each(|e| self.expr(e)),
                Effect::Assert { .. } | Effect::StoreFence | Effect::Fail(_) => {}
            }
        }
        if let Control::Call { args, .. } = &step.target {
            args.iter().for_each(|e| self.expr(e));
        }
    }

    fn assigned(&mut self, program: &Program, place: &Lvalue, value: &Expr) {
        place.index().into_iter().for_each(|e| self.expr(e));
        let ghost = place.variable().filter(|&v| program.var(v).kind == VarKind::Ghost);
        let Some(ghost) = ghost else { return self.expr(value) };
        let fits = program.var(ghost).ty.overflow == Overflow::Wrap;
        if !matches!(value, Expr::Const(_)) && (!fits || may_fail(value)) {
            self.0[ghost.index()] = true;
        }
        if self.has(ghost) {
            self.expr(value);
        }
    }

    fn expr(&mut self, expr: &Expr) {
        expr.variables().into_iter().for_each(|v| self.0[v.index()] = true);
    }
}

/// Whether an expression has a part that can go wrong.
fn may_fail(expr: &Expr) -> bool {
    let mut found = false;
    expr.visit(&mut |part| {
        found |= match part {
            Expr::Binary(op, ..) => op.apply(1, 0).is_err() || op.apply(1, 64).is_err(),
            Expr::VarElem(..) | Expr::RegElem(..) | Expr::Poll(_) | Expr::Channel(..) => true,
            _ => false,
        };
    });
    found
}
