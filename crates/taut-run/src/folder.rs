//! The folder that all files of a run are in.

use std::fs;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use crate::failure::{Failure, system};

/// A folder: one that only its owner can read and that is removed at the end, or one that is kept.
pub(crate) enum Folder {
    Temporary(TempDir),
    Kept(PathBuf),
}

impl Folder {
    pub(crate) fn new(keep: Option<&Path>) -> Result<Folder, Failure> {
        let Some(kept) = keep else {
            // `tempfile` makes folders that only their owner can read.
            let folder = tempfile::Builder::new().prefix("taut-run-").tempdir();
            return folder.map(Folder::Temporary).map_err(system("no temporary folder"));
        };
        fs::create_dir_all(kept).map_err(system(format!("cannot create `{}`", kept.display())))?;
        // Relative names would mean another file to a program that is looked for in the search path.
        let whole = kept.canonicalize();
        whole.map(Folder::Kept).map_err(system(format!("cannot use `{}`", kept.display())))
    }

    /// The path of a file in it.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        match self {
            Folder::Temporary(folder) => folder.path().join(name),
            Folder::Kept(folder) => folder.join(name),
        }
    }

    /// Writes a file into it.
    pub(crate) fn write(&self, name: &str, text: &str) -> Result<PathBuf, Failure> {
        let path = self.path(name);
        fs::write(&path, text).map_err(system(format!("cannot write `{}`", path.display())))?;
        Ok(path)
    }
}
