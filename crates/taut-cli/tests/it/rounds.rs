//! The engine of rounds: verdicts, coverage, runs mapped back, and what it refuses.

use crate::command;

use command::{code, objects, path, scratch, shown, stderr, stdout, taut};
use taut::engines::Rounds;
use taut::load::{LoadOptions, from_path};
use taut::rounds::{Scope, Scopes, translate_states};
use taut::{Check, Loaded, MemoryModel, QuestionKind, Report, Unknown, Verdict};
use taut_testkit::suite::{cases, root};

fn load(name: &str) -> Loaded {
    let loaded = from_path(&root().join("examples").join(name), LoadOptions::default());
    loaded.unwrap_or_else(|error| panic!("{name}: {error}"))
}

fn check(loaded: &Loaded, scopes: Scopes) -> Report {
    let check = Check::of(loaded).model(MemoryModel::Tso).engine(Rounds(scopes));
    check.max_states(Some(400_000)).run().unwrap_or_else(|fault| panic!("{fault}"))
}

fn word(report: &Report, property: &str) -> String {
    report.verdict(property).map_or_else(|| "–".into(), |verdict| verdict.word().into())
}

fn coverage(report: &Report, property: &str) -> String {
    report.verdict(property).map_or_else(|| "–".into(), Verdict::coverage)
}

/// The paper's experiment: bugs without fences with k at most 2, none with them.
#[test]
fn the_papers_four_locks() {
    for name in ["dekker", "lamport_fast", "peterson", "szymanski"] {
        for scope in [Scope::Rounds, Scope::Age] {
            let loaded = load(&format!("{name}.taut"));
            let found =
                (0..=2).map(|k| check(&loaded, Scopes::One(scope(k)))).find(Report::is_violated);
            let report = found.unwrap_or_else(|| panic!("{name}: no bug"));
            assert_eq!(word(&report, "mutex"), "violated", "{name}");
            assert_eq!(report.engine, Rounds::ID);
            assert_eq!(report.memory.bound, None, "the run has buffers without a bound");
        }
        let fenced = load(&format!("{name}_tso.taut"));
        for scope in [Scope::Rounds(1), Scope::Age(1)] {
            let report = check(&fenced, Scopes::One(scope));
            assert_eq!(word(&report, "mutex"), "holds", "{name}, {scope}");
        }
        let report = check(&fenced, Scopes::One(Scope::Age(1)));
        assert_eq!(coverage(&report, "mutex"), "up to store age 1", "{name}");
    }
}

/// The same locks in Promela.
#[test]
fn locks_in_promela() {
    for (model, defines, expected) in [
        ("dekker.pml", vec![], "violated"),
        ("dekker.pml", vec!["FENCED".to_owned()], "holds"),
        ("peterson.pml", vec![], "violated"),
        ("atomic_lock.pml", vec![], "violated"),
        ("atomic_lock.pml", vec!["LOCKED_INSTRUCTION".to_owned()], "holds"),
    ] {
        let options = LoadOptions::default().define(defines.clone());
        let loaded = from_path(&root().join("examples").join(model), options).expect("a model");
        let report = check(&loaded, Scopes::One(Scope::Age(1)));
        let verdicts: Vec<_> =
            report.results.iter().filter(|r| r.kind == QuestionKind::Assert).collect();
        assert_eq!(verdicts.len(), 1, "{model}");
        assert_eq!(verdicts[0].verdict.word(), expected, "{model} {defines:?}");
    }
}

#[test]
fn a_fenced_lock_is_decided_for_all_executions() {
    for name in ["peterson_tso.taut", "dekker_tso.taut"] {
        let report = check(&load(name), Scopes::Ages);
        assert_eq!(coverage(&report, "mutex"), "all executions", "{name}");
        assert!(
            report.scope.is_some_and(|s| s.kind() == "age" && s.k() >= 1),
            "{name}: {:?}",
            report.scope
        );
    }
    let report = check(&load("sb_tso.taut"), Scopes::Rounds);
    assert_eq!(coverage(&report, "both_miss"), "all executions");
}

/// A bug that needs a recursive call, and one that needs a loop that spawns; the bounds stand in the coverage.
#[test]
fn recursion_and_spawning() {
    let recursion = load("recursion_sb.taut");
    assert_eq!(word(&check(&recursion, Scopes::Rounds), "mutex"), "violated");
    assert_eq!(word(&check(&recursion, Scopes::Ages), "mutex"), "violated");
    let few = check(&recursion, Scopes::One(Scope::Rounds(0)));
    assert_eq!(coverage(&few, "mutex"), "up to 1 round per process (k = 0), call depth 3");
    let deep = check(&recursion, Scopes::One(Scope::Rounds(1)));
    assert_eq!(coverage(&deep, "mutex"), "up to 2 rounds per process (k = 1), call depth 3");
    let spawning = load("spawn_loop.taut");
    assert_eq!(word(&check(&spawning, Scopes::Ages), "in_time"), "violated");
    let fenced = check(&load("spawn.taut"), Scopes::One(Scope::Rounds(0)));
    assert_eq!(coverage(&fenced, "alone"), "up to 1 round per process (k = 0), 4 spawned threads");
}

/// Every program of the suite that has a translation: what is violated within a small scope is violated under
/// TSO, and what the suite says holds is not.
#[test]
fn no_verdict_contradicts_the_suite() {
    let mut compared = 0;
    for case in cases() {
        let Some(known) = case.known(MemoryModel::Tso) else { continue };
        let (name, text) = case.source();
        let loaded =
            taut::load::from_bytes(&name, text, LoadOptions::default()).expect("a program");
        if translate_states(&loaded.program, Scope::Age(0)).is_err() {
            continue;
        }
        for scope in [Scope::Rounds(1), Scope::Age(1)] {
            let engine = Rounds(Scopes::One(scope));
            let check = Check::of(&loaded).model(MemoryModel::Tso).engine(engine).all(true);
            let report = check.temporal(false).max_states(Some(5_000)).run();
            let report = report.unwrap_or_else(|fault| panic!("{}: {fault}", case.name));
            for (result, _) in report.violations() {
                // A bound on buffers may hide what rounds without one find.
                if let Some(expected) = known.verdicts.get(&result.name)
                    && case.bound.is_none()
                {
                    assert_eq!(expected, "violated", "{}, {scope}: {}", case.name, result.name);
                    compared += 1;
                }
            }
        }
    }
    assert!(compared >= 30, "{compared}");
}

#[test]
fn nothing_is_said_about_deadlocks() {
    let report = check(&load("deadlock.taut"), Scopes::Ages);
    let deadlock = report.verdict("deadlock").expect("an answer");
    assert!(matches!(deadlock, Verdict::Unknown(Unknown::NotCarried(_))), "{deadlock:?}");
    let alone =
        taut(&["check", "examples/sb.taut", "--engine", "rounds", "--property", "deadlock"]);
    assert_eq!(code(&alone), 2, "{}", shown(&alone));
}

#[test]
fn a_limit_keeps_what_smaller_scopes_said() {
    let args = ["check", "examples/lamport_fast_tso.taut", "--age", "auto", "--max-states", "9000"];
    let output = taut(&args);
    assert_eq!(code(&output), 0, "{}", shown(&output));
    assert!(stdout(&output).contains("up to store age 0"), "{}", stdout(&output));
    assert!(stdout(&output).contains("store age 1: "), "{}", stdout(&output));
}

#[test]
fn json_names_the_engine_and_the_scope() {
    let output = taut(&["check", "examples/sb_tso.taut", "--rounds", "1", "--format", "json"]);
    let object = &objects(&output)[0];
    assert_eq!(object["engine"], "rounds");
    assert_eq!(object["model"], "tso");
    assert_eq!(object["results"][0]["coverage"], "up to 2 rounds per process (k = 1)");
}

#[test]
fn a_run_replays() {
    let trace = scratch("rounds_trace.json", "");
    let output =
        taut(&["check", "examples/peterson.taut", "--engine", "rounds", "--trace", path(&trace)]);
    assert_eq!(code(&output), 1, "{}", shown(&output));
    let output = taut(&["replay", "examples/peterson.taut", path(&trace)]);
    assert_eq!(code(&output), 0, "{}", shown(&output));
}

#[test]
fn what_cannot_be_asked_is_refused() {
    let sb = "examples/sb.taut";
    for (args, says) in [
        (vec!["check", sb, "--engine", "rounds", "--model", "pso"], "rounds are for TSO alone"),
        (vec!["check", sb, "--engine", "rounds", "--model", "sc"], "rounds are for TSO alone"),
        (vec!["compare", sb, "--engine", "rounds"], "rounds are for TSO alone"),
        (vec!["check", sb, "--engine", "explicit", "--age", "1"], "are for `--engine rounds`"),
        (vec!["check", sb, "--rounds", "1", "--bound", "2"], "have no bound in rounds"),
        (vec!["check", sb, "--rounds", "1", "--age", "2"], "cannot be used with"),
        (vec!["check", sb, "--rounds", "65"], "64 is the largest bound"),
        (vec!["check", sb, "--rounds", "few"], "a bound is a number"),
        (vec!["check", "examples/abp.pml", "--age", "1"], "not translated: channels"),
    ] {
        let output = taut(&args);
        assert_eq!(code(&output), 3, "{args:?}: {}", shown(&output));
        assert!(stderr(&output).contains(says), "{args:?}: {}", shown(&output));
    }
}
