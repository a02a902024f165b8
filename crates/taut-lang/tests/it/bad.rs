//! Broken programs and what is said about each: `bad/NAME.taut` and the snapshot of the same name.

use taut_lang::{Claim, ClaimText, Options};
use taut_ltl::Automaton;
use taut_source::{SourceMap, render_all};
use taut_testkit::broken;

/// All messages about a text, as a person sees them.
fn messages(name: &str, text: String) -> String {
    let mut map = SourceMap::new();
    let file = map.add(name, text);
    match taut_lang::parse(&map, file, &Options::default()) {
        Ok(_) => panic!("{name} is accepted"),
        Err(diagnostics) => render_all(&map, &diagnostics, false),
    }
}

/// All messages about claims on a program that has constants, arrays, instances and a property `inv`.
fn messages_about(map: &mut SourceMap, claims: &[Claim]) -> String {
    let program = "const N = 2; shared int x, y, flag[N]; invariant inv: x < N;
        process p[N] begin local int r; cs: x := 1; end";
    let file = map.add("program.taut", program);
    match taut_lang::parse_with_claims(map, file, &Options::default(), claims) {
        Ok(_) => panic!("{claims:?} is accepted"),
        Err(diagnostics) => render_all(map, &diagnostics, false),
    }
}

/// Names and texts of the files in the folder with an extension.
fn files(extension: &str) -> Vec<(String, String)> {
    broken::files(env!("CARGO_MANIFEST_DIR"), extension)
}

fn compare(name: &str, shown: &str) {
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path("../bad");
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| insta::assert_snapshot!(name, shown));
}

#[test]
fn messages_are_what_a_person_needs() {
    let programs = files("taut");
    assert!(programs.len() >= 45, "only {} broken programs", programs.len());
    for (name, text) in programs {
        compare(&name, &messages(&format!("{name}.taut"), text));
    }
}

#[test]
fn messages_about_files_of_formulas() {
    for (name, text) in files("ltl") {
        let mut map = SourceMap::new();
        let files = vec![map.add(format!("{name}.ltl"), text)];
        let claim = Claim { files, text: ClaimText::File };
        compare(&format!("claims_{name}"), &messages_about(&mut map, &[claim]));
    }
}

#[test]
fn messages_about_formulas_and_automata() {
    let mut map = SourceMap::new();
    let claim = |map: &mut SourceMap, texts: &[&str], text: ClaimText| {
        let files = texts.iter().map(|t| map.add("--ltl", *t)).collect();
        Claim { files, text }
    };
    let formula = |name: &str| ClaimText::Formula { name: name.into() };
    let automaton = |name: &str| {
        let automaton = Automaton { atoms: 2, ..Automaton::default() };
        ClaimText::Automaton { name: name.into(), automaton }
    };
    let claims = [
        claim(&mut map, &["[] (flg[1] == N)"], formula("ltl_1")),
        claim(&mut map, &["[] x == 1"], formula("ltl_2")),
        claim(&mut map, &[""], formula("ltl_3")),
        claim(&mut map, &["<> x; <> y"], formula("ltl_4")),
        claim(&mut map, &[], formula("ltl_5")),
        claim(&mut map, &["<> x"], formula("inv")),
        claim(&mut map, &["x", "X y"], automaton("hoa_1")),
        claim(&mut map, &["x"], automaton("hoa_2")),
    ];
    compare("claims_of_the_command_line", &messages_about(&mut map, &claims));
}

#[test]
fn every_code_has_a_broken_program() {
    let seen: String = files("snap").into_iter().map(|(_, text)| text).collect();
    // Programs that are too large are made in `hostile.rs`.
    for (code, what) in taut_lang::codes::CODES.iter().filter(|(code, _)| *code != "T0401") {
        assert!(seen.contains(code), "no broken program shows {code}: {what}");
    }
}
