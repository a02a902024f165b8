//! EditSites for fences and atomic writes: what they look like, and that every one of them reads back.

use crate::common;

use taut_ir::{Effect, Mode, Program};
use taut_lang::{FENCE, NOTHING, STORE_FENCE};
use taut_source::{EditSites, Insertion, Point, Replacement, SourceMap, Span, render_all};

/// A text with its places.
fn places(text: &str) -> (SourceMap, EditSites) {
    let mut map = SourceMap::new();
    let file = map.add("t.taut", text);
    let places = taut_lang::places(&map, file);
    let places = places.unwrap_or_else(|d| panic!("{}", render_all(&map, &d, false)));
    (map, places)
}

/// A text with a statement at every point.
fn filled(text: &str, statement: &str) -> (String, Vec<usize>) {
    let (map, places) = places(text);
    let file = taut_source::FileId(0);
    let (text, starts) = Point::fill(&map, file, &places.points, statement);
    (text, starts.into_iter().flatten().collect())
}

/// Where steps of some kind stand, sorted and each once.
fn steps(program: &Program, wanted: impl Fn(&taut_ir::Step) -> bool) -> Vec<usize> {
    let steps = program.defs.iter().flat_map(|def| &def.steps);
    let mut starts: Vec<_> = steps.filter(|s| wanted(s)).map(|s| s.span.start as usize).collect();
    starts.sort_unstable();
    starts.dedup();
    starts
}

/// A body, once as it is and once with fences everywhere.
#[track_caller]
fn fenced(body: &str, expected: &str) {
    let head = "shared int x, y;\nghost int g;\nprocess p begin\n";
    let (text, _) = filled(&format!("{head}{body}\nend\n"), FENCE);
    common::program(&text);
    let inside = &text[head.len()..];
    assert_eq!(inside.strip_suffix("\nend\n").expect("the end"), expected);
}

#[test]
fn fences_look_as_if_written_by_hand() {
    fenced(
        "  x := 1;\n  y := 1; // two",
        "  fence;\n  x := 1;\n  fence;\n  y := 1; // two\n  fence;",
    );
    fenced("  x := 1; y := 1", "  fence;\n  x := 1; fence; y := 1;\n  fence;");
    fenced("  x := 1 // last", "  fence;\n  x := 1; fence; // last");
    fenced(
        "  while (x == 0) { y := 1; }\n  if (x == 0) then skip; fi",
        "  fence;\n  while (x == 0) { fence; y := 1; fence; }\n  fence;\n  \
         if (x == 0) then fence; skip; fence; fi\n  fence;",
    );
    fenced("  local int r;\n  x := 1;", "  local int r;\n  fence;\n  x := 1;\n  fence;");
}

#[test]
fn a_label_stays_at_its_statement() {
    fenced("  cs: x := 1;", "  fence;\n  cs: x := 1;\n  fence;");
    // A loop takes no step, so the label names what is first in it.
    fenced("  cs: loop { x := 1; }", "  fence;\n  cs: loop { x := 1; fence; }");
    fenced("  loop { x := 1; }", "  fence;\n  loop { fence; x := 1; fence; }");
    fenced(
        "  while (x == 0) { if (y == 1) { goto out; } x := 1; out: }",
        "  fence;\n  while (x == 0) { fence; if (y == 1) { fence; goto out; } fence; x := 1; \
         fence; out: }\n  fence;",
    );
}

#[test]
fn guards_stay_first_and_sections_whole() {
    fenced(
        "  choose { assume(x == 1); y := 1; } or { y := 2; }",
        "  fence;\n  choose { assume(x == 1); fence; y := 1; fence; } or { fence; y := 2; fence; }\n  fence;",
    );
    fenced(
        "  cs: choose { y := 1; } or { y := 2; }",
        "  fence;\n  cs: choose { y := 1; fence; } or { y := 2; fence; }\n  fence;",
    );
    fenced("  locked { x := 1; y := 1; }", "  fence;\n  locked { x := 1; y := 1; }\n  fence;");
    fenced(
        "  atomic_begin; x := 1; if (x == 1) { y := 1; } atomic_end;",
        "  fence;\n  atomic_begin; x := 1; if (x == 1) { y := 1; } atomic_end;\n  fence;",
    );
}

#[test]
fn nothing_follows_a_jump() {
    fenced("  loop { x := 1; }", "  fence;\n  loop { fence; x := 1; fence; }");
    fenced(
        "  loop { if (x == 1) { break; } else { return; } }",
        "  fence;\n  loop { fence; if (x == 1) { fence; break; } else { fence; return; } }\n  fence;",
    );
}

#[test]
fn blocks_of_c_have_places() {
    fenced(
        "  for (int k = 0; k < 2; k++) { x := k; }\n  do { y := 1; } while (x == 0);",
        "  fence;\n  for (int k = 0; k < 2; k++) { fence; x := k; fence; }\n  fence;\n  \
         do { fence; y := 1; fence; } while (x == 0);\n  fence;",
    );
    fenced(
        "  switch (x) { case 0: y := 1; break; default: x := 2; }",
        "  fence;\n  switch (x) { case 0: fence; y := 1; fence; break; default: fence; x := 2; fence; }\n  fence;",
    );
    fenced("  int k = x;\n  x += k;", "  fence;\n  int k = x;\n  fence;\n  x += k;\n  fence;");
    fenced(
        "  cs: do { x := 1; } while (y);",
        "  fence;\n  cs: do { x := 1; fence; } while (y);\n  fence;",
    );
}

#[test]
fn windows_line_ends_stay() {
    let text = "shared int x;\r\nprocess p begin\r\n  x := 1; // c\r\nend\r\n";
    let expected =
        "shared int x;\r\nprocess p begin\r\n  fence;\r\n  x := 1; // c\r\n  fence;\r\nend\r\n";
    assert_eq!(filled(text, FENCE).0, expected);
}

#[test]
fn what_has_no_place_is_listed() {
    let text = "shared int x;\nprocess p { l: loop { x := choose(0..1); } }\n\
        process q graph\n#0:\n  do x := 1; goto #1;\n#1 end:\nend\ninstance q1 = q;\n";
    let (map, places) = places(text);
    let said: Vec<_> =
        places.unpatchable.iter().map(|(span, reason)| (map.text(*span), *reason)).collect();
    let expected = [
        ("{", "a label names this point"),
        ("x := choose(0..1);", "`choose` has no atomic form"),
        ("q", "a process in graph form has no statements"),
    ];
    assert_eq!(said, expected);
}

#[test]
fn stores_become_atomic() {
    let text = "shared int x, a[2];\nghost int g;\nprocess p begin\n  local int r;\n  \
        one: x := 1;\n  a[r], r := 1, 2;\n  r := 3;\n  g := 4;\n  atomic x := 5;\n  \
        locked { x := 6; }\nend\nprocedure f(z) begin z := 7; end\n";
    let (map, places) = places(text);
    let named: Vec<_> = places.writes.iter().map(|w| w.variable.as_str()).collect();
    assert_eq!(named, ["x", "a[r], r"]);
    let edits: Vec<_> = places.writes.iter().flat_map(|w| w.edits.clone()).collect();
    let text = Replacement::apply(&map, taut_source::FileId(0), &edits);
    assert!(text.contains("  one: atomic x := 1;\n  atomic a[r], r := 1, 2;\n  r := 3;"), "{text}");
    let program = common::program(&text);
    let atomic = program
        .defs
        .iter()
        .flat_map(|d| &d.steps)
        .flat_map(|s| &s.effects)
        .filter(|e| matches!(e, Effect::Assign(list) if list.iter().any(|a| a.atomic)));
    assert_eq!(atomic.count(), 3);
}

/// All programs of `examples/`.
fn examples() -> Vec<(String, String)> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples");
    let structured = std::fs::read_dir(format!("{folder}/structured")).expect("the examples");
    let entries = std::fs::read_dir(folder).expect("the examples").chain(structured);
    let entries = entries.map(|e| e.unwrap().path());
    let taut = entries.filter(|path| path.extension().is_some_and(|e| e == "taut"));
    let read = |path: std::path::PathBuf| {
        (path.display().to_string(), std::fs::read_to_string(&path).unwrap())
    };
    taut.map(read).collect()
}

/// Every point of every example: read back with a fence, and the fence is a step where it was put.
#[test]
fn every_point_of_the_examples_is_a_step() {
    let all = examples();
    assert!(all.len() > 40);
    for (name, text) in all {
        let original = common::program(&text);
        let (new, starts) = filled(&text, FENCE);
        let program = common::program(&new);
        let fences = steps(&program, |s| matches!(s.mode, Mode::Fence | Mode::Locked));
        for start in &starts {
            assert!(fences.contains(start), "{name}: no fence at {start} of\n{new}");
        }
        let old = steps(&original, |s| s.mode == Mode::Fence).len();
        assert_eq!(steps(&program, |s| s.mode == Mode::Fence).len(), old + starts.len(), "{name}");
        let stored = |s: &taut_ir::Step| s.effects.contains(&Effect::StoreFence);
        let (new, starts) = filled(&text, STORE_FENCE);
        let store_fences = steps(&common::program(&new), stored).len();
        assert_eq!(store_fences, steps(&original, stored).len() + starts.len(), "{name}");
    }
}

#[test]
fn each_point_and_each_store_of_the_examples_reads_alone() {
    for (name, text) in examples() {
        let (map, places) = places(&text);
        let file = taut_source::FileId(0);
        for point in &places.points {
            let text = Insertion::apply(&map, file, &[point.insert(NOTHING)]);
            assert!(common::try_program(&text).is_ok(), "{name}, {}:\n{text}", point.words);
        }
        let original = common::program(&text);
        for write in &places.writes {
            let text = Replacement::apply(&map, file, &write.edits);
            assert!(common::try_program(&text).is_ok(), "{name}, {}:\n{text}", write.variable);
            assert!(has_step(&original, write.span), "{name}: {}", write.variable);
        }
    }
}

/// Whether a step of the program has this place.
fn has_step(program: &Program, span: Span) -> bool {
    program.defs.iter().flat_map(|d| &d.steps).any(|s| s.span == span)
}

/// A text that is no program has messages and no places.
#[test]
fn mistakes_are_reported() {
    let mut map = SourceMap::new();
    let file = map.add("t.taut", "process p begin x := end");
    assert!(taut_lang::places(&map, file).is_err());
}
