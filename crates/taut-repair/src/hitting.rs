//! A cheapest set that satisfies all clauses: MaxSAT, with clauses as hard ones and "not this place" as soft ones.
//!
//! The search goes from above: a model, then one that costs less, until there is none. The sum of costs is
//! encoded once a call, as a generalised totalizer (Joshi, Martins and Manquinho, 2015).

use rustsat::encodings::pb::{BoundUpper, GeneralizedTotalizer};
use rustsat::instances::{BasicVarManager, Cnf, ManageVars};
use rustsat::solvers::{Solve, SolveIncremental, SolverResult};
use rustsat::types::{Clause as SatClause, Lit, TernaryVal, Var};
use rustsat_batsat::BasicSolver;

use crate::clause::Clause;
use crate::place::{Place, PlaceId, Set};

/// A set of least cost that satisfies all clauses and contains none of some sets; none if nothing satisfies them. An
/// error is a solver that gave up, in words.
pub(crate) fn cheapest(
    places: &[Place],
    clauses: &[Clause],
    but_not: &[Set],
) -> Result<Option<Set>, String> {
    let mut search = Search::new(places, clauses, but_not).map_err(|error| error.to_string())?;
    let Some(mut best) = search.model(None)? else { return Ok(None) };
    while let Some(bound) = search.cost(&best).checked_sub(1) {
        match search.model(Some(bound))? {
            Some(better) => best = better,
            None => break,
        }
    }
    Ok(Some(best))
}

struct Search {
    solver: BasicSolver,
    /// What each place costs, divided by what all costs have in common.
    costs: Vec<usize>,
    sum: GeneralizedTotalizer,
}

impl Search {
    fn new(
        places: &[Place],
        clauses: &[Clause],
        but_not: &[Set],
    ) -> Result<Search, Box<dyn std::error::Error>> {
        let costs = scaled(places);
        let mut cnf = Cnf::new();
        for clause in clauses {
            let has = clause.any_of.iter().map(|&id| chosen(id));
            cnf.add_clause(has.chain(clause.unless.iter().map(|&id| !chosen(id))).collect());
        }
        for set in but_not {
            cnf.add_clause(set.iter().map(|&id| !chosen(id)).collect::<SatClause>());
        }
        let mut vars = BasicVarManager::default();
        vars.increase_next_free(Var::new(places.len() as u32));
        let lits = costs.iter().enumerate().map(|(id, &cost)| (chosen(id), cost));
        let mut sum: GeneralizedTotalizer = lits.collect();
        sum.encode_ub(.., &mut cnf, &mut vars)?;
        let mut solver = BasicSolver::default();
        solver.add_cnf(cnf)?;
        // So that every place has a value in every model.
        if let Some(last) = places.len().checked_sub(1) {
            solver.reserve(Var::new(last as u32))?;
        }
        Ok(Search { solver, costs, sum })
    }

    fn cost(&self, set: &Set) -> usize {
        set.iter().map(|&id| self.costs[id]).sum()
    }

    /// A set that costs no more than this.
    fn model(&mut self, most: Option<usize>) -> Result<Option<Set>, String> {
        let assumptions = match most {
            Some(most) => self.sum.enforce_ub(most).map_err(|error| error.to_string())?,
            None => Vec::new(),
        };
        let result = self.solver.solve_assumps(&assumptions).map_err(|error| error.to_string())?;
        match result {
            SolverResult::Sat => self.chosen().map(Some),
            SolverResult::Unsat => Ok(None),
            SolverResult::Interrupted => Err("the solver was interrupted".into()),
        }
    }

    fn chosen(&self) -> Result<Set, String> {
        let mut set = Set::new();
        for id in 0..self.costs.len() {
            let value = self.solver.lit_val(chosen(id)).map_err(|error| error.to_string())?;
            if value == TernaryVal::True {
                set.insert(id);
            }
        }
        Ok(set)
    }
}

/// The literal of a place.
fn chosen(id: PlaceId) -> Lit {
    Lit::positive(id as u32)
}

fn scaled(places: &[Place]) -> Vec<usize> {
    let divisor = places.iter().fold(0, |all, place| gcd(all, place.cost)).max(1);
    places.iter().map(|place| (place.cost / divisor) as usize).collect()
}

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::place::Kind;

    fn places(costs: &[u64]) -> Vec<Place> {
        let place =
            |&cost: &u64| Place { kind: Kind::Fence, steps: Vec::new(), vars: Vec::new(), cost };
        costs.iter().map(place).collect()
    }

    fn any_of(ids: &[PlaceId]) -> Clause {
        Clause { any_of: ids.iter().copied().collect(), unless: Set::new() }
    }

    #[test]
    fn without_clauses_nothing_is_chosen() {
        assert_eq!(cheapest(&places(&[3, 1]), &[], &[]), Ok(Some(Set::new())));
        assert_eq!(cheapest(&[], &[], &[]), Ok(Some(Set::new())));
    }

    #[test]
    fn one_dear_place_is_better_than_two_that_cost_more_together() {
        let clauses = [any_of(&[0, 1]), any_of(&[0, 2])];
        assert_eq!(cheapest(&places(&[5, 3, 3]), &clauses, &[]), Ok(Some(Set::from([0]))));
        assert_eq!(cheapest(&places(&[7, 3, 3]), &clauses, &[]), Ok(Some(Set::from([1, 2]))));
    }

    #[test]
    fn an_empty_clause_leaves_nothing() {
        assert_eq!(cheapest(&places(&[1]), &[any_of(&[])], &[]), Ok(None));
        assert_eq!(cheapest(&[], &[any_of(&[])], &[]), Ok(None));
    }

    #[test]
    fn sets_that_are_known_do_not_come_again() {
        let (clauses, known) = ([any_of(&[0, 1])], [Set::from([0])]);
        assert_eq!(cheapest(&places(&[1, 1]), &clauses, &known), Ok(Some(Set::from([1]))));
    }

    #[test]
    fn a_clause_may_ask_for_a_place_to_be_left_out() {
        let unless = Clause { any_of: Set::new(), unless: Set::from([0]) };
        let clauses = [any_of(&[0, 1]), unless];
        assert_eq!(cheapest(&places(&[1, 9]), &clauses, &[]), Ok(Some(Set::from([1]))));
    }
}
