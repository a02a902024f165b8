//! No crate of the engine asks a clock that a page does not have.

use std::path::Path;

/// Crates that are never compiled for a page.
const NATIVE: [&str; 8] = [
    "taut-cli",
    "taut-lsp",
    "taut-run",
    "taut-serve",
    "taut-simulate",
    "taut-testkit",
    "taut-budget",
    "taut-cluster",
];

fn sources(folder: &Path, found: &mut Vec<std::path::PathBuf>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        match path.is_dir() {
            true => sources(&path, found),
            false if path.extension().is_some_and(|e| e == "rs") => found.push(path),
            false => {}
        }
    }
}

/// `std::time::Instant::now` panics on `wasm32-unknown-unknown`; `taut_budget::Instant` does not.
#[test]
fn the_engine_asks_the_clock_of_the_budget() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the crates");
    let (mut files, mut wrong) = (Vec::new(), Vec::new());
    for entry in std::fs::read_dir(crates).expect("crates").flatten() {
        if !NATIVE.iter().any(|name| entry.file_name() == *name) {
            sources(&entry.path().join("src"), &mut files);
        }
    }
    assert!(files.len() > 300, "{}", files.len());
    for file in files.iter().filter(|file| !file.components().any(|c| c.as_os_str() == "tests")) {
        let text = std::fs::read_to_string(file).expect("a source");
        let code = text.split("#[cfg(test)]").next().unwrap_or_default();
        let asks = code.lines().any(|l| l.contains("std::time") && l.contains("Instant"));
        if asks {
            wrong.push(file.display().to_string());
        }
    }
    assert_eq!(wrong, Vec::<String>::new());
}
