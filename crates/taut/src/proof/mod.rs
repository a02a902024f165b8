//! Certificates: the evidence for what holds, written for a second program to check ([`taut_certify`]).
//!
//! A report has one claim per kind of evidence. What holds of states is shown by a set of states, which is
//! found by a search of its own (`walk.rs`): it takes the replayer's steps, leaves out only what the checker says need not
//! be there, and does not look at what the engine has seen. So a certificate has the same form whatever engine, store and
//! reduction gave the verdict, and an engine that is wrong about a `holds` is found out here at the latest.
//!
//! What has no certificate keeps its verdict and is told with the reason ([`Proof::open`]), unless one is demanded
//! ([`Report::certified`](crate::Report::certified)): then the answer is `unknown`.
//!
//! | file | idea |
//! | --- | --- |
//! | `header.rs` | how the program was read |
//! | `walk.rs` | the states, by the replayer's steps |
//! | `runs.rs` | the product with what reads runs, in components |
//! | `symbolic.rs` | the symbolic states, for buffers without a bound |
//! | `dual.rs` | constraints on load buffers, backward |
//! | `claims.rs` | what holds, as claims with their evidence |

mod claims;
mod dual;
pub(crate) mod header;
mod runs;
mod symbolic;
mod walk;

use taut_budget::Budget;
use taut_budget::Level::Work;
pub use taut_proof::Certificate;

use crate::load::Loaded;
use crate::outcome::{EngineFault, Refusal, Report};
pub use crate::outcome::{Open, Proof};
use crate::verdict::{PropertyResult, Unknown, Verdict};
use claims::Claims;
pub use claims::{
    claim_by_constraints, claim_every_number, claim_fewer_states, claim_property_of_runs,
    claim_states, claim_without_bound,
};

impl Proof {
    /// Has the checker look at the certificate of these claims. What cannot be checked within the budget is open.
    fn check(
        &mut self,
        loaded: &Loaded,
        budget: &Budget,
        whole: &Certificate,
    ) -> Result<(), EngineFault> {
        let property = self.names().next().unwrap_or_default().to_string();
        let fault = |why: String| EngineFault { property, refusal: Refusal::Proof(why) };
        let (text, bytes) = (loaded.text(), whole.to_bytes());
        let check = || taut_certify::certify(&loaded.name, &text, &bytes);
        match budget.within(None).run(Work, check) {
            Ok(Ok(accepted)) => self.accepted = Some(accepted.claims),
            Ok(Err(refusal)) => return Err(fault(format!("the checker refuses it: {refusal}"))),
            Err(met) => {
                let why = format!("its certificate was not checked: {met}");
                let names: Vec<String> = self.names().map(String::from).collect();
                self.claims.clear();
                let open = names.into_iter().map(|name| Open { name, why: why.clone() });
                self.open.extend(open);
            }
        }
        Ok(())
    }
}

impl Report {
    /// The report with the evidence for what holds, found within a budget. An error is a bug in Taut: the search for the
    /// evidence came across a violation of something that is said to hold.
    pub fn with_proof(mut self, loaded: &Loaded, budget: &Budget) -> Result<Report, EngineFault> {
        self.proof = Some(Claims::new(&self, loaded, budget).make()?);
        Ok(self)
    }

    /// The same, and the checker has accepted the evidence. What has none, or none that could be checked within the
    /// budget, is `unknown`. An error is a bug in Taut.
    pub fn certified(self, loaded: &Loaded, budget: &Budget) -> Result<Report, EngineFault> {
        let mut report = self.with_proof(loaded, budget)?;
        let mut proof = report.proof.take().unwrap_or_default();
        if let Some(whole) = certificate(loaded, [&proof]) {
            proof.check(loaded, budget, &whole)?;
        }
        report.withhold(&proof.open);
        report.proof = Some(proof);
        Ok(report)
    }

    /// Takes back what has no certificate.
    fn withhold(&mut self, open: &[Open]) {
        let races = self.races.iter_mut().map(|races| &mut races.result);
        let withhold = |result: &mut PropertyResult| {
            let why = open.iter().find(|open| open.name == result.name).map(|open| &open.why);
            if let (Verdict::Holds(_) | Verdict::Never(_), Some(why)) = (&result.verdict, why) {
                result.verdict = Verdict::Unknown(Unknown::Uncertified(why.clone()));
            }
        };
        self.results.iter_mut().chain(races).for_each(withhold);
    }
}

/// The certificate of some proofs of one program; none if nothing is claimed.
pub fn certificate<'a>(
    loaded: &Loaded,
    proofs: impl IntoIterator<Item = &'a Proof>,
) -> Option<Certificate> {
    let claims: Vec<_> = proofs.into_iter().flat_map(|proof| proof.claims.clone()).collect();
    (!claims.is_empty()).then(|| Certificate::new(header::of(loaded), claims))
}
