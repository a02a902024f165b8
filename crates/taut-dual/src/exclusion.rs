//! Locks: cells that at most one process holds. A third over-approximation that no constraint may contradict.
//!
//! Let *free* be the initial value of a cell. The cell is a *lock* if the code of all processes says, edge by edge, whether a process
//! *holds* it, such that
//!
//! - no process holds it at its start;
//! - a process that does not hold it stores to it only where it has seen in memory that it is free, in the same step
//!   or earlier in the same atomic section. If it stores something else than free, it holds it afterwards. (A step that stores what
//!   it has seen in memory changes nothing and does not count: an exchange that finds a lock taken.)
//! - a process that holds it holds it until it stores free;
//! - a process of which the control point does not tell does not store to it without having seen that it is free, which tells that it does not
//!   hold it. (Such control points are where threads end: some after a failed assertion, with the lock in their hands.)
//!
//! **Invariant** of the dual semantics: memory has another value than free if and only if exactly one process holds the cell. It is true at
//! the start. A store is in memory at once, so a process that begins to hold the cell found it free, and with it no holder;
//! one that ceases leaves it free. No other step stores to it, except free where it is free. Nobody else moves while a process is in an
//! atomic section, so what it has seen there is still true. While memory is frozen (`obligation.rs`) no step looks at memory, so none begins
//! to hold a cell; some may cease. There are still no two holders, and none if memory says free.
//!
//! So a constraint with two holders has no states, nor has one with a holder of what is free. Backward, the critical section of a
//! lock would otherwise fill with processes that can never have been there together.

use crate::edge::{ControlId, Edge, Kind};
use crate::places::{Cell, Fact, Places, Value};

/// Locks after which no more are looked for.
const MOST_LOCKS: usize = 64;

/// Where a process stands to a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stand {
    /// It does not hold it.
    Out,
    /// It does not hold it, and has seen in this atomic section that it is free.
    Sees,
    Holds,
    /// It may or may not hold it: it has come here by different ways.
    Either,
}

/// A process while locks are looked for: the edges that leave each control point, and which of these are atomic.
pub(crate) struct Code<'c> {
    pub(crate) leaving: &'c [Vec<Edge>],
    pub(crate) atomic: &'c [bool],
}

/// The locks of a program.
#[derive(Debug, Default)]
pub(crate) struct Locks {
    cells: Vec<Cell>,
    /// For each process and control point, a bit per lock that is held there.
    held: Vec<Vec<u64>>,
}

impl Locks {
    pub(crate) fn of(places: &Places, codes: &[Code<'_>]) -> Locks {
        let held = codes.iter().map(|code| vec![0; code.leaving.len()]).collect();
        let mut locks = Locks { cells: Vec::new(), held };
        for cell in places.cells() {
            if locks.cells.len() == MOST_LOCKS {
                break;
            }
            let stands: Option<Vec<_>> = codes.iter().map(|code| stands(code, cell)).collect();
            let Some(stands) = stands else { continue };
            let is_held = |stands: &Vec<_>| stands.contains(&Some(Stand::Holds));
            if !stands.iter().any(is_held) {
                continue;
            }
            let bit = 1 << locks.cells.len();
            for (held, stands) in locks.held.iter_mut().zip(stands) {
                let all = held.iter_mut().zip(stands);
                all.filter(|(_, s)| *s == Some(Stand::Holds)).for_each(|(held, _)| *held |= bit);
            }
            locks.cells.push(cell);
        }
        locks
    }

    /// The locks that a process holds at a control point, as a set. Nothing is known of a process that may be anywhere.
    pub(crate) fn held(&self, process: usize, control: ControlId) -> u64 {
        self.held.get(process).and_then(|held| held.get(control.index())).map_or(0, |held| *held)
    }

    /// Whether processes that hold these locks, each given once per process, contradict each other or memory.
    pub(crate) fn contradict(
        &self,
        held: impl Iterator<Item = u64>,
        value: impl Fn(Cell) -> Value,
    ) -> bool {
        let mut all = 0;
        for held in held {
            if all & held != 0 {
                return true;
            }
            all |= held;
        }
        let is_free =
            |(i, cell): (usize, &Cell)| all >> i & 1 == 1 && value(*cell) == Places::INITIAL;
        all != 0 && self.cells.iter().enumerate().any(is_free)
    }
}

/// Where a process stands to a cell at each control point that is reached; none if the cell is no lock.
fn stands(code: &Code<'_>, cell: Cell) -> Option<Vec<Option<Stand>>> {
    let mut stands = vec![None; code.leaving.len()];
    stands[ControlId::INITIAL.index()] = Some(Stand::Out);
    let mut queue = vec![ControlId::INITIAL];
    while let Some(control) = queue.pop() {
        taut_budget::tick();
        let from = stands[control.index()]?;
        for edge in &code.leaving[control.index()] {
            let after = after(from, edge, cell, code.atomic[edge.target.index()])?;
            let known = &mut stands[edge.target.index()];
            let joined = match *known {
                None => after,
                Some(before) => join(before, after),
            };
            if *known != Some(joined) {
                *known = Some(joined);
                queue.push(edge.target);
            }
        }
    }
    Some(stands)
}

/// Where a process stands after an edge; none if the cell is no lock.
fn after(before: Stand, edge: &Edge, cell: Cell, into_atomic: bool) -> Option<Stand> {
    let is_change = |fact: &&Fact| edge.kind == Kind::Plain || !edge.reads.contains(fact);
    let stored = edge.writes.iter().filter(|(x, _)| *x == cell).find(is_change);
    let stored = stored.map(|(_, value)| *value);
    if before == Stand::Holds {
        let is_left = stored == Some(Places::INITIAL);
        return Some(if is_left { Stand::Out } else { Stand::Holds });
    }
    // A plain load may see an old message.
    let looks = edge.kind != Kind::Plain && edge.reads.contains(&(cell, Places::INITIAL));
    let is_free = looks || before == Stand::Sees;
    match stored {
        Some(_) if !is_free => None,
        Some(value) if value != Places::INITIAL => Some(Stand::Holds),
        _ if is_free && into_atomic => Some(Stand::Sees),
        _ if before == Stand::Either && !is_free => Some(Stand::Either),
        _ => Some(Stand::Out),
    }
}

fn join(a: Stand, b: Stand) -> Stand {
    match (a, b) {
        (Stand::Sees, Stand::Out) | (Stand::Out, Stand::Sees) => Stand::Out,
        _ if a == b => a,
        _ => Stand::Either,
    }
}
