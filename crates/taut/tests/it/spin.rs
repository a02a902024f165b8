//! Taut beside SPIN, run for real on what `taut export --to promela` writes: the same verdicts.
//!
//! SPIN knows only sequential consistency; the store buffers are written out for it. So this compares two
//! searches and two descriptions of the memory models. `make test` installs SPIN; without it these tests
//! fail.

use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use taut::ir::{Expr, PropertyKind};
use taut::load::{LoadOptions, from_path};
use taut::{Check, Memory, MemoryModel, Program, Verdict};
use taut_testkit::random::{graph, straight};
use taut_testkit::spin::Verifier;
use taut_testkit::suite::root;

/// Searches with more states than this are left to Taut alone: SPIN would take minutes.
const MOST_STATES: u64 = 60_000;

/// Whether something but deadlock is violated, and whether deadlock is.
type Verdicts = (bool, bool);

/// What Taut says; none if there are too many states.
fn by_taut(program: &Program, memory: Memory) -> Option<Verdicts> {
    let check = Check::of(program).model(memory.model).bound(memory.bound);
    let report = check.all(true).max_states(Some(MOST_STATES)).run().expect("a report");
    if report.is_unknown() {
        return None;
    }
    let violated = |deadlock: bool| {
        let of_kind =
            report.results.iter().filter(|r| (r.kind == taut::QuestionKind::Deadlock) == deadlock);
        of_kind.into_iter().any(|r| matches!(r.verdict, Verdict::Violated(_)))
    };
    Some((violated(false), violated(true)))
}

/// What SPIN says: once without end states (`-E`), once without assertions (`-A`).
fn by_spin(promela: &str) -> Result<Verdicts, String> {
    let verifier = Verifier::quick(promela, &[], &["-DSAFETY", "-DMEMLIM=4000"])?;
    let run = |flag: &str| {
        let figures = verifier.run(&["-m700000", "-w20", flag])?;
        match figures.complete || figures.errors > 0 {
            true => Ok(figures.errors > 0),
            false => Err("the search was cut off".to_string()),
        }
    };
    Ok((run("-E")?, run("-A")?))
}

/// Examples that have no export: a trace assertion that must be finished where the program stops. SPIN reads such models as
/// they are (`spin_trace.rs`).
const NOT_EXPORTED: [&str; 1] = ["announced.pml"];

/// Compares the two; whether there was something to compare.
fn compare(name: &str, program: &Program, memory: Memory) -> Result<bool, String> {
    let Some(taut) = by_taut(program, memory) else { return Ok(false) };
    let promela = match taut::export::promela(program, memory) {
        Ok(promela) => promela,
        Err(_) if NOT_EXPORTED.contains(&name) => return Ok(false),
        Err(error) => return Err(format!("{name}: {error}")),
    };
    let spin = by_spin(&promela).map_err(|e| format!("{name} under {memory:?}: {e}"))?;
    if taut == spin {
        return Ok(true);
    }
    Err(format!(
        "{name} under {memory:?}: (assertions, deadlock) violated: Taut {taut:?}, SPIN {spin:?}\n{promela}"
    ))
}

/// Runs jobs on two threads; how many compared something, and what went wrong.
fn run_all(jobs: &[(String, Program, Memory)]) -> usize {
    let next = AtomicUsize::new(0);
    let compared = AtomicUsize::new(0);
    let wrong = Mutex::new(Vec::new());
    let work = || {
        while let Some((name, program, memory)) = jobs.get(next.fetch_add(1, Ordering::Relaxed)) {
            match compare(name, program, *memory) {
                Ok(did) => drop(compared.fetch_add(usize::from(did), Ordering::Relaxed)),
                Err(message) => wrong.lock().expect("no panic").push(message),
            }
        }
    };
    std::thread::scope(|scope| {
        scope.spawn(work);
        scope.spawn(work);
    });
    let wrong = wrong.into_inner().expect("no panic");
    assert!(wrong.is_empty(), "{} differ:\n{}", wrong.len(), wrong.join("\n"));
    compared.into_inner()
}

fn is_soak() -> bool {
    std::env::var_os("TAUT_SOAK").is_some()
}

/// Buffers of two entries under TSO; of one to three where there is time.
fn memories() -> Vec<Memory> {
    let mut all = vec![Memory::new(MemoryModel::Sc)];
    let bounds = if is_soak() { 1..=3 } else { 2..=2 };
    all.extend(bounds.map(|k| Memory::new(MemoryModel::Tso).bounded(Some(k))));
    all.push(Memory::new(MemoryModel::Pso).bounded(Some(1)));
    all
}

/// The program without its questions about runs, which SPIN must be asked in another way; the tests of the
/// export do.
fn about_states(mut program: Program) -> Program {
    for property in program.properties.iter_mut().filter(|p| p.kind.is_temporal()) {
        property.kind = PropertyKind::Forbid(Expr::Const(0));
    }
    program
}

/// The examples in a language, each on all memories.
fn examples(extension: &str) -> Vec<(String, Program, Memory)> {
    let entries = std::fs::read_dir(root().join("examples")).expect("examples");
    let mut paths: Vec<PathBuf> = entries.map(|e| e.expect("an entry").path()).collect();
    paths.retain(|p| p.extension().is_some_and(|e| e == extension));
    paths.sort();
    let mut jobs = Vec::new();
    for path in &paths {
        let loaded = from_path(path, LoadOptions::default()).unwrap_or_else(|e| panic!("{e}"));
        let name = path.file_name().expect("a name").display().to_string();
        let program = about_states(loaded.program);
        jobs.extend(memories().into_iter().map(|m| (name.clone(), program.clone(), m)));
    }
    jobs
}

fn compare_examples(extension: &str) {
    let jobs = examples(extension);
    let compared = run_all(&jobs);
    println!("{compared} of {} searches of .{extension} compared with SPIN", jobs.len());
    assert!(compared * 10 >= jobs.len() * 8, "{compared} of {}", jobs.len());
}

#[test]
fn every_example_has_the_same_verdicts_in_spin() {
    compare_examples("taut");
}

/// What SPIN says of a model in Promela after it went through Taut and came back as Promela.
#[test]
fn every_promela_example_has_the_same_verdicts_in_spin() {
    compare_examples("pml");
}

#[test]
fn random_programs_have_the_same_verdicts_in_spin() {
    // Always the same programs: SPIN and gcc take a second for each.
    let mut runner = TestRunner::deterministic();
    let drafts = prop_oneof![straight(4), graph(5)];
    let mut jobs = Vec::new();
    for i in 0..40 {
        let program = drafts.new_tree(&mut runner).expect("a draft").current().program();
        let memory = memories()[i % memories().len()];
        jobs.push((format!("random {i}"), program, memory));
    }
    let compared = run_all(&jobs);
    assert!(compared >= 25, "{compared} of {}", jobs.len());
}
