//! The programs of a folder.

use std::path::{Path, PathBuf};

use crate::load::Language;

/// All programs of known languages in a folder and the folders in it, sorted. Hidden entries are left out, and so
/// are folders behind links, which could lead back.
pub fn programs(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let (mut open, mut files) = (vec![folder.to_path_buf()], Vec::new());
    while let Some(folder) = open.pop() {
        let error = |e: std::io::Error| format!("cannot read `{}`: {e}", folder.display());
        for entry in std::fs::read_dir(&folder).map_err(error)? {
            let path = entry.map_err(error)?.path();
            if is_hidden(&path) {
                continue;
            }
            if path.is_dir() {
                if !path.is_symlink() {
                    open.push(path);
                }
            } else if Language::of_path(&path).is_some() && !is_special(&path) {
                files.push(path);
            }
        }
    }
    files.sort();
    Ok(files)
}

fn is_hidden(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name.to_string_lossy().starts_with('.'))
}

/// Whether it exists and is no file: a pipe would be waited for without end. A link to nothing stays in, so that
/// it is reported.
fn is_special(path: &Path) -> bool {
    path.exists() && !path.is_file()
}
