//! Racy read-modify-writes: no fence helps, and the locked instruction is proposed that does.

use serde_json::Value;

use crate::command::{code, objects, shown, stdout};

use super::{Folder, array};

/// Repairs a program of which an update is lost; text and JSON.
fn hopeless(name: &str, file: &str, text: &str, args: &[&str]) -> (String, Value) {
    let folder = Folder::new(name);
    folder.write(file, text);
    let output = folder.taut(&[&["repair", file], args].concat());
    assert_eq!(code(&output), 1, "{}", shown(&output));
    let json = folder.taut(&[&["repair", file, "--format", "json"], args].concat());
    assert_eq!(code(&json), 1, "{}", shown(&json));
    assert_eq!(folder.read(file), text);
    (stdout(&output), objects(&json).remove(0))
}

const LOST: &str = "\
shared 0..2 c; ghost 0..2 done;
process p[2](i) begin
  local 0..2 r;
  r := c;
  c := r + 1;
  done := done + 1;
end
forbid lost: done == 2 && c == 1 && drained(p[0]) && drained(p[1]);
";

#[test]
fn a_lost_update_under_sc_is_named_and_the_locked_instruction_proposed() {
    let (text, report) = hopeless("lost", "lost.taut", LOST, &["--model", "tso"]);
    assert!(text.contains("lost.taut: violated under SC already: no fence helps\n"), "{text}");
    assert!(text.contains("lost update at lost.taut:5, `c := r + 1"), "{text}");
    assert!(text.contains("loads c (line 4) and stores it (line 5)"), "{text}");
    assert!(text.contains("make it one step: `fetch_add(c, 1)`\n"), "{text}");
    assert!(text.contains("with this as one step, everything asked holds (checked)\n"), "{text}");
    let race = &report["races"][0];
    assert_eq!(array(&report["races"]).len(), 1, "one statement of two processes: {report}");
    assert_eq!((&race["load"], &race["store"]), (&4.into(), &5.into()), "{race}");
    assert_eq!(race["instead"], "`fetch_add(c, 1)`", "{race}");
    assert_eq!(
        (&report["outcome"], &report["races_enough"]),
        (&"wrong-under-sc".into(), &true.into())
    );
}

#[test]
fn what_is_proposed_holds_when_it_is_written_so() {
    let folder = Folder::new("lost-fixed");
    let fixed = LOST.replace("  r := c;\n  c := r + 1;\n", "  fetch_add(c, 1);\n");
    folder.write("fixed.taut", &fixed);
    for model in ["sc", "tso", "pso"] {
        folder.holds("fixed.taut", &["--model", model]);
    }
}

#[test]
fn both_statements_are_named_if_each_process_has_its_own() {
    let text = "\
shared 0..3 c; ghost 0..2 done;
process p begin
  local 0..3 r;
  r := c;
  c := r + 1;
  done := done + 1;
end
process q begin
  local 0..3 s;
  s := c;
  c := s + 2;
  done := done + 1;
end
forbid lost: done == 2 && c != 3 && drained(p) && drained(q);
";
    let (text, report) = hopeless("two", "two.taut", text, &["--model", "pso"]);
    assert!(text.contains("`fetch_add(c, 1)`") && text.contains("`fetch_add(c, 2)`"), "{text}");
    assert!(text.contains("with each as one step, everything asked holds (checked)"), "{text}");
    assert_eq!(array(&report["races"]).len(), 2, "{report}");
}

#[test]
fn a_lock_that_tests_and_then_sets_is_told_to_compare_and_swap() {
    let text = "\
shared bool lock;
process p[3](i) begin
  loop {
    await(lock == 0);
    lock := 1;
    cs: skip;
    lock := 0;
  }
end
forbid mutex: p[0]@cs && p[1]@cs;
";
    let (text, report) = hopeless("tas", "tas.taut", text, &["--model", "tso"]);
    assert!(text.contains("make it one step: `cas(lock, 0, 1)`"), "{text}");
    assert_eq!(report["races_enough"], true, "{report}");
}

/// One step in SPIN, two accesses on a processor: on relaxed memory the store is late.
const PROMELA: &str = "\
#include \"taut.h\"
byte c; ghost byte done;
active [2] proctype p() {
  c++;
  done++
}
active proctype watcher() { end: done == 2; SYNC(); assert(c == 2) }
";

#[test]
fn an_increment_in_promela_is_not_repaired_by_an_atomic_write() {
    for with in ["fences", "atomics", "both"] {
        let args = ["--model", "tso", "--with", with, "--no-deadlock"];
        let name = format!("increment-{with}");
        let folder = Folder::new(&name);
        folder.write("model.pml", PROMELA);
        let output = folder.taut(&[&["repair", "model.pml"], &args[..]].concat());
        let text = shown(&output);
        assert!(!stdout(&output).contains("ATOMIC_WRITE"), "{text}");
        // Where no other store is there to be made atomic, there is nothing to try.
        if with == "atomics" {
            assert_ne!(code(&output), 0, "{text}");
            continue;
        }
        assert_eq!(code(&output), 1, "{text}");
        assert!(stdout(&output).contains("make it one step: `FETCH_ADD(c, 1)`"), "{text}");
        assert!(stdout(&output).contains("lost update at model.pml:4"), "{text}");
        assert!(stdout(&output).contains("everything asked holds (checked)"), "{text}");
    }
}

/// Each process counts in an element of its own: an atomic write is what is missing, and it is offered.
#[test]
fn a_counter_that_nobody_else_writes_is_no_race() {
    let text = "\
shared 0..1 n[2]; ghost 0..2 a = 2; ghost 0..2 b = 2;
process p begin
  n[0] := n[0] + 1;
  a := n[1];
end
process q begin
  n[1] := n[1] + 1;
  b := n[0];
end
forbid both: a == 0 && b == 0;
";
    let folder = Folder::new("own");
    folder.write("own.taut", text);
    let report = folder.repair("own.taut", &["--model", "tso", "--with", "atomics"]);
    assert_eq!(array(&report["places"]).len(), 2, "{report}");
    assert!(report["races"].is_null(), "{report}");
}

#[test]
fn a_program_that_is_wrong_for_another_reason_has_no_races() {
    let text = "shared bool x;\nprocess p begin x := 1; assert(x == 0); end\n";
    let (text, report) = hopeless("plain", "plain.taut", text, &["--model", "tso"]);
    assert!(text.contains("violated under SC already: no fence helps\n"), "{text}");
    assert!(!text.contains("lost update"), "{text}");
    assert!(report["races"].is_null() && report["races_enough"].is_null(), "{report}");
}

/// The race is there, and its run is the shortest, but it is not all that is wrong.
#[test]
fn it_is_said_if_the_locked_instruction_is_not_enough() {
    let late = "process w begin skip; skip; skip; skip; late: skip; end\nforbid lost: ";
    let text = LOST.replace("forbid lost: ", late).replace("c == 1", "(c == 1 || w@late)");
    let (text, report) = hopeless("more", "more.taut", &text, &["--model", "tso"]);
    assert!(text.contains("make it one step: `fetch_add(c, 1)`\n"), "{text}");
    assert!(
        text.contains("with this as one step, the program is still violated (checked)"),
        "{text}"
    );
    assert_eq!((array(&report["races"]).len(), &report["races_enough"]), (1, &false.into()));
}

/// An `inc` of memory without `lock` is a load and a store on a processor.
#[test]
fn an_increment_of_memory_in_a_litmus_test_is_told_to_lock() {
    let text = "X86 INC\n{ x=0; }\n P0      | P1      ;\n INC [x] | INC [x] ;\nexists (x=1)\n";
    let (text, report) = hopeless("inc", "inc.litmus", text, &["--model", "tso"]);
    assert!(text.contains("lost update at inc.litmus:4, `INC [x]`"), "{text}");
    assert!(text.contains("`lock add` or `lock xadd` on x"), "{text}");
    assert_eq!(report["races_enough"], true, "{report}");
}

const DVE: &str = "\
byte c = 0, d = 0;
process A { state s, t, u; init s; trans s -> t { effect c = c + 1; }, t -> u { effect d = d + 1; }; }
process B { state s, t, u; init s; trans s -> t { effect c = c + 1; }, t -> u { effect d = d + 1; };
  assert u: d < 2 || c == 2; }
system async;
";

#[test]
fn a_transition_that_loads_and_stores_is_named_as_a_locked_instruction() {
    let fences = ["--model", "tso", "--with", "fences", "--no-deadlock"];
    let (text, report) = hopeless("dve", "inc.dve", DVE, &fences);
    assert!(text.contains("one transition with an atomic write of c"), "{text}");
    assert_eq!(array(&report["races"]).len(), 2, "{report}");
    let folder = Folder::new("dve-atomics");
    folder.write("inc.dve", DVE);
    let report = folder.repair("inc.dve", &["--model", "delayed", "--no-deadlock"]);
    for place in array(&report["places"]) {
        let words = place["where"].as_str().expect("words");
        assert!(words.ends_with("a locked instruction: it loads the variable, too"), "{report}");
    }
}

#[test]
fn four_processes_that_lose_updates_in_a_loop_are_told_once() {
    let text = "\
shared 0..8 c; ghost 0..4 done;
process p[4](i) begin
  local 0..8 r;
  local 0..2 n;
  while (n < 2) {
    r := c;
    if (r < 8) { c := r + 1; }
    n := n + 1;
  }
  done := done + 1;
end
forbid lost: done == 4 && c != 8 && drained(p[0]) && drained(p[1]) && drained(p[2]) && drained(p[3]);
";
    let (text, report) = hopeless("four", "four.taut", text, &["--model", "tso"]);
    assert_eq!(array(&report["races"]).len(), 1, "{report}");
    // There is a test between the load and the store, so that adding alone is not the same.
    assert!(text.contains("make it one step: `atomic { … }` around both"), "{text}");
    assert_eq!(report["races_enough"], true, "{report}");
}
