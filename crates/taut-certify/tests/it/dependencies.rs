//! What the checker is made of: its crates, and its size.

use std::collections::BTreeSet;
use std::path::Path;

use taut_testkit::suite::root;

/// The crates that the checker may use, directly or not.
const ALLOWED: [&str; 14] = [
    "taut-budget",
    "taut-c",
    "taut-certify",
    "taut-dve",
    "taut-fault",
    "taut-ir",
    "taut-lang",
    "taut-litmus",
    "taut-ltl",
    "taut-promela",
    "taut-proof",
    "taut-rmm",
    "taut-source",
    "taut-witness",
];

/// The crates of Taut in the dependencies of a crate.
fn dependencies(name: &str) -> Vec<String> {
    let path = root().join("crates").join(name).join("Cargo.toml");
    let text = std::fs::read_to_string(path).expect("a manifest");
    let mut names = Vec::new();
    let mut is_listed = false;
    for line in text.lines() {
        if line.starts_with('[') {
            // Those of a target, too; not those of tests.
            is_listed = line.ends_with("dependencies]") && !line.ends_with("dev-dependencies]");
        } else if is_listed {
            names.extend(line.split(['.', ' ', '=']).next());
        }
    }
    let names = names.into_iter();
    names.filter(|name| *name == "taut" || name.starts_with("taut-")).map(String::from).collect()
}

#[test]
fn nothing_of_the_engines_is_used() {
    let mut known = BTreeSet::new();
    let mut left = vec!["taut-certify".to_string()];
    while let Some(name) = left.pop() {
        assert!(ALLOWED.contains(&name.as_str()), "the checker uses {name}");
        if known.insert(name.clone()) {
            left.extend(dependencies(&name));
        }
    }
    assert!(known.contains("taut-witness") && known.len() >= 10, "{known:?}");
}

/// Lines of code of a file: neither empty nor comments.
fn lines(file: &Path) -> usize {
    let text = std::fs::read_to_string(file).expect("text");
    let code = text.lines().map(str::trim).filter(|line| !line.is_empty());
    code.filter(|line| !line.starts_with("//")).count()
}

fn lines_in(folder: &Path) -> usize {
    let files = std::fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("a file"));
    files.map(|file| file.path()).filter(|path| path.is_file()).map(|path| lines(&path)).sum()
}

#[test]
fn it_can_be_read_in_an_evening() {
    // The control graph stands beside the replayer's steps, and the checker alone uses it.
    let graph = lines(&root().join("crates/taut-witness/src/control.rs"));
    let certify = lines_in(&root().join("crates/taut-certify/src")) + graph;
    let proof = lines_in(&root().join("crates/taut-proof/src"));
    let certify = certify + lines_in(&root().join("crates/taut-certify/src/repair"));
    println!("{certify} lines of the checker");
    assert!(certify <= 2_840, "{certify} lines of the checker");
    assert!(proof <= 1_100, "{proof} lines of the format, half of which write it");
}
