//! `--proof FILE` and `--certify`: the evidence for what holds.

use taut::budget::Budget;
use taut::proof::{Certificate, certificate};
use taut::{EngineFault, Loaded, Report};

use super::args::ProofArgs;
use super::exit::Exit;
use super::files::deliver;
use super::output::eprint;

impl ProofArgs {
    /// Whether a certificate is asked for.
    pub fn is_asked(&self) -> bool {
        self.certify || self.proof_file.is_some()
    }

    /// The report with what was asked for.
    pub fn prove(
        &self,
        report: Report,
        loaded: &Loaded,
        budget: &Budget,
    ) -> Result<Report, EngineFault> {
        let mut report = match (self.certify, &self.proof_file) {
            (true, _) => report.certified(loaded, budget)?,
            (false, Some(_)) => report.with_proof(loaded, budget)?,
            (false, None) => return Ok(report),
        };
        if let (Some(proof), Some(path)) = (&mut report.proof, &self.proof_file) {
            proof.file = Some(path.display().to_string()).filter(|_| !proof.claims.is_empty());
        }
        Ok(report)
    }

    /// Writes the certificate of some reports, if one is asked for. Where nothing holds, nothing is written and nothing
    /// is removed.
    pub fn write(&self, loaded: &Loaded, reports: &[Report]) -> Exit {
        self.deliver(certificate(loaded, reports.iter().filter_map(|r| r.proof.as_ref())))
    }

    /// Writes a certificate, if one is asked for and there is one.
    pub fn deliver(&self, whole: Option<Certificate>) -> Exit {
        let Some(path) = &self.proof_file else { return Exit::Holds };
        let shown = path.display();
        let Some(whole) = whole else {
            let left = if path.exists() { "; the file that is there is left as it is" } else { "" };
            eprint(&format!("note: nothing has a certificate, `{shown}` is not written{left}\n"));
            return Exit::Holds;
        };
        match deliver(path, &whole.to_bytes()) {
            Ok(()) => Exit::Holds,
            Err(exit) => exit,
        }
    }
}
