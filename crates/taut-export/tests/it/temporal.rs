//! Temporal properties of random programs: SPIN, run for real on the claims that are exported, with its
//! fairness and without, agrees with brute force.

use crate::support;

use std::collections::BTreeMap;
use std::time::Duration;

use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use support::draw::{draw, holds_in_a_circle, memory};
use support::rings::{ask, ring};
use support::*;
use taut_export::{Export, ExportOptions};
use taut_ir::{Fairness, Finding, Memory, MemoryFairness, Program, PropId, PropertyKind};
use taut_testkit::random::{graph, straight};
use taut_testkit::spin::Verifier;
use taut_testkit::temporal::question;
use taut_witness::temporal::counterexample;

/// So many states, and nodes of the product with a formula, are still quick.
const LIMIT: usize = 3_000;

/// The fairness of processes and of the memory as one process.
const MEMORY_PROCESS: Fairness = Fairness { process: true, memory: MemoryFairness::Process };

/// A program with a question about its runs.
struct Job {
    program: Program,
    property: PropId,
    memory: Memory,
    fairness: Fairness,
}

/// Whether a property is violated. Nothing if that takes too long, or if a finite run decides that is part
/// of no infinite one: what is said then depends on how the formula is read.
fn by_force(job: &Job, fairness: Fairness) -> Option<bool> {
    let found = counterexample(&job.program, job.memory, job.property, fairness, LIMIT)?;
    let formula = matches!(job.program.property(job.property).kind, PropertyKind::Ltl(_));
    match found {
        Some(trace) if trace.lasso.is_none() && formula => None,
        found => Some(found.is_some()),
    }
}

fn verifier(export: &Export) -> Result<Verifier, String> {
    let flags: Vec<_> = export.compile.iter().map(String::as_str).collect();
    Verifier::quick(&export.text, &[], &flags)
}

/// What SPIN says about the only claim, in a search that is no deeper than asked for.
fn by_spin(
    verifier: &Verifier,
    export: &Export,
    fair: bool,
    deepest: &str,
) -> Result<bool, String> {
    let args = export.run.iter().map(String::as_str).filter(|flag| fair || *flag != "-f");
    finds_errors(verifier, &args.chain([deepest]).collect::<Vec<_>>())
}

/// Compares the verdicts with fairness and without; nothing if there is nothing to compare.
fn compare(number: usize, job: &Job) -> Result<Option<Verdicts>, String> {
    taut_ir::validate::validate(&job.program).map_err(|e| format!("{number}: {e:?}"))?;
    let (fair, all) = match (by_force(job, job.fairness), by_force(job, Fairness::NONE)) {
        (Some(fair), Some(all)) => (fair, all),
        _ => return Ok(None),
    };
    let options = ExportOptions { fairness: job.fairness };
    let Ok(export) = taut_export::promela_with(&job.program, job.memory, options) else {
        return Ok(None);
    };
    let said = |e: String| format!("{number}, {:?}: {e}\n{}", job.memory, export.text);
    let verifier = verifier(&export).map_err(said)?;
    let fair = if export.exact { fair } else { all };
    let expected = (fair, all);
    let endless = holds_in_a_circle(&job.program);
    let deepest = if endless { "-m20000" } else { "-m300000" };
    let ask = |fair: bool| by_spin(&verifier, &export, fair, deepest);
    let spin = match (if export.exact { ask(true) } else { Ok(fair) }, ask(false)) {
        // With `-f` SPIN's second search does not recognise states of the first while its count of
        // processes is not complete, and now and then goes round until it is too deep.
        (Err(e), _) if e == CUT_OFF => return Ok(None),
        (_, Err(e)) if e == CUT_OFF && endless => return Ok(None),
        (fair, all) => (fair.map_err(said)?, all.map_err(said)?),
    };
    match spin == expected {
        true => Ok(Some(spin)),
        false => Err(said(format!(
            "violated (fairness {}, none): brute force {expected:?}, SPIN {spin:?}",
            job.fairness
        ))),
    }
}

/// Compares programs, most of them; how often each pair of verdicts came out.
fn compare_all(jobs: &[Job]) -> BTreeMap<Verdicts, usize> {
    let all = on_two_threads(jobs, compare);
    let mut verdicts = BTreeMap::new();
    all.iter().for_each(|v| *verdicts.entry(*v).or_insert(0) += 1);
    println!("{} of {}: {verdicts:?}", all.len(), jobs.len());
    assert!(all.len() * 10 >= jobs.len() * 6, "{} of {}", all.len(), jobs.len());
    verdicts
}

fn job(number: u64, mut program: Program, ask: impl FnOnce(&mut Program) -> PropId) -> Job {
    // Only one question: SPIN is asked about the only claim.
    program.properties.retain(|p| p.kind == PropertyKind::Assert);
    let property = ask(&mut program);
    let fairness = if number % 3 == 2 { MEMORY_PROCESS } else { Fairness::ALL };
    Job { program, property, memory: memory(number), fairness }
}

/// Programs that mostly end soon, with any formula.
fn short_jobs(count: u64, mut program: impl FnMut(u64, &mut TestRunner) -> Program) -> Vec<Job> {
    let mut runner = TestRunner::deterministic();
    let questions = question(3);
    let job = |seed: u64| {
        let program = program(seed, &mut runner);
        let question = questions.new_tree(&mut runner).expect("a question").current();
        job(seed, program, |program| question.ask(program))
    };
    (0..count).map(job).collect()
}

#[test]
fn formulas_about_programs_of_promela_have_the_same_verdicts_in_spin() {
    let jobs = short_jobs(seeds(80), |seed, _| draw(seed));
    assert!(compare_all(&jobs).len() > 1);
}

#[test]
fn formulas_about_programs_of_taut_have_the_same_verdicts_in_spin() {
    let drafts = prop_oneof![straight(4), graph(5)];
    let jobs = short_jobs(seeds(60), |_, runner| {
        drafts.new_tree(runner).expect("a draft").current().program()
    });
    assert!(compare_all(&jobs).len() > 1);
}

#[test]
fn fairness_is_spins() {
    let jobs: Vec<_> = (0..seeds(120)).map(|n| job(n, ring(n), |p| ask(n, p))).collect();
    let verdicts = compare_all(&jobs);
    let unfair = verdicts.get(&(false, true)).copied().unwrap_or(0);
    assert!(verdicts.len() == 3 && unfair * 10 >= jobs.len(), "fairness decides: {verdicts:?}");
}

/// Every move of the SPIN model is one of the program: there are as many states. (But for those where
/// nothing can happen any more.)
#[test]
fn states_are_those_of_the_program() {
    let jobs: Vec<_> = (0..seeds(60)).map(|n| (ring(n), memory(n))).collect();
    let compared = on_two_threads(&jobs, |number, (program, memory)| {
        let Some(force) = taut_witness::enumerate::explore(program, *memory, 50_000) else {
            return Ok(None);
        };
        if force.findings.contains(&Finding::Deadlock) || force.bounds.threads {
            return Ok(None);
        }
        let promela = taut_export::promela(program, *memory).map_err(|e| e.to_string())?;
        let search = Verifier::plain(&promela)?.search(Duration::from_secs(60))?;
        match search.figures.states == force.states as u64 {
            true => Ok(Some(())),
            false => Err(format!(
                "{number}, {memory:?}: {} states, in SPIN {}\n{promela}",
                force.states, search.figures.states
            )),
        }
    });
    assert!(compared.len() * 10 >= jobs.len() * 6, "{} of {}", compared.len(), jobs.len());
}
