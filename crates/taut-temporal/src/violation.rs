//! The runs that violate a property, as an automaton.

use taut_ir::{Expr, PropertyKind};
use taut_ltl::{Automaton, Formula, TooLarge, progress};

/// An automaton that accepts the runs that violate a property.
pub(super) struct Violation {
    pub(super) automaton: Automaton,
    /// The states from which every run is accepted: who gets there need not go on.
    pub(super) universal: Vec<bool>,
    /// Whether runs that end count.
    pub(super) finite_runs: bool,
    /// What the atoms mean.
    pub(super) atoms: Vec<Expr>,
    /// What every run must satisfy, if that is said by a formula.
    formula: Option<Formula>,
}

impl Violation {
    /// The runs that violate a temporal property.
    pub(super) fn of(kind: &PropertyKind) -> Result<Violation, TooLarge> {
        let atoms: Vec<_> =
            kind.atoms().into_iter().flatten().map(|atom| atom.expr.clone()).collect();
        let (automaton, formula, finite_runs) = match kind {
            PropertyKind::Ltl(ltl) => {
                let negated = ltl.formula.clone().negated();
                let automaton = Automaton::of(&negated, atoms.len())?;
                (automaton, Some(ltl.formula.clone()), ltl.finite_runs)
            }
            PropertyKind::Never(never) => (never.automaton.clone(), None, true),
            // Nothing is asked of runs, so none is wrong.
            PropertyKind::Assert
            | PropertyKind::Forbid(_)
            | PropertyKind::Cover(_)
            | PropertyKind::Invariant(_) => (Automaton::of(&Formula::False, 0)?, None, true),
        };
        let universal = automaton.universal();
        Ok(Violation { automaton, universal, finite_runs, atoms, formula })
    }

    /// All of it as text.
    pub(super) fn text(&self) -> String {
        let Violation { automaton, universal, finite_runs, atoms, formula } = self;
        format!("{automaton:?} {universal:?} {finite_runs} {atoms:?} {formula:?}")
    }

    /// Whether the property cannot tell how often a state is repeated, as far as that is easy to see.
    pub(super) fn is_stutter_invariant(&self) -> bool {
        match &self.formula {
            Some(formula) => !formula.has_next(),
            None => self.automaton.is_stutter_invariant(),
        }
    }

    /// Whether the replayer, which does not know this automaton, can see from the atoms along a prefix that
    /// no run that begins like this is right. Progression is plain and may miss what the automaton shows.
    pub(super) fn is_plain(&self, valuations: impl IntoIterator<Item = u64>) -> bool {
        let Some(formula) = &self.formula else { return true };
        let rest = valuations.into_iter().fold(formula.clone(), |f, v| progress(&f, v));
        rest == Formula::False
    }
}
