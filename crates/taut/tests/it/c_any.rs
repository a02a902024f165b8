//! C programs that create threads in an endless loop, for every number of threads.
//!
//! What holds for every number holds for one to three by explicit search (`--threads N`), and as long as threads are added to
//! the program as it is. What is violated is a replayed run.

use std::time::Duration;

use proptest::prelude::*;
use taut::ir::frontend::THREADS;
use taut::load::{LoadError, LoadOptions, from_bytes, from_path};
use taut::{Check, Loaded, MemoryModel, Report};
use taut_testkit::cases::random_cases;
use taut_testkit::corpus;

const MODELS: [MemoryModel; 2] = [MemoryModel::Sc, MemoryModel::Tso];

fn load(text: &str, threads: Option<&str>) -> Result<Loaded, Box<LoadError>> {
    let options = LoadOptions::default();
    let options = match threads {
        Some(threads) => options.with(&THREADS, threads).expect("a number, or `any`"),
        None => options,
    };
    from_bytes("any.c", text.as_bytes().to_vec(), options)
}

fn run(loaded: &Loaded, model: MemoryModel, states: u64) -> Report {
    let check = Check::of(loaded).model(model).max_states(Some(states));
    check.run().unwrap_or_else(|fault| panic!("{fault}"))
}

/// A program whose threads run a text.
fn program(globals: &str, thread: &str) -> String {
    format!(
        "#include <pthread.h>\n#include <assert.h>\n{globals}\n\
         void *worker(void *arg) {{ {thread} return 0; }}\n\
         int main(void) {{ pthread_t t; while (1) pthread_create(&t, 0, worker, 0); }}\n"
    )
}

fn word(report: &Report) -> &'static str {
    report.verdict_kind().word()
}

const LOCK: &str = "int busy, inside; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;";

#[test]
fn a_mutex_excludes_any_number_of_threads() {
    let right = "pthread_mutex_lock(&m); assert(!inside); inside = 1; inside = 0; pthread_mutex_unlock(&m);";
    let text = program(LOCK, right);
    let loaded = load(&text, Some("any")).unwrap_or_else(|e| panic!("{e}"));
    for model in MODELS {
        let report = run(&loaded, model, 100_000);
        assert_eq!(word(&report), "holds", "{model}: {:?}", report.results);
        let all = report.results.iter().all(|r| r.verdict.coverage().contains("every number"));
        assert!(all, "{:?}", report.results);
    }
}

#[test]
fn threads_that_meet_are_found_with_the_smallest_number() {
    let wrong = "if (!busy) { busy = 1; assert(!inside); inside = 1; inside = 0; busy = 0; }";
    let loaded = load(&program(LOCK, wrong), Some("any")).unwrap_or_else(|e| panic!("{e}"));
    for model in MODELS {
        let report = run(&loaded, model, 100_000);
        let note = report.results.iter().find_map(|r| r.note.clone()).unwrap_or_default();
        assert_eq!(word(&report), "violated", "{model}");
        assert!(note.contains("with 2 of `worker`"), "{note}");
    }
}

#[test]
fn what_depends_on_the_number_of_a_thread_is_refused_with_its_place() {
    let cases = [
        ("pthread_t first;", "if (pthread_self() == first) first = 0;", "number of a thread"),
        ("int x;", "int local = 0; int *p = &local; *p = 1; x = *p;", ""),
        ("_Thread_local int own[2];", "own[1] = 1;", "copy per thread"),
        ("_Thread_local int own; int *_Atomic p;", "p = &own; *p = 1;", "copy per thread"),
    ];
    for (globals, thread, words) in cases {
        let text = program(globals, thread);
        match load(&text, Some("any")) {
            Ok(_) => assert!(words.is_empty(), "accepted: {thread}"),
            Err(error) => {
                let message = error.to_string();
                assert!(message.contains(words) && message.contains("any.c:"), "{message}");
            }
        }
    }
    let join = program("int x;", "x = 1;").replace(
        "pthread_create(&t, 0, worker, 0);",
        "{ pthread_create(&t, 0, worker, 0); pthread_join(t, 0); }",
    );
    let message = load(&join, Some("any")).expect_err("a join").to_string();
    assert!(message.contains("wait for the end of others"), "{message}");
    let fixed = program("int x;", "x = 1;").replace("while (1) ", "");
    let message = load(&fixed, Some("any")).expect_err("no loop").to_string();
    assert!(message.contains("does not create threads in a loop"), "{message}");
}

/// A lock by exchange around a counter whose type does not bound it.
#[test]
fn a_counter_of_type_int_under_a_lock_is_proven() {
    let globals = "#include <stdatomic.h>\natomic_int lock; int count;";
    let right = "while (atomic_exchange(&lock, 1)) ; count++; assert(count == 1); count--; \
                 atomic_store_explicit(&lock, 0, memory_order_release);";
    for model in MODELS {
        let loaded = load(&program(globals, right), Some("any")).unwrap_or_else(|e| panic!("{e}"));
        let report = run(&loaded, model, 20_000);
        assert_eq!(word(&report), "holds", "{model}: {:?}", report.results);
        let wrong = right.replace("atomic_exchange(&lock, 1)", "atomic_load(&lock)");
        let loaded = load(&program(globals, &wrong), Some("any")).unwrap_or_else(|e| panic!("{e}"));
        assert_eq!(word(&run(&loaded, model, 100_000)), "violated", "{model}");
    }
}

/// An object with a copy per thread that is one number is private to its thread.
#[test]
fn copies_per_thread_are_private() {
    let thread = "own = own + 2; assert(own == 5); own = 0;";
    for (globals, expected) in
        [("_Thread_local int own = 3;", "holds"), ("int own = 3;", "violated")]
    {
        let loaded = load(&program(globals, thread), Some("any")).unwrap_or_else(|e| panic!("{e}"));
        for model in MODELS {
            let report = run(&loaded, model, 100_000);
            assert_eq!(word(&report), expected, "{model}: {:?}", report.results);
        }
        let fixed = load(&program(globals, thread), Some("2")).unwrap_or_else(|e| panic!("{e}"));
        assert_eq!(word(&run(&fixed, MemoryModel::Sc, 100_000)), expected, "two threads");
    }
}

/// A statement of a random thread.
fn statement() -> BoxedStrategy<String> {
    let (x, v) = (prop_oneof![Just("x"), Just("y")], 0..2);
    prop_oneof![
        4 => (x.clone(), v.clone()).prop_map(|(x, v)| format!("{x} = {v};")),
        2 => (x.clone(), v.clone()).prop_map(|(x, v)| format!("if ({x} != {v}) return 0;")),
        2 => x.clone().prop_map(|x| format!("r = {x};")),
        2 => (x.clone(), v.clone()).prop_map(|(x, v)| format!("assert(r == {v} || {x} == {v});")),
        1 => Just("__sync_synchronize();".to_owned()),
        1 => Just("pthread_mutex_lock(&m);".to_owned()),
        1 => Just("pthread_mutex_unlock(&m);".to_owned()),
        1 => Just("x = (int) (long) arg;".to_owned()),
    ]
    .boxed()
}

/// Random threads: every number against one, two and three by explicit search, and against threads that are added one by one.
#[test]
fn every_number_agrees_with_small_numbers() {
    let bodies = (prop::collection::vec(statement(), 2..6), 0..2);
    let tally = random_cases(16, bodies, |case, (body, argument)| {
        let globals = "int x, y; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;";
        let text = program(globals, &format!("int r = 0; {}", body.join(" ")))
            .replace("worker, 0)", &format!("worker, (void *) {argument})"));
        let Ok(any) = load(&text, Some("any")) else { return case.pass_over("refused") };
        for model in MODELS {
            let every = run(&any, model, 20_000);
            if every.is_unknown() {
                case.count("open");
                continue;
            }
            for number in ["1", "2", "3"] {
                let fixed =
                    load(&text, Some(number)).map_err(|e| TestCaseError::fail(e.to_string()))?;
                let fixed = run(&fixed, model, 20_000);
                if let (true, "holds") = (fixed.is_violated(), word(&every)) {
                    prop_assert!(false, "{} of\n{}", number, text);
                }
                case.count(word(&fixed));
            }
            let plain = load(&text, None).map_err(|e| TestCaseError::fail(e.to_string()))?;
            let check = Check::of(&plain).model(model).max_states(Some(5_000));
            let added = check.run().map_err(|fault| TestCaseError::fail(fault.to_string()))?;
            if added.is_violated() {
                prop_assert_eq!(word(&every), "violated", "threads that are added:\n{}", text);
                case.count("added");
            }
            case.count(if every.is_violated() { "every violated" } else { "every holds" });
        }
        Ok(())
    });
    println!("{tally}");
    tally.at_least("every holds", 3).at_least("every violated", 3).at_least("added", 3);
}

/// Programs of SV-COMP with threads in an endless loop that are proven for every number of threads.
const PROVEN: &[&str] = &[
    "07_rand",
    "09_fmaxsym",
    "11_fmaxsymopt",
    "29_conditionals_vs",
    "33_double_lock_p1_vs",
    "35_double_lock_p3_vs",
    "39_rand_lock_p0_vs",
    "41_FreeBSD__abd_kbd__sliced",
    "43_NetBSD__sysmon_power__sliced",
    "45_monabsex1_vs",
];

/// Those programs, where the corpus is present.
#[test]
fn programs_of_sv_comp_with_endless_threads() {
    let Some(corpus) = corpus::find("C programs with endless threads") else { return };
    for name in PROVEN {
        let file = corpus.join(format!("c/svcomp/pthread-ext/{name}_true-unreach-call.i"));
        let options = LoadOptions::default().with(&THREADS, "any").expect("a word");
        let loaded = from_path(&file, options).unwrap_or_else(|e| panic!("{name}: {e}"));
        let report = run(&loaded, MemoryModel::Sc, 20_000);
        assert_eq!(word(&report), "holds", "{name}: {:?}", report.results);
    }
}

/// In a soak all of them are tried, half a minute long: what is decided has the verdict that is known.
#[test]
fn soak_all_programs_of_sv_comp_with_endless_threads() {
    if std::env::var_os("TAUT_SOAK").is_none() {
        return;
    }
    let Some(corpus) = corpus::find("C programs with endless threads") else { return };
    let folder = corpus.join("c/svcomp");
    let table = std::fs::read_to_string(folder.join("expected.csv")).expect("a table");
    let (mut decided, mut seen) = (0, 0);
    for line in table.lines().skip(1) {
        let fields: Vec<&str> = line.split(',').collect();
        let [file, expected, "1", ..] = fields.as_slice() else { continue };
        seen += 1;
        let options = LoadOptions::default().with(&THREADS, "any").expect("a word");
        let loaded = match from_path(&folder.join(file), options) {
            Ok(loaded) => loaded,
            Err(error) => {
                println!("{file}: {}", error.to_string().lines().next().unwrap_or_default());
                continue;
            }
        };
        let check = Check::of(&loaded).model(MemoryModel::Sc).max_states(Some(200_000));
        let check = check.timeout(Some(Duration::from_secs(5)));
        let report = check.run().unwrap_or_else(|fault| panic!("{file}: {fault}"));
        let why = report.results.first().map(|r| r.verdict.coverage()).unwrap_or_default();
        println!("{file}: {} ({expected}), {why}", word(&report));
        if !report.is_unknown() {
            assert_eq!(word(&report), *expected, "{file}");
            decided += 1;
        }
    }
    println!("{decided} of {seen} decided");
}
