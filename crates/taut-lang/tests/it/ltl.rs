//! Temporal properties: what formulas mean, in a program and from outside of it.

use crate::common;

use common::{program, try_program};
use taut_ir::{Expr, Ltl, ProcId, Program, Property, PropertyKind};
use taut_lang::{Claim, ClaimText, Options};
use taut_ltl::{Automaton, Formula};
use taut_source::{SourceMap, render_all};

/// A formula with all its parentheses and the texts of its conditions.
fn shown(ltl: &Ltl) -> String {
    fn show(f: &Formula, ltl: &Ltl) -> String {
        let parts: Vec<_> = f.parts().map(|p| show(p, ltl)).collect();
        let infix = |op: &str| format!("({})", parts.join(&format!(" {op} ")));
        match f {
            Formula::True => "T".into(),
            Formula::False => "F".into(),
            Formula::Atom(id) => format!("<{}>", ltl.atoms[id.index()].text),
            Formula::Not(_) => format!("!{}", parts[0]),
            Formula::Next(_) => format!("X {}", parts[0]),
            Formula::Always(_) => format!("[] {}", parts[0]),
            Formula::Eventually(_) => format!("<> {}", parts[0]),
            Formula::And(..) => infix("&&"),
            Formula::Or(..) => infix("||"),
            Formula::Implies(..) => infix("->"),
            Formula::Iff(..) => infix("<->"),
            Formula::Until(..) => infix("U"),
            Formula::Release(..) => infix("V"),
            Formula::WeakUntil(..) => infix("W"),
            Formula::StrongRelease(..) => infix("M"),
        }
    }
    show(&ltl.formula, ltl)
}

const DECLARED: &str = "const N = 3, T = 1; shared int x, y, a[N], X, F, U; local int mine;
    process p[2] begin local int r; try: x := 1; cs: y := 1; end
    process G begin cs: skip; end ";

fn temporal(program: &Program) -> &Ltl {
    match &program.properties.last().expect("a property").kind {
        PropertyKind::Ltl(ltl) => ltl,
        other => panic!("{other:?}"),
    }
}

/// What a formula becomes in a program that declares a few things.
fn formula(text: &str) -> String {
    let program = program(&format!("{DECLARED} ltl f: {text};"));
    assert!(temporal(&program).finite_runs);
    shown(temporal(&program))
}

#[test]
fn levels_are_those_of_spin() {
    assert_eq!(formula("[] x -> <> y"), "([] <x> -> <> <y>)");
    assert_eq!(formula("x -> y <-> x -> y"), "(((<x> -> <y>) <-> <x>) -> <y>)");
    assert_eq!(formula("x || y && x U y == 1"), "(<x> || (<y> && (<x> U <y == 1>)))");
    assert_eq!(formula("x U y W x R y M x"), "((((<x> U <y>) W <x>) V <y>) M <x>)");
    assert_eq!(formula("!x U X y V x"), "((!<x> U X <y>) V <x>)");
    assert_eq!(formula("[] (x -> <> [] !y)"), "[] (<x> -> <> [] !<y>)");
    assert_eq!(formula("x && y || not x and y or x"), "(((<x> && <y>) || (!<x> && <y>)) || <x>)");
}

#[test]
fn operators_have_the_names_of_spin_and_of_the_literature() {
    assert_eq!(formula("G F x"), "[] <> <x>");
    assert_eq!(formula("G(F(x))"), "[] <> <x>");
    assert_eq!(formula("[]<>x && <>[]y"), "([] <> <x> && <> [] <y>)");
    assert_eq!(formula("always eventually next x"), "[] <> X <x>");
    assert_eq!(formula("x until y release x weakuntil y"), "(((<x> U <y>) V <x>) W <y>)");
    assert_eq!(formula("x implies y equivalent x stronguntil y"), "((<x> -> <y>) <-> (<x> U <y>))");
}

#[test]
fn letters_are_names_where_no_operator_can_be() {
    assert_eq!(formula("X == 1 && F"), "(<X == 1> && <F>)");
    assert_eq!(formula("X X && X (X) && X -1 == 2"), "((X <X> && X <X>) && <X - 1 == 2>)");
    assert_eq!(formula("X U F"), "(<X> U <F>)");
    assert_eq!(formula("F U && U U U"), "(<> <U> && (<U> U <U>))");
    assert_eq!(formula("F G@cs && X `U` U y"), "(<> <G@cs> && (X <U> U <y>))");
}

#[test]
fn conditions_are_small_and_listed_once() {
    let program = program(&format!("{DECLARED} ltl f: [] ((x == 1) && !(y<2) || x==1);"));
    let ltl = temporal(&program);
    assert_eq!(shown(ltl), "[] ((<x == 1> && !<y < 2>) || <x == 1>)");
    let texts: Vec<_> = ltl.atoms.iter().map(|a| a.text.as_str()).collect();
    assert_eq!(texts, ["x == 1", "y < 2"]);
    assert_eq!(program.show_expr(None, &ltl.atoms[1].expr).to_string(), "y < 2");
}

#[test]
fn connectives_inside_of_a_condition_stay_there() {
    assert_eq!(formula("[] ((x && y) == 1)"), "[] <(x && y) == 1>");
    assert_eq!(formula("(x + 1) * 2 == y U x"), "(<(x + 1) * 2 == y> U <x>)");
    assert_eq!(formula("!x + 1 == 2"), "<!x + 1 == 2>");
    assert_eq!(formula("{x && !y} || {1}"), "(<x && !y> || <1>)");
    assert_eq!(formula("<> (x ? y : a[x + 1])"), "<> <x ? y : a[x + 1]>");
    assert_eq!(formula("x && y ? 1 : 0"), "<x && y ? 1 : 0>");
}

#[test]
fn numbers_are_truth_values() {
    assert_eq!(formula("true U false"), "(T U F)");
    assert_eq!(formula("1 && 0 || N"), "((T && F) || T)");
    assert_eq!(formula("x < N"), "<x < N>");
}

#[test]
fn conditions_ask_what_properties_ask() {
    let text = "[] (p[T]@cs -> p[0]:r == 1 && view(G, a[1]) && drained(p[1]) && enabled(p[0]))";
    let program = program(&format!("{DECLARED} ltl f: {text};"));
    let ltl = temporal(&program);
    let exprs: Vec<_> =
        ltl.atoms.iter().map(|a| program.show_expr(None, &a.expr).to_string()).collect();
    assert_eq!(
        exprs,
        ["p[1]@cs", "p[0]:r == 1", "view(G, a[1])", "drained(p[1])", "enabled(p[0])"]
    );
    assert_eq!(ltl.atoms[4].expr, Expr::Enabled(ProcId(0)));
    assert_eq!(ltl.atoms[0].text, "p[T]@cs");
}

#[test]
fn enabled_is_a_name_elsewhere() {
    let p = program("shared int enabled; process p begin enabled := 1; end ltl f: <> enabled;");
    assert_eq!(shown(temporal(&p)), "<> <enabled>");
}

#[test]
fn formulas_are_printed_with_the_parentheses_they_need() {
    let printed = |text: &str| {
        let original = program(&format!("{DECLARED} ltl f: {text};"));
        let text = taut_lang::print(&original).expect("a syntax");
        assert!(taut_lang::same(&original, &program(&text)), "{text}");
        text.lines().last().expect("a line").to_string()
    };
    assert_eq!(printed("[] ((x == 1) -> <> ((y)))"), "ltl f: [] (x == 1 -> <> y);");
    assert_eq!(printed("(x -> y) -> X (X > 1)"), "ltl f: (x -> y) -> X (`X` > 1);");
    assert_eq!(printed("(x && y) && (x && {y || x})"), "ltl f: x && y && (x && {y || x});");
    assert_eq!(printed("x U (y==1) V !!x"), "ltl f: (x U (y == 1)) V !!x;");
    assert_eq!(printed("X `U` W {3} && (1 ? x : y)"), "ltl f: X `U` W {3} && {1 ? (x) : y};");
}

/// The program of the claims below.
fn claimed(claims: &[(&[&str], ClaimText)]) -> Result<Program, String> {
    let mut map = SourceMap::new();
    let file = map.add("t.taut", format!("{DECLARED} invariant i: x < 2;"));
    let add = |(texts, text): &(&[&str], ClaimText)| {
        let files = texts.iter().map(|t| map.add("--ltl", *t)).collect();
        Claim { files, text: text.clone() }
    };
    let claims: Vec<_> = claims.iter().map(add).collect();
    let read = taut_lang::parse_with_claims(&map, file, &Options::default(), &claims);
    read.map_err(|d| render_all(&map, &d, false))
}

/// Names and formulas of properties.
fn listed(properties: &[Property]) -> Vec<String> {
    let one = |p: &Property| match &p.kind {
        PropertyKind::Ltl(ltl) => format!("{}: {}", p.name, shown(ltl)),
        other => format!("{}: {}", p.name, other.word()),
    };
    properties.iter().map(one).collect()
}

#[test]
fn claims_come_after_the_properties_of_the_program() {
    let automaton = Automaton { atoms: 2, ..Automaton::default() };
    let program = claimed(&[
        (&["[] (x < N) ;"], ClaimText::Formula { name: "ltl".into() }),
        (&["a: <> x"], ClaimText::File),
        (&["x == 1 && y", "enabled(G)"], ClaimText::Automaton { name: "hoa".into(), automaton }),
    ])
    .unwrap();
    assert_eq!(
        listed(&program.properties),
        ["i: invariant", "ltl: [] <x < N>", "a: <> <x>", "hoa: never"]
    );
    let atoms = program.properties[3].kind.atoms().expect("atoms");
    let texts: Vec<_> = atoms.iter().map(|a| a.text.as_str()).collect();
    assert_eq!(texts, ["x == 1 && y", "enabled(G)"]);
}

#[test]
fn files_of_formulas() {
    let file = "// requests and answers\r\n\
        #define want (p[0]@try) // not a formula\n\
        #define in p[0]@cs\n\
        #define any want \\\n  || in\r\n\
        #define nothing\n\
        ltl live: [] (want -> <> in)\n\
        ltl block { [] (any\n   -> true) }  ltl /* two */ next { {x} } third: {x} && {y}\n\
        \n\
        late: nothing <> in; other: (x\n\n ==\n 1); ltl \"three words\": y /* end\n of it */\n\
        #property G(F(in))\n\
        #property (in U\n   x)\n\
        ltl split:\n  [] x &&\n  <> y\n  -> x\n\
        ltl last\n  { x };";
    let program = claimed(&[(&[file], ClaimText::File)]).unwrap();
    assert_eq!(
        listed(&program.properties[1..]),
        [
            "live: [] (<p[0]@try> -> <> <p[0]@cs>)",
            "block: [] ((<p[0]@try> || <p[0]@cs>) -> T)",
            "next: <x>",
            "third: (<x> && <y>)",
            "late: <> <p[0]@cs>",
            "other: <x == 1>",
            "three words: <y>",
            "property_1: [] <> <p[0]@cs>",
            "property_2: (<p[0]@cs> U <x>)",
            "split: (([] <x> && <> <y>) -> <x>)",
            "last: <x>",
        ]
    );
}

#[test]
fn macros_stand_for_their_words() {
    let file = "#define x y == 1\n#define y x\n#define U V\nf: <> (x) && (y U 1)";
    let program = claimed(&[(&[file], ClaimText::File)]).unwrap();
    assert_eq!(listed(&program.properties)[1], "f: (<> <x == 1> && (<y == 1> V T))");
}

#[test]
fn claims_on_a_program_of_the_model_name_what_it_names() {
    let program = program(DECLARED);
    let mut map = SourceMap::new();
    let mut asked = |text: &str| {
        let files = vec![map.add("--ltl", text)];
        let claim = Claim { files, text: ClaimText::Formula { name: "f".into() } };
        taut_lang::claims(&program, &map, &[claim])
            .map(|all| listed(&all))
            .map_err(|d| render_all(&map, &d, false))
    };
    assert_eq!(asked("<> (p[1]:r == a[2])").unwrap(), ["f: <> <p[1]:r == a[2]>"]);
    let message = asked("<> (x == N)").unwrap_err();
    assert!(message.contains("there is no variable or constant `N`"), "{message}");
    let message = asked("<> p[0]@tri").unwrap_err();
    assert!(message.contains("did you mean `try`?"), "{message}");
}

/// A test of store buffering; its property is there already.
const LITMUS: &str = "X86 SB\n{ x=0; y=0; }\n\
     P0          | P1          ;\n\
     MOV [x],$1  | MOV [y],$1  ;\n\
     MOV EAX,[y] | MOV EAX,[x] ;\n\
    exists (0:EAX=0 /\\ 1:EAX=0)\n";

#[test]
fn claims_on_litmus_tests_name_threads_registers_and_points() {
    let mut map = SourceMap::new();
    let file = map.add("SB.litmus", LITMUS);
    let test = taut_litmus::parse(&map, file).expect("a test");
    let text = "both: <> (x == 1 && y == 1)\nzero: [] !(P0:EAX == 0 && P1:EAX == 0)\n\
        ltl seen { <> (view(P0, x) == 1 && drained(P0)) } ; moves: enabled(P1)\n";
    let files = vec![map.add("--ltl-file", text)];
    let claims = [Claim { files, text: ClaimText::File }];
    let properties = taut_lang::claims(&test.program, &map, &claims).expect("properties");
    assert_eq!(
        listed(&properties),
        [
            "both: <> (<x == 1> && <y == 1>)",
            "zero: [] !(<P0:EAX == 0> && <P1:EAX == 0>)",
            "seen: <> (<view(P0, x) == 1> && <drained(P0)>)",
            "moves: <enabled(P1)>",
        ]
    );
    let files = vec![map.add("--ltl", "<> (P0:EXA == z)")];
    let claims = [Claim { files, text: ClaimText::Formula { name: "exists".into() } }];
    let wrong = taut_lang::claims(&test.program, &map, &claims).expect_err("three mistakes");
    insta::assert_snapshot!(render_all(&map, &wrong, false), @r"
    error[T0100]: two properties are called `exists`
     --> --ltl:1:1
      |
    1 | <> (P0:EXA == z)
      | ^^^^^^^^^^^^^^^^ the second
      |
     ::: SB.litmus:6:1
      |
    6 | exists (0:EAX=0 /\ 1:EAX=0)
      | --------------------------- the first

    error[T0101]: there is no local in process `P0` called `EXA`
     --> --ltl:1:8
      |
    1 | <> (P0:EXA == z)
      |        ^^^ unknown
      |
    help: did you mean `EAX`?

    error[T0101]: there is no variable or constant `z`
     --> --ltl:1:15
      |
    1 | <> (P0:EXA == z)
      |               ^ unknown
    ");
}

#[test]
fn a_formula_without_a_program_is_an_error_and_no_crash() {
    assert!(try_program("ltl f: [] true;").unwrap_err().contains("T0307"));
}
