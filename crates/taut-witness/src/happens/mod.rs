//! Happens-before: what the processes of a run can tell of it, and whether a sequentially consistent run could have been
//! the same.
//!
//! A run that is claimed not to be robust ends with the commit that closes a circle in its happens-before relation
//! ([`circle`]). `taut-robust` looks for such runs; its argument is there.

mod access;
mod cycle;
mod watched;

use taut_ir::{Action, ProcId, StepId};

use crate::address::Address;
use crate::machine::Machine;
use crate::trace::{Row, Run};

pub use access::{Accesses, Object};
pub use cycle::{Edge, Order};
pub use watched::Watched;

/// A circle in the happens-before relation of a run, closed by the commit at its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Circle {
    /// The circle, from the step of the delayed store on. Rows are those of the run.
    pub edges: Vec<Edge>,
    /// The store that was delayed.
    pub store: Swapped,
    /// The access that it was delayed past.
    pub past: Swapped,
}

/// An access that changed places with another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Swapped {
    /// The process.
    pub process: ProcId,
    /// Its step.
    pub step: StepId,
    /// The row of the run.
    pub row: usize,
    /// What is accessed; none if a process is started.
    pub object: Option<Object>,
    /// Whether it is a load.
    pub is_load: bool,
}

/// The circle that the last action of a run closes; none if there is none.
pub fn circle(machine: &Machine<'_>, run: &Run) -> Option<Circle> {
    let watched = Watched::of(machine.program());
    let Action::Commit { process, var, index } = run.rows.last()?.action else { return None };
    let edges = cycle::cycle(machine, &watched, run)?;
    let store = delayed(run, process, Address { var, index }, edges.first()?.from)?;
    let past = passed(machine, &watched, run, store, &edges)?;
    Some(Circle { edges, store, past })
}

/// The store that the last action commits: the first one to the location in its node.
fn delayed(run: &Run, process: ProcId, address: Address, node: usize) -> Option<Swapped> {
    let mut rows = run.rows.iter().enumerate().skip(node);
    let stores = |row: &Row| match row.action {
        Action::Step { process: p, step, .. } if p == process => Some(step),
        Action::Handshake { process: p, step, .. } if p == process => Some(step),
        Action::Handshake { receiver, receive, .. } if receiver == process => Some(receive),
        _ => None,
    };
    let writes = |row: &Row| {
        let partner = row.record.partner.iter().flat_map(|p| &p.writes);
        row.record.writes.iter().chain(partner).any(|w| w.address == address)
    };
    rows.find_map(|(row, one)| {
        let step = stores(one).filter(|_| writes(one))?;
        Some(Swapped { process, step, row, object: Some(Object::Cell(address)), is_load: false })
    })
}

/// The access by which the circle leaves the process of the delayed store.
fn passed(
    machine: &Machine<'_>,
    watched: &Watched,
    run: &Run,
    store: Swapped,
    cycle: &[Edge],
) -> Option<Swapped> {
    let process = store.process;
    let leaving = cycle.iter().find(|edge| edge.order != Order::Program);
    let edge = leaving.or(cycle.first())?;
    let (object, is_load) = match edge.order {
        Order::FromRead(object) => (Some(object), true),
        Order::Coherence(object) | Order::ReadsFrom(object) => (Some(object), false),
        Order::Program => (None, false),
    };
    let touches = |accesses: &Accesses| match object {
        Some(object) if is_load => accesses.reads.contains(&object),
        Some(object) => {
            let buffered = |(_, a): &(ProcId, Address)| Object::Cell(*a) == object;
            accesses.writes.contains(&object) || accesses.stores.iter().any(buffered)
        }
        None => !accesses.spawned.is_empty(),
    };
    // The node may have several rows: the one with the access is meant.
    let rows = run.rows.iter().enumerate().skip(edge.from);
    let mut own = rows.filter(|(_, row)| row.action.process() == process);
    let found = own.find_map(|(i, row)| {
        let Action::Step { step, .. } = row.action else { return None };
        let accesses = Accesses::of(machine, watched, run.before(i), row.action, &row.record);
        touches(&accesses).then_some(Swapped { process, step, row: i, object, is_load })
    });
    // Else it is something of the step itself that is no load and no store.
    found.or(Some(Swapped { object, is_load, ..store }))
}
