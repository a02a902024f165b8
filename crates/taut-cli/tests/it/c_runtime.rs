//! Threads and locks of the C library mean what they should.

use super::command::{shown, stdout, taut};

#[test]
fn threads_and_locks_of_the_c_library_have_their_meaning() {
    let output = taut(&["check", "crates/taut-c/tests/runtime", "--timeout", "300s"]);
    assert_eq!(output.status.code(), Some(0), "{}", shown(&output));
    let counted = "69 expectations in 23 files: 69 met";
    assert!(stdout(&output).contains(counted), "{}", shown(&output));
}
