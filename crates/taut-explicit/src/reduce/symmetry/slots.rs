//! Slots that are numbered anew.
//!
//! Allocated objects lie in slots of arrays that no step can tell apart ([`taut_ir::References`]). In a stored state, slots have the
//! numbers in which they are first met: from the references in memory, in the registers of each process and in the buffers, in
//! a fixed order, and then from the slots that were met, in the order of their numbers. Two states that differ by a renumbering of slots meet
//! corresponding slots in the same order, so that they become one state (Iosif, *Exploiting heap symmetries in explicit-state
//! model checking of software*, 2001).
//!
//! A slot that no reference leads to can never be read again: if it is taken, it stays so, and what it holds does not matter. Such slots come
//! last, and are empty.
//!
//! A queue of stores to one cell of a slot (PSO) is moved as a part of the slot. A slot that only such a queue leads to comes after those that
//! references lead to. Several of these are sorted by what they hold; where that leaves a choice, every order is tried, and the smallest state
//! is kept. There are few: each has a store that waits although its process has dropped the address.

use std::collections::{HashMap, HashSet};

use taut_ir::{Expr, Program, RegId, Slots, VarId};
use taut_machine::Machine;
use taut_memory::{CellId, Field, MemorySystem, Queue};

use super::super::simplify::Question;

/// Numbers slots anew.
#[derive(Clone, Debug)]
pub(super) struct Renumbering {
    runs: Vec<Run>,
    /// The fields with references outside of slots, with what they refer to.
    roots: Vec<(Field, VarId)>,
    /// The queues with entries for several places.
    buffers: Vec<Buffer>,
    /// The fields of registers with references.
    registers: HashSet<(u32, u64)>,
}

/// A run of interchangeable slots.
#[derive(Clone, Debug)]
struct Run {
    slots: Slots,
    /// For each slot its cells, each with what it refers to.
    cells: Vec<Vec<(Field, Option<VarId>)>>,
    /// For each slot the queues of stores to one of its cells.
    queues: Vec<Vec<CellQueue>>,
    taken: Vec<Field>,
}

/// A queue of stores to one cell.
#[derive(Clone, Debug)]
struct CellQueue {
    len: Field,
    /// The values, with what they refer to.
    values: Vec<Field>,
    refers: Option<VarId>,
    others: Vec<Field>,
}

/// The buffer of a process, and where its places are.
#[derive(Clone, Debug)]
struct Buffer {
    queue: Queue,
    /// For each place the slot and the cell that it is, and what it refers to.
    places: Vec<(Option<SlotCell>, Option<VarId>)>,
    place_of: HashMap<SlotCell, usize>,
}

/// What stands for a reference to a slot that has no number yet. No value of a C program is as small.
const UNNUMBERED: i64 = i64::MIN;

/// A cell of a slot: the run, the slot, the cell.
type SlotCell = (usize, u32, u32);

/// The new numbers of slots.
#[derive(Clone)]
struct Numbers {
    /// By run and slot; none if nothing refers to it.
    new: Vec<Vec<Option<u32>>>,
    next: Vec<u32>,
    /// Slots in the order in which they were met.
    met: Vec<(usize, u32)>,
    /// Number of those whose cells were looked at.
    followed: usize,
}

impl Renumbering {
    /// The slots of a program that are interchangeable for what is asked, if there are any.
    pub(super) fn of<M: MemorySystem>(
        program: &Program,
        question: &Question,
        machine: &Machine<M>,
    ) -> Option<Renumbering> {
        let references = &program.references;
        if references.slots.is_empty() || references.defs != program.defs.len() {
            return None;
        }
        if question.exprs().iter().any(|expr| looks_at_references(program, expr)) {
            return None;
        }
        let queues: Option<Vec<Vec<Queue>>> =
            program.process_ids().map(|p| machine.memory().queues(p)).collect();
        let field =
            |var: VarId, index: u32| machine.memory().field(machine.places().of(var, index));
        let refers: HashMap<(VarId, u32), VarId> =
            references.cells.iter().map(|&(var, index, to)| ((var, index), to)).collect();
        let mut runs: Vec<Run> =
            references.slots.iter().map(|s| Run::new(*s, &refers, &field)).collect();
        let mut roots = Vec::new();
        for &(var, index, to) in &references.cells {
            if !runs.iter().any(|run| run.has(var, index)) {
                roots.push((field(var, index), to));
            }
        }
        let mut registers = HashSet::new();
        for process in machine.processes() {
            let def = program.process(process.id).def;
            for &(_, register, to) in references.registers.iter().filter(|(d, ..)| *d == def) {
                let all = &process.registers[RegId::index(register)];
                roots.extend(all.iter().map(|field| (*field, to)));
                registers.extend(all.iter().map(key));
            }
        }
        let variable = |place: CellId| machine.places().variable(place);
        let (of_cells, of_processes): (Vec<_>, Vec<_>) = queues?
            .into_iter()
            .flatten()
            .filter(|queue| !queue.values.is_empty())
            .partition(|queue| queue.numbers.is_empty());
        for queue in of_cells {
            let (var, index) = variable(*queue.places.first()?);
            let queue = CellQueue::new(queue, refers.get(&(var, index)).copied())?;
            match runs.iter_mut().find_map(|run| run.queues_of(var, index)) {
                Some(queues) => queues.push(queue),
                None => roots.extend(queue.references()),
            }
        }
        roots.retain(|(field, _)| field.width() > 0);
        let buffer = |queue| Buffer::new(queue, &runs, &refers, &variable);
        let buffers = of_processes.into_iter().map(buffer).collect();
        let all = Renumbering { runs, roots, buffers, registers };
        all.has_room().then_some(all)
    }

    /// True if every field with references can hold all of them, and cells can be empty.
    fn has_room(&self) -> bool {
        let holds = |field: &Field, to: &VarId| {
            self.runs.iter().filter(|run| run.slots.var == *to).all(|run| {
                let Slots { first, stride, count, scale, .. } = run.slots;
                let reference = |slot: u32| i64::from(first + slot * stride + 1) * scale;
                let values = field.interval();
                // A field that never refers to this run holds none of its references.
                let none = (0..count).all(|slot| !values.contains(reference(slot)));
                none || values.contains(reference(0)) && values.contains(reference(count - 1))
            })
        };
        let cells = || self.runs.iter().flat_map(|run| run.cells.iter().flatten());
        let empty = self.runs.iter().all(|run| {
            run.cells.iter().flatten().all(|(f, _)| f.interval().contains(run.slots.empty))
        });
        let waiting = || self.runs.iter().flat_map(|run| run.queues.iter().flatten());
        empty
            && self.runs.iter().all(Run::is_alike)
            && waiting().flat_map(CellQueue::references).all(|(field, to)| holds(&field, &to))
            && self.roots.iter().all(|(field, to)| holds(field, to))
            && cells().all(|(field, to)| to.as_ref().is_none_or(|to| holds(field, to)))
            && self.buffers.iter().all(|b| b.is_closed(&self.runs))
    }

    /// True if a field is a register with references.
    pub(super) fn is_reference(&self, field: &Field) -> bool {
        self.registers.contains(&key(field))
    }

    /// Numbers slots anew. False if they have their numbers.
    pub(super) fn canonicalise(&self, state: &mut [u64]) -> bool {
        let old = state.to_vec();
        let mut best: Option<Vec<u64>> = None;
        self.each_numbering(self.numbers(&old), &old, &mut |numbers| {
            let mut renumbered = old.clone();
            self.renumber(numbers, &old, &mut renumbered);
            if best.as_ref().is_none_or(|best| renumbered < *best) {
                best = Some(renumbered);
            }
        });
        let Some(best) = best.filter(|best| *best != old) else { return false };
        state.copy_from_slice(&best);
        true
    }

    /// Writes a state with other numbers of slots.
    fn renumber(&self, numbers: &Numbers, old: &[u64], state: &mut [u64]) {
        for (index, run) in self.runs.iter().enumerate() {
            self.move_slots((index, run), numbers, old, state);
        }
        for (field, to) in &self.roots {
            let value = field.get(old);
            let renamed = self.renamed(numbers, *to, value);
            if renamed != value {
                field.set(state, renamed);
            }
        }
        self.buffers.iter().for_each(|buffer| self.rename_buffer(buffer, numbers, old, state));
    }

    /// Calls a function with each way to number the slots that are left and have stores waiting.
    fn each_numbering(&self, numbers: Numbers, state: &[u64], f: &mut dyn FnMut(&Numbers)) {
        let left: Vec<_> = self.left(&numbers, state).collect();
        let Some(least) = left.iter().map(|(_, _, key)| key).min() else { return f(&numbers) };
        // Slots that hold the same and lead to nothing without a number are the same in any order.
        let tried = if least.contains(&UNNUMBERED) { left.len() } else { 1 };
        for (run, slot, _) in left.iter().filter(|(_, _, key)| key == least).take(tried) {
            let mut numbers = numbers.clone();
            numbers.meet(*run, *slot);
            self.follow(&mut numbers, state);
            self.each_numbering(numbers, state, f);
        }
    }

    /// The slots without a number that have stores waiting, each with what it holds; of references, the new ones.
    fn left(
        &self,
        numbers: &Numbers,
        state: &[u64],
    ) -> impl Iterator<Item = (usize, u32, Vec<i64>)> {
        let runs = self.runs.iter().enumerate();
        let slots = runs.flat_map(|(i, run)| (0..run.slots.count).map(move |slot| (i, run, slot)));
        let left = slots.filter(|(i, run, slot)| {
            let waits = |queue: &CellQueue| queue.len.bits(state) > 0;
            numbers.new[*i][*slot as usize].is_none()
                && run.queues[*slot as usize].iter().any(waits)
        });
        left.map(|(i, run, slot)| {
            let value = |(field, to): (Field, Option<VarId>)| match to {
                Some(to) => self.known(numbers, to, field.get(state)),
                None => field.get(state),
            };
            let holds = run.fields(slot).map(value);
            let taken = run.taken[slot as usize].get(state);
            (i, slot, [i as i64, taken].into_iter().chain(holds).collect())
        })
    }

    /// A reference by the new numbers; all that lead to slots without one are alike.
    fn known(&self, numbers: &Numbers, to: VarId, reference: i64) -> i64 {
        match self.slot(to, reference) {
            Some((run, slot)) if numbers.new[run][slot as usize].is_none() => UNNUMBERED,
            _ => self.renamed(numbers, to, reference),
        }
    }

    /// The new numbers of all slots that references lead to.
    fn numbers(&self, state: &[u64]) -> Numbers {
        let mut numbers = Numbers {
            new: self.runs.iter().map(|run| vec![None; run.cells.len()]).collect(),
            next: vec![0; self.runs.len()],
            met: Vec::new(),
            followed: 0,
        };
        for (field, to) in &self.roots {
            self.meet(&mut numbers, *to, field.get(state));
        }
        for buffer in &self.buffers {
            for (place, value) in buffer.waiting(state) {
                let (slot, to) = &buffer.places[place];
                slot.iter().for_each(|(run, slot, _)| numbers.meet(*run, *slot));
                to.iter().for_each(|to| self.meet(&mut numbers, *to, value));
            }
        }
        self.follow(&mut numbers, state);
        numbers
    }

    /// Meets all slots that those that were met lead to.
    fn follow(&self, numbers: &mut Numbers, state: &[u64]) {
        while let Some(&(run, slot)) = numbers.met.get(numbers.followed) {
            let run = &self.runs[run];
            for (field, to) in &run.cells[slot as usize] {
                to.iter().for_each(|to| self.meet(numbers, *to, field.get(state)));
            }
            for (field, to) in run.queues[slot as usize].iter().flat_map(CellQueue::references) {
                self.meet(numbers, to, field.get(state));
            }
            numbers.followed += 1;
        }
    }

    fn meet(&self, numbers: &mut Numbers, to: VarId, reference: i64) {
        if let Some((run, slot)) = self.slot(to, reference) {
            numbers.meet(run, slot);
        }
    }

    fn slot(&self, to: VarId, reference: i64) -> Option<(usize, u32)> {
        let runs = self.runs.iter().enumerate().filter(|(_, run)| run.slots.var == to);
        runs.into_iter().find_map(|(i, run)| run.slots.slot_of(reference).map(|slot| (i, slot)))
    }

    /// A reference by the new numbers.
    fn renamed(&self, numbers: &Numbers, to: VarId, reference: i64) -> i64 {
        let Some((run, slot)) = self.slot(to, reference) else { return reference };
        match numbers.new[run][slot as usize] {
            Some(new) => self.runs[run].slots.moved(reference, slot, new),
            None => reference,
        }
    }

    /// Puts what each slot holds where its number says.
    fn move_slots(
        &self,
        (index, run): (usize, &Run),
        numbers: &Numbers,
        old: &[u64],
        state: &mut [u64],
    ) {
        let unmet = |slot: &u32| numbers.new[index][*slot as usize].is_none();
        let taken = |slot: &u32| run.taken[*slot as usize].bits(old) == 1;
        let all = || 0..run.cells.len() as u32;
        let mut order: Vec<(u32, bool)> = Vec::new();
        let met = numbers.met.iter().filter(|(r, _)| *r == index).map(|(_, slot)| (*slot, true));
        order.extend(met);
        order.extend(all().filter(|s| unmet(s) && taken(s)).map(|s| (s, false)));
        order.extend(all().filter(|s| unmet(s) && !taken(s)).map(|s| (s, false)));
        for (new, (slot, is_met)) in order.into_iter().enumerate() {
            run.taken[new].set_bits(state, run.taken[slot as usize].bits(old));
            for ((from, to), (target, _)) in run.cells[slot as usize].iter().zip(&run.cells[new]) {
                let value = from.get(old);
                let value = match (is_met, to) {
                    (false, _) => run.slots.empty,
                    (true, Some(to)) => self.renamed(numbers, *to, value),
                    (true, None) => value,
                };
                target.set(state, value);
            }
            self.move_queues(&run.queues[slot as usize], &run.queues[new], numbers, (old, state));
        }
    }

    fn move_queues(
        &self,
        from: &[CellQueue],
        to: &[CellQueue],
        numbers: &Numbers,
        (old, state): (&[u64], &mut [u64]),
    ) {
        for (from, to) in from.iter().zip(to) {
            for (source, target) in from.fields().zip(to.fields()) {
                target.set_bits(state, source.bits(old));
            }
            for ((source, refers), (target, _)) in from.references().zip(to.references()) {
                target.set(state, self.renamed(numbers, refers, source.get(old)));
            }
        }
    }

    fn rename_buffer(&self, buffer: &Buffer, numbers: &Numbers, old: &[u64], state: &mut [u64]) {
        for (entry, (place, value)) in buffer.waiting(old).enumerate() {
            let (at, to) = &buffer.places[place];
            let place = match at {
                Some((run, slot, cell)) => {
                    let new = numbers.new[*run][*slot as usize].unwrap_or(*slot);
                    buffer.place_of[&(*run, new, *cell)]
                }
                None => place,
            };
            let value = to.map_or(value, |to| self.renamed(numbers, to, value));
            buffer.queue.numbers[entry].set_bits(state, place as u64);
            buffer.queue.values[entry]
                .set_bits(state, value.wrapping_sub(buffer.queue.lowest[place]) as u64);
        }
    }
}

/// What tells a field from others.
fn key(field: &Field) -> (u32, u64) {
    (field.word(), field.mask_in_word())
}

impl Numbers {
    fn meet(&mut self, run: usize, slot: u32) {
        let number = &mut self.new[run][slot as usize];
        if number.is_none() {
            *number = Some(self.next[run]);
            self.next[run] += 1;
            self.met.push((run, slot));
        }
    }
}

impl Run {
    fn new(
        slots: Slots,
        refers: &HashMap<(VarId, u32), VarId>,
        field: &impl Fn(VarId, u32) -> Field,
    ) -> Run {
        let cell = |index: u32| (field(slots.var, index), refers.get(&(slots.var, index)).copied());
        let cells_of = |slot: u32| {
            let first = slots.first + slot * slots.stride;
            (first..first + slots.stride).map(cell).collect()
        };
        let (taken, first) = slots.taken;
        Run {
            slots,
            cells: (0..slots.count).map(cells_of).collect(),
            queues: vec![Vec::new(); slots.count as usize],
            taken: (0..slots.count).map(|slot| field(taken, first + slot)).collect(),
        }
    }

    fn has(&self, var: VarId, index: u32) -> bool {
        self.slots.var == var && self.slots.locate(i64::from(index)).is_some()
    }

    /// All that a slot holds but whether it is taken, with what it refers to.
    fn fields(&self, slot: u32) -> impl Iterator<Item = (Field, Option<VarId>)> {
        let cells = self.cells[slot as usize].iter().copied();
        let of_queue = |queue: &CellQueue| {
            let values: Vec<_> = queue.values.iter().map(|field| (*field, queue.refers)).collect();
            let rest = [queue.len].into_iter().chain(queue.others.iter().copied());
            values.into_iter().chain(rest.map(|field| (field, None)).collect::<Vec<_>>())
        };
        cells.chain(self.queues[slot as usize].iter().flat_map(of_queue))
    }

    /// The queues of the slot that a cell is in.
    fn queues_of(&mut self, var: VarId, index: u32) -> Option<&mut Vec<CellQueue>> {
        let (slot, _) = self.slots.locate(i64::from(index)).filter(|_| self.slots.var == var)?;
        Some(&mut self.queues[slot as usize])
    }

    /// True if the queues of all slots have the same shape.
    fn is_alike(&self) -> bool {
        let shape = |slot: &Vec<CellQueue>| slot.iter().map(CellQueue::shape).collect::<Vec<_>>();
        self.queues.iter().all(|slot| shape(slot) == shape(&self.queues[0]))
    }
}

impl CellQueue {
    /// None if the bits behind the last entry could be taken for a reference.
    fn new(queue: Queue, refers: Option<VarId>) -> Option<CellQueue> {
        let Queue { len, values, lowest, others, .. } = queue;
        let lowest = *lowest.first()?;
        let value = |field: &Field| field.part(0, field.width(), lowest);
        let is_clear = refers.is_none() || lowest <= 0;
        let values = values.iter().map(value).collect();
        is_clear.then_some(CellQueue { len, values, refers, others })
    }

    /// The values that are references, with what they refer to.
    fn references(&self) -> impl Iterator<Item = (Field, VarId)> {
        self.values.iter().flat_map(|field| self.refers.map(|to| (*field, to)))
    }

    fn fields(&self) -> impl Iterator<Item = Field> {
        [self.len].into_iter().chain(self.values.iter().copied()).chain(self.others.iter().copied())
    }

    fn shape(&self) -> (Vec<(u32, taut_ir::Interval)>, Option<VarId>) {
        (self.fields().map(|field| (field.width(), field.interval())).collect(), self.refers)
    }
}

impl Buffer {
    fn new(
        queue: Queue,
        runs: &[Run],
        refers: &HashMap<(VarId, u32), VarId>,
        variable: &impl Fn(CellId) -> (VarId, u32),
    ) -> Buffer {
        let mut places = Vec::new();
        let mut place_of = HashMap::new();
        for (number, &place) in queue.places.iter().enumerate() {
            let (var, index) = variable(place);
            let in_run = |(run, r): (usize, &Run)| {
                let found = r.slots.locate(i64::from(index)).filter(|_| r.slots.var == var);
                found.map(|(slot, cell)| (run, slot, cell))
            };
            let slot = runs.iter().enumerate().find_map(in_run);
            place_of.extend(slot.map(|slot| (slot, number)));
            places.push((slot, refers.get(&(var, index)).copied()));
        }
        Buffer { queue, places, place_of }
    }

    /// True if a cell that can be stored to can be in every slot.
    fn is_closed(&self, runs: &[Run]) -> bool {
        self.place_of.keys().all(|&(run, _, cell)| {
            let count = runs[run].slots.count;
            (0..count).all(|slot| self.place_of.contains_key(&(run, slot, cell)))
        })
    }

    /// The entries that wait: the number of the place, and the value.
    fn waiting<'s>(&'s self, state: &'s [u64]) -> impl Iterator<Item = (usize, i64)> + 's {
        let len = self.queue.len.bits(state) as usize;
        let Queue { numbers, values, .. } = &self.queue;
        numbers.iter().zip(values).take(len).map(move |(place, value)| {
            let place = place.bits(state) as usize;
            (place, self.queue.lowest[place].wrapping_add(value.bits(state) as i64))
        })
    }
}

/// True if an expression looks at slots, at what refers to them, or at whether they are taken.
fn looks_at_references(program: &Program, expr: &Expr) -> bool {
    let references = &program.references;
    let is_var = |var: VarId| {
        references.slots.iter().any(|s| s.var == var || s.taken.0 == var)
            || references.cells.iter().any(|(v, ..)| *v == var)
    };
    let is_register = |r: RegId| references.registers.iter().any(|(_, other, _)| *other == r);
    let mut found = false;
    expr.visit(&mut |e| {
        found |= match e {
            Expr::Var(var) | Expr::VarElem(var, _) => is_var(*var),
            Expr::Reg(r) | Expr::RegElem(r, _) => is_register(*r),
            _ => false,
        }
    });
    found
}
