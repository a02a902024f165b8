//! Formulas and claims: what is asked of the runs of a model.
//!
//! An `ltl` formula must hold on every run, and what a `never` claim accepts must not be a run. Both read memory
//! where they name a variable, and what a process sees where they ask for that.

use taut_ir::{Ltl, Never, Property, PropertyKind};
use taut_ltl::{Automaton, MOST_BITS};
use taut_source::{Diagnostic, Span};

use super::Lowering;
use super::atoms::Atoms;
use crate::ast::{self, Item};
use crate::claim::{self, Extra, Named};
use crate::codes;
use crate::print::expression;

impl<'m> Lowering<'m> {
    /// Makes a property of each claim: those of the text first, then those from outside.
    pub(super) fn claims(&mut self) {
        self.in_claim = true;
        let parsed = self.parsed;
        let mut names = claim::names(&parsed.model, &parsed.extra).into_iter();
        for (index, item) in parsed.model.items.iter().enumerate() {
            match item {
                Item::Ltl(ltl) => {
                    let kind = self.formula_property(&ltl.formula);
                    self.property(names.next(), kind);
                }
                Item::Never(never) => {
                    let named = names.next();
                    let name = named.as_ref().map(|n| n.name.as_str()).unwrap_or_default();
                    let kind = self.never_property(index, never, name);
                    self.property(named, kind);
                }
                _ => {}
            }
        }
        for extra in &parsed.extra {
            let kind = match extra {
                Extra::Formula(ltl) => self.formula_property(&ltl.formula),
                Extra::Automaton { automaton, propositions, .. } => {
                    self.automaton_property(automaton, propositions)
                }
            };
            self.property(names.next(), kind);
        }
        self.in_claim = false;
    }

    /// Adds a property. Assertions are properties, too, named by their texts; a claim that is called like one
    /// gets a number.
    fn property(&mut self, named: Option<Named>, kind: Option<PropertyKind>) {
        let (Some(Named { name: given, span, .. }), Some(kind)) = (named, kind) else { return };
        let taken = |name: &str| self.program.properties.iter().any(|p| p.name == name);
        let numbered = (2..).map(|i| format!("{given} #{i}"));
        let name = std::iter::once(given.clone()).chain(numbered).find(|n| !taken(n));
        let name = name.expect("numbers do not end");
        if self.too_many_atoms(&name, &kind, span) {
            return;
        }
        self.program.properties.push(Property { name, kind, span });
    }

    /// Whether a claim has more atoms than a valuation has bits; reports if so.
    fn too_many_atoms(&mut self, name: &str, kind: &PropertyKind, span: Span) -> bool {
        let atoms = kind.atoms().map_or(0, <[_]>::len);
        if atoms > MOST_BITS {
            let text = format!("`{name}` speaks of more than {MOST_BITS} different conditions");
            let d = Diagnostic::error(codes::CLAIM_ATOMS, text, span)
                .label("too many to follow at once")
                .help("split the claim; conditions that say the same count once");
            self.diagnostics.push(d);
        }
        atoms > MOST_BITS
    }

    fn formula_property(&mut self, formula: &'m ast::Formula) -> Option<PropertyKind> {
        let mut atoms = Atoms::default();
        let formula = formula.substitute(&mut |e| self.condition_of(&mut atoms, e));
        let atoms = atoms.finish();
        Some(PropertyKind::Ltl(Box::new(Ltl { formula, atoms, finite_runs: true })))
    }

    fn automaton_property(
        &mut self,
        automaton: &Automaton,
        propositions: &'m [ast::Expr],
    ) -> Option<PropertyKind> {
        let mut atoms = Atoms::default();
        for e in propositions {
            let (expr, text) = (self.expr(e), self.text_of(e));
            atoms.push(expr, text, expression(e));
        }
        let (automaton, atoms) = (automaton.clone(), atoms.finish());
        Some(PropertyKind::Never(Box::new(Never { automaton, atoms })))
    }
}
