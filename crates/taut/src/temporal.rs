//! What a search for a run says about a property of runs.

use std::sync::Arc;

use taut_explicit::Completion;
use taut_ir::{Fairness, Finding, Memory, Program, PropId};
use taut_ltl::TooLarge;
use taut_temporal::{FoundLasso, TemporalOptions, TemporalSearch};
use taut_witness::{Lasso, Trace};

use crate::check::Check;
use crate::outcome::{EngineFault, thread_bound, witness};
use crate::verdict::{Coverage, PropertyResult, Unknown, Verdict};

impl Check<'_> {
    /// Whether a run violates a property.
    pub(crate) fn run_of(&self, property: PropId) -> Result<PropertyResult, EngineFault> {
        let options = TemporalOptions {
            fairness: self.fairness,
            emptiness: self.emptiness,
            reduce: self.options.reduce,
            threads: self.options.threads,
            alone: taut_temporal::PARALLEL_FROM_NODES,
            spawn_all: false,
            limits: self.options.limits.clone(),
        };
        let searched = self.growing.find_accepting_lasso(self.memory, property, &options);
        answer(self.growing.program, self.memory, property, self.fairness, searched)
    }
}

/// The answer about a property of a program, from a search of that program or a larger one.
pub(crate) fn answer(
    program: &Program,
    memory: Memory,
    id: PropId,
    fairness: Fairness,
    searched: Result<(Program, TemporalSearch), TooLarge>,
) -> Result<PropertyResult, EngineFault> {
    let property = program.property(id);
    let (name, kind) = (property.name.clone(), (&property.kind).into());
    let (searched, search) = match searched {
        Ok(searched) => searched,
        Err(error) => {
            let verdict = Verdict::Unknown(Unknown::TooLarge(error));
            return Ok(PropertyResult { name, kind, verdict, stats: None, note: None });
        }
    };
    let stats = Some(search.stats);
    let note = note(&searched, &search);
    let searched = Arc::new(searched);
    let verdict = match search.found {
        Some(run) => witness(&searched, trace(memory, id, fairness, run), &name)?,
        None => without_witness(&searched, memory, fairness, &search),
    };
    Ok(PropertyResult { name, kind, verdict, stats, note })
}

/// What was left out, or why nothing was.
fn note(program: &Program, search: &TemporalSearch) -> Option<String> {
    if search.counts_steps {
        return Some("it can count steps (X), so no buffer is left out".into());
    }
    let names = search.private.iter().map(|&var| program.var(var).name.as_str());
    let names: Vec<_> = names.collect();
    (!names.is_empty())
        .then(|| format!("only one process can tell whether stores to {} wait", names.join(", ")))
}

fn trace(memory: Memory, id: PropId, fairness: Fairness, run: FoundLasso) -> Trace {
    let lasso = run.cycle.map(|cycle| Lasso { cycle, fairness });
    Trace { memory, finding: Finding::Property(id), actions: run.actions, lasso }
}

fn without_witness(
    program: &Program,
    memory: Memory,
    fairness: Fairness,
    search: &TemporalSearch,
) -> Verdict {
    match search.completion {
        Completion::Limit(limit) => Verdict::Unknown(Unknown::Limit(limit)),
        Completion::NoProcess(_) | Completion::BufferFull => {
            unreachable!("a search without processes was made again")
        }
        Completion::FirstFinding | Completion::Answered => {
            unreachable!("a search for a run that stops has one")
        }
        Completion::Complete => {
            let threads = thread_bound(program);
            let states = Coverage::new(search.bounds_met, memory, threads, program.call_depth);
            Verdict::Holds(Coverage { fairness: Some(fairness), ..states.of(program, memory) })
        }
    }
}
