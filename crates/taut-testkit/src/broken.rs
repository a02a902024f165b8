//! Broken programs of a front end: files in `tests/bad` of its crate.

use std::path::{Path, PathBuf};

/// Names and texts of the files in `tests/bad` of a crate's folder that have an extension, by name.
pub fn files(folder: &str, extension: &str) -> Vec<(String, String)> {
    let entries = std::fs::read_dir(Path::new(folder).join("tests/bad")).expect("tests/bad");
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("a file").path()).collect();
    paths.retain(|path| path.extension().is_some_and(|e| e == extension));
    paths.sort();
    let read = |path: &PathBuf| {
        let name = path.file_stem().and_then(|n| n.to_str()).expect("a plain name").to_string();
        (name, std::fs::read_to_string(path).expect("a readable file"))
    };
    paths.iter().map(read).collect()
}
