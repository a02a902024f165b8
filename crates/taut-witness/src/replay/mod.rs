//! The judge of traces.
//!
//! A trace claims a finding. For what is found in a state or a step (`states`) the actions must be
//! possible one after the other and lead to it. For a property of runs (`runs`) they must make a lasso
//! that is a run, is fair and violates the property, or a finite run that nothing can fix. For robustness (`robust`) the
//! last one must close a circle. A run that claims
//! nothing, as the simulator saves one, need only be possible (`follow`).

mod difference;
mod error;
mod follow;
mod robust;
mod runs;
mod states;

pub use error::ReplayError;
pub use follow::follow;

use taut_ir::{Finding, Program, Property};

use crate::trace::{Run, Trace};
use error::finding_words;

/// Replays a trace. It is accepted only if every action is possible in its turn and the finding
/// holds at the end: a failed assertion, a fault or a full buffer must come from the last action, the
/// violation of a property of runs must be shown by the whole, anything else must be true of the last
/// state.
pub fn replay(program: &Program, trace: &Trace) -> Result<Run, ReplayError> {
    let _phase = taut_budget::phase("a run is replayed");
    match temporal(program, trace.finding) {
        Some(property) => runs::replay(program, trace, property),
        None if trace.lasso.is_some() => {
            let claimed = finding_words(program, trace.finding);
            Err(ReplayError::lasso(format!("the trace has a cycle, and {claimed} has none")))
        }
        None if trace.finding == Finding::NotRobust => robust::replay(program, trace),
        None => states::replay(program, trace),
    }
}

/// The property of runs that is claimed to be violated, if it is one.
fn temporal(program: &Program, finding: Finding) -> Option<&Property> {
    let Finding::Property(id) = finding else { return None };
    program.properties.get(id.index()).filter(|p| p.kind.is_temporal())
}
