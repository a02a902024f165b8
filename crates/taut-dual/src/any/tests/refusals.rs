//! What is refused, with the place.

use taut_ir::{MemoryModel, Program};
use taut_lang::Options;
use taut_source::{SourceMap, Span};

use crate::any::supports;

/// The refusal of a program, and the text that it points to.
fn refusal(text: &str, model: MemoryModel) -> Option<(String, String)> {
    let mut map = SourceMap::new();
    let file = map.add("p.taut", text);
    let program: Program =
        taut_lang::parse(&map, file, &Options::default()).unwrap_or_else(|e| panic!("{e:?}"));
    let why = supports(&program, model).err()?;
    assert!(why.code.is_some() && why.help.is_some() && why.span != Span::NONE, "{why:?}");
    Some((why.message, map.text(why.span).into()))
}

#[test]
fn processes_must_be_alike() {
    for (statement, place) in [
        ("x := i;", "x := i"),
        ("if (i == 0) { x := 1; }", "i == 0"),
        ("a[i] := 1;", "a[i] := 1"),
        ("x := i % 2;", "x := i % 2"),
    ] {
        let text = format!("shared int x; shared bool a[4]; process p[*](i) begin {statement} end");
        let (message, at) = refusal(&text, MemoryModel::Tso).expect("a refusal");
        assert!(message.contains("depends on its number"), "{statement}: {message}");
        assert!(at.contains(place), "{statement}: `{at}`");
    }
    let property = "shared bool x; process p[*](i) begin x := 1; end forbid f: p[0]:i == 1;";
    assert!(refusal(property, MemoryModel::Sc).is_some_and(|(m, _)| m.contains("property")));
}

#[test]
fn what_has_no_answer_for_every_number_is_refused() {
    let plain = "shared bool x; process p[*](i) begin x := 1; end";
    assert_eq!(refusal(plain, MemoryModel::Tso), None);
    assert!(refusal(plain, MemoryModel::Pso).is_some_and(|(m, _)| m.contains("pso")));
    let runs = format!("{plain} ltl l: <> (x == 1);");
    assert!(refusal(&runs, MemoryModel::Sc).is_some_and(|(m, _)| m.contains("runs")));
    let ghost = "ghost 0..9 g; shared bool x; process p[*] begin g := g + 1; x := 1; end";
    assert!(refusal(ghost, MemoryModel::Tso).is_some_and(|(_, at)| at.contains('g')));
    // Under SC a ghost is a variable like any other; and so is one that only locked steps use.
    assert_eq!(refusal(ghost, MemoryModel::Sc), None);
    let locked = "ghost bool g; shared bool x; process p[*] begin locked { g := 1; x := 1; } end";
    assert_eq!(refusal(locked, MemoryModel::Tso), None);
}
