//! The moves of a claim: which statements it can read in one state, and where that leads.
//!
//! A move is one statement, or in an `atomic` or `d_step` block all up to where the block is left; so it is a way
//! through the block, and its condition is that every statement on it can be taken in the same state. A way that
//! comes back to where it has been adds nothing: the state has not changed.

use taut_ltl::Formula;
use taut_source::{Diagnostic, Span};

use super::Lowering;
use super::atoms::{and, any};
use super::flow::{Basic, ElId, Kind};
use super::never::{Target, Watcher};
use super::steps::{entries, first_of_blocks, next_inside};
use super::table::Transition;
use crate::ast::{ExprKind, StatementKind};
use crate::codes;

/// The most ways through atomic blocks that leave one state.
const MOST_WAYS: usize = 10_000;
/// The most statements on one of them.
const LONGEST_WAY: usize = 500;

/// The moves that leave one control state.
#[derive(Default)]
pub(super) struct Moves {
    pub(super) list: Vec<(Target, Vec<Formula>)>,
    /// The states and elements that the way being followed has passed in this move.
    passed: Vec<ElId>,
    ways: usize,
}

impl Moves {
    fn add(&mut self, condition: Formula, target: Target) {
        self.ways += 1;
        if condition == Formula::False || self.ways > MOST_WAYS {
            return;
        }
        match self.list.iter_mut().find(|(t, _)| *t == target) {
            Some((_, known)) => known.push(condition),
            None => self.list.push((target, vec![condition])),
        }
    }

    /// Whether there were too many ways to follow them all.
    pub(super) fn are_too_many(&self) -> bool {
        self.ways > MOST_WAYS
    }

    /// Follows a way on from an element, unless it has been there in this move: the guards are the same then.
    pub(super) fn enter(&mut self, at: ElId) -> bool {
        if self.passed.len() >= LONGEST_WAY {
            self.ways = MOST_WAYS + 1;
        }
        let new = self.ways <= MOST_WAYS && !self.passed.contains(&at);
        if new {
            self.passed.push(at);
        }
        new
    }
}

/// A transition of a claim: when it can be taken.
struct Choice {
    transition: Transition,
    guard: Formula,
}

impl<'m> Lowering<'m> {
    /// All moves from a control state whose first statement is yet to be read, given what was read before.
    pub(super) fn moves(
        &mut self,
        watcher: &mut Watcher<'m>,
        state: ElId,
        before: Formula,
        moves: &mut Moves,
    ) {
        for choice in self.choices(watcher, state) {
            let condition = and(before.clone(), choice.guard);
            if condition == Formula::False {
                continue;
            }
            let transition = &choice.transition;
            match watcher.flow.element(transition.element).kind {
                Kind::DStep(seq, _) => {
                    let first = watcher.flow.first(seq);
                    self.step_moves(watcher, first, transition, condition, moves, true);
                }
                Kind::Basic(basic) => {
                    self.assertion_in(watcher, basic, &condition, moves);
                    self.arrive(watcher, transition, condition, moves);
                }
                _ => self.arrive(watcher, transition, condition, moves),
            }
        }
    }

    /// Goes on after a transition: inside of an atomic block in the same state, else the move is done.
    fn arrive(
        &mut self,
        watcher: &mut Watcher<'m>,
        transition: &Transition,
        condition: Formula,
        moves: &mut Moves,
    ) {
        match watcher.target(transition.target) {
            Target::State(to) if transition.holds => {
                if moves.enter(to) {
                    self.moves(watcher, to, condition, moves);
                    moves.passed.pop();
                }
            }
            target => moves.add(condition, target),
        }
    }

    /// The transitions of a state, each with the condition under which it can be taken.
    fn choices(&mut self, watcher: &mut Watcher<'m>, state: ElId) -> Vec<Choice> {
        let mut choices: Vec<Choice> = Vec::new();
        for transition in watcher.table.transitions[state.0].clone() {
            let before: Vec<Formula> = choices.iter().map(|c| c.guard.clone()).collect();
            let escape = |c: &&Choice| {
                c.transition.escape.is_some() && c.transition.escape != transition.escape
            };
            let first: Vec<Formula> =
                choices.iter().filter(escape).map(|c| c.guard.clone()).collect();
            let can = self.executable(watcher, transition.element, &before);
            choices.push(Choice { transition, guard: and(can, any(&first).negated()) });
        }
        choices
    }

    /// When the statement of an element can be taken; `else` can if none of the others can.
    fn executable(&mut self, watcher: &mut Watcher<'m>, at: ElId, others: &[Formula]) -> Formula {
        let element = watcher.flow.element(at).clone();
        match element.kind {
            Kind::Basic(Basic::Else) => any(others).negated(),
            Kind::Basic(basic) => self.reading(watcher, basic, element.span),
            Kind::DStep(seq, _) => {
                let first = watcher.flow.first(seq);
                let outright = first_of_blocks(&watcher.flow, first);
                let mut can = Vec::new();
                for entry in entries(&watcher.flow, first) {
                    let others = if entry == outright { others } else { &can[..] };
                    let this = self.executable(watcher, entry, others);
                    can.push(this);
                }
                any(&can)
            }
            _ => Formula::True,
        }
    }

    /// The ways through a `d_step`, of which the first statement that can be taken is taken.
    fn step_moves(
        &mut self,
        watcher: &mut Watcher<'m>,
        at: ElId,
        transition: &Transition,
        before: Formula,
        moves: &mut Moves,
        begins: bool,
    ) {
        let mut rest = before;
        for entry in entries(&watcher.flow, at) {
            // Whether it may begin at all, `else` included, is known already.
            let is_else = matches!(watcher.flow.element(entry).kind, Kind::Basic(Basic::Else));
            let can = match is_else {
                true => Formula::True,
                false => self.executable(watcher, entry, &[]),
            };
            let condition = and(rest.clone(), can.clone());
            rest = and(rest, can.negated());
            if condition == Formula::False {
                continue;
            }
            if let Kind::Basic(basic) = watcher.flow.element(entry).kind {
                self.assertion_in(watcher, basic, &condition, moves);
            }
            match next_inside(&watcher.flow, entry) {
                None => self.arrive(watcher, transition, condition, moves),
                Some(next) if moves.enter(next) => {
                    self.step_moves(watcher, next, transition, condition, moves, false);
                    moves.passed.pop();
                }
                Some(_) => {}
            }
        }
        if !begins {
            moves.add(rest, Target::Bad);
        }
    }

    /// An assertion that fails is an error.
    fn assertion_in(
        &mut self,
        watcher: &mut Watcher<'m>,
        basic: Basic<'m>,
        condition: &Formula,
        moves: &mut Moves,
    ) {
        if let Basic::Statement(statement) = basic
            && let StatementKind::Assert(e) = &statement.kind
        {
            let fails = self.condition_of(&mut watcher.atoms, e).negated();
            moves.add(and(condition.clone(), fails), Target::Bad);
        }
    }

    /// When a statement of a claim can be taken; reports one that does something.
    fn reading(&mut self, watcher: &mut Watcher<'m>, basic: Basic<'m>, span: Span) -> Formula {
        match basic {
            Basic::Skip => return Formula::True,
            Basic::Condition(e) if !matches!(e.kind, ExprKind::Run { .. }) => {
                return self.condition_of(&mut watcher.atoms, e);
            }
            Basic::Statement(statement) => match &statement.kind {
                StatementKind::Assert(_) | StatementKind::Printf(..) | StatementKind::Printm(_) => {
                    return Formula::True;
                }
                StatementKind::Send { .. } | StatementKind::Receive { .. } => {
                    let help = "`q?[m]` asks whether a message could be received";
                    self.claim_effect("cannot send or receive", span, help);
                    return Formula::True;
                }
                _ => {}
            },
            // Variables of its own have been reported.
            Basic::Declare(..) => return Formula::True,
            _ => {}
        }
        self.claim_effect(
            "cannot change anything",
            span,
            "let a process do this, or say it as a condition",
        );
        Formula::True
    }

    /// Reports something that a claim cannot do.
    pub(super) fn claim_effect(&mut self, what: &str, span: Span, help: &str) {
        let text = format!("a claim only watches: it {what}");
        let d = Diagnostic::error(codes::CLAIM_EFFECT, text, span).label("here").help(help);
        self.diagnostics.push(d);
    }
}
