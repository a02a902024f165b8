//! Slots and epochs by hand.

use super::*;
use taut_ir::build::ProgramBuilder;
use taut_ir::ranges::Ranges;
use taut_ir::{Expr, Mode, Type};

const P: ProcId = ProcId(0);
const Q: ProcId = ProcId(1);
const A: CellId = CellId(0);
const B: CellId = CellId(1);
const C: CellId = CellId(2);

/// Variables a, b and c from 0 to 3; p stores to all of them, q to none.
struct Bench {
    system: Delayed,
    bits: usize,
    state: Vec<u64>,
}

fn bench(fences: bool) -> Bench {
    let mut b = ProgramBuilder::new("bench");
    let vars = ["a", "b", "c"].map(|name| b.shared(name, Type::range(0, 3), 0));
    let mut p = b.process("p");
    for var in vars {
        p.store(var, 1).store(var, 2).store(var, 3);
    }
    if fences {
        p.step(Expr::TRUE, Mode::Plain, vec![Effect::StoreFence]);
    }
    p.finish();
    b.process("q").finish();
    let program = b.build().expect("a program");
    let places = Cells::new(&program, &Ranges::of(&program));
    let mut layout = LayoutBuilder::new();
    let system = Delayed::new(&program, &places, &mut layout);
    let layout = layout.finish();
    Bench { system, bits: layout.bits, state: vec![0; layout.words] }
}

impl Bench {
    fn store(mut self, place: CellId, value: i64) -> Bench {
        assert_eq!(self.system.store(&mut self.state, P, place, value), Ok(()));
        self
    }

    fn fence(mut self) -> Bench {
        self.system.store_fence(&mut self.state, P);
        self
    }

    fn commit(mut self, place: CellId) -> Bench {
        assert!(self.commits().contains(&place), "{place:?} cannot commit");
        self.system.commit(&mut self.state, P, place);
        self
    }

    fn write(mut self, place: CellId, value: i64) -> Bench {
        self.system.write_atomically(&mut self.state, P, place, value);
        self
    }

    fn commits(&self) -> Vec<CellId> {
        let mut all = Vec::new();
        self.system.for_each_commit(&self.state, P, |p| all.push(p));
        all
    }

    fn seen(&self, process: ProcId, place: CellId) -> i64 {
        let Ok(value) = self.system.load(&self.state, process, place);
        value
    }
}

#[test]
fn a_newer_store_replaces_the_one_that_waits() {
    let bench = bench(false).store(A, 1).store(A, 2);
    assert_eq!((bench.seen(P, A), bench.seen(Q, A)), (2, 0));
    assert_eq!(bench.commits(), [A]);
    let bench = bench.commit(A);
    assert_eq!((bench.seen(P, A), bench.seen(Q, A)), (2, 2));
    assert!(bench.system.is_drained(&bench.state, P));
}

#[test]
fn empty_slots_are_zero_bits() {
    let committed = bench(true).store(A, 1).fence().store(B, 2).commit(A).commit(B);
    let written = bench(true).write(A, 1).write(B, 2);
    assert_eq!(committed.state, written.state);
}

#[test]
fn only_store_fences_cost_epochs() {
    // Memory and slots of p: two bits each and a bit that says whether it is occupied.
    assert_eq!(bench(false).bits, 3 * 2 + 3 * 3);
    // Epochs of the slots and of the next store, from 0 to 3.
    assert_eq!(bench(true).bits, bench(false).bits + 4 * 2);
}

#[test]
fn a_store_fence_holds_later_stores_back() {
    let bench = bench(true).store(B, 1).fence().store(A, 1).store(C, 1);
    assert_eq!(bench.commits(), [B]);
    assert_eq!(bench.commit(B).commits(), [A, C]);
}

#[test]
fn fences_without_stores_between_them_are_one() {
    let once = bench(true).store(A, 1).fence().store(B, 1);
    let twice = bench(true).fence().store(A, 1).fence().fence().store(B, 1);
    assert_eq!(once.state, twice.state);
}

#[test]
fn an_overwritten_slot_takes_the_epoch_of_the_newer_store() {
    let bench = bench(true).store(A, 1).fence().store(B, 1).store(A, 2);
    assert_eq!(bench.commits(), [A, B], "the store before the fence is gone");
}

#[test]
fn epochs_close_up_where_a_slot_leaves_the_middle() {
    let overwritten = bench(true).store(A, 1).fence().store(B, 1).fence().store(C, 1);
    let overwritten = overwritten.store(B, 2);
    let straight = bench(true).store(A, 1).fence().store(C, 1).store(B, 2);
    assert_eq!(overwritten.state, straight.state);
    assert_eq!(overwritten.commits(), [A]);
}

#[test]
fn a_store_fence_outlives_the_store_after_it() {
    let dropped = bench(true).store(A, 1).fence().store(B, 1).write(B, 3);
    assert_eq!((dropped.seen(P, B), dropped.seen(Q, B)), (3, 3));
    let dropped = dropped.store(C, 1);
    assert_eq!(dropped.commits(), [A], "c was stored after the fence, a before it");
    let behind = bench(true).write(B, 3).store(A, 1).fence().fence().store(C, 1);
    assert_eq!(dropped.state, behind.state);
}
