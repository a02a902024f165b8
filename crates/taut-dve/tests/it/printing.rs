//! Any expression that can be built is printed so that it is read back as the same one.

use proptest::prelude::*;
use taut_dve::ast::{BinaryOp, Expr, ExprKind, Model, Name, UnaryOp};
use taut_dve::{parse, print, same};
use taut_source::SourceMap;

const BINARY: [BinaryOp; 19] = [
    BinaryOp::Imply,
    BinaryOp::Or,
    BinaryOp::And,
    BinaryOp::BitOr,
    BinaryOp::BitXor,
    BinaryOp::BitAnd,
    BinaryOp::Eq,
    BinaryOp::Ne,
    BinaryOp::Lt,
    BinaryOp::Le,
    BinaryOp::Gt,
    BinaryOp::Ge,
    BinaryOp::Shl,
    BinaryOp::Shr,
    BinaryOp::Add,
    BinaryOp::Sub,
    BinaryOp::Mul,
    BinaryOp::Div,
    BinaryOp::Rem,
];

fn index(name: &str, index: Expr) -> Expr {
    Expr::new(ExprKind::Index(Name::new(name), Box::new(index)))
}

fn leaf() -> impl Strategy<Value = Expr> {
    let of_process = |kind: fn(Name, Name) -> ExprKind, name: &'static str| {
        Just(()).prop_map(move |()| Expr::new(kind(Name::new("P"), Name::new(name))))
    };
    prop_oneof![
        any::<i32>().prop_map(|n| Expr::number(n.into())),
        any::<bool>().prop_map(|b| Expr::new(ExprKind::Bool(b))),
        Just(Expr::name("x")),
        of_process(ExprKind::State, "s"),
        of_process(|p, v| ExprKind::Remote(p, v, None), "v"),
    ]
}

fn expression() -> impl Strategy<Value = Expr> {
    let unary = prop_oneof![Just(UnaryOp::Neg), Just(UnaryOp::BitNot), Just(UnaryOp::Not)];
    leaf().prop_recursive(8, 40, 2, move |inner| {
        prop_oneof![
            4 => (0..BINARY.len(), inner.clone(), inner.clone())
                .prop_map(|(op, a, b)| a.binary(BINARY[op], b)),
            1 => (unary.clone(), inner.clone()).prop_map(|(op, a)| a.unary(op)),
            1 => inner.prop_map(|a| index("a", a)),
        ]
    })
}

/// A model with this guard.
fn model(guard: Expr) -> Model {
    let mut map = SourceMap::new();
    let text =
        "byte x, a[3]; process P { byte v; state s; init s; trans s -> s {}; } system async;";
    let file = map.add("model.dve", text);
    let mut model = parse(&map, file).expect("a model").model;
    model.processes[0].transitions[0].guard = Some(guard);
    model
}

proptest! {
    #[test]
    fn what_is_printed_is_read_back(guard in expression()) {
        let model = model(guard);
        let mut map = SourceMap::new();
        let file = map.add("printed.dve", print(&model));
        let again = parse(&map, file);
        let again = again.unwrap_or_else(|e| panic!("{}", taut_source::render_all(&map, &e, false)));
        prop_assert!(same(&model, &again.model), "{}", print(&model));
        // The text means the same to DiVinE 2, so there is nothing to warn of.
        prop_assert!(again.warnings.is_empty());
    }
}
