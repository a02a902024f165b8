//! Text for people: tables, runs in lanes, stories.

mod check;
mod compare;
mod explain;
mod facts;
mod repair;
mod run;
mod stats;
mod suite;
mod vacuity;

use taut_ir::Memory;

use crate::formats::{CheckView, Format, LitmusAnswer, Page, RepairView, Shown, Told};
use crate::json::RunDocument;
use crate::load::Loaded;
use crate::outcome::Report;
use crate::repair::RepairReport;
use crate::suite::FileResult;
use crate::verdict::PropertyResult;

pub use repair::{kinds, races};

/// The format `text`.
#[derive(Clone, Copy, Debug)]
pub struct Text;

impl Format for Text {
    fn name(&self) -> &'static str {
        "text"
    }

    fn title(&self) -> &'static str {
        "For people"
    }

    fn shows(&self, _: Shown) -> bool {
        true
    }

    fn is_for_people(&self) -> bool {
        true
    }

    fn has_statistics(&self) -> bool {
        true
    }

    fn violation(
        &self,
        page: &Page,
        loaded: &Loaded,
        memory: Memory,
        result: &PropertyResult,
    ) -> String {
        check::violation(page, loaded, memory, result)
    }

    fn check(&self, page: &Page, loaded: &Loaded, reports: &[Report], view: CheckView) -> String {
        check::text(page, loaded, reports, view)
    }

    fn compare(&self, page: &Page, loaded: &Loaded, reports: &[Report]) -> String {
        let repeat = page.repeat(loaded, reports);
        let (table, proofs) = (compare::table(page, reports), check::proofs(reports));
        format!("{}\n{table}{proofs}{repeat}", loaded.name)
    }

    fn suite(&self, page: &Page, folder: &str, files: &[FileResult]) -> String {
        suite::text(page, folder, files)
    }

    fn explain(
        &self,
        page: &Page,
        loaded: &Loaded,
        report: &Report,
        told: Option<&Told<'_>>,
    ) -> String {
        explain::text(page, loaded, report, told)
    }

    fn repair(
        &self,
        page: &Page,
        loaded: &Loaded,
        report: &RepairReport,
        view: &RepairView,
    ) -> String {
        repair::text(page, loaded, report, view)
    }

    fn run(&self, page: &Page, run: &RunDocument) -> String {
        run::text(page, run)
    }

    fn litmus(&self, answer: &LitmusAnswer<'_>) -> String {
        let Some(outcome) = answer.outcome else { return String::new() };
        let text = outcome.herd(answer.test);
        match answer.is_one_of_many {
            true => format!("Model {}\n{text}", answer.model.name().to_uppercase()),
            false => text,
        }
    }
}
