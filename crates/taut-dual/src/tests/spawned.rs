//! Processes that others start, and procedures: random programs against explicit search and brute force, and programs with the
//! verdicts that are known.

use std::collections::BTreeSet;

use proptest::prelude::*;
use taut_explicit::{BoundsMet, Completion, Limits, SearchOptions};
use taut_ir::{Control, Effect, Finding, Memory, MemoryModel, Mode, Program};
use taut_testkit::cases::{Case, random_cases};
use taut_testkit::random::{Draft, Instruction, Thread, graph};

use super::{Said, ask, kind};

/// A draft with starts and calls in the place of the first instructions of each thread.
fn with_starts(mut draft: Draft, starts: usize, calls: usize) -> Draft {
    for thread in &mut draft.threads {
        let Thread::Graph(_, _, edges) = thread else { continue };
        for (number, edge) in edges.iter_mut().take(starts + calls).enumerate() {
            let of = (number % 2) as u8;
            let start = Instruction::Spawn(of);
            edge.instruction = if number < starts { start } else { Instruction::Call(of) };
        }
    }
    draft
}

/// The program of a draft; with a fence at each start, if it is asked for.
fn program(draft: &Draft, fenced: bool) -> Program {
    let mut program = draft.program();
    let spawns = |effect: &Effect| matches!(effect, Effect::Spawn { .. });
    for step in program.defs.iter_mut().flat_map(|def| &mut def.steps) {
        if fenced && step.effects.iter().any(spawns) && step.mode == Mode::Plain {
            step.mode = Mode::Fence;
        }
    }
    program
}

/// What explicit search with a bound finds, and the bounds that it met; none if that is too much.
fn explicit(program: &Program) -> Option<(BTreeSet<Finding>, BoundsMet)> {
    let limits = Limits { states: Some(60_000), ..Limits::default() };
    let options = SearchOptions { all: true, whole: true, limits, ..SearchOptions::default() };
    let memory = Memory::new(MemoryModel::Tso).bounded(Some(5));
    let explored = taut_explicit::explore(program, memory, &options);
    let complete = explored.completion == Completion::Complete;
    let found = explored.found.iter().map(|f| kind(f.finding)).collect();
    complete.then_some((found, explored.bounds_met))
}

fn bounds(program: &Program) -> Option<BoundsMet> {
    let limits = Limits { states: Some(100_000), ..Limits::default() };
    let options = SearchOptions { all: true, limits, ..SearchOptions::default() };
    let search = crate::explore(program, &options).ok()?.exploration;
    let is_all = matches!(search.completion, Completion::Complete | Completion::Answered);
    is_all.then_some(search.bounds_met)
}

fn compare(case: &Case, program: &Program) -> Result<(), TestCaseError> {
    case.about(program);
    let found = match ask(program, 100_000) {
        Said::Found(found) => found,
        Said::Refused => return case.pass_over("refused"),
        Said::Limit => return case.pass_over("left open"),
        Said::Wrong(why) => return Err(TestCaseError::fail(why)),
    };
    let Some((bounded, met)) = explicit(program) else { return case.pass_over("too large") };
    let missed: Vec<_> = bounded.difference(&found).collect();
    prop_assert!(missed.is_empty(), "misses {missed:?}");
    if !met.buffer {
        prop_assert_eq!(&found, &bounded);
        case.count("exact");
    }
    // A bound that is met is never left out.
    let own = bounds(program).unwrap_or(met);
    prop_assert!(own.threads || !met.threads, "the bound on threads is met");
    prop_assert!(own.calls || !met.calls, "the bound on calls is met");
    prop_assert!(met.buffer || own.calls == met.calls, "the bound on calls is not met");
    case.count("compared");
    let has = |is: bool, what: &str| is.then(|| case.count(what));
    has(program.spawns(), "with starts");
    has(program.spawns() && !found.is_empty(), "with starts, violated");
    has(met.threads, "with too few slots");
    has(own.threads && !met.threads && !met.buffer, "slots given back late");
    let calls = |step: &taut_ir::Step| matches!(step.target, Control::Call { .. });
    has(program.defs.iter().flat_map(|def| &def.steps).any(calls), "with calls");
    by_force(case, program, &found)
}

fn by_force(
    case: &Case,
    program: &Program,
    found: &BTreeSet<Finding>,
) -> Result<(), TestCaseError> {
    let memory = Memory::new(MemoryModel::Tso).bounded(Some(4));
    let Some(force) = taut_witness::enumerate::explore(program, memory, 1_000) else {
        return Ok(());
    };
    case.count("compared with brute force");
    let all: BTreeSet<Finding> = force.findings.into_iter().map(kind).collect();
    prop_assert!(all.is_subset(found), "brute force finds {all:?}, the engine {found:?}");
    Ok(())
}

#[test]
fn random_programs_with_starts_and_calls() {
    let draft = (graph(6), any::<bool>(), 0..3_usize, 0..2_usize);
    let tally = random_cases(500, draft, |case, (draft, fenced, starts, calls)| {
        compare(case, &program(&with_starts(draft, starts, calls), fenced))
    });
    println!("{tally}");
    tally.at_least("compared", 100).at_least("exact", 40).at_least("with starts", 60);
    tally.at_least("with calls", 40).at_least("compared with brute force", 40);
}

/// Whether something is found in a program, whose runs replay.
fn is_violated(text: &str) -> bool {
    match ask(&parse(text), 200_000) {
        Said::Found(found) => !found.is_empty(),
        Said::Wrong(why) => panic!("{why}\n{text}"),
        Said::Refused => panic!("refused\n{text}"),
        Said::Limit => panic!("left open\n{text}"),
    }
}

fn parse(text: &str) -> Program {
    let mut map = taut_source::SourceMap::new();
    let file = map.add("spawned.taut", text);
    taut_lang::parse(&map, file, &taut_lang::Options::default())
        .unwrap_or_else(|found| panic!("{found:?}\n{text}"))
}

/// Store buffering by two processes that `main` starts, with loops that fill the buffers.
fn store_buffering(fence: &str) -> String {
    let side = |own: &str, other: &str, seen: &str| {
        format!(
            "process w{own} begin local bool r; loop {{ {own} := 0; {own} := 1; {fence} r := {other}; \
             if (r == 0) {{ {seen} := 1; fence; break; }} }} end\n"
        )
    };
    let x = side("x", "y", "sx");
    let y = side("y", "x", "sy");
    format!(
        "shared bool x; shared bool y; shared bool sx; shared bool sy;\n\
         main boss begin x := 1; y := 1; fence; spawn wx; spawn wy; end\n{x}{y}\
         forbid both: sx == 1 && sy == 1 && x == 1 && y == 1;\n"
    )
}

#[test]
fn processes_that_main_starts_are_decided() {
    assert!(is_violated(&store_buffering("")));
    // The first one that sees 0 leaves its loop, and the other one sees 1 from then on.
    let fenced = store_buffering("fence;");
    assert!(!is_violated(&fenced));
    assert_eq!(explicit(&parse(&fenced)).map(|(found, _)| found), Some(BTreeSet::new()));
}

#[test]
fn a_start_while_stores_may_wait_is_refused_with_its_place() {
    let text = "shared bool x; main boss begin x := 1; spawn w; end process w begin local bool r; r := x; assert(r == 1); end";
    let why = crate::explore(&parse(text), &SearchOptions::default()).expect_err("a refusal");
    assert!(why.message.contains("started while stores"), "{why:?}");
    assert!(why.code == Some("E0019") && why.help.is_some_and(|help| help.contains("fence")));
    assert!(!is_violated(&text.replace("spawn w", "fence; spawn w")));
}

/// A counter that a lock keeps small has few values, whatever its type.
#[test]
fn a_counter_under_a_lock_stays_in_its_window() {
    let worker = |name: &str| {
        format!(
            "process {name} begin local bool busy; local int r; loop {{ \
             take: busy := xchg(lock, 1); if (busy == 1) {{ goto take; }} \
             r := count; count := r + 1; r := count; assert(r == 1) as alone; count := r - 1; lock := 0; }} end\n"
        )
    };
    let text = format!("shared bool lock; shared int count;\n{}{}", worker("p"), worker("q"));
    assert!(!is_violated(&text));
    let wrong = parse(&text.replace("xchg(lock, 1)", "lock"));
    let search = crate::explore(&wrong, &SearchOptions::default()).expect("an answer");
    let [found] = &search.exploration.found[..] else { panic!("one finding") };
    let memory = Memory::new(MemoryModel::Tso).bounded(None);
    let trace = taut_witness::Trace::new(memory, found.finding, found.actions.clone());
    taut_witness::replay(&wrong, &trace).unwrap_or_else(|why| panic!("{why}"));
}

/// A counter that runs reach several values of: the window grows until no run leaves it.
#[test]
fn a_window_grows_as_far_as_runs_go() {
    let text = |most: u32| {
        format!(
            "shared int count; process p begin loop {{ choose {{ await(count < {most}); locked {{ count := count + 1; }} }} \
             or {{ await(count > 0); locked {{ count := count - 1; }} }} }} end\n\
             process q begin loop {{ assert(count <= {most}) as few; }} end"
        )
    };
    assert!(!is_violated(&text(3)));
    assert!(!is_violated(&text(40)));
    assert!(is_violated(&text(40).replace("assert(count <= 40)", "assert(count <= 39)")));
}
