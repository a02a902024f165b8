//! Remarks about suites: expectations that are not met, and files that were not checked.

use super::{Answer, FileResult, Outcome, Status};
use crate::annotate::{
    Annotations, EXPECTATION, INTERNAL, Level, Remark, SourceLine, VACUITY, VerdictLine,
};
use crate::provenance::Provenance;

impl Annotations {
    /// What became of the files of a suite.
    pub fn of_suite(files: &[FileResult]) -> Annotations {
        let provenance = Provenance::of_files(files, Vec::new());
        let mut all = Annotations { provenance, ..Annotations::default() };
        for file in files {
            all.add_file(file);
        }
        all
    }

    fn add_file(&mut self, file: &FileResult) {
        match &file.outcome {
            Outcome::NoExpectation => {
                self.verdicts.push(line(file, "no expectation", "not run"));
            }
            Outcome::Refused(error) => {
                self.add_messages(&error.sources, &error.diagnostics);
                self.verdicts.push(line(file, "–", "error"));
            }
            Outcome::Fault(fault) => {
                let message = format!("{fault}. This is a bug in Taut: the verdict is withheld.");
                let remark = Remark::placeless(INTERNAL, "internal error", message);
                self.remarks.push(Remark { place: Some(SourceLine::top(&file.name())), ..remark });
                self.verdicts.push(line(file, "–", "error"));
            }
            Outcome::Checked(answers) => {
                for answer in answers {
                    self.remarks.extend(unmet(file, answer));
                    self.add_vacuity(file, answer);
                    self.verdicts.push(of_answer(file, answer));
                }
            }
        }
    }
}

impl Annotations {
    /// What never happens in a file; what is said of two models is said once.
    fn add_vacuity(&mut self, file: &FileResult, answer: &Answer) {
        let level = if answer.refuses_vacuity { Level::Error } else { Level::Note };
        for vacuous in &answer.vacuity {
            let subject = format!("{}/{VACUITY}/{}", file.name(), vacuous.message);
            if self.remarks.iter().any(|remark| remark.subject == subject) {
                continue;
            }
            let under = answer.expectation.model.name().to_uppercase();
            let message = format!("{} under {under} ({}).", vacuous.message, answer.coverage);
            let remark = Remark::placeless(VACUITY, &vacuous.message, message);
            let place = Some(vacuous.place.clone());
            self.remarks.push(Remark { level, place, subject, ..remark });
        }
    }
}

fn line(file: &FileResult, expected: &str, verdict: &str) -> VerdictLine {
    VerdictLine {
        file: file.name(),
        model: None,
        property: expected.into(),
        verdict: verdict.into(),
        coverage: String::new(),
    }
}

fn of_answer(file: &FileResult, answer: &Answer) -> VerdictLine {
    let met = if answer.status() == Status::Met { "as expected" } else { "not as expected" };
    VerdictLine {
        model: Some(answer.expectation.model.name()),
        coverage: answer.coverage.clone(),
        ..line(file, &answer.expectation.text(), &format!("{}, {met}", answer.got.name()))
    }
}

fn unmet(file: &FileResult, answer: &Answer) -> Option<Remark> {
    let level = match answer.status() {
        Status::Met | Status::NoExpectation => return None,
        Status::Unknown => Level::Open,
        Status::Differs | Status::Error => Level::Error,
    };
    let model = answer.expectation.model.name();
    let expected = answer.expectation.text();
    Some(Remark {
        level,
        rule: EXPECTATION,
        title: format!("expected {model} {expected}, got {}", answer.got.name()),
        message: format!("Expected {model} {expected}: {}.", answer.hint(&file.path)),
        place: answer.place.clone().or_else(|| Some(SourceLine::top(&file.name()))),
        related: Vec::new(),
        run: answer.run.clone(),
        subject: format!("{}/{model}/{expected}", file.name()),
        fix: None,
    })
}

impl Provenance {
    /// What answers about the files of a suite depend on.
    pub fn of_files(files: &[FileResult], arguments: Vec<String>) -> Provenance {
        let sources = files.iter().filter_map(|file| file.source.clone()).collect();
        Provenance::of_sources(sources, arguments)
    }
}
