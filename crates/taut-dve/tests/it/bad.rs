//! Broken models and what is said about each: `bad/NAME.dve` and the snapshot of the same name.

use std::collections::BTreeSet;

use taut_source::{SourceMap, render_all};
use taut_testkit::broken;

/// All messages about a text, as a person sees them.
fn messages(name: &str, text: String) -> String {
    let mut map = SourceMap::new();
    let file = map.add(name, text);
    match taut_dve::parse(&map, file) {
        Ok(_) => panic!("{name} is accepted"),
        Err(diagnostics) => render_all(&map, &diagnostics, false),
    }
}

/// Names and texts of the broken models.
fn files() -> Vec<(String, String)> {
    broken::files(env!("CARGO_MANIFEST_DIR"), "dve")
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
    let models = files();
    assert!(models.len() >= 22, "only {} broken models", models.len());
    for (name, text) in models {
        compare(&name, &messages(&format!("{name}.dve"), text));
    }
}

/// The codes that reading a model can give, warnings aside, all have a model that shows them.
#[test]
fn every_error_has_an_example() {
    let shown: Vec<_> = files().into_iter().map(|(name, text)| messages(&name, text)).collect();
    let reading = taut_dve::CODES.iter().map(|(code, _)| *code).filter(|code| *code < "D0400");
    let missing: BTreeSet<_> = reading
        .filter(|code| !["D0012", "D0014", "D0106", "D0200", "D0205"].contains(code))
        .filter(|code| !shown.iter().any(|text| text.contains(&format!("error[{code}]"))))
        .collect();
    assert!(missing.is_empty(), "no broken model for {missing:?}");
}
