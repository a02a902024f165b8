//! Automata against the semantics: random formulas on random lassos.

use crate::common;

use common::{ATOMS, Random, names, soak};
use taut_ltl::{Automaton, Formula, evaluate};

/// Formulas, and lassos for each: 20,000 pairs.
const FORMULAS: u64 = 800;
const LASSOS: u64 = 25;

#[test]
fn automata_accept_what_satisfies_the_formula() {
    for seed in 0..FORMULAS * soak() {
        let mut random = Random(seed);
        let formula = random.formula(6);
        check(seed, &formula, &mut random);
    }
}

/// Every form of the automaton of a formula, and of its negation, on some lassos.
fn check(seed: u64, formula: &Formula, random: &mut Random) {
    let atoms = ATOMS as usize;
    let positive = Automaton::of(formula, atoms).unwrap();
    let negative = Automaton::of(&formula.clone().negated(), atoms).unwrap();
    let forms = |automaton: Automaton| {
        let (one_set, by_state) = (automaton.degeneralised(), automaton.to_state_based());
        assert!(one_set.sets <= 1 && by_state.sets <= 1 && by_state.is_state_based());
        [("generalised", automaton), ("degeneralised", one_set), ("state-based", by_state)]
    };
    let (positive, negative) = (forms(positive), forms(negative));
    for _ in 0..LASSOS {
        let (stem, cycle) = random.lasso();
        let truth = evaluate(formula, &stem, &cycle);
        for (automata, expected) in [(&positive, truth), (&negative, !truth)] {
            for (form, automaton) in automata {
                assert_eq!(
                    automaton.accepts(&stem, &cycle),
                    expected,
                    "seed {seed}: {form} automaton ({expected} wanted) of {} on {stem:?} {cycle:?}",
                    formula.display(&names()),
                );
            }
        }
    }
}
