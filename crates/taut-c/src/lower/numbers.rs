//! The numbers of threads that are known, and how their ends are recorded.
//!
//! Threads of one function for which `main` waits together are not told apart: one counter says how many have ended.
//! So they stay equal, and the search keeps one of all states that differ by their order. Other threads have a cell each.

use std::collections::{HashMap, HashSet};

use super::layout::Counts;
use super::mir::{Edge, Mir, Op, SpawnNumber, ThreadId, Value};

/// The numbers of the threads of a program.
pub(crate) struct Numbers {
    /// The number of the thread that each step starts.
    of_spawn: HashMap<u32, (ThreadId, i64)>,
    /// Thread functions whose ends are counted, with their number of threads.
    counted: HashMap<ThreadId, i64>,
}

impl Numbers {
    /// The numbers of a program whose threads have known ones.
    pub(crate) fn of(mir: &Mir, counts: &Counts) -> Numbers {
        let mut numbers = Numbers { of_spawn: HashMap::new(), counted: HashMap::new() };
        if !mir.numbered {
            return numbers;
        }
        let mut next: HashMap<ThreadId, i64> = HashMap::new();
        for op in edges(mir).flat_map(|edge| &edge.ops) {
            let Op::Spawn(thread, SpawnNumber::Known(spawn), ..) = op else { continue };
            let count = next.entry(*thread).or_default();
            let number = i64::from(counts.first[thread.0 as usize]) + *count;
            if numbers.of_spawn.insert(*spawn, (*thread, number)).is_none() {
                *count += 1;
            }
        }
        numbers.counted = numbers.counted(mir, next);
        numbers
    }

    /// The functions all of whose threads are waited for together, wherever one is.
    fn counted(&self, mir: &Mir, all: HashMap<ThreadId, i64>) -> HashMap<ThreadId, i64> {
        let mut counted = all;
        for edge in edges(mir) {
            let mut asked: HashMap<ThreadId, HashSet<u32>> = HashMap::new();
            let mut unknown = false;
            visit(edge, &mut |value| {
                let Value::Ended(number) = value else { return };
                match **number {
                    Value::Spawned(spawn) => {
                        let thread = self.of_spawn.get(&spawn).map(|(thread, _)| *thread);
                        asked.entry(thread.unwrap_or(ThreadId(0))).or_default().insert(spawn);
                    }
                    _ => unknown = true,
                }
            });
            if unknown {
                return HashMap::new();
            }
            for (thread, spawns) in asked {
                counted.retain(|t, count| *t != thread || *count == spawns.len() as i64);
            }
        }
        counted
    }

    /// The number of the thread that a step starts.
    pub(crate) fn number(&self, spawn: u32) -> i64 {
        debug_assert!(self.of_spawn.contains_key(&spawn), "a start that was dropped");
        self.of_spawn.get(&spawn).map_or(0, |(_, number)| *number)
    }

    /// The function of the thread that a step starts and its number of threads, if their ends are counted.
    pub(crate) fn counted_with(&self, spawn: u32) -> Option<(ThreadId, i64)> {
        let (thread, _) = self.of_spawn.get(&spawn)?;
        self.counted.get(thread).map(|count| (*thread, *count))
    }

    /// True if the ends of a function's threads are counted.
    pub(crate) fn is_counted(&self, thread: ThreadId) -> bool {
        self.counted.contains_key(&thread)
    }
}

fn edges(mir: &Mir) -> impl Iterator<Item = &Edge> {
    mir.threads.iter().flat_map(|thread| &thread.edges)
}

/// Visits all values of a step.
fn visit(edge: &Edge, f: &mut impl FnMut(&Value)) {
    edge.guard.visit(f);
    edge.checks.iter().flat_map(|check| check.values()).for_each(|value| value.visit(f));
    edge.ops.iter().flat_map(Op::values).for_each(|value| value.visit(f));
}
