//! Sequential consistency: no buffers, every store is seen by everybody at once.

use taut_ir::ProcId;

use crate::{BufferFull, CellId, Cells, Field, LayoutBuilder, MemorySystem};

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

impl MemorySystem for Sc {
    #[inline]
    fn load(&self, state: &[u64], _: ProcId, place: CellId) -> i64 {
        self.memory(state, place)
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

    fn buffer_fields(&self, _: ProcId) -> Vec<Field> {
        Vec::new()
    }

    #[inline]
    fn field(&self, place: CellId) -> Field {
        self.fields[place.index()]
    }
}
