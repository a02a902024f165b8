//! RMM programs on the command line: the examples have the verdicts of their headers and are fixed by as many changes of the text
//! as these say; every command reads them.

use std::path::{Path, PathBuf};

use taut_testkit::suite::root;

use crate::command::{code, objects, path, scratch, shown, stderr, stdout, taut};

fn examples() -> Vec<PathBuf> {
    let entries = std::fs::read_dir(root().join("examples/rmm")).expect("the examples");
    let mut all: Vec<_> = entries.map(|entry| entry.expect("an entry").path()).collect();
    all.retain(|path| path.extension().is_some_and(|e| e == "rmm"));
    all.sort();
    all
}

#[test]
fn examples_have_the_verdicts_of_their_headers() {
    assert!(examples().len() >= 12, "{:?}", examples());
    let output = taut(&["check", "examples/rmm"]);
    assert_eq!(code(&output), 0, "{}", shown(&output));
    assert!(stdout(&output).contains("36 expectations in 12 files: 36 met"), "{}", shown(&output));
    let readme = std::fs::read_to_string(root().join("examples/rmm/README.md")).expect("a table");
    for path in examples() {
        let name = path.file_stem().and_then(|n| n.to_str()).expect("a name");
        assert!(readme.contains(&format!("| `{name}` |")), "{name} is not in the table");
    }
}

/// What the head of an example says about fences: a model and a number of places in the text.
fn fences(text: &str) -> Vec<(&str, usize)> {
    let words = text.lines().filter_map(|line| Some(line.split_once("fences: ")?.1));
    let read = |words: &'_ str| {
        let (model, count) = words.split_once(' ').expect("a model and a number");
        (model.len(), count.parse().expect("a number"))
    };
    words.map(|words| (&words[..read(words).0], read(words).1)).collect()
}

/// The fixed text, written to a file of its own, holds under the model, and again is laid out as usual.
#[test]
fn examples_are_fixed_by_as_many_changes_as_they_say() {
    let mut count = 0;
    for example in examples() {
        let text = std::fs::read_to_string(&example).expect("a text");
        for (model, expected) in fences(&text) {
            let name = example.file_name().and_then(|n| n.to_str()).expect("a name");
            let copy = scratch(&format!("{model}-{name}"), &text);
            let output = taut(&["repair", path(&copy), "--model", model, "--write"]);
            assert_eq!(code(&output), 0, "{name} under {model}: {}", shown(&output));
            let fixed = std::fs::read_to_string(&copy).expect("the fixed text");
            let added = |word: &str| fixed.matches(word).count() - text.matches(word).count();
            assert_eq!(added("fence"), expected, "{name} under {model}:\n{fixed}");
            let output = taut(&["check", path(&copy), "--model", model, "--property", "forbidden"]);
            assert_eq!(code(&output), 0, "{name} under {model}: {}", shown(&output));
            let output = taut(&["fmt", path(&copy), "--check"]);
            assert_eq!(code(&output), 0, "{name} under {model}: {}\n{fixed}", shown(&output));
            count += 1;
        }
    }
    assert!(count >= 6, "{count}");
}

#[test]
fn every_command_reads_them() {
    let sb = "examples/rmm/sb.rmm";
    for (words, expected, said) in [
        (vec!["compare", sb], 1, "forbidden"),
        (vec!["explain", sb, "--model", "tso"], 1, "still in its buffer"),
        (vec!["graph", "examples/rmm/any_start.rmm", "--to", "dot"], 0, "digraph"),
        (vec!["check", sb, "--model", "tso", "--format", "sarif"], 1, "forbidden"),
        (vec!["check", sb, "--model", "tso", "--engine", "dual"], 1, "violated"),
        (
            vec!["check", "examples/rmm/dekker_tso.rmm", "--model", "tso", "--engine", "dual"],
            0,
            "holds",
        ),
        (
            vec!["check", "examples/rmm/clh.rmm", "--model", "tso", "--engine", "symbolic"],
            0,
            "holds",
        ),
        (
            vec!["check", "examples/rmm/ticket.rmm", "--ltl", "[] !(P0@CS && P0:ticket == 3)"],
            1,
            "violated",
        ),
        (vec!["repair", "examples/rmm/peterson_tso.rmm", "--relax"], 0, ""),
    ] {
        let output = taut(&words);
        assert_eq!(code(&output), expected, "{words:?}: {}", shown(&output));
        assert!(stdout(&output).contains(said), "{words:?}: {}", shown(&output));
    }
}

/// What the dual engine counts is in `--stats` and in JSON, and adds up.
#[test]
fn the_dual_engine_counts_its_constraints() {
    let words = ["check", "examples/rmm/clh.rmm", "--model", "tso", "--engine", "dual"];
    let output = taut(&[&words[..], &["--stats"]].concat());
    assert!(stdout(&output).contains("constraints made"), "{}", shown(&output));
    let output = taut(&[&words[..], &["--format", "json"]].concat());
    let dual = &objects(&output)[0]["dual"];
    let count = |name: &str| dual[name].as_u64().expect("a number");
    assert!(count("made") >= count("added") && count("added") >= count("kept"), "{dual}");
    assert!(count("kept") > 100 && count("compared") > 0 && count("points") > 10, "{dual}");
}

/// A deadlock is no mistake unless it is asked about by name.
#[test]
fn deadlocks_are_asked_about_by_name() {
    let blocked =
        scratch("blocked.rmm", "forbidden E data x = 0 : [0:1] process text read: x = 1; E: nop");
    let asked = |extra: &[&str]| {
        let words = [&["check", path(&blocked), "--format", "json"], extra].concat();
        let output = taut(&words);
        let names = objects(&output).iter().map(|o| o.to_string()).collect::<String>();
        (code(&output), names.contains("\"deadlock\""))
    };
    assert_eq!(asked(&[]), (0, false));
    assert_eq!(asked(&["--property", "deadlock"]), (1, true));
}

/// Domains without bounds are refused unless their values are given, and then the coverage names them.
#[test]
fn domains_without_bounds_need_values() {
    let ticket: &Path = Path::new("examples/rmm/unbounded_ticket.rmm");
    let output = taut(&["check", path(ticket), "--model", "tso"]);
    assert_eq!(code(&output), 3, "{}", shown(&output));
    assert!(stderr(&output).contains("R0200") && stderr(&output).contains("--integers 0..4"));
    let output = taut(&["check", path(ticket), "--model", "tso", "--integers", "0..3"]);
    assert_eq!(code(&output), 0, "{}", shown(&output));
    assert!(stdout(&output).contains("values 0..3 of Z"), "{}", shown(&output));
    for wrong in ["4", "4..0", "a..b", "0..99999999", ".."] {
        let output = taut(&["check", path(ticket), "--integers", wrong]);
        assert_eq!(code(&output), 3, "{wrong}: {}", shown(&output));
        assert!(stderr(&output).contains("R0204"), "{wrong}: {}", shown(&output));
    }
}
