//! Random programs on the processor: what is seen is a run of the model.

use std::time::Duration;

use proptest::prelude::*;
use taut::export::{HarnessEvent, Loads, harness};
use taut::ir::granularity::{Most, split_program};
use taut::ir::{Expr, Program, RegId, VarId, VarKind};
use taut::{Check, Limits, MemoryModel, finals};
use taut_run::{Compiler, Seen, Settings, run_harness};
use taut_testkit::cases::{Case, random_cases};
use taut_testkit::random::{REGISTERS, straight};

/// The registers of all processes, and shared memory.
fn watched(program: &Program) -> Vec<Expr> {
    let mut all = Vec::new();
    for process in program.process_ids() {
        let registers = (0..u32::from(REGISTERS)).map(RegId);
        all.extend(registers.map(|r| Expr::In(process, Box::new(Expr::Reg(r)))));
    }
    for (i, var) in program.vars.iter().enumerate().filter(|(_, v)| v.kind == VarKind::Shared) {
        let element = |k: u32| Expr::VarElem(VarId::from(i), Box::new(Expr::Const(k.into())));
        match var.len {
            None => all.push(Expr::Var(VarId::from(i))),
            Some(len) => all.extend((0..len).map(element)),
        }
    }
    all
}

fn seen(text: &str) -> Seen {
    let settings = Settings {
        compiler: Compiler::find(None).expect("a compiler, which scripts/setup installs"),
        time: Duration::from_millis(100),
        seed: 7,
        keep: None,
        is_interrupted: &|| false,
    };
    run_harness(text, &settings).expect("a run")
}

fn is_subset(case: &Case, program: &Program) -> Result<(), TestCaseError> {
    case.about(program);
    let watched = watched(program);
    let harness = match harness(program, &watched, Loads::Each) {
        Ok(harness) => harness,
        Err(refusal) => return case.pass_over(&refusal.what),
    };
    // The processor does one access at a time, and so must the model.
    let by_access = split_program(program.clone(), Most::default()).expect("a small program");
    let limits = Limits { states: Some(200_000), ..Limits::default() };
    let Ok(allowed) = finals(&by_access, MemoryModel::Tso, &watched, &limits) else {
        return case.pass_over("too large");
    };
    let report = Check::of(&by_access).model(MemoryModel::Tso).all(true).run().expect("a report");
    let seen = seen(&harness.text);
    for (count, state) in &seen.states {
        prop_assert!(allowed.contains(state), "{:?} was seen {} times", state, count);
        case.count("states");
    }
    for (bit, count) in &seen.violated {
        let name = match harness.event(*bit).expect("a bit of the harness") {
            HarnessEvent::Fault => "fault",
            HarnessEvent::Property(id) => &program.property(id).name,
        };
        prop_assert!(!report.proves(name), "`{}` was seen violated {} times", name, count);
        case.count("violations");
    }
    case.count("compared");
    Ok(())
}

#[test]
fn random_programs_do_what_tso_allows() {
    let tally = random_cases(14, straight(5), |case, draft| is_subset(case, &draft.program()));
    tally.at_least("compared", 4).at_least("states", 4);
}
