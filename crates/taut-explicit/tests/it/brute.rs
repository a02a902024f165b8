//! Brute force that random programs are compared with.

use std::collections::BTreeSet;

use taut_explicit::Exploration;
use taut_ir::{Fault, Finding, Memory, Program};
use taut_testkit::cases::Case;
use taut_witness::enumerate;

/// All states of the program that a case is about; none, and counted as such, if there are more than so many.
pub fn brute_force(
    case: &Case,
    program: &Program,
    memory: Memory,
    most_states: usize,
) -> Option<enumerate::Exploration> {
    case.about(program);
    let brute = enumerate::explore(program, memory, most_states);
    let kind = if brute.is_some() { "compared" } else { "too large" };
    case.count(kind);
    if brute.as_ref().is_some_and(|brute| !brute.findings.is_empty()) {
        case.count("with findings");
    }
    brute
}

/// The findings of brute force, as the engine reports them.
pub fn expected(brute: &enumerate::Exploration) -> BTreeSet<Finding> {
    brute.findings.iter().map(|&finding| one_fault(finding)).collect()
}

/// The findings of a search.
pub fn kinds(exploration: &Exploration) -> BTreeSet<Finding> {
    exploration.found.iter().map(|found| one_fault(found.finding)).collect()
}

/// The engine reports one fault of a run, brute force all of them.
pub fn one_fault(finding: Finding) -> Finding {
    match finding {
        Finding::Fault(_) => Finding::Fault(Fault::Range),
        other => other,
    }
}
