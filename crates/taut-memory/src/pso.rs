//! Partial store order: one FIFO buffer per process and place, and store fences between them.
//!
//! A store fence (`sfence`, SPARC's `stbar`) keeps later stores of its process behind earlier ones. It is
//! kept as an *epoch*: every waiting entry knows how many store fences separate it from the oldest entries
//! that wait, and only entries of epoch 0 may commit. When the last entry of epoch 0 commits, all epochs
//! move down by one. `current` is the epoch that the next store gets.
//!
//! Invariants, which make states canonical: the epochs of waiting entries are 0, 1, … without a gap; in
//! each buffer they do not decrease from old to new; `current` is the largest of them or one more; with
//! nothing waiting it is 0. A fence while no entry of the current epoch waits changes nothing. Processes
//! without store fences have no epochs at all (0 bits).

use std::collections::HashMap;

use std::convert::Infallible;

use taut_ir::{Effect, Footprint, Interval, ProcId, Program};

use crate::fifo::Fifo;
use crate::pending::most_pending;
use crate::queue::Queue;
use crate::{BufferFull, CellId, Cells, Field, LayoutBuilder, MemorySystem, ModelSystem, Sc};

/// Memory behind one store buffer for each process and place.
#[derive(Clone, Debug)]
pub struct Pso {
    memory: Sc,
    processes: Vec<ProcessBuffers>,
}

/// The buffers of one process.
#[derive(Clone, Debug)]
struct ProcessBuffers {
    buffers: Vec<Buffer>,
    /// For each place of the program its position in `buffers`.
    slot_of: Vec<Option<u32>>,
    /// The epoch of the next store; 0 bits for a process without store fences.
    current: Field,
    fences: bool,
}

/// The buffer of one process for one place.
#[derive(Clone, Debug)]
struct Buffer {
    place: CellId,
    len: Field,
    capacity: u64,
    /// Whether the code may store more than that before it drains the buffer.
    can_fill: bool,
    values: Fifo,
    epochs: Fifo,
    lo: i64,
}

impl Pso {
    /// Lays out memory and the buffers of each process, each of at most `bound` entries.
    pub fn new(program: &Program, places: &Cells, bound: u32, layout: &mut LayoutBuilder) -> Pso {
        let _phase = taut_budget::phase("buffers are laid out");
        let memory = Sc::new(places, layout);
        let buffers = |p| ProcessBuffers::new(program, places, p, bound, layout);
        Pso { memory, processes: program.process_ids().map(buffers).collect() }
    }
}

impl ProcessBuffers {
    fn new(
        program: &Program,
        places: &Cells,
        process: ProcId,
        bound: u32,
        layout: &mut LayoutBuilder,
    ) -> ProcessBuffers {
        let stored = places.buffered_by(program, process);
        let def = program.def_of(process);
        let sizes = sizes(program, places, process, &stored, bound);
        let fences = def.steps.iter().any(|s| s.effects.contains(&Effect::StoreFence));
        let entries = sizes.iter().map(|size| i64::from(size.capacity));
        let most_epochs = if fences { entries.sum() } else { 0 };
        let epoch = Interval { lo: 0, hi: most_epochs };
        let mut slot_of = vec![None; places.len()];
        let buffers = stored.iter().zip(sizes).enumerate().map(|(slot, (&place, size))| {
            slot_of[place.index()] = Some(slot as u32);
            Buffer::new(places, place, size, epoch.bits(), layout)
        });
        let buffers = buffers.collect();
        ProcessBuffers { buffers, slot_of, current: layout.add(epoch), fences }
    }

    #[inline]
    fn buffer(&self, place: CellId) -> Option<&Buffer> {
        Some(&self.buffers[self.slot_of[place.index()]? as usize])
    }

    /// The buffers with something in them.
    #[inline]
    fn waiting<'a>(&'a self, state: &'a [u64]) -> impl Iterator<Item = &'a Buffer> {
        self.buffers.iter().filter(|b| b.len.bits(state) > 0)
    }

    fn fence(&self, state: &mut [u64]) {
        let current = self.current.bits(state);
        let newest = |b: &Buffer| b.epochs.get(state, b.len.bits(state) as usize - 1);
        if self.waiting(state).any(|b| newest(b) == current) {
            self.current.set_bits(state, current + 1);
        }
        debug_assert!(self.is_canonical(state), "epochs after a store fence");
    }

    /// Restores the invariants after a commit.
    fn settle(&self, state: &mut [u64]) {
        match self.waiting(state).map(|b| b.epochs.get(state, 0)).min() {
            None => self.current.set_bits(state, 0),
            Some(0) => {}
            Some(gap) => {
                self.current.set_bits(state, self.current.bits(state) - gap);
                for b in &self.buffers {
                    for i in 0..b.len.bits(state) as usize {
                        b.epochs.set(state, i, b.epochs.get(state, i) - gap);
                    }
                }
            }
        }
        debug_assert!(self.is_canonical(state), "epochs after a commit");
    }

    /// Whether the invariants of epochs hold: no gap, in each buffer from old to new, and the current one is the largest or
    /// one more.
    fn is_canonical(&self, state: &[u64]) -> bool {
        let mut all: Vec<u64> = self.buffers.iter().flat_map(|b| b.epochs(state)).collect();
        all.sort_unstable();
        all.dedup();
        let (count, current) = (all.len() as u64, self.current.bits(state));
        self.buffers.iter().all(|b| b.epochs(state).is_sorted())
            && all.into_iter().eq(0..count)
            && (count.saturating_sub(1)..=count).contains(&current)
    }
}

/// The number of entries that a buffer has room for.
#[derive(Clone, Copy)]
struct Size {
    capacity: u32,
    can_fill: bool,
}

/// Steps that are looked at before the analysis gives up. Buffers after that have room for the bound.
const MOST_WORK: usize = 20_000_000;

/// How many entries the buffer of each stored place needs room for.
fn sizes(
    program: &Program,
    places: &Cells,
    process: ProcId,
    stored: &[CellId],
    bound: u32,
) -> Vec<Size> {
    let def = program.def_of(process);
    // The steps that may store to each place, as often as they may.
    let mut storing: HashMap<CellId, Vec<usize>> = HashMap::new();
    for (i, step) in Footprint::of_steps(program, def).iter().enumerate() {
        for place in step.stores.iter().flat_map(|&locations| places.meant(locations)) {
            storing.entry(place).or_default().push(i);
        }
    }
    // Elements of an array are mostly stored by the same steps: one analysis for all of them.
    let mut known: HashMap<&[usize], Size> = HashMap::new();
    let mut work: usize = 0;
    let size = |place: &CellId| {
        let steps = storing[place].as_slice();
        *known.entry(steps).or_insert_with(|| {
            work = work.saturating_add(def.steps.len());
            if work > MOST_WORK {
                return Size { capacity: bound, can_fill: true };
            }
            let mut counts = vec![0; def.steps.len()];
            steps.iter().for_each(|&step| counts[step] += 1);
            let most = most_pending(def, |step| counts[step], bound);
            Size {
                capacity: most.map_or(bound, |most| most.min(bound)),
                can_fill: most.is_none_or(|most| most > bound),
            }
        })
    };
    stored.iter().map(size).collect()
}

impl Buffer {
    fn queue(&self) -> Queue {
        Queue {
            len: self.len,
            values: self.values.entries(self.capacity),
            numbers: Vec::new(),
            places: vec![self.place],
            lowest: vec![self.lo],
            others: self.epochs.entries(self.capacity),
        }
    }

    fn new(
        places: &Cells,
        place: CellId,
        Size { capacity, can_fill }: Size,
        epoch_bits: u32,
        layout: &mut LayoutBuilder,
    ) -> Buffer {
        let interval = places.interval(place);
        Buffer {
            place,
            len: layout.add(Interval { lo: 0, hi: i64::from(capacity) }),
            capacity: u64::from(capacity),
            can_fill,
            values: Fifo::new(layout, interval.bits(), capacity),
            epochs: Fifo::new(layout, epoch_bits, capacity),
            lo: interval.lo,
        }
    }

    #[inline]
    fn push(&self, state: &mut [u64], value: i64, epoch: u64) -> Result<(), BufferFull> {
        let len = self.len.bits(state);
        if len == self.capacity {
            return Err(BufferFull);
        }
        debug_assert!(self.is_free(state, len as usize), "behind the last entry all bits are zero");
        self.values.set(state, len as usize, value.wrapping_sub(self.lo) as u64);
        self.epochs.set(state, len as usize, epoch);
        self.len.set_bits(state, len + 1);
        Ok(())
    }

    #[inline]
    fn value(&self, state: &[u64], index: usize) -> i64 {
        self.lo.wrapping_add(self.values.get(state, index) as i64)
    }

    /// Whether nothing is kept where the entry at an index would be.
    fn is_free(&self, state: &[u64], index: usize) -> bool {
        self.values.get(state, index) == 0 && self.epochs.get(state, index) == 0
    }

    /// The epochs of the entries, from old to new.
    fn epochs<'s>(&'s self, state: &'s [u64]) -> impl Iterator<Item = u64> + 's {
        (0..self.len.bits(state) as usize).map(|i| self.epochs.get(state, i))
    }

    #[inline]
    fn pop(&self, state: &mut [u64]) -> i64 {
        debug_assert_ne!(self.len.bits(state), 0, "a commit takes an entry that is there");
        let oldest = self.value(state, 0);
        self.values.pop(state);
        self.epochs.pop(state);
        self.len.set_bits(state, self.len.bits(state) - 1);
        oldest
    }
}

impl ModelSystem for Pso {
    fn lay_out(program: &Program, places: &Cells, bound: u32, layout: &mut LayoutBuilder) -> Self {
        Pso::new(program, places, bound, layout)
    }
}

impl MemorySystem for Pso {
    type Open = Infallible;

    #[inline]
    fn load(&self, state: &[u64], process: ProcId, place: CellId) -> Result<i64, Infallible> {
        let buffer = self.processes[process.index()].buffer(place);
        Ok(match buffer.map(|b| (b, b.len.bits(state))) {
            Some((buffer, len)) if len > 0 => buffer.value(state, len as usize - 1),
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
        let epoch = process.current.bits(state);
        let buffer = process.buffer(place).expect("a process stores only where its code does");
        let stored = buffer.push(state, value, epoch);
        debug_assert!(!process.fences || process.is_canonical(state), "epochs after a store");
        stored
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
        self.processes[process.index()].waiting(state).for_each(|b| f(b.place));
    }

    #[inline]
    fn for_each_commit(&self, state: &[u64], process: ProcId, mut f: impl FnMut(CellId)) {
        for buffer in self.processes[process.index()].waiting(state) {
            if buffer.epochs.get(state, 0) == 0 {
                f(buffer.place);
            }
        }
    }

    #[inline]
    fn commit(&self, state: &mut [u64], process: ProcId, place: CellId) {
        let process = &self.processes[process.index()];
        let value = process.buffer(place).expect("a place with a buffer").pop(state);
        self.memory.write(state, place, value);
        if process.fences {
            process.settle(state);
        }
    }

    #[inline]
    fn room(&self, state: &[u64], process: ProcId, place: CellId) -> u64 {
        let buffer = self.processes[process.index()].buffer(place);
        buffer.map_or(u64::MAX, |b| b.capacity - b.len.bits(state))
    }

    fn can_fill(&self, process: ProcId, place: CellId) -> bool {
        self.processes[process.index()].buffer(place).is_some_and(|b| b.can_fill)
    }

    fn is_buffered(&self, process: ProcId, place: CellId) -> bool {
        self.processes[process.index()].slot_of[place.index()].is_some()
    }

    fn queues(&self, process: ProcId) -> Option<Vec<Queue>> {
        Some(self.processes[process.index()].buffers.iter().map(Buffer::queue).collect())
    }

    fn buffer_fields(&self, process: ProcId) -> Vec<Field> {
        let ProcessBuffers { buffers, current, .. } = &self.processes[process.index()];
        let of_place = |b: &Buffer| [&[b.len], b.values.fields(), b.epochs.fields()].concat();
        buffers.iter().flat_map(of_place).chain([*current]).collect()
    }

    #[inline]
    fn field(&self, place: CellId) -> Field {
        self.memory.field(place)
    }
}
