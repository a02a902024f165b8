//! The symbolic engine against the explicit one with small bounds, and against the replayer, on random programs
//! that fill their buffers without end.
//!
//! Every property of these programs forbids one combination of program points and memory, and the engine looks for
//! all of them. What it finds replays, so it finds nothing too much; what the explicit engine finds with any
//! bound, it must find.

use std::collections::BTreeSet;

use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::{RngAlgorithm, TestRng, TestRunner};
use taut_explicit::{Completion, Limits, SearchOptions};
use taut_ir::{Finding, Memory, MemoryModel, Program};
use taut_symbolic::{SymbolicOptions, SymbolicSearch};
use taut_testkit::looping::{Looping, looping};
use taut_testkit::random::config;
use taut_witness::{Trace, replay};

/// How a program is put to the test.
#[derive(Clone, Copy)]
struct Setting {
    model: MemoryModel,
    sleep_sets: bool,
    ample_sets: bool,
    /// Whether properties are about ends only: otherwise every step is visible, and no set is ample.
    about_ends: bool,
}

impl Setting {
    fn of(model: MemoryModel) -> Setting {
        Setting { model, sleep_sets: true, ample_sets: true, about_ends: false }
    }

    fn program(self, draft: &Looping) -> Program {
        if self.about_ends { draft.program_about_ends() } else { draft.program() }
    }

    fn memory(self) -> Memory {
        Memory::new(self.model).bounded(None)
    }
}

/// What the explicit engine finds with a bound; none if that is too much.
fn bounded(program: &Program, model: MemoryModel, bound: u32) -> Option<BTreeSet<Finding>> {
    let limits = Limits { states: Some(30_000), ..Limits::default() };
    let options = SearchOptions { all: true, whole: true, limits, ..SearchOptions::default() };
    let memory = Memory::new(model).bounded(Some(bound));
    let explored = taut_explicit::explore(program, memory, &options);
    let complete = explored.completion == Completion::Complete;
    complete.then(|| explored.found.iter().map(|f| f.finding).collect())
}

fn symbolic(program: &Program, setting: Setting) -> SymbolicSearch {
    let Setting { sleep_sets, ample_sets, .. } = setting;
    // With 1,500 states one program in a hundred more is decided, in four times the time.
    let limits = Limits { states: Some(400), ..Limits::default() };
    let options =
        SymbolicOptions { all: true, sleep_sets, ample_sets, limits, ..SymbolicOptions::default() };
    taut_symbolic::explore(program, setting.memory(), &options)
}

/// What is wrong with what the engine says about a program, or whether it decides everything.
fn judge(draft: &Looping, setting: Setting) -> Result<bool, String> {
    let program = setting.program(draft);
    let search = symbolic(&program, setting);
    let mut found = BTreeSet::new();
    for one in &search.exploration.found {
        let trace = Trace::new(setting.memory(), one.finding, one.actions.clone());
        replay(&program, &trace).map_err(|error| format!("does not replay: {error}"))?;
        found.insert(one.finding);
    }
    match search.exploration.completion {
        Completion::Complete => {}
        // Everything that can be found was.
        Completion::Answered => return Ok(true),
        _ => return Ok(false),
    }
    // What a bound reaches, every larger one reaches too: the largest that is not too much says it all.
    let with_bound = |bound| bounded(&program, setting.model, bound).map(|found| (bound, found));
    if let Some((bound, bounded)) = (1..=5).rev().find_map(with_bound)
        && let Some(missed) = bounded.difference(&found).next()
    {
        return Err(format!("misses {}, which bound {bound} reaches", missed.name(&program)));
    }
    Ok(true)
}

/// Judges random programs; the share that is decided, in a thousand.
fn decided(setting: Setting, seed: u8, programs: u32) -> u32 {
    let programs = config(programs).cases;
    let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &[seed; 32]);
    let mut runner = TestRunner::new_with_rng(config(1), rng);
    let mut decided = 0;
    for number in 0..programs {
        let mut tree = looping().new_tree(&mut runner).expect("a program");
        match judge(&tree.current(), setting) {
            Ok(all) => decided += u32::from(all),
            Err(wrong) => {
                let (draft, smallest) = shrink(&mut tree, setting, wrong);
                panic!("program {number} under {}: {smallest}\n{draft:#?}", setting.model.name());
            }
        }
    }
    println!("{}: {decided} of {programs} programs decided", setting.model.name());
    decided * 1_000 / programs
}

/// Makes a program that is judged wrongly small: the smallest that is, and what is wrong with it.
fn shrink(
    tree: &mut dyn ValueTree<Value = Looping>,
    setting: Setting,
    wrong: String,
) -> (Looping, String) {
    let mut smallest = (tree.current(), wrong);
    let mut goes_on = tree.simplify();
    for _ in 0..3_000 {
        if !goes_on {
            break;
        }
        goes_on = match judge(&tree.current(), setting) {
            Err(wrong) => {
                smallest = (tree.current(), wrong);
                tree.simplify()
            }
            Ok(_) => tree.complicate(),
        };
    }
    smallest
}

#[test]
fn everything_that_can_be_reached_under_tso() {
    let share = decided(Setting::of(MemoryModel::Tso), 1, 1_500);
    assert!(share >= 950, "only {share} in a thousand programs are decided");
}

#[test]
fn everything_that_can_be_reached_under_pso() {
    let share = decided(Setting::of(MemoryModel::Pso), 2, 500);
    assert!(share >= 900, "only {share} in a thousand programs are decided");
}

#[test]
fn what_is_reached_at_the_ends() {
    for (model, seed) in [(MemoryModel::Tso, 5), (MemoryModel::Pso, 6)] {
        let about_ends = Setting { about_ends: true, ..Setting::of(model) };
        let share = decided(about_ends, seed, 60);
        assert!(share >= 900, "only {share} in a thousand programs are decided");
        decided(Setting { sleep_sets: false, ..about_ends }, seed + 10, 50);
    }
}

#[test]
fn without_reductions() {
    for (model, seed) in [(MemoryModel::Tso, 3), (MemoryModel::Pso, 4)] {
        decided(Setting { sleep_sets: false, ample_sets: false, ..Setting::of(model) }, seed, 60);
    }
}
