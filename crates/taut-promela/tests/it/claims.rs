//! Formulas and claims as properties of the program: what becomes of each form, and claims from outside.

use crate::common;

use std::fmt::Write;

use common::{lower_with, lowered, native};
use taut_ir::{Atom, Program, PropertyKind};
use taut_ltl::{Automaton, Guard};
use taut_promela::ClaimText;

/// The temporal properties of a program, as text.
fn shown(program: &Program) -> String {
    assert_eq!(taut_ir::validate::validate(program), Ok(()));
    let mut text = String::new();
    for property in program.properties.iter().filter(|p| p.kind.is_temporal()) {
        let atoms = property.kind.atoms().expect("a temporal property");
        let names: Vec<String> = atoms.iter().map(|a| a.text.clone()).collect();
        match &property.kind {
            PropertyKind::Ltl(ltl) => {
                assert!(ltl.finite_runs);
                writeln!(text, "ltl {}: {}", property.name, ltl.formula.display(&names))
            }
            PropertyKind::Never(never) => {
                writeln!(text, "never {}:\n{}", property.name, automaton(&never.automaton, &names))
            }
            _ => Ok(()),
        }
        .expect("a text");
        for Atom { expr, text: name } in atoms {
            writeln!(text, "    {name}  =  {}", program.show_expr(None, expr)).expect("a text");
        }
    }
    text
}

fn automaton(automaton: &Automaton, names: &[String]) -> String {
    let universal = automaton.universal();
    let name = |s: u32| automaton.states[s as usize].name.clone().unwrap_or_default();
    let mut text = String::new();
    for (state, all) in automaton.states.iter().zip(universal) {
        let universal = if all { " (universal)" } else { "" };
        let name_of = state.name.as_deref().unwrap_or_default();
        writeln!(text, "  {name_of}{universal}").expect("a text");
        for edge in &state.edges {
            let accepts = if edge.accepts == 1 { " accepting" } else { "" };
            let (guard, to) = (guard(&edge.guard, names), name(edge.target));
            writeln!(text, "    {guard} -> {to}{accepts}").expect("a text");
        }
    }
    text.pop();
    text
}

fn guard(guard: &Guard, names: &[String]) -> String {
    let cubes = guard.cubes.iter().map(|cube| {
        let literal = |i: usize| match (cube.yes >> i & 1, cube.no >> i & 1) {
            (1, _) => Some(format!("({})", names[i])),
            (_, 1) => Some(format!("!({})", names[i])),
            _ => None,
        };
        let literals: Vec<_> = (0..names.len()).filter_map(literal).collect();
        if literals.is_empty() { "true".to_owned() } else { literals.join(" && ") }
    });
    cubes.collect::<Vec<_>>().join(" || ")
}

const MODEL: &str = "
#define done (x == 2 && y == 3)
#define idle !(x == 1)
#define at(i) (a[i] == i)
mtype = { red, blue }; byte x, y, a[3]; chan q = [2] of { mtype };
active [2] proctype P() { byte r, s[2]; r = x; L: x = r + 1; M: q!red }
active proctype Q() { q?_ }
proctype T() { progress: x = 3; end: skip }
init { run T() }
";

#[test]
fn formulas_become_properties() {
    let formulas = "
        ltl { [] (x < 2) }
        ltl named { (x == 1 && !(y == 2)) U (x == 1 || q?[red]) }
        ltl { [] done -> <> idle }
        ltl macros { [] (at(1) -> X at(2)) }
        ltl words { G F (x == 1) && (x == 1 R y == 2) && (x == 1 M y == 2) && (x == 1 W y == 2) }
        ltl processes { [] (P@L -> <> P[1]@M) && [] (P:r == P[1]:s[1]) && <> (T@progress) }
        ltl numbers { [] (P[x]:r == 1 || P:_pid == 0 || Q:_pid == 2) }
        ltl memory { [] (view(P, x) == x && view(P[1], a[2]) == a[y] && view(2, y) == 0) }
        ltl machine { [] <> (enabled(P) && enabled(3) && drained(Q) && _nr_pr == 4 && _last == 2) }
        ltl channels { [] (len(q) < 2 && nfull(q) && !(q??[red])) && <> empty(q) }
        ltl constants { [] (true && x == 1 || 0) && <> 1 }
        ltl progress { [] <> !np_ }
    ";
    insta::assert_snapshot!(shown(&lowered(&format!("{MODEL}{formulas}")).program));
}

#[test]
fn claims_become_automata() {
    let claims = "
        never { T0_init: do :: !(x < 2) && y == 1 -> goto accept_S :: (1) -> goto T0_init od;
            accept_S: do :: !(x < 2) -> goto accept_S od }
        never safety { T0_init: do :: atomic { !(x < 2) -> assert(!(!(x < 2))) } :: (1) -> goto T0_init od;
            accept_all: skip }
        never bounded { x == 0; x == 1; printf(\"seen\\n\"); P@L }
        never other { do :: x == 0 :: y == 0 :: else -> break od }
        never asserts { do :: assert(x != 3 || y != 4) od }
        never escapes { { do :: x == 0 :: y == 1 -> y == 2 od } unless { y == 3 }; accept: do :: skip od }
        never steps { do :: d_step { x == 1 -> if :: y == 1 :: y == 2 fi; x != 3 } :: else od }
        never blocks { do :: atomic { x == 1; do :: y == 1 -> y != 2 :: y == 3 -> break od } od }
        never ends { do :: x == 1 -> end1: y == 1; y == 2 od }
        never dead { false; accept: do :: skip od }
    ";
    insta::assert_snapshot!(shown(&lowered(&format!("{MODEL}{claims}")).program));
}

#[test]
fn claims_of_mmlib_look_at_memory_and_at_views() {
    let model = "
        #define VARSIZE 2
        #define want 0
        #define turn 1
        #define q ((SVAR(P, want)) == (SVAR(P, turn)))
        #include \"lib/pso.h\"
        proctype P() { WRITE(want, 1); crit: FENCE() }
        init { INIT(want, 0); run P() }
        never { /* ! []((SVAR(P, want) == 1) -> <> (P@crit)) */
        T0_init: do :: (! ((P@crit)) && (SVAR(P, want) == 1)) -> goto accept_S4 :: (1) -> goto T0_init od;
        accept_S4: do :: (! ((P@crit))) -> goto accept_S4 od; }
        ltl p { [] (GSVAR(want) == 0 || q || SVAR(P:_pid, turn) == GSVAR(turn)) }
    ";
    insta::assert_snapshot!(shown(&lowered(model).program));
}

#[test]
fn letters_that_the_model_uses_are_names() {
    let formula = |declared: &str, text: &str| {
        let model = format!("{declared} init {{ skip }} ltl {{ {text} }}");
        shown(&lowered(&model).program)
    };
    assert_eq!(formula("bool x;", "G x").lines().next(), Some("ltl ltl_0: [] x"));
    assert_eq!(formula("bool G;", "G").lines().next(), Some("ltl ltl_0: \"G\""));
    assert_eq!(
        formula("bool G, F; ", "[] (G U F)").lines().next(),
        Some("ltl ltl_0: [] (\"G\" U \"F\")")
    );
    assert_eq!(formula("bool p, R;", "p V R").lines().next(), Some("ltl ltl_0: p V \"R\""));
    // Declared behind the formula, and labels and fields that are no variables.
    let late = "bool p; ltl { [] F } bool F; init { R: skip; goto R }";
    assert_eq!(shown(&lowered(late).program).lines().next(), Some("ltl ltl_0: [] \"F\""));
    let label = "bool p; ltl { p R p } init { R: skip; goto R }";
    assert_eq!(shown(&lowered(label).program).lines().next(), Some("ltl ltl_0: p V p"));
}

/// The properties of [`MODEL`] with claims from outside.
fn with(claims: &[(&[&str], ClaimText)]) -> Result<String, String> {
    let lowered = lower_with("m.pml", MODEL, claims, &mut native())?;
    Ok(shown(&lowered.program))
}

#[test]
fn formulas_come_from_outside() {
    let formula = |name: &str| ClaimText::Formula { name: name.into() };
    let file = "
        // Several formulas.
        #define half (x == 1)
        first: [] half -> <> done
        ltl second: G (
            half ||
            P@L
        )
        ltl third { F done }
        ltl { X idle }; fourth: half &&
            idle
            || done; fifth: idle
        #property G F half
        #property P[1]:r == 1
        sixth: np_
        seventh: x == 2
    ";
    let claims: &[(&[&str], ClaimText)] = &[
        (&["[] at(2)"], formula("outside")),
        (&[file], ClaimText::File),
        (&["half U idle;"], formula("after")),
    ];
    insta::assert_snapshot!(with(claims).unwrap_or_else(|said| panic!("{said}")));
}

#[test]
fn automata_come_from_outside() {
    let edge = |yes, target| taut_ltl::Edge {
        guard: taut_ltl::Cube { yes, no: 0 }.into(),
        target,
        accepts: 1,
    };
    let state = |edges| taut_ltl::State { edges, name: Some("s".into()) };
    let automaton = Automaton {
        atoms: 2,
        states: vec![state(vec![edge(1, 0), edge(2, 0)])],
        initial: vec![0],
        sets: 1,
        name: None,
    };
    let claim = ClaimText::Automaton { name: "watch".into(), automaton };
    let made = with(&[(&["done", "P@L"], claim.clone())]).unwrap_or_else(|said| panic!("{said}"));
    insta::assert_snapshot!(made);
    let said = with(&[(&["done"], claim.clone())]).expect_err("one is missing");
    assert!(said.contains("P0406"), "{said}");
    let said = with(&[(&["done", "<> idle"], claim)]).expect_err("a formula");
    assert!(said.contains("P0018"), "{said}");
}

#[test]
fn messages_about_claims_from_outside_point_into_them() {
    let formula = || ClaimText::Formula { name: "f".into() };
    let wrong: &[(&str, ClaimText)] = &[
        ("[] (z == 1)", formula()),
        ("", formula()),
        ("[] (x == 1", formula()),
        ("x == 1 y == 2", formula()),
        ("[] S@L", formula()),
        ("GSVAR(0) == 1", formula()),
        ("x = 1", formula()),
        ("a: [] x\nb [] y\nc: <>\nd: x\nd: y", ClaimText::File),
        ("a: x\nd: x\nd: y\ninit: x", ClaimText::File),
        ("a: x\nd: x\nd: y", ClaimText::File),
        ("#property\n#propperty x", ClaimText::File),
    ];
    let mut text = String::new();
    for (wrong, kind) in wrong {
        let said = with(&[(&[wrong], kind.clone())]).expect_err("refused");
        assert!(!said.contains("m.pml"), "{said}");
        text += &format!("== {wrong}\n{said}\n");
    }
    insta::assert_snapshot!(text);
    let two = with(&[(&["[] x"], formula()), (&["[] y"], formula())]).expect_err("two of a name");
    assert!(two.contains("P0305"), "{two}");
}

#[test]
fn macros_of_claims_are_not_the_models() {
    let claims: &[(&[&str], ClaimText)] =
        &[(&["#define VARSIZE 9\na: [] (x == VARSIZE)"], ClaimText::File)];
    let lowered = lower_with("m.pml", MODEL, claims, &mut native()).expect("a model");
    assert!(shown(&lowered.program).contains("x == VARSIZE  =  x == 9"));
    assert_eq!((lowered.model, lowered.bound), (None, None));
}

#[test]
fn properties_keep_their_numbers_with_more_processes() {
    let names = |slots: u32| {
        let mut map = taut_source::SourceMap::new();
        let file = map.add("m.pml", format!("{MODEL} ltl r {{ [] (T:_pid < 4) }}"));
        let options = taut_promela::Options::default();
        let parsed = taut_promela::parse(&mut map, file, &options, &mut native()).expect("a model");
        let slots = [("T".to_owned(), slots)].into();
        let options = taut_promela::LowerOptions { slots, ..Default::default() };
        let program = taut_promela::lower(&parsed, &options).expect("a program").program;
        assert_eq!(taut_ir::validate::validate(&program), Ok(()));
        program.properties.iter().map(|p| p.name.clone()).collect::<Vec<_>>()
    };
    assert_eq!(names(1), names(5));
}

#[test]
fn marks_of_labels_are_told() {
    let lowered = lowered(MODEL);
    let progress = lowered.progress.expect("a progress label");
    assert!(lowered.program.show_expr(None, &progress).to_string().contains("T#1@progress"));
    assert_eq!(lowered.accept, None);
}
