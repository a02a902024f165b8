//! What is a race and what is none, program by program.

use taut::ir::frontend::RACES;
use taut::load::{LoadOptions, from_bytes, from_text};
use taut::{Check, Loaded, MemoryModel, Report, VerdictKind};

use super::report;

/// A program with two threads, `one` and `two`, that `main` starts and waits for.
fn two(globals: &str, one: &str, two: &str) -> String {
    format!(
        "#include <pthread.h>\n#include <semaphore.h>\n#include <stdatomic.h>\n#include <stdlib.h>\n{globals}\n\
         void *one(void *arg) {{ {one} return 0; }}\n\
         void *two(void *arg) {{ {two} return 0; }}\n\
         int main(void) {{ pthread_t a, b;\n  pthread_create(&a, 0, one, 0); pthread_create(&b, 0, two, 0);\n  \
         pthread_join(a, 0); pthread_join(b, 0); return 0; }}\n"
    )
}

fn load(text: &str) -> Loaded {
    from_text("race.c", text).unwrap_or_else(|error| panic!("{}", error.render(false)))
}

/// The race in words; none if there is none.
fn race(text: &str) -> Option<String> {
    let races = report(&load(text)).races.expect("C programs are asked");
    assert_ne!(races.result.verdict.kind(), VerdictKind::Unknown, "{text}");
    races.race.map(|race| race.to_string())
}

#[track_caller]
fn races_with(globals: &str, one: &str, other: &str) {
    let text = two(globals, one, other);
    assert!(race(&text).is_some(), "no race in\n{text}");
}

#[track_caller]
fn does_not_race(globals: &str, one: &str, other: &str) {
    let text = two(globals, one, other);
    assert_eq!(race(&text), None, "in\n{text}");
}

const ACQUIRE: &str = "memory_order_acquire";
const RELEASE: &str = "memory_order_release";
const RELAXED: &str = "memory_order_relaxed";

/// Message passing: `x` is published by a store to `y` with an order, and read after a load with another.
fn publication(store: &str, load: &str) -> (String, String) {
    (
        format!("x = 1; atomic_store_explicit(&y, 1, {store});"),
        format!("if (atomic_load_explicit(&y, {load})) x = 2;"),
    )
}

#[test]
fn a_plain_flag_publishes_nothing() {
    let text = two("int x, flag;", "x = 1; flag = 1;", "if (flag) x = 2;");
    let told = race(&text).expect("a race");
    assert_eq!(
        told,
        "one's plain store to flag (line 6) and two's plain load of flag (line 7) are not ordered"
    );
}

#[test]
fn release_and_acquire_publish() {
    let globals = "int x; atomic_int y;";
    let (one, two) = publication(RELEASE, ACQUIRE);
    does_not_race(globals, &one, &two);
    for (store, load) in [(RELAXED, ACQUIRE), (RELEASE, RELAXED), (RELAXED, RELAXED)] {
        let (one, two) = publication(store, load);
        races_with(globals, &one, &two);
    }
}

#[test]
fn fences_publish() {
    let globals = "int x; atomic_int y;";
    let one = "x = 1; atomic_thread_fence(memory_order_release); atomic_store_explicit(&y, 1, memory_order_relaxed);";
    let two = "if (atomic_load_explicit(&y, memory_order_relaxed)) { atomic_thread_fence(memory_order_acquire); x = 2; }";
    does_not_race(globals, one, two);
    races_with(globals, one, "if (atomic_load_explicit(&y, memory_order_relaxed)) x = 2;");
    // A fence before the load acquires nothing from it.
    let early = "atomic_thread_fence(memory_order_acquire); if (atomic_load_explicit(&y, memory_order_relaxed)) x = 2;";
    races_with(globals, one, early);
    // A fence after the store releases nothing with it.
    let late = "x = 1; atomic_store_explicit(&y, 1, memory_order_relaxed); atomic_thread_fence(memory_order_release);";
    races_with(globals, late, two);
}

#[test]
fn release_sequences_go_on_through_updates_and_stores_of_their_own_thread() {
    let globals = "int x; atomic_int y;";
    let three = |middle: &str| {
        let text = two(
            globals,
            "x = 1; atomic_store_explicit(&y, 1, memory_order_release);",
            "if (atomic_load_explicit(&y, memory_order_acquire) == 2) x = 2;",
        );
        let text = text.replace(
            "int main",
            &format!("void *middle(void *arg) {{ {middle} return 0; }}\nint main"),
        );
        text.replace(
            "pthread_create(&b",
            "pthread_t c; pthread_create(&c, 0, middle, 0); pthread_create(&b",
        )
    };
    let update = "int one = 1; atomic_compare_exchange_strong_explicit(&y, &one, 2, memory_order_relaxed, memory_order_relaxed);";
    assert_eq!(race(&three(update)), None);
    let store = "if (atomic_load_explicit(&y, memory_order_relaxed) == 1) atomic_store_explicit(&y, 2, memory_order_relaxed);";
    assert!(race(&three(store)).is_some());
    let own = "x = 1; atomic_store_explicit(&y, 1, memory_order_release); atomic_store_explicit(&y, 2, memory_order_relaxed);";
    does_not_race(globals, own, "if (atomic_load_explicit(&y, memory_order_acquire) == 2) x = 2;");
}

#[test]
fn a_swap_that_fails_has_its_own_order() {
    let globals = "int x; atomic_int y;";
    let one = "x = 1; atomic_store_explicit(&y, 1, memory_order_release);";
    let swap = |won: &str, lost: &str| {
        format!(
            "int old = 0; if (!atomic_compare_exchange_strong_explicit(&y, &old, 2, {won}, {lost})) x = 2;"
        )
    };
    does_not_race(globals, one, &swap("memory_order_acquire", "memory_order_acquire"));
    races_with(globals, one, &swap("memory_order_acq_rel", "memory_order_relaxed"));
}

#[test]
fn locks_of_all_kinds_order() {
    let body = |lock: &str, unlock: &str| format!("{lock} x++; {unlock}");
    for (globals, lock, unlock) in [
        ("pthread_mutex_t m;", "pthread_mutex_lock(&m);", "pthread_mutex_unlock(&m);"),
        ("pthread_spinlock_t m;", "pthread_spin_lock(&m);", "pthread_spin_unlock(&m);"),
        ("pthread_rwlock_t m;", "pthread_rwlock_wrlock(&m);", "pthread_rwlock_unlock(&m);"),
        ("atomic_flag m;", "while (atomic_flag_test_and_set(&m)) ;", "atomic_flag_clear(&m);"),
        ("int m;", "while (__sync_lock_test_and_set(&m, 1)) ;", "__sync_lock_release(&m);"),
        ("", "__VERIFIER_atomic_begin();", "__VERIFIER_atomic_end();"),
    ] {
        let globals = format!(
            "int x; {globals} void __VERIFIER_atomic_begin(void); void __VERIFIER_atomic_end(void);"
        );
        let body = body(lock, unlock);
        does_not_race(&globals, &body, &body);
        races_with(&globals, &body, "x++;");
    }
}

#[test]
fn readers_do_not_order_each_other() {
    let globals = "int x; pthread_rwlock_t m;";
    let read = "pthread_rwlock_rdlock(&m); int r = x; (void)r; pthread_rwlock_unlock(&m);";
    let write = "pthread_rwlock_wrlock(&m); x = 1; pthread_rwlock_unlock(&m);";
    does_not_race(globals, read, read);
    does_not_race(globals, read, write);
    races_with(globals, read, "pthread_rwlock_rdlock(&m); x = 1; pthread_rwlock_unlock(&m);");
}

#[test]
fn a_lock_that_was_not_got_orders_nothing() {
    let globals = "int x; pthread_mutex_t m;";
    let one = "pthread_mutex_lock(&m); x = 1; pthread_mutex_unlock(&m);";
    does_not_race(
        globals,
        one,
        "if (pthread_mutex_trylock(&m) == 0) { x = 2; pthread_mutex_unlock(&m); }",
    );
    races_with(globals, one, "if (pthread_mutex_trylock(&m) != 0) x = 2;");
}

#[test]
fn conditions_barriers_semaphores_and_once_order() {
    let globals = "int x, ready; pthread_mutex_t m; pthread_cond_t c;";
    does_not_race(
        globals,
        "x = 1; pthread_mutex_lock(&m); ready = 1; pthread_cond_signal(&c); pthread_mutex_unlock(&m);",
        "pthread_mutex_lock(&m); while (!ready) pthread_cond_wait(&c, &m); pthread_mutex_unlock(&m); x = 2;",
    );
    let globals = "int x; sem_t s;";
    does_not_race(globals, "x = 1; sem_post(&s);", "sem_wait(&s); x = 2;");
    races_with(globals, "sem_post(&s); x = 1;", "sem_wait(&s); x = 2;");
    let globals = "int x; pthread_once_t o = PTHREAD_ONCE_INIT; void init(void) { x = 1; }";
    does_not_race(globals, "pthread_once(&o, init); (void)x;", "pthread_once(&o, init); (void)x;");
    races_with(globals, "pthread_once(&o, init); (void)x;", "(void)x;");
    let barrier = two(
        "int x, y; pthread_barrier_t b;",
        "x = 1; pthread_barrier_wait(&b); y = x;",
        "pthread_barrier_wait(&b); if (x) ; pthread_barrier_wait(&b);",
    );
    let barrier =
        barrier.replace("pthread_t a, b;", "pthread_t a, c; pthread_barrier_init(&b, 0, 2);");
    let barrier =
        barrier.replace("&b, 0, two", "&c, 0, two").replace("pthread_join(b", "pthread_join(c");
    assert_eq!(race(&barrier.replace(" pthread_barrier_wait(&b); return", " return")), None);
    let early =
        barrier.replace("pthread_barrier_wait(&b); if (x) ;", "if (x) ; pthread_barrier_wait(&b);");
    assert!(race(&early).is_some());
}

#[test]
fn creating_and_joining_order() {
    let text = |before: &str, meanwhile: &str, after: &str| {
        format!(
            "#include <pthread.h>\nint x;\nvoid *t(void *arg) {{ x = 1; return 0; }}\n\
             int main(void) {{ pthread_t a; {before} pthread_create(&a, 0, t, 0);\n {meanwhile} \
             pthread_join(a, 0);\n {after} return 0; }}"
        )
    };
    assert_eq!(race(&text("x = 2;", "", "x = 3;")), None);
    let told = race(&text("", "x = 2;", "")).expect("a race");
    assert!(told.contains("main's plain store to x (line 5)"), "{told}");
    assert!(told.contains("t's plain store to x (line 3)"), "{told}");
    // Neither a thread that another thread waits for nor one that is created by another is forgotten.
    let chain = "#include <pthread.h>\nint x;\nvoid *u(void *arg) { x = 2; return 0; }\n\
         void *t(void *arg) { x = 1; pthread_t b; pthread_create(&b, 0, u, 0); pthread_join(b, 0); return 0; }\n\
         int main(void) { pthread_t a; pthread_create(&a, 0, t, 0); pthread_join(a, 0); x = 3; return 0; }";
    assert_eq!(race(chain), None);
    assert!(race(&chain.replace("pthread_join(b, 0); ", "")).is_some());
}

#[test]
fn threads_that_are_created_in_a_loop_are_told_apart() {
    let text = |access: &str| {
        format!(
            "#include <pthread.h>\n#include <stdatomic.h>\nint x[4]; atomic_int y;\n\
             void *t(void *arg) {{ long i = (long)arg; {access} return 0; }}\n\
             int main(void) {{ pthread_t a[3];\n  for (long i = 0; i < 3; i++) pthread_create(&a[i], 0, t, (void *)i);\n  \
             for (int i = 0; i < 3; i++) pthread_join(a[i], 0);\n  return x[0]; }}"
        )
    };
    assert_eq!(race(&text("x[i] = 1;")), None);
    assert!(race(&text("x[i / 2] = 1;")).is_some());
    assert_eq!(race(&text("atomic_fetch_add(&y, 1);")), None);
}

#[test]
fn volatile_is_not_plain() {
    does_not_race("volatile int x;", "x = 1;", "x = 2;");
    races_with("int x;", "x = 1;", "*(volatile int *)&x = 2;");
    let told = race(&two("int x;", "*(volatile int *)&x = 2;", "x = 1;")).expect("a race");
    assert!(told.contains("volatile store to x"), "{told}");
    // A volatile flag with fences is how it was done before C11.
    let one = "x = 1; __sync_synchronize(); y = 1;";
    does_not_race("int x; volatile int y;", one, "if (y) { __sync_synchronize(); x = 2; }");
    races_with("int x; volatile int y;", "x = 1; y = 1;", "if (y) x = 2;");
}

#[test]
fn atomics_by_operation_and_plain_accesses_to_the_same_object_race() {
    let store = "__atomic_store_n(&x, 1, __ATOMIC_SEQ_CST);";
    does_not_race("int x;", store, store);
    races_with("int x;", store, "x = 2;");
    races_with("int x;", store, "(void)x;");
    does_not_race("int x;", "(void)__atomic_load_n(&x, __ATOMIC_SEQ_CST);", "(void)x;");
    races_with("atomic_int x;", "atomic_init(&x, 1);", "atomic_store(&x, 2);");
}

#[test]
fn cells_of_one_object_are_told_apart() {
    does_not_race("struct { int a, b; } s;", "s.a = 1;", "s.b = 1;");
    races_with("struct { int a, b; } s;", "s.a = 1;", "s.a = 2;");
    let told = race(&two("struct { int a, b; } s;", "s.b = 1;", "s.b = 2;")).expect("a race");
    assert!(told.contains("s.b"), "{told}");
    does_not_race("int x[2];", "for (int i = 0; i < 1; i++) x[i] = 1;", "x[1] = 2;");
    does_not_race("_Thread_local int x;", "x = 1; (void)x;", "x = 2; (void)x;");
    // Two readers do not race.
    does_not_race("int x = 1;", "(void)x;", "(void)x;");
}

#[test]
fn locals_race_where_their_addresses_are_shared() {
    let text = "#include <pthread.h>\nvoid *t(void *arg) { *(int *)arg = 1; return 0; }\n\
         int main(void) { int x = 0; pthread_t a; pthread_create(&a, 0, t, &x);\n  x = 2; pthread_join(a, 0); return x; }";
    let told = race(text).expect("a race");
    assert!(told.contains("store to main"), "{told}");
    assert_eq!(
        race(&text.replace("x = 2; pthread_join(a, 0);", "pthread_join(a, 0); x = 2;")),
        None
    );
}

#[test]
fn free_is_a_store_and_what_comes_after_it_is_another_object() {
    let globals = "int *_Atomic p; atomic_int done;";
    let one = "int *q = malloc(sizeof(int)); *q = 1; atomic_store_explicit(&p, q, memory_order_release); while (!atomic_load_explicit(&done, ORDER)) ; free(q);";
    let two = "int *q = atomic_load_explicit(&p, memory_order_acquire); if (q) (void)*q; atomic_store_explicit(&done, 1, memory_order_release);";
    does_not_race(globals, &one.replace("ORDER", ACQUIRE), two);
    let text = self::two(globals, &one.replace("ORDER", RELAXED), two);
    let told = race(&text).expect("a race");
    assert!(told.contains("`free` of"), "{told}");
    let again = "for (int i = 0; i < 2; i++) { int *q = malloc(sizeof(int)); *q = i; free(q); }";
    does_not_race("", again, again);
}

#[test]
fn four_threads_pass_a_token_on() {
    let hop = |from: i32| {
        format!(
            "void *t{from}(void *arg) {{ while (atomic_load_explicit(&turn, memory_order_acquire) != {from}) ; \
             x++; atomic_store_explicit(&turn, {}, memory_order_release); return 0; }}\n",
            from + 1
        )
    };
    let mut text =
        String::from("#include <pthread.h>\n#include <stdatomic.h>\nint x; atomic_int turn;\n");
    (0..4).for_each(|i| text += &hop(i));
    text += "int main(void) { pthread_t a[4];\n";
    (0..4).for_each(|i| text += &format!("  pthread_create(&a[{i}], 0, t{i}, 0);\n"));
    (0..4).for_each(|i| text += &format!("  pthread_join(a[{i}], 0);\n"));
    text += "  return x; }\n";
    assert_eq!(race(&text), None);
    // One hop that does not acquire is enough.
    let broken = text.replacen("memory_order_acquire) != 2", "memory_order_relaxed) != 2", 1);
    assert!(race(&broken).is_some());
}

/// The report of a program that is read with `--races LEVEL`.
fn report_at(text: &str, level: &str, model: MemoryModel) -> Report {
    let mut options = LoadOptions::default();
    options.values.set(&RACES, level).expect("a level");
    let loaded = from_bytes("race.c", text.as_bytes().to_vec(), options).expect("a program");
    let check = Check::of(&loaded).model(model).threads(1);
    check.run().expect("a report").with_races(&check, &loaded).expect("a run that replays")
}

#[test]
fn a_race_is_a_warning_an_error_or_nothing() {
    let text = two("int x;", "x = 1;", "x = 2;");
    for model in MemoryModel::ALL {
        let warned = report_at(&text, "warn", model);
        assert_eq!(warned.verdict_kind(), VerdictKind::Holds);
        assert!(warned.violations().next().is_none());
        assert_eq!(warned.race_warning().expect("a warning").code, "W0008");
        let violated = report_at(&text, "error", model);
        assert_eq!(violated.verdict_kind(), VerdictKind::Violated);
        let (result, witness) = violated.violations().next().expect("a violation");
        assert_eq!((result.name.as_str(), result.kind.word()), ("race", "race"));
        assert_eq!(witness.trace.memory.model, MemoryModel::Sc);
        assert!(violated.race_warning().is_none());
        assert!(report_at(&text, "off", model).races.is_none());
    }
}

#[test]
fn what_is_covered_is_said() {
    let (one, other) = publication(RELEASE, ACQUIRE);
    let text = two("int x; atomic_int y;", &one, &other);
    let report = report_at(&text, "error", MemoryModel::Tso);
    let result = report.results.iter().find(|r| r.name == "race").expect("an answer");
    assert_eq!(result.verdict.coverage(), "all sequentially consistent executions");
    // Without a candidate no search is made, and all executions are covered.
    let text = two("atomic_int y;", "y = 1;", "y = 2;");
    let races = report_at(&text, "warn", MemoryModel::Tso).races.expect("an answer");
    assert!(races.stats.is_none());
    assert_eq!(races.result.verdict.coverage(), "all executions");
}

#[test]
fn a_limit_leaves_the_question_open() {
    let (one, other) = publication(RELEASE, ACQUIRE);
    let loaded = load(&two("int x; atomic_int y;", &one, &other));
    let check = Check::of(&loaded).max_states(20).threads(1);
    let report = check.run().expect("a report").with_races(&check, &loaded).expect("an answer");
    let races = report.races.expect("an answer");
    assert_eq!(races.result.verdict.kind(), VerdictKind::Unknown);
    assert!(races.race.is_none());
}

#[test]
fn other_languages_are_not_asked() {
    let loaded =
        from_text("p.taut", "shared int x; process p begin x := 1; end").expect("a program");
    let check = Check::of(&loaded);
    let report = check.run().expect("a report").with_races(&check, &loaded).expect("a report");
    assert!(report.races.is_none() && !loaded.asks_races());
}
