//! The evidence for what holds.

use serde::Serialize;

use crate::proof::{Open, Proof};

/// The evidence for what holds in a report.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct ProofDocument<'a> {
    /// The file that it is written to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<&'a str>,
    /// The properties that it is about.
    pub properties: Vec<&'a str>,
    /// Number of states in it.
    pub states: u64,
    /// Bytes of the evidence, without the header of the file.
    pub bytes: u64,
    /// True if the checker has accepted it.
    pub accepted: bool,
    /// What holds by the search and has no certificate.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub open: Vec<OpenDocument<'a>>,
}

/// Something that holds and has no certificate.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct OpenDocument<'a> {
    /// The name of the property.
    pub property: &'a str,
    /// The reason.
    pub reason: &'a str,
}

impl<'a> From<&'a Proof> for ProofDocument<'a> {
    fn from(proof: &'a Proof) -> ProofDocument<'a> {
        let open = |Open { name, why }: &'a Open| OpenDocument { property: name, reason: why };
        ProofDocument {
            file: proof.file.as_deref(),
            properties: proof.names().collect(),
            states: proof.states,
            bytes: proof.bytes(),
            accepted: proof.accepted.is_some(),
            open: proof.open.iter().map(open).collect(),
        }
    }
}
