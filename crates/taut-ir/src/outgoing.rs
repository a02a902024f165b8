//! The steps that leave each program point of a definition, looked up without a walk over all steps.

use crate::{PointId, ProcessDef, Step, StepId};

/// The steps of a definition by their source. Analyses that ask for each program point use it: with
/// [`ProcessDef::steps_from`] they would take time that grows with the square of the code.
#[derive(Clone, Debug)]
pub struct Outgoing<'d> {
    def: &'d ProcessDef,
    /// By program point.
    steps: Vec<Vec<StepId>>,
}

impl<'d> Outgoing<'d> {
    /// Sorts the steps of a definition.
    pub fn of(def: &'d ProcessDef) -> Outgoing<'d> {
        let mut steps = vec![Vec::new(); def.points.len()];
        for (i, step) in def.steps.iter().enumerate() {
            steps[step.source.index()].push(StepId::from(i));
        }
        Outgoing { def, steps }
    }

    /// The steps that leave a program point, in the order of the definition.
    pub fn steps_from(&self, source: PointId) -> impl Iterator<Item = (StepId, &'d Step)> {
        self.steps[source.index()].iter().map(|&id| (id, &self.def.steps[id.index()]))
    }
}
