//! Finding the oracles: programs written by other people, with the answers they must get.

use std::fs::OpenOptions;
use std::io::Write;
use std::path::{Path, PathBuf};

use crate::suite::root;

/// The folder of the oracles: the value of `TAUT_CORPUS`, else `../shared/corpus` next to the checkout.
/// Where there is none the test that wants it is counted as one that did not run ([`skipped`]).
pub fn find(wanted_by: &str) -> Option<PathBuf> {
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus");
    let named = std::env::var_os("TAUT_CORPUS").map(PathBuf::from);
    let folder = named.unwrap_or(beside);
    if folder.is_dir() {
        return Some(folder);
    }
    skipped(wanted_by, &format!("no corpus at {} (set TAUT_CORPUS)", folder.display()));
    None
}

/// The file in which tests that did not run are counted, one per line. `make units` empties it before the tests, and
/// prints it after them.
pub fn skipped_file() -> PathBuf {
    let target = std::env::var_os("CARGO_TARGET_DIR").unwrap_or_else(|| "target".into());
    root().join(target).join("skipped-tests.txt")
}

/// Says that a test does not run, on standard error and in [`skipped_file`]: a runner of tests hides the output of those
/// that pass.
pub fn skipped(wanted_by: &str, why: &str) {
    let line = format!("SKIPPED: {wanted_by}: {why}\n");
    // Written to the handle itself: the macro would be captured.
    let _ = std::io::stderr().write_all(line.as_bytes());
    let file = OpenOptions::new().create(true).append(true).open(skipped_file());
    if let Err(error) = file.and_then(|mut file| file.write_all(line.as_bytes())) {
        panic!("{}: {error}", skipped_file().display());
    }
}
