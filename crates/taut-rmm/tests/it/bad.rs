//! Broken programs and what is said about each: `bad/NAME.rmm` and the snapshot of the same name.

use std::collections::BTreeSet;

use taut_source::{SourceMap, render_all};
use taut_testkit::broken;

/// All messages about a text, as a person sees them.
fn messages(name: &str, text: String) -> String {
    let mut map = SourceMap::new();
    let file = map.add(name, text);
    match taut_rmm::parse(&map, file) {
        Ok(_) => panic!("{name} is accepted"),
        Err(diagnostics) => render_all(&map, &diagnostics, false),
    }
}

/// Names and texts of the broken programs.
fn files() -> Vec<(String, String)> {
    broken::files(env!("CARGO_MANIFEST_DIR"), "rmm")
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
    let programs = files();
    assert!(programs.len() >= 35, "only {} broken programs", programs.len());
    for (name, text) in programs {
        compare(&name, &messages(&format!("{name}.rmm"), text));
    }
}

/// Every code is shown by some broken program, except a warning and what only the command line can say. Texts that are
/// too large or too deep are in `hostile.rs`.
#[test]
fn every_error_has_an_example() {
    let shown: Vec<_> = files().into_iter().map(|(name, text)| messages(&name, text)).collect();
    let elsewhere = ["R0012", "R0203", "R0204", "R0400", "R0402"];
    let missing: BTreeSet<_> = taut_rmm::CODES
        .iter()
        .map(|(code, _)| *code)
        .filter(|code| !elsewhere.contains(code))
        .filter(|code| !shown.iter().any(|text| text.contains(&format!("error[{code}]"))))
        .collect();
    assert!(missing.is_empty(), "no broken program for {missing:?}");
}
