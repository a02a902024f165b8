//! Steps that wait for a condition with several loads; see the [module](super) for the argument.

use super::TooLarge;
use super::code::{Code, Pending};
use super::decisions::{Blocked, Way, negation};
use super::lines::Rest;
use crate::{BinaryOp, Control, Effect, Expr, PointId, Step};

/// The text of a step that gives up a round of a wait loop.
const AGAIN: &str = "test the condition again";

/// An alternative that is done: which steps are its own, where it is blocked, and what it waits for.
#[derive(Debug)]
pub(super) struct Done {
    /// The first steps, which leave the head.
    pub starts: Vec<Step>,
    pub blocked: Vec<Blocked>,
    /// Its whole guard; of interest only if it is blocked somewhere.
    pub guard: Expr,
}

impl Code<'_> {
    /// The one round of the wait loop that succeeds. Returns where it is blocked.
    pub(super) fn wait(&mut self, step: &Step) -> Result<Vec<Blocked>, TooLarge> {
        self.way = Way::waiting();
        let rest = Rest::from(step);
        let (exit, more) = self.exit(&rest)?;
        let start = Pending { mode: step.mode, ..Pending::at(step.source) };
        self.branch(&step.guard, start, Some(exit), None)?;
        let way = std::mem::take(&mut self.way);
        if let Some(p) = more {
            self.line(p, &rest)?;
        }
        Ok(way.blocked)
    }

    /// The ways out of blocked program points: back to the head if the condition would now be computed another
    /// way, and to the other alternatives of the head if one of them can be taken.
    pub(super) fn ways_out(&mut self, all: &[Done]) -> Result<(), TooLarge> {
        let waiting: Vec<&Done> = all.iter().filter(|d| !d.blocked.is_empty()).collect();
        if waiting.is_empty() {
            return Ok(());
        }
        let ready: Vec<&Step> =
            all.iter().filter(|d| d.blocked.is_empty()).flat_map(|d| &d.starts).collect();
        let elsewhere =
            if waiting.len() > 1 { Some(self.crossing(&waiting, &ready)?) } else { None };
        for (i, done) in waiting.iter().enumerate() {
            let others = waiting.iter().enumerate().filter(|&(j, _)| j != i).map(|(_, d)| &d.guard);
            let other = any(others);
            for blocked in &done.blocked {
                let (at, resets) = (blocked.at, self.reset_all(&blocked.held));
                self.give_up(at, self.head, stale(blocked), resets.clone())?;
                if let Some(crossing) = elsewhere {
                    let guard = negation(&done.guard).and(other.clone());
                    self.give_up(at, crossing, guard, resets.clone())?;
                }
                for start in &ready {
                    let mut effects = start.effects.clone();
                    effects.extend(resets.clone());
                    self.push(Step { source: at, effects, ..(*start).clone() })?;
                }
            }
        }
        Ok(())
    }

    /// A program point from which only alternatives start that could be taken as a whole now. Without it, a process
    /// could start one alternative again and again while another one is ready.
    fn crossing(&mut self, waiting: &[&Done], ready: &[&Step]) -> Result<PointId, TooLarge> {
        let crossing = self.inner()?;
        for start in ready {
            self.push(Step { source: crossing, ..(*start).clone() })?;
        }
        for done in waiting {
            for start in &done.starts {
                let guard = done.guard.clone().and(start.guard.clone());
                self.push(Step { source: crossing, guard, ..start.clone() })?;
            }
        }
        let none = negation(&any(waiting.iter().map(|d| &d.guard)));
        self.give_up(crossing, self.head, none, Vec::new())?;
        Ok(crossing)
    }

    fn give_up(
        &mut self,
        from: PointId,
        to: PointId,
        guard: Expr,
        effects: Vec<Effect>,
    ) -> Result<(), TooLarge> {
        let text = Some(AGAIN.into());
        let plain = Step::skip(from, to, self.span);
        self.push(Step { guard, effects, text, target: Control::Goto(to), ..plain })
    }
}

/// Whether a computation of the condition in the current state would not come to a blocked program point with the
/// same values.
fn stale(blocked: &Blocked) -> Expr {
    let same = blocked.held.iter().map(|held| held.of.clone().equals(Expr::Reg(held.register)));
    let passed = blocked.reached_if.iter().cloned().map(passed);
    negation(&passed.chain(same).fold(Expr::TRUE, Expr::and))
}

/// A condition that was true on the way. A timeout stays passed: it is false as soon as something can happen,
/// the way back included.
fn passed(condition: Expr) -> Expr {
    match condition {
        Expr::Timeout => Expr::TRUE,
        Expr::Binary(op @ (BinaryOp::And | BinaryOp::Or), a, b) => {
            Expr::binary(op, passed(*a), passed(*b))
        }
        other => other,
    }
}

fn any<'e>(all: impl Iterator<Item = &'e Expr>) -> Expr {
    let all = all.cloned();
    all.reduce(|a, b| Expr::binary(BinaryOp::Or, a, b)).unwrap_or(Expr::Const(0))
}
