//! Broken models and what is said about each: `bad/NAME.pml` and the snapshot of the same name.

use taut_promela::{Headers, LowerOptions, Options};
use taut_source::{SourceMap, render_all};
use taut_testkit::broken;

/// Names and texts of the files about broken models.
fn files(extension: &str) -> Vec<(String, String)> {
    broken::files(env!("CARGO_MANIFEST_DIR"), extension)
}

/// All messages about a text, as a person sees them: mistakes, or warnings if there are none. A first line
/// `/* --ghost x */` is a word of the command line.
fn messages(name: &str, text: String) -> String {
    let ghost = text.strip_prefix("/* --ghost ").and_then(|rest| rest.split(' ').next());
    let ghosts = ghost.map(str::to_owned).into_iter().collect();
    let lowering = LowerOptions { ghosts, ..LowerOptions::default() };
    let mut map = SourceMap::new();
    let file = map.add(name, text);
    let cycle = "#include \"cycle.h\"\n";
    let mut headers = Headers::on_disk().with("cycle.h", cycle).with("tso.h", "");
    let parsed = taut_promela::parse(&mut map, file, &Options::default(), &mut headers);
    let lowered = parsed.and_then(|parsed| {
        let warnings = parsed.warnings.clone();
        Ok((taut_promela::lower(&parsed, &lowering)?, warnings))
    });
    let diagnostics = lowered.map_or_else(
        |mistakes| mistakes,
        |(lowered, mut warnings)| {
            warnings.extend(lowered.warnings);
            warnings.extend(lowered.relaxed_warnings);
            warnings
        },
    );
    assert!(!diagnostics.is_empty(), "{name} is accepted");
    render_all(&map, &diagnostics, false)
}

#[test]
fn messages_are_what_a_person_needs() {
    let models = files("pml");
    assert!(models.len() >= 35, "only {} broken models", models.len());
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path("../bad");
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    for (name, text) in models {
        let shown = messages(&format!("{name}.pml"), text);
        settings.bind(|| insta::assert_snapshot!(name, shown));
    }
}

#[test]
fn every_code_has_a_broken_model() {
    let seen: String = files("snap").into_iter().map(|(_, text)| text).collect();
    // Models that are too large are made in `hostile.rs`.
    for (code, what) in taut_promela::codes::CODES.iter().filter(|(code, _)| *code != "P0017") {
        assert!(seen.contains(code), "no broken model shows {code}: {what}");
    }
}
