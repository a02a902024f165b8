//! Scopes grow: what k reaches, k + 1 reaches, and for programs without loops a large k reaches what TSO reaches
//! with buffers without a bound.

use crate::support;

use std::collections::BTreeSet;

use proptest::prelude::*;
use support::{Configuration, translated, unbounded};
use taut_ir::Program;
use taut_rounds::{Scope, translate};
use taut_testkit::random;

/// States after which a program counts as too large; it is then drawn again.
const LIMIT: usize = 3_000;
/// More rounds than a straight line of two instructions and its commits can have.
const MANY: u32 = 5;

fn reached(program: &Program, scope: Scope) -> Result<BTreeSet<Configuration>, TestCaseError> {
    let translation =
        translate(program, scope).map_err(|_| TestCaseError::reject("not translated"))?;
    let (reached, _) = translated(&translation, &translation.program, LIMIT)
        .ok_or_else(|| TestCaseError::reject("too large"))?;
    Ok(reached.configurations)
}

fn test(program: &Program, scope: fn(u32) -> Scope) -> Result<(), TestCaseError> {
    let all = unbounded(program, LIMIT).ok_or_else(|| TestCaseError::reject("too large"))?;
    let mut before = reached(program, scope(0))?;
    for k in 1..=MANY {
        let now = reached(program, scope(k))?;
        prop_assert!(now.is_superset(&before), "{} reaches less", scope(k));
        before = now;
    }
    prop_assert_eq!(before, all.configurations);
    Ok(())
}

proptest! {
    #![proptest_config(random::config(150))]

    #[test]
    fn rounds_grow_to_all_of_tso(draft in random::straight(2)) {
        test(&draft.program(), Scope::Rounds)?;
    }

    #[test]
    fn ages_grow_to_all_of_tso(draft in random::straight(2)) {
        test(&draft.program(), Scope::Age)?;
    }
}
