//! Inputs made to hurt: none may panic, hang or overflow the stack.

mod common;

use std::time::{Duration, Instant};

use common::{read, read_with};
use proptest::prelude::*;
use taut_promela::Headers;

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
}
