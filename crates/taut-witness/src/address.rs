//! Locations in memory, by variable and element.

use taut_ir::VarId;

/// A location: a variable, or one element of an array.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Address {
    /// The variable.
    pub var: VarId,
    /// The element; 0 for a scalar.
    pub index: u32,
}
