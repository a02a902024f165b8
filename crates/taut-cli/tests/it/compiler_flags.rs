//! Flags from where they are: a compiler's command after `--`, and `compile_commands.json`.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use tempfile::TempDir;

use crate::command::{code, shown, stderr, stdout};

/// A lock that is right only with its header, its macro and its file that is included first.
const LOCK: &str = r#"
#include "order.h"
#include <config.h>
#include <stdatomic.h>
#include <pthread.h>
#include <assert.h>
atomic_int x, y;
int a = 1, b = 1;
void *left(void *unused) {
    atomic_store_explicit(&x, 1, ORDER);
    a = atomic_load_explicit(&y, memory_order_acquire);
    return unused;
}
void *right(void *unused) {
    atomic_store_explicit(&y, 1, ORDER);
    b = atomic_load_explicit(&x, memory_order_acquire);
    return unused;
}
int main(void) {
    pthread_t p, q;
    pthread_create(&p, 0, left, 0);
    pthread_create(&q, 0, right, 0);
    pthread_join(p, 0);
    pthread_join(q, 0);
    assert(a + b >= EXPECTED + FIRST - 1);
    return 0;
}
"#;

/// A project: sources in `src`, headers in two directories, an empty `build`.
fn project() -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, text) in [
        ("src/lock.c", LOCK),
        ("src/other.c", "int main(void) { return 0; }\n"),
        ("include/config.h", "#define EXPECTED 1\n"),
        ("quotes/order.h", "#define ORDER memory_order_seq_cst\n"),
        ("weak/order.h", "#define ORDER memory_order_release\n"),
        ("src/first.h", "#define FIRST 1\n"),
        ("system/stdatomic.h", "#error a header that must not be taken\n"),
    ] {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().expect("a parent")).expect("a folder");
        fs::write(path, text).expect("a file");
    }
    fs::create_dir_all(folder.path().join("build")).expect("a folder");
    folder
}

fn taut_in(folder: &Path, args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_taut"));
    command.args(args).current_dir(folder).env_remove("COLUMNS").output().expect("taut runs")
}

/// Runs a command line of words.
fn run(folder: &Path, line: &str) -> Output {
    taut_in(folder, &line.split(' ').collect::<Vec<_>>())
}

/// The flags that make the lock right, from the root of the project.
const FLAGS: &str =
    "-O2 -std=c11 -Wall -iquote quotes -Iinclude -isystem system -include src/first.h";

fn database(folder: &Path, text: &str) -> PathBuf {
    let path = folder.join("build/compile_commands.json");
    fs::write(&path, text).expect("a file");
    path
}

/// An entry of the lock with its flags as seen from `build`.
fn entry(folder: &Path, order: &str) -> String {
    let build = folder.join("build");
    format!(
        r#"{{"directory": "{}", "file": "../src/lock.c", "command": "cc -c -O2 -iquote ../{order} -I../include -isystem../system -include ../src/first.h -o lock.o ../src/lock.c"}}"#,
        build.display()
    )
}

#[test]
fn the_words_after_the_dashes_are_a_compilers() {
    let folder = project();
    let folder = folder.path();
    let right = run(folder, &format!("check --model tso -- cc {FLAGS} src/lock.c"));
    assert_eq!(code(&right), 0, "{}", shown(&right));
    assert!(stdout(&right).contains("src/lock.c"), "{}", shown(&right));
    let weak = FLAGS.replace("quotes", "weak");
    let wrong = run(folder, &format!("check --model tso -- gcc {weak} -c src/lock.c -o lock.o"));
    assert_eq!(code(&wrong), 1, "{}", shown(&wrong));
    // Without the flags the file cannot be read: none of the above is vacuous.
    let bare = run(folder, "check src/lock.c");
    assert_eq!(code(&bare), 3, "{}", shown(&bare));
}

#[test]
fn every_command_that_reads_c_takes_them() {
    let folder = project();
    let folder = folder.path();
    let weak = FLAGS.replace("quotes", "weak");
    let compiler = format!("-- cc {weak} src/lock.c");
    for (command, expected) in [
        ("compare", 1),
        ("explain --model tso", 1),
        ("repair --model tso --diff", 0),
        ("fmt", 0),
        ("export --model sc --to promela", 0),
        ("simulate --script q", 0),
    ] {
        let output = run(folder, &format!("{command} {compiler}"));
        assert_eq!(code(&output), expected, "{command}: {}", shown(&output));
    }
    let graph = run(folder, &format!("graph --model sc {compiler}"));
    assert!([0, 2].contains(&code(&graph)), "{}", shown(&graph));
    let output = run(folder, &format!("check --model tso --trace t.json {compiler}"));
    assert_eq!(code(&output), 1, "{}", shown(&output));
    let output = run(folder, &format!("replay t.json {compiler}"));
    assert!(code(&output) <= 1 && stdout(&output).contains("left"), "{}", shown(&output));
    let repaired = run(folder, &format!("repair --model tso --write {compiler}"));
    assert_eq!(code(&repaired), 0, "{}", shown(&repaired));
    let text = fs::read_to_string(folder.join("src/lock.c")).expect("a file");
    assert_ne!(text, LOCK, "the file that the command names is changed");
}

#[test]
fn typed_options_have_the_last_word() {
    let folder = project();
    let folder = folder.path();
    fs::write(folder.join("m.c"), "#include <assert.h>\nint main(void) { assert(N == 2); }\n")
        .expect("a file");
    for (line, expected) in [
        ("check -- cc -DN=2 m.c", 0),
        ("check -- cc -DN=1 m.c", 1),
        ("check -D N=2 -- cc -DN=1 m.c", 0),
        ("check -U N -D N=2 -- cc -DN=1 m.c", 3),
        ("check -- cc -DN=1 -DNDEBUG m.c", 0),
    ] {
        let output = run(folder, line);
        assert_eq!(code(&output), expected, "{line}: {}", shown(&output));
    }
    assert!(
        stderr(&run(folder, "check -- cc -DN=1 -DNDEBUG m.c")).contains("`assert` checks nothing")
    );
}

#[test]
fn one_word_after_the_dashes_is_a_file() {
    let folder = project();
    fs::write(folder.path().join("-m.c"), "int main(void) { return 0; }\n").expect("a file");
    let output = run(folder.path(), "check -- -m.c");
    assert_eq!(code(&output), 0, "{}", shown(&output));
}

#[test]
fn a_database_has_the_flags_and_its_own_directory() {
    let folder = project();
    let folder = folder.path();
    database(folder, &format!("[{}]", entry(folder, "quotes")));
    // By the directory, by the file itself, with the program and without, from elsewhere.
    for line in [
        "check --model tso -p build src/lock.c",
        "check --model tso -p build/compile_commands.json ./src/../src/lock.c",
        "check --model tso --compile-commands build",
    ] {
        let output = run(folder, line);
        assert_eq!(code(&output), 0, "{line}: {}", shown(&output));
    }
    let output = run(&folder.join("src"), "check --model tso -p ../build lock.c");
    assert_eq!(code(&output), 0, "{}", shown(&output));
    database(folder, &format!("[{}]", entry(folder, "weak")));
    let output = run(folder, "check --model tso -p build src/lock.c");
    assert_eq!(code(&output), 1, "{}", shown(&output));
}

#[test]
fn a_database_with_words_and_relative_directories() {
    let folder = project();
    let folder = folder.path();
    let words: Vec<String> =
        format!("cc {FLAGS} src/lock.c").split(' ').map(|word| format!("{word:?}")).collect();
    database(
        folder,
        &format!(
            r#"[{{"directory": "..", "file": "src/lock.c", "arguments": [{}]}}]"#,
            words.join(",")
        ),
    );
    let output = run(folder, "check --model tso -p build");
    assert_eq!(code(&output), 0, "{}", shown(&output));
}

#[test]
fn what_a_database_does_not_say_is_told() {
    let folder = project();
    let folder = folder.path();
    let other = r#"{"directory": "..", "file": "src/other.c", "command": "cc src/other.c"}"#;
    let cxx = r#"{"directory": "..", "file": "src/x.cc", "command": "c++ src/x.cc"}"#;
    let one = entry(folder, "quotes");
    for (text, line, words) in [
        (format!("[{one}, {other}, {cxx}]"), "check -p build", vec!["2 C files", "src/other.c"]),
        (
            format!("[{other}]"),
            "check -p build src/lock.c",
            vec!["no entry for `src/lock.c`", "other.c"],
        ),
        (format!("[{cxx}]"), "check -p build", vec!["has no C file"]),
        (
            r#"[{"directory": "..", "file": "src/other.c"}]"#.into(),
            "check -p build",
            vec!["neither `arguments` nor `command`"],
        ),
        (
            r#"[{"directory": "..", "file": "src/other.c", "command": "cc 'src/other.c"}]"#.into(),
            "check -p build",
            vec!["never closed"],
        ),
        (
            r#"[{"directory": "..", "file": "src/other.c", "command": "cc @flags src/other.c"}]"#
                .into(),
            "check -p build",
            vec!["`@flags`", "src/other.c"],
        ),
        (
            "[\n  {\"directory\": 1}\n]".into(),
            "check -p build",
            vec!["E0016", "compile_commands.json:2:"],
        ),
        ("[{".into(), "check -p build src/lock.c", vec!["E0016", "compile_commands.json:1:"]),
        (
            "[]".into(),
            "check -p src src/lock.c",
            vec!["cannot read `src/compile_commands.json`", "cmake"],
        ),
        ("[]".into(), "check -p build src", vec!["--compile-commands is not for a directory"]),
    ] {
        database(folder, &text);
        let output = run(folder, line);
        let said = stderr(&output);
        assert_eq!(code(&output), 3, "{line}: {}", shown(&output));
        words.iter().for_each(|word| assert!(said.contains(word), "{word}: {said}"));
    }
}

#[test]
fn commands_that_name_no_program_are_refused() {
    let folder = project();
    for (line, word) in [
        ("check", "FILE"),
        ("check -- cc -O2", "names no file"),
        ("check -- cc a.c b.c", "2 source files"),
        ("check -- g++ a.cpp", "C++"),
        ("check -- cc @flags src/lock.c", "@flags"),
        ("check src/lock.c -- cc src/lock.c", "cannot be used with"),
        ("check -p build -- cc src/lock.c", "cannot be used with"),
        ("replay src/lock.c", "<TRACE>"),
        ("replay -- cc src/lock.c", "trace"),
    ] {
        let output = run(folder.path(), line);
        assert_eq!(code(&output), 3, "{line}: {}", shown(&output));
        assert!(stderr(&output).contains(word), "{line}: {}", shown(&output));
    }
}

/// A program with more states than any limit of a test allows, which is read with the flags only.
const LONG: &str = "#include \"order.h\"
#include <config.h>
#include <pthread.h>
#include <stdatomic.h>
atomic_uint x[4];
static void *count(void *arg) {
  atomic_uint *mine = arg;
  for (;;) atomic_store_explicit(mine, atomic_load(mine) + EXPECTED, ORDER);
}
int main(void) {
  pthread_t t[4];
  for (int i = 0; i < 4; i++) pthread_create(&t[i], 0, count, &x[i]);
  return 0;
}
";

#[test]
fn a_check_that_is_resumed_reads_the_flags_again() {
    let folder = project();
    let folder = folder.path();
    fs::write(folder.join("src/lock.c"), LONG).expect("a file");
    database(folder, &format!("[{}]", entry(folder, "quotes")));
    let line = "check --model tso --engine explicit --races off --checkpoint kept --timeout 3s -p build src/lock.c";
    let stopped = run(folder, line);
    assert_eq!(code(&stopped), 2, "{}", shown(&stopped));
    assert!(folder.join("kept/command").exists(), "{}", shown(&stopped));
    // Without the flags the headers are not found, which is exit 3.
    let resumed = run(folder, "resume kept --timeout 3s");
    assert_eq!(code(&resumed), 2, "{}", shown(&resumed));
    assert!(stdout(&resumed).contains("src/lock.c"), "{}", shown(&resumed));
}
