//! The names of a model, for quick look-up.

use std::collections::{HashMap, HashSet};

use taut_source::Span;

use crate::ast::{ChanDecl, Model, Process, VarDecl};

/// The names of one scope.
#[derive(Default)]
pub(super) struct Words<'m> {
    pub variables: HashMap<&'m str, &'m VarDecl>,
    pub channels: HashMap<&'m str, &'m ChanDecl>,
    pub states: HashSet<&'m str>,
}

/// The names of a model.
pub(super) struct Table<'m> {
    pub globals: Words<'m>,
    processes: HashMap<&'m str, (Span, Words<'m>)>,
}

impl<'m> Table<'m> {
    pub(super) fn new(model: &'m Model) -> Table<'m> {
        let globals = Words {
            variables: model.globals.iter().map(|v| (v.name.text.as_str(), v)).collect(),
            channels: model.channels.iter().map(|c| (c.name.text.as_str(), c)).collect(),
            states: HashSet::new(),
        };
        let one = |p: &'m Process| (p.name.text.as_str(), (p.name.span, Words::of(p)));
        Table { globals, processes: model.processes.iter().map(one).collect() }
    }

    pub(super) fn process(&self, name: &str) -> Option<&Words<'m>> {
        self.processes.get(name).map(|(_, words)| words)
    }

    /// The name of a process as the model has it.
    pub(super) fn name_of(&self, process: &str) -> Option<&'m str> {
        self.processes.get_key_value(process).map(|(name, _)| *name)
    }

    pub(super) fn processes(&self) -> impl Iterator<Item = &'m str> {
        self.processes.keys().copied()
    }

    /// Where a global name is declared.
    pub(super) fn global_span(&self, name: &str) -> Option<Span> {
        let variable = self.globals.variables.get(name).map(|v| v.name.span);
        let channel = || self.globals.channels.get(name).map(|c| c.name.span);
        let process = || self.processes.get(name).map(|(span, _)| *span);
        variable.or_else(channel).or_else(process)
    }
}

impl<'m> Words<'m> {
    fn of(process: &'m Process) -> Words<'m> {
        Words {
            variables: process.locals.iter().map(|v| (v.name.text.as_str(), v)).collect(),
            channels: process.channels.iter().map(|c| (c.name.text.as_str(), c)).collect(),
            states: process.states.iter().map(|s| s.text.as_str()).collect(),
        }
    }
}
