//! Guards, universal states, limits, pictures.

use crate::common;

use common::Random;
use taut_ltl::{Automaton, Cube, Edge, Formula, Guard, State, dot, parse};

fn automaton(text: &str) -> Automaton {
    let parsed = parse(text).unwrap();
    Automaton::of(&parsed.formula, parsed.atoms.len()).unwrap()
}

/// The operations on guards, on all valuations of four atoms.
#[test]
fn guards() {
    let mut random = Random(7);
    let mut guard = || {
        let cube = |random: &mut Random| {
            let (yes, no) =
                (random.below(16) & random.below(16), random.below(16) & random.below(16));
            Cube { yes, no }
        };
        let count = random.below(5);
        let cubes: Vec<Cube> = (0..count).map(|_| cube(&mut random)).collect();
        (Guard::new(cubes.clone()), Guard { cubes })
    };
    for _ in 0..2_000 {
        let ((a, raw), (b, _)) = (guard(), guard());
        let (and, or, not) = (a.and(&b), a.or(&b), a.negated());
        let all = |test: &dyn Fn(u64) -> bool| (0..16).all(test);
        for v in 0..16 {
            let (in_a, in_b) = (a.is_satisfied(v), b.is_satisfied(v));
            assert_eq!(in_a, raw.is_satisfied(v), "{raw:?} is not {a:?}");
            assert_eq!(and.is_satisfied(v), in_a && in_b);
            assert_eq!(or.is_satisfied(v), in_a || in_b);
            assert_eq!(not.is_satisfied(v), !in_a);
        }
        assert_eq!(a.is_true(), all(&|v| a.is_satisfied(v)));
        assert_eq!(a.is_false(), all(&|v| !a.is_satisfied(v)));
        assert_eq!(a.implies(&b), all(&|v| !a.is_satisfied(v) || b.is_satisfied(v)));
        assert!(raw.cubes.len() >= a.cubes.len());
    }
    assert!(Guard::always().is_true() && Guard::never().is_false());
    assert_eq!(Guard::new([Cube::literal(0, true), Cube::literal(0, false)]), Guard::always());
}

#[test]
fn universal_states() {
    let universal = |text: &str| {
        let automaton = automaton(text);
        let found = automaton.universal().iter().filter(|universal| **universal).count();
        (automaton.states.len(), found)
    };
    assert_eq!(universal("true"), (1, 1));
    assert_eq!(universal("false"), (1, 0));
    assert_eq!(universal("<> p"), (2, 1));
    assert_eq!(universal("! [] p"), (2, 1));
    assert_eq!(universal("p U q"), (2, 1));
    assert_eq!(universal("[] p"), (1, 0));
    assert_eq!(universal("[] <> p"), (1, 0));
    assert_eq!(universal("<> [] p"), (2, 0));
    // Two states between which every word is read and accepted, though no guard is true on its own.
    let edge = |yes: u64, no: u64, target| Edge {
        guard: Guard::from(Cube { yes, no }),
        target,
        accepts: 1,
    };
    let state = |edges: Vec<Edge>| State { edges, name: None };
    let mut automaton = Automaton {
        atoms: 1,
        states: vec![
            state(vec![edge(1, 0, 0), edge(0, 1, 1)]),
            state(vec![edge(1, 0, 1), edge(0, 1, 0)]),
        ],
        initial: vec![0],
        sets: 1,
        name: None,
    };
    assert_eq!(automaton.universal(), [true, true]);
    automaton.states[1].edges[0].accepts = 0;
    assert_eq!(automaton.universal(), [false, false]);
}

#[test]
fn one_state_for_conjunctions_of_always_eventually() {
    let automaton = automaton("[] <> p && [] <> q && [] <> r");
    assert_eq!((automaton.states.len(), automaton.sets), (1, 3));
    assert_eq!(automaton.degeneralised().states.len(), 3);
    assert_eq!(automaton.to_state_based().states.len(), 4);
}

#[test]
fn too_large() {
    let message = |formula: &Formula| Automaton::of(formula, 0).unwrap_err().message().to_string();
    let all =
        |make: &dyn Fn(u32) -> Formula, count| (0..count).map(make).reduce(Formula::and).unwrap();
    let mut shown = vec![
        message(&Formula::atom(64)),
        message(&(0..1_000).fold(Formula::atom(0), |f, _| Formula::not(f))),
    ];
    let eventually = |i| Formula::eventually(Formula::atom(i));
    shown.push(message(&all(&eventually, 14)));
    let choice = |i| Formula::or(Formula::atom(i), Formula::next(Formula::atom(i + 32)));
    shown.push(message(&all(&choice, 32)));
    let next = |f: Formula, count| (0..count).fold(f, |f, _| Formula::next(f));
    let far = |i| Formula::always(Formula::iff(Formula::atom(i), next(Formula::atom(i), 20)));
    shown.push(message(&all(&far, 2)));
    insta::assert_snapshot!(shown.join("\n"));
}

/// Formulas of the allowed depth do not exhaust the stack of a thread.
#[test]
fn deep_formulas() {
    let step = |f: Formula, i: usize| match i % 4 {
        0 => Formula::until(Formula::atom(0), f),
        1 => Formula::next(f),
        2 => Formula::and(Formula::atom(1), f),
        _ => Formula::not(f),
    };
    let nested = (0..390).fold(Formula::atom(2), step);
    let _ = Automaton::of(&nested, 3);
    let same = (0..390).fold(Formula::atom(0), |f, _| Formula::iff(f, Formula::atom(1)));
    let _ = Automaton::of(&same, 2);
    assert!(!taut_ltl::evaluate(&Formula::and(nested.clone(), Formula::False), &[], &[0]));
    let _ = taut_ltl::progress(&nested, 1);
}

#[test]
fn formulas_know_their_parts() {
    let parsed = parse("[] (p -> X q) && r").unwrap();
    assert_eq!(parsed.formula.atoms().len(), 3);
    assert_eq!((parsed.formula.depth(), parsed.formula.size()), (5, 7));
    assert!(parsed.formula.has_next());
    assert!(!parse("[] (p U q)").unwrap().formula.has_next());
    assert_eq!(parse("!p").unwrap().formula.negated(), Formula::atom(0));
}

#[test]
fn pictures() {
    let names = ["x == \"1\"".to_string(), "q".to_string()];
    let several = automaton("[] <> p && [] <> q");
    let by_state = automaton("[] <> p").to_state_based();
    insta::assert_snapshot!(dot::write(&several, &names) + &dot::write(&by_state, &names));
}
