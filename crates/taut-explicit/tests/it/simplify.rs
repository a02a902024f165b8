//! Simplified programs against the given ones on random programs: whatever the rules, the same findings, the
//! same bounds met, no more states; and every run that is found replays on the given program.

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use taut_explicit::reduce::simplify::{Question, Rules, Simplified, simplify};
use taut_explicit::{
    BoundsMet, Completion, Exploration, Limits, Order, Reduce, SearchOptions, explore,
};
use taut_ir::{Finding, FullBuffer, Memory, MemoryModel, Program, PropId, validate::validate};
use taut_testkit::cases::{Case, random_cases};
use taut_testkit::looping::looping;
use taut_testkit::padding::padding;
use taut_testkit::promela_like;
use taut_testkit::random::{graph, straight};
use taut_witness::{Trace, replay};

/// Programs with more states than this are skipped.
const MOST_STATES: u64 = 4_000;

/// Each rule alone, and all together.
const RULES: [(&str, Rules); 6] = [
    ("specialise", Rules { specialise: true, ..Rules::NONE }),
    ("unreachable", Rules { unreachable: true, ..Rules::NONE }),
    ("unread", Rules { unread: true, ..Rules::NONE }),
    ("dead", Rules { dead: true, ..Rules::NONE }),
    ("fuse", Rules { fuse: true, ..Rules::NONE }),
    ("all", Rules::ALL),
];

/// One fault stands for all.
fn findings(exploration: &Exploration) -> BTreeSet<Finding> {
    let one_fault = |finding| match finding {
        Finding::Fault(_) => Finding::Fault(taut_ir::Fault::Range),
        other => other,
    };
    exploration.found.iter().map(|f| one_fault(f.finding)).collect()
}

/// The bounds met; which definition had too few processes first depends on the order of the search.
fn bounds(exploration: &Exploration) -> [bool; 3] {
    let BoundsMet { buffer, threads, calls, .. } = exploration.bounds_met;
    [buffer, threads, calls]
}

/// What a search is made with.
#[derive(Clone, Debug)]
struct Setting {
    memory: Memory,
    options: SearchOptions,
}

impl Setting {
    fn new(memory: Memory, order: Order, unasked: Vec<Finding>) -> Setting {
        let limits = Limits { states: Some(MOST_STATES), ..Limits::default() };
        let options =
            SearchOptions { order, all: true, whole: true, unasked, limits, ..Default::default() };
        Setting { memory, options }
    }

    fn explore(&self, program: &Program) -> Option<Exploration> {
        let exploration = explore(program, self.memory, &self.options);
        (exploration.completion == Completion::Complete).then_some(exploration)
    }

    fn simplify(&self, program: &Program, rules: Rules) -> Simplified {
        let question = Question::of_states(program, &self.options.unasked);
        simplify(program, self.memory.model, &question, rules)
    }
}

fn compare(case: &Case, program: &Program, setting: &Setting) -> Result<(), TestCaseError> {
    case.about(program);
    let Some(given) = setting.explore(program) else { return case.pass_over("too large") };
    case.count("compared");
    if !given.found.is_empty() {
        case.count("with findings");
    }
    for (name, rules) in RULES {
        let simple = setting.simplify(program, rules);
        prop_assert_eq!(validate(&simple.program), Ok(()));
        let found = setting.explore(&simple.program);
        prop_assert!(found.is_some(), "{}: more states", name);
        let found = found.expect("no more states");
        prop_assert_eq!(findings(&found), findings(&given), "{} {:?}", name, setting);
        prop_assert_eq!(bounds(&found), bounds(&given), "{} {:?}", name, setting);
        prop_assert_eq!(found.stats.deadlocks > 0, given.stats.deadlocks > 0, "{}", name);
        let size = |e: &Exploration| [e.stats.states, e.stats.state_bits];
        let (now, before) = (size(&found), size(&given));
        prop_assert!(now[0] <= before[0] && now[1] <= before[1], "{name}: {now:?} {before:?}");
        prop_assert_eq!(&simple.reached(found.reached.clone()), &given.reached, "{}", name);
        replays(program, setting, found)?;
    }
    let reduced = SearchOptions { reduce: Reduce::All, ..setting.options.clone() };
    let found = explore(program, setting.memory, &reduced);
    prop_assert_eq!(found.completion, Completion::Complete);
    prop_assert_eq!(findings(&found), findings(&given), "reduced {:?}", setting);
    prop_assert_eq!(bounds(&found), bounds(&given), "reduced {:?}", setting);
    prop_assert_eq!(&found.reached, &given.reached);
    replays(program, setting, found)
}

/// Whether the given program can do all that was found.
fn replays(
    program: &Program,
    setting: &Setting,
    exploration: Exploration,
) -> Result<(), TestCaseError> {
    for found in exploration.found {
        let trace = Trace::new(setting.memory, found.finding, found.actions);
        if let Err(error) = replay(program, &trace) {
            return Err(TestCaseError::fail(format!("{error}: {trace:?}")));
        }
    }
    Ok(())
}

/// Some properties that are not asked, chosen by bits.
fn unasked(program: &Program, bits: u8) -> Vec<Finding> {
    let chosen = |p: &PropId| bits >> (p.index() % 8) & 1 == 1;
    program.property_ids().filter(chosen).map(Finding::Property).collect()
}

fn compare_all(
    case: &Case,
    program: &Program,
    (bound, full_is_error, dfs, bits): (u32, bool, bool, u8),
) -> Result<(), TestCaseError> {
    let full_buffer = if full_is_error { FullBuffer::Error } else { FullBuffer::Wait };
    let order = if dfs { Order::Dfs } else { Order::Bfs };
    for model in MemoryModel::EVERY {
        let memory = Memory { model, bound: Some(bound), full_buffer };
        compare(case, program, &Setting::new(memory, order, unasked(program, bits)))?;
    }
    Ok(())
}

fn ways() -> BoxedStrategy<(u32, bool, bool, u8)> {
    (1_u32..4, any::<bool>(), any::<bool>(), prop_oneof![Just(0), any::<u8>()]).boxed()
}

#[test]
fn of_straight_programs() {
    let tally = random_cases(100, (straight(4), ways()), |case, (draft, way)| {
        compare_all(case, &draft.program(), way)
    });
    tally.at_least("compared", 380).at_least("with findings", 20);
}

#[test]
fn of_programs_with_loops_and_calls() {
    let tally = random_cases(100, (graph(8), ways()), |case, (draft, way)| {
        compare_all(case, &draft.program(), way)
    });
    tally.at_least("compared", 300).at_least("with findings", 160);
}

#[test]
fn of_programs_about_their_ends() {
    let tally = random_cases(100, (looping(), ways()), |case, (draft, way)| {
        compare_all(case, &draft.program_about_ends(), way)
    });
    tally.at_least("compared", 350).at_least("with findings", 150);
}

#[test]
fn of_programs_like_promela() {
    let tally = random_cases(100, (promela_like::draft(), ways()), |case, (draft, way)| {
        compare_all(case, &draft.program(), way)
    });
    tally.at_least("compared", 330).at_least("with findings", 200);
}

#[test]
fn of_programs_with_local_steps() {
    let tally = random_cases(150, (graph(6), padding(), ways()), |case, (draft, padding, way)| {
        compare_all(case, &padding.put_into(draft.program()), way)
    });
    tally.at_least("compared", 420).at_least("with findings", 300);
}

#[test]
fn of_programs_like_promela_with_local_steps() {
    let tally = random_cases(
        150,
        (promela_like::draft(), padding(), ways()),
        |case, (draft, padding, way)| compare_all(case, &padding.put_into(draft.program()), way),
    );
    tally.at_least("compared", 430).at_least("with findings", 320);
}

/// Every rule makes some of the programs above smaller; else they would show nothing.
#[test]
fn every_rule_has_something_to_do() {
    let mut runner = TestRunner::deterministic();
    let mut smaller: BTreeMap<&str, u32> = BTreeMap::new();
    for _ in 0..100 {
        let loops = graph(8).new_tree(&mut runner).expect("a draft").current().program();
        let promela = promela_like::draft().new_tree(&mut runner).expect("a draft").current();
        let padding = padding().new_tree(&mut runner).expect("padding").current();
        for program in [padding.put_into(loops), padding.put_into(promela.program())] {
            let memory = Memory::new(MemoryModel::Tso).bounded(Some(2));
            let setting = Setting::new(memory, Order::Bfs, Vec::new());
            let Some(given) = setting.explore(&program) else { continue };
            for (name, rules) in RULES {
                let found =
                    setting.explore(&setting.simplify(&program, rules).program).expect("smaller");
                let size = |e: &Exploration| (e.stats.states, e.stats.state_bits);
                *smaller.entry(name).or_default() += u32::from(size(&found) < size(&given));
            }
        }
    }
    assert!(smaller.values().all(|&n| n >= 4), "{smaller:?}");
}
