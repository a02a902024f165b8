//! Stories: what they say of runs whose reason is known, and that every delay they claim is true of the run.

use crate::common;

use common::wild::wild;
use common::*;
use proptest::prelude::*;
use taut_ir::MemoryModel::{Pso, Tso};
use taut_ir::{Action, Finding, Memory, MemoryModel, ProcId, Program, PropId};
use taut_render::story::{Overwriting, Seen, Store, late_stores};
use taut_render::{Delay, RunView, Story, story};
use taut_source::SourceMap;
use taut_testkit::cases::{Case, random_cases};
use taut_testkit::random::{graph, straight};
use taut_testkit::temporal::{fairness, question};
use taut_witness::enumerate::{explore, shortest};
use taut_witness::temporal::counterexample;
use taut_witness::{Machine, Outcome, Record, Row, Run, Source, Target, Trace, replay};

/// Programs with more states than this are skipped.
const MOST_STATES: usize = 3_000;

fn told(program: &Program, trace: &Trace) -> Story {
    let run = replay(program, trace).expect("the trace is fine");
    story(RunView::new(program, &SourceMap::new(), &run), trace.finding)
}

#[test]
fn store_buffering_is_a_store_behind_a_load() {
    let program = store_buffering(false);
    let actions = vec![step(0, 0), step(0, 1), step(1, 0), step(1, 1)];
    let actions = [actions, vec![commit(0, 0), commit(1, 1)]].concat();
    let story = told(&program, &Trace::new(Memory::new(Tso), first_property(), actions));
    assert!(!story.under_sc);
    // The first store is late: its process read y before it, and q read x. That of q is late as well, but
    // nothing hangs on it.
    assert_eq!(story.delays.len(), 1, "{}", story.text());
    let delay = &story.delays[0];
    assert_eq!((delay.store.row, delay.store.left), (0, Some(4)));
    assert_eq!((delay.ahead[0].row, delay.missed[0].row), (1, 3));
    assert_eq!(story.sentences[0].rows, [1, 2, 4]);
    insta::assert_snapshot!(story.text());
}

#[test]
fn both_stores_are_late_if_both_loads_come_after_them() {
    let program = store_buffering(false);
    let actions = vec![step(0, 0), step(1, 0), step(0, 1), step(1, 1), commit(0, 0), commit(1, 1)];
    let story = told(&program, &Trace::new(Memory::new(Tso), first_property(), actions));
    let missed: Vec<_> = story.delays.iter().map(|d| (d.store.row, d.missed[0].row)).collect();
    assert_eq!(missed, [(1, 2), (0, 3)], "{}", story.text());
}

#[test]
fn message_passing_is_one_store_overtaking_another() {
    let program = message_passing(None);
    let trace = trace_to(&program, unbounded(Pso), first_property());
    let story = told(&program, &trace);
    let overtaken = story.delays[0].overtaken.expect("flag went ahead of data");
    assert!(overtaken.by.row > story.delays[0].store.row);
    insta::assert_snapshot!(story.text());
}

#[test]
fn what_happens_without_buffers_is_told_as_it_went() {
    let program = store_buffering(false);
    let mut weaker = program.clone();
    // With an order that SC allows, the end of the first process alone is no reason to speak of buffers.
    weaker.properties[0].kind =
        taut_ir::PropertyKind::Forbid(taut_ir::Expr::Drained(ProcId(0)).not());
    let trace = trace_to(&weaker, unbounded(Tso), first_property());
    assert!(!told(&weaker, &trace).under_sc, "under SC no store waits");
    weaker.properties[0].kind = taut_ir::PropertyKind::Forbid(taut_ir::Expr::TRUE);
    let trace = trace_to(&weaker, unbounded(Tso), first_property());
    let story = told(&weaker, &trace);
    assert!(story.under_sc && story.delays.is_empty());
    assert!(story.text().starts_with("No store was late"), "{}", story.text());
}

/// What a process did in a row.
fn record_of(run: &Run, row: usize, process: ProcId) -> &Record {
    let row = &run.rows[row];
    match (row.action, &row.record.partner) {
        (Action::Handshake { receiver, .. }, Some(partner)) if receiver == process => partner,
        _ => &row.record,
    }
}

fn takes_part(run: &Run, row: usize, process: ProcId) -> bool {
    match run.rows[row].action {
        Action::Handshake { process: p, receiver, .. } => process == p || process == receiver,
        action => action.process() == process,
    }
}

/// A store is made in its row, is in the buffer as long as is claimed, and left in time if it did.
fn is_store(run: &Run, store: &Store) -> bool {
    let mut writes = record_of(run, store.row, store.process).writes.iter();
    let made =
        writes.any(|w| (w.address, w.value, w.to) == (store.address, store.value, Target::Buffer));
    let until = store.left.unwrap_or(run.rows.len());
    let waits = (store.row + 1..=until).all(|row| {
        let mut entries = run.before(row).process(store.process).buffer.entries();
        entries.any(|e| (e.address, e.value) == (store.address, store.value))
    });
    let count = |row: usize| {
        let entries = run.before(row).process(store.process).buffer.entries();
        entries.filter(|e| e.address == store.address).count()
    };
    let leaves = store.left.is_none_or(|row| {
        matches!(run.rows[row].action, Action::Commit { process, var, index }
            if (process, var, index) == (store.process, store.address.var, store.address.index)
                && count(row + 1) + 1 == count(row))
            || run.memory.model == MemoryModel::Delayed && takes_part(run, row, store.process)
    });
    made && waits && leaves && takes_part(run, store.row, store.process)
}

/// A read stands in the record of its row.
fn is_read(run: &Run, seen: &Seen, from: Source) -> bool {
    let mut reads = record_of(run, seen.row, seen.process).reads.iter();
    takes_part(run, seen.row, seen.process)
        && reads.any(|r| (r.address, r.value, r.from) == (seen.address, seen.value, from))
}

fn is_missed(run: &Run, store: &Store, seen: &Seen) -> bool {
    let newest = run.before(seen.row).process(store.process).buffer.newest(store.address);
    is_read(run, seen, Source::Memory)
        && seen.process != store.process
        && seen.address == store.address
        && seen.value != store.value
        && newest == Some(store.value)
        && run.before(seen.row).value(store.address) == seen.value
}

fn is_overwriting(run: &Run, store: &Store, other: &Overwriting) -> bool {
    let mut writes = record_of(run, other.row, other.process).writes.iter();
    let reached =
        writes.any(|w| (w.address, w.value, w.to) == (store.address, other.value, Target::Memory));
    reached && other.process != store.process && store.left.is_some_and(|left| other.row < left)
}

fn check(run: &Run, delay: &Delay) -> Result<(), TestCaseError> {
    let store = &delay.store;
    prop_assert!(is_store(run, store), "{:?}", store);
    let waits = |row: usize| store.row < row && store.left.is_none_or(|left| row <= left);
    for seen in &delay.missed {
        prop_assert!(waits(seen.row) && is_missed(run, store, seen), "{:?} {:?}", store, seen);
    }
    for seen in &delay.ahead {
        let own = seen.process == store.process && seen.address != store.address;
        prop_assert!(own && waits(seen.row) && is_read(run, seen, Source::Memory), "{:?}", seen);
    }
    if let Some(seen) = &delay.forwarded {
        let own = seen.process == store.process && seen.address == store.address;
        prop_assert!(own && waits(seen.row) && is_read(run, seen, Source::Buffer), "{:?}", seen);
    }
    if let Some(how) = &delay.overtaken {
        let (by, seen, missed) = (&how.by, &how.seen, &how.missed);
        prop_assert!(is_store(run, by) && by.process == store.process && by.row >= store.row);
        prop_assert!(by.left.is_some_and(|left| waits(left) && left < seen.row));
        prop_assert!(is_read(run, seen, Source::Memory) && seen.value == by.value, "{:?}", seen);
        prop_assert!(seen.process != store.process);
        match missed {
            Some(missed) => {
                prop_assert!(seen.process == missed.process && seen.row <= missed.row);
                prop_assert!(delay.missed.contains(missed));
            }
            None => prop_assert!(delay.at_end.is_some()),
        }
    }
    if let Some(other) = &delay.overwrote {
        prop_assert!(waits(other.row) && is_overwriting(run, store, other), "{:?}", other);
    }
    if let Some(held) = delay.at_end {
        prop_assert!(store.left.is_none() && run.last().value(store.address) == held);
        prop_assert!(held != store.value);
    }
    let shows = !delay.missed.is_empty() || delay.overwrote.is_some() || delay.at_end.is_some();
    prop_assert!(shows || delay.forever, "nothing shows that it is late: {:?}", delay);
    Ok(())
}

fn check_story(case: &Case, program: &Program, trace: &Trace) -> Result<(), TestCaseError> {
    let run = replay(program, trace).map_err(|e| TestCaseError::fail(e.to_string()))?;
    let story = story(RunView::new(program, &SourceMap::new(), &run), trace.finding);
    case.count("stories");
    for delay in &story.delays {
        case.count("delays");
        check(&run, delay)?;
    }
    prop_assert!(!story.under_sc || story.delays.is_empty());
    for sentence in &story.sentences {
        let text = &sentence.text;
        prop_assert!(text.ends_with('.') && !text.contains("  "), "{}", text);
        prop_assert!(sentence.rows.iter().all(|&row| 1 <= row && row <= run.rows.len()));
    }
    prop_assert!(story.sentences.len() <= 14, "{}", story.text());
    Ok(())
}

fn check_all(case: &Case, program: &Program, memory: Memory) -> Result<(), TestCaseError> {
    case.about(program);
    let Some(all) = explore(program, memory, MOST_STATES) else {
        return case.pass_over("too large");
    };
    case.count("explored");
    for &finding in &all.findings {
        let Some(trace) = shortest(program, memory, finding, MOST_STATES) else { continue };
        let found_by_sc = |finding: Finding| {
            let sc = Memory { model: MemoryModel::Sc, ..memory };
            explore(program, sc, MOST_STATES).is_none_or(|all| all.findings.contains(&finding))
        };
        check_story(case, program, &trace)?;
        let run = replay(program, &trace).expect("just accepted");
        let story = story(RunView::new(program, &SourceMap::new(), &run), finding);
        prop_assert!(!story.under_sc || found_by_sc(finding), "SC does not have it");
    }
    Ok(())
}

fn memory() -> BoxedStrategy<Memory> {
    let model = prop::sample::select(MemoryModel::EVERY.to_vec());
    (model, 1..4u32).prop_map(|(model, bound)| Memory::new(model).bounded(Some(bound))).boxed()
}

/// A run that takes one of the possible actions after the other, as long as there are any.
fn walk(program: &Program, memory: Memory, choices: &[usize]) -> Run {
    let machine = Machine::new(program, memory);
    let (initial, rows) = (machine.initial(), Vec::new());
    let mut run = Run { memory, initial, rows, lasso: None, atoms: None };
    for choice in choices {
        let possible = machine.successors(run.last()).moves;
        let Some((action, done)) = possible.get(choice % possible.len().max(1)).cloned() else {
            break;
        };
        let Outcome::State(after) = done.outcome else { break };
        run.rows.push(Row { action, record: done.record, after, failure: None });
    }
    run
}

/// Every late store of a walk, whether it matters or not.
fn check_walk(
    case: &Case,
    program: &Program,
    memory: Memory,
    choices: &[usize],
) -> Result<(), TestCaseError> {
    case.about(program);
    let run = walk(program, memory, choices);
    let properties = (0..program.properties.len()).map(|i| Finding::Property(PropId::from(i)));
    for finding in properties.chain([Finding::Deadlock]) {
        for delay in late_stores(program, &run, finding) {
            case.count("delays");
            check(&run, &delay)?;
        }
    }
    Ok(())
}

fn choices() -> BoxedStrategy<Vec<usize>> {
    prop::collection::vec(0..60usize, 30).boxed()
}

#[test]
fn every_late_store_of_a_walk_is_late() {
    let tally =
        random_cases(1_000, (graph(6), memory(), choices()), |case, (draft, memory, choices)| {
            check_walk(case, &draft.program(), memory, &choices)
        });
    tally.at_least("delays", 200);
}

#[test]
fn every_delay_is_true_of_straight_programs() {
    let tally = random_cases(300, (straight(5), memory()), |case, (draft, memory)| {
        check_all(case, &draft.program(), memory)
    });
    tally.at_least("stories", 15).at_least("delays", 12);
}

#[test]
fn every_delay_is_true_of_loops() {
    let tally = random_cases(300, (graph(5), memory()), |case, (draft, memory)| {
        check_all(case, &draft.program(), memory)
    });
    tally.at_least("stories", 150).at_least("delays", 5);
}

#[test]
fn stories_of_wild_programs_are_well_formed() {
    let tally = random_cases(300, (wild(), memory()), |case, (program, memory)| {
        check_all(case, &checked(program), memory)
    });
    tally.at_least("stories", 200);
}

#[test]
fn stories_of_lassos_are_well_formed() {
    let tally = random_cases(
        300,
        (graph(5), question(4), memory(), fairness()),
        |case, (draft, question, memory, fairness)| {
            let mut program = draft.program();
            let property = question.ask(&mut program);
            let program = checked(program);
            case.about(&program);
            let found = counterexample(&program, memory, property, fairness, MOST_STATES);
            if let Some(Some(trace)) = found {
                check_story(case, &program, &trace)?;
            }
            Ok(())
        },
    );
    tally.at_least("stories", 110);
}
