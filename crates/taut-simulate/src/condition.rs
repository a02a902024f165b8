//! A condition on one state.

use taut_ir::Atom;
use taut_ltl::Formula;
use taut_witness::{Machine, State};

/// A condition on one state: a formula without temporal operators.
#[derive(Clone, Debug)]
pub struct Condition {
    formula: Formula,
    atoms: Vec<Atom>,
}

impl Condition {
    /// The condition that a formula over some atoms states; none if the formula speaks of more than one state.
    pub fn new(formula: Formula, atoms: Vec<Atom>) -> Option<Condition> {
        is_plain(&formula).then_some(Condition { formula, atoms })
    }

    /// Whether it is true in a state. Where a process holds the others nothing is: nobody looks at such a
    /// state.
    pub fn holds(&self, machine: Machine<'_>, state: &State) -> bool {
        if state.holder.is_some() {
            return false;
        }
        // In a state that is never left, every position of the run is this one.
        taut_ltl::evaluate(&self.formula, &[], &[machine.valuation(state, &self.atoms)])
    }
}

/// Whether a formula has no temporal operators.
fn is_plain(formula: &Formula) -> bool {
    use Formula::*;
    match formula {
        True | False | Atom(_) => true,
        Not(f) => is_plain(f),
        And(f, g) | Or(f, g) | Implies(f, g) | Iff(f, g) => is_plain(f) && is_plain(g),
        Next(_) | Always(_) | Eventually(_) | Until(..) | WeakUntil(..) | Release(..)
        | StrongRelease(..) => false,
    }
}
