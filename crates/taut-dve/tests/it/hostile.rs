//! Inputs that nobody writes: the answer is a message, soon, and never a crash.

use std::cell::Cell;
use std::time::{Duration, Instant};

use proptest::prelude::*;
use proptest::test_runner::{RngSeed, TestRunner};
use taut_source::{SourceMap, render_all};

const TEN_MEGABYTES: usize = 10 << 20;

/// Reads a text; returns the messages if it is refused.
fn read(text: &str) -> Result<(), String> {
    let mut map = SourceMap::new();
    let file = map.add("hostile.dve", text);
    let result = taut_dve::parse(&map, file);
    result.map(|_| ()).map_err(|all| render_all(&map, &all, false))
}

/// Reads a text that must be refused quickly; returns the messages.
fn refused(text: &str) -> String {
    let start = Instant::now();
    let messages = read(text).expect_err("this is no model");
    assert!(start.elapsed() < Duration::from_secs(20), "took {:?}", start.elapsed());
    assert!(messages.len() < 100_000);
    messages
}

/// A process with one transition that has this in its braces.
fn transition(inside: &str) -> String {
    format!(
        "byte x; channel c; process P {{ state s; init s; trans s -> s {{ {inside} }}; }} system async;"
    )
}

#[test]
fn ten_megabytes_of_one_thing() {
    let all = [
        "(",
        "@",
        "x ",
        "1 ",
        "+ 1",
        "\"",
        "{",
        "}",
        "process ",
        "process P(",
        "process P { ",
        "!",
        "a:",
        "->",
        "byte x[",
        "byte x;",
        "channel {",
        "/*",
        "é",
        "\\",
        ";",
        "[",
        "\0",
        "for (",
        "if (1) {",
        "property ",
        "expression f() {",
        "system ",
        "process P { state s; init s; trans s -> s {",
    ];
    for one in all {
        let messages = refused(&one.repeat(TEN_MEGABYTES / one.len()));
        assert!(messages.contains("error[D"), "{one}");
    }
    assert!(refused(&"// x\n".repeat(TEN_MEGABYTES / 5)).contains("error[D0010]"));
}

#[test]
fn two_megabytes_of_one_thing_in_a_transition() {
    let all =
        ["(", "x[", "not ", "-", "1 + ", "x, ", "P.", "P->", "x(", "{", "guard ", "effect x = "];
    for one in all {
        let inside = one.repeat(TEN_MEGABYTES / 5 / one.len());
        refused(&transition(&format!("guard {inside};")));
        refused(&transition(&format!("effect x = {inside};")));
        refused(&transition(&format!("sync c!{inside};")));
    }
}

#[test]
fn what_is_too_deep_is_refused() {
    for (open, close) in [("(", ")"), ("not (", ")"), ("x + (", ")"), ("x[", "]"), ("-", "")] {
        let deep = |n: usize| format!("guard {}x{};", open.repeat(n), close.repeat(n));
        assert!(refused(&transition(&deep(10_000))).contains("error[D0012]"));
        if open != "x[" {
            read(&transition(&deep(90))).expect("nested, but not too deeply");
        }
    }
    let long = |n| format!("guard {};", vec!["x"; n].join(" + "));
    assert!(refused(&transition(&long(100_000))).contains("error[D0012]"));
    read(&transition(&long(450))).expect("long, but not too long");
    let guards = |n| format!("guard {};", vec!["x"; n].join(", "));
    assert!(refused(&transition(&guards(100_000))).contains("error[D0012]"));
    read(&transition(&guards(450))).expect("many, but not too many");
    let blocks = "if (1) { for (i : 1 .. 1) {".repeat(5_000);
    assert!(refused(&format!("{blocks} system async;")).contains("error[D0012]"));
}

/// The deepest that is accepted, in every operator of the grammar, on a small stack.
#[test]
fn the_deepest_expression_fits_the_stack() {
    let level = "x imply x or x and x | x ^ x & x == x < x << x + x * (";
    for depth in [40, 190, 199] {
        let text = format!("guard {}x{};", level.repeat(depth), ")".repeat(depth));
        let _ = read(&transition(&text));
    }
}

#[test]
fn what_is_too_large_is_refused() {
    for size in ["1000000000", "2147483647", "65537"] {
        let arrays = format!("byte a[{size}]; process P {{ state s; init s; }} system async;");
        assert!(refused(&arrays).contains("error[D0206]"));
        let buffers =
            format!("channel {{int}} c[{size}]; process P {{ state s; init s; }} system async;");
        assert!(refused(&buffers).contains("error[D0206]"));
    }
    let two = "byte a[40000], b[40000]; process P { state s; init s; } system async;";
    assert!(refused(two).contains("error[D0400]"));
    let template = "process P(key i) { state s; init s; trans s -> s {}; }";
    for last in ["100000", "2147483647"] {
        let many = format!("{template} for (i : 1 .. {last}) {{ process P(i); }} system async;");
        assert!(refused(&many).contains("error[D0400]"));
        let nothing = format!(
            "{template} for (i : 0 .. {last}) {{ for (j : 0 .. {last}) {{ }} }} system async;"
        );
        assert!(refused(&nothing).contains("error[D0400]"));
    }
    let one = "process P { state s; init s; trans s -> s {}; }\n".repeat(100_000);
    assert!(refused(&format!("{one} system async;")).contains("error[D0400]"));
    assert!(refused(&transition("guard x == 99999999999999999999999;")).contains("error[D0004]"));
}

#[test]
fn expressions_that_double_are_refused() {
    let mut text = String::from("expression f0() { 1 }\n");
    for i in 1..60 {
        let below = i - 1;
        text += &format!("expression f{i}() {{ f{below}() + f{below}() }}\n");
    }
    text += "process P { state s; init s; } system async;";
    assert!(refused(&text).contains("error[D0400]"));
}

#[test]
fn twenty_warnings_hide_no_error() {
    let odd = "s -> s { guard x or x and x; },\n".repeat(50);
    let text = format!(
        "byte x; process P {{ state s; init s; trans {odd} s -> s {{ guard y; }}; }} system async;"
    );
    assert!(refused(&text).contains("error[D0101]"));
    let fine = text.replace("guard y", "guard x");
    let mut map = SourceMap::new();
    let file = map.add("odd.dve", fine);
    let parsed = taut_dve::parse(&map, file).expect("only odd");
    assert_eq!(parsed.model.processes[0].transitions.len(), 51);
}

proptest! {
    /// No text makes the reader panic.
    #[test]
    fn any_text(text in "\\PC{0,200}") {
        let _ = read(&text);
    }
}

/// No order of words makes the reader panic, and what is accepted can be printed and read.
#[test]
fn any_words() {
    let read = Cell::new(0);
    let rng_seed = RngSeed::Fixed(2026);
    let config =
        ProptestConfig { rng_seed, failure_persistence: None, ..ProptestConfig::with_cases(3_000) };
    let words = proptest::collection::vec(0..WORDS.len(), 0..60);
    let result = TestRunner::new(config).run(&words, |words| {
        // The first words alone are more often a model than all of them.
        for words in [&words[..], &words[..words.len().min(3)]] {
            let text: String = words.iter().map(|&w| WORDS[w]).collect::<Vec<_>>().join(" ");
            let text = format!(
                "byte x, a[2]; channel c; process P {{ state s, t; init s; {text} }} system async;"
            );
            let mut map = SourceMap::new();
            let file = map.add("words.dve", text);
            if let Ok(parsed) = taut_dve::parse(&map, file) {
                let printed = map.add("printed.dve", taut_dve::print(&parsed.model));
                let again = taut_dve::parse(&map, printed).expect("what is printed can be read");
                prop_assert!(taut_dve::same(&parsed.model, &again.model));
                read.set(read.get() + 1);
            }
        }
        Ok(())
    });
    result.unwrap_or_else(|error| panic!("{error}"));
    assert!(read.get() >= 60, "only {} models were read", read.get());
}

const WORDS: &[&str] = &[
    "trans",
    "s -> t {",
    "}",
    ",",
    ";",
    "guard",
    "sync",
    "effect",
    "x",
    "a[",
    "]",
    "=",
    "==",
    "1",
    "(",
    ")",
    "not",
    "and",
    "or",
    "c!",
    "c?",
    "P.s",
    "P->v",
    "-",
    "byte",
    "v",
    "state",
    "accept",
    "s",
    "{",
    "} process Q {",
    "init s;",
    "trans s -> t { guard x == 1; effect x = 2; };",
];
