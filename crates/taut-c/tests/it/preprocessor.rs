//! The preprocessor: macros, directives, headers, places and limits.

use taut_c::preprocess::{Options, Preprocessed, preprocess};
use taut_ir::frontend::FileAccess;
use taut_source::{Diagnostics, SourceMap};

/// Preprocesses a text.
fn run(text: &str, options: &Options) -> (SourceMap, Result<Preprocessed, Diagnostics>) {
    let mut sources = SourceMap::new();
    let file = sources.add("program.c", text);
    let result = preprocess(&mut sources, file, options, FileAccess::Denied);
    (sources, result)
}

/// The program without Taut's own types and functions, with single blanks.
fn program(sources: &SourceMap, done: &Preprocessed) -> String {
    let (mut at, mut words) = (0, Vec::new());
    for word in done.text.split_inclusive([' ', '\n']) {
        let span = done.places.span(at..at + word.trim_end().len());
        if sources.file(span.file).name() == "program.c" {
            words.push(word.trim_end());
        }
        at += word.len();
    }
    words.join(" ")
}

/// What a text becomes.
fn expanded(text: &str) -> String {
    let (sources, result) = run(text, &Options::default());
    let done = result.unwrap_or_else(|d| panic!("{text}\n{d:?}"));
    program(&sources, &done)
}

/// The messages about a text.
fn refused(text: &str) -> Vec<String> {
    let (_, result) = run(text, &Options::default());
    let Err(found) = result else { panic!("accepted: {text}") };
    found.iter().map(|d| format!("{} {}", d.code, d.message)).collect()
}

#[test]
fn macros_are_replaced_as_the_standard_says() {
    // The examples of C11, 6.10.3.5.
    let text = "#define x 3\n#define f(a) f(x * (a))\n#undef x\n#define x 2\n#define g f\n#define z z[0]\n#define h g(~\n\
                #define m(a) a(w)\n#define w 0,1\n#define t(a) a\n#define p() int\n#define q(x) x\n#define r(x,y) x ## y\n#define str(x) # x\n\
                f(y+1) + f(f(z)) % t(t(g)(0) + t)(1);\ng(x+(3,4)-w) | h 5) & m\n(f)^m(m);\n\
                p() i[q()] = { q(1), r(2,3), r(4,), r(,5), r(,) };\nchar c[2][6] = { str(hello), str() };\n";
    let expected = "f ( 2 * ( y + 1 ) ) + f ( 2 * ( f ( 2 * ( z [ 0 ] ) ) ) ) % f ( 2 * ( 0 ) ) + t ( 1 ) ; \
                    f ( 2 * ( 2 + ( 3 , 4 ) - 0 , 1 ) ) | f ( 2 * ( ~ 5 ) ) & f ( 2 * ( 0 , 1 ) ) ^ m ( 0 , 1 ) ; \
                    int i [ ] = { 1 , 23 , 4 , 5 , } ; char c [ 2 ] [ 6 ] = { \"hello\" , \"\" } ;";
    assert_eq!(expanded(text), expected);
    let text = "#define hash_hash # ## #\n#define mkstr(a) # a\n#define in_between(a) mkstr(a)\n#define join(c, d) in_between(c hash_hash d)\nchar p[] = join(x, y);\n\
                #define t(x,y,z) x ## y ## z\nint j[] = { t(1,2,3), t(,4,5), t(6,,7), t(8,9,), t(10,,), t(,11,), t(,,12), t(,,) };";
    let expected =
        "char p [ ] = \"x ## y\" ; int j [ ] = { 123 , 45 , 67 , 89 , 10 , 11 , 12 , } ;";
    assert_eq!(expanded(text), expected);
}

#[test]
fn further_arguments_are_those_of_the_standard_and_of_gnu() {
    let text = "#define a(...) [__VA_ARGS__]\n#define b(f, ...) p(f, ## __VA_ARGS__)\n#define c(f, rest...) p(f, rest)\n\
                #define d(f, ...) p(f __VA_OPT__(,) __VA_ARGS__)\n#define e(x, ...) #__VA_ARGS__\n\
                a() a(1, 2) b(x) b(x, 1) c(x, 1, 2) d(x) d(x, 1) e(1, a(2), \"\\n\")";
    let expected = "[ ] [ 1 , 2 ] p ( x ) p ( x , 1 ) p ( x , 1 , 2 ) p ( x ) p ( x , 1 ) \"a(2), \\\"\\\\n\\\"\"";
    assert_eq!(expanded(text), expected);
}

#[test]
fn conditions_choose_lines() {
    let text = "#define A 3\n#if A > 2 && defined(A) && !defined B\nyes1\n#elif 1\nno1\n#else\nno2\n#endif\n\
                #ifdef B\nno3\n#if 1/0\nno4\n#else\nno5\n#endif\n#elif 0 || (1 ? 2 : 1/0)\nyes2\n#endif\n\
                #if -1 > 0u\nyes3\n#endif\n#if 'a' == 97 && 0x10 == 020\nyes4\n#endif\n#ifndef A\nno6\n#else\nyes5\n#endif\n\
                #define IS defined(A)\n#if IS && __has_include(<stdatomic.h>) && !__has_include(\"none.h\")\nyes6\n#endif\n\
                #if UNKNOWN\nno7\n#endif\n#ifdef __has_include\nyes7\n#endif\n";
    assert_eq!(expanded(text), "yes1 yes2 yes3 yes4 yes5 yes6 yes7");
}

#[test]
fn conditions_can_stand_among_the_arguments_of_a_macro() {
    let text = "#define f(a, b) a + b\nf(1,\n#ifdef X\n2\n#else\n3\n#endif\n)";
    assert_eq!(expanded(text), "1 + 3");
}

#[test]
fn names_that_behave_like_macros() {
    let text = "__LINE__\n__FILE__ __COUNTER__ __COUNTER__\n#define L __LINE__\n\nL _Pragma(\"x\") __STDC_VERSION__";
    assert_eq!(expanded(text), "1 \"program.c\" 0 1 5 201710L");
}

#[test]
fn definitions_from_outside() {
    let options = Options {
        defines: vec!["A".into(), "B=2+3".into(), "F(x)=x x".into(), "GONE=1".into()],
        undefines: vec!["GONE".into()],
        includes: vec!["limits.h".into()],
        ..Options::default()
    };
    let (sources, result) = run("A B F(y) GONE CHAR_BIT", &options);
    let done = result.expect("a program");
    assert_eq!(program(&sources, &done), "1 2 + 3 y y GONE 8");
}

#[test]
fn places_are_those_of_the_user() {
    let text = "#include <stdatomic.h>\n#define INC(v) atomic_fetch_add(&v, 1)\natomic_int x;\nint main(void) {\n  INC(x);\n  return x + \\\n1;\n}\n";
    let (sources, result) = run(text, &Options::default());
    let done = result.expect("a program");
    let at = done.text.find("__atomic_fetch_add").expect("the operation");
    let end = at + done.text[at..].find(';').expect("the end");
    assert_eq!(sources.text(done.places.span(at..end)), "INC(x)");
    assert_eq!(sources.text(done.places.span(at..end + 1)), "INC(x);");
    assert!(!done.places.is_written(at..end));
    let argument = at + done.text[at..].find("x").expect("the argument");
    assert_eq!(sources.text(done.places.span(argument..argument + 1)), "x");
    let back = done.text.rfind("return").expect("the end");
    let sum = back + "return ".len()..back + "return x + 1".len();
    assert_eq!(sources.text(done.places.span(sum.clone())), "x + \\\n1");
    assert!(done.places.is_written(sum));
}

#[test]
fn a_preprocessed_file_goes_through_with_its_own_places() {
    let text = "# 1 \"a.c\"\n# 12 \"/usr/include/x.h\" 3 4\n__extension__ typedef int a __attribute__ ((__mode__ (__QI__)));\n#pragma pack(1)\nint b;\n";
    assert_eq!(expanded(text), "typedef int a ; int b ;");
}

#[test]
fn only_functions_that_are_used_are_added() {
    let text = "#include <pthread.h>\npthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\n\
                int pthread_mutex_unlock(pthread_mutex_t *m) { return 1; }\n\
                int main(void) { pthread_mutex_lock(&m); pthread_mutex_unlock(&m); return 0; }";
    let (_, result) = run(text, &Options::default());
    let text = result.expect("a program").text;
    assert!(text.contains("int pthread_mutex_lock ( struct __taut_mutex * mutex ) {"), "{text}");
    assert!(text.contains("static int __taut_lock ("), "{text}");
    assert!(!text.contains("__taut_unlock") && !text.contains("__taut_signal"), "{text}");
    assert!(!text.contains("kind ;\n int count"), "{text}");
}

#[test]
fn an_assumption_may_abort_and_other_functions_must_not() {
    let text = "extern void abort(void);\nvoid assume_abort_if_not(int c) { if (!c) { abort(); } }\nint main() { abort(); }";
    let expected = "extern void abort ( void ) ; void assume_abort_if_not ( int c ) { if ( ! c ) { __taut_assume ( 0 ) ; } } int main ( ) { abort ( ) ; }";
    assert_eq!(expanded(text), expected);
}

#[test]
fn verifiers_names_become_builtins() {
    let text = "void __VERIFIER_assume(int);\nint main() { __VERIFIER_assume(1); __CPROVER_fence(\"WWfence\", \"RRfence\"); __auto_type y = f(1, 2); }";
    let expected = "int main ( ) { __taut_assume ( 1 ) ; __taut_fence ( 1 ) ; __typeof__ ( f ( 1 , 2 ) ) y = f ( 1 , 2 ) ; }";
    assert_eq!(expanded(text), expected);
}

#[test]
fn what_is_wrong_is_said() {
    let cases = [
        ("/* a", "C0001"),
        ("int a = \"b;", "C0002"),
        ("int a @ b;", "C0003"),
        ("#defin A 1", "C0010"),
        ("#define", "C0010"),
        ("#define f(a, a) a", "C0010"),
        ("#define f(a) #b", "C0010"),
        ("#define f(a) a ##", "C0010"),
        ("#include stdio.h", "C0010"),
        ("#include <stdiox.h>", "C0011"),
        ("#include \"/etc/passwd\"", "C0011"),
        ("#if 1\nint a;", "C0013"),
        ("#endif", "C0013"),
        ("#if 1\n#else\n#else\n#endif", "C0013"),
        ("#if (1\n#endif", "C0014"),
        ("#if 1/0\n#endif", "C0014"),
        ("#if\n#endif", "C0014"),
        ("#define f(a) a\nf(1, 2)", "C0016"),
        ("#define f(a) a\nf(1", "C0016"),
        ("#error no", "C0018"),
        ("#define p(a, b) a ## b\np(+, -)", "C0020"),
        ("int f(void) { int x __attribute__((cleanup(g))); }", "C0021"),
    ];
    for (text, code) in cases {
        let found = refused(text);
        assert!(found.iter().any(|message| message.starts_with(code)), "{text}: {found:?}");
    }
}

#[test]
fn hostile_text_ends_with_a_message() {
    let chain: String = (0..30_000).map(|i| format!("#define m{i} m{}\n", i + 1)).collect();
    let deep = "f(".repeat(500) + &")".repeat(500);
    let strings = "s(".repeat(60) + "\"\\n\"" + &")".repeat(60);
    let doubling: String = (0..40).map(|i| format!("#define d{} d{i} d{i}\n", i + 1)).collect();
    let open = "#define f(x) x\n".to_owned() + &"f(".repeat(100_000);
    let cases = [
        (chain + "m0", "C0017"),
        (format!("#define f(x) x\n{deep}"), "C0017"),
        (format!("#define q(x) #x\n#define s(x) q(x)\n{strings}"), "C0017"),
        (format!("#define d0 x\n{doubling}d40"), "C0017"),
        (open, "C0016"),
        ("#if 1\n".repeat(300), "C0013"),
        (format!("#if {}1\n#endif", "(".repeat(500)), "C0014"),
        ("x ".repeat((1 << 21) + 1), "C0004"),
    ];
    for (text, code) in cases {
        let found = refused(&text);
        assert!(
            found.iter().any(|message| message.starts_with(code)),
            "{}: {found:?}",
            &text[..40]
        );
    }
}

#[test]
fn a_large_file_is_read_quickly() {
    let body = "#include <stdatomic.h>\natomic_int x;\n".to_owned()
        + &"int f(int a) { atomic_store(&x, a + 1); if (a > 2) return atomic_load(&x); }\n"
            .repeat(10_000);
    let began = std::time::Instant::now();
    assert!(run(&body, &Options::default()).1.is_ok());
    let took = began.elapsed();
    // Ten times what it takes without optimisation on a slow machine.
    assert!(took.as_secs_f64() < 10.0, "{took:?}");
    eprintln!("10,000 lines in {took:?}");
}
