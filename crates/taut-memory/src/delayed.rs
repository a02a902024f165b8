//! Delayed writes: one slot per process and place, where a newer store replaces the one that waits.
//!
//! This is the memory of Havel's thesis (Masaryk University, written `sb(g, p)` and `i(g, p)` there):
//! partial store order with room for one value, except that a full slot makes nobody wait. The older value
//! is gone and never reaches memory. So buffers have no bound to meet, and repeated reachability, which
//! is undecidable for PSO, is decidable here. The price is that runs of PSO are missing, in which two
//! stores of a process to one place wait at once and both are seen by others.
//!
//! An atomic write goes to memory at once and drops what its process has waiting for that place: it would
//! arrive later and undo the newer write. It waits for nothing and drains nothing, store fences included.
//!
//! DIVERGENCE: the thesis has no store fences. Here they are *epochs*, as in `pso`: a slot knows how many
//! store fences separate it from the oldest slots that wait, and only those of epoch 0 may commit. A slot
//! that is overwritten belongs to the newer store, and so to its epoch.
//!
//! Invariants, which make states canonical: an empty slot is zero bits; the epochs of occupied slots are 0,
//! 1, … without a gap; `current`, the epoch of the next store, is the largest of them or one more, and 0
//! if nothing waits. Where one slot stops being of its epoch, at most that one epoch can become empty, and
//! [`Slots::close`] moves the later ones down. Processes without store fences have no epochs (0 bits).

use std::convert::Infallible;

use taut_ir::{Effect, Interval, ProcId, Program};

use crate::{BufferFull, CellId, Cells, Field, LayoutBuilder, MemorySystem, ModelSystem, Sc};

#[cfg(test)]
mod tests;

/// Memory behind one slot for each process and place.
#[derive(Clone, Debug)]
pub struct Delayed {
    memory: Sc,
    processes: Vec<Slots>,
}

/// The slots of one process: for the places that its code stores to.
#[derive(Clone, Debug)]
struct Slots {
    slots: Vec<Slot>,
    /// For each place of the program its position in `slots`.
    slot_of: Vec<Option<u32>>,
    /// The epoch of the next store; 0 bits for a process without store fences.
    current: Field,
    fences: bool,
}

/// The slot of one process for one place.
#[derive(Clone, Debug)]
struct Slot {
    place: CellId,
    /// 1 if a store waits.
    occupied: Field,
    value: Field,
    epoch: Field,
}

impl Delayed {
    /// Lays out memory and the slots of each process.
    pub fn new(program: &Program, places: &Cells, layout: &mut LayoutBuilder) -> Delayed {
        let memory = Sc::new(places, layout);
        let slots = |p| Slots::new(program, places, p, layout);
        Delayed { memory, processes: program.process_ids().map(slots).collect() }
    }
}

impl Slots {
    fn new(
        program: &Program,
        places: &Cells,
        process: ProcId,
        layout: &mut LayoutBuilder,
    ) -> Slots {
        let stored = places.buffered_by(program, process);
        let steps = &program.def_of(process).steps;
        let fences = steps.iter().any(|s| s.effects.contains(&Effect::StoreFence));
        let most_epochs = if fences { stored.len() as i64 } else { 0 };
        let epoch = Interval { lo: 0, hi: most_epochs };
        let mut slot_of = vec![None; places.len()];
        let slot = |(i, place): (usize, CellId)| {
            slot_of[place.index()] = Some(i as u32);
            let (occupied, value) = (layout.add_bits(1), layout.add(places.interval(place)));
            Slot { place, occupied, value, epoch: layout.add(epoch) }
        };
        let slots = stored.into_iter().enumerate().map(slot).collect();
        Slots { slots, slot_of, current: layout.add(epoch), fences }
    }

    #[inline]
    fn slot(&self, place: CellId) -> Option<&Slot> {
        Some(&self.slots[self.slot_of[place.index()]? as usize])
    }

    /// The slots with something in them.
    #[inline]
    fn waiting<'a>(&'a self, state: &'a [u64]) -> impl Iterator<Item = &'a Slot> {
        self.slots.iter().filter(|s| s.is_occupied(state))
    }

    fn has_epoch(&self, state: &[u64], epoch: u64) -> bool {
        self.waiting(state).any(|s| s.epoch.bits(state) == epoch)
    }

    fn fence(&self, state: &mut [u64]) {
        let current = self.current.bits(state);
        if self.has_epoch(state, current) {
            self.current.set_bits(state, current + 1);
        }
        debug_assert!(self.is_canonical(state), "epochs after a store fence");
    }

    fn store(&self, state: &mut [u64], slot: &Slot, value: i64) {
        let left = slot.epoch_if_occupied(state);
        slot.fill(state, value, self.current.bits(state));
        if let Some(left) = left {
            self.close(state, left);
        }
    }

    /// Takes the value out of a slot.
    fn take(&self, state: &mut [u64], slot: &Slot) -> i64 {
        let (value, left) = (slot.value.get(state), slot.epoch.bits(state));
        slot.empty(state);
        self.close(state, left);
        value
    }

    /// Restores the invariants after a slot has left an epoch.
    #[inline]
    fn close(&self, state: &mut [u64], left: u64) {
        if self.fences && !self.has_epoch(state, left) {
            self.move_down(state, left);
        }
        debug_assert!(self.is_canonical(state), "an epoch that was left is closed");
    }

    /// Whether the invariants hold: an empty slot is zero bits, epochs have no gap, and the current one is the largest or
    /// one more.
    fn is_canonical(&self, state: &[u64]) -> bool {
        let mut all: Vec<u64> = self.waiting(state).map(|s| s.epoch.bits(state)).collect();
        all.sort_unstable();
        all.dedup();
        let is_clear = |s: &Slot| s.value.bits(state) == 0 && s.epoch.bits(state) == 0;
        let (count, current) = (all.len() as u64, self.current.bits(state));
        // Without store fences the only epoch has no bits.
        let is_current = !self.fences || (count.saturating_sub(1)..=count).contains(&current);
        self.slots.iter().all(|s| s.is_occupied(state) || is_clear(s))
            && all.into_iter().eq(0..count)
            && is_current
    }

    /// Moves everything above an empty epoch down by one.
    fn move_down(&self, state: &mut [u64], empty: u64) {
        for field in self.slots.iter().map(|s| s.epoch).chain([self.current]) {
            let epoch = field.bits(state);
            if epoch > empty {
                field.set_bits(state, epoch - 1);
            }
        }
    }
}

impl Slot {
    #[inline]
    fn is_occupied(&self, state: &[u64]) -> bool {
        self.occupied.bits(state) == 1
    }

    fn epoch_if_occupied(&self, state: &[u64]) -> Option<u64> {
        self.is_occupied(state).then(|| self.epoch.bits(state))
    }

    fn fill(&self, state: &mut [u64], value: i64, epoch: u64) {
        self.occupied.set_bits(state, 1);
        self.value.set(state, value);
        self.epoch.set_bits(state, epoch);
    }

    fn empty(&self, state: &mut [u64]) {
        self.occupied.set_bits(state, 0);
        self.value.set_bits(state, 0);
        self.epoch.set_bits(state, 0);
    }
}

impl ModelSystem for Delayed {
    fn lay_out(program: &Program, places: &Cells, _: u32, layout: &mut LayoutBuilder) -> Self {
        Delayed::new(program, places, layout)
    }
}

impl MemorySystem for Delayed {
    type Open = Infallible;

    const OVERWRITES: bool = true;

    #[inline]
    fn load(&self, state: &[u64], process: ProcId, place: CellId) -> Result<i64, Infallible> {
        Ok(match self.processes[process.index()].slot(place) {
            Some(slot) if slot.is_occupied(state) => slot.value.get(state),
            _ => self.memory.memory(state, place),
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
        let process = &self.processes[process.index()];
        let slot = process.slot(place).expect("a process stores only where its code does");
        process.store(state, slot, value);
        Ok(())
    }

    #[inline]
    fn write_atomically(&self, state: &mut [u64], process: ProcId, place: CellId, value: i64) {
        let process = &self.processes[process.index()];
        if let Some(slot) = process.slot(place).filter(|s| s.is_occupied(state)) {
            process.take(state, slot);
        }
        self.memory.write(state, place, value);
    }

    fn store_fence(&self, state: &mut [u64], process: ProcId) {
        self.processes[process.index()].fence(state);
    }

    #[inline]
    fn is_drained(&self, state: &[u64], process: ProcId) -> bool {
        self.processes[process.index()].waiting(state).next().is_none()
    }

    #[inline]
    fn for_each_pending(&self, state: &[u64], process: ProcId, mut f: impl FnMut(CellId)) {
        self.processes[process.index()].waiting(state).for_each(|s| f(s.place));
    }

    #[inline]
    fn is_pending(&self, state: &[u64], process: ProcId, place: CellId) -> bool {
        self.processes[process.index()].slot(place).is_some_and(|s| s.is_occupied(state))
    }

    #[inline]
    fn for_each_commit(&self, state: &[u64], process: ProcId, mut f: impl FnMut(CellId)) {
        let first = |s: &&Slot| s.epoch.bits(state) == 0;
        self.processes[process.index()].waiting(state).filter(first).for_each(|s| f(s.place));
    }

    #[inline]
    fn commit(&self, state: &mut [u64], process: ProcId, place: CellId) {
        let process = &self.processes[process.index()];
        let value = process.take(state, process.slot(place).expect("a place with a slot"));
        self.memory.write(state, place, value);
    }

    fn is_buffered(&self, process: ProcId, place: CellId) -> bool {
        self.processes[process.index()].slot_of[place.index()].is_some()
    }

    fn buffer_fields(&self, process: ProcId) -> Vec<Field> {
        let Slots { slots, current, .. } = &self.processes[process.index()];
        let of_slot = |slot: &Slot| [slot.occupied, slot.value, slot.epoch];
        slots.iter().flat_map(of_slot).chain([*current]).collect()
    }

    #[inline]
    fn field(&self, place: CellId) -> Field {
        self.memory.field(place)
    }
}
