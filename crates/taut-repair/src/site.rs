//! Places: what may be changed about a program.

use std::collections::BTreeSet;

use taut_ir::{DefId, StepId, VarId};

use crate::standing::Standing;

/// The number of a place of a subject. Places are numbered in the order of the source.
pub type SiteId = usize;

/// A set of places.
pub type Set = BTreeSet<SiteId>;

/// What is done at a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
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

impl Kind {
    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            Kind::Fence | Kind::Barrier => "fence",
            Kind::StoreFence => "sfence",
            Kind::AtomicWrite => "atomic",
        }
    }
}

/// A place: one change of the source, which may be a change of several steps, as in the body of something that
/// is used more than once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RepairSite {
    /// What is done.
    pub kind: Kind,
    /// The steps it is done to. Those of [`Kind::Fence`] and [`Kind::StoreFence`] have no guard and no effects, and
    /// nothing else leaves their source.
    pub steps: Vec<(DefId, StepId)>,
    /// For atomic writes, the variables.
    pub vars: Vec<VarId>,
    /// What it costs; more than nothing.
    pub cost: u64,
    /// Where it stands, which decides between sets of the same cost.
    pub standing: Standing,
}
