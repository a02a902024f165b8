//! A checker of certificates: small, separate, and meant to be read in an evening.
//!
//! `taut check --proof` writes a certificate beside a `holds`. [`certify`] reads the program again, with the front end
//! of its language, and checks the certificate against it. Steps are taken by the replayer ([`taut_witness`]), which
//! shares no code with the engines. Nothing here searches: the certificate says which states there are, and each of
//! them is looked at once, in any order.
//!
//! What is believed: the front ends, the program model, the replayer's single step, and this crate. What is not: the
//! engines, their stores and reductions, the simplification of programs, and every byte of the certificate.
//!
//! | file | idea |
//! | --- | --- |
//! | `read.rs` | the program, read as the certificate says |
//! | `asked.rs` | questions from outside of the text |
//! | `states.rs` | a set of states that no step leaves |
//! | `alike.rs` | processes that may change places |
//! | `chosen.rs` | states from which the steps of one process are enough |
//! | `runs.rs` | a property of runs: components of which each misses something |
//! | `tableau.rs` | what reads runs |
//! | `buffers.rs`, `words.rs` | buffers without a bound: sets of states, by automata |
//! | `dual.rs`, `bad.rs` | the same backward: constraints on load buffers |
//! | `crowd.rs` | the same for every number of processes, and for SC |
//! | `repair` | the places of a text, and runs that show that no cheaper repair is enough |
//! | `cover.rs` | what is proven, in words |

#![forbid(unsafe_code)]

mod alike;
mod asked;
mod bad;
mod buffers;
mod chosen;
mod cover;
mod crowd;
mod dual;
mod read;
mod repair;
mod runs;
mod states;
mod tableau;
mod words;

use std::fmt;

use taut_ir::{FullBuffer, Memory, MemoryModel, Program};
use taut_proof::{Certificate, Claim, Damaged, Evidence, Header};

pub use alike::{Alike, may_exchange};
pub use chosen::{Choices, Chooser};
pub use cover::Accepted;
pub use crowd::instance;
pub use dual::Dual;
pub use repair::{Fixed, Place, Places, cheaper, is_within};
pub use runs::{Transition, reader as run_reader, transitions};
pub use tableau::RunReader;

use read::Reading;

/// Why a certificate is not accepted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// The program cannot be read; its messages.
    Program(String),
    /// The certificate is no proof.
    Proof(String),
}

impl Refusal {
    pub(crate) fn proof(why: impl Into<String>) -> Refusal {
        Refusal::Proof(why.into())
    }

    /// The same, with the claim that it is about in front.
    fn of_claim(self, number: usize, claim: &Claim) -> Refusal {
        match self {
            Refusal::Proof(why) => {
                Refusal::Proof(format!("claim {} ({}): {why}", number + 1, claim.model))
            }
            program @ Refusal::Program(_) => program,
        }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refusal::Program(messages) => f.write_str(messages),
            Refusal::Proof(why) => f.write_str(why),
        }
    }
}

impl std::error::Error for Refusal {}

impl From<Damaged> for Refusal {
    fn from(damaged: Damaged) -> Refusal {
        Refusal::Proof(damaged.0)
    }
}

/// What a certificate proves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Certified {
    /// What holds, claim by claim.
    pub claims: Vec<Accepted>,
    /// The repair that made the text that the claims are about.
    pub fixed: Option<Fixed>,
}

/// Checks a certificate against a program: the name of its file, the bytes of that file, the bytes of the certificate.
/// Beside the certificate of a repair, the file may be the one that was fixed or its fix.
pub fn certify(file: &str, text: &[u8], proof: &[u8]) -> Result<Certified, Refusal> {
    let Certificate { header, bodies } = Certificate::from_bytes(proof)?;
    if header.claims.is_empty() {
        return Err(Refusal::proof("it claims nothing"));
    }
    let Some(repair) = &header.repair else {
        let reading = Reading::new(file, text, &header)?;
        return Ok(Certified { claims: certify_claims(&reading, &header, &bodies)?, fixed: None });
    };
    let places = Places::new(file, &header, repair)?;
    let text = Fixed::text(&places, repair, text)?;
    let reading = Reading::new(file, &text, &header)?;
    let claims = certify_claims(&reading, &header, &bodies)?;
    let program = reading.with_slots(&None)?;
    let fixed = Fixed::check(&places, repair, &header.claims, (&text, &program))?;
    Ok(Certified { claims, fixed: Some(fixed) })
}

/// Checks the claims of a certificate about a text that was read.
fn certify_claims(
    reading: &Reading,
    header: &Header,
    bodies: &[Vec<u8>],
) -> Result<Vec<Accepted>, Refusal> {
    let mut accepted = Vec::new();
    for (number, (claim, body)) in header.claims.iter().zip(bodies).enumerate() {
        let checked = check(reading, claim, body);
        accepted.push(checked.map_err(|refusal| refusal.of_claim(number, claim))?);
    }
    Ok(accepted)
}

/// Whether programs of a language can be read, by the name of the language.
pub fn reads(language: &str) -> bool {
    read::FRONTENDS.iter().any(|known| known.name() == language)
}

/// Checks one claim.
fn check(reading: &Reading, claim: &Claim, body: &[u8]) -> Result<Accepted, Refusal> {
    let _phase = taut_budget::phase("the certificate is checked");
    certify_program(&reading.program(claim)?, claim, body)
}

/// Checks one claim about a program that is known already.
pub fn certify_program(program: &Program, claim: &Claim, body: &[u8]) -> Result<Accepted, Refusal> {
    let memory = memory(claim)?;
    if !program.replicated.is_empty() && claim.evidence != Evidence::Constraints {
        return Err(Refusal::proof(
            "the program has any number of processes, and the evidence has some",
        ));
    }
    match &claim.evidence {
        Evidence::Runs { fairness } => runs::check(program, memory, claim, fairness, body),
        Evidence::Buffers => buffers::check(program, memory, claim, body),
        Evidence::Constraints => dual::check(program, memory, claim, body),
        Evidence::States => states::check(program, memory, claim, body),
        Evidence::FewerStates { alike } => states::check_fewer(program, memory, claim, alike, body),
        _ => Err(Refusal::proof("its kind of evidence is not known to this checker")),
    }
}

fn memory(claim: &Claim) -> Result<Memory, Refusal> {
    let model: MemoryModel = claim.model.parse().map_err(Refusal::Proof)?;
    let full_buffer = if claim.full_is_error { FullBuffer::Error } else { FullBuffer::Wait };
    match claim.bound {
        Some(0) => Err(Refusal::proof("buffers have no room for a store")),
        bound => Ok(Memory { model, bound, full_buffer }),
    }
}
