//! Sequential consistency: no buffers, every store is seen by everybody at once.

use taut_ir::ProcId;

use crate::{BufferFull, Field, LayoutBuilder, MemorySystem, PlaceId, Places};

/// Shared memory: one field for each place. The other systems put buffers before it.
#[derive(Clone, Debug)]
pub struct Sc {
    fields: Vec<Field>,
}

impl Sc {
    /// Lays out memory.
    pub fn new(places: &Places, layout: &mut LayoutBuilder) -> Sc {
        Sc { fields: places.ids().map(|p| layout.add(places.interval(p))).collect() }
    }
}

impl MemorySystem for Sc {
    #[inline]
    fn load(&self, state: &[u64], _: ProcId, place: PlaceId) -> i64 {
        self.memory(state, place)
    }

    #[inline]
    fn store(
        &self,
        state: &mut [u64],
        _: ProcId,
        place: PlaceId,
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
    fn for_each_pending(&self, _: &[u64], _: ProcId, _: impl FnMut(PlaceId)) {}

    #[inline]
    fn for_each_commit(&self, _: &[u64], _: ProcId, _: impl FnMut(PlaceId)) {}

    fn commit(&self, _: &mut [u64], _: ProcId, _: PlaceId) {
        unreachable!("nothing waits under sequential consistency");
    }

    fn is_buffered(&self, _: ProcId, _: PlaceId) -> bool {
        false
    }

    fn buffer_fields(&self, _: ProcId) -> Vec<Field> {
        Vec::new()
    }

    #[inline]
    fn field(&self, place: PlaceId) -> Field {
        self.fields[place.index()]
    }
}
