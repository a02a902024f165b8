//! Every corner of Promela's control structure has as many states here as in SPIN: the numbers in
//! `control.toml` are SPIN's, which is run for real to confirm them, and the program that a model is lowered
//! to is explored by the replayer's brute force.

use std::collections::BTreeSet;
use std::time::Duration;

use serde::Deserialize;
use taut_ir::{Finding, Memory, MemoryModel, Program};
use taut_promela::{Headers, LowerOptions, Lowered, Options};
use taut_source::SourceMap;
use taut_testkit::spin::Verifier;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    name: String,
    model: String,
    states: usize,
    #[serde(default)]
    wrong: BTreeSet<String>,
}

#[derive(Deserialize)]
struct Cases {
    case: Vec<Case>,
}

fn cases() -> Vec<Case> {
    let cases: Cases = toml::from_str(include_str!("../control.toml")).expect("a list of cases");
    cases.case
}

fn lowered(text: &str) -> Lowered {
    let mut map = SourceMap::new();
    let file = map.add("model.pml", text);
    let mut headers = Headers::none().with("tso.h", "");
    let parsed = taut_promela::parse(&mut map, file, &Options::default(), &mut headers);
    let parsed = parsed.unwrap_or_else(|d| panic!("{}", taut_source::render_all(&map, &d, false)));
    // More processes than are needed change nothing.
    let run = parsed.symbols.proctypes.iter().map(|p| (p.name.clone(), 4));
    let options = LowerOptions { slots: run.collect(), ..LowerOptions::default() };
    let lowered = taut_promela::lower(&parsed, &options);
    lowered.unwrap_or_else(|d| panic!("{}", taut_source::render_all(&map, &d, false)))
}

/// The number of states under a memory model, and what is wrong.
fn explored(program: &Program, model: MemoryModel) -> (usize, BTreeSet<String>) {
    let found = taut_witness::enumerate::explore(program, Memory::new(model), 200_000)
        .expect("a small model");
    let wrong = found.findings.iter().map(|finding| match finding {
        Finding::Property(_) => "assert".to_owned(),
        Finding::Deadlock => "end".to_owned(),
        other => panic!("{other:?}"),
    });
    (found.states, wrong.collect())
}

#[test]
fn models_have_as_many_states_as_in_spin() {
    for case in cases() {
        let lowered = lowered(&case.model);
        assert_eq!(taut_ir::validate::validate(&lowered.program), Ok(()), "{}", case.name);
        let expected = (case.states, case.wrong);
        assert_eq!(explored(&lowered.program, MemoryModel::Sc), expected, "{}", case.name);
    }
}

#[test]
fn the_numbers_are_those_of_spin() {
    for case in cases() {
        let verifier =
            Verifier::plain(&case.model).unwrap_or_else(|e| panic!("{}: {e}", case.name));
        let search = verifier.search(Duration::from_secs(20)).expect("a search");
        let wrong: BTreeSet<String> = [("assert", search.assertion()), ("end", search.end_state())]
            .into_iter()
            .filter(|(_, found)| *found)
            .map(|(word, _)| word.to_owned())
            .collect();
        let found = (search.figures.states as usize, wrong);
        assert_eq!(found, (case.states, case.wrong), "{}", case.name);
    }
}

/// Names of the variables and registers of a program.
fn names(program: &Program) -> Vec<String> {
    program.vars.iter().map(|v| format!("{:?} {}", v.kind, v.name)).collect()
}

#[test]
fn globals_are_shared_ghosts_are_not_and_channels_are_no_memory() {
    let model = "
        ghost byte g; byte x; byte a[2]; typedef T { byte f; bit h[3] }; T t[2];
        chan q = [1] of { byte }; chan r;
        active proctype P() { r = q; r!1; x = a[1]; t[1].h[2] = 1 }
    ";
    let program = lowered(model).program;
    let expected = ["Ghost g", "Shared x", "Shared a", "Shared t.f", "Shared t.h", "Ghost r"];
    assert_eq!(names(&program), expected);
    assert_eq!(program.vars[4].len, Some(6));
    assert_eq!(program.channels.len(), 1);
}

#[test]
fn a_plain_lock_is_broken_by_store_buffers() {
    let model = "
        bool want[2]; byte turn; ghost byte inside;
        active [2] proctype user() {
            want[_pid] = 1; turn = 1 - _pid;
            (!want[1 - _pid] || turn == _pid);
            inside++; assert(inside == 1); inside--; want[_pid] = 0
        }
    ";
    let program = lowered(model).program;
    assert_eq!(explored(&program, MemoryModel::Sc).1, BTreeSet::new());
    assert_eq!(explored(&program, MemoryModel::Tso).1, BTreeSet::from(["assert".to_owned()]));
}

#[test]
fn the_dialect_of_mmlib_maps_to_the_memory_system() {
    let model = "
        #define PROCSIZE 2
        #define VARSIZE 2
        #define BUFFSIZE 3
        #define x 0
        #define y 1
        #include \"lib/tso.h\"
        ghost byte seen;
        proctype p() { WRITE(x, 1); FENCE(); if :: READ(y) == 0 -> seen++ :: else fi }
        proctype q() { WRITE(y, 1); FENCE(); if :: READ(x) == 0 -> seen++ :: else fi }
        init { INIT(x, 0); atomic { run p(); run q() }; (_nr_pr == 1); assert(seen < 2) }
    ";
    let fenced = lowered(model);
    assert_eq!((fenced.model, fenced.bound), (Some(MemoryModel::Tso), Some(3)));
    assert_eq!(names(&fenced.program), ["Ghost seen", "Shared x", "Shared y"]);
    assert_eq!(explored(&fenced.program, MemoryModel::Tso).1, BTreeSet::new());
    let bare = lowered(&model.replace("FENCE();", ""));
    assert_eq!(explored(&bare.program, MemoryModel::Sc).1, BTreeSet::new());
    assert_eq!(explored(&bare.program, MemoryModel::Tso).1, BTreeSet::from(["assert".into()]));
}

#[test]
fn variables_of_mmlib_may_be_computed() {
    let model = "
        #define VARSIZE 2
        #define flag(i) (i)
        active [2] proctype p() { WRITE(flag(_pid), 1); READ(flag(1 - _pid)) == 1 }
    ";
    let program = lowered(model).program;
    assert_eq!(names(&program), ["Shared memory"]);
    assert_eq!(explored(&program, MemoryModel::Pso).1, BTreeSet::new());
}

#[test]
fn the_dialect_of_linden_and_wolper_stores_loads_and_syncs() {
    let model = "
        byte x, y; ghost byte seen;
        active proctype p() { store(x, 1); SYNC; if :: load(y, 0) -> seen++ :: load(y, 1) fi }
        active proctype q() { store(y, 1); SYNC; if :: load(x, 0) -> seen++ :: load(x, 1) fi }
        active proctype r() { (_nr_pr == 3 && seen == 2) -> assert(false) }
    ";
    let wrong = |model: &str| explored(&lowered(model).program, MemoryModel::Tso).1;
    assert!(!wrong(&model.replace("SYNC", "sync")).contains("assert"));
    assert!(wrong(&model.replace("SYNC", "skip")).contains("assert"));
}

#[test]
fn locked_operations_are_indivisible_and_atomic_blocks_are_not() {
    let model = "
        byte lock; ghost byte inside;
        active [2] proctype p() {
            byte old;
            ACQUIRE;
            inside++; assert(inside == 1); inside--;
            lock = 0
        }
    ";
    let wrong = |acquire: &str| {
        explored(&lowered(&model.replace("ACQUIRE", acquire)).program, MemoryModel::Tso).1
    };
    let none = BTreeSet::new();
    assert_eq!(wrong("CAS(lock, 0, 1)"), none);
    assert_eq!(wrong("LOCKED { lock == 0 -> lock = 1 }"), none);
    assert_eq!(wrong("do :: old = XCHG(lock, 1); if :: old == 0 -> break :: else fi od"), none);
    assert_eq!(wrong("do :: old = CAS(lock, 0, 1); if :: old -> break :: else fi od"), none);
    assert_eq!(
        wrong("do :: old = FETCH_ADD(lock, 1); if :: !old -> break :: else lock == 0 fi od"),
        {
            // Whoever adds second waits for a lock that only a plain store of 0 frees: that is allowed.
            none.clone()
        }
    );
    assert!(wrong("atomic { lock == 0 -> lock = 1 }").contains("assert"));
    assert!(wrong("d_step { lock == 0 -> lock = 1 }").contains("assert"));
}

#[test]
fn an_atomic_test_and_set_is_warned_of() {
    let warnings = |block: &str| {
        let text = format!("byte lock; active [2] proctype p() {{ {block}; lock = 0 }}");
        let lowered = lowered(&text);
        lowered.relaxed_warnings.iter().map(|d| d.message.clone()).collect::<Vec<_>>()
    };
    let expected = ["an atomic block reads `lock` and then writes it"];
    assert_eq!(warnings("atomic { lock == 0 -> lock = 1 }"), expected);
    assert_eq!(warnings("d_step { lock == 0 -> lock = 1 }"), expected);
    assert_eq!(warnings("LOCKED { lock == 0 -> lock = 1 }"), [""; 0]);
    assert_eq!(warnings("atomic { lock = 1; lock == 1 }"), [""; 0]);
    assert_eq!(warnings("CAS(lock, 0, 1)"), [""; 0]);
}

#[test]
fn a_full_buffer_takes_atomicity_away() {
    let model = "byte x; byte y; active proctype p() { atomic { x = 1; x = 2; y = 3 } }";
    let program = lowered(model).program;
    let memory = Memory::new(MemoryModel::Tso).bounded(Some(1));
    let found = taut_witness::enumerate::explore(&program, memory, 1000).expect("a small model");
    assert!(found.bounds.buffer && found.findings.is_empty(), "{found:?}");
    // Start; after x = 1 blocked; committed; after x = 2 blocked; committed; after y = 3; committed; gone.
    assert_eq!(found.states, 8);
}
