//! What is proven, in words: the memory model, the properties, and which executions are covered.
//!
//! All of it comes from the program and from what the checker saw. Nothing is copied from the certificate but the names
//! of what was checked.

use taut_ir::{DefId, FullBuffer, Memory, Program};
use taut_proof::{Claim, Cut};

use crate::Refusal;

/// A claim that was checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Accepted {
    /// The memory model and its buffers.
    pub memory: Memory,
    /// The names of what holds.
    pub holds: Vec<String>,
    /// The executions that are covered, in words.
    pub coverage: String,
    /// What was looked at, in words: `1234 states`.
    pub evidence: String,
}

impl Accepted {
    /// A claim whose evidence was checked, if it names everything that was cut.
    pub(crate) fn new(
        program: &Program,
        memory: Memory,
        claim: &Claim,
        cut: Cut,
        evidence: String,
    ) -> Result<Accepted, Refusal> {
        if !claim.cut.names(cut) {
            let names = cuts(program, memory, cut).join(", ");
            let why = format!("runs are cut and the claim does not name it: {names}");
            return Err(Refusal::Proof(why));
        }
        let coverage = coverage(program, memory, claim.cut);
        let holds = claim.holds.iter().map(|proven| proven.name.clone()).collect();
        Ok(Accepted { memory, holds, coverage, evidence })
    }
}

impl std::fmt::Display for Accepted {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Memory { model, bound, full_buffer } = self.memory;
        write!(f, "under {model}")?;
        if let Some(bound) = bound.filter(|_| model.has_bound()) {
            write!(f, " with {bound} entries per buffer")?;
            if full_buffer == FullBuffer::Error {
                write!(f, " (a store into a full one is an error)")?;
            }
        }
        writeln!(f, ":")?;
        writeln!(f, "  holds     {}", self.holds.join(", "))?;
        writeln!(f, "  covered   {}", self.coverage)?;
        write!(f, "  evidence  {}", self.evidence)
    }
}

fn coverage(program: &Program, memory: Memory, cut: Cut) -> String {
    let mut words = cuts(program, memory, Cut { fault: false, ..cut });
    words.extend(program.chances.iter().map(|chance| {
        format!("{} values of {} (line {})", chance.values.len(), chance.name, chance.line)
    }));
    words.dedup();
    let mut text = match (words.is_empty(), cut.fault) {
        (true, false) => "all executions".to_string(),
        (true, true) => "runs without a fault".to_string(),
        (false, false) => format!("up to {}", words.join(", ")),
        (false, true) => format!("up to {}, runs without a fault", words.join(", ")),
    };
    text += if program.replicated.is_empty() { "" } else { ", every number of threads" };
    if let Some(granularity) = program.granularity {
        text += &format!(", {}", granularity.describe());
    }
    text
}

/// What ends runs early, in words.
fn cuts(program: &Program, memory: Memory, cut: Cut) -> Vec<String> {
    let mut words = Vec::new();
    if cut.buffer {
        words.push(format!("bound {}", memory.bound.unwrap_or_default()));
    }
    if cut.threads {
        let slots = |d: usize| program.spawn_slots(DefId::from(d)).count();
        let most = (0..program.defs.len()).map(slots).max().unwrap_or(0);
        match program.heap {
            Some(heap) => {
                words.push(format!("{} objects per allocation", heap.objects));
                words.extend((!heap.fixed_threads).then(|| format!("{most} spawned threads")));
            }
            None => words.push(format!("{most} spawned threads")),
        }
    }
    if cut.calls {
        words.push(format!("call depth {}", program.call_depth));
    }
    if cut.fault {
        words.push("a fault".into());
    }
    words
}
