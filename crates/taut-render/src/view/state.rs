//! A state between two actions: what memory, registers, buffers and channels hold, and where processes are.

use taut_ir::{ChanId, MemoryModel, ProcId, Span, VarId, VarKind};
use taut_witness::buffer::{Entry, Item};
use taut_witness::{Address, ProcessState, State, text};

use super::names::{Names, is_hidden};

/// A state and the names of what is in it.
#[derive(Clone, Copy, Debug)]
pub struct StateView<'a> {
    names: Names<'a>,
    state: &'a State,
}

/// A variable or a register, and what it holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ValueView<'a> {
    /// Its name.
    pub name: &'a str,
    /// Whether it is an array.
    pub is_array: bool,
    /// Its value, or one for each element.
    pub values: &'a [i64],
}

/// A part of what a buffer holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Held {
    /// Stores to one location, the oldest first; only one where stores to different locations have an order.
    Stores {
        /// The location.
        location: Address,
        /// Its name.
        name: String,
        /// What they store.
        values: Vec<i64>,
    },
    /// A store fence: nothing after it commits before everything before it has.
    Barrier,
}

/// A program point, where a process is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PointView<'a> {
    /// Its number.
    pub number: u32,
    /// Its labels.
    pub labels: &'a [String],
    /// Where the steps that leave it stand, in their order.
    pub leaving: Vec<Span>,
    /// Whether no step leaves it and the process may stop there.
    pub is_final: bool,
    /// Whether the process may stop there.
    pub is_end: bool,
}

impl<'a> StateView<'a> {
    pub(super) fn new(names: Names<'a>, state: &'a State) -> StateView<'a> {
        StateView { names, state }
    }

    /// The state.
    pub fn state(self) -> &'a State {
        self.state
    }

    fn process(self, process: ProcId) -> &'a ProcessState {
        self.state.process(process)
    }

    /// A variable.
    pub fn variable(self, id: VarId) -> ValueView<'a> {
        let variable = self.names.program().var(id);
        let values = &self.state.memory[id.index()];
        ValueView { name: &variable.name, is_array: variable.len.is_some(), values }
    }

    /// All variables.
    pub fn variables(self) -> impl Iterator<Item = ValueView<'a>> {
        self.names.program().var_ids().map(move |id| self.variable(id))
    }

    /// The variables of a kind, by their numbers; not those that a front end keeps to itself.
    pub fn variables_of(self, kind: VarKind) -> impl Iterator<Item = VarId> {
        let program = self.names.program();
        let shown = move |id: VarId| !is_hidden(&program.var(id).name);
        program.var_ids().filter(move |&id| program.var(id).kind == kind && shown(id))
    }

    /// The registers of a process.
    pub fn registers(self, process: ProcId) -> impl Iterator<Item = ValueView<'a>> {
        let registers = self.names.program().def_of(process).registers.iter();
        registers.zip(&self.process(process).registers).map(|(register, values)| ValueView {
            name: &register.name,
            is_array: register.len.is_some(),
            values,
        })
    }

    /// All channels with their messages, the oldest first.
    pub fn channels(self) -> impl Iterator<Item = (&'a str, &'a [Vec<i64>])> {
        let channels = self.names.program().channels.iter().zip(&self.state.channels);
        channels.map(|(channel, messages)| (channel.name.as_str(), messages.as_slice()))
    }

    /// A channel with its messages, the oldest first: `q = [3, 4]`.
    pub fn channel(self, id: ChanId) -> String {
        text::channel(self.names.program(), self.state, id)
    }

    /// What the buffer of a process holds, the oldest store first. Under a memory model with a queue per location,
    /// neighbouring stores to the same location are together.
    pub fn buffer(self, model: MemoryModel, process: ProcId) -> Vec<Held> {
        let per_cell = model.buffers().are_per_cell();
        let mut all: Vec<Held> = Vec::new();
        for item in self.process(process).buffer.items() {
            match (item, all.last_mut()) {
                (
                    Item::Store(Entry { address, value }),
                    Some(Held::Stores { location, values, .. }),
                ) if per_cell && location == address => {
                    values.push(*value);
                }
                (Item::Store(Entry { address, value }), _) => {
                    let name = self.names.location(*address);
                    all.push(Held::Stores { location: *address, name, values: vec![*value] });
                }
                (Item::Barrier, _) => all.push(Held::Barrier),
            }
        }
        debug_assert_eq!(
            all.iter().map(Held::len).sum::<usize>(),
            self.process(process).buffer.items().len(),
            "nothing in a buffer is left out"
        );
        all
    }

    /// Where a living process is; none if it does not live.
    pub fn point(self, process: ProcId) -> Option<PointView<'a>> {
        let at = self.process(process);
        at.started.then(|| self.names.point(process, at.point))
    }

    /// The processes that live.
    pub fn living(self) -> Vec<ProcId> {
        self.names.program().process_ids().filter(|&p| self.process(p).started).collect()
    }
}

impl Held {
    /// Number of items of the buffer.
    fn len(&self) -> usize {
        match self {
            Held::Stores { values, .. } => values.len(),
            Held::Barrier => 1,
        }
    }
}

impl<'a> Names<'a> {
    /// A program point of a process.
    pub fn point(self, process: ProcId, point: taut_ir::PointId) -> PointView<'a> {
        let def = self.program().def_of(process);
        let at = &def.points[point.index()];
        PointView {
            number: point.0,
            labels: &at.labels,
            leaving: def.steps_from(point).map(|(_, step)| step.span).collect(),
            is_final: def.is_final(point),
            is_end: at.end,
        }
    }
}
