//! The buffers of a process as queues of places and values, field by field: for a reduction that renames both.

use crate::{CellId, Field};

/// A queue of stores that wait, the oldest first. Behind the last one all bits are zero.
#[derive(Clone, Debug)]
pub struct Queue {
    /// Number of entries.
    pub len: Field,
    /// For each entry its value, as the distance from the smallest one of its place.
    pub values: Vec<Field>,
    /// For each entry the number of its place, an index into `places`. Nothing if there is only one place.
    pub numbers: Vec<Field>,
    /// The places.
    pub places: Vec<CellId>,
    /// The smallest value of each place.
    pub lowest: Vec<i64>,
    /// What else is known about the entries.
    pub others: Vec<Field>,
}
