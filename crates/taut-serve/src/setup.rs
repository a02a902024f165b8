//! What can be asked for: the names that a request may use, and examples.

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
    /// The marks around a comment.
    pub block_comment: Option<(&'static str, &'static str)>,
}

/// A program to begin with.
#[derive(Clone, Debug, Serialize)]
pub struct Example {
    /// The name of its file.
    pub name: &'static str,
    /// The name of its language.
    pub language: &'static str,
    /// What it is, in a few words.
    pub title: &'static str,
    /// The program.
    pub text: &'static str,
    /// A memory model under which it is worth a look.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model: Option<&'static str>,
}
