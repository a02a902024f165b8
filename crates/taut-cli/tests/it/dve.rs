//! DVE models on the command line: the figures of Havel's thesis and what the cheapest atomic writes make of
//! them, `atomic.txt` in both directions, models with their buffers written out, and formulas.

use crate::command;

use std::path::PathBuf;

use command::{code, objects, path, scratch, shown, stderr, stdout, taut};
use serde_json::Value;

/// A lock and its figures: states under SC, with delayed writes, and with the fewest atomic writes.
struct Lock {
    name: &'static str,
    under_sc: u64,
    /// Not of those whose states are too many for a test.
    delayed: Option<u64>,
    atomics: usize,
    fixed: u64,
}

const fn lock(name: &'static str, states: [u64; 3], atomics: usize) -> Lock {
    let [under_sc, delayed, fixed] = states;
    Lock { name, under_sc, delayed: Some(delayed), atomics, fixed }
}

/// Peterson (N = 2) and Lamport (N = 3) are the thesis's own; it fixes them with 4 and 13.
const LOCKS: [Lock; 6] = [
    lock("peterson2", [196, 7_267, 254], 4),
    lock("lamport2", [748, 171_813, 1_384], 8),
    Lock { name: "lamport3", under_sc: 29_242, delayed: None, atomics: 12, fixed: 82_536 },
    lock("bakery2", [246, 40_136, 715], 4),
    lock("szymanski2", [489, 492_281, 3_429], 8),
    lock("mcs2", [173, 30_448, 4_901], 2),
];

/// Mutual exclusion. Bakery also runs out of tickets, and MCS needs more for not getting stuck.
const MUTEX: [&str; 2] = ["--property", "assert P_0.cs"];

impl Lock {
    fn file(&self) -> String {
        format!("examples/dve/{}.dve", self.name)
    }
}

/// The one object of a report.
fn object(args: &[&str]) -> Value {
    let output = taut(&[args, &["--format", "json"]].concat());
    let mut objects = objects(&output);
    assert_eq!(objects.len(), 1, "{args:?}: {}", shown(&output));
    objects.remove(0)
}

/// The states of a whole search.
fn states(args: &[&str]) -> u64 {
    let report = object(&[&["check", "--all", "--reduce", "none"], args].concat());
    report["stats"]["states"].as_u64().expect("a number")
}

/// Each property with its verdict.
fn verdicts(args: &[&str]) -> Vec<(String, String)> {
    let report = object(&[&["check", "--all", "--reduce", "none"], args].concat());
    let text = |value: &Value| value.as_str().expect("a string").to_owned();
    let results = report["results"].as_array().expect("results").iter();
    results.map(|r| (text(&r["property"]), text(&r["verdict"]))).collect()
}

/// The list that fixes a lock, written to a file; and the report.
fn fix(lock: &Lock, name: &str, args: &[&str]) -> (PathBuf, Value) {
    let list = scratch(name, "");
    let file = lock.file();
    let common = ["repair", &file, "--model", "delayed", "--atomic-out", path(&list)];
    let report = object(&[&common[..], &MUTEX, args].concat());
    assert_eq!(report["outcome"], "fixed", "{report}");
    (list, report)
}

fn holds(args: &[&str]) {
    let output = taut(&[&["check"], args].concat());
    assert_eq!(code(&output), 0, "{args:?}: {}", shown(&output));
}

#[test]
fn the_states_are_those_of_the_thesis() {
    for lock in &LOCKS {
        let file = lock.file();
        assert_eq!(states(&[&file, "--model", "sc"]), lock.under_sc, "{file} under SC");
        if let Some(delayed) = lock.delayed {
            assert_eq!(states(&[&file, "--model", "delayed"]), delayed, "{file} with buffers");
            assert_eq!(code(&taut(&["check", &file, "--model", "delayed"])), 1, "{file}");
        }
    }
}

#[test]
fn the_fewest_atomic_writes_are_as_many_as_is_known() {
    for lock in &LOCKS {
        let name = lock.name;
        let (list, report) = fix(
            lock,
            &format!("{name}.minimal.txt"),
            &["--cost", "atomic=1,loop=1", "--reduce", "none"],
        );
        assert_eq!(report["cost"], lock.atomics, "{name}: {report}");
        assert_eq!(report["optimal"], true);
        assert_eq!(report["check"]["stats"]["states"], lock.fixed, "{name}: {report}");
        let text = std::fs::read_to_string(&list).expect("a list");
        assert_eq!(text.lines().filter(|l| l.starts_with("write ")).count(), lock.atomics);
        let file = lock.file();
        let again = [&file, "--model", "delayed", "--atomic", path(&list)];
        holds(&[&again[..], &MUTEX].concat());
        assert_eq!(states(&again), lock.fixed, "{name}, read back");
    }
}

#[test]
fn every_entry_of_a_list_is_needed() {
    let lock = &LOCKS[0];
    let (list, _) = fix(lock, "entries.txt", &[]);
    let text = std::fs::read_to_string(list).expect("a list");
    for left_out in text.lines() {
        let less = scratch("less.txt", text.replace(&format!("{left_out}\n"), ""));
        let args = ["check", &lock.file(), "--model", "delayed", "--atomic", path(&less)];
        assert_eq!(code(&taut(&args)), 1, "without {left_out}");
    }
}

#[test]
fn greedy_finds_a_set_that_fixes_and_may_cost_more() {
    // Szymanski's two more make `a` atomic where `w` alone matters.
    let found = [4, 8, 12, 4, 10, 2];
    for (lock, found) in LOCKS.iter().zip(found) {
        let name = lock.name;
        let args = ["--strategy", "greedy", "--cost", "atomic=1,loop=1"];
        let (list, report) = fix(lock, &format!("{name}.greedy.txt"), &args);
        assert_eq!((&report["cost"], &report["optimal"]), (&found.into(), &false.into()), "{name}");
        let file = lock.file();
        let again = [&file, "--model", "delayed", "--atomic", path(&list)];
        holds(&[&again[..], &MUTEX].concat());
    }
}

/// A fence stands before a transition. Where two transitions read what must not be read too early, both need one:
/// hence Lamport's three a process under TSO, where two points of a text are enough.
#[test]
fn fences_before_transitions_fix_a_model_too() {
    for (lock, model, number) in [
        (&LOCKS[0], "tso", 2),
        (&LOCKS[0], "pso", 4),
        (&LOCKS[0], "delayed", 4),
        (&LOCKS[1], "tso", 6),
        (&LOCKS[1], "delayed", 8),
    ] {
        let (name, file) = (format!("{}.{model}.fences.txt", lock.name), lock.file());
        let list = scratch(&name, "");
        let args =
            ["repair", &file, "--model", model, "--with", "fences", "--cost", "fence=1,loop=1"];
        let report = object(&[&args[..], &MUTEX, &["--atomic-out", path(&list)]].concat());
        assert_eq!((&report["cost"], &report["optimal"]), (&number.into(), &true.into()), "{name}");
        let text = std::fs::read_to_string(&list).expect("a list");
        assert!(text.lines().all(|line| line.starts_with("fence P_")), "{text}");
        assert_eq!(text.lines().count(), number, "{text}");
        let again = [&file, "--model", model, "--atomic", path(&list)];
        holds(&[&again[..], &MUTEX].concat());
    }
}

/// Bakery writes its ticket and that it has chosen in one transition, and MCS reads and writes the tail in one: no
/// fence comes between.
#[test]
fn no_fence_fixes_what_happens_within_a_transition() {
    for lock in [&LOCKS[3], &LOCKS[5]] {
        let args = ["repair", &lock.file(), "--model", "delayed", "--with", "fences"];
        let output = taut(&[&args[..], &MUTEX].concat());
        assert_eq!(code(&output), 1, "{}", shown(&output));
        assert!(stdout(&output).contains("fixes it under DELAYED"), "{}", stdout(&output));
        let args = ["repair", &lock.file(), "--model", "delayed", "--with", "both"];
        let output = taut(&[&args[..], &MUTEX].concat());
        assert_eq!(code(&output), 0, "{}", shown(&output));
    }
}

#[test]
fn a_list_that_is_given_is_added_to() {
    let file = LOCKS[0].file();
    let list = scratch("given.txt", "# by hand\nwrite pos P_0 1\nwrite last P_0 2 mark->look");
    let common = ["repair", &file, "--model", "delayed", "--cost", "atomic=1,loop=1"];
    let args = [&common[..], &["--atomic", path(&list), "--write"]].concat();
    let report = object(&args);
    assert_eq!(report["cost"], 2, "two are there: {report}");
    let text = std::fs::read_to_string(&list).expect("a list");
    assert!(
        text.starts_with("# by hand\nwrite pos P_0 1\nwrite last P_0 2 mark->look\n"),
        "{text}"
    );
    assert_eq!(text.lines().count(), 5, "{text}");
    holds(&[&file, "--model", "delayed", "--atomic", path(&list)]);
    let report = object(&args);
    assert_eq!(report["outcome"], "right", "{report}");
}

#[test]
fn a_model_with_its_buffers_written_out_does_under_sc_what_it_did() {
    for lock in LOCKS.iter().filter(|lock| lock.delayed.is_some_and(|n| n < 100_000)) {
        let (name, file) = (lock.name, lock.file());
        let (list, _) = fix(lock, &format!("{name}.export.txt"), &[]);
        for (kind, atomic) in [("plain", &[][..]), ("fixed", &["--atomic", path(&list)])] {
            let out = scratch(&format!("{name}.{kind}.dve"), "");
            let args = ["export", &file, "--to", "dve", "--model", "delayed", "-o", path(&out)];
            let output = taut(&[&args[..], atomic].concat());
            assert_eq!(code(&output), 0, "{}", shown(&output));
            let native = [&[&file[..], "--model", "delayed"], atomic].concat();
            let written = [path(&out), "--model", "sc"];
            assert_eq!(states(&native), states(&written), "{name}, {kind}");
            assert_eq!(verdicts(&native), verdicts(&written), "{name}, {kind}");
        }
    }
}

#[test]
fn a_model_is_written_back_as_it_is_under_sc() {
    for lock in &LOCKS {
        let out = scratch(&format!("{}.again.dve", lock.name), "");
        let args = ["export", &lock.file(), "--to", "dve", "--model", "sc", "-o", path(&out)];
        assert_eq!(code(&taut(&args)), 0);
        assert_eq!(states(&[path(&out), "--model", "sc"]), lock.under_sc, "{}", lock.name);
    }
    let output = taut(&["export", &LOCKS[0].file(), "--to", "dve", "--model", "tso"]);
    assert_eq!(code(&output), 3, "one-place buffers are not TSO's: {}", shown(&output));
    let output = taut(&["export", "examples/sb.taut", "--to", "dve", "--model", "delayed"]);
    assert_eq!(code(&output), 3, "{}", shown(&output));
}

/// The store reaches memory, if memory is fair.
const LATE: &str = "\
byte x;
process p { state a, b; init a; trans a -> b { effect x = 1; }, b -> b {}; }
system async;
";

#[test]
fn exported_formulas_say_that_no_write_waits_for_ever() {
    let model = scratch("late.dve", LATE);
    let formulas = scratch("late.ltl", "#define arrives x == 1\n#property F arrives\n");
    let check = |model: &[&str], formulas: &PathBuf, fairness: &str| {
        let asked = ["--ltl-file", path(formulas), "--fairness", fairness];
        code(&taut(&[&["check"], model, &asked].concat()))
    };
    let native = [path(&model), "--model", "delayed"];
    assert_eq!(check(&native, &formulas, "none"), 1);
    assert_eq!(check(&native, &formulas, "memory"), 0);
    let (out, ltl) = (scratch("late.sb.dve", ""), scratch("late.sb.ltl", ""));
    let export = ["export", path(&model), "--to", "dve", "--model", "delayed", "-o", path(&out)];
    let files = ["--ltl-file", path(&formulas), "--ltl-out", path(&ltl)];
    let output = taut(&[&export[..], &files].concat());
    assert_eq!(code(&output), 0, "{}", shown(&output));
    let written = [path(&out), "--model", "sc"];
    assert_eq!(check(&written, &formulas, "none"), 1, "as it was it knows nothing of buffers");
    assert_eq!(
        check(&written, &ltl, "none"),
        0,
        "{}",
        std::fs::read_to_string(&ltl).expect("text")
    );
}

#[test]
fn formulas_about_a_lock_are_fixed_and_exported() {
    let formulas = scratch(
        "peterson.ltl",
        "#define both (P_0.cs && P_1.cs)\n#define wants P_0.look\n#define in P_0.cs\n\
         #property G !both\n#property G (wants -> F in)\n",
    );
    let (file, list) = (LOCKS[0].file(), scratch("peterson.ltl.txt", ""));
    let asked = ["--ltl-file", path(&formulas)];
    let args = ["repair", &file, "--model", "delayed", "--atomic-out", path(&list)];
    let report = object(&[&args[..], &asked].concat());
    assert_eq!(report["places"].as_array().map(Vec::len), Some(4), "{report}");
    let results = report["check"]["results"].as_array().expect("results");
    let names: Vec<_> = results.iter().map(|r| r["property"].as_str().expect("a name")).collect();
    assert_eq!(names, ["property_1", "property_2", "fault"]);
    assert!(results.iter().all(|r| r["verdict"] == "holds"), "{report}");
    for (kind, atomic, expected) in
        [("plain", &[][..], 1), ("fixed", &["--atomic", path(&list)], 0)]
    {
        let (out, ltl) = (scratch(&format!("{kind}.dve"), ""), scratch(&format!("{kind}.ltl"), ""));
        let export = ["export", &file, "--to", "dve", "--model", "delayed", "-o", path(&out)];
        let output = taut(&[&export[..], atomic, &asked, &["--ltl-out", path(&ltl)]].concat());
        assert_eq!(code(&output), 0, "{}", shown(&output));
        let args = ["check", path(&out), "--model", "sc", "--ltl-file", path(&ltl)];
        let output = taut(&args);
        assert_eq!(code(&output), expected, "{kind}: {}", shown(&output));
    }
}

#[test]
fn names_that_are_not_in_the_model_are_shown_where_they_stand() {
    let file = LOCKS[0].file();
    let list = scratch(
        "unknown.txt",
        "# a list\nwrite pos P_0 1\nwrite nobody P_0 1\nwrite pos P_9 1\nfence P_1 70\n\
         write pos P_0 1 idle->cs\nwrite last P_0 1\n",
    );
    let output = taut(&["check", &file, "--model", "delayed", "--atomic", path(&list)]);
    assert_eq!(code(&output), 3);
    insta::with_settings!({filters => vec![(r"\S*/unknown.txt", "unknown.txt")]}, {
        insta::assert_snapshot!("unknown_names", stderr(&output))
    });
    assert_eq!(stdout(&output), "");
    let list = scratch("malformed.txt", "write pos\nfence P_0 x\nhello\n");
    let output = taut(&["check", &file, "--model", "delayed", "--atomic", path(&list)]);
    assert_eq!(code(&output), 3);
    insta::with_settings!({filters => vec![(r"\S*/malformed.txt", "malformed.txt")]}, {
        insta::assert_snapshot!("malformed_entries", stderr(&output))
    });
}

/// Peterson's lock for N processes, written with macros.
const MANY: &str = "\
default(N, 3)
byte pos[N];
byte last[N];
define(P, `process P_$1 {
  byte level, k;
  state idle, climb, mark, look, cs;
  init idle;
  trans
    idle -> climb { effect level = 1; },
    climb -> mark { guard level < N; effect pos[$1] = level; },
    mark -> look { effect last[level - 1] = $1, k = 0; },
    look -> look { guard k < N && (k == $1 || pos[k] < level); effect k = k + 1; },
    look -> climb { guard last[level - 1] != $1 || k == N; effect level = level + 1; },
    climb -> cs { guard level == N; },
    cs -> idle { effect pos[$1] = 0; };
}
')
forloop(i, 0, decr(N), `P(i)')
system async;
";

#[test]
fn macros_of_a_model_with_parameters_are_expanded() {
    let model = scratch("many.mdve", MANY);
    let two = ["check", path(&model), "-DN=2", "--all", "--reduce", "none"];
    assert_eq!(object(&[&two[..], &["--model", "sc"]].concat())["stats"]["states"], 196);
    assert_eq!(object(&[&two[..], &["--model", "delayed"]].concat())["stats"]["states"], 7_267);
    let three = states(&[path(&model), "--model", "sc"]);
    assert_eq!(three, 12_498, "N is 3 by default; BEEM's peterson.1 has as many");
    let list = scratch("many.txt", "");
    let never_both = ["--ltl", "[] !(P_0.cs && P_1.cs)"];
    let args =
        ["repair", path(&model), "-D", "N=2", "--model", "delayed", "--atomic-out", path(&list)];
    let report = object(&[&args[..], &never_both, &["--cost", "atomic=1,loop=1"]].concat());
    assert_eq!(report["cost"], 4, "{report}");
    let again = [path(&model), "-DN=2", "--model", "delayed", "--atomic", path(&list)];
    holds(&[&again[..], &never_both].concat());
}

#[test]
fn tickets_that_run_out_are_wrong_under_sc_already() {
    let output = taut(&["repair", &LOCKS[3].file(), "--model", "delayed"]);
    assert_eq!(code(&output), 1, "{}", shown(&output));
    assert!(stdout(&output).contains("violated under SC already"), "{}", stdout(&output));
}

/// MCS: two atomic writes keep the others out; not to get stuck takes the whole queue.
#[test]
fn what_is_asked_decides_what_is_needed() {
    let args = ["repair", &LOCKS[5].file(), "--model", "delayed", "--cost", "atomic=1,loop=1"];
    assert_eq!(object(&args)["cost"], 8);
    assert_eq!(object(&[&args[..], &MUTEX].concat())["cost"], 2);
}

#[test]
fn a_message_of_dve_brings_the_stores_before_it() {
    let model = scratch(
        "message.dve",
        "byte data = 0; channel {byte} c[1];\n\
         process P { state a, b, d; init a;\n\
           trans a -> b { effect data = 42; }, b -> d { sync c!1; }; }\n\
         process Q { byte x; state a, b; init a; assert b: data == 42;\n\
           trans a -> b { sync c?x; }; }\n\
         system async;\n",
    );
    let check = |model_name: &str, channels: &str| {
        let args = ["--no-deadlock", "--model", model_name, "--channels", channels];
        code(&taut(&[&["check", path(&model)], &args[..]].concat()))
    };
    for model_name in ["tso", "pso"] {
        assert_eq!(check(model_name, "drain"), 0, "{model_name}");
        assert_eq!(check(model_name, "free"), 1, "{model_name}");
    }
    assert_eq!(check("delayed", "drain"), 1, "the slots are left alone");
}
