//! Every set of fences that is small enough is put into the text by hand, and checked.

use std::collections::BTreeSet;

use serde_json::Value;
use taut::{Check, MemoryModel, load};
use taut_testkit::suite::root;

use super::{BY_NUMBER, Folder, array};

/// Lines after which a fence can stand: all in the loop of a process but jumps, behind which nothing is reached.
fn candidates(text: &str) -> Vec<usize> {
    let is_one = |line: &str| {
        let inside = line.starts_with("    ") || line == "  loop {";
        inside && !line.trim_start().starts_with("goto")
    };
    (1..).zip(text.lines()).filter(|(_, line)| is_one(line)).map(|(number, _)| number).collect()
}

/// Whether a program is right under TSO with a fence after some lines.
fn is_right(text: &str, after: &[usize], deadlock: bool) -> bool {
    let mut fenced = String::new();
    for (number, line) in (1..).zip(text.lines()) {
        fenced.push_str(line);
        fenced.push_str(if after.contains(&number) { "\nfence;\n" } else { "\n" });
    }
    let loaded = load::from_text("fenced.taut", &fenced).unwrap_or_else(|e| panic!("{e}"));
    let check = Check::of(&loaded).model(MemoryModel::Tso).deadlock(deadlock);
    let report = check.run().expect("a report");
    assert!(!report.is_unknown(), "{fenced}");
    !report.is_violated()
}

/// The sets of so many lines that fix a program.
fn fixing(text: &str, number: usize, deadlock: bool) -> BTreeSet<Vec<usize>> {
    let lines = candidates(text);
    let mut sets: Vec<Vec<usize>> = vec![Vec::new()];
    for _ in 0..number {
        let longer = |set: &Vec<usize>| {
            let last = set.last().copied().unwrap_or(0);
            let later: Vec<_> = lines.iter().copied().filter(|&line| line > last).collect();
            let set = set.clone();
            later.into_iter().map(move |line| [&set[..], &[line]].concat())
        };
        sets = sets.iter().flat_map(longer).collect();
    }
    sets.into_iter().filter(|set| is_right(text, set, deadlock)).collect()
}

/// The line after which a place is: its own, or of a statement of several lines the last.
fn last_line(text: &str, place: &Value) -> usize {
    let line = place["line"].as_u64().expect("a line") as usize;
    let lines: Vec<_> = text.lines().collect();
    let first = lines[line - 1];
    let is_long = place["where"].as_str().is_some_and(|words| words.starts_with("after"))
        && first.ends_with('{');
    let indent = first.len() - first.trim_start().len();
    let closes = |&i: &usize| lines[i] == format!("{}}}", &first[..indent]);
    if is_long { (line..lines.len()).find(closes).expect("an end") + 1 } else { line }
}

/// Compares what `--all` lists with all sets of at most so many lines.
fn agrees(lock: &str, number: usize, deadlock: bool) {
    let file = root().join(format!("examples/{lock}.taut"));
    let text = std::fs::read_to_string(&file).expect("a program");
    for fewer in 0..number {
        let fixing = fixing(&text, fewer, deadlock);
        assert_eq!(fixing, BTreeSet::new(), "{lock}: {fewer} are not enough");
    }
    let folder = Folder::new(&format!("brute-force-{lock}-{deadlock}"));
    let asked: &[&str] = if deadlock { &[] } else { &["--no-deadlock"] };
    let args = [&["--model", "tso", "--all"], asked, BY_NUMBER].concat();
    let report = folder.repair(file.to_str().expect("UTF-8"), &args);
    let lines = |set: &Value| {
        let mut lines: Vec<_> =
            array(&set["places"]).iter().map(|place| last_line(&text, place)).collect();
        lines.sort();
        lines
    };
    let sets: BTreeSet<Vec<usize>> = array(&report["sets"]).iter().map(lines).collect();
    assert_eq!(sets, fixing(&text, number, deadlock), "{lock}");
}

#[test]
fn all_cheapest_sets_are_those_that_fix_the_text() {
    for (lock, number) in [
        ("peterson", 1),
        ("dekker", 1),
        ("dijkstra", 1),
        ("burns", 2),
        ("bakery", 2),
        ("lamport_fast", 2),
        ("szymanski", 3),
    ] {
        agrees(lock, number, true);
    }
}

#[test]
fn all_five_that_keep_szymanski_from_meeting_are_found() {
    agrees("szymanski", 3, false);
}
