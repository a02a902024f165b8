//! Steps that are taken only when nothing else can happen.

use taut_explicit::Completion;
use taut_ir::build::ProgramBuilder;
use taut_ir::{
    Control, Effect, Expr, Finding, Lvalue, Memory, MemoryModel, Program, PropId, Span, Step, Type,
};
use taut_symbolic::SymbolicOptions;
use taut_witness::{Trace, replay};

/// That the second process comes to where it is never still.
const ONCE: PropId = PropId(0);

/// A process that stores once for each timeout, and one that sees a store, takes it back, and is then never
/// still again: there is no timeout for a second store.
fn stores_when_still() -> Program {
    let mut b = ProgramBuilder::new("stores-when-still");
    let x = b.shared("x", Type::range(0, 1), 0);
    let mut p = b.process("p");
    let start = p.here();
    let store = vec![Effect::assign(Lvalue::Var(x), 1)];
    let step = Step::skip(start, start, Span::NONE);
    p.edge(Step { guard: Expr::Timeout, effects: store, ..step });
    p.finish();
    let mut q = b.process("q");
    let old = q.register("old", Type::range(0, 1), 0);
    q.assume(Expr::from(x).equals(1.into())).exchange(old, x, 0);
    let restless = q.here();
    q.edge(Step { target: Control::Goto(restless), ..Step::skip(restless, restless, Span::NONE) });
    q.assume(Expr::from(x).equals(1.into()));
    let again = q.here();
    let q = q.finish();
    assert_eq!(b.forbid("once", Expr::At(q, vec![restless])), ONCE);
    b.forbid("twice", Expr::At(q, vec![again]));
    b.build().expect("a valid program")
}

/// The store in a loop of timeouts is no cycle: as soon as it waits, something else can happen, and a second one
/// must wait for its commit. A buffer that was made larger by it would hold two.
#[test]
fn a_timeout_is_not_repeated_while_a_store_waits() {
    let program = stores_when_still();
    for model in [MemoryModel::Tso, MemoryModel::Pso] {
        let memory = Memory::new(model).bounded(None);
        let options = SymbolicOptions { all: true, ..SymbolicOptions::default() };
        let search = taut_symbolic::explore(&program, memory, &options).exploration;
        assert_eq!(search.completion, Completion::Complete, "{}", model.name());
        let [once] = &search.found[..] else { panic!("{}: {:?}", model.name(), search.found) };
        assert_eq!(once.finding, Finding::Property(ONCE));
        let trace = Trace::new(memory, once.finding, once.actions.clone());
        replay(&program, &trace).expect("the first store is seen");
    }
}
