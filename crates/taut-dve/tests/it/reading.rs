//! Models are read as what they say, and printing one and reading it back gives the same tree.

use taut_dve::ast::{BinaryOp, ExprKind, Message, Model, Type, UnaryOp};
use taut_dve::{Parsed, parse, parse_expr, print, print_expr, same};
use taut_source::{Diagnostics, SourceMap, render_all};

fn read(text: &str) -> Parsed {
    let mut map = SourceMap::new();
    let file = map.add("model.dve", text);
    parse(&map, file).unwrap_or_else(|e| panic!("{}", render_all(&map, &e, false)))
}

/// Reads a model that has no warning and survives printing.
fn model(text: &str) -> Model {
    let Parsed { model, warnings } = read(text);
    assert!(warnings.is_empty(), "{warnings:?}");
    let printed = print(&model);
    let again = read(&printed).model;
    assert!(same(&model, &again), "{printed}");
    assert_eq!(print(&again), printed, "printing is not stable");
    model
}

fn codes(diagnostics: &Diagnostics) -> Vec<&'static str> {
    diagnostics.iter().map(|d| d.code).collect()
}

/// The guard of a process with the variables a to f, printed with all its parentheses.
fn guard(text: &str) -> String {
    let text = format!(
        "byte a, b, c, d, e, f; process P {{ state s; init s; trans s -> s {{ guard {text}; }}; }}
         system async;"
    );
    let model = read(&text).model;
    let guard = model.processes[0].transitions[0].guard.clone().expect("a guard");
    grouped(&guard)
}

fn grouped(expr: &taut_dve::ast::Expr) -> String {
    match &expr.kind {
        ExprKind::Unary(op, a) => format!("({} {})", op.text(), grouped(a)),
        ExprKind::Binary(op, a, b) => format!("({} {} {})", grouped(a), op.text(), grouped(b)),
        _ => print_expr(expr),
    }
}

const PETERSON: &str = "
// Peterson's algorithm for two processes.
const byte N = 2;
byte want[N], turn;
process P_0 {
  state ncs, try, wait, cs;
  init ncs;
  trans
    ncs -> try  { effect want[0] = 1; },
    try -> wait { effect turn = 1; },
    wait -> cs  { guard want[1] == 0 or turn == 0; },
    cs -> ncs   { effect want[0] = 0; };
}
process P_1 {
  state ncs, try, wait, cs;
  init ncs;
  trans
    ncs -> try  { effect want[1] = 1; }
    try -> wait { effect turn = 0; }
    wait -> cs  { guard want[0] == 0 || turn == 1; }
    cs -> ncs   { effect want[1] = 0; }
}
system async";

#[test]
fn a_model_is_read_with_all_its_parts() {
    let model = model(PETERSON);
    let names: Vec<_> = model.processes.iter().map(|p| p.name.text.as_str()).collect();
    assert_eq!(names, ["P_0", "P_1"]);
    assert_eq!(model.global("want").and_then(|v| v.length), Some(2));
    assert!(model.global("N").is_some_and(|v| v.constant && v.initial == [2]));
    let process = &model.processes[1];
    assert_eq!(process.init.text, "ncs");
    assert_eq!(process.transitions.len(), 4);
    assert_eq!(process.transitions[2].source.text, "wait");
    assert!(process.transitions[2].guard.is_some() && process.transitions[2].effects.is_empty());
    assert!(!model.system.synchronous && model.system.property.is_none());
}

#[test]
fn the_printed_text_is_readable() {
    let text = "byte x, a[3] = {1, 2, 0}; int y = -5; const int K = 0; channel c, d; channel {byte, int} e[2];
        process P { byte v = 1; state s, t; init s; accept t; commit s; assert s: x < 3, t: y == 1;
          trans s -> t { guard x == 1, y < 2 or x > 3; sync c!x + 1; effect x = 2, a[x] = y - 1; },
                -> s { sync e?{v, a[v]}; }, t -> s {}; }
        process Q { state s; init s; trans s -> s { sync c?x; }, s -> s { guard not P.s and P->v == 1; }; }
        system async property Q;";
    insta::assert_snapshot!(print(&model(text)), @r"
    byte x;
    byte a[3] = {1, 2};
    int y = -5;
    const int K = 0;
    channel c;
    channel d;
    channel {byte, int} e[2];

    process P {
      byte v = 1;
      state s, t;
      init s;
      accept t;
      commit s;
      assert s: x < 3, t: y == 1;
      trans
        s -> t { guard x == 1 and (y < 2 or x > 3); sync c!x + 1; effect x = 2, a[x] = y - 1; },
        s -> s { sync e?{v, a[v]}; },
        t -> s {};
    }

    process Q {
      state s;
      init s;
      trans
        s -> s { sync c?x; },
        s -> s { guard not P.s and P->v == 1; };
    }

    system async property Q;
    ");
}

#[test]
fn operators_bind_as_in_c_and_to_the_left() {
    assert_eq!(guard("a or b and c"), "(a or (b and c))");
    assert_eq!(guard("a | b ^ c & d"), "(a | (b ^ (c & d)))");
    assert_eq!(guard("a - b - c"), "((a - b) - c)");
    assert_eq!(guard("a imply b imply c"), "((a imply b) imply c)");
    assert_eq!(guard("not a == b"), "((not a) == b)");
    assert_eq!(guard("!a && ~b == -c"), "((not a) and ((~ b) == (- c)))");
    assert_eq!(guard("a + b * c << d < e == f"), "((((a + (b * c)) << d) < e) == f)");
}

#[test]
fn parentheses_are_printed_where_a_version_of_divine_needs_them() {
    let printed = |text: &str| {
        let model = read(&format!(
            "byte a, b, c; process P {{ state s; init s; trans s -> s {{ guard {text}; }}; }} system async;"
        ));
        print_expr(model.model.processes[0].transitions[0].guard.as_ref().expect("a guard"))
    };
    assert_eq!(printed("a and b or c"), "(a and b) or c");
    assert_eq!(printed("a and b and c"), "a and b and c");
    assert_eq!(printed("a - b - c"), "(a - b) - c");
    assert_eq!(printed("a - (b - c)"), "a - (b - c)");
    assert_eq!(printed("a * b + c == 1"), "a * b + c == 1");
    assert_eq!(printed("a + b << c"), "(a + b) << c");
    assert_eq!(printed("- - a"), "-(-a)");
    assert_eq!(printed("a imply b and c"), "a imply b and c");
}

#[test]
fn a_warning_where_divine_2_reads_otherwise() {
    let warned = |text: &str| {
        let model = format!(
            "byte a, b, c; process P {{ state s; init s; trans s -> s {{ guard {text}; }}; }} system async;"
        );
        codes(&read(&model).warnings)
    };
    assert_eq!(warned("a or b and c"), ["D0014"]);
    assert_eq!(warned("a | b & c"), ["D0014"]);
    assert!(warned("a and b or c").is_empty());
    assert!(warned("a or (b and c)").is_empty());
    assert!(warned("a or (b) and c").contains(&"D0014"));
    assert!(warned("a and b == c").is_empty());
}

#[test]
fn surplus_initial_values_are_dropped_and_missing_ones_are_0() {
    let Parsed { model, warnings } = read(
        "byte a[2] = {1, 2, 999}, b[3] = {7}; int k = -32768, m = k + 1;
         process P { byte v = b[0] * 2; state s; init s; } system async;",
    );
    assert_eq!(codes(&warnings), ["D0205"]);
    assert_eq!(model.globals[0].initial, [1, 2]);
    assert_eq!(model.globals[1].initial, [7, 0, 0]);
    assert_eq!(model.global("m").map(|v| v.initial.clone()), Some(vec![-32767]));
    assert_eq!(model.processes[0].locals[0].initial, [14]);
}

#[test]
fn an_array_without_an_index_is_its_first_element() {
    let Parsed { model, warnings } = read(
        "byte a[2]; process P { state s; init s; trans s -> s { guard a == 1; effect a = 2; }; }
         system async;",
    );
    assert_eq!(codes(&warnings), ["D0200", "D0200"]);
    let transition = &model.processes[0].transitions[0];
    assert_eq!(transition.guard.as_ref().map(print_expr).as_deref(), Some("a[0] == 1"));
    assert!(transition.effects[0].place.index.is_some());
}

#[test]
fn a_local_hides_a_global() {
    let Parsed { model, warnings } = read(
        "byte x = 1; process P { byte x = 2, y = x; state s; init s; trans s -> s { effect x = 3; }; }
         system async;",
    );
    assert_eq!(codes(&warnings), ["D0106"]);
    let process = &model.processes[0];
    assert_eq!(process.locals[1].initial, [2]);
    assert_eq!(model.variable(Some(process), "x").map(|v| v.initial.clone()), Some(vec![2]));
}

#[test]
fn templates_become_processes() {
    let model = model(
        "input byte n = 3; byte last[n];
         expression twice(x) { 2 * x }
         expression busy() { cell(2)->v == twice(2) }
         process cell(key i, limit) {
           byte v = i; channel {byte} mail[1];
           state a; init a;
           trans a -> a { guard v < limit and cell(1)->v < n; effect v = v + twice(i), last[i - 1] = i; },
                 a -> a { sync cell(1)->mail!i; };
         }
         for (x : 1 .. n) { if (x == 2) { process cell(x, 7); } else { process cell(x, -x); } }
         property ltl always \"G busy\"
         property process watch { state q; init q; accept q; trans q -> q { guard cell(3).a; }; }
         system async;",
    );
    let names: Vec<_> = model.processes.iter().map(|p| p.name.text.as_str()).collect();
    assert_eq!(names, ["cell_1", "cell_2", "cell_3", "watch"]);
    assert_eq!(model.system.property.as_ref().map(|p| p.text.as_str()), Some("watch"));
    let transition = taut_dve::print_transition(&model.processes[2].transitions[0]);
    assert_eq!(
        transition,
        "a -> a { guard v < -3 and cell_1->v < n; effect v = v + 2 * 3, last[3 - 1] = 3; }"
    );
    assert_eq!(model.processes[1].locals[0].initial, [2]);
    assert_eq!(print_expr(&model.expressions[0].expr), "cell_2->v == 2 * 2");
    assert_eq!(model.formulas[0].text, "G busy");
    let sync = model.processes[1].transitions[1].sync.clone().expect("a channel operation");
    assert_eq!(sync.process.map(|p| p.text).as_deref(), Some("cell_1"));
    assert_eq!(sync.message.arity(), 1);
}

#[test]
fn channels_without_values_and_with_types() {
    let model = model(
        "channel go, data; channel {int, byte} pair; channel {byte} box[4];
         process P { byte x; int y; state s; init s;
           trans s -> s { sync go!; }, s -> s { sync data!x * 2; }, s -> s { sync pair!{y, x}; },
                 s -> s { sync box!x; }; }
         process Q { byte x; int y; state s; init s;
           trans s -> s { sync go?; }, s -> s { sync data?x; }, s -> s { sync pair?{y, x}; },
                 s -> s { sync box?{x}; }; }
         system async;",
    );
    assert_eq!(model.channels[2].types.as_deref(), Some(&[Type::Int, Type::Byte][..]));
    assert_eq!((model.channels[2].capacity, model.channels[3].capacity), (0, 4));
    let sync = model.processes[1].transitions[3].sync.as_ref().expect("a channel operation");
    assert!(matches!(&sync.message, Message::Receive(places) if places.len() == 1));
}

#[test]
fn words_of_other_versions_are_names() {
    model(
        "byte input, key, ltl, buchi, expression; process P { byte if, else; state for, genbuchi;
           init for; accept genbuchi, for; trans for -> genbuchi { guard input == key; effect if = else; }; }
         system async;",
    );
    let buchi = model("process P { state a; init a; accept buchi a; } system async property P;");
    assert_eq!(buchi.processes[0].accept.len(), 1);
}

#[test]
fn an_expression_alone_may_ask_about_processes() {
    let model = model("byte x, a[2]; process P { byte v; state s, t; init s; } system async;");
    let read = |text: &str| {
        let mut map = SourceMap::new();
        let file = map.add("expression", text);
        parse_expr(&map, file, &model).map_err(|e| codes(&e))
    };
    let expr = read("x == 1 and P.s imply P->v < a[1]").expect("an expression");
    assert!(matches!(expr.kind, ExprKind::Binary(BinaryOp::Imply, ..)));
    assert!(matches!(read("!P.t").expect("one").kind, ExprKind::Unary(UnaryOp::Not, _)));
    assert_eq!(read("v"), Err(vec!["D0101"]));
    assert_eq!(read("P.u"), Err(vec!["D0103"]));
    assert_eq!(read("x =="), Err(vec!["D0010"]));
    assert_eq!(read("x y"), Err(vec!["D0010"]));
    assert_eq!(read(""), Err(vec!["D0010"]));
}

#[test]
fn long_chains_of_operators_survive_printing() {
    for op in ["-", "and", "|", "imply", "+"] {
        let chain = vec!["x"; 400].join(&format!(" {op} "));
        model(&format!(
            "byte x; process P {{ state s; init s; trans s -> s {{ guard {chain}; }}; }} system async;"
        ));
    }
    for (open, close) in [("(x - ", ")"), ("x - (", ")"), ("-", ""), ("not (x == ", ")")] {
        let text = format!("{}x{}", open.repeat(90), close.repeat(90));
        let text = text.replace("x)", "x - 1)");
        model(&format!(
            "byte x; process P {{ state s; init s; trans s -> s {{ guard {text}; }}; }} system async;"
        ));
    }
}
