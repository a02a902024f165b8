//! The questions that a certificate is about.

use serde::{Deserialize, Serialize};

/// A question that has the answer `holds`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Proven {
    /// Its name.
    pub name: String,
    /// Its kind.
    pub kind: Kind,
}

/// The kind of a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// A property of the program, about steps, states or runs.
    Property,
    /// Whether everything can get stuck.
    Deadlock,
    /// Whether a step can fault.
    Fault,
    /// Whether a store can meet a full buffer, where that is an error.
    FullBuffer,
}
