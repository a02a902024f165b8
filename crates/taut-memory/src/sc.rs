//! Sequential consistency: no buffers, every store is seen by everybody at once.

use std::convert::Infallible;

use taut_ir::{ProcId, Program};

use crate::queue::Queue;
use crate::{BufferFull, CellId, Cells, Field, LayoutBuilder, MemorySystem, ModelSystem};

/// Shared memory: one field for each place. The other systems put buffers before it.
#[derive(Clone, Debug)]
pub struct Sc {
    fields: Vec<Field>,
}

impl Sc {
    /// Lays out memory.
    pub fn new(places: &Cells, layout: &mut LayoutBuilder) -> Sc {
        Sc { fields: places.ids().map(|p| layout.add(places.interval(p))).collect() }
    }
}

impl ModelSystem for Sc {
    fn lay_out(_: &Program, places: &Cells, _: u32, layout: &mut LayoutBuilder) -> Self {
        Sc::new(places, layout)
    }
}

impl MemorySystem for Sc {
    type Open = Infallible;

    #[inline]
    fn load(&self, state: &[u64], _: ProcId, place: CellId) -> Result<i64, Infallible> {
        Ok(self.memory(state, place))
    }

    #[inline]
    fn store(
        &self,
        state: &mut [u64],
        _: ProcId,
        place: CellId,
        value: i64,
    ) -> Result<(), BufferFull> {
        self.write(state, place, value);
        Ok(())
    }

    fn store_fence(&self, _: &mut [u64], _: ProcId) {}

    #[inline]
    fn is_drained(&self, _: &[u64], _: ProcId) -> bool {
        true
    }

    #[inline]
    fn for_each_pending(&self, _: &[u64], _: ProcId, _: impl FnMut(CellId)) {}

    #[inline]
    fn for_each_commit(&self, _: &[u64], _: ProcId, _: impl FnMut(CellId)) {}

    fn commit(&self, _: &mut [u64], _: ProcId, _: CellId) {
        unreachable!("nothing waits under sequential consistency");
    }

    fn is_buffered(&self, _: ProcId, _: CellId) -> bool {
        false
    }

    fn queues(&self, _: ProcId) -> Option<Vec<Queue>> {
        Some(Vec::new())
    }

    fn buffer_fields(&self, _: ProcId) -> Vec<Field> {
        Vec::new()
    }

    #[inline]
    fn field(&self, place: CellId) -> Field {
        self.fields[place.index()]
    }
}
