//! Broken and unsupported programs and what is said about each: `bad/NAME.c` and the snapshot of the same name.

use std::path::{Path, PathBuf};

use taut_c::preprocess::Options;
use taut_source::{Diagnostics, SourceMap, render_all};

use crate::sema_corpus::analyse_file;

/// The files of the folder with an extension, sorted.
fn broken(extension: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/bad");
    let files = std::fs::read_dir(folder).expect("the folder of broken programs");
    let mut paths: Vec<_> = files.map(|f| f.expect("a file").path()).collect();
    paths.retain(|p| p.extension().is_some_and(|e| e == extension));
    paths.sort();
    paths
}

/// All messages about a text, as a person sees them: mistakes, or refusals and warnings if there are none.
fn messages(name: &str, text: &str) -> String {
    let mut map = SourceMap::new();
    let diagnostics = match analyse_file(&mut map, name, text, &Options::default()) {
        Err(mistakes) => mistakes,
        Ok(unit) => {
            let mut all: Diagnostics = unit.warnings.clone();
            let functions = unit.functions.iter().filter_map(|f| f.refused.as_ref());
            let globals = unit.globals.iter().filter_map(|g| g.refused.as_ref());
            functions.chain(globals).for_each(|d| all.push((**d).clone()));
            all
        }
    };
    assert!(!diagnostics.is_empty(), "{name} is accepted");
    for diagnostic in diagnostics.iter().filter(|d| d.code.starts_with("C01")) {
        assert!(!diagnostic.label.is_empty() && diagnostic.help.is_some(), "{diagnostic:?}");
    }
    render_all(&map, &diagnostics, false)
}

#[test]
fn messages_are_what_a_person_needs() {
    let paths = broken("c");
    assert!(paths.len() >= 30, "only {} broken programs", paths.len());
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path("../bad");
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    for path in paths {
        let name = path.file_stem().and_then(|n| n.to_str()).expect("a plain name").to_string();
        let text = std::fs::read_to_string(&path).expect("a readable file");
        let shown = messages(&format!("{name}.c"), &text);
        settings.bind(|| insta::assert_snapshot!(name, shown));
    }
}

#[test]
fn every_code_has_a_broken_program() {
    let texts = broken("snap").into_iter().map(|p| std::fs::read_to_string(p).expect("a file"));
    let seen: String = texts.collect();
    // Programs that nest too deeply are made in `sema.rs`.
    for (code, what) in taut_c::sema::codes::CODES.iter().filter(|(code, _)| *code != "C0125") {
        assert!(seen.contains(code), "no broken program shows {code}: {what}");
    }
}
