//! The preprocessor: what comes out, and where messages point.

use crate::common;

use common::{read, read_with};
use taut_promela::{Headers, Options};
use taut_source::{Diagnostic, SourceMap};

/// The printed body of `init { … }` after some lines.
fn body(lines: &str, statements: &str) -> String {
    let text = format!("int x, y, xy, x1;\n{lines}\ninit {{ {statements} }}\n");
    let parsed = read(&text).unwrap_or_else(|said| panic!("{said}"));
    let printed = taut_promela::print(&parsed.model);
    let from = printed.find("init {").expect("an init") + 6;
    printed[from..printed.len() - 2].split_whitespace().collect::<Vec<_>>().join(" ")
}

/// All messages about a text, with the line and column each points at.
fn places(text: &str) -> Vec<(Diagnostic, u32, u32)> {
    let mut map = SourceMap::new();
    let file = map.add("m.pml", text);
    let headers = Headers::none().with("bad.h", "int a;\nint b = nowhere;\n");
    let found = taut_promela::parse(&mut map, file, &Options::default(), &mut headers.clone());
    let diagnostics = found.expect_err("a broken model");
    let place = |d: &Diagnostic| {
        let p = map.position(d.span).expect("a place");
        (d.clone(), p.line, p.column)
    };
    diagnostics.sorted().into_iter().map(place).collect()
}

#[test]
fn macros_with_and_without_arguments_are_replaced() {
    assert_eq!(body("#define N 3", "x = N"), "x = 3");
    assert_eq!(
        body("#define F(a, b) a + b", "x = F(1, (2, 3))".replace(", 3", "").as_str()),
        "x = 1 + 2"
    );
    assert_eq!(body("#define A B\n#define B 4", "x = A"), "x = 4");
    assert_eq!(body("#define F() 7", "x = F()"), "x = 7");
    assert_eq!(body("#define SET(v) x = v; \\\n  y = v", "SET(1)"), "x = 1; y = 1");
    assert_eq!(body("#define N 3\n#undef N\n#define N 4", "x = N"), "x = 4");
    assert_eq!(body("#define F(a) a", "x = F (5)"), "x = 5");
}

#[test]
fn macros_that_name_themselves_end() {
    assert_eq!(body("#define x x + 1", "y = x"), "y = x + 1");
    assert_eq!(body("#define y x\n#define x y", "y = 1"), "y = 1");
    assert_eq!(body("#define F(a) G(a)\n#define G(a) a", "x = F(F(2))"), "x = 2");
    assert_eq!(body("#define ADD(a, b) (a + b)", "x = ADD(ADD(1, 2), 3)"), "x = 1 + 2 + 3");
}

#[test]
fn texts_are_made_and_words_are_glued() {
    assert_eq!(body("#define S(a) printf(#a)", "S(a \"b\" c)"), r#"printf("a \"b\" c")"#);
    assert_eq!(body("#define P(a, b) a##b", "P(x, 1) = 2"), "x1 = 2");
    assert_eq!(body("#define P(a, b) a ## b", "P(x, y) = P(, 3)"), "xy = 3");
    assert_eq!(body("#define L(...) printf(__VA_ARGS__)", "L(\"%d\", 1)"), "printf(\"%d\", 1)");
}

#[test]
fn conditions_keep_and_drop_lines() {
    let pick =
        |lines: &str| body(&format!("{lines}\n#define V 1\n#else\n#define V 2\n#endif"), "x = V");
    assert_eq!(pick("#if 1"), "x = 1");
    assert_eq!(pick("#if 0"), "x = 2");
    assert_eq!(pick("#ifdef A"), "x = 2");
    assert_eq!(pick("#ifndef A"), "x = 1");
    assert_eq!(pick("#define A 3\n#if defined(A) && A > 2 && !defined B"), "x = 1");
    assert_eq!(pick("#if 1 + 2 * 3 == 7 && (0 ? 0 : 1) && -1 < 0 && UNKNOWN == 0"), "x = 1");
    assert_eq!(pick("#if 0\n#if 1\nrubbish ' \" @ $\n#else\n#endif\n#elif 1"), "x = 1");
    assert_eq!(pick("#if 0x10 == 16 && (1 << 4) == 16L"), "x = 1");
}

#[test]
fn definitions_from_outside_and_line_marks() {
    let mut map = SourceMap::new();
    let file = map.add("m.pml", "# 1 \"other.pml\"\nint x; init { x = N + M }\n");
    let options = Options { defines: vec!["N=40".into(), "M".into()] };
    let parsed =
        taut_promela::parse(&mut map, file, &options, &mut Headers::none()).expect("a model");
    assert!(taut_promela::print(&parsed.model).contains("x = 40 + 1"));
    assert_eq!(parsed.definitions[1].text, "40");
}

#[test]
fn a_range_glued_to_a_macro_is_explained() {
    let found = places("#define N 3\ninit { int i; for (i : 1..N) { skip } }\n");
    assert_eq!((found[0].0.code, found[0].1, found[0].2), ("P0039", 2, 27));
    assert_eq!(
        body("#define N 3", "int i; for (i : 1 .. N) { skip }"),
        "int i; for (i : 1 .. 3) { skip }"
    );
    assert_eq!(body("", "select(x : 8..21)"), "select (x : 8 .. 21)");
}

#[test]
fn a_message_about_a_macro_points_at_its_use_and_names_its_definition() {
    let text = "#define INC(v) v = nowhere + 1\nint x;\ninit {\n  INC(x);\n  INC(z)\n}\n";
    let found = places(text);
    let at: Vec<_> = found.iter().map(|(d, line, column)| (d.code, *line, *column)).collect();
    // `nowhere` is in the macro: its use; `z` is an argument: its own place.
    assert_eq!(at, [("P0101", 4, 3), ("P0101", 5, 3), ("P0101", 5, 7)]);
    assert_eq!(found[0].0.related[0].0.start, 8);
    assert!(found[2].0.related.is_empty());
}

#[test]
fn a_message_of_grammar_points_into_the_line_and_into_the_definition() {
    let found = places("#define BROKEN x = ;\nint x;\ninit {\n\tBROKEN\n}\n");
    assert_eq!((found[0].0.code, found[0].1, found[0].2), ("P0010", 4, 2));
    // The `;` in the definition.
    assert_eq!(found[0].0.related[0].0.start, 19);
}

#[test]
fn places_survive_nested_macros_lines_and_comments() {
    let text = "#define A(v) B(v) /* a */ \\\n  ; skip\n#define B(v) v = 1\ninit {\n /* c\n */ A(gone);\n}\n";
    let found = places(text);
    assert_eq!((found[0].0.code, found[0].1, found[0].2), ("P0101", 6, 7));
}

#[test]
fn messages_about_an_included_file_point_into_it() {
    let found = places("#include \"bad.h\"\ninit { skip }\n");
    assert_eq!((found[0].0.code, found[0].1, found[0].2), ("P0101", 2, 9));
    assert_eq!(found[0].0.span.file.0, 1);
}

#[test]
fn headers_are_found_by_their_bare_name_and_reported() {
    let text = "#define BUFFSIZE 5\n#include \"../../lib/sc.h\"\ninit { WRITE(0, 1) }\n";
    let parsed = read_with("m.pml", text, &mut common::native()).expect("a model");
    assert_eq!(parsed.includes[0].path, "../../lib/sc.h");
    assert_eq!(parsed.definitions[0].name, "BUFFSIZE");
    let text = "#include \"a.h\"\ninit { skip }\n";
    let mut headers = Headers::none().with("a.h", "#include \"b.h\"\n").with("b.h", "int x;\n");
    assert_eq!(read_with("m.pml", text, &mut headers).expect("a model").model.items.len(), 2);
}

#[test]
fn a_macro_call_over_several_lines_is_one_line() {
    let lines = "#define SUM(a, b) a + b";
    assert_eq!(body(lines, "x = SUM(1,\n 2)\n y = 1"), "x = 1 + 2; y = 1");
    // The end of the line after a macro ends the statement; inside of it there is none.
    assert_eq!(body("#define A x = 1 \\\n + 2", "A\n y = 2"), "x = 1 + 2; y = 2");
}

#[test]
fn where_no_files_are_read_an_include_says_so() {
    let mut map = SourceMap::new();
    let text = concat!("#include \"", env!("CARGO_MANIFEST_DIR"), "/Cargo.toml\"\ninit { skip }\n");
    let file = map.add("p.pml", text);
    let read = taut_promela::parse(&mut map, file, &Options::default(), &mut Headers::none());
    let mistakes = read.expect_err("a file");
    let message = mistakes.iter().next().expect("a message");
    assert_eq!((message.code, message.label.as_str()), ("P0031", "no files are read here"));
}
