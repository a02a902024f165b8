//! The kinds of changes that repair a program.

/// What is done at a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum RepairKind {
    /// A fence as a step of its own. The program has a step for it, which stands for nothing if the place is not
    /// chosen.
    Fence,
    /// A store fence as a step of its own; in the same way.
    StoreFence,
    /// A step waits until the process's own buffer is empty before it does what it does.
    Barrier,
    /// The assignments of a step to some variables become atomic writes.
    AtomicWrite,
}

impl RepairKind {
    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            RepairKind::Fence | RepairKind::Barrier => "fence",
            RepairKind::StoreFence => "sfence",
            RepairKind::AtomicWrite => "atomic",
        }
    }
}
