//! Harnesses are C that two compilers accept without a word.

use std::path::Path;
use std::process::Command;

use taut::export::{Harness, Loads, harness};
use taut::load::{LoadOptions, from_path};
use taut::{Granularity, litmus};
use taut_testkit::corpus::skipped;
use taut_testkit::suite::root;

use super::{is_there, soak};

const FLAGS: [&str; 6] = ["-std=gnu11", "-Wall", "-Wextra", "-Werror", "-pthread", "-fsyntax-only"];

/// The harness of a file, if it can be run.
fn harness_of(path: &Path) -> Option<Harness> {
    let is_litmus = path.extension().is_some_and(|e| e == "litmus");
    let granularity = if is_litmus { None } else { Some(Granularity::Statement) };
    let loaded = from_path(path, LoadOptions { granularity, ..LoadOptions::default() });
    let loaded = loaded.unwrap_or_else(|error| panic!("{error}"));
    match loaded.litmus() {
        Some(test) => harness(&test.program, &litmus::watched(test), Loads::Once).ok(),
        None => harness(&loaded.program, &[], Loads::Each).ok(),
    }
}

fn files(folder: &str, extension: &str) -> Vec<std::path::PathBuf> {
    let entries = std::fs::read_dir(root().join(folder)).expect("a folder");
    let mut all: Vec<_> = entries.map(|e| e.expect("an entry").path()).collect();
    all.retain(|path| path.extension().is_some_and(|e| e == extension));
    all.sort();
    all
}

fn compile(compiler: &str, source: &Path, what: &Path) {
    let output = Command::new(compiler).args(FLAGS).arg(source).output().expect("it starts");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{compiler}: {}: {said}", what.display());
}

#[test]
fn harnesses_compile_without_a_warning() {
    let folder = tempfile::tempdir().expect("a folder");
    let source = folder.path().join("harness.c");
    let rounds = root().join("crates/taut-run/src/rounds.c");
    let step = if soak() > 1 { 1 } else { 7 };
    let mut written = 0;
    let mut all = files("examples", "taut");
    all.extend(files("testdata/litmus/locked", "litmus"));
    all.extend(files("testdata/litmus/instructions", "litmus").into_iter().step_by(4));
    let runnable: Vec<_> = all.iter().filter_map(|f| Some((f, harness_of(f)?))).collect();
    assert!(runnable.len() >= 70, "{} of {}", runnable.len(), all.len());
    for compiler in ["gcc", "clang"] {
        if !is_there(compiler) {
            skipped("harnesses_compile_without_a_warning", compiler);
            continue;
        }
        compile(compiler, &rounds, &rounds);
        for (file, harness) in runnable.iter().step_by(step) {
            std::fs::write(&source, &harness.text).expect("a file");
            compile(compiler, &source, file);
            written += 1;
        }
    }
    assert!(written >= 10, "{written}");
}
