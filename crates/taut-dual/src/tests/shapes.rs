//! Shapes of programs that languages of buffers do not converge on, each decided here; and the programs of the research
//! tools, with the verdicts that are known.

use taut_explicit::{Completion, Limits, SearchOptions};
use taut_ir::{Memory, MemoryModel, Program};
use taut_testkit::dual_tso::ROWS;
use taut_testkit::shapes::{Shape, shapes};

use super::explicit;
use crate::DualCounts;

fn parse(name: &str, text: &str) -> Program {
    let mut map = taut_source::SourceMap::new();
    let file = map.add(name, text);
    taut_lang::parse(&map, file, &taut_lang::Options::default())
        .unwrap_or_else(|found| panic!("{name}: {found:?}"))
}

/// Whether a property, a deadlock or a fault is found. Everything is decided, and runs replay.
fn decide(name: &str, program: &Program, deadlock: bool) -> (bool, DualCounts) {
    let limits = Limits { states: Some(2_000_000), ..Limits::default() };
    let options = SearchOptions { deadlock, limits, ..SearchOptions::default() };
    let search = crate::explore(program, &options).unwrap_or_else(|why| panic!("{name}: {why}"));
    println!("{name}: {:?} {:?}", search.counts, search.exploration.stats.time);
    match search.exploration.completion {
        Completion::Complete => (false, search.counts),
        Completion::FirstFinding => {
            let found = &search.exploration.found[0];
            let memory = Memory::new(MemoryModel::Tso).bounded(None);
            let trace = taut_witness::Trace::new(memory, found.finding, found.actions.clone());
            taut_witness::replay(program, &trace).unwrap_or_else(|why| panic!("{name}: {why}"));
            (true, search.counts)
        }
        other => panic!("{name}: {other:?}"),
    }
}

/// Decides the programs of a shape, deadlock included. What small buffers reach is reached.
fn shape(group: &str) {
    let shapes: Vec<_> = shapes().into_iter().filter(|shape| shape.group == group).collect();
    assert!(shapes.len() >= 2, "{group}");
    for Shape { name, text, is_violated, .. } in shapes {
        let program = parse(name, &text);
        assert_eq!(decide(name, &program, true).0, is_violated, "{name}");
        let bounded = explicit(&program, 3, 200_000);
        let (found, _) = bounded.unwrap_or_else(|| panic!("{name}: too large"));
        assert!(is_violated || found.is_empty(), "{name}: {found:?} with three entries");
    }
}

#[test]
fn a_loop_that_stores_what_it_chooses() {
    shape("a_loop_that_stores_what_it_chooses");
}

#[test]
fn a_loop_that_chooses_its_store_beside_a_copier() {
    shape("a_loop_that_chooses_its_store_beside_a_copier");
}

#[test]
fn three_storing_loops_of_which_one_copies() {
    shape("three_storing_loops_of_which_one_copies");
}

#[test]
fn a_wrapping_counter_beside_a_copier() {
    shape("a_wrapping_counter_beside_a_copier");
}

#[test]
fn a_store_that_is_read_back_beside_a_writer() {
    shape("a_store_that_is_read_back_beside_a_writer");
}

#[test]
fn locks_that_store_while_they_wait() {
    shape("locks_that_store_while_they_wait");
}

#[test]
fn a_toggle_of_a_chosen_element() {
    shape("a_toggle_of_a_chosen_element");
}

#[test]
fn stores_of_what_was_loaded_over_three_variables() {
    shape("stores_of_what_was_loaded_over_three_variables");
}

/// Processes that never wait cannot be in a deadlock: nothing is searched for.
#[test]
fn a_deadlock_that_the_code_rules_out_needs_no_search() {
    let text = "shared bool x = 0;
        process p begin loop { x := 1; x := 0; } end
        process q begin local bool r; loop { r := x; } end";
    let (is_violated, counts) = decide("no deadlock", &parse("a.taut", text), true);
    assert!(!is_violated);
    assert_eq!(counts.made, 0);
}

/// The programs of Dual-TSO: the known verdicts, and no more constraints than it keeps, where those are a thousand or more.
#[test]
fn programs_of_the_research_tools() {
    for row in ROWS {
        let text = row.text().expect("a program");
        let (is_violated, counts) = decide(row.name, &parse(row.name, &text), false);
        assert_eq!(is_violated, row.is_violated, "{}", row.name);
        assert!(row.kept < 1_000 || counts.kept <= row.kept, "{}: {counts:?}", row.name);
        assert_eq!(counts.kept == 0, counts.added == 0, "{}: {counts:?}", row.name);
    }
}
