//! One access per step: random programs with several accesses per statement against the same programs written
//! out with one access per statement (`taut_testkit::accesses`), by brute force.

use std::collections::{BTreeSet, HashMap};

use taut_ir::{Finding, Memory, MemoryModel, ProcId, Program};
use taut_lang::Options;
use taut_source::SourceMap;
use taut_testkit::accesses::{Drawn, LOCALS, PROCESSES, Values};
use taut_witness::{Machine, Outcome, State};

/// Number of programs.
const PROGRAMS: u64 = 400;
/// States of one program, at most; larger programs are left out.
const LIMIT: usize = 12_000;

fn parse(text: &str) -> Program {
    let mut map = SourceMap::new();
    let file = map.add("drawn.taut", text);
    let read = taut_lang::parse(&map, file, &Options::default());
    read.unwrap_or_else(|d| panic!("{}\n{text}", taut_source::render_all(&map, &d, false)))
}

/// What both forms of a program have of a state: memory, the locals of the text, buffers.
type Seen = (Vec<Vec<i64>>, Vec<(Vec<i64>, String)>);

/// What can be seen of a program.
#[derive(Debug, Default, PartialEq, Eq)]
struct Found {
    states: BTreeSet<Seen>,
    failed: BTreeSet<String>,
    /// The states in which nothing can happen though some process has not finished.
    deadlocks: BTreeSet<Seen>,
    /// The states after which nothing that can be seen ever happens.
    idle: BTreeSet<Seen>,
}

fn seen(program: &Program, state: &State) -> Seen {
    let of = |p: usize| {
        let process = &state.processes[p];
        let def = program.def_of(ProcId::from(p));
        let local = |l: usize| {
            let name = format!("l{l}");
            let found = def.registers.iter().position(|r| r.name == name);
            process.registers[found.expect("a local")][0]
        };
        ((0..LOCALS).map(local).collect(), format!("{:?}", process.buffer.items()))
    };
    (state.memory.clone(), (0..PROCESSES).map(of).collect())
}

/// All states by brute force; none if there are too many.
fn explore(program: &Program, memory: Memory) -> Option<Found> {
    let machine = Machine::new(program, memory);
    let mut found = Found::default();
    let mut known = HashMap::from([(machine.initial(), 0)]);
    let mut todo = vec![machine.initial()];
    let mut pictures = vec![seen(program, &machine.initial())];
    let mut before: Vec<Vec<usize>> = vec![Vec::new()];
    while let Some(state) = todo.pop() {
        let id = known[&state];
        if machine.findings(&state).contains(&Finding::Deadlock) {
            found.deadlocks.insert(pictures[id].clone());
        }
        for (_, done) in machine.successors(&state).moves {
            for failure in done.record.all_failed() {
                let Finding::Property(id) = failure.finding else { panic!("{failure:?}") };
                found.failed.insert(program.property(id).name.clone());
            }
            let Outcome::State(after) = done.outcome else {
                panic!("these programs have no faults: {:?}", done.outcome);
            };
            let next = *known.entry(after.clone()).or_insert_with(|| {
                pictures.push(seen(program, &after));
                before.push(Vec::new());
                todo.push(after);
                pictures.len() - 1
            });
            before[next].push(id);
        }
        if known.len() > LIMIT {
            return None;
        }
    }
    found.idle = idle(&pictures, &before);
    found.states = pictures.into_iter().collect();
    Some(found)
}

/// The states after which nothing that can be seen ever happens.
fn idle(pictures: &[Seen], before: &[Vec<usize>]) -> BTreeSet<Seen> {
    let mut lively = vec![false; pictures.len()];
    let mut todo = Vec::new();
    for (state, sources) in before.iter().enumerate() {
        todo.extend(sources.iter().copied().filter(|&s| pictures[s] != pictures[state]));
    }
    while let Some(state) = todo.pop() {
        if !std::mem::replace(&mut lively[state], true) {
            todo.extend(&before[state]);
        }
    }
    let idle = pictures.iter().zip(lively).filter(|(_, lively)| !lively);
    idle.map(|(picture, _)| picture.clone()).collect()
}

/// The states of the written-out program that are deadlocks: nothing ever happens, and each process has finished
/// or goes round in a loop that stands for a statement that waits.
fn stuck(drawn: &Drawn, program: &Program, found: &Found) -> BTreeSet<Seen> {
    let var = |name: &str| program.find_var(name).expect("a variable").index();
    let is_stuck = |(memory, processes): &&Seen| {
        let (a, pcs) = (&memory[var("a")], ["pc0", "pc1"].map(|name| memory[var(name)][0]));
        let shared = [memory[var("x")][0], memory[var("y")][0], a[0], a[1]];
        let ghost = memory[var("g")][0];
        let finished = pcs.iter().all(|&pc| pc == taut_testkit::accesses::FINISHED);
        let stuck = |p: usize| {
            drawn.is_stuck(p, pcs[p], &Values { shared, ghost, locals: &processes[p].0 })
        };
        !finished && (0..PROCESSES).all(stuck)
    };
    found.idle.iter().filter(is_stuck).cloned().collect()
}

#[test]
fn random_programs_have_the_states_of_the_programs_written_out() {
    let (mut compared, mut deadlocks, mut failures) = (0, 0, 0);
    for seed in 0..PROGRAMS {
        let drawn = Drawn::new(seed);
        let (compound, written) = (parse(&drawn.compound), parse(&drawn.written_out));
        for model in MemoryModel::ALL {
            let memory = Memory { bound: Some(2), ..Memory::new(model) };
            let Some(expected) = explore(&written, memory) else { break };
            let found = explore(&compound, memory).expect("no more states than written out");
            let text =
                || format!("seed {seed}, {model:?}\n{}\n{}", drawn.compound, drawn.written_out);
            let states = |all: &BTreeSet<Seen>, other: &BTreeSet<Seen>| {
                all.difference(other).next().cloned()
            };
            assert_eq!(states(&found.states, &expected.states), None, "too many: {}", text());
            assert_eq!(states(&expected.states, &found.states), None, "missing: {}", text());
            assert_eq!(found.failed, expected.failed, "{}", text());
            assert_eq!(found.deadlocks, stuck(&drawn, &written, &expected), "{}", text());
            compared += 1;
            deadlocks += usize::from(!found.deadlocks.is_empty());
            failures += usize::from(!found.failed.is_empty());
        }
    }
    println!("{compared} compared, {deadlocks} with deadlocks, {failures} with failed assertions");
    assert!(compared >= 800, "only {compared} comparisons");
    assert!(deadlocks >= 50 && failures >= 50, "{deadlocks} deadlocks, {failures} failures");
}
