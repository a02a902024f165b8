//! Broken and unsupported C programs, and the words that each gets. Those of names and types have snapshots in `taut-c`; here
//! are those of the other passes.

use taut::load::{LoadOptions, from_bytes};

const HEAD: &str =
    "#include <pthread.h>\n#include <stdatomic.h>\n#include <stdlib.h>\n#include <assert.h>\n";

/// Text after the head, the line and column of the message, words of it.
const TABLE: &[(&str, &str, &str)] = &[
    ("int x\nint main(void) { return 0; }\n", "6:16", "is a `;`, a bracket or an operator missing"),
    ("int main(void) { if (1) { return 0; }\n", "5:16", "close it with `}`"),
    (
        "int main(void) { assert((1 == 1; return 0; }\n",
        "5:18",
        "the arguments of this macro never end",
    ),
    ("int main(void) { int x = 1 return x; }\n", "5:27", "`;` expected"),
    (
        "int main(void) { for (int i = 0, i < 3, i++) { } return 0; }\n",
        "5:36",
        "`<` cannot stand here",
    ),
    ("void *worker(void *a) { return a; }\n", "5:7", "has no `main`"),
    ("#include \"nowhere.h\"\nint main(void) { return 0; }\n", "5:10", "no header `nowhere.h`"),
    ("#include <setjmp.h>\nint main(void) { return 0; }\n", "5:10", "no header `setjmp.h`"),
    ("int main(void) { frobnicate(3); return 0; }\n", "5:18", "`frobnicate` is not defined"),
    (
        "int main(void) { int *p = malloc(4); p = realloc(p, 8); return *p; }\n",
        "5:38",
        "`realloc` is not defined",
    ),
    (
        "#include <signal.h>\nint main(void) { signal(2, 0); return 0; }\n",
        "6:18",
        "`signal` is not defined",
    ),
    (
        "_Atomic int x;\nint main(void) { atomic_store_explicit(&x, 1, memory_order_releese); return 0; }\n",
        "6:47",
        "did you mean `memory_order_release`?",
    ),
    (
        "int main(void) { int x = 0; __asm__(\"incl %0\" : \"+r\"(x)); return x; }\n",
        "5:29",
        "assembly `incl %0`",
    ),
    (
        "int main(int n, char **v) { (void)v; int a[n]; a[0] = 1; return a[0]; }\n",
        "5:44",
        "an array of variable length",
    ),
    (
        "struct s { unsigned a : 3; } s;\nint main(void) { s.a = 1; return 0; }\n",
        "6:18",
        "a bit-field is not supported",
    ),
    (
        "int x;\nint main(void) { *(char *)&x = 1; return x; }\n",
        "6:18",
        "a pointer to a part of a value",
    ),
    (
        "int x;\nint main(void) { void *p = &x;\n char *c = p;\n *c = 1; return x; }\n",
        "7:2",
        "a pointer to a part of a value",
    ),
    (
        "struct s { int a, b; } s;\nint main(void) {\n *(long *)&s = 1; return s.b; }\n",
        "7:2",
        "several values at once",
    ),
    (
        "int main(void) {\n int *p = malloc(sizeof *p); void *q = p; *p = 1;\n return *(short *)q; }\n",
        "7:2",
        "a pointer to a part of a value",
    ),
    (
        "int main(void) {\n int x = 1;\n return *(char *)(void *)&x; }\n",
        "7:2",
        "a pointer to a part of a value",
    ),
    (
        "long x;\nint main(void) { int *p = (int *)&x; *p = 1; return 0; }\n",
        "6:18",
        "a pointer to a part of a value",
    ),
    ("char x[4];\nint main(void) { return *(int *)x; }\n", "6:18", "or to several values at once"),
    (
        "#include <string.h>\nint x; short y[2];\nint main(void) { memcpy(y, &x, 4); return 0; }\n",
        "7:18",
        "between objects of different types",
    ),
    (
        "int main(void) { const char *s = \"abc; return 0; }\n",
        "5:34",
        "this text has no closing quote",
    ),
    ("int main(void) { return 0; } /* no end\n", "5:30", "this comment has no end"),
    ("#if 1\nint main(void) { return 0; }\n", "5:1", "this `#if` has no `#endif`"),
    ("#else\nint main(void) { return 0; }\n", "5:1", "`#else` without an `#if`"),
    (
        "#ifndef PORT\n#error \"PORT is not set\"\n#endif\nint main(void) { return 0; }\n",
        "6:1",
        "PORT is not set",
    ),
    (
        "#define MAX(a, b) ((a) > (b) ? (a) : (b))\nint main(void) { return MAX(1); }\n",
        "6:25",
        "takes 2 arguments, not 1",
    ),
    ("class lock { int x; };\nint main() { return 0; }\n", "5:1", "this looks like C++"),
    (
        "_Atomic int x;\nint main(void) { atomic_store(&x); return 0; }\n",
        "6:18",
        "takes 2 arguments, not 1",
    ),
    (
        "int x;\nint main(void) { return atomic_fetch_add(x, 1); }\n",
        "6:42",
        "a value of type `int` where `void *` is needed",
    ),
    ("int main(void) { break; return 0; }\n", "5:18", "`break` outside of a loop"),
    ("int main(void) { case 1: return 0; }\n", "5:18", "`case` outside of a `switch`"),
    (
        "int main(void) { switch (1) { case 1: break; case 1: break; } return 0; }\n",
        "5:46",
        "`case 1` is declared twice",
    ),
    ("int main(void) { goto done; return 0; }\n", "5:23", "no label `done`"),
    ("int main(void) { int x = 1; return *x; }\n", "5:37", "`int` is no pointer"),
    (
        "struct s { int a; } s;\nint main(void) { struct s *p = &s; return p.a; }\n",
        "6:43",
        "use `->` with a pointer",
    ),
    ("struct s { int a; } s;\nint main(void) { return s->a; }\n", "6:25", "a whole `struct s`"),
];

#[test]
fn every_refusal_names_its_place_and_reason() {
    let mut wrong = Vec::new();
    for (text, place, words) in TABLE {
        let whole = format!("{HEAD}{text}");
        let said = match from_bytes("bad.c", whole.into_bytes(), LoadOptions::default()) {
            Ok(_) => "nothing: it is read".to_owned(),
            Err(error) => error.render(false),
        };
        if !said.contains(&format!("bad.c:{place}\n")) || !said.contains(words) {
            wrong.push(format!("{text}wanted {place}, {words}; said\n{said}\n"));
        }
    }
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), TABLE.len(), wrong.join("\n"));
}
