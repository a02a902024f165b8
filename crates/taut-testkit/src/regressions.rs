//! Programs that a test failed on: `testdata/regressions`.
//!
//! A random test that fails writes its smallest failing program there ([`crate::cases`]), in the Taut language or as
//! the Promela model that it is, and names the file in its message. The test `regressions` of the crate `taut` runs
//! every file of the folder, so a failure is not lost with the terminal that showed it: fix the defect and commit the
//! file. Programs for which no language has words are written as `.txt`, as their data structures; the test
//! refuses those until they have become a named test.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};

use taut_ir::Program;

use crate::suite::root;

/// The folder of the repository.
pub fn folder() -> PathBuf {
    root().join("testdata/regressions")
}

/// The files of the folder, in order.
pub fn files() -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder()).expect("testdata/regressions");
    let mut paths: Vec<_> = entries.map(|e| e.expect("an entry").path()).collect();
    paths.retain(|path| path.file_name().is_some_and(|name| name != "README.md"));
    paths.sort();
    paths
}

/// A program that is kept if a test fails on it.
#[derive(Clone, Debug)]
pub enum Kept {
    /// A program, which is written in the Taut language.
    Program(Box<Program>),
    /// A model in Promela, which is written as it is.
    Promela(String),
}

impl Kept {
    /// The extension of its language and its text; that of its data structure if no language has words for it.
    fn text(&self) -> (&'static str, String) {
        match self {
            Kept::Promela(text) => ("pml", text.clone()),
            Kept::Program(program) => match taut_lang::print(program) {
                Ok(text) => ("taut", text),
                Err(_) => ("txt", format!("{program:#?}\n")),
            },
        }
    }

    /// Writes it below a name, with the reason in a comment above it. Equal programs of one test have one file.
    pub fn write(&self, folder: &Path, name: &str, reason: &str) -> std::io::Result<PathBuf> {
        let (extension, text) = self.text();
        let mut hasher = DefaultHasher::new();
        text.hash(&mut hasher);
        let file = format!("{name}-{:08x}.{extension}", hasher.finish() as u32);
        std::fs::create_dir_all(folder)?;
        let path = folder.join(file);
        std::fs::write(&path, comment(extension, reason) + &text)?;
        Ok(path)
    }
}

/// The reason as a comment of a language.
fn comment(extension: &str, reason: &str) -> String {
    match extension {
        // A star and a slash in the reason would end the comment.
        "pml" => format!("/* {} */\n", reason.trim().replace("*/", "* /")),
        _ => reason.trim().lines().map(|line| format!("// {line}\n")).collect(),
    }
}
