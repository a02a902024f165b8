//! Input that nobody wrote by hand: every one ends soon, in a test or in a message.

use std::cell::Cell;
use std::time::{Duration, Instant};

use proptest::prelude::*;
use proptest::test_runner::{RngSeed, TestRunner};
use taut_source::SourceMap;

/// Parses a text and renders whatever comes of it, in reasonable time. Whether it was accepted.
fn survives(text: impl Into<String>) -> bool {
    let started = Instant::now();
    let mut map = SourceMap::new();
    let file = map.add("hostile.litmus", text);
    let accepted = match taut_litmus::read(&mut map, file) {
        Ok(test) => {
            assert_eq!(taut_ir::validate::validate(&test.program), Ok(()));
            let _ = test.condition.to_string();
            true
        }
        Err(errors) => {
            assert!(errors.has_errors());
            let shown = taut_source::render_all(&map, &errors, false);
            assert!(shown.len() < 100_000, "{} bytes of messages", shown.len());
            false
        }
    };
    assert!(started.elapsed() < Duration::from_secs(10), "took {:?}", started.elapsed());
    accepted
}

fn with(init: &str, rows: &str, question: &str) -> String {
    format!("X86_64 T\n{{{init}}}\nP0 | P1;\n{rows}\n{question}")
}

const MANY: usize = 2_000_000;

/// Every beginning of a C test, every byte of it left out, and every byte of it doubled or replaced.
#[test]
fn c_tests_with_something_missing() {
    let text = "C T\n{ int a[2]={1,2}; int *p=&x; [x]=0; }\n// c\nP0 (atomic_int *x, int **p) { int r0 = *x; /* ) */ **p = r0 + \"}\"[0]; }\nexists (0:r0=1 /\\ a[1]=2)\n";
    let mut accepted = 0;
    for at in 0..text.len() {
        accepted += usize::from(survives(&text[..at]));
        accepted += usize::from(survives([&text[..at], &text[at + 1..]].concat()));
        for odd in ["{", ")", "\"", "*", "\u{e9}", "P1 ("] {
            if at % 7 == 0 {
                accepted += usize::from(survives([&text[..at], odd, &text[at..]].concat()));
            }
        }
    }
    assert!(accepted >= 5, "{accepted} of these are still tests");
}

#[test]
fn deep_parentheses_are_refused() {
    for open in ["(", "~", "not ", "x=1 => ", "~("] {
        let question = format!("exists {}x=1", open.repeat(MANY));
        assert!(!survives(with("", "nop|nop;", &question)));
    }
}

#[test]
fn moderate_nesting_is_accepted() {
    let question = format!("exists {}x=1{}", "(".repeat(200), ")".repeat(200));
    assert!(survives(with("", "nop|nop;", &question)));
    let question = format!("exists {}x=1{}", "(y=0 /\\ ".repeat(200), ")".repeat(200));
    assert!(survives(with("", "nop|nop;", &question)));
}

#[test]
fn long_flat_conditions_are_accepted_or_refused_but_never_deep() {
    assert!(survives(with("", "nop|nop;", &format!("exists {}x=1", "x=0 /\\ ".repeat(10_000)))));
    assert!(!survives(with("", "nop|nop;", &format!("exists {}x=1", "x=0 \\/ ".repeat(MANY)))));
}

#[test]
fn comments_nest_without_end() {
    let balanced = format!("{}{}", "(*".repeat(MANY), "*)".repeat(MANY));
    assert!(survives(with("", &format!("nop {balanced}|nop;"), "")));
    let open = "(*".repeat(MANY);
    for text in [
        open.clone(),
        format!("X86_64 T {open}"),
        with(&open, "", ""),
        with("", &open, ""),
        with("", "nop|nop;", &open),
        with("", "nop|nop;", &format!("exists {open}")),
    ] {
        assert!(!survives(text));
    }
}

#[test]
fn large_garbage_ends_quickly() {
    for unit in [
        "\u{fffd}",
        "{",
        "}",
        "x",
        "1",
        ";",
        "|",
        "P0 ",
        "é;|",
        "~",
        "\\/",
        "\"",
        "\n\"",
        "exists ",
        "movq $1,(x) | ",
        "movq ",
        "L: ",
        "a=1;",
        "0:rax=1;",
        "lock ",
        "$",
        "%",
        "x=",
        "(* *)",
        " ",
    ] {
        // Ten megabytes each for the first few; for the others one shows the same.
        let size = if "{;1x".contains(unit) { 10 << 20 } else { 1 << 20 };
        let garbage = unit.repeat(size / unit.len());
        survives(garbage.clone());
        survives(format!("X86_64 T\n{garbage}"));
        survives(with(&garbage, "", ""));
        survives(with("", &garbage, ""));
        survives(with("", "nop|nop;", &garbage));
        survives(with("", "nop|nop;", &format!("exists {garbage}")));
        survives(with("", "nop|nop;", &format!("locations [{garbage}")));
    }
}

#[test]
fn large_tests_are_refused() {
    let names = |count: usize| (0..count).map(|i| format!("v{i}=1; ")).collect::<String>();
    assert!(survives(with(&names(200), "nop|nop;", "")));
    assert!(!survives(with(&names(100_000), "nop|nop;", "")));
    assert!(survives(with("", &"nop|nop;\n".repeat(4_000), "")));
    assert!(!survives(with("", &"nop|nop;\n".repeat(100_000), "")));
    let threads: Vec<_> = (0..100_000).map(|i| format!("P{i}")).collect();
    assert!(!survives(format!("X86_64 T\n{{}}\n{};\n", threads.join("|"))));
}

/// Pieces of tests, so that random text gets past the first token.
const PIECES: [&str; 48] = [
    "X86_64 T\n",
    "X86 T\n",
    "{",
    "}",
    "P0",
    "P1",
    "|",
    ";",
    "\n",
    " ",
    "movq",
    "MOV",
    "incq",
    "lock",
    "xchgq",
    "cmpxchgq",
    "cmpq",
    "je",
    "jmp",
    "L",
    "L:",
    "mfence",
    "(x)",
    "[y]",
    "$1",
    "%rax",
    "EAX",
    "%r",
    ",",
    "exists",
    "~",
    "forall",
    "filter",
    "locations",
    "[",
    "]",
    "(",
    ")",
    "0:rax",
    "=",
    "<>",
    "/\\",
    "\\/",
    "=>",
    "not",
    "true",
    "-7",
    "(*",
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4_000))]

    #[test]
    fn any_text_is_survived(text: String) {
        survives(text);
    }

    #[test]
    fn any_pieces_are_survived(
        start in 0..3_usize,
        pieces in prop::collection::vec(prop::sample::select(&PIECES[..]), 0..60),
    ) {
        let start = ["", "X86_64 T\n{ }\nP0 | P1 ;\n", "X86 T\n{ }\nP0;nop;\nexists "][start];
        survives(format!("{start}{}", pieces.concat()));
    }
}

/// A good test with one byte changed, removed or doubled. Some of these are good as well.
#[test]
fn a_damaged_test_is_survived() {
    let (good, count) = (Cell::new(0), 4_000);
    let rng_seed = RngSeed::Fixed(2026);
    let config =
        ProptestConfig { rng_seed, failure_persistence: None, ..ProptestConfig::with_cases(count) };
    let damage = (0..GOOD.len(), "[ -~]{0,2}");
    let result = TestRunner::new(config).run(&damage, |(at, with)| {
        let mut text = GOOD.to_owned();
        text.replace_range(at..=at, &with);
        good.set(good.get() + u32::from(survives(text)));
        Ok(())
    });
    result.unwrap_or_else(|error| panic!("{error}"));
    let good = good.get();
    assert!((800..count).contains(&good), "{good} of {count} were accepted");
}

const GOOD: &str = "X86_64 SB+all
\"a test with a little of everything\"
{ x=1; uint64_t y; 0:rbx=-1; }
 P0                      | P1            ;
 L: movq $1,(x)          | lock incq (y) ;
 cmpq $0,(y)             | xchgq %rax,(x) ; (* comment *)
 jne L                   |               ;
 lock cmpxchgq (x),%rbx  | mfence        ;
locations [x; 1:rcx;]
filter (0:rax=0 => y<>7)
exists (0:rax=0 /\\ (1:rax=1 \\/ ~[x]=0x2))
";

#[test]
fn the_undamaged_test_is_good() {
    assert!(survives(GOOD));
}
