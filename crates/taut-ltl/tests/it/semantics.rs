//! The direct evaluator, progression and the laws of the logic.

use crate::common;

use common::{ATOMS, Random, names, soak};
use taut_ltl::{Automaton, Formula, evaluate, progress};

/// The textbook, as far as it can be followed on a lasso: what happens within so many positions
/// decides, because positions repeat. Slow, and on purpose written without fixed points.
struct Textbook<'a> {
    stem: &'a [u64],
    cycle: &'a [u64],
}

impl Textbook<'_> {
    fn valuation(&self, i: usize) -> u64 {
        match self.stem.get(i) {
            Some(valuation) => *valuation,
            None => self.cycle[(i - self.stem.len()) % self.cycle.len()],
        }
    }

    /// The positions from one on, until they repeat.
    fn from(&self, i: usize) -> std::ops::Range<usize> {
        i..i.max(self.stem.len()) + self.cycle.len()
    }

    fn holds(&self, f: &Formula, i: usize) -> bool {
        use Formula::*;
        match f {
            True => true,
            False => false,
            Atom(atom) => self.valuation(i) >> atom.0 & 1 == 1,
            Not(f) => !self.holds(f, i),
            And(f, g) => self.holds(f, i) && self.holds(g, i),
            Or(f, g) => self.holds(f, i) || self.holds(g, i),
            Implies(f, g) => !self.holds(f, i) || self.holds(g, i),
            Iff(f, g) => self.holds(f, i) == self.holds(g, i),
            Next(f) => self.holds(f, i + 1),
            Always(f) => self.from(i).all(|j| self.holds(f, j)),
            Eventually(f) => self.from(i).any(|j| self.holds(f, j)),
            Until(f, g) => self.until(f, g, i),
            WeakUntil(f, g) => self.until(f, g, i) || self.from(i).all(|j| self.holds(f, j)),
            // There is no position where g fails without an f strictly before.
            Release(f, g) => {
                self.from(i).all(|j| self.holds(g, j) || (i..j).any(|k| self.holds(f, k)))
            }
            StrongRelease(f, g) => {
                self.from(i).any(|j| self.holds(f, j) && (i..=j).all(|k| self.holds(g, k)))
            }
        }
    }

    fn until(&self, f: &Formula, g: &Formula, i: usize) -> bool {
        self.from(i).any(|j| self.holds(g, j) && (i..j).all(|k| self.holds(f, k)))
    }
}

#[test]
fn the_evaluator_agrees_with_the_textbook() {
    let mut holds = 0;
    let cases = 4_000 * soak();
    for seed in 0..cases {
        let mut random = Random(seed);
        let formula = random.formula(4);
        let (stem, cycle) = (random.word(0, 2), random.word(1, 3));
        let textbook = Textbook { stem: &stem, cycle: &cycle };
        let truth = evaluate(&formula, &stem, &cycle);
        holds += truth as u64;
        assert_eq!(
            truth,
            textbook.holds(&formula, 0),
            "seed {seed}: {} on {stem:?} {cycle:?}",
            formula.display(&names())
        );
    }
    assert!(holds > cases / 5 && holds < cases * 4 / 5, "{holds}: too one-sided to tell much");
}

#[test]
fn progression_moves_one_position_on() {
    for seed in 0..4_000 * soak() {
        let mut random = Random(seed);
        let formula = random.formula(5);
        let first = random.below(1 << ATOMS);
        let (stem, cycle) = random.lasso();
        let rest = progress(&formula, first);
        let whole = [&[first], &stem[..]].concat();
        assert_eq!(
            evaluate(&formula, &whole, &cycle),
            evaluate(&rest, &stem, &cycle),
            "seed {seed}: {} after {first} is {}, on {stem:?} {cycle:?}",
            formula.display(&names()),
            rest.display(&names()),
        );
    }
}

#[test]
fn progression_sees_what_is_lost() {
    let progressed = |text: &str, valuations: &[u64]| {
        let formula = taut_ltl::parse(text).unwrap().formula;
        valuations.iter().fold(formula, |f, v| progress(&f, *v))
    };
    assert_eq!(progressed("[] p", &[1, 0]), Formula::False);
    assert_eq!(progressed("<> p", &[0, 1]), Formula::True);
    assert_eq!(progressed("<> p", &[0, 0]), taut_ltl::parse("<> p").unwrap().formula);
    assert_eq!(progressed("X (p && !p)", &[0]), Formula::False);
    assert_eq!(progressed("X p && X !p", &[0]), Formula::False);
    assert_eq!(progressed("X p && X (p || q)", &[0]), Formula::atom(0));
    assert_eq!(progressed("X <> p && X ! <> p", &[0]), Formula::False);
    assert_eq!(
        progressed("(X p <-> X q) && X p && X !q", &[0]),
        progressed("X (p <-> q) && X p && X !q", &[0])
    );
}

/// Progression makes finitely many formulas.
#[test]
fn progression_does_not_grow() {
    for seed in 0..300 {
        let mut random = Random(seed);
        let start = random.formula(4);
        let mut formula = start.clone();
        let mut seen = std::collections::BTreeSet::new();
        for _ in 0..400 {
            formula = progress(&formula, random.below(1 << ATOMS));
            seen.insert(formula.clone());
        }
        assert!(seen.len() < 200, "seed {seed}: {} for {}", seen.len(), start.display(&names()));
    }
}

/// Laws as pairs of formulas that mean the same. They are put to the automata, both ways round.
const LAWS: &[(&str, &str)] = &[
    ("! <> p", "[] !p"),
    ("! [] p", "<> !p"),
    ("!(p U q)", "!p V !q"),
    ("!(p W q)", "!p M !q"),
    ("! X p", "X !p"),
    ("<> [] <> p", "[] <> p"),
    ("[] <> [] p", "<> [] p"),
    ("<> <> p", "<> p"),
    ("X p U X q", "X (p U q)"),
    ("p U q", "q || (p && X (p U q))"),
    ("p V q", "q && (p || X (p V q))"),
    ("p W q", "(p U q) || [] p"),
    ("p M q", "(p V q) && <> p"),
    ("p W q", "q V (p || q)"),
    ("[] (p && q)", "[] p && [] q"),
    ("<> (p || q)", "<> p || <> q"),
    ("<> p", "true U p"),
    ("[] p", "false V p"),
    ("[] <> p || [] <> q", "[] <> (p || q)"),
    ("<> (p && [] <> q)", "<> p && [] <> q"),
    ("[] p U q", "q || ([] p && <> q)"),
    ("p <-> q", "(p -> q) && (q -> p)"),
];

#[test]
fn laws() {
    let lassos: Vec<_> = (0..200).map(|seed| Random(seed).lasso()).collect();
    for (left, right) in LAWS {
        // Read together, so that equal atoms have equal numbers.
        let both = taut_ltl::parse(&format!("({left}) <-> ({right})")).unwrap().formula;
        let Formula::Iff(f, g) = &both else { unreachable!("it was written as `<->`") };
        let make = |f: &Formula| Automaton::of(f, 2).unwrap();
        let (a, b, differ) = (make(f), make(g), make(&both.clone().negated()));
        for (stem, cycle) in &lassos {
            assert_eq!(a.accepts(stem, cycle), b.accepts(stem, cycle), "{left} = {right}");
            assert!(!differ.accepts(stem, cycle), "{left} = {right} on {stem:?} {cycle:?}");
        }
    }
}
