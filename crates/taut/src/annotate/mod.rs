//! What is to be said about the lines of a program, for tools that show it beside them.
//!
//! An [`Annotations`] is what checks, suites and refusals come to before a format is chosen: [`crate::sarif`] and
//! [`github`] only write it down. Nothing is decided here that a verdict does not say. What holds is no remark;
//! it is in the list of verdicts, together with what it covers.

mod checks;
pub mod github;
mod messages;
mod place;
mod run;
mod vacuity;

pub use place::SourceLine;
pub use run::TraceEvent;
pub(crate) use run::trace_events;

use crate::provenance::Provenance;

/// How much a remark matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// Violated, and in the baseline.
    Known,
    /// Something that never happens.
    Note,
    /// Something is left open.
    Open,
    /// Worth a look.
    Warning,
    /// Something is violated, refused, or not as expected.
    Error,
}

/// One thing to say, at most places about one place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Remark {
    /// How much it matters.
    pub level: Level,
    /// What it is an instance of: the kind of a question such as `forbid`, the code of a message such as `T0010`, or
    /// [`EXPECTATION`], [`VACUITY`], [`REFUSED`] or [`INTERNAL`].
    pub rule: &'static str,
    /// What is to be said, in a few words.
    pub title: String,
    /// What is to be said, in sentences.
    pub message: String,
    /// Where; none if it is about no place in a file.
    pub place: Option<SourceLine>,
    /// Other places that matter, each with a few words.
    pub related: Vec<(SourceLine, String)>,
    /// The run that shows it, if there is one.
    pub run: Vec<TraceEvent>,
    /// What it is about, in words that stay the same when lines move.
    pub subject: String,
    /// The text that takes that of the place, where that fixes it for certain.
    pub fix: Option<String>,
}

/// The rule of expectations that are not met.
pub const EXPECTATION: &str = "expectation";
/// The rule of what never happens.
pub const VACUITY: &str = "vacuity";
/// The rule of what is refused without a code: files that cannot be read, options that do not go together.
pub const REFUSED: &str = "refused";
/// The rule of Taut's own faults.
pub const INTERNAL: &str = "internal-error";

impl Remark {
    /// A remark that is about no place.
    pub(crate) fn placeless(rule: &'static str, title: &str, message: String) -> Remark {
        Remark {
            level: Level::Error,
            rule,
            title: title.into(),
            subject: message.clone(),
            message,
            place: None,
            related: Vec::new(),
            run: Vec::new(),
            fix: None,
        }
    }
}

/// One verdict, or how an expectation did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VerdictLine {
    /// The file.
    pub file: String,
    /// The memory model; none if the file was not checked.
    pub model: Option<&'static str>,
    /// The property, or of a suite what is expected.
    pub property: String,
    /// The verdict; of a suite, together with how the expectation did.
    pub verdict: String,
    /// What it covers.
    pub coverage: String,
}

/// All that is to be said.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Annotations {
    /// What is not as it should be.
    pub remarks: Vec<Remark>,
    /// What was found, good or bad.
    pub verdicts: Vec<VerdictLine>,
    /// What the verdicts depend on.
    pub provenance: Provenance,
}

impl Annotations {
    /// That something is refused for a reason that is in no file.
    pub fn of_refusal(message: &str) -> Annotations {
        Annotations::of_remark(Remark::placeless(REFUSED, "refused", message.into()))
    }

    /// That Taut itself is at fault.
    pub fn of_fault(fault: &crate::EngineFault) -> Annotations {
        let message = format!("{fault}. This is a bug in Taut: the verdict is withheld.");
        Annotations::of_remark(Remark::placeless(INTERNAL, "internal error", message))
    }

    /// Adds what is to be said of another program.
    pub fn add(&mut self, other: Annotations) {
        self.remarks.extend(other.remarks);
        self.verdicts.extend(other.verdicts);
        self.provenance.version = other.provenance.version;
        self.provenance.sources.extend(other.provenance.sources);
    }

    /// The same, but that violations are known whose subject is.
    pub fn with_known(mut self, is_known: impl Fn(&str) -> bool) -> Annotations {
        let errors = self.remarks.iter_mut().filter(|remark| remark.level == Level::Error);
        for remark in errors.filter(|remark| is_known(&remark.subject)) {
            remark.level = Level::Known;
            remark.message.push_str(" It is in the baseline.");
        }
        self
    }

    fn of_remark(remark: Remark) -> Annotations {
        Annotations { remarks: vec![remark], ..Annotations::default() }
    }
}
