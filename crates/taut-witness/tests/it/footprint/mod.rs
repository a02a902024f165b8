//! Footprints and visibility of random programs, held against the replayer.
//!
//! The replayer computes nothing with footprints. So what it really reads and writes, and what a step really depends
//! on, can be compared with what the analysis of `taut-ir` says:
//!
//! - `facts`: every read, store, write, message, started process and wait of an action is in its footprint, and
//!   nothing else is different after it;
//! - `dependence`: the action behaves the same in a state that differs in something that is not in its footprint;
//! - `observers`: an action that is called invisible changes the value of no expression that is looked at.
//!
//! A test that cannot fail shows nothing. `mutants` leaves one entry out of the footprint of one step, for each kind of
//! entry, and the same comparison must notice it.

mod dependence;
mod facts;
mod mutants;
mod observers;

use std::cell::RefCell;
use std::collections::BTreeMap;

use proptest::prelude::*;
use taut_ir::footprint::deciding;
use taut_ir::{Action, Footprint, Memory, MemoryModel, ProcId, Program, StepId};
use taut_testkit::random;
use taut_witness::{Machine, Outcome, State};

use crate::common::checked;
use crate::common::wild::wild;
use mutants::Mutant;

/// Number of comparisons that were made, by kind.
type Tally = BTreeMap<&'static str, u64>;

/// The footprints of a program as the comparison believes them.
struct Analysis<'p> {
    program: &'p Program,
    memory: Memory,
    mutant: Option<Mutant>,
}

impl Analysis<'_> {
    /// The footprint of a step of a process.
    fn of(&self, process: ProcId, step: StepId) -> Footprint {
        let def = self.program.def_of(process);
        let mut footprint = Footprint::of(self.program, def, &def.steps[step.index()]);
        if let Some(mutant) = self.mutant.filter(|m| m.is_of(self.program, process, step)) {
            mutant.apply(&mut footprint);
        }
        footprint
    }

    /// The footprint of an action that is no commit, and what decides about it besides.
    fn of_action(&self, action: Action) -> (Footprint, Footprint) {
        let (mut own, mut besides) = (Footprint::default(), Footprint::default());
        for (process, step) in facts::actors(action) {
            let def = self.program.def_of(process);
            own.join(&self.of(process, step));
            besides.join(&deciding(self.program, def, &def.steps[step.index()]));
        }
        (own, besides)
    }

    /// Whether an action has the step of the mutant; all actions have if there is none.
    fn concerns(&self, action: Action) -> bool {
        let Some(mutant) = self.mutant else { return true };
        facts::actors(action).into_iter().any(|(p, step)| mutant.is_of(self.program, p, step))
    }
}

/// The actions to look at in a state: every step at hand, possible or not, and what can happen.
fn actions(machine: &Machine<'_>, state: &State) -> Vec<Action> {
    let program = machine.program();
    let at_hand = program.process_ids().filter(|&p| state.process(p).started).flat_map(|process| {
        let steps = program.def_of(process).steps_from(state.process(process).point);
        steps.map(move |(step, _)| Action::step(process, step))
    });
    let mut all: Vec<Action> = at_hand.collect();
    for action in machine.actions(state) {
        if !all.contains(&action) {
            all.push(action);
        }
    }
    all
}

/// Walks at random and compares in every state.
fn compare(analysis: &Analysis<'_>, choices: &[usize], tally: &mut Tally) -> Result<(), String> {
    let machine = Machine::new(analysis.program, analysis.memory);
    let observers = observers::all(analysis.program);
    let mut state = machine.initial();
    for choice in choices {
        for action in actions(&machine, &state).into_iter().filter(|a| analysis.concerns(*a)) {
            let context = |e: String| format!("{e}, by {action:?} under {}", analysis.memory.model);
            facts::check(analysis, &machine, (&state, action), tally).map_err(context)?;
            dependence::check(analysis, &machine, (&state, action), tally).map_err(context)?;
            if analysis.mutant.is_none() {
                observers::check(analysis, &machine, (&state, action), (&observers, tally))
                    .map_err(context)?;
            }
        }
        let moves = machine.successors(&state).moves.into_iter();
        let next = moves.filter_map(|(_, done)| match done.outcome {
            Outcome::State(state) => Some(state),
            Outcome::Failure(_) => None,
        });
        let mut next: Vec<State> = next.collect();
        if next.is_empty() {
            break;
        }
        state = next.swap_remove(choice % next.len());
    }
    Ok(())
}

fn memory() -> BoxedStrategy<Memory> {
    let model = prop::sample::select(MemoryModel::EVERY.to_vec());
    (model, 1..4_u32).prop_map(|(model, bound)| Memory::new(model).bounded(Some(bound))).boxed()
}

/// Programs with everything that there is.
fn programs() -> BoxedStrategy<Program> {
    prop_oneof![
        3 => wild().prop_map(checked),
        1 => random::graph(8).prop_map(|draft| draft.program()),
    ]
    .boxed()
}

fn choices() -> BoxedStrategy<Vec<usize>> {
    prop::collection::vec(0..100_usize, 14).boxed()
}

/// Number of random programs.
const CASES: u32 = 800;

/// The smallest number of comparisons of each kind that a run of this test must have made.
const FLOOR: u64 = 50;

/// The smallest number of mutants of each kind that must be noticed.
const CAUGHT: u64 = 5;

#[test]
fn footprints_have_all_that_happens() {
    let tally = RefCell::new(Tally::new());
    let run = |(program, memory, choices): (Program, Memory, Vec<usize>)| {
        let analysis = Analysis { program: &program, memory, mutant: None };
        compare(&analysis, &choices, &mut tally.borrow_mut()).map_err(TestCaseError::fail)
    };
    let mut runner = proptest::test_runner::TestRunner::new(random::config(CASES));
    runner.run(&(programs(), memory(), choices()), run).unwrap_or_else(|e| panic!("{e}"));
    let tally = tally.into_inner();
    for kind in facts::KINDS.iter().chain(dependence::KINDS).chain(observers::KINDS) {
        let made = tally.get(kind).copied().unwrap_or(0);
        assert!(made >= FLOOR, "only {made} comparisons of `{kind}`: {tally:#?}");
    }
}

#[test]
fn an_entry_that_is_missing_in_one_step_is_noticed() {
    let caught = RefCell::new(Tally::new());
    let run = |((program, memory, choices), pick): ((Program, Memory, Vec<usize>), usize)| {
        for mutant in Mutant::all(&program, pick) {
            let analysis = Analysis { program: &program, memory, mutant: Some(mutant) };
            let is_caught = compare(&analysis, &choices, &mut Tally::new()).is_err();
            *caught.borrow_mut().entry(mutant.entry.name()).or_default() += u64::from(is_caught);
        }
        Ok(())
    };
    let cases = ((programs(), memory(), choices()), 0..1_000_usize);
    let mut runner = proptest::test_runner::TestRunner::new(random::config(CASES));
    runner.run(&cases, run).unwrap_or_else(|e| panic!("{e}"));
    let caught = caught.into_inner();
    for entry in mutants::Entry::ALL {
        let number = caught.get(entry.name()).copied().unwrap_or(0);
        assert!(number >= CAUGHT, "`{}` was noticed {number} times: {caught:#?}", entry.name());
    }
}
