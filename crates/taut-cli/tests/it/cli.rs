//! The command line as a user types it: output, exit codes, bad input.

use crate::command;

use std::process::{Command, Stdio};
use std::time::Duration;

use command::{code, objects, path, scratch, shown, stderr, stdout, taut};
use serde_json::Value;
use taut_testkit::suite::root;

macro_rules! assert_shown {
    ($name:expr, $output:expr) => {
        insta::with_settings!({filters => vec![
            (r" +\d+(\.\d+)? (µs|ms|s)\b", " TIME"),
            (r"\d+ states/s", "N states/s"),
            (r"depth +time", "depth time"),
        ]}, { insta::assert_snapshot!($name, shown(&$output)) })
    };
}

#[test]
fn check_shows_the_run_and_one_row_a_model() {
    let output = taut(&["check", "examples/peterson.taut"]);
    assert_shown!("check_peterson", output);
}

#[test]
fn check_with_fences_holds() {
    let output = taut(&["check", "examples/peterson_tso.taut", "--model", "tso", "--stats"]);
    assert_eq!(code(&output), 0, "{}", shown(&output));
    assert!(stdout(&output).contains("all executions"));
    assert!(stdout(&output).contains("bytes per state"));
}

#[test]
fn compare_is_one_table() {
    let output = taut(&["compare", "examples/sb.taut"]);
    assert_shown!("compare_sb", output);
}

#[test]
fn json_has_one_object_a_model_with_the_promised_fields() {
    let output = taut(&["check", "examples/peterson.taut", "--format", "json", "--bound", "2"]);
    assert_eq!(code(&output), 1);
    let objects = objects(&output);
    let models: Vec<_> = objects.iter().map(|o| o["model"].as_str().unwrap()).collect();
    assert_eq!(models, ["sc", "tso", "pso"]);
    for object in &objects {
        assert_eq!(object["file"], "examples/peterson.taut");
        assert_eq!(object["engine"], "explicit");
        for field in ["states", "transitions", "depth", "peak_bytes"] {
            assert!(object["stats"][field].is_u64(), "{field}");
        }
        assert!(object["stats"]["seconds"].is_f64());
        for result in object["results"].as_array().unwrap() {
            for field in ["property", "kind", "verdict", "coverage"] {
                assert!(result[field].is_string(), "{field}");
            }
            assert_eq!(result["witness"].is_object(), result["verdict"] == "violated");
        }
    }
    assert_eq!(objects[0]["bound"], Value::Null, "there are no buffers under SC");
    assert_eq!(objects[1]["bound"], 2);
}

#[test]
fn a_trace_replays_and_a_tampered_one_does_not() {
    let folder = scratch("trace.json", "");
    let file = path(&folder);
    let output = taut(&["check", "examples/peterson.taut", "--model", "tso", "--trace", file]);
    assert_eq!(code(&output), 1);
    let output = taut(&["replay", "examples/peterson.taut", file]);
    assert_eq!(code(&output), 0, "{}", shown(&output));
    assert!(stdout(&output).contains("The replayer accepts the run: mutex is violated under TSO"));
    // The same run under SC is not one: without buffers the second process sees the first.
    let text = std::fs::read_to_string(&folder).unwrap().replace("\"tso\"", "\"sc\"");
    let tampered = scratch("tampered.json", text);
    let output = taut(&["replay", "examples/peterson.taut", path(&tampered)]);
    assert_eq!(code(&output), 3);
    assert!(stderr(&output).contains("action"), "{}", stderr(&output));
    let output = taut(&["replay", "examples/dekker.taut", file]);
    assert_eq!(code(&output), 3, "a trace of another program");
    let json = taut(&["check", "examples/peterson.taut", "--model", "pso", "--format", "json"]);
    let report = scratch("report.json", json.stdout);
    let output = taut(&["replay", "examples/peterson.taut", path(&report)]);
    assert_eq!(code(&output), 0, "an object of `check --format json` is a trace, too");
}

#[test]
fn limits_end_in_unknown() {
    for limit in [["--max-states", "100"], ["--max-memory", "3K"], ["--timeout", "0s"]] {
        let args = ["check", "examples/peterson_pso.taut", "--model", "pso", "--reduce", "none"];
        let output = taut(&[&args[..], &limit].concat());
        assert_eq!(code(&output), 2, "{limit:?}: {}", shown(&output));
        assert!(stdout(&output).contains("unknown"), "{limit:?}");
        assert!(stdout(&output).contains("limit of"), "{limit:?}");
    }
}

#[test]
fn full_buffers_can_be_an_error() {
    let args = ["check", "examples/peterson.taut", "--model", "tso", "--full-buffer", "error"];
    let output = taut(&[&args[..], &["--all", "--bound", "1"]].concat());
    assert_eq!(code(&output), 1);
    assert!(stdout(&output).contains("full-buffer"), "{}", stdout(&output));
}

#[test]
fn depth_first_finds_the_same_violations() {
    let args = ["check", "examples/dekker.taut", "--model", "tso", "--search", "dfs"];
    let output = taut(&args);
    assert_eq!(code(&output), 1, "{}", shown(&output));
}

#[test]
fn ctrl_c_prints_the_statistics_so_far() {
    // Three counters of a million values each: nobody waits for that.
    let slow = scratch(
        "slow.taut",
        "shared 0..1000000 x, y, z;\n\
         process p begin loop { x := (x + 1) % 1000000; } end\n\
         process q begin loop { y := (y + 1) % 1000000; } end\n\
         process r begin loop { z := (z + 1) % 1000000; } end\n",
    );
    let mut command = Command::new(env!("CARGO_BIN_EXE_taut"));
    command.args(["check", path(&slow), "--model", "sc", "--max-memory", "2G", "--reduce", "none"]);
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("taut runs");
    std::thread::sleep(Duration::from_millis(500));
    // The shell's own `kill`: the program of that name is not on every machine.
    let kill = Command::new("sh").args(["-c", &format!("kill -INT {}", child.id())]).status();
    assert!(kill.expect("a shell runs").success());
    let output = child.wait_with_output().expect("taut ends");
    assert_eq!(code(&output), 2, "{}", shown(&output));
    assert!(stdout(&output).contains("interrupted"), "{}", stdout(&output));
}

#[test]
fn a_closed_pipe_is_no_error() {
    let mut command = Command::new(env!("CARGO_BIN_EXE_taut"));
    command.args(["check", "examples/peterson.taut"]).current_dir(root());
    let mut child =
        command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("taut runs");
    drop(child.stdout.take());
    let output = child.wait_with_output().expect("taut ends");
    assert_eq!(code(&output), 141, "as for any program that a closed pipe ends");
    assert_eq!(stderr(&output), "");
}

#[test]
fn litmus_prints_what_herd_prints() {
    let output =
        taut(&["litmus", "testdata/litmus", "--model", "tso", "--format", "json", "-j", "2"]);
    assert_eq!(code(&output), 0);
    assert!(objects(&output).len() >= 60);
    let file = objects(&output)[0]["file"].as_str().expect("a file").to_string();
    assert!(file.starts_with("testdata/litmus/"), "as given: {file}");
    let sb = scratch(
        "SB.litmus",
        "X86_64 SB\n{ }\n P0          | P1          ;\n movq $1,(x) | movq $1,(y) ;\n \
         movq (y),%rax | movq (x),%rax ;\nexists (0:rax=0 /\\ 1:rax=0)\n",
    );
    let output = taut(&["litmus", path(&sb)]);
    assert_shown!("litmus_sb", output);
    let output = taut(&["litmus", path(&sb), "--model", "sc"]);
    assert!(stdout(&output).contains("Observation SB Never 0 3"));
}

#[test]
fn litmus_goes_on_past_a_bad_test() {
    let good = "testdata/litmus";
    let bad = scratch("bad.litmus", "X86_64 bad\n{ }\n P0 ;\n movq $1,(x ;\nexists (x=1)\n");
    let output = taut(&["litmus", path(&bad), good]);
    assert_eq!(code(&output), 3);
    assert!(stdout(&output).contains("1 refused"), "{}", stdout(&output));
    assert!(stderr(&output).contains("bad.litmus:4"));
}

#[test]
fn fmt_prints_programs_back() {
    let output = taut(&["fmt", "examples/peterson.taut"]);
    assert_eq!(code(&output), 0);
    let again = scratch("again.taut", &output.stdout);
    assert_eq!(stdout(&taut(&["fmt", path(&again)])), stdout(&output), "formatting is stable");
    assert_eq!(code(&taut(&["fmt", path(&again), "--check"])), 0);
}

#[test]
fn a_litmus_test_printed_as_taut_means_the_same() {
    let folder = root().join("testdata/litmus");
    let first = stdout(&taut(&["litmus", path(&folder), "--format", "json"]));
    let file: Value = serde_json::from_str(first.lines().next().expect("a line")).expect("JSON");
    let file = file["file"].as_str().expect("a file");
    let printed = taut(&["fmt", file]);
    assert_eq!(code(&printed), 0, "{}", shown(&printed));
    let as_taut = scratch("litmus.taut", printed.stdout);
    let states = |file: &str| {
        let output = taut(&["check", file, "--format", "json", "--all", "--reduce", "none"]);
        let objects = objects(&output);
        objects.iter().map(|o| o["stats"]["states"].as_u64().expect("a number")).collect::<Vec<_>>()
    };
    assert_eq!(states(file), states(path(&as_taut)));
}

#[test]
fn bad_input_ends_with_3_and_a_message() {
    let bad: [(&str, &[u8], &str); 9] = [
        ("nul.taut", b"process p begin\0 end", "NUL byte"),
        ("latin1.taut", b"// caf\xe9\nprocess p begin skip; end", "not UTF-8"),
        ("empty.taut", b"", "error"),
        ("typo.taut", b"proces p begin skip; end", "typo.taut:1:1"),
        ("two.taut", b"process p begin\n  a := 1;\n  b := 2;\nend", "two.taut:3:"),
        ("unknown.xyz", b"", "cannot tell in which language"),
        ("broken.litmus", b"X86_64 t\n{\n P0 ;\n", "broken.litmus"),
        ("broken.rmm", b"forbidden CS\nprocess text\n  CS: nop;\n", "broken.rmm:3:"),
        ("broken.pml", b"active proctype p() {\n  x = 1\n}\n", "broken.pml:2:"),
    ];
    for (name, content, message) in bad {
        let file = scratch(name, content);
        let output = taut(&["check", path(&file)]);
        assert_eq!(code(&output), 3, "{name}: {}", shown(&output));
        assert!(stderr(&output).contains(message), "{name}: {}", stderr(&output));
    }
    let output = taut(&["check", "no/such/file.taut"]);
    assert_eq!(code(&output), 3);
    assert!(stderr(&output).contains("no such file"), "{}", stderr(&output));
    assert_eq!(code(&taut(&["check", "examples/peterson.taut", "--bound", "0"])), 3);
    assert_eq!(code(&taut(&["check", "examples/peterson.taut", "--model", "arm"])), 3);
    assert_eq!(code(&taut(&["frobnicate"])), 3);
    assert_eq!(code(&taut(&["--version"])), 0);
    assert_eq!(code(&taut(&["--help"])), 0);
}

#[test]
fn hostile_input_ends_quickly_in_a_message() {
    let mut garbage = Vec::new();
    for i in 0..10_u32 << 20 {
        garbage.push((i.wrapping_mul(2_654_435_761) >> 24) as u8 & 0x7f | 0x20);
    }
    let nested =
        format!("process p begin x := {}1{}; end", "(".repeat(100_000), ")".repeat(100_000));
    let chain = format!("process p begin assert(1{}); end", "+1".repeat(1_000_000));
    let blocks = format!("process p begin {} end", "if (1) { ".repeat(200_000));
    let model = |inner: &str| format!("int x; active proctype p() {{ {inner} }}");
    let parentheses = format!("x = {}1{}", "(".repeat(100_000), ")".repeat(100_000));
    let macros: String =
        (0..9).map(|i| format!("#define m{i} {}\n", format!("m{} ", i + 1).repeat(9))).collect();
    let cases: [(&str, &[u8]); 12] = [
        ("garbage.taut", &garbage),
        ("garbage.litmus", &garbage),
        ("nested.taut", nested.as_bytes()),
        ("chain.taut", chain.as_bytes()),
        ("blocks.taut", blocks.as_bytes()),
        ("garbage.rmm", &garbage),
        ("nested.rmm", "forbidden E process text either { ".repeat(100_000).leak().as_bytes()),
        ("garbage.pml", &garbage),
        ("nested.pml", model(&parentheses).leak().as_bytes()),
        ("blocks.pml", model(&"{ ".repeat(200_000)).leak().as_bytes()),
        ("macros.pml", (macros + "m0").leak().as_bytes()),
        ("huge_line.taut", "x".repeat(10 << 20).leak().as_bytes()),
    ];
    for (name, content) in cases {
        let file = scratch(name, content);
        let output = taut(&["check", path(&file)]);
        assert_eq!(code(&output), 3, "{name}");
        assert!(stderr(&output).contains("error"), "{name}: {}", stderr(&output));
        assert!(stderr(&output).len() < 100_000, "{name}: a message, not a novel");
    }
}

#[test]
fn line_ends_of_windows_are_blank_space() {
    let text = std::fs::read_to_string(root().join("examples/sb.taut")).expect("an example");
    let crlf = scratch("crlf.taut", text.replace('\n', "\r\n"));
    assert_eq!(code(&taut(&["check", path(&crlf), "--model", "sc"])), 0);
}

#[test]
fn a_program_can_come_from_standard_input() {
    use std::io::Write;
    let mut command = Command::new(env!("CARGO_BIN_EXE_taut"));
    command.args(["check", "-", "--model", "tso"]).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = command.spawn().expect("taut runs");
    let program = std::fs::read(root().join("examples/sb.taut")).expect("an example");
    child.stdin.take().expect("a pipe").write_all(&program).expect("a write");
    let output = child.wait_with_output().expect("taut ends");
    assert_eq!(code(&output), 1, "{}", stdout(&output));
}

#[test]
fn a_limit_beside_a_violation_is_not_hidden() {
    let args =
        ["check", "examples/peterson.taut", "--model", "pso", "--all", "--max-states", "500"];
    let output = taut(&args);
    assert_eq!(code(&output), 1);
    assert!(stdout(&output).contains("deadlock unknown: the limit of 500 states was met"));
    assert!(stdout(&output).contains("  500  "), "exactly: {}", stdout(&output));
}

#[test]
fn a_model_that_is_not_here_is_told_what_there_is_instead() {
    for word in ["arm", "POWER", "riscv", "c11"] {
        let output = taut(&["check", "examples/sb.taut", "--model", word]);
        let message = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(3), "{message}");
        assert!(message.contains("GenMC and Dartagnan"), "{message}");
    }
    let output = taut(&["check", "examples/sb.taut", "--model", "tsoo"]);
    let message = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(message.contains("'tso'") && !message.contains("GenMC"), "{message}");
}

#[test]
fn memory_models_may_be_written_as_papers_write_them() {
    let output = taut(&["check", "examples/sb.taut", "--model", "TSO"]);
    assert_eq!(code(&output), 1, "{}", stderr(&output));
}
