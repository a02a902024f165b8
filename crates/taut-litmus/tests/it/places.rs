//! EditSites for fences: what they look like, and what tests mean with them.

use crate::support;

use std::collections::BTreeSet;

use support::{files, machine, own};
use taut_ir::{Effect, MemoryModel, Mode, Step};
use taut_litmus::{FENCE, NOTHING, STORE_FENCE, Test};
use taut_source::{EditSites, FileId, Insertion, Point, SourceMap};

const FILE: FileId = FileId(0);

fn read(text: &str) -> (SourceMap, EditSites) {
    let mut map = SourceMap::new();
    let file = map.add("t.litmus", text);
    let places = taut_litmus::places(&map, file);
    let places = places.unwrap_or_else(|d| panic!("{}", taut_source::render_all(&map, &d, false)));
    (map, places)
}

fn parse(text: &str) -> Test {
    let mut map = SourceMap::new();
    let file = map.add("t.litmus", text);
    taut_litmus::parse(&map, file)
        .unwrap_or_else(|d| panic!("{}\n{text}", taut_source::render_all(&map, &d, false)))
}

fn filled(text: &str, statement: &str) -> (String, Vec<usize>) {
    let (map, places) = read(text);
    let (text, starts) = Point::fill(&map, FILE, &places.points, statement);
    (text, starts.into_iter().flatten().collect())
}

#[test]
fn fences_are_rows_in_line_with_the_others() {
    let text = "X86_64 T\n{ }\n P0          | P1            ;\n movq $1,(x) | A:            ; (* c *)\n \
        jmp B       | movq (x),%rax ;\n B: nop      |               ;\nexists (x=1)\n";
    let expected = "X86_64 T\n{ }\n P0          | P1            ;\n mfence      |               ;\n             \
        | mfence        ;\n movq $1,(x) | A:            ; (* c *)\n mfence      |               ;\n \
        jmp B       | movq (x),%rax ;\n             | mfence        ;\n B: nop      |               ;\n \
        mfence      |               ;\nexists (x=1)\n";
    assert_eq!(filled(text, FENCE).0, expected);
    let (map, places) = read(text);
    let stores: Vec<_> = places.unwritable.iter().map(|(span, _)| map.text(*span)).collect();
    assert_eq!(stores, ["movq $1,(x)"]);
    assert!(places.writes.is_empty());
}

#[test]
fn rows_that_share_a_line_get_a_fence_between_them() {
    let text = "X86_64 T\n{ }\nP0|P1; movq $1,(x)|movq $1,(y); nop|nop;\nexists (x=1)\n";
    let (text, starts) = filled(text, FENCE);
    assert!(text.contains("P0|P1; mfence | ; | mfence ; movq $1,(x)|"), "{text}");
    assert_eq!(starts.len(), 6);
    parse(&text);
}

/// All tests of the repository.
fn tests() -> Vec<(String, String)> {
    let folder = own();
    let read = |name: String| {
        let text = std::fs::read_to_string(folder.join(&name)).unwrap();
        (name, text)
    };
    files(&folder).into_iter().map(read).collect()
}

/// Where steps of some kind stand.
fn steps(test: &Test, wanted: impl Fn(&Step) -> bool) -> BTreeSet<usize> {
    let steps = test.program.defs.iter().flat_map(|def| &def.steps);
    steps.filter(|s| wanted(s)).map(|s| s.span.start as usize).collect()
}

#[test]
fn every_fence_is_a_step_where_it_was_put() {
    let all = tests();
    assert!(all.len() > 100);
    for (name, text) in all {
        let original = parse(&text);
        let fence = |s: &Step| s.mode == Mode::Fence;
        let (new, put) = filled(&text, FENCE);
        let found = steps(&parse(&new), fence);
        assert!(put.iter().all(|start| found.contains(start)), "{name}\n{new}");
        assert_eq!(found.len(), steps(&original, fence).len() + put.len(), "{name}\n{new}");
        let (new, put) = filled(&text, STORE_FENCE);
        let found = steps(&parse(&new), |s| s.effects.contains(&Effect::StoreFence));
        assert!(put.iter().all(|start| found.contains(start)), "{name}\n{new}");
    }
}

#[test]
fn each_fence_reads_alone() {
    for (name, text) in tests() {
        let (map, places) = read(&text);
        for point in &places.points {
            let new = Insertion::apply(&map, FILE, &[point.insert(FENCE)]);
            let fences = |text: &str| {
                parse(text)
                    .program
                    .defs
                    .iter()
                    .flat_map(|d| &d.steps)
                    .filter(|s| s.mode == Mode::Fence)
                    .count()
            };
            assert_eq!(fences(&new), fences(&text) + 1, "{name}, {}\n{new}", point.words);
        }
    }
}

/// With `nop` everywhere a test has the outcomes it had; with fences everywhere those of SC.
#[test]
fn the_meaning_is_that_of_the_statement_put_in() {
    let mut relaxed = 0;
    for (name, text) in tests() {
        let outcome = |test: &Test, model: MemoryModel| {
            machine::run(test, model).outcome.json(test, &name, "")
        };
        let original = parse(&text);
        let with_nothing = parse(&filled(&text, NOTHING).0);
        let tso = outcome(&original, MemoryModel::Tso);
        assert_eq!(outcome(&with_nothing, MemoryModel::Tso), tso, "{name}");
        let fenced = parse(&filled(&text, FENCE).0);
        let sc = outcome(&original, MemoryModel::Sc);
        assert_eq!(outcome(&fenced, MemoryModel::Tso), sc, "{name}");
        relaxed += usize::from(sc != tso);
    }
    assert!(relaxed > 10, "{relaxed}");
}
