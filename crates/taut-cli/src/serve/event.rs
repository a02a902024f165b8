//! The events of a job, and how they are said.

use std::io::{BufWriter, Write};

use serde::Serialize;
use taut::budget::{Met, Reason};
use taut::diag::{Diagnostic, Diagnostics, Severity, SourceMap, render};
use taut::{EngineFault, LoadError, Loaded, MemoryModel, Report};
use taut_html::Document;

use super::super::refused::Refused;

/// How much is written at once.
const PIECE: usize = 64 << 10;

/// An event, as a line of JSON. All but progress are the last one.
#[derive(Serialize)]
#[serde(tag = "event", rename_all = "lowercase")]
pub enum Event {
    /// How far it has come.
    Progress(Standing),
    /// What checks found.
    Report { document: Box<Document>, warnings: Vec<Said> },
    /// What came of a repair.
    Repaired(Box<Repaired>),
    /// The program has mistakes, or asks for what it cannot have.
    Refused { diagnostics: Vec<Said>, rendered: String },
    /// Taut is at fault.
    Stopped { reason: &'static str, message: String, hint: &'static str },
}

/// How far a job has come; what is not known yet is null.
#[derive(Serialize)]
pub struct Standing {
    pub seconds: f64,
    pub stage: String,
    pub states: Option<u64>,
    pub transitions: Option<u64>,
    pub depth: Option<u64>,
    pub bytes: Option<u64>,
}

/// What came of a repair.
#[derive(Serialize)]
pub struct Repaired {
    pub outcome: &'static str,
    pub summary: String,
    pub places: Vec<Place>,
    pub cost: Option<u64>,
    pub diff: String,
    /// The fixed program, where the program itself is changed.
    pub text: Option<String>,
    /// The list of atomic writes and fences, where that is changed.
    pub list: Option<String>,
    pub document: Option<Document>,
    pub warnings: Vec<Said>,
}

/// A place that is changed.
#[derive(Serialize)]
pub struct Place {
    pub line: u32,
    pub kind: &'static str,
    pub r#where: String,
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
    /// Says it. Who does not listen any more has ended the job.
    pub fn say(&self) {
        let mut out = BufWriter::with_capacity(PIECE, std::io::stdout().lock());
        let _ = serde_json::to_writer(&mut out, self);
        let _ = out.write_all(b"\n").and_then(|()| out.flush());
    }

    /// A program that cannot be read.
    pub fn unreadable(error: &LoadError) -> Event {
        Event::Refused {
            diagnostics: said(&error.sources, &error.diagnostics),
            rendered: error.render(false),
        }
    }

    /// What the command line refuses, too.
    pub fn of_refusal(refused: &Refused) -> Event {
        match refused {
            Refused::Text(error) => Event::unreadable(error),
            Refused::Message(words) => Event::refused(words),
            Refused::Spent(met) => Event::spent(met),
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
            Reason::Time(_) => {
                ("time", "Try a smaller program, or start the server with a larger --timeout.")
            }
            Reason::Memory(_) => {
                ("memory", "Try a smaller program, or start the server with a larger --max-memory.")
            }
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
