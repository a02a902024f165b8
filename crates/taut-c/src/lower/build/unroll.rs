//! Loops that start threads or wait for them, round by round.
//!
//! `for (i = 0; i < 2; i++) pthread_create(…)` becomes two calls, as long as the condition of the loop is a constant each
//! time ([`super::known`]). So the number of threads is known, each has its own argument, and the counter is gone.

use super::{Builder, Built, Point};
use crate::hir::{Block, Expr};
use crate::lower::mir::Value;
use crate::lower::uses::{is_register_only, is_threading_block};

/// The most rounds of a loop.
const MOST_ROUNDS: usize = 64;
/// The most steps of a thread beyond which no loop is taken round by round.
const MOST_EDGES: usize = 5_000;

impl Builder<'_> {
    /// True if a loop may be taken round by round.
    pub(super) fn unrolls(&self, step: Option<&Expr>, body: &Block) -> bool {
        let simple = step.is_none_or(is_short);
        !self.found.no_constants
            && simple
            && self.t.edges.len() < MOST_EDGES
            && is_threading_block(body, &self.threading)
    }

    /// Builds the rounds of a loop up to its end. False if the condition is no constant in some round: the loop goes on from
    /// there.
    pub(super) fn unrolled(
        &mut self,
        condition: Option<&Expr>,
        step: Option<&Expr>,
        body: &Block,
        end: Point,
    ) -> Built<bool> {
        let Some(condition) = condition else { return Ok(false) };
        for _ in 0..MOST_ROUNDS {
            if self.t.cur.is_none() {
                return Ok(true);
            }
            match self.decided(condition)? {
                Some(true) => {}
                Some(false) => {
                    self.goto(end)?;
                    return Ok(true);
                }
                None => return Ok(false),
            }
            self.round(step, body, end)?;
        }
        Ok(false)
    }

    fn round(&mut self, step: Option<&Expr>, body: &Block, end: Point) -> Built<()> {
        let next = self.point();
        self.frame_mut().breaks.push(end);
        self.frame_mut().continues.push(next);
        self.block(body)?;
        self.frame_mut().breaks.pop();
        self.frame_mut().continues.pop();
        self.goto(next)?;
        if self.t.known.get(next.0 as usize).is_none_or(Option::is_none) {
            // No step leads there: the body never goes on.
            return Ok(());
        }
        self.resume(next);
        if let Some(step) = step {
            self.at(step.span);
            self.effects(step)?;
        }
        Ok(())
    }

    /// The truth of a condition, if it is a constant here.
    fn decided(&mut self, condition: &Expr) -> Built<Option<bool>> {
        if !is_register_only(condition) {
            return Ok(None);
        }
        let before = (self.t.edges.len(), self.t.checks.len());
        let (points, cur) = (self.t.points.len(), self.t.cur);
        let value = self.value(condition)?;
        if before == (self.t.edges.len(), self.t.checks.len())
            && let Value::Int(x) = value
        {
            return Ok(Some(x != 0));
        }
        // Steps were needed: the loop decides by itself.
        self.t.edges.truncate(before.0);
        self.t.checks.truncate(before.1);
        self.t.points.truncate(points);
        self.t.known.truncate(points);
        self.t.cur = cur;
        Ok(None)
    }
}

/// True for the step of a counter.
fn is_short(step: &Expr) -> bool {
    use crate::hir::ExprKind;
    matches!(step.kind, ExprKind::Step(..) | ExprKind::CompoundAssign(..) | ExprKind::Assign(..))
}
