//! Finding and reading test files, shared by the tests of this crate.

pub mod machine;

use std::path::{Path, PathBuf};

use serde_json::Value;
use taut_litmus::Test;
use taut_source::SourceMap;

/// The root of the workspace.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The repository's own tests.
pub fn own() -> PathBuf {
    root().join("testdata/litmus")
}

/// The shared corpus: `TAUT_CORPUS`, else `../shared/corpus`. Says aloud if there is none.
pub fn corpus() -> Option<PathBuf> {
    let path = match std::env::var_os("TAUT_CORPUS") {
        Some(path) => PathBuf::from(path),
        None => root().join("../shared/corpus"),
    };
    if path.join("litmus").is_dir() {
        return Some(path);
    }
    eprintln!("SKIPPED: no corpus at {} (set TAUT_CORPUS)", path.display());
    None
}

/// All litmus files under a folder, as paths relative to it, sorted.
pub fn files(folder: &Path) -> Vec<String> {
    let mut found = Vec::new();
    let mut todo = vec![folder.to_owned()];
    while let Some(next) = todo.pop() {
        for entry in std::fs::read_dir(&next).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                todo.push(path);
            } else if path.extension().is_some_and(|e| e == "litmus") {
                found.push(path.strip_prefix(folder).unwrap().to_str().unwrap().to_owned());
            }
        }
    }
    found.sort();
    found
}

/// Parses a file that must be good.
pub fn parse_file(path: &Path) -> Test {
    let text = std::fs::read(path).unwrap();
    let mut map = SourceMap::new();
    let file = map.add_bytes(path.to_str().unwrap(), text).unwrap();
    taut_litmus::parse(&map, file)
        .unwrap_or_else(|errors| panic!("{}", taut_source::render_all(&map, &errors, false)))
}

/// Parses a text that must be good.
pub fn parse_text(text: &str) -> Test {
    let mut map = SourceMap::new();
    let file = map.add("test.litmus", text);
    let test = taut_litmus::parse(&map, file)
        .unwrap_or_else(|errors| panic!("{}", taut_source::render_all(&map, &errors, false)));
    assert_eq!(taut_ir::validate::validate(&test.program), Ok(()));
    test
}

/// The messages about a text that must be bad.
pub fn errors_of(name: &str, text: &str) -> String {
    let mut map = SourceMap::new();
    let file = map.add(name, text);
    match taut_litmus::read(&mut map, file) {
        Ok(_) => panic!("{name} is accepted"),
        Err(errors) => taut_source::render_all(&map, &errors, false),
    }
}

/// The lines of a file of JSON objects.
pub fn json_lines(path: &Path) -> Vec<Value> {
    let text = std::fs::read_to_string(path).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}
