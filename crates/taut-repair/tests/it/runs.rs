//! Cheapest sets for properties of runs against brute force, as `optimal` has them for properties of states.

use crate::common;

use std::convert::Infallible;
use std::sync::Arc;

use common::{Pick, compare, mark_places, picks};
use proptest::prelude::*;
use taut_explicit::Limits;
use taut_ir::{Fairness, Finding, Memory, MemoryModel, Program, PropId};
use taut_repair::{Counterexample, Oracle, OracleAnswer, RepairProblem, Set};
use taut_temporal::{Emptiness, TemporalOptions, find_accepting_lasso};
use taut_testkit::priorities::ranks;
use taut_testkit::random::config;
use taut_testkit::temporal::{Question, fairness, question};
use taut_witness::{Lasso, Trace, replay};

struct Runs {
    memory: Memory,
    property: PropId,
    fairness: Fairness,
}

impl Runs {
    fn search(&self, program: &Program, memory: Memory) -> Option<Option<Trace>> {
        let options = TemporalOptions {
            fairness: self.fairness,
            emptiness: Emptiness::Components,
            reduce: taut_explicit::Reduce::All,
            threads: 1,
            alone: taut_temporal::PARALLEL_FROM_NODES,
            spawn_all: false,
            limits: Limits { states: Some(20_000), ..Limits::default() },
        };
        let searched = find_accepting_lasso(program, memory, self.property, &options).ok()?;
        if let Some(run) = searched.found {
            let lasso = run.cycle.map(|cycle| Lasso { cycle, fairness: self.fairness });
            let finding = Finding::Property(self.property);
            return Some(Some(Trace { memory, finding, actions: run.actions, lasso }));
        }
        matches!(searched.completion, taut_explicit::Completion::Complete).then_some(None)
    }
}

impl Oracle for Runs {
    type Error = Infallible;

    fn judge(&mut self, subject: &RepairProblem, set: &Set) -> Result<OracleAnswer, Infallible> {
        let program = subject.variant(set);
        Ok(match self.search(&program, self.memory) {
            None => OracleAnswer::Unknown("too large".into()),
            Some(None) => OracleAnswer::Holds,
            Some(Some(trace)) => {
                replay(&program, &trace).expect("a run");
                let program = Arc::new(program);
                OracleAnswer::Violated(vec![Counterexample {
                    property: "run".into(),
                    program,
                    trace,
                }])
            }
        })
    }
}

fn check(
    mut program: Program,
    question: &Question,
    memory: Memory,
    fairness: Fairness,
    picks: &[Pick],
) -> Result<(), TestCaseError> {
    let property = question.ask(&mut program);
    let mut runs = Runs { memory, property, fairness };
    let is_right = |memory| Some(runs.search(&program, memory)?.is_none());
    let under_sc = is_right(Memory::new(MemoryModel::Sc));
    if under_sc != Some(true) || is_right(memory) != Some(false) {
        return Err(TestCaseError::reject("nothing to fix"));
    }
    compare(&mark_places(&program, memory.model, picks), &mut runs)
}

proptest! {
    #![proptest_config(ProptestConfig { max_global_rejects: u32::MAX, ..config(40) })]

    #[test]
    fn formulas(
        draft in common::graph(),
        question in question(3),
        model in common::model(),
        fairness in fairness(),
        picks in picks(),
    ) {
        check(draft.program(), &question, Memory::new(model).bounded(Some(2)), fairness, &picks)?;
    }
}

proptest! {
    #![proptest_config(ProptestConfig { max_global_rejects: u32::MAX, ..config(20) })]

    #[test]
    fn formulas_about_programs_with_priorities(
        draft in common::graph(),
        ranks in ranks(),
        question in question(3),
        model in common::model(),
        fairness in fairness(),
        picks in picks(),
    ) {
        let program = common::ranked(&draft, &ranks);
        check(program, &question, Memory::new(model).bounded(Some(2)), fairness, &picks)?;
    }
}
