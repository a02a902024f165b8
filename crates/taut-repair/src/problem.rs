//! A program with places, and the variants that sets of places make of it.

use std::collections::BTreeSet;
use std::sync::Arc;

use taut_ir::{Assignment, Control, DefId, Effect, Mode, ProcessDef, Program, Step, StepId};
use taut_witness::Trace;

use crate::contract::contract;
use crate::kind::RepairKind;
use crate::site::{RepairSite, Set, SiteId};

/// A program to be fixed.
#[derive(Clone, Debug)]
pub struct RepairProblem {
    /// The program, with a step for every fence that there may be.
    program: Program,
    places: Vec<RepairSite>,
}

/// A run that shows that a variant is wrong, accepted by the replayer.
#[derive(Clone, Debug)]
pub struct Counterexample {
    /// What is violated.
    pub property: String,
    /// The variant it is a run of. It may have more processes than the one that was to be checked.
    pub program: Arc<Program>,
    /// The run.
    pub trace: Trace,
}

/// What a check of a variant says.
#[derive(Clone, Debug)]
pub enum OracleAnswer {
    /// Everything that was asked holds.
    Holds,
    /// It does not: at least one counterexample.
    Violated(Vec<Counterexample>),
    /// A limit was met; in words.
    Unknown(String),
}

/// Somebody who checks variants.
pub trait Oracle {
    /// Why a check could not be made at all.
    type Error;

    /// Checks the variant that a set makes.
    fn judge(&mut self, subject: &RepairProblem, set: &Set) -> Result<OracleAnswer, Self::Error>;

    /// Looks for counterexamples of the variant that a set makes, with less effort than a check if there is a way. None
    /// says nothing.
    fn refute(
        &mut self,
        subject: &RepairProblem,
        set: &Set,
    ) -> Result<Vec<Counterexample>, Self::Error> {
        Ok(match self.judge(subject, set)? {
            OracleAnswer::Violated(found) => found,
            OracleAnswer::Holds | OracleAnswer::Unknown(_) => Vec::new(),
        })
    }
}

impl RepairProblem {
    /// A program with places. The steps of fences must be in it ([`RepairSite::steps`]).
    pub fn new(program: Program, places: Vec<RepairSite>) -> RepairProblem {
        debug_assert!(places.iter().all(|place| place.cost > 0));
        RepairProblem { program, places }
    }

    /// The program, with a step for every fence that there may be.
    pub fn program(&self) -> &Program {
        &self.program
    }

    /// All places.
    pub fn places(&self) -> &[RepairSite] {
        &self.places
    }

    /// A place.
    pub fn place(&self, id: SiteId) -> &RepairSite {
        &self.places[id]
    }

    /// What a set costs.
    pub fn cost(&self, set: &Set) -> u64 {
        set.iter().map(|&id| self.places[id].cost).sum()
    }

    /// The variant that a set makes.
    pub fn variant(&self, set: &Set) -> Program {
        self.change(self.program.clone(), set)
    }

    /// The same of another program of the model: its steps have the same numbers, its processes may be more. What its steps
    /// compute may depend on the number of processes, so its own definitions are changed.
    pub fn change(&self, mut program: Program, set: &Set) -> Program {
        self.apply(&mut program, set);
        contract(&mut program, &self.unused(set));
        program
    }

    /// A variant with the steps of fences that were not chosen, which do nothing. Other than
    /// [`RepairProblem::variant`] it shows where they would be.
    pub(crate) fn with_all_steps(&self, mut program: Program, set: &Set) -> Program {
        for (def, original) in program.defs.iter_mut().zip(&self.program.defs) {
            restore(def, original);
        }
        self.apply(&mut program, set);
        program
    }

    /// The steps of fences of which none was chosen.
    pub(crate) fn unused(&self, set: &Set) -> BTreeSet<(DefId, StepId)> {
        let steps_of = |id: SiteId| {
            let place = &self.places[id];
            let is_step = matches!(place.kind, RepairKind::Fence | RepairKind::StoreFence);
            place.steps.iter().copied().filter(move |_| is_step)
        };
        let used: BTreeSet<_> = set.iter().flat_map(|&id| steps_of(id)).collect();
        (0..self.places.len()).flat_map(steps_of).filter(|step| !used.contains(step)).collect()
    }

    fn apply(&self, program: &mut Program, set: &Set) {
        for &(def, step) in &self.unused(&Set::new()) {
            clear(&mut program.defs[def.index()].steps[step.index()]);
        }
        for &id in set {
            let place = &self.places[id];
            for &(def, step) in &place.steps {
                debug_assert!(
                    step.index() < program.defs[def.index()].steps.len(),
                    "another model"
                );
                choose(place, &mut program.defs[def.index()].steps[step.index()]);
            }
        }
    }
}

/// Undoes what a variant changes about a definition: the ways past steps that are left out, fences and atomic writes. What
/// steps compute stays: it may depend on the number of processes.
fn restore(def: &mut ProcessDef, original: &ProcessDef) {
    debug_assert_eq!(def.steps.len(), original.steps.len(), "a program of another model");
    def.entry = original.entry;
    for (procedure, original) in def.procedures.iter_mut().zip(&original.procedures) {
        procedure.entry = original.entry;
    }
    for (step, original) in def.steps.iter_mut().zip(&original.steps) {
        step.mode = original.mode;
        let next = &mut step.target;
        if let (
            Control::Goto(at) | Control::Call { return_to: at, .. },
            Control::Goto(to) | Control::Call { return_to: to, .. },
        ) = (next, &original.target)
        {
            *at = *to;
        }
        for pair in step.effects.iter_mut().zip(&original.effects) {
            let (Effect::Assign(list), Effect::Assign(originals)) = pair else { continue };
            list.iter_mut().zip(originals).for_each(|(a, original)| a.atomic = original.atomic);
        }
    }
}

/// Makes the step of a fence one that does nothing.
fn clear(step: &mut Step) {
    step.mode = Mode::Plain;
    step.effects.clear();
}

fn choose(place: &RepairSite, step: &mut Step) {
    let is_ours = |a: &&mut Assignment| a.place.variable().is_some_and(|v| place.vars.contains(&v));
    match place.kind {
        RepairKind::Fence => step.mode = Mode::Fence,
        RepairKind::StoreFence => step.effects.push(Effect::StoreFence),
        // What waits for more already needs no barrier.
        RepairKind::Barrier if step.mode == Mode::Plain => step.mode = Mode::Fence,
        RepairKind::Barrier => {}
        RepairKind::AtomicWrite => {
            for effect in &mut step.effects {
                if let Effect::Assign(list) = effect {
                    list.iter_mut().filter(is_ours).for_each(|assignment| assignment.atomic = true);
                }
            }
        }
    }
}
