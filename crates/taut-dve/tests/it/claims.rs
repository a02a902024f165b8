//! Properties from outside of a model: formulas, files of formulas, automata.

use taut_dve::ast::Model;
use taut_dve::{LowerOptions, claims, lower, parse};
use taut_ir::{Claim, ClaimText, Property, PropertyKind};
use taut_source::{Diagnostics, SourceMap, render_all};

const MODEL: &str = "byte x; byte y; int z; byte a[3]; byte Flag; byte G; const byte N = 2;
    process P_0 { byte v; byte w[2]; state idle, wait, CS; init idle; trans
      idle -> wait { effect x = 1; }, wait -> CS { effect v = 2; }, CS -> idle {}; }
    process P_1 { state idle, CS; init idle; trans idle -> CS {}; }
    system async;";

/// Reads claims about the model, with `sources` for messages.
fn read(
    sources: &mut SourceMap,
    claim: ClaimText,
    texts: &[&str],
) -> Result<Vec<Property>, Diagnostics> {
    let file = sources.add("m.dve", MODEL);
    let model: Model = parse(sources, file).unwrap().model;
    let program = lower(&model, &LowerOptions::default()).unwrap().program;
    let files = texts.iter().map(|text| sources.add("f.ltl", *text)).collect();
    claims(&model, &program, sources, &[Claim { files, text: claim }])
}

/// The formulas, with the texts of their conditions.
fn shown(properties: &[Property]) -> Vec<String> {
    let show = |p: &Property| match &p.kind {
        PropertyKind::Ltl(ltl) => {
            let atoms: Vec<_> = ltl.atoms.iter().map(|a| a.text.clone()).collect();
            let text = ltl.formula.display(&atoms);
            format!("{}: {text}", p.name)
        }
        _ => p.name.clone(),
    };
    properties.iter().map(show).collect()
}

fn formula(text: &str) -> String {
    let mut sources = SourceMap::new();
    let claim = ClaimText::Formula { name: "f".into() };
    match read(&mut sources, claim, &[text]) {
        Ok(properties) => shown(&properties).remove(0)[3..].to_owned(),
        Err(found) => told(&found, &sources),
    }
}

fn file(text: &str) -> Result<Vec<String>, String> {
    let mut sources = SourceMap::new();
    match read(&mut sources, ClaimText::File, &[text]) {
        Ok(properties) => Ok(shown(&properties)),
        Err(found) => Err(told(&found, &sources)),
    }
}

fn told(found: &Diagnostics, sources: &SourceMap) -> String {
    render_all(sources, found, false)
}

#[test]
fn formulas_with_expressions_in_them() {
    let texts = [
        "[](P_0.wait -> <>P_0.CS)",
        "G(P_0.wait->FP_0.CS)",
        "GF x == 1",
        "[] P_0.CS + P_1.CS <= 1",
        "P_0.CS + P_1.CS",
        "P_0.CS * P_1.CS ^ P_0.idle",
        "[] (P_0->v == 2 imply a[x + 1] != 0)",
        "!(x == 1) U y == N",
        "(x == 1) W (y == 1 && z < -3)",
        "X x && O y V z R P_0.CS",
        "xUy",
        "GFxUy",
        "x <-> yWP_1.CS",
        "[]<>Flag == 1",
        "G == 1 || G G > 2",
        "P_0->w[1] > 0",
        "P_0 == \"CS\" -> <>P_0 != \"CS\"",
        "\"x == 1 and y == 1\" || x",
        "true && false || 1",
        "not (P_0.CS and P_1.CS);",
        "x -> y && z",
    ];
    let all: Vec<_> = texts.iter().map(|t| format!("{t}\n    {}", formula(t))).collect();
    insta::assert_snapshot!(all.join("\n"));
}

#[test]
fn a_file_of_divine() {
    let text = "Atomic propositions
-------------------
#define p0cs P_0.CS
#define someone (P_0.CS + P_1.CS == 1)
#define both p0cs + P_1.CS > 1

(1) if P_0 is there it will leave
#property G(p0cs->F(!p0cs))
(2)
#property G((!p0cs)->Fp0cs)
#property GFsomeone
ltl named: p0csU!someone
ltl braces { G
  !both }
# a note
";
    insta::assert_snapshot!(file(text).unwrap().join("\n"));
}

#[test]
fn a_file_that_is_one_formula() {
    let text = "([] (P_0.wait -> (<>P_0 == \"CS\")))";
    let text_of = "property_1: [] (P_0.wait -> <> P_0.CS)";
    assert_eq!(file(text).unwrap(), [text_of]);
}

#[test]
fn conditions_mean_what_they_mean_in_the_model() {
    let mut sources = SourceMap::new();
    let text = "#define sum x + a[N]\nltl f: G (sum == 2 && P_0.wait && P_0->v > y)";
    let found = read(&mut sources, ClaimText::File, &[text]).unwrap();
    let exprs: Vec<_> = found[0].kind.exprs().iter().map(|e| format!("{e:?}")).collect();
    insta::assert_snapshot!(exprs.join("\n"));
}

#[test]
fn a_proposition_may_have_the_name_of_a_variable() {
    let mut sources = SourceMap::new();
    let text = "#define x (x == 1)\n#define a !x\n#property G (x || a)";
    let found = read(&mut sources, ClaimText::File, &[text]).unwrap();
    let exprs: Vec<_> = found[0].kind.exprs().iter().map(|e| format!("{e:?}")).collect();
    let x = "Binary(Eq, Var(VarId(0)), Const(1))";
    assert_eq!(exprs, [x.to_owned(), format!("Unary(Not, {x})")]);
}

#[test]
fn an_automaton_of_another_tool() {
    let automaton =
        taut_ltl::Automaton::of(&taut_ltl::parse("<> (p && q)").unwrap().formula, 2).unwrap();
    let claim = ClaimText::Automaton { name: "watch".into(), automaton };
    let mut sources = SourceMap::new();
    let found = read(&mut sources, claim.clone(), &["P_0.CS", "P_1.CS == 1"]).unwrap();
    assert_eq!(shown(&found), ["watch"]);
    assert_eq!(found[0].kind.exprs().len(), 2);
    let mut sources = SourceMap::new();
    let found = read(&mut sources, claim, &["P_0.CS"]).unwrap_err();
    assert!(told(&found, &sources).contains("2 propositions"));
}

#[test]
fn mistakes_in_formulas() {
    let texts = [
        "",
        "()",
        "[]",
        "x &&",
        "x y",
        "(x",
        "x)",
        "a[1",
        "x == ",
        "[] x = 1",
        "GFp0cs",
        "[](P_0.wiat)",
        "P_2.CS",
        "Flga == 1",
        "!x == 1",
        "1 + <>x == 2",
        "x @ 2",
        "x => y",
        "\"x",
        "P_0->u == 1",
        "a == 1",
        "P_0 == \"CSS\"",
        "x != \"CS\"",
        "P_0 < \"CS\"",
        "P_0",
        "x U U y",
        "ä",
        "x ? y",
    ];
    let all: Vec<_> = texts.iter().map(|t| formula(t)).collect();
    insta::assert_snapshot!(all.join("\n\n"));
}

#[test]
fn mistakes_in_files() {
    let texts = [
        "#define p P_0.CS\n#define p P_1.CS\n#property G p",
        "#define P_0 P_0.CS\n#property P_0",
        "#define\n#property true",
        "#define 1 x\n#property true",
        "#define p\n#property true",
        "#define p x ==\n#property G p",
        "#define p x == 1\n#property G pp\n#property q",
        "#propery G x",
        "#define p x = 1\n#property G p && p",
        "#property x -> y && z",
        "#define p F x\n#property p",
        "ltl a: x\nltl a: y",
    ];
    let all: Vec<_> = texts.iter().map(|t| file(t).expect_err(t)).collect();
    insta::assert_snapshot!(all.join("\n\n"));
}

#[test]
fn hostile_formulas_are_refused() {
    let deep =
        |open: &str, close: &str| format!("{}x{}", open.repeat(100_000), close.repeat(100_000));
    let sum = vec!["x"; 100_000].join(" && ");
    let texts =
        [deep("(", ")"), deep("!", ""), deep("[]", ""), deep("a[", "]"), sum, deep("x U (", ")")];
    for text in &texts {
        let found = formula(text);
        assert!(found.contains("error"), "{}", &found[..200.min(found.len())]);
    }
    let conditions: Vec<_> = (0..65).map(|i| format!("x == {i}")).collect();
    assert!(formula(&conditions.join(" || ")).contains("64 different conditions"));
    let mut doubling = String::from("#define p0 x\n");
    for i in 0..40 {
        doubling += &format!("#define p{} p{i} + p{i}\n", i + 1);
    }
    let found = file(&(doubling + "#property p40 == 1")).unwrap_err();
    assert!(found.contains("too long"), "{found}");
}
