//! What is asked, in which order, and what an answer says: faults, plans of searches, violations told at once.

use crate::command;

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;

use command::{code, objects, path, scratch, shown, stdout, taut};
use proptest::prelude::*;
use proptest::sample::select;
use serde_json::Value;
use taut::load::{LoadOptions, from_bytes, from_text};
use taut::{Check, Language, MemoryModel, PropertyResult, Reduce, Report, Verdict};
use taut_testkit::cases::{Case, random_cases};
use taut_testkit::promela::{generate, generate_with_formula};
use taut_testkit::random::{graph, straight};
use taut_testkit::temporal::question;
use taut_testkit::{corpus, suite::root};

/// Every run faults before `x` is stored.
const FAULTS: &str = "shared 0..1 v = 0;
shared bool x = 0;
process p begin
  v := v + 1;
  v := v + 1;
  x := 1;
  loop { skip; }
end
invariant low: x == 0;
";

/// One of two branches faults; the other one stores `x`.
const BRANCH: &str = "shared 0..1 v = 0;
shared bool x = 0;
process p begin
  choose { v := 1; v := v + 1; } or { skip; }
  x := 1;
end
";

/// More states than any test visits. No step faults, but that cannot be seen without visiting them.
const ENDLESS: &str = "shared 0..1000 a[4] = 0;
process p[4](i) begin
  loop {
    atomic {
      if (a[i] < 1000 && a[i] + a[(i + 1) % 4] < 1900) { a[i] := a[i] + 1; } else { a[i] := 0; }
    }
  }
end
";

fn program(name: &str, text: &str) -> PathBuf {
    scratch(&format!("questions_{name}"), text)
}

fn json(args: &[&str]) -> Value {
    let output = taut(&[args, &["--format", "json"]].concat());
    let mut all = objects(&output);
    assert_eq!(all.len(), 1, "{}", shown(&output));
    all.remove(0)
}

fn check(file: &Path, args: &[&str]) -> Value {
    json(&[&["check", path(file), "--model", "sc"], args].concat())
}

/// The verdict on a property and what it covers.
fn answer(report: &Value, property: &str) -> (String, String) {
    let results = report["results"].as_array().expect("results");
    let result = results.iter().find(|r| r["property"] == property);
    let result = result.unwrap_or_else(|| panic!("no {property} in {report}"));
    let text = |field: &str| result[field].as_str().expect("a text").to_owned();
    (text("verdict"), text("coverage"))
}

fn word(report: &Value, property: &str) -> String {
    answer(report, property).0
}

/// The questions of each search.
fn searches(report: &Value) -> Vec<Vec<&str>> {
    let all = report["searches"].as_array().expect("searches").iter();
    all.map(|search| {
        let names = search["questions"].as_array().expect("names").iter();
        names.map(|name| name.as_str().expect("a name")).collect()
    })
    .collect()
}

#[test]
fn a_fault_is_asked_about_beside_a_formula() {
    let file = program("fault.taut", FAULTS);
    for formula in ["<> (x == 1)", "[] (x == 0)"] {
        let args = ["check", path(&file), "--model", "sc", "--ltl", formula];
        let output = taut(&args);
        assert_eq!(code(&output), 1, "{}", shown(&output));
        assert!(stdout(&output).contains("SC: fault violated"), "{}", shown(&output));
        assert!(stdout(&output).contains("ltl not asked"), "{}", shown(&output));
        let report = check(&file, &["--ltl", formula]);
        assert_eq!(word(&report, "fault"), "violated");
        assert_eq!(word(&report, "ltl"), "not asked");
        let report = check(&file, &["--ltl", formula, "--all"]);
        assert_eq!(word(&report, "fault"), "violated");
        let covered = ("holds".to_owned(), "runs without a fault, fairness all".to_owned());
        assert_eq!(answer(&report, "ltl"), covered, "{formula}");
    }
}

#[test]
fn no_option_but_no_fault_leaves_faults_out() {
    let file = program("options.taut", FAULTS);
    let named = program("options.ltl", "ltl below: [] (x == 0);\n");
    for args in [
        &["--property", "low"][..],
        &["--property", "deadlock"],
        &["--no-deadlock", "--no-assert", "--no-ltl"],
        &["--progress"],
        &["--acceptance"],
        &["--ltl-file", path(&named)],
    ] {
        let output = taut(&[&["check", path(&file), "--model", "sc", "--all"], args].concat());
        assert_eq!(code(&output), 1, "{args:?}: {}", shown(&output));
        assert!(stdout(&output).contains("SC: fault violated"), "{args:?}: {}", shown(&output));
    }
}

#[test]
fn without_the_question_about_faults_the_coverage_says_so() {
    let file = program("no_fault.taut", FAULTS);
    let report = check(&file, &["--no-fault", "--ltl", "<> (x == 1)"]);
    let covered = ("holds".to_owned(), "runs without a fault, fairness all".to_owned());
    assert_eq!(answer(&report, "ltl"), covered);
    assert_eq!(report["results"][0]["without_fault"], true);
    assert_eq!(searches(&report), [["ltl"]], "no search of states is needed");
    let states = check(&file, &["--no-fault"]);
    assert_eq!(answer(&states, "low").1, "runs without a fault");
    let output = taut(&["check", path(&file), "--model", "sc", "--no-fault"]);
    assert_eq!(code(&output), 0, "{}", shown(&output));
    assert!(stdout(&output).contains("runs without a fault"), "{}", shown(&output));
    let both = taut(&["check", path(&file), "--no-fault", "--property", "fault"]);
    assert_eq!(code(&both), 3, "{}", shown(&both));
}

#[test]
fn a_program_that_cannot_fault_needs_no_such_words() {
    let file = program("never_faults.taut", "shared bool x = 0;\nprocess p begin x := 1; end\n");
    for args in [&["--ltl", "<> (x == 1)"][..], &["--ltl", "<> (x == 1)", "--no-fault"]] {
        let report = check(&file, args);
        assert_eq!(answer(&report, "ltl").1, "all executions, fairness all");
        assert_eq!(searches(&report), [["ltl"]]);
    }
}

#[test]
fn a_fault_behind_one_of_two_branches_is_found_beside_a_property() {
    let file = program("branch.taut", BRANCH);
    let report = check(&file, &["--all", "--ltl", "[] (v == 1 -> [] (x == 0))"]);
    assert_eq!(word(&report, "fault"), "violated");
    assert_eq!(answer(&report, "ltl").1, "runs without a fault, fairness all");
    let report = check(&file, &["--all"]);
    assert_eq!(answer(&report, "deadlock").1, "runs without a fault");
}

#[test]
fn a_search_for_faults_that_a_limit_ends_shows_in_every_coverage() {
    let text = format!("{ENDLESS}forbid never: a[0] == 1001;\nltl low: [] (a[0] <= 1000);\n");
    let loaded = from_text("limit.taut", &text).expect("a program");
    let check = Check::of(&loaded).only(vec!["low".into()]).max_states(Some(3000));
    let report = check.run().expect("a report");
    let fault = report.verdict("fault").expect("a verdict");
    assert!(fault.is_open(), "{fault:?}");
    let text = format!("{ENDLESS}ltl first: a[0] == 0;\n");
    let loaded = from_text("cut.taut", &text).expect("a program");
    let check = Check::of(&loaded).only(vec!["first".into()]).max_states(Some(2));
    let report = check.run().expect("a report");
    assert!(report.verdict("fault").expect("a verdict").is_open());
    let first = report.verdict("first").expect("a verdict");
    assert_eq!(first.coverage(), "runs without a fault, fairness all", "{first:?}");
}

#[test]
fn an_index_out_of_range_is_an_error_under_any_claim() {
    let text = "byte a[2]; byte x;\n\
                active proctype p() { byte i; do :: i < 3 -> a[i] = 1; i++ :: else -> break od; x = 1 }\n\
                never { do :: x == 1 -> break :: else od }\n";
    let file = program("index.pml", text);
    for args in [&["--property", "never_0"][..], &["--no-deadlock", "--no-assert"], &[]] {
        let report = check(&file, args);
        assert_eq!(word(&report, "fault"), "violated", "{args:?}");
        assert_eq!(word(&report, "never_0"), "not asked", "{args:?}");
    }
    let all = check(&file, &["--property", "never_0", "--all"]);
    assert_eq!(answer(&all, "never_0").1, "runs without a fault, fairness all");
}

#[test]
fn bounds_that_hold_a_step_back_are_in_the_coverage_of_runs() {
    let spawns = "shared bool x = 0;\nprocess child begin loop { skip; } end\n\
                  process p begin loop { spawn child(); } end\n";
    let calls = "shared bool x = 0;\nprocedure dive() begin call dive(); end\n\
                 process p begin call dive(); end\n";
    let spawns = program("spawns.taut", spawns);
    let calls = program("calls.taut", calls);
    for (file, args, covered) in [
        (&spawns, &["--max-threads", "2"], "up to 2 spawned threads, fairness all"),
        (&calls, &["--max-calls", "3"], "up to call depth 3, fairness all"),
    ] {
        let report = check(file, &[&args[..], &["--ltl", "[] (x == 0)"]].concat());
        assert_eq!(answer(&report, "ltl").1, covered);
    }
}

#[test]
fn a_store_into_a_full_buffer_ends_runs_and_shows_in_every_coverage() {
    let text = "shared bool x = 0;\nshared bool y = 0;\n\
                process p begin loop { x := 1; } end\nltl low: [] (y == 0);\n";
    let file = program("full.taut", text);
    let args =
        ["check", path(&file), "--model", "tso", "--bound", "2", "--full-buffer", "error", "--all"];
    let report = json(&args);
    assert_eq!(word(&report, "full-buffer"), "violated");
    assert_eq!(answer(&report, "low").1, "up to bound 2, fairness all");
    assert_eq!(answer(&report, "deadlock").1, "up to bound 2");
    let named = json(&[&args[..], &["--property", "low"]].concat());
    assert_eq!(word(&named, "full-buffer"), "violated", "asked whatever else is");
}

#[test]
fn no_search_of_states_answers_a_question_about_runs() {
    let text = "byte x; init { run p(); run p() }\nproctype p() { do :: x = 1 - x od }\n\
                never { do :: x == 1 -> break :: else od }\n";
    let file = program("claim.pml", text);
    let report = check(&file, &["--no-deadlock", "--no-assert"]);
    assert_eq!(searches(&report), [["never_0"]]);
    assert_eq!(word(&report, "never_0"), "violated");
    assert!(report.get("facts").is_none(), "no states, no facts about them");
}

#[test]
fn lamports_fast_lock_under_pso_by_its_claim() {
    let Some(corpus) = corpus::find("the claim of Lamport's fast lock") else { return };
    let file = corpus.join("mmlib/mutex/forLib/lamportFast_safety.pml");
    let ask = |args: &[&str]| {
        json(&[&["check", path(&file), "--model", "pso", "--timeout", "60s"], args].concat())
    };
    let alone = ask(&["--no-deadlock", "--no-assert"]);
    assert_eq!(searches(&alone), [["never_0"]]);
    assert_eq!(word(&alone, "never_0"), "violated");
    let usual = ask(&[]);
    assert_eq!(word(&usual, "never_0"), "violated");
    assert_eq!(word(&usual, "deadlock"), "not asked");
}

#[test]
fn a_search_that_never_ends_does_not_starve_another_one() {
    let endless = format!("{ENDLESS}ltl low: [] (a[0] < 3);\n");
    let report = check(&program("starve.taut", &endless), &["--timeout", "300s"]);
    assert_eq!(word(&report, "low"), "violated");
    assert_eq!(word(&report, "deadlock"), "not asked");
    let endless = format!("{ENDLESS}ltl low: [] (a[3] <= 1000);\nforbid three: a[0] == 3;\n");
    let report = check(&program("starve_runs.taut", &endless), &["--timeout", "300s"]);
    assert_eq!(word(&report, "three"), "violated");
    assert_eq!(word(&report, "low"), "not asked");
}

#[test]
fn limits_hold_for_the_whole_check_and_are_named_as_given() {
    let text = format!("{ENDLESS}ltl low: [] (a[3] <= 1000);\n");
    let file = program("limits.taut", &text);
    for (args, named) in [
        (&["--timeout", "1s"], "the limit of 1.00 s was met"),
        (&["--max-states", "2000"], "the limit of 2000 states was met"),
    ] {
        let report = check(&file, args);
        for property in ["low", "deadlock", "fault"] {
            assert_eq!(answer(&report, property), ("unknown".into(), named.into()), "{property}");
        }
    }
}

#[test]
fn turns_change_no_answer_and_no_count() {
    // Some 160,000 states: more than the budget of the first turn.
    let text = "shared 0..19 a[4] = 0;\nprocess p[4](i) begin\n  loop { a[i] := (a[i] + 1) % 20; }\nend\n\
                ltl low: [] (a[0] < 20);\nforbid far: a[0] == 19 && a[1] == 19 && a[2] == 19;\n";
    let loaded = from_text("turns.taut", text).expect("a program");
    let check = Check::of(&loaded).reduce(taut::Reduce::None).all(true);
    let turns = check.clone().run().expect("a report");
    let alone = check.clone().temporal(false).run().expect("a report");
    let of_states = turns.states_search().expect("a search");
    assert!(of_states.turns > 1, "{of_states:?}");
    let undisturbed = alone.states_search().expect("a search");
    assert_eq!(undisturbed.turns, 1);
    assert_eq!(of_states.stats.states, undisturbed.stats.states);
    assert_eq!(of_states.stats.transitions, undisturbed.stats.transitions);
    let run = |report: &taut::Report| {
        let verdict = report.verdict("far").expect("a verdict");
        verdict.witness().expect("a run").trace.actions.clone()
    };
    assert_eq!(run(&turns), run(&alone));
}

#[test]
fn a_violation_is_printed_while_another_question_is_open() {
    let text = format!("{ENDLESS}forbid three: a[0] == 3;\n");
    let file = program("at_once.taut", &text);
    let mut process = Command::new(env!("CARGO_BIN_EXE_taut"))
        .args(["check", path(&file), "--model", "sc", "--all", "--timeout", "600s"])
        .current_dir(root())
        .stdout(Stdio::piped())
        .spawn()
        .expect("taut runs");
    let output = BufReader::new(process.stdout.take().expect("standard output"));
    let told = output.lines().map_while(Result::ok).any(|l| l.contains("`three` is violated"));
    let is_running = process.try_wait().expect("a state").is_none();
    process.kill().expect("it ends");
    process.wait().expect("it ended");
    assert!(told, "the violation is printed");
    assert!(is_running, "and the question about deadlocks is still open");
}

#[test]
fn the_library_tells_violations_at_once() {
    let text = "shared bool x = 0;\nprocess p begin x := 1; end\n\
                forbid one: x == 1;\nltl low: [] (x == 0);\n";
    let loaded = from_text("observed.taut", text).expect("a program");
    let told = Mutex::new(Vec::new());
    let check = Check::of(&loaded).model(MemoryModel::Tso).all(true).observe(|memory, result| {
        assert!(matches!(result.verdict, Verdict::Violated(_)));
        told.lock().expect("no panic").push((memory.model, result.name.clone()));
    });
    let report = check.run().expect("a report");
    drop(check);
    let all = [(MemoryModel::Tso, "one".to_owned()), (MemoryModel::Tso, "low".to_owned())];
    assert_eq!(*told.lock().expect("no panic"), all);
    assert_eq!(report.violations().count(), 2);
}

#[test]
fn what_was_not_asked_is_not_unknown() {
    let args = ["check", "examples/peterson.taut", "--model", "tso"];
    let output = taut(&args);
    assert_eq!(code(&output), 1);
    assert!(stdout(&output).contains("a run of 6 steps; deadlock not asked"), "{}", shown(&output));
    assert!(!stdout(&output).contains("unknown"), "{}", shown(&output));
    let report = json(&args);
    let covered = ("not asked".to_owned(), "ended at the first violation".to_owned());
    assert_eq!(answer(&report, "deadlock"), covered);
    // Each model is a check of its own.
    let output = taut(&["check", "examples/peterson.taut", "--format", "json"]);
    let verdicts: Vec<_> = objects(&output).iter().map(|r| word(r, "deadlock")).collect();
    assert_eq!(verdicts, ["holds", "not asked", "not asked"]);
}

#[test]
fn with_all_every_question_is_answered() {
    let args = ["check", "examples/peterson.taut", "--model", "pso", "--all"];
    let report = json(&args);
    assert_eq!(word(&report, "mutex"), "violated");
    assert_eq!(word(&report, "deadlock"), "holds");
    let output = taut(&["compare", "examples/peterson.taut", "--format", "json"]);
    for report in objects(&output) {
        let results = report["results"].as_array().expect("results");
        assert!(results.iter().all(|r| r["verdict"] != "not asked"), "{report}");
    }
}

#[test]
fn statistics_name_every_search_and_add_up() {
    let text = format!("{FAULTS}ltl first: <> (x == 1);\nltl second: [] (x == 0);\n");
    let file = program("sums.taut", &text);
    let report = check(&file, &["--all"]);
    assert_eq!(
        searches(&report),
        [&["low", "deadlock", "fault"][..], &["first"], &["second"]],
        "each search has its questions"
    );
    let all = report["searches"].as_array().expect("searches");
    for field in ["states", "transitions", "matched"] {
        let sum: u64 = all.iter().map(|s| s["stats"][field].as_u64().expect("a count")).sum();
        assert_eq!(report["stats"][field], sum, "{field}");
    }
    let seconds = |s: &Value| s["stats"]["seconds"].as_f64().expect("a time");
    let sum: f64 = all.iter().map(seconds).sum();
    assert!((seconds(&report) - sum).abs() < 1e-6, "{report}");
    let output = taut(&["check", path(&file), "--model", "sc", "--all", "--stats"]);
    for title in ["\nsc, low, deadlock, fault: ", "\nsc, first: ", "\nsc, second: "] {
        assert!(stdout(&output).contains(title), "{}", shown(&output));
    }
}

#[test]
fn rounds_end_at_a_violation_in_a_wide_level() {
    let args = ["check", "examples/lamport_fast.taut", "--engine", "rounds", "--rounds", "2"];
    let report = json(&[&args[..], &["--timeout", "300s"]].concat());
    assert_eq!(word(&report, "mutex"), "violated");
    let states = report["stats"]["states"].as_u64().expect("a count");
    assert!(states < 2_000_000, "{states} states of more than twenty million");
}

#[test]
fn other_commands_ask_about_faults_too() {
    let file = program("commands.taut", FAULTS);
    let compared = taut(&["compare", path(&file), "--property", "low"]);
    assert_eq!(code(&compared), 1, "{}", shown(&compared));
    assert!(stdout(&compared).contains("runs without a fault"), "{}", shown(&compared));
    let told = taut(&["explain", path(&file), "--property", "low"]);
    assert_eq!(code(&told), 1, "{}", shown(&told));
    assert!(stdout(&told).contains("fault"), "{}", shown(&told));
    let repaired = taut(&["repair", path(&file), "--property", "low"]);
    assert_eq!(code(&repaired), 1, "wrong under SC already: {}", shown(&repaired));
}

#[test]
fn a_suite_asks_about_faults_beside_a_formula() {
    let folder = scratch("questions_suite_marker", "").with_file_name("questions_suite");
    std::fs::create_dir_all(&folder).expect("a folder");
    let options = "// options: --ltl '[] (x == 0)'";
    let expected = format!("// expect: sc violated fault\n{options}\n{FAULTS}");
    std::fs::write(folder.join("expected.taut"), expected).expect("a file");
    let left_out = format!("// expect: sc holds\n{options} --no-fault\n{FAULTS}");
    std::fs::write(folder.join("left_out.taut"), left_out).expect("a file");
    let output = taut(&["check", path(&folder)]);
    assert_eq!(code(&output), 0, "{}", shown(&output));
    let wrong = format!("// expect: sc holds\n{options}\n{FAULTS}");
    std::fs::write(folder.join("wrong.taut"), wrong).expect("a file");
    let output = taut(&["check", path(&folder)]);
    assert_eq!(code(&output), 1, "{}", shown(&output));
}

/// Random programs with more states than this are left out.
const MOST_STATES: u64 = 3_000;

/// Holds a check in which faults alone are asked about, with everything left out that may be, against one in which
/// everything is asked and nothing is left out. No answer covers all executions if some of them fault.
fn same_faults(case: &Case, check: Check<'_>) -> Result<(), TestCaseError> {
    let check = check.bound(Some(2)).max_states(Some(MOST_STATES)).temporal(false);
    let whole = check.clone().reduce(Reduce::None).all(true).run().expect("a report");
    let alone = check.only(vec!["no such property".into()]).run().expect("a report");
    if whole.is_unknown() || alone.is_unknown() {
        return case.pass_over("too large");
    }
    case.count("compared");
    let word = |report: &Report| report.verdict("fault").map(Verdict::word);
    prop_assert_eq!(word(&whole), word(&alone));
    let faults = word(&whole) == Some("violated");
    case.count(if faults { "with a fault" } else { "without a fault" });
    for result in whole.results.iter().filter(|r| r.kind != taut::QuestionKind::Fault) {
        if let Verdict::Holds(coverage) = &result.verdict {
            prop_assert_eq!(coverage.without_fault, faults, "{}", &result.name);
        }
    }
    Ok(())
}

/// Holds all questions together against each one alone.
fn same_answers(case: &Case, check: &Check<'_>) -> Result<(), TestCaseError> {
    let check = check.clone().bound(Some(2)).max_states(Some(MOST_STATES));
    let together = check.clone().all(true).run().expect("a report");
    let first = check.clone().run().expect("a report");
    prop_assert_eq!(first.is_violated(), together.is_violated());
    for result in &together.results {
        let alone = check.clone().only(vec![result.name.clone()]).run().expect("a report");
        let answer = |report: &Report| {
            let found = report.results.iter().find(|r| r.name == result.name).cloned();
            found.unwrap_or_else(|| panic!("{} was asked", result.name))
        };
        let is_final = |r: &PropertyResult| matches!(r.verdict.word(), "holds" | "violated");
        let (ours, alone, first) = (answer(&together), answer(&alone), answer(&first));
        for other in [alone, first] {
            if is_final(&ours) && is_final(&other) {
                case.count("compared");
                prop_assert_eq!(ours.verdict.word(), other.verdict.word(), "{}", &result.name);
            }
        }
    }
    Ok(())
}

fn promela(text: &str) -> Option<taut::Loaded> {
    let options = LoadOptions { language: Language::named("promela"), ..LoadOptions::default() };
    from_bytes("random.pml", text.as_bytes().to_vec(), options).ok()
}

fn model() -> impl Strategy<Value = MemoryModel> {
    select(MemoryModel::EVERY.to_vec())
}

#[test]
fn faults_alone_are_those_of_a_whole_check() {
    let tally =
        random_cases(300, (prop_oneof![straight(4), graph(5)], model()), |case, (draft, model)| {
            let program = draft.program();
            case.about(&program);
            same_faults(case, Check::of(&program).model(model).engine(taut::engines::Explicit))
        });
    tally.at_least("compared", 240).at_least("with a fault", 24);
}

#[test]
fn faults_of_promela_models_alone() {
    let tally = random_cases(300, (any::<u64>(), model()), |case, (seed, model)| {
        let text = generate(seed).text();
        case.about_promela(&text);
        let Some(loaded) = promela(&text) else { return case.pass_over("refused") };
        let same =
            same_faults(case, Check::of(&loaded).model(model).engine(taut::engines::Explicit));
        prop_assert!(same.is_ok(), "{same:?}\n{text}");
        Ok(())
    });
    tally.at_least("compared", 190);
}

#[test]
fn questions_together_have_the_answers_that_they_have_alone() {
    let tally =
        random_cases(300, (graph(4), question(3), model()), |case, (draft, question, model)| {
            let mut program = draft.program();
            question.ask(&mut program);
            case.about(&program);
            same_answers(case, &Check::of(&program).model(model).engine(taut::engines::Explicit))
        });
    tally.at_least("compared", 1_340);
}

#[test]
fn questions_about_promela_models_together() {
    let tally = random_cases(300, (any::<u64>(), model()), |case, (seed, model)| {
        let (random, formula) = generate_with_formula(seed, false);
        let text = format!("{}\nltl asked {{ {} }}\n", random.text(), formula.text());
        case.about_promela(&text);
        let Some(loaded) = promela(&text) else { return case.pass_over("refused") };
        let same =
            same_answers(case, &Check::of(&loaded).model(model).engine(taut::engines::Explicit));
        prop_assert!(same.is_ok(), "{same:?}\n{text}");
        Ok(())
    });
    tally.at_least("compared", 870);
}
