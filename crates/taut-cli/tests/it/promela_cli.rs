//! Promela on the command line: options, SPIN's facts, warnings, models that start many processes.

use crate::command;

use std::path::PathBuf;

use command::{code, objects, path, scratch, shown, stderr, stdout, taut};
use serde_json::Value;
use taut_testkit::spin::Verifier;

/// The models of a report and the number of states under each.
fn states(args: &[&str]) -> Vec<(String, u64)> {
    let output = taut(&[&["check"], args, &["--all", "--format", "json"]].concat());
    let of = |o: &Value| {
        let model = o["model"].as_str().expect("a model").to_string();
        (model, o["stats"]["states"].as_u64().expect("a number"))
    };
    objects(&output).iter().map(of).collect()
}

/// A model in which every worker starts two more; the one at the bottom finds something wrong.
fn tree(name: &str) -> PathBuf {
    scratch(
        name,
        "proctype worker(byte depth) {\n\
         \x20 if\n\
         \x20 :: depth < 3 -> run worker(depth + 1); run worker(depth + 1)\n\
         \x20 :: else -> assert(_nr_pr < 8)\n\
         \x20 fi\n\
         }\n\
         init { run worker(1) }\n",
    )
}

#[test]
fn spins_facts_stand_below_the_verdict() {
    let model = scratch(
        "facts.pml",
        "bool x;\nactive proctype p() {\n  do\n  :: x -> skip\n  :: !x -> x = 1\n  od\n}\n\
         active proctype q() {\n  x == 2;\n  x = 0\n}\n",
    );
    let output = taut(&["check", path(&model), "--model", "sc", "--no-deadlock"]);
    assert_eq!(code(&output), 0, "{}", shown(&output));
    let text = stdout(&output);
    assert!(text.contains("sc: state vector 1 bytes, depth "), "{text}");
    assert!(text.contains(" states stored, ") && text.contains(" matched, "), "{text}");
    assert!(!text.contains("-end-"), "an endless process is no news: {text}");
    assert!(text.contains("facts.pml:8  process `q` never moves\n"), "{text}");
    assert!(text.contains("facts.pml:9  q: `x == 2` is never passed\n"), "{text}");
    let output = taut(&["check", path(&model), "--model", "sc", "--format", "json"]);
    let facts = &objects(&output)[0]["facts"];
    assert!(facts["state_vector_bytes"].is_u64() && facts["matched"].is_u64(), "{facts}");
    let first = &facts["unreached"][0];
    assert_eq!((&first["proctype"], &first["line"]), (&"p".into(), &2.into()), "{facts}");
}

#[test]
fn what_an_unfinished_search_did_not_reach_is_not_listed() {
    let output = taut(&["check", "examples/dekker.pml", "--model", "sc", "--max-states", "9"]);
    assert_eq!(code(&output), 2, "{}", shown(&output));
    assert!(stdout(&output).contains("state vector") && !stdout(&output).contains("unreached"));
    let args = ["check", "examples/dekker.pml", "--model", "sc", "--max-states", "9"];
    let output = taut(&[&args[..], &["--format", "json"]].concat());
    assert_eq!(objects(&output)[0]["facts"]["unreached"], Value::Null);
    let output = taut(&["check", "examples/dekker.taut", "--model", "sc", "--format", "json"]);
    assert_eq!(objects(&output)[0].get("facts"), None, "SPIN's facts are Promela's");
}

#[test]
fn macros_and_ghosts_come_from_the_command_line() {
    let args = ["check", "examples/dekker.pml", "--model", "tso"];
    assert_eq!(code(&taut(&args)), 1);
    assert_eq!(code(&taut(&[&args[..], &["-DFENCED"]].concat())), 0);
    assert_eq!(code(&taut(&[&args[..], &["--define", "FENCED=1"]].concat())), 0);
    let model = scratch(
        "ghosts.pml",
        "#define FALSE 0\nbyte x, y; active proctype p() { x = N; y = 1 }\n\
         active proctype q() { y == 1; assert(x == 7) }\n",
    );
    let args = ["check", path(&model), "--model", "pso", "-D", "N=7"];
    assert_eq!(code(&taut(&args)), 1);
    assert_eq!(code(&taut(&[&args[..], &["--ghost", "x"]].concat())), 0);
    assert_eq!(code(&taut(&[&args[..], &["--ghost", "y,x"]].concat())), 0);
    let output = taut(&[&args[..], &["--ghost", "z"]].concat());
    assert_eq!(code(&output), 3, "there is no such variable: {}", shown(&output));
}

#[test]
fn an_mmlib_model_chooses_its_memory() {
    let object = |args: &[&str]| {
        let args = [&["check", "examples/mmlib_sb.pml", "--format", "json"], args].concat();
        let output = taut(&args);
        let objects = objects(&output);
        assert_eq!(objects.len(), 1, "{}", shown(&output));
        (code(&output), objects[0]["model"].clone(), objects[0]["bound"].clone())
    };
    assert_eq!(object(&[]), (1, "tso".into(), 2.into()));
    assert_eq!(object(&["--bound", "5"]), (1, "tso".into(), 5.into()));
    assert_eq!(object(&["--model", "sc"]), (0, "sc".into(), Value::Null));
    assert_eq!(object(&["--model", "pso"]), (1, "pso".into(), 2.into()));
    assert_eq!(object(&["-DFENCED"]), (0, "tso".into(), 2.into()));
}

#[test]
fn mmlib_as_written_reads_the_header_from_disk() {
    let model = scratch(
        "as_written.pml",
        "#define x 0\n#include \"sc.h\"\nactive proctype p() { WRITE(x, 2); assert(READ(x) == 2) }\n",
    );
    assert_eq!(code(&taut(&["check", path(&model)])), 0, "no header is needed");
    let as_written = ["check", path(&model), "--mmlib", "as-written"];
    let output = taut(&as_written);
    assert_eq!(code(&output), 3, "{}", shown(&output));
    assert!(stderr(&output).contains("sc.h"), "{}", stderr(&output));
    scratch(
        "sc.h",
        "int memory[1];\n#define WRITE(s, v) memory[s] = v + 1\n#define READ(s) memory[s]\n",
    );
    let output = taut(&as_written);
    assert_eq!(code(&output), 1, "it is plain Promela: {}", shown(&output));
    assert!(!stdout(&output).contains("tso"), "one model: {}", stdout(&output));
}

#[test]
fn warnings_are_shown_once_and_claims_are_checked() {
    let output = taut(&["compare", "examples/atomic_lock.pml", "--bound", "1"]);
    assert_eq!(stderr(&output).matches("warning").count(), 1, "{}", stderr(&output));
    assert!(stderr(&output).contains("atomic_lock.pml:"), "{}", stderr(&output));
    let output = taut(&["check", "examples/atomic_lock.pml", "--model", "sc"]);
    assert_eq!(stderr(&output), "", "under SC it is a locked instruction");
    let model = scratch(
        "claims.pml",
        "bool x; active proctype p() { x = 1 }\nltl first { <> x }\nltl second { [] !x }\n",
    );
    let output = taut(&["check", path(&model)]);
    assert_eq!(code(&output), 1, "{}", shown(&output));
    for model in ["SC", "TSO", "PSO"] {
        assert!(stdout(&output).contains(&format!("{model}: second violated")), "{model}");
        assert!(!stdout(&output).contains(&format!("{model}: first violated")), "{model}");
    }
}

#[test]
fn assertions_and_deadlocks_can_be_left_out() {
    let model =
        scratch("both.pml", "byte x; active proctype p() { x++; assert(x == 2); x == 2 }\n");
    let asked = |args: &[&str]| {
        let output = taut(&[&["check", path(&model), "--model", "sc", "--all"], args].concat());
        let text = stdout(&output);
        let has = |title: &str| text.contains(&format!("SC: {title} violated"));
        (code(&output), has("assert(x == 2)"), has("deadlock"))
    };
    assert_eq!(asked(&[]), (1, true, true));
    assert_eq!(asked(&["--no-assert"]), (1, false, true));
    assert_eq!(asked(&["--no-deadlock"]), (1, true, false));
    assert_eq!(asked(&["--no-assert", "--no-deadlock"]), (0, false, false));
    let trace = scratch("deadlock.json", "");
    let args = ["check", path(&model), "--model", "sc", "--no-assert", "--trace", path(&trace)];
    let output = taut(&args);
    assert!(stdout(&output).contains("SC: deadlock violated"), "{}", shown(&output));
    let output = taut(&["replay", path(&model), path(&trace)]);
    assert_eq!(code(&output), 0, "the run is one of the whole model: {}", shown(&output));
    // The same switch for programs in the Taut language.
    let program = scratch("assert.taut", "process p begin assert(0 == 1); end\n");
    assert_eq!(code(&taut(&["check", path(&program)])), 1);
    assert_eq!(code(&taut(&["check", path(&program), "--no-assert"])), 0);
}

#[test]
fn reductions_add_no_states() {
    let reduced = |reduce: &str| states(&["examples/leader.pml", "--reduce", reduce]);
    for (all, none) in reduced("all").into_iter().zip(reduced("none")) {
        assert!(all.0 == none.0 && all.1 <= none.1, "{all:?}, {none:?}");
    }
}

#[test]
fn a_model_gets_the_processes_it_starts() {
    // The root and two below it and four below those, but never more than all of them with `init`.
    let model = tree("tree1.pml");
    let output = taut(&["check", path(&model), "--model", "sc"]);
    assert_eq!(code(&output), 1, "all eight can live at once: {}", shown(&output));
    let trace = scratch("tree.json", "");
    let args = ["check", path(&model), "--model", "tso", "--trace", path(&trace)];
    assert_eq!(code(&taut(&args)), 1);
    let output = taut(&["replay", path(&model), path(&trace)]);
    assert_eq!(code(&output), 0, "{}", shown(&output));
    assert!(stdout(&output).contains("The replayer accepts the run"), "{}", stdout(&output));
    let json = taut(&["check", path(&model), "--model", "sc", "--format", "json"]);
    let report = scratch("tree_report.json", json.stdout);
    let output = taut(&["replay", path(&model), path(&report)]);
    assert_eq!(code(&output), 0, "{}", shown(&output));
}

#[test]
fn a_trace_cannot_ask_for_more_processes_than_there_can_be() {
    let model = tree("tree2.pml");
    let trace = scratch("large.json", "");
    taut(&["check", path(&model), "--model", "sc", "--trace", path(&trace)]);
    let text = std::fs::read_to_string(&trace).expect("a trace");
    let mut object: Value = serde_json::from_str(&text).expect("JSON");
    assert!(object["slots"]["worker"].as_u64().is_some_and(|n| n >= 7), "{}", object["slots"]);
    for count in [4_000_000_000_u64, 2] {
        object["slots"]["worker"] = count.into();
        let other = scratch("other.json", object.to_string());
        let output = taut(&["replay", path(&model), path(&other)]);
        assert_eq!(code(&output), 3, "{count}: {}", shown(&output));
    }
}

#[test]
fn at_255_processes_the_verdict_says_so() {
    let model = scratch("endless.pml", "proctype p() { run p() }\ninit { run p() }\n");
    let output = taut(&["check", path(&model), "--model", "sc"]);
    assert_eq!(code(&output), 0, "{}", shown(&output));
    assert!(stdout(&output).contains("up to 254 spawned threads"), "{}", stdout(&output));
}

#[test]
fn one_limit_of_time_holds_for_all_searches_of_a_growing_model() {
    let model = scratch(
        "slow.pml",
        "byte x, y, z; proctype p() { do :: x++ :: y++ :: z++ :: run p() od }\ninit { run p() }\n",
    );
    let started = std::time::Instant::now();
    let args = ["check", path(&model), "--model", "sc", "--reduce", "none", "--timeout", "500ms"];
    let output = taut(&args);
    assert_eq!(code(&output), 2, "{}", shown(&output));
    assert!(stdout(&output).contains("the limit of 500.0 ms was met"), "{}", stdout(&output));
    assert!(started.elapsed().as_secs() < 20);
}

#[test]
fn an_export_has_the_processes_that_the_model_starts() {
    // What is wrong in this model can be seen only if all eight processes are there.
    let output = taut(&["export", path(&tree("tree_export.pml")), "--model", "sc"]);
    assert_eq!(code(&output), 0, "{}", shown(&output));
    let verifier = Verifier::quick(&stdout(&output), &[], &["-DSAFETY"]).expect("a verifier");
    assert_eq!(verifier.run(&["-m100000"]).expect("a search").errors, 1);
}

#[test]
fn the_header_is_written_out() {
    let output = taut(&["header"]);
    assert_eq!((code(&output), stdout(&output).as_str()), (0, taut::promela::HEADER));
    let file = scratch("taut.h", "");
    assert_eq!(code(&taut(&["header", "-o", path(&file)])), 0);
    assert_eq!(std::fs::read_to_string(&file).expect("a header"), taut::promela::HEADER);
    assert_eq!(code(&taut(&["header", "-o", "no/such/folder/taut.h"])), 74);
}

#[test]
fn promela_is_known_by_its_extension_or_by_name() {
    let text = "active proctype p() { assert(false) }\n";
    for name in ["a.pml", "a.prom", "a.promela", "a.spin"] {
        let file = scratch(name, text);
        assert_eq!(code(&taut(&["check", path(&file), "--model", "sc"])), 1, "{name}");
    }
    let file = scratch("a.txt", text);
    assert_eq!(code(&taut(&["check", path(&file)])), 3);
    let output = taut(&["check", path(&file), "--language", "promela", "--model", "sc"]);
    assert_eq!(code(&output), 1, "{}", shown(&output));
    let output = taut(&["fmt", "examples/peterson.pml"]);
    assert_eq!(code(&output), 3);
    assert!(stderr(&output).contains("the Taut language has no syntax for"), "{}", stderr(&output));
}

/// The verdicts of a model under TSO, PSO and delayed writes, by their words.
fn relaxed_verdicts(args: &[&str]) -> Vec<(String, String, Value)> {
    let of = |model: &str| {
        let output = taut(&[&["check"], args, &["--model", model, "--format", "json"]].concat());
        let object = objects(&output).remove(0);
        let word = object["results"][0]["verdict"].as_str().expect("a word").to_string();
        (model.to_string(), word, object["channels"].clone())
    };
    ["tso", "pso", "delayed"].into_iter().map(of).collect()
}

/// What is expected of [`relaxed_verdicts`].
fn expected(of_tso_and_pso: (&str, &str), delayed: &str) -> Vec<(String, String, Value)> {
    let (word, channels) = of_tso_and_pso;
    let row = |model: &str| (model.to_string(), word.to_string(), channels.into());
    vec![row("tso"), row("pso"), ("delayed".into(), delayed.into(), Value::Null)]
}

#[test]
fn a_message_brings_the_stores_before_it() {
    for (capacity, send) in [("0", "!"), ("1", "!"), ("2", "!!")] {
        let model = scratch(
            &format!("message_{capacity}.pml"),
            format!(
                "byte data; chan c = [{capacity}] of {{ byte }};\n\
                 active proctype p() {{ data = 42; c {send} 1 }}\n\
                 active proctype q() {{ c ? 1; assert(data == 42) }}\n"
            ),
        );
        let drained = relaxed_verdicts(&[path(&model)]);
        assert_eq!(drained, expected(("holds", "drain"), "violated"), "{capacity}");
        let free = relaxed_verdicts(&[path(&model), "--channels", "free"]);
        assert_eq!(free, expected(("violated", "free"), "violated"), "{capacity}");
    }
}

#[test]
fn a_d_step_that_sends_waits_for_its_buffer_and_does_not_block() {
    let model = scratch(
        "d_step_send.pml",
        "byte data; chan c = [1] of { byte };\n\
         active proctype p() { d_step { data = 42; c ! 1 } }\n\
         active proctype q() { c ? 1; assert(data == 42) }\n",
    );
    for model_name in ["sc", "tso", "pso"] {
        let output = taut(&["check", path(&model), "--model", model_name, "--all"]);
        assert_eq!(code(&output), 0, "{model_name}: {}", shown(&output));
    }
}

#[test]
fn free_channels_are_warned_of_where_they_matter() {
    let free = |file: &str, model: &str| {
        let output = taut(&["check", file, "--model", model, "--channels", "free"]);
        stderr(&output).contains("warning[E0013]")
    };
    assert!(free("examples/mailbox.pml", "tso"));
    assert!(!free("examples/mailbox.pml", "sc"), "there are no buffers");
    assert!(!free("examples/mailbox.pml", "delayed"), "sends do not wait there anyway");
    assert!(!free("examples/dekker.pml", "tso"), "there are no channels");
}

const OVERTAKEN: &str = "byte data, done; chan c = [1] of { byte };\n\
    active proctype p() { data = 42; c ! 1 }\n\
    active proctype q() { c ? 1; assert(data == 42); done = 1; assert(done == 1) }\n";

/// The coverage says that channels are free, under memory models where that is a difference.
#[test]
fn a_coverage_says_that_channels_are_free() {
    let text = OVERTAKEN.replace("assert(data == 42); ", "");
    let model = scratch("free_coverage.pml", &text);
    let says = |name: &str, channels: &str| {
        let output = taut(&["check", path(&model), "--model", name, "--channels", channels]);
        assert_eq!(code(&output), 0, "{}", shown(&output));
        stdout(&output).contains(", channels free")
    };
    assert!(says("tso", "free") && says("pso", "free"));
    assert!(!says("tso", "drain") && !says("sc", "free") && !says("delayed", "free"));
}

/// A trace says how its program was read, so `replay` needs no option; an option that is given counts.
#[test]
fn a_trace_with_free_channels_replays_without_the_option() {
    let model = scratch("overtaken.pml", OVERTAKEN);
    let trace = scratch("overtaken.json", "");
    let check = ["check", path(&model), "--model", "tso", "--channels", "free"];
    let output = taut(&[&check[..], &["--trace", path(&trace)]].concat());
    assert_eq!(code(&output), 1, "{}", shown(&output));
    let output = taut(&["replay", path(&model), path(&trace)]);
    assert_eq!(code(&output), 0, "{}", shown(&output));
    let output = taut(&["replay", path(&model), path(&trace), "--channels", "drain"]);
    assert_eq!(code(&output), 3, "{}", shown(&output));
    let text = std::fs::read_to_string(&trace).expect("a trace");
    let odd = text.replace("\"channels\": \"free\"", "\"channels\": \"open\"");
    assert_ne!(odd, text, "the trace says it");
    let odd = scratch("overtaken_odd.json", &odd);
    let output = taut(&["replay", path(&model), path(&odd)]);
    assert_eq!(code(&output), 3, "{}", shown(&output));
    assert!(stderr(&output).contains("there is no `open` for `channels`"), "{}", stderr(&output));
}

#[test]
fn a_trace_with_a_granularity_replays_without_the_option() {
    let model = scratch(
        "increments.pml",
        "byte x, done;\n\
         active [2] proctype p() { x = x + 1; done = done + 1 }\n\
         active proctype q() { (done == 2); assert(x == 2) }\n",
    );
    let trace = scratch("increments.json", "");
    let check = ["check", path(&model), "--model", "sc", "--granularity", "access"];
    let output = taut(&[&check[..], &["--trace", path(&trace)]].concat());
    assert_eq!(code(&output), 1, "{}", shown(&output));
    let output = taut(&["replay", path(&model), path(&trace)]);
    assert_eq!(code(&output), 0, "{}", shown(&output));
    let output = taut(&["replay", path(&model), path(&trace), "--granularity", "statement"]);
    assert_eq!(code(&output), 3, "{}", shown(&output));
}
