//! Where the program points of the original are in the translation.
//!
//! ProgramPoint `l` of the original is program point `l` of the translation *between rounds*: what a property asks
//! about it is asked there. Inside of a round the process is at another program point that stands for `l`.
//! - An atomic program point has only one: nobody else moves there, nothing waits, and memory is that of the
//!   original.
//! - Where a process may finish there is a third, for one that has finished while stores of it still wait. The
//!   first one is then final, so that a spawned process is gone exactly when that of the original is.

use taut_ir::{Control, PointId, ProcedureId, ProcessDef, ProgramPoint, Step};

use crate::copies::Copies;

/// Where the program points of one definition are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Layout {
    /// For each program point, where the process is inside of a round.
    inside: Vec<PointId>,
    /// For each program point, where the process is when it has finished and stores wait.
    late: Vec<Option<PointId>>,
    /// For each program point, whether it is final.
    finals: Vec<bool>,
    atomic: Vec<bool>,
    regions: Vec<Region>,
    /// For each program point, the region it is in.
    region_of: Vec<usize>,
    /// For each program point of the translation that properties look at, the one it stands for.
    between: Vec<Option<PointId>>,
}

/// The program points of a body or a procedure, where rounds begin and end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Region {
    /// Before `init_round`.
    pub begin: PointId,
    /// After it.
    pub enter: PointId,
    /// Before what happens at the end of a round.
    pub end: PointId,
    /// After it.
    pub leave: PointId,
}

impl Layout {
    /// Lays the program points of a definition out.
    pub(crate) fn new(def: &ProcessDef, copies: &Copies, points: &mut Vec<ProgramPoint>) -> Layout {
        let count = def.points.len();
        let mut busy = vec![false; count];
        def.steps.iter().for_each(|s| busy[s.source.index()] = true);
        let finals: Vec<bool> = (0..count).map(|l| def.points[l].end && !busy[l]).collect();
        // What the original calls a deadlock is not carried over, and a guess that leads nowhere is none.
        points.extend(def.points.iter().map(|l| ProgramPoint { end: true, ..l.clone() }));
        let mut fresh = |atomic, labels| {
            points.push(ProgramPoint { labels, end: true, atomic, inner: false });
            PointId::from(points.len() - 1)
        };
        let atomic: Vec<bool> = def.points.iter().map(|l| l.atomic).collect();
        let inside = (0..count).map(|l| match atomic[l] {
            true => PointId::from(l),
            false => fresh(true, Vec::new()),
        });
        let inside = inside.collect();
        let late = (0..count).map(|l| {
            let may_wait = finals[l] && !copies.is_empty();
            may_wait.then(|| fresh(false, def.points[l].labels.clone()))
        });
        let late: Vec<Option<PointId>> = late.collect();
        let mut hub = || fresh(true, Vec::new());
        let mut region = || Region { begin: hub(), enter: hub(), end: hub(), leave: hub() };
        let regions = (0..=def.procedures.len()).map(|_| region()).collect();
        let region_of =
            def.procedure_of().into_iter().map(|p| p.map_or(0, |p| p.index() + 1)).collect();
        let mut between: Vec<Option<PointId>> =
            (0..count).map(|l| Some(PointId::from(l))).collect();
        between.resize(points.len(), None);
        for (l, late) in late.iter().enumerate() {
            late.iter().for_each(|late| between[late.index()] = Some(PointId::from(l)));
        }
        Layout { inside, late, finals, atomic, regions, region_of, between }
    }

    /// Where a process at a program point is inside of a round.
    pub(crate) fn inside(&self, point: PointId) -> PointId {
        self.inside[point.index()]
    }

    /// Where a process that has finished is while stores of it wait.
    pub(crate) fn late(&self, point: PointId) -> Option<PointId> {
        self.late[point.index()]
    }

    /// Whether a process that gets to a program point, and of which nothing waits, has finished.
    pub(crate) fn is_final(&self, point: PointId) -> bool {
        self.finals[point.index()]
    }

    pub(crate) fn is_atomic(&self, point: PointId) -> bool {
        self.atomic[point.index()]
    }

    /// Where rounds of a process at a program point begin and end.
    pub(crate) fn region(&self, point: PointId) -> Region {
        self.regions[self.region_of[point.index()]]
    }

    /// The regions: that of the body first, then those of the procedures.
    pub(crate) fn regions(&self) -> &[Region] {
        &self.regions
    }

    /// The program points of the original.
    pub(crate) fn originals(&self) -> impl Iterator<Item = PointId> + use<> {
        (0..self.inside.len()).map(PointId::from)
    }

    /// The program points that properties take for one of the original.
    pub(crate) fn stands_in(&self, point: PointId) -> Vec<PointId> {
        std::iter::once(point).chain(self.late(point)).collect()
    }

    /// All program points that properties look at.
    pub(crate) fn everywhere(&self) -> Vec<PointId> {
        self.originals().flat_map(|l| self.stands_in(l)).collect()
    }

    /// The atomic program points of the original.
    pub(crate) fn atomic_points(&self) -> Vec<PointId> {
        self.originals().filter(|&l| self.is_atomic(l)).collect()
    }

    /// The program point of the original that a program point between rounds stands for.
    pub(crate) fn original(&self, point: PointId) -> Option<PointId> {
        self.between.get(point.index()).copied().flatten()
    }

    /// The program point of the original that a program point inside of a round stands for.
    pub(crate) fn original_inside(&self, point: PointId) -> Option<PointId> {
        self.originals().find(|&l| self.inside(l) == point)
    }

    /// Whether a process that returns may get to an atomic program point.
    pub(crate) fn returns_to_atomic(&self, def: &ProcessDef) -> bool {
        def.steps.iter().any(
            |s| matches!(s.target, Control::Call { return_to, .. } if self.is_atomic(return_to)),
        )
    }
}

/// The procedure that a step calls, and where it comes back to.
pub(crate) fn call_of(step: &Step) -> Option<(ProcedureId, PointId)> {
    match step.target {
        Control::Call { procedure, return_to, .. } => Some((procedure, return_to)),
        Control::Goto(_) | Control::Return | Control::Exit => None,
    }
}
