//! What can be asked for: the names that a request may use, examples, and limits.

use serde::Serialize;

/// What can be asked for.
#[derive(Clone, Debug, Serialize)]
pub struct Setup {
    /// The version of the program that serves.
    pub version: String,
    /// What jobs do.
    #[serde(skip)]
    pub tasks: Vec<&'static str>,
    /// Memory models.
    pub models: Vec<Named>,
    /// Engines.
    pub engines: Vec<Named>,
    /// Languages of programs.
    pub languages: Vec<NamedLanguage>,
    /// Programs to begin with.
    pub examples: Vec<Example>,
    /// Chapters of the book: the name of the file, and the title.
    pub book: Vec<NamedChapter>,
}

/// A chapter of the book.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct NamedChapter {
    /// The name of its file, below `book/`.
    pub file: &'static str,
    /// Its title.
    pub title: &'static str,
}

/// A name for programs, and one for people.
#[derive(Clone, Debug, Serialize)]
pub struct Named {
    /// The name in requests.
    pub name: &'static str,
    /// The name that is shown.
    pub title: &'static str,
}

/// A language.
#[derive(Clone, Debug, Default, Serialize)]
pub struct NamedLanguage {
    /// The name in requests.
    pub name: &'static str,
    /// The name that is shown.
    pub title: &'static str,
    /// The extensions of its files, without the dot, the usual one first.
    pub extensions: &'static [&'static str],
    /// The words that the editor colours.
    pub keywords: &'static [&'static str],
    /// True if they can be written in capitals, too.
    pub ignores_case: bool,
    /// The mark of a comment up to the end of the line.
    pub line_comment: Option<&'static str>,
    /// Whether observers are named beside the program (`ghost` of a [`Job`](crate::Job)).
    pub names_ghosts: bool,
    /// The marks around a comment.
    pub block_comment: Option<(&'static str, &'static str)>,
}

/// A program to begin with.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Example {
    /// The name of its file.
    pub name: &'static str,
    /// The name of its language.
    pub language: &'static str,
    /// What it is, in a few words.
    pub title: &'static str,
    /// The program.
    pub text: &'static str,
    /// The memory model under which it shows most.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model: Option<&'static str>,
}

/// What can be asked for, with the limits, as the page reads it.
#[derive(Clone, Debug, Serialize)]
pub struct Offer<'s> {
    /// The names and examples.
    #[serde(flatten)]
    pub setup: &'s Setup,
    /// What a job may cost.
    pub limits: OfferedLimits,
}

/// What a job may cost.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct OfferedLimits {
    /// The most bytes of a program.
    pub bytes: usize,
    /// Seconds of a job.
    pub seconds: f64,
    /// MiB of a job.
    pub memory_mib: u64,
    /// Jobs that run at once.
    pub jobs: usize,
    /// Jobs that may wait.
    pub waiting: usize,
}
