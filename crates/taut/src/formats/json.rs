//! JSON, one object per line, as the published schemas describe it.

use crate::formats::{Format, LitmusAnswer, Page, RepairView, Shown, Told};
use crate::json::{
    CheckDocument, ExplainDocument, LitmusDocument, RepairDocument, RunDocument, SuiteDocument,
    line,
};
use crate::load::Loaded;
use crate::outcome::Report;
use crate::repair::RepairReport;
use crate::suite::FileResult;

/// The format `json`.
#[derive(Clone, Copy, Debug)]
pub struct Json;

impl Format for Json {
    fn name(&self) -> &'static str {
        "json"
    }

    fn title(&self) -> &'static str {
        "For programs: one object per line; see `taut schema`"
    }

    fn shows(&self, _: Shown) -> bool {
        true
    }

    fn has_statistics(&self) -> bool {
        true
    }

    fn takes_errors_of_suites(&self) -> bool {
        true
    }

    fn report(&self, page: &Page, loaded: &Loaded, report: &Report) -> String {
        line(&CheckDocument::new(loaded, report, page.arguments.clone()))
    }

    fn compare(&self, page: &Page, loaded: &Loaded, reports: &[Report]) -> String {
        reports.iter().map(|report| self.report(page, loaded, report)).collect()
    }

    fn suite(&self, page: &Page, _: &str, files: &[FileResult]) -> String {
        let document = |file| line(&SuiteDocument::new(file, page.arguments.clone()));
        files.iter().map(document).collect()
    }

    fn explain(
        &self,
        _: &Page,
        loaded: &Loaded,
        report: &Report,
        told: Option<&Told<'_>>,
    ) -> String {
        line(&ExplainDocument::new(loaded, report, told))
    }

    fn repair(
        &self,
        page: &Page,
        loaded: &Loaded,
        report: &RepairReport,
        _: &RepairView,
    ) -> String {
        line(&RepairDocument::new(loaded, report, page.arguments.clone()))
    }

    fn run(&self, _: &Page, run: &RunDocument) -> String {
        line(run)
    }

    fn litmus(&self, answer: &LitmusAnswer<'_>) -> String {
        let LitmusAnswer { file, test, model, .. } = *answer;
        match answer.outcome {
            Some(outcome) => outcome.json(test, file, model.name()) + "\n",
            None => line(&LitmusDocument::unknown(file, test, model)),
        }
    }
}
