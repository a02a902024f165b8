//! Steps that are looked up lead where steps that are taken lead.
//!
//! In every state of random programs and of examples, [`Memo`] and [`Watch`] are held against the plain machine: the same
//! successors, the same findings, the same bounds, the same truths. States that no run reaches are in between, with parts
//! of different states side by side: whatever was found out there must be right elsewhere.
//!
//! That this comparison finds what it is for is shown by faults of the memory, switched on one at a time: each is noticed. With
//! some of them the checker accepts what is false, so that nothing else would notice.

use std::collections::{BTreeSet, HashSet};

use fastrand::Rng;
use proptest::prelude::*;
use taut::load::{LoadOptions, from_bytes, from_path};
use taut::proof::claim_states;
use taut_certify::certify_program;
use taut_fault::{Fault, Group, with};
use taut_ir::{Action, Expr, Finding, Memory, MemoryModel, Program};
use taut_testkit::cases::{Case, random_cases};
use taut_testkit::promela_like;
use taut_testkit::random::{graph, straight};
use taut_testkit::suite::root;
use taut_testkit::tally::Tally;
use taut_witness::enumerate::explore;
use taut_witness::memo::{Columns, Memo, Visitor, Watch};
use taut_witness::{BoundsMet, Machine, Outcome, State, Successors};

use crate::random::{is_found, memories, questions};

/// Everything that can happen in a state.
#[derive(Debug, Default, PartialEq, Eq)]
struct All {
    findings: BTreeSet<Finding>,
    bounds: BoundsMet,
    reached: BTreeSet<Vec<u32>>,
    is_stuck: bool,
}

impl Visitor for All {
    type Stop = ();

    fn saw(&mut self, findings: &[Finding], bounds: BoundsMet) -> Result<(), ()> {
        self.findings.extend(findings);
        self.bounds = self.bounds.or(bounds);
        Ok(())
    }

    fn reached(&mut self, _: Action, row: &[u32]) -> Result<(), ()> {
        self.reached.insert(row.to_vec());
        Ok(())
    }

    fn stuck(&mut self, _: &State, next: &Successors) -> Result<(), ()> {
        self.is_stuck = next.is_nothing();
        Ok(())
    }
}

/// The same by the plain machine.
fn plain(machine: Machine<'_>, columns: &mut Columns<'_>, state: &State) -> (All, Vec<State>) {
    let (mut all, mut after) = (All::default(), Vec::new());
    let (mut passed, mut left) = (HashSet::new(), vec![state.clone()]);
    while let Some(at) = left.pop() {
        let next = machine.successors(&at);
        all.is_stuck |= next.is_nothing();
        all.findings.extend(next.findings());
        all.bounds = all.bounds.or(next.bounds);
        for (_, done) in next.moves {
            let Outcome::State(state) = done.outcome else { continue };
            if state.holder.is_none() {
                all.reached.insert(columns.add(&state));
                after.push(state);
            } else if passed.insert(state.clone()) {
                left.push(state);
            }
        }
    }
    (all, after)
}

/// What is compared.
struct Both<'p> {
    machine: Machine<'p>,
    columns: Columns<'p>,
    memo: Memo<'p>,
    watch: Watch<'p>,
    exprs: Vec<&'p Expr>,
}

impl<'p> Both<'p> {
    fn new(program: &'p Program, memory: Memory) -> Both<'p> {
        let (machine, columns) = (Machine::new(program, memory), Columns::new(program));
        let exprs: Vec<&Expr> = program.properties.iter().flat_map(|p| p.kind.exprs()).collect();
        let watch = Watch::new(machine, &columns, exprs.clone());
        Both { machine, columns, memo: Memo::new(machine), watch, exprs }
    }

    /// Compares a state: those that it leads to, or the difference.
    fn compare(&mut self, state: &State) -> Result<Vec<State>, String> {
        let row = self.columns.add(state);
        if self.columns.state(&row) != *state {
            return Err(format!("the row of {state:?} is of another state"));
        }
        let (expected, after) = plain(self.machine, &mut self.columns, state);
        let mut found = All::default();
        let _ = self.memo.visit(&mut self.columns, &row, &mut found);
        let truth = |expr: &&Expr| self.machine.value(state, expr).is_ok_and(|value| value != 0);
        let truths: Vec<bool> = self.exprs.iter().map(truth).collect();
        if self.watch.truths(&self.columns, &row) != truths {
            return Err(format!("other truths than {truths:?} in {state:?}"));
        }
        match found == expected {
            true => Ok(after),
            false => Err(format!("{found:?}\nand not\n{expected:?}\nin {state:?}")),
        }
    }

    /// Compares up to so many states, and as many that are made of their parts.
    fn walk(&mut self, most: usize, rng: &mut Rng) -> Result<(usize, usize), String> {
        let mut all = vec![self.machine.initial()];
        let mut seen: HashSet<State> = all.iter().cloned().collect();
        let (mut at, mut mixed) = (0, 0);
        while let Some(state) = all.get(at).cloned().filter(|_| at < most) {
            at += 1;
            if rng.bool() {
                let mut other = all[rng.usize(..all.len())].clone();
                for process in 0..other.processes.len() {
                    let from = &all[rng.usize(..all.len())];
                    other.processes[process] = from.processes[process].clone();
                }
                self.compare(&other)?;
                mixed += 1;
            }
            let after = self.compare(&state)?;
            all.extend(after.into_iter().filter(|state| seen.insert(state.clone())));
        }
        Ok((at, mixed))
    }
}

fn hold(case: &Case, program: &Program, memory: Memory, seed: u64) -> Result<(), TestCaseError> {
    case.about(program);
    let mut both = Both::new(program, memory);
    let done = both.walk(300, &mut Rng::with_seed(seed));
    let (states, mixed) = done.map_err(TestCaseError::fail)?;
    // Where more states are looked at than answers were asked for, some were looked up.
    case.count(if both.memo.answers() < states + mixed { "looked up" } else { "asked" });
    Ok(())
}

#[test]
fn straight_programs_are_looked_up() {
    let inputs = (straight(4), memories(), any::<u64>());
    let tally = random_cases(120, inputs, |case, (draft, memory, seed)| {
        hold(case, &draft.program(), memory, seed)
    });
    println!("{tally}");
    tally.at_least("looked up", 40);
}

#[test]
fn programs_with_loops_spawns_and_calls_are_looked_up() {
    let inputs = (graph(4), memories(), any::<u64>());
    let tally = random_cases(200, inputs, |case, (draft, memory, seed)| {
        hold(case, &draft.program(), memory, seed)
    });
    println!("{tally}");
    tally.at_least("looked up", 100);
}

#[test]
fn programs_with_channels_and_holding_are_looked_up() {
    let inputs = (promela_like::draft(), memories(), any::<u64>());
    let tally = random_cases(200, inputs, |case, (draft, memory, seed)| {
        hold(case, &draft.program(), memory, seed)
    });
    println!("{tally}");
    tally.at_least("looked up", 100);
}

#[test]
fn examples_are_looked_up() {
    let tally = Tally::new();
    let mut rng = Rng::with_seed(7);
    for folder in ["examples", "examples/dve", "examples/c", "examples/structured"] {
        for entry in std::fs::read_dir(root().join(folder)).expect("a folder") {
            let path = entry.expect("a file").path();
            let Ok(loaded) = from_path(&path, LoadOptions::default()) else { continue };
            let model = MemoryModel::EVERY[rng.usize(..MemoryModel::EVERY.len())];
            let memory = Memory::new(model).bounded(Some(rng.u32(1..4)));
            let mut both = Both::new(&loaded.program, memory);
            let (states, mixed) = both
                .walk(150, &mut rng)
                .unwrap_or_else(|why| panic!("{} under {model}: {why}", path.display()));
            tally.add("states", (states + mixed) as u64);
            tally.add("answers", both.memo.answers() as u64);
        }
    }
    println!("{tally}");
    tally.at_least("states", 10_000);
}

/// The faults of a memory.
fn faults() -> impl Iterator<Item = Fault> {
    Fault::ALL.iter().copied().filter(|fault| fault.group() == Group::Lookup)
}

/// Counts the faults that are noticed in a program, and those with which a false claim is accepted.
fn break_it(program: &Program, memory: Memory, seed: u64, tally: &Tally) {
    for fault in faults() {
        let walk = || Both::new(program, memory).walk(100, &mut Rng::with_seed(seed));
        if with(fault, walk).is_err() {
            tally.count(&format!("{fault:?}"));
        }
    }
    let Some(brute) = explore(program, memory, 300) else { return };
    let wrong = questions(program).into_iter().find(|(_, finding)| is_found(&brute, *finding));
    let Some((proven, _)) = wrong else { return };
    for fault in faults() {
        let is_accepted = || {
            let (claim, body) = claim_states(program, memory, vec![proven.clone()]).ok()?;
            certify_program(program, &claim, &body).ok()
        };
        if with(fault, is_accepted).is_some() {
            tally.count("false claims accepted");
            tally.count(&format!("{fault:?}: false claims accepted"));
        }
    }
}

#[test]
fn a_broken_memory_is_noticed() {
    let tally = Tally::new();
    random_cases(40, (graph(4), memories(), any::<u64>()), |case, (draft, memory, seed)| {
        case.about(&draft.program());
        break_it(&draft.program(), memory, seed, &tally);
        Ok(())
    });
    let inputs = (promela_like::draft(), memories(), any::<u64>());
    random_cases(60, inputs, |case, (draft, memory, seed)| {
        case.about(&draft.program());
        break_it(&draft.program(), memory, seed, &tally);
        Ok(())
    });
    // Random programs have few rendezvous.
    let text = "chan c = [0] of { byte };\nbyte seen;\n\
        active proctype sender() { c!1; c!2 }\n\
        active [2] proctype receiver() { byte got; c?got; seen = got }\n";
    let loaded = from_bytes("rendezvous.pml", text.into(), LoadOptions::default());
    let program = loaded.expect("a program").program;
    break_it(&program, Memory::new(MemoryModel::Sc), 7, &tally);
    println!("{tally}");
    for fault in faults() {
        tally.at_least(&format!("{fault:?}"), 1);
    }
    tally.at_least("false claims accepted", 5);
}
