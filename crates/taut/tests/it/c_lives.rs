//! Lives of objects in C programs: locals of functions that have returned, memory that is never freed, values of threads.

use taut::frontends::Language;
use taut::load::{LoadOptions, from_bytes};
use taut::{Check, MemoryModel, Report, VerdictKind};

const HEAD: &str = "#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
";

/// The report about a program with some options.
fn report(text: &str, options: &[(&str, &str)], model: MemoryModel) -> Report {
    let mut load = LoadOptions::default();
    let language = Language::named("c").expect("a language");
    for (name, value) in options {
        let option = language.options().iter().find(|o| o.name == *name).expect("an option");
        load = load.with(option, *value).expect("a value");
    }
    let text = format!("{HEAD}{text}");
    let loaded = from_bytes("lives.c", text.into_bytes(), load).unwrap_or_else(|e| panic!("{e}"));
    Check::of(&loaded).model(model).run().expect("a report")
}

/// The verdict under SC, TSO and PSO, which must be the same.
#[track_caller]
fn verdict(text: &str, options: &[(&str, &str)]) -> VerdictKind {
    let all: Vec<_> = [MemoryModel::Sc, MemoryModel::Tso, MemoryModel::Pso]
        .map(|model| report(text, options, model).verdict_kind())
        .to_vec();
    assert!(all.iter().all(|kind| *kind == all[0]), "{all:?}");
    all[0]
}

/// The names of what is violated.
fn violated(text: &str, options: &[(&str, &str)]) -> Vec<String> {
    let report = report(text, options, MemoryModel::Sc);
    let all = report.results.iter().filter(|r| r.verdict.kind() == VerdictKind::Violated);
    all.map(|r| r.name.clone()).collect()
}

#[test]
fn a_local_ends_with_its_function() {
    let dangling = "int *p;
        void f(void) { int x = 1; p = &x; assert(*p == 1); }
        int main(void) { f(); return *p; }";
    assert_eq!(violated(dangling, &[]), ["fault"]);
    let returned = "int *f(int v) { int x = v; int *p = &x; return p; }
        int main(void) { int *p = f(3); return *p; }";
    assert_eq!(violated(returned, &[]), ["fault"]);
    // A parameter is a local, too.
    let parameter = "int *p; void f(int x) { p = &x; }
        int main(void) { f(3); return *p; }";
    assert_eq!(violated(parameter, &[]), ["fault"]);
}

#[test]
fn a_local_lives_while_its_function_runs() {
    let inner = "int *p; void g(void) { *p = *p + 1; }
        int f(void) { int x = 1; p = &x; g(); return x; }
        int main(void) { assert(f() == 2); assert(f() == 2); return 0; }";
    assert_eq!(verdict(inner, &[]), VerdictKind::Holds);
    let of_main = "int *p; void *t(void *a) { *p = 2; return 0; }
        int main(void) { int x = 1; p = &x; pthread_t i; pthread_create(&i, 0, t, 0); pthread_join(i, 0);
          assert(x == 2); return 0; }";
    assert_eq!(verdict(of_main, &[]), VerdictKind::Holds);
    // A new call makes a new life of the same copy.
    let again = "int *p; int f(int q) { int x = q; if (q) p = &x; return *p; }
        int main(void) { int r = f(1) + f(2); assert(r == 3); return 0; }";
    assert_eq!(verdict(again, &[]), VerdictKind::Holds);
}

#[test]
fn another_thread_must_not_use_a_local_that_has_ended() {
    let text = "int *shared; int done;
        void *user(void *a) { int *p = __atomic_load_n(&shared, __ATOMIC_ACQUIRE); if (p) *p = 5; WAIT return 0; }
        void *owner(void *a) { int x = 1; __atomic_store_n(&shared, &x, __ATOMIC_RELEASE); HOLD return 0; }
        int main(void) { pthread_t i, j; pthread_create(&i, 0, owner, 0); pthread_create(&j, 0, user, 0);
          pthread_join(i, 0); pthread_join(j, 0); return 0; }";
    let careless = text.replace("WAIT", "").replace("HOLD", "");
    assert_eq!(verdict(&careless, &[]), VerdictKind::Violated);
    let careful = text
        .replace("WAIT", "__atomic_store_n(&done, 1, __ATOMIC_SEQ_CST);")
        .replace("HOLD", "while (!__atomic_load_n(&done, __ATOMIC_ACQUIRE)) ;");
    assert_eq!(verdict(&careful, &[]), VerdictKind::Holds);
    // A thread that leaves by pthread_exit ends its locals.
    let left = "int *shared; void inner(void) { int x = 1; shared = &x; pthread_exit(0); }
        void *owner(void *a) { inner(); return 0; }
        int main(void) { pthread_t i; pthread_create(&i, 0, owner, 0); pthread_join(i, 0); return *shared; }";
    assert_eq!(verdict(left, &[]), VerdictKind::Violated);
}

#[test]
fn threads_of_one_function_have_locals_of_their_own() {
    let text = "int *shared[2]; int turn;
        void *run(void *a) { long me = (long)a; int x = 1; shared[me] = &x;
          while (me == 1 && !__atomic_load_n(&turn, __ATOMIC_ACQUIRE)) ;
          assert(*shared[me] == 1); return 0; }
        int main(void) { pthread_t t[2]; for (long i = 0; i < 2; i++) pthread_create(&t[i], 0, run, (void *)i);
          pthread_join(t[0], 0); __atomic_store_n(&turn, 1, __ATOMIC_RELEASE); pthread_join(t[1], 0); USE return 0; }";
    assert_eq!(verdict(&text.replace("USE", ""), &[]), VerdictKind::Holds);
    assert_eq!(verdict(&text.replace("USE", "assert(*shared[0]);"), &[]), VerdictKind::Violated);
}

#[test]
fn memory_that_is_not_freed_is_an_error_if_it_is_asked_for() {
    let text = "int main(void) {\n int *a = malloc(sizeof *a);\n int *b = malloc(sizeof *b);\n *a = *b = 1;\n free(b);\n return 0;\n}";
    assert_eq!(verdict(text, &[]), VerdictKind::Holds);
    assert_eq!(violated(text, &[("leaks", "error")]), ["memory of line 5 is freed"]);
    let freed = text.replace("free(b);", "free(b); free(a);");
    assert_eq!(verdict(&freed, &[("leaks", "error")]), VerdictKind::Holds);
    let thread = "void *run(void *a) { int *p = malloc(4); if (__VERIFIER_nondet_bool()) free(p); return 0; }
        int main(void) { pthread_t i; pthread_create(&i, 0, run, 0); pthread_join(i, 0); return 0; }";
    let thread = format!("_Bool __VERIFIER_nondet_bool(void);\n{thread}");
    assert_eq!(verdict(&thread, &[("leaks", "error")]), VerdictKind::Violated);
}

#[test]
fn destructors_of_the_values_of_a_thread_are_run() {
    let text = "pthread_key_t key; int destroyed;
        void destroy(void *value) { destroyed += *(int *)value; free(value); }
        void *run(void *a) { int *p = malloc(sizeof *p); *p = 3; pthread_setspecific(key, p); return 0; }
        int main(void) { pthread_t i; pthread_key_create(&key, DESTRUCTOR);
          pthread_create(&i, 0, run, 0); pthread_join(i, 0); assert(destroyed == EXPECTED); return 0; }";
    let with = |destructor: &str, expected: &str| {
        text.replace("DESTRUCTOR", destructor).replace("EXPECTED", expected)
    };
    let leaks = [("leaks", "error")];
    assert_eq!(verdict(&with("destroy", "3"), &leaks), VerdictKind::Holds);
    assert_eq!(verdict(&with("destroy", "0"), &leaks), VerdictKind::Violated);
    assert_eq!(verdict(&with("0", "0"), &[]), VerdictKind::Holds);
    assert_eq!(verdict(&with("0", "0"), &leaks), VerdictKind::Violated);
    // A destructor that leaves a value is run again.
    let again = "pthread_key_t key; int rounds;
        void destroy(void *value) { rounds++; if (rounds == 1) pthread_setspecific(key, value); }
        void *run(void *a) { pthread_setspecific(key, &rounds); pthread_exit(0); }
        int main(void) { pthread_t i; pthread_key_create(&key, destroy);
          pthread_create(&i, 0, run, 0); pthread_join(i, 0); assert(rounds == 2); return 0; }";
    assert_eq!(verdict(again, &[]), VerdictKind::Holds);
}

#[test]
fn an_integer_is_read_by_the_type_of_its_pointer() {
    let text = "int main(void) { int i = -1; unsigned u = 4294967295u; int *p = &i; unsigned *q = (unsigned *)p;
        assert(*q == 4294967295u); assert(*(int *)&u == -1); *q = 4294967294u; assert(i == -2);
        int old = -2; assert(__atomic_compare_exchange_n((int *)q, &old, 7, 0, 5, 5)); assert(i == 7);
        unsigned char c = 200; signed char *s = (signed char *)&c; assert(*s == -56);
        *s = -1; assert(c == 255 && __atomic_fetch_add(&c, 1, 5) == 255 && c == 0);
        return 0; }";
    assert_eq!(verdict(text, &[]), VerdictKind::Holds);
}

#[test]
fn calls_nest_as_deep_as_the_option_says() {
    let text = "int depth(int n) { return n == 0 ? 0 : 1 + depth(n - 1); }
        int main(void) { assert(depth(12) != 12); return 0; }";
    assert_eq!(verdict(text, &[]), VerdictKind::Holds);
    assert_eq!(verdict(text, &[("max-calls", "20")]), VerdictKind::Violated);
}

#[test]
fn a_step_is_never_a_whole_statement() {
    let options = LoadOptions {
        granularity: Some(taut::ir::Granularity::Statement),
        ..LoadOptions::default()
    };
    let refused = from_bytes("p.c", b"int main(void) { return 0; }".to_vec(), options);
    let message = refused.expect_err("a refusal").to_string();
    assert!(message.contains("one instruction per access"), "{message}");
}

#[test]
fn text_that_is_printed_into_a_buffer_is_empty_and_the_coverage_says_so() {
    let text = "#include <stdio.h>\n#include <string.h>\nint main(void) { char b[8]; snprintf(b, sizeof b, \"%d\", 3); assert(memcmp(b, \"\", 1) == 0); assert(memcmp(\"ab\", \"aa\", 2) > 0); return 0; }";
    let report = report(text, &[], MemoryModel::Sc);
    assert_eq!(report.verdict_kind(), VerdictKind::Holds);
    let coverage = report.results[0].verdict.coverage();
    assert_eq!(coverage, "up to values 0 of the length of the text of snprintf() (line 6)");
}
