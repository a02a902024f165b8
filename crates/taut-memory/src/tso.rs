//! Total store order: one FIFO buffer per process, as in x86-TSO (Owens, Sarkar, Sewell 2009) and SPARC TSO.

use std::convert::Infallible;

use taut_fault::{Fault, is_on};
use taut_ir::{Footprint, Interval, ProcId, Program};

use crate::fifo::Fifo;
use crate::pending::most_pending;
use crate::queue::Queue;
use crate::{BufferFull, CellId, Cells, Field, LayoutBuilder, MemorySystem, ModelSystem, Sc};

/// Memory behind one store buffer for each process.
#[derive(Clone, Debug)]
pub struct Tso {
    memory: Sc,
    buffers: Vec<Buffer>,
}

/// The buffer of one process: two queues of one length.
#[derive(Clone, Debug)]
struct Buffer {
    /// How many entries it holds.
    len: Field,
    capacity: u64,
    /// Whether the code may store more than that before it drains the buffer.
    can_fill: bool,
    /// Which place an entry is for, as a position in `places`.
    slots: Fifo,
    /// The value of an entry, as its distance from the smallest value of its place.
    values: Fifo,
    /// The places the process stores to.
    places: Vec<CellId>,
    /// For each place of the program its position in `places`.
    slot_of: Vec<Option<u32>>,
    lo: Vec<i64>,
}

impl Tso {
    /// Lays out memory and a buffer for each process, of at most `bound` entries.
    pub fn new(program: &Program, places: &Cells, bound: u32, layout: &mut LayoutBuilder) -> Tso {
        let _phase = taut_budget::phase("buffers are laid out");
        let memory = Sc::new(places, layout);
        let buffer = |p| Buffer::new(program, places, p, bound, layout);
        Tso { memory, buffers: program.process_ids().map(buffer).collect() }
    }
}

impl Buffer {
    fn new(
        program: &Program,
        places: &Cells,
        process: ProcId,
        bound: u32,
        layout: &mut LayoutBuilder,
    ) -> Buffer {
        let stored = places.buffered_by(program, process);
        let def = program.def_of(process);
        let steps = Footprint::of_steps(program, def);
        let counts: Vec<_> = steps.iter().map(|step| step.stores.len() as u32).collect();
        let most = most_pending(def, |step| counts[step], bound);
        let capacity = most.map_or(bound, |most| most.min(bound));
        let mut slot_of = vec![None; places.len()];
        for (slot, place) in stored.iter().enumerate() {
            slot_of[place.index()] = Some(slot as u32);
        }
        let slots = Interval { lo: 0, hi: stored.len().saturating_sub(1) as i64 };
        let value_bits = stored.iter().map(|&p| places.interval(p).bits()).max().unwrap_or(0);
        Buffer {
            len: layout.add(Interval { lo: 0, hi: i64::from(capacity) }),
            capacity: u64::from(capacity),
            can_fill: most.is_none_or(|most| most > bound),
            slots: Fifo::new(layout, slots.bits(), capacity),
            values: Fifo::new(layout, value_bits, capacity),
            lo: stored.iter().map(|&p| places.interval(p).lo).collect(),
            places: stored,
            slot_of,
        }
    }

    /// The position of the newest entry for a place.
    #[inline]
    fn newest(&self, state: &[u64], place: CellId) -> Option<usize> {
        let slot = u64::from(self.slot_of[place.index()]?);
        if is_on(Fault::OwnStoresAreUnseen) {
            return None;
        }
        if is_on(Fault::OldestIsLoaded) {
            let waiting = self.len.bits(state) as usize;
            return (0..waiting).find(|&i| self.slots.get(state, i) == slot);
        }
        self.slots.newest(state, self.len.bits(state) as usize, slot)
    }

    #[inline]
    fn value(&self, state: &[u64], index: usize) -> i64 {
        let lo = self.lo[self.slots.get(state, index) as usize];
        lo.wrapping_add(self.values.get(state, index) as i64)
    }

    #[inline]
    fn push(&self, state: &mut [u64], place: CellId, value: i64) -> Result<(), BufferFull> {
        let len = self.len.bits(state);
        if len == self.capacity {
            return Err(BufferFull);
        }
        debug_assert!(self.is_free(state, len as usize), "behind the last entry all bits are zero");
        let slot = self.slot_of[place.index()].expect("a process stores only where its code does");
        let offset = value.wrapping_sub(self.lo[slot as usize]) as u64;
        self.slots.set(state, len as usize, u64::from(slot));
        self.values.set(state, len as usize, offset);
        self.len.set_bits(state, len + 1);
        Ok(())
    }

    /// Whether nothing is kept where the entry at an index would be.
    fn is_free(&self, state: &[u64], index: usize) -> bool {
        self.slots.get(state, index) == 0 && self.values.get(state, index) == 0
    }

    #[inline]
    fn pop(&self, state: &mut [u64]) -> (CellId, i64) {
        debug_assert_ne!(self.len.bits(state), 0, "a commit takes an entry that is there");
        let oldest = (self.places[self.slots.get(state, 0) as usize], self.value(state, 0));
        self.slots.pop(state);
        self.values.pop(state);
        self.len.set_bits(state, self.len.bits(state) - 1);
        oldest
    }
}

impl ModelSystem for Tso {
    fn lay_out(program: &Program, places: &Cells, bound: u32, layout: &mut LayoutBuilder) -> Self {
        Tso::new(program, places, bound, layout)
    }
}

impl MemorySystem for Tso {
    type Open = Infallible;

    const IN_ORDER: bool = true;

    #[inline]
    fn load(&self, state: &[u64], process: ProcId, place: CellId) -> Result<i64, Infallible> {
        let buffer = &self.buffers[process.index()];
        Ok(match buffer.newest(state, place) {
            Some(index) => buffer.value(state, index),
            None => self.memory.memory(state, place),
        })
    }

    #[inline]
    fn store(
        &self,
        state: &mut [u64],
        process: ProcId,
        place: CellId,
        value: i64,
    ) -> Result<(), BufferFull> {
        if is_on(Fault::StoresAreImmediate) {
            self.memory.write(state, place, value);
            return Ok(());
        }
        self.buffers[process.index()].push(state, place, value)
    }

    /// Stores commit in order anyway.
    fn store_fence(&self, _: &mut [u64], _: ProcId) {}

    #[inline]
    fn is_drained(&self, state: &[u64], process: ProcId) -> bool {
        self.buffers[process.index()].len.bits(state) == 0
    }

    #[inline]
    fn for_each_pending(&self, state: &[u64], process: ProcId, mut f: impl FnMut(CellId)) {
        let buffer = &self.buffers[process.index()];
        for i in 0..buffer.len.bits(state) as usize {
            f(buffer.places[buffer.slots.get(state, i) as usize]);
        }
    }

    #[inline]
    fn for_each_commit(&self, state: &[u64], process: ProcId, mut f: impl FnMut(CellId)) {
        let buffer = &self.buffers[process.index()];
        if buffer.len.bits(state) > 0 {
            f(buffer.places[buffer.slots.get(state, 0) as usize]);
        }
    }

    #[inline]
    fn commit(&self, state: &mut [u64], process: ProcId, _: CellId) {
        let (place, value) = self.buffers[process.index()].pop(state);
        self.memory.write(state, place, value);
    }

    #[inline]
    fn room(&self, state: &[u64], process: ProcId, _: CellId) -> u64 {
        let buffer = &self.buffers[process.index()];
        buffer.capacity - buffer.len.bits(state)
    }

    fn can_fill(&self, process: ProcId, _: CellId) -> bool {
        self.buffers[process.index()].can_fill
    }

    fn is_buffered(&self, process: ProcId, place: CellId) -> bool {
        self.buffers[process.index()].slot_of[place.index()].is_some()
    }

    fn queues(&self, process: ProcId) -> Option<Vec<Queue>> {
        let Buffer { len, capacity, slots, values, places, lo, .. } =
            &self.buffers[process.index()];
        Some(vec![Queue {
            len: *len,
            values: values.entries(*capacity),
            numbers: slots.entries(*capacity),
            places: places.clone(),
            lowest: lo.clone(),
            others: Vec::new(),
        }])
    }

    fn buffer_fields(&self, process: ProcId) -> Vec<Field> {
        let Buffer { len, slots, values, .. } = &self.buffers[process.index()];
        [&[*len], slots.fields(), values.fields()].concat()
    }

    #[inline]
    fn field(&self, place: CellId) -> Field {
        self.memory.field(place)
    }
}
