//! `taut repair --relax` as a user types it: of a program that is right, what is not needed is taken out, and nothing else.

use serde_json::Value;
use taut_testkit::suite::root;

use super::c::{Shape, warnings};
use super::{Folder, array};
use crate::command::{code, objects, shown, stderr, stdout};

/// Weakens a file by a patch, which applies; the result holds and compiles as the file did.
fn relaxed(folder: &Folder, file: &str, model: &str) -> (String, Value) {
    let said = warnings(folder, file);
    let args = ["repair", file, "--relax", "--model", model, "--format", "json"];
    let output = folder.taut(&args);
    assert_eq!(code(&output), 0, "{file}: {}", shown(&output));
    let report = objects(&output).remove(0);
    folder.repair_and_patch(file, &["--relax", "--model", model]);
    folder.holds(file, &["--model", model]);
    if file.ends_with(".c") {
        assert_eq!(warnings(folder, file), said, "{}", folder.read(file));
    }
    (folder.read(file), report)
}

/// An example in which every order is the strongest.
fn strongest(example: &str) -> String {
    let path = root().join(format!("examples/c/{example}.c"));
    let mut text = std::fs::read_to_string(path).expect("an example");
    for order in ["relaxed", "consume", "acquire", "release", "acq_rel"] {
        text = text.replace(&format!("memory_order_{order}"), "memory_order_seq_cst");
    }
    text
}

/// Number of stores and fences of a text that are sequentially consistent.
fn strong(text: &str) -> usize {
    let code = text.lines().filter(|line| !line.trim_start().starts_with("//"));
    let is_strong = |line: &&str| {
        line.contains("seq_cst") && (line.contains("atomic_store") || line.contains("_fence"))
    };
    code.filter(is_strong).count()
}

/// Locks and data structures with the strongest orders everywhere: how many of their fences and stores must stay.
#[test]
fn examples_keep_what_they_need_and_nothing_else() {
    for (example, tso, pso) in [
        ("peterson_fenced", 1, 1),
        ("dekker_fenced", 1, 1),
        ("chase_lev_fenced", 1, 1),
        ("spsc_ring", 0, 0),
        ("seqlock", 0, 0),
        ("mcs_lock", 0, 0),
        ("message_passing_fenced", 0, 0),
        ("store_buffering_fenced", 2, 2),
    ] {
        for (model, expected) in [("tso", tso), ("pso", pso)] {
            let folder = Folder::new(&format!("relax-{example}-{model}"));
            folder.write("lock.c", &strongest(example));
            let (text, report) = relaxed(&folder, "lock.c", model);
            assert_eq!(report["outcome"], "weakened", "{example}");
            assert!(!array(&report["weakened"]).is_empty(), "{example} {model}");
            assert_eq!(strong(&text), expected, "{example} under {model}\n{text}");
            // Nothing of what stays can be weaker: a second time nothing changes.
            let again = folder.repair("lock.c", &["--relax", "--model", model]);
            assert_eq!(again["weakened"].as_array().map_or(0, Vec::len), 0, "{example} {model}");
        }
    }
}

#[test]
fn fences_of_taut_programs_are_taken_out() {
    for (file, model, number) in
        [("peterson_tso", "tso", 1), ("dekker_tso", "tso", 1), ("sb_tso", "tso", 2)]
    {
        let text = std::fs::read_to_string(root().join(format!("examples/{file}.taut")));
        let text = text.expect("an example").replace(":= 1;", ":= 1;\n  fence;");
        let folder = Folder::new(&format!("relax-{file}"));
        folder.write("lock.taut", &text);
        let (after, report) = relaxed(&folder, "lock.taut", model);
        assert_eq!(after.matches("fence;").count(), number, "{after}");
        assert_eq!(report["cost"].as_u64().map(|cost| cost > 0), Some(true));
    }
}

/// Every spelling of a fence and of a store, wherever it stands.
#[test]
fn every_spelling_can_be_weaker() {
    let before = "#include <stdatomic.h>
atomic_int x, y, z; atomic_flag f = ATOMIC_FLAG_INIT; int i, one = 1;
struct node { _Atomic(struct node *) next; } n, *p_n = &n;
#define mb() __sync_synchronize()
static inline void set(atomic_int *p, int v) { atomic_store(p, v); }";
    let left = "  x = 1; mb();
  atomic_store(&z, 1); // a comment
  if (one) mb();
  if (one) x = 2; else mb();
  switch (one) { case 1: mb(); break; default: z = 3; }
  for (i = 0; i < 1; i++, z = 2) ;
  p_n->next = &n;
  *&z = (one == 1) ? 2 : 1;
  atomic_flag_clear(&f);
  __atomic_store_n(&z, 4, __ATOMIC_SEQ_CST);
  set(&z, 5);
  mb(); mb();
  atomic_thread_fence(memory_order_seq_cst);
  __asm__ volatile(\"mfence\" ::: \"memory\");
  a = 1;";
    let text = Shape { before, left, right: "  set(&y, 1);\n  b = atomic_load(&x);" }.text();
    let folder = Folder::new("relax-spellings");
    folder.write("lock.c", &text);
    let (after, report) = relaxed(&folder, "lock.c", "all");
    for expected in [
        "  atomic_store_explicit(&x, 1, memory_order_release);\n",
        "  atomic_store_explicit(&z, 1, memory_order_release); // a comment\n  if (one) {}\n",
        "  if (one) atomic_store_explicit(&x, 2, memory_order_release); else {}\n",
        "case 1: ; break; default: atomic_store_explicit(&z, 3, memory_order_release); }\n",
        "i++, atomic_store_explicit(&z, 2, memory_order_release)) ;\n",
        "  atomic_store_explicit(&p_n->next, &n, memory_order_release);\n",
        "  atomic_store_explicit(&*&z, (one == 1) ? 2 : 1, memory_order_release);\n",
        "  atomic_flag_clear_explicit(&f, memory_order_release);\n",
        "  __atomic_store_n(&z, 4, __ATOMIC_RELEASE);\n",
        "{ atomic_store_explicit(p, v, memory_order_release); }\n",
    ] {
        assert!(after.contains(expected), "no\n{expected}\nin\n{after}");
    }
    assert_eq!(after.matches("mb();").count(), 0, "{after}");
    assert_eq!(after.matches("fence").count(), 0, "{after}");
    assert_eq!(report["cost"], 0, "{after}");
}

#[test]
fn what_has_no_weaker_text_is_named_and_stays() {
    let before = "#include <stdatomic.h>
atomic_int x, y;
#define SET(v) atomic_store(&v, 1)";
    let text = Shape { before, left: "  SET(x);\n  a = y = 1;", right: "  b = 1;" }.text();
    let folder = Folder::new("relax-kept");
    folder.write("lock.c", &text);
    let output = folder.taut(&["repair", "lock.c", "--relax"]);
    assert_eq!(code(&output), 0, "{}", shown(&output));
    let said = stdout(&output);
    assert!(said.contains("lock.c:8 stays as it is: a macro makes it"), "{said}");
    assert!(said.contains("lock.c:9 stays as it is: its value is used"), "{said}");
    assert!(said.contains("nothing to weaken"), "{said}");
}

#[test]
fn a_program_that_is_wrong_is_to_be_fixed_first() {
    let (folder, file) = Folder::with_copy("relax-wrong", "examples/c/peterson.c");
    let output = folder.taut(&["repair", &file, "--relax", "--model", "tso"]);
    assert_eq!(code(&output), 1);
    let advice = "violated under TSO as it is; fix it first: `taut repair peterson.c --model tso`";
    assert!(stdout(&output).contains(advice), "{}", shown(&output));
    let output = folder.taut(&["repair", &file, "--relax", "--model", "all", "--format", "json"]);
    let report = objects(&output).remove(0);
    assert_eq!((&report["outcome"], &report["models"][0]), (&"wrong".into(), &"sc".into()));
}

#[test]
fn what_cannot_be_asked_is_refused() {
    let (folder, file) = Folder::with_copy("relax-refused", "examples/c/peterson_fenced.c");
    for (args, words) in [
        (&["--model", "sc"][..], "under sequential consistency no order and no fence"),
        (&["--strategy", "greedy"], "takes nothing out"),
    ] {
        let output = folder.taut(&[&["repair", &file, "--relax"], args].concat());
        assert_eq!(code(&output), 3, "{}", shown(&output));
        assert!(stderr(&output).contains(words), "{}", shown(&output));
    }
    let (folder, file) = Folder::with_copy("relax-promela", "examples/peterson.pml");
    let output = folder.taut(&["repair", &file, "--relax"]);
    assert_eq!(code(&output), 3);
    assert!(stderr(&output).contains("`--relax` reads C and Taut programs"), "{}", shown(&output));
}

/// One change for all models: a program that only PSO breaks is fixed for TSO as well.
#[test]
fn one_repair_for_all_models() {
    let (folder, file) = Folder::with_copy("all-models", "examples/c/spsc_ring_relaxed.c");
    let report = folder.repair(&file, &["--model", "all"]);
    assert_eq!(report["outcome"], "fixed");
    assert_eq!(array(&report["checks"]).len(), 3);
    folder.repair_and_patch(&file, &["--model", "all"]);
    folder.holds(&file, &[]);
}
