//! Changes as a unified diff.

use similar::TextDiff;

/// A unified diff that `patch -p0` applies; empty if nothing changes.
pub fn unified(file: &str, original: &str, text: &str) -> String {
    let diff = TextDiff::from_lines(original, text);
    diff.unified_diff().context_radius(3).header(file, file).to_string()
}
