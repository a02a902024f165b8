//! An open document: its text, the program that was read from it, and what a check found.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use serde_json::Value;
use taut::budget::{Budget, Level};
use taut::load::{FileAccess, LoadOptions, from_bytes};
use taut::{Language, LoadError, Loaded};

use crate::jobs::Fix;

/// The largest text that is read while it is typed.
const MOST_BYTES: usize = 1 << 20;

/// The time for reading a text.
const MOST_TIME: Duration = Duration::from_secs(2);

/// The time after a change before the text is read: while keys are pressed, nothing is.
const QUIET: Duration = Duration::from_millis(120);

/// What came of reading a text.
pub enum Reading {
    /// A program.
    Program(Arc<Loaded>),
    /// Mistakes.
    Mistakes(Box<LoadError>),
    /// Nothing, and why.
    Not(String),
}

/// An open document.
pub struct Document {
    /// Its name in the protocol.
    pub uri: String,
    /// The number that the editor gave to the text.
    pub version: i64,
    /// The text as the editor has it.
    pub text: String,
    /// Its language.
    pub language: Language,
    /// What was read from this text; none before it is read.
    pub reading: Option<Reading>,
    /// The last program, of this text or of an earlier one.
    pub program: Option<Arc<Loaded>>,
    /// The time at which the text is to be read.
    pub due: Option<Instant>,
    /// Violations that a check of this text found, as diagnostics.
    pub violations: Vec<Value>,
    /// Changes that fix this text, each under a memory model.
    pub fixes: Vec<Fix>,
}

impl Document {
    pub fn new(uri: String, version: i64, text: String, language: Language) -> Document {
        Document {
            uri,
            version,
            text,
            language,
            reading: None,
            program: None,
            due: None,
            violations: Vec::new(),
            fixes: Vec::new(),
        }
    }

    /// Takes another text; it is read when no further one came for a while.
    pub fn change(&mut self, version: i64, text: String) {
        self.version = version;
        self.text = text;
        self.reading = None;
        self.violations.clear();
        self.fixes.clear();
        self.due = Some(Instant::now() + QUIET);
    }

    /// Reads the text, if that has not been done.
    pub fn read(&mut self) {
        self.due = None;
        if self.reading.is_some() {
            return;
        }
        let reading = read(&self.uri, &self.text, self.language);
        if let Reading::Program(loaded) = &reading {
            self.program = Some(loaded.clone());
        }
        self.reading = Some(reading);
    }

    /// The program of this very text.
    pub fn current(&self) -> Option<&Arc<Loaded>> {
        match self.reading.as_ref()? {
            Reading::Program(loaded) => Some(loaded),
            Reading::Mistakes(_) | Reading::Not(_) => None,
        }
    }
}

/// The last part of a name in the protocol.
pub fn name_of(uri: &str) -> &str {
    uri.rsplit('/').next().unwrap_or(uri)
}

/// The language of a document: what the editor says, or the extension.
pub fn language_of(id: &str, uri: &str) -> Option<Language> {
    Language::named(id).or_else(|| Language::of_path(Path::new(name_of(uri))))
}

/// Reads a text within limits, and without opening any file.
fn read(uri: &str, text: &str, language: Language) -> Reading {
    if text.len() > MOST_BYTES {
        return Reading::Not("the document is too large to be read while it is edited".into());
    }
    let access = FileAccess::Denied;
    let options = LoadOptions { language: Some(language), access, ..LoadOptions::default() };
    let budget = Budget::new().time(Some(MOST_TIME));
    let work = || from_bytes(name_of(uri), text.as_bytes().to_vec(), options);
    // A front end that panics is a bug, and no reason to leave the editor without a server.
    match catch_unwind(AssertUnwindSafe(|| budget.run(Level::Work, work))) {
        Ok(Ok(Ok(loaded))) => Reading::Program(Arc::new(loaded)),
        Ok(Ok(Err(error))) => Reading::Mistakes(error),
        Ok(Err(met)) => Reading::Not(met.to_string()),
        Err(_) => Reading::Not("internal error: the program cannot be read".into()),
    }
}
