//! Theorems 1 and 2 of the paper, tested on random programs: what a translation reaches under SC is what the
//! original reaches under TSO within the scope, and every finding has a run that maps back and replays.
//!
//! The paper speaks of shared states. Here whole configurations are compared (memory, ghosts, program points,
//! registers, open calls), because properties ask about them.

use crate::support;

use proptest::prelude::*;
use support::{Unequal, compare, with_fuel};
use taut_ir::Program;
use taut_rounds::Scope;
use taut_testkit::random::{self, Draft};

/// States after which a program counts as too large; it is then drawn again.
const LIMIT: usize = 3_000;

fn test(program: &Program, scope: Scope) -> Result<(), TestCaseError> {
    match compare(program, scope, LIMIT) {
        Ok(()) => Ok(()),
        Err(Unequal::Skipped) => Err(TestCaseError::reject("too large")),
        Err(Unequal::Wrong(what)) => Err(TestCaseError::fail(what)),
    }
}

/// Straight-line programs, and graphs with loops and so many steps per process.
fn programs() -> BoxedStrategy<Program> {
    prop_oneof![
        random::straight(3).prop_map(|d| d.program()),
        (random::graph(5), 2..=4_i64).prop_map(|(d, fuel)| looping(d, fuel)),
    ]
    .boxed()
}

fn looping(draft: Draft, fuel: i64) -> Program {
    with_fuel(&draft.without_atomic().program(), fuel)
}

proptest! {
    #![proptest_config(random::config(520))]

    #[test]
    fn rounds_reach_what_tso_reaches(program in programs(), k in 0..=3_u32) {
        test(&program, Scope::Rounds(k))?;
    }

    #[test]
    fn ages_reach_what_tso_reaches(program in programs(), k in 0..=3_u32) {
        test(&program, Scope::Age(k))?;
    }
}
