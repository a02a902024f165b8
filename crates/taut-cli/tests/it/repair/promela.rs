//! Promela: fences in statements, in macros and inlines, in options of loops; what is in other files is left alone.

use std::time::Duration;

use taut::promela::HEADER;
use taut_testkit::spin::Verifier;

use crate::command::{code, shown, stderr, stdout};

use super::{Folder, added_lines, array, without_line};

/// The models of `examples/` that are right under SC and not under these.
const BROKEN: [(&str, &[&str]); 12] = [
    ("peterson", &["tso", "pso"]),
    ("dekker", &["tso", "pso"]),
    ("mp", &["pso"]),
    ("spinlock", &["pso"]),
    ("two_loops", &["pso"]),
    ("linden_wolper_sb", &["tso", "pso"]),
    ("lw_dekker_single", &["tso", "pso"]),
    ("lw_dekker_repeated", &["tso", "pso"]),
    ("lw_peterson_single", &["tso", "pso"]),
    ("lw_peterson_repeated", &["tso", "pso"]),
    ("lw_forwarding", &["tso", "pso"]),
    ("mmlib_sb", &["tso", "pso"]),
];

#[test]
fn patched_models_hold_and_need_every_line() {
    for (name, models) in BROKEN {
        for model in models {
            let (folder, file) =
                Folder::with_copy(&format!("{name}-{model}"), &format!("examples/{name}.pml"));
            let diff = folder.repair_and_patch(&file, &["--model", model]);
            folder.holds(&file, &["--model", model]);
            let patched = folder.read(&file);
            let is_whole = |line: &usize| {
                let text = patched.lines().nth(line - 1).expect("a line").trim();
                ["FENCE();", "SFENCE();"].contains(&text)
            };
            let whole: Vec<_> = added_lines(&diff).into_iter().filter(is_whole).collect();
            assert!(!whole.is_empty() || name == "two_loops", "{diff}");
            for line in whole {
                folder.write("less.pml", &without_line(&patched, line));
                assert_eq!(folder.check("less.pml", &["--model", model]), 1, "{line} of {diff}");
            }
        }
    }
}

#[test]
fn spin_reads_what_comes_of_models_with_the_header() {
    for (name, model) in
        [("dekker", "tso"), ("mp", "pso"), ("spinlock", "pso"), ("two_loops", "pso")]
    {
        let (folder, file) =
            Folder::with_copy(&format!("spin-{name}"), &format!("examples/{name}.pml"));
        folder.repair_and_patch(&file, &["--model", model]);
        let text = folder.read(&file);
        assert!(text.contains("FENCE();") || text.contains("FENCE()\n"), "{text}");
        let whole = text.replace("#include \"taut.h\"", HEADER);
        let verifier = Verifier::plain(&whole).unwrap_or_else(|e| panic!("{e}\n{text}"));
        let search = verifier.search(Duration::from_secs(60)).unwrap_or_else(|e| panic!("{e}"));
        assert_eq!(search.errors, [] as [String; 0], "right under SC as it was: {text}");
    }
}

/// Store buffering: `left` and `right` each store and then read. Both must not read 0.
fn store_buffering(header: &str, left: &str, right: &str) -> String {
    format!(
        "#include \"taut.h\"\nbool x, y;\nghost byte a = 9;\nghost byte b = 9;\n{header}\n\
         active proctype p() {{\n{left}\n}}\nactive proctype q() {{\n{right}\n}}\n\
         active proctype watcher() {{ end: atomic {{ a == 0 && b == 0 -> assert(false) }} }}\n"
    )
}

/// Repairs such a model under TSO and checks what comes of it.
fn fixed(name: &str, model: &str) -> String {
    let folder = Folder::new(name);
    folder.write("model.pml", model);
    assert_eq!(folder.check("model.pml", &["--model", "sc"]), 0, "{model}");
    assert_eq!(folder.check("model.pml", &["--model", "tso"]), 1, "{model}");
    folder.repair_and_patch("model.pml", &["--model", "tso"]);
    folder.holds("model.pml", &["--model", "tso"]);
    folder.read("model.pml")
}

#[test]
fn a_fence_in_an_inline_is_put_into_its_text() {
    let text = "inline meet(mine, other, seen) { mine = 1; seen = other }";
    let text = fixed("inline", &store_buffering(text, "  meet(x, y, a)", "  meet(y, x, b)"));
    assert!(text.contains("{ mine = 1; FENCE(); seen = other }"), "one fence for both: {text}");
    assert_eq!(text.matches("FENCE()").count(), 1, "{text}");
}

#[test]
fn a_fence_stands_beside_a_macro_and_not_in_it() {
    let macros = "#define SET(v) v = 1\n#define RAISE SET(x)";
    let text = fixed("macro", &store_buffering(macros, "  RAISE;\n  a = y", "  SET(y);\n  b = x"));
    assert!(text.contains("  RAISE;\n  FENCE();\n  a = y"), "{text}");
    assert!(text.contains("  SET(y);\n  FENCE();\n  b = x"), "{text}");
    assert!(text.contains("#define SET(v) v = 1\n#define RAISE SET(x)\n"), "{text}");
}

#[test]
fn a_place_in_the_middle_of_a_macro_is_reported() {
    let folder = Folder::new("in-macro");
    let model = store_buffering("#define MEET x = 1; a = y", "  MEET", "  y = 1;\n  b = x");
    folder.write("model.pml", &model);
    let output = folder.taut(&["repair", "model.pml", "--model", "tso"]);
    assert_eq!(code(&output), 1, "{}", shown(&output));
    let text = stdout(&output);
    assert!(text.contains("fixes it under TSO"), "{text}");
    assert!(
        text.contains("note: nothing can be put at model.pml:7: it comes out of a macro"),
        "{text}"
    );
}

#[test]
fn a_fence_in_an_option_of_a_loop_stays_in_it() {
    let right = "  do\n  :: b == 9 -> y = 1; b = x\n  :: else -> break\n  od";
    let text = fixed("option", &store_buffering("", "  x = 1;\n  a = y", right));
    assert!(text.contains(":: b == 9 -> y = 1; FENCE(); b = x\n"), "{text}");
}

#[test]
fn what_an_included_file_has_is_reported_and_left_alone() {
    let folder = Folder::new("included");
    folder.write("left.inc", "inline left() { x = 1; a = y }\n");
    let model = store_buffering("#include \"left.inc\"", "  left()", "  y = 1;\n  b = x");
    folder.write("model.pml", &model);
    let output = folder.taut(&["repair", "model.pml", "--model", "tso", "--write"]);
    assert_eq!(code(&output), 1, "{}", shown(&output));
    let note = "note: nothing can be put at left.inc:1: it is in an included file\n";
    assert_eq!(stdout(&output).matches(note).count(), 1, "{}", stdout(&output));
    assert_eq!(folder.read("model.pml"), model);
    assert_eq!(folder.read("left.inc"), "inline left() { x = 1; a = y }\n");
}

#[test]
fn an_atomic_block_is_no_lock_and_no_fence_makes_it_one() {
    let (folder, file) = Folder::with_copy("atomic-lock", "examples/atomic_lock.pml");
    let output = folder.taut(&["repair", &file, "--model", "tso", "--with", "both"]);
    assert_eq!(code(&output), 1, "{}", shown(&output));
    assert!(stderr(&output).contains("warning[P0401]"), "{}", shown(&output));
    assert!(stdout(&output).contains("make it one step: `CAS(lock, 0, 1)`"), "{}", shown(&output));
    assert!(stdout(&output).contains("everything asked holds (checked)"), "{}", shown(&output));
    let json = ["repair", &file, "--model", "tso", "--with", "both", "--format", "json"];
    let report = crate::command::objects(&folder.taut(&json)).remove(0);
    assert_eq!(report["outcome"], "unrepairable");
    assert_eq!(report["check"]["results"][0]["verdict"], "violated", "{report}");
    let reasons =
        array(&report["unpatchable"]).iter().map(|u| u["why"].as_str().expect("a reason"));
    assert!(reasons.into_iter().any(|why| why.contains("`atomic`")), "{report}");
}

#[test]
fn an_mmlib_model_chooses_the_memory_model_to_be_fixed_under() {
    let (folder, file) = Folder::with_copy("mmlib", "examples/mmlib_sb.pml");
    let report = folder.repair(&file, &[]);
    assert_eq!((&report["model"], &report["cost"]), (&"tso".into(), &6.into()), "{report}");
    folder.patch(report["diff"].as_str().expect("a diff"));
    folder.holds(&file, &[]);
    assert!(folder.read(&file).contains("WRITE(x, 1);\n\tFENCE();\n"), "{}", folder.read(&file));
}
