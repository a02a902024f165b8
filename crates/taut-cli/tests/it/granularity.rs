//! One access per step, end to end: what a user sees of it, in every engine and language.

use crate::command;

use std::collections::BTreeMap;

use command::{code, objects, path, scratch, shown, taut};
use taut::engines::{Explicit, Symbolic};
use taut::load::{self, LoadOptions};
use taut::{Check, EngineChoice, Granularity, Loaded, MemoryModel, Verdict};
use taut_testkit::accesses::Drawn;

fn read(name: &str, text: &str, granularity: Option<Granularity>) -> Loaded {
    let options = LoadOptions { granularity, ..LoadOptions::default() };
    match load::from_bytes(name, text.as_bytes().to_vec(), options) {
        Ok(loaded) => loaded,
        Err(error) => panic!("{error}\n{text}"),
    }
}

/// The verdict of each property, by its name.
fn verdicts(
    loaded: &Loaded,
    model: MemoryModel,
    engine: impl Into<EngineChoice>,
) -> BTreeMap<String, &'static str> {
    let check = Check::of(loaded).model(model).bound(Some(2)).engine(engine).all(true);
    let report = check.max_states(Some(100_000)).run().expect("a report");
    report.results.iter().map(|r| (r.name.clone(), r.verdict.word())).collect()
}

/// The verdict of one property of a Taut program under SC.
fn verdict(text: &str, property: &str) -> &'static str {
    let loaded = read("program.taut", text, None);
    verdicts(&loaded, MemoryModel::Sc, Explicit)[property]
}

/// Two processes that add to `c` by some statement; `lost` is violated if an update can be lost.
fn counter(statement: &str) -> String {
    format!(
        "shared 0..9 c, one = 1; ghost 0..9 done;
         process p[2] begin {statement} done := done + 1; end
         forbid lost: done == 2 && c != 2 && drained(p[0]) && drained(p[1]);"
    )
}

#[test]
fn an_increment_of_shared_memory_can_be_lost() {
    assert_eq!(verdict(&counter("c := c + 1;"), "lost"), "violated");
    assert_eq!(verdict(&counter("atomic c := c + 1;"), "lost"), "violated");
    let text = counter("c := c + 1;");
    let whole = read("program.taut", &text, Some(Granularity::Statement));
    assert_eq!(verdicts(&whole, MemoryModel::Sc, Explicit)["lost"], "holds");
}

#[test]
fn what_is_written_as_one_step_is_one() {
    for statement in [
        "atomic { c := c + 1; }",
        "locked { c := c + 1; }",
        "atomic_begin; c := c + 1; atomic_end;",
        "fetch_add(c, 1);",
        "fetch_add(c, one);",
        "local bool ok; local int r; while (ok == 0) { r := c; ok := cas(c, r, r + one); }",
    ] {
        assert_eq!(verdict(&counter(statement), "lost"), "holds", "{statement}");
    }
}

#[test]
fn ghosts_are_not_split() {
    let text = "ghost 0..2 g; process p[2] begin g := g + 1; end
                process q begin await(g == 2); fine: skip; end forbid two: q@fine && g != 2;";
    assert_eq!(verdict(text, "two"), "holds");
    assert_eq!(verdict(text, "deadlock"), "holds");
}

/// The condition is never true in one state, but its loads see it true.
#[test]
fn a_condition_need_not_be_true_at_one_instant() {
    let text = "shared bool x = 1, y;
         process p begin await(x == 1 && y == 1); past: skip; end
         process q begin x := 0; y := 1; end
         forbid passed: p@past;";
    assert_eq!(verdict(text, "passed"), "violated");
    let at_once = text.replace("await(x == 1 && y == 1);", "atomic { await(x == 1 && y == 1); }");
    assert_eq!(verdict(&at_once, "passed"), "holds");
    let other_order = text.replace("x == 1 && y == 1", "y == 1 && x == 1");
    assert_eq!(verdict(&other_order, "passed"), "holds");
}

#[test]
fn waiting_for_two_points_for_ever_is_a_deadlock() {
    let text =
        "shared bool x, y; process p begin await(x == 1 || y == 1); end process q begin skip; end";
    assert_eq!(verdict(text, "deadlock"), "violated");
    // The first program point becomes right after the process has passed it.
    let woken = text.replace("skip;", "x := 1;");
    assert_eq!(verdict(&woken, "deadlock"), "holds");
    let chosen = "shared bool x, y, z;
         process p begin choose { await(x == 1 && y == 1); } or { await(z == 1 && x == 0); } end
         process q begin z := 1; end";
    assert_eq!(verdict(chosen, "deadlock"), "holds");
    assert_eq!(verdict(&chosen.replace("z := 1", "y := 1"), "deadlock"), "violated");
}

/// With fairness, a process that tries one alternative of two that wait takes the one that is ready.
#[test]
fn an_alternative_that_is_ready_is_taken() {
    let text = "shared bool x, y, z;
         process p begin
           choose { await(x == 0 && y == 1); skip; } or { await(z == 1 && x == 0); skip; }
           past: skip;
         end
         process q begin z := 1; end
         ltl gets_on: <> p@past;";
    for model in MemoryModel::ALL {
        let loaded = read("program.taut", text, None);
        assert_eq!(verdicts(&loaded, model, Explicit)["gets_on"], "holds", "{model:?}");
    }
}

#[test]
fn an_assertion_loads_one_point_after_the_other() {
    let text = "shared bool x, y;
         process p begin atomic { x := 1; y := 1; } end
         process q begin assert(x == y) as same; end";
    assert_eq!(verdict(text, "same"), "violated");
    let at_once = text.replace("assert(x == y) as same;", "atomic { assert(x == y) as same; }");
    assert_eq!(verdict(&at_once, "same"), "holds");
}

#[test]
fn an_index_is_loaded_before_its_element() {
    let text = "shared 0..1 b; shared 0..9 a[2] = {1, 2};
         process p begin local int r; r := a[b]; seen: skip; end
         process q begin a[0] := 5; b := 1; a[1] := 7; end
         forbid old: p@seen && p:r == 5 && b == 1;
         forbid never: p@seen && p:r == 1 && a[1] == 2 && b == 1 && a[0] == 1;";
    assert_eq!(verdict(text, "old"), "violated");
    assert_eq!(verdict(text, "never"), "holds");
}

#[test]
fn a_process_in_the_middle_of_a_statement_is_at_its_label() {
    let text = "shared 0..9 x; process p begin cs: x := x + 1; end
         process q begin x := 5; end
         forbid inside: p@cs && x == 5;
         forbid late: p@cs && x == 1;
         forbid still: !p@cs && x == 0;";
    assert_eq!(verdict(text, "inside"), "violated");
    assert_eq!(verdict(text, "still"), "holds");
    assert_eq!(verdict(text, "late"), "holds");
}

#[test]
fn four_processes_can_lose_all_updates_but_one() {
    let text = "shared 0..9 c; ghost 0..4 done;
         process p[4] begin c := c + 1; done := done + 1; end
         forbid one: done == 4 && c == 1 && drained(p[0]) && drained(p[1]) && drained(p[2]) && drained(p[3]);
         forbid none: done == 4 && c == 0 && drained(p[0]) && drained(p[1]) && drained(p[2]) && drained(p[3]);";
    for model in [MemoryModel::Sc, MemoryModel::Tso, MemoryModel::Pso] {
        let loaded = read("program.taut", text, None);
        let found = verdicts(&loaded, model, Explicit);
        assert_eq!((found["one"], found["none"]), ("violated", "holds"), "{model:?}");
    }
}

#[test]
fn arguments_of_calls_and_spawns_are_loaded_one_by_one() {
    let text = "shared bool x, y; ghost 0..1 differ;
         procedure f(a, b) begin differ := a != b; end
         process p begin call f(x, y); end
         process q begin atomic { x := 1; y := 1; } end
         forbid torn: differ == 1;";
    assert_eq!(verdict(text, "torn"), "violated");
    let spawned = "shared bool x, y; ghost 0..1 differ;
         process f(a, b) begin differ := a != b; end
         main p begin spawn f(x, y); atomic { x := 1; y := 1; } end
         process q[1] begin atomic { x := 1 - x; y := 1 - y; } end
         forbid torn: differ == 1;";
    assert_eq!(verdict(spawned, "torn"), "violated");
}

/// The engines agree, and every violation has been accepted by the replayer. What holds up to the bound only may be
/// violated beyond it.
#[test]
fn engines_agree_on_random_programs() {
    let (mut all, mut same) = (0, 0);
    for seed in 1_000..1_300 {
        let drawn = Drawn::new(seed);
        let loaded = read("drawn.taut", &drawn.compound, None);
        for model in MemoryModel::ALL {
            let check = Check::of(&loaded).model(model).bound(Some(2)).all(true);
            let check = check.max_states(Some(100_000));
            let explicit = check.run().expect("a report");
            let symbolic = verdicts(&loaded, model, Symbolic);
            for result in &explicit.results {
                let (word, other) = (result.verdict.word(), symbolic[&result.name]);
                let at = format!("seed {seed}, {model:?}, {}\n{}", result.name, drawn.compound);
                let whole =
                    matches!(&result.verdict, Verdict::Holds(coverage) if coverage.is_everything());
                assert!((word, other) != ("violated", "holds"), "{at}");
                assert!(!whole || other != "violated", "{at}");
                all += 1;
                same += usize::from(word == other);
            }
        }
    }
    assert!(same > 1_000 && same * 10 > all * 9, "{same} of {all}");
}

const RACE: &str = "int c; byte done;
active [2] proctype p() { c = c + 1; d_step { done = done + 1 } }
never { do :: done == 2 && c == 1 -> break :: else od }";

#[test]
fn promela_and_dve_are_split_if_asked_to() {
    let found = |granularity: Option<Granularity>| {
        let loaded = read("race.pml", RACE, granularity);
        verdicts(&loaded, MemoryModel::Sc, Explicit).remove("never_0").expect("a claim")
    };
    assert_eq!(found(None), "holds");
    assert_eq!(found(Some(Granularity::Access)), "violated");
    let dve = "int c; int done;
        process p { state a, b; init a; trans a -> b { effect c = c + 1, done = done + 1; }; }
        process q { state a, b; init a; trans a -> b { effect c = c + 1, done = done + 1; }; }
        process r { state w, bad; init w; assert bad: false;
          trans w -> bad { guard done == 2 && c == 1; }; }
        system async;";
    let found = |granularity: Option<Granularity>| {
        let loaded = read("race.dve", dve, granularity);
        verdicts(&loaded, MemoryModel::Sc, Explicit).into_values().any(|v| v == "violated")
    };
    assert!(found(Some(Granularity::Access)));
}

/// An `else` beside a condition with two loads, and a model that grows.
#[test]
fn promela_with_else_and_run_is_split() {
    let text = "int x = 1, y; byte passed;
        proctype q() { x = 0; y = 1 }
        init { run q(); if :: x == 1 && y == 1 -> passed = 1 :: else -> passed = 2 fi }
        never { do :: passed == 1 -> break :: else od }";
    let of = |granularity| {
        let loaded = read("else.pml", text, granularity);
        verdicts(&loaded, MemoryModel::Sc, Explicit).remove("never_0").expect("a claim")
    };
    assert_eq!(of(None), "holds");
    assert_eq!(of(Some(Granularity::Access)), "violated");
}

#[test]
fn the_verdict_names_a_granularity_that_is_not_the_default() {
    let file = scratch("counter.taut", counter("c := c + 1;"));
    let args = ["check", path(&file), "--model", "sc", "--granularity", "statement"];
    let output = taut(&args);
    assert_eq!(code(&output), 0, "{}", shown(&output));
    assert!(
        shown(&output).contains("all executions, one statement per step"),
        "{}",
        shown(&output)
    );
    let json = objects(&taut(&[&args[..], &["--format", "json"]].concat()));
    assert_eq!(json[0]["results"][0]["granularity"], "statement");
    let usual = taut(&[
        "check",
        path(&file),
        "--model",
        "sc",
        "--granularity",
        "access",
        "--format",
        "json",
    ]);
    assert_eq!(code(&usual), 1, "{}", shown(&usual));
    assert!(objects(&usual)[0]["results"][0].get("granularity").is_none());
    let model = scratch("race.pml", RACE);
    let output =
        taut(&["check", path(&model), "--model", "sc", "--granularity", "access", "--all"]);
    assert_eq!(code(&output), 1, "{}", shown(&output));
    assert!(shown(&output).contains("one access per step"), "{}", shown(&output));
}

/// A run shows the statement as it stands in the source, with what each of its steps does: the load, then the store.
#[test]
fn a_run_shows_loads_and_stores() {
    let file = scratch("shown.taut", counter("c := c + 1;"));
    let output = shown(&taut(&["check", path(&file), "--model", "sc"]));
    for part in ["c := c + 1  (c=0)", "c := c + 1 → 1"] {
        assert!(output.contains(part), "{output}");
    }
    assert!(!output.contains("c'"), "no name that is not in the source\n{output}");
}
