//! `include` in the Taut language: what a program in several files means, and what it may open.

use std::path::Path;
use std::process::{Command, Output};

use taut_testkit::suite::root;
use tempfile::TempDir;

fn taut(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_taut"));
    command.args(arguments).current_dir(folder).output().expect("taut runs")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// A folder with these files.
fn folder(files: &[(&str, &str)]) -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, text) in files {
        let path = folder.path().join(name);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        std::fs::write(path, text).expect("a file");
    }
    folder
}

const LOCK: &str = "// A lock.
shared bool lock = 0;
procedure acquire() begin
  while (xchg(lock, 1) == 1) { }
end
procedure release() begin
  lock := 0;
end";

/// Verdicts and counts of states, for comparing.
fn verdicts(folder: &Path, file: &str) -> (Option<i32>, String) {
    let output = taut(folder, &["check", file, "--all", "--format", "json"]);
    let lines = text(&output.stdout);
    let told: Vec<String> = lines
        .lines()
        .map(|line| {
            let value: serde_json::Value = serde_json::from_str(line).expect(line);
            let states = value["statistics"]["states"].clone();
            format!(
                "{} {} {} {states}",
                value["model"], value["property"]["name"], value["verdict"]
            )
        })
        .collect();
    (output.status.code(), told.join("\n"))
}

#[test]
fn a_program_in_three_files_is_the_same_as_in_one() {
    let body = "ghost 0..4 inside = 0;
process p[2] begin
  acquire();
  inside := inside + 1;
  cs: skip;
  inside := inside - 1;
  release();
end
forbid mutex: p[0]@cs && p[1]@cs;
";
    let broken = LOCK.replace("xchg(lock, 1)", "lock");
    for lock in [LOCK, &broken] {
        let one = format!("{lock}\n{body}");
        let several = format!("include \"lib/all.taut\";\n{body}");
        let folder = folder(&[
            ("one.taut", &one),
            ("several.taut", &several),
            ("lib/all.taut", "include \"./deep/../lock.taut\"; // all of them"),
            ("lib/lock.taut", lock),
        ]);
        let (code, told) = verdicts(folder.path(), "one.taut");
        assert_eq!((code, told), verdicts(folder.path(), "several.taut"));
    }
}

#[test]
fn messages_and_runs_name_the_file_and_the_line() {
    let folder = folder(&[
        ("main.taut", "include \"lib.taut\";\nprocess p begin\n  f();\n  y := 1;\nend\n"),
        ("lib.taut", "shared 0..3 x = 0;\nprocedure f() begin\n  z := 1;\nend\n"),
    ]);
    let output = taut(folder.path(), &["check", "main.taut"]);
    let said = text(&output.stderr);
    assert_eq!(output.status.code(), Some(3), "{said}");
    assert!(said.contains("lib.taut:3:3") && said.contains("main.taut:4:3"), "{said}");

    let lib = "shared 0..3 x = 0;\nprocedure f() begin\n  x := 1;\n  assert(x == 0);\nend\n";
    std::fs::write(folder.path().join("lib.taut"), lib).expect("a file");
    let main = "include \"lib.taut\";\nprocess p begin\n  f();\n  assert(x == 1);\nend\n";
    std::fs::write(folder.path().join("main.taut"), main).expect("a file");
    let output = taut(folder.path(), &["check", "main.taut", "--model", "sc", "--all"]);
    let said = text(&output.stdout);
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(said.contains("assert:lib.taut:4") && said.contains("assert:4"), "{said}");
}

#[test]
fn a_mistake_of_grammar_in_an_included_file_is_told_there() {
    let folder = folder(&[
        ("main.taut", "include \"lib.taut\";\nprocess p begin skip; end\n"),
        ("lib.taut", "shared bool x = 0;\nshared bool = 0;\n"),
    ]);
    let said = text(&taut(folder.path(), &["check", "main.taut"]).stderr);
    assert!(said.contains("lib.taut:2:"), "{said}");
}

#[test]
fn cycles_are_refused_with_their_places() {
    let folder = folder(&[
        ("a.taut", "include \"b.taut\";\nprocess p begin skip; end\n"),
        ("b.taut", "\ninclude \"./sub/../c.taut\";\n"),
        ("c.taut", "include \"a.taut\";\n"),
        ("sub/x", ""),
        ("self.taut", "include \"self.taut\";\nprocess p begin skip; end\n"),
    ]);
    let output = taut(folder.path(), &["check", "a.taut"]);
    let said = text(&output.stderr);
    assert_eq!(output.status.code(), Some(3), "{said}");
    for part in ["T0021", "c.taut:1:9", "includes itself", "b.taut:2:9", "a.taut:1:9"] {
        assert!(said.contains(part), "{part}: {said}");
    }
    let said = text(&taut(folder.path(), &["check", "self.taut"]).stderr);
    assert!(said.contains("self.taut:1:9") && said.contains("includes itself"), "{said}");
    // A cycle through a link has another name each time; it ends all the same.
    std::os::unix::fs::symlink(".", folder.path().join("here")).expect("a link");
    std::fs::write(folder.path().join("link.taut"), "include \"here/link.taut\";\n")
        .expect("a file");
    let output = taut(folder.path(), &["check", "link.taut"]);
    assert_eq!(output.status.code(), Some(3), "{}", text(&output.stderr));
}

#[test]
fn only_regular_files_are_opened() {
    let folder = folder(&[("sub/x", "")]);
    let pipe = folder.path().join("pipe.taut");
    assert!(Command::new("mkfifo").arg(&pipe).status().expect("mkfifo").success());
    for (path, words) in [
        ("missing.taut", "no such file"),
        ("sub", "not a regular file"),
        ("pipe.taut", "not a regular file"),
        ("/dev/zero", "not a regular file"),
        ("", "no such file"),
    ] {
        let main = format!("include \"{path}\";\nprocess p begin skip; end\n");
        std::fs::write(folder.path().join("main.taut"), main).expect("a file");
        let output = taut(folder.path(), &["check", "main.taut", "--timeout", "10s"]);
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(3), "{path}: {said}");
        assert!(said.contains(words) && said.contains("main.taut:1:9"), "{path}: {said}");
    }
}

#[test]
fn formatting_keeps_it_and_repairs_refuse_it() {
    let folder = folder(&[
        ("main.taut", "include   \"lib.taut\" ;\nprocess p begin x:=1; end\n"),
        ("lib.taut", "shared bool x = 0;\n"),
    ]);
    let output = taut(folder.path(), &["fmt", "main.taut"]);
    let said = text(&output.stdout);
    assert!(said.starts_with("include \"lib.taut\";\n"), "{said}");
    let output = taut(folder.path(), &["repair", "main.taut", "--model", "tso"]);
    let said = text(&output.stderr) + &text(&output.stdout);
    assert!(!said.contains("panicked"), "{said}");
}

#[test]
fn a_file_may_be_nothing_but_another_one() {
    let example = root().join("examples/sb.taut");
    let folder = folder(&[("lib.taut", &std::fs::read_to_string(example).expect("an example"))]);
    std::fs::write(folder.path().join("main.taut"), "include \"lib.taut\";\n").expect("a file");
    let (code, told) = verdicts(folder.path(), "main.taut");
    assert_eq!((code, told), verdicts(folder.path(), "lib.taut"));
}
