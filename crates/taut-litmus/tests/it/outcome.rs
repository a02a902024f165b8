//! What the user reads: herd7's layout, the JSON of the oracles, and the counting behind both.

use crate::support;

use support::parse_text;
use taut_litmus::{Observation, Test, Verdict, Watched};

fn store_buffering(question: &str) -> Test {
    parse_text(&format!(
        "X86_64 SB\n{{ }}\n P0 | P1 ;\n movq $1,(x) | movq $1,(y) ;
         movq (y),%rax | movq (x),%rax ;\n{question}\n"
    ))
}

const ALL: [[i64; 2]; 4] = [[1, 1], [0, 1], [0, 0], [1, 0]];

#[test]
fn herd_prints_the_example_of_the_manual() {
    let test = store_buffering("exists (0:rax=0 /\\ 1:rax=0)");
    let expected = "\
Test SB Allowed
States 4
0:rax=0; 1:rax=0;
0:rax=0; 1:rax=1;
0:rax=1; 1:rax=0;
0:rax=1; 1:rax=1;
Ok
Witnesses
Positive: 1 Negative: 3
Condition exists (0:rax=0 /\\ 1:rax=0)
Observation SB Sometimes 1 3

";
    assert_eq!(test.outcome(ALL).herd(&test), expected);
}

#[test]
fn witnesses_of_not_exists_are_swapped() {
    let test = store_buffering("~exists (0:rax=0 /\\ 1:rax=0)");
    let text = test.outcome(ALL).herd(&test);
    assert!(text.starts_with("Test SB Forbidden\n"), "{text}");
    assert!(text.contains("\nNo\nWitnesses\nPositive: 3 Negative: 1\n"), "{text}");
    assert!(text.contains("\nCondition ~exists (0:rax=0 /\\ 1:rax=0)\n"), "{text}");
    assert!(text.contains("\nObservation SB Sometimes 1 3\n"), "{text}");
}

#[test]
fn memory_is_shown_in_brackets_after_registers() {
    let test = store_buffering("locations [y; x;]\nforall (x=1 /\\ 1:rax=0)");
    let text = test.outcome([[0, 1, 1]]).herd(&test);
    assert!(text.starts_with("Test SB Required\nStates 1\n1:rax=0; [x]=1; [y]=1;\nOk\n"), "{text}");
    assert!(text.contains("Condition forall ([x]=1 /\\ 1:rax=0)\nObservation SB Always 1 0\n"));
}

#[test]
fn json_has_the_fields_of_the_oracles_in_their_order() {
    let test = store_buffering("exists (x=1 /\\ 0:rax=0)");
    let line = test.outcome([[0, 1], [1, -1], [0, 1]]).json(&test, "a\"b\\c\n", "tso");
    let expected = concat!(
        r#"{"file":"a\"b\\c\u000a","name":"SB","model":"tso","quantifier":"exists","#,
        r#""verdict":"Ok","observation":"Sometimes","states":[{"0:rax":0,"x":1},{"0:rax":1,"x":-1}]}"#
    );
    assert_eq!(line, expected);
}

#[test]
fn the_filter_reads_more_than_is_shown() {
    let test = store_buffering("filter (0:rax=0)\nexists (1:rax=0)");
    let names: Vec<_> = test.watched().iter().map(|&w| test.name_of(w)).collect();
    assert_eq!(names, ["1:rax", "0:rax"]);
    assert_eq!(test.observed().len(), 1);
    let outcome = test.outcome([[0, 1], [1, 0], [1, 1]]);
    assert_eq!(outcome.states, [[1]]);
    assert_eq!((outcome.verdict, outcome.observation), (Verdict::No, Observation::Never));
}

#[test]
fn verdicts_over_no_state_at_all() {
    for (question, verdict) in
        [("exists (true)", Verdict::No), ("~exists (true)", Verdict::Ok), ("", Verdict::Ok)]
    {
        let test = store_buffering(question);
        let outcome = test.outcome(Vec::<Vec<i64>>::new());
        assert_eq!((outcome.verdict, outcome.observation), (verdict, Observation::Never));
    }
}

#[test]
fn without_a_condition_every_state_is_required_to_be_true() {
    let test = store_buffering("");
    assert_eq!(test.watched(), [] as [Watched; 0]);
    let text = test.outcome([[], []] as [[i64; 0]; 2]).herd(&test);
    assert!(text.starts_with("Test SB Required\nStates 1\n\nOk\n"), "{text}");
    assert!(text.contains("Condition forall (true)\nObservation SB Always 1 0\n"), "{text}");
}

#[test]
fn watched_variables_are_sorted_by_thread_and_name_then_memory() {
    let test = store_buffering("exists (y=1 /\\ 1:rbx=0 /\\ x=1 /\\ 1:rax=0 /\\ 0:rcx=0 /\\ y=2)");
    let names: Vec<_> = test.watched().iter().map(|&w| test.name_of(w)).collect();
    assert_eq!(names, ["0:rcx", "1:rax", "1:rbx", "x", "y"]);
}

#[test]
fn conditions_are_printed_as_herd_prints_them() {
    for (written, printed) in [
        ("0:rax=0", "0:rax=0"),
        ("((x=1))", "[x]=1"),
        ("0:rax<>0x10", "not (0:rax=16)"),
        ("~~x=1", "not (not ([x]=1))"),
        ("(x=1 /\\ y=1) \\/ x=2", "[x]=1 /\\ [y]=1 \\/ [x]=2"),
        ("x=1 /\\ (y=1 \\/ x=2)", "[x]=1 /\\ ([y]=1 \\/ [x]=2)"),
        ("x=1 => y=1 => x=2", "[x]=1 => [y]=1 => [x]=2"),
        ("(x=1 => y=1) => x=2", "([x]=1 => [y]=1) => [x]=2"),
        ("x=1 /\\ y=1 => x=2", "[x]=1 /\\ ([y]=1 => [x]=2)"),
        ("true \\/ false", "true \\/ false"),
        ("P1:%rax = y", "1:rax=[y]"),
    ] {
        let test = store_buffering(&format!("exists ({written})"));
        assert_eq!(test.condition.to_string(), printed, "{written}");
    }
}
