//! Evidence with fewer states: processes that change places, and states from which the steps of one process are enough.
//!
//! What holds by brute force is claimed and accepted. What does not hold is never accepted, whatever a hostile writer puts
//! into the certificate: chosen processes, ranks and groups at random, and sets of states that are closed under them and
//! show no violation. The rules themselves are held against the replayer, state by state: chosen steps commute with
//! everything else, and exchanged states have exchanged successors.

use std::collections::{BTreeSet, HashSet};

use fastrand::Rng;
use proptest::prelude::*;
use taut::load::{LoadOptions, from_path};
use taut::proof::{claim_fewer_states, claim_states};
use taut_certify::{Alike, Choices, Chooser, certify_program, may_exchange};
use taut_ir::{
    Action, BinaryOp, Expr, Finding, FullBuffer, Memory, MemoryModel, ProcId, Process, Program,
    PropertyKind, VarId,
};
use taut_proof::{Claim, Evidence, Interner, Parts, Proven, Reader, Rows, Writer};
use taut_testkit::cases::{Case, random_cases};
use taut_testkit::promela_like;
use taut_testkit::random::{Draft, graph, straight};
use taut_testkit::regressions::files;
use taut_witness::enumerate::explore;
use taut_witness::memo::{Columns, Memo, Visitor};
use taut_witness::{BoundsMet, Machine, Move, Outcome, State, Successors};

use crate::random::{MOST_STATES, is_found, memories, questions};

/// A program with so many processes of the first thread's code, and a property that is the same for all of them or not.
fn equal_processes(draft: &Draft, count: usize, one_sided: bool) -> Program {
    let mut program = draft.program();
    let first = program.processes[0].clone();
    let rest = program.processes.split_off(draft.threads.len());
    let equal = (0..count).map(|i| Process { name: format!("p{i}"), ..first.clone() });
    program.processes = equal.chain(rest).collect();
    let late = |p: usize| {
        let view = Expr::In(ProcId::from(p), Box::new(VarId(0).into()));
        Expr::binary(BinaryOp::Ne, view, VarId(0).into())
    };
    let all = (1..count).fold(late(0), |all, p| all.and(late(p)));
    let bad = if one_sided { late(count - 1) } else { all };
    for property in program.properties.iter_mut().filter(|p| p.name == "view") {
        property.kind = PropertyKind::Forbid(bad.clone());
    }
    program
}

fn states(program: &Program, body: &[u8]) -> usize {
    Rows::read(Parts::new(program), &mut Reader::new(body)).expect("read").len()
}

/// What holds is accepted with fewer states, and what does not hold is refused.
fn compare(case: &Case, program: &Program, memory: Memory) -> Result<(), TestCaseError> {
    case.about(program);
    let Some(brute) = explore(program, memory, MOST_STATES) else {
        return case.pass_over("too large");
    };
    let (wrong, held): (Vec<_>, Vec<_>) =
        questions(program).into_iter().partition(|(_, finding)| is_found(&brute, *finding));
    let held: Vec<Proven> = held.into_iter().map(|(proven, _)| proven).collect();
    if !held.is_empty() {
        let (whole, _) = claim_states(program, memory, held.clone()).expect("a claim");
        let (claim, body) = claim_fewer_states(program, memory, held).expect("a claim");
        let accepted = certify_program(program, &claim, &body);
        prop_assert!(accepted.is_ok(), "{:?}", accepted);
        // What is cut is cut in the whole, too. With fewer states a bound may be met nowhere.
        prop_assert!(whole.cut.names(claim.cut));
        prop_assert_eq!(claim.cut.fault, whole.cut.fault);
        case.count("accepted");
        if states(program, &body) < brute.states {
            case.count("fewer");
        }
        if matches!(&claim.evidence, Evidence::FewerStates { alike } if !alike.is_empty()) {
            case.count("exchanged");
        }
    }
    for (proven, _) in wrong {
        let (claim, body) =
            claim_fewer_states(program, memory, vec![proven.clone()]).expect("a claim");
        prop_assert!(certify_program(program, &claim, &body).is_err(), "{:?}", proven);
        case.count("refused");
    }
    Ok(())
}

#[test]
fn straight_programs() {
    let tally = random_cases(150, (straight(4), memories()), |case, (draft, memory)| {
        compare(case, &draft.program(), memory)
    });
    println!("{tally}");
    tally.at_least("accepted", 90).at_least("fewer", 40);
}

#[test]
fn programs_with_loops_spawns_and_calls() {
    let tally = random_cases(200, (graph(5), memories()), |case, (draft, memory)| {
        compare(case, &draft.program(), memory)
    });
    println!("{tally}");
    tally.at_least("accepted", 120).at_least("fewer", 12).at_least("refused", 80);
}

#[test]
fn programs_with_channels_and_holding() {
    let tally = random_cases(150, (promela_like::draft(), memories()), |case, (draft, memory)| {
        compare(case, &draft.program(), memory)
    });
    println!("{tally}");
    tally.at_least("accepted", 90).at_least("fewer", 2).at_least("refused", 90);
}

#[test]
fn equal_processes_change_places() {
    let inputs = (graph(4), 2_usize..4, any::<bool>(), memories());
    let tally = random_cases(150, inputs, |case, (draft, count, one_sided, memory)| {
        compare(case, &equal_processes(&draft, count, one_sided), memory)
    });
    println!("{tally}");
    tally.at_least("exchanged", 50).at_least("fewer", 50).at_least("refused", 30);
}

#[test]
fn kept_programs() {
    let mut accepted = 0;
    for file in files() {
        let Ok(loaded) = from_path(&file, LoadOptions::default()) else { continue };
        let program = &loaded.program;
        for model in MemoryModel::EVERY {
            let memory = Memory::new(model).bounded(Some(2));
            let Some(brute) = explore(program, memory, 400) else { continue };
            for (proven, finding) in questions(program) {
                let (claim, body) =
                    claim_fewer_states(program, memory, vec![proven.clone()]).expect("a claim");
                let checked = certify_program(program, &claim, &body);
                let is_true = !is_found(&brute, finding);
                assert_eq!(checked.is_ok(), is_true, "{} {proven:?}: {checked:?}", program.name);
                accepted += usize::from(is_true);
            }
        }
    }
    assert!(accepted >= 50, "{accepted}");
}

/// Everything that is found on the way from a state, as the checker looks at it.
fn findings(machine: Machine<'_>, state: &State, next: &Successors) -> BTreeSet<Finding> {
    let mut all: BTreeSet<Finding> = machine.findings_before(state, next).into_iter().collect();
    for (_, done) in &next.moves {
        all.extend(done.record.all_failed().map(|failure| failure.finding));
        if let Outcome::Failure(failure) = &done.outcome {
            all.insert(failure.finding);
        }
    }
    all
}

/// A set of states that is closed, from each state, under all steps or under those of one process, whether or not these
/// are enough, with processes in groups at random sorted; and whether it shows a finding. Ranks fall along what is followed.
struct Hostile {
    evidence: Evidence,
    body: Vec<u8>,
    shows: bool,
}

fn hostile(program: &Program, memory: Memory, wrong: Finding, rng: &mut Rng) -> Option<Hostile> {
    let machine = Machine::new(program, memory);
    let count = program.processes.len() as u32;
    let mut groups = Vec::new();
    if rng.bool() && count > 1 {
        let mut members: Vec<u32> = (0..count).collect();
        rng.shuffle(&mut members);
        members.truncate(rng.usize(2..=count as usize));
        groups.push(members);
    }
    let mut order: Vec<u32> = (0..count).collect();
    rng.shuffle(&mut order);
    let parts = Parts::new(program);
    let sorted = |mut state: State| {
        for group in &groups {
            let mut own: Vec<usize> = group.iter().map(|&p| p as usize).collect();
            let bytes: Vec<_> =
                own.iter().map(|&p| parts.encode_process(&state.processes[p])).collect();
            let mut order: Vec<usize> = (0..own.len()).collect();
            order.sort_by_key(|&i| (&bytes[i], own[i]));
            let moved: Vec<_> = order.iter().map(|&i| state.processes[own[i]].clone()).collect();
            own.drain(..).zip(moved).for_each(|(place, process)| state.processes[place] = process);
        }
        state
    };
    let mut states = Interner::new(parts);
    // Processes of other code have parts that do not fit.
    states.insert(&sorted(machine.initial())).ok()?;
    let (mut codes, mut shows, mut number) = (Vec::new(), false, 0_u32);
    while let Some(state) = states.state(number) {
        if states.len() > MOST_STATES {
            return None;
        }
        let next = machine.successors(&state);
        // The first process in an order of this certificate that leads to new states only: the others starve.
        let follow = |chosen: u32| {
            let of_chosen = |(action, _): &&(Action, Move)| matches!(action, Action::Step { process, .. } if process.0 == chosen);
            let moves: Vec<_> = next.moves.iter().filter(of_chosen).cloned().collect();
            let is_new = |(_, done): &(Action, Move)| match &done.outcome {
                Outcome::State(after) => {
                    let known = states.find(&sorted(after.clone()));
                    after.holder.is_none() && known.is_none_or(|known| known > number)
                }
                Outcome::Failure(_) => true,
            };
            let all_new = !moves.is_empty() && moves.iter().all(is_new);
            all_new.then_some((chosen, Successors { moves, bounds: next.bounds }))
        };
        let chosen = order.iter().find_map(|&chosen| follow(chosen)).filter(|_| rng.u32(..16) > 0);
        codes.push(chosen.as_ref().map_or(0, |(p, _)| 1 + p + count * (10_000 - number)));
        let mut left = vec![(state, chosen.map_or(next, |(_, followed)| followed))];
        let mut passed = HashSet::new();
        while let Some((at, next)) = left.pop() {
            shows |= findings(machine, &at, &next).iter().any(|found| found.same_kind(wrong));
            for (_, done) in next.moves {
                let Outcome::State(after) = done.outcome else { continue };
                if after.holder.is_none() {
                    states.insert(&sorted(after)).ok()?;
                } else if passed.insert(after.clone()) {
                    let next = machine.successors(&after);
                    left.push((after, next));
                }
            }
        }
        number += 1;
    }
    let mut out = Writer::default();
    let places = states.write(&mut out);
    places.iter().for_each(|&number| out.number(u64::from(codes[number as usize])));
    Some(Hostile {
        evidence: Evidence::FewerStates { alike: groups },
        body: out.into_bytes(),
        shows,
    })
}

/// False claims with evidence that hides the violation.
fn hide(case: &Case, program: &Program, memory: Memory, seed: u64) -> Result<(), TestCaseError> {
    case.about(program);
    let Some(brute) = explore(program, memory, 400) else { return case.pass_over("too large") };
    let mut rng = Rng::with_seed(seed);
    for (proven, finding) in questions(program) {
        if !is_found(&brute, finding) {
            continue;
        }
        let (claim, body) =
            claim_fewer_states(program, memory, vec![proven.clone()]).expect("a claim");
        for _ in 0..10 {
            let Some(made) = hostile(program, memory, finding, &mut rng) else { continue };
            let cut = taut_proof::Cut { buffer: true, threads: true, calls: true, fault: true };
            let claim = Claim { evidence: made.evidence, cut, ..claim.clone() };
            let checked = certify_program(program, &claim, &made.body);
            prop_assert!(checked.is_err(), "{:?} is accepted: {:?}", proven, claim.evidence);
            case.count(if made.shows { "shown" } else { "hidden" });
        }
        for _ in 0..4 {
            let bytes = crate::mutants::mutated(&mut rng, &body);
            prop_assert!(certify_program(program, &claim, &bytes).is_err(), "{:?}", proven);
            case.count("mutated");
        }
    }
    Ok(())
}

#[test]
fn a_violation_cannot_be_hidden() {
    let inputs = (graph(5), memories(), any::<u64>());
    let tally = random_cases(250, inputs, |case, (draft, memory, seed)| {
        hide(case, &draft.program(), memory, seed)
    });
    println!("{tally}");
    tally.at_least("hidden", 40).at_least("mutated", 300);
}

#[test]
fn a_violation_of_equal_processes_cannot_be_hidden() {
    let inputs = (graph(4), 2_usize..4, any::<bool>(), memories(), any::<u64>());
    let tally = random_cases(150, inputs, |case, (draft, count, one_sided, memory, seed)| {
        hide(case, &equal_processes(&draft, count, one_sided), memory, seed)
    });
    println!("{tally}");
    tally.at_least("hidden", 10).at_least("mutated", 150);
}

/// All states in which no process holds the others; none if there are too many.
fn reachable(machine: Machine<'_>) -> Option<Vec<State>> {
    let mut seen = HashSet::from([machine.initial()]);
    let mut left = vec![machine.initial()];
    while let Some(state) = left.pop() {
        for (_, done) in machine.successors(&state).moves {
            if let Outcome::State(after) = done.outcome
                && seen.insert(after.clone())
            {
                left.push(after);
            }
        }
        if seen.len() > 300 {
            return None;
        }
    }
    Some(seen.into_iter().filter(|state| state.holder.is_none()).collect())
}

fn after(machine: Machine<'_>, state: &State, action: Action) -> Option<Outcome> {
    machine.apply(state, action).ok().map(|done| done.outcome)
}

/// Rows that steps lead to.
#[derive(Default)]
struct Reached(Vec<(Action, Vec<u32>)>);

impl Visitor for Reached {
    type Stop = ();

    fn saw(&mut self, _: &[Finding], _: BoundsMet) -> Result<(), ()> {
        Ok(())
    }

    fn reached(&mut self, action: Action, row: &[u32]) -> Result<(), ()> {
        self.0.push((action, row.to_vec()));
        Ok(())
    }

    fn stuck(&mut self, _: &State, _: &Successors) -> Result<(), ()> {
        Ok(())
    }
}

/// The steps of a process with where they lead, if they are enough in a state.
fn chosen<'p>(
    chooser: &Chooser<'p>,
    (memo, columns): (&mut Memo<'p>, &mut Columns<'p>),
    state: &State,
    process: ProcId,
) -> Option<Vec<(Action, State)>> {
    let row = columns.add(state);
    let answer = Choices::default().find(chooser, memo, columns, &row, process)?;
    let mut reached = Reached::default();
    memo.visit_steps(columns, &row, answer, &mut reached).ok()?;
    Some(reached.0.into_iter().map(|(action, row)| (action, columns.state(&row))).collect())
}

/// Chosen steps, and anything else that can happen, lead to the same in both orders, and no property sees them.
fn commute(case: &Case, program: &Program, memory: Memory) -> Result<(), TestCaseError> {
    case.about(program);
    let machine = Machine::new(program, memory);
    let Some(states) = reachable(machine) else { return case.pass_over("too large") };
    let claimed = program.properties.iter().flat_map(|p| p.kind.exprs()).collect();
    let chooser = Chooser::new(program, memory, claimed);
    let seen = |state: &State| {
        let mut all = machine.findings(state);
        all.retain(|finding| *finding != Finding::Deadlock);
        all
    };
    let (mut memo, mut columns) = (Memo::new(machine), Columns::new(program));
    for state in &states {
        for process in program.process_ids() {
            let kept = (&mut memo, &mut columns);
            let Some(chosen) = chosen(&chooser, kept, state, process) else { continue };
            let steps: Vec<Action> = chosen.iter().map(|(action, _)| *action).collect();
            let own = |action: &Action| matches!(action, Action::Step { process: p, .. } if *p == process);
            for (other, done) in machine.successors(state).moves {
                prop_assert!(!own(&other) || steps.contains(&other), "a step is left out");
                let Outcome::State(aside) = &done.outcome else { continue };
                if own(&other) || aside.is_held(program) {
                    continue;
                }
                // Nothing that the process could not do before can it do now.
                let now = machine.actions(aside).into_iter().filter(own);
                prop_assert_eq!(now.collect::<BTreeSet<_>>(), steps.iter().copied().collect());
                for (step, first) in &chosen {
                    let one = after(machine, first, other);
                    let two = after(machine, aside, *step);
                    prop_assert!(one.is_some() && one == two, "{:?} and {:?}", step, other);
                    case.count("commute");
                }
            }
            for (_, first) in &chosen {
                prop_assert_eq!(seen(state), seen(first));
                case.count("unseen");
            }
        }
    }
    Ok(())
}

#[test]
fn chosen_steps_commute_with_the_rest() {
    let tally = random_cases(150, (graph(5), memories()), |case, (draft, memory)| {
        commute(case, &draft.program(), memory)
    });
    println!("{tally}");
    tally.at_least("commute", 110).at_least("unseen", 110);
}

#[test]
fn chosen_steps_commute_with_channels_and_holding() {
    let tally = random_cases(100, (promela_like::draft(), memories()), |case, (draft, memory)| {
        commute(case, &draft.program(), memory)
    });
    println!("{tally}");
    tally.at_least("commute", 50);
}

/// A state with two processes exchanged.
fn exchanged(state: &State, p: usize, q: usize) -> State {
    let mut state = state.clone();
    state.processes.swap(p, q);
    state
}

#[test]
fn exchanged_states_have_exchanged_successors() {
    let inputs = (graph(4), 2_usize..4, any::<bool>(), memories());
    let tally = random_cases(100, inputs, |case, (draft, count, one_sided, memory)| {
        let program = equal_processes(&draft, count, one_sided);
        case.about(&program);
        let machine = Machine::new(&program, memory);
        let Some(states) = reachable(machine) else { return case.pass_over("too large") };
        let claimed: Vec<&Expr> = program.properties.iter().flat_map(|p| p.kind.exprs()).collect();
        for (p, q) in [(0, 1), (count - 2, count - 1)] {
            let (a, b) = (ProcId::from(p), ProcId::from(q));
            if !may_exchange(&program, &claimed, a, b) {
                case.count("told apart");
                continue;
            }
            let groups = [vec![a.0, b.0]];
            Alike::new(&program, &claimed, &groups).map_err(TestCaseError::fail)?;
            let sorted = |mut state: State| {
                let bytes = |p: usize| Parts::new(&program).encode_process(&state.processes[p]);
                if bytes(p) > bytes(q) {
                    state.processes.swap(p, q);
                }
                state
            };
            let next = |state: &State| {
                let all = machine.successors(state).moves.into_iter();
                let states = all.filter_map(|(_, done)| match done.outcome {
                    Outcome::State(after) if after.holder.is_none() => Some(sorted(after)),
                    _ => None,
                });
                states.collect::<HashSet<_>>()
            };
            for state in &states {
                let other = exchanged(state, p, q);
                prop_assert_eq!(sorted(state.clone()), sorted(other.clone()));
                prop_assert_eq!(next(state), next(&other));
                prop_assert_eq!(machine.findings(state), machine.findings(&other));
                case.count("exchanged");
            }
        }
        Ok(())
    });
    println!("{tally}");
    tally.at_least("exchanged", 1_000).at_least("told apart", 10);
}

/// A spawn takes the first process that waits: which ones do makes a difference if what is claimed names one of them.
#[test]
fn processes_that_are_spawned_change_places_all_or_none() {
    let name = "a_property_names_one_of_the_processes_that_are_spawned.taut";
    let path = taut_testkit::regressions::folder().join(name);
    let loaded = from_path(&path, LoadOptions::default()).expect("a program");
    let program = &loaded.program;
    let claimed: Vec<&Expr> = program.properties.iter().flat_map(|p| p.kind.exprs()).collect();
    let slots = program.spawn_slots(program.process(ProcId(1)).def).map(|p| p.0);
    let unnamed: Vec<u32> = slots.filter(|&p| p != 2).collect();
    assert_eq!(unnamed, [1, 3, 4]);
    assert!(may_exchange(program, &claimed, ProcId(1), ProcId(3)));
    assert!(Alike::new(program, &claimed, &[unnamed]).is_err());
    assert!(Alike::new(program, &[], &[vec![1, 2, 3, 4]]).is_ok());
    assert!(Alike::new(program, &[], &[vec![1, 2], vec![2, 3]]).is_err());
    assert!(Alike::new(program, &[], &[vec![0, 1]]).is_err());
    assert!(Alike::new(program, &[], &[vec![9]]).is_err());
}

/// A store that may not wait is a finding of its own: nothing is left out then.
#[test]
fn nothing_is_chosen_where_a_full_buffer_is_an_error() {
    let tally = random_cases(30, straight(4), |case, draft| {
        let program = draft.program();
        let memory =
            Memory { model: MemoryModel::Tso, bound: Some(2), full_buffer: FullBuffer::Error };
        let chooser = Chooser::new(&program, memory, Vec::new());
        let initial = Machine::new(&program, memory).initial();
        let mut columns = Columns::new(&program);
        let mut memo = Memo::new(Machine::new(&program, memory));
        let none = program
            .process_ids()
            .all(|p| chosen(&chooser, (&mut memo, &mut columns), &initial, p).is_none());
        prop_assert!(none);
        case.count("none");
        Ok(())
    });
    tally.at_least("none", 30);
}
