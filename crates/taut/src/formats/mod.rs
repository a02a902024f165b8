//! Formats: the ways in which what commands find is written.
//!
//! [`FORMATS`] is the one list. It feeds the values and the help of `--format` of every command. To add a format, write a
//! file that implements [`Format`] and add a line to the list; or, from outside of this library, [`register`] it.
//!
//! Each method of [`Format`] is one thing that there is to show and returns what goes to standard output; a format
//! implements those of the commands that it says it [`shows`](Format::shows).
//!
//! ```
//! use taut::formats::{self, Page};
//! use taut::{Check, load};
//!
//! let loaded = load::from_text("p.taut", "shared int x; process p begin x := 1; end").expect("a program");
//! let reports = [Check::of(&loaded).run().expect("a report")];
//! let json = formats::named("json").expect("it is in the list");
//! assert!(json.report(&Page::default(), &loaded, &reports[0]).starts_with(r#"{"file":"p.taut""#));
//! ```

pub mod columns;
mod drawn;
mod github;
mod json;
mod sarif;
pub mod style;
pub mod text;

use std::fmt;
use std::sync::{PoisonError, RwLock};

use taut_ir::{Memory, MemoryModel};
use taut_litmus::{Outcome, Test};
use taut_render::Story;

use crate::annotate::Annotations;
use crate::json::RunDocument;
use crate::load::Loaded;
use crate::outcome::Report;
use crate::repair::RepairReport;
use crate::sarif::Ending;
use crate::suite::FileResult;
use crate::verdict::PropertyResult;

pub use drawn::Drawn;
pub use github::Github;
pub use json::Json;
pub use sarif::Sarif;
pub use text::Text;

/// The formats of Taut, in the order in which they are offered. The first one is the default.
pub const FORMATS: &[&dyn Format] = &[&Text, &Json, &Sarif, &Github];

/// A command whose findings can be written in several formats.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Shown {
    /// `taut check FILE`.
    Check,
    /// `taut check DIR`.
    Suite,
    /// `taut compare`.
    Compare,
    /// `taut explain`.
    Explain,
    /// `taut repair`.
    Repair,
    /// `taut litmus`.
    Litmus,
    /// `taut run`.
    Run,
}

/// The page that is written on.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Page {
    /// Number of columns.
    pub width: usize,
    /// Whether it shows colours.
    pub styled: bool,
    /// The arguments of the command, by which answers can be repeated.
    pub arguments: Vec<String>,
    /// Whether runs are drawn with all their rows; otherwise local steps are folded.
    pub full: bool,
    /// The runs that are on it.
    pub drawn: Drawn,
}

impl Default for Page {
    fn default() -> Page {
        Page::new(100, false, Vec::new())
    }
}

impl Page {
    /// A page for the answers to a command with these arguments.
    pub fn new(width: usize, styled: bool, arguments: Vec<String>) -> Page {
        Page { width, styled, arguments, full: false, drawn: Drawn::default() }
    }

    /// The page with runs drawn with all their rows, or with local steps folded.
    #[must_use]
    pub fn full(self, full: bool) -> Page {
        Page { full, ..self }
    }

    /// A page like this one with nothing on it: for another program.
    #[must_use]
    pub fn fresh(&self) -> Page {
        Page { drawn: Drawn::default(), ..self.clone() }
    }

    /// The line by which answers can be repeated, if something holds: a violation is shown by its run.
    pub fn repeat(&self, loaded: &Loaded, reports: &[Report]) -> String {
        let mut results = reports.iter().flat_map(|report| &report.results);
        if !results.any(|result| result.verdict.of_all_runs().is_some()) {
            return String::new();
        }
        let provenance = loaded.provenance(self.arguments.clone());
        format!("  repeat: {}\n", provenance.line())
    }
}

/// What of a check is to be shown besides its verdicts.
#[derive(Clone, Copy, Debug, Default)]
pub struct CheckView {
    /// A table of all properties.
    pub all: bool,
    /// What the searches did.
    pub stats: bool,
    /// The runs that reach what covers ask for.
    pub covers: bool,
}

/// How a repair is to be shown.
#[derive(Clone, Debug, Default)]
pub struct RepairView {
    /// Nothing but the change.
    pub only_diff: bool,
    /// The file that the fixed text was written to; if there is none, the change is shown.
    pub written_to: Option<String>,
    /// Whether the program was to be weakened.
    pub relax: bool,
}

/// What is violated first, and its story.
pub type Told<'r> = (&'r PropertyResult, Story);

/// A litmus test under a memory model, with its outcome; none if a limit was met.
#[derive(Clone, Copy, Debug)]
pub struct LitmusAnswer<'a> {
    /// The file of the test.
    pub file: &'a str,
    /// The test.
    pub test: &'a Test,
    /// The memory model.
    pub model: MemoryModel,
    /// Whether there are answers under other memory models, too.
    pub is_one_of_many: bool,
    /// The outcome.
    pub outcome: Option<&'a Outcome>,
}

/// A way to write what commands find. All text is for standard output; what a format does not implement is empty.
pub trait Format: Sync {
    /// Its name on the command line.
    fn name(&self) -> &'static str;

    /// One line of help.
    fn title(&self) -> &'static str;

    /// Whether it shows what a command finds.
    fn shows(&self, command: Shown) -> bool;

    /// Whether people read it as it is written: limits that are met, and how to go on after them, are part of it.
    fn is_for_people(&self) -> bool {
        false
    }

    /// Whether it shows what searches did.
    fn has_statistics(&self) -> bool {
        false
    }

    /// Whether it says what is wrong with the input; otherwise that goes to standard error.
    fn takes_messages(&self) -> bool {
        false
    }

    /// Whether it says why files of a suite were not checked; otherwise that goes to standard error.
    fn takes_errors_of_suites(&self) -> bool {
        self.takes_messages()
    }

    /// Whether it is made of annotations: [`Format::annotations`] is asked for.
    fn is_annotations(&self) -> bool {
        false
    }

    /// A violation as soon as it is found.
    fn violation(
        &self,
        page: &Page,
        loaded: &Loaded,
        memory: Memory,
        result: &PropertyResult,
    ) -> String {
        let _ = (page, loaded, memory, result);
        String::new()
    }

    /// A check of one memory model as soon as it has ended.
    fn report(&self, page: &Page, loaded: &Loaded, report: &Report) -> String {
        let _ = (page, loaded, report);
        String::new()
    }

    /// The checks of all memory models at the end.
    fn check(&self, page: &Page, loaded: &Loaded, reports: &[Report], view: CheckView) -> String {
        let _ = (page, loaded, reports, view);
        String::new()
    }

    /// A comparison of memory models.
    fn compare(&self, page: &Page, loaded: &Loaded, reports: &[Report]) -> String {
        let _ = (page, loaded, reports);
        String::new()
    }

    /// The files of a suite.
    fn suite(&self, page: &Page, folder: &str, files: &[FileResult]) -> String {
        let _ = (page, folder, files);
        String::new()
    }

    /// The story of what is violated first under a memory model.
    fn explain(
        &self,
        page: &Page,
        loaded: &Loaded,
        report: &Report,
        told: Option<&Told<'_>>,
    ) -> String {
        let _ = (page, loaded, report, told);
        String::new()
    }

    /// A repair.
    fn repair(
        &self,
        page: &Page,
        loaded: &Loaded,
        report: &RepairReport,
        view: &RepairView,
    ) -> String {
        let _ = (page, loaded, report, view);
        String::new()
    }

    /// A litmus test under a memory model.
    fn litmus(&self, answer: &LitmusAnswer<'_>) -> String {
        let _ = answer;
        String::new()
    }

    /// What was seen on the real processor.
    fn run(&self, page: &Page, run: &RunDocument) -> String {
        let _ = (page, run);
        String::new()
    }

    /// The findings of a check, of a comparison or of a suite, with their places, when the command ends.
    fn annotations(&self, annotations: &Annotations, ending: Ending) -> String {
        let _ = (annotations, ending);
        String::new()
    }

    /// The same for the summary of a job of a build server, if the format has one.
    fn job_summary(&self, annotations: &Annotations) -> Option<String> {
        let _ = annotations;
        None
    }
}

impl fmt::Debug for dyn Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Formats from outside of this library.
static REGISTERED: RwLock<Vec<&'static dyn Format>> = RwLock::new(Vec::new());

/// Adds a format to those of Taut, for the whole program. A format whose name is taken is not added.
///
/// The command line then knows it. Call this before any of them is used.
pub fn register(format: &'static dyn Format) {
    if named(format.name()).is_none() {
        REGISTERED.write().unwrap_or_else(PoisonError::into_inner).push(format);
    }
}

/// All formats: those of Taut, then those that were registered.
pub fn all() -> Vec<&'static dyn Format> {
    let registered = REGISTERED.read().unwrap_or_else(PoisonError::into_inner);
    FORMATS.iter().chain(registered.iter()).copied().collect()
}

/// The formats that show what a command finds.
pub fn of(command: Shown) -> Vec<&'static dyn Format> {
    all().into_iter().filter(|format| format.shows(command)).collect()
}

/// The format with a name.
pub fn named(name: &str) -> Option<&'static dyn Format> {
    all().into_iter().find(|format| format.name() == name)
}
