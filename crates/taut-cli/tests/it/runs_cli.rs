//! Questions about runs on the command line: formulas, claims and automata, fairness, lassos that replay.

use crate::command;

use std::path::PathBuf;

use command::{code, objects, path, scratch, shown, stderr, stdout, taut};
use taut_testkit::spin::Verifier;

/// Peterson's lock with fences, as the literature's formula speaks of it.
fn lock(test: &str) -> PathBuf {
    scratch(
        &format!("lock_{test}.pml"),
        "#include \"taut.h\"\n\
         bool want0, want1; byte turn;\n\
         #define free0 (want1 == 0 || turn == 0)\n\
         active proctype t0() { do :: want0 = 1; turn = 1; FENCE(); free0; CS: skip; want0 = 0 od }\n\
         active proctype t1() { do :: want1 = 1; turn = 0; FENCE(); (want0 == 0 || turn == 1);\n\
         CS: skip; want1 = 0 od }\n",
    )
}

const ENTERS: &str = "[] (want0 == 1 -> <> t0@CS)";

/// Verdicts of a check as JSON, by property.
fn verdicts(args: &[&str]) -> Vec<(String, String)> {
    let output = taut(&[&["check"], args, &["--format", "json"]].concat());
    let mut all = Vec::new();
    for object in objects(&output) {
        for result in object["results"].as_array().expect("results") {
            let text = |field: &str| result[field].as_str().expect("a text").to_string();
            all.push((text("property"), text("verdict")));
        }
    }
    all
}

fn verdict(args: &[&str]) -> String {
    let all = verdicts(args);
    assert_eq!(all.len(), 1, "{args:?}: {all:?}");
    all[0].1.clone()
}

#[test]
fn a_formula_as_typed_is_the_only_question_and_needs_fair_memory() {
    let model = lock("typed");
    let ask = |fairness: &str| {
        verdict(&[path(&model), "--model", "tso", "--ltl", ENTERS, "--fairness", fairness])
    };
    assert_eq!(ask("all"), "holds");
    assert_eq!(ask("none"), "violated");
    assert_eq!(ask("process"), "violated");
    assert_eq!(ask("memory"), "violated");
    assert_eq!(ask("process,memory"), "holds");
    let output = taut(&["check", path(&model), "--model", "tso", "--ltl", ENTERS]);
    assert_eq!(code(&output), 0, "{}", shown(&output));
    assert!(
        stdout(&output).contains("bound 8, fairness all")
            || stdout(&output).contains("all executions, fairness all"),
        "{}",
        stdout(&output)
    );
    assert!(!stdout(&output).contains("deadlock"), "{}", stdout(&output));
}

#[test]
fn operators_have_both_spellings() {
    let model = lock("spellings");
    for formula in [
        ENTERS,
        "G (want0 == 1 -> F t0@CS)",
        "always (want0 == 1 implies eventually t0@CS)",
        "!<> (want0 == 1 && [] !t0@CS)",
        "(false V (!(want0 == 1) || (true U t0@CS)))",
        "false R (want0 != 1 || F t0@CS)",
        "(want0 != 1 || F t0@CS) W false",
    ] {
        assert_eq!(
            verdict(&[path(&model), "--model", "tso", "--ltl", formula]),
            "holds",
            "{formula}"
        );
        let negated = format!("!({formula})");
        assert_eq!(
            verdict(&[path(&model), "--model", "sc", "--ltl", &negated]),
            "violated",
            "{negated}"
        );
    }
    assert_eq!(verdict(&[path(&model), "--model", "sc", "--ltl", "X (want0 || want1)"]), "holds");
}

#[test]
fn formulas_stand_in_programs_files_and_automata() {
    let model = lock("files");
    let file = scratch(
        "props.ltl",
        "#define inside t0@CS\n\
         // what is asked of a lock\n\
         enters: [] (want0 == 1 -> <> inside)\n\
         ltl mutex: [] !(inside && t1@CS)\n\
         ltl never_in { [] !inside }\n",
    );
    let all = verdicts(&[path(&model), "--model", "tso", "--ltl-file", path(&file)]);
    let expected = [("enters", "holds"), ("mutex", "holds"), ("never_in", "violated")];
    let expected = expected.map(|(name, verdict)| (name.to_string(), verdict.to_string()));
    assert_eq!(all, expected);
    // The automaton of the negation says which runs must not be.
    let hoa = taut(&["ltl", ENTERS, "--negate", "--to", "hoa"]);
    assert_eq!(code(&hoa), 0, "{}", shown(&hoa));
    let file = scratch("enters.hoa", stdout(&hoa));
    assert_eq!(verdict(&[path(&model), "--model", "tso", "--hoa", path(&file)]), "holds");
    let args = [path(&model), "--model", "tso", "--hoa", path(&file), "--fairness", "none"];
    assert_eq!(verdict(&args), "violated");
    let broken = scratch("broken.hoa", "HOA: v1\nStates: x\n");
    let output = taut(&["check", path(&model), "--hoa", path(&broken)]);
    assert_eq!(code(&output), 3, "{}", shown(&output));
    assert!(stderr(&output).contains("broken.hoa:2"), "{}", stderr(&output));
}

#[test]
fn the_taut_language_and_litmus_tests_have_formulas() {
    let program = scratch(
        "store.taut",
        "shared bool x = 0;\nprocess p begin x := 1; end\nprocess q begin done: await(x == 1); end\n\
         ltl arrives: <> (x == 1);\nltl seen: [] (view(p, x) == 1 -> <> drained(p));\n",
    );
    let ask = |fairness: &str| {
        verdicts(&[path(&program), "--model", "tso", "--no-deadlock", "--fairness", fairness])
    };
    let both = |verdict: &str| {
        ["arrives", "seen"].map(|name| (name.to_string(), verdict.to_string())).to_vec()
    };
    assert_eq!(ask("all"), both("holds"));
    // A store that waits for ever: q waits for it, and nothing else happens.
    assert_eq!(ask("none"), both("holds"), "nothing but the commit can happen");
    let busy = scratch(
        "busy.taut",
        "shared bool x = 0;\nshared bool y = 0;\nprocess p begin x := 1; end\nprocess q begin loop { y := 1 - y; } end\n\
         ltl arrives: <> (x == 1);\n",
    );
    let ask = |fairness: &str| {
        verdict(&[path(&busy), "--model", "pso", "--property", "arrives", "--fairness", fairness])
    };
    assert_eq!(ask("all"), "holds");
    assert_eq!(ask("process"), "violated");
    assert_eq!(ask("process,memory-process"), "violated", "the memory is busy with y");
    let litmus = "testdata/litmus/classic/SB.litmus";
    let formula = "<> (P0:rax == 1 || P1:rax == 1)";
    assert_eq!(verdict(&[litmus, "--model", "sc", "--ltl", formula]), "holds");
    assert_eq!(verdict(&[litmus, "--model", "tso", "--ltl", formula]), "violated");
}

#[test]
fn a_lasso_is_drawn_with_its_cycle_and_replays_with_its_question() {
    let model = lock("lasso");
    let trace = scratch("lasso.json", "");
    let args = ["check", path(&model), "--model", "tso", "--ltl", ENTERS, "--fairness", "none"];
    let output = taut(&[&args[..], &["--trace", path(&trace)]].concat());
    assert_eq!(code(&output), 1, "{}", shown(&output));
    let text = stdout(&output);
    for words in ["TSO: ltl violated", "cycle, repeated for ever", "then a cycle of", "no fairness"]
    {
        assert!(text.contains(words), "{words}: {text}");
    }
    let written = std::fs::read_to_string(&trace).expect("a trace");
    assert!(written.contains("\"lasso\""), "{written}");
    let output = taut(&["replay", path(&model), path(&trace)]);
    assert_eq!(code(&output), 0, "{}", shown(&output));
    assert!(stdout(&output).contains("cycle, repeated for ever"), "{}", stdout(&output));
    // The same run is not fair to the stores of t0.
    let tampered = scratch("tampered.json", written.replace("\"none\"", "\"all\""));
    let output = taut(&["replay", path(&model), path(&tampered)]);
    assert_eq!(code(&output), 3, "{}", shown(&output));
}

#[test]
fn cycles_without_progress_and_acceptance_cycles() {
    let model = scratch(
        "wait.pml",
        "byte x;\nactive proctype p() { do :: x = 1 - x od }\n\
         active proctype q() { do :: x < 2 -> progress: skip od }\n",
    );
    let ask = |fairness: &str| {
        verdict(&[path(&model), "--model", "sc", "--progress", "--fairness", fairness])
    };
    assert_eq!(ask("none"), "violated");
    assert_eq!(ask("process"), "holds");
    let ends = scratch("ends.pml", "byte x;\nactive proctype p() { x = 1; (x == 2) }\n");
    assert_eq!(verdict(&[path(&ends), "--model", "sc", "--progress"]), "holds", "no cycle");
    let stuck = scratch("stuck.pml", "byte x;\nactive proctype p() { x = 1; accept: (x == 2) }\n");
    assert_eq!(verdict(&[path(&stuck), "--model", "sc", "--acceptance"]), "violated");
    assert_eq!(verdict(&[path(&ends), "--model", "sc", "--acceptance"]), "holds");
}

#[test]
fn automata_are_printed_in_three_formats() {
    let of = |format: &str| stdout(&taut(&["ltl", "[] (p -> <> q)", "--to", format]));
    assert!(of("hoa").starts_with("HOA: v1\n"), "{}", of("hoa"));
    assert!(of("dot").contains("digraph"), "{}", of("dot"));
    let claim = of("never");
    let model = format!("bool p, q;\nactive proctype a() {{ p = 1; q = 1 }}\n{claim}");
    Verifier::generate(&model, &[]).unwrap_or_else(|e| panic!("{e}\n{model}"));
    let output = taut(&["ltl", "[] (p -> "]);
    assert_eq!(code(&output), 3);
    assert!(
        stderr(&output).contains("E0008") && stderr(&output).contains('^'),
        "{}",
        stderr(&output)
    );
}

#[test]
fn mistakes_point_into_what_was_typed() {
    let model = lock("mistakes");
    let output = taut(&["check", path(&model), "--ltl", "[] (wnat0 == 1)"]);
    assert_eq!(code(&output), 3, "{}", shown(&output));
    assert!(stderr(&output).contains("--ltl:1:"), "{}", stderr(&output));
    assert!(stderr(&output).contains("want0"), "a hint: {}", stderr(&output));
    let output = taut(&["check", path(&model), "--property", "nothing"]);
    assert_eq!(code(&output), 3, "{}", shown(&output));
    let output = taut(&["check", path(&model), "--fairness", "some"]);
    assert_eq!(code(&output), 3, "{}", shown(&output));
    let output = taut(&["check", path(&model), "--ltl-file", "nowhere.ltl"]);
    assert_eq!(code(&output), 3, "{}", shown(&output));
}

#[test]
fn limits_end_in_unknown() {
    let model = lock("limits");
    let args = [path(&model), "--model", "tso", "--ltl", ENTERS, "--max-states", "20"];
    assert_eq!(verdict(&args), "unknown");
    let output = taut(&[&["check"], &args[..]].concat());
    assert_eq!(code(&output), 2, "{}", shown(&output));
    let nested = [path(&model), "--model", "tso", "--ltl", ENTERS, "--cycles", "nested"];
    assert_eq!(verdict(&nested), "holds");
}

#[test]
fn a_formula_that_counts_steps_is_told_so() {
    let program =
        scratch("private.taut", "shared bool x = 0;\nprocess p begin loop { x := 1 - x; } end\n");
    let note = |formula: &str, more: &[&str]| {
        let args = ["check", path(&program), "--model", "pso", "--ltl", formula];
        stdout(&taut(&[&args[..], more].concat()))
    };
    let plain = note("[] <> (view(p, x) == 1)", &[]);
    assert!(plain.contains("only one process can tell whether stores to x wait"), "{plain}");
    let next = note("[] <> X (view(p, x) == 1)", &[]);
    assert!(next.contains("it can count steps (X), so no buffer is left out"), "{next}");
    let full = note("[] <> (view(p, x) == 1)", &["--reduce", "none"]);
    assert!(!full.contains("note:"), "{full}");
}
