//! Inputs made to hurt: none may panic, hang or overflow the stack.

use crate::common;

use std::time::{Duration, Instant};

use common::{lower_with, native, read, read_with};
use proptest::prelude::*;
use taut_promela::{ClaimText, Headers};

/// Reads a text that must be refused soon; what was said.
fn refused(text: &str) -> String {
    let start = Instant::now();
    let said = read(text).expect_err("refused");
    assert!(start.elapsed() < Duration::from_secs(20), "took {:?}", start.elapsed());
    said
}

#[test]
fn deep_nesting_is_refused() {
    for (open, close) in
        [("(", ")"), ("{", "}"), ("if :: ", " fi"), ("!", ""), ("-", ""), ("a[", "]")]
    {
        for n in [1_000, 100_000] {
            refused(&format!("int a[2]; init {{ {}1{} }}", open.repeat(n), close.repeat(n)));
        }
    }
    refused(&format!("init {{ {} skip }}", "l: ".repeat(100_000)));
    refused(&format!("bool p; init {{ skip }} ltl {{ {}p }}", "[]".repeat(100_000)));
    refused(&format!("bool p; init {{ skip }} ltl {{ {}p }}", "p U (".repeat(100_000)));
}

#[test]
fn long_chains_are_refused_and_long_lists_are_not() {
    assert!(refused(&format!("init {{ 1{} }}", " + 1".repeat(100_000))).contains("P0013"));
    assert!(
        refused(&format!("init {{ skip }} ltl {{ 1{} }}", " U 1".repeat(100_000)))
            .contains("P0013")
    );
    assert!(read(&format!("init {{ 1{} }}", " + 1".repeat(900))).is_ok());
    assert!(read(&format!("init {{ {} }}", "skip;".repeat(50_000))).is_ok());
    let nested =
        (0..100).fold("1".to_string(), |inner, _| format!("({inner}{})", " + 1".repeat(30)));
    assert!(refused(&format!("init {{ {nested} }}")).contains("P0013"));
}

/// Lowers a text that must be refused soon; what was said.
fn refused_claim(text: &str) -> String {
    let start = Instant::now();
    let said = lower_with("m.pml", text, &[], &mut native()).map(|_| ()).expect_err("refused");
    assert!(start.elapsed() < Duration::from_secs(20), "took {:?}", start.elapsed());
    said
}

#[test]
fn claims_that_explode_are_refused() {
    let model = |claim: &str| {
        format!("byte x, y; active [200] proctype p() {{ byte a[100]; L: x = 1 }} {claim}")
    };
    // As many ways through an atomic block as subsets, and a guard with as many cubes.
    let choices: String = (0..30).map(|i| format!("if :: x == {i} :: y == {i} fi;")).collect();
    let ways = refused_claim(&model(&format!("never {{ atomic {{ {choices} skip }} }}")));
    assert!(ways.contains("P0017"), "{ways}");
    let long =
        refused_claim(&model(&format!("never {{ atomic {{ {} }} }}", "x == 1;".repeat(50_000))));
    assert!(long.contains("P0017"), "{long}");
    let pairs: Vec<_> = (0..30).map(|i| format!("(x == {i} || y == {i})")).collect();
    let cubes = refused_claim(&model(&format!("never {{ {} }}", pairs.join(" && "))));
    assert!(cubes.contains("P0017"), "{cubes}");
    // Each level asks all processes, or all elements, about all of the next one.
    let nest = |left: &str, right: &str| format!("{}0{}", left.repeat(20), right.repeat(20));
    let deep = refused_claim(&model(&format!("ltl {{ [] ({}) }}", nest("p[x + p[", "]:x]:a[0]"))));
    assert!(!deep.is_empty());
    let levels = format!("{}x{}", "p[".repeat(10), "]:a[x]".repeat(10));
    assert!(refused_claim(&model(&format!("ltl {{ [] ({levels} == 1) }}"))).contains("P0017"));
    let many: Vec<_> = (0..100_000).map(|i| format!("x == {i}")).collect();
    let many = many.chunks(500).map(|c| format!("({})", c.join(" || "))).collect::<Vec<_>>();
    assert!(
        refused_claim(&model(&format!("ltl {{ [] ({}) }}", many.join(" && ")))).contains("P0406")
    );
}

#[test]
fn trace_assertions_that_explode_are_refused() {
    let model = |trace: &str, sends: usize| {
        let sends = "q!1;".repeat(sends);
        format!("chan q = [2] of {{ byte }}; active proctype p() {{ {sends} }} trace {{ {trace} }}")
    };
    assert!(refused_claim(&model(&"q!1;".repeat(20_000), 1)).contains("P0017"));
    let options = format!("do {} od", ":: q!_ ".repeat(400));
    assert!(refused_claim(&model(&options, 100)).contains("P0017"));
    assert!(refused_claim(&model(&"q!1;".repeat(400), 5_000)).contains("P0017"));
    let long = model(&"q!1;".repeat(400), 400);
    assert!(lower_with("m.pml", &long, &[], &mut native()).is_ok());
}

#[test]
fn long_claims_are_read() {
    let steps = "x == 1; ".repeat(5_000);
    lower_with(
        "m.pml",
        &format!("byte x; init {{ skip }} never {{ {steps} }}"),
        &[],
        &mut native(),
    )
    .unwrap_or_else(|said| panic!("{said}"));
    let wide =
        format!("byte x; init {{ skip }} never {{ do {} :: else od }}", ":: x == 1 ".repeat(2_000));
    lower_with("m.pml", &wide, &[], &mut native()).unwrap_or_else(|said| panic!("{said}"));
    let tall = format!("byte x; init {{ skip }} ltl {{ x{} }}", " U x".repeat(900));
    lower_with("m.pml", &tall, &[], &mut native()).unwrap_or_else(|said| panic!("{said}"));
}

#[test]
fn macro_bombs_are_refused() {
    let mut bomb = String::from("#define a0 skip; skip\n");
    for i in 1..40 {
        bomb += &format!("#define a{i} a{p}; a{p}\n", p = i - 1);
    }
    assert!(refused(&format!("{bomb}init {{ a39 }}")).contains("P0037"));
    let nested = format!("#define F(x) x x\ninit {{ {}1{} }}", "F(".repeat(60), ")".repeat(60));
    assert!(refused(&nested).contains("P0037"));
    let deep =
        format!("#define F(x) x\ninit {{ {}1{} }}", "F(".repeat(100_000), ")".repeat(100_000));
    refused(&deep);
    let chain: String = (0..5_000).map(|i| format!("#define b{i} b{}\n", i + 1)).collect();
    refused(&format!("{chain}init {{ b0 }}"));
}

#[test]
fn inline_bombs_are_refused() {
    let mut bomb = String::from("inline a0() { skip; skip }\n");
    for i in 1..15 {
        bomb += &format!("inline a{i}() {{ {} }}\n", format!("a{}();", i - 1).repeat(8));
    }
    assert!(refused(&format!("{bomb}init {{ a14() }}")).contains("P0017"));
    let text = "inline f() { g() }\ninline g() { f() }\ninit { f() }";
    assert!(refused(text).contains("P0304"));
}

#[test]
fn includes_in_a_circle_end() {
    let mut headers = Headers::none().with("a.h", "#include \"a.h\"\n#include \"a.h\"\n");
    let said =
        read_with("m.pml", "#include \"a.h\"\ninit { skip }", &mut headers).expect_err("refused");
    assert!(said.contains("P0032"), "{said}");
    let mut headers = Headers::none();
    for i in 0..40 {
        let text = format!("#include \"h{n}.h\"\n#include \"h{n}.h\"\n", n = i + 1);
        headers = headers.with(format!("h{i}.h"), text);
    }
    let said =
        read_with("m.pml", "#include \"h0.h\"\ninit { skip }", &mut headers).expect_err("refused");
    assert!(said.contains("P0032"), "{said}");
}

#[test]
fn ten_megabytes_of_anything_end_soon() {
    let n = 10 << 20;
    for piece in [
        "{",
        "x ",
        "\u{fe}",
        "'",
        "\"",
        "#if 1\n",
        "#define x x\n",
        "a(",
        "1..",
        "init { skip }\n",
        ":: ",
    ] {
        refused(&piece.repeat(n / piece.len()));
    }
    let mut noise = 1u64;
    let bytes = (0..n).map(|_| {
        noise = noise.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        char::from(32 + (noise >> 57) as u8 % 95)
    });
    refused(&bytes.collect::<String>());
}

/// Pieces that claims are made of.
fn claim_piece() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec![
        "x == 1",
        "T",
        "P@L",
        "P[1]:r",
        "P",
        "(",
        ")",
        "[]",
        "<>",
        "U",
        "G",
        "F",
        "R",
        "M",
        "W",
        "X",
        "&&",
        "||",
        "->",
        "!",
        "->",
        ";",
        "do",
        "::",
        "od",
        "if",
        "fi",
        "else",
        "break",
        "skip",
        "accept:",
        "end:",
        "goto accept",
        "atomic {",
        "d_step {",
        "}",
        "{",
        "unless",
        "assert(x == 1)",
        "false",
        "np_",
        "enabled(P)",
        "drained(1)",
        "view(P, x)",
        "_pid",
        "_last",
        "\na:",
        "\nltl b",
        "\n#property",
        "timeout",
        "SVAR(P, 0)",
        "GSVAR(1)",
        "x = 1",
        "P:_pid",
        ",",
        "1",
    ])
}

/// Pieces that models are made of.
fn piece() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec![
        "init",
        "proctype",
        "P",
        "(",
        ")",
        "{",
        "}",
        "[",
        "]",
        "if",
        "fi",
        "do",
        "od",
        "::",
        "->",
        ";",
        "x",
        "=",
        "1",
        "!",
        "?",
        "!!",
        "??",
        "<",
        ">",
        "int",
        "chan",
        "of",
        "mtype",
        "typedef",
        "T",
        "inline",
        "f",
        ",",
        ".",
        ":",
        "@",
        "unless",
        "atomic",
        "d_step",
        "for",
        "select",
        "in",
        "..",
        "goto",
        "L",
        "break",
        "else",
        "run",
        "assert",
        "ltl",
        "[]",
        "<>",
        "U",
        "never",
        "active",
        "\n",
        "\n#define x ",
        "\n#if ",
        "\n#endif\n",
        "#",
        "##",
        "\\\n",
        "eval",
        "full",
        "len",
        "timeout",
        "printf",
        "\"%d\"",
        "'a'",
        "/*",
        "*/",
        "//",
        "&&",
        "++",
        "return",
        "c_code",
    ])
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn random_words_never_panic(words in prop::collection::vec(piece(), 0..60), glue in "[ ]?") {
        let _ = read(&words.join(&format!("{glue} ")));
        let _ = read(&format!("int x; inline f(a) {{ a = 1 }} init {{ {} }}", words.join(" ")));
    }

    #[test]
    fn random_text_never_panics(text in ".{0,200}") {
        let _ = read(&text);
    }

    #[test]
    fn random_claims_never_panic(words in prop::collection::vec(claim_piece(), 0..40)) {
        let model = "byte x; bool T; active [2] proctype P() { byte r; L: x = 1; progress: skip }";
        let text = words.join(" ");
        for claim in [format!("ltl {{ {text} }}"), format!("never {{ {text} }}")] {
            let _ = lower_with("m.pml", &format!("{model}\n{claim}"), &[], &mut native());
        }
        let formula = ClaimText::Formula { name: "f".into() };
        for kind in [formula, ClaimText::File] {
            let _ = lower_with("m.pml", model, &[(&[&text], kind)], &mut native());
        }
    }

    #[test]
    fn random_texts_of_claims_never_panic(text in ".{0,200}") {
        let model = "byte x; init { skip }";
        let _ = lower_with("m.pml", model, &[(&[&text], ClaimText::File)], &mut native());
    }
}
