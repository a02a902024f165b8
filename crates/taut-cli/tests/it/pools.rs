//! Faults of pools in the words of the source: text, JSON and HTML.

use std::process::Command;

/// What `taut check` prints about a program, and the report that it writes.
fn checked(name: &str, body: &str) -> (String, String) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join(name);
    let head = "struct node { 0..3 value; ref node next; };\npool node[3];\nshared ref node top;\n";
    std::fs::write(&path, format!("{head}process p begin\n  ref node n = new node;\n{body}end\n"))
        .expect("a file");
    let report = folder.path().join("run.html");
    let mut command = Command::new(env!("CARGO_BIN_EXE_taut"));
    command.args(["check", name, "--model", "tso", "--full", "--report", "run.html"]);
    let output = command.current_dir(folder.path()).output().expect("taut runs");
    let printed = String::from_utf8_lossy(&output.stdout).into_owned();
    assert_eq!(output.status.code(), Some(1), "{printed}");
    (printed, std::fs::read_to_string(report).expect("a report"))
}

#[test]
fn a_fault_names_the_reference_and_the_record() {
    for (body, words) in [
        ("  free n;\n  n.value := 3;\n", "use after free of n (node[0])"),
        ("  free n;\n  free n;\n", "double free of n (node[0])"),
        ("  top := n;\n  free n;\n  top.value := 1;\n", "use after free of top (node[0])"),
        ("  top := n;\n  top.next.value := 1;\n", "top.next is followed, which is null"),
        ("  free top;\n", "free of top, which is null"),
        ("  ref node m;\n  m.value := 1;\n", "m is followed, which is null"),
    ] {
        let (printed, report) = checked("odd name.taut", body);
        assert!(printed.contains(words), "{words}: {printed}");
        assert!(!printed.contains("array index") && !printed.contains(" live"), "{printed}");
        assert!(report.contains(words), "{words}: {report}");
        assert!(!report.contains("array index out of range"), "{words}");
    }
}

#[test]
fn records_are_shown_by_their_names() {
    let (printed, report) = checked("p.taut", "  free n;\n  n.value := 3;\n");
    for words in ["pool", "node[3]", "node[0] taken", "node[0] freed"] {
        assert!(printed.contains(words), "{words}: {printed}");
    }
    assert!(!printed.contains("ghost"), "{printed}");
    assert!(report.contains("\"freed\""), "words for values");
}

#[test]
fn an_index_that_is_out_of_range_is_still_called_that() {
    let folder = tempfile::tempdir().expect("a folder");
    let text = "shared int a[2];\nprocess p begin\n  int n = 3;\n  a[n] := 1;\nend\n";
    std::fs::write(folder.path().join("p.taut"), text).expect("a file");
    let mut command = Command::new(env!("CARGO_BIN_EXE_taut"));
    let output = command.args(["check", "p.taut"]).current_dir(folder.path()).output();
    let printed = String::from_utf8_lossy(&output.expect("taut runs").stdout).into_owned();
    assert!(printed.contains("array index out of range"), "{printed}");
}
