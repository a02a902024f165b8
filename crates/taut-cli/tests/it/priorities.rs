//! Priorities of processes on every memory model, and what refuses them.

use crate::command;

use std::time::Duration;

use command::{code, objects, path, scratch, shown, stderr, stdout, taut};
use taut::load::{Loaded, from_text};
use taut::repair::{Outcome, Repair};
use taut::{Check, MemoryModel, Reduce, Report};
use taut_testkit::spin::Verifier;

fn model(text: &str) -> Loaded {
    from_text("model.pml", text).unwrap_or_else(|e| panic!("{e}"))
}

/// The report of a check with and without reductions, which must agree.
fn check(loaded: &Loaded, model: MemoryModel) -> Report {
    let run = |reduce| {
        let check = Check::of(loaded).model(model).whole(true).all(true).reduce(reduce);
        check.run().expect("a report")
    };
    let (plain, reduced) = (run(Reduce::None), run(Reduce::All));
    assert_eq!(plain.stats.states, reduced.stats.states, "{model:?}");
    assert_eq!(plain.violations().count(), reduced.violations().count(), "{model:?}");
    plain
}

/// The memory models under which something is violated.
fn violated(text: &str) -> Vec<MemoryModel> {
    let loaded = model(text);
    let models = MemoryModel::EVERY.into_iter();
    models.filter(|&m| check(&loaded, m).violations().next().is_some()).collect()
}

const RELAXED: [MemoryModel; 3] = [MemoryModel::Tso, MemoryModel::Pso, MemoryModel::Delayed];

#[test]
fn four_processes_of_four_priorities_run_one_after_the_other() {
    let text = "byte x;
        active proctype A() priority 4 { x = 1; x = 2 }
        active proctype B() priority 3 { assert(x == 2); x = 3 }
        active proctype C() priority 2 { assert(x == 3); x = 4 }
        active proctype D() priority 1 { assert(x == 4); x = 5 }";
    let report = check(&model(text), MemoryModel::Sc);
    assert_eq!(report.violations().count(), 0);
    // Two statements of each, then the exits, youngest first.
    assert_eq!(report.stats.states, 1 + 4 * 2 + 4);
}

#[test]
fn a_store_that_waits_does_not_enable_a_process_of_a_higher_priority() {
    let text = "byte x;
        active proctype High() priority 3 { x == 1 -> x = 2 }
        active proctype Low() { x = 1; assert(x == 2) }";
    assert_eq!(violated(text), RELAXED);
}

#[test]
fn a_process_that_waits_at_a_fence_stops_no_other() {
    let text = |fence: &str| {
        format!(
            "byte x; ghost byte y;
             active proctype High() priority 2 {{ x = 1; {fence} y = 1 }}
             active proctype Low() {{ assert(y == 1) }}"
        )
    };
    assert_eq!(violated(&text("")), []);
    assert_eq!(violated(&text("FENCE();")), RELAXED);
}

/// The process could store if buffers had no bound.
#[test]
fn a_process_that_waits_for_room_in_its_buffer_stops_others() {
    let text = "byte x; ghost byte y;
        active proctype High() priority 2 { x = 1; x = 2; x = 3; y = 1 }
        active proctype Low() { assert(y == 1) }";
    let loaded = model(text);
    for bound in 1..4 {
        let check = Check::of(&loaded).model(MemoryModel::Tso).bound(Some(bound));
        let report = check.run().expect("a report");
        assert_eq!(report.violations().count(), 0, "bound {bound}");
    }
}

#[test]
fn stores_commit_whatever_the_priority_of_their_process() {
    // `Low` never moves again, but its store must reach memory for `High` to go on.
    let text = "byte x; ghost byte y;
        active proctype High() priority 3 { y == 1 -> do :: x == 0 :: else -> break od; assert(false) }
        active proctype Low() { x = 1; y = 1 }";
    assert_eq!(violated(text), MemoryModel::EVERY);
}

#[test]
fn a_repair_takes_into_account_that_a_fence_lets_others_move() {
    // Store buffering: one fence in each process is the only fix.
    let text = "byte x, y; ghost byte r, s, done;
        active proctype A() priority 2 { x = 1; r = y; done++ }
        active proctype B() priority 2 { y = 1; s = x; done++ }
        active proctype C() { assert(done < 2 || r == 1 || s == 1) }";
    let loaded = model(text);
    let check = Check::of(&loaded).model(MemoryModel::Tso);
    let report = Repair::new(&loaded).run(&check).expect("a report");
    let Outcome::Repaired(fixed) = report.outcome else { panic!("{:?}", report.outcome) };
    assert!(fixed.optimal);
    assert_eq!(fixed.sets[0].places.len(), 2);
    assert_eq!(fixed.text.matches("FENCE()").count(), 2);
    // With a fence, `Low` can move too early: nothing that waits for the buffer helps here.
    let text = "byte x; ghost byte y;
        active proctype High() priority 2 { x = 1; y = 1 }
        active proctype Low() { assert(x == 1 && y == 1) }";
    let loaded = model(text);
    let check = Check::of(&loaded).model(MemoryModel::Tso);
    let report = Repair::new(&loaded).run(&check).expect("a report");
    assert!(matches!(report.outcome, Outcome::Unrepairable(_)), "{:?}", report.outcome);
}

const HANDOVER: &str = "byte x;
active proctype High() priority 3 { x == 1 -> x = 2 }
active proctype Low() { x = 1; assert(x == 2) }
";

#[test]
fn the_command_line_knows_priorities() {
    let model = scratch("handover.pml", HANDOVER);
    let check = |args: &[&str]| taut(&[&["check", path(&model)], args].concat());
    let output = check(&["--model", "sc", "--format", "json"]);
    assert_eq!(code(&output), 0, "{}", shown(&output));
    let results = objects(&output)[0]["results"].as_array().expect("results").clone();
    assert!(results.iter().all(|r| r["verdict"] == "holds"), "{results:?}");
    let output = check(&["--model", "tso"]);
    assert_eq!(code(&output), 1, "{}", shown(&output));
    assert!(stdout(&output).contains("priority=[3 1 0]"), "{}", shown(&output));
}

#[test]
fn engines_that_do_not_support_priorities_say_where_the_first_is() {
    let model = scratch("refused.pml", HANDOVER);
    for (engine, error) in [("symbolic", "E0015"), ("rounds", "E0009")] {
        let output = taut(&["check", path(&model), "--model", "tso", "--engine", engine]);
        assert_eq!(code(&output), 3, "{}", shown(&output));
        let said = stderr(&output);
        assert!(said.contains(error) && said.contains("refused.pml:2:17"), "{said}");
    }
    let output = taut(&["repair", path(&model), "--strategy", "greedy", "--with", "atomics"]);
    assert_eq!(code(&output), 3, "{}", shown(&output));
    assert!(stderr(&output).contains("does not support priorities"), "{}", shown(&output));
}

#[test]
fn an_exported_model_with_priorities_has_the_same_verdicts_in_spin() {
    let model = scratch("exported.pml", HANDOVER);
    for (memory, wrong) in [("sc", false), ("tso", true), ("pso", true), ("delayed", true)] {
        let output = taut(&["export", path(&model), "--model", memory, "--bound", "2"]);
        assert_eq!(code(&output), 0, "{}", shown(&output));
        let verifier = Verifier::plain(&stdout(&output)).expect("a verifier");
        let search = verifier.search(Duration::from_secs(10)).expect("a search");
        assert_eq!(search.assertion(), wrong, "{memory}");
        assert!(!search.end_state(), "{memory}");
    }
}
