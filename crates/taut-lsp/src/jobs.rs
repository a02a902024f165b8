//! Checks and repairs, on a thread of their own.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use taut::annotate::{Annotations, Remark};
use taut::budget::{Budget, Level};
use taut::formats::text::kinds;
use taut::repair::{Outcome, Repair};
use taut::{Check, Loaded, MemoryModel, Report, VerdictKind};

/// A check, and if something is violated a search for a repair.
pub struct Job {
    /// The document.
    pub uri: String,
    /// The number of its text.
    pub version: i64,
    /// The program.
    pub loaded: Arc<Loaded>,
    /// The memory model.
    pub model: MemoryModel,
    /// Whether a repair is to be applied at once.
    pub applies: bool,
}

/// A change that fixes a text.
#[derive(Clone)]
pub struct Fix {
    /// The memory model.
    pub model: MemoryModel,
    /// What it does, in words.
    pub title: String,
    /// The text as fixed.
    pub text: String,
}

/// What came of a job.
pub struct Done {
    /// The job.
    pub job: Job,
    /// What to tell the user.
    pub message: String,
    /// Whether it is bad.
    pub is_bad: bool,
    /// What a check has to say about the program.
    pub remarks: Vec<Remark>,
    /// A change that fixes it.
    pub fix: Option<Fix>,
}

impl Job {
    /// Does the job.
    pub fn run(self, budget: &Budget) -> Done {
        let work = || self.answer(budget);
        let answer = catch_unwind(AssertUnwindSafe(|| budget.run(Level::Work, work)));
        let plain = |message: String| Answer { message, ..Answer::default() };
        let answer = match answer {
            Ok(Ok(answer)) => answer,
            Ok(Err(met)) => plain(format!("unknown: {met}")),
            Err(_) => plain("internal error: there is no answer".into()),
        };
        let Answer { message, is_bad, remarks, fix } = answer;
        let model = self.model.name().to_uppercase();
        Done { message: format!("Taut, {model}: {message}"), is_bad, remarks, fix, job: self }
    }

    fn answer(&self, budget: &Budget) -> Answer {
        let check = Check::of(&*self.loaded).model(self.model).budget(budget);
        let report = match check.run() {
            Ok(report) => report,
            Err(fault) => return Answer { message: fault.to_string(), ..Answer::default() },
        };
        let remarks = Annotations::of_reports(&self.loaded, std::slice::from_ref(&report)).remarks;
        let is_bad = report.is_violated();
        let (message, fix) = match is_bad {
            true => self.repaired(&check, &report),
            false => (told(&report), None),
        };
        Answer { message, is_bad, remarks, fix }
    }

    /// The cheapest repair of a program that is violated. SC needs none: no fence helps there.
    fn repaired(&self, check: &Check<'_>, report: &Report) -> (String, Option<Fix>) {
        let found = told(report);
        if !self.model.is_relaxed() {
            return (found, None);
        }
        let outcome = match Repair::new(&self.loaded).run(check) {
            Ok(report) => report.outcome,
            Err(error) => return (format!("{found} No repair: {error}."), None),
        };
        match outcome {
            Outcome::Repaired(fixed) => {
                let has_list = fixed.loaded.model.repair_list().is_some();
                let Some(set) = fixed.sets.first().filter(|_| !has_list) else {
                    return (found, None);
                };
                let title = format!("fix with {}", kinds(set));
                let verb = if set.places.len() == 1 { "fixes" } else { "fix" };
                let message = format!("{found} {} {verb} it.", kinds(set));
                (message, Some(Fix { model: self.model, title, text: fixed.text }))
            }
            Outcome::WrongUnderSc(_) | Outcome::Wrong(_) => {
                (format!("{found} So it is under SC: no fence helps."), None)
            }
            Outcome::Unrepairable(_) => (format!("{found} No fences fix it."), None),
            Outcome::Unknown(why) => (format!("{found} No repair was found: {why}."), None),
            Outcome::Right(_) | Outcome::Weakened(_) => (found, None),
        }
    }
}

#[derive(Default)]
struct Answer {
    message: String,
    is_bad: bool,
    remarks: Vec<Remark>,
    fix: Option<Fix>,
}

/// The verdicts of a report in a sentence.
fn told(report: &Report) -> String {
    let named = |kind: VerdictKind| -> Vec<&str> {
        let all = report.results.iter().filter(|result| result.verdict.kind() == kind);
        all.map(|result| result.name.as_str()).collect()
    };
    match report.verdict_kind() {
        VerdictKind::Violated => format!("{} violated.", named(VerdictKind::Violated).join(", ")),
        VerdictKind::Never => format!("no run reaches {}.", named(VerdictKind::Never).join(", ")),
        VerdictKind::Holds | VerdictKind::Covered => {
            let mut coverage: Vec<String> =
                report.results.iter().map(|result| result.verdict.coverage()).collect();
            coverage.dedup();
            format!("everything asked holds ({}).", coverage.join("; "))
        }
        VerdictKind::Unknown | VerdictKind::NotAsked => {
            let open = report.results.iter().find(|result| result.verdict.is_open());
            let why = open.map_or_else(String::new, |result| result.verdict.coverage());
            format!("{} unknown: {why}.", named(VerdictKind::Unknown).join(", "))
        }
    }
}
