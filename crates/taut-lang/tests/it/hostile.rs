//! Inputs that nobody writes: the answer is a message, soon, and never a crash.

use crate::common;

use std::time::{Duration, Instant};

use common::{program, try_program};
use proptest::prelude::*;
use taut_lang::{Claim, ClaimText};
use taut_ltl::Automaton;
use taut_source::{SourceMap, render_all};

const TEN_MEGABYTES: usize = 10 << 20;

/// Reads a text that must be refused quickly; returns the messages.
fn refused(text: &str) -> String {
    let start = Instant::now();
    let messages = try_program(text).expect_err("this is no program");
    assert!(start.elapsed() < Duration::from_secs(20), "took {:?}", start.elapsed());
    assert!(messages.len() < 100_000);
    messages
}

/// Says how long an input took, for `--nocapture`.
struct Watch(&'static str, Instant);

impl Drop for Watch {
    fn drop(&mut self) {
        println!("{:>16}: {:.2?}", self.0.escape_debug().to_string(), self.1.elapsed());
    }
}

#[test]
fn ten_megabytes_of_one_thing() {
    let all = [
        "(",
        "$",
        "x ",
        "1 ",
        "+ 1",
        "`",
        "\"",
        "{",
        "process ",
        "!",
        "a:",
        "if (",
        "end ",
        "@",
        "/*",
        "é",
        "Svar ",
        "p[",
        "~",
        "x?",
        "\n",
        "choose {",
        "shared int x[",
        ";",
        "#",
        "[",
        "//",
        "ltl ",
        "[]",
        "<->",
    ];
    for one in all {
        let _watch = Watch(one, Instant::now());
        let messages = refused(&one.repeat(TEN_MEGABYTES / one.len()));
        assert!(messages.contains("error[T"), "{one}");
    }
}

#[test]
fn ten_megabytes_of_one_thing_in_a_process() {
    let all = [
        "(",
        "x := (",
        "x:=1;",
        "if (x) then ",
        "loop {",
        "a: ",
        "x,",
        "atomic {",
        "else ",
        "fi;",
        "choose {} or {} ",
        "x := y[",
        "x := !",
        "goto a;",
        "x := x?x:",
        "cas(x,",
        "local int y;",
        "assert(x);",
        "atomic_begin;",
    ];
    for one in all {
        let body = one.repeat(TEN_MEGABYTES / one.len());
        let _watch = Watch(one, Instant::now());
        refused(&format!("shared int x; process p begin {body} end"));
    }
}

#[test]
fn ten_megabytes_of_one_thing_in_a_formula() {
    let all = ["[]", "<> ", "X ", "!", "(", "{", "x U ", "x -> ", "x -> (", "-", "x[", "G F ", "U"];
    for one in all {
        let body = one.repeat(TEN_MEGABYTES / one.len());
        let _watch = Watch(one, Instant::now());
        refused(&format!("shared int x; process p begin skip; end ltl f: {body};"));
    }
}

#[test]
fn random_bytes_as_text() {
    let mut state = 1u64;
    let mut text = String::new();
    while text.len() < TEN_MEGABYTES {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        text.push(char::from_u32((state >> 33) as u32 % 0x250).unwrap_or(' '));
    }
    refused(&text);
}

#[test]
fn long_chains_of_operators() {
    let chain = " + 1".repeat(1_000_000);
    assert!(
        refused(&format!("shared int x; process p begin x := 1{chain}; end")).contains("T0013")
    );
    assert!(refused(&format!("process p begin skip; end forbid f: 1{chain};")).contains("T0013"));
    let allowed = " + x".repeat(400);
    program(&format!("shared int x; process p begin x := 1{allowed}; end"));
}

#[test]
fn deep_nesting() {
    for (open, close) in
        [("(", ")"), ("!", ""), ("a[", "]"), ("1 ? 1 : ", ""), ("1 ? ", " : 1"), ("- ", "")]
    {
        let deep = format!("{}x{}", open.repeat(100_000), close.repeat(100_000));
        let text = format!("shared int x, a[2]; process p begin x := {deep}; end");
        assert!(refused(&text).contains("T0013"), "{open}");
        let fine = format!("{}x{}", open.repeat(60), close.repeat(60));
        program(&format!("shared int x, a[2]; process p begin x := {fine}; end"));
    }
    for (open, close) in
        [("if (x) then ", "fi "), ("loop { x := 1; ", "}"), ("choose {", "}"), ("atomic {", "}")]
    {
        let text = |n: usize| {
            format!(
                "shared int x; process p begin {} x := 1; {} end",
                open.repeat(n),
                close.repeat(n)
            )
        };
        assert!(refused(&text(100_000)).contains("T0013"), "{open}");
        program(&text(90));
    }
}

#[test]
fn deep_and_long_formulas() {
    let text =
        |formula: &str| format!("shared int x, a[2]; process p begin skip; end ltl f: {formula};");
    for (open, close) in
        [("(", ")"), ("!", ""), ("[] ", ""), ("X ", ""), ("<> (x U ", ")"), ("a[", "]"), ("- ", "")]
    {
        let nested = |n: usize| text(&format!("{}x{}", open.repeat(n), close.repeat(n)));
        assert!(refused(&nested(100_000)).contains("T0013"), "{open}");
        program(&nested(60));
    }
    for operator in ["&&", "->", "U", "+", "<->"] {
        let chain = |n: usize| text(&format!("x{}", format!(" {operator} x").repeat(n)));
        assert!(refused(&chain(1_000_000)).contains("T0013"), "{operator}");
        program(&chain(400));
    }
}

/// What is said about a claim of some kind with this text, and how long that took.
fn claim(text: &str, kind: ClaimText) -> Result<usize, String> {
    let start = Instant::now();
    let program = program(
        "shared int x, y; process p[2] begin local int r; cs: skip; end invariant i: x == 0;",
    );
    let mut map = SourceMap::new();
    let files = vec![map.add("--ltl-file", text)];
    let read = taut_lang::claims(&program, &map, &[Claim { files, text: kind }]);
    let result = read.map(|all| all.len()).map_err(|d| render_all(&map, &d, false));
    assert!(start.elapsed() < Duration::from_secs(20), "took {:?}", start.elapsed());
    result
}

/// All kinds of claims.
fn claim_kinds() -> [ClaimText; 3] {
    let automaton = Automaton { atoms: 1, ..Automaton::default() };
    [
        ClaimText::Formula { name: "f".into() },
        ClaimText::File,
        ClaimText::Automaton { name: "a".into(), automaton },
    ]
}

#[test]
fn ten_megabytes_of_one_thing_as_a_claim() {
    for one in
        ["(", "#", "#define a ", "\n#define a a\n", "a: ", "a: x\n", "ltl ", "{", "\\\n", ";", "é"]
    {
        for kind in claim_kinds() {
            let result = claim(&one.repeat((TEN_MEGABYTES >> 2) / one.len()), kind.clone());
            assert!(result == Ok(0) || result.is_err(), "{one:?}");
        }
    }
}

#[test]
fn macros_that_explode() {
    let doubling: String = (0..60).map(|i| format!("#define a{i} a{0} a{0}\n", i + 1)).collect();
    let message = claim(&format!("{doubling}#define a60\nf: a0 x"), ClaimText::File).unwrap_err();
    assert!(message.contains("T0501"), "{message}");
    let chain: String = (0..50_000).map(|i| format!("#define a{i} a{}\n", i + 1)).collect();
    let message = claim(&format!("{chain}f: a0"), ClaimText::File).unwrap_err();
    assert!(message.contains("T0501"), "{message}");
    let chain: String = (0..90).map(|i| format!("#define a{i} a{}\n", i + 1)).collect();
    assert_eq!(claim(&format!("{chain}#define a90 x\nf: <> a0"), ClaimText::File), Ok(1));
    let ring = "#define a b\n#define b a\n#define x (x == x)\nf: x\ng: a";
    let message = claim(ring, ClaimText::File).unwrap_err();
    assert!(message.contains("constant `a`") && !message.contains("`x`"), "{message}");
}

#[test]
fn every_part_of_a_file_of_formulas_is_read_without_a_crash() {
    let text = "#define in p[0]@cs // é\r\n#define b \\\n in\nltl a: [] (in -> <> `x` == 1)\n\
        ltl c { b U X in } #x\n\"d e\": (x\n); #property G F in /* */ f:x";
    for (end, _) in text.char_indices() {
        for kind in claim_kinds() {
            let _ = claim(&text[..end], kind.clone());
            let _ = claim(&text[end..], kind);
        }
    }
}

#[test]
fn programs_that_are_too_large() {
    let body = "x := 1;".repeat(70_000);
    assert!(refused(&format!("shared int x; process p begin {body} end")).contains("T0401"));
    let choices = "r := choose(0..255);".repeat(10_000);
    let text = format!("process p begin local int r; {choices} end");
    assert!(refused(&text).contains("T0401"));
    let many: String = (0..20_000).map(|i| format!("shared int x{i};")).collect();
    assert!(refused(&format!("{many} process p begin skip; end")).contains("T0401"));
    let many: String = (0..20_000).map(|i| format!("process x{i} begin skip; end ")).collect();
    assert!(refused(&many).contains("T0401"));
    let arrays = "shared int a[65536];".repeat(10_000);
    refused(&arrays);
    let processes: String =
        (0..2_000).map(|i| format!("process q{i} begin call f; end ")).collect();
    let text = format!("procedure f begin {} end {processes}", "skip;".repeat(1_000));
    assert!(refused(&text).contains("T0401"));
    let locals: String = (0..200_000).map(|i| format!("local int x{i};")).collect();
    let _ = try_program(&format!("process p begin {locals} skip; end"));
}

#[test]
fn a_program_as_large_as_allowed_is_read_soon() {
    let start = Instant::now();
    let body = "x := x + 1; if (x) then skip; fi;".repeat(10_000);
    let p = program(&format!("shared int x; process p begin {body} end"));
    assert_eq!(p.defs[0].steps.len(), 50_000);
    assert!(start.elapsed() < Duration::from_secs(20));
}

#[test]
fn every_beginning_of_a_program_is_read_without_a_crash() {
    let text = include_str!("../samples/everything.taut");
    for end in 0..text.len() {
        let _ = try_program(&text[..end]);
        let _ = try_program(&text[end..]);
    }
}

const WORDS: &[&str] = &[
    "process",
    "p",
    "begin",
    "end",
    ";",
    ":",
    ":=",
    "x",
    "if",
    "(",
    ")",
    "then",
    "else",
    "fi",
    "{",
    "}",
    "while",
    "do",
    "od",
    "loop",
    "choose",
    "or",
    "atomic",
    "atomic_begin",
    "atomic_end",
    "locked",
    "goto",
    "a",
    "1",
    "+",
    "-",
    "[",
    "]",
    ",",
    "call",
    "f",
    "procedure",
    "spawn",
    "shared",
    "int",
    "local",
    "=",
    "..",
    "graph",
    "#",
    "0",
    "when",
    "return",
    "?",
    "@",
    "forbid",
    "view",
    "drained",
    "main",
    "instance",
    "slot",
    "cas",
    "break",
    "continue",
    "not",
    "assert",
    "assume",
    "skip",
    "reg",
    "var",
    ".",
    "as",
    "const",
    "ltl",
    "[]",
    "<>",
    "->",
    "<->",
    "X",
    "U",
    "enabled",
    "define",
    "property",
    "\n",
];

proptest! {
    #![proptest_config(ProptestConfig { cases: 3000, failure_persistence: None, ..Default::default() })]

    #[test]
    fn random_words(words in proptest::collection::vec(0..WORDS.len(), 0..60)) {
        let text: Vec<_> = words.iter().map(|&i| WORDS[i]).collect();
        let text = text.join(" ");
        let _ = try_program(&text);
        let _ = try_program(&format!("shared int x; procedure f begin skip; end process p begin {text} end"));
        let _ = try_program(&format!("shared int x; process p begin skip; end ltl g: {text};"));
        for kind in claim_kinds() {
            let _ = claim(&text, kind);
        }
    }
}
