//! The automaton of a formula: rewriting, tableau, simplification.

mod imply;
mod nodes;
mod rewrite;
mod tableau;
#[cfg(test)]
mod tests;

use crate::automaton::{Automaton, MOST_BITS, TooLarge};
use crate::formula::Formula;
use nodes::Nodes;
use tableau::Tableau;

/// The largest depth of a formula that is translated or read.
pub const MOST_DEPTH: usize = 400;

impl Automaton {
    /// An automaton that accepts exactly the runs that satisfy the formula, simplified. `atoms` is
    /// how many atoms there are, used in the formula or not.
    pub fn of(formula: &Formula, atoms: usize) -> Result<Automaton, TooLarge> {
        let _phase = taut_budget::phase("the automaton of a formula is made");
        let depth = formula.depth();
        if depth > MOST_DEPTH {
            return Err(TooLarge::new(format!(
                "the formula is nested {depth} deep, and at most {MOST_DEPTH} are allowed"
            )));
        }
        let used = formula.atoms().last().map_or(0, |atom| atom.index() + 1);
        let atoms = atoms.max(used);
        if atoms > MOST_BITS {
            return Err(TooLarge::new(format!(
                "the formula speaks of {atoms} atoms, and at most {MOST_BITS} are allowed"
            )));
        }
        let mut nodes = Nodes::new();
        let (formula, _) = nodes.both(formula);
        let automaton = Tableau::new(&mut nodes).run(formula, atoms)?.simplified();
        Ok(automaton.with_fewest_states())
    }
}
