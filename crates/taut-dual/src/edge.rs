//! Control points of a process and the edges between them.
//!
//! A *control point* is a program point with the values of everything private. Its edges are the steps
//! from there, one per combination of values that the loads may see. A step that stores several times is several edges
//! with *inner* control points between them: under TSO the stores of one step enter the buffer together, but reach
//! memory one by one, and memory is where a store of the dual semantics happens.

use taut_ir::{DefId, Finding, PointId, ProcId, StepId};

use crate::places::{Cell, Fact};

/// A control point of a process; 0 stands for any that is not atomic.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct ControlId(pub u32);

impl ControlId {
    /// Any control point that is not atomic: nothing is asked of the process.
    pub(crate) const ANY: ControlId = ControlId(0);
    /// The control point in which a process starts.
    pub(crate) const INITIAL: ControlId = ControlId(1);

    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}

/// An edge, by its number in the system.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct EdgeId(pub u32);

/// A control point.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Point {
    /// Any.
    Any,
    /// A program point with the values of what is private.
    At(PointId, Box<[i64]>),
    /// In the middle of a step: the stores that are left, and where it goes.
    Inner(Box<[Fact]>, ControlId),
    /// After a step in which something was found. Nothing leaves it.
    Found(Finding),
    /// A process that others start, and none has, or one that was started and has not begun: its slot tells.
    Waiting,
    /// After a step that a bound blocks. Nothing leaves it: it only says that the bound is met.
    Bounded(Bound),
}

/// A bound of the program that blocks a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Bound {
    /// No process of a definition waits to be started.
    Threads(DefId),
    /// Too many calls are open.
    Calls,
    /// A cell gets a value that is not in its window (`window.rs`).
    Values(Cell, i64),
}

/// An edge of a process.
#[derive(Clone, Debug)]
pub(crate) struct Edge {
    pub(crate) process: ProcId,
    pub(crate) source: ControlId,
    pub(crate) target: ControlId,
    /// The step; none for stores after the first of a step, and for the start and the end of a process.
    pub(crate) step: Option<StepId>,
    pub(crate) kind: Kind,
    /// What the loads see.
    pub(crate) reads: Box<[Fact]>,
    /// What is stored: at most one cell if the edge is plain.
    pub(crate) writes: Box<[Fact]>,
}

/// How an edge stands to buffers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Loads from the own buffer, then a store.
    Plain,
    /// The own buffer is empty; loads and stores are of memory.
    Locked,
    /// The same, and the buffers of all processes are empty.
    Sync,
}
