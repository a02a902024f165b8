//! Predecessors of constraints, rule by rule.
//!
//! Each rule is exact: what it makes stands for the states from which one transition, after some deletions of oldest
//! entries, leads into the constraint. `w` is the word of the process that moves; entries are oldest first.
//!
//! - **Store** `x := v`. Afterwards memory has `v` in `x` and the newest entry of the buffer is `own(x, v)`. If `w` speaks
//!   of `x` at all, that entry must be its last one and is taken off: an older entry of `w` about `x` would need that no
//!   own store to `x` is newer. What was in `x` before, in memory or in the buffer, is of no concern: *any*. The journal
//!   paper enumerates here which older own entry becomes the newest one; words that leave open what they do
//!   not need make that one case.
//! - **Propagate.** A message that is the last entry of `w` is taken off; memory must have what it tells.
//! - **Delete.** A buffer with one more oldest entry fits `w` if the shorter one does. There is nothing to make.
//! - **Load** of `v` from `x`. Either the newest own store to `x` in the buffer is of `v`: `w` has `own(x, v)`, or gets it, at
//!   each position that is older than its messages about `x`. Or there is none, and the oldest entry is a message that
//!   tells it: `w` begins with such a message, or gets one, and has no own entry of `x`. A load leaves the buffer as it is (the rule
//!   of the journal paper; that of the conference paper differs). A step with several loads has for each of
//!   them one of the two, and one message for all of the second kind.
//! - **Fence, read-modify-write.** The buffer is empty: `w` must be. Before, any buffer will do, as entries can be deleted.
//!   Memory is undone: what is stored must be there and is *any* before; what is loaded is there before.
//! - **Sync.** The same for the words of all processes.
//! - **Thaw.** The frozen part of a run begins (`obligation.rs`).
//!
//! After each rule a constraint is *settled*: messages at the newest end that tell what memory has are taken off at once.
//! This asks for less, and what it makes has the same predecessors.

use taut_fault::{Fault, is_on};
use taut_ir::ProcId;

use crate::constraint::Constraint;
use crate::obligation::{Obligations, THAWED};
use crate::places::{Cell, Fact, Value};
use crate::symbol::{Entry, Symbol};
use crate::system::{Edge, EdgeId, Kind, System};

/// A transition that was undone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Move {
    /// Nothing: where the search starts.
    Start,
    /// An edge.
    Edge(EdgeId),
    /// A message from memory to a process.
    Propagate(ProcId),
    /// Memory freezes.
    Freeze,
}

/// How the loads of an edge were undone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Loaded {
    /// There is none, or all are from own stores or from memory.
    Own,
    /// From the message that the word begins with, which it did before.
    Kept,
    /// From a message that was put in front.
    Fresh,
}

/// Undoes transitions.
#[derive(Debug)]
pub(crate) struct Undo<'s> {
    pub(crate) system: &'s System,
    pub(crate) obligations: Obligations,
    /// The constraint that is being made.
    scratch: Constraint,
    /// The part with own entries, before a message is put in front.
    owned: Vec<Constraint>,
}

/// Receives what undoing makes.
pub(crate) trait Receiver {
    fn receive(&mut self, made: &Constraint, by: Move, loaded: Loaded);
}

impl<F: FnMut(&Constraint, Move, Loaded)> Receiver for F {
    fn receive(&mut self, made: &Constraint, by: Move, loaded: Loaded) {
        self(made, by, loaded);
    }
}

impl<'s> Undo<'s> {
    pub(crate) fn new(system: &'s System, obligations: Obligations, some: Constraint) -> Undo<'s> {
        Undo { system, obligations, scratch: some, owned: Vec::new() }
    }

    /// Undoes everything that may have come last.
    pub(crate) fn all(&mut self, c: &Constraint, to: &mut impl Receiver) {
        let processes = c.shape().processes;
        if c.frame() != THAWED && self.obligations.is_met(c.frame()) {
            self.scratch.copy(c);
            self.scratch.set_frame(THAWED);
            to.receive(&self.scratch, Move::Freeze, Loaded::Own);
        }
        let alone = self.alone(c).or_else(|| self.ample(c));
        if let Some(process) = alone {
            return self.process(c, process, to);
        }
        (0..processes).for_each(|process| self.process(c, process, to));
        if c.frame() == THAWED {
            (0..processes).for_each(|process| self.propagate(c, process, to));
        }
    }

    /// The process that is at an atomic control point, while memory is not frozen. No other one moves.
    fn alone(&self, c: &Constraint) -> Option<usize> {
        let is = |&p: &usize| self.system.is_atomic(p, c.control(p));
        (0..c.shape().processes).find(is).filter(|_| c.frame() == THAWED)
    }

    /// A process whose last transition was a load or a step without any access. It may be undone before all others:
    /// in every run, the last transition of this process commutes with those that come after it, as each is of
    /// another process or adds to the newest end of the buffer; what the other order asks for is not more. Only a
    /// `sync` looks into buffers of other processes.
    fn ample(&self, c: &Constraint) -> Option<usize> {
        if self.system.has_sync {
            return None;
        }
        (0..c.shape().processes).find(|&p| self.system.processes[p].quiet[c.control(p).index()])
    }

    fn process(&mut self, c: &Constraint, process: usize, to: &mut impl Receiver) {
        let system = self.system;
        let own = &system.processes[process];
        let control = c.control(process);
        if control != crate::system::ControlId::ANY {
            own.incoming[control.index()].iter().for_each(|&edge| self.edge(c, edge, to));
        } else if c.frame() == THAWED {
            // Of a process of which nothing is asked, only a store that is needed asks for less elsewhere.
            for cell in system.places.cells().filter(|&x| c.value(x) != Value::ANY) {
                let needed = own.stores.get(&(cell, c.value(cell))).into_iter().flatten();
                // Such a process is in no atomic section: no other one would have moved since.
                let stays = |id: &&EdgeId| !system.is_atomic(process, system.edge(**id).target);
                needed.filter(stays).for_each(|&edge| self.edge(c, edge, to));
            }
            own.exits.iter().for_each(|&edge| self.edge(c, edge, to));
        }
    }

    /// Undoes one edge.
    pub(crate) fn edge(&mut self, c: &Constraint, id: EdgeId, to: &mut impl Receiver) {
        let system = self.system;
        let edge = system.edge(id);
        self.scratch.copy(c);
        self.scratch.set_control(edge.process.index(), edge.source);
        match edge.kind {
            Kind::Plain => self.plain(edge, id, to),
            Kind::Locked | Kind::Sync => self.locked(edge, id, to),
        }
    }

    /// A load, a store, or a load and then a store.
    fn plain(&mut self, edge: &Edge, id: EdgeId, to: &mut impl Receiver) {
        let process = edge.process.index();
        if let Some(&fact) = edge.writes.first()
            && !self.unstore(process, fact)
        {
            return;
        }
        if edge.reads.is_empty() {
            to.receive(&self.scratch, Move::Edge(id), Loaded::Own);
            return;
        }
        self.unload(process, &edge.reads, id, to);
    }

    /// Takes back a store; false if the constraint contradicts it.
    fn unstore(&mut self, process: usize, (cell, value): Fact) -> bool {
        let symbols = &self.system.symbols;
        let word = self.scratch.word(process);
        let about = |s: &u32| symbols.entry(Symbol(*s)).is_about(cell);
        match word.last().map(|&s| symbols.entry(Symbol(s))) {
            Some(Entry::Own((x, v))) if *x == cell => {
                if *v != value {
                    return false;
                }
                self.scratch.pop(process);
            }
            _ if word.iter().any(about) && !is_on(Fault::StoreUnderMessages) => return false,
            _ => {}
        }
        if self.scratch.frame() != THAWED {
            let frame = self.scratch.frame();
            let before = self.obligations.before(frame, process, cell, value);
            before.map(|frame| self.scratch.set_frame(frame)).is_some()
        } else if self.scratch.allows((cell, value)) || is_on(Fault::StoreOfAnyValue) {
            if !is_on(Fault::StoreKeepsMemory) {
                self.scratch.set_value(cell, Value::ANY);
            }
            true
        } else {
            false
        }
    }

    /// Takes back the loads of an edge, in every way in which they may have been made.
    fn unload(&mut self, process: usize, reads: &[Fact], id: EdgeId, to: &mut impl Receiver) {
        let symbols = &self.system.symbols;
        let word = self.scratch.word(process);
        let owned = |cell: Cell| {
            word.iter().find_map(|&s| match symbols.entry(Symbol(s)) {
                Entry::Own((x, v)) if *x == cell => Some(*v),
                _ => None,
            })
        };
        // What the word says of own stores decides about loads of these cells.
        if reads.iter().any(|&(x, v)| owned(x).is_some_and(|own| own != v)) {
            return;
        }
        let open: Vec<Fact> = reads.iter().filter(|(x, _)| owned(*x).is_none()).copied().collect();
        if open.is_empty() {
            to.receive(&self.scratch, Move::Edge(id), Loaded::Own);
            return;
        }
        // A word that begins with a message that tells all of it asks for less than any other.
        if word.first().is_some_and(|&s| symbols.entry(Symbol(s)).tells(&open)) {
            to.receive(&self.scratch, Move::Edge(id), Loaded::Kept);
            return;
        }
        self.guess(process, &open, id, to);
    }

    /// Each part of some loads may be of own stores that the word does not speak of yet.
    fn guess(&mut self, process: usize, open: &[Fact], id: EdgeId, to: &mut impl Receiver) {
        for part in 0_u32..1 << open.len() {
            let is_own = |i: usize| part >> i & 1 == 1;
            let split = |own: bool| {
                let of = open.iter().enumerate().filter(move |(i, _)| is_own(*i) == own);
                of.map(|(_, f)| *f).collect::<Vec<Fact>>()
            };
            let (own, told) = (split(true), split(false));
            let control = self.scratch.control(process);
            if own.iter().any(|&fact| !self.system.may_own(process, control, fact)) {
                continue;
            }
            if is_on(Fault::NoOwnLoads) && !own.is_empty() {
                continue;
            }
            self.insert_own(process, &own);
            for mut made in std::mem::take(&mut self.owned) {
                let loaded = self.put_message(&mut made, process, &told);
                if let Some(loaded) = loaded {
                    to.receive(&made, Move::Edge(id), loaded);
                }
            }
        }
    }

    /// All ways in which own entries may stand in the word.
    fn insert_own(&mut self, process: usize, own: &[Fact]) {
        let symbols = &self.system.symbols;
        let mut made = vec![self.scratch.clone()];
        for &fact in own {
            let Some(symbol) = symbols.find(&Entry::Own(fact)) else { return };
            let mut next = Vec::new();
            for c in &made {
                let word = c.word(process);
                let about = |s: &u32| symbols.entry(Symbol(*s)).is_about(fact.0);
                let most = word.iter().position(about).unwrap_or(word.len());
                let most = if is_on(Fault::OwnIsOldest) { 0 } else { most };
                for position in 0..=most {
                    let mut with = c.clone();
                    with.insert(process, position, symbol);
                    next.push(with);
                }
            }
            made = next;
        }
        self.owned = made;
    }

    /// Puts a message in front of a word, unless it begins with one that tells as much.
    fn put_message(&self, made: &mut Constraint, process: usize, told: &[Fact]) -> Option<Loaded> {
        if told.is_empty() {
            return Some(Loaded::Own);
        }
        let symbols = &self.system.symbols;
        let first = made.word(process).first().map(|&s| symbols.entry(Symbol(s)));
        if first.is_some_and(|entry| entry.tells(told)) {
            return Some(Loaded::Kept);
        }
        let symbol = symbols.find(&Entry::Message(told.into()))?;
        let position = if is_on(Fault::MessageIsNewest) { made.word(process).len() } else { 0 };
        made.insert(process, position, symbol);
        Some(Loaded::Fresh)
    }

    /// A step that finds its buffer empty and acts on memory.
    fn locked(&mut self, edge: &Edge, id: EdgeId, to: &mut impl Receiver) {
        let c = &mut self.scratch;
        let all_empty = c.has_no_entries();
        let empty = match edge.kind {
            Kind::Sync => all_empty,
            _ => c.word(edge.process.index()).is_empty() || is_on(Fault::FenceOfAnyBuffer),
        };
        if !empty || c.frame() != THAWED || !edge.writes.iter().all(|&fact| c.allows(fact)) {
            return;
        }
        edge.writes.iter().for_each(|&(cell, _)| c.set_value(cell, Value::ANY));
        if !edge.reads.iter().all(|&fact| c.allows(fact)) {
            return;
        }
        edge.reads.iter().for_each(|&(cell, value)| c.set_value(cell, value));
        to.receive(c, Move::Edge(id), Loaded::Own);
    }

    /// The newest message of a process may have come last, if memory has or may have what it tells.
    pub(crate) fn propagate(&mut self, c: &Constraint, process: usize, to: &mut impl Receiver) {
        let Some(&last) = c.word(process).last() else { return };
        let Entry::Message(facts) = self.system.symbols.entry(Symbol(last)) else { return };
        if !facts.iter().all(|&fact| c.allows(fact)) || is_on(Fault::NoPropagation) {
            return;
        }
        self.scratch.copy(c);
        self.scratch.pop(process);
        facts.iter().for_each(|&(cell, value)| self.scratch.set_value(cell, value));
        to.receive(&self.scratch, Move::Propagate(ProcId::from(process)), Loaded::Own);
    }

    /// Takes off messages at newest ends that tell what memory has, and names the processes in that order.
    pub(crate) fn settle(&self, c: &mut Constraint, mut taken: impl FnMut(ProcId)) {
        if c.frame() != THAWED || self.alone(c).is_some() {
            return;
        }
        for process in 0..c.shape().processes {
            while let Some(&last) = c.word(process).last()
                && let Entry::Message(facts) = self.system.symbols.entry(Symbol(last))
                && facts.iter().all(|&(cell, value)| c.value(cell) == value)
            {
                c.pop(process);
                taken(ProcId::from(process));
            }
        }
    }
}
