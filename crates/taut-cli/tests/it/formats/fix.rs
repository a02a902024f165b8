//! `taut fix`, and fixes in SARIF.

use super::Folder;
use crate::command::{code, stderr, stdout};

const WRONG: &str =
    "int x;\nprocess p[2] {\n  if (cmpxchg(x, 0, 1) == 0) x = TRUE;\n  smp_mb();\n}\n";
const RIGHT: &str =
    "shared int x;\nprocess p[2] {\n  if (cas_old(x, 0, 1) == 0) { x := true; }\n  fence;\n}\n";

#[test]
fn certain_fixes_are_made() {
    let folder = Folder::new("fix");
    folder.write("p.taut", WRONG);
    let output = folder.taut(&["fix", "p.taut"]);
    assert_eq!((stdout(&output).as_str(), code(&output)), (RIGHT, 0));
    assert_eq!(folder.read("p.taut"), WRONG, "nothing is written without --write");
    let output = folder.taut(&["fix", "p.taut", "--write"]);
    assert_eq!((stdout(&output).as_str(), code(&output)), ("", 0));
    assert_eq!(folder.read("p.taut"), RIGHT);
    let output = folder.taut(&["fix", "p.taut"]);
    assert_eq!((stdout(&output).as_str(), code(&output)), (RIGHT, 0), "nothing is left to fix");
}

#[test]
fn what_is_left_is_shown() {
    let folder = Folder::new("fix-left");
    folder.write("p.taut", "shared int x;\nprocess p { x = y; }\n");
    let output = folder.taut(&["fix", "p.taut"]);
    assert_eq!(code(&output), 3);
    assert!(stdout(&output).contains("x := y;"), "{}", stdout(&output));
    assert!(
        stderr(&output).contains("there is no variable or constant `y`"),
        "{}",
        stderr(&output)
    );
    folder.write("p.pml", "active proctype p() { skip }\n");
    assert_eq!(code(&folder.taut(&["fix", "p.pml"])), 3);
}

#[test]
fn sarif_has_fixes() {
    let folder = Folder::new("fix-sarif");
    folder.write("p.taut", "shared int x;\nprocess p { x = 1; }\n");
    let output = stdout(&folder.taut(&["check", "p.taut", "--format", "sarif"]));
    let log: serde_json::Value = serde_json::from_str(&output).expect("JSON");
    let change = &log["runs"][0]["results"][0]["fixes"][0]["artifactChanges"][0]["replacements"][0];
    assert_eq!(change["insertedContent"]["text"], ":=");
    assert_eq!(change["deletedRegion"]["startLine"], 2);
    assert_eq!(change["deletedRegion"]["startColumn"], 15);
    assert_eq!(change["deletedRegion"]["endColumn"], 16);
}
