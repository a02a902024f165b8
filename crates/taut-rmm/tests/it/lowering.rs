//! What statements become, and what programs mean, under SC, TSO and PSO.

use taut_explicit::{SearchOptions, explore};
use taut_ir::{Finding, Memory, MemoryModel, Mode, Program, PropId};
use taut_source::SourceMap;

fn program(text: &str) -> Program {
    let mut map = SourceMap::new();
    let file = map.add("p.rmm", text);
    let program = taut_rmm::parse(&map, file);
    let program =
        program.unwrap_or_else(|e| panic!("{}", taut_source::render_all(&map, &e, false)));
    taut_ir::validate::validate(&program).expect("a valid program");
    program
}

/// Whether what is forbidden is reachable under a model.
fn is_reached(text: &str, model: MemoryModel) -> bool {
    let memory = Memory::new(model).bounded(Some(3));
    let options = SearchOptions { deadlock: false, ..SearchOptions::default() };
    let explored = explore(&program(text), memory, &options);
    assert!(!explored.found.iter().any(|f| matches!(f.finding, Finding::Fault(_))), "no fault");
    explored.found.iter().any(|f| f.finding == Finding::Property(PropId(0)))
}

fn reached(text: &str) -> [bool; 3] {
    [MemoryModel::Sc, MemoryModel::Tso, MemoryModel::Pso].map(|model| is_reached(text, model))
}

/// One process over x in 0..2 and the registers `$r` in 0..1 and `$s` in 0..2, which begin with 0: whether it comes to its end.
fn ends(statements: &str) -> bool {
    let text = format!(
        "forbidden E data x = 0 : [0:2] y = 0 : [0:1] process registers $r = 0 : [0:1] $s = 0 : [0:2]
         text {statements}; E: nop"
    );
    let all = reached(&text);
    assert!(all.iter().all(|&one| one == all[0]), "one process: {all:?}\n{statements}");
    all[0]
}

#[test]
fn a_process_alone() {
    let goes = [
        "nop",
        "write: x := 2; read: x = 2",
        "write: x := 1; read: $r := x; assume: $r = 1",
        "$s := 1 + 2 - 1; assume: $s = 2",
        "$s := -(0 - 1); assume: $s = 1",
        "cas(x, 0, 2); read: x = 2",
        "locked write: x := 1; read: x = 1",
        "slocked write: x := 1; read: x = 1",
        "while $s < 2 do $s := $s + 1; assume: $s = 2",
        "if $r = 1 then goto N else $s := 1; assume: $s = 1; goto M; N: assume: false; M: nop",
        "either { assume: false or nop or assume: false }",
        "either { read: x = 1; N: nop or M: read: x = 0 }",
        "locked { read: $r := x; write: x := $r + 1; read: $s := x }; assume: $s = 1; read: x = 1",
        "locked { read: x = 1 or write: x := 1; either { assume: false or nop } }; read: x = 1",
        "locked { if $r = 0 then write: x := 2 else write: x := 1 }; read: x = 2",
        "$s := 1; write: [$s] := 1; read: y = 1; read: x = 0",
        "write: [1 - 1] := 2; read: x = 2",
        "fence; ssfence; llfence",
        "{ { nop }; N: { nop } }",
        "assume: [$r = 0 && not [$s = 1]] || false",
        "assume: $r != 1 && $r <= 0 && $r >= 0 && $s < 1 && $s > -1",
        "if $r = 0 then if $r = 1 then assume: false else $s := 2; assume: $s = 2",
        "goto N; assume: false; N: nop",
        "while true do { if $s = 2 then goto N; $s := $s + 1 }; N: nop",
    ];
    let waits = [
        "read: x = 1",
        "write: x := 2; read: $r := x",
        "$r := 2",
        "$r := 1; $r := $r + 1",
        "write: x := 3",
        "write: x := -1",
        "cas(x, 1, 2)",
        "cas(x, 0, 3)",
        "assume: $r = 1",
        "assume: false",
        "either { assume: false or read: x = 2 }",
        "locked { write: x := 1; assume: false }",
        "$s := 2; write: [$s] := 0",
        "while true do nop",
        "write: y := 1; locked { read: y = 1; read: x = 1 }",
    ];
    for statements in goes {
        assert!(ends(statements), "waits for ever: {statements}");
    }
    for statements in waits {
        assert!(!ends(statements), "goes on: {statements}");
    }
}

/// A block that cannot be finished is not begun.
#[test]
fn a_locked_block_is_all_or_nothing() {
    let text = "forbidden * E data x = 0 : [0:1]
        process text locked { write: x := 1; read: x = 0 }
        process text read: x = 1; E: nop";
    assert_eq!(reached(text), [false; 3]);
}

#[test]
fn copies_share_a_definition_unless_they_have_variables() {
    let one = program("forbidden E E E data x = 0 : [0:1] process(3) text write: x := 1; E: nop");
    assert_eq!((one.processes.len(), one.defs.len()), (3, 1));
    let text = "forbidden E E E process(3) data x = 0 : [0:1] text read: x[0] = 0; E: nop";
    assert_eq!(program(text).defs.len(), 3);
}

/// `x[k]` is that of the k-th other process, in order.
#[test]
fn others_are_numbered_without_oneself() {
    let of = |process: usize, other: &str| {
        let inits = ["10", "11", "12"];
        let one = |number: usize| {
            let text = if number == process {
                format!("read: $r := {other}; L0: assume: $r = 10; E10: nop")
            } else {
                "nop; E10: nop; L0: nop".into()
            };
            format!(
                "process data v = {} : [10:12] registers $r = 10 : [10:12] text {text} ",
                inits[number]
            )
        };
        let label = |number: usize| if number == process { "E10 " } else { "* " };
        let text: String = (0..3).map(one).collect();
        let forbidden: String = (0..3).map(label).collect();
        is_reached(&format!("forbidden {forbidden} {text}"), MemoryModel::Sc)
    };
    assert!(of(0, "v[my]") && !of(1, "v[my]"));
    assert!(!of(0, "v[0]") && !of(0, "v[1]"));
    assert!(of(1, "v[0]") && !of(1, "v[1]") && of(2, "v[0]") && !of(2, "v[1]"));
}

#[test]
fn fences_are_fences() {
    let sb = |between: &str| {
        format!(
            "forbidden E E data x = 0 : [0:1] y = 0 : [0:1]
             process text write: x := 1; {between}; read: y = 0; E: nop
             process text write: y := 1; {between}; read: x = 0; E: nop"
        )
    };
    for between in ["nop", "ssfence", "llfence"] {
        assert_eq!(reached(&sb(between)), [false, true, true], "{between}");
    }
    for between in ["fence", "locked { nop }", "locked write: x := 1", "slocked write: x := 1"] {
        assert_eq!(reached(&sb(between)), [false; 3], "{between}");
    }
    let mp = |between: &str| {
        format!(
            "forbidden * E data x = 0 : [0:1] y = 0 : [0:1]
             process text write: x := 1; {between}; write: y := 1
             process text read: y = 1; read: x = 0; E: nop"
        )
    };
    assert_eq!(reached(&mp("nop")), [false, false, true]);
    assert_eq!(reached(&mp("ssfence")), [false; 3]);
    assert_eq!(reached(&mp("fence")), [false; 3]);
}

/// `*` is any value, known to all processes before they begin, and it stays.
#[test]
fn any_value_is_chosen_before_anything_happens() {
    for value in 0..3 {
        let text = format!("forbidden E data x = * : [0:2] process text read: x = {value}; E: nop");
        assert_eq!(reached(&text), [true; 3]);
        let text = format!(
            "forbidden E process registers $r = * : [0:2] text assume: $r = {value}; E: nop"
        );
        assert_eq!(reached(&text), [true; 3]);
    }
    // Two reads by a process that does not choose see one value; a store is not overwritten.
    let text = "forbidden * E data x = * : [0:2] process text nop
        process registers $r = 0 : [0:2] text read: $r := x; if $r = 0 then read: x = 1 else read: x = 0; E: nop";
    assert_eq!(reached(text), [false; 3]);
    let text = "forbidden * E data x = * : [0:2] process text nop
        process text write: x := 1; fence; read: x = 2; E: nop";
    assert_eq!(reached(text), [false; 3]);
}

/// A register that is assigned before it is read begins with one value: no step could tell.
#[test]
fn registers_that_are_never_read_first_are_not_chosen() {
    let steps = |text: &str| program(text).defs[0].steps.len();
    let text = "forbidden E data x = 0 : [0:1] process registers $r = * : [0:1]
        text L: read: $r := x; if $r = 1 then goto L; E: nop";
    assert_eq!(steps(text), 4);
    assert_eq!(steps(&text.replace("read: $r := x", "nop")), 6);
}

#[test]
fn locked_statements_are_locked_steps() {
    let text = "forbidden E data x = 0 : [0:1] process text cas(x, 0, 1); locked write: x := 0;
        locked { read: x = 0 or read: x = 1 }; write: x := 1; fence; E: nop";
    let modes: Vec<_> = program(text).defs[0].steps.iter().map(|s| s.mode).collect();
    use Mode::{Fence, Locked, Plain};
    assert_eq!(modes, [Locked, Locked, Locked, Locked, Plain, Fence, Plain]);
}

#[test]
fn predicates_are_read_and_left_aside() {
    program("forbidden E predicates $r = 0; $r < 1 process text E: nop");
}
