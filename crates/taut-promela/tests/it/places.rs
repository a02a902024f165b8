//! EditSites for fences and atomic writes: what they look like, and that with them a model is the same model.

use crate::common;

use std::collections::{BTreeSet, HashSet};
use std::path::Path;

use taut_ir::{Effect, Mode, Program, Step};
use taut_promela::ast::{Call, Item, Model, Sequence, Statement, StatementKind};
use taut_promela::{FENCE, Files, Headers, NOTHING, Options, Parsed, STORE_FENCE};
use taut_source::{EditSites, FileId, Insertion, Point, Replacement, SourceMap, Span};
use taut_testkit::promela::generate;

const MAIN: FileId = FileId(0);

/// A text that was read, with its places.
struct Read {
    map: SourceMap,
    parsed: Parsed,
    places: EditSites,
}

fn read_with(name: &str, text: &str, files: &mut dyn Files) -> Option<Read> {
    let mut map = SourceMap::new();
    let file = map.add(name, text);
    let parsed = taut_promela::parse(&mut map, file, &Options::default(), files);
    let parsed = parsed.ok()?;
    let places = taut_promela::places(&map, &parsed);
    Some(Read { map, parsed, places })
}

#[track_caller]
fn read(text: &str) -> Read {
    let said = || common::read(text).err().unwrap_or_default();
    read_with("m.pml", text, &mut common::native()).unwrap_or_else(|| panic!("{}\n{text}", said()))
}

impl Read {
    /// The main file with a statement at every point of it.
    fn filled(&self, statement: &str) -> (String, Vec<usize>) {
        let (text, starts) = Point::fill(&self.map, MAIN, &self.places.points, statement);
        (text, starts.into_iter().flatten().collect())
    }

    /// What cannot be done, by a fence or by an atomic write, each place once.
    fn said(&self) -> Vec<(&str, &str)> {
        let EditSites { unpatchable, unwritable, .. } = &self.places;
        let all: BTreeSet<_> = unpatchable.iter().chain(unwritable).copied().collect();
        all.into_iter().map(|(span, why)| (self.map.text(span), why)).collect()
    }
}

/// Compares the body of a process with fences everywhere to what a person would write.
#[track_caller]
fn fenced(body: &str, expected: &str) {
    let head = "byte x, y; chan q = [1] of { byte };\nactive proctype p() {\n";
    let (text, _) = read(&format!("{head}{body}\n}}\n")).filled(FENCE);
    common::lowered(&text);
    assert_eq!(text[head.len()..].strip_suffix("\n}\n").expect("the end"), expected);
}

#[test]
fn fences_look_as_if_written_by_hand() {
    fenced("\tx = 1;\n\ty = 1", "\tFENCE();\n\tx = 1;\n\tFENCE();\n\ty = 1;\n\tFENCE()");
    fenced("\tx = 1\n\ty = 1", "\tFENCE()\n\tx = 1\n\tFENCE()\n\ty = 1\n\tFENCE()");
    fenced("\tx = 1; y = 1;", "\tFENCE();\n\tx = 1; FENCE(); y = 1;\n\tFENCE();");
    fenced(
        "\tx = 1; // one\n\ty = 1 /* two */",
        "\tFENCE();\n\tx = 1; // one\n\tFENCE();\n\ty = 1 /* two */\n\tFENCE()",
    );
    fenced("\tbyte r;\n\tx = r;", "\tbyte r;\n\tFENCE();\n\tx = r;\n\tFENCE();");
    fenced("\tq?<x>", "\tFENCE();\n\tq?<x>;\n\tFENCE()");
}

#[test]
fn options_keep_their_guards() {
    fenced(
        "\tdo\n\t:: x == 1 -> y = 1\n\t:: y == 1\n\t:: else -> break\n\tod",
        "\tFENCE();\n\tdo\n\t:: x == 1 -> FENCE(); y = 1;\n\t   FENCE()\n\t:: y == 1 -> FENCE()\n\t\
         :: else -> FENCE(); break\n\tod;\n\tFENCE()",
    );
    fenced(
        "\tif :: x = 1; y = 1 :: else fi; y = 2",
        "\tFENCE();\n\tif :: x = 1; FENCE(); y = 1; FENCE() :: else -> FENCE() fi; FENCE(); \
         y = 2;\n\tFENCE()",
    );
    fenced(
        "\tif\n\t:: { x == 1; y = 1 }\n\t:: x == 2 ->\n\t   y = 2\n\tfi",
        "\tFENCE();\n\tif\n\t:: { x == 1; FENCE(); y = 1; FENCE() } -> FENCE()\n\t:: x == 2 ->\n\t   \
         FENCE();\n\t   y = 2;\n\t   FENCE()\n\tfi;\n\tFENCE()",
    );
    fenced(
        "\t{ x = 1; y = 1 } unless { x == 2; y = 2 }",
        "\tFENCE();\n\t{ FENCE(); x = 1; FENCE(); y = 1; FENCE() } unless { x == 2; FENCE(); \
         y = 2; FENCE() };\n\tFENCE()",
    );
}

#[test]
fn labels_jumps_and_atomic_blocks() {
    fenced("\tcs: x = 1;\n\tgoto cs", "\tFENCE();\n\tcs: x = 1;\n\tFENCE();\n\tgoto cs");
    fenced("\tcs: { x = 1 }", "\tFENCE();\n\tcs: { x = 1; FENCE() };\n\tFENCE()");
    fenced(
        "\tatomic { x = 1; y = 1 }\n\tLOCKED { x = 2 }\n\td_step { y = 2 }",
        "\tFENCE()\n\tatomic { x = 1; y = 1 }\n\tFENCE()\n\tLOCKED { x = 2 }\n\tFENCE()\n\t\
         d_step { y = 2 }\n\tFENCE()",
    );
    fenced(
        "\tfor (x : 1 .. 2) {\n\t\ty = x\n\t}",
        "\tFENCE();\n\tfor (x : 1 .. 2) {\n\t\tFENCE();\n\t\ty = x;\n\t\tFENCE()\n\t};\n\tFENCE()",
    );
    // Nothing leaves this loop.
    fenced("\tdo\n\t:: x = 1\n\tod", "\tFENCE();\n\tdo\n\t:: x = 1 -> FENCE()\n\tod");
}

/// Around a macro that is a statement there are points; inside of it there are none.
#[test]
fn macros_are_not_taken_apart() {
    let head = "#define BOTH x = 1; y = 1\n#define SET(v, e) v = e;\n#define NEXT g\n\
        #define g(v) x = v\nbyte x, y;\n";
    let body = "active proctype p() {\n\tBOTH;\n\tSET(x,\n\t\t2)\n\ty = 3\n\tNEXT(4)\n}\n";
    let read = read(&format!("{head}{body}"));
    let (text, _) = read.filled(FENCE);
    let expected = "active proctype p() {\n\tFENCE();\n\tBOTH;\n\tFENCE();\n\tSET(x,\n\t\t2)\n\tFENCE();\n\t\
        y = 3\n\tFENCE()\n\tNEXT(4);\n\tFENCE()\n}\n";
    assert_eq!(&text[head.len()..], expected);
    common::lowered(&text);
    let macros: Vec<_> = read.said().into_iter().filter(|(_, why)| why.contains("macro")).collect();
    // Between and in the statements of BOTH, in SET and in NEXT.
    assert_eq!(macros.len(), 3, "{macros:?}");
    assert_eq!(read.places.writes.len(), 1);
}

/// One point of an inline is in all of its calls, so all of them must allow it.
#[test]
fn inlines_have_points_that_all_calls_allow() {
    let model = |call: &str| {
        format!(
            "byte x, y;\ninline set(v, e) {{\n\tv = e;\n\ty = 1\n}}\n\
             active proctype p() {{\n\tset(x, 1);\n\t{call}\n}}\n"
        )
    };
    let inside = |read: &Read| {
        let end = 50;
        let points = &read.places.points;
        let words: Vec<_> = points.iter().filter(|p| p.at < end).map(|p| p.words.clone()).collect();
        words
    };
    let free = read(&model("set(y, 2)"));
    let all = ["at the start of the block", "after `v = e`", "after `y = 1`"];
    assert_eq!(inside(&free), all);
    assert!(
        free.filled(FENCE)
            .0
            .contains("{\n\tFENCE();\n\tv = e;\n\tFENCE();\n\ty = 1;\n\tFENCE()\n}")
    );
    let guard = read(&model("if :: set(y, 2) :: else fi"));
    assert_eq!(inside(&guard), all[1..]);
    let atomic = read(&model("atomic { set(y, 2) }"));
    assert!(inside(&atomic).is_empty());
    assert_eq!(atomic.said().iter().filter(|(_, why)| why.contains("`d_step`")).count(), 5);
    // One text, the steps of two calls.
    let writes = &free.places.writes;
    assert_eq!(writes.iter().map(|w| w.steps.len()).collect::<Vec<_>>(), [2, 1]);
}

#[test]
fn stores_become_atomic_writes() {
    let text = "typedef T { byte f; chan c };\nbyte x, a[2]; ghost byte g; T t; chan q = [1] of { byte };\n\
        active proctype p() {\n\tbyte r;\n\tl: x = r + 1;\n\ta[x + 1]++; a[0] --;\n\tt.f = (x == 1 -> 2 : 3)\n\
        \tstore(x, 2);\n\tg = 1; r = 2; t.c = q; LOCKED { x = 3 }\n\tq?x;\n\tatomic { x = 4 }\n\t\
        if :: x = 5 :: else fi\n\tif :: x = 6 :: y: x = 7 fi\n}\n";
    let read = read(text);
    let edits: Vec<_> = read.places.writes.iter().flat_map(|w| w.edits.clone()).collect();
    let new = Replacement::apply(&read.map, MAIN, &edits);
    let expected = "\tl: ATOMIC_WRITE(x, r + 1);\n\tATOMIC_WRITE(a[x + 1], a[x + 1] + 1); \
        ATOMIC_WRITE(a[0], a[0] - 1);\n\tATOMIC_WRITE(t.f, (x == 1 -> 2 : 3))\n\t\
        ATOMIC_WRITE(x, 2);\n\tg = 1; r = 2; t.c = q; LOCKED { x = 3 }\n\tq?x;\n\tatomic { x = 4 }\n\t\
        if :: x = 5 :: else fi\n\tif :: ATOMIC_WRITE(x, 6) :: y: ATOMIC_WRITE(x, 7) fi\n";
    assert!(new.contains(expected), "{new}");
    let atomic = |step: &Step| {
        let is = |e: &Effect| matches!(e, Effect::Assign(list) if list.iter().any(|a| a.atomic));
        step.effects.iter().any(is)
    };
    assert_eq!(starts(&common::lowered(&new).program, atomic).len(), edits.len());
    let refused: Vec<_> = read.said().into_iter().map(|(text, _)| text).collect();
    assert_eq!(refused, ["q?x", "x = 4", "x = 5"]);
    let original = common::lowered(text).program;
    for write in &read.places.writes {
        assert!(has_step(&original, &write.steps), "{}", write.variable);
    }
}

fn has_step(program: &Program, spans: &[Span]) -> bool {
    spans.iter().all(|span| program.defs.iter().flat_map(|d| &d.steps).any(|s| s.span == *span))
}

#[test]
fn included_files_have_points_of_their_own() {
    let mut headers = common::native().with("lib.h", "inline lib() { x = 1; x = 2 }\n");
    let text = "byte x;\n#include \"lib.h\"\nactive proctype p() { lib() }\n";
    let built_in = read_with("m.pml", text, &mut headers).expect("a model");
    assert!(built_in.places.points.iter().all(|p| p.file == MAIN));
    let header: Vec<_> =
        built_in.said().into_iter().filter(|(_, w)| w.contains("header")).collect();
    assert_eq!(header.len(), 3, "{header:?}");

    struct Beside;
    impl Files for Beside {
        fn find(
            &mut self,
            _: &str,
            path: &str,
        ) -> Result<taut_promela::Found, taut_promela::Missing> {
            let bytes = b"inline lib() { x = 1; x = 2 }\n".to_vec();
            Ok(taut_promela::Found { name: path.into(), bytes, built_in: false })
        }
    }
    let beside = read_with("m.pml", text, &mut Beside).expect("a model");
    assert_eq!(beside.places.points.iter().filter(|p| p.file != MAIN).count(), 3);
    let text = text.replace("#include", "#include \"other.h\"\n#include");
    let twice = read_with("m.pml", &text.replace("other.h", "lib.h"), &mut Beside);
    // Two definitions of one inline are an error, so nothing is left to ask.
    assert!(twice.is_none());
}

#[test]
fn a_model_with_a_fence_of_its_own_has_no_points() {
    let text = "#define FENCE() skip\nbyte x;\nactive proctype p() { x = 1; FENCE() }\n";
    let read = read(text);
    assert!(read.places.points.is_empty());
    assert_eq!(
        read.said(),
        [("FENCE", "the model gives `FENCE` or `SFENCE` a meaning of its own")]
    );
    assert_eq!(read.places.writes.len(), 1);
}

#[test]
fn claims_are_left_alone() {
    let text =
        "byte x;\nactive proctype p() { x = 1 }\nnever { do :: x == 0 :: x == 1 -> break od }\n";
    assert_eq!(read(text).places.points.len(), 2);
}

/// Where steps of some kind stand, each place once.
fn starts(program: &Program, wanted: impl Fn(&Step) -> bool) -> BTreeSet<usize> {
    let steps = program.defs.iter().flat_map(|def| &def.steps);
    steps.filter(|s| wanted(s)).map(|s| s.span.start as usize).collect()
}

/// A model without the statements that begin at some bytes of its main file; those that were found are noted.
struct Without<'s> {
    starts: &'s HashSet<usize>,
    found: HashSet<usize>,
}

impl Without<'_> {
    fn model(&mut self, mut model: Model) -> Model {
        // The words of an inline are compared where it is called.
        model.items.retain(|item| !matches!(item, Item::Inline(_)));
        for item in &mut model.items {
            match item {
                Item::Proctype(process) => self.sequence(&mut process.body),
                Item::Init(init) => self.sequence(&mut init.body),
                _ => {}
            }
        }
        model
    }

    fn sequence(&mut self, sequence: &mut Sequence) {
        sequence.steps.retain(|step| {
            let start = step.at.0.start as usize;
            let ours = step.at.0.file == MAIN && self.starts.contains(&start);
            let skip = matches!(&step.kind, StatementKind::Condition(_));
            if ours && skip {
                self.found.insert(start);
            }
            !(ours && skip)
        });
        sequence.steps.iter_mut().for_each(|step| self.statement(step));
    }

    fn statement(&mut self, statement: &mut Statement) {
        use StatementKind::*;
        match &mut statement.kind {
            Label(_, Some(inner)) => self.statement(inner),
            Unless(main, escape) => {
                self.statement(main);
                self.statement(escape);
            }
            If(options) | Do(options) => options.iter_mut().for_each(|o| self.sequence(o)),
            ForRange(_, _, _, body) | ForIn(_, _, body) => self.sequence(body),
            Atomic(body) | DStep(body) | Block(body) | Locked(body) => self.sequence(body),
            Call(self::Call { body, .. }) => self.sequence(body),
            _ => {}
        }
    }
}

/// Puts `skip` at every point, takes it out of the tree again, and compares the trees.
fn is_the_same_model(name: &str, read: &Read, files: &mut dyn Files) -> String {
    let (text, starts) = read.filled(NOTHING);
    let filled = common::read_with(name, &text, files);
    let filled = filled.unwrap_or_else(|said| panic!("{said}\n{text}"));
    let starts: HashSet<usize> = starts.into_iter().collect();
    let mut without = Without { starts: &starts, found: HashSet::new() };
    let bare = without.model(filled.model);
    assert_eq!(without.found, starts, "{name}\n{text}");
    let nothing = HashSet::new();
    let mut original = Without { starts: &nothing, found: HashSet::new() };
    assert_eq!(bare, original.model(read.parsed.model.clone()), "{name}\n{text}");
    text
}

/// Makes every store atomic, and reads it back.
fn is_read_with_atomic_writes(name: &str, read: &Read, files: &mut dyn Files) {
    let edits: Vec<_> = read.places.writes.iter().flat_map(|w| w.edits.clone()).collect();
    let points = read.places.points.iter().map(|p| Replacement::from(p.insert(FENCE)));
    let all: Vec<_> = edits.into_iter().chain(points).collect();
    let text = Replacement::apply(&read.map, MAIN, &all);
    let original = common::lower_with(name, read.map.file(MAIN).text(), &[], files);
    let result = common::lower_with(name, &text, &[], files);
    if let (Ok(_), Err(said)) = (original, result) {
        panic!("{said}\n{text}");
    }
}

/// All models of `examples/`.
fn examples() -> Vec<(String, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let models = common::models(&folder).into_iter();
    models.map(|p| (p.display().to_string(), std::fs::read_to_string(&p).unwrap())).collect()
}

#[test]
fn the_examples_stay_the_same_with_a_step_at_every_point() {
    let all = examples();
    assert!(all.len() > 20);
    for (name, text) in &all {
        let read = read_with(name, text, &mut common::native()).expect("a model");
        is_the_same_model(name, &read, &mut common::native());
        is_read_with_atomic_writes(name, &read, &mut common::native());
        for point in &read.places.points {
            let text = Insertion::apply(&read.map, MAIN, &[point.insert(NOTHING)]);
            if let Err(said) = common::read_with(name, &text, &mut common::native()) {
                panic!("{}: {said}\n{text}", point.words);
            }
        }
    }
}

#[test]
fn every_fence_in_the_examples_is_a_step_where_it_was_put() {
    for (name, text) in examples() {
        let read = read_with(&name, &text, &mut common::native()).expect("a model");
        let lower = |text: &str| {
            let lowered = common::lower_with(&name, text, &[], &mut common::native());
            lowered.unwrap_or_else(|said| panic!("{said}\n{text}")).program
        };
        let old = lower(&text);
        let fence = |s: &Step| s.mode == Mode::Fence;
        let (new, put) = read.filled(FENCE);
        let found = starts(&lower(&new), fence);
        assert_eq!(found.len(), starts(&old, fence).len() + put.len(), "{name}\n{new}");
        assert!(put.iter().all(|start| found.contains(start)), "{name}\n{new}");
        let store_fence = |s: &Step| s.effects.contains(&Effect::StoreFence);
        let (new, put) = read.filled(STORE_FENCE);
        let found = starts(&lower(&new), store_fence);
        assert!(put.iter().all(|start| found.contains(start)), "{name}\n{new}");
        for write in &read.places.writes {
            assert!(has_step(&old, &write.steps), "{name}: {}", write.variable);
        }
    }
}

#[test]
fn random_models_stay_the_same_with_a_step_at_every_point() {
    common::need_spin();
    let mut accepted = 0;
    let (mut models, mut points, mut writes) = (0, 0, 0);
    for seed in 0..200 {
        let text = generate(seed).text();
        let Some(read) = read_with("m.pml", &text, &mut Headers::none()) else { continue };
        let new = is_the_same_model("m.pml", &read, &mut Headers::none());
        is_read_with_atomic_writes("m.pml", &read, &mut Headers::none());
        // SPIN sees the same ends of statements as Taut.
        if seed < 20 && common::spin_refuses(&text).is_none() {
            assert_eq!(common::spin_refuses(&new), None, "{new}");
            accepted += 1;
        }
        models += 1;
        points += read.places.points.len();
        writes += read.places.writes.len();
    }
    assert!(models > 150 && points > 2_000 && writes > 150, "{models} {points} {writes}");
    assert!(accepted >= 15, "SPIN accepts only {accepted} of 20 models");
}

/// Models of other people, with macros of all sorts, where the corpus is there.
#[test]
fn the_corpus_stays_the_same_with_a_step_at_every_point() {
    let Some(folder) = taut_testkit::corpus::find("points of the models of the corpus") else {
        return;
    };
    let mut points = 0;
    for path in common::models(&folder.join("promela")) {
        let name = path.display().to_string();
        let Ok(text) = std::fs::read_to_string(&path) else { continue };
        let Some(read) = read_with(&name, &text, &mut common::native()) else { continue };
        is_the_same_model(&name, &read, &mut common::native());
        points += read.places.points.len();
    }
    assert!(points > 1_000, "{points}");
}
