//! Which of several cheapest sets is chosen: outside of loops, outside of spin loops, right after the store.

use crate::command::{code, shown, stdout};

use super::{Folder, array, places};

/// The lines of the places of the sets that a repair under TSO lists, the best set first.
fn lines(name: &str, file: &str, text: &str, args: &[&str]) -> Vec<Vec<u64>> {
    let folder = Folder::new(name);
    folder.write(file, text);
    let report = folder.repair(file, &[&["--model", "tso", "--all"], args].concat());
    let of_set = |set| places(set).into_iter().map(|(line, _)| line).collect();
    array(&report["sets"]).iter().map(of_set).collect()
}

/// Store buffering in which `p` waits for `go` in a spin loop between its store and its load. A fence helps in line 4,
/// before the loop; in lines 5 and 6, inside of it, since the loop is entered once at least; in line 7, on the way out, and behind it.
const SPINNING: &str = "\
shared bool x, y, go; ghost 0..2 a = 2; ghost 0..2 b = 2;
process p begin
  local bool r;
  x := 1;
  loop {
    r := go;
    if (r == 1) { break; }
  }
  a := y;
end
process q begin
  y := 1; fence;
  b := x;
end
process starter begin go := 1; end
forbid both: a == 0 && b == 0;
";

#[test]
fn a_fence_stands_before_a_spin_loop_and_not_inside_of_it() {
    let sets = lines("spin", "spin.taut", SPINNING, &["--cost", "loop=1"]);
    let inside = |set: &Vec<u64>| (5..7).contains(&set[0]);
    let first_inside = sets.iter().position(inside).expect("a fence inside helps, too");
    assert_eq!(sets[0], [4], "right after the store: {sets:?}");
    assert!(first_inside > 1, "behind the loop comes next: {sets:?}");
    let sets = lines("spin-cost", "spin.taut", SPINNING, &[]);
    assert!(!sets.iter().any(inside), "inside it costs more: {sets:?}");
}

/// The same in Promela, whose loop is a `do` with a `break`.
const SPINNING_PROMELA: &str = "\
#include \"taut.h\"
bool x, y, go; ghost byte a = 2; ghost byte b = 2;
active proctype p() {
  x = 1;
  do
  :: go -> break
  :: else -> skip
  od;
  a = y
}
active proctype q() {
  y = 1; FENCE();
  b = x
}
active proctype starter() { go = 1 }
active proctype watcher() { end: atomic { a == 0 && b == 0 -> assert(false) } }
";

#[test]
fn a_fence_stands_before_a_spin_loop_in_promela_as_well() {
    let sets = lines("spin-promela", "spin.pml", SPINNING_PROMELA, &["--cost", "loop=1"]);
    assert_eq!(sets[0], [4], "{sets:?}");
    assert!(sets.len() > 1, "{sets:?}");
}

/// `p` asks three times, and each time whoever asks must be seen. One fence in the loop, in line 7, does what two
/// in front of the loop and behind it cannot.
#[test]
fn what_only_helps_inside_of_a_loop_is_put_there_and_costs_more() {
    let text = "\
shared bool x[3], y; ghost 0..2 a[3] = 2; ghost 0..2 b[3] = 2;
process p begin
  local 0..3 n;
  n := 0;
  while (n < 3) {
    x[n] := 1;
    a[n] := y;
    n := n + 1;
  }
end
process q begin
  y := 1; fence;
  b[0] := x[0]; b[1] := x[1]; b[2] := x[2];
end
forbid both: (a[0] == 0 && b[0] == 0) || (a[1] == 0 && b[1] == 0) || (a[2] == 0 && b[2] == 0);
";
    let folder = Folder::new("inside");
    folder.write("inside.taut", text);
    let report = folder.repair("inside.taut", &["--model", "tso"]);
    let place = &report["places"][0];
    assert_eq!((&report["cost"], &place["cost"]), (&6.into(), &6.into()), "{report}");
    assert_eq!((&place["loops"], &place["line"]), (&1.into(), &6.into()), "{report}");
    let report = folder.repair("inside.taut", &["--model", "tso", "--cost", "fence=2,loop=10"]);
    assert_eq!(report["cost"], 20, "{report}");
    let report = folder.repair("inside.taut", &["--model", "tso", "--cost", "loop=1"]);
    assert_eq!(report["cost"], 3, "{report}");
}

/// Everything is in the endless loop of a process: that is no loop by which a fence could be dearer.
#[test]
fn the_main_loop_of_a_process_does_not_count() {
    let (folder, file) = Folder::with_copy("main-loop", "examples/peterson.taut");
    let report = folder.repair(&file, &["--model", "tso", "--cost", "loop=1000"]);
    assert_eq!(
        (&report["cost"], &report["places"][0]["loops"]),
        (&3.into(), &0.into()),
        "{report}"
    );
}

/// `p` sends twenty messages that nobody reads, and then asks. A fence behind the loop is enough, and so is one in
/// the loop, since the last message comes after the store.
#[test]
fn a_fence_stands_behind_a_loop_and_not_in_it() {
    let text = "\
shared bool x, y; shared 0..3 z; ghost 0..2 a = 2; ghost 0..2 b = 2;
process p begin
  local 0..3 n;
  n := 0;
  while (n < 3) {
    x := 1;
    n := n + 1;
  }
  a := y;
end
process q begin
  y := 1; fence;
  b := x;
end
forbid both: a == 0 && b == 0;
";
    let sets = lines("behind", "behind.taut", text, &[]);
    assert_eq!(sets[0], [8], "{sets:?}");
    let sets = lines("behind-flat", "behind.taut", text, &["--cost", "loop=1"]);
    assert_eq!(sets[0], [8], "{sets:?}");
    assert!(sets.len() > 1, "{sets:?}");
}

#[test]
fn the_choice_is_the_same_whatever_the_threads_and_the_order_of_searches() {
    let (folder, file) = Folder::with_copy("same", "examples/bakery.taut");
    let of = |jobs: &str| {
        let output = folder.taut(&["repair", &file, "--model", "tso", "--diff", "-j", jobs]);
        assert_eq!(code(&output), 0, "{}", shown(&output));
        stdout(&output)
    };
    let first = of("1");
    assert!(first.contains("number[i] := mine;\n+    fence;\n"), "after the store itself: {first}");
    for jobs in ["1", "2", "2", "4"] {
        assert_eq!(of(jobs), first);
    }
}
