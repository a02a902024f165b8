//! Changes as a unified diff.

use similar::TextDiff;

/// A unified diff that `patch -p0` applies; empty if nothing changes.
///
/// Of names outside of the folder it is run in (`/a/x.taut`, `../x.taut`) `patch` takes no notice; there the file must
/// be named: `patch ../x.taut`.
pub fn unified(file: &str, original: &str, text: &str) -> String {
    let diff = TextDiff::from_lines(original, text);
    // A name with blanks ends at a tab, as in the diffs of git; else `patch` would end it at the first blank.
    let end = if file.contains(char::is_whitespace) { "\t" } else { "" };
    let name = format!("{file}{end}");
    diff.unified_diff().context_radius(3).header(&name, &name).to_string()
}
