//! Cells whose values the over-approximation does not bound: a window of few values, and the question whether a run leaves it.

use taut_ir::{MemoryModel, Program};
use taut_lang::Options;
use taut_source::SourceMap;

use super::{explore, found, options, search};

fn parse(text: &str) -> Program {
    let mut map = SourceMap::new();
    let file = map.add("window.taut", text);
    taut_lang::parse(&map, file, &Options::default()).unwrap_or_else(|e| panic!("{e:?}\n{text}"))
}

/// A lock with a counter of the processes inside, which is of type `int`.
const COUNTER: &str = "shared bool lock; shared int count;
process p[*] begin local bool busy; local int r; loop {
  take: busy := xchg(lock, 1); if (busy == 1) { goto take; }
  r := count; count := r + 1; r := count; assert(r == 1) as alone; count := r - 1; lock := 0; } end";

#[test]
fn a_counter_under_a_lock_is_proven_for_any_number() {
    for model in [MemoryModel::Sc, MemoryModel::Tso] {
        let right = search(&parse(COUNTER), model, 100_000).unwrap_or_else(|why| panic!("{why}"));
        assert!(found(&right).is_empty(), "{model}: {:?}", found(&right));
        let wrong = COUNTER.replace("xchg(lock, 1)", "lock");
        let wrong = explore(&parse(&wrong), model, &options(100_000)).expect("an answer");
        assert!(!found(&wrong).is_empty(), "{model}");
    }
}

/// Tickets that are never given back: no number of values is enough, and the refusal names the variable.
#[test]
fn a_counter_without_a_bound_is_named() {
    let text = "shared int next; shared int serving;
process p[*] begin local int mine; loop { mine := fetch_add(next, 1); await(serving == mine); cs: serving := mine + 1; } end
forbid mutex: p[0]@cs && p[1]@cs;";
    let mut map = SourceMap::new();
    let file = map.add("tickets.taut", text);
    let program = taut_lang::parse(&map, file, &Options::default()).expect("a program");
    let why = explore(&program, MemoryModel::Tso, &options(1_000_000)).expect_err("a refusal");
    assert!(["next", "serving"].iter().any(|name| map.text(why.span).contains(name)), "{why:?}");
}
