//! Each meaning that a translation has to keep, on a small program of its own, against brute force.

use crate::support;

use support::{Unequal, compare, direct, parse, translated, unbounded};
use taut_ir::{Expr, Finding, Program, PropertyKind, RegId};
use taut_rounds::{Scope, translate};

const LIMIT: usize = 200_000;

/// Compares for every scope up to a bound.
fn same(program: &Program, most: u32) {
    for k in 0..=most {
        for scope in [Scope::Rounds(k), Scope::Age(k)] {
            match compare(program, scope, LIMIT) {
                Ok(()) => {}
                Err(Unequal::Skipped) => panic!("{scope}: too large or not translated"),
                Err(Unequal::Wrong(what)) => panic!("{what}"),
            }
        }
    }
}

const STORE_BUFFERING: &str = "
    shared int x; shared int y;
    process p begin local int r = 7; x := 1; r := y; a: skip; end
    process q begin local int r = 7; y := 1; r := x; a: skip; end
    forbid both: p@a && q@a && p:r == 0 && q:r == 0;
";

/// Both processes see nothing although nothing ever reaches memory: a round each is enough, because a store
/// need not reach memory in the run that is looked at.
#[test]
fn a_store_that_never_reaches_memory_needs_no_round() {
    let program = parse(STORE_BUFFERING);
    same(&program, 2);
    for scope in [Scope::Rounds(0), Scope::Age(0)] {
        let found = direct(&program, scope, LIMIT).expect("small").findings;
        assert_eq!(found.len(), 1, "{scope}");
    }
}

#[test]
fn stores_reach_memory_after_their_process_has_finished() {
    // z is 0 in memory only in a round in which p takes no step.
    same(
        &parse(
            "shared int x; shared int y; shared int z = 5;
        process p begin local int r; x := 1; r := y; z := r; end
        process q begin local int r; y := 1; r := x; assume(r == 1); y := 2; end",
        ),
        3,
    );
}

#[test]
fn views_and_buffers_can_be_asked_about() {
    let mut program = parse(
        "shared int x; shared int y[2];
        process p begin local int i; x := 1; y[i] := 2; i := 1; y[i] := 3; fence; end
        process q begin x := 4; y[1] := 5; end
        forbid a: view(p, x) == 1 && x == 4 && !drained(p);
        forbid b: view(p, y[1]) == 3 && y[1] == 5;
        forbid c: drained(p) && view(p, x) != x;
        invariant d: view(q, y[0]) == y[0];",
    );
    // The language has no syntax for an index in the view of a process; the model has.
    let PropertyKind::Forbid(Expr::Binary(_, left, _)) = &mut program.properties[1].kind else {
        panic!("a conjunction");
    };
    let Expr::Binary(_, view, _) = &mut **left else { panic!("a comparison") };
    let Expr::In(_, inner) = &mut **view else { panic!("a view") };
    let Expr::VarElem(_, index) = &mut **inner else { panic!("an element") };
    **index = Expr::Reg(RegId(0));
    same(&program, 2);
    let found = direct(&program, Scope::Rounds(2), LIMIT).expect("small").findings;
    let names: Vec<_> = found.iter().map(|f| f.name(&program)).collect();
    assert_eq!(names, ["a", "b"]);
}

#[test]
fn atomic_sections_are_looked_into() {
    let program = parse(
        "shared int x; shared int y; ghost int g;
        process p begin
          y := 1;
          atomic { if (x == 0) { x := 1; } else { x := 2; } s: g := x; x := x + 2; }
          y := 2;
        end
        process q begin x := 4; y := 3; end
        forbid inside: p@s && x == 1 && y == 1;",
    );
    same(&program, 2);
    let found = direct(&program, Scope::Rounds(1), LIMIT).expect("small").findings;
    assert_eq!(found.len(), 1);
}

#[test]
fn a_sync_waits_for_everybody() {
    same(
        &parse(
            "shared int x; shared int y;
        process p begin x := 1; sync; y := 1; end
        process q begin local int r; y := 2; r := x; x := r + 2; end",
        ),
        2,
    );
}

#[test]
fn locked_steps_and_atomic_writes_wait_for_the_own_buffer() {
    same(
        &parse(
            "shared int x; shared int y;
        process p begin local int r; x := 1; r := xchg(y, 2); x := r + 3; atomic y := 4; end
        process q begin local int r; y := 5; r := fetch_add(x, 1); y := r; end",
        ),
        3,
    );
}

#[test]
fn several_stores_of_one_step_reach_memory_in_different_rounds() {
    let program = parse(
        "shared int x; shared int y; shared int z;
        process p begin x, y, z := 1, 2, 3; x, y := y, x; end
        process q begin local int r; r := x; z := r; end",
    );
    same(&program, 2);
}

#[test]
fn recursion_and_its_bound() {
    same(&parse("call_depth 2; shared int x; shared int y;
        procedure f(0..3 n) begin local int k; k := n; x := k; if (n < 3) { call f(n + 1); } y := k; end
        process p begin call f(0); end
        process q begin local int r; y := 7; r := x; assert(r != 2); end"), 2);
}

#[test]
fn spawned_processes_free_their_slot_when_nothing_of_them_waits() {
    let program = parse(
        "shared int x; ghost int n;
        main m begin spawn w(1); spawn w(2); spawn w(3); n := x; end
        process w(int i) begin x := i; end",
    );
    let mut few = program.clone();
    // Two slots for three workers.
    few.processes.truncate(3);
    same(&few, 1);
}

#[test]
fn faults_are_found() {
    let program = parse(
        "shared 0..3 x; shared int y; shared int a[2];
        process p begin local int r; x := 3; r := y; x := x + r; end
        process q begin y := 1; a[y + x] := 1; end",
    );
    same(&program, 2);
    let found = direct(&program, Scope::Rounds(2), LIMIT).expect("small").findings;
    assert!(found.iter().all(|f| matches!(f, Finding::Fault(_))) && found.len() == 2, "{found:?}");
}

/// What k reaches, k + 1 reaches; and for programs without loops a large k is TSO.
#[test]
fn scopes_grow_to_all_of_tso() {
    let program = parse(STORE_BUFFERING);
    let all = unbounded(&program, LIMIT).expect("small");
    for scope in [Scope::Rounds, Scope::Age] {
        let mut before = None;
        for k in 0..=5 {
            let translation = translate(&program, scope(k)).expect("it is translated");
            let (reached, _) =
                translated(&translation, &translation.program, LIMIT).expect("small");
            if let Some(before) = &before {
                assert!(reached.configurations.is_superset(before), "{}", scope(k));
            }
            before = Some(reached.configurations);
        }
        assert_eq!(before.as_ref(), Some(&all.configurations));
    }
}

/// Without steps that hold, the same is reached.
#[test]
fn the_portable_form_means_the_same() {
    let program = parse(
        "shared int x; shared int y; shared int a[2];
        process p begin local int r; x := 1; a[r] := 1; r := y; fence; assert(r != 0 || x == 1); end
        process q begin local int r; y := 1; r := x; a[1] := r; end
        forbid f: a[1] == 0 && view(q, a[1]) == 1 && p:r == 0;",
    );
    for scope in [Scope::Rounds(1), Scope::Age(1)] {
        let translation = translate(&program, scope).expect("it is translated");
        let (held, _) = translated(&translation, &translation.program, LIMIT).expect("small");
        let portable = translation.portable();
        let (plain, _) = translated(&translation, &portable, LIMIT).expect("small");
        // What is merely passed through in one form is a state in the other, never a configuration.
        assert_eq!(held, plain, "{scope}");
    }
}

/// A process that begins or ends a round is still or already where the original is, for whoever asks between
/// rounds: also in the portable form, which stores the states in between.
#[test]
fn the_portable_form_is_always_somewhere() {
    let program = parse(
        "shared int x;
        process p begin a: x := 1; b: x := 2; c: skip; end
        process q begin local int r; r := x; end
        invariant somewhere: p@a || p@b || p@c || view(p, x) == 2;",
    );
    for scope in [Scope::Rounds(1), Scope::Age(1)] {
        let translation = translate(&program, scope).expect("it is translated");
        for form in [&translation.program, &translation.portable()] {
            let (reached, _) = translated(&translation, form, LIMIT).expect("small");
            assert!(reached.findings.is_empty(), "{scope}: {:?}", reached.findings);
        }
    }
}
