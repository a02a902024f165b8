//! Names, types and conversions of small programs.

use lang_c::driver::{Config, Flavor, parse_preprocessed};
use taut_c::hir::{ExprKind, StmtKind, Unit};
use taut_c::sema;
use taut_source::{Diagnostics, SourceMap, Span};

use crate::print;

/// The typed program of a text without preprocessor lines.
pub fn analyse(map: &mut SourceMap, name: &str, text: &str) -> Result<Unit, Diagnostics> {
    let file = map.add(name, text.to_string());
    let config = Config { flavor: Flavor::GnuC11, ..Config::default() };
    let copy = text.to_string();
    // The parser recurses; the analysis must do with the stack of a test.
    let parser = std::thread::Builder::new().stack_size(256 << 20);
    let parser = parser.spawn(move || parse_preprocessed(&config, copy)).expect("a thread");
    let parsed = parser.join().expect("no panic").unwrap_or_else(|e| panic!("{name}: {e}"));
    let place = |span: lang_c::span::Span| Span::new(file, sema::tidy(text, span.start..span.end));
    sema::analyse(&parsed.unit, &place)
}

/// The printed program of a text that must be right.
fn printed(text: &str) -> String {
    let mut map = SourceMap::new();
    match analyse(&mut map, "test.c", text) {
        Ok(unit) => {
            for function in &unit.functions {
                assert!(function.refused.is_none(), "{:?}", function.refused);
            }
            print::unit(&unit)
        }
        Err(said) => panic!("{}", taut_source::render_all(&map, &said, false)),
    }
}

/// The statements of `main`, one per line.
fn statements(declarations: &str, body: &str) -> Vec<String> {
    let text = format!("{declarations}\nvoid main(void) {{ {body} }}");
    let printed = printed(&text);
    let main = printed.split("void main()\n").nth(1).expect("a main function");
    main.lines().map(|l| l.strip_prefix("  ").unwrap_or(l).to_string()).collect()
}

#[test]
fn operands_are_promoted_and_converted() {
    let declarations = "char c; unsigned u; long l; unsigned long ul; short s; _Bool b; int i;";
    let of = |e: &str| statements(declarations, &format!("{e};")).remove(0);
    assert_eq!(of("c + s"), "Add.i32(i32(c), i32(s))");
    assert_eq!(of("i + u"), "Add.u32(u32(i), u)");
    assert_eq!(of("u + l"), "Add.i64(i64(u), l)");
    assert_eq!(of("l < ul"), "Lt.u64(u64(l), ul)");
    assert_eq!(of("c << l"), "Shl.i32(i32(c), l)");
    assert_eq!(of("b = i"), "b = bool(i)");
    assert_eq!(of("c += 1"), "c Add.i32= 1");
    assert_eq!(of("u >>= c"), "u Shr.u32= i32(c)");
    assert_eq!(of("-c"), "Neg(i32(c))");
    assert_eq!(of("!l"), "Not(l)");
    assert_eq!(of("i ? c : l"), "(i ? i64(c) : l)");
}

#[test]
fn places_members_and_elements() {
    let declarations = "struct in { int a; int b[3]; }; struct out { char c; struct in i; struct { int x; }; } o, *p; int m[2][3]; int *q;";
    let of = |e: &str| statements(declarations, &format!("{e};")).remove(0);
    assert_eq!(of("o.i.b[1]"), "o.1.1[1]");
    assert_eq!(of("p->i.b[o.c]"), "*p.1.1[i64(o.0)]");
    assert_eq!(of("o.x = 1"), "o.5.0 = 1");
    assert_eq!(of("m[1][2] = 3"), "m[1][2] = 3");
    assert_eq!(of("q = m[1]"), "q = &m[1][0]");
    assert_eq!(of("q = *m"), "q = &m[0][0]");
    assert_eq!(of("q[2]"), "*(q + 2)");
    assert_eq!(of("2[q]"), "*(q + 2)");
    assert_eq!(of("*(q - 1)"), "*(q + -1)");
    assert_eq!(of("q = &*q"), "q = q");
    assert_eq!(of("*&o.c"), "o.0");
    assert_eq!(of("q += 2"), "q += 2");
    assert_eq!(of("q -= o.c"), "q += Neg(i64(o.0))");
    assert_eq!(of("(q + 1) - q"), "((q + 1) - q)");
    assert_eq!(of("q == 0"), "Eq.i32*(q, null)");
    assert_eq!(of("q = (int *)&p->i"), "q = i32*(&*p.1)");
}

#[test]
fn constants_are_folded() {
    let of = |e: &str| {
        statements("struct s { char c; long l; int a[3]; }; enum e { A = 3, B };", &format!("{e};"))
            .remove(0)
    };
    assert_eq!(of("1 + 2 * 3 - (7 >> 1)"), "4");
    assert_eq!(of("sizeof(struct s) + sizeof(int[4])"), "48");
    assert_eq!(of("sizeof \"abc\""), "4");
    assert_eq!(of("__builtin_offsetof(struct s, a[2])"), "24");
    assert_eq!(of("(unsigned long)&((struct s *)0)->l"), "8");
    assert_eq!(of("_Alignof(struct s)"), "8");
    assert_eq!(of("A | B"), "7");
    assert_eq!(of("(unsigned char)-1"), "255");
    assert_eq!(of("-1 < 0u"), "0");
    assert_eq!(of("~0ul == -1"), "1");
    assert_eq!(of("'a' + '\\n'"), "107");
    assert_eq!(of("1 ? A : B"), "3");
    assert_eq!(of("0 && 1 / 0"), "0");
    // A fault stays a fault.
    assert_eq!(of("1 / 0"), "Div.i32(1, 0)");
    assert_eq!(of("2147483647 + 1"), "Add.i32(2147483647, 1)");
    assert_eq!(of("4294967295u + 1"), "0");
}

#[test]
fn initialisers_fill_cells() {
    let text = "struct p { int x, y; }; struct q { struct p a[2]; int n; };
        struct p one = { .y = 2 }; struct q two = { 1, 2, 3, 4, 5 };
        struct q three = { .a[1].y = 7, 8, .a[0] = { 9 } };
        int r[] = { [1 ... 3] = 5, [2] = 6 }; char s[4] = \"ab\", t[] = { \"xy\" };
        int *at = &two.a[1].y; struct p *end = &two.a[2]; int (*f)(void);
        int g(void) { return 0; } int (*table[2])(void) = { g, &g };
        struct node { struct node *next; } ring = { &ring };
        union u { int i; struct p p; } u1 = { 3 };
        _Thread_local int t1 = 4; static const int n = 3; int sized[n + 1];";
    let expected = "s0 one [1]=2
s1 two [0]=1 [1]=2 [2]=3 [3]=4 [4]=5
s1 three [3]=7 [4]=8 [0]=9
i32[4] r [1]=5 [3]=5 [2]=6
i8[4] s [0]=97 [1]=98
i8[3] t [0]=120 [1]=121
i32* at [0]=&two+3
s0* end [0]=&two+4
()->i32* f
()->i32*[2] table [0]=&g [1]=&g
s2 ring [0]=&ring+0
s3 u1 [0]=3
thread i32 t1 [0]=4
i32 n [0]=3
i32[4] sized
i32 g()
  return 0
";
    assert_eq!(printed(text), expected);
}

#[test]
fn locals_are_initialised() {
    let declarations =
        "struct p { int x, y; }; struct q { struct p a; int n; }; struct p g, f(void); int k;";
    let of = |body: &str| statements(declarations, body).join("; ");
    assert_eq!(of("int a = k, b;"), "init a [0]=k; declare b");
    assert_eq!(of("int a[3] = { k };"), "init a [0]=k");
    assert_eq!(of("struct q v = { g, 1 };"), "init v [0]=g.0 [1]=g.1 [2]=1");
    assert_eq!(of("struct p v = g;"), "declare v; v := g");
    assert_eq!(of("struct p v = f();"), "declare v; (@f() -> t1, v := t1)");
    assert_eq!(of("struct p v = { .y = k };"), "init v [1]=k");
    assert_eq!(
        of("struct p *v = &(struct p){ 1, k };"),
        "init v [0]=(({init t1 [0]=1 [1]=k} ), &t1)"
    );
    assert_eq!(of("static int v = 3; v++;"), "step(main.v, 1, old)");
    assert_eq!(
        of("int v = 1; { int v = 2; v = 3; } v = 4;"),
        "init v [0]=1; block;   init v [0]=2;   v = 3; v = 4"
    );
    assert_eq!(of("char s[] = \"a\"; k = sizeof s;"), "init s [0]=97; k = 2");
    assert_eq!(of("const int n = 2; int a[n]; k = sizeof a;"), "init n [0]=2; declare a; k = 8");
}

#[test]
fn calls_and_builtins() {
    let declarations = "typedef unsigned long size_t; void *malloc(size_t), *calloc(size_t, size_t); int printf(const char *, ...);
        struct p { int x, y; } *p; long l; _Atomic long a; char c; int f(long, char); struct p g(struct p v) { return v; } int *ip; void *vp; void (*fp)(int);";
    let of = |e: &str| statements(declarations, &format!("{e};")).remove(0);
    assert_eq!(of("f(1, l)"), "@f(1, i8(l))");
    assert_eq!(of("p = malloc(sizeof(struct p))"), "p = s0*(@malloc(8, type s0))");
    assert_eq!(of("vp = malloc(3 * sizeof *p)"), "vp = @malloc(24, type s0)");
    assert_eq!(of("ip = calloc(c, sizeof(int))"), "ip = i32*(@calloc(u64(c), 4, type i32))");
    assert_eq!(of("ip = malloc(l)"), "ip = i32*(@malloc(u64(l), type i32))");
    assert_eq!(of("printf(\"%d\", c)"), "@printf(&g0[0], i32(c))".replace("g0", "g7"));
    assert_eq!(of("*p = g(*p)"), "(g(struct *p) -> t0, *p := t0)");
    assert_eq!(of("l = g(*p).y"), "l = i64((g(struct *p) -> t0, t0.1))");
    assert_eq!(of("fp(c)"), "(*fp)(i32(c))");
    assert_eq!(of("(*fp)(c)"), "(*fp)(i32(c))");
    assert_eq!(of("l = __atomic_load_n(&a, 2)"), "l = @__atomic_load_n(&a, 2)");
    assert_eq!(of("__atomic_store_n(&a, c, 3)"), "@__atomic_store_n(&a, i64(c), 3)");
    assert_eq!(
        of("c = __atomic_compare_exchange_n(&a, &l, 1, 0, 5, 5)"),
        "c = i8(@__atomic_compare_exchange_n(&a, &l, 1, 0, 5, 5))"
    );
    assert_eq!(
        of("ip = __sync_val_compare_and_swap(&ip, 0, 0)"),
        "ip = @__sync_val_compare_and_swap(&ip, null, null)"
    );
    assert_eq!(of("__atomic_fetch_add(&ip, 4, 5)"), "@__atomic_fetch_add(&ip, 4, 5)");
    assert_eq!(of("if (__builtin_expect(c == 1, 0)) c = 2"), "if i64(Eq.i32(i32(c), 1))");
    assert_eq!(of("__builtin_constant_p(3 + 4) + __builtin_constant_p(c)"), "1");
    assert_eq!(of("a += c"), "a Add.i64= i64(c)");
    assert_eq!(of("a++"), "step(a, 1, old)");
    assert_eq!(of("a = a + 1"), "a = Add.i64(a, 1)");
}

#[test]
fn members_lead_to_their_structures() {
    let declarations = "struct m { int a, b; }; struct s { char c; struct m m; long l; } *s; struct m *m; char *c; int *ip; unsigned long n;";
    let of = |e: &str| statements(declarations, &format!("{e};")).remove(0);
    assert_eq!(
        of("s = (struct s *)((char *)m - __builtin_offsetof(struct s, m))"),
        "s = s1*(m cells -1)"
    );
    assert_eq!(
        of("ip = (int *)((char *)s + __builtin_offsetof(struct s, m.b))"),
        "ip = i32*(s cells 2)"
    );
    assert_eq!(
        of("s = (struct s *)((char *)m - (unsigned long)&((struct s *)0)->m)"),
        "s = s1*(m cells -1)"
    );
    assert_eq!(of("m = (struct m *)((char *)s + 0)"), "m = s0*(s cells 0)");
}

#[test]
fn expressions_of_gnu_c() {
    let declarations = "struct p { int x, y; } a, b; int k;";
    let of = |body: &str| statements(declarations, body).join("; ");
    assert_eq!(of("k = ({ int t = k; t * 2; });"), "k = ({init t [0]=k} Mul.i32(t, 2))");
    assert_eq!(of("a = ({ a = b; b; });"), "(({a := b; t0 := b} ), a := t0)");
    assert_eq!(of("a = k ? a : b;"), "((k ? t0 := a : t0 := b), a := t0)");
    assert_eq!(of("k = (k ? a : b).y;"), "k = ((k ? t0 := a : t0 := b), t0.1)");
    assert_eq!(
        of("__typeof__(k) l = k; __typeof__(a) *p = &a; p->y = l;"),
        "init l [0]=k; init p [0]=&a; *p.1 = l"
    );
    assert_eq!(of("k = _Generic(k, long: 1, int: 2, default: 3);"), "k = 2");
    assert_eq!(of("k = (k++, 3);"), "k = (step(k, 1, old), 3)");
    assert_eq!(of("(void)k;"), "void(k)");
    assert_eq!(of("a = b = a;"), "(b := a, a := b)");
    assert_eq!(of("k = (long)__func__ != 0;"), "k = Ne.i64(i64(&g3[0]), 0)");
}

#[test]
fn statements_of_all_kinds() {
    let body = "again: switch (k) { case 1 ... 2: k++; case 7: break; default: goto again; }
        do { if (k) continue; } while (k < 3); for (;;) break; while (1) { } ; l: return;";
    let expected = "again:
switch k
  case 1..2
  step(k, 1, old)
  case 7..7
  break
  default
  goto again
do-while Lt.i32(k, 3)
  if k
    continue
for ; 
  break
while 1
l:
return";
    assert_eq!(statements("int k;", body).join("\n"), expected);
}

#[test]
fn spans_are_statements_and_heads() {
    let text = "int x; void main(void) { x = (x) + (1) ; if (x) { x++; } do x--; while (x); for (int i = 0; i < 3; i++) { } int y = 3, z; }";
    let mut map = SourceMap::new();
    let unit = analyse(&mut map, "test.c", text).expect("a right program");
    let main = unit.functions.iter().find(|f| f.name == "main").expect("a main function");
    let shown = |span: Span| text[span.start as usize..span.end as usize].to_string();
    let statements: Vec<_> = main.body.iter().flatten().map(|s| shown(s.span)).collect();
    assert_eq!(
        statements,
        ["x = (x) + (1) ;", "if (x)", "while (x);", "for (int i = 0; i < 3; i++)", "y = 3", "z"]
    );
    let StmtKind::Expr(assign) = &main.body.as_ref().expect("a body")[0].kind else { panic!() };
    let ExprKind::Assign(_, value) = &assign.kind else { panic!() };
    assert_eq!(shown(value.span), "(x) + (1)");
}

#[test]
fn functions_that_are_not_reached_may_be_unsupported() {
    let text = "double sqrt(double); int root(double x) { return sqrt(x); }
        union u { int i; long l; } u; void other(void) { u.l = 1; } int main(void) { u.i = 2; return 0; }";
    let mut map = SourceMap::new();
    let unit = analyse(&mut map, "test.c", text).expect("a right program");
    let refused: Vec<_> =
        unit.functions.iter().filter(|f| f.refused.is_some()).map(|f| f.name.as_str()).collect();
    assert_eq!(refused, ["root"]);
    let text =
        format!("{text} void third(void) {{ other(); }}").replace("return 0", "return third(), 0");
    let unit = analyse(&mut map, "test.c", &text.replace("int main", "void third(void); int main"))
        .expect("a right program");
    let refused: Vec<_> =
        unit.functions.iter().filter(|f| f.refused.is_some()).map(|f| f.name.as_str()).collect();
    assert_eq!(refused, ["root", "main"]);
}

#[test]
fn deep_nesting_is_a_message() {
    let forms = [("- ", ""), ("x[", "]"), ("f(", ")"), ("({", ";})"), ("if (1) ", ""), ("{", ";}")];
    for (open, close) in forms {
        let text = |depth| {
            let (open, close) = (open.repeat(depth), close.repeat(depth));
            format!("int x[3]; int f(int); void main(void) {{ {open}0{close}; }}")
        };
        let mut map = SourceMap::new();
        if let Err(said) = analyse(&mut map, "shallow.c", &text(60)) {
            panic!("{}", taut_source::render_all(&map, &said, false));
        }
        let said = analyse(&mut map, "deep.c", &text(400)).expect_err("nested too deeply");
        assert!(said.iter().any(|d| d.code == "C0125"), "{open}");
    }
    let steps = |step: &dyn Fn(usize) -> String| (1..400).map(step).collect::<String>();
    let declarations = [
        format!("int {}x{};", "(*".repeat(400), ")".repeat(400)),
        format!("int {}x;", "*".repeat(10_000)),
        format!("typedef int t0; {}", steps(&|i| format!("typedef t{} t{i}[1];", i - 1))),
        format!(
            "struct t0 {{ int i; }}; {}",
            steps(&|i| format!("struct t{i} {{ struct t{} f; }};", i - 1))
        ),
    ];
    for text in declarations {
        let said = analyse(&mut SourceMap::new(), "deep.c", &text).expect_err("nested too deeply");
        assert!(said.iter().any(|d| d.code == "C0125"), "{text}");
    }
    let list =
        format!("struct t0; {}", steps(&|i| format!("struct t{i} {{ struct t{} *f; }};", i - 1)));
    assert!(analyse(&mut SourceMap::new(), "list.c", &list).is_ok());
}

#[test]
fn floating_point_without_consequences_is_left_out() {
    let declarations =
        "double d, a[3]; float f; int k, *p; int printf(const char *, ...); double sqrt(double);
        double half(double x) { return x / 2; } long now(void);";
    let of = |body: &str| statements(declarations, body).join("; ");
    assert_eq!(of("double t = now() / 1e9;"), "init t [0]=(@now(), 0)");
    assert_eq!(
        of("d = 1.5; f += k++; d++; a[k++] = 2.0;"),
        "0; (step(k, 1, old), 0); 0; (i64(step(k, 1, old)), 0)"
    );
    assert_eq!(of("printf(\"%f\", half(k) * 2);"), "@printf(&g5[0], (half(0), 0))");
    assert_eq!(of("d = sqrt(k--);"), "(step(k, -1, old), 0)");
    assert_eq!(of("d = k ? half(1) : 0;"), "((k ? (half(0), void(0)) : void(0)), 0)");
    assert_eq!(of("k = sizeof(d) + sizeof a;"), "k = 32");
    let text = format!(
        "{declarations} int main(void) {{ k = d; return 0; }} void g(void) {{ if (d) k = 1; }} int h(void) {{ return d < 1; }}"
    );
    let unit = analyse(&mut SourceMap::new(), "test.c", &text).expect("a right program");
    let refused: Vec<_> =
        unit.functions.iter().filter(|f| f.refused.is_some()).map(|f| f.name.as_str()).collect();
    assert_eq!(refused, ["main", "g", "h"]);
}

#[test]
fn labels_of_statement_expressions_are_their_own() {
    let wait = "({ again: if (k) goto again; if (k > 1) goto out; k; })";
    let body = format!("k = {wait}; k = {wait}; out: ;");
    let printed = statements("int k;", &body).join("; ");
    assert!(printed.contains("again.1:") && printed.contains("goto again.1"), "{printed}");
    assert!(printed.contains("again.2:") && printed.contains("goto again.2"), "{printed}");
    assert!(printed.contains("goto out}") && printed.ends_with("out:"), "{printed}");
}

#[test]
fn qualified_accesses_are_accesses_of_the_object() {
    let declarations = "int x; long l; struct s { int a; } s; void *f(void *v) { return v; }";
    let of = |e: &str| statements(declarations, &format!("{e};")).remove(0);
    assert_eq!(of("*(volatile int *)&x = 1"), "x = 1");
    assert_eq!(of("*(volatile __typeof__(s.a) *)&(s.a) = 1"), "s.0 = 1");
    assert_eq!(of("*(int *)&l = 1"), "*i32*(&l) = 1");
    assert_eq!(of("((void *(*)(void *))(void *)f)(0)"), "f(null)");
    let text = format!("{declarations} void main(void) {{ *(volatile int *)&x = 1; }}");
    let unit = analyse(&mut SourceMap::new(), "test.c", &text).expect("a right program");
    let main = unit.functions.last().and_then(|f| f.body.as_ref()).expect("a body");
    let StmtKind::Expr(assign) = &main[0].kind else { panic!("{main:?}") };
    assert!(matches!(&assign.kind, ExprKind::Assign(place, _) if place.ty.volatile));
}

#[test]
fn arguments_that_are_passed_on_do_not_matter() {
    let text = "typedef __builtin_va_list va_list; int vprintf(const char *, va_list);
        void say(const char *f, ...) { va_list l; __builtin_va_start(l, f); vprintf(f, l); __builtin_va_end(l); }
        struct p { int a, b; } x, y; void main(void) { say(\"%d\", 3); __builtin_memcpy(&x, &y, sizeof x); }";
    let printed = printed(text);
    assert!(printed.contains("@vprintf(f, 0)"), "{printed}");
    assert!(printed.contains("@memcpy(&x, &y, 8)"), "{printed}");
}

#[test]
fn a_call_declares_a_function() {
    let of = |body: &str| statements("int later();", body).join("; ");
    assert_eq!(of("work(1); int k = work != 0;"), "@work(1); init k [0]=Ne.()->i32*(&work, null)");
    let text = "void main(void) { early(1); } int early(int x) { return x; }";
    assert!(printed(text).contains("  early(1)\n"));
}
