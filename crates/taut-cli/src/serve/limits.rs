//! What jobs may cost, as the arguments say or the machine allows.

use taut::check::default_memory_limit;
use taut_serve::Limits;

use super::super::args::ServeArgs;

/// The most memory of a job, in MiB, unless more is asked for.
const USUAL_MIB: u64 = 1024;
/// The least that is worth it.
const LEAST_MIB: u64 = 64;

/// The limits of jobs.
pub fn of(args: &ServeArgs) -> Limits {
    let jobs = args.jobs();
    Limits {
        bytes: args.max_bytes as usize,
        time: args.timeout,
        memory_mib: args.max_memory.map_or_else(|| usual_memory(jobs), |bytes| bytes >> 20),
        jobs,
        waiting: args.waiting.into(),
    }
}

/// So much that all jobs together fit into what is free now.
fn usual_memory(jobs: usize) -> u64 {
    let share = default_memory_limit().map(|bytes| (bytes >> 20) / jobs as u64);
    share.map_or(USUAL_MIB, |share| share.clamp(LEAST_MIB, USUAL_MIB))
}
