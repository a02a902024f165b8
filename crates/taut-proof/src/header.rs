//! What is claimed, in JSON: of which text, read how, under which memory model.
//!
//! Nothing in the header is believed. It tells the checker how to read the program and what to check; what the checker
//! says in the end is what it has seen itself.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::proven::Proven;
use crate::repair::Repair;

/// The version of the format.
pub const VERSION: u32 = 1;

/// The header of a certificate.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Header {
    /// The version of the format.
    pub version: u32,
    /// The version of Taut that wrote it.
    pub taut: String,
    /// The texts that the program was read from, its own file first.
    pub sources: Vec<Text>,
    /// The language.
    pub language: String,
    /// The granularity of steps, if it is not that of the language.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub granularity: Option<String>,
    /// The options of the language, as far as they were given.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub options: BTreeMap<String, Vec<String>>,
    /// The options of the language that are files.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub files: BTreeMap<String, Include>,
    /// The questions that were asked from outside of the text.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub asked: Vec<Outside>,
    /// The repair that made the text of this certificate out of another one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub repair: Option<Repair>,
    /// What is claimed, with the lengths of the bodies.
    pub claims: Vec<Claim>,
}

/// A text by its name and hash.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Text {
    /// The name of its file, as it was given.
    pub file: String,
    /// The SHA-256 of its bytes, in hexadecimal digits.
    pub sha256: String,
}

/// A file that an option names.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Include {
    /// Its name.
    pub name: String,
    /// What it holds.
    pub text: String,
}

/// A question from outside of the text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Outside {
    /// A formula.
    Ltl(String),
    /// The formulas of a file.
    LtlFile(Include),
    /// An automaton in the Hanoi omega-automata format.
    Hoa(Include),
    /// Labels that begin with `progress`.
    Progress,
    /// Labels that begin with `accept`.
    Acceptance,
}

/// Something that is claimed, and how it is shown.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Claim {
    /// The memory model.
    pub model: String,
    /// Entries per buffer; none for buffers without a bound.
    pub bound: Option<u32>,
    /// True if a store into a full buffer is an error, false if it waits.
    #[serde(default, skip_serializing_if = "is_false")]
    pub full_is_error: bool,
    /// For a model that can start any number of processes, how many of each definition the program has.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub slots: Option<BTreeMap<String, u32>>,
    /// True if it is about the program that looks for data races.
    #[serde(default, skip_serializing_if = "is_false")]
    pub races: bool,
    /// What holds.
    pub holds: Vec<Proven>,
    /// What ends runs early.
    pub cut: Cut,
    /// How it is shown.
    pub evidence: Evidence,
    /// The length of the body in bytes.
    pub bytes: u64,
}

/// What ends runs early. A claim covers the runs up to there and says so.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Cut {
    /// A store meets a full buffer.
    #[serde(skip_serializing_if = "is_false")]
    pub buffer: bool,
    /// A spawn or an allocation finds nothing left.
    #[serde(skip_serializing_if = "is_false")]
    pub threads: bool,
    /// A call finds the stack full.
    #[serde(skip_serializing_if = "is_false")]
    pub calls: bool,
    /// A step faults.
    #[serde(skip_serializing_if = "is_false")]
    pub fault: bool,
}

impl Cut {
    /// Whether this names everything that the other one has.
    pub fn names(self, other: Cut) -> bool {
        (self.buffer || !other.buffer)
            && (self.threads || !other.threads)
            && (self.calls || !other.calls)
            && (self.fault || !other.fault)
    }

    /// What either has.
    #[must_use]
    pub fn or(self, other: Cut) -> Cut {
        Cut {
            buffer: self.buffer || other.buffer,
            threads: self.threads || other.threads,
            calls: self.calls || other.calls,
            fault: self.fault || other.fault,
        }
    }
}

/// How a claim is shown.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Evidence {
    /// A set of states that has the initial one, that no step leaves, and in which nothing is wrong.
    States,
    /// Such a set in which some steps are left out: those that lead to other orders of processes that may change places,
    /// and in some states those of all processes but one.
    FewerStates {
        /// Groups of processes that may change places.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        alike: Vec<Vec<u32>>,
    },
    /// For buffers without a bound: a set of states without buffers, with automata for what buffers may hold.
    Buffers,
    /// For buffers without a bound under TSO: constraints that have what must not be, and of which no transition leads in from
    /// outside, in the semantics with load buffers. The initial state is in none.
    Constraints,
    /// Such a set, and for a property of runs the nodes of its reader with the numbers of their components.
    Runs {
        /// The runs that count.
        fairness: String,
    },
}

fn is_false(value: &bool) -> bool {
    !value
}

/// The SHA-256 of some bytes, in hexadecimal digits.
pub fn sha256(bytes: &[u8]) -> String {
    hmac_sha256::Hash::hash(bytes).map(|byte| format!("{byte:02x}")).concat()
}
