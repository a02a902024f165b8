//! `examples/c`: programs that two compilers accept as they are, that run, and that have the verdicts of their headers.
//!
//! Each begins with comments that say what is to come out. `expect: MODEL VERDICT` is read by suites; `fences: MODEL N` is the
//! number of places in the text that need a fence under a model that breaks the program. The README has a table of them
//! all, with numbers of states; `TAUT_BOOK=update` writes the numbers that are true now.

use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use taut_testkit::corpus::skipped;
use taut_testkit::suite::root;

use crate::command::{code, objects, path, shown, taut};

/// The memory models that an example says something about.
const MODELS: [&str; 3] = ["sc", "tso", "pso"];

/// The flags that an example compiles with, without a word.
const FLAGS: [&str; 5] = ["-std=c11", "-Wall", "-Wextra", "-Werror", "-pthread"];

/// Longest time for the run of an example. They take milliseconds; a broken one may hang.
const LONGEST_RUN: Duration = Duration::from_secs(20);

/// One example: its name without the extension, and its text.
struct Example {
    name: String,
    path: PathBuf,
    text: String,
}

impl Example {
    /// What follows a word in the comments at the head.
    fn head<'e>(&'e self, word: &'e str) -> impl Iterator<Item = &'e str> {
        let head = self.text.lines().take_while(|line| line.starts_with("//"));
        head.filter_map(move |line| line.trim_start_matches('/').trim().strip_prefix(word))
            .map(str::trim)
    }

    /// Whether the program is expected to be right under a model; none if nothing is said.
    fn holds(&self, model: &str) -> Option<bool> {
        let line = self.head("expect:").find(|line| {
            let first = line.split(' ').next();
            first.is_some_and(|first| first == model || first == "all") && !line.ends_with(" race")
        });
        line.map(|line| line.split(' ').nth(1) == Some("holds"))
    }
}

/// All of them, by name.
fn examples() -> Vec<Example> {
    let entries = std::fs::read_dir(root().join("examples/c")).expect("the examples");
    let paths = entries.map(|entry| entry.expect("an entry").path());
    let mut all: Vec<_> =
        paths.filter(|path| path.extension().is_some_and(|e| e == "c")).map(example).collect();
    all.sort_by(|a, b| a.name.cmp(&b.name));
    assert!(all.len() >= 40, "{} examples", all.len());
    all
}

fn example(path: PathBuf) -> Example {
    let name = path.file_stem().and_then(|s| s.to_str()).expect("a name").to_string();
    let text = std::fs::read_to_string(&path).expect("a text");
    Example { name, path, text }
}

/// Compiles a program; the error is what the compiler said.
fn compile(compiler: &str, source: &Path, target: &Path) -> Result<(), String> {
    let mut command = Command::new(compiler);
    let output = command.args(FLAGS).arg("-o").arg(target).arg(source).output();
    let output = output.expect("the compiler runs");
    if output.status.success() {
        return Ok(());
    }
    Err(String::from_utf8_lossy(&output.stderr).into_owned())
}

/// Runs a program; none if it takes too long.
fn run(program: &Path) -> Option<ExitStatus> {
    let mut child = Command::new(program).stderr(Stdio::null()).spawn().expect("the program runs");
    let start = Instant::now();
    while start.elapsed() < LONGEST_RUN {
        if let Some(status) = child.try_wait().expect("a status") {
            return Some(status);
        }
        std::thread::sleep(Duration::from_millis(2));
    }
    child.kill().expect("ended");
    child.wait().expect("a status");
    None
}

/// Compiles and runs every example; a program that is right on the processors that tests run on (TSO or stronger) ends
/// with 0. What the others do is theirs: they fail now and then.
fn compiles_and_runs(compiler: &str) {
    if Command::new(compiler).arg("--version").output().is_err() {
        return skipped("c_examples::compiles_and_runs", &format!("no {compiler}"));
    }
    let folder = std::env::temp_dir().join(format!("taut-c-{compiler}-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let (mut wrong, mut right_runs) = (Vec::new(), 0);
    for example in examples() {
        let program = folder.join(&example.name);
        if let Err(said) = compile(compiler, &example.path, &program) {
            wrong.push(format!("{}: {said}", example.name));
            continue;
        }
        let ended_well = run(&program).is_some_and(|status| status.success());
        if example.holds("tso") == Some(true) {
            right_runs += usize::from(ended_well);
            if !ended_well {
                wrong.push(format!("{}: does not end well", example.name));
            }
        }
    }
    std::fs::remove_dir_all(&folder).expect("removed");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(right_runs >= 25, "{right_runs} runs of right programs");
}

#[test]
fn every_example_compiles_with_gcc_and_runs() {
    compiles_and_runs("gcc");
}

#[test]
fn every_example_compiles_with_clang_and_runs() {
    compiles_and_runs("clang");
}

/// Nothing is left out of a header, and fences are named where they are of use, and only there.
#[test]
fn every_header_says_what_comes_out() {
    for example in examples() {
        let name = &example.name;
        for model in MODELS {
            let holds = example.holds(model).unwrap_or_else(|| panic!("{name}: {model}?"));
            let fences = example.head("fences:").any(|line| line.starts_with(model));
            let of_use = !holds && example.holds("sc") == Some(true);
            assert_eq!(fences, of_use, "{name}: fences under {model}");
        }
        let lines = example.text.lines().count();
        assert!((30..=90).contains(&lines), "{name} has {lines} lines");
    }
}

/// All verdicts are those of the headers.
#[test]
fn every_example_has_the_verdicts_of_its_header() {
    let output = taut(&["check", "examples/c"]);
    assert_eq!(code(&output), 0, "{}", shown(&output));
    let about_races =
        |example: &Example| example.head("expect:").filter(|line| line.ends_with(" race")).count();
    let races: usize = examples().iter().map(about_races).sum();
    let (files, all) = (examples().len(), 3 * examples().len() + races);
    let expected = format!("{all} expectations in {files} files: {all} met");
    assert!(shown(&output).contains(&expected), "{}", shown(&output));
}

/// Most states of the search for races in an example.
const MOST_STATES: &str = "120000";

/// An example races only if its header says so.
#[test]
fn no_example_races_without_saying_so() {
    let (mut racy, mut free, mut open) = (0, 0, 0);
    for example in examples() {
        let file = format!("examples/c/{}.c", example.name);
        let options = ["--model", "sc", "--format", "json", "--max-states", MOST_STATES];
        let output = taut(&[&["check", &file], &options[..]].concat());
        let said = example.head("expect:").any(|line| line == "sc violated race");
        match objects(&output)[0]["races"]["verdict"].as_str() {
            Some("violated") if said => racy += 1,
            Some("holds") if !said => free += 1,
            Some("unknown") if !said => open += 1,
            found => panic!("{}: {found:?}", example.name),
        }
    }
    assert!(racy >= 7 && free >= 38 && open <= 1, "{racy} racy, {free} free, {open} open");
}

/// Path of the table.
fn readme() -> PathBuf {
    root().join("examples/c/README.md")
}

/// Numbers of states under each model in which the program is right, as the table shows them.
fn states(example: &Example) -> String {
    let file = format!("examples/c/{}.c", example.name);
    let of = |model: &&str| {
        let searched = example.holds(model) == Some(true);
        let output = searched
            .then(|| taut(&["check", &file, "--model", model, "--format", "json", "-j", "1"]));
        output.map_or("–".to_owned(), |o| objects(&o)[0]["stats"]["states"].to_string())
    };
    MODELS.iter().map(of).collect::<Vec<_>>().join(", ")
}

/// The row of an example as it must be: what a person has written, and the number of states.
fn row(example: &Example, written: &str) -> String {
    let cells: Vec<_> = written.split('|').map(str::trim).collect();
    for (model, cell) in MODELS.iter().zip(&cells[3..6]) {
        let is_shown = example.holds(model) == Some(cell.starts_with('✓'));
        assert!(is_shown, "{}: {model}: {cell}", example.name);
    }
    let fences = |model: &str| {
        let line = example.head("fences:").find_map(|line| line.strip_prefix(model));
        line.map_or("–", str::trim).to_owned()
    };
    let fences = match (fences("tso"), fences("pso")) {
        (tso, pso) if tso == "–" && pso == "–" => String::new(),
        (tso, pso) => format!("{tso}, {pso}"),
    };
    let (told, states) = (cells[1..6].join(" | "), states(example));
    format!("| {told} | {fences} | {states} |")
}

/// The table of the README has a row per example, with the verdicts and fences of its header.
#[test]
fn the_readme_has_a_row_per_example() {
    let old = std::fs::read_to_string(readme()).expect("a README");
    let (mut rows, mut new) = (0, String::new());
    for line in old.lines() {
        let name = line.strip_prefix("| `").and_then(|rest| rest.split('`').next());
        match name.map(|name| root().join(format!("examples/c/{name}.c"))) {
            Some(path) => {
                new += &row(&example(path), line);
                rows += 1;
            }
            None => new += line,
        }
        new.push('\n');
    }
    assert_eq!(rows, examples().len(), "examples without a row");
    if std::env::var_os("TAUT_BOOK").is_some_and(|v| v == "update") {
        std::fs::write(readme(), &new).expect("written");
        return;
    }
    assert_eq!(old, new, "TAUT_BOOK=update writes the table that is true now");
}

/// The cheapest set of fences has the size of the header, and what it makes of the text is a program that gcc compiles.
#[test]
fn every_broken_example_is_fixed_by_the_fences_of_its_header() {
    let has_gcc = Command::new("gcc").arg("--version").output().is_ok();
    if !has_gcc {
        skipped(
            "c_examples::every_broken_example_is_fixed",
            "fixed texts are not compiled: no gcc",
        );
    }
    let folder = std::env::temp_dir().join(format!("taut-c-fixed-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let mut fixed = 0;
    for example in examples() {
        for line in example.head("fences:") {
            let (model, number) = line.split_once(' ').expect("a model and a number");
            let copy = folder.join(format!("{}-{model}.c", example.name));
            std::fs::write(&copy, &example.text).expect("a copy");
            fix(&copy, model, number);
            if has_gcc && let Err(said) = compile("gcc", &copy, &folder.join("fixed")) {
                panic!("{} under {model}: {said}", example.name);
            }
            fixed += 1;
        }
    }
    std::fs::remove_dir_all(&folder).expect("removed");
    assert!(fixed >= 20, "{fixed} programs fixed");
}

/// Repairs a file, which takes a number of fences.
fn fix(file: &Path, model: &str, number: &str) {
    let output = taut(&["repair", path(file), "--model", model, "--format", "json", "--write"]);
    let found = &objects(&output)[0];
    assert_eq!(found["outcome"], "fixed", "{}", shown(&output));
    let places = found["places"].as_array().expect("places").len();
    assert_eq!(places.to_string(), number, "{}", found["places"]);
    let text = std::fs::read_to_string(file).expect("the fixed text");
    let written = text.matches("atomic_thread_fence").count();
    assert!(written >= places, "{written} fences in the text");
}
