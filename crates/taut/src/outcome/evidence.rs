//! The evidence for what holds, as a report has it. [`crate::proof`] finds it.

use taut_certify::Accepted;
use taut_proof::{Claim, Evidence};

/// The evidence for what holds in a report.
#[derive(Clone, Debug, Default)]
pub struct Proof {
    /// What is claimed, with the evidence.
    pub claims: Vec<(Claim, Vec<u8>)>,
    /// Number of states, or of whatever the evidence is made of.
    pub states: u64,
    /// What holds and has no certificate, with the reason.
    pub open: Vec<Open>,
    /// What the checker said to each claim, if it was asked.
    pub accepted: Option<Vec<Accepted>>,
    /// The file that the evidence is written to, for reports.
    pub file: Option<String>,
}

/// Something that holds and has no certificate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Open {
    /// Its name.
    pub name: String,
    /// The reason.
    pub why: String,
}

impl Proof {
    /// What the evidence is made of, in words.
    pub fn extent(&self) -> String {
        let mut kinds: Vec<&str> = Vec::new();
        for (claim, _) in &self.claims {
            kinds.push(match claim.evidence {
                Evidence::Buffers => "symbolic states",
                Evidence::Constraints => "constraints",
                _ => "states",
            });
        }
        kinds.sort_by_key(|kind| *kind != "states");
        kinds.dedup();
        let kinds = if kinds.is_empty() { "states".into() } else { kinds.join(" and ") };
        let fewer =
            |(claim, _): &(Claim, Vec<u8>)| matches!(claim.evidence, Evidence::FewerStates { .. });
        let how = match self.claims.iter().any(fewer) {
            true => "with reductions that the checker knows",
            false => "without reductions",
        };
        format!("{} {kinds}, by a search of its own {how}", self.states)
    }

    /// Bytes of all evidence.
    pub fn bytes(&self) -> u64 {
        self.claims.iter().map(|(claim, _)| claim.bytes).sum()
    }

    /// The names of what is claimed.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.claims.iter().flat_map(|(claim, _)| claim.holds.iter().map(|p| p.name.as_str()))
    }
}
