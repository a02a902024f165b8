//! Verdicts for store buffers of any size.
//!
//! The cases are those of `testdata/unbounded.toml`: under the symbolic engine and under the automatic choice
//! they have the verdicts that stand there, for all executions. What holds is searched once more with the bounds
//! 1 to 4; what is violated comes with a run that the replayer has accepted. At the end, the programs on which
//! an engine would be wrong that took one of the short cuts that the method does not allow.

use std::collections::HashSet;

use proptest::prelude::*;
use taut::engines::Symbolic;
use taut::load::{LoadOptions, from_bytes, from_text};
use taut::witness::{Machine, Outcome, State};
use taut::{Check, EngineChoice, Loaded, Memory, MemoryModel, Report, Verdict};
use taut_testkit::cases::random_cases;
use taut_testkit::looping::looping;
use taut_testkit::suite::{Case, Known, cases};

const MODELS: [MemoryModel; 2] = [MemoryModel::Tso, MemoryModel::Pso];

/// So many symbolic states decide every question, those of [`OPEN`] excepted.
const ENOUGH: u64 = 200_000;

/// Programs of which some question is left open, and the questions. The unfenced locks are broken, and that is
/// found at once. But nothing keeps their processes from running ahead of memory, lap after lap, so that buffers
/// hold whatever several loops wrote in any order, and to say that no deadlock is among all this takes more
/// languages than the engine has patience for.
const OPEN: &[(&str, &[MemoryModel], &[&str])] = &[
    ("burns", &MODELS, &["deadlock"]),
    ("dijkstra", &MODELS, &["deadlock"]),
    ("lamport_fast", &[MemoryModel::Pso], &["deadlock"]),
    ("bakery", &MODELS, &["deadlock", "fault"]),
    ("peterson_filter", &[MemoryModel::Tso], &["deadlock", "fault"]),
];

/// The questions about a case that are left open.
fn open(case: &Case, model: MemoryModel) -> &'static [&'static str] {
    let name = case.name.strip_prefix("unbounded ").expect("the name of a case");
    let entry = OPEN.iter().find(|(open, models, _)| *open == name && models.contains(&model));
    entry.map_or(&[], |(_, _, questions)| questions)
}

fn unbounded() -> Vec<Case> {
    let cases: Vec<_> = cases().into_iter().filter(|case| case.group == "unbounded").collect();
    assert!(cases.len() >= 60, "the suite is there: {}", cases.len());
    cases
}

fn load(case: &Case) -> Loaded {
    let (name, text) = case.source();
    from_bytes(&name, text, LoadOptions::default()).unwrap_or_else(|e| panic!("{name}:\n{e}"))
}

fn run(name: &str, check: &Check) -> Report {
    check.run().unwrap_or_else(|fault| panic!("{name}: {fault}"))
}

/// What a report says otherwise than it is known.
fn differences(known: &Known, open: &[&str], report: &Report) -> Vec<String> {
    let questions = known.verdicts.iter().filter(|(name, _)| !open.contains(&name.as_str()));
    let difference = |(name, expected): (&String, &String)| match report.verdict(name) {
        None => Some(format!("there is no {name}")),
        Some(Verdict::Holds(coverage)) if expected == "holds" => {
            let partial = !coverage.is_everything();
            partial.then(|| format!("{name} holds {coverage} only"))
        }
        Some(Verdict::Violated(_)) if expected == "violated" => None,
        Some(other) => {
            Some(format!("{name} {}, not {expected}: {}", other.word(), other.coverage()))
        }
    };
    questions.filter_map(difference).collect()
}

/// Runs all cases under one model, and says what is not as it is known. Where a question is known to be open, the
/// search ends at the first violation, which all those programs have.
fn verdicts(engine: impl Into<EngineChoice>, model: MemoryModel, inspect: impl Fn(&str, &Report)) {
    let engine = engine.into();
    let mut wrong = Vec::new();
    for case in unbounded() {
        let Some(known) = case.known(model) else {
            println!("nothing is known of {} under {model}", case.name);
            continue;
        };
        let (loaded, open) = (load(&case), open(&case, model));
        let check = Check::of(&loaded).model(model).engine(engine.clone()).all(open.is_empty());
        let check = check.max_states((engine.id() == Symbolic::ID).then_some(ENOUGH));
        let place = format!("{} under {model}", case.name);
        let report = run(&place, &check);
        let found = differences(known, open, &report);
        wrong.extend(found.into_iter().map(|difference| format!("{place}: {difference}")));
        inspect(&place, &report);
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

/// Every answer is the symbolic engine's, and every run is one of a machine whose buffers have no bound.
fn is_symbolic(place: &str, report: &Report) {
    assert_eq!(report.engine, Symbolic::ID, "{place}");
    assert!(report.symbolic.is_some(), "{place}");
    for (_, witness) in report.violations() {
        assert_eq!(witness.trace.memory.bound, None, "{place}");
    }
}

#[test]
fn the_symbolic_engine_gives_the_known_verdicts_under_tso() {
    verdicts(Symbolic, MemoryModel::Tso, is_symbolic);
}

#[test]
fn the_symbolic_engine_gives_the_known_verdicts_under_pso() {
    verdicts(Symbolic, MemoryModel::Pso, is_symbolic);
}

#[test]
fn the_automatic_choice_is_stopped_by_no_bound_under_tso() {
    verdicts(EngineChoice::Auto, MemoryModel::Tso, |_, _| ());
}

#[test]
fn the_automatic_choice_is_stopped_by_no_bound_under_pso() {
    verdicts(EngineChoice::Auto, MemoryModel::Pso, |_, _| ());
}

/// What the symbolic engine leaves open under TSO, the automatic choice decides: the dual engine always ends.
#[test]
fn the_automatic_choice_leaves_nothing_open_under_tso() {
    let model = MemoryModel::Tso;
    let mut count = 0;
    for case in unbounded().iter().filter(|case| !open(case, model).is_empty()) {
        let loaded = load(case);
        let report = run(&case.name, &Check::of(&loaded).model(model).all(true));
        for question in open(case, model) {
            let verdict = report.verdict(question).expect("a question");
            println!("{}: {question} {}, {}", case.name, verdict.word(), verdict.coverage());
            assert!(!verdict.is_open(), "{}: {question} {}", case.name, verdict.word());
            count += 1;
        }
    }
    assert!(count >= 6, "{count}");
}

/// Random programs that fill their buffers without end: none is left open under TSO, for all buffers, deadlocks and faults
/// included.
#[test]
fn the_automatic_choice_decides_random_loops_under_tso() {
    let tally = random_cases(120, looping(), |case, draft| {
        let program = draft.program();
        case.about(&program);
        let check = Check::of(&program).model(MemoryModel::Tso).all(true);
        let report = check.run().map_err(|fault| TestCaseError::fail(fault.to_string()))?;
        for result in &report.results {
            let is_answer = match &result.verdict {
                Verdict::Holds(coverage) => coverage.is_everything(),
                other => other.witness().is_some(),
            };
            prop_assert!(is_answer, "{}: {}", result.name, result.verdict.word());
            case.count(result.verdict.word());
        }
        Ok(())
    });
    println!("{tally}");
    tally.at_least("holds", 200).at_least("violated", 200);
}

/// What a limit leaves open is said to be open, and not to hold. This does not tell whether the list could be
/// shorter: that takes longer than a test may, and `taut-bench symbolic --all` says it.
#[test]
fn open_questions_are_open() {
    let mut count = 0;
    for case in unbounded() {
        for model in MODELS {
            let questions = open(&case, model);
            if questions.is_empty() {
                continue;
            }
            let (loaded, place) = (load(&case), format!("{} under {model}", case.name));
            let check = Check::of(&loaded).model(model).engine(Symbolic).all(true);
            let report = run(&place, &check.max_states(Some(5_000)));
            for question in questions {
                let verdict = report.verdict(question).expect("a question");
                println!("{place}: {question} {}, {}", verdict.word(), verdict.coverage());
                assert!(verdict.is_open(), "{place}: {question} {}", verdict.word());
                count += 1;
            }
        }
    }
    let listed: usize = OPEN.iter().map(|(_, models, names)| models.len() * names.len()).sum();
    assert_eq!(count, listed, "every entry of the list is about a case");
}

/// What holds for buffers of any size holds with buffers of each size.
#[test]
fn what_holds_is_violated_with_no_bound() {
    let (mut searched, mut cut_off) = (0, Vec::new());
    for case in unbounded() {
        let loaded = load(&case);
        for model in MODELS {
            let Some(known) = case.known(model) else { continue };
            if !known.verdicts.values().any(|verdict| verdict == "holds") {
                continue;
            }
            for bound in 1..=4 {
                let place = format!("{} under {model}, bound {bound}", case.name);
                let check = Check::of(&loaded).model(model).bound(Some(bound)).all(true);
                let report = run(&place, &check.max_states(Some(100_000)));
                for (name, _) in known.verdicts.iter().filter(|(_, verdict)| *verdict == "holds") {
                    let verdict = report.verdict(name).expect("a question");
                    assert_ne!(verdict.word(), "violated", "{place}: {name}");
                }
                match report.is_unknown() {
                    true => cut_off.push(place),
                    false => searched += 1,
                }
            }
        }
    }
    println!("{searched} searches went to their end; cut off were {}:", cut_off.len());
    cut_off.iter().for_each(|place| println!("  {place}"));
    assert!(searched >= 440, "{searched} of {}", searched + cut_off.len());
}

/// What the programs of the literature promise, by file: under TSO and PSO, of the property that is asked.
const LOCKS: &[(&str, &str, [&str; 2])] = &[
    ("burns", "mutex", ["violated", "violated"]),
    ("burns_tso", "mutex", ["holds", "holds"]),
    ("dekker", "mutex", ["violated", "violated"]),
    ("dekker_tso", "mutex", ["holds", "holds"]),
    ("dijkstra", "mutex", ["violated", "violated"]),
    ("dijkstra_tso", "mutex", ["holds", "holds"]),
    ("lamport_fast", "mutex", ["violated", "violated"]),
    ("lamport_fast_tso", "mutex", ["holds", "violated"]),
    ("lamport_fast_pso", "mutex", ["holds", "holds"]),
    ("peterson", "mutex", ["violated", "violated"]),
    ("peterson_tso", "mutex", ["holds", "violated"]),
    ("peterson_pso", "mutex", ["holds", "holds"]),
    ("bakery", "mutex", ["violated", "violated"]),
    ("bakery_tso", "mutex", ["holds", "holds"]),
    ("clh_lock", "mutex", ["holds", "holds"]),
    ("clh_lock_pso", "mutex", ["holds", "holds"]),
    ("sense_barrier", "together", ["holds", "holds"]),
    ("sense_barrier_pso", "together", ["holds", "holds"]),
    ("ticket_lock", "mutex", ["holds", "holds"]),
    ("ticket_lock_pso", "mutex", ["holds", "holds"]),
];

/// Mutual exclusion of the algorithms that tools for unbounded buffers are measured with, as it is known from
/// them: the table is not taken from the suite.
#[test]
fn locks_are_proved_or_broken_for_buffers_of_any_size() {
    for (name, property, expected) in LOCKS {
        let path = taut_testkit::suite::root().join(format!("examples/{name}.taut"));
        let loaded = taut::load::from_path(&path, LoadOptions::default()).expect("an example");
        for (model, expected) in MODELS.into_iter().zip(expected) {
            let check = Check::of(&loaded).model(model).engine(Symbolic).deadlock(false);
            // A run in which the data is stale says nothing about mutual exclusion, and is not to end the search.
            let report = run(name, &check.asserts(*property != "mutex"));
            let verdict = report.verdict(property).expect("a property");
            assert_eq!(verdict.word(), *expected, "{name} under {model}: {}", verdict.coverage());
        }
    }
}

/// Number of pairs of program points and memory that a program reaches under TSO; its buffers stay short.
fn points_and_memory(name: &str) -> usize {
    let path = taut_testkit::suite::root().join(format!("examples/{name}.taut"));
    let loaded = taut::load::from_path(&path, LoadOptions::default()).expect("an example");
    let memory = Memory { bound: None, ..Memory::new(MemoryModel::Tso) };
    let machine = Machine::new(&loaded.program, memory);
    let (mut seen, mut open) = (HashSet::from([machine.initial()]), vec![machine.initial()]);
    while let Some(state) = open.pop() {
        for (_, done) in machine.successors(&state).moves {
            let Outcome::State(after) = done.outcome else { continue };
            if seen.insert(after.clone()) {
                open.push(after);
            }
        }
        assert!(seen.len() < 10_000, "the buffers of {name} grow");
    }
    let pair = |state: &State| {
        let points: Vec<_> = state.processes.iter().map(|process| process.point).collect();
        (points, state.memory.clone())
    };
    seen.iter().map(pair).collect::<HashSet<_>>().len()
}

/// Linden and Wolper's Table 2 has fewer stored states in three rows than our programs have pairs of program points and
/// memory. A symbolic state has one of these pairs, so no search of these programs that loses no state stores
/// as few: the programs of the paper, which it does not print, must have fewer steps.
#[test]
fn three_rows_of_table_2_are_below_what_our_programs_reach() {
    let rows = [
        ("lw_dekker_single_sync", 111),
        ("lw_peterson_single_sync", 54),
        ("lw_peterson_repeated_sync", 65),
    ];
    for (name, paper) in rows {
        let pairs = points_and_memory(name);
        println!("{name}: {pairs} pairs, {paper} states in the paper");
        assert!(pairs > paper, "{name}: {pairs} pairs, {paper} in the paper");
    }
}

/// Asks the symbolic engine about a program, and the explicit one with the bounds 1 to 5, whose violations are
/// violations and which find none where there is none.
fn decide(name: &str, text: &str, model: MemoryModel, property: &str) -> &'static str {
    let loaded = from_text(name, text).unwrap_or_else(|e| panic!("{name}:\n{e}"));
    let ask = Check::of(&loaded).model(model).deadlock(false);
    let report = run(name, &ask.clone().engine(Symbolic));
    let verdict = report.verdict(property).expect("a property").word();
    let bounded = (1..=5).map(|bound| {
        let report = run(name, &ask.clone().bound(Some(bound)));
        report.verdict(property).expect("a property").word()
    });
    let violated = bounded.into_iter().any(|word| word == "violated");
    assert_eq!(verdict == "violated", violated, "{name} under {model}: symbolic, and with bounds");
    verdict
}

/// Two loops that write after each other must not be taken for one that writes in any order: `y := 1` never
/// comes before `x := 1`.
#[test]
fn loops_that_follow_each_other_do_not_mix() {
    let text = include_str!("../../../../examples/two_loops.taut");
    assert_eq!(decide("two_loops.taut", text, MemoryModel::Tso, "bad"), "holds");
    assert_eq!(decide("two_loops.taut", text, MemoryModel::Pso, "bad"), "violated");
    let text = include_str!("../../../../examples/two_loops.pml");
    assert_eq!(decide("two_loops.pml", text, MemoryModel::Tso, "assert(false)"), "holds");
}

/// Each lap stores to both variables. One language for x and one for y, each with a star of its own, would have
/// contents with entries for x and none for y, and after the fence x = 1 and y = 0. What waits for x and what waits
/// for y belong together: the laps are the same.
#[test]
fn buffers_of_one_process_grow_together_under_pso() {
    let text = "
        shared bool x, y;
        process p begin
          first: choose { x := 1; y := 1; goto first; } or { skip; }
          fence;
          assert(x == 0 || y == 1) as paired;
        end
    ";
    assert_eq!(decide("paired.taut", text, MemoryModel::Tso, "paired"), "holds");
    assert_eq!(decide("paired.taut", text, MemoryModel::Pso, "paired"), "holds");
    // Without the fence the two commit as they like.
    let loose =
        text.replace("fence;", "").replace("assert(x == 0 || y == 1) as paired;", "done: ;");
    let loose = format!("{loose} process q begin await(x == 1); assert(y == 1) as paired; end");
    assert_eq!(decide("loose.taut", &loose, MemoryModel::Pso, "paired"), "violated");
}

/// `p` goes round while `q` has raised m. Where a lap begins and where it ends, m is 0 in memory, and a load gives
/// 0 whether or not `p`'s own m := 0 waits in its buffer: the ends of the lap look the same to loads. But the lap
/// cannot be repeated. In the first, `p` saw m = 1 in memory; in the second it would see its own 0 until that has
/// been committed, and with it everything before. So one lap at most waits in the buffer, and `r`, which
/// begins to count after `p` has looked at z, sees x rise once and not again.
const LAPS: &str = "
    shared bool m, x, z;
    process p begin
      first: choose { await(m == 1); x := 1; x := 0; m := 0; goto first; } or { await(z == 0); }
      done: ;
    end
    process q begin
      loop { m := 1; fence; m := 0; fence; }
    end
    process r begin
      z := 1;
      fence;
      await(x == 1);
      await(x == 0);
      await(x == 1);
      all: ;
    end
    forbid late: p@done && r@all;
";

#[test]
fn loads_are_compared_all_along_a_cycle() {
    assert_eq!(decide("laps.taut", LAPS, MemoryModel::Tso, "late"), "holds");
    // Laps that leave m alone can be repeated, and then `r` does see x rise twice.
    let repeatable = LAPS.replace("m := 0; goto first", "goto first");
    assert_eq!(decide("repeatable.taut", &repeatable, MemoryModel::Tso, "late"), "violated");
}

/// While `p` goes round, its own first entry can be committed: from x=1 in the buffer, by a commit, x := 1 and
/// y := 1, to x=1 y=1, with the same memory if x was 1 already. That y=1 came in addition does not mean that it
/// can come again and again: two y := 1 without x := 1 in between are never in the buffer. `q` looks for them.
#[test]
fn a_cycle_that_commits_its_own_entries_adds_nothing() {
    let text = "
        shared bool x, y;
        process p begin
          loop { x := 1; y := 1; }
        end
        process q begin
          x := 0;
          fence;
          y := 0;
          fence;
          await(y == 1);
          y := 0;
          fence;
          await(y == 1);
          assert(x == 1) as between;
        end
    ";
    assert_eq!(decide("between.taut", text, MemoryModel::Tso, "between"), "holds");
    assert_eq!(decide("between.taut", text, MemoryModel::Pso, "between"), "violated");
}

/// A step that no property can tell may still be one that another process waits for: it stands at a label.
#[test]
fn a_label_that_another_process_looks_at_is_seen() {
    let text = "
        active proctype p() { done: skip; skip }
        active proctype q() { end: p@done -> assert(false) }
    ";
    for model in MODELS {
        assert_eq!(decide("label.pml", text, model, "assert(false)"), "violated");
    }
}

/// No round of a loop that counts is like the one before it. The search used to take every number for a cycle, and
/// to try all of them again in every state: fifteen times the automata, fifty times the time.
#[test]
fn regression_cycles_that_never_come_round_are_given_up() {
    let counting = "
        shared 0..101 count = 0;
        process worker begin loop { count := count + 1; } end
        process watcher begin await(count == 100); far: skip; end
        forbid far: watcher@far;
    ";
    let loaded = from_text("counting.taut", counting).expect("a program");
    let check = Check::of(&loaded).model(MemoryModel::Tso).engine(Symbolic);
    let report = run("counting", &check);
    assert!(report.is_violated(), "it counts beyond the range");
    let automata = report.symbolic.expect("counts of the symbolic engine").automata;
    assert!(automata < 40_000, "{automata} automata");
}
