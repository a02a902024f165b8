//! The new variables: `sb(g, p)` and `i(g, p)` for each shared variable and process, under free names.
//!
//! The thesis calls them `sb_x_A` and `i_x_A`. A name that the model has already, or that two pairs would
//! share (`x_A` in `B` and `x` in `A_B`), gets a number behind it. Names depend on nothing but the model,
//! so that an exported model and an exported file of formulas agree.

use std::collections::{HashMap, HashSet};

use crate::ast::{Model, Name, Process, VarDecl};
use crate::lower::names;

/// Names that are taken.
pub(super) struct Names(HashSet<String>);

impl Names {
    /// All names of a model, wherever they stand: DVE has one name space.
    fn of(model: &Model) -> Names {
        let mut names = Names(HashSet::new());
        names.variables(&model.globals);
        names.add(model.channels.iter().map(|c| &c.name.text));
        names.add(model.expressions.iter().map(|e| &e.name.text));
        names.add(model.formulas.iter().map(|f| &f.name.text));
        for process in &model.processes {
            names.add([&process.name.text]);
            names.variables(&process.locals);
            names.add(process.channels.iter().map(|c| &c.name.text));
            names.add(process.states.iter().map(|s| &s.text));
        }
        names
    }

    fn variables(&mut self, variables: &[VarDecl]) {
        self.add(variables.iter().map(|v| &v.name.text));
    }

    fn add<'n>(&mut self, names: impl IntoIterator<Item = &'n String>) {
        self.0.extend(names.into_iter().cloned());
    }

    /// A name that stands elsewhere is taken as well.
    pub(super) fn take(&mut self, name: &str) {
        self.0.insert(name.into());
    }

    /// A free name, which is taken from now on: the one that is wanted, or it with the first number
    /// that makes it new.
    pub(super) fn fresh(&mut self, wanted: &str) -> String {
        let numbered = (2u32..).map(|n| format!("{wanted}_{n}"));
        let mut candidates = std::iter::once(wanted.to_owned()).chain(numbered);
        let name = candidates.find(|name| !self.0.contains(name)).expect("names without end");
        self.0.insert(name.clone());
        name
    }
}

/// The names of the two variables of a pair.
pub(super) struct Slot {
    /// `sb(g, p)`: the value that waits; 0 if none does.
    pub value: String,
    /// `i(g, p)`: 1 if a value waits.
    pub valid: String,
}

/// All slots of a model.
pub(super) struct Slots<'m> {
    pub model: &'m Model,
    /// What names mean in the program that the model becomes.
    pub names: names::Names<'m>,
    /// The shared variables: globals that are not constant.
    pub globals: Vec<&'m VarDecl>,
    /// The processes that have buffers: all except the property process, which writes nothing and reads
    /// memory.
    pub processes: Vec<&'m Process>,
    /// The committed locations of these, each with its process.
    pub committed: Vec<(&'m Name, &'m Name)>,
    /// The numbers of shared variables.
    numbers: HashMap<&'m str, usize>,
    /// Those of one shared variable stand together.
    slots: Vec<Slot>,
}

/// One element of a shared variable by its number in [`Slots::globals`]; of a scalar, element 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Cell {
    pub global: usize,
    pub element: u32,
}

impl<'m> Slots<'m> {
    /// The slots of a model, and the names that are taken then.
    pub(super) fn of(model: &'m Model) -> (Slots<'m>, Names) {
        let mut taken = Names::of(model);
        let globals: Vec<_> = model.globals.iter().filter(|g| !g.constant).collect();
        let moves = |p: &&Process| !names::is_property(model, p);
        let processes: Vec<_> = model.processes.iter().filter(moves).collect();
        let mut slots = Vec::new();
        for global in &globals {
            for process in &processes {
                let pair = format!("{}_{}", global.name.text, process.name.text);
                let value = taken.fresh(&format!("sb_{pair}"));
                slots.push(Slot { value, valid: taken.fresh(&format!("i_{pair}")) });
            }
        }
        let numbered = globals.iter().enumerate();
        let numbers = numbered.map(|(i, g)| (g.name.text.as_str(), i)).collect();
        let mut committed = Vec::new();
        for process in &processes {
            committed.extend(process.commit.iter().map(|state| (&process.name, state)));
        }
        let names = names::Names::new(model);
        (Slots { model, names, globals, processes, committed, numbers, slots }, taken)
    }

    /// The slot of a shared variable and a process, both by number.
    pub(super) fn slot(&self, global: usize, process: usize) -> &Slot {
        &self.slots[global * self.processes.len() + process]
    }

    /// The number of the shared variable that a name means in a process.
    pub(super) fn shared(&self, process: usize, name: &str) -> Option<usize> {
        if self.processes[process].local(name).is_some() {
            return None;
        }
        self.numbers.get(name).copied()
    }

    /// All elements of all shared variables.
    pub(super) fn cells(&self) -> impl Iterator<Item = Cell> {
        let length = |g: &VarDecl| g.length.unwrap_or(1);
        let numbered = self.globals.iter().enumerate();
        numbered.flat_map(move |(global, g)| {
            (0..length(g)).map(move |element| Cell { global, element })
        })
    }

    /// Every pair of an element and a process.
    pub(super) fn pairs(&self) -> impl Iterator<Item = (Cell, usize)> {
        let processes = self.processes.len();
        self.cells().flat_map(move |cell| (0..processes).map(move |p| (cell, p)))
    }
}
