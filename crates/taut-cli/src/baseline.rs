//! `--baseline` and `--write-baseline`: violations that are known do not fail.
//!
//! What every check of the command finds is collected. With a baseline, what is in it does not count for the exit code;
//! at the end its stale entries are told. Without one, what was found is written. Limits and bad input count as ever.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use taut::annotate::Annotations;
use taut::baseline::{self, Baseline, KnownViolation, Recheck};
use taut::suite::{Answer, FileResult, Status};
use taut::{Loaded, Report};

use super::args::{BaselineArgs, FormatArg};
use super::exit::Exit;
use super::files;
use super::output::write_all;
use super::refused::Refused;

/// The violations that are known, and what is found.
pub struct Known {
    /// What to do; none if no baseline is asked for.
    action: Option<Action>,
    /// What was found, about each property or expectation.
    found: RefCell<Vec<(KnownViolation, Recheck)>>,
    /// The subjects of annotations about known violations.
    subjects: RefCell<BTreeSet<String>>,
}

enum Action {
    Compare(PathBuf, Baseline),
    Write(PathBuf),
}

impl Known {
    /// The baseline that was typed.
    pub fn of(args: &BaselineArgs) -> Result<Known, Refused> {
        let action = match (&args.baseline, &args.write_baseline) {
            (Some(path), _) => {
                let baseline = Baseline::read(path).map_err(Refused::Message)?;
                Some(Action::Compare(path.clone(), baseline))
            }
            (None, Some(path)) => Some(Action::Write(path.clone())),
            (None, None) => None,
        };
        Ok(Known { action, found: RefCell::default(), subjects: RefCell::default() })
    }

    /// Whether there is a baseline to read or to write.
    pub fn is_used(&self) -> bool {
        self.action.is_some()
    }

    /// Whether a violation does not fail: it is in the baseline, or will be.
    pub fn is_known(&self, entry: &KnownViolation) -> bool {
        match &self.action {
            Some(Action::Compare(_, baseline)) => baseline.contains(entry),
            Some(Action::Write(_)) => true,
            None => false,
        }
    }

    /// The exit of a report, apart from known violations.
    pub fn exit_of_report(&self, loaded: &Loaded, report: &Report) -> Exit {
        let Some(folder) = self.folder() else { return Exit::of(report) };
        let model = report.memory.model.name();
        let mut worst = if report.is_unknown() { Exit::Unknown } else { Exit::Holds };
        for (entry, found) in baseline::of_report(loaded, report, &folder) {
            let subject = format!("{}/{model}/{}", loaded.name, entry.property);
            worst = worst.max(self.take(entry, found, subject));
        }
        worst
    }

    /// The exit of one expectation of a suite, apart from known ones.
    pub fn exit_of_answer(&self, file: &FileResult, answer: &Answer) -> Exit {
        let (entry, found) = self.of_answer(file, answer);
        let expected = &answer.expectation;
        let subject = format!("{}/{}/{}", file.name(), expected.model.name(), expected.text());
        let exit = match (answer.status(), found) {
            (Status::Unknown, _) => Exit::Unknown,
            (Status::Differs, Recheck::Open) => Exit::Violated,
            _ => Exit::Holds,
        };
        exit.max(self.take(entry, found, subject))
    }

    /// What an expectation of a suite is in a baseline.
    pub fn of_answer(&self, file: &FileResult, answer: &Answer) -> (KnownViolation, Recheck) {
        baseline::of_answer(file, answer, &self.folder().unwrap_or_default())
    }

    /// Collects what was found; the exit that it asks for.
    fn take(&self, entry: KnownViolation, found: Recheck, subject: String) -> Exit {
        let is_violated = found == Recheck::Violated;
        let is_known = is_violated && self.is_known(&entry);
        if is_known {
            self.subjects.borrow_mut().insert(subject);
        }
        self.found.borrow_mut().push((entry, found));
        if is_violated && !is_known { Exit::Violated } else { Exit::Holds }
    }

    /// Annotations in which known violations are no errors.
    pub fn mark(&self, annotations: Annotations) -> Annotations {
        let subjects = self.subjects.borrow();
        annotations.with_known(|subject| subjects.contains(subject))
    }

    /// The folder that files are named from.
    fn folder(&self) -> Option<PathBuf> {
        match self.action.as_ref()? {
            Action::Compare(path, _) | Action::Write(path) => Some(baseline::folder_of(path)),
        }
    }

    /// Says what became of the baseline, or writes it; how the command ends.
    pub fn end(&self, format: FormatArg, exit: Exit) -> Exit {
        let (text, exit) = match &self.action {
            None => return exit,
            Some(Action::Compare(path, baseline)) => (self.compared(path, baseline), exit),
            Some(Action::Write(path)) => self.written(path, exit),
        };
        write_all(&text, !format.is_for_people());
        exit
    }

    /// Writes the baseline. One that lacks programs which could not be read would let them fail later.
    fn written(&self, path: &Path, exit: Exit) -> (String, Exit) {
        let shown = path.display();
        if exit >= Exit::BadInput {
            let why = "not everything could be checked";
            return (format!("baseline `{shown}` is not written: {why}\n"), exit);
        }
        let found = self.found.borrow();
        let violated = found.iter().filter(|(_, found)| *found == Recheck::Violated);
        let baseline = Baseline::of(violated.map(|(entry, _)| entry.clone()));
        match files::deliver(path, baseline.text().as_bytes()) {
            Ok(()) => {
                let violations = counted(baseline.entries().count(), "violation");
                (format!("baseline `{shown}`: {violations} written\n"), exit)
            }
            Err(not_written) => (String::new(), exit.max(not_written)),
        }
    }

    /// The numbers of known and new violations, the new ones, and the stale entries.
    fn compared(&self, path: &Path, baseline: &Baseline) -> String {
        let found = self.found.borrow();
        let violated = found.iter().filter(|(_, found)| *found == Recheck::Violated);
        let (known, new): (Vec<_>, Vec<_>) =
            violated.map(|(entry, _)| entry).partition(|entry| baseline.contains(entry));
        let folder = baseline::folder_of(path);
        let stale: Vec<_> = baseline.stale(&found, &folder).collect();
        let mut text = format!(
            "baseline `{}`: {}, {} new",
            path.display(),
            counted(known.len(), "known violation"),
            new.len()
        );
        if !stale.is_empty() {
            text.push_str(&format!(", {} stale", counted(stale.len(), "entry")));
        }
        text.push('\n');
        text.extend(new.iter().map(|entry| format!("  new: {entry}\n")));
        text.extend(stale.iter().map(|entry| format!("  stale: {entry}\n")));
        text
    }
}

/// A number of things, in words.
fn counted(number: usize, what: &str) -> String {
    match (number, what.strip_suffix('y')) {
        (1, _) => format!("1 {what}"),
        (_, Some(stem)) => format!("{number} {stem}ies"),
        (_, None) => format!("{number} {what}s"),
    }
}
