//! `--witness` as a user types it. What is in the file is tested in the library.

use crate::command;

use command::{code, path, scratch, shown, stderr, taut};

const LOST: &str = "\
byte x;
active proctype q() { (x > 0 && _nr_pr == 1); assert(x == 2) }
active [2] proctype p() { byte t; t = x; x = t + 1 }
";

#[test]
fn a_violation_and_a_proof_are_written() {
    let (file, to) = (scratch("lost.pml", LOST), scratch("lost.yml", "as it was"));
    let check = ["check", path(&file), "--model", "sc", "--witness", path(&to)];
    let output = taut(&check);
    assert_eq!(code(&output), 1, "{}", shown(&output));
    let text = std::fs::read_to_string(&to).expect("a witness");
    assert!(text.starts_with("- entry_type: violation_sequence\n"), "{text}");
    assert!(text.contains("type: target"), "{text}");
    let output = taut(&["check", "examples/c/peterson.c", "--model", "sc", "--witness", path(&to)]);
    assert_eq!(code(&output), 0, "{}", shown(&output));
    let text = std::fs::read_to_string(&to).expect("a witness");
    assert!(text.starts_with("- entry_type: invariant_set\n"), "{text}");
    assert!(text.contains("file_name: \"examples/c/peterson.c\""), "{text}");
}

#[test]
fn what_the_format_cannot_say_is_refused_or_told() {
    let to = scratch("kept.yml", "as it was");
    let refused = [
        (["examples/c/peterson.c", "--model", "tso"], "add `--model sc`"),
        (["examples/peterson.taut", "--model", "sc"], "C or Promela"),
    ];
    for (words, why) in refused {
        let output = taut(&[&["check"], &words[..], &["--witness", path(&to)]].concat());
        assert_eq!(code(&output), 3, "{}", shown(&output));
        assert!(stderr(&output).contains(why), "{}", shown(&output));
    }
    let stuck = scratch("stuck.pml", "byte x; active proctype p() { x == 1 }\n");
    let output = taut(&["check", path(&stuck), "--model", "sc", "--witness", path(&to)]);
    assert_eq!(code(&output), 1, "{}", shown(&output));
    assert!(stderr(&output).contains("is not written"), "{}", shown(&output));
    assert_eq!(std::fs::read_to_string(&to).expect("a file"), "as it was");
}
