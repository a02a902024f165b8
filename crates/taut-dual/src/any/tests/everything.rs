//! Random programs with everything the program model has, with any number of processes of the first definition: arrays,
//! registers, ghosts, read-modify-writes, atomic sections, `sync`, faults, views of processes in properties.

use proptest::prelude::*;
use taut_ir::{DefId, MemoryModel, Program};
use taut_testkit::cases::{Case, random_cases};
use taut_testkit::random::{graph, straight};

use super::{each, explicit, found, search};

fn compare(case: &Case, mut program: Program, number: u32) -> Result<(), TestCaseError> {
    program.replicated = vec![DefId(number % program.defs.len().min(2) as u32)];
    case.about(&program);
    for model in [MemoryModel::Sc, MemoryModel::Tso] {
        if crate::any::supports(&program, model).is_err() {
            case.count("refused");
            continue;
        }
        let any = match search(&program, model, 100_000) {
            Ok(any) => any,
            Err(why) if why.contains("Limit") || why.contains("too large") => {
                case.count("left open");
                continue;
            }
            Err(why) => return Err(TestCaseError::fail(format!("{model:?}: {why}"))),
        };
        case.count("decided");
        if !any.exploration.found.is_empty() {
            case.count("violated");
        }
        for count in 1..=3 {
            let bound = if count < 3 { 4 } else { 2 };
            let fixed = explicit(&program, &each(&program, count), model, bound, 30_000);
            let Some(fixed) = fixed else { continue };
            case.count("compared");
            let all = found(&any);
            let missed: Vec<_> = fixed.difference(&all).collect();
            prop_assert!(missed.is_empty(), "{model:?}: misses {missed:?} of {count} processes");
        }
        for (f, numbers) in any.exploration.found.iter().zip(&any.numbers) {
            let fewer: Vec<_> = numbers.counts.iter().map(|&(def, n)| (def, n - 1)).collect();
            if !numbers.is_smallest || fewer.iter().any(|c| c.1 == 0) {
                continue;
            }
            let Some(fixed) = explicit(&program, &fewer, model, 4, 30_000) else { continue };
            case.count("smaller");
            prop_assert!(!fixed.contains(&super::super::super::tests::kind(f.finding)));
        }
    }
    Ok(())
}

#[test]
fn graphs() {
    let drafts = (graph(8), 0_u32..2);
    let tally =
        random_cases(250, drafts, |case, (draft, number)| compare(case, draft.program(), number));
    tally.at_least("decided", 60).at_least("violated", 12).at_least("compared", 150);
}

#[test]
fn straight_lines() {
    let drafts = (straight(5), 0_u32..2);
    let tally =
        random_cases(300, drafts, |case, (draft, number)| compare(case, draft.program(), number));
    tally.at_least("decided", 200).at_least("violated", 12).at_least("compared", 600);
}
