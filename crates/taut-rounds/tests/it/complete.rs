//! When a scope has all runs: if no reachable state may leave it, everything that TSO reaches is reached.

use crate::support;

use std::sync::atomic::{AtomicU32, Ordering};

use proptest::prelude::*;
use support::{example, parse, sc, translated, unbounded};
use taut_explicit::{Completion, SearchOptions, explore};
use taut_ir::{Finding, Program, PropId, Property, PropertyKind, Span};
use taut_rounds::{Scope, translate};
use taut_testkit::random;

const LIMIT: usize = 3_000;

/// Whether the scope has all runs of a program.
fn is_complete(program: &Program, scope: Scope) -> bool {
    let translation = translate(program, scope).expect("it is translated");
    let mut translated = translation.program.clone();
    let kind = PropertyKind::Forbid(translation.may_leave_scope());
    let asked = PropId::from(translated.properties.len());
    translated.properties.push(Property { name: "scope".into(), kind, span: Span::NONE });
    let options = SearchOptions { deadlock: false, all: true, ..SearchOptions::default() };
    let found = explore(&translated, sc(), &options);
    assert_eq!(found.completion, Completion::Complete);
    !found.found.iter().any(|f| f.finding == Finding::Property(asked))
}

/// A store that a fence follows waits for one round at most, however often there is one.
#[test]
fn fences_make_small_ages_complete() {
    let fenced = parse(
        "shared int x; shared int y;
        process p begin loop { x := 1; fence; x := 0; fence; } end
        process q begin local int r; loop { y := 1; fence; r := x; } end",
    );
    assert!(!is_complete(&fenced, Scope::Age(0)));
    assert!(is_complete(&fenced, Scope::Age(1)));
    assert!(!is_complete(&fenced, Scope::Rounds(3)));
    let loose = parse(
        "shared int x; process p begin local bool r; x := 1; loop { r := 1 - r; } end
        process q begin local bool r; loop { r := 1 - r; } end",
    );
    assert!(!is_complete(&loose, Scope::Age(4)));
    assert!(is_complete(&example("sb"), Scope::Rounds(4)));
    // Who is never spawned does not count.
    let alone = parse("main m begin end process w begin spawn w; end");
    assert!(is_complete(&alone, Scope::Rounds(0)));
}

static COMPLETE: AtomicU32 = AtomicU32::new(0);

proptest! {
    #![proptest_config(random::config(150))]

    fn complete_scopes_reach_all(draft in random::straight(2), k in 0..=5_u32, age in any::<bool>()) {
        let program = draft.program();
        let scope = if age { Scope::Age(k) } else { Scope::Rounds(k) };
        let translation = translate(&program, scope).expect("it is translated");
        let small = translated(&translation, &translation.program, LIMIT);
        prop_assume!(small.is_some());
        let (reached, _) = small.expect("it was just asked");
        if is_complete(&program, scope) {
            COMPLETE.fetch_add(1, Ordering::Relaxed);
            let all = unbounded(&program, 20 * LIMIT);
            prop_assume!(all.is_some());
            prop_assert_eq!(Some(reached), all);
        }
    }
}

/// The comparison would be empty if no scope were complete.
#[test]
fn complete_scopes_have_all_runs() {
    complete_scopes_reach_all();
    assert!(COMPLETE.load(Ordering::Relaxed) >= 10);
}
