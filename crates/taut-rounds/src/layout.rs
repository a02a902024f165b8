//! Where the locations of the original are in the translation.
//!
//! Location `l` of the original is location `l` of the translation *between rounds*: what a property asks
//! about it is asked there. Inside of a round the process is at another location that stands for `l`.
//! - An atomic location has only one: nobody else moves there, nothing waits, and memory is that of the
//!   original.
//! - Where a process may finish there is a third, for one that has finished while stores of it still wait. The
//!   first one is then final, so that a spawned process is gone exactly when that of the original is.

use taut_ir::{Control, LocId, Location, ProcedureId, ProcessDef, Step};

use crate::copies::Copies;

/// Where the locations of one definition are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Layout {
    /// For each location, where the process is inside of a round.
    inside: Vec<LocId>,
    /// For each location, where the process is when it has finished and stores wait.
    late: Vec<Option<LocId>>,
    /// For each location, whether it is final.
    finals: Vec<bool>,
    atomic: Vec<bool>,
    regions: Vec<Region>,
    /// For each location, the region it is in.
    region_of: Vec<usize>,
    /// For each location of the translation that properties look at, the one it stands for.
    between: Vec<Option<LocId>>,
}

/// The locations of a body or a procedure, where rounds begin and end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Region {
    /// Before `init_round`.
    pub begin: LocId,
    /// After it.
    pub enter: LocId,
    /// Before what happens at the end of a round.
    pub end: LocId,
    /// After it.
    pub leave: LocId,
}

impl Layout {
    /// Lays the locations of a definition out.
    pub(crate) fn new(def: &ProcessDef, copies: &Copies, locations: &mut Vec<Location>) -> Layout {
        let count = def.locations.len();
        let mut busy = vec![false; count];
        def.steps.iter().for_each(|s| busy[s.source.index()] = true);
        let finals: Vec<bool> = (0..count).map(|l| def.locations[l].end && !busy[l]).collect();
        // What the original calls a deadlock is not carried over, and a guess that leads nowhere is none.
        locations.extend(def.locations.iter().map(|l| Location { end: true, ..l.clone() }));
        let mut fresh = |atomic, labels| {
            locations.push(Location { labels, end: true, atomic, inner: false });
            LocId::from(locations.len() - 1)
        };
        let atomic: Vec<bool> = def.locations.iter().map(|l| l.atomic).collect();
        let inside = (0..count).map(|l| match atomic[l] {
            true => LocId::from(l),
            false => fresh(true, Vec::new()),
        });
        let inside = inside.collect();
        let late = (0..count).map(|l| {
            let may_wait = finals[l] && !copies.is_empty();
            may_wait.then(|| fresh(false, def.locations[l].labels.clone()))
        });
        let late: Vec<Option<LocId>> = late.collect();
        let mut hub = || fresh(true, Vec::new());
        let mut region = || Region { begin: hub(), enter: hub(), end: hub(), leave: hub() };
        let regions = (0..=def.procedures.len()).map(|_| region()).collect();
        let region_of =
            def.procedure_of().into_iter().map(|p| p.map_or(0, |p| p.index() + 1)).collect();
        let mut between: Vec<Option<LocId>> = (0..count).map(|l| Some(LocId::from(l))).collect();
        between.resize(locations.len(), None);
        for (l, late) in late.iter().enumerate() {
            late.iter().for_each(|late| between[late.index()] = Some(LocId::from(l)));
        }
        Layout { inside, late, finals, atomic, regions, region_of, between }
    }

    /// Where a process at a location is inside of a round.
    pub(crate) fn inside(&self, location: LocId) -> LocId {
        self.inside[location.index()]
    }

    /// Where a process that has finished is while stores of it wait.
    pub(crate) fn late(&self, location: LocId) -> Option<LocId> {
        self.late[location.index()]
    }

    /// Whether a process that gets to a location, and of which nothing waits, has finished.
    pub(crate) fn is_final(&self, location: LocId) -> bool {
        self.finals[location.index()]
    }

    pub(crate) fn is_atomic(&self, location: LocId) -> bool {
        self.atomic[location.index()]
    }

    /// Where rounds of a process at a location begin and end.
    pub(crate) fn region(&self, location: LocId) -> Region {
        self.regions[self.region_of[location.index()]]
    }

    /// The regions: that of the body first, then those of the procedures.
    pub(crate) fn regions(&self) -> &[Region] {
        &self.regions
    }

    /// The locations of the original.
    pub(crate) fn originals(&self) -> impl Iterator<Item = LocId> + use<> {
        (0..self.inside.len()).map(LocId::from)
    }

    /// The locations that properties take for one of the original.
    pub(crate) fn stands_in(&self, location: LocId) -> Vec<LocId> {
        std::iter::once(location).chain(self.late(location)).collect()
    }

    /// All locations that properties look at.
    pub(crate) fn everywhere(&self) -> Vec<LocId> {
        self.originals().flat_map(|l| self.stands_in(l)).collect()
    }

    /// The atomic locations of the original.
    pub(crate) fn atomic_locations(&self) -> Vec<LocId> {
        self.originals().filter(|&l| self.is_atomic(l)).collect()
    }

    /// The location of the original that a location between rounds stands for.
    pub(crate) fn original(&self, location: LocId) -> Option<LocId> {
        self.between.get(location.index()).copied().flatten()
    }

    /// The location of the original that a location inside of a round stands for.
    pub(crate) fn original_inside(&self, location: LocId) -> Option<LocId> {
        self.originals().find(|&l| self.inside(l) == location)
    }

    /// Whether a process that returns may get to an atomic location.
    pub(crate) fn returns_to_atomic(&self, def: &ProcessDef) -> bool {
        def.steps.iter().any(
            |s| matches!(s.target, Control::Call { return_to, .. } if self.is_atomic(return_to)),
        )
    }
}

/// The procedure that a step calls, and where it comes back to.
pub(crate) fn call_of(step: &Step) -> Option<(ProcedureId, LocId)> {
    match step.target {
        Control::Call { procedure, return_to, .. } => Some((procedure, return_to)),
        Control::Goto(_) | Control::Return | Control::Exit => None,
    }
}
