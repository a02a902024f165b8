//! A memory system in which a load may read an older write: memory without buffers that keeps, for each place, the
//! value before the last write. A load reads either.
//!
//! It is no model of any machine, and weaker than any (a process may see a write and then not see it), but it has what
//! the store-buffer models do not: loads with two outcomes. So it shows that machine and engines need nothing more
//! for a memory model with such loads.
//!
//! Invariants: `older` is what the place held before the last write that changed it; `choice` is 0 in every state that
//! is stored, and says otherwise, while a step is taken, which value its loads of the place read.

use taut_ir::{Interval, ProcId};
use taut_memory::{BufferFull, CellId, Cells, Field, LayoutBuilder, MemorySystem, Question, Sc};

/// Memory that keeps one older value per place.
#[derive(Clone, Debug)]
pub struct Stale {
    memory: Sc,
    older: Vec<Field>,
    choice: Vec<Field>,
}

/// The loads of a step read what memory holds.
const NEWEST: u64 = 1;
/// The loads of a step read the older value.
const OLDER: u64 = 2;

impl Stale {
    /// Lays out memory. The older values at the start are the lowest of their places.
    pub fn new(places: &Cells, layout: &mut LayoutBuilder) -> Stale {
        let memory = Sc::new(places, layout);
        let older = places.ids().map(|p| layout.add(places.interval(p))).collect();
        let choice = places.ids().map(|_| layout.add(Interval { lo: 0, hi: 2 })).collect();
        Stale { memory, older, choice }
    }
}

impl MemorySystem for Stale {
    type Open = Question;

    fn load(&self, state: &[u64], process: ProcId, place: CellId) -> Result<i64, Question> {
        let (newest, older) = (self.memory(state, place), self.older[place.index()].get(state));
        match self.choice[place.index()].bits(state) {
            NEWEST => Ok(newest),
            OLDER => Ok(older),
            _ if newest == older => Ok(newest),
            _ => Err(Question::Load { process, place }),
        }
    }

    fn for_each_outcome(&self, state: &[u64], question: Question, f: &mut dyn FnMut(&[u64])) {
        let Question::Load { place, .. } = question else { return f(state) };
        for choice in [NEWEST, OLDER] {
            let mut outcome = state.to_vec();
            self.choice[place.index()].set_bits(&mut outcome, choice);
            f(&outcome);
        }
    }

    fn forget_choice(&self, state: &mut [u64]) {
        self.choice.iter().for_each(|field| field.set_bits(state, 0));
    }

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

    fn write(&self, state: &mut [u64], place: CellId, value: i64) {
        let before = self.memory(state, place);
        if before != value {
            self.older[place.index()].set(state, before);
        }
        self.field(place).set(state, value);
    }

    fn store_fence(&self, _: &mut [u64], _: ProcId) {}

    fn is_drained(&self, _: &[u64], _: ProcId) -> bool {
        true
    }

    fn for_each_pending(&self, _: &[u64], _: ProcId, _: impl FnMut(CellId)) {}

    fn for_each_commit(&self, _: &[u64], _: ProcId, _: impl FnMut(CellId)) {}

    fn commit(&self, _: &mut [u64], _: ProcId, _: CellId) {
        unreachable!("nothing waits");
    }

    /// Loads must come here, not look at the field of memory.
    fn is_buffered(&self, _: ProcId, _: CellId) -> bool {
        true
    }

    fn buffer_fields(&self, _: ProcId) -> Vec<Field> {
        Vec::new()
    }

    fn field(&self, place: CellId) -> Field {
        self.memory.field(place)
    }
}
