//! C litmus tests: what is known of the classic shapes, and the same tests written for x86.

use std::fmt::Write;

use taut::litmus::{Outcome, Test, run};
use taut::load::{self, LoadOptions};
use taut::{Language, Limits, Loaded, MemoryModel};

fn read(text: &str) -> Loaded {
    let options = LoadOptions { language: Language::named("litmus"), ..LoadOptions::default() };
    load::from_bytes("t.litmus", text.as_bytes().to_vec(), options)
        .unwrap_or_else(|error| panic!("{error}\n{text}"))
}

fn answer(test: &Test, model: MemoryModel) -> Outcome {
    run(test, model, &Limits::default()).expect("no limit is met")
}

/// Whether the condition can be true under SC, TSO and PSO.
fn allowed(text: &str) -> [bool; 3] {
    let loaded = read(text);
    let test = loaded.litmus().expect("a litmus test");
    MemoryModel::ALL.map(|model| answer(test, model).positive > 0)
}

const YES: bool = true;
const NO: bool = false;

/// Two threads of statements, with the usual locations and a question.
fn shape(threads: &[&str], condition: &str) -> String {
    let mut text = String::from("C shape\n{ }\n");
    for (number, body) in threads.iter().enumerate() {
        let params = "atomic_int *x, atomic_int *y, atomic_int *z";
        let _ = writeln!(text, "P{number} ({params}) {{\n  {body}\n}}");
    }
    text + "exists (" + condition + ")\n"
}

/// A statement in few words: `x=1 rel` stores, `r0=x acq` loads, `F sc` is a fence.
fn words(text: &str) -> String {
    let order = |word: &str| match word {
        "rlx" => "memory_order_relaxed",
        "acq" => "memory_order_acquire",
        "rel" => "memory_order_release",
        "ar" => "memory_order_acq_rel",
        _ => "memory_order_seq_cst",
    };
    let statement = |word: &str| {
        let (what, order) = word.split_once(' ').map_or((word, "sc"), |(a, b)| (a, order(b)));
        let order = if order == "sc" { "memory_order_seq_cst" } else { order };
        match what.split_once('=') {
            None if what == "F" => format!("atomic_thread_fence({order});"),
            None => format!("{word};"),
            Some((to, from)) if from.starts_with("xchg") => {
                let inner = &from["xchg".len()..];
                let (place, value) = inner.split_once(',').expect("a place and a value");
                format!("int {to} = atomic_exchange_explicit({place}, {value}, {order});")
            }
            Some((register, place)) if register.starts_with('r') => {
                format!("int {register} = atomic_load_explicit({place}, {order});")
            }
            Some((place, value)) => format!("atomic_store_explicit({place}, {value}, {order});"),
        }
    };
    text.split("; ").map(statement).collect::<Vec<_>>().join("\n  ")
}

fn check(threads: &[&str], condition: &str, expected: [bool; 3]) {
    let bodies: Vec<String> = threads.iter().map(|thread| words(thread)).collect();
    let text = shape(&bodies.iter().map(String::as_str).collect::<Vec<_>>(), condition);
    assert_eq!(allowed(&text), expected, "{text}");
}

#[test]
fn store_buffering_by_orders() {
    let seen = "0:r0=0 /\\ 1:r0=0";
    for (store, load, expected) in [
        ("rlx", "rlx", [NO, YES, YES]),
        ("rel", "acq", [NO, YES, YES]),
        ("rel", "sc", [NO, YES, YES]),
        ("sc", "rlx", [NO, NO, NO]),
        ("sc", "sc", [NO, NO, NO]),
    ] {
        let thread = |a: &str, b: &str| format!("{a}=1 {store}; r0={b} {load}");
        check(&[&thread("x", "y"), &thread("y", "x")], seen, expected);
    }
    for (fence, expected) in [
        ("F sc", [NO, NO, NO]),
        ("F ar", [NO, YES, YES]),
        ("F rel", [NO, YES, YES]),
        ("F acq", [NO, YES, YES]),
        ("r9=xchgz,1 rlx", [NO, NO, NO]),
    ] {
        let thread = |a: &str, b: &str| format!("{a}=1 rlx; {fence}; r0={b} rlx");
        check(&[&thread("x", "y"), &thread("y", "x")], seen, expected);
    }
    // One fence is not enough.
    check(&["x=1 rlx; F sc; r0=y rlx", "y=1 rlx; r0=x rlx"], seen, [NO, YES, YES]);
}

#[test]
fn message_passing_by_orders() {
    let seen = "1:r0=1 /\\ 1:r1=0";
    for (writer, expected) in [
        ("x=1 rlx; y=1 rlx", [NO, NO, YES]),
        ("x=1 rlx; y=1 rel", [NO, NO, NO]),
        ("x=1 rlx; F rel; y=1 rlx", [NO, NO, NO]),
        ("x=1 rlx; F ar; y=1 rlx", [NO, NO, NO]),
        ("x=1 rlx; F acq; y=1 rlx", [NO, NO, YES]),
        ("x=1 rlx; y=1 sc", [NO, NO, NO]),
        ("x=1 rlx; F sc; y=1 rlx", [NO, NO, NO]),
        ("*x = 1; *y = 1", [NO, NO, NO]),
    ] {
        for reader in ["r0=y acq; r1=x rlx", "r0=y rlx; r1=x rlx", "r0=y sc; r1=x sc"] {
            check(&[writer, reader], seen, expected);
        }
    }
}

#[test]
fn shapes_with_stores_at_the_end() {
    // S: the first thread's first store is the last one.
    check(&["x=2 rlx; y=1 rlx", "r0=y rlx; x=1 rlx"], "x=2 /\\ 1:r0=1", [NO, NO, YES]);
    check(&["x=2 rlx; y=1 rel", "r0=y acq; x=1 rlx"], "x=2 /\\ 1:r0=1", [NO, NO, NO]);
    // R: a store and a load against two stores.
    check(&["x=1 rlx; y=1 rlx", "y=2 rlx; r0=x rlx"], "y=2 /\\ 1:r0=0", [NO, YES, YES]);
    check(&["x=1 rlx; y=1 rel", "y=2 sc; r0=x rlx"], "y=2 /\\ 1:r0=0", [NO, NO, NO]);
    check(&["x=1 rlx; y=1 rlx", "y=2 sc; r0=x rlx"], "y=2 /\\ 1:r0=0", [NO, NO, YES]);
    // 2+2W.
    check(&["x=1 rlx; y=2 rlx", "y=1 rlx; x=2 rlx"], "x=1 /\\ y=1", [NO, NO, YES]);
    check(&["x=1 rlx; y=2 rel", "y=1 rlx; x=2 rel"], "x=1 /\\ y=1", [NO, NO, NO]);
    check(&["x=1 rlx; y=2 rel", "y=1 rlx; x=2 rlx"], "x=1 /\\ y=1", [NO, NO, YES]);
}

#[test]
fn shapes_that_store_buffers_never_show() {
    check(&["r0=x rlx; y=1 rlx", "r0=y rlx; x=1 rlx"], "0:r0=1 /\\ 1:r0=1", [NO; 3]);
    check(&["x=1 rlx", "r0=x rlx; r1=x rlx"], "1:r0=1 /\\ 1:r1=0", [NO; 3]);
    let wrc = ["x=1 rlx", "r0=x rlx; y=1 rlx", "r0=y rlx; r1=x rlx"];
    check(&wrc, "1:r0=1 /\\ 2:r0=1 /\\ 2:r1=0", [NO; 3]);
    let iriw = ["x=1 rlx", "y=1 rlx", "r0=x rlx; r1=y rlx", "r0=y rlx; r1=x rlx"];
    check(&iriw, "2:r0=1 /\\ 2:r1=0 /\\ 3:r0=1 /\\ 3:r1=0", [NO; 3]);
    // None of these is vacuous: what they forbid is possible one by one.
    check(&iriw, "2:r0=1 /\\ 2:r1=0", [YES; 3]);
    check(&wrc, "1:r0=1 /\\ 2:r0=1 /\\ 2:r1=1", [YES; 3]);
}

#[test]
fn read_modify_writes() {
    let exchange = ["r0=xchgx,1 rlx; r1=y rlx", "r0=xchgy,1 rlx; r1=x rlx"];
    check(&exchange, "0:r1=0 /\\ 1:r1=0", [NO; 3]);
    let add = "int r0 = atomic_fetch_add_explicit(x, 1, memory_order_relaxed);";
    assert_eq!(allowed(&shape(&[add, add, add], "x=3")), [YES; 3]);
    assert_eq!(allowed(&shape(&[add, add], "x=1")), [NO; 3]);
    let split = "int r0 = atomic_load_explicit(x, memory_order_relaxed); \
                 atomic_store_explicit(x, r0 + 1, memory_order_relaxed);";
    assert_eq!(allowed(&shape(&[split, split], "x=1")), [YES; 3]);
    let swap = "int r0 = 0; int r1 = atomic_compare_exchange_strong_explicit(x, &r0, 1, \
                memory_order_acq_rel, memory_order_relaxed);";
    assert_eq!(allowed(&shape(&[swap, swap], "0:r1=1 /\\ 1:r1=1")), [NO; 3]);
    assert_eq!(allowed(&shape(&[swap, swap], "0:r1=1 /\\ 1:r1=0 /\\ 1:r0=1")), [YES; 3]);
    assert_eq!(allowed(&shape(&[swap, swap], "0:r1=0 /\\ 1:r1=0")), [NO; 3]);
}

#[test]
fn decisions_loops_and_values() {
    let writer = "atomic_store_explicit(x, 7, memory_order_relaxed); \
                  atomic_store_explicit(y, 1, memory_order_release);";
    let waits = "while (!atomic_load_explicit(y, memory_order_acquire)) ; \
                 int r0 = atomic_load_explicit(x, memory_order_relaxed);";
    assert_eq!(allowed(&shape(&[writer, waits], "1:r0=7")), [YES; 3]);
    assert_eq!(allowed(&shape(&[writer, waits], "not (1:r0=7)")), [NO; 3]);
    let reads = "int r0 = atomic_load_explicit(y, memory_order_relaxed); int r1 = -1; \
                 if (r0 == 1) r1 = atomic_load_explicit(x, memory_order_relaxed); else r1 = 2 * r0 + 5;";
    assert_eq!(allowed(&shape(&[writer, reads], "1:r1=7 \\/ 1:r1=5")), [YES; 3]);
    assert_eq!(allowed(&shape(&[writer, reads], "not (1:r1=7 \\/ 1:r1=5)")), [NO; 3]);
}

#[test]
fn the_names_of_the_kernel() {
    let test = |first: &str, second: &str| {
        format!(
            "C MP\n{{ int x = 0; int y = 0; }}\nP0 (int *x, int *y) {{ WRITE_ONCE(*x, 1); {first} }}\n\
             P1 (int *x, int *y) {{ int r0; int r1; r0 = {second}; r1 = READ_ONCE(*x); }}\n\
             exists (1:r0=1 /\\ 1:r1=0)\n"
        )
    };
    let plain = "WRITE_ONCE(*y, 1);";
    assert_eq!(allowed(&test(plain, "READ_ONCE(*y)")), [NO, NO, YES]);
    assert_eq!(allowed(&test("smp_store_release(y, 1);", "smp_load_acquire(y)")), [NO; 3]);
    assert_eq!(allowed(&test(&format!("smp_wmb(); {plain}"), "READ_ONCE(*y)")), [NO; 3]);
    assert_eq!(allowed(&test(&format!("smp_mb(); {plain}"), "READ_ONCE(*y)")), [NO; 3]);
    assert_eq!(allowed(&test(&format!("smp_rmb(); {plain}"), "READ_ONCE(*y)")), [NO, NO, YES]);
    assert_eq!(allowed(&test("*y = 1;", "*y")), [NO, NO, YES], "plain accesses");
}

#[test]
fn initial_values_arrays_and_pointers() {
    let text = "C init\n\"a comment\"\n(* another *)\n{ [x]=3; int y=-1; int a[2]={4,5}; int *p=&y; }\n\
                // of C\nP0 (int *x, int *a, int **p) { int r0 = *x + a[1]; **p = r0; a[0] = 9; }\n\
                locations [x; y; a[0]; a[1]; 0:r0;]\nforall (0:r0=8)\n";
    let loaded = read(text);
    let test = loaded.litmus().expect("a litmus test");
    let outcome = answer(test, MemoryModel::Pso);
    let expected = "Test init Required\nStates 1\n0:r0=8; [a[0]]=9; [a[1]]=5; [x]=3; [y]=8;\nOk\n";
    assert!(outcome.herd(test).starts_with(expected), "{}", outcome.herd(test));
}

#[test]
fn a_filter_leaves_states_out() {
    let store = "atomic_store_explicit(x, 1, memory_order_relaxed);";
    let load = "int r0 = atomic_load_explicit(x, memory_order_relaxed);";
    let text = shape(&[store, load], "1:r0=0");
    let filtered = text.replace("exists", "filter (1:r0=1)\nexists");
    assert_eq!(allowed(&text), [YES; 3]);
    assert_eq!(allowed(&filtered), [NO; 3]);
}

/// Random numbers.
struct Rng(u64);

impl Rng {
    fn below(&mut self, n: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % n
    }
}

/// The registers that a thread for x86 has for up to four results.
const REGISTERS: [&str; 4] = ["rax", "rbx", "rcx", "rdx"];

/// One operation of a random test, in both languages.
fn operation(rng: &mut Rng, register: &mut usize) -> (String, String) {
    let place = ["x", "y"][rng.below(2) as usize];
    let value = 1 + rng.below(2);
    let (c_name, x86_name) = (format!("r{register}"), REGISTERS[*register]);
    match rng.below(13) {
        0..=4 => {
            let c = format!("atomic_store_explicit({place}, {value}, memory_order_relaxed);");
            (c, format!("movq ${value},({place})"))
        }
        5..=9 => {
            *register += 1;
            let order = ["relaxed", "acquire", "seq_cst"][rng.below(3) as usize];
            let c = format!("int {c_name} = atomic_load_explicit({place}, memory_order_{order});");
            (c, format!("movq ({place}),%{x86_name}"))
        }
        10 => ("atomic_thread_fence(memory_order_seq_cst);".into(), "mfence".into()),
        11 => {
            *register += 1;
            let c = format!(
                "int {c_name} = atomic_exchange_explicit({place}, {value}, memory_order_relaxed);"
            );
            (c, format!("movq ${value},%{x86_name};xchgq ({place}),%{x86_name}"))
        }
        _ => {
            // A sequentially consistent store is an exchange whose result is not used.
            let c = format!("atomic_store({place}, {value});");
            (c, format!("movq ${value},%r15;xchgq ({place}),%r15"))
        }
    }
}

/// A random test in both languages.
fn both(rng: &mut Rng) -> (String, String) {
    let threads = 2 + rng.below(2) as usize;
    let (mut c, mut columns, mut shown) = (String::from("C t\n{ }\n"), Vec::new(), Vec::new());
    for thread in 0..threads {
        let (mut register, mut body, mut column) = (0, Vec::new(), Vec::new());
        for _ in 0..2 + rng.below(3) {
            let (in_c, in_x86) = operation(rng, &mut register);
            body.push(in_c);
            column.extend(in_x86.split(';').map(String::from));
        }
        let _ = writeln!(c, "P{thread} (atomic_int *x, atomic_int *y) {{ {} }}", body.join(" "));
        columns.push(column);
        shown.extend((0..register).map(|r| (thread, r)));
    }
    let rows = columns.iter().map(Vec::len).max().unwrap_or(0);
    let cells = |row: usize| -> Vec<String> {
        columns.iter().map(|column| column.get(row).cloned().unwrap_or_default()).collect()
    };
    let names: Vec<String> = (0..threads).map(|thread| format!("P{thread}")).collect();
    let mut x86 = format!("X86_64 t\n{{ }}\n {} ;\n", names.join(" | "));
    (0..rows).for_each(|row| {
        let _ = writeln!(x86, " {} ;", cells(row).join(" | "));
    });
    let locations = |name: &dyn Fn(usize) -> String| {
        let registers = shown.iter().map(|&(thread, r)| format!("{thread}:{};", name(r)));
        format!("locations [x; y; {}]\nforall true\n", registers.collect::<String>())
    };
    c.push_str(&locations(&|r| format!("r{r}")));
    x86.push_str(&locations(&|r| REGISTERS[r].into()));
    (c, x86)
}

#[test]
fn random_tests_have_the_final_states_of_the_same_tests_for_x86() {
    let mut rng = Rng(0x9e37_79b9_7f4a_7c15);
    let (mut compared, mut relaxed) = (0, 0);
    let tests = if std::env::var_os("TAUT_SOAK").is_some() { 30_000 } else { 300 };
    for _ in 0..tests {
        let (c, x86) = both(&mut rng);
        let (in_c, in_x86) = (read(&c), read(&x86));
        let tests = [&in_c, &in_x86].map(|loaded| loaded.litmus().expect("a litmus test"));
        let states = MemoryModel::ALL.map(|model| {
            let [a, b] = tests.map(|test| answer(test, model).states);
            assert_eq!(a, b, "{model}\n{c}\n{x86}");
            compared += 1;
            a
        });
        relaxed += usize::from(states[0] != states[1] || states[1] != states[2]);
    }
    assert!(compared >= 900 && relaxed >= 40, "{compared} compared, {relaxed} relaxed");
}

/// What `taut check` says about the property of a test is what the final states say.
#[test]
fn checks_agree_with_final_states() {
    for (text, expected) in [
        (
            shape(&[&words("x=1 rlx; r0=y rlx"), &words("y=1 rlx; r0=x rlx")], "0:r0=0 /\\ 1:r0=0"),
            [NO, YES, YES],
        ),
        (
            shape(&[&words("x=1 rlx; y=1 rlx"), &words("r0=y acq; r1=x rlx")], "1:r0=1 /\\ 1:r1=0"),
            [NO, NO, YES],
        ),
    ] {
        assert_eq!(allowed(&text), expected);
        let loaded = read(&text);
        for (model, violated) in MemoryModel::ALL.into_iter().zip(expected) {
            let report = taut::Check::of(&loaded).model(model).run().expect("a report");
            assert_eq!(report.violations().next().is_some(), violated, "{model}\n{text}");
            assert_eq!(report.proves("exists"), !violated, "{model}\n{text}");
        }
    }
}
