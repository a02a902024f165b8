//! Programs with their store buffers written out, for tools that know only sequential consistency.
//!
//! [`promela()`] turns any program under any memory model with bounded buffers into plain Promela that SPIN
//! accepts as it is: the buffers are arrays, the memory commits in processes of its own, properties of
//! states are assertions, and properties of runs are claims. SPIN then gives the same verdicts as Taut,
//! which is also how Taut is tested.
//!
//! [`c()`] turns a program, as it runs under SC, into C with POSIX threads for verifiers of C programs.
//!
//! [`harness()`] turns a program into a C file that runs its processes on the real processor, over and over, and counts
//! final states and violations.

mod c;
mod harness;
mod promela;
mod text;

use std::fmt;

use taut_ir::{Fairness, PropId};

pub use c::c;
pub use harness::{Harness, HarnessEvent, HarnessRefusal, Loads, harness};
pub use promela::{promela, promela_with};

/// What an export is made for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ExportOptions {
    /// The runs that count for temporal properties. SPIN has fairness of its processes or none, so this
    /// decides which processes there are. It changes nothing where no property is temporal.
    pub fairness: Fairness,
}

impl Default for ExportOptions {
    fn default() -> ExportOptions {
        ExportOptions { fairness: Fairness::ALL }
    }
}

/// A program in Promela, and how SPIN is to be asked about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Export {
    /// The program.
    pub text: String,
    /// The properties that have become claims: all that speak of states and runs if one of them is
    /// temporal, else none. Assertions and deadlock are asked for without a claim, by `spin -DSAFETY -a`
    /// and a verifier that is compiled with `-DSAFETY -DNOCLAIM`.
    pub claims: Vec<ExportedClaim>,
    /// What a verifier of claims is to be compiled with, besides optimisation.
    pub compile: Vec<String>,
    /// What a verifier of claims is to be run with, besides `-N` and the name of one.
    pub run: Vec<String>,
    /// Whether SPIN's verdicts then are about the fairness that was asked for. The text says why if not.
    pub exact: bool,
}

/// A property as a claim.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExportedClaim {
    /// The property.
    pub property: PropId,
    /// The name of the claim, for SPIN's `-N`.
    pub name: String,
}

/// Why a program cannot be exported.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExportError(String);

impl ExportError {
    pub(crate) fn new(message: impl Into<String>) -> ExportError {
        ExportError(message.into())
    }
}

impl fmt::Display for ExportError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for ExportError {}
