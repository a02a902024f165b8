//! Predecessors of crowds: the rules of `pre.rs`, for a member or for a process that is no member yet.
//!
//! The one rule that a fixed number of processes does not have is the last one:
//!
//! - **A new process.** A process of which nothing is asked may have moved last. That asks for less elsewhere only if it
//!   stored what memory must have, or if it left an atomic section, in which it stopped all others. It then is a new member,
//!   at the control point before. Of a definition with any number of processes there always is another one; of one process
//!   only if it is no member yet.
//!
//! And one that makes less of them: a member that has not started, of a definition with any number of processes, is
//! *dropped*. Where the rest of the crowd is reached, one more process that waits for its start is reached with it. So the
//! number of processes of a run is the number of members that its chain of crowds has ever had.

use taut_fault::{Fault, is_on};

use super::crowd::{Crowd, Member, Owed};
use super::debts::Debts;
use crate::places::{Cell, Fact, Value};
use crate::pre::Loaded;
use crate::symbol::{Entry, Symbol};
use crate::system::{ControlId, Edge, EdgeId, Kind, System};

/// A transition that was undone, of the member at a position of the later crowd.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Move {
    /// Nothing: where the search starts.
    Start,
    /// An edge of a member; of a new one if the position is that after the last.
    Edge(u32, EdgeId),
    /// A message from memory to a member.
    Propagate(u32),
    /// Memory freezes.
    Freeze,
}

/// What undoing made.
#[derive(Clone, Debug)]
pub(crate) struct Made {
    pub(crate) crowd: Crowd,
    pub(crate) by: Move,
    pub(crate) loaded: Loaded,
}

/// Undoes transitions.
pub(crate) struct Undo<'s> {
    pub(crate) system: &'s System,
    /// For each process of the system, whether it stands for any number of them; those that are never used stand for
    /// nothing.
    pub(crate) codes: &'s [Code],
    pub(crate) debts: Debts,
    made: Vec<Made>,
}

/// What the code of a process of the system is used for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Code {
    /// One process.
    One,
    /// Any number of processes.
    Any,
    /// Nothing: an earlier process stands for it.
    Unused,
}

impl<'s> Undo<'s> {
    pub(crate) fn new(system: &'s System, codes: &'s [Code], debts: Debts) -> Undo<'s> {
        Undo { system, codes, debts, made: Vec::new() }
    }

    /// Undoes everything that may have come last.
    pub(crate) fn all(&mut self, c: &Crowd) -> Vec<Made> {
        self.thaw(c);
        match self.alone(c).or_else(|| self.ample(c)) {
            Some(member) => self.member(c, member),
            None => {
                (0..c.members.len()).for_each(|member| self.member(c, member));
                if !c.is_frozen {
                    self.new_members(c);
                    (0..c.members.len()).for_each(|member| self.propagate(c, member));
                }
            }
        }
        std::mem::take(&mut self.made)
    }

    /// Undoes one move.
    pub(crate) fn again(&mut self, c: &Crowd, by: Move) -> Vec<Made> {
        match by {
            Move::Start => {}
            Move::Freeze => self.thaw(c),
            Move::Propagate(member) => self.propagate(c, member as usize),
            Move::Edge(member, edge) => self.edge(c, member as usize, edge),
        }
        std::mem::take(&mut self.made)
    }

    fn receive(&mut self, crowd: Crowd, by: Move, loaded: Loaded) {
        self.made.push(Made { crowd, by, loaded });
    }

    fn thaw(&mut self, c: &Crowd) {
        if c.is_frozen && c.members.iter().all(|m| self.debts.are_met(m.owed)) {
            let mut thawed = c.clone();
            thawed.is_frozen = false;
            thawed.members.iter_mut().for_each(|m| m.owed = Owed::NOTHING);
            self.receive(thawed, Move::Freeze, Loaded::Own);
        }
    }

    /// The member at an atomic control point, while memory is not frozen. No other process moves.
    pub(crate) fn alone(&self, c: &Crowd) -> Option<usize> {
        let is = |m: &Member| self.system.is_atomic(m.code(), m.control);
        c.members.iter().position(is).filter(|_| !c.is_frozen)
    }

    /// A member whose last transition was a load, or a step without any access: it is undone before all others. The
    /// argument is that of a fixed number of processes (`pre.rs`).
    fn ample(&self, c: &Crowd) -> Option<usize> {
        let is_quiet = |m: &Member| self.system.processes[m.code()].quiet[m.control.index()];
        c.members.iter().position(is_quiet).filter(|_| !self.system.has_sync)
    }

    fn member(&mut self, c: &Crowd, member: usize) {
        let system = self.system;
        let Member { code, control, .. } = c.members[member];
        let incoming = &system.processes[code as usize].incoming[control.index()];
        incoming.iter().for_each(|&edge| self.edge(c, member, edge));
    }

    /// Moves of processes that are no members yet.
    fn new_members(&mut self, c: &Crowd) {
        let system = self.system;
        for (code, own) in system.processes.iter().enumerate() {
            let is_member = || c.members.iter().any(|m| m.code() == code);
            let is_possible = match self.codes[code] {
                Code::Any => !is_on(Fault::NoNewProcess) || c.members.is_empty(),
                Code::One => !is_member(),
                Code::Unused => false,
            };
            if !is_possible {
                continue;
            }
            for cell in system.places.cells().filter(|&x| c.value(x) != Value::ANY) {
                let needed = own.stores.get(&(cell, c.value(cell))).into_iter().flatten();
                // Such a process is in no atomic section: no other one would have moved since.
                let stays = |id: &&EdgeId| !system.is_atomic(code, system.edge(**id).target);
                needed.filter(stays).for_each(|&edge| self.edge(c, c.members.len(), edge));
            }
            own.exits.iter().for_each(|&edge| self.edge(c, c.members.len(), edge));
        }
    }

    /// Undoes one edge of a member, or of a new one.
    fn edge(&mut self, c: &Crowd, member: usize, id: EdgeId) {
        let system = self.system;
        let edge = system.edge(id);
        let mut before = c.clone();
        if member == c.members.len() {
            let code = edge.process.index() as u32;
            let (control, owed) = (edge.target, Owed::NOTHING);
            before.members.push(Member { code, control, owed, word: Vec::new() });
        }
        before.members[member].control = edge.source;
        let by = Move::Edge(member as u32, id);
        match edge.kind {
            Kind::Plain => self.plain(before, member, edge, by),
            Kind::Locked | Kind::Sync => self.locked(before, member, edge, by),
        }
    }

    /// A load, a store, or a load and then a store.
    fn plain(&mut self, mut before: Crowd, member: usize, edge: &Edge, by: Move) {
        if let Some(&fact) = edge.writes.first()
            && !self.unstore(&mut before, member, fact)
        {
            return;
        }
        match edge.reads.is_empty() {
            true => self.receive(before, by, Loaded::Own),
            false => self.unload(before, member, &edge.reads, by),
        }
    }

    /// Takes back a store; false if the crowd contradicts it.
    fn unstore(&mut self, before: &mut Crowd, member: usize, (cell, value): Fact) -> bool {
        let symbols = &self.system.symbols;
        let word = &mut before.members[member].word;
        match word.last().map(|&s| symbols.entry(s)) {
            Some(Entry::Own((x, v))) if *x == cell => {
                if *v != value {
                    return false;
                }
                word.pop();
            }
            _ if word.iter().any(|&s| symbols.entry(s).is_about(cell)) => return false,
            _ => {}
        }
        if before.is_frozen {
            let owed = self.debts.before(before.members[member].owed, cell, value);
            owed.map(|owed| before.members[member].owed = owed).is_some()
        } else {
            let is_allowed = before.allows((cell, value));
            before.set_value(cell, Value::ANY);
            is_allowed
        }
    }

    /// Takes back the loads of an edge, in every way in which they may have been made.
    fn unload(&mut self, before: Crowd, member: usize, reads: &[Fact], by: Move) {
        let symbols = &self.system.symbols;
        let word = &before.members[member].word;
        let owned = |cell: Cell| {
            word.iter().find_map(|&s| match symbols.entry(s) {
                Entry::Own((x, v)) if *x == cell => Some(*v),
                _ => None,
            })
        };
        if reads.iter().any(|&(x, v)| owned(x).is_some_and(|own| own != v)) {
            return;
        }
        let open: Vec<Fact> = reads.iter().filter(|(x, _)| owned(*x).is_none()).copied().collect();
        if open.is_empty() {
            return self.receive(before, by, Loaded::Own);
        }
        // A word that begins with a message that tells all of it asks for less than any other.
        if word.first().is_some_and(|&s| symbols.entry(s).tells(&open)) {
            return self.receive(before, by, Loaded::Kept);
        }
        self.guess(&before, member, &open, by);
    }

    /// Each part of some loads may be of own stores that the word does not speak of yet.
    fn guess(&mut self, before: &Crowd, member: usize, open: &[Fact], by: Move) {
        for part in 0_u32..1 << open.len() {
            let split = |own: bool| {
                let of = open.iter().enumerate().filter(move |(i, _)| (part >> i & 1 == 1) == own);
                of.map(|(_, f)| *f).collect::<Vec<Fact>>()
            };
            let (own, told) = (split(true), split(false));
            let Member { code, control, .. } = before.members[member];
            if own.iter().any(|&fact| !self.system.may_own(code as usize, control, fact)) {
                continue;
            }
            for mut made in self.with_own(before, member, &own) {
                if let Some(loaded) = self.put_message(&mut made.members[member].word, &told) {
                    self.receive(made, by, loaded);
                }
            }
        }
    }

    /// All ways in which own entries may stand in the word of a member.
    fn with_own(&self, before: &Crowd, member: usize, own: &[Fact]) -> Vec<Crowd> {
        let symbols = &self.system.symbols;
        let mut made = vec![before.clone()];
        for &fact in own {
            let Some(symbol) = symbols.find(&Entry::Own(fact)) else { return Vec::new() };
            let mut next = Vec::new();
            for c in &made {
                let word = &c.members[member].word;
                let about = word.iter().position(|&s| symbols.entry(s).is_about(fact.0));
                for position in 0..=about.unwrap_or(word.len()) {
                    let mut with = c.clone();
                    with.members[member].word.insert(position, symbol);
                    next.push(with);
                }
            }
            made = next;
        }
        made
    }

    /// Puts a message in front of a word, unless it begins with one that tells as much.
    fn put_message(&self, word: &mut Vec<Symbol>, told: &[Fact]) -> Option<Loaded> {
        if told.is_empty() {
            return Some(Loaded::Own);
        }
        let symbols = &self.system.symbols;
        if word.first().is_some_and(|&s| symbols.entry(s).tells(told)) {
            return Some(Loaded::Kept);
        }
        word.insert(0, symbols.find(&Entry::Message(told.into()))?);
        Some(Loaded::Fresh)
    }

    /// A step that finds its buffer empty and acts on memory.
    fn locked(&mut self, mut before: Crowd, member: usize, edge: &Edge, by: Move) {
        let is_empty = match edge.kind {
            Kind::Sync => before.has_no_entries(),
            _ => before.members[member].word.is_empty(),
        };
        let is_there = edge.writes.iter().all(|&fact| before.allows(fact));
        if !is_empty || before.is_frozen || !is_there {
            return;
        }
        edge.writes.iter().for_each(|&(cell, _)| before.set_value(cell, Value::ANY));
        if edge.reads.iter().all(|&fact| before.allows(fact)) {
            edge.reads.iter().for_each(|&(cell, value)| before.set_value(cell, value));
            self.receive(before, by, Loaded::Own);
        }
    }

    /// The newest message of a member may have come last, if memory has or may have what it tells.
    fn propagate(&mut self, c: &Crowd, member: usize) {
        let Some(&last) = c.members[member].word.last() else { return };
        let Entry::Message(facts) = self.system.symbols.entry(last) else { return };
        if !facts.iter().all(|&fact| c.allows(fact)) {
            return;
        }
        let mut before = c.clone();
        before.members[member].word.pop();
        facts.iter().for_each(|&(cell, value)| before.set_value(cell, value));
        self.receive(before, Move::Propagate(member as u32), Loaded::Own);
    }

    /// Takes off messages at newest ends that tell what memory has, and names the members in that order.
    pub(crate) fn settle(&self, c: &mut Crowd, mut taken: impl FnMut(usize)) {
        if c.is_frozen || self.alone(c).is_some() {
            return;
        }
        for member in 0..c.members.len() {
            while let Some(&last) = c.members[member].word.last()
                && let Entry::Message(facts) = self.system.symbols.entry(last)
                && facts.iter().all(|&(cell, value)| c.value(cell) == value)
            {
                c.members[member].word.pop();
                taken(member);
            }
        }
    }

    /// Drops members that have not started, and puts the others into their order; the positions that these had.
    pub(crate) fn tidy(&self, c: &mut Crowd) -> Vec<usize> {
        let waits = |m: &Member| {
            self.codes[m.code()] == Code::Any
                && m.control == ControlId::INITIAL
                && m.owed == Owed::NOTHING
                && m.word.is_empty()
        };
        let stay: Vec<usize> = (0..c.members.len()).filter(|&i| !waits(&c.members[i])).collect();
        c.members.retain(|m| !waits(m));
        c.sort().into_iter().map(|position| stay[position]).collect()
    }
}
