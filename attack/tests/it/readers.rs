//! The inputs in `testdata/fuzz`, and mutations of the examples, read by every reader.

use std::fs;
use std::panic::catch_unwind;
use std::path::{Path, PathBuf};

use taut_attack::readers::ALL;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// The files of a folder, sorted.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
    let mut files: Vec<_> = entries.map(|entry| entry.expect("an entry").path()).collect();
    files.sort();
    files
}

#[test]
fn every_kept_input_is_read_or_refused() {
    for (name, read) in ALL {
        let folder = root().join("testdata/fuzz").join(name);
        let files = files(&folder);
        assert!(!files.is_empty(), "no inputs in {}", folder.display());
        for file in files {
            let bytes = fs::read(&file).expect("an input");
            let read = catch_unwind(|| read(&bytes));
            assert!(read.is_ok(), "{name}: {}", file.display());
        }
    }
}

#[test]
fn every_reader_has_a_target_of_its_own() {
    for (name, _) in ALL {
        let target = root().join("fuzz/fuzz_targets").join(name).with_extension("rs");
        let text = fs::read_to_string(&target).expect("a target");
        assert!(text.contains("taut_attack::readers::"), "{}", target.display());
        let manifest = fs::read_to_string(root().join("fuzz/Cargo.toml")).expect("a manifest");
        assert!(
            manifest.contains(&format!("name = \"{name}\"")),
            "{name} is not in fuzz/Cargo.toml"
        );
    }
}
