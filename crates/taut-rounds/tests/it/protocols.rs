//! The paper's experiment, through the explicit engine: Dekker, Lamport, Peterson and Szymanski for two
//! processes, without fences (a bug with k at most 2) and with them (none). Every counterexample is mapped back
//! to a run of the original under TSO and replayed.

use crate::support;

use support::{Unequal, example, replays, sc};
use taut_explicit::{Completion, Exploration, SearchOptions, explore};
use taut_ir::{Finding, Program};
use taut_rounds::{Scope, Translation, translate};

const BUGGY: [&str; 4] = ["dekker", "lamport_fast", "peterson", "szymanski"];
const FENCED: [&str; 4] = ["dekker_tso", "lamport_fast_tso", "peterson_tso", "szymanski_tso"];

fn search(program: &Program, scope: Scope) -> (Translation, Exploration) {
    let translation = translate(program, scope).expect("it is translated");
    let options = SearchOptions { deadlock: false, ..SearchOptions::default() };
    let found = explore(&translation.program, sc(), &options);
    (translation, found)
}

#[test]
fn bugs_without_fences_need_few_rounds() {
    for name in BUGGY {
        for scope in [Scope::Rounds, Scope::Age] {
            let program = example(name);
            let found =
                (0..=2).map(|k| search(&program, scope(k))).find(|(_, e)| !e.found.is_empty());
            let (translation, exploration) = found.expect(name);
            let first = &exploration.found[0];
            assert!(matches!(first.finding, Finding::Property(_)), "{name}");
            match replays(&translation, first.finding, &first.actions) {
                Ok(()) => {}
                Err(Unequal::Wrong(what)) => panic!("{name}: {what}"),
                Err(Unequal::Skipped) => unreachable!("nothing is compared"),
            }
        }
    }
}

#[test]
fn fences_leave_no_bug() {
    for name in FENCED {
        let (_, found) = search(&example(name), Scope::Age(1));
        assert!(found.found.is_empty(), "{name}: {:?}", found.found);
        assert_eq!(found.completion, Completion::Complete, "{name}");
        let (_, found) = search(&example(name), Scope::Rounds(2));
        assert!(found.found.is_empty(), "{name}: {:?}", found.found);
        assert_eq!(found.completion, Completion::Complete, "{name}");
    }
}

/// A round is one transition: what is inside of it is not stored.
#[test]
fn what_is_inside_of_rounds_is_not_stored() {
    let translation = translate(&example("peterson_tso"), Scope::Rounds(1)).expect("translated");
    let options = SearchOptions { deadlock: false, ..SearchOptions::default() };
    let held = explore(&translation.program, sc(), &options).stats.states;
    let stored = explore(&translation.portable(), sc(), &options).stats.states;
    assert!(held * 5 < stored, "{held} states of {stored}");
}
