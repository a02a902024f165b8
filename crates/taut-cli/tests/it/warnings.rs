//! Warnings that need no search: unused variables, dead code, ghosts that steer, granularity, observers.

use crate::command;

use command::{code, path, scratch, shown, stderr, taut};
use taut::diag::Diagnostics;
use taut::load;

/// The codes and messages of some warnings.
fn messages(warnings: &Diagnostics) -> Vec<(&'static str, String)> {
    warnings.sorted().into_iter().map(|d| (d.code, d.message.clone())).collect()
}

fn warnings(name: &str, text: &str) -> Vec<(&'static str, String)> {
    let loaded = load::from_text(name, text).unwrap_or_else(|error| panic!("{error}"));
    messages(&loaded.warnings)
}

fn relaxed(name: &str, text: &str) -> Vec<(&'static str, String)> {
    let loaded = load::from_text(name, text).unwrap_or_else(|error| panic!("{error}"));
    messages(&loaded.relaxed_warnings)
}

fn expected(list: &[(&'static str, &str)]) -> Vec<(&'static str, String)> {
    list.iter().map(|(code, text)| (*code, (*text).to_owned())).collect()
}

#[test]
fn unused_variables_are_named() {
    let text = "shared int a = 0, b = 0, c, d = 3;\nprocess p(i) begin\n  local int r, s;\n  b := 1;\n  r := c + d;\nend\ninstance q = p(1);\n";
    let text = text.replace("\ninstance q = p(1);\n", "\n").replace("p(i)", "p");
    let found = warnings("a.taut", &text);
    let wanted = [
        ("W0001", "`a` is never used"),
        ("W0002", "`b` is written but never read"),
        ("W0003", "`c` is read but never written"),
        ("W0002", "`r` is written but never read"),
        ("W0001", "`s` is never used"),
    ];
    assert_eq!(found, expected(&wanted));
    let text =
        "byte x, y, z;\nactive proctype p() { byte k; x = 1; y = 2; k = 3; printf(\"%d\", y) }\n";
    let wanted = [
        ("W0002", "`x` is written but never read"),
        ("W0001", "`z` is never used"),
        ("W0002", "`k` is written but never read"),
    ];
    assert_eq!(warnings("a.pml", text), expected(&wanted));
    let text = "byte x, y;\nprocess p {\n  state a, b;\n  init a;\n  trans a -> b { effect x = 1; };\n}\nsystem async;\n";
    let wanted = [("W0002", "`x` is written but never read"), ("W0001", "`y` is never used")];
    assert_eq!(warnings("a.dve", text), expected(&wanted));
}

#[test]
fn what_a_property_reads_is_used() {
    let text = "shared int x = 0;\nprocess p begin\n  local int r;\n  x := 1;\n  r := 2;\nend\nforbid f: x == 5 && p:r == 7;\n";
    assert_eq!(warnings("a.taut", text), []);
    let text = "byte x;\nactive proctype p() { x = 1 }\nltl l { [] (x < 2) }\n";
    assert_eq!(warnings("a.pml", text), []);
}

#[test]
fn code_after_an_endless_loop_is_named_with_its_place() {
    let text = "shared int x = 0;\nprocess p begin\n  while (true) { x := 1 - x; }\n  assert(x == 0);\nend\n";
    assert_eq!(warnings("a.taut", text), expected(&[("W0004", "this statement can never run")]));
    let broken = text.replace("x := 1 - x;", "x := 1 - x; break;");
    assert_eq!(warnings("a.taut", &broken), []);
    let text = "bit x;\nactive proctype p() {\n  do\n  :: x = 1 - x\n  od;\n  assert(x == 0);\n  x = 1\n}\n";
    assert_eq!(warnings("a.pml", text), expected(&[("W0004", "this statement can never run")]));
    let file = scratch("endless.pml", text);
    let output = taut(&["check", path(&file), "--model", "sc"]);
    let said = stderr(&output);
    assert!(said.contains("W0004") && said.contains("endless.pml:6:3"), "{}", shown(&output));
    let jump = text.replace(":: x = 1 - x\n", ":: x = 1 - x\n  :: break\n");
    assert_eq!(warnings("a.pml", &jump), []);
}

#[test]
fn ghosts_that_steer_are_named() {
    let steers = |body: &str| {
        let text = format!(
            "shared int x = 0, a[2];\nghost int g = 0, h = 0;\nprocess p begin\n  local int r;\n  g := 1;\n  {body}\n  assert(g == 1 && h >= 0 && r + x + a[0] >= 0);\nend\n"
        );
        let found = warnings("a.taut", &text);
        found.into_iter().filter(|(code, _)| *code == "W0005").map(|(_, m)| m).collect::<Vec<_>>()
    };
    let wanted = ["the ghost `g` steers the program"];
    assert_eq!(steers("if (g == 1) { x := 1; }"), wanted);
    assert_eq!(steers("a[g] := 1;"), wanted, "through an index");
    assert_eq!(steers("r := g + 1;"), wanted, "through a register");
    assert_eq!(steers("await(x == g);"), wanted);
    assert_eq!(steers("h := g;"), [""; 0], "ghosts may depend on ghosts");
    assert_eq!(steers("h := x;"), [""; 0], "ghosts may depend on the program");
}

#[test]
fn statements_of_several_accesses_are_named_on_relaxed_memory_only() {
    let text = "byte x, y;\nactive proctype p() { x = y; atomic { y = x }; d_step { x = y; y = 1 }; y = 1; x == 1 && y == 1; assert(x == 1) }\n";
    let wanted = [
        ("W0006", "one step here, two instructions on a processor"),
        ("W0006", "one step here, two instructions on a processor"),
    ];
    let found = relaxed("a.pml", text);
    let found: Vec<_> = found.into_iter().filter(|(code, _)| *code == "W0006").collect();
    assert_eq!(found, expected(&wanted));
    let file = scratch("granularity.pml", text);
    let under =
        |model: &str| stderr(&taut(&["check", path(&file), "--model", model, "--no-assert"]));
    assert!(!under("sc").contains("W0006"));
    let said = under("tso");
    assert!(
        said.contains("granularity.pml:2:23") && said.contains("reads `y` and writes `x`"),
        "{said}"
    );
    assert!(said.contains("--granularity access"), "{said}");
    let many: String = (0..17).map(|_| "x = y; ").collect();
    let text = format!("byte x, y;\nactive proctype p() {{ {many} y = x }}\n");
    let found = relaxed("many.pml", &text);
    assert_eq!(found.len(), 6, "{found:?}");
    assert_eq!(found[5].1, "and 13 more statements with several accesses to shared memory");
    let dve = "byte x, y;\nprocess p {\n  state a, b;\n  init a;\n  trans a -> b { guard y == 0; effect x = 1; };\n}\nsystem async;\n";
    assert_eq!(relaxed("a.dve", dve).len(), 1);
}

#[test]
fn registers_ghosts_channels_and_locked_instructions_have_no_granularity() {
    let text = "#include \"taut.h\"\nbyte x, y; ghost byte g; chan c = [1] of { byte };\n\
                active proctype p() { byte k; k = x; x = k; g = x; c ! x; c ? y; LOCKED { x = y }; CAS(x, 0, 1); x == 1 || x == 2; y == k; g = g }\n";
    assert_eq!(relaxed("a.pml", text), []);
}

#[test]
fn observers_get_a_hint_instead() {
    let text = "byte critical, x;\nactive [2] proctype p() { x = 1; critical++; assert(critical <= 1); critical = critical - 1; x = 0 }\n";
    let found = relaxed("a.pml", text);
    assert_eq!(
        found,
        expected(&[("W0007", "`critical` looks like an observer: `--ghost critical`")])
    );
    let data = text.replace("critical = critical - 1", "critical++");
    assert!(
        relaxed("a.pml", &data).iter().all(|(code, _)| *code == "W0006"),
        "an update can get lost"
    );
    let read = text.replace("x = 0 }", "x = 0; critical == 0 }");
    assert!(relaxed("a.pml", &read).iter().all(|(code, _)| *code == "W0006"), "a guard reads it");
    let file = scratch("observer.pml", text);
    for command in ["check", "repair"] {
        let output = taut(&[command, path(&file), "--model", "tso"]);
        assert!(stderr(&output).contains("W0007"), "{command}: {}", shown(&output));
    }
    let output = taut(&["check", path(&file), "--model", "tso", "--ghost", "critical"]);
    let said = stderr(&output);
    assert!(!said.contains("W0006") && !said.contains("W0007"), "{}", shown(&output));
    let text = "shared int inside = 0, x = 0;\nprocess p[2] begin\n  await(x == 0);\n  inside := inside + 1;\n  assert(inside == 1);\n  inside := inside - 1;\n  x := 1;\nend\n";
    let found = relaxed("a.taut", text);
    assert_eq!(
        found,
        expected(&[("W0007", "`inside` looks like an observer: declare it `ghost`")])
    );
}

#[test]
fn examples_have_no_static_warnings_but_those_they_deserve() {
    let folder = taut_testkit::suite::root().join("examples");
    let mut seen = 0;
    for path in taut::suite::programs(&folder).expect("programs") {
        let Ok(loaded) = load::from_path(&path, load::LoadOptions::default()) else { continue };
        let odd: Vec<_> = messages(&loaded.warnings);
        let odd: Vec<_> = odd.iter().filter(|(code, _)| code.starts_with('W')).collect();
        // Its ghost counts the items and decides when there are enough of them.
        if path.ends_with("handover.pml") {
            assert!(odd.iter().all(|(code, _)| *code == "W0005") && odd.len() == 2, "{odd:?}");
            continue;
        }
        assert!(odd.is_empty(), "{}: {odd:?}", path.display());
        seen += 1;
    }
    assert!(seen > 20, "{seen} examples");
}

#[test]
fn warnings_change_no_exit_code() {
    let file = scratch("plain.taut", "shared int a = 0;\nprocess p begin\n  skip;\nend\n");
    let output = taut(&["check", path(&file), "--model", "sc"]);
    assert_eq!(code(&output), 0, "{}", shown(&output));
    assert!(stderr(&output).contains("W0001"), "{}", shown(&output));
}
