//! Syntax errors are explained, and no text makes the parser hang or overflow its stack.

use std::time::Instant;

use taut_c::parse::parse;
use taut_c::preprocess::{Options, preprocess};
use taut_ir::frontend::FileAccess;
use taut_source::SourceMap;

/// Code, text at the place, and help of the first message about a text; none if it is C.
fn message(text: &str) -> Option<(String, String, String)> {
    let mut sources = SourceMap::new();
    let file = sources.add("program.c", text);
    let parsed = preprocess(&mut sources, file, &Options::default(), FileAccess::Denied)
        .and_then(|p| parse(&p));
    let found = parsed.err()?;
    let first = found.iter().next().expect("a message").clone();
    assert_eq!(sources.file(first.span.file).name(), "program.c", "{text}: {first:?}");
    let place = sources.text(first.span).to_owned();
    Some((format!("{} {}", first.code, first.message), place, first.help.unwrap_or_default()))
}

#[test]
fn the_likely_cause_is_said() {
    let cases = [
        (
            "int main(void) {\n  int x = 1\n  x = 2;\n}",
            "C0030 `;` expected before `x`",
            "",
            "add `;`",
        ),
        (
            "atomic_int x;",
            "C0032 `atomic_int` is not declared as a type",
            "atomic_int",
            "add `#include <stdatomic.h>`",
        ),
        (
            "int f(void) { uint32_t x; }",
            "C0032 `uint32_t` is not declared as a type",
            "uint32_t",
            "add `#include <stdint.h>`",
        ),
        (
            "int f(node_t *x) { return 0; }",
            "C0032 `node_t` is not declared as a type",
            "node_t",
            "declare it with `typedef`, or include the header that does",
        ),
        ("bool b;", "C0032 `bool` is not declared as a type", "bool", "add `#include <stdbool.h>`"),
        (
            "std::atomic<int> x;",
            "C0033 this looks like C++",
            "",
            "Taut reads C; write the part to be checked in C",
        ),
        (
            "class A { public: int x; };",
            "C0033 this looks like C++",
            "",
            "Taut reads C; write the part to be checked in C",
        ),
        (
            "int main(void) { if (1) { return 0; }",
            "C0034 this bracket is never closed",
            "{",
            "close it with `}`",
        ),
        (
            "int main(void) { return (1; }",
            "C0034 `}` closes nothing",
            "}",
            "close it with `)` before",
        ),
        ("int x; }", "C0034 `}` closes nothing", "}", "remove it"),
        ("int main(void) { return 1 +; }", "C0030 `;` cannot stand here", ";", ""),
    ];
    for (text, expected, place, help) in cases {
        let found = message(text).unwrap_or_else(|| panic!("accepted: {text}"));
        assert_eq!(found.0, expected, "{text}");
        assert!(place.is_empty() || found.1 == place, "{text}: {found:?}");
        assert!(help.is_empty() || found.2 == help, "{text}: {found:?}");
    }
}

#[test]
fn extensions_of_gnu_are_read() {
    let texts = [
        "static inline __attribute__((always_inline)) int f(void) { return 0; }",
        "struct __attribute__((packed)) s { int a __attribute__((aligned(64))); } __attribute__((aligned(8)));",
        "int f(int x) { return ({ int y = x; y; }); }",
        "#define max(a, b) ({ __typeof__(a) _a = (a); __typeof__(b) _b = (b); _a > _b ? _a : _b; })\nint f(int x) { return max(x, 1) ?: 2; }",
        "int f(int x) { switch (x) { case 1 ... 3: return 1; default: __attribute__((fallthrough)); } return 0; }",
        "void f(void) { __asm__ volatile(\"mfence\" ::: \"memory\"); asm(\"\" : : : \"memory\"); __asm(\"pause\"); }",
        "void f(int *p) { int o; __asm__ __volatile__(\"lock; xchgl %0,%1\" : \"=r\"(o), \"+m\"(*p) : \"0\"(1) : \"memory\", \"cc\"); }",
        "extern int f(void) __asm__(\"g\") __attribute__((nothrow));",
        "int a[] = { [0 ... 3] = 1, [5] = 2 }; struct { int x, y; } b = { .y = 1, x: 2 };",
        "_Thread_local int a; static __thread int b; __extension__ typedef struct { union { int c; long d; }; } t;",
        "_Static_assert(sizeof(int) == 4, \"int\"); _Alignas(64) int x; _Noreturn void f(void);",
        "int f(void) { __label__ out; goto out; out: return 0; }",
        "int f(int n, ...) { __builtin_va_list l; return __builtin_offsetof(struct { int a; }, a); }",
        "int f(int x) { return _Generic(x, int: 1, default: 2); }",
        "typedef int T; int f(void) { int T = 1; return T; }",
        "int f(a, b) int a; char b; { return a; }",
        "[[nodiscard]] int f(void); int g(int x) { switch (x) { case 1: [[fallthrough]]; default: ; } return 0; }",
        "int f(int *restrict p, int *__restrict q, const volatile int *const r) { return *p; }",
        "int \u{e9}t\u{e9} = 1; int f(void) { return \u{e9}t\u{e9}; }",
        "int f(void) { __auto_type x = (1, 2), y = 3; for (int i = 0, j = 1; i < 3; i++) ; return x; }",
    ];
    for text in texts {
        assert_eq!(message(text), None, "{text}");
    }
}

#[test]
fn every_header_is_c() {
    let mut count = 0;
    for name in taut_c::headers::names() {
        let text =
            format!("#include <{name}>\n#include <{name}>\nint main(void) {{ return 0; }}\n");
        assert_eq!(message(&text), None, "{name}");
        count += 1;
    }
    assert!(count >= 25, "{count} headers");
    let all: String = taut_c::headers::names().map(|name| format!("#include <{name}>\n")).collect();
    assert_eq!(message(&(all + "int main(void) { return 0; }")), None);
}

/// Texts that nest, by depth.
const NESTED: &[(&str, &str, &str, &str)] = &[
    ("int f(void) { return ", "(", ")", "1; }"),
    ("int f(void) { return ", "(1 + ", ")", "1; }"),
    ("typedef int T; int f(void) { return ", "(T)(", ")", "1; }"),
    ("int g(int); int f(void) { return ", "g(", ")", "1; }"),
    ("int f(void) { return ", "!", "", "1; }"),
    ("int f(void) { return ", "1 + ", "", "1; }"),
    ("int f(void) { return ", "1 ? 2 : ", "", "1; }"),
    ("int f(void) { return ", "sizeof(int[", "])", "1; }"),
    ("int x; int f(void) { return ", "(__typeof__(", "))x", "x; }"),
    ("struct s { int a; }; int f(void) { return ", "((struct s){", "}).a", "1; }"),
    ("void f(int p) ", "{", "}", "{ p; }"),
    ("void f(int p) { ", "if (p) ", "", "p; }"),
    ("void f(int p) { ", "if (p) p = 1; else ", "", "p; }"),
    ("void f(int p) { ", "if (p) { p = 1; } else ", "", "p; }"),
    ("int x = ", "{", "}", "1;"),
    ("", "struct {", "; } a", "int x;"),
    ("int ", "(*", ")(int)", "f;"),
];

#[test]
fn nesting_ends_with_a_result_or_a_message() {
    let (mut accepted, mut refused) = (0, 0);
    for (head, open, close, tail) in NESTED {
        for depth in [8, 60, 95, 190, 330, 480, 900, 100_000] {
            // The innermost text stands between the brackets: `tail` begins with it.
            let (inner, rest) = tail.split_at(
                tail.find([';', '}'])
                    .map_or(0, |at| if tail.starts_with('{') { tail.len() } else { at }),
            );
            let text = format!("{head}{}{inner}{}{rest}", open.repeat(depth), close.repeat(depth));
            let began = Instant::now();
            match message(&text) {
                None => accepted += 1,
                Some((message, ..)) => {
                    assert!(message.starts_with("C0031"), "{head}{open} {depth}: {message}");
                    refused += 1;
                }
            }
            assert!(began.elapsed().as_secs() < 10, "{head}{open} {depth}: {:?}", began.elapsed());
        }
    }
    assert!(accepted >= 60 && refused >= 40, "{accepted} accepted, {refused} refused");
}

#[test]
fn a_large_file_is_parsed_quickly() {
    let text = "int x;\n".to_owned()
        + &"int f(int a) { if (a > 2 && x) { x = a + 1; return x; } return (a - 1) * 2; }\n"
            .repeat(10_000);
    let began = Instant::now();
    assert_eq!(message(&text), None);
    eprintln!("10,000 lines in {:?}", began.elapsed());
    assert!(began.elapsed().as_secs() < 20, "{:?}", began.elapsed());
}
