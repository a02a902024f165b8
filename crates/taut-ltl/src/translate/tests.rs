//! Rewriting keeps the meaning, and what is said to imply something does.

use proptest::prelude::*;

use super::nodes::{Node, NodeId, Nodes};
use crate::evaluate::evaluate;
use crate::formula::Formula;

/// Formulas over two atoms: few, so that rules apply often.
fn formulas() -> impl Strategy<Value = Formula> {
    let leaf = prop_oneof![
        1 => Just(Formula::True),
        1 => Just(Formula::False),
        8 => (0..2u32).prop_map(Formula::atom),
    ];
    leaf.prop_recursive(5, 24, 2, |inner| {
        let one = prop::sample::select(vec![
            Formula::not as fn(Formula) -> Formula,
            Formula::next,
            Formula::always,
            Formula::eventually,
        ]);
        let two = prop::sample::select(vec![
            Formula::and as fn(Formula, Formula) -> Formula,
            Formula::or,
            Formula::implies,
            Formula::iff,
            Formula::until,
            Formula::release,
            Formula::weak_until,
            Formula::strong_release,
        ]);
        prop_oneof![
            (one, inner.clone()).prop_map(|(make, f)| make(f)),
            (two, inner.clone(), inner).prop_map(|(make, f, g)| make(f, g)),
        ]
    })
}

fn words() -> impl Strategy<Value = (Vec<u64>, Vec<u64>)> {
    (prop::collection::vec(0..4u64, 0..4), prop::collection::vec(0..4u64, 1..4))
}

/// A stored formula as a tree.
fn tree(nodes: &Nodes, id: NodeId) -> Formula {
    let all = |parts: &[NodeId], join: fn(Formula, Formula) -> Formula| {
        parts.iter().map(|part| tree(nodes, *part)).reduce(join).unwrap()
    };
    match nodes.get(id) {
        Node::True => Formula::True,
        Node::False => Formula::False,
        Node::Literal(atom, true) => Formula::atom(*atom),
        Node::Literal(atom, false) => Formula::not(Formula::atom(*atom)),
        Node::And(parts) => all(parts, Formula::and),
        Node::Or(parts) => all(parts, Formula::or),
        Node::Next(f) => Formula::next(tree(nodes, *f)),
        Node::Until(f, g) => Formula::until(tree(nodes, *f), tree(nodes, *g)),
        Node::Release(f, g) => Formula::release(tree(nodes, *f), tree(nodes, *g)),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_000))]

    #[test]
    fn rewriting_keeps_the_meaning(
        formula in formulas(),
        lassos in prop::collection::vec(words(), 4),
    ) {
        let mut nodes = Nodes::new();
        let (positive, negative) = nodes.both(&formula);
        let (positive, negative) = (tree(&nodes, positive), tree(&nodes, negative));
        for (stem, cycle) in &lassos {
            let truth = evaluate(&formula, stem, cycle);
            prop_assert_eq!(truth, evaluate(&positive, stem, cycle), "{:?}", positive);
            prop_assert_eq!(truth, !evaluate(&negative, stem, cycle), "{:?}", negative);
        }
    }

    #[test]
    fn implications_and_facts_are_so(
        f in formulas(),
        g in formulas(),
        lassos in prop::collection::vec(words(), 8),
        before in 0..4u64,
    ) {
        let mut nodes = Nodes::new();
        let (a, b) = (nodes.both(&f).0, nodes.both(&g).0);
        let (implied, facts) = (nodes.implies(a, b), nodes.facts(a));
        for (stem, cycle) in &lassos {
            let holds = |f: &Formula, stem: &[u64]| evaluate(f, stem, cycle);
            prop_assert!(!implied || !holds(&f, stem) || holds(&g, stem));
            let longer = [&[before], &stem[..]].concat();
            prop_assert!(!facts.eventual || !holds(&f, stem) || holds(&f, &longer));
            prop_assert!(!facts.universal || !holds(&f, &longer) || holds(&f, stem));
        }
    }
}

/// The rules do something.
#[test]
fn well_known_simplifications() {
    for (text, simple) in [
        ("<> [] <> p", "[] <> p"),
        ("[] <> [] p", "<> [] p"),
        ("X p U X q", "X (p U q)"),
        ("X [] <> p", "[] <> p"),
        ("<> (p && [] <> q)", "<> p && [] <> q"),
        ("p U (q && [] <> r)", "(p U q) && [] <> r"),
        ("p U (q || [] <> r)", "(p U q) || [] <> r"),
        ("p U (p U q)", "p U q"),
        ("(p U q) U q", "p U q"),
        ("<> (p U q)", "<> q"),
        ("[] (p V q)", "[] q"),
        ("[] <> p || [] <> q", "[] <> (p || q)"),
        ("[] p && [] q", "[] (p && q)"),
        ("(p U q) || (p U r)", "p U (q || r)"),
        ("!p U p", "<> p"),
        ("p && [] p", "[] p"),
        ("<> p || ! <> p", "true"),
        ("[] p && <> !p", "false"),
    ] {
        let both = crate::parse(&format!("({text}) <-> ({simple})")).unwrap().formula;
        let Formula::Iff(f, g) = both else { unreachable!("it was written as `<->`") };
        let mut nodes = Nodes::new();
        assert_eq!(nodes.both(&f), nodes.both(&g), "{text} is not {simple}");
    }
}
