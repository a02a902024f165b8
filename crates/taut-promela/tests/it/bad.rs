//! Broken models and what is said about each: `bad/NAME.pml` and the snapshot of the same name.

use std::path::{Path, PathBuf};

use taut_promela::{Headers, LowerOptions, Options};
use taut_source::{SourceMap, render_all};

/// The broken models, sorted.
fn broken(extension: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/bad");
    let files = std::fs::read_dir(folder).expect("the folder of broken models");
    let mut paths: Vec<_> = files.map(|f| f.expect("a file").path()).collect();
    paths.retain(|p| p.extension().is_some_and(|e| e == extension));
    paths.sort();
    paths
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
    let paths = broken("pml");
    assert!(paths.len() >= 35, "only {} broken models", paths.len());
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path("../bad");
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    for path in paths {
        let name = path.file_stem().and_then(|n| n.to_str()).expect("a plain name").to_string();
        let text = std::fs::read_to_string(&path).expect("a readable file");
        let shown = messages(&format!("{name}.pml"), text);
        settings.bind(|| insta::assert_snapshot!(name, shown));
    }
}

#[test]
fn every_code_has_a_broken_model() {
    let texts =
        broken("snap").into_iter().map(|p| std::fs::read_to_string(p).expect("a readable file"));
    let seen: String = texts.collect();
    // Models that are too large are made in `hostile.rs`.
    for (code, what) in taut_promela::codes::CODES.iter().filter(|(code, _)| *code != "P0017") {
        assert!(seen.contains(code), "no broken model shows {code}: {what}");
    }
}
