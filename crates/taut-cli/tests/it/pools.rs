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

/// What `taut` prints in a folder with these files.
fn printed(files: &[(&str, &str)], arguments: &[&str]) -> String {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, text) in files {
        std::fs::write(folder.path().join(name), text).expect("a file");
    }
    let mut command = Command::new(env!("CARGO_BIN_EXE_taut"));
    let output = command.args(arguments).current_dir(folder.path()).output().expect("taut runs");
    let text = [output.stdout, output.stderr].concat();
    String::from_utf8_lossy(&text).into_owned()
}

/// Locals, parameters, buffers, memory at the start and what a property looks at: a reference is a name everywhere.
#[test]
fn references_have_names_in_locals_buffers_and_explanations() {
    let text = "struct node { 0..3 value; ref node next; };\npool node[2];\nshared ref node top;\n\
                void put(ref node n) {\n  n.next := top;\n  top := n;\n}\n\
                process p {\n  ref node mine = new node;\n  put(mine);\n  assert(mine.next != null) as linked;\n}\n\
                forbid there: p:mine != null && top.next == null && top != null;\n";
    let run = printed(&[("p.taut", text)], &["check", "p.taut", "--model", "tso", "--full"]);
    for words in [
        "top=null",
        "new node → node[0]",
        "mine = new node → node[0]",
        "put(mine) → n=node[0]",
        "[node[0].next=null top=node[0]]",
        "p, line 11: mine.next != 0 is false",
        "here: mine.next = null, mine = node[0]",
    ] {
        assert!(run.contains(words), "{words}: {run}");
    }
    for words in ["=taken", " live", "top=0"] {
        assert!(!run.contains(words), "{words}: {run}");
    }
    let only = ["explain", "p.taut", "--model", "tso", "--property", "there"];
    let told = printed(&[("p.taut", text)], &only);
    assert!(told.contains("p:mine = node[0]") && !told.contains(" live"), "{told}");
    let fix = ["repair", "p.taut", "--model", "pso", "--property", "there"];
    let fixed = printed(&[("p.taut", text)], &fix);
    assert!(!fixed.contains(" live") && fixed.contains("top.next == 0"), "{fixed}");
}

/// Values of an `enum` in locals and in conditions.
#[test]
fn constants_have_names_in_locals() {
    let text = "enum phase { IDLE, TRYING, INSIDE };\nshared phase s;\nprocess p(phase to) {\n  \
                phase here = TRYING;\n  s := here;\n  if (here == TRYING) { here := to; }\n  \
                assert(here != INSIDE);\n}\ninstance q = p(INSIDE);\n";
    let run = printed(&[("p.taut", text)], &["check", "p.taut", "--model", "tso", "--full"]);
    for words in ["[s=TRYING]", "(here=TRYING)", "here := to → INSIDE", "here: here = INSIDE"] {
        assert!(run.contains(words), "{words}: {run}");
    }
}

/// Arrays of constants are no ghosts to the reader, and what a ghost is counted up by is no steering.
#[test]
fn arrays_of_constants_are_not_called_ghosts() {
    let text = "const int weight[2] = {1, 2};\nghost 0..9 total;\nshared 0..9 x;\n\
                int weigh(int k) { return weight[k]; }\n\
                process p {\n  total += weigh(1);\n  x := weigh(0);\n}\nforbid all: total == 2 && x == 1;\n";
    let run = printed(&[("p.taut", text)], &["check", "p.taut", "--model", "sc"]);
    assert!(!run.contains("steers") && !run.contains("weight=["), "{run}");
    assert!(run.contains("ghost total=0"), "{run}");
    let steered = text.replace("x := weigh(0)", "x := total");
    let run = printed(&[("p.taut", &steered)], &["check", "p.taut", "--model", "sc"]);
    assert!(run.contains("the ghost `total` steers the program"), "{run}");
}

/// Lines of an included file are told from those of the program.
#[test]
fn a_run_names_the_file_of_an_included_line() {
    let library = "shared 0..3 x;\nvoid store(0..3 v) {\n  x := v;\n}\n";
    let text = "include \"lib.taut\";\nprocess p {\n  store(1);\n  assert(x == 2) as two;\n}\n";
    let files = [("lib.taut", library), ("p.taut", text)];
    let run = printed(&files, &["check", "p.taut", "--model", "sc", "--full"]);
    assert!(run.contains("lib:3 │ x := v"), "{run}");
    assert!(run.contains("    3 │ store(1)") && run.contains("p, line 4"), "{run}");
}
