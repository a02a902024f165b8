//! `never` claims as automata.
//!
//! A claim is a process that watches: it moves once in every state of a run, reading it, and a run along which it
//! passes `accept` labels for ever, or reaches its end, must not be. Its control states are the states of the
//! automaton, found by SPIN's own rules ([`super::flow`], [`super::table`]), and its statements are the guards
//! ([`super::watch`]):
//!
//! - a condition is a guard; `else` is the guard that no other one of its state holds; what comes before in the
//!   escapes of an `unless` goes first;
//! - in an `atomic` or `d_step` block several statements are read in one state: their guards are joined by *and*;
//! - `assert(e)` goes on, and besides, where `e` is false, to a state that accepts everything; so does a `d_step`
//!   that blocks, and reaching the end or an `end` label, all of which are errors of SPIN's at once;
//! - an edge is accepting if the state it leaves has an `accept` label.
//!
//! A claim cannot do anything. SPIN warns of side effects; here they are refused.

use std::collections::HashMap;

use taut_ir::{Never, PropertyKind};
use taut_ltl::{Automaton, Edge, Formula, Guard, MOST_BITS, State};
use taut_source::{Diagnostic, Span};

use super::Lowering;
use super::atoms::{Atoms, any, guard};
use super::flow::{ElId, Flow};
use super::table::Table;
use super::watch::Moves;
use crate::ast;
use crate::codes;

/// A claim while it becomes an automaton.
pub(super) struct Watcher<'m> {
    pub(super) flow: Flow<'m>,
    pub(super) table: Table,
    pub(super) atoms: Atoms,
    /// The control states that were met, in the order of meeting; where each is in it.
    states: Vec<ElId>,
    numbers: HashMap<ElId, u32>,
}

/// Where a move of the claim leads.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Target {
    State(ElId),
    /// An error: everything is accepted.
    Bad,
}

impl<'m> Lowering<'m> {
    /// The property of a claim.
    pub(super) fn never_property(
        &mut self,
        item: usize,
        never: &'m ast::Never,
        name: &str,
    ) -> Option<PropertyKind> {
        self.no_variables(item);
        let span = never.at.0;
        let mut flow = Flow::of_claim(&never.body, span, self.symbols());
        let Some(table) = Table::new(&mut flow) else {
            let text = format!("jumps in `{name}` lead to each other and nowhere else");
            let d = Diagnostic::error(codes::JUMP_CIRCLE, text, span).label("in this claim");
            self.diagnostics.push(d);
            return None;
        };
        let atoms = Atoms::default();
        let mut watcher =
            Watcher { flow, table, atoms, states: Vec::new(), numbers: HashMap::new() };
        let automaton = self.automaton(&mut watcher, name, span)?;
        let atoms = watcher.atoms.finish();
        Some(PropertyKind::Never(Box::new(Never { automaton, atoms })))
    }

    /// Reports variables of a claim: what never changes is a constant, and what changes is an effect.
    fn no_variables(&mut self, item: usize) {
        let symbols = self.symbols();
        let owner = symbols.proctypes.iter().position(|p| p.item == item);
        let own = symbols.variables.iter().find(|v| v.owner.map(|o| o as usize) == owner);
        if let Some(variable) = own.filter(|_| owner.is_some()) {
            let help = "declare it outside of the claim, and let a process change it";
            self.claim_effect("cannot have variables of its own", variable.span, help);
        }
    }

    /// The automaton of a claim: its control states, and one more behind all errors.
    fn automaton(
        &mut self,
        watcher: &mut Watcher<'m>,
        name: &str,
        span: Span,
    ) -> Option<Automaton> {
        let initial = watcher.target(Some(watcher.table.start));
        let mut rows = Vec::new();
        if let Target::State(start) = initial {
            watcher.number(start);
        }
        while let Some(state) = watcher.states.get(rows.len()).copied() {
            taut_budget::tick();
            let mut moves = Moves::default();
            moves.enter(state);
            self.moves(watcher, state, Formula::True, &mut moves);
            if moves.are_too_many() {
                self.large_claim(name, span);
                return None;
            }
            for (target, _) in &moves.list {
                if let Target::State(to) = target {
                    watcher.number(*to);
                }
            }
            rows.push(moves.list);
        }
        // Reported by who makes the property.
        if watcher.atoms.len() > MOST_BITS {
            return Some(Automaton::default());
        }
        let automaton = watcher.assemble(rows, initial, name);
        if automaton.is_none() {
            self.large_claim(name, span);
        }
        automaton
    }

    fn large_claim(&mut self, name: &str, span: Span) {
        let text = format!("the claim `{name}` has too many ways through its conditions");
        let d = Diagnostic::error(codes::TOO_LARGE, text, span).label("this claim");
        self.diagnostics.push(d.help("split its conditions, or its atomic blocks"));
    }
}

impl Watcher<'_> {
    /// Where a transition leads: an end is an error.
    pub(super) fn target(&self, to: Option<ElId>) -> Target {
        match to {
            Some(to) if !self.table.marks[to.0].end => Target::State(to),
            _ => Target::Bad,
        }
    }

    /// The number of a control state.
    fn number(&mut self, state: ElId) -> u32 {
        let new = self.states.len() as u32;
        let number = *self.numbers.entry(state).or_insert(new);
        if number == new {
            self.states.push(state);
        }
        number
    }

    /// Puts the automaton together; none if a guard is too large.
    fn assemble(
        &self,
        rows: Vec<Vec<(Target, Vec<Formula>)>>,
        initial: Target,
        name: &str,
    ) -> Option<Automaton> {
        let bad = self.states.len() as u32;
        let number = |target: Target| match target {
            Target::State(state) => self.numbers[&state],
            Target::Bad => bad,
        };
        let mut states = Vec::new();
        for (state, moves) in self.states.iter().zip(rows) {
            let accepts = u64::from(self.table.marks[state.0].accept);
            let mut edges = Vec::new();
            for (target, conditions) in moves {
                let guard = guard(&any(&conditions))?;
                if !guard.is_false() {
                    edges.push(Edge { guard, target: number(target), accepts });
                }
            }
            states.push(State { edges, name: Some(self.name_of(*state)) });
        }
        let initial = number(initial);
        let used = initial == bad || states.iter().flat_map(|s| &s.edges).any(|e| e.target == bad);
        if used {
            let edges = vec![Edge { guard: Guard::always(), target: bad, accepts: 1 }];
            states.push(State { edges, name: Some("error".into()) });
        }
        let (atoms, name) = (self.atoms.len(), Some(name.to_owned()));
        Some(Automaton { atoms, states, initial: vec![initial], sets: 1, name })
    }

    /// What to call a control state: by its labels, or by SPIN's number.
    fn name_of(&self, state: ElId) -> String {
        let mut labels: Vec<_> =
            self.flow.labels().filter(|(_, at)| *at == state).map(|(name, _)| name).collect();
        labels.sort_unstable();
        match labels.is_empty() {
            true => format!("S{}", state.0),
            false => labels.join(","),
        }
    }
}
