//! What loads, stores, fences and commits make of languages, on small ones written out.

use taut_ir::build::ProgramBuilder;
use taut_ir::ranges::Ranges;
use taut_ir::{Effect, MemoryModel, ProcId, Program, Type};

use super::*;

const P: ProcId = ProcId(0);
const X: CellId = CellId(0);
const Y: CellId = CellId(1);

fn program() -> Program {
    let mut b = ProgramBuilder::new("sets");
    let bit = Type::range(0, 1);
    let (x, y) = (b.shared("x", bit, 0), b.shared("y", bit, 0));
    let mut p = b.process("p");
    p.store(x, 1).store(y, 1).store(x, 0).store(y, 0);
    p.step(taut_ir::Expr::TRUE, taut_ir::Mode::Plain, vec![Effect::StoreFence]);
    p.finish();
    b.build().expect("a program")
}

fn system(model: MemoryModel) -> (BufferSets, Vec<u64>) {
    let program = program();
    let places = Cells::new(&program, &Ranges::of(&program));
    let mut layout = LayoutBuilder::new();
    let sets = BufferSets::new(&program, &places, model, &mut layout);
    let state = vec![0; layout.finish().words];
    (sets, state)
}

fn store(sets: &BufferSets, state: &mut [u64], place: CellId, value: i64) {
    sets.store(state, P, place, value).expect("there is always room");
}

/// A language as an expression, with entries as `x1`.
fn shown(sets: &BufferSets, language: Language) -> String {
    let letters = sets.with_languages(|l| l.letters(language));
    let names: Vec<_> = letters.iter().map(|&l| (l, sets.entry(l))).collect();
    let name = |letter: Letter| match names.iter().find(|(l, _)| *l == letter) {
        Some((_, Entry::Store { place, value })) => {
            format!("{}{value}", if *place == X { 'x' } else { 'y' })
        }
        Some((_, Entry::Fence)) => "#".into(),
        _ => "$".into(),
    };
    sets.with_languages(|l| l.regex(language, &name))
}

fn buffer(sets: &BufferSets, state: &[u64]) -> String {
    shown(sets, sets.language(state, P))
}

/// `place = value`, and what waits then, of all commits.
fn commits(sets: &BufferSets, state: &[u64]) -> Vec<(CellId, i64, String)> {
    let committed = sets.committed(state, P);
    committed.iter().map(|c| (c.place, c.value, shown(sets, c.rest))).collect()
}

/// Makes what waits any number of rounds of itself.
fn repeat(sets: &BufferSets, state: &mut [u64]) {
    let language = sets.language(state, P);
    let star = sets.with_languages(|l| l.star(language));
    sets.set_language(state, P, star);
}

#[test]
fn a_load_is_split_only_where_its_value_differs() {
    let (sets, mut state) = system(MemoryModel::Tso);
    store(&sets, &mut state, X, 1);
    assert_eq!(sets.load(&state, P, X), Ok(1));
    repeat(&sets, &mut state);
    let question = sets.load(&state, P, X).expect_err("memory has 0 and some words have 1");
    let mut parts = Vec::new();
    sets.for_each_outcome(&state, question, &mut |part| {
        parts.push((buffer(&sets, part), sets.load(part, P, X)));
    });
    assert_eq!(parts, [("ε".into(), Ok(0)), ("x1+".into(), Ok(1))]);
    sets.write(&mut state, X, 1);
    assert_eq!(sets.load(&state, P, X), Ok(1));
}

#[test]
fn emptiness_is_open_where_some_words_are_empty() {
    let (sets, mut state) = system(MemoryModel::Tso);
    assert!(sets.is_drained(&state, P));
    store(&sets, &mut state, X, 1);
    assert_eq!(sets.drained(&state, P), Ok(false));
    repeat(&sets, &mut state);
    assert!(!sets.is_drained(&state, P));
    assert_eq!(sets.drained(&state, P), Err(Question::Drained(P)));
    let drained = sets.drained_part(&state).expect("the empty word is in it");
    assert!(sets.is_drained(&drained, P));
}

#[test]
fn under_tso_the_oldest_entry_commits() {
    let (sets, mut state) = system(MemoryModel::Tso);
    store(&sets, &mut state, X, 1);
    store(&sets, &mut state, Y, 1);
    assert_eq!(commits(&sets, &state), [(X, 1, "y1".into())]);
    repeat(&sets, &mut state);
    assert_eq!(commits(&sets, &state), [(X, 1, "y1(x1y1)*".into())]);
}

#[test]
fn under_pso_every_place_commits_any_number_of_times() {
    let (sets, mut state) = system(MemoryModel::Pso);
    store(&sets, &mut state, X, 1);
    store(&sets, &mut state, Y, 1);
    assert_eq!(commits(&sets, &state), [(X, 1, "y1".into()), (Y, 1, "x1".into())]);
    repeat(&sets, &mut state);
    let committed = sets.committed(&state, P);
    let rest = |place| committed.iter().find(|c| c.place == place).map(|c| c.rest);
    let word = |entries: &[(CellId, i64)]| {
        let store = |&(place, value): &_| Entry::Store { place, value };
        sets.one_word(&entries.iter().map(store).collect::<Vec<_>>())
    };
    let (x, y, both) = (word(&[(X, 1)]), word(&[(Y, 1)]), word(&[(X, 1), (Y, 1)]));
    // What is left behind of the other place, then rounds of both.
    let after = |left| {
        sets.with_languages(|l| {
            let (left, rounds) = (l.plus(left), l.star(both));
            l.concat(left, rounds)
        })
    };
    assert_eq!((rest(X), rest(Y)), (Some(after(y)), Some(after(x))));
}

#[test]
fn under_pso_words_that_nobody_can_tell_apart_are_one() {
    let (sets, mut state) = system(MemoryModel::Pso);
    let mut other = state.clone();
    for place in [X, Y] {
        store(&sets, &mut state, place, 1);
    }
    for place in [Y, X] {
        store(&sets, &mut other, place, 1);
    }
    assert_eq!(state, other);
}

#[test]
fn a_store_fence_keeps_later_stores_behind() {
    let (sets, mut state) = system(MemoryModel::Pso);
    sets.store_fence(&mut state, P);
    assert!(sets.is_drained(&state, P), "with nothing before it a fence is nothing");
    store(&sets, &mut state, Y, 1);
    sets.store_fence(&mut state, P);
    store(&sets, &mut state, X, 1);
    assert_eq!(buffer(&sets, &state), "y1#x1");
    assert_eq!(commits(&sets, &state), [(Y, 1, "x1".into())]);
}

#[test]
fn what_stands_after_a_mark_is_what_was_stored_since() {
    let (sets, mut state) = system(MemoryModel::Pso);
    store(&sets, &mut state, Y, 1);
    let before = sets.language(&state, P);
    sets.mark(&mut state, P);
    store(&sets, &mut state, Y, 0);
    store(&sets, &mut state, X, 1);
    assert_eq!(sets.load(&state, P, Y), Ok(0));
    let since = sets.after_mark(before, sets.language(&state, P));
    assert_eq!(shown(&sets, since), "y0x1");
}
