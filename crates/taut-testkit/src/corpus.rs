//! Finding the oracles: programs written by other people, with the answers they must get.

use std::path::{Path, PathBuf};

/// The folder of the oracles: what `TAUT_CORPUS` names, else `../shared/corpus` beside the checkout.
/// Where there is none this says so aloud on standard error, past the test harness, and gives none.
pub fn find(wanted_by: &str) -> Option<PathBuf> {
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus");
    let named = std::env::var_os("TAUT_CORPUS").map(PathBuf::from);
    let folder = named.unwrap_or(beside);
    if folder.is_dir() {
        return Some(folder);
    }
    use std::io::Write;
    // Written to the handle itself: the macro would be captured and nobody would see it.
    let _ = writeln!(
        std::io::stderr(),
        "SKIPPED: {wanted_by}: no corpus at {} (set TAUT_CORPUS)",
        folder.display()
    );
    None
}
