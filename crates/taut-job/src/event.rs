//! The events of a job.

use serde::Serialize;
use taut::budget::{Met, Reason};
use taut::diag::{Diagnostic, Diagnostics, Severity, SourceMap, render};
use taut::engines::Unsupported;
use taut::{EngineFault, LoadError, Loaded, MemoryModel, Report};
use taut_html::Document;

/// An event, as an object of JSON that begins with its name. All but the first two are the last one.
#[derive(Serialize)]
#[serde(tag = "event", rename_all = "lowercase")]
pub enum Event {
    /// How far it has come.
    Progress(Progressed),
    /// What checks found until now.
    Partial {
        /// The report as far as it goes.
        document: Box<Document>,
        /// What is worth a look in the program.
        warnings: Vec<Said>,
    },
    /// What checks found.
    Report {
        /// The report.
        document: Box<Document>,
        /// What is worth a look in the program.
        warnings: Vec<Said>,
    },
    /// What came of a repair.
    Repaired(Box<RepairOutcome>),
    /// The program has mistakes, or asks for what it cannot have.
    Refused {
        /// The messages.
        diagnostics: Vec<Said>,
        /// The messages as a terminal shows them.
        rendered: String,
    },
    /// Taut is at fault.
    Stopped {
        /// `time`, `memory` or `crash`.
        reason: &'static str,
        /// A sentence.
        message: String,
        /// What can be done about it.
        hint: &'static str,
    },
}

/// How far a job has come; what is not known yet is null.
#[derive(Serialize)]
pub struct Progressed {
    /// Seconds since it began.
    pub seconds: f64,
    /// What is being done: `checking tso`.
    pub stage: String,
    /// States.
    pub states: Option<u64>,
    /// Transitions.
    pub transitions: Option<u64>,
    /// Steps from the initial state.
    pub depth: Option<u64>,
    /// Bytes of the states.
    pub bytes: Option<u64>,
}

/// What came of a repair.
#[derive(Serialize)]
pub struct RepairOutcome {
    /// `fixed`, `right`, `wrong-under-sc`, `impossible` or `unknown`.
    pub outcome: &'static str,
    /// It in sentences.
    pub summary: String,
    /// The places that are changed.
    pub places: Vec<Place>,
    /// What they cost.
    pub cost: Option<u64>,
    /// The change, as a unified diff.
    pub diff: String,
    /// The fixed program, where the program itself is changed.
    pub text: Option<String>,
    /// The list of atomic writes and fences, where that is changed.
    pub list: Option<String>,
    /// The report of the program that was checked last.
    pub document: Option<Document>,
    /// What is worth a look in the program.
    pub warnings: Vec<Said>,
}

/// A place that is changed.
#[derive(Serialize)]
pub struct Place {
    /// The line.
    pub line: u32,
    /// `fence`, `atomic write` and the like.
    pub kind: &'static str,
    /// The place in words.
    pub r#where: String,
    /// Its processes.
    pub processes: Vec<String>,
    /// What it is needed for; empty if that is not known.
    pub why: String,
}

/// A message about the program.
#[derive(Serialize)]
pub struct Said {
    severity: &'static str,
    code: &'static str,
    line: Option<u32>,
    column: Option<u32>,
    end_line: Option<u32>,
    end_column: Option<u32>,
    message: String,
    hint: Option<String>,
}

impl Event {
    /// A program that cannot be read.
    pub fn unreadable(error: &LoadError) -> Event {
        Event::Refused {
            diagnostics: said(&error.sources, &error.diagnostics),
            rendered: error.render(false),
        }
    }

    /// What an engine does not answer.
    pub fn unsupported(loaded: &Loaded, why: &Unsupported) -> Event {
        match LoadError::unsupported(&loaded.sources, why) {
            Some(error) => Event::unreadable(&error),
            None => Event::refused(&why.message),
        }
    }

    /// Something that cannot be asked, in words.
    pub fn refused(words: &str) -> Event {
        let diagnostic = Diagnostic::error("E0012", words, taut::diag::Span::NONE);
        let sources = SourceMap::new();
        Event::Refused {
            diagnostics: vec![one(&sources, &diagnostic)],
            rendered: render(&sources, &diagnostic, false),
        }
    }

    /// A limit that was met before there was a program to check.
    pub fn spent(met: &Met) -> Event {
        let (reason, hint) = match met.reason {
            Reason::Time(_) => ("time", "Try a smaller program, or more time."),
            Reason::Memory(_) => ("memory", "Try a smaller program, or more memory."),
            Reason::Interrupted => ("crash", "Try again."),
        };
        Event::Stopped { reason, message: format!("Unknown: {met}."), hint }
    }

    /// A fault of Taut's own.
    pub fn fault(fault: &EngineFault) -> Event {
        Event::internal(&fault.to_string())
    }

    /// A fault of Taut's own, in words.
    pub fn internal(words: &str) -> Event {
        Event::Stopped {
            reason: "crash",
            message: format!("Taut made a mistake, and the answer is withheld: {words}."),
            hint: "This is a bug in Taut. Please report it with the program.",
        }
    }
}

/// What is worth a look under some memory models though the program is accepted.
pub fn warnings(loaded: &Loaded, models: &[MemoryModel], reports: &[Report]) -> Vec<Said> {
    let mut all = said(&loaded.sources, &loaded.warnings);
    all.extend(said(&loaded.sources, &loaded.warnings_under(models)));
    let races = reports.iter().filter_map(Report::race_warning);
    all.extend(races.map(|warning| one(&loaded.sources, &warning)));
    all
}

fn said(sources: &SourceMap, diagnostics: &Diagnostics) -> Vec<Said> {
    diagnostics.sorted().into_iter().map(|diagnostic| one(sources, diagnostic)).collect()
}

fn one(sources: &SourceMap, diagnostic: &Diagnostic) -> Said {
    let span = diagnostic.span;
    let (start, end) = (sources.position(span), sources.position(span.after()));
    Said {
        severity: match diagnostic.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
        },
        code: diagnostic.code,
        line: start.map(|at| at.line),
        column: start.map(|at| at.column),
        end_line: end.map(|at| at.line),
        end_column: end.map(|at| at.column),
        message: diagnostic.message.clone(),
        hint: diagnostic.help.clone(),
    }
}
