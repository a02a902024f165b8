//! Random trees: printed and read again they are the same, and SPIN accepts them.

use crate::common;

use common::{need_spin, read, spin_refuses};
use proptest::prelude::*;
use taut_promela::ast::*;
use taut_testkit::cases::random_cases;

const FRAME: &str = "mtype = { red, blue }; int x, y, a[4]; chan q = [2] of { byte, byte };\n\
    proctype P() { int l; L1: skip }\n";

fn reference() -> BoxedStrategy<Reference> {
    let part = |name: &str, index| Part { name: Name::new(name), index };
    let make = |part| Reference { parts: vec![part], id: RefId(0), at: At::NONE };
    prop_oneof![
        Just(make(part("x", None))),
        Just(make(part("y", None))),
        (0..4i32).prop_map(move |i| {
            let index = Expr { kind: ExprKind::Number(i), at: At::NONE };
            make(part("a", Some(Box::new(index))))
        }),
    ]
    .boxed()
}

/// A variable that can count: no element.
fn counter() -> BoxedStrategy<Reference> {
    prop_oneof![Just(plain("x")), Just(plain("y"))].boxed()
}

/// The ends of a range; of constants the smaller one first.
fn range() -> BoxedStrategy<(Expr, Expr)> {
    (expr(), expr())
        .prop_map(|(a, b)| match (&a.kind, &b.kind) {
            (ExprKind::Number(low), ExprKind::Number(high)) if low > high => (b, a),
            _ => (a, b),
        })
        .boxed()
}

/// Two fields of a receive; a variable receives one of them only.
fn fields() -> BoxedStrategy<Vec<Pattern>> {
    (pattern(), pattern())
        .prop_map(|(one, two)| match one == two {
            true => vec![one, Pattern::Reference(plain("_"))],
            false => vec![one, two],
        })
        .boxed()
}

fn plain(name: &str) -> Reference {
    Reference {
        parts: vec![Part { name: Name::new(name), index: None }],
        id: RefId(0),
        at: At::NONE,
    }
}

fn at(kind: ExprKind) -> Expr {
    Expr { kind, at: At::NONE }
}

fn expr() -> BoxedStrategy<Expr> {
    let remote = ExprKind::RemoteLabel {
        proctype: Name::new("P"),
        process: Some(Box::new(at(ExprKind::Number(1)))),
        label: Name::new("L1"),
    };
    let leaf = prop_oneof![
        (0..300i32).prop_map(|n| at(ExprKind::Number(n))),
        any::<bool>().prop_map(|b| at(ExprKind::Bool(b))),
        (32..127u8).prop_map(|c| at(ExprKind::Char(c))),
        reference().prop_map(|r| at(ExprKind::Reference(r))),
        Just(at(ExprKind::Reference(plain("red")))),
        Just(at(ExprKind::Reference(plain("_pid")))),
        Just(at(ExprKind::Channel(ChannelQuery::Len, plain("q")))),
        Just(at(remote)),
        (any::<bool>(), pattern(), pattern()).prop_map(|(random, one, two)| {
            at(ExprKind::Poll { channel: plain("q"), random, patterns: vec![one, two] })
        }),
    ];
    leaf.prop_recursive(4, 24, 3, |inner| {
        let unary = prop::sample::select(vec![Unary::Negate, Unary::Not, Unary::Complement]);
        let binary = prop::sample::select(Binary::ALL);
        prop_oneof![
            (unary, inner.clone()).prop_map(|(op, e)| at(ExprKind::Unary(op, Box::new(e)))),
            (binary, inner.clone(), inner.clone()).prop_map(|(op, a, b)| at(ExprKind::Binary(
                op,
                Box::new(a),
                Box::new(b)
            ))),
            (inner.clone(), inner.clone(), inner).prop_map(|(c, a, b)| {
                at(ExprKind::Conditional(Box::new(c), Box::new(a), Box::new(b)))
            }),
        ]
    })
    .boxed()
}

fn pattern() -> BoxedStrategy<Pattern> {
    prop_oneof![
        reference().prop_map(Pattern::Reference),
        Just(Pattern::Reference(plain("_"))),
        (0..9i32).prop_map(|n| Pattern::Constant(at(ExprKind::Number(n)))),
        reference().prop_map(|r| Pattern::Eval(at(ExprKind::Reference(r)))),
    ]
    .boxed()
}

fn statement() -> BoxedStrategy<Statement> {
    use StatementKind as S;
    let stand = |kind| Statement { kind, at: At::NONE };
    let leaf = prop_oneof![
        expr().prop_map(S::Condition),
        Just(S::Condition(at(ExprKind::Skip))),
        (reference(), expr()).prop_map(|(r, e)| S::Assign(r, e)),
        reference().prop_map(S::Increment),
        reference().prop_map(S::Decrement),
        expr().prop_map(S::Assert),
        expr().prop_map(|e| S::Printf("\"%d\\n\"".into(), vec![e])),
        (any::<bool>(), expr(), expr()).prop_map(|(sorted, one, two)| S::Send {
            channel: plain("q"),
            sorted,
            values: vec![one, two]
        }),
        (any::<bool>(), any::<bool>(), fields()).prop_map(|(random, copy, patterns)| {
            S::Receive { channel: plain("q"), random, copy, patterns }
        }),
        (counter(), range()).prop_map(|(r, (a, b))| S::Select(r, a, b)),
    ]
    .prop_map(stand);
    leaf.prop_recursive(3, 30, 4, move |inner| {
        let sequence = prop::collection::vec(inner.clone(), 1..4).prop_map(Sequence::new);
        let options = prop::collection::vec(sequence.clone(), 1..4);
        prop_oneof![
            options.clone().prop_map(S::If),
            options.prop_map(S::Do),
            sequence.clone().prop_map(S::Atomic),
            sequence.clone().prop_map(S::Block),
            (counter(), range(), sequence.clone())
                .prop_map(|(r, (a, b), body)| S::ForRange(r, a, b, body)),
        ]
        .prop_map(stand)
    })
    .boxed()
}

/// A formula in the shape the parser gives it: what is not temporal is one atom.
fn formula() -> BoxedStrategy<Formula> {
    let atom = reference().prop_map(|r| Formula::Atom(at(ExprKind::Reference(r))));
    atom.prop_recursive(4, 20, 2, |inner| {
        let pair = (inner.clone(), inner.clone()).prop_map(|(a, b)| (Box::new(a), Box::new(b)));
        prop_oneof![
            inner.clone().prop_map(|f| Formula::Always(Box::new(f))),
            inner.clone().prop_map(|f| Formula::Eventually(Box::new(f))),
            inner.clone().prop_map(|f| Formula::Next(Box::new(f))),
            inner.prop_map(|f| Formula::Not(Box::new(Formula::Always(Box::new(f))))),
            pair.clone().prop_map(|(a, b)| Formula::Until(a, b)),
            pair.clone().prop_map(|(a, b)| Formula::WeakUntil(a, b)),
            pair.clone().prop_map(|(a, b)| Formula::Release(a, b)),
            pair.clone().prop_map(|(a, b)| Formula::Implies(a, b)),
            pair.clone().prop_map(|(a, b)| Formula::Iff(a, b)),
            pair.prop_map(|(a, b)| Formula::And(Box::new(Formula::Next(a)), b)),
        ]
    })
    .boxed()
}

/// A model with a random process and formula.
fn model() -> BoxedStrategy<Model> {
    (prop::collection::vec(statement(), 1..6), formula())
        .prop_map(|(steps, formula)| {
            let mut model = read(&format!("{FRAME}init {{ skip }}")).expect("the frame").model;
            model.items.pop();
            let body = Sequence::new(steps);
            model.items.push(Item::Init(Init { at: At::NONE, priority: None, body }));
            model.items.push(Item::Ltl(Ltl { at: At::NONE, name: Some(Name::new("p")), formula }));
            model
        })
        .boxed()
}

#[test]
fn what_is_printed_reads_back_as_the_same_tree() {
    random_cases(1_000, model(), |case, model| {
        let printed = taut_promela::print(&model);
        case.about_promela(&printed);
        let again = read(&printed);
        let again = again.map_err(|said| TestCaseError::fail(format!("{said}\n{printed}")))?;
        prop_assert_eq!(again.model, model, "{}", printed);
        Ok(())
    });
}

#[test]
fn spin_accepts_what_is_printed() {
    need_spin();
    let steps = prop::collection::vec(statement(), 1..6);
    let tally = random_cases(60, steps, |case, steps| {
        let mut model = read(&format!("{FRAME}init {{ skip }}")).expect("the frame").model;
        model.items.pop();
        let body = Sequence::new(steps);
        model.items.push(Item::Init(Init { at: At::NONE, priority: None, body }));
        let printed = taut_promela::print(&model);
        case.about_promela(&printed);
        let Some(said) = spin_refuses(&printed) else { return case.pass_over("accepted") };
        // What SPIN finds out by computing constants is not about the grammar.
        prop_assert!(!said.contains("syntax error"), "{}", said);
        case.pass_over("refused for another reason")
    });
    tally.at_least("accepted", 50);
}
