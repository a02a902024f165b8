//! Broken programs and what is said about each: `bad/NAME.taut` and the snapshot of the same name.

use std::path::Path;

use taut_diag::{SourceMap, render_all};
use taut_lang::Options;

/// All messages about a text, as a person sees them.
fn messages(name: &str, text: String) -> String {
    let mut map = SourceMap::new();
    let file = map.add(name, text);
    match taut_lang::parse(&map, file, &Options::default()) {
        Ok(_) => panic!("{name} is accepted"),
        Err(diagnostics) => render_all(&map, &diagnostics, false),
    }
}

#[test]
fn messages_are_what_a_person_needs() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/bad");
    let files = std::fs::read_dir(folder).expect("the folder of broken programs");
    let mut paths: Vec<_> = files.map(|f| f.expect("a file").path()).collect();
    paths.retain(|p| p.extension().is_some_and(|e| e == "taut"));
    paths.sort();
    assert!(paths.len() >= 45, "only {} broken programs", paths.len());
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path("bad");
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    for path in paths {
        let name = path.file_stem().and_then(|n| n.to_str()).expect("a plain name").to_string();
        let text = std::fs::read_to_string(&path).expect("a readable file");
        let shown = messages(&format!("{name}.taut"), text);
        settings.bind(|| insta::assert_snapshot!(name, shown));
    }
}

#[test]
fn every_code_has_a_broken_program() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/bad");
    let mut seen = String::new();
    for file in std::fs::read_dir(folder).expect("the folder of broken programs") {
        let path = file.expect("a file").path();
        if path.extension().is_some_and(|e| e == "snap") {
            seen.push_str(&std::fs::read_to_string(path).expect("a readable file"));
        }
    }
    // Programs that are too large are made in `hostile.rs`.
    for (code, what) in taut_lang::codes::CODES.iter().filter(|(code, _)| *code != "T0401") {
        assert!(seen.contains(code), "no broken program shows {code}: {what}");
    }
}
