//! Texts from strangers: no model, suite header, formula file or trace starts a program, opens a connection, writes a
//! file or reads a file that it should not.
//!
//! Each attempt runs under `strace`, which sees what the process asks of the system, whatever it prints.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use taut_testkit::suite::root;

/// A file that no attempt may open, and what is in it.
const SECRET: (&str, &str) = ("secret.txt", "the secret of this folder");

/// One attempt: files, the command, and what it tries.
struct Attempt {
    what: &'static str,
    files: Vec<(&'static str, String)>,
    args: Vec<&'static str>,
}

fn attempt(what: &'static str, file: &'static str, text: &str, args: &[&'static str]) -> Attempt {
    Attempt { what, files: vec![(file, text.into())], args: args.to_vec() }
}

/// A model with parameters around a text, which the macro processor expands first.
fn parameterised(what: &'static str, macros: &str) -> Attempt {
    let text = format!("{macros}\nprocess p {{ state a; init a; trans; }}\nsystem async;\n");
    attempt(what, "m.mdve", &text, &["check", "m.mdve"])
}

/// A directory with one program, whose header has these lines.
fn suite(what: &'static str, header: &str) -> Attempt {
    let text = format!(
        "{header}\nprogram p;\nshared 0..1 x;\nproperty a: invariant x == 0;\nprocess q {{ x := 0; }}\n"
    );
    attempt(what, "suite/m.taut", &text, &["check", "suite"])
}

/// A Promela model that includes something.
fn including(what: &'static str, path: &str) -> Attempt {
    let text = format!("#include {path}\nactive proctype p() {{ skip }}\n");
    attempt(what, "m.pml", &text, &["check", "m.pml"])
}

/// A Promela model with these lines in it.
fn promela(what: &'static str, lines: &str) -> Attempt {
    attempt(what, "m.pml", lines, &["check", "m.pml"])
}

/// A trace file for a program that is right.
fn trace(what: &'static str, text: &str) -> Attempt {
    let program = fs::read_to_string(root().join("examples/sb.taut")).expect("an example");
    Attempt {
        what,
        files: vec![("m.taut", program), ("t.json", text.into())],
        args: vec!["replay", "m.taut", "t.json"],
    }
}

/// A file of formulas for a model that is right.
fn formulas(what: &'static str, text: &str) -> Attempt {
    let model = "process p { state a; init a; trans; }\nsystem async;\n";
    Attempt {
        what,
        files: vec![("m.dve", model.into()), ("f.ltl", text.into())],
        args: vec!["check", "m.dve", "--ltl-file", "f.ltl"],
    }
}

fn macros() -> Vec<Attempt> {
    vec![
        parameterised("a command of m4", "syscmd(`touch made')"),
        parameterised("the output of a command", "esyscmd(`cat secret.txt')"),
        parameterised("a file by m4", "include(`secret.txt')"),
        parameterised("a file by m4, if there is one", "sinclude(`secret.txt')"),
        parameterised("a file by undivert", "undivert(`secret.txt')"),
        parameterised("a builtin by its name", "builtin(`esyscmd', `cat secret.txt')"),
        parameterised("a builtin by indir", "indir(`syscmd', `touch made')"),
        parameterised("a builtin under another name", "define(`f', defn(`syscmd'))f(`touch made')"),
        parameterised("a command at the end of the text", "m4wrap(`syscmd(`touch made')')"),
        parameterised("a temporary file", "mkstemp(`madeXXXXXX')"),
        parameterised("a file for debugging", "debugfile(`made')"),
        parameterised("a name put together", "define(`e', `sys')e`'cmd(`touch made')"),
        attempt(
            "a parameter that removes what protects",
            "m.mdve",
            "syscmd(`touch made')\nprocess p { state a; init a; trans; }\nsystem async;\n",
            &["check", "m.mdve", "-D", "undefine=x", "-D", "syscmd=syscmd"],
        ),
    ]
}

fn headers() -> Vec<Attempt> {
    let parameterised = "// expect: sc holds\n// options: -D undefine=x\nsyscmd(`touch made')\n\
                         process p { state a; init a; trans; }\nsystem async;\n";
    vec![
        attempt("a parameter in a header", "suite/m.mdve", parameterised, &["check", "suite"]),
        suite("a trace by a header", "// expect: sc holds\n// options: --trace made"),
        suite("a report by a header", "// expect: sc holds\n// options: --report made"),
        suite("SARIF by a header", "// expect: sc holds\n// options: --sarif made"),
        suite("JUnit by a header", "// expect: sc holds\n// options: --junit made"),
        suite("an output by a header", "// expect: sc holds\n// options: -o made"),
        suite("atomic writes by a header", "// expect: sc holds\n// options: --atomic-out made"),
        suite("a checkpoint by a header", "// expect: sc holds\n// options: --checkpoint made"),
        suite(
            "a disk by a header",
            "// expect: sc holds\n// options: --store disk --disk-dir made",
        ),
        suite("formulas by a header", "// expect: sc holds\n// options: --ltl-file secret.txt"),
        suite("an automaton by a header", "// expect: sc holds\n// options: --hoa ../secret.txt"),
        suite("flags by a header", "// expect: sc holds\n// options: -p ../secret.txt"),
        suite(
            "flags by a header's long name",
            "// expect: sc holds\n// options: --compile-commands .",
        ),
        suite("headers by a header", "// expect: sc holds\n// options: --isystem . --iquote ."),
        attempt(
            "a file that is included by a header",
            "suite/m.c",
            "// expect: sc holds\n// options: --include ../secret.txt\nint main(void) { return 0; }\n",
            &["check", "suite"],
        ),
        attempt(
            "a directory of headers by a header",
            "suite/m.c",
            "// expect: sc holds\n// options: --iquote ..\n#include \"secret.txt\"\nint main(void) { return 0; }\n",
            &["check", "suite"],
        ),
        suite("a run by a header", "// expect: sc holds\n// options: run --keep made"),
        suite("a compiler by a header", "// expect: sc holds\n// options: --cc 'touch made'"),
        suite("a kept harness by a header", "// expect: sc holds\n// options: --keep made"),
        suite("a command by a header", "// expect: sc holds\n// options: -- sh -c 'touch made'"),
        suite("a shell in a header", "// expect: sc holds `touch made` $(touch made) ; touch made"),
    ]
}

fn models() -> Vec<Attempt> {
    vec![
        including("standard input", "\"/dev/stdin\""),
        including("a device without an end", "\"/dev/zero\""),
        including("the terminal", "\"/dev/tty\""),
        including("a folder", "\"/etc\""),
        including("a pipe without a writer", "\"pipe\""),
        including("a command in place of a name", "\"|touch made\""),
        including("a command in pointed brackets", "<|touch made>"),
        including("the file itself, for ever", "\"m.pml\""),
        promela("C in a model", "active proctype p() { c_code { system(\"touch made\"); } }"),
        promela("a condition in C", "active proctype p() { c_expr { system(\"touch made\") } }"),
        promela("declarations in C", "c_decl { \\#include \"secret.txt\" }\ninit { skip }"),
        promela(
            "a directive of a compiler",
            "#pragma GCC dependency \"secret.txt\"\ninit { skip }",
        ),
        promela("a string", "init { printf(\"`touch made` $(touch made) %s %n\\n\") }"),
        promela("a line directive", "#line 1 \"secret.txt\"\ninit { assert(false) }"),
        promela("a macro that is a file", "#define F \"secret.txt\"\n#include F\ninit { skip }"),
    ]
}

/// A compilation database that tries to be more than words.
fn databases() -> Vec<Attempt> {
    let files = |command: &str| {
        let entry = r#"[{"directory": ".", "file": "m.c", "command": "COMMAND"}]"#;
        vec![
            ("m.c", "int main(void) { return 0; }\n".to_owned()),
            ("compile_commands.json", entry.replace("COMMAND", command)),
        ]
    };
    let args = vec!["check", "-p", ".", "m.c"];
    let commands = [
        ("a shell in a database", "$(touch made) `touch made` ; touch made | sh"),
        ("a compiler in a database", "sh -c 'touch made' m.c"),
        ("a file with words in a database", "cc @secret.txt m.c"),
        ("an output in a database", "cc -o made -MF made -save-temps m.c"),
    ];
    let each = |(what, command)| Attempt { what, files: files(command), args: args.clone() };
    commands.into_iter().map(each).collect()
}

fn beside_models() -> Vec<Attempt> {
    let object =
        "{\"schema\": \"taut-trace\", \"file\": \"secret.txt\", \"include\": \"secret.txt\"}";
    let options =
        "{\"granularity\": \"--trace=made\", \"channels\": \"../secret.txt\", \"steps\": []}";
    let automaton = "HOA: v1\nname: \"$(touch made)\"\nStates: 1\nStart: 0\nAP: 1 \"`touch made`\"\n\
                     Acceptance: 1 Inf(0)\n--BODY--\nState: 0\n[t] 0\n--END--\n";
    let program = "program p;\nshared 0..1 x;\nprocess q { x := 0; }\n";
    let litmus = "X86 ../made\n{ }\n P0          ;\n MOV [x],$1 ;\nexists (x=1)\n";
    vec![
        trace("a trace that names a file", object),
        trace("a trace that names options", options),
        trace("a trace that is a link to a device", "\u{0}\u{1}"),
        formulas("a formula file that includes", "#include \"secret.txt\"\n#property G true\n"),
        formulas("a formula file that includes a device", "#include \"/dev/zero\"\n"),
        formulas("a formula with a command", "#property \"`touch made`\"\n"),
        Attempt {
            what: "an automaton with commands for names",
            files: vec![("m.taut", program.into()), ("a.hoa", automaton.into())],
            args: vec!["check", "m.taut", "--hoa", "a.hoa"],
        },
        attempt("a test with a path for a name", "m.litmus", litmus, &["litmus", "m.litmus"]),
        attempt("a list of files that are no tests", "@all", "secret.txt\n", &["litmus", "@all"]),
        attempt("a list that names itself", "@all", "@all\n", &["litmus", "@all"]),
        attempt(
            "a list of atomic writes",
            "m.dve",
            "process p { state a; init a; trans; }\nsystem async;\n",
            &["check", "m.dve", "--atomic", "/etc"],
        ),
    ]
}

/// A folder for one attempt, with its files, the secret, and a pipe without a writer.
fn folder(attempt: &Attempt) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join(SECRET.0), SECRET.1).expect("a file");
    let pipe = Command::new("mkfifo").arg(folder.path().join("pipe")).status();
    assert!(pipe.expect("mkfifo runs").success());
    for (name, text) in &attempt.files {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().expect("a parent")).expect("a folder");
        fs::write(path, text).expect("a file");
    }
    folder
}

/// Every file under a folder.
fn names(folder: &Path) -> Vec<PathBuf> {
    let mut all = Vec::new();
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            all.extend(names(&path));
        }
        all.push(path);
    }
    all.sort();
    all
}

/// What a process asked of the system, a line each, and what it printed.
fn traced(attempt: &Attempt, folder: &Path) -> (Vec<String>, String) {
    let calls = tempfile::NamedTempFile::new().expect("a file");
    let mut command = Command::new("strace");
    command.args(["-f", "-qq", "-e", "trace=%file,%process,%network", "-e", "signal=none", "-o"]);
    command.arg(calls.path()).arg(env!("CARGO_BIN_EXE_taut")).args(&attempt.args);
    let output = command.current_dir(folder).stdin(Stdio::null()).output();
    let output = output.expect("strace, which scripts/setup installs");
    let code = output.status.code().unwrap_or_else(|| panic!("{}: a signal", attempt.what));
    assert!(code < 70, "{}: exit {code}", attempt.what);
    let said = [output.stdout, output.stderr].concat();
    let calls = fs::read_to_string(calls.path()).expect("calls");
    (calls.lines().map(String::from).collect(), String::from_utf8_lossy(&said).into())
}

/// Whether a call opens something for writing, or changes a name.
fn writes(call: &str) -> bool {
    let changes = ["mkdir", "unlink", "rename", "link(", "linkat", "symlink", "chmod", "truncate"];
    let opens = call.contains("open");
    let for_writing = ["O_WRONLY", "O_RDWR", "O_CREAT"].iter().any(|flag| call.contains(flag));
    let looks = call.contains("readlink");
    (opens && for_writing) || !looks && changes.iter().any(|name| call.contains(name))
}

/// Whether a call opens a file that it should not.
fn opens_secret(call: &str) -> bool {
    let places = [SECRET.0, "/etc/passwd", "/dev/zero", "/dev/stdin", "/dev/tty", "\"pipe\""];
    call.contains("open") && places.iter().any(|place| call.contains(place))
}

fn is_refused(attempt: &Attempt) {
    let folder = folder(attempt);
    let before = names(folder.path());
    let (calls, said) = traced(attempt, folder.path());
    let what = attempt.what;
    let started = calls.iter().filter(|call| call.contains("execve")).count();
    assert_eq!(started, 1, "{what}: a program was started\n{calls:#?}");
    for call in &calls {
        assert!(!call.contains("socket("), "{what}: a connection: {call}");
        assert!(!writes(call), "{what}: a file was written: {call}");
        assert!(!opens_secret(call), "{what}: a file was opened: {call}");
    }
    assert!(!said.contains(SECRET.1), "{what}: {said}");
    assert_eq!(names(folder.path()), before, "{what}");
}

#[test]
fn no_text_starts_a_program_or_opens_a_file() {
    let attempts: Vec<_> = [macros(), headers(), models(), databases(), beside_models()]
        .into_iter()
        .flatten()
        .collect();
    assert!(attempts.len() >= 54, "{}", attempts.len());
    attempts.iter().for_each(is_refused);
}

/// The check above can fail: a regular file beside a model is opened when the model includes it.
#[test]
fn an_included_file_is_seen_to_be_opened() {
    let attempt = including("a regular file", "\"secret.txt\"");
    let folder = folder(&attempt);
    let (calls, _) = traced(&attempt, folder.path());
    assert!(calls.iter().any(|call| opens_secret(call)), "{calls:#?}");
}
