//! Languages: the one interface between a language and the rest of Taut.
//!
//! A *front end* ([`Frontend`]) reads the files of one language. It makes a *model* ([`Model`]) of a file: the syntax
//! tree and whatever else later questions about the source need. What engines explore is the [`Program`] that the
//! model is lowered to ([`Lowered`]).
//!
//! A language is one crate with one type that implements [`Frontend`], and one line in the list of the library
//! (`taut::frontends`). That list feeds the command line (`--language`, the languages' own options, help texts),
//! suites (comments at the head of a file), SARIF rules, the page in the browser and `taut fmt`. Nothing else names
//! a language.
//!
//! # Duties
//!
//! - **Read**: [`Frontend::load`] reads the text of one file, and the files it includes if [`FileAccess`] allows it,
//!   and returns messages with exact places or a model with its first program.
//! - **Claims**: properties that stand outside of the text ([`Claim`]). A front end with macros or constants reads
//!   them itself ([`Frontend::reads_claims`]); for the others they are read with the names of the program model.
//! - **Granularity**: where the usual granularity is [`Granularity::Statement`], the caller splits statements into
//!   accesses on demand. A front end that usually has one access per step obeys [`LoadContext::granularity`] itself.
//! - **Growth**: a model that can start any number of processes says how a larger program is made ([`Growth`]).
//! - **Repair**: the places of the text where fences and atomic writes can stand ([`Model::edit_sites`]) and their
//!   words ([`Frontend::fences`]); or a list next to the model ([`RepairList`]). For the opposite, the fences and atomic
//!   writes that can be weaker ([`Model::weakenings`]).
//!
//! Everything but [`Frontend::load`] and the names has a default.

mod comments;
mod growth;
mod model;
mod options;
mod repair;

use std::fmt::Debug;

use taut_source::{Diagnostic, Diagnostics, FileId, SourceMap};

pub use comments::CommentStyle;
pub use growth::{Growth, slots, with_more};
pub use model::{Labelled, Lowered, Model, RaceProgram, ReadModel, Warnings};
pub use options::{
    CHANNELS, DEFINE, NamedText, OptionKind, OptionSpec, OptionValues, RACES, THREADS, Threads,
};
pub use repair::{FenceWords, RepairList, Update};

use crate::Granularity;
use crate::claim::Claim;
#[cfg(doc)]
use crate::program::Program;

/// A language that Taut reads.
pub trait Frontend: Debug + Send + Sync {
    /// The name on the command line and in requests: `promela`.
    fn name(&self) -> &'static str;

    /// The name for people: `Promela`.
    fn title(&self) -> &'static str;

    /// The noun for one file of the language: `Promela model`.
    fn noun(&self) -> &'static str;

    /// One line of help: `Promela, the language of SPIN`.
    fn about(&self) -> &'static str;

    /// The extensions of its files without the dot, the usual one first.
    fn extensions(&self) -> &'static [&'static str];

    /// The form of comments, in which the headers of suites stand.
    fn comments(&self) -> CommentStyle {
        CommentStyle::Slashes
    }

    /// The words that an editor colours; in lower case if [case](Frontend::ignores_case) does not matter.
    fn keywords(&self) -> &'static [&'static str] {
        &[]
    }

    /// True if keywords can be written in capitals, too.
    fn ignores_case(&self) -> bool {
        false
    }

    /// The codes of its messages, each with what it is about.
    fn codes(&self) -> &'static [(&'static str, &'static str)] {
        &[]
    }

    /// The granularity unless another one is asked for.
    fn granularity(&self) -> Granularity {
        Granularity::Statement
    }

    /// The options of the command line that belong to the language. Options that several languages share have the
    /// same [`OptionSpec`].
    fn options(&self) -> &'static [OptionSpec] {
        &[]
    }

    /// True if [`Frontend::load`] reads [`LoadContext::claims`]. If not, they are read with the names of the program model.
    fn reads_claims(&self) -> bool {
        false
    }

    /// True if a file is its own specification, as a litmus test is: what is odd in it is meant, and there are no
    /// warnings about it.
    fn is_specification(&self) -> bool {
        false
    }

    /// True if a deadlock is a mistake unless something else is said. If not, the question is asked only by name
    /// (`--property deadlock`).
    fn asks_deadlock(&self) -> bool {
        true
    }

    /// True if users of the language expect the figures that SPIN prints below a verdict.
    fn shows_search_facts(&self) -> bool {
        false
    }

    /// How to declare a variable as an observer: the advice of a warning and the reason; none if the language has no
    /// such declaration.
    fn ghost_advice(&self, name: &str) -> Option<(String, String)> {
        let _ = name;
        None
    }

    /// The texts of fences; none if [`Model::edit_sites`] knows no places for them.
    fn fences(&self) -> Option<FenceWords<'static>> {
        None
    }

    /// The locked instruction that does a load and a store of a location at once.
    fn locked(&self, update: &Update, location: &str) -> String {
        let _ = update;
        format!("one locked instruction on {location}")
    }

    /// The reason why no store of a program can be made atomic, for a user who asks for atomic writes only.
    fn no_atomic_writes(&self) -> &'static str {
        "no store of the program can be made atomic; use `--with fences`"
    }

    /// What a text that was made weaker may have lost and no memory model of Taut shows, in one line.
    fn weakening_note(&self) -> Option<&'static str> {
        None
    }

    /// A note below a repaired text, such as a header that other tools need to read it.
    fn repair_note(&self, text: &str) -> Option<&'static str> {
        let _ = text;
        None
    }

    /// The text of a file before it is read: macros that the language leaves to another tool are expanded here. The
    /// sources are for messages about the text as it was given.
    fn expand(
        &self,
        name: &str,
        bytes: Vec<u8>,
        options: &OptionValues,
        sources: &mut SourceMap,
    ) -> Result<Vec<u8>, Box<Diagnostic>> {
        let _ = (name, options, sources);
        Ok(bytes)
    }

    /// Reads a file.
    fn load(&self, cx: &mut LoadContext<'_>) -> Result<ReadModel, Diagnostics>;

    /// How a file is written in the usual layout of the language; none if there is no such layout.
    fn formatter(&self) -> Option<Formatter> {
        None
    }
}

/// Writes a file in the usual layout of its language.
pub type Formatter = fn(&SourceMap, FileId) -> Result<String, Diagnostics>;

/// Everything that a front end needs to read a file.
#[derive(Debug)]
#[non_exhaustive]
pub struct LoadContext<'c> {
    /// The sources. Files that are included are added here, so that messages can point into them.
    pub sources: &'c mut SourceMap,
    /// The main file.
    pub file: FileId,
    /// Permission to read other files.
    pub access: FileAccess,
    /// The granularity of steps.
    pub granularity: Granularity,
    /// The values of the language's options.
    pub options: &'c OptionValues,
    /// Properties from outside of the text.
    pub claims: &'c [Claim],
}

impl<'c> LoadContext<'c> {
    /// Reads a file with some values of options and one statement per step, without claims.
    pub fn new(
        sources: &'c mut SourceMap,
        file: FileId,
        options: &'c OptionValues,
    ) -> LoadContext<'c> {
        let (access, granularity) = (FileAccess::default(), Granularity::Statement);
        LoadContext { sources, file, access, granularity, options, claims: &[] }
    }
}

/// Permission to read files besides the program's own.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FileAccess {
    /// Included files are read.
    #[default]
    Allowed,
    /// No file is opened and no program is started, whatever the text asks for. For texts from strangers.
    Denied,
}
