//! Patches of programs in the Taut language: they apply, the result is right, and nothing in it can be left out.

use taut_testkit::suite::root;

use super::{Folder, added_lines, array, without_line};

/// Broken under TSO and PSO.
const BOTH: [&str; 9] = [
    "peterson",
    "dekker",
    "burns",
    "dijkstra",
    "lamport_fast",
    "bakery",
    "szymanski",
    "rcu_publish",
    "work_stealing_deque",
];

/// Broken under PSO only.
const PSO: [&str; 9] = [
    "clh_lock",
    "mcs_lock",
    "sense_barrier",
    "ticket_lock",
    "tas_lock",
    "ttas_lock",
    "seqlock",
    "ring_buffer",
    "linux_ticket_lock",
];

fn all() -> impl Iterator<Item = (&'static str, &'static str)> {
    let both = BOTH.into_iter().flat_map(|lock| [(lock, "tso"), (lock, "pso")]);
    both.chain(PSO.into_iter().map(|lock| (lock, "pso")))
}

#[test]
fn patched_programs_hold_and_need_every_line() {
    for (lock, model) in all() {
        let (folder, file) =
            Folder::with_copy(&format!("{lock}-{model}"), &format!("examples/{lock}.taut"));
        let diff = folder.repair_and_patch(&file, &["--model", model]);
        folder.holds(&file, &["--model", model]);
        let patched = folder.read(&file);
        let added = added_lines(&diff);
        assert!(!added.is_empty(), "{diff}");
        for &line in &added {
            let text = patched.lines().nth(line - 1).expect("a line").trim();
            assert!(["fence;", "sfence;"].contains(&text), "{diff}");
            folder.write("less.taut", &without_line(&patched, line));
            assert_eq!(folder.check("less.taut", &["--model", model]), 1, "{line} of {diff}");
        }
    }
}

/// The statements of a program. Declarations may differ: the broken barrier counts below 0.
fn statements(text: &str) -> Vec<&str> {
    let code = |line: &'_ str| line.find("//").unwrap_or(line.len());
    let lines = text.lines().map(|line| line[..code(line)].trim());
    let is_one = |line: &&str| {
        let declares = ["const ", "shared ", "ghost ", "local "];
        !line.is_empty() && !declares.iter().any(|word| line.starts_with(word))
    };
    lines.filter(is_one).collect()
}

/// The version of a lock with fences that is among the examples.
fn by_hand(lock: &str, model: &str) -> String {
    let file = |model: &str| root().join(format!("examples/{lock}_{model}.taut"));
    // Where TSO's fences are enough for PSO there is one file for both.
    let own = if file(model).exists() { file(model) } else { file("tso") };
    std::fs::read_to_string(own).unwrap_or_else(|e| panic!("{lock} under {model}: {e}"))
}

#[test]
fn the_patch_is_what_the_fenced_examples_were_given_by_hand() {
    let mut compared = Vec::new();
    for (lock, model) in all() {
        let name = format!("by-hand-{lock}-{model}");
        let (folder, file) = Folder::with_copy(&name, &format!("examples/{lock}.taut"));
        let report = folder.repair(&file, &["--model", model, "--all"]);
        // Of several cheapest sets the author may have chosen another one.
        if array(&report["sets"]).len() == 1 {
            folder.repair_and_patch(&file, &["--model", model]);
            let patched = folder.read(&file);
            let expected = by_hand(lock, model);
            assert_eq!(statements(&patched), statements(&expected), "{lock} under {model}");
            compared.push((lock, model));
        }
    }
    assert_eq!(compared.len(), 24, "{compared:?}");
}

#[test]
fn the_filter_of_three_processes_is_fixed() {
    for model in ["tso", "pso"] {
        let (folder, file) =
            Folder::with_copy(&format!("filter-{model}"), "examples/peterson_filter.taut");
        folder.repair_and_patch(&file, &["--model", model]);
        folder.holds(&file, &["--model", model]);
    }
}

#[test]
fn atomic_writes_are_written_into_the_text() {
    for (lock, model, number) in [
        ("peterson", "tso", 1),
        ("peterson", "delayed", 2),
        ("burns", "tso", 2),
        ("bakery", "pso", 2),
        ("lamport_fast", "delayed", 4),
        ("mcs_lock", "pso", 2),
        ("mp", "pso", 1),
    ] {
        let name = format!("atomics-{lock}-{model}");
        let (folder, file) = Folder::with_copy(&name, &format!("examples/{lock}.taut"));
        let args = ["--model", model, "--with", "atomics"];
        let diff = folder.repair_and_patch(&file, &args);
        assert_eq!(added_lines(&diff).len(), number, "{diff}");
        folder.holds(&file, &["--model", model]);
    }
}

#[test]
fn procedures_and_spawned_threads_are_fixed_where_their_text_is() {
    for (program, text) in [("recursion_sb", "want[me] := 1;"), ("spawn_loop", "number := n;")] {
        let (folder, file) = Folder::with_copy(program, &format!("examples/{program}.taut"));
        assert_eq!(folder.check(&file, &["--model", "tso"]), 1);
        let diff = folder.repair_and_patch(&file, &["--model", "tso"]);
        folder.holds(&file, &["--model", "tso"]);
        assert!(diff.contains(text), "the fence is beside the store: {diff}");
    }
}

#[test]
fn odd_files_are_patched_too() {
    let peterson = std::fs::read_to_string(root().join("examples/peterson.taut")).expect("text");
    let folder = Folder::new("odd");
    let dos = peterson.replace('\n', "\r\n");
    for (name, text) in [
        ("a name.taut", peterson.as_str()),
        ("dos.taut", &dos),
        ("cut.taut", peterson.trim_end()),
        (
            "one_line.taut",
            &peterson[peterson.find("shared").expect("a start")..].replace('\n', " "),
        ),
    ] {
        folder.write(name, text);
        assert_eq!(folder.check(name, &["--model", "tso"]), 1, "{name}");
        folder.repair_and_patch(name, &["--model", "tso"]);
        folder.holds(name, &["--model", "tso"]);
        let patched = folder.read(name);
        assert_eq!(
            patched.replace("fence;", "").split_whitespace().count(),
            text.split_whitespace().count()
        );
        assert_eq!(patched.ends_with('\n'), text.ends_with('\n'), "{name}");
        assert_eq!(patched.contains("\r\n"), text.contains("\r\n"), "{name}");
    }
    assert!(folder.read("dos.taut").contains("turn := 1 - i;\r\n    fence;\r\n"));
}

/// An assertion without a name is called after its line. The text that a repair works on has a fence at every place, which
/// moves lines. The fixed text has its own.
#[test]
fn assertions_are_called_after_lines_that_the_user_sees() {
    let folder = Folder::new("names");
    let text = "shared 0..1 x = 0, y = 0;\nprocess p begin\n  0..1 r;\n  x := 1;\n  r := y;\n  a: skip;\nend\n\
        process q begin\n  0..1 s;\n  y := 1;\n  s := x;\n  assert(s + y >= 1);\n  b: skip;\nend\n\
        forbid both: p@a && q@b && p:r == 0 && q:s == 0;\n";
    folder.write("names.taut", text);
    let names = |arguments: &[&str]| -> Vec<String> {
        let report = folder.repair("names.taut", arguments);
        let results = array(&report["check"]["results"]);
        results.iter().map(|result| result["property"].as_str().expect("a name").into()).collect()
    };
    // Nothing to fix: the text as it is. Two fences before the assertion: the text as fixed.
    assert_eq!(names(&["--model", "tso", "--property", "assert:12"]), ["assert:12"]);
    assert!(names(&["--model", "tso"]).contains(&"assert:14".into()));
}
