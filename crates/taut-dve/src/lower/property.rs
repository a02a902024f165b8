//! Assertions and the property process.
//!
//! `assert s: e` is an invariant: in every state in which the process is in `s`, its condition holds, as the
//! process itself sees it. Several for one location are one property.
//!
//! A property process is a Büchi automaton. It moves with every step of the system, reading the state that the
//! step leaves, and alone where nothing can happen any more; a run along which it is in accepting locations for
//! ever must not be. So its locations are the states of an automaton, its guards are atoms, and the edges that
//! leave an accepting location are accepting. Guards are atoms as a whole: what they mean, short circuits
//! included, is up to the expression. They see memory, not what waits in buffers.

use std::collections::{HashMap, HashSet};

use taut_ir::{Atom, Expr, Never, PropId, Property, PropertyKind};
use taut_ltl::{Automaton, Cube, Edge, Guard, MOST_BITS, State};
use taut_source::{Diagnostic, Span};

use super::Lowering;
use super::codes;
use super::expr::{Scope, all, expr};
use super::names::is_property;
use crate::ast::{Assertion, Process, Transition};
use crate::print_expr;

/// The atoms of an automaton; the same condition is the same atom.
#[derive(Default)]
struct Atoms {
    atoms: Vec<Atom>,
    known: HashMap<Expr, u32>,
}

impl Atoms {
    fn number(&mut self, expr: Expr, text: String) -> u32 {
        let next = self.atoms.len() as u32;
        let number = *self.known.entry(expr.clone()).or_insert(next);
        if number == next {
            self.atoms.push(Atom { expr, text });
        }
        number
    }
}

impl<'m> Lowering<'m> {
    /// The assertions of all processes.
    pub(super) fn assertions(&mut self) {
        for process in self.model.processes.iter().filter(|p| !is_property(self.model, p)) {
            let mut of_state: HashMap<&str, Vec<&Assertion>> = HashMap::new();
            for assertion in &process.asserts {
                of_state.entry(&assertion.state.text).or_default().push(assertion);
            }
            for state in &process.states {
                let Some(all) = of_state.get(state.text.as_str()) else { continue };
                let condition = self.asserted(process, all);
                let Some(condition) = self.noted(condition) else { continue };
                let name = format!("assert {}.{state}", process.name);
                let kind = PropertyKind::Invariant(condition);
                self.add_property(Property { name, kind, span: all[0].span });
            }
        }
    }

    /// `not P.s or (e and ...)`
    fn asserted(
        &self,
        process: &Process,
        asserted: &[&Assertion],
    ) -> Result<Expr, Box<Diagnostic>> {
        let name = process.name.text.as_str();
        let Some(id) = self.names.processes.get(name).and_then(|p| p.id) else {
            return Ok(Expr::TRUE);
        };
        let scope = Scope::View { process: name, id };
        let conditions = asserted.iter().map(|a| expr(&self.names, scope, &a.condition));
        let holds = all(conditions.collect::<Result<_, _>>()?);
        let at = asserted.iter().map(|a| self.location(process, &a.state)).take(1).collect();
        let elsewhere = Expr::At(id, at).not();
        Ok(Expr::binary(taut_ir::BinaryOp::Or, elsewhere, holds))
    }

    /// The property process as a property.
    pub(super) fn property_process(&mut self) -> Option<PropId> {
        let process = self.model.property()?;
        for transition in &process.transitions {
            let acts = transition.sync.as_ref().map(|s| s.span);
            if let Some(span) = acts.or_else(|| transition.effects.first().map(|a| a.span)) {
                self.diagnostics.push(acting(process, span));
            }
        }
        let ignored = process.asserts.first().map(|a| a.span);
        if let Some(span) = ignored.or_else(|| process.commit.first().map(|s| s.span)) {
            self.warnings.push(ignoring(process, span));
        }
        let mut atoms = Atoms::default();
        let automaton = self.automaton(process, &mut atoms)?;
        let name = process.name.text.clone();
        let kind = PropertyKind::Never(Box::new(Never { automaton, atoms: atoms.atoms }));
        Some(self.add_property(Property { name, kind, span: process.span }))
    }

    fn automaton(&mut self, process: &'m Process, atoms: &mut Atoms) -> Option<Automaton> {
        let accept: HashSet<&str> = process.accept.iter().map(|a| a.text.as_str()).collect();
        let mut states: Vec<State> = Vec::new();
        for state in &process.states {
            states.push(State { edges: Vec::new(), name: Some(state.text.clone()) });
        }
        for transition in &process.transitions {
            let guard = self.watching(process, transition, atoms);
            let Some(guard) = self.noted(guard) else { continue };
            let source = self.location(process, &transition.source).index();
            let target = self.location(process, &transition.target).0;
            if !guard.is_false() {
                let accepts = u64::from(accept.contains(transition.source.text.as_str()));
                states[source].edges.push(Edge { guard, target, accepts });
            }
        }
        if atoms.atoms.len() > MOST_BITS {
            self.diagnostics.push(too_many(process, atoms.atoms.len()));
            return None;
        }
        let initial = vec![self.location(process, &process.init).0];
        let name = Some(process.name.text.clone());
        Some(Automaton { atoms: atoms.atoms.len(), states, initial, sets: 1, name })
    }

    /// When a transition of the property process can be taken.
    fn watching(
        &self,
        process: &Process,
        transition: &Transition,
        atoms: &mut Atoms,
    ) -> Result<Guard, Box<Diagnostic>> {
        let Some(guard) = &transition.guard else { return Ok(Guard::always()) };
        let scope = Scope::Memory { process: Some(&process.name.text) };
        Ok(match expr(&self.names, scope, guard)? {
            Expr::Const(0) => Guard::never(),
            Expr::Const(_) => Guard::always(),
            condition => {
                let atom = atoms.number(condition, print_expr(guard));
                // Beyond the most there can be, the number only counts.
                Guard::new([Cube::literal(atom.min(MOST_BITS as u32 - 1), true)])
            }
        })
    }
}

fn acting(process: &Process, span: Span) -> Diagnostic {
    let text = format!("the property process `{}` can only watch", process.name);
    let d = Diagnostic::error(codes::WATCHER_ACTS, text, span).label("this changes something");
    d.help("a property process has guards only: move the effect into a process of the system")
}

fn ignoring(process: &Process, span: Span) -> Diagnostic {
    let text = format!("the property process `{}` is no part of the system", process.name);
    Diagnostic::warning(codes::IGNORED, text, span).label("this means nothing here")
}

fn too_many(process: &Process, count: usize) -> Diagnostic {
    let text = format!("the property process `{}` has {count} different guards", process.name);
    let d = Diagnostic::error(codes::TOO_MANY_CONDITIONS, text, process.name.span);
    d.label(format!("at most {MOST_BITS} are possible"))
}
