//! The best set that satisfies all clauses: lexicographic MaxSAT, with clauses as hard ones and "not this place" as soft
//! ones.
//!
//! The sums of a [`crate::Rank`] are minimised one after the other. The search for each goes from above: a model, then one
//! with a smaller sum, until there is none; then the sum is fixed. A sum is encoded once per call, as a generalised
//! totalizer (Joshi, Martins and Manquinho, 2015), up to the sum of the model at hand. At last the places that are late in the source are left out one by
//! one where something else can take their part, so that one set is left, whatever models the solver came upon.

use rustsat::encodings::pb::{BoundUpper, GeneralizedTotalizer};
use rustsat::instances::{BasicVarManager, Cnf, ManageVars};
use rustsat::solvers::{Solve, SolveIncremental, SolverResult};
use rustsat::types::{Clause as SatClause, Lit, TernaryVal, Var};
use rustsat_batsat::BasicSolver;

use crate::clause::Clause;
use crate::rank::Objective;
use crate::site::{RepairSite, Set, SiteId};

/// The set of the least rank that satisfies all clauses and contains none of some sets; none if nothing satisfies them.
/// An error is a solver that gave up, in words.
pub(crate) fn best(
    places: &[RepairSite],
    clauses: &[Clause],
    but_not: &[Set],
) -> Result<Option<Set>, String> {
    let _phase = taut_budget::phase("a set of fences is chosen");
    let mut search = Search::new(places, clauses, but_not).map_err(|error| error.to_string())?;
    let Some(mut best) = search.model(&[])? else { return Ok(None) };
    for objective in Objective::ALL {
        best = search.least(objective, best)?;
    }
    search.earliest(best).map(Some)
}

struct Search<'p> {
    places: &'p [RepairSite],
    solver: BasicSolver,
    vars: BasicVarManager,
}

impl<'p> Search<'p> {
    fn new(
        places: &'p [RepairSite],
        clauses: &[Clause],
        but_not: &[Set],
    ) -> Result<Search<'p>, Box<dyn std::error::Error>> {
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
        let mut solver = BasicSolver::default();
        solver.add_cnf(cnf)?;
        // So that every place has a value in every model.
        if let Some(last) = places.len().checked_sub(1) {
            solver.reserve(Var::new(last as u32))?;
        }
        Ok(Search { places, solver, vars })
    }

    /// A set with the least sum of an objective, given some set. From then on no set has a greater one.
    fn least(&mut self, objective: Objective, mut best: Set) -> Result<Set, String> {
        let weights = scaled(self.places, objective);
        let weight = |set: &Set| set.iter().map(|&id| weights[id]).sum::<usize>();
        let weighed = weights.iter().enumerate().filter(|(_, weight)| **weight > 0);
        if weight(&best) == 0 {
            let light: Vec<Lit> = weighed.map(|(id, _)| !chosen(id)).collect();
            return self.fix(&light).map(|()| best);
        }
        let mut sum: GeneralizedTotalizer =
            weighed.map(|(id, &weight)| (chosen(id), weight)).collect();
        let mut cnf = Cnf::new();
        sum.encode_ub(..=weight(&best), &mut cnf, &mut self.vars)
            .map_err(|error| error.to_string())?;
        self.solver.add_cnf(cnf).map_err(|error| error.to_string())?;
        while let Some(bound) = weight(&best).checked_sub(1) {
            taut_budget::tick();
            let at_most = sum.enforce_ub(bound).map_err(|error| error.to_string())?;
            match self.model(&at_most)? {
                Some(better) => best = better,
                None => break,
            }
        }
        let least = sum.enforce_ub(weight(&best)).map_err(|error| error.to_string())?;
        self.fix(&least).map(|()| best)
    }

    /// Makes some literals true for good.
    fn fix(&mut self, lits: &[Lit]) -> Result<(), String> {
        lits.iter().try_for_each(|&lit| self.solver.add_unit(lit)).map_err(|e| e.to_string())
    }

    /// Of the sets that are left, the one whose last place is the earliest, then the last but one, and so on.
    fn earliest(&mut self, mut best: Set) -> Result<Set, String> {
        let mut decided = Vec::new();
        for id in (0..self.places.len()).rev() {
            decided.push(!chosen(id));
            if !best.contains(&id) {
                continue;
            }
            match self.model(&decided)? {
                Some(better) => best = better,
                None => {
                    decided.pop();
                    decided.push(chosen(id));
                }
            }
        }
        Ok(best)
    }

    /// A set that satisfies some literals as well.
    fn model(&mut self, assumptions: &[Lit]) -> Result<Option<Set>, String> {
        let result = self.solver.solve_assumps(assumptions).map_err(|error| error.to_string())?;
        match result {
            SolverResult::Sat => self.chosen().map(Some),
            SolverResult::Unsat => Ok(None),
            SolverResult::Interrupted => Err("the solver was interrupted".into()),
        }
    }

    fn chosen(&self) -> Result<Set, String> {
        let mut set = Set::new();
        for id in 0..self.places.len() {
            let value = self.solver.lit_val(chosen(id)).map_err(|error| error.to_string())?;
            if value == TernaryVal::True {
                set.insert(id);
            }
        }
        Ok(set)
    }
}

/// The literal of a place.
fn chosen(id: SiteId) -> Lit {
    Lit::positive(id as u32)
}

/// What each place adds, divided by what all have in common.
fn scaled(places: &[RepairSite], objective: Objective) -> Vec<usize> {
    let divisor = places.iter().fold(0, |all, place| gcd(all, objective.of(place))).max(1);
    places.iter().map(|place| (objective.of(place) / divisor) as usize).collect()
}

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kind::RepairKind;
    use crate::standing::Standing;

    fn places(costs: &[u64]) -> Vec<RepairSite> {
        costs.iter().map(|&cost| place(cost, Standing::default())).collect()
    }

    fn place(cost: u64, standing: Standing) -> RepairSite {
        RepairSite { kind: RepairKind::Fence, steps: Vec::new(), vars: Vec::new(), cost, standing }
    }

    /// The one of several places that is chosen if one is needed.
    fn one_of(standings: &[Standing]) -> SiteId {
        let places: Vec<RepairSite> =
            standings.iter().map(|&standing| place(1, standing)).collect();
        let all: Vec<SiteId> = (0..places.len()).collect();
        let set = best(&places, &[any_of(&all)], &[]).expect("an answer").expect("a set");
        assert_eq!(set.len(), 1);
        set.into_iter().next().expect("a place")
    }

    fn any_of(ids: &[SiteId]) -> Clause {
        Clause { any_of: ids.iter().copied().collect(), unless: Set::new() }
    }

    #[test]
    fn without_clauses_nothing_is_chosen() {
        assert_eq!(best(&places(&[3, 1]), &[], &[]), Ok(Some(Set::new())));
        assert_eq!(best(&[], &[], &[]), Ok(Some(Set::new())));
    }

    #[test]
    fn one_dear_place_is_better_than_two_that_cost_more_together() {
        let clauses = [any_of(&[0, 1]), any_of(&[0, 2])];
        assert_eq!(best(&places(&[5, 3, 3]), &clauses, &[]), Ok(Some(Set::from([0]))));
        assert_eq!(best(&places(&[7, 3, 3]), &clauses, &[]), Ok(Some(Set::from([1, 2]))));
    }

    #[test]
    fn an_empty_clause_leaves_nothing() {
        assert_eq!(best(&places(&[1]), &[any_of(&[])], &[]), Ok(None));
        assert_eq!(best(&[], &[any_of(&[])], &[]), Ok(None));
    }

    #[test]
    fn sets_that_are_known_do_not_come_again() {
        let (clauses, known) = ([any_of(&[0, 1])], [Set::from([0])]);
        assert_eq!(best(&places(&[1, 1]), &clauses, &known), Ok(Some(Set::from([1]))));
    }

    #[test]
    fn a_clause_may_ask_for_a_place_to_be_left_out() {
        let unless = Clause { any_of: Set::new(), unless: Set::from([0]) };
        let clauses = [any_of(&[0, 1]), unless];
        assert_eq!(best(&places(&[1, 9]), &clauses, &[]), Ok(Some(Set::from([1]))));
    }

    #[test]
    fn where_a_place_stands_decides_between_those_that_cost_the_same() {
        let plain = Standing { loops: 1, distance: 2, ..Standing::default() };
        let deep = Standing { loops: 2, distance: 0, ..plain };
        let spinning = Standing { spins: true, distance: 0, ..plain };
        let near = Standing { distance: 1, ..plain };
        assert_eq!(one_of(&[deep, plain]), 1);
        assert_eq!(one_of(&[spinning, plain]), 1);
        assert_eq!(one_of(&[plain, near]), 1);
        assert_eq!(one_of(&[deep, spinning, plain, near]), 3);
    }

    #[test]
    fn nothing_but_the_order_of_the_source_is_left_to_decide() {
        assert_eq!(one_of(&[Standing::default(); 5]), 0);
        let clauses = [any_of(&[0, 1]), any_of(&[2, 3]), any_of(&[1, 2])];
        let all = places(&[1; 4]);
        assert_eq!(best(&all, &clauses, &[]), Ok(Some(Set::from([0, 2]))));
        let known = [Set::from([0, 2])];
        assert_eq!(best(&all, &clauses, &known), Ok(Some(Set::from([1, 2]))));
    }

    #[test]
    fn a_place_in_a_loop_is_taken_if_it_is_cheaper() {
        let deep = Standing { loops: 3, spins: true, distance: 9, ..Standing::default() };
        let all = [place(3, Standing::default()), place(2, deep)];
        assert_eq!(best(&all, &[any_of(&[0, 1])], &[]), Ok(Some(Set::from([1]))));
    }
}
