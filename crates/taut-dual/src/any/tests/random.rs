//! Random programs that fill their buffers without end, with any number of processes of one definition or of both: what holds
//! for every number holds for one to four by explicit search; a violation replays with its number of processes, and if that is the
//! smallest one, explicit search with one less does not find it.

use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::{RngAlgorithm, TestRng, TestRunner};
use taut_fault::Fault;
use taut_ir::{DefId, MemoryModel, Program};
use taut_testkit::looping::{Looping, looping};
use taut_testkit::random::config;

use super::{each, explicit, found, search};

/// What was compared.
#[derive(Debug, Default)]
struct Compared {
    decided: u32,
    violations: u32,
    /// Violations that take so many processes, one or none counted as one.
    taking: [u32; 8],
    /// Instances by the number of processes of each definition.
    instances: [u32; 5],
    /// Violations of which the instance with one process less was searched.
    smaller: u32,
}

fn program(draft: &Looping, number: u32) -> Program {
    let mut program = draft.program();
    // One of the two definitions in two of three programs, both in the others.
    program.replicated = match number % 3 {
        0 => vec![DefId(0)],
        1 => vec![DefId(1)],
        _ => vec![DefId(0), DefId(1)],
    };
    program
}

fn judge(draft: &Looping, number: u32, so_far: &mut Compared) -> Result<(), String> {
    let program = program(draft, number);
    let model = if number.is_multiple_of(4) { MemoryModel::Sc } else { MemoryModel::Tso };
    let any = search(&program, model, 300_000)?;
    so_far.decided += 1;
    let all = found(&any);
    for count in 1..=4 {
        let bound = if count < 3 { 3 } else { 1 };
        let fixed = explicit(&program, &each(&program, count), model, bound, 20_000);
        let Some(fixed) = fixed else { continue };
        so_far.instances[count as usize] += 1;
        if let Some(missed) = fixed.difference(&all).next() {
            let name = missed.name(&program);
            return Err(format!("misses {name}, which {count} processes reach ({})", model.name()));
        }
    }
    for (f, numbers) in any.exploration.found.iter().zip(&any.numbers) {
        so_far.violations += 1;
        let most = numbers.counts.iter().map(|c| c.1).max().unwrap_or(0);
        so_far.taking[most.min(7) as usize] += 1;
        for i in 0..numbers.counts.len() {
            let mut fewer = numbers.counts.clone();
            if !numbers.is_smallest || fewer[i].1 < 2 {
                continue;
            }
            fewer[i].1 -= 1;
            let Some(fixed) = explicit(&program, &fewer, model, 2, 20_000) else { continue };
            so_far.smaller += 1;
            if fixed.contains(&f.finding) {
                let name = f.finding.name(&program);
                return Err(format!("{name} takes {fewer:?}, not {:?}", numbers.counts));
            }
        }
    }
    Ok(())
}

/// Compares so many programs; the message is about the smallest program that is judged wrongly, if it is to be looked for.
fn compare(seed: u8, programs: u32, shrinks: bool) -> Result<Compared, String> {
    let programs = config(programs).cases;
    let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &[seed; 32]);
    let mut runner = TestRunner::new_with_rng(config(1), rng);
    let mut so_far = Compared::default();
    for number in 0..programs {
        let mut tree = looping().new_tree(&mut runner).map_err(|e| e.to_string())?;
        if let Err(wrong) = judge(&tree.current(), number, &mut so_far) {
            let (draft, wrong) = match shrinks {
                true => shrink(&mut tree, number, wrong),
                false => (tree.current(), wrong),
            };
            return Err(format!("program {number}: {wrong}\n{draft:?}"));
        }
    }
    println!("{so_far:?} of {programs}");
    Ok(so_far)
}

fn shrink(
    tree: &mut dyn ValueTree<Value = Looping>,
    number: u32,
    wrong: String,
) -> (Looping, String) {
    let mut smallest = (tree.current(), wrong);
    let mut goes_on = tree.simplify();
    for _ in 0..500 {
        if !goes_on {
            break;
        }
        goes_on = match judge(&tree.current(), number, &mut Compared::default()) {
            Err(wrong) => {
                smallest = (tree.current(), wrong);
                tree.simplify()
            }
            Ok(()) => tree.complicate(),
        };
    }
    smallest
}

#[test]
fn fixed_numbers_agree() {
    let compared = compare(11, 60, true).unwrap_or_else(|wrong| panic!("{wrong}"));
    assert!(compared.decided >= 60 && compared.violations >= 500, "{compared:?}");
    assert!(compared.instances[1..].iter().all(|&n| n >= 20), "{compared:?}");
    assert!(compared.taking[2] >= 20 && compared.smaller >= 20, "{compared:?}");
}

/// Without the rule of new processes, violations are missed.
#[test]
fn the_rule_of_new_processes_is_needed() {
    let outcome = taut_fault::with(Fault::NoNewProcess, || compare(12, 40, false));
    assert!(outcome.is_err_and(|wrong| wrong.contains("misses")), "the mistake is not found");
}
