//! Repairs of C programs.

use taut::repair::{Outcome, Repair};
use taut::{Check, MemoryModel, load};

const STORE_BUFFERING: &str = "#include <pthread.h>
#include <assert.h>
int x, y, a, b;
void *p(void *arg) {
  x = 1;
  a = y;
  return 0;
}
void *q(void *arg) {
  y = 1;
  b = x;
  return 0;
}
int main(void) {
  pthread_t t, u;
  pthread_create(&t, 0, p, 0);
  pthread_create(&u, 0, q, 0);
  pthread_join(t, 0);
  pthread_join(u, 0);
  assert(a || b);
}
";

/// The text of a program after its repair under TSO.
fn repaired(text: &str) -> String {
    let loaded = load::from_text("sb.c", text).expect("a program");
    let check = Check::of(&loaded).model(MemoryModel::Tso);
    let report = Repair::new(&loaded).run(&check).expect("a report");
    let Outcome::Repaired(fixed) = report.outcome else { panic!("two fences are enough") };
    fixed.text
}

#[test]
fn fences_are_those_that_the_file_can_use() {
    let plain = repaired(STORE_BUFFERING);
    assert_eq!(plain.matches("  __atomic_thread_fence(__ATOMIC_SEQ_CST);\n").count(), 2, "{plain}");
    let with_header = format!("#include <stdatomic.h>\n{STORE_BUFFERING}");
    let fixed = repaired(&with_header);
    let fence = "  atomic_thread_fence(memory_order_seq_cst);\n";
    assert_eq!(fixed.matches(fence).count(), 2, "{fixed}");
    assert!(fixed.contains(&format!("  x = 1;\n{fence}  a = y;\n")), "{fixed}");
}
