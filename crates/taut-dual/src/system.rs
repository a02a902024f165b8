//! A program as the search sees it: for each process its control points, and the edges that lead to each.

use std::collections::HashMap;

pub(crate) use crate::edge::{Bound, ControlId, Edge, EdgeId, Kind, Point};
use crate::ends::Ending;
use crate::exclusion::Locks;
use crate::history::History;
use crate::places::{Cell, Fact, Places};
use crate::symbol::Symbols;

/// One process.
#[derive(Debug, Default)]
pub(crate) struct Process {
    pub(crate) points: Vec<Point>,
    /// While the process is there, no other one moves. Those after a finding count as such.
    pub(crate) atomic: Vec<bool>,
    /// The edges that lead to each control point.
    pub(crate) incoming: Vec<Vec<EdgeId>>,
    /// Whether only loads, and steps without any access, lead to a control point.
    pub(crate) quiet: Vec<bool>,
    /// The edges that store a value.
    pub(crate) stores: HashMap<Fact, Vec<EdgeId>>,
    /// The edges from atomic control points to others.
    pub(crate) exits: Vec<EdgeId>,
    /// What the process has stored last.
    pub(crate) history: History,
    /// Whether a process that others start has finished there, and waits again as soon as its buffer is empty.
    pub(crate) finished: Vec<bool>,
}

/// A whole program.
#[derive(Debug)]
pub(crate) struct System {
    pub(crate) places: Places,
    pub(crate) symbols: Symbols,
    pub(crate) edges: Vec<Edge>,
    pub(crate) processes: Vec<Process>,
    pub(crate) has_sync: bool,
    /// For each definition and each of its steps, whether some process may take it by the over-approximation: what is not
    /// reached here never happens.
    pub(crate) reached: Vec<Vec<bool>>,
    /// For each process that others start, those that a start of its definition can take.
    pub(crate) alike: Vec<Vec<usize>>,
    pub(crate) locks: Locks,
    /// The ghost that only ends waiting, if deadlocks are asked about.
    pub(crate) ends: Option<Ending>,
}

impl System {
    pub(crate) fn edge(&self, id: EdgeId) -> &Edge {
        &self.edges[id.0 as usize]
    }

    pub(crate) fn point(&self, process: usize, control: ControlId) -> &Point {
        &self.processes[process].points[control.index()]
    }

    pub(crate) fn is_atomic(&self, process: usize, control: ControlId) -> bool {
        self.processes[process].atomic[control.index()]
    }

    /// The control points of a process that are program points, or where it waits to be started.
    pub(crate) fn real(&self, process: usize) -> impl Iterator<Item = ControlId> {
        let points = self.processes[process].points.iter().enumerate();
        points
            .filter(|(_, p)| matches!(p, Point::At(..) | Point::Waiting))
            .map(|(i, _)| ControlId(i as u32))
    }

    /// The bounds that may be met, by the over-approximation, each with the control points at which it is.
    pub(crate) fn bounds(&self) -> Vec<(Bound, Vec<(usize, ControlId)>)> {
        let mut all: Vec<(Bound, Vec<(usize, ControlId)>)> = Vec::new();
        let mut known: HashMap<Bound, usize> = HashMap::new();
        for (process, own) in self.processes.iter().enumerate() {
            for (control, point) in own.points.iter().enumerate() {
                let Point::Bounded(bound) = point else { continue };
                if own.incoming[control].is_empty() {
                    continue;
                }
                let here = (process, ControlId(control as u32));
                let at = *known.entry(*bound).or_insert(all.len());
                if at == all.len() {
                    all.push((*bound, Vec::new()));
                }
                all[at].1.push(here);
            }
        }
        all
    }

    /// The stores that leave a window, by the over-approximation.
    pub(crate) fn beyond(&self) -> Vec<(Cell, i64)> {
        let values = |(bound, _): (Bound, _)| match bound {
            Bound::Values(cell, value) => Some((cell, value)),
            _ => None,
        };
        self.bounds().into_iter().filter_map(values).collect()
    }

    /// Whether a value may be the newest own entry of a cell in the buffer of a process.
    pub(crate) fn may_own(&self, process: usize, control: ControlId, fact: Fact) -> bool {
        self.processes[process].history.may_own(&self.places, control, fact)
    }

    /// Whether memory may have a value in a cell while a process is at a control point.
    pub(crate) fn may_be(&self, process: usize, control: ControlId, fact: Fact) -> bool {
        self.processes[process].history.may_be(&self.places, control, fact)
    }
}
