//! Places: what may be changed about a program.

use std::collections::BTreeSet;

use taut_ir::{DefId, StepId, VarId};

use crate::kind::RepairKind;
use crate::standing::Standing;

/// The number of a place of a subject. Places are numbered in the order of the source.
pub type SiteId = usize;

/// A set of places.
pub type Set = BTreeSet<SiteId>;

/// A place: one change of the source, which may be a change of several steps, as in the body of something that
/// is used more than once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RepairSite {
    /// What is done.
    pub kind: RepairKind,
    /// The steps it is done to. Those of [`RepairKind::Fence`] and [`RepairKind::StoreFence`] have no guard and no effects, and
    /// nothing else leaves their source.
    pub steps: Vec<(DefId, StepId)>,
    /// For atomic writes, the variables.
    pub vars: Vec<VarId>,
    /// What it costs; more than nothing.
    pub cost: u64,
    /// Where it stands, which decides between sets of the same cost.
    pub standing: Standing,
}
