//! The entries of load buffers that a constraint asks for.

use std::collections::HashMap;

use crate::places::{Cell, Fact};

/// An entry of a buffer, by its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Symbol(pub u32);

/// What an entry is.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Entry {
    /// The newest own store to the cell that is in the buffer.
    Own(Fact),
    /// A message from memory: these cells had these values at one time. A load of one cell asks for one; a step with
    /// several loads for several at once.
    Message(Box<[Fact]>),
}

impl Entry {
    /// Whether the entry is about a cell.
    pub(crate) fn is_about(&self, cell: Cell) -> bool {
        match self {
            Entry::Own((own, _)) => *own == cell,
            Entry::Message(facts) => facts.iter().any(|(c, _)| *c == cell),
        }
    }

    /// Whether a message tells all of these facts.
    pub(crate) fn tells(&self, facts: &[Fact]) -> bool {
        match self {
            Entry::Own(_) => false,
            Entry::Message(told) => facts.iter().all(|fact| told.contains(fact)),
        }
    }
}

/// All entries that constraints of a program can have.
#[derive(Debug, Default)]
pub(crate) struct Symbols {
    entries: Vec<Entry>,
    numbers: HashMap<Entry, Symbol>,
}

impl Symbols {
    pub(crate) fn entry(&self, symbol: Symbol) -> &Entry {
        &self.entries[symbol.0 as usize]
    }

    pub(crate) fn number(&mut self, entry: Entry) -> Symbol {
        if let Some(&known) = self.numbers.get(&entry) {
            return known;
        }
        let symbol = Symbol(self.entries.len() as u32);
        self.entries.push(entry.clone());
        self.numbers.insert(entry, symbol);
        symbol
    }

    /// The number of an entry that some edge made.
    pub(crate) fn find(&self, entry: &Entry) -> Option<Symbol> {
        self.numbers.get(entry).copied()
    }
}
