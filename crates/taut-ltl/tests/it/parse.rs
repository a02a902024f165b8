//! Reading and showing formulas.

use crate::common;

use common::{Random, counted, names, soak};
use proptest::prelude::*;
use taut_ltl::{Formula, parse};

/// The formula with all parentheses, and its atoms.
fn shape(text: &str) -> String {
    let parsed = parse(text).unwrap_or_else(|e| panic!("{text}: {e}"));
    full(&parsed.formula, &parsed.atoms)
}

fn full(formula: &Formula, atoms: &[String]) -> String {
    use Formula::*;
    let t = |f: &Formula| full(f, atoms);
    match formula {
        True => "1".to_string(),
        False => "0".to_string(),
        Atom(atom) => format!("<{}>", atoms[atom.index()]),
        Not(f) => format!("!{}", t(f)),
        Next(f) => format!("X{}", t(f)),
        Always(f) => format!("G{}", t(f)),
        Eventually(f) => format!("F{}", t(f)),
        And(f, g) => format!("({} & {})", t(f), t(g)),
        Or(f, g) => format!("({} | {})", t(f), t(g)),
        Implies(f, g) => format!("({} -> {})", t(f), t(g)),
        Iff(f, g) => format!("({} = {})", t(f), t(g)),
        Until(f, g) => format!("({} U {})", t(f), t(g)),
        Release(f, g) => format!("({} R {})", t(f), t(g)),
        WeakUntil(f, g) => format!("({} W {})", t(f), t(g)),
        StrongRelease(f, g) => format!("({} M {})", t(f), t(g)),
    }
}

const FORMS: &[(&str, &str)] = &[
    ("[] p", "G<p>"),
    ("G p", "G<p>"),
    ("G(p)", "G<p>"),
    ("always p", "G<p>"),
    ("Gp", "<Gp>"),
    ("[]<>p", "GF<p>"),
    ("eventually next p", "FX<p>"),
    ("not p", "!<p>"),
    ("!!p", "!!<p>"),
    ("true U 1", "(1 U 1)"),
    ("false || 0", "(0 | 0)"),
    ("(1)", "1"),
    // Levels, and all of them to the left.
    ("p U q U r", "((<p> U <q>) U <r>)"),
    ("p -> q -> r", "((<p> -> <q>) -> <r>)"),
    ("p <-> q -> r", "((<p> = <q>) -> <r>)"),
    ("p -> q && r", "(<p> -> (<q> & <r>))"),
    ("p || q && r", "(<p> | (<q> & <r>))"),
    ("p && q U r", "(<p> & (<q> U <r>))"),
    ("p U q && r", "((<p> U <q>) & <r>)"),
    ("[] p U q", "(G<p> U <q>)"),
    ("! p && q", "(!<p> & <q>)"),
    ("[] p -> <> q", "(G<p> -> F<q>)"),
    ("p V q", "(<p> R <q>)"),
    ("p R q", "(<p> R <q>)"),
    ("p release q", "(<p> R <q>)"),
    ("p W q", "(<p> W <q>)"),
    ("p weakuntil q", "(<p> W <q>)"),
    ("p stronguntil q", "(<p> U <q>)"),
    ("p until q", "(<p> U <q>)"),
    ("p M q", "(<p> M <q>)"),
    ("p /\\ q \\/ r", "((<p> & <q>) | <r>)"),
    ("p implies q equivalent r", "((<p> -> <q>) = <r>)"),
    // Atoms.
    ("x==1 && x  ==  1", "(<x == 1> & <x == 1>)"),
    ("(x == 1)", "<x == 1>"),
    ("(p && q)", "(<p> & <q>)"),
    ("(x + 1) * 2 == y", "<(x + 1) * 2 == y>"),
    ("[] ((x + 1) * 2 == y)", "G<(x + 1) * 2 == y>"),
    ("(p && q) == r", "<(p && q) == r>"),
    ("(p) == 1", "<(p) == 1>"),
    ("!p == 1", "<!p == 1>"),
    ("!(p == 1)", "!<p == 1>"),
    ("x == 1 U y < -2", "(<x == 1> U <y < -2>)"),
    ("x<-1", "<x < -1>"),
    ("x <-> 1", "(<x> = 1)"),
    ("t0@CS", "<t0@CS>"),
    ("P:r > 0", "<P:r > 0>"),
    ("P[ 1 ]@cs", "<P[1]@cs>"),
    ("view(P,x) == 1", "<view(P, x) == 1>"),
    ("drained( P )", "<drained(P)>"),
    ("a[i+1].f", "<a[i + 1].f>"),
    ("f(a b)", "<f(a b)>"),
    ("view(P, X)", "<view(P, X)>"),
    ("P@X", "<P@X>"),
    ("a & b", "<a & b>"),
    ("a | b || c", "(<a | b> | <c>)"),
    ("~a == -b", "<~a == -b>"),
    ("\"x  U y\" U \"G\"", "(<x U y> U <G>)"),
    ("7", "<7>"),
    ("x / y == 1", "<x / y == 1>"),
];

#[test]
fn forms() {
    for (text, expected) in FORMS {
        assert_eq!(shape(text), *expected, "{text}");
    }
}

#[test]
fn equal_atoms_share_a_number() {
    let parsed = parse("q && (x==1) U x == 1 || q").unwrap();
    assert_eq!(parsed.atoms, ["q", "x == 1"]);
    assert_eq!(parsed.formula.atoms().len(), 2);
}

#[test]
fn errors() {
    let texts = [
        "",
        "  ",
        "p &&",
        "&& p",
        "p q",
        "(p",
        "p)",
        "()",
        "[] ",
        "! ",
        "x = 1",
        "p => q",
        "p <=> q",
        "p # q",
        "\"p",
        "\" \"",
        "U p",
        "p U",
        "[] x == 1",
        "x == [] p",
        "-[] p",
        "P@",
        "P@+",
        "f(",
        "f([] p)",
        "a[",
        "p U (q",
        "p &",
        "x ==",
        "(p q)",
        "p && || q",
        "p ∧ q",
        "[p",
        "p, q",
        "a[1) ",
    ];
    let mut shown = String::new();
    for text in texts {
        let error = parse(text).expect_err(text);
        let marks = " ".repeat(text[..error.at.start].chars().count())
            + &"^".repeat(text[error.at.clone()].chars().count().max(1));
        let help = error.help.map_or(String::new(), |help| format!(" ({help})"));
        shown += &format!("{text}\n{marks} {}{help}\n\n", error.message);
    }
    insta::assert_snapshot!(shown);
}

#[test]
fn what_is_shown_is_read_back() {
    for seed in 0..3_000 * soak() {
        let formula = Random(seed).formula(6);
        let text = formula.display(&names()).to_string();
        let parsed = parse(&text).unwrap();
        assert_eq!(full(&parsed.formula, &parsed.atoms), full(&formula, &names()), "seed {seed}");
    }
}

#[test]
fn few_parentheses() {
    for text in [
        "[] (p -> <> q)",
        "p U q U r",
        "p U (q U r)",
        "!p && q || r -> s",
        "p -> (q -> r)",
        "[] !(x == 1)",
        "x == 1 U y == 2",
        "<> P@cs",
        "[] \"a U b\"",
        "(p || q) && r",
        "X X p",
        "(p <-> q) U r",
        "!(p && q)",
        "[] view(P, x)",
        "!!p",
    ] {
        let parsed = parse(text).unwrap();
        assert_eq!(parsed.formula.display(&parsed.atoms).to_string(), text);
    }
}

#[test]
fn deep_nesting_is_an_error() {
    for text in [
        "(".repeat(100_000),
        "!".repeat(100_000) + "p",
        "[] ".repeat(100_000) + "p",
        vec!["p"; 100_000].join(" && "),
        vec!["p"; 100_000].join(" U "),
        "f(".repeat(100_000),
        "(p && ".repeat(100_000),
    ] {
        assert!(parse(&text).is_err());
    }
    // Not quite so deep is well.
    let text = "(".repeat(150) + "p" + &")".repeat(150);
    assert_eq!(shape(&text), "<p>");
    assert!(parse(&vec!["p"; 390].join(" U ")).is_ok());
}

proptest! {
    #[test]
    fn any_text_is_read_or_refused(text in "\\PC*") {
        check(&text)?;
    }
}

#[test]
fn any_tokens_are_read_or_refused() {
    let tokens = prop::sample::select(vec![
        "p", "q", "x", "1", "0", "(", ")", "[", "]", "[]", "<>", "U", "V", "W", "M", "X", "!",
        "&&", "||", "->", "<->", "==", "<", "+", "-", "@", ":", ".", ",", "\"", " ", "true",
    ]);
    let read = counted(1_000, prop::collection::vec(tokens, 0..24), |tokens| {
        Ok(check(&tokens.join(""))? | check(&tokens.join(" "))?)
    });
    assert!(read >= 20, "only {read} formulas were read");
}

/// An error points into the text; what is read has atoms that are read as themselves. Whether it is read.
fn check(text: &str) -> Result<bool, TestCaseError> {
    match parse(text) {
        Ok(parsed) => {
            let shown = parsed.formula.display(&parsed.atoms).to_string();
            let again = parse(&shown).map_err(|e| TestCaseError::fail(format!("{shown}: {e}")))?;
            prop_assert_eq!(again, parsed);
            Ok(true)
        }
        Err(error) => {
            prop_assert!(text.get(error.at.clone()).is_some(), "{:?}", error);
            Ok(false)
        }
    }
}
