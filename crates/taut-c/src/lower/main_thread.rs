//! The steps of `main` that start threads and wait for them.
//!
//! Where each thread has a number that is known, and none is started twice:
//!
//! - Starts one after the other are taken together. A start reads nothing that another thread changes and is always
//!   possible, so that in any run it can be moved to just behind the start before it (Lipton, *Reduction*, 1975). No
//!   state has some of the threads only.
//! - Waiting for one thread and then for another is waiting for both: what has ended stays so. In the states in
//!   between, `main` did nothing that another thread sees.

use taut_ir::BinaryOp;

use super::graph::{degrees, is_inner};
use super::mir::{Edge, Op, Point, SpawnNumber, Target, Thread, Value};

/// Makes one step of two that wait for threads, one after the other; true if there were such.
pub(super) fn join_waits(thread: &mut Thread) -> bool {
    let (_, ins) = degrees(thread);
    for first in 0..thread.edges.len() {
        taut_budget::tick();
        let Some((second, over)) = next_wait(thread, first, &ins) else { continue };
        let next = thread.edges[second].clone();
        let edge = &mut thread.edges[first];
        edge.guard = edge.guard.clone().and(next.guard);
        edge.ops.extend(next.ops);
        edge.to = next.to;
        let (low, high) = (second.min(over), second.max(over));
        thread.edges.remove(high);
        thread.edges.remove(low);
        return true;
    }
    false
}

/// The step that waits right behind another one, and the one that ends the run there.
fn next_wait(thread: &Thread, first: usize, ins: &[usize]) -> Option<(usize, usize)> {
    let edge = &thread.edges[first];
    let Target::Point(middle) = edge.to else { return None };
    if !waits(edge) || middle == edge.from || !is_inner(thread, middle, ins) {
        return None;
    }
    let behind = leaving(thread, middle);
    let before = leaving(thread, edge.from);
    let ([_, _], [a, b]) = (before.as_slice(), behind.as_slice()) else { return None };
    let (second, over) = if waits(&thread.edges[*a]) { (*a, *b) } else { (*b, *a) };
    let other = before.iter().find(|&&index| index != first)?;
    let alike = is_over(&thread.edges[over], &thread.edges[*other]);
    (waits(&thread.edges[second]) && alike).then_some((second, over))
}

fn leaving(thread: &Thread, point: Point) -> Vec<usize> {
    (0..thread.edges.len()).filter(|&index| thread.edges[index].from == point).collect()
}

/// True for a step that waits for threads with known numbers, and else only sets registers.
fn waits(edge: &Edge) -> bool {
    edge.checks.is_empty() && edge.ops.iter().all(is_own) && asks_ends(&edge.guard)
}

fn asks_ends(guard: &Value) -> bool {
    match guard {
        Value::Ended(number) => matches!(**number, Value::Spawned(_)),
        Value::Binary(BinaryOp::And, a, b) => asks_ends(a) && asks_ends(b),
        _ => false,
    }
}

/// True if two steps end the run in the same way.
fn is_over(a: &Edge, b: &Edge) -> bool {
    let (Target::Point(to), Target::Point(also)) = (&a.to, &b.to) else { return false };
    let empty = |edge: &Edge| edge.ops.is_empty() && edge.checks.is_empty();
    to == also && a.guard == b.guard && a.mode == b.mode && empty(a) && empty(b)
}

/// Other threads wait while `main` is between two starts.
pub(super) fn start_together(thread: &mut Thread) {
    let (_, ins) = degrees(thread);
    let mut between = Vec::new();
    for edge in thread.edges.iter().filter(|edge| starts(edge)) {
        let Target::Point(middle) = edge.to else { continue };
        let behind = leaving(thread, middle);
        let [next] = behind.as_slice() else { continue };
        let next = &thread.edges[*next];
        let follows = starts(next) && next.guard == Value::TRUE && next.checks.is_empty();
        if follows && is_inner(thread, middle, &ins) {
            between.push(middle);
        }
    }
    between.into_iter().for_each(|point| thread.points[point.0 as usize].atomic = true);
}

/// True for a step that starts a thread with a known number, and else only sets registers.
fn starts(edge: &Edge) -> bool {
    let known = |op: &Op| matches!(op, Op::Spawn(_, SpawnNumber::Known(_), ..));
    let fits = |op: &Op| known(op) || is_own(op) && !matches!(op, Op::Fail(_));
    edge.ops.iter().any(known) && edge.ops.iter().all(fits)
}

/// True for an operation on registers only. The life of a local is local too, but other threads ask for it.
fn is_own(op: &Op) -> bool {
    op.is_local() && !matches!(op, Op::Live(..))
}
