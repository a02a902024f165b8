//! What must hold, and under which memory models.

use taut_budget::Budget;
use taut_ir::MemoryModel;

use crate::check::Check;
use crate::load::Loaded;
use crate::outcome::{EngineFault, Report};

/// A check under each of some memory models.
#[derive(Clone)]
pub(super) struct Asked<'a> {
    pub(super) check: &'a Check<'a>,
    /// At least one, the weakest last.
    pub(super) models: Vec<MemoryModel>,
    /// The budget of the whole repair: a limit on time is one for all checks together.
    budget: Budget,
}

impl<'a> Asked<'a> {
    /// A check under some memory models, or under its own if there are none.
    pub(super) fn new(check: &'a Check<'a>, models: &[MemoryModel]) -> Asked<'a> {
        let own = [check.memory.model];
        let models = if models.is_empty() { &own } else { models };
        Asked { check, models: models.to_vec(), budget: check.whole_budget() }
    }

    /// The check of a program under a model, in the time that is left.
    pub(super) fn on<'l>(&self, loaded: &'l Loaded, model: MemoryModel) -> Check<'l> {
        self.check.on(loaded).model(model).budget(&self.budget)
    }

    /// The budget of the whole repair.
    pub(super) fn budget(&self) -> &Budget {
        &self.budget
    }

    /// The models with buffers: those that fences are for.
    pub(super) fn relaxed(&self) -> impl Iterator<Item = MemoryModel> {
        self.models.iter().copied().filter(|model| model.is_relaxed())
    }

    /// The answers for a program under each model, up to the first with a violation.
    pub(super) fn of(&self, loaded: &Loaded, all: bool) -> Result<Vec<Report>, EngineFault> {
        let mut reports = Vec::new();
        for &model in &self.models {
            let check = self.on(loaded, model);
            let check = if all { check.all(true) } else { check };
            reports.push(check.run()?);
            if reports.last().is_some_and(Report::is_violated) {
                break;
            }
        }
        Ok(reports)
    }
}

/// The violated one of some reports.
pub(super) fn violated(reports: Vec<Report>) -> Option<Report> {
    reports.into_iter().find(Report::is_violated)
}

/// Why there is no answer in some reports, if there is none.
pub(super) fn open(reports: &[Report]) -> Option<String> {
    let open = reports.iter().find(|report| report.is_unknown())?;
    let words = open.results.iter().find(|r| r.verdict.is_open());
    Some(words.map_or_else(String::new, |r| r.verdict.coverage()))
}
