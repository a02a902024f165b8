//! A toy memory model, registered in one line, reaches the command line, suites and schemas, and is judged by the
//! replayer, without being named there. It has slots as with delayed writes, but atomic writes wait for empty slots.

use crate::command::{code, path, scratch, shown, stdout, taut};

/// The flag is written atomically: before the data with delayed writes, after it with write combining.
const ATOMIC_FLAG: &str = "\
shared bool data = 0;
shared bool flag = 0;
process writer begin data := 1; atomic flag := 1; end
process reader begin
  local bool seen;
  await(flag == 1);
  seen := data;
  assert(seen == 1) as delivered;
end
";

const MODEL: &str = "combining";

#[test]
fn toy_model_is_a_choice_of_every_command() {
    for command in ["check", "explain", "repair", "graph", "export", "simulate", "litmus"] {
        let help = stdout(&taut(&[command, "--help"]));
        assert!(help.contains(MODEL), "{command}: {help}");
    }
}

#[test]
fn toy_model_has_verdicts_of_its_own() {
    let file = scratch("toy_atomic_flag.taut", ATOMIC_FLAG);
    let check = |model| taut(&["check", path(&file), "--model", model]);
    let (delayed, combining) = (check("delayed"), check(MODEL));
    assert_eq!(code(&delayed), 1, "{}", shown(&delayed));
    assert_eq!(code(&combining), 0, "{}", shown(&combining));
}

#[test]
fn toy_model_has_runs_that_the_replayer_accepts() {
    let output = taut(&["check", "examples/sb.taut", "--model", MODEL, "--format", "json"]);
    assert_eq!(code(&output), 1, "{}", shown(&output));
    assert!(stdout(&output).contains("\"model\":\"combining\""), "{}", shown(&output));
}

#[test]
fn toy_model_is_known_to_suites() {
    let header = "// expect: combining holds\n// expect: delayed violated delivered\n";
    let file = scratch("toy_suite.taut", format!("{header}{ATOMIC_FLAG}"));
    let folder = std::env::temp_dir().join(format!("taut-toy-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    std::fs::copy(&file, folder.join("a.taut")).expect("a file");
    let output = taut(&["check", path(&folder)]);
    std::fs::remove_dir_all(&folder).expect("removed");
    assert_eq!(code(&output), 0, "{}", shown(&output));
}

#[test]
fn toy_model_is_in_the_schemas() {
    for schema in ["check", "trace", "suite", "explain", "litmus", "repair", "graph"] {
        let text = stdout(&taut(&["schema", schema]));
        assert!(text.contains("\"combining\""), "{schema}: {text}");
    }
}

#[test]
fn toy_model_is_exported() {
    let file = scratch("toy_export.taut", ATOMIC_FLAG);
    let output = taut(&["export", path(&file), "--model", MODEL, "--to", "promela"]);
    assert_eq!(code(&output), 0, "{}", shown(&output));
}
