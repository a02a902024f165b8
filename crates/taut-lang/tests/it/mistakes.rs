//! Mistakes of people who know C, Promela, TLA+ or Rust: each gets a message that names the cause and the fix, and
//! where the fix is certain its edit makes a program.

use taut_lang::Options;
use taut_source::{Diagnostics, Replacement, SourceMap};

use crate::common::try_program;

/// A statement with a mistake, a part of the message, and the statement with the fix if it is certain.
type Row = (&'static str, &'static str, Option<&'static str>);

const STATEMENTS: &[Row] = &[
    ("x = 1;", "write `:=` instead", Some("x := 1;")),
    ("x == 1;", "`await(x == e)` waits", None),
    ("r := x++;", "`++` cannot be part of an expression", None),
    ("r := --x;", "`--` cannot be part of an expression", None),
    ("if (x == 1) y := 2;", "the body of an `if` needs braces", Some("if (x == 1) { y := 2; }")),
    (
        "if (x == 1) { y := 1; } else y := 2;",
        "needs braces",
        Some("if (x == 1) { y := 1; } else { y := 2; }"),
    ),
    (
        "while (x == 1) y := 2;",
        "the body of a `while` needs braces",
        Some("while (x == 1) { y := 2; }"),
    ),
    ("while (x == 1);", "even if nothing is in it", Some("while (x == 1){ }")),
    (
        "for (r := 0; r < 2; r++) x := r;",
        "the body of a `for` needs braces",
        Some("for (r := 0; r < 2; r++) { x := r; }"),
    ),
    (
        "for (r = 0; r < 2; r++) { x := r; }",
        "write `:=` instead",
        Some("for (r := 0; r < 2; r++) { x := r; }"),
    ),
    ("for k in 0..3 { x := 1; }", "a `for` has three parts", None),
    ("if (x := 1) { y := 2; }", "an assignment has no value", Some("if (x == 1) { y := 2; }")),
    ("uint8 k = 1;", "8 bits without a sign are a `byte`", Some("byte k = 1;")),
    ("uint8_t k;", "are a `byte`", Some("byte k;")),
    ("i32 k = 0;", "32 bits with a sign are an `int`", Some("int k = 0;")),
    ("int16_t k = 0;", "are a `short`", Some("short k = 0;")),
    ("int64_t k = 0;", "are a `long`", Some("long k = 0;")),
    ("u32 k = 0;", "without a sign is a range", Some("wrap 0..4294967295 k = 0;")),
    ("unsigned k = 0;", "there is no such type", None),
    ("boolean k = 1;", "a truth value is a `bool`", Some("bool k = 1;")),
    ("float k = 1;", "whole numbers", None),
    ("long long k = 1;", "one word", Some("long k = 1;")),
    ("let k = 1;", "has a type in place of this word", None),
    ("local int k := 1;", "expected `=`, found `:=`", Some("local int k = 1;")),
    ("r := cmpxchg(x, 0, 1);", "is called `cas_old` here", Some("r := cas_old(x, 0, 1);")),
    ("r := CAS(x, 0, 1);", "is called `cas` here", Some("r := cas(x, 0, 1);")),
    ("r := compare_exchange(x, 0, 1);", "gives the old value", None),
    ("r := exchange(x, 1);", "is called `xchg` here", Some("r := xchg(x, 1);")),
    ("r := test_and_set(x);", "`xchg(x, 1)` sets", None),
    ("r := atomic_fetch_add(x, 1);", "is called `fetch_add` here", Some("r := fetch_add(x, 1);")),
    ("r := fetch_and_sub(x, 1);", "is called `fetch_sub` here", Some("r := fetch_sub(x, 1);")),
    ("atomic_inc(x);", "`fetch_add(x, 1)` is one step", None),
    ("r := READ_ONCE(x);", "a load is written as the name", None),
    ("WRITE_ONCE(x, 1);", "a store is written as an assignment", None),
    ("r := x.load();", "there are no methods", None),
    ("smp_mb();", "the statement `fence`", Some("fence;")),
    ("mfence;", "the statement `fence`", Some("fence;")),
    ("smp_wmb();", "the statement `sfence`", Some("sfence;")),
    ("smp_rmb();", "loads stay in order", None),
    ("membarrier();", "the statement `sync`", Some("sync;")),
    ("sched_yield();", "take turns", Some("skip;")),
    ("usleep(10);", "there is no time", None),
    ("printf(x);", "nothing is printed", None),
    ("println!(\"x\");", "nothing is printed", None),
    ("exit(1);", "`return", None),
    ("exit;", "a process ends with `return`", Some("return;")),
    ("r := malloc(4);", "records come from a pool", None),
    ("pthread_mutex_lock(x);", "there are no locks", None),
    ("unlock(x);", "`m := 0;`", None),
    ("wait(x == 1);", "is called `await`", Some("await(x == 1);")),
    ("assert_eq(x, 1);", "one condition", None),
    ("r := rand();", "`r := choose(0..3);`", None),
    ("pthread_create(r);", "`spawn worker(1);`", None),
    ("join(r);", "cannot wait for the end of another", None),
    ("r := sizeof(m);", "declare it with a constant", None),
    ("r := max(x, 1);", "there is no such function", None),
    ("r := TRUE;", "the word is `true`", Some("r := true;")),
    ("r := False;", "the word is `false`", Some("r := false;")),
    ("r := NULL;", "only references to records of a pool", None),
    ("r := _pid;", "only by a parameter", None),
    ("r := *x;", "there are no pointers", None),
    ("r := &x;", "there are no pointers", None),
    ("r := x->next;", "there are no pointers", None),
    ("r := m[0, 1];", "every index has its own brackets", Some("r := m[0][ 1];")),
    ("r := x =< 1;", "write `<=` instead", Some("r := x <= 1;")),
    ("r := x /= 1;", "write `!=` instead", Some("r := x != 1;")),
    ("r := x <> 1;", "write `!=` instead", Some("r := x != 1;")),
    ("r := x === 1;", "write `==` instead", Some("r := x == 1;")),
    ("r := 10L;", "no letters that say its type", Some("r := 10;")),
    ("r := \"text\";", "there are no texts", None),
    ("while x == 1: y := 1;", "blocks are written with braces", None),
    ("if :: x == 1 -> y := 1; fi", "Promela's", None),
    ("do :: x == 1 -> y := 1; od", "Promela's", None),
    ("pass;", "the statement that does nothing is `skip`", Some("skip;")),
    ("if (x) { skip; } elsif (y) { skip; }", "`elif` or `else if`", None),
    ("repeat { x := 1; }", "`do { … } while (e);`", None),
    ("match x { }", "a `switch`", None),
    ("unless (x == 1) { y := 1; }", "write `if (!e)", None),
    ("x := 1\n  y := 1;", "expected `;`", Some("x := 1;\n  y := 1;")),
    ("switch (x) { y := 1; }", "write `case VALUE:`", None),
    ("break;", "there is no loop around this", None),
    ("{ x := 1; }", "a block needs a word before it", None),
    ("printf(\"%d\", x);", "nothing is printed", None),
    ("r := printf(\"%d\", x);", "nothing is printed", None),
    ("atomic_store(&x, 1);", "a store is written as an assignment", None),
    ("r := atomic_load(&x);", "a load is written as the name", None),
    (
        "do { x := 1; } until (x == 1);",
        "goes on while its condition is true",
        Some("do { x := 1; } while (!(x == 1));"),
    ),
    ("if (x == 1 /\\ y == 1) { skip; }", "joins", Some("if (x == 1 && y == 1) { skip; }")),
    (
        "r := x == 1 \\/ y == 1 /\\ y == 2;",
        "write `||` instead",
        Some("r := x == 1 || y == 1 && y == 2;"),
    ),
];

const ITEMS: &[Row] = &[
    ("int z;", "needs `shared`, `ghost` or `local`", Some("shared int z;")),
    ("0..3 z = 1;", "needs `shared`", Some("shared 0..3 z = 1;")),
    ("shared uint8 z;", "are a `byte`", Some("shared byte z;")),
    ("proctype q() { skip; }", "this is a `process` here", Some("process q() { skip; }")),
    ("thread q { skip; }", "this is a `process` here", Some("process q { skip; }")),
    ("fn f(n) { skip; }", "this is a `procedure` here", Some("procedure f(n) { skip; }")),
    ("global int z;", "is `shared`", Some("shared int z;")),
    ("volatile int z;", "write `shared`", None),
    ("typedef int word;", "`struct` or `enum`", None),
    ("#define N 3", "there is no preprocessor", Some("const N = 3;")),
    ("#include <stdio.h>", "no preprocessor", None),
    ("VARIABLES z, v", "one by one", None),
    ("const N := 3;", "expected `=`, found `:=`", Some("const N = 3;")),
    ("invariant i: p[0].r == 0;", "named after a colon", Some("invariant i: p[0]:r == 0;")),
    (
        "process solo { local int k; k := 1; } invariant j: solo.k <= 1;",
        "named after a colon",
        Some("process solo { local int k; k := 1; } invariant j: solo:k <= 1;"),
    ),
    ("invariant k: x =< 3;", "write `<=` instead", Some("invariant k: x <= 3;")),
    ("invariant k: cas(x, 0, 1) == 1;", "a property only looks", None),
    ("never { skip; }", "there are no never claims", None),
    ("safety s: x < 3;", "`invariant`, `forbid` or `ltl`", None),
    ("shared int z[];", "an array has a length", None),
    ("process q(i)[2] { x := i; }", "before the parameters", Some("process q[2](i) { x := i; }")),
    ("assert(x <= 1);", "`invariant small: x <= 3;`", None),
    ("main() { skip; }", "`main boss { … }`", None),
    ("use std::sync::atomic::AtomicUsize;", "there are no modules", None),
    ("import threading", "there are no modules", None),
    (
        "struct node { int v; node *next; }; pool node[2];",
        "there are no pointers",
        Some("struct node { int v; ref node next; }; pool node[2];"),
    ),
    (
        "struct node { int v; struct node *next; }; pool node[2];",
        "there are no pointers",
        Some("struct node { int v; ref node next; }; pool node[2];"),
    ),
    (
        "struct node { int v; }; pool node[2]; process q { node *n = new node; n.v := 1; }",
        "there are no pointers",
        Some(
            "struct node { int v; }; pool node[2]; process q { ref node n = new node; n.v := 1; }",
        ),
    ),
    (
        "struct node { int v; }; pool node[2]; process q { ref node n = new node(); free n; }",
        "no arguments",
        Some("struct node { int v; }; pool node[2]; process q { ref node n = new node; free n; }"),
    ),
    (
        "struct node { int v; }; pool node[2]; process q { ref node n = new node; delete n; }",
        "given back with `free`",
        Some("struct node { int v; }; pool node[2]; process q { ref node n = new node; free n; }"),
    ),
];

fn in_body(statement: &str) -> String {
    format!("shared int x, y, m[2][2];\nprocess p[2](i) {{\n  local int r;\n  {statement}\n}}\n")
}

fn at_top(item: &str) -> String {
    format!("shared int x;\nprocess p[2] {{ local int r; x := 1; }}\n{item}\n")
}

fn messages(text: &str) -> (SourceMap, Diagnostics) {
    let mut map = SourceMap::new();
    let file = map.add("t.taut", text);
    match taut_lang::parse(&map, file, &Options::default()) {
        Ok(_) => panic!("accepted:\n{text}"),
        Err(messages) => (map, messages),
    }
}

/// What is wrong with the message about a mistake.
fn wrong(row: &Row, around: fn(&str) -> String) -> Option<String> {
    let (mistake, said, right) = row;
    let text = around(mistake);
    let Err(shown) = try_program(&text) else { return Some(format!("`{mistake}` is accepted")) };
    if !shown.contains(said) {
        return Some(format!("`{mistake}` is told\n{shown}"));
    }
    let (map, found) = messages(&text);
    let edits: Vec<Replacement> = found.iter().filter_map(taut_lang::fix).collect();
    let fixed = Replacement::apply(&map, taut_source::FileId(0), &edits);
    let wanted = around(right.unwrap_or(mistake));
    if fixed != wanted {
        return Some(format!("`{mistake}` becomes\n{fixed}\n{shown}"));
    }
    let again = right.and_then(|_| try_program(&fixed).err())?;
    Some(format!("`{mistake}` becomes\n{fixed}\n{again}"))
}

fn check(rows: &[Row], around: fn(&str) -> String) {
    let all: Vec<String> = rows.iter().filter_map(|row| wrong(row, around)).collect();
    assert!(all.is_empty(), "{} of {}:\n{}", all.len(), rows.len(), all.join("\n\n"));
}

#[test]
fn mistakes_are_told_with_their_fix() {
    assert!(STATEMENTS.len() + ITEMS.len() >= 60, "a table of sixty mistakes");
    check(STATEMENTS, in_body);
    check(ITEMS, at_top);
}

/// A word that the file declares means what the file says.
#[test]
fn declared_words_are_no_mistakes() {
    for text in [
        "shared int load, store; process thread { load := 1; store := load; }",
        "shared int x; void lock(int n) { x := n; } process p { lock(1); }",
        "shared bool wait; process p { wait: wait := 1; await(wait == 1); }",
        "int max(int a, int b) { return a > b ? a : b; } shared int x; process p { x := max(x, 2); }",
    ] {
        if let Err(shown) = try_program(text) {
            panic!("{shown}");
        }
    }
}
