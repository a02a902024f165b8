//! Interchangeable objects of the heap: random C programs with nodes from `malloc`, with and without the reduction.
//!
//! The verdict of every question is compared between the search that numbers slots anew, the same search without it, and the
//! search that reduces nothing. A violation is replayed, so that the run found through renumbered states is a real one.

use fastrand::Rng;
use taut::engines::Explicit;
use taut::load::from_text;
use taut::{Check, MemoryModel, Program, Reduce, Report};
use taut_testkit::tally::Tally;

/// Most states of a check without reductions.
const MOST_STATES: u64 = 30_000;
const MODELS: [MemoryModel; 3] = [MemoryModel::Sc, MemoryModel::Tso, MemoryModel::Pso];

const HEAD: &str = "#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
struct node { struct node *next; int v; };
struct node *top, *other;
int out[3];
";

/// Statements of a thread; `K` is a small number, `T` a shared pointer, `p` and `q` are locals, `me` is the thread's cell.
const STATEMENTS: &[&str] = &[
    "p = calloc(1, sizeof *p);",
    "q = calloc(1, sizeof *q);",
    "p = malloc(sizeof *p); p->v = K; p->next = q;",
    "if (p) p->v = K;",
    "if (p) p->next = q;",
    "if (q) p = q->next;",
    "{ struct node *r = p; p = q; q = r; }",
    "__atomic_store_n(&T, p, __ATOMIC_RELEASE);",
    "__atomic_store_n(&T, q, __ATOMIC_RELAXED);",
    "p = __atomic_load_n(&T, __ATOMIC_ACQUIRE);",
    "q = __atomic_exchange_n(&T, p, __ATOMIC_ACQ_REL);",
    "if (__atomic_compare_exchange_n(&T, &p, q, 0, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED)) out[me] += 1;",
    "if (p) { free(p); p = 0; }",
    "if (p) free(p);",
    "out[me] = p == q;",
    "out[me] = p ? p->v : K;",
    "if (p && p->next) out[me] = p->next->v;",
    "p = (struct node *)((uintptr_t)p | 1); out[me] = (uintptr_t)p & 1; p = (struct node *)((uintptr_t)p & ~(uintptr_t)1);",
];

const ASSERTS: &[&str] = &[
    "out[0] + out[1] + out[2] != K",
    "top != other || top == 0",
    "top == 0 || top->v == K",
    "out[0] <= out[1]",
    "top == 0 || top->next != top",
];

fn program(random: &mut Rng) -> String {
    // Threads with the same code change places, too.
    let (functions, threads) =
        *random.choice([(1, 2), (2, 2), (2, 2), (1, 3)].as_slice()).unwrap_or(&(2, 2));
    let mut text = HEAD.to_owned();
    for function in 0..functions {
        text +=
            &format!("void *run{function}(void *a) {{ struct node *p = 0, *q = 0; int me = ME;\n");
        let me = if functions == 1 { "0".to_owned() } else { function.to_string() };
        text = text.replace("ME", &me);
        let length = if threads == 3 { 2..4 } else { 3..6 };
        for _ in 0..random.usize(length) {
            text += &filled(STATEMENTS[random.usize(..STATEMENTS.len())], random);
        }
        text += " return p == q ? 0 : a;\n}\n";
    }
    text += "int main(void) {\n pthread_t t[3];\n";
    for thread in 0..threads {
        text += &format!(" pthread_create(&t[{thread}], 0, run{}, 0);\n", thread % functions);
    }
    for thread in 0..threads {
        text += &format!(" pthread_join(t[{thread}], 0);\n");
    }
    for _ in 0..2 {
        let condition = ASSERTS[random.usize(..ASSERTS.len())];
        text += &filled(&format!("assert({condition});"), random);
    }
    text + " return 0;\n}\n"
}

fn filled(statement: &str, random: &mut Rng) -> String {
    let shared = if random.u32(0..4) == 0 { "other" } else { "top" };
    let text = statement.replace("&T", &format!("&{shared}"));
    format!(" {}\n", text.replace('K', &random.u32(0..3).to_string()))
}

/// The same program whose slots are told apart.
fn told_apart(program: &Program) -> Program {
    Program { references: taut::ir::References::default(), ..program.clone() }
}

fn report(program: &Program, model: MemoryModel, reduce: Reduce) -> Report {
    let check = Check::of(program).model(model).engine(Explicit).all(true).threads(1);
    check.reduce(reduce).max_states(MOST_STATES).run().expect("a report")
}

/// What each question was answered; nothing if one was not.
fn verdicts(report: &Report) -> Option<Vec<(String, &'static str)>> {
    let all = report.results.iter().map(|r| (r.name.clone(), r.verdict.word()));
    let all: Vec<_> = all.collect();
    all.iter().all(|(_, word)| matches!(*word, "holds" | "violated")).then_some(all)
}

#[test]
fn renumbered_slots_change_no_verdict() {
    let soak = std::env::var_os("TAUT_SOAK").is_some();
    let seeds = if soak { 20_000 } else { 80 };
    let tally = Tally::new();
    for seed in 0..seeds {
        let text = program(&mut Rng::with_seed(seed));
        let loaded = from_text("heap.c", &text).unwrap_or_else(|error| panic!("{error}\n{text}"));
        let program = &loaded.program;
        let apart = told_apart(program);
        for model in MODELS {
            let reduced = report(program, model, Reduce::All);
            let unreduced = report(&apart, model, Reduce::None);
            let (Some(found), Some(all)) = (verdicts(&reduced), verdicts(&unreduced)) else {
                tally.count("too large");
                continue;
            };
            assert_eq!(found, all, "seed {seed} under {model}\n{text}");
            let without = report(&apart, model, Reduce::All);
            assert_eq!(
                verdicts(&without),
                Some(found.clone()),
                "seed {seed} under {model}\n{text}"
            );
            let (with, without) = (reduced.stats.states, without.stats.states);
            assert!(
                with <= without,
                "{with} states, {without} without; seed {seed}, {model}\n{text}"
            );
            tally.count("compared");
            tally.add("fewer", u64::from(with < without));
            found.iter().for_each(|(_, word)| tally.count(word));
        }
    }
    tally.at_least("compared", seeds * 2).at_least("fewer", seeds / 2);
    tally.at_least("violated", seeds / 2).at_least("holds", seeds);
}

/// Each example with a heap, and its number of states under SC, TSO and PSO, with slots numbered anew and told apart.
const EXAMPLES: &[(&str, [(u64, u64); 3])] = &[
    ("double_checked.c", [(76, 200), (88, 236), (92, 248)]),
    ("hazard_pointers_fenced.c", [(164, 814), (237, 1192), (238, 1195)]),
    ("michael_scott.c", [(987, 5896), (1751, 10468), (2050, 12229)]),
    ("rcu_publish_fenced.c", [(186, 916), (296, 1537), (317, 1651)]),
    ("treiber_stack.c", [(503, 2937), (865, 5067), (969, 5679)]),
    ("vyukov_mpsc.c", [(653, 3278), (1366, 7172), (1471, 7748)]),
];

#[test]
fn the_examples_have_fewer_states() {
    let mut wrong = Vec::new();
    for (name, expected) in EXAMPLES {
        let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/c");
        let loaded = taut::load::from_path(&root.join(name), taut::load::LoadOptions::default());
        let program = loaded.unwrap_or_else(|error| panic!("{name}: {error}")).program;
        for (model, expected) in MODELS.into_iter().zip(expected) {
            let states = |program: &Program| report(program, model, Reduce::All).stats.states;
            let found = (states(&program), states(&told_apart(&program)));
            if found != *expected {
                wrong.push(format!("{name} under {model}: {found:?}, not {expected:?}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
