//! The steps that leave one program point, as alternatives: which of them are split, and which belong together.

use super::code::Code;
use super::decisions::negation;
use super::lines::Rest;
use crate::{Control, Effect, Expr, Mode, ProgramPoint, Step, StepId};

/// One alternative of a program point.
#[derive(Debug)]
pub(super) enum Alternative {
    /// A step that stays as it is.
    Whole(StepId),
    /// A step whose guard has no loads: nothing is decided after its first access.
    Line(StepId),
    /// A step that waits for its guard, which has loads.
    Wait(StepId),
    /// Two steps with complementary guards.
    Branch(StepId, StepId),
}

/// A step with the condition that it yields to written into its guard.
#[derive(Clone, Debug)]
pub(super) struct Candidate {
    pub id: StepId,
    pub step: Step,
    splittable: bool,
}

/// The program points whose steps stay whole: in atomic sections, and where a process may hold the others.
pub(super) fn kept_whole(points: &[ProgramPoint], steps: &[Step]) -> Vec<bool> {
    let mut kept: Vec<bool> = points.iter().map(|l| l.atomic).collect();
    for step in steps.iter().filter(|s| s.holds) {
        if let Control::Goto(to) | Control::Call { return_to: to, .. } = step.target {
            kept[to.index()] = true;
        }
    }
    kept
}

impl Code<'_> {
    /// The candidates of a program point; `None` if all its steps stay as they are.
    pub(super) fn candidates(&self, leaving: &[(StepId, Step)]) -> Option<Vec<Candidate>> {
        let all: Option<Vec<_>> =
            leaving.iter().map(|(id, step)| self.candidate(*id, step, leaving)).collect();
        let all = all?;
        all.iter().any(|c| self.is_split(c)).then_some(all)
    }

    /// A step that depends on no other one; `None` if it yields to one whose readiness no expression says.
    fn candidate(&self, id: StepId, step: &Step, leaving: &[(StepId, Step)]) -> Option<Candidate> {
        let mut step = step.clone();
        for other in std::mem::take(&mut step.yields_to) {
            let (_, other) = leaving.iter().find(|(id, _)| *id == other)?;
            let ready_if_true = other.channel.is_none()
                && other.mode == Mode::Plain
                && other.yields_to.is_empty()
                && other.target != Control::Exit
                && !asks_for_timeout(&other.guard);
            if !ready_if_true {
                return None;
            }
            step.guard = step.guard.and(negation(&other.guard));
        }
        let into_atomic = match step.target {
            Control::Goto(to) => self.def.points[to.index()].atomic,
            _ => false,
        };
        let splittable = step.mode != Mode::Locked
            && step.channel.is_none()
            && !step.holds
            && !step.whole
            && !into_atomic
            && step.target != Control::Exit;
        Some(Candidate { id, step, splittable })
    }

    fn is_split(&self, candidate: &Candidate) -> bool {
        let step = &candidate.step;
        candidate.splittable && self.loads(&step.guard) + self.accesses(&step.into()) > 1
    }

    /// The alternatives of a program point, in the order of their first steps.
    pub(super) fn group(&self, all: &[Candidate]) -> Vec<Alternative> {
        let mut taken = vec![false; all.len()];
        let mut alternatives = Vec::new();
        for (i, candidate) in all.iter().enumerate() {
            if std::mem::replace(&mut taken[i], true) {
                continue;
            }
            let other = (i + 1..all.len()).find(|&j| !taken[j] && complement(candidate, &all[j]));
            let one = self.is_split(candidate);
            alternatives.push(match other {
                Some(j) if one || self.is_split(&all[j]) => {
                    taken[j] = true;
                    Alternative::Branch(candidate.id, all[j].id)
                }
                _ if !one => Alternative::Whole(candidate.id),
                _ if self.loads(&candidate.step.guard) == 0 => Alternative::Line(candidate.id),
                _ => Alternative::Wait(candidate.id),
            });
        }
        alternatives
    }
}

/// Whether exactly one of two steps can be taken, as their guards say.
fn complement(a: &Candidate, b: &Candidate) -> bool {
    let splittable = a.splittable && b.splittable && a.step.mode == b.step.mode;
    let constant = matches!(a.step.guard, Expr::Const(_));
    splittable
        && !constant
        && (b.step.guard == a.step.guard.clone().not()
            || a.step.guard == b.step.guard.clone().not())
}

fn asks_for_timeout(guard: &Expr) -> bool {
    let mut asks = false;
    guard.visit(&mut |e| asks |= *e == Expr::Timeout);
    asks
}

impl From<&Step> for Rest {
    fn from(step: &Step) -> Rest {
        let effects: Vec<Effect> = step.effects.clone();
        Rest { effects, target: step.target.clone() }
    }
}
