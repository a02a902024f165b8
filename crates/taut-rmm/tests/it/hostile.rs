//! Inputs that nobody writes: the answer is a message, soon, and never a crash.

use std::time::{Duration, Instant};

use proptest::prelude::*;
use taut_source::{SourceMap, render_all};
use taut_testkit::random::config;

/// Reads a text; the messages if it is refused. A text that is read becomes a valid program.
fn read(text: &str) -> Result<(), String> {
    let mut map = SourceMap::new();
    let file = map.add("hostile.rmm", text);
    match taut_rmm::parse(&map, file) {
        Ok(program) => {
            taut_ir::validate::validate(&program).expect("a valid program");
            taut_rmm::places(&map, file).expect("places");
            taut_rmm::weakenings(&map, file).expect("weakenings");
            let formatted = taut_rmm::format(&map, file).expect("formatted");
            let again = map.add("again.rmm", formatted.as_str());
            let twice = taut_rmm::parse(&map, again).expect("what is formatted can be read");
            assert_eq!(twice.processes, program.processes);
            assert_eq!(taut_rmm::format(&map, again).expect("formatted"), formatted);
            Ok(())
        }
        Err(all) => {
            assert!(!all.is_empty(), "refused without a message: {text}");
            Err(render_all(&map, &all, false))
        }
    }
}

/// Reads a text that must be refused quickly; the messages.
fn refused(text: &str) -> String {
    let start = Instant::now();
    let messages = read(text).expect_err("this is no program");
    assert!(start.elapsed() < Duration::from_secs(20), "took {:?}", start.elapsed());
    assert!(messages.len() < 100_000);
    messages
}

/// A process with these statements.
fn process(inside: &str) -> String {
    format!("forbidden E data x = 0 : [0:1] process registers $r = 0 : [0:1] text {inside}; E: nop")
}

#[test]
fn megabytes_of_one_thing() {
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
        "process text ",
        "text",
        "not ",
        "a:",
        ":=",
        "data x = 0 ",
        "/*",
        "é",
        "\\",
        ";",
        "[",
        "macro ",
        "macro m(",
        "endmacro ",
        "forbidden ",
        "* ",
        "either {",
        "if 1 = 1 then ",
        "nop; ",
        "//",
        "$",
        "$r ",
    ];
    for one in all {
        let text = one.repeat((1 << 20) / one.len());
        refused(&text);
        refused(&process(&text));
        refused(&format!("forbidden E {text}"));
    }
}

#[test]
fn depth_is_bounded() {
    for (open, inner, close) in [
        ("{ ", "nop", " }"),
        ("either { ", "nop", " }"),
        ("locked { ", "nop", " }"),
        ("if true then ", "nop", ""),
        ("while true do ", "nop", ""),
        ("$r := (", "1", ")"),
        ("$r := -", "1", ""),
        ("assume: [", "true", "]"),
    ] {
        let deep = |n| process(&format!("{}{inner}{}", open.repeat(n), close.repeat(n)));
        if !open.starts_with('$') && !open.starts_with("assume") {
            read(&deep(60)).expect("60 levels are fine");
        }
        assert!(refused(&deep(100_000)).contains("error["), "{open}");
    }
    let sum = process(&format!("$r := 0{}", " + 0".repeat(100_000)));
    assert!(refused(&sum).contains("R0012"));
}

#[test]
fn macros_end() {
    let doubling = |n: usize| {
        let mut text = String::from("macro m0() nop endmacro ");
        for i in 1..=n {
            text += &format!("macro m{i}() m{}(); m{}() endmacro ", i - 1, i - 1);
        }
        format!("{text} {}", process(&format!("m{n}()")))
    };
    read(&doubling(8)).expect("256 statements");
    assert!(refused(&doubling(40)).contains("R0400"));
    assert!(refused(&process("nop; macro m() m() endmacro m()")).contains("R0016"));
}

#[test]
fn blocks_that_are_too_much_for_one_step_are_refused() {
    let ways = "either { $r := 0 or $r := 1 };".repeat(20);
    assert!(refused(&process(&format!("locked {{ {ways} nop }}"))).contains("R0402"));
    let doubled = "$r := $r + $r - $r;".repeat(40);
    assert!(refused(&process(&format!("locked {{ {doubled} nop }}"))).contains("R0402"));
}

#[test]
fn many_processes_and_statements_are_no_trouble() {
    let combination = "E ".repeat(256);
    read(&format!("forbidden {combination} process(256) text nop; E: nop")).expect("a program");
    read(&process(&vec!["write: x := 1"; 5_000].join("; "))).expect("a long program");
    let labels: String = (0..3_000).map(|i| format!("L{i}: nop; ")).collect();
    read(&process(&format!("{labels} nop"))).expect("many labels");
    assert!(refused("forbidden E process(100000) text E: nop").contains("R0400"));
    let many = "forbidden E ".to_owned() + &"process(200) text E: nop ".repeat(2);
    assert!(refused(&many).contains("R0400"));
}

/// Words of the language in any order.
fn word() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec![
        "if",
        "then",
        "else",
        "while",
        "do",
        "read:",
        "write:",
        "fence",
        "ssfence",
        "locked",
        "cas(",
        "goto",
        "L:",
        "L",
        "true",
        "my",
        "process",
        "process(2)",
        "not",
        "nop",
        "text",
        "data",
        "either",
        "or",
        "forbidden",
        "assume:",
        "registers",
        "macro m(a)",
        "endmacro",
        "m(x)",
        ":=",
        ";",
        ",",
        "(",
        ")",
        "[",
        "]",
        "{",
        "}",
        "*",
        "+",
        "-",
        "=",
        "x",
        "x[my]",
        "x[0]",
        "[$r]",
        "$r",
        "0",
        "1",
        ": [0:1]",
        "x = 0 : [0:1]",
        "$r = * : [0:2]",
        "/* */",
    ])
}

#[test]
fn words_in_any_order_are_read_or_refused() {
    proptest!(config(400), |(words in prop::collection::vec(word(), 0..40))| {
        let _ = read(&words.join(" "));
        let _ = read(&process(&words.join(" ")));
    });
}

#[test]
fn statements_in_any_order_are_read_or_refused() {
    let statement = prop::sample::select(vec![
        "nop",
        "fence",
        "$r := $r + 1",
        "read: $r := x",
        "read: x = $r",
        "write: x := 1",
        "goto E",
        "cas(x, 0, 1)",
        "locked write: x := 0",
        "either { nop or read: x = 1 }",
        "while $r = 0 do nop",
        "if $r = 1 then write: x := 0 else goto E",
        "locked { read: x = 0; write: x := 1 }",
        "{ fence; nop }",
        "write: [$r] := 0",
        "assume: $r < 1",
        "if $r = 0 then fence",
    ]);
    let count = std::cell::Cell::new(0);
    proptest!(config(200), |(list in prop::collection::vec(statement, 1..12))| {
        read(&process(&list.join("; "))).expect("a program");
        count.set(count.get() + 1);
    });
    assert!(count.get() >= 100);
}
