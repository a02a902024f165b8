//! The pages for people: the book, the README and what else has commands or links in it.

mod links;
mod programs;
pub mod update;

use std::path::{Path, PathBuf};

use taut_testkit::suite::root;

/// Where the book is.
pub fn book() -> PathBuf {
    root().join("book/src")
}

/// All pages, those of the book in all its folders.
pub fn pages() -> Vec<PathBuf> {
    let mut all = Vec::new();
    collect(&book(), &mut all);
    all.extend(
        ["README.md", "CONTRIBUTING.md", "ARCHITECTURE.md", "examples/README.md"]
            .map(|file| root().join(file)),
    );
    all.sort();
    all
}

fn collect(folder: &Path, pages: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("a folder of the book") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            collect(&path, pages);
        } else if path.extension().is_some_and(|e| e == "md") {
            pages.push(path);
        }
    }
}
