//! The search for late stores: each store is held against what happened while it waited.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use taut_ir::{Action, Expr, Finding, ProcId, Program, PropertyKind};
use taut_witness::{Address, Machine, Read, Run, Source, Target};

use super::delays::{Delay, Overtaking, Overwriting, Seen};
use super::stores::{Store, parts};
use crate::atoms::atoms;

/// The stores that were late in a run, in the order in which it shows.
pub(super) fn find(program: &Program, run: &Run, finding: Finding, stores: &[Store]) -> Vec<Delay> {
    let mut writers: BTreeMap<Address, BTreeSet<ProcId>> = BTreeMap::new();
    for (process, record) in run.rows.iter().flat_map(parts) {
        for write in &record.writes {
            writers.entry(write.address).or_default().insert(process);
        }
    }
    let search = Search { run, stores, looked_at: looked_at(program, run, finding), writers };
    let mut delays: Vec<_> = (0..stores.len()).filter_map(|at| search.delay(at)).collect();
    delays.sort_by_key(|delay| (delay.shows(), delay.store.row));
    delays
}

/// The places in memory that a property of states looks at in the last state.
fn looked_at(program: &Program, run: &Run, finding: Finding) -> Vec<Address> {
    let Finding::Property(id) = finding else { return Vec::new() };
    let (PropertyKind::Forbid(expr) | PropertyKind::Cover(expr) | PropertyKind::Invariant(expr)) =
        &program.property(id).kind
    else {
        return Vec::new();
    };
    let state = run.last();
    let machine = Machine::new(program, run.memory);
    let place = |atom: &Expr| match atom {
        Expr::Var(var) => Some(Address { var: *var, index: 0 }),
        Expr::VarElem(var, index) => {
            let index = machine.value(state, index).ok()?;
            let index = u32::try_from(index).ok()?;
            (index < program.var(*var).size()).then_some(Address { var: *var, index })
        }
        _ => None,
    };
    atoms(expr).into_iter().filter_map(place).collect()
}

struct Search<'a> {
    run: &'a Run,
    stores: &'a [Store],
    /// The places that a property looks at.
    looked_at: Vec<Address>,
    /// Who writes each place.
    writers: BTreeMap<Address, BTreeSet<ProcId>>,
}

impl Search<'_> {
    /// What shows that a store is late, if anything does.
    fn delay(&self, at: usize) -> Option<Delay> {
        taut_budget::tick();
        let store = self.stores[at];
        let mut delay = Delay::of(store);
        delay.missed = self.missed(at);
        delay.at_end = self.at_end(at);
        delay.forever =
            store.left.is_none() && self.run.cycle().is_some_and(|cycle| store.row < cycle);
        delay.overwrote = self.overwrote(at);
        if !delay.is_one() {
            return None;
        }
        delay.overtaken = self.overtaken(at, &delay);
        let until = delay.missed.last().map_or(self.run.rows.len(), |seen| seen.row);
        delay.ahead = self.ahead(&store, until);
        let mut own = self.own(&store, Source::Buffer);
        delay.forwarded =
            own.find(|s| s.address == store.address && s.value == store.value && s.row < until);
        Some(delay)
    }

    /// The rows that happen while a store waits. Only these are looked at, so that a long run takes no longer
    /// than its stores wait.
    fn window(&self, store: &Store) -> Range<usize> {
        store.row + 1..store.left.map_or(self.run.rows.len(), |left| left + 1)
    }

    /// The stores that are made while one waits.
    fn meanwhile(&self, at: usize) -> impl Iterator<Item = &Store> {
        let store = self.stores[at];
        let later = self.stores[at + 1..].iter();
        later.take_while(move |s| s.row == store.row || store.waits_in(s.row))
    }

    /// All reads while a store waits, where the same step reads the same only once.
    fn reads(&self, store: &Store, wanted: impl Fn(ProcId, &Read) -> bool) -> Vec<Seen> {
        let mut known: BTreeMap<_, usize> = BTreeMap::new();
        let mut all: Vec<Seen> = Vec::new();
        for row in self.window(store) {
            for (process, record) in parts(&self.run.rows[row]) {
                for read in record.reads.iter().filter(|read| wanted(process, read)) {
                    let (address, value) = (read.address, read.value);
                    let from = self.run.before(row).process(process).point;
                    let at = *known.entry((process, from, address, value)).or_insert(all.len());
                    match all.get_mut(at) {
                        Some(seen) if seen.row != row => seen.again += 1,
                        Some(_) => {}
                        None => all.push(Seen { process, row, address, value, again: 0 }),
                    }
                }
            }
        }
        all
    }

    fn own(&self, store: &Store, source: Source) -> impl Iterator<Item = Seen> + use<> {
        self.reads(store, |p, read| p == store.process && read.from == source).into_iter()
    }

    /// Whether a store that waits is the newest of its process to its place while a row happens.
    fn is_newest(&self, at: usize, row: usize) -> bool {
        let queue = |s: &Store| (s.process, s.address);
        let store = self.stores[at];
        !self.meanwhile(at).any(|s| queue(s) == queue(&store) && s.row < row)
    }

    fn missed(&self, at: usize) -> Vec<Seen> {
        let store = self.stores[at];
        let other = |p: ProcId, read: &Read| {
            p != store.process && read.address == store.address && read.from == Source::Memory
        };
        let reads = self.reads(&store, other).into_iter();
        reads.filter(|s| s.value != store.value && self.is_newest(at, s.row)).collect()
    }

    fn at_end(&self, at: usize) -> Option<i64> {
        let store = self.stores[at];
        let held = self.run.last().value(store.address);
        let matters = store.left.is_none()
            && self.looked_at.contains(&store.address)
            && held != store.value
            && self.is_newest(at, self.run.rows.len());
        matters.then_some(held)
    }

    /// Reads of the store's own process that went ahead of it, one a place.
    fn ahead(&self, store: &Store, until: usize) -> Vec<Seen> {
        let by_others = |address: Address| {
            let writers = self.writers.get(&address);
            writers.is_some_and(|all| all.iter().any(|&p| p != store.process))
        };
        let mut all: Vec<Seen> = Vec::new();
        for seen in self.own(store, Source::Memory).filter(|s| s.row < until) {
            if by_others(seen.address) && !all.iter().any(|s| s.address == seen.address) {
                all.push(seen);
            }
        }
        all
    }

    /// The first reader that saw a later store of the process and then not this one; or, where a property does
    /// not see this one at the end, anybody who saw the later one.
    fn overtaken(&self, at: usize, delay: &Delay) -> Option<Overtaking> {
        let store = delay.store;
        let later =
            self.meanwhile(at).filter(|s| s.process == store.process && s.address != store.address);
        let reached = later.filter_map(|by| by.committed(self.run).map(|row| (*by, row)));
        let reached: Vec<_> = reached.filter(|&(_, row)| store.waits_in(row)).collect();
        let mut missed = delay.missed.iter().copied();
        let by_reader = missed.find_map(|missed| {
            let mut all = reached.iter().copied();
            all.find_map(|(by, row)| {
                let rows = row + 1..missed.row + 1;
                let seen = self.sight(&by, rows, |p| p == missed.process)?;
                Some(Overtaking { by, seen, missed: Some(missed) })
            })
        });
        let by_property = || {
            delay.at_end?;
            let mut all = reached.iter().copied();
            all.find_map(|(by, row)| {
                let rows = row + 1..self.run.rows.len();
                let seen = self.sight(&by, rows, |p| p != store.process)?;
                Some(Overtaking { by, seen, missed: None })
            })
        };
        by_reader.or_else(by_property)
    }

    /// The first read of a store that has reached memory before these rows, as long as nothing else does there.
    fn sight(&self, by: &Store, rows: Range<usize>, who: impl Fn(ProcId) -> bool) -> Option<Seen> {
        let (address, value) = (by.address, by.value);
        let wanted = |r: &Read| (r.address, r.value, r.from) == (address, value, Source::Memory);
        for row in rows {
            let mut all = parts(&self.run.rows[row]);
            let reader = all.find(|(p, record)| who(*p) && record.reads.iter().any(wanted));
            if let Some((process, _)) = reader {
                return Some(Seen { process, row, address, value, again: 0 });
            }
            if self.to_memory(row, address).next().is_some() {
                return None;
            }
        }
        None
    }

    /// What reaches a place in memory in a row: whose, and the value.
    fn to_memory(&self, row: usize, address: Address) -> impl Iterator<Item = (ProcId, i64)> {
        parts(&self.run.rows[row]).flat_map(move |(process, record)| {
            let writes = record.writes.iter();
            let there = writes.filter(move |w| w.address == address && w.to == Target::Memory);
            there.map(move |w| (process, w.value))
        })
    }

    /// A store of another process to the same place that was made later and reached memory first.
    fn overwrote(&self, at: usize) -> Option<Overwriting> {
        let store = self.stores[at];
        store.committed(self.run)?;
        let buffered = self.meanwhile(at).filter_map(|other| {
            let same = other.process != store.process && other.address == store.address;
            let row = other.committed(self.run).filter(|&row| same && store.waits_in(row))?;
            Some(Overwriting { process: other.process, value: other.value, row })
        });
        let all = buffered.chain(self.written_at_once(&store));
        all.filter(|other| other.value != store.value).min_by_key(|other| other.row)
    }

    /// Writes of other processes that went to memory without a buffer while the store waited.
    fn written_at_once(&self, store: &Store) -> impl Iterator<Item = Overwriting> {
        let (owner, address) = (store.process, store.address);
        let is_step = |row: &usize| !matches!(self.run.rows[*row].action, Action::Commit { .. });
        self.window(store).filter(is_step).flat_map(move |row| {
            let others = self.to_memory(row, address).filter(move |&(p, _)| p != owner);
            others.map(move |(process, value)| Overwriting { process, value, row })
        })
    }
}
