//! `taut translate`: programs for tools that know only SC.

use crate::command;

use std::process::Command;

use command::{code, path, scratch, shown, stderr, stdout, taut};
use taut_testkit::spin::Verifier;

#[test]
fn a_translation_in_the_taut_language_is_a_program_for_sc() {
    let translated = scratch("sb_rounds.taut", "");
    let to = ["translate", "examples/sb.taut", "--rounds", "1", "--to", "taut", "-o"];
    let output = taut(&[&to[..], &[path(&translated)]].concat());
    assert_eq!(code(&output), 0, "{}", shown(&output));
    let output = taut(&["check", path(&translated), "--model", "sc"]);
    assert_eq!(code(&output), 1, "{}", shown(&output));
    assert!(stdout(&output).contains("both_miss violated"), "{}", stdout(&output));
    let fenced = scratch("sb_tso_rounds.taut", "");
    let output = taut(&["translate", "examples/sb_tso.taut", "--age", "2", "-o", path(&fenced)]);
    assert_eq!(code(&output), 0, "{}", shown(&output));
    let output = taut(&["check", path(&fenced), "--model", "sc"]);
    assert_eq!(code(&output), 0, "{}", shown(&output));
}

/// What SPIN says of a model's translation: whether it found an error.
fn spin(args: &[&str]) -> bool {
    let output = taut(&[&["translate", "--to", "promela"], args].concat());
    assert_eq!(code(&output), 0, "{}", shown(&output));
    let flags = ["-O0", "-DSAFETY", "-DNOCLAIM"];
    let verifier = Verifier::new(&stdout(&output), &flags).expect("it compiles");
    let said = verifier.run(&["-m1000000"]).expect("it runs");
    assert!(said.complete || said.errors > 0, "{args:?}: {said:?}");
    said.errors > 0
}

/// From Promela to Promela: SPIN finds in the translation what TSO does to the model.
#[test]
fn spin_checks_translations_of_promela_models() {
    assert!(spin(&["examples/dekker.pml", "--rounds", "1"]));
    assert!(!spin(&["examples/dekker.pml", "--rounds", "1", "-D", "FENCED"]));
    assert!(spin(&["examples/atomic_lock.pml", "--age", "0"]));
    assert!(spin(&["examples/lw_peterson_single.pml", "--rounds", "1"]));
    assert!(!spin(&["examples/lw_peterson_single_sync.pml", "--rounds", "1"]));
}

#[test]
fn a_translation_in_c_compiles() {
    let source = scratch("peterson_rounds.c", "");
    let args = ["translate", "examples/peterson.taut", "--age", "1", "--to", "c", "-o"];
    let output = taut(&[&args[..], &[path(&source)]].concat());
    assert_eq!(code(&output), 0, "{}", shown(&output));
    let gcc = Command::new("gcc")
        .args(["-std=gnu11", "-fsyntax-only", "-pthread", path(&source)])
        .output()
        .expect("gcc is there");
    assert!(gcc.status.success(), "{}", String::from_utf8_lossy(&gcc.stderr));
}

#[test]
fn what_has_no_translation_is_shown_where_it_stands() {
    let output = taut(&["translate", "examples/abp.pml", "--age", "1"]);
    assert_eq!(code(&output), 3, "{}", shown(&output));
    insta::assert_snapshot!(stderr(&output).trim_end(), @r"
    error[E0009]: not translated: channels
      --> examples/abp.pml:14:6
       |
    14 | chan forth = [1] of { mtype, byte, bit };
       |      ^^^^^
    ");
    let output = taut(&["translate", "examples/dekker.pml", "--age", "1", "--to", "c"]);
    assert_eq!(code(&output), 3, "{}", shown(&output));
    insta::assert_snapshot!(
        stderr(&output).trim_end(),
        @"error: `examples/dekker.pml` cannot be written in C: there is no C for processes on a stack"
    );
    for args in [
        vec!["translate", "examples/sb.taut"],
        vec!["translate", "examples/sb.taut", "--age", "1", "--rounds", "1"],
        vec!["translate", "examples/sb.taut", "--age", "auto"],
    ] {
        let output = taut(&args);
        assert_eq!(code(&output), 3, "{args:?}: {}", shown(&output));
    }
    let output = taut(&["translate", "examples/sb.taut", "--age", "1", "-o", "/nowhere/at/all"]);
    assert_eq!(code(&output), 74, "{}", shown(&output));
}

/// Properties of runs are left out, aloud.
#[test]
fn properties_of_runs_are_left_out() {
    let output = taut(&["translate", "examples/peterson_live.taut", "--age", "0"]);
    assert_eq!(code(&output), 0, "{}", shown(&output));
    assert!(stderr(&output).contains("left out"), "{}", stderr(&output));
    assert!(!stdout(&output).contains("ltl "), "{}", stdout(&output));
    assert!(!stdout(&output).contains("first_gets_in"), "{}", stdout(&output));
}
