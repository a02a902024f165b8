//! Conditions, load by load: a graph of decisions with short circuit.
//!
//! A *leaf* is a part of a condition that is decided as a whole. All its loads but the last go into registers;
//! the last one is part of the guards of the two steps that leave. Neighbours with at most one load together
//! are one leaf, so a condition with one access stays one decision.
//!
//! A condition may have no way on for one of its outcomes: the process waits. The program points where it does so in
//! the middle of the condition are *blocked* ones, see [`super::waits`].

use super::TooLarge;
use super::code::{Code, Held, Pending};
use crate::{BinaryOp, Control, Effect, Expr, PointId, PropId, Step, UnaryOp};

/// What happens after an outcome of a condition, in the same step.
#[derive(Clone, Debug)]
pub(super) struct Exit {
    effects: Vec<Effect>,
    control: Control,
    /// The assertion that the condition belongs to, and whether this outcome satisfies it.
    asserts: Option<(PropId, bool)>,
}

impl Exit {
    pub(super) fn new(effects: Vec<Effect>, control: Control) -> Exit {
        Exit { effects, control, asserts: None }
    }

    pub(super) fn to(point: PointId) -> Exit {
        Exit::new(Vec::new(), Control::Goto(point))
    }

    pub(super) fn asserting(property: PropId, satisfied: bool, control: Control) -> Exit {
        Exit { asserts: Some((property, satisfied)), ..Exit::new(Vec::new(), control) }
    }
}

/// A program point in the middle of a condition from which one outcome has no step.
#[derive(Clone, Debug)]
pub(super) struct Blocked {
    pub at: PointId,
    /// What must be true for the computation of the condition to come here.
    pub reached_if: Vec<Expr>,
    /// The values loaded so far that the last load is compared with.
    pub held: Vec<Held>,
}

/// The conditions on the way from the head of a waiting statement, and where it is blocked.
#[derive(Debug, Default)]
pub(super) struct Way {
    /// Whether one outcome of the whole condition has no step.
    pub waits: bool,
    reached_if: Vec<Expr>,
    pub blocked: Vec<Blocked>,
}

impl Way {
    /// The way through a condition that is waited for.
    pub(super) fn waiting() -> Way {
        Way { waits: true, ..Way::default() }
    }
}

impl Code<'_> {
    /// Decides a condition.
    pub(super) fn branch(
        &mut self,
        e: &Expr,
        mut p: Pending,
        yes: Option<Exit>,
        no: Option<Exit>,
    ) -> Result<(), TooLarge> {
        if !p.is_open() {
            self.flush(&mut p)?;
        }
        match e {
            _ if self.loads(e) <= 1 => self.decide(e.clone(), p, yes, no),
            Expr::Unary(UnaryOp::Not, inner) => self.branch(inner, p, no, yes),
            Expr::Binary(op @ (BinaryOp::And | BinaryOp::Or), ..) => {
                let mut operands = Vec::new();
                flatten(e, *op, &mut operands);
                self.chain(*op, &operands, p, yes, no)
            }
            Expr::Cond(condition, a, b) => self.alternatives([condition, a, b], p, yes, no),
            _ => self.leaf(e, p, yes, no),
        }
    }

    /// Loads all but the last program point of a leaf and decides it.
    fn leaf(
        &mut self,
        e: &Expr,
        mut p: Pending,
        yes: Option<Exit>,
        no: Option<Exit>,
    ) -> Result<(), TooLarge> {
        let e = self.but_one(e, &mut p)?;
        if !p.is_open() {
            self.flush(&mut p)?;
        }
        self.decide(e, p, yes, no)
    }

    /// `a && b && …` or `a || b || …`
    fn chain(
        &mut self,
        op: BinaryOp,
        operands: &[&Expr],
        mut p: Pending,
        yes: Option<Exit>,
        no: Option<Exit>,
    ) -> Result<(), TooLarge> {
        let conjunction = op == BinaryOp::And;
        let groups = self.groups(operands);
        let depth = self.way.reached_if.len();
        for (i, group) in groups.iter().enumerate() {
            let whole = together(op, group);
            let goes_on = if conjunction { whole.clone() } else { negation(&whole) };
            let last = i + 1 == groups.len();
            if !last && self.loads(&whole) == 0 && self.may_share(&p) {
                // Nothing to load: decided together with what follows.
                let out = if conjunction { &no } else { &yes };
                if let Some(out) = out {
                    let guard = p.guard.clone().and(negation(&goes_on));
                    self.leave(Pending { guard, ..Pending::like(&p) }, out.clone(), Vec::new())?;
                }
                p.guard = p.guard.and(goes_on.clone());
            } else {
                let next = if last { None } else { Some(self.inner()?) };
                let on = |exit: &Option<Exit>| next.map_or(exit.clone(), |n| Some(Exit::to(n)));
                let (yes, no) = match conjunction {
                    true => (on(&yes), no.clone()),
                    false => (yes.clone(), on(&no)),
                };
                let here = std::mem::replace(&mut p, Pending::at(next.unwrap_or(self.head)));
                match group.as_slice() {
                    [one] => self.branch(one, here, yes, no)?,
                    _ => self.leaf(&whole, here, yes, no)?,
                }
            }
            if self.way.waits && !last {
                self.way.reached_if.push(goes_on);
            }
        }
        self.way.reached_if.truncate(depth);
        Ok(())
    }

    /// Whether a condition without loads may be decided at the same program point as what comes after it. Where
    /// the process may be blocked, a way back would not know which of the two it is blocked at.
    fn may_share(&self, p: &Pending) -> bool {
        !self.way.waits || p.at == self.head
    }

    /// Neighbours that are decided together: at most one load, or loads of one leaf only.
    fn groups<'e>(&self, operands: &[&'e Expr]) -> Vec<Vec<&'e Expr>> {
        let mut groups: Vec<(Vec<&Expr>, usize)> = Vec::new();
        for &operand in operands {
            let loads = self.loads(operand);
            match groups.last_mut() {
                Some((group, total))
                    if *total + loads <= 1 || (loads == 0 && is_leaf(group[0])) =>
                {
                    group.push(operand);
                    *total += loads;
                }
                _ => groups.push((vec![operand], loads)),
            }
        }
        groups.into_iter().map(|(group, _)| group).collect()
    }

    /// `condition ? a : b`
    fn alternatives(
        &mut self,
        [condition, a, b]: [&Expr; 3],
        p: Pending,
        yes: Option<Exit>,
        no: Option<Exit>,
    ) -> Result<(), TooLarge> {
        let (first, second) = if self.loads(condition) == 0 && self.may_share(&p) {
            let guard = p.guard.clone().and(condition.clone());
            let other = p.guard.clone().and(negation(condition));
            (Pending { guard, ..Pending::like(&p) }, Pending { guard: other, ..p })
        } else {
            let (first, second) = (self.inner()?, self.inner()?);
            self.branch(condition, p, Some(Exit::to(first)), Some(Exit::to(second)))?;
            (Pending::at(first), Pending::at(second))
        };
        for (part, p, reached) in [(a, first, condition.clone()), (b, second, negation(condition))]
        {
            self.way.reached_if.push(reached);
            self.branch(part, p, yes.clone(), no.clone())?;
            self.way.reached_if.pop();
        }
        Ok(())
    }

    /// The steps of a condition that has at most one load.
    fn decide(
        &mut self,
        e: Expr,
        p: Pending,
        yes: Option<Exit>,
        no: Option<Exit>,
    ) -> Result<(), TooLarge> {
        taut_budget::tick();
        debug_assert!(p.is_open() && self.loads(&e) <= 1, "one load per step");
        if (yes.is_none() || no.is_none()) && p.at != self.head {
            let (reached_if, held) = (self.way.reached_if.clone(), self.held.clone());
            self.way.blocked.push(Blocked { at: p.at, reached_if, held });
        }
        let resets = self.release([&e]);
        let resets = if resets.is_empty() { vec![] } else { vec![Effect::Assign(resets)] };
        if let (Some(Exit { asserts: Some((property, satisfied)), control, .. }), Some(other)) =
            (&yes, &no)
            && other.asserts == Some((*property, !satisfied))
        {
            let condition = if *satisfied { e } else { negation(&e) };
            let exit =
                Exit::new(vec![Effect::Assert { condition, property: *property }], control.clone());
            return self.leave(p, exit, resets);
        }
        if let Some(exit) = yes {
            let guard = p.guard.clone().and(e.clone());
            self.leave(Pending { guard, ..Pending::like(&p) }, exit, resets.clone())?;
        }
        if let Some(exit) = no {
            let guard = p.guard.clone().and(negation(&e));
            self.leave(Pending { guard, ..p }, exit, resets)?;
        }
        Ok(())
    }

    /// The step of one outcome.
    fn leave(&mut self, p: Pending, exit: Exit, resets: Vec<Effect>) -> Result<(), TooLarge> {
        if p.guard == Expr::Const(0) {
            return Ok(());
        }
        let mut effects = exit.effects;
        if let Some((property, satisfied)) = exit.asserts {
            let condition = Expr::Const(i64::from(satisfied));
            effects.push(Effect::Assert { condition, property });
        }
        effects.extend(resets);
        let plain = Step::skip(p.at, p.at, self.span);
        self.push(Step { guard: p.guard, mode: p.mode, effects, target: exit.control, ..plain })
    }
}

impl Pending {
    /// An open step with the same program point and mode.
    fn like(other: &Pending) -> Pending {
        Pending { mode: other.mode, ..Pending::at(other.at) }
    }
}

/// `!e`, without two negations in a row.
pub(super) fn negation(e: &Expr) -> Expr {
    match e {
        Expr::Unary(UnaryOp::Not, inner) => (**inner).clone(),
        other => other.clone().not(),
    }
}

/// The operands of a chain of one operator, in order.
fn flatten<'e>(e: &'e Expr, op: BinaryOp, operands: &mut Vec<&'e Expr>) {
    match e {
        Expr::Binary(same, a, b) if *same == op => {
            flatten(a, op, operands);
            flatten(b, op, operands);
        }
        other => operands.push(other),
    }
}

/// A group of operands as one expression.
fn together(op: BinaryOp, group: &[&Expr]) -> Expr {
    let mut all = group.iter().map(|e| (*e).clone());
    let first = all.next().expect("a group has an operand");
    all.fold(first, |a, b| Expr::binary(op, a, b))
}

/// Whether a condition is decided as a whole.
fn is_leaf(e: &Expr) -> bool {
    !matches!(
        e,
        Expr::Unary(UnaryOp::Not, _)
            | Expr::Binary(BinaryOp::And | BinaryOp::Or, ..)
            | Expr::Cond(..)
    )
}
