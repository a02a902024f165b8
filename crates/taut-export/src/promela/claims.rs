//! Temporal properties as claims for SPIN.
//!
//! A formula becomes an `ltl` block where SPIN can read it; else, like an automaton, it becomes a `never`
//! claim: the automaton with its marks on states, as SPIN wants it, where a state in which everything is
//! accepted is the end of the claim. Without its `-DNXT` SPIN knows no `X`; in an `ltl` block `->` is no
//! conditional; and it may write assertions into the claims it makes, which `-A` turns off together with
//! those of the program.
//!
//! A step that goes wrong, and a bound that stops everything, lead to states that belong to no run: `over`
//! is true there, and no claim goes on. The end of a claim is reached before that: what came so far
//! decides. In the same way `ended` stops claims about infinite runs.

use taut_ir::{Atom, Ltl, Never, PropId, Property, PropertyKind};
use taut_ltl::{Automaton, Cube, Edge, Formula, State};

use super::{Exporter, comment};
use crate::text::Text;
use crate::{ExportError, ExportedClaim};

/// SPIN's translation of formulas takes exponential time: those with more temporal operators are translated
/// here.
const MOST_OPERATORS: usize = 6;

/// Those that are nested deeper, too.
const MOST_DEPTH: usize = 20;

/// What the claims of an export have to reckon with.
#[derive(Clone, Copy)]
pub(super) struct Around {
    /// There is a variable `over`.
    pub(super) over: bool,
    /// There are assertions.
    pub(super) asserts: bool,
}

impl Around {
    /// That a run goes on, as a condition in front of others; if asked for, also that it has not come to its
    /// end.
    fn goes_on(self, infinite_runs: bool) -> String {
        let over = if self.over { "!over && " } else { "" };
        let ended = if infinite_runs { "!ended && " } else { "" };
        format!("{over}{ended}")
    }
}

impl Exporter<'_> {
    /// Writes the claims, if some property is temporal.
    pub(super) fn claims(
        &self,
        text: &mut Text,
        around: Around,
    ) -> Result<Vec<ExportedClaim>, ExportError> {
        let mut claims = Vec::new();
        if !self.temporal {
            return Ok(claims);
        }
        for (i, property) in self.program.properties.iter().enumerate() {
            if property.kind == PropertyKind::Assert {
                continue;
            }
            let id = PropId::from(i);
            text.line("");
            self.claim(text, id, property, around)?;
            let name = self.names.claim(id).to_string();
            claims.push(ExportedClaim { property: id, name });
        }
        Ok(claims)
    }

    fn claim(
        &self,
        text: &mut Text,
        id: PropId,
        property: &Property,
        around: Around,
    ) -> Result<(), ExportError> {
        let name = self.names.claim(id);
        let runs = if infinite_runs(property) { ", infinite runs only" } else { "" };
        let (word, own) = (property.kind.word(), comment(&property.name));
        text.line(&format!("/* {word} {own}{runs} */"));
        match &property.kind {
            PropertyKind::Ltl(ltl) => self.formula(text, name, ltl, around)?,
            PropertyKind::Never(never) => self.automaton(text, name, never, around),
            kind => {
                let violated = self.violated(kind).unwrap_or_else(|| "false".into());
                let over = around.goes_on(false);
                let options = format!(":: ({over}({violated})) -> break :: else");
                text.line(&format!("never {name} {{ do {options} od }}"));
            }
        }
        Ok(())
    }

    fn formula(
        &self,
        text: &mut Text,
        name: &str,
        ltl: &Ltl,
        around: Around,
    ) -> Result<(), ExportError> {
        let atoms = self.define_atoms(text, name, &ltl.atoms);
        if let Some(formula) = self.for_spin(ltl, &atoms, around) {
            text.line(&format!("ltl {name} {{ {formula} }}"));
            return Ok(());
        }
        let negated = Formula::not(ltl.formula.clone());
        let automaton = Automaton::of(&negated, ltl.atoms.len());
        let automaton = automaton.map_err(|e| ExportError::new(format!("`{name}`: {e}")))?;
        write_claim(text, name, &automaton, &atoms, &around.goes_on(!ltl.finite_runs));
        Ok(())
    }

    fn automaton(&self, text: &mut Text, name: &str, never: &Never, around: Around) {
        let atoms = self.define_atoms(text, name, &never.atoms);
        write_claim(text, name, &never.automaton, &atoms, &around.goes_on(false));
    }

    /// Defines the atoms of a property; their names.
    fn define_atoms(&self, text: &mut Text, claim: &str, atoms: &[Atom]) -> Vec<String> {
        let names = (0..atoms.len()).map(|i| format!("{claim}__{i}"));
        let names: Vec<_> = names.collect();
        for (atom, name) in atoms.iter().zip(&names) {
            text.line(&format!("/* {} */", comment(&atom.text)));
            text.line(&format!("#define {name} ({})", self.holds(&atom.expr)));
        }
        names
    }

    /// The formula as SPIN reads it in an `ltl` block, if it does and if that means the same there.
    fn for_spin(&self, ltl: &Ltl, atoms: &[String], around: Around) -> Option<String> {
        let unread = ["->", "?", "len(", "timeout"];
        let simple = |a: &Atom| {
            let text = self.holds(&a.expr);
            !unread.iter().any(|word| text.contains(word))
        };
        let formula = &ltl.formula;
        let small = formula.depth() <= MOST_DEPTH && temporal_operators(formula) <= MOST_OPERATORS;
        let plain = ltl.finite_runs && !around.asserts && !around.over;
        if !small || !plain || !ltl.atoms.iter().all(simple) {
            return None;
        }
        spell(&ltl.formula, atoms)
    }
}

/// Whether a property is only about runs that do not end.
pub(super) fn infinite_runs(property: &Property) -> bool {
    matches!(&property.kind, PropertyKind::Ltl(ltl) if !ltl.finite_runs)
}

fn temporal_operators(formula: &Formula) -> usize {
    use Formula::*;
    let own = match formula {
        True | False | Atom(_) | Not(_) | And(..) | Or(..) | Implies(..) | Iff(..) => 0,
        _ => 1,
    };
    own + formula.parts().map(temporal_operators).sum::<usize>()
}

/// A formula with all its parentheses; nothing if it has an operator that SPIN does not have, or a
/// constant: SPIN 6.5.2 takes `<> ((false -> p) <-> (false <-> q))` for violated where q is false.
fn spell(formula: &Formula, atoms: &[String]) -> Option<String> {
    use Formula::*;
    let infix = |a: &Formula, sign: &str, b: &Formula| {
        Some(format!("({} {sign} {})", spell(a, atoms)?, spell(b, atoms)?))
    };
    let prefix = |sign: &str, a: &Formula| Some(format!("({sign} {})", spell(a, atoms)?));
    match formula {
        Atom(atom) => atoms.get(atom.index()).cloned(),
        Not(f) => prefix("!", f),
        And(f, g) => infix(f, "&&", g),
        Or(f, g) => infix(f, "||", g),
        Implies(f, g) => infix(f, "->", g),
        Iff(f, g) => infix(f, "<->", g),
        Always(f) => prefix("[]", f),
        Eventually(f) => prefix("<>", f),
        Until(f, g) => infix(f, "U", g),
        WeakUntil(f, g) => infix(f, "W", g),
        Release(f, g) => infix(f, "V", g),
        _ => None,
    }
}

/// Writes an automaton as a claim, each edge behind a condition.
fn write_claim(text: &mut Text, name: &str, automaton: &Automaton, atoms: &[String], when: &str) {
    let claim = single_start(automaton).to_state_based();
    let universal = claim.universal();
    let is_end = |state: u32| universal[state as usize];
    let label = |state: u32| match claim.states[state as usize].edges.first() {
        _ if is_end(state) => "done".to_string(),
        Some(edge) if edge.accepts == claim.all_sets() => format!("accept_S{state}"),
        _ => format!("S{state}"),
    };
    text.open(&format!("never {name} {{"));
    // A claim starts where its text does.
    let first = claim.initial.first().copied().unwrap_or(0);
    let others = (0..claim.states.len() as u32).filter(|&s| s != first);
    for number in [first].into_iter().chain(others).filter(|&s| !is_end(s)) {
        text.label(&label(number));
        write_state(text, &claim.states[number as usize], &label, when, atoms);
    }
    text.label("done");
    text.line("skip");
    text.close("}");
}

fn write_state(
    text: &mut Text,
    state: &State,
    label: &impl Fn(u32) -> String,
    when: &str,
    atoms: &[String],
) {
    if state.edges.is_empty() {
        return text.line("(false);");
    }
    text.open("do");
    for edge in &state.edges {
        let (guard, target) = (guard_text(edge, atoms), label(edge.target));
        text.line(&format!(":: ({when}({guard})) -> goto {target}"));
    }
    text.close("od;");
}

fn guard_text(edge: &Edge, atoms: &[String]) -> String {
    let cube = |cube: &Cube| {
        let literals =
            (0..atoms.len()).filter_map(|i| match (cube.yes >> i & 1, cube.no >> i & 1) {
                (0, 0) => None,
                (1, _) => Some(atoms[i].clone()),
                _ => Some(format!("!{}", atoms[i])),
            });
        let literals: Vec<_> = literals.collect();
        if literals.is_empty() { "true".into() } else { literals.join(" && ") }
    };
    let cubes: Vec<_> = edge.guard.cubes.iter().map(|c| format!("({})", cube(c))).collect();
    if cubes.is_empty() { "false".into() } else { cubes.join(" || ") }
}

/// The automaton with exactly one state to start in, as a claim has.
fn single_start(automaton: &Automaton) -> Automaton {
    let mut automaton = automaton.clone();
    if automaton.initial.len() == 1 {
        return automaton;
    }
    let edges = automaton.initial.iter().flat_map(|&s| automaton.states[s as usize].edges.clone());
    let state = State { edges: edges.collect(), name: None };
    automaton.states.push(state);
    automaton.initial = vec![automaton.states.len() as u32 - 1];
    automaton
}
