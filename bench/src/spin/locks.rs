//! Locks for any number of processes, with the fences that TSO needs, in the Taut language.
//!
//! Every look at another process is a step of its own, as in the machine; who waits for several looks at one after
//! the other.

use std::fmt::Write;

/// A lock: its name and its text for a number of processes.
pub struct Lock {
    pub name: &'static str,
    pub text: fn(u32) -> String,
}

pub const LOCKS: [Lock; 3] = [
    Lock { name: "peterson filter", text: filter },
    Lock { name: "bakery", text: bakery },
    Lock { name: "szymanski", text: szymanski },
];

/// That no two processes are at `cs` at once.
fn mutex(processes: u32) -> String {
    let pairs = (0..processes).flat_map(|a| (a + 1..processes).map(move |b| (a, b)));
    let pairs: Vec<_> = pairs.map(|(a, b)| format!("p[{a}]@cs && p[{b}]@cs")).collect();
    format!("forbid mutex: {};\n", pairs.join(" || "))
}

fn with(processes: u32, text: &str) -> String {
    let mut program = format!("const N = {processes};\n");
    let _ = write!(program, "{}\n{}", text.trim(), mutex(processes));
    program
}

/// Peterson's filter: N - 1 waiting rooms, each of which holds one back.
fn filter(processes: u32) -> String {
    with(
        processes,
        "
shared 0..N - 1 level[N] = 0;
shared 0..N - 1 victim[N] = 0;
process p[N](i) begin
  local 1..N l;
  local 0..N j;
  loop {
    l := 1;
    while (l < N) {
      level[i] := l;
      victim[l] := i;
      fence;
      j := 0;
      while (j < N) {
        await(j == i || level[j] < l || victim[l] != i);
        j := j + 1;
      }
      l := l + 1;
    }
    cs: skip;
    level[i] := 0;
  }
end",
    )
}

/// Lamport's bakery, in which nobody draws a ticket while somebody has the last one.
fn bakery(processes: u32) -> String {
    with(
        processes,
        "
shared bool choosing[N] = 0;
shared 0..N number[N] = 0;
process p[N](i) begin
  local 0..N j;
  local 0..N seen;
  local 0..N mine;
  loop {
    enter: choosing[i] := 1;
    fence;
    j := 0;
    mine := 0;
    while (j < N) {
      seen := number[j];
      if (seen > mine) { mine := seen; }
      j := j + 1;
    }
    if (mine == N) {
      choosing[i] := 0;
      goto enter;
    }
    mine := mine + 1;
    number[i] := mine;
    fence;
    choosing[i] := 0;
    j := 0;
    while (j < N) {
      await(choosing[j] == 0);
      await(number[j] == 0 || number[j] > mine || number[j] == mine && j >= i);
      j := j + 1;
    }
    cs: skip;
    number[i] := 0;
  }
end",
    )
}

/// Szymanski's lock: a waiting room that is entered together.
fn szymanski(processes: u32) -> String {
    with(
        processes,
        "
shared 0..4 flag[N] = 0;
process p[N](i) begin
  local 0..N j;
  loop {
    flag[i] := 1;
    fence;
    j := 0;
    while (j < N) { await(flag[j] < 3); j := j + 1; }
    flag[i] := 3;
    fence;
    j := 0;
    while (j < N && flag[j] != 1) { j := j + 1; }
    if (j < N) {
      flag[i] := 2;
      fence;
      j := 0;
      while (flag[j] != 4) { j := (j + 1) % N; }
    }
    flag[i] := 4;
    fence;
    j := 0;
    while (j < i) { await(flag[j] < 2); j := j + 1; }
    cs: skip;
    j := i + 1;
    while (j < N) { await(flag[j] < 2 || flag[j] == 4); j := j + 1; }
    flag[i] := 0;
  }
end",
    )
}

/// Two processes, each of which sets its own variables one by one, clears them, and looks at the other's; no
/// fences.
pub fn mailboxes(variables: u32) -> String {
    format!(
        "const V = {variables};
shared bool x[2 * V] = 0;
process p[2](i) begin
  local 0..V j;
  local bool seen;
  loop {{
    j := 0;
    while (j < V) {{ x[i * V + j] := 1; j := j + 1; }}
    j := 0;
    while (j < V) {{ seen := x[(1 - i) * V + j]; j := j + 1; }}
    j := 0;
    while (j < V) {{ x[i * V + j] := 0; j := j + 1; }}
  }}
end
"
    )
}

#[cfg(test)]
mod tests {
    use taut::load::from_text;
    use taut::{Check, MemoryModel, Verdict};

    use super::*;

    #[test]
    fn the_locks_exclude_each_other_under_tso_and_need_their_fences() {
        for Lock { name, text } in LOCKS {
            let holds = |text: &str| {
                let loaded = from_text("lock.taut", text).unwrap_or_else(|e| panic!("{name}: {e}"));
                let check = Check::of(&loaded).model(MemoryModel::Tso).bound(Some(2));
                let report = check.run().expect("a report");
                report.results.iter().all(|r| matches!(r.verdict, Verdict::Holds(_)))
            };
            assert!(holds(&text(2)), "{name}");
            assert!(!holds(&text(2).replace("fence;", "")), "{name}");
        }
    }
}
