//! Every form of every statement, declaration and expression: read, printed, read again as the same tree.

use crate::common;

use common::{need_spin, read, spin_refuses};

/// Declarations that all statements below use.
const FRAME: &str = "mtype = { red, blue }; mtype:fruit = { apple, pear };\n\
    typedef T { int a; byte b[2]; chan c }; typedef U { T t[2]; bool ok };\n\
    bit b0; bool b1; byte b2; pid p; short s; int x, y, a[4]; unsigned u : 3; mtype m; mtype:fruit f;\n\
    T t; U w[3]; hidden byte h; show byte sh; chan q = [2] of { mtype, byte }; chan r[2] = [0] of { int };\n\
    chan qt = [1] of { T };\n\
    inline inc(v) { v = v + 1 }\ninline both(g, k) { inc(g); inc(k) }\ninline get(v) { return v + 1 }\n\
    proctype P(int n; chan c) { int l; L1: l = n; end: skip }\nproctype Q() { skip }\n";

/// A statement in a process, read, printed and read again; what was printed of it.
fn statement(text: &str) -> String {
    let model = format!("{FRAME}init {{\n{text}\n}}\n");
    let first = read(&model).unwrap_or_else(|said| panic!("{said}"));
    let printed = taut_promela::print(&first.model);
    let second = read(&printed).unwrap_or_else(|said| panic!("{said}\n{printed}"));
    assert_eq!(first.model, second.model, "{printed}");
    let from = printed.find("init {").expect("an init") + 7;
    printed[from..printed.len() - 2].split_whitespace().collect::<Vec<_>>().join(" ")
}

const STATEMENTS: &[&str] = &[
    "skip",
    "x = 1",
    "x++",
    "x--",
    "x == 1",
    "(x)",
    "true",
    "timeout",
    "else_: skip",
    "L: skip; goto L",
    "q!red,1",
    "q!red(1)",
    "q!!red(1)",
    "q!(red),x + 1",
    "q!red,!x",
    "q?red,x",
    "q?red(x)",
    "q??blue,_",
    "q?m,eval(x)",
    "q?<m,x>",
    "q??<m,x>",
    "q?(red,x)",
    "q?red,-1",
    "r[0]!3",
    "r[x]?y",
    "qt!t",
    "qt?t",
    "if :: x -> y = 1 :: else fi",
    "do :: x == 1 -> break :: else -> x++ od",
    "if :: q?red,x :: q?blue,x fi",
    "for (x : 1 .. 3) { y = x }",
    "for (x in a) { skip }",
    "for (t in qt) { skip }",
    "select (x : 0 .. 5)",
    "select (x : y .. y + 2)",
    "atomic { x = 1; y = 2 }",
    "d_step { x = 1; y = 2 }",
    "{ int z; z = 1 }",
    "assert(x == 1)",
    "assert x",
    "printf(\"hi\\n\")",
    "printf(\"%d %d\\n\", x, y)",
    "printm(m)",
    "run Q()",
    "p = run P(1, q)",
    "run Q() priority 3",
    "x = 1 unless y == 1",
    "{ x = 1; y = 1 } unless { x == 2 }",
    "inc(x)",
    "both(x, y)",
    "inc(a[1])",
    "x = get(y)",
    "xr q; skip",
    "xs q, qt; skip",
    "t.a = 1",
    "w[1].t[0].b[1] = 3",
    "set_priority(p, 2)",
    "f = apple",
    "m = red",
    "int z = 3, v; z = v",
    "byte z[3]; z[0] = 1",
    "chan c = [1] of { byte }; c!1",
    "L: M: skip",
    "atomic { do :: x++ :: break od }",
    "x = -1",
    "local int z; z = 2",
    "int z[2] = { 1, 2 }; z[0]++",
    "L:",
];

const EXPRESSIONS: &[&str] = &[
    "x + y * 2",
    "(x + y) * 2",
    "x - y - 1",
    "x - (y - 1)",
    "!x",
    "!(x && y)",
    "~x",
    "-x",
    "-(-x)",
    "!(!x)",
    "x << 1 >> 2",
    "x & y | s ^ 1",
    "(x == 1) == (y == 2)",
    "x < y == 1",
    "x % 3 / 2",
    "(x -> 1 : 2) == 1",
    "len(q) > 0",
    "full(q)",
    "empty(q) || nfull(q) && nempty(q)",
    "q?[red, 1]",
    "!q?[red, _]",
    "q??[m, eval(x)]",
    "enabled(1)",
    "pc_value(1) == 2",
    "get_priority(1) == 2",
    "P[1]@L1",
    "P[x]:l == 2",
    "P:l == 1",
    "_pid == _nr_pr",
    "_last == 1",
    "x == 'a'",
    "x == '\\n'",
    "a[a[1]] == w[0].t[1].a",
    "true && false || skip",
    "timeout && x",
    "x == red",
];

#[test]
fn every_statement_is_printed_as_it_was_read() {
    for text in STATEMENTS {
        statement(text);
    }
    assert!(STATEMENTS.len() >= 60);
}

#[test]
fn every_expression_is_printed_as_it_was_read() {
    for text in EXPRESSIONS {
        statement(text);
    }
}

#[test]
fn spin_accepts_all_of_them() {
    need_spin();
    // SPIN has no `enabled` beside rendezvous channels, which the frame has.
    for text in STATEMENTS.iter().chain(EXPRESSIONS).filter(|t| !t.starts_with("enabled")) {
        let model = format!("{FRAME}init {{\n{text}\n}}\n");
        let parsed = read(&model).unwrap_or_else(|said| panic!("{said}"));
        let printed = taut_promela::print(&parsed.model);
        let refused = spin_refuses(&printed);
        assert!(refused.is_none(), "{text}: {}", refused.unwrap_or_default());
    }
}

#[test]
fn precedence_is_spins() {
    // Without the parentheses that are not needed, both sides are the same.
    for (written, shown) in [
        ("(x || (y && s))", "x || y && s"),
        ("((x | (y ^ (s & 1))) == 1)", "(x | y ^ s & 1) == 1"),
        ("x == (y < s)", "x == y < s"),
        ("(x < y) < s", "x < y < s"),
        ("x < (y << s)", "x < y << s"),
        ("x << (y + s)", "x << y + s"),
        ("x + (y * s)", "x + y * s"),
        ("(x + y) + s", "x + y + s"),
        ("x + (y + s)", "x + (y + s)"),
        ("(!x) == y", "!x == y"),
        ("!(x == y)", "!(x == y)"),
        ("(-x) + (~y)", "-x + ~y"),
        ("x && (y | s)", "x && y | s"),
    ] {
        assert_eq!(statement(written), shown);
    }
}

/// The printed formula.
fn formula(text: &str) -> String {
    let model =
        format!("{FRAME}init {{ skip }}\nltl f_ {{ {text} }}\nproctype Later() {{ L1: skip }}\n");
    let first = read(&model).unwrap_or_else(|said| panic!("{said}"));
    let printed = taut_promela::print(&first.model);
    assert_eq!(
        read(&printed).unwrap_or_else(|said| panic!("{said}")).model,
        first.model,
        "{printed}"
    );
    let line = printed.lines().find(|line| line.starts_with("ltl")).expect("the formula");
    line[9..line.len() - 2].to_string()
}

#[test]
fn formulas_bind_as_in_spin() {
    for (written, shown) in [
        ("[] x -> <> y", "([] x) -> (<> y)"),
        ("[]<> x", "[] (<> x)"),
        ("x U y U s", "(x U y) U s"),
        ("x -> y -> s", "(x -> y) -> s"),
        ("x && y U s", "x && (y U s)"),
        ("x == 0 U y == 1", "(x == 0) U (y == 1)"),
        ("! [] x", "!([] x)"),
        ("!!x", "!(!x)"),
        ("always eventually x", "[] (<> x)"),
        ("x until y", "x U y"),
        ("x stronguntil y", "x U y"),
        ("x weakuntil y", "x W y"),
        ("x release y", "x V y"),
        ("x W y V s", "(x W y) V s"),
        ("next X x", "X (X x)"),
        ("x implies y equivalent s", "(x -> y) <-> s"),
        ("x <-> y", "x <-> y"),
        ("[] (x /\\ y \\/ s)", "[] (x && y || s)"),
        ("[] (P[1]@L1 -> q?[red, 1])", "[] (P[1]@L1 -> (q?[red, 1]))"),
        ("x || y", "x || y"),
        ("G F x", "[] (<> x)"),
        ("G (x) -> F(y)", "([] x) -> (<> y)"),
        ("x R y M s", "(x V y) M s"),
        ("[] nempty(q) && <> full(q)", "([] (nempty(q))) && (<> (full(q)))"),
        ("[] (view(P, x) == 1 && drained(P[1]))", "[] (view(P, x) == 1 && drained(P[1]))"),
        ("<> enabled(P)", "<> (enabled(P))"),
        ("[] Later@L1", "[] Later@L1"),
        ("[] Later[x]@L1", "[] Later[x]@L1"),
    ] {
        assert_eq!(formula(written), shown, "{written}");
    }
}

#[test]
fn ends_of_lines_end_statements() {
    assert_eq!(statement("x = y\n-s"), "x = y; -s");
    assert_eq!(statement("x = (y\n - s)"), "x = y - s");
    assert_eq!(statement("x = y\nx == 1\ny"), "x = y; x == 1; y");
    assert_eq!(statement("x == 1\n-> y = 2"), "x == 1; y = 2");
    assert_eq!(
        statement("if\n:: x\n:: else\n y = 1\nfi\nx++\ny--"),
        "if :: x :: else -> y = 1 fi; x++; y--"
    );
    assert_eq!(statement("atomic { x = 1 } y = 2"), "atomic { x = 1 }; y = 2");
    assert_eq!(statement("{ x = 1 }\nunless { y }"), "{ x = 1 } unless { y }");
    assert_eq!(statement("do :: x -> ; ; y = 1; od;"), "do :: x -> y = 1 od");
    assert_eq!(statement("for (x : 0 .. 1)\n{ skip }"), "for (x : 0 .. 1) { skip }");
}

#[test]
fn the_dialects_are_plain_syntax() {
    assert_eq!(statement("store(x, 1); load(x, 1); sync"), "store(x, 1); load(x, 1); sync");
    assert_eq!(statement("WRITE(0, READ(1) + 1); FENCE()"), "WRITE(0, READ(1) + 1); FENCE()");
    assert_eq!(
        statement("INIT(0, 1); SVAR(P, 1) == GSVAR(0)"),
        "INIT(0, 1); SVAR(P, 1) == GSVAR(0)"
    );
    assert_eq!(
        statement("x = CAS(y, 0, 1); LOCKED { x = 1 }"),
        "x = CAS(y, 0, 1); LOCKED { x = 1 }"
    );
    assert_eq!(
        statement("SFENCE(); SYNC(); ATOMIC_WRITE(x, 1)"),
        "SFENCE(); SYNC(); ATOMIC_WRITE(x, 1)"
    );
    assert_eq!(
        statement("x = XCHG(y, 1); x = FETCH_ADD(y, 1)"),
        "x = XCHG(y, 1); x = FETCH_ADD(y, 1)"
    );
    // A model's own names win.
    let own =
        "int sync, load; inline store(v, w) { v = w }\ninit { sync = 1; sync; store(load, 2) }";
    let parsed = read(own).unwrap_or_else(|said| panic!("{said}"));
    assert!(taut_promela::print(&parsed.model).contains("store(load, 2)"));
    let ghost =
        read("ghost int g; int ghost; init { ghost = g }").unwrap_or_else(|said| panic!("{said}"));
    assert!(ghost.symbols.variables[0].ghost && !ghost.symbols.variables[1].ghost);
}

#[test]
fn processes_and_claims_have_all_their_parts() {
    let text = "bool b; active [2] proctype A() priority 3 provided (b) { skip }\nD_proctype B(byte a, c; int d) { skip }\n\
        init priority 2 { run B(1, 2, 3) }\nactive proctype C() { l: skip }\n\
        never nv { accept: do :: C@l || true od }\nltl { <> b }\n";
    let parsed = read(text).unwrap_or_else(|said| panic!("{said}"));
    let printed = taut_promela::print(&parsed.model);
    assert_eq!(read(&printed).unwrap_or_else(|said| panic!("{said}")).model, parsed.model);
    let names: Vec<_> =
        parsed.symbols.proctypes.iter().map(|p| (p.name.as_str(), p.active)).collect();
    assert_eq!(names, [("A", 2), ("B", 0), (":init:", 1), ("C", 1), (":never:", 0)]);
    assert_eq!(parsed.symbols.proctypes[1].parameters.len(), 3);
}

#[test]
fn any_number_of_processes_is_a_star() {
    let parsed = read("active [*] proctype A() { skip }").unwrap_or_else(|said| panic!("{said}"));
    let printed = taut_promela::print(&parsed.model);
    assert!(printed.contains("active [*] proctype A()"), "{printed}");
    assert_eq!(read(&printed).unwrap_or_else(|said| panic!("{said}")).model, parsed.model);
    let names = |threads: Option<u32>| {
        let options = taut_promela::LowerOptions { threads, ..Default::default() };
        let program = taut_promela::lower(&parsed, &options).expect("a program").program;
        let names: Vec<String> = program.processes.into_iter().map(|p| p.name).collect();
        (names, program.replicated.len())
    };
    assert_eq!(names(None), (vec!["A[0]".into()], 1));
    assert_eq!(names(Some(2)), (vec!["A[0]".into(), "A[1]".into()], 0));
}

#[test]
fn symbolic_names_are_numbered_backwards() {
    let parsed = read("mtype = { a, b, c } mtype = { d, e } init { skip }").expect("a model");
    let values: Vec<_> =
        ["a", "b", "c", "d", "e"].map(|n| parsed.symbols.mtype(n).expect(n).1).into();
    assert_eq!(values, [3, 2, 1, 5, 4]);
}
