//! C programs on the processor: whatever ends a round is counted, and each round begins anew.

use super::{run, violated};
use crate::command::{path, scratch};

/// Runs a C program.
fn run_c(name: &str, text: &str, arguments: &[&str]) -> (serde_json::Value, i32) {
    let file = scratch(name, text);
    // What the models say about these programs is not the point.
    let usual = ["--seconds", "300ms", "--timeout", "2s"];
    let given: Vec<&str> =
        usual.chunks(2).filter(|o| !arguments.contains(&o[0])).flatten().copied().collect();
    run(path(&file), &[&given, arguments].concat())
}

#[test]
fn four_threads_with_locals_of_their_own_begin_anew_each_round() {
    let text = r#"
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stddef.h>
static atomic_int sum;
static int rounds = 41, zero;
static _Thread_local int own = 7;
static void *add(void *arg) {
    static _Thread_local int also;
    assert(own == 7 && also == 0);
    own += 1;
    also += 1;
    if ((intptr_t)arg == 2) pthread_exit((void *)(intptr_t)3);
    atomic_fetch_add(&sum, own);
    return (void *)(intptr_t)1;
}
int main(void) {
    pthread_t t[4];
    intptr_t results = 0;
    assert(rounds == 41 && zero == 0 && sum == 0 && own == 7);
    rounds++;
    zero++;
    own = 9;
    for (intptr_t i = 0; i < 4; i++) pthread_create(&t[i], NULL, add, (void *)i);
    for (int i = 3; i >= 0; i--) {
        void *result;
        pthread_join(t[i], &result);
        results += (intptr_t)result;
    }
    assert(own == 9 && sum == 24 && results == 6);
    assert(!pthread_equal(t[0], t[1]) && !pthread_equal(t[0], pthread_self()));
    return 0;
}
"#;
    let (document, code) = run_c("four.c", text, &[]);
    assert!(code == 0 || code == 2, "{document:#}");
    assert_eq!(document["threads"], 4);
    assert!(document["rounds"].as_u64() > Some(1), "{document:#}");
}

#[test]
fn assertions_signals_and_calls_that_end_a_round_are_counted() {
    let failing = "#include <assert.h>\nint n;\nint main(void) {\n  n++;\n  assert(n == 2);\n}\n";
    let (document, code) = run_c("failing.c", failing, &[]);
    assert_eq!(code, 1, "{document:#}");
    assert_eq!(document["properties"][0]["line"], 5);
    assert!(violated(&document, "n == 2") > Some(0), "{document:#}");
    assert_eq!(document["finished"], 0);

    let null = "int *p;\nint main(void) { return *p; }\n";
    let (document, code) = run_c("null.c", null, &[]);
    assert_eq!((code, document["properties"][0]["name"].as_str()), (1, Some("fault")));
    assert!(violated(&document, "fault") > Some(0), "{document:#}");

    let error =
        "extern void abort(void);\nvoid reach_error(void);\nint main(void) { reach_error(); }\n";
    let (document, code) = run_c("error.c", error, &[]);
    assert_eq!(code, 1, "{document:#}");
    assert!(violated(&document, "reach_error()") > Some(0), "{document:#}");

    let exits = "#include <stdlib.h>\nint main(void) { exit(3); }\n";
    let (document, code) = run_c("exits.c", exits, &[]);
    assert_eq!(code, 0, "{document:#}");
    assert!(document["finished"].as_u64() > Some(0), "{document:#}");
}

/// What a pool of threads cannot do is done by threads of the system.
#[test]
fn keys_c11_threads_and_a_main_that_does_not_join_run_too() {
    let keys = r#"
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
static pthread_key_t key;
static int destroyed;
static void destroy(void *p) { (void)p; destroyed++; }
static void *f(void *arg) { pthread_setspecific(key, arg); return NULL; }
int main(void) {
    pthread_t t;
    int here;
    pthread_key_create(&key, destroy);
    pthread_create(&t, NULL, f, &here);
    pthread_join(t, NULL);
    assert(destroyed == 1);
    pthread_key_delete(key);
    return 0;
}
"#;
    let c11 = r#"
#include <assert.h>
#include <stdatomic.h>
#include <stddef.h>
#include <threads.h>
static atomic_int up;
static int f(void *arg) { (void)arg; atomic_fetch_add(&up, 1); return 5; }
int main(void) {
    thrd_t a, b;
    int x = 0, y = 0;
    thrd_create(&a, f, NULL);
    thrd_create(&b, f, NULL);
    thrd_join(a, &x);
    thrd_join(b, &y);
    assert(x == 5 && y == 5 && up == 2);
    return 0;
}
"#;
    let waits = r#"
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
static atomic_int done;
static void *f(void *arg) { (void)arg; done = 1; return NULL; }
int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, f, NULL);
    while (!done)
        ;
    pthread_join(t, NULL);
    return 0;
}
"#;
    for (name, text) in [("keys.c", keys), ("c11.c", c11), ("waits.c", waits)] {
        let (document, code) = run_c(name, text, &["--seconds", "2"]);
        assert!(code == 0 || code == 2, "{name}: {document:#}");
        assert!(document["finished"].as_u64() > Some(0), "{name}: {document:#}");
        assert_eq!(document["cut"], 0, "{name}: {document:#}");
    }
}

#[test]
fn a_round_without_an_end_is_cut_and_a_program_that_is_refused_runs() {
    let endless = "volatile int stop;\nint main(void) { while (!stop); return 0; }\n";
    let (document, code) = run_c("endless.c", endless, &["--seconds", "4", "--timeout", "1s"]);
    assert!(code == 0 || code == 2, "{document:#}");
    assert!(document["cut"].as_u64() > Some(0), "{document:#}");

    let floats =
        "#include <assert.h>\nint main(void) { volatile double d = 0.5; assert(d < N); }\n";
    let (document, code) = run_c("floats.c", floats, &["-D", "N=0.25"]);
    assert_eq!(code, 1, "{document:#}");
    assert!(document["notes"].to_string().contains("`taut check` refuses"), "{document:#}");
    assert_eq!(document["properties"][0]["kind"], "other");
    let (document, code) = run_c("floats.c", floats, &["-D", "N=0.75"]);
    assert_eq!(code, 0, "{document:#}");
}
