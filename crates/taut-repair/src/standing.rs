//! Where a place stands in the control-flow graph: what a reader of the change looks at first.
//!
//! Of two sets that cost the same, the better one is outside of loops, then outside of the bodies of spin loops, then
//! right after the stores that it waits for ([`crate::Rank`]). All three are read off the graph:
//!
//! - **Loops** are those of the loop nesting forest (`loops`). The *main loop* of a process, an outermost loop that is
//!   never left, is the life of the process. It counts as a loop, but [`Standing::depth`], by which costs grow, is the
//!   number of loops below it. A place in a procedure is in the loops around the deepest call, too. Recursion is not
//!   counted as a loop.
//! - **A spin loop** waits: it loads shared memory, can be left, and has no store to shared memory, no operation on a
//!   channel, no call, and starts no process.
//! - **The distance** is the greatest number of steps since the process's latest store to shared memory, over all ways
//!   to the place, fences that are not chosen aside. It is 0 right after a store. Behind a branch without a store, or
//!   where the process may come without having stored, it is as great as can be.

use std::collections::{BTreeSet, VecDeque};

use taut_ir::{Control, DefId, Effect, PointId, ProcedureId, ProcessDef, Program, Step, StepId};

use crate::kind::RepairKind;
use crate::loops::{Forest, LoopId, next};

/// The greatest distance that is told from greater ones. Sums of distances are encoded for the solver: a small limit keeps
/// them small.
const FAR: u32 = 3;

/// Where a place stands. If it is a change of several steps, the worst of them counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Standing {
    /// Number of loops around it below the main loop of its process.
    pub depth: u32,
    /// Number of loops around it, the main loop included.
    pub loops: u32,
    /// Whether it is in the body of a spin loop.
    pub spins: bool,
    /// Number of steps since the latest store.
    pub distance: u32,
}

impl Standing {
    fn worst(self, other: Standing) -> Standing {
        Standing {
            depth: self.depth.max(other.depth),
            loops: self.loops.max(other.loops),
            spins: self.spins || other.spins,
            distance: self.distance.max(other.distance),
        }
    }
}

/// Where the steps of a program stand.
#[derive(Clone, Debug)]
pub struct Standings {
    /// By definition and step.
    steps: Vec<Vec<Standing>>,
}

impl Standings {
    /// Those of a program in which some steps stand for fences that may be put in.
    pub fn of(program: &Program, fences: &BTreeSet<(DefId, StepId)>) -> Standings {
        let of_def = |(d, def): (usize, &ProcessDef)| {
            let is_fence = |step: usize| fences.contains(&(DefId::from(d), StepId::from(step)));
            let distances = distances(program, def, &is_fence);
            let graph = Graph::new(program, def);
            let steps = def.steps.iter().map(|step| Standing {
                distance: distances[step.source.index()],
                ..graph.standing(step)
            });
            steps.collect()
        };
        Standings { steps: program.defs.iter().enumerate().map(of_def).collect() }
    }

    /// Where a change of some steps stands.
    pub fn place(&self, kind: RepairKind, steps: &[(DefId, StepId)]) -> Standing {
        let all = steps.iter().map(|(def, step)| self.steps[def.index()][step.index()]);
        let worst = all.fold(Standing::default(), Standing::worst);
        match kind {
            // The store itself is changed.
            RepairKind::AtomicWrite => Standing { distance: 0, ..worst },
            RepairKind::Fence | RepairKind::StoreFence | RepairKind::Barrier => worst,
        }
    }
}

/// The loops of a definition and the calls in them.
struct Graph<'p> {
    def: &'p ProcessDef,
    forest: Forest,
    main: Option<LoopId>,
    spins: Vec<bool>,
    /// The procedure of each program point.
    owner: Vec<Option<ProcedureId>>,
    /// Where the deepest calls of each procedure stand.
    callers: Vec<Standing>,
}

impl<'p> Graph<'p> {
    fn new(program: &Program, def: &'p ProcessDef) -> Graph<'p> {
        let forest = Forest::of(def);
        let owner = def.procedure_of();
        let is_main = |&id: &LoopId| {
            let of_body = |at: &PointId| owner[at.index()].is_none();
            forest.is_endless(id, def) && forest.loops[id].points.iter().all(of_body)
        };
        let main = (0..forest.loops.len()).find(is_main);
        let spins = (0..forest.loops.len()).map(|id| waits(program, def, &forest, id)).collect();
        let callers = vec![Standing::default(); def.procedures.len()];
        let mut graph = Graph { def, forest, main, spins, owner, callers };
        graph.visit_calls();
        graph
    }

    /// Finds where procedures are called. A chain of calls without recursion is at most as long as there are
    /// procedures, and each round follows chains that are longer by one.
    fn visit_calls(&mut self) {
        let calls: Vec<(ProcedureId, &Step)> = self.def.steps.iter().filter_map(call).collect();
        for _ in 0..self.def.procedures.len() {
            let mut callers = vec![Standing::default(); self.callers.len()];
            for &(procedure, step) in &calls {
                let known = &mut callers[procedure.index()];
                *known = known.worst(self.standing(step));
            }
            // Recursion inside of a loop would count that loop again in each round.
            let is_recursive = self.is_recursive(&calls);
            for (id, standing) in callers.into_iter().enumerate() {
                if !is_recursive[id] {
                    self.callers[id] = standing;
                }
            }
        }
    }

    /// Which procedures can call themselves, at once or through others.
    fn is_recursive(&self, calls: &[(ProcedureId, &Step)]) -> Vec<bool> {
        let count = self.def.procedures.len();
        let reaches = |from: usize| {
            let mut seen = vec![false; count];
            let mut todo = vec![from];
            while let Some(at) = todo.pop() {
                taut_budget::tick();
                let is_here =
                    |step: &Step| self.owner[step.source.index()].is_some_and(|p| p.index() == at);
                for (to, _) in calls.iter().filter(|(_, step)| is_here(step)) {
                    if !std::mem::replace(&mut seen[to.index()], true) {
                        todo.push(to.index());
                    }
                }
            }
            seen[from]
        };
        (0..count).map(reaches).collect()
    }

    fn standing(&self, step: &Step) -> Standing {
        taut_budget::tick();
        let around: Vec<LoopId> = self.forest.around(step).collect();
        let below_main = around.iter().filter(|&&id| Some(id) != self.main);
        let caller = self.owner[step.source.index()]
            .map_or(Standing::default(), |p| self.callers[p.index()]);
        Standing {
            depth: below_main.count() as u32 + caller.depth,
            loops: around.len() as u32 + caller.loops,
            spins: caller.spins || around.iter().any(|&id| self.spins[id]),
            distance: 0,
        }
    }
}

fn call(step: &Step) -> Option<(ProcedureId, &Step)> {
    match step.target {
        Control::Call { procedure, .. } => Some((procedure, step)),
        Control::Goto(_) | Control::Return | Control::Exit => None,
    }
}

/// Whether a loop is a spin loop.
fn waits(program: &Program, def: &ProcessDef, forest: &Forest, id: LoopId) -> bool {
    let points = &forest.loops[id].points;
    let from = || def.steps.iter().filter(|step| points.contains(&step.source));
    let is_inside = |step: &&Step| next(step).is_some_and(|to| points.contains(&to));
    let loads = |step: &Step| {
        let vars = step.expressions().into_iter().flat_map(|expr| expr.variables());
        vars.into_iter().any(|var| program.var(var).kind.is_buffered())
    };
    let can_be_left = from().any(|step| !is_inside(&step));
    can_be_left && from().any(loads) && from().filter(is_inside).all(|s| only_looks(program, s))
}

/// Whether nothing outside of its process can tell that a step was taken.
fn only_looks(program: &Program, step: &Step) -> bool {
    let spawns = step.effects.iter().any(|effect| matches!(effect, Effect::Spawn { .. }));
    let goes_on = matches!(step.target, Control::Goto(_));
    !spawns && goes_on && step.channel.is_none() && !stores(program, step)
}

fn stores(program: &Program, step: &Step) -> bool {
    let mut vars = step.stores().filter_map(|place| place.variable());
    vars.any(|var| program.var(var).kind.is_buffered())
}

/// The greatest number of steps since the latest store at each program point, steps of fences aside: the least solution of
/// the equations over all steps, reached from below.
fn distances(program: &Program, def: &ProcessDef, is_fence: &dyn Fn(usize) -> bool) -> Vec<u32> {
    let mut leaving: Vec<Vec<usize>> = vec![Vec::new(); def.points.len()];
    for (s, step) in def.steps.iter().enumerate() {
        leaving[step.source.index()].push(s);
    }
    let mut known = vec![None; def.points.len()];
    known[def.entry.index()] = Some(FAR);
    let mut todo = VecDeque::from([def.entry]);
    while let Some(at) = todo.pop_front() {
        taut_budget::tick();
        let Some(since) = known[at.index()] else { continue };
        for &s in &leaving[at.index()] {
            let step = &def.steps[s];
            let length = u32::from(!is_fence(s));
            let after = if stores(program, step) { 0 } else { FAR.min(since + length) };
            for to in reached(def, step) {
                // Grows at most FAR times, so that this ends.
                if known[to.index()].is_none_or(|known| known < after) {
                    known[to.index()] = Some(after);
                    todo.push_back(to);
                }
            }
        }
    }
    known.into_iter().map(|since| since.unwrap_or(FAR)).collect()
}

/// Where a process may be after a step: behind it, and for a call also in the procedure.
fn reached(def: &ProcessDef, step: &Step) -> impl Iterator<Item = PointId> {
    let called = call(step).map(|(procedure, _)| def.procedures[procedure.index()].entry);
    next(step).into_iter().chain(called)
}
