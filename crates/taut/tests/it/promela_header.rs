//! `taut.h`: a model that uses Taut's operations means in SPIN what it means in Taut under sequential
//! consistency. SPIN is run for real; the numbers of states are the same, so every operation is one step in
//! both.

use std::time::Duration;

use taut::promela::HEADER;
use taut::{Check, MemoryModel, Reduce, Report, Verdict, load};
use taut_testkit::spin::{Search, Verifier};

fn by_taut(text: &str, model: MemoryModel) -> Report {
    let loaded = load::from_text("model.pml", text).unwrap_or_else(|e| panic!("{e}\n{text}"));
    let check = Check::of(&loaded).model(model).whole(true).reduce(Reduce::None);
    check.run().unwrap_or_else(|e| panic!("{e}\n{text}"))
}

/// SPIN's search, with the header where the model includes it.
fn by_spin(text: &str) -> Search {
    let whole = text.replace("#include \"taut.h\"", HEADER);
    assert_ne!(whole, text, "the model includes the header");
    let verifier = Verifier::plain(&whole).unwrap_or_else(|e| panic!("{e}\n{text}"));
    verifier.search(Duration::from_secs(60)).unwrap_or_else(|e| panic!("{e}\n{text}"))
}

fn is_violated(report: &Report, kind: &str) -> bool {
    let of_kind = report.results.iter().filter(|r| r.kind.word() == kind);
    of_kind.into_iter().any(|r| matches!(r.verdict, Verdict::Violated(_)))
}

/// Compares the two on a model in which assertions and deadlock are violated or not.
fn agree(text: &str, assertion: bool, deadlock: bool) {
    let spin = by_spin(text);
    let taut = by_taut(text, MemoryModel::Sc);
    assert_eq!((spin.assertion(), spin.end_state()), (assertion, deadlock), "SPIN\n{text}");
    let verdicts = (is_violated(&taut, "assert"), is_violated(&taut, "deadlock"));
    assert_eq!(verdicts, (assertion, deadlock), "Taut\n{text}");
    assert_eq!(taut.stats.states, spin.figures.states, "states\n{text}");
}

#[test]
fn compare_and_swap_tells_whether_it_swapped() {
    let lock = r#"
        #include "taut.h"
        byte lock; ghost byte inside;
        active [2] proctype p() {
            bool mine;
            do
            :: mine = CAS(lock, 0, _pid + 1);
               if :: mine -> break :: else fi
            od;
            assert(lock == _pid + 1);
            inside++; assert(inside == 1); inside--;
            ATOMIC_WRITE(lock, 0)
        }
    "#;
    agree(lock, false, false);
    agree(&lock.replace("CAS(lock, 0", "CAS(lock, lock"), true, false);
}

#[test]
fn compare_and_swap_takes_elements_and_its_own_result() {
    agree(
        r#"
        #include "taut.h"
        short a[3] = 1;
        active proctype p() {
            byte i = 2, r = 1;
            r = CAS(a[i], r, r + 4);
            assert(r == 1 && a[2] == 5 && a[1] == 1);
            r = CAS(a[i], 1, 7);
            assert(r == 0 && a[2] == 5)
        }
        "#,
        false,
        false,
    );
}

#[test]
fn exchange_and_fetch_and_add_give_what_was_there() {
    let model = r#"
        #include "taut.h"
        int x = 3, tickets; ghost byte sum;
        active proctype oldest() { _nr_pr == 1 -> assert(sum == 3) }
        active [3] proctype p() {
            int r;
            r = FETCH_ADD(tickets, 1);
            sum = sum + r;
            r = 7; r = XCHG(x, r);
            assert(r == 3 || r == 7)
        }
    "#;
    agree(model, false, false);
    agree(&model.replace("sum == 3", "sum == 2"), true, false);
}

#[test]
fn fences_are_one_step_that_does_nothing() {
    agree(
        r#"
        #include "taut.h"
        bool x, y; ghost byte missed;
        active proctype p() { x = 1; FENCE(); if :: !y -> missed++ :: else fi; assert(missed < 2) }
        active proctype q() { y = 1; SYNC(); if :: !x -> missed++ :: else fi; SFENCE(); assert(missed < 2) }
        "#,
        false,
        false,
    );
}

#[test]
fn a_locked_block_is_one_step_and_waits_as_a_whole() {
    let model = r#"
        #include "taut.h"
        byte free = 1, x, y;
        active [2] proctype p() {
            LOCKED { free > 0; free = free - 1 };
            LOCKED { x++; y++ };
            LOCKED { free++ }
        }
        active proctype watcher() { assert(x == y && free < 2) }
    "#;
    agree(model, false, false);
    agree(&model.replace("LOCKED { free++ }", "skip"), false, true);
}

#[test]
fn ghosts_are_plain_variables_in_spin() {
    agree(
        r#"
        #include "taut.h"
        ghost byte seen[2];
        active [2] proctype p() { seen[_pid]++; assert(seen[1 - _pid] == 0) }
        "#,
        true,
        false,
    );
}

/// What the header says about operations that stand alone: the same states under every model.
#[test]
fn operations_that_stand_alone_are_what_the_header_says() {
    let model = |operation: &str| {
        format!(
            "byte x, y; ghost byte inside;
             active [2] proctype p() {{
                 y = 1; {operation}; inside++; assert(inside <= 2); inside--; x = 0
             }}"
        )
    };
    let pairs = [
        ("CAS(x, 0, 1)", "LOCKED { x == 0; x = 1 }"),
        ("XCHG(x, 2)", "ATOMIC_WRITE(x, 2)"),
        ("FETCH_ADD(x, 2)", "LOCKED { x = x + 2 }"),
    ];
    for (alone, written) in pairs {
        assert!(HEADER.contains(written.split(['0', '2']).next().expect("a part")), "{written}");
        for memory in MemoryModel::ALL {
            let (one, other) = (by_taut(&model(alone), memory), by_taut(&model(written), memory));
            assert!(!one.is_violated() && !other.is_violated(), "{alone} under {memory}");
            assert_eq!(one.stats.states, other.stats.states, "{alone} under {memory}");
        }
    }
}

/// On relaxed memory the operations do what SPIN cannot show.
#[test]
fn operations_order_stores_on_relaxed_memory() {
    let model = |between: &str| {
        format!(
            "#include \"taut.h\"
             bool x, y, z; ghost byte missed;
             active proctype p() {{ bool r; x = 1; {between}; if :: !y -> missed++ :: else fi; assert(missed < 2) }}
             active proctype q() {{ bool r; y = 1; {between}; if :: !x -> missed++ :: else fi; assert(missed < 2) }}"
        )
    };
    for memory in [MemoryModel::Tso, MemoryModel::Pso] {
        for (between, violated) in [
            ("skip", true),
            ("SFENCE()", true),
            ("atomic { r = z; z = 1 }", true),
            ("FENCE()", false),
            ("SYNC()", false),
            ("r = CAS(z, 0, 1)", false),
            ("r = CAS(z, 1, 0)", false),
            ("r = XCHG(z, 1)", false),
            ("r = FETCH_ADD(z, 1)", false),
            ("ATOMIC_WRITE(z, 1)", false),
            ("LOCKED { r = z; z = 1 }", false),
        ] {
            let report = by_taut(&model(between), memory);
            assert_eq!(report.is_violated(), violated, "{between} under {memory}");
        }
    }
}
