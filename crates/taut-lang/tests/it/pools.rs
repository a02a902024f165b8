//! Pools against the same programs with arrays in their place, all states by brute force (`comfort`).

use taut_ir::{MemoryModel, VarKind};
use taut_testkit::tally::Tally;

use crate::comfort::{Random, compare, found_faults};
use crate::common::{format, program};

const WITH: &str = "struct node { 0..1 v; ref node next; };\npool node[2];\nshared ref node top;\n";
/// The fields, and what a reference leads to: -2 for null, -3 after `free`, -4 before the first `new`, else the index.
const WITHOUT: &str = "shared 0..1 v[2];\nshared 0..2 next[2];\nghost -4..1 live[3] = {-2, -4, -4};\nshared 0..2 top;\n";

/// `a := new node`. A block is one step only if it is locked, so both texts have a fence before it.
const NEW: (&str, &str) = (
    "fence; a := new node;",
    "fence; choose { locked { assume(live[1] == -3 || live[1] == -4); live[1] := 0; a := 1; } } \
     or { locked { assume(live[2] == -3 || live[2] == -4 && live[1] != -4); live[2] := 1; a := 2; } } \
     or { locked { assume(live[1] >= 0 && live[2] >= 0); a := 0; } }",
);

/// Statements with pools and without. What is read on the way to an access is loaded before, and what a reference
/// leads to is looked up in the step of the access.
const STATEMENTS: [(&str, &str); 13] = [
    NEW,
    ("free a;", "locked { live[live[a] + 1] := -3; }"),
    ("free top;", "t := top; locked { live[live[t] + 1] := -3; }"),
    ("a.v := 1;", "v[live[a]] := 1;"),
    ("b := a.v;", "b := v[live[a]];"),
    ("a.next := top;", "t := top; next[live[a]] := t;"),
    ("a := a.next;", "a := next[live[a]];"),
    ("top := a;", "top := a;"),
    ("a := top;", "a := top;"),
    ("b := top.next.v;", "t := top; t := next[live[t]]; b := v[live[t]];"),
    ("top.v ^= 1;", "t := top; v[live[t]] := v[live[t]] ^ 1;"),
    ("cas(top.next, null, a);", "t := top; cas(next[live[t]], 0, a);"),
    (
        "if (top != null && top.v == 1) { b := 1; }",
        "if (top != 0) { t := top; u := v[live[t]]; if (u == 1) { b := 1; } }",
    ),
];

fn whole(with: bool, bodies: &[Vec<usize>]) -> String {
    let pick = |pair: &(&'static str, &'static str)| if with { pair.0 } else { pair.1 };
    let mut text = String::from(if with { WITH } else { WITHOUT });
    let of = if with { "ref node" } else { "0..2" };
    for (number, body) in bodies.iter().enumerate() {
        let body: Vec<&str> = body.iter().map(|&s| pick(&STATEMENTS[s])).collect();
        let (hidden, body) = (if with { "" } else { " local int t, u;" }, body.join(" "));
        text.push_str(&format!(
            "process p{number} begin local {of} a; local 0..1 b;{hidden} {body} end\n"
        ));
    }
    text
}

#[test]
fn random_programs_with_pools_mean_the_same_with_arrays() {
    let tally = Tally::new();
    for seed in 0..60 {
        let mut random = Random(seed * 104_729 + 5);
        let mut bodies = Vec::new();
        for length in [3 + random.below(3), 1 + random.below(3)] {
            let mut body = vec![0];
            body.extend((0..length).map(|_| random.below(STATEMENTS.len() as u64) as usize));
            bodies.push(body);
        }
        let (with, without) = (whole(true, &bodies), whole(false, &bodies));
        tally.count(if compare(&with, &without) { "compared" } else { "too large" });
        bodies.iter().flatten().for_each(|&s| tally.count(STATEMENTS[s].0));
        if found_faults(&with, MemoryModel::Sc) {
            tally.count("faults");
        }
    }
    println!("{tally}");
    tally.at_least("compared", 40).at_least("faults", 20).at_least("free a;", 10);
}

/// Whether a body of one process, after `a := new node`, can fault.
fn faults(body: &str) -> bool {
    let text =
        format!("{WITH}process p begin local ref node a; local 0..1 b; a := new node; {body} end");
    found_faults(&text, MemoryModel::Tso)
}

#[test]
fn misuse_is_a_fault_and_use_is_none() {
    for right in ["a.v := 1; b := a.v; free a;", "free a; a := new node; a.v := 1;", "free(a);"] {
        assert!(!faults(right), "{right}");
    }
    for wrong in [
        "free a; b := a.v;",
        "free a; a.v := 1;",
        "free a; free a;",
        "a := null; a.v := 1;",
        "b := a.next.v;",
        "free null_of_pool();",
        "a := null; free a;",
        "free a.next;",
    ] {
        let wrong = wrong.replace("null_of_pool()", "top");
        assert!(faults(&wrong), "{wrong}");
    }
}

/// An empty pool gives `null`, and a record that was given back is there again.
#[test]
fn a_pool_without_records_gives_null() {
    let text = |more: &str| {
        format!(
            "{WITH}process p begin local ref node a, c; a := new node; a := new node; {more} c := new node; \
                 assert(c == null) as empty; end"
        )
    };
    let failed = |text: &str| crate::comfort::failed_assertions(text, MemoryModel::Sc);
    assert!(!failed(&text("")));
    assert!(failed(&text("free a;")));
}

/// What was given back may be taken again at once: the ABA problem is found.
#[test]
fn any_record_that_was_given_back_is_taken() {
    let text = format!(
        "{WITH}process p begin local ref node a, c, d; a := new node; c := new node; d := c; free a; free c; \
         a := new node; assert(a != d) as other; end"
    );
    assert!(crate::comfort::failed_assertions(&text, MemoryModel::Sc));
}

#[test]
fn the_words_are_names_elsewhere() {
    let text = "shared int pool, ref, new, free, null, cover;\nprocess p begin pool := ref + new; free := null; \
                cover++; end\nforbid x: cover == 2 && free == 1;\n";
    assert_eq!(program(text).vars.len(), 6);
    let text = "enum ref { A, B };\nenum pool { C };\nenum cover { D };\nshared ref x;\nshared pool y;\n\
                cover free(int new) { return new; }\nprocess p begin free(1); ref z = x; x := z; end\n";
    let read = program(text);
    assert_eq!(read.vars.len(), 2);
    assert!(taut_lang::same(&read, &program(&format(text))), "{}", format(text));
}

#[test]
fn fields_are_shared_and_the_ghost_is_not() {
    let read =
        program(&format!("{WITH}process p begin top := new node; top.v := 1; free(top); end"));
    let kinds: Vec<_> = read.vars.iter().map(|v| (v.name.as_str(), v.kind)).collect();
    let ghost = ("node live", VarKind::Ghost);
    assert_eq!(kinds[..3], [("node.v", VarKind::Shared), ("node.next", VarKind::Shared), ghost]);
    let formatted =
        format("process p{ref node a=new node;free(a);}pool node[2];struct node{ref node next;};");
    assert!(
        formatted.contains("ref node a = new node;") && formatted.contains("free a;"),
        "{formatted}"
    );
}
