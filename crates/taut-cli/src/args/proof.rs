//! Certificates.

use std::path::PathBuf;

/// Certificates for what holds.
#[derive(Clone, Debug, clap::Args)]
pub struct ProofArgs {
    /// Write the evidence for what holds to a file, for `taut-certify`.
    #[arg(long = "proof", value_name = "FILE")]
    pub proof_file: Option<PathBuf>,
    /// Have the evidence for what holds checked by the code of `taut-certify`; what has none is unknown.
    #[arg(long)]
    pub certify: bool,
}
