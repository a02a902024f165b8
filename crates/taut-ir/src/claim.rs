//! Questions about runs that are not in the text of a program: where their texts are.

use taut_ltl::Automaton;
use taut_source::FileId;

/// A question about runs, to be read by the front end of the program it is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claim {
    /// Its texts, as files that messages can point into: one, or of an automaton one for each of its
    /// atomic propositions.
    pub files: Vec<FileId>,
    /// What they are.
    pub text: ClaimText,
}

/// What the texts of a claim are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ClaimText {
    /// One formula.
    Formula {
        /// What the property is called.
        name: String,
    },
    /// Named formulas and macros.
    ///
    /// `ltl NAME: f`, `NAME: f` and `#property f` go up to the end of the line, or up to a `;`, or on as long
    /// as a parenthesis is open; `ltl NAME { f }` goes up to its brace. What `#property` gives is called
    /// `property_1`, `property_2` and so on. After `#define NAME text` the name stands for the text.
    File,
    /// An automaton that accepts the runs that must not be; the texts are its atomic propositions.
    Automaton {
        /// What the property is called.
        name: String,
        /// The automaton.
        automaton: Automaton,
    },
}
