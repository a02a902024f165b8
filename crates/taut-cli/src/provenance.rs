//! What answers depend on: the arguments of this command.

use std::ffi::OsString;
use std::sync::OnceLock;

use taut::{Loaded, Provenance};

/// What answers about a program depend on, this command's arguments included.
pub fn of(loaded: &Loaded) -> Provenance {
    loaded.provenance(arguments())
}

/// The arguments of the check that this command goes on with.
static RESUMED: OnceLock<Vec<String>> = OnceLock::new();

/// Says that this command goes on with a check that had these arguments, the name of the program first.
pub fn resume(arguments: Vec<OsString>) {
    let _ = RESUMED.set(texts(arguments));
}

/// The arguments of this command, or of the check that it goes on with.
pub fn arguments() -> Vec<String> {
    RESUMED.get().cloned().unwrap_or_else(|| texts(std::env::args_os()))
}

/// Arguments without the name of the program, as text.
fn texts(arguments: impl IntoIterator<Item = OsString>) -> Vec<String> {
    arguments.into_iter().skip(1).map(|word| word.to_string_lossy().into_owned()).collect()
}
