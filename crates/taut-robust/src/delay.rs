//! What the code alone says about delays: which stores could be delayed past something that others notice.
//!
//! A store is *delayable* if, after it and before the process waits for its buffer, there may be a load of another
//! location that some other process stores to; under PSO also a store to another location that some other process
//! accesses; or something that acts at once (a message, a new process). Its own location must be one that
//! another process accesses. A step with several accesses, or in the middle of what is done at once, can be split by its
//! own store, so its own loads and stores count as well.
//!
//! A program without delayable stores is robust: a store that waits is then the last event of its process that others
//! could notice, so that it might as well have been made when it commits.

use std::collections::HashSet;

use taut_fault::{Fault, is_on};
use taut_ir::{
    Cfg, DefId, Effect, Footprint, Locations, MemoryModel, PointId, ProcessDef, Program, Step,
    StepId, VarId, footprint::deciding,
};
use taut_witness::happens::Watched;

/// A store and an event that it could be delayed past.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pair {
    /// The definition of the process.
    pub def: DefId,
    /// The step with the store.
    pub store: StepId,
    /// The step with the event.
    pub past: StepId,
}

/// The delayable stores of a program.
#[derive(Clone, Debug)]
pub(crate) struct Delays {
    /// One pair per delayable store.
    pub pairs: Vec<Pair>,
    starts: HashSet<(DefId, StepId)>,
    /// Whether a process may do something that acts at once while a store of its own waits.
    pub shows: bool,
}

impl Delays {
    pub fn of(program: &Program, watched: &Watched, model: MemoryModel) -> Delays {
        let code: Vec<Code<'_>> = (0..program.defs.len())
            .map(|def| Code::of(program, watched, model, DefId::from(def)))
            .collect();
        let everywhere = Everywhere { code: &code };
        let mut pairs = Vec::new();
        for one in code.iter().filter(|c| c.instances > 0) {
            let steps = (0..one.def.steps.len()).map(StepId::from);
            pairs.extend(steps.filter_map(|store| {
                let past = everywhere.past(one, store)?;
                Some(Pair { def: one.id, store, past })
            }));
        }
        let starts = pairs.iter().map(|p| (p.def, p.store)).collect();
        let shows = code.iter().filter(|c| c.instances > 0).any(Code::shows);
        Delays { pairs, starts, shows }
    }

    /// Whether a store of a step is delayable.
    pub fn starts_at(&self, def: DefId, step: StepId) -> bool {
        self.starts.contains(&(def, step))
    }
}

/// The code of a definition.
struct Code<'p> {
    id: DefId,
    def: &'p ProcessDef,
    cfg: Cfg,
    /// By step; with what decides about it.
    footprints: Vec<Footprint>,
    /// By step: whether it does something that acts at once though a store may wait.
    visible: Vec<bool>,
    /// By step: whether it waits for the buffer.
    drained: Vec<bool>,
    /// By program point: whether a process there is in the middle of what is done at once.
    inside: Vec<bool>,
    /// Number of processes.
    instances: usize,
    /// Whether stores to different locations may change places.
    reorders_stores: bool,
}

impl<'p> Code<'p> {
    fn of(program: &'p Program, watched: &Watched, model: MemoryModel, id: DefId) -> Code<'p> {
        let def = &program.defs[id.index()];
        let footprint = |step: &Step| {
            let mut all = Footprint::of(program, def, step);
            all.reads.extend(deciding(program, def, step).reads);
            all
        };
        let footprints: Vec<_> = def.steps.iter().map(footprint).collect();
        let drained: Vec<_> = def.steps.iter().map(|s| model.needs_drained(s)).collect();
        let acts = |(i, f): (usize, &Footprint)| {
            let written = f.writes.iter().any(|w| watched.has(w.var));
            !drained[i] && (written || !f.channels_used.is_empty() || !f.spawns.is_empty())
        };
        let visible = footprints.iter().enumerate().map(acts).collect();
        let mut inside: Vec<bool> = def.points.iter().map(|p| p.atomic).collect();
        for step in def.steps.iter().filter(|s| s.holds) {
            if let taut_ir::Control::Goto(to) = step.target {
                inside[to.index()] = true;
            }
        }
        Code {
            id,
            def,
            cfg: Cfg::of(def),
            footprints,
            visible,
            drained,
            inside,
            instances: program.processes.iter().filter(|p| p.def == id).count(),
            reorders_stores: model.has_store_fences(),
        }
    }

    /// Whether something acts at once while a store may wait.
    fn shows(&self) -> bool {
        let stores = |i: usize| !self.footprints[i].stores.is_empty();
        let steps = || (0..self.def.steps.len()).map(StepId::from);
        let after = steps().filter(|s| stores(s.index())).flat_map(|s| self.cfg.targets(s));
        let waits = self.cfg.reachable(after.copied(), |s| !self.drained[s.index()]);
        let mut showing = steps().filter(|s| self.visible[s.index()]);
        showing.any(|s| waits[self.cfg.source(s).index()] || stores(s.index()))
    }
}

struct Everywhere<'c, 'p> {
    code: &'c [Code<'p>],
}

impl Everywhere<'_, '_> {
    /// Whether another process than one of this code does something to a variable.
    fn elsewhere(&self, own: &Code<'_>, does: impl Fn(&Footprint) -> bool) -> bool {
        let mut others = self.code.iter().filter(|c| c.instances > usize::from(c.id == own.id));
        others.any(|c| c.footprints.iter().any(&does))
    }

    fn is_written_elsewhere(&self, own: &Code<'_>, var: VarId) -> bool {
        self.elsewhere(own, |f| f.stores.iter().chain(&f.writes).any(|w| w.var == var))
    }

    fn is_used_elsewhere(&self, own: &Code<'_>, var: VarId) -> bool {
        self.elsewhere(own, |f| f.variables().any(|v| v == var))
    }

    /// A step that a store of a step could be delayed past.
    fn past(&self, code: &Code<'_>, store: StepId) -> Option<StepId> {
        let footprint = &code.footprints[store.index()];
        if !footprint.stores.iter().any(|s| self.is_used_elsewhere(code, s.var)) {
            return None;
        }
        let step = &code.def.steps[store.index()];
        let splits = code.visible[store.index()]
            || footprint.stores.len() > 1
            || footprint.reads.iter().any(|r| self.is_written_elsewhere(code, r.var));
        if splits || code.inside[step.source.index()] {
            return Some(store);
        }
        // A load of the one location that is stored to is served by the buffer.
        let own = footprint.stores.first().copied().filter(|s| s.index.is_some());
        self.follow(code, own, code.cfg.targets(store))
    }

    /// The first step that matters after a store, in code that does not wait for the buffer.
    fn follow(&self, code: &Code<'_>, own: Option<Locations>, from: &[PointId]) -> Option<StepId> {
        let mut todo: Vec<(PointId, bool)> = from.iter().map(|&p| (p, false)).collect();
        let mut seen: HashSet<(PointId, bool)> = HashSet::new();
        while let Some((at, cut)) = todo.pop() {
            taut_budget::tick();
            if !seen.insert((at, cut)) {
                continue;
            }
            for &id in code.cfg.leaving(at).iter().filter(|id| !code.drained[id.index()]) {
                if self.matters(code, own, id, cut) {
                    return Some(id);
                }
                let effects = &code.def.steps[id.index()].effects;
                let cut = cut || effects.contains(&Effect::StoreFence);
                todo.extend(code.cfg.targets(id).iter().map(|&to| (to, cut)));
            }
        }
        None
    }

    fn matters(&self, code: &Code<'_>, own: Option<Locations>, id: StepId, cut: bool) -> bool {
        let footprint = &code.footprints[id.index()];
        let other = |l: &&Locations| match own {
            Some(own) if is_on(Fault::ArraysAreOne) => l.var != own.var,
            own => own != Some(**l),
        };
        let loads = &mut footprint.reads.iter().filter(other);
        let stores = &mut footprint.stores.iter().filter(other);
        code.visible[id.index()]
            || loads.any(|l| self.is_written_elsewhere(code, l.var))
            || (code.reorders_stores
                && !cut
                && !is_on(Fault::StoresStayInOrder)
                && stores.any(|s| self.is_used_elsewhere(code, s.var)))
    }
}
