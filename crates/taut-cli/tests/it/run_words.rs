//! Runs in the words of the source: conditions and compare-and-swaps with their outcome, folded rows, and each run once.

use serde_json::Value;

use crate::command::{path, scratch, stdout, taut};

/// A producer with conditions, a compare-and-swap and local steps, and a reader that sees too little under PSO.
const PROGRAM: &str = "\
const N = 2;
shared 0..7 enq = 0;
shared 0..3 items[4];
shared bool ready = 0;

process owner {
  0..7 pos = 0;
  bool ok = 0;
  int t = 0;
  while (t < 3) {
    pos := enq;
    ok := cas(enq, pos, (pos + 1) % 8);
    if (ok && (pos == N || t > 1)) { // sometimes
      items[pos % 4] := N;
    } else {
      t := t + 1;
    }
    t++;
  }
  items[0] := 1;
  ready := 1;
}
process reader {
  int r = 0;
  await(ready == 1);
  r := items[0];
  if (cas(enq, 3, 4)) { r := r + 0; }
  assert(r == 1) as fresh;
}
";

fn checked(arguments: &[&str]) -> String {
    let program = scratch("words.taut", PROGRAM);
    stdout(&taut(&[&["check", path(&program), "--model", "pso"], arguments].concat()))
}

#[test]
fn steps_are_shown_as_they_were_written_with_what_became_of_them() {
    let full = checked(&["--full"]);
    // Lane by lane, without the frame: lines are broken, the words are in order.
    let lane = |line: &str| line.split('│').nth(1).map(str::to_owned);
    let other = |line: &str| line.split('│').nth(2).map(str::to_owned);
    let lanes = full.lines().filter_map(lane).chain(full.lines().filter_map(other));
    let words = lanes.collect::<Vec<_>>().join(" ");
    let words = words.split_whitespace().collect::<Vec<_>>().join(" ");
    for said in [
        "while (t < 3) → taken",
        "while (t < 3) → not taken",
        "ok := cas(enq, pos, (pos + 1) % 8) → success (enq=0)",
        "if (ok && (pos == N || t > 1)) → not taken",
        "items[pos % 4] := N",
        "t++",
        "await(ready == 1) (ready=1)",
        "cas(enq, 3, 4) → failure (enq=2)",
        "assert(r == 1) as fresh ✗ fails",
    ] {
        assert!(words.contains(said), "{said}\n{full}");
    }
    assert!(!full.contains("sometimes") && !full.contains("locked {"), "{full}");
}

#[test]
fn local_steps_are_folded_unless_all_are_asked_for() {
    let (folded, full) = (checked(&[]), checked(&["--full"]));
    assert!(folded.contains("… 4 local steps"), "{folded}");
    assert!(!folded.contains("t++") && folded.contains("--full shows them"), "{folded}");
    assert!(!full.contains("local steps") && full.contains("t++"), "{full}");
    // The register that the assertion reads is not folded away.
    assert!(folded.contains("r := items[0] → 0"), "{folded}");
}

#[test]
fn a_file_keeps_every_row() {
    let lines = checked(&["--format", "json"]);
    let json: Value = serde_json::from_str(lines.lines().next().expect("a line")).expect("JSON");
    let results = json["results"].as_array().expect("results");
    let witness = results.iter().find_map(|r| r.get("witness")).expect("a violation");
    let steps = witness["steps"].as_array().expect("steps");
    assert!(steps.iter().any(|step| step["matters"] == false), "{witness}");
    let outcomes: Vec<_> = steps.iter().filter_map(|step| step["outcome"].as_str()).collect();
    for outcome in ["taken", "not taken", "success", "failure"] {
        assert!(outcomes.contains(&outcome), "{outcome}: {outcomes:?}");
    }
}

#[test]
fn a_run_that_memory_models_share_is_drawn_once() {
    let text = stdout(&taut(&["check", "examples/peterson.taut"]));
    assert!(text.contains("PSO: mutex violated\n\nthe same run as under TSO\n"), "{text}");
    assert_eq!(text.matches("│ memory").count(), 1, "{text}");
    assert_eq!(text.matches("✗ forbid `mutex` is violated").count(), 1, "{text}");
}

#[test]
fn a_run_that_properties_share_is_drawn_once_with_what_each_says() {
    let text = "shared int x; process p begin x := 1; done: skip; end
        forbid first: p@done; forbid second: p@done && p@done;";
    let program = scratch("shared_run.taut", text);
    let text = stdout(&taut(&["check", path(&program), "--model", "sc", "--all"]));
    assert!(
        text.contains("SC: second violated\n\nthe same run as for `first` under SC\n"),
        "{text}"
    );
    assert_eq!(text.matches("│ memory").count(), 1, "{text}");
    assert!(text.contains("✗ forbid `second` is violated"), "{text}");
}

#[test]
fn a_trace_with_the_words_of_the_model_is_still_read() {
    let program = scratch(
        "old_words.taut",
        "shared int x; process p begin local int r; r := x; if (r == 0) { x := 1; } assert(x == 7); end",
    );
    let trace = scratch("old_words.json", "");
    taut(&["check", path(&program), "--model", "sc", "--trace", path(&trace)]);
    let text = std::fs::read_to_string(&trace).expect("a trace");
    assert!(text.contains("\"text\": \"if (r == 0)\""), "{text}");
    let old = text.replace("\"text\": \"if (r == 0)\"", "\"text\": \"assume(r == 0)\"");
    std::fs::write(&trace, old).expect("written");
    let read = stdout(&taut(&["replay", path(&program), path(&trace)]));
    assert!(read.contains("The replayer accepts the run"), "{read}");
}
