//! Random programs that fill their buffers without end. Each property forbids one combination of program points and
//! memory, and all are looked for: the set of reachable combinations is compared with that of explicit search with
//! bounds and with that of the automata engine.

use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::{RngAlgorithm, TestRng, TestRunner};
use taut_explicit::{Completion, Limits};
use taut_fault::{Fault, Group};
use taut_ir::{Memory, MemoryModel, Program};
use taut_symbolic::SymbolicOptions;
use taut_testkit::looping::{Looping, looping};
use taut_testkit::random::config;

use super::{Said, ask, explicit};

/// What was compared.
#[derive(Debug, Default)]
struct Compared {
    decided: u32,
    bounded: u32,
    symbolic: u32,
}

fn symbolic(program: &Program) -> Option<std::collections::BTreeSet<taut_ir::Finding>> {
    let limits = Limits { states: Some(200), ..Limits::default() };
    let options = SymbolicOptions { all: true, limits, ..SymbolicOptions::default() };
    let memory = Memory::new(MemoryModel::Tso).bounded(None);
    let search = taut_symbolic::explore(program, memory, &options).exploration;
    let is_all = matches!(search.completion, Completion::Complete | Completion::Answered);
    is_all.then(|| search.found.iter().map(|f| f.finding).collect())
}

fn judge(draft: &Looping, with_symbolic: bool, so_far: &mut Compared) -> Result<(), String> {
    let program = draft.program();
    let found = match ask(&program, 200_000) {
        Said::Found(found) => found,
        Said::Wrong(why) => return Err(why),
        Said::Refused => return Err("refused".into()),
        Said::Limit => return Err("a limit".into()),
    };
    so_far.decided += 1;
    let with_bound = |bound| Some((bound, explicit(&program, bound, 30_000)?.0));
    if let Some((bound, bounded)) = (1..=4).rev().find_map(with_bound) {
        so_far.bounded += 1;
        if let Some(missed) = bounded.difference(&found).next() {
            return Err(format!("misses {}, which bound {bound} reaches", missed.name(&program)));
        }
    }
    if with_symbolic && let Some(other) = symbolic(&program) {
        so_far.symbolic += 1;
        if other != found {
            return Err(format!("{other:?} by automata, {found:?} by constraints"));
        }
    }
    Ok(())
}

/// Compares so many programs. The message is about the smallest program that is judged wrongly, if it is to be looked for.
fn compare(
    seed: u8,
    programs: u32,
    with_symbolic: bool,
    shrinks: bool,
) -> Result<Compared, String> {
    let programs = config(programs).cases;
    let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &[seed; 32]);
    let mut runner = TestRunner::new_with_rng(config(1), rng);
    let mut so_far = Compared::default();
    for number in 0..programs {
        let mut tree = looping().new_tree(&mut runner).map_err(|e| e.to_string())?;
        if let Err(wrong) = judge(&tree.current(), with_symbolic, &mut so_far) {
            let (draft, wrong) = match shrinks {
                true => shrink(&mut tree, with_symbolic, wrong),
                false => (tree.current(), wrong),
            };
            return Err(format!("program {number}: {wrong}\n{draft:#?}"));
        }
    }
    println!("{so_far:?} of {programs}");
    Ok(so_far)
}

fn shrink(
    tree: &mut dyn ValueTree<Value = Looping>,
    with_symbolic: bool,
    wrong: String,
) -> (Looping, String) {
    let mut smallest = (tree.current(), wrong);
    let mut goes_on = tree.simplify();
    for _ in 0..2_000 {
        if !goes_on {
            break;
        }
        goes_on = match judge(&tree.current(), with_symbolic, &mut Compared::default()) {
            Err(wrong) => {
                smallest = (tree.current(), wrong);
                tree.simplify()
            }
            Ok(()) => tree.complicate(),
        };
    }
    smallest
}

/// Not one program is left open: that is what the engine is for.
#[test]
fn every_looping_program_is_decided() {
    let compared = compare(1, 1_000, false, true).unwrap_or_else(|wrong| panic!("{wrong}"));
    assert!(compared.decided >= 1_000 && compared.bounded >= 900, "{compared:?}");
}

#[test]
fn automata_and_constraints_agree() {
    let compared = compare(2, 200, true, true).unwrap_or_else(|wrong| panic!("{wrong}"));
    assert!(compared.symbolic >= 130, "{compared:?}");
}

/// Each mistake in the rules is found by these comparisons.
#[test]
fn mistakes_are_found() {
    // What only a search for any number of processes can get wrong is tested there.
    let of_rules = |fault: &&Fault| fault.group() == Group::Pre && **fault != Fault::NoNewProcess;
    for &fault in Fault::ALL.iter().filter(of_rules) {
        let outcome = taut_fault::with(fault, || compare(3, 600, false, false));
        assert!(outcome.is_err(), "{fault:?} is not found");
    }
}
