//! Lists of atomic writes: reading, printing, what is wrong with them, and what they do.

use crate::lower_support;

use lower_support::{atomic, count_delayed, count_sc, model, only};
use taut_dve::{AtomicEntry, AtomicList, LowerOptions, TransitionRef, lower};
use taut_ir::Mode;

const TEXT: &str = "byte flag[2]; byte turn; const byte n = 1; channel c;
process P_0 { byte i; state a, b, c1; init a;
trans a -> b { effect flag[0] = 1, flag[n] = 0, turn = 2, i = 3; },
b -> c1 { sync c?turn; effect flag[i] = 1; },
c1 -> a { guard turn == 1; }; }
process P_1 { state s; init s; trans s -> s { sync c!turn; }; }
system async;";

/// Which assignments of the first process are atomic, for each step.
fn chosen(list: &str) -> Vec<Vec<bool>> {
    let model = model(TEXT);
    let atomic = Some(atomic(&model, list).unwrap_or_else(|e| panic!("{e}")));
    let options = LowerOptions { atomic, ..LowerOptions::default() };
    let program = lower(&model, &options).expect("it fits").program;
    let steps = program.defs[0].steps.iter();
    steps.map(|s| s.assignments().map(|a| a.atomic).collect()).collect()
}

#[test]
fn entries_choose_writes() {
    let (no, yes) = (false, true);
    let none = vec![no];
    assert_eq!(chosen(""), [vec![no, no, no, no], none.clone(), vec![]]);
    assert_eq!(chosen("write flag P_0 0"), [vec![yes, yes, no, no], none.clone(), vec![]]);
    assert_eq!(chosen("write flag[1] P_0 0"), [vec![no, yes, no, no], none.clone(), vec![]]);
    assert_eq!(chosen("write turn P_0 0"), [vec![no, no, yes, no], none.clone(), vec![]]);
    assert_eq!(chosen("write * P_0 0"), [vec![yes, yes, yes, no], none, vec![]]);
    // What is received is written from a register, which is then 0 again.
    assert_eq!(chosen("write turn P_0 1"), [vec![no; 4], vec![yes, no, no], vec![]]);
    assert_eq!(chosen("write * P_0 1"), [vec![no; 4], vec![yes, no, yes], vec![]]);
}

#[test]
fn a_list_can_be_printed_and_read_back() {
    let model = model(TEXT);
    let text =
        "# a comment\n\nwrite flag[1]  P_0 0 a->b // why\n  fence P_0 2 c1 -> a\nwrite * P_0 1\n";
    let list = atomic(&model, text).expect("it fits");
    let printed = "write flag[1] P_0 0 a->b\nfence P_0 2 c1->a\nwrite * P_0 1\n";
    assert_eq!(list.to_string(), printed);
    assert_eq!(atomic(&model, printed).expect("it fits").to_string(), printed);
    let at = |p, n| TransitionRef::new(&model, p, n).expect("there is one");
    let entries =
        vec![AtomicEntry::write(Some("turn"), at("P_0", 0)), AtomicEntry::fence(at("P_1", 0))];
    let made = AtomicList { entries };
    assert_eq!(made.to_string(), "write turn P_0 0 a->b\nfence P_1 0 s->s\n");
    assert!(made.check(&model).is_empty());
    assert_eq!(TransitionRef::new(&model, "P_0", 3), None);
}

#[test]
fn what_is_wrong_with_a_list() {
    let model = model(TEXT);
    let said = |list: &str| atomic(&model, list).expect_err("it is wrong");
    let shape = "an entry is `write VARIABLE PROCESS NUMBER` or `fence PROCESS NUMBER`, \
                 with `source->target` after it if you like";
    let lines = [
        ("fence P_0", "D0550: an entry that is too short [not understood]", shape),
        ("atomic turn P_0 0", "D0550: `atomic` is no entry [not understood]", shape),
        ("write turn P_0 x", "D0550: `x` is no number of a transition [not understood]", shape),
        (
            "write b[ P_0 0",
            "D0550: `b[` is no variable and no element of one [not understood]",
            shape,
        ),
        (
            "fence P_0 0 a b",
            "D0550: after the number only `source->target` can stand [not understood]",
            shape,
        ),
        (
            "write turn P0 0",
            "D0551: there is no process `P0` in the system [unknown process]",
            "did you mean `P_0`?",
        ),
        (
            "write trun P_0 0",
            "D0554: there is no global variable `trun` [only writes to global variables can be atomic]",
            "did you mean `turn`?",
        ),
        (
            "write turn P_0 2",
            "D0555: transition 2 of `P_0` does not write `turn` [not written there]",
            "it writes no global variable",
        ),
        (
            "write turn P_1 0",
            "D0555: transition 0 of `P_1` does not write `turn` [not written there]",
            "it writes no global variable",
        ),
        (
            "write flag[0] P_0 1",
            "D0555: transition 1 of `P_0` does not write `flag[0]` [not written there]",
            "it writes an element that is computed, or others: write `flag`",
        ),
        (
            "fence P_0 1 a->b",
            "D0553: transition 1 of `P_0` goes b->c1 [not a->b]",
            "a->b is number 0",
        ),
    ];
    for (list, message, help) in lines {
        assert_eq!(said(&format!("\n{list}\n")), format!("2: {message} Some({help:?})"));
    }
    let far =
        "2: D0552: process `P_0` has no transition 3 [it has 3, and the first is number 0] None";
    assert_eq!(said("# nothing\nwrite turn P_0 3"), far);
    let constant =
        "1: D0554: `n` is a constant [only writes to global variables can be atomic] None";
    assert_eq!(said("write n P_0 0"), constant);
    let both = said("write x P_0 0\nwrite y P_0 99999999999\nwrite é P_0 -1\n");
    assert_eq!(both.lines().count(), 2, "{both}");
    assert!(said(&"rubbish\n".repeat(10_000)).lines().count() <= 20);
}

#[test]
fn a_list_that_fits_no_model_is_refused_when_lowering() {
    let at = TransitionRef::new(&model(TEXT), "P_1", 0).expect("there is one");
    let list = AtomicList { entries: vec![AtomicEntry::write(Some("turn"), at)] };
    let options = LowerOptions { atomic: Some(list), ..LowerOptions::default() };
    assert!(lower(&model(TEXT), &options).is_err());
}

#[test]
fn fences_are_steps_that_wait() {
    let model = model(TEXT);
    let atomic = Some(atomic(&model, "fence P_0 2").expect("it fits"));
    let program = lower(&model, &LowerOptions { atomic, ..LowerOptions::default() });
    let program = program.expect("it fits").program;
    let modes: Vec<_> = program.defs[0].steps.iter().map(|s| s.mode).collect();
    assert_eq!(modes, [Mode::Plain, Mode::Plain, Mode::Fence]);
}

/// What is received into memory waits like any write, unless it is atomic.
#[test]
fn receives_can_be_atomic() {
    let text =
        "byte x, y; channel c; process S { state a, b; init a; trans a -> b { sync c!{1, 2}; }; }
        process R { state a, b; init a; trans a -> b { sync c?{x, y}; }; } system async;";
    assert_eq!(count_sc(text).states, 2);
    assert_eq!(count_delayed(text, "").states, 1 + 4);
    assert_eq!(count_delayed(text, "write y R 0").states, 1 + 2);
    let sc = count_sc(text);
    assert_eq!(count_delayed(text, "write * R 0"), sc);
    assert_eq!((sc.states, sc.transitions), (only(2, 1).states, 1));
}
