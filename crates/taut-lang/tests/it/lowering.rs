//! Small programs and the exact steps they become.

use crate::common;
use common::{points, program, steps};
use taut_ir::frontend::Threads;

/// The steps of process p with the given body, between shared x, y, a[3] and locals r, s.
fn body(statements: &str) -> String {
    let text = format!("shared int x, y, a[3]; process p begin local int r, s; {statements} end");
    steps(&program(&text), "p")
}

#[test]
fn a_straight_line_has_one_step_per_access() {
    assert_eq!(
        body("x := 1; r := y; skip; x, r := r, x; a[r] := x + y; atomic x := 2;"),
        "0 -> 1: x := 1\n\
         1 -> 2: r := y\n\
         2 -> 3: skip\n\
         3 -> 4: x' := x\n\
         4 -> 5: x, r, x' := r, x', 0\n\
         5 -> 6: x' := x\n\
         6 -> 7: y' := y\n\
         7 -> 8: a[r], x', y' := x' + y', 0, 0\n\
         8 -> 9: atomic x := 2"
    );
}

#[test]
fn conditions_load_one_point_after_the_other() {
    assert_eq!(
        body("await(x == 0 || y == 1);"),
        "0 -> 1: assume(x == 0)\n\
         0 -> 2: assume(!(x == 0))\n\
         2 -> 1: assume(y == 1)\n\
         2 -> 0: assume(x == 0)"
    );
    assert_eq!(
        body("if (x == y) then r := 1; fi;"),
        "0 -> 1: x' := x\n\
         1 -> 2: assume(x' == y); x' := 0\n\
         1 -> 3: assume(!(x' == y)); x' := 0\n\
         2 -> 3: r := 1"
    );
    assert_eq!(
        body("assert(x == 0 && y == 0);"),
        "0 -> 1: assume(x == 0)\n\
         0 -> 2: assume(!(x == 0)); assert(0)\n\
         1 -> 2: assert(y == 0)"
    );
}

#[test]
fn operands_of_read_modify_writes_are_loaded_before() {
    assert_eq!(
        body("r := fetch_add(a[x], y);"),
        "0 -> 1: x' := x\n\
         1 -> 2: operand', operand'', x' := x', y, 0\n\
         2 -> 3: locked { r, a[operand'] := a[operand'], a[operand'] + operand''; operand', operand'' := 0, 0 }"
    );
    assert_eq!(
        body("x := xchg(y, 1);"),
        "0 -> 1: locked { operand', y := y, 1 }\n\
         1 -> 2: x, operand' := operand', 0"
    );
}

#[test]
fn fences_and_read_modify_writes() {
    assert_eq!(
        body(
            "fence; sfence; sync; r := xchg(x, 1); r := cas(a[1], 0, s); cas(x, 0, 1); fetch_add(x, 2);"
        ),
        "0 -> 1: fence\n\
         1 -> 2: sfence\n\
         2 -> 3: sync\n\
         3 -> 4: locked { r, x := x, 1 }\n\
         4 -> 5: locked { assume(a[1] == 0); r, a[1] := 1, s }\n\
         4 -> 5: locked { assume(!(a[1] == 0)); r := 0 }\n\
         5 -> 6: locked { assume(x == 0); x := 1 }\n\
         5 -> 6: locked { assume(!(x == 0)) }\n\
         6 -> 7: locked { x := x + 2 }"
    );
}

#[test]
fn branches_meet_without_extra_steps() {
    assert_eq!(
        body("if (x) then y := 1; else y := 2; fi; r := y;"),
        "0 -> 1: assume(x)\n0 -> 2: assume(!x)\n1 -> 3: y := 1\n2 -> 3: y := 2\n3 -> 4: r := y"
    );
    assert_eq!(body("if (x) { } r := 1;"), "0 -> 1: assume(x)\n0 -> 1: assume(!x)\n1 -> 2: r := 1");
}

#[test]
fn an_elif_is_an_if_after_else() {
    let with_words = body("if (x) then r := 1; elif (y) then r := 2; else r := 3; fi");
    let with_braces = body("if (x) { r := 1; } else if (y) { r := 2; } else { r := 3; }");
    let nested = body("if (x) then r := 1; else if (y) then r := 2; else r := 3; fi fi");
    assert_eq!(with_words, with_braces);
    assert_eq!(with_words, nested);
    assert_eq!(with_words.lines().count(), 7);
}

#[test]
fn a_while_leads_back_to_its_own_point() {
    assert_eq!(
        body("while (x == 0) do r := r + 1; od; y := 1;"),
        "0 -> 1: assume(x == 0)\n0 -> 2: assume(!(x == 0))\n1 -> 0: r := r + 1\n2 -> 3: y := 1"
    );
    assert_eq!(body("while (x) do od"), "0 -> 0: assume(x)\n0 -> 1: assume(!x)");
    assert_eq!(body("while (true) { x := 1; }"), "0 -> 1: skip\n1 -> 0: x := 1");
}

#[test]
fn a_loop_costs_nothing() {
    assert_eq!(body("loop { x := 1; y := 2; }"), "0 -> 1: x := 1\n1 -> 0: y := 2");
    assert_eq!(body("loop { }"), "0 -> 0: skip");
    assert_eq!(body("r := 1; loop { loop { x := r; } }"), "0 -> 1: r := 1\n1 -> 1: x := r");
    assert_eq!(
        body("loop { if (x) { break; } if (y) { continue; } r := 1; } s := 1;"),
        "0 -> 1: assume(x)\n0 -> 2: assume(!x)\n2 -> 0: assume(y)\n2 -> 3: assume(!y)\n\
         3 -> 0: r := 1\n1 -> 4: s := 1"
    );
}

#[test]
fn a_loop_that_starts_with_a_jump_is_a_step() {
    assert_eq!(
        body("loop { break; L: x := 1; } y := 2; goto L;"),
        "0 -> 1: skip\n2 -> 0: x := 1\n1 -> 2: y := 2"
    );
    assert_eq!(body("loop { continue; }"), "0 -> 0: skip");
}

#[test]
fn a_goto_after_a_statement_costs_nothing() {
    assert_eq!(body("L: x := 1; goto L;"), "0 -> 0: x := 1");
    assert_eq!(
        body("goto M; L: x := 1; goto done; M: y := 1; goto L; done: ;"),
        "1 -> 2: x := 1\n0 -> 1: y := 1"
    );
}

#[test]
fn a_goto_that_control_can_stand_at_is_a_step() {
    assert_eq!(body("A: goto B; B: x := 1;"), "0 -> 1: skip\n1 -> 2: x := 1");
    assert_eq!(body("A: goto A;"), "0 -> 0: skip");
    assert_eq!(body("L: choose { goto L; } or { x := 1; }"), "0 -> 0: skip\n0 -> 1: x := 1");
}

#[test]
fn a_choice_leaves_one_point() {
    assert_eq!(
        body(
            "choose { x := 1; } or { assume(y); r := 1; } or { } or { while (x) { y := 1; } } s := 1;"
        ),
        "0 -> 1: x := 1\n\
         0 -> 2: assume(y)\n\
         2 -> 1: r := 1\n\
         0 -> 1: skip\n\
         0 -> 3: skip\n\
         3 -> 4: assume(x)\n\
         3 -> 1: assume(!x)\n\
         4 -> 3: y := 1\n\
         1 -> 5: s := 1"
    );
    assert_eq!(body("r := choose(-1..1);"), "0 -> 1: r := -1\n0 -> 1: r := 0\n0 -> 1: r := 1");
}

#[test]
fn straight_atomic_and_locked_blocks_are_one_step() {
    let one = "0 -> 1: locked { assume(x == 0); x := 1; assert(x) }";
    assert_eq!(body("atomic { assume(x == 0); x := 1; assert(x); }"), one);
    assert_eq!(body("locked { assume(x == 0); x := 1; assert(x); }"), one);
}

#[test]
fn atomic_sections_lock_everything_inside() {
    let text = "shared int x; process p begin x := 1; \
        atomic { assume(x); while (x < 3) do x := x + 1; od } x := 9; end";
    let p = program(text);
    assert_eq!(
        steps(&p, "p"),
        "0 -> 1: x := 1\n\
         1 -> 2: assume(x); fence\n\
         2 -> 3: locked { assume(x < 3) }\n\
         2 -> 4: locked { assume(!(x < 3)) }\n\
         3 -> 2: locked { x := x + 1 }\n\
         4 -> 5: x := 9"
    );
    assert_eq!(points(&p.defs[0]), ["2: atomic", "3: atomic", "5: end"]);
}

#[test]
fn atomic_begin_and_end_are_steps_as_in_the_paper() {
    let p = program(
        "Svar x Gvar g main p begin a: atomic_begin; b: x := g; c: g := x; d: atomic_end; e: skip; end",
    );
    assert_eq!(
        steps(&p, "p"),
        "0 -> 1: fence\n1 -> 2: locked { x := g }\n2 -> 3: locked { g := x }\n\
         3 -> 4: locked { skip }\n4 -> 5: skip"
    );
    assert_eq!(
        points(&p.defs[0]),
        ["0:a", "1:b atomic", "2:c atomic", "3:d atomic", "4:e", "5: end"]
    );
}

#[test]
fn procedures_are_copied_into_each_process_that_calls_them() {
    let p = program(
        "Svar x Gvar g
         procedure f(n) begin local int k = 2; if (n > 0) then call f(n - k); fi; g := n; end
         process p begin call f(3); end
         process q begin atomic { call f(1); skip; } end
         process r begin skip; end",
    );
    assert_eq!(
        steps(&p, "p"),
        "0 -> 2 then 1: call f(3)\n\
         2 -> 3: assume(n > 0)\n\
         2 -> 4: assume(!(n > 0))\n\
         3 -> 2 then 4: call f(n - k)\n\
         4 -> 5: g := n\n\
         5 -> return: return"
    );
    let names: Vec<_> = p.defs[0].registers.iter().map(|r| r.name.as_str()).collect();
    assert_eq!(names, ["g", "n", "k"]);
    assert_eq!(p.defs[0].procedures[0].params, 1);
    assert!(steps(&p, "q").contains("locked { return }"), "{}", steps(&p, "q"));
    assert!(p.defs[2].procedures.is_empty());
    assert_eq!(p.defs[2].registers.len(), 1);
}

#[test]
fn return_ends_a_process_without_a_step() {
    assert_eq!(
        body("if (x) { return; } y := 1;"),
        "0 -> 1: assume(x)\n0 -> 2: assume(!x)\n2 -> 1: y := 1"
    );
}

#[test]
fn labels_name_points_and_end_marks_them() {
    let p = program(
        "shared int x; process p begin A: B: x := 1; end: C: await(x == 2); loop { D: x := 3; } end",
    );
    assert_eq!(points(&p.defs[0]), ["0:A,B", "1:C end", "2:D"]);
}

#[test]
fn who_starts_without_main() {
    let p = program(
        "process a begin spawn w(1, 2); end process w(m, n) begin skip; end
         process b[2](i) begin skip; end",
    );
    let names: Vec<_> = p.processes.iter().map(|p| p.name.as_str()).collect();
    assert_eq!(names, ["a", "b[0]", "b[1]", "w#1", "w#2", "w#3", "w#4"]);
    assert_eq!(p.processes[2].args, [1]);
}

#[test]
fn who_starts_with_main() {
    let p = program(
        "main m begin spawn w; end process w begin skip; end process t begin skip; end
         process c[1] begin skip; end",
    );
    let names: Vec<_> = p.processes.iter().map(|p| p.name.as_str()).collect();
    assert_eq!(names, ["m", "c[0]", "w#1", "w#2", "w#3", "w#4"]);
}

#[test]
fn declarations_have_types_and_initial_values() {
    let p = program(
        "const N = 2, M = N * 2;
         shared 1..M t; shared bool f[N] = {1, 0}; ghost byte b = 255; shared wrap -1..1 w = -1;
         Svar s = 1, v[3] u;
         process p begin local short q[2] = 7; skip; end",
    );
    let shown: Vec<_> = p.vars.iter().map(|v| format!("{} {:?}", v.name, v.init)).collect();
    assert_eq!(shown, ["t [1]", "f [1, 0]", "b [255]", "w [-1]", "s [1]", "v [0, 0, 0]", "u [0]"]);
    assert_eq!(p.vars[0].ty, taut_ir::Type::range(1, 4));
    assert_eq!(p.defs[0].registers[0].init, [7, 7]);
}

#[test]
fn properties_see_everything() {
    let p = program(
        "shared int x, a[2]; const K = 1;
         process p[2](i) begin local int r; cs: r := x; assert(r); assert(r > 0); end
         forbid both: p[0]@cs && p[K]@cs && p[0]:r = 1;
         invariant \"all is well\": view(p[1], a[i]) == 0 or drained(p[0]) ? x < 3 : not (a[1] == 2);",
    );
    let names: Vec<_> = p.properties.iter().map(|p| p.name.as_str()).collect();
    assert_eq!(names, ["assert:2", "assert:2:2", "both", "all is well"]);
    let taut_ir::PropertyKind::Forbid(e) = &p.properties[2].kind else { panic!() };
    assert_eq!(p.show_expr(None, e).to_string(), "p[0]@cs && p[1]@cs && p[0]:r == 1");
}

#[test]
fn crlf_changes_nothing() {
    let text = "shared int x;\nprocess p begin\n x := 1; // one\n assert(x);\nend\n";
    let (lf, crlf) = (program(text), program(&text.replace('\n', "\r\n")));
    assert_eq!(lf.properties[0].name, "assert:4");
    assert!(taut_lang::same(&lf, &crlf));
}

/// The names of the processes, and those of the definitions with any number of them.
fn processes(text: &str, threads: Option<Threads>) -> (Vec<String>, Vec<String>) {
    let mut map = taut_source::SourceMap::new();
    let file = map.add("p.taut", text);
    let options = taut_lang::Options { threads, ..taut_lang::Options::default() };
    let program = taut_lang::parse(&map, file, &options).expect("a program");
    let any = program.replicated.iter().map(|d| program.defs[d.index()].name.clone()).collect();
    (program.processes.into_iter().map(|p| p.name).collect(), any)
}

#[test]
fn any_number_of_processes_are_those_that_properties_name() {
    let p = "shared bool x; process p[*](i) begin cs: x := 1; end process q begin x := 0; end";
    let names = |list: &[&str]| list.iter().map(ToString::to_string).collect::<Vec<_>>();
    assert_eq!(processes(p, None), (names(&["p[0]", "q"]), names(&["p"])));
    assert_eq!(processes(p, Some(Threads::Any)), processes(p, None));
    let named = format!("{p} forbid f: p[0]@cs && p[2]@cs;");
    let all = names(&["p[0]", "q", "p[1]", "p[2]"]);
    assert_eq!(processes(&named, None), (all, names(&["p"])));
    let three = names(&["p[0]", "p[1]", "p[2]", "q"]);
    assert_eq!(processes(&named, Some(Threads::Number(3))), (three, names(&[])));
}
