//! Write-combining buffers, a toy: one slot per process and place, where a newer store replaces the one that waits, as
//! with delayed writes; but an atomic write waits until the slots of its process are empty, as under TSO and PSO.
//!
//! It shows what it takes to add a memory model with buffers: this file, its line in `models.rs`, and its capabilities
//! in `taut-ir`. It is there with the feature `toy-model` only, which tests switch on.

use std::convert::Infallible;

use taut_ir::{ProcId, Program};

use crate::{BufferFull, CellId, Cells, Delayed, Field, LayoutBuilder, MemorySystem, ModelSystem};

/// Memory behind one slot per process and place, which atomic writes find empty.
#[derive(Clone, Debug)]
pub struct Combining(Delayed);

impl ModelSystem for Combining {
    fn lay_out(program: &Program, places: &Cells, _: u32, layout: &mut LayoutBuilder) -> Self {
        Combining(Delayed::new(program, places, layout))
    }
}

impl MemorySystem for Combining {
    type Open = Infallible;

    const OVERWRITES: bool = true;

    fn load(&self, state: &[u64], process: ProcId, place: CellId) -> Result<i64, Infallible> {
        self.0.load(state, process, place)
    }

    fn store(
        &self,
        state: &mut [u64],
        process: ProcId,
        place: CellId,
        value: i64,
    ) -> Result<(), BufferFull> {
        self.0.store(state, process, place, value)
    }

    fn write_atomically(&self, state: &mut [u64], process: ProcId, place: CellId, value: i64) {
        debug_assert!(self.is_drained(state, process), "an atomic write waits for empty slots");
        self.write(state, place, value);
    }

    fn store_fence(&self, state: &mut [u64], process: ProcId) {
        self.0.store_fence(state, process);
    }

    fn is_drained(&self, state: &[u64], process: ProcId) -> bool {
        self.0.is_drained(state, process)
    }

    fn for_each_pending(&self, state: &[u64], process: ProcId, f: impl FnMut(CellId)) {
        self.0.for_each_pending(state, process, f);
    }

    fn for_each_commit(&self, state: &[u64], process: ProcId, f: impl FnMut(CellId)) {
        self.0.for_each_commit(state, process, f);
    }

    fn commit(&self, state: &mut [u64], process: ProcId, place: CellId) {
        self.0.commit(state, process, place);
    }

    fn is_buffered(&self, process: ProcId, place: CellId) -> bool {
        self.0.is_buffered(process, place)
    }

    fn buffer_fields(&self, process: ProcId) -> Vec<Field> {
        self.0.buffer_fields(process)
    }

    fn field(&self, place: CellId) -> Field {
        self.0.field(place)
    }
}
