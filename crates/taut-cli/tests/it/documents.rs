//! Documents name what exists: every path in backticks is a file or a folder of the repository, and the map stays a map.

use std::path::{Path, PathBuf};

use taut_testkit::suite::root;

/// Folders at the root that documents name paths of.
const FOLDERS: [&str; 8] =
    ["attack/", "bench/", "book/", "crates/", "examples/", "fuzz/", "scripts/", "testdata/"];

/// The number of bytes that a newcomer reads in one sitting.
const MOST_BYTES: usize = 15_000;

/// Markdown files of a folder, not of folders in it.
fn pages(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).expect("a folder");
    let paths = entries.map(|entry| entry.expect("an entry").path());
    paths.filter(|path| path.extension().is_some_and(|e| e == "md")).collect()
}

/// The documents for contributors, and the README of each crate. The changelog speaks of the past.
fn documents() -> Vec<PathBuf> {
    let root = root();
    let crates = std::fs::read_dir(root.join("crates")).expect("the crates");
    let folders = crates.map(|entry| entry.expect("a crate").path());
    let all = std::iter::once(root.clone()).chain([root.join("book/src")]).chain(folders);
    let pages = all.flat_map(|folder| pages(&folder));
    pages.filter(|page| !page.ends_with("CHANGELOG.md")).collect()
}

/// The words in backticks, outside of blocks of code.
fn quoted(text: &str) -> Vec<&str> {
    let mut words = Vec::new();
    let mut is_code = false;
    for line in text.lines() {
        is_code ^= line.trim_start().starts_with("```");
        if !is_code {
            words.extend(line.split('`').skip(1).step_by(2));
        }
    }
    words
}

/// Whether a word names something in the repository, as opposed to a pattern or a command.
fn is_path(word: &str) -> bool {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./".contains(c);
    FOLDERS.iter().any(|folder| word.starts_with(folder)) && word.chars().all(plain)
}

#[test]
fn every_path_that_a_document_names_exists() {
    let (mut named, mut missing) = (0, Vec::new());
    for document in documents() {
        let text = std::fs::read_to_string(&document).expect("a document");
        for word in quoted(&text).into_iter().filter(|word| is_path(word)) {
            named += 1;
            // Names of a crate or a test that the reader is to make are written in capitals.
            let is_made_up = word.split(['/', '.', '-']).any(|part| part == "NAME");
            if !is_made_up && !root().join(word).exists() {
                missing.push(format!("{}: {word}", document.display()));
            }
        }
    }
    assert!(missing.is_empty(), "these do not exist:\n{}", missing.join("\n"));
    assert!(named >= 100, "{named} paths are named; is this test looking at the documents?");
}

#[test]
fn the_map_is_read_in_one_sitting() {
    let map = std::fs::read_to_string(root().join("ARCHITECTURE.md")).expect("ARCHITECTURE.md");
    assert!(map.len() <= MOST_BYTES, "ARCHITECTURE.md has {} bytes", map.len());
}
