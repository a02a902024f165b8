//! Known final states of the classic litmus tests under all three models, both directions: what is
//! allowed appears, what is forbidden does not.

use crate::common;

use common::*;
use taut_ir::MemoryModel::{Pso, Sc, Tso};
use taut_ir::build::ProgramBuilder;
use taut_ir::{Assignment, Effect, Expr, Lvalue, Mode, Type};

#[test]
fn store_buffering_needs_a_fence() {
    let plain = store_buffering(false);
    let strong = set([[0, 1], [1, 0], [1, 1]]);
    let weak = set([[0, 0], [0, 1], [1, 0], [1, 1]]);
    assert_eq!(register_outcomes(&plain, Sc), strong);
    assert_eq!(register_outcomes(&plain, Tso), weak);
    assert_eq!(register_outcomes(&plain, Pso), weak);
    let fenced = store_buffering(true);
    for model in [Sc, Tso, Pso] {
        assert_eq!(register_outcomes(&fenced, model), strong, "{model}");
    }
}

#[test]
fn message_passing_breaks_under_pso_only_and_sfence_fixes_it() {
    let strong = set([[0, 0], [0, 1], [1, 1]]);
    let weak = set([[0, 0], [0, 1], [1, 0], [1, 1]]);
    let plain = message_passing(None);
    assert_eq!(register_outcomes(&plain, Sc), strong);
    assert_eq!(register_outcomes(&plain, Tso), strong);
    assert_eq!(register_outcomes(&plain, Pso), weak);
    let fenced = message_passing(Some(Effect::StoreFence));
    for model in [Sc, Tso, Pso] {
        assert_eq!(register_outcomes(&fenced, model), strong, "{model}");
    }
}

#[test]
fn two_plus_two_writes() {
    // x y: [1, 1] needs each process's second store to be overwritten by the other's first.
    let strong = set([[1, 2], [2, 1], [2, 2]]);
    let program = common::two_plus_two_writes();
    assert_eq!(memory_outcomes(&program, Sc), strong);
    assert_eq!(memory_outcomes(&program, Tso), strong);
    assert_eq!(memory_outcomes(&program, Pso), set([[1, 1], [1, 2], [2, 1], [2, 2]]));
}

/// Store buffering where the store is something else.
fn buffering_with(
    store: impl Fn(&mut taut_ir::build::ProcessBuilder<'_>, taut_ir::VarId),
) -> taut_ir::Program {
    let mut b = ProgramBuilder::new("sb");
    let x = b.shared("x", Type::INT, 0);
    let y = b.shared("y", Type::INT, 0);
    for (name, mine, other) in [("p", x, y), ("q", y, x)] {
        let mut p = b.process(name);
        let r = p.register("r", Type::INT, 0);
        store(&mut p, mine);
        p.load(r, other);
        p.finish();
    }
    b.build().unwrap()
}

#[test]
fn locked_and_atomic_writes_reach_memory_at_once() {
    let strong = set([[0, 1], [1, 0], [1, 1]]);
    let exchange = buffering_with(|p, mine| {
        let old = taut_ir::RegId(0);
        p.exchange(old, mine, 1);
    });
    let atomic = buffering_with(|p, mine| {
        let write = Assignment { place: Lvalue::Var(mine), value: Expr::Const(1), atomic: true };
        p.step(Expr::TRUE, Mode::Plain, vec![Effect::Assign(vec![write])]);
    });
    for model in [Sc, Tso, Pso] {
        assert_eq!(register_outcomes(&exchange, model), strong, "{model}");
        assert_eq!(register_outcomes(&atomic, model), strong, "{model}");
    }
}

#[test]
fn sync_waits_for_the_buffers_of_all() {
    let mut b = ProgramBuilder::new("sync");
    let x = b.shared("x", Type::INT, 0);
    let done = b.ghost("done", Type::BOOL, 0);
    let mut p = b.process("p");
    let both = vec![Effect::assign(Lvalue::Var(x), 1), Effect::assign(Lvalue::Var(done), 1)];
    p.step(Expr::TRUE, Mode::Plain, both);
    p.finish();
    let mut q = b.process("q");
    let r = q.register("r", Type::INT, 0);
    q.assume(Expr::Var(done));
    q.step(Expr::TRUE, Mode::Sync, vec![]);
    q.load(r, x);
    q.finish();
    let program = b.build().unwrap();
    for model in [Sc, Tso, Pso] {
        assert_eq!(register_outcomes(&program, model), set([[1]]), "{model}");
    }
}

/// The counts are those of a small Python script written from the definitions alone.
#[test]
fn state_counts() {
    let counts =
        |program: taut_ir::Program| [Sc, Tso, Pso].map(|m| all_of(&program, unbounded(m)).states);
    assert_eq!(counts(store_buffering(false)), [13, 34, 34]);
    assert_eq!(counts(message_passing(None)), [13, 23, 29]);
    assert_eq!(counts(common::two_plus_two_writes()), [13, 42, 62]);
}
