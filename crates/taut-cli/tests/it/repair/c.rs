//! Repairs of C texts in every shape that people write: each patch applies, compiles without a new warning, is read again
//! and proven.

use std::process::Command;

use super::Folder;
use crate::command::{code, shown, stdout};

/// Store buffering between two threads: what stands before the functions, and the bodies of both.
pub struct Shape<'s> {
    pub before: &'s str,
    pub left: &'s str,
    pub right: &'s str,
}

impl Shape<'_> {
    pub fn text(&self) -> String {
        let Shape { before, left, right } = self;
        format!(
            "#include <pthread.h>
#include <assert.h>
{before}
int a, b;
static void *p(void *arg) {{
{left}
  return arg;
}}
static void *q(void *arg) {{
{right}
  return arg;
}}
int main(void) {{
  pthread_t t, u;
  pthread_create(&t, 0, p, 0);
  pthread_create(&u, 0, q, 0);
  pthread_join(t, 0);
  pthread_join(u, 0);
  assert(a || b);
  return 0;
}}
"
        )
    }
}

/// What gcc says about a file; nothing if there is no gcc.
pub fn warnings(folder: &Folder, file: &str) -> String {
    let mut gcc = Command::new("gcc");
    gcc.args(["-std=c11", "-Wall", "-Wextra", "-pthread", "-fsyntax-only"]);
    let Ok(output) = gcc.arg(folder.path.join(file)).output() else { return String::new() };
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// Repairs a text by a patch; the text after it.
fn patched(name: &str, text: &str, args: &[&str]) -> String {
    let folder = Folder::new(&format!("c-{name}"));
    folder.write("lock.c", text);
    let said = warnings(&folder, "lock.c");
    folder.repair_and_patch("lock.c", &[&["--model", "tso"], args].concat());
    folder.holds("lock.c", &["--model", "tso"]);
    assert_eq!(warnings(&folder, "lock.c"), said, "{}", folder.read("lock.c"));
    folder.read("lock.c")
}

const ATOMIC: &str = "#include <stdatomic.h>\natomic_int x, y; int c = 1;";
const VOLATILE: &str = "volatile int x, y;";

#[track_caller]
fn shape(name: &str, before: &str, left: &str, right: &str, expected: &[&str]) {
    let text = patched(name, &Shape { before, left, right }.text(), &[]);
    for line in expected {
        assert!(text.contains(line), "{name}: no\n{line}\nin\n{text}");
    }
}

const LOAD_Y: &str = "  a = atomic_load(&y);";
const LOAD_X: &str = "  b = atomic_load(&x);";
const FENCE: &str = "atomic_thread_fence(memory_order_seq_cst);";

#[test]
fn bodies_without_braces_get_them() {
    let left = format!("  if (c) atomic_store_explicit(&x, 1, memory_order_relaxed);\n{LOAD_Y}");
    let right = format!(
        "  if (c)\n    atomic_store_explicit(&y, 1, memory_order_relaxed);\n  else\n    c = 0;\n{LOAD_X}"
    );
    let expected = [
        format!("  if (c) {{ atomic_store_explicit(&x, 1, memory_order_relaxed); {FENCE} }}\n"),
        format!("memory_order_relaxed);\n    {FENCE}\n  }}\n  else\n"),
    ];
    let texts: Vec<&str> = expected.iter().map(String::as_str).collect();
    // A place behind the whole `if` costs as much and stands further from the store.
    shape("bare", ATOMIC, &left, &right, &texts);
}

#[test]
fn a_fence_stands_beside_its_statement_and_before_no_comment() {
    let left = format!(
        "  atomic_store_explicit(&x, 1, memory_order_relaxed); // raise the flag\n{LOAD_Y}"
    );
    let right = "  atomic_store_explicit(&y, 1, memory_order_relaxed); b = atomic_load(&x);";
    let expected = [
        format!("// raise the flag\n  {FENCE}\n  a ="),
        format!("memory_order_relaxed); {FENCE} b ="),
    ];
    let texts: Vec<&str> = expected.iter().map(String::as_str).collect();
    shape("comment", ATOMIC, &left, right, &texts);
}

#[test]
fn heads_of_loops_macros_and_labels_are_fixed_behind_them() {
    let set = "volatile int x, y;\n#define SET(v) do { v = 1; } while (0)";
    shape("macro", set, "  SET(x);\n  a = y;", "  SET(y);\n  b = x;", &["SET(x);\n  __atomic"]);
    let head = "  while (!(x = 1)) ;\n  a = y;";
    shape("head", VOLATILE, head, "  do y = 1; while (0);\n  b = x;", &["SEQ_CST);\n  a = y;"]);
    let again = "again: y = 1;\n  b = x;\n  if (b > 5) goto again;";
    shape("label", VOLATILE, "  goto l;\nl: x = 1;\n  a = y;", again, &["l: x = 1;\n"]);
    let case = "  switch (c) { case 1: x = 1; a = y; break; default: break; }";
    let plain = "volatile int x, y; int c = 1;";
    shape("case", plain, case, "  y = 1; const int v = x; b = v;", &["case 1: x = 1; __atomic"]);
    let returned = "volatile int x, y;\nstatic int setx(void) { return x = 1; }";
    shape(
        "return",
        returned,
        "  setx();\n  a = y;",
        "  y = 1;\n  b = x;",
        &["setx();\n  __atomic"],
    );
}

#[test]
fn a_function_that_both_threads_call_is_changed_once() {
    let before = "#include <stdatomic.h>\natomic_int x, y;
static int enter(atomic_int *mine, atomic_int *other) {
  atomic_store_explicit(mine, 1, memory_order_relaxed);
  return atomic_load(other);
}";
    let text = Shape { before, left: "  a = enter(&x, &y);", right: "  b = enter(&y, &x);" };
    let text = patched("function", &text.text(), &[]);
    assert_eq!(text.matches(FENCE).count(), 1, "{text}");
}

/// The fence that a file uses is the one that it gets.
#[test]
fn fences_are_those_that_the_file_uses() {
    let fences = [
        ("sync", "", "__sync_synchronize();"),
        ("builtin", "", "__atomic_thread_fence(__ATOMIC_SEQ_CST);"),
        ("mm", "#include <emmintrin.h>\n", "_mm_mfence();"),
        ("asm", "", "__asm__ volatile(\"mfence\" ::: \"memory\");"),
        ("lock", "", "__asm__ volatile(\"lock; addl $0, 0(%%rsp)\" ::: \"memory\", \"cc\");"),
        ("macro", "#define smp_mb() __sync_synchronize()\n", "smp_mb();"),
        ("inline", "static inline void mb(void) { __sync_synchronize(); }\n", "mb();"),
        ("c11", "#include <stdatomic.h>\n", FENCE),
    ];
    for (name, head, fence) in fences {
        let before = format!("{head}volatile int x, y;");
        let left = format!("  x = 1;\n  {fence}\n  a = y;");
        let text = Shape { before: &before, left: &left, right: "  y = 1;\n  b = x;" }.text();
        let text = patched(name, &text, &[]);
        assert!(text.contains(&format!("  y = 1;\n  {fence}\n  b = x;")), "{text}");
    }
}

/// A fence that is defined behind the place that needs one cannot be used there.
#[test]
fn a_fence_that_is_defined_later_is_not_used() {
    let text = Shape { before: VOLATILE, left: "  x = 1;\n  a = y;", right: "  y = 1;\n  b = x;" }
        .text()
        .replace("static void *q", "#define mb() __sync_synchronize()\nstatic void *q")
        .replace("  b = x;", "  b = x;\n  mb();");
    let text = patched("later", &text, &[]);
    assert_eq!(text.matches("__atomic_thread_fence").count(), 2, "{text}");
}

#[test]
fn orders_are_made_stronger_wherever_the_store_stands() {
    let before =
        "#include <stdatomic.h>\natomic_int x, y; int z, i;\n#define WEAK memory_order_relaxed";
    let left = "  for (atomic_store_explicit(&x, 1, WEAK); (a = atomic_load(&y)), 0; ) ;";
    let right = "  for (i = 0; i < 1; i++, __atomic_store_n(&y, 1, __ATOMIC_RELAXED)) ;\n  b = x;";
    let text = Shape { before, left, right }.text();
    for word in ["orders", "atomics"] {
        let text = patched(&format!("order-{word}"), &text, &["--with", word]);
        assert!(text.contains("atomic_store_explicit(&x, 1, memory_order_seq_cst); (a"), "{text}");
        assert!(text.contains("__atomic_store_n(&y, 1, __ATOMIC_SEQ_CST))"), "{text}");
    }
    // Of two stores in one statement the right one is changed.
    let two = "  atomic_store_explicit(&x, 1, WEAK), __atomic_store_n(&z, 1, __ATOMIC_RELAXED);\n  a = y;";
    let text = Shape { before, left: two, right: "  atomic_store(&y, 1);\n  b = x;" }.text();
    let text = patched("order-two", &text, &["--with", "orders"]);
    let changed = ["memory_order_seq_cst", "__ATOMIC_SEQ_CST"].map(|w| text.matches(w).count());
    assert_eq!(changed.iter().sum::<usize>(), 1, "{text}");
}

/// Threads that are created in a loop: the number of threads is part of the program's steps.
#[test]
fn three_and_four_threads_from_a_loop_are_fixed() {
    for number in ["3", "4"] {
        let text = THREADS.replace("COUNT", number);
        let fixed = patched(&format!("threads-{number}"), &text, &[]);
        let fence = format!("memory_order_release);\n  {FENCE}\n");
        assert!(fixed.contains(&fence), "{fixed}");
        let fixed = patched(&format!("threads-orders-{number}"), &text, &["--with", "orders"]);
        assert!(fixed.contains("&want[me], 1, memory_order_seq_cst"), "{fixed}");
    }
}

const THREADS: &str = "#include <pthread.h>
#include <assert.h>
#include <stdatomic.h>
#define N COUNT
atomic_int want[N];
atomic_int inside;
static void *enter(void *arg) {
  int me = (int)(long)arg, n = 0;
  atomic_store_explicit(&want[me], 1, memory_order_release);
  for (int i = 0; i < N; i++)
    if (i != me) n += atomic_load_explicit(&want[i], memory_order_acquire);
  if (n == 0) {
    int k = atomic_fetch_add(&inside, 1);
    assert(k == 0);
    atomic_fetch_sub(&inside, 1);
  }
  return 0;
}
int main(void) {
  pthread_t t[N];
  for (long i = 0; i < N; i++) pthread_create(&t[i], 0, enter, (void *)i);
  for (int i = 0; i < N; i++) pthread_join(t[i], 0);
  return 0;
}
";

/// What has no place for a fence is said, with the line.
#[test]
fn what_cannot_be_fixed_is_named() {
    let left = "  a = (x = 1, y);";
    let text = Shape { before: VOLATILE, left, right: "  y = 1;\n  b = x;" }.text();
    let folder = Folder::new("c-inside");
    folder.write("lock.c", &text);
    let output = folder.taut(&["repair", "lock.c", "--model", "tso"]);
    assert_eq!(code(&output), 1, "{}", shown(&output));
    assert!(stdout(&output).contains("fixes it under TSO"), "{}", shown(&output));
}
