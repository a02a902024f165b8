//! Random programs: the simulator goes wherever brute force goes and nowhere else, goes back without a trace of
//! having been away, and every run of it replays.

use crate::common;

use std::collections::{BTreeSet, HashSet};

use common::World;
use proptest::prelude::*;
use taut_ir::{Finding, Memory, MemoryModel, Program, Property, PropertyKind, Span};
use taut_simulate::{Progress, Simulator};
use taut_testkit::random::{config, graph};
use taut_witness::{Outcome, Trace, enumerate, follow, replay};

/// Programs with more states than this are drawn again: all states are gone to one by one.
const MOST_STATES: usize = 600;

fn memory() -> impl Strategy<Value = Memory> {
    let models = prop::sample::select(MemoryModel::EVERY.to_vec());
    (models, 1..3_u32).prop_map(|(model, bound)| Memory::new(model).bounded(Some(bound)))
}

/// Everything that a simulation can get to.
#[derive(Debug, Default)]
struct Reached {
    states: HashSet<taut_witness::State>,
    findings: BTreeSet<Finding>,
}

/// Goes everywhere by taking actions and going back.
fn go_everywhere(simulator: &mut Simulator<'_>, reached: &mut Reached) {
    reached.findings.extend(simulator.found());
    if simulator.has_ended() || !reached.states.insert(simulator.state().clone()) {
        return;
    }
    for number in 0..simulator.choices().len() {
        let (state, choices) = (simulator.state().clone(), simulator.choices().to_vec());
        simulator.take(number).expect("it can happen");
        go_everywhere(simulator, reached);
        simulator.back(1).expect("there is a way back");
        assert_eq!(*simulator.state(), state);
        assert_eq!(simulator.choices(), choices);
    }
}

/// The same program with a state forbidden that a condition describes.
fn forbidding(program: &Program, var: usize, value: i64) -> (Program, Finding) {
    let mut program = program.clone();
    let bad = taut_ir::Expr::Var(var.into()).equals(taut_ir::Expr::Const(value));
    let kind = PropertyKind::Forbid(bad);
    program.properties.push(Property { name: "there".into(), kind, span: Span::NONE });
    let id = (program.properties.len() - 1).into();
    (program, Finding::Property(id))
}

proptest! {
    #![proptest_config(config(60))]

    #[test]
    fn it_goes_where_brute_force_goes_and_back(draft in graph(4), memory in memory()) {
        let program = draft.program();
        let brute = enumerate::explore(&program, memory, MOST_STATES);
        prop_assume!(brute.is_some());
        let brute = brute.expect("just asked");
        let world = World::new("");
        let mut simulator = Simulator::new(&world, program, memory, 1);
        let mut reached = Reached::default();
        go_everywhere(&mut simulator, &mut reached);
        let seen = reached.states.iter().filter(|state| state.holder.is_none()).count();
        prop_assert_eq!(seen, brute.states);
        prop_assert_eq!(reached.findings, brute.findings);
    }

    #[test]
    fn walks_are_reproducible_and_replay(draft in graph(6), memory in memory(), seed in 0..9_u64) {
        let program = draft.program();
        let world = World::new("");
        let walk = |seed| {
            let mut simulator = Simulator::new(&world, program.clone(), memory, seed);
            let walk = simulator.walk(40);
            assert_eq!(walk.taken, simulator.at());
            (walk, simulator.run(), simulator.found())
        };
        let (first, run, found) = walk(seed);
        prop_assert_eq!(&(first, run.clone(), found.clone()), &walk(seed));
        let again = follow(&program, memory, &run.actions());
        prop_assert_eq!(again.map(|again| again.last().clone()), Ok(run.last().clone()));
        for finding in found {
            let trace = Trace::new(memory, finding, run.actions());
            prop_assert!(replay(&program, &trace).is_ok(), "{:?}", finding);
        }
    }

    #[test]
    fn back_and_forward_are_the_identity(draft in graph(6), memory in memory(), back in 0..40_usize) {
        let world = World::new("");
        let mut simulator = Simulator::new(&world, draft.program(), memory, 3);
        simulator.walk(40);
        let (at, state, choices) =
            (simulator.at(), simulator.state().clone(), simulator.choices().to_vec());
        let back = back.min(at);
        simulator.back(back).expect("so much lies behind");
        prop_assert_eq!(simulator.at(), at - back);
        simulator.forward(back).expect("it lies ahead");
        prop_assert_eq!((simulator.at(), simulator.state()), (at, &state));
        prop_assert_eq!(simulator.choices(), choices);
    }

    #[test]
    fn running_to_a_condition_takes_a_shortest_way(
        draft in graph(5), memory in memory(), var in 0..2_usize, value in 1..3_i64,
    ) {
        let (program, finding) = forbidding(&draft.program(), var, value);
        prop_assume!(enumerate::explore(&program, memory, MOST_STATES).is_some());
        let world = World::new("");
        let mut simulator = Simulator::new(&world, program.clone(), memory, 1);
        let condition = format!("x{var} == {value}");
        let progress = simulator.run_to(&condition).expect("a condition");
        match enumerate::shortest(&program, memory, finding, MOST_STATES) {
            Some(trace) => {
                prop_assert_eq!(simulator.at(), trace.actions.len());
                prop_assert!(simulator.found().contains(&finding));
                let rows = simulator.rows();
                let earlier = &rows[..rows.len().saturating_sub(1)];
                let value_of = |row: &taut_witness::Row| row.after.memory[var][0];
                prop_assert!(earlier.iter().all(|row| row.after.holder.is_some() || value_of(row) != value));
            }
            None => {
                prop_assert!(matches!(progress, Progress::Nowhere(_)));
                prop_assert_eq!(simulator.at(), 0);
            }
        }
    }
}

#[test]
fn choices_are_what_the_machine_allows() {
    let world = World::new("shared int x; process p begin x := 1; assert(x == 0); end");
    let program = world.program();
    let memory = Memory::new(MemoryModel::Tso);
    let mut simulator = Simulator::new(&world, program, memory, 1);
    simulator.take(0).expect("the store");
    let next = simulator.machine().successors(simulator.state());
    let actions: Vec<_> = next.moves.iter().map(|(action, _)| *action).collect();
    let chosen: Vec<_> = simulator.choices().iter().map(|choice| choice.row.action).collect();
    assert_eq!(chosen, actions);
    let leads = next.moves.iter().all(|(_, done)| matches!(done.outcome, Outcome::State(_)));
    assert!(leads, "a failed assertion ends no run");
}
