//! The programs whose constraints the journal paper counts for any number of threads: no more of ours, made or kept.

use taut_ir::MemoryModel;
use taut_lang::Options;
use taut_source::SourceMap;

use super::search;

/// Two processes that repeat two steps each, with a label after them.
fn pair(left: [&str; 2], right: [&str; 2]) -> String {
    let process = |name: &str, [first, second]: [&str; 2]| {
        format!("process {name}[*] {{ loop {{ {first}; {second}; done: skip; }} }}")
    };
    format!(
        "shared bool x; shared bool y; {} {} forbid both: l[0]@done && r[0]@done;",
        process("l", left),
        process("r", right)
    )
}

#[test]
fn no_more_constraints_than_in_the_journal_paper() {
    let lock = "shared bool lock; process p[*] { local bool ok; loop { again: ok := cas(lock, 0, 1); \
                if (ok == 0) { goto again; } cs: skip; lock := 0; } } forbid mutex: p[0]@cs && p[1]@cs;";
    let sb = pair(["x := 1", "await(y == 0)"], ["y := 1", "await(x == 0)"]);
    let lb = pair(["await(x == 1)", "y := 1"], ["await(y == 1)", "x := 1"]);
    let mp = pair(["x := 1", "y := 1"], ["await(y == 1)", "await(x == 0)"]);
    for (name, text, holds, made, kept) in [
        ("SB", sb.as_str(), false, 132, 41),
        ("LB", &lb, true, 398, 59),
        ("MP", &mp, true, 130, 23),
        ("test-and-set lock by CAS", lock, true, 162, 24),
    ] {
        let mut map = SourceMap::new();
        let file = map.add("p.taut", text);
        let program = taut_lang::parse(&map, file, &Options::default()).expect("a program");
        let any =
            search(&program, MemoryModel::Tso, 10_000).unwrap_or_else(|e| panic!("{name}: {e}"));
        println!("{name}: {:?}", any.counts);
        assert_eq!(any.exploration.found.is_empty(), holds, "{name}");
        assert!(any.counts.made <= made && any.counts.kept <= kept, "{name}: {:?}", any.counts);
    }
}
