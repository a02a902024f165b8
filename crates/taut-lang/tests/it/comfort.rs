//! The comfort of C: every construct against the same program written without it.
//!
//! Two texts mean the same if they have the same states, as far as both have them: memory, the locals `a` and `b`, and
//! buffers. Hidden registers and the names of others do not count. All states are found by brute force
//! (`taut_witness`), under SC, TSO and PSO.

use std::collections::{BTreeSet, HashSet};

use taut_ir::{Finding, Memory, MemoryModel, ProcId, Program};
use taut_testkit::tally::Tally;
use taut_witness::{Machine, Outcome};

use crate::common::{format, program, try_program};

/// Memory, and the locals and the buffer of each process; or a fault.
type Seen = (Vec<Vec<i64>>, Vec<(Vec<i64>, String)>);

/// States of one program, at most; larger programs are left out.
const LIMIT: usize = 20_000;

/// What can be seen of all states, the names of failed assertions, the number of faults, and whether it can get stuck.
#[derive(Debug, Default, PartialEq, Eq)]
struct Found {
    states: BTreeSet<Seen>,
    failed: BTreeSet<String>,
    faults: bool,
}

fn explore(program: &Program, model: MemoryModel) -> Option<Found> {
    let machine = Machine::new(program, Memory { bound: Some(2), ..Memory::new(model) });
    let mut found = Found::default();
    let mut known = HashSet::from([machine.initial()]);
    let mut todo = vec![machine.initial()];
    while let Some(state) = todo.pop() {
        let of = |p: usize| {
            let process = &state.processes[p];
            let def = program.def_of(ProcId::from(p));
            let is_seen = |name: &str| matches!(name, "a" | "b");
            let seen = def.registers.iter().zip(&process.registers);
            let seen = seen.filter(|(r, _)| is_seen(&r.name)).map(|(_, values)| values[0]);
            (seen.collect(), format!("{:?}", process.buffer.items()))
        };
        found.states.insert((state.memory.clone(), (0..program.processes.len()).map(of).collect()));
        for (_, done) in machine.successors(&state).moves {
            for failure in done.record.all_failed() {
                found.failed.insert(format!("{:?}", failure.finding));
            }
            match done.outcome {
                Outcome::State(after) if known.insert(after.clone()) => todo.push(after),
                Outcome::State(_) => {}
                _ => found.faults = true,
            }
        }
        if known.len() > LIMIT {
            return None;
        }
    }
    Some(found)
}

/// Whether some run of a program faults.
pub fn found_faults(text: &str, model: MemoryModel) -> bool {
    explore(&program(text), model).expect("a small program").faults
}

/// Whether some assertion of a program fails.
pub fn failed_assertions(text: &str, model: MemoryModel) -> bool {
    let found = explore(&program(text), model).expect("a small program");
    assert!(!found.faults, "{text}");
    !found.failed.is_empty()
}

/// Compares two texts under three memory models; false if they are too large.
#[track_caller]
pub fn compare(with: &str, without: &str) -> bool {
    let (first, second) = (program(with), program(without));
    // What is formatted is formatted, and means the same.
    let formatted = format(with);
    assert_eq!(format(&formatted), formatted, "formatting twice is formatting once");
    assert!(taut_lang::same(&first, &program(&formatted)), "{with}\n{formatted}");
    let printed = taut_lang::print(&first).expect("a printable program");
    assert!(taut_lang::same(&first, &program(&printed)), "{with}\n{printed}");
    for model in [MemoryModel::Sc, MemoryModel::Tso, MemoryModel::Pso] {
        let (Some(a), Some(b)) = (explore(&first, model), explore(&second, model)) else {
            return false;
        };
        let more = a.states.difference(&b.states).next();
        assert_eq!(more, None, "too many under {model:?}:\n{with}\n{without}");
        let fewer = b.states.difference(&a.states).next();
        assert_eq!(fewer, None, "missing under {model:?}:\n{with}\n{without}");
        assert_eq!((&a.failed, a.faults), (&b.failed, b.faults), "{model:?}\n{with}\n{without}");
    }
    true
}

const HEAD: &str = "shared wrap 0..3 x, y;\n";
const OTHER: &str = "process q begin x := 1; y := 2; x := 3; end\n";

/// Compares two bodies that run beside stores to `x` and `y`.
#[track_caller]
fn bodies(with: &str, without: &str) {
    let whole = |declared: &str, body: &str| {
        format!("{HEAD}{declared}process p begin local wrap 0..3 a, b;\n{body}\nend\n{OTHER}")
    };
    let (head, with) = with.split_once("---").unwrap_or(("", with));
    let (plain_head, without) = without.split_once("---").unwrap_or(("", without));
    assert!(compare(&whole(head, with), &whole(plain_head, without)), "too large");
}

#[test]
fn operators_are_assignments() {
    bodies(
        "a++; --b; x += a; y -= x; a *= 2; b |= 1; x <<= 1;",
        "a := a + 1; b := b - 1; x := x + a; y := y - x; a := a * 2; b := b | 1; x := x << 1;",
    );
}

/// `a[i] += 1` computes its index once.
#[test]
fn an_index_in_shared_memory_is_loaded_once() {
    bodies(
        "shared wrap 0..3 m[4]; --- m[x] += y;",
        "shared wrap 0..3 m[4]; --- local int t; t := x; m[t] := m[t] + y;",
    );
}

#[test]
fn for_loops_are_while_loops() {
    bodies(
        "for (a := 0; a < 3; a++) { if (a == 1) { continue; } x := a; if (y == 2) { break; } }",
        "a := 0; while (a < 3) { if (a == 1) { goto on; } x := a; if (y == 2) { break; } on: a := a + 1; }",
    );
    bodies(
        "for (;;) { b++; if (b == 2) { break; } }",
        "loop { b := b + 1; if (b == 2) { break; } }",
    );
}

#[test]
fn two_loops_may_have_one_counter() {
    bodies(
        "for (0..2 i = 0; i < 2; i++) { x := i; } for (0..2 i = 0; i < 2; i++) { y := i; }",
        "local 0..2 i; i := 0; while (i < 2) { x := i; i := i + 1; } i := 0; while (i < 2) { y := i; i := i + 1; }",
    );
}

#[test]
fn do_runs_its_block_first() {
    bodies(
        "do { a++; if (a == 2) { continue; } x := a; } while (a != 3 && y == 0);",
        "loop { a := a + 1; if (a != 2) { x := a; } if (!(a != 3 && y == 0)) { break; } }",
    );
    bodies("do { } while (x == 0); a := 1;", "while (x == 0) { } a := 1;");
    bodies("do { break; } while (true); a := 1;", "skip; a := 1;");
}

#[test]
fn switch_falls_through() {
    bodies("switch (x + y) { case 0: a := 1; break; case 1..2: a := 2; case 5: case 6: b := 1; break; default: b := 2; }",
        "local int t; t := x + y; if (t == 0) { a := 1; } else { if (t == 1 || t == 2 || t == 5 || t == 6) {
         if (t <= 2) { a := 2; } b := 1; } else { b := 2; } }");
    bodies("switch (a) { default: a := 1; case 1: b := 1; }", "if (a != 1) { a := 1; } b := 1;");
    bodies("switch (x) { case 3: a := 1; }", "if (x == 3) { a := 1; }");
    bodies(
        "while (a < 2) { switch (x) { case 0: a++; continue; default: break; } a := 2; }",
        "while (a < 2) { if (x == 0) { a := a + 1; continue; } a := 2; }",
    );
}

#[test]
fn labels_name_the_loop_to_leave() {
    bodies("out: while (true) { loop { a++; if (x == 3) { break out; } if (a == 2) { continue out; } if (a == 3) { break; } } b := 1; if (y == 2) { break; } }",
        "again: while (true) { loop { a := a + 1; if (x == 3) { goto done; } if (a == 2) { goto again; } if (a == 3) { break; } } b := 1; if (y == 2) { goto done; } }
         done: ;");
}

#[test]
fn declarations_assign_in_place() {
    bodies(
        "while (b < 2) { int c = x, d = c + y; a := d; b++; }",
        "local int c, d; while (b < 2) { c := x; d := c + y; a := d; b := b + 1; }",
    );
    bodies("int c[2] = {x, y}; a := c[1];", "local int c[2]; c[0] := x; c[1] := y; a := c[1];");
}

#[test]
fn constants_may_be_arrays_and_enumerations() {
    bodies(
        "const t[3] = {2, 0, 1}; const byte u[2][2] = {{1, 2}, {3, t[0]}}; enum { LOW, HIGH = 2 }; --- a := t[a + 1]; b := u[1][1] + HIGH; x := t[y % 3];",
        "ghost 0..2 t[3] = {2, 0, 1}; ghost byte u[4] = {1, 2, 3, 2}; --- a := t[a + 1]; b := u[3] + 2; x := t[y % 3];",
    );
    let text = "enum color { RED, GREEN = 3, BLUE }; shared color c = GREEN; const N = BLUE; process p[N] begin c := RED; end";
    let read = program(text);
    assert_eq!((read.processes.len(), read.vars[0].ty), (4, taut_ir::Type::range(0, 4)));
    assert_eq!(read.shown.value(taut_ir::VarId(0), 0, 3), Some("GREEN"));
}

#[test]
fn read_modify_writes_decide() {
    bodies(
        "if (cas(x, 0, 2)) { a := 1; } else { a := 2; }",
        "local int t; t := cas(x, 0, 2); if (t == 1) { a := 1; } else { a := 2; }",
    );
    bodies(
        "while (xchg(x, 1) != 0) { b := 1; }",
        "local int t; t := xchg(x, 1); while (t != 0) { b := 1; t := xchg(x, 1); }",
    );
    bodies(
        "await(cas(x, 3, 0)); a := 1;",
        "local int t; while (t == 0) { t := cas(x, 3, 0); } a := 1;",
    );
    bodies(
        "if (a == 0 && cas(x, 1, 2) || !cas(y, 2, 3)) { b := 1; } else { b := 2; }",
        "local int t; if (a == 0) { t := cas(x, 1, 2); if (t == 1) { goto yes; } }
         t := cas(y, 2, 3); if (t == 0) { goto yes; } b := 2; goto done; yes: b := 1; done: ;",
    );
    bodies(
        "a := fetch_add(x, 1) + y + fetch_sub(y, x);",
        "local int t, u, v, w; t := fetch_add(x, 1); u := t + y; w := x; v := fetch_add(y, -w); a := u + v;",
    );
    bodies(
        "a := y ? cas_old(x, 1, 0) : xchg(y, 1);",
        "local int t; if (y != 0) { atomic { t := x; if (t == 1) { x := 0; } } } else { t := xchg(y, 1); } a := t;",
    );
    bodies("a := fetch_xor(x, 3) == fetch_and(y, 1) || fetch_or(x, 2) > 1;",
        "local int t, u; atomic { t := x; x := t ^ 3; } atomic { u := y; y := u & 1; }
         if (t == u) { a := 1; } else { atomic { t := x; x := t | 2; } if (t > 1) { a := 1; } else { a := 0; } }");
}

#[test]
fn what_is_read_before_something_happens_is_kept() {
    bodies("a := x + cas(x, 0, 2);", "local int t, u; t := x; u := cas(x, 0, 2); a := t + u;");
    bodies(
        "shared wrap 0..3 m[4]; --- m[x] := xchg(x, 2);",
        "shared wrap 0..3 m[4]; --- local int t, u; t := x; u := xchg(x, 2); m[t] := u;",
    );
}

const FUNCTIONS: &str = "int twice(int n) { if (n == 0) { return 0; } return n + y; }
    bool taken() { return xchg(x, 1) == 1; } void set(int n) { x := n; }
    procedure sum(n) begin if (n == 0) then return 0; fi; return n + sum(n - 1); end ---";

#[test]
fn functions_have_values() {
    bodies(
        &format!("{FUNCTIONS} a := twice(x) + twice(1); set(a);"),
        "local int t, u; t := x; if (t != 0) { t := t + y; } u := 1 + y; a := t + u; x := a;",
    );
    bodies(
        &format!("{FUNCTIONS} while (taken()) {{ b := 1; }} a := sum(3) + 1;"),
        "local int t; loop { t := xchg(x, 1); if (t != 1) { break; } b := 1; } a := 3;",
    );
    bodies(
        &format!("{FUNCTIONS} atomic {{ a := twice(2); x := a; }}"),
        "atomic_begin; a := 2 + y; x := a; atomic_end;",
    );
}

#[test]
fn records_and_dimensions_are_flat_arrays() {
    let with = "struct node { wrap 0..3 next; bool locked; wrap 0..3 deep[2]; };
        shared node n[2] = {{1, 0, {2, 3}}, {0, 1, 0}}, q; shared wrap 0..3 m[2][2] = {{0, 1}, {2, 3}}; ---
        local node own; n[a].next := q.locked; q.deep[1] := n[n[0].next].deep[1]; m[a][b] := m[1][n[1].locked];
        own.next := m[1][1]; a := own.next;";
    let without = "shared wrap 0..3 next[2] = {1, 0}; shared bool lk[2] = {0, 1}; shared wrap 0..3 deep[4] = {2, 3, 0, 0};
        shared wrap 0..3 qnext; shared bool qlocked; shared wrap 0..3 qdeep[2]; shared wrap 0..3 m[4] = {0, 1, 2, 3}; ---
        local wrap 0..3 ownnext; next[a] := qlocked; qdeep[1] := deep[next[0] * 2 + 1]; m[a * 2 + b] := m[2 + lk[1]];
        ownnext := m[3]; a := ownnext;";
    bodies(with, without);
}

/// A wrong index of an inner dimension is a fault, although there is an element with that number.
#[test]
fn dimensions_are_checked_one_by_one() {
    let fault = |body: &str| {
        let text = format!(
            "shared int m[2][3]; shared int i = 3; process p begin local int r; {body} end"
        );
        explore(&program(&text), MemoryModel::Sc).expect("a small program").faults
    };
    assert!(fault("r := 3; m[0][r] := 1;"));
    assert!(fault("m[0][i] := 1;"));
    assert!(fault("r := m[i - 3][i];"));
    assert!(!fault("r := 2; m[1][r] := 1; r := m[i - 3][i - 1];"));
    assert!(try_program("shared int m[2][3]; process p begin m[0][3] := 1; end").is_err());
}

#[test]
fn traces_show_what_was_written() {
    let text = "struct node { bool locked; 0..1 next; }; shared node n[2]; shared int m[2][3];
        process p begin local 0..1 r; n[r].next := 1; m[r][n[1].next] := 2; end";
    let read = program(text);
    let shown: Vec<_> = read.defs[0].steps.iter().filter_map(|s| s.text.as_deref()).collect();
    assert_eq!(shown, ["n[r].next := 1", "m[r][n[1].next] := 2", "m[r][n[1].next] := 2"]);
    let cells: Vec<_> = (0..2).map(|i| read.shown.cell(taut_ir::VarId(1), i).unwrap()).collect();
    assert_eq!(cells, ["n[0].next", "n[1].next"]);
    assert_eq!(read.shown.cell(taut_ir::VarId(2), 5), Some("m[1][2]"));
}

/// Properties name fields and elements, of memory, of views and of locals.
#[test]
fn properties_name_fields() {
    let text = "struct node { bool locked; int next; }; shared node n[2];
        process p begin local node own[2]; n[1].next := 1; own[1].next := 2; end
        invariant i: n[1].next <= 1 && p:own[1].next <= 2 && view(p, n[0].locked) == 0;";
    let found = explore(&program(text), MemoryModel::Tso).expect("a small program");
    assert_eq!(found.states.len(), 3);
}

/// A small generator of numbers.
pub struct Random(pub u64);

impl Random {
    pub fn below(&mut self, most: u64) -> u64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % most
    }

    fn one<'s>(&mut self, list: &[&'s str]) -> &'s str {
        list[self.below(list.len() as u64) as usize]
    }
}

/// A random statement, with comfort and without.
fn statement(random: &mut Random, depth: u32, tally: &Tally) -> (String, String) {
    let kinds = if depth == 0 { 6 } else { 11 };
    let kind = random.below(kinds);
    let (v, w) = (random.one(&["x", "y"]), random.one(&["x", "y"]));
    let (l, k) = (random.one(&["a", "b"]), random.below(3));
    let mut inner = || statement(random, depth - 1, tally);
    let names =
        ["step", "update", "fetch", "kept", "cell", "call", "cas", "switch", "for", "do", "both"];
    tally.count(names[kind as usize]);
    match kind {
        0 => (format!("{l}++;"), format!("{l} := {l} + 1;")),
        1 => (format!("{v} -= {w} + {k};"), format!("{v} := {v} - ({w} + {k});")),
        2 => (
            format!("{l} := fetch_sub({v}, {k}) + {w};"),
            format!("t := fetch_add({v}, -{k}); {l} := t + {w};"),
        ),
        3 => (
            format!("{l} := {v} + xchg({v}, {k});"),
            format!("t := {v}; u := xchg({v}, {k}); {l} := t + u;"),
        ),
        4 => (
            format!("n[{l} & 1].f[{v} & 1] += {k};"),
            format!("t := {l} & 1; u := {v} & 1; nf[t * 2 + u] := nf[t * 2 + u] + {k};"),
        ),
        5 => (
            format!("{l} := plus({v}, {k}) + {w};"),
            format!(
                "t := {v}; if (t == {k}) {{ t := y; }} else {{ t := t + {k}; }} {l} := t + {w};"
            ),
        ),
        6 => {
            let ((s, p), (t, q)) = (inner(), inner());
            (
                format!("if (cas({v}, {k}, 2) && {w} != 1) {{ {s} }} else {{ {t} }}"),
                format!("t := cas({v}, {k}, 2); if (t == 1 && {w} != 1) {{ {p} }} else {{ {q} }}"),
            )
        }
        7 => {
            let ((s, p), (t, q)) = (inner(), inner());
            (
                format!("switch ({v}) {{ case {k}: {s} case 3: {l}++; break; default: {t} }}"),
                format!(
                    "s := {v}; if (s == {k}) {{ {p} {l} := {l} + 1; }} else {{ if (s == 3) \
                     {{ {l} := {l} + 1; }} else {{ {q} }} }}"
                ),
            )
        }
        8 => {
            let (s, p) = inner();
            (
                format!(
                    "for (0..2 i{depth} = 0; i{depth} < 2; i{depth}++) {{ {s} if ({v} == 3) {{ break; }} }}"
                ),
                format!(
                    "i{depth} := 0; while (i{depth} < 2) {{ {p} if ({v} == 3) {{ break; }} i{depth} := i{depth} + 1; }}"
                ),
            )
        }
        9 => {
            let (s, p) = inner();
            (
                format!("do {{ {s} }} while ({v} == {k} && cas({w}, 1, 2));"),
                format!(
                    "loop {{ {p} if ({v} == {k}) {{ t := cas({w}, 1, 2); if (t == 0) {{ break; }} }} \
                     else {{ break; }} }}"
                ),
            )
        }
        _ => {
            let ((s, p), (t, q)) = (inner(), inner());
            (format!("{s} {t}"), format!("{p} {q}"))
        }
    }
}

#[test]
fn random_programs_mean_the_same_without_comfort() {
    let tally = Tally::new();
    for seed in 0..100 {
        let mut random = Random(seed * 7919 + 17);
        let mut with = "struct node { wrap 0..3 f[2]; }; shared wrap 0..3 x, y; shared node n[2];
            int plus(int m, int k) { if (m == k) { return y; } else { return m + k; } }\n"
            .to_owned();
        let mut without = "shared wrap 0..3 x, y; shared wrap 0..3 nf[4];\n".to_owned();
        for name in ["p", "q"] {
            let (mut one, mut other) = (String::new(), String::new());
            for _ in 0..2 {
                let (s, p) = statement(&mut random, 1 + u32::from(name == "p"), &tally);
                one.push_str(&format!("  {s}\n"));
                other.push_str(&format!("  {p}\n"));
            }
            with.push_str(&format!("process {name} {{\n  local wrap 0..3 a, b;\n{one}}}\n"));
            let locals = "local wrap 0..3 a, b; local int t, u, s; local 0..2 i1, i2;";
            without.push_str(&format!("process {name} {{\n  {locals}\n{other}}}\n"));
        }
        match compare(&with, &without) {
            true => tally.count("compared"),
            false => tally.count("too large"),
        }
    }
    println!("{tally}");
    tally.at_least("compared", 80);
    for kind in ["step", "update", "fetch", "kept", "cell", "call", "cas", "switch", "for", "do"] {
        tally.at_least(kind, 10);
    }
}

/// The verdicts of a program: the names of what is violated; nothing if it is too large.
fn verdicts(program: &Program, model: MemoryModel) -> Option<BTreeSet<String>> {
    let machine = Machine::new(program, Memory { bound: Some(1), ..Memory::new(model) });
    let mut found = BTreeSet::new();
    let name = |finding: Finding| match finding {
        Finding::Property(id) => program.property(id).name.clone(),
        other => format!("{other:?}"),
    };
    let mut known = HashSet::from([machine.initial()]);
    let mut todo = vec![machine.initial()];
    while let Some(state) = todo.pop() {
        found.extend(machine.findings(&state).into_iter().map(name));
        for (_, done) in machine.successors(&state).moves {
            found.extend(done.record.all_failed().map(|f| name(f.finding)));
            match done.outcome {
                Outcome::State(after) if known.insert(after.clone()) => todo.push(after),
                Outcome::State(_) => {}
                _ => {
                    found.insert("a fault".into());
                }
            }
        }
        if known.len() > 10_000 {
            return None;
        }
    }
    Some(found)
}

/// Ten classics of `examples/structured` have the verdicts of those of the same name in `examples`, the old spelling.
#[test]
fn classics_have_the_verdicts_of_their_old_spelling() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples");
    let tally = Tally::new();
    let entries = std::fs::read_dir(format!("{folder}/structured")).expect("the examples");
    for entry in entries.map(|e| e.expect("an entry").path()) {
        let Some(name) = entry.file_name().and_then(|n| n.to_str()).filter(|n| n.ends_with("taut"))
        else {
            continue;
        };
        let read = |path: String| std::fs::read_to_string(path).expect("an example");
        let (new, old) =
            (read(format!("{folder}/structured/{name}")), read(format!("{folder}/{name}")));
        assert_eq!(format(&new), new, "{name} is formatted");
        let (new, old) = (program(&new), program(&old));
        for model in [MemoryModel::Sc, MemoryModel::Tso, MemoryModel::Pso] {
            match (verdicts(&new, model), verdicts(&old, model)) {
                (Some(new), Some(old)) => {
                    assert_eq!(new, old, "{name} under {model:?}");
                    tally.count("compared");
                    tally.add("violated", old.len() as u64);
                }
                _ => tally.count("too large"),
            }
        }
        tally.count("programs");
    }
    println!("{tally}");
    tally.at_least("programs", 10).at_least("compared", 22).at_least("violated", 6);
}
