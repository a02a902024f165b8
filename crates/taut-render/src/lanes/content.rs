//! What stands in a row: what happens (`step`), the buffer after it, the memory and the channels it
//! changes.

use std::collections::BTreeSet;

use taut_ir::{ChanId, ProcId, VarId, VarKind};
use taut_witness::{Address, State, text};

use super::cell::{Cell, Place, Word};
use super::step::told;
use super::table::Gutter;
use super::theme::Role;
use crate::view::{BufferView, Fold, Held, RunView, constants};

/// A run to be drawn.
pub(super) struct Content<'a> {
    pub view: RunView<'a>,
    /// The kinds of variables that take little room: they are all shown in every row that changes
    /// one.
    whole: Vec<VarKind>,
    /// For each row the buffers that it changes.
    buffers: Vec<Vec<BufferView>>,
    /// Arrays of constants.
    constants: BTreeSet<VarId>,
}

impl<'a> Content<'a> {
    /// The content of a run, where memory should take at most `little` columns.
    pub fn new(view: RunView<'a>, little: usize) -> Content<'a> {
        let buffers = view.buffer_changes();
        let constants = constants(view.program());
        let mut content = Content { view, whole: Vec::new(), buffers, constants };
        let fits = |&kind: &VarKind| content.widest(kind) <= little;
        content.whole = [VarKind::Shared, VarKind::Ghost].into_iter().filter(fits).collect();
        content
    }

    /// The room that the variables of a kind take at most.
    fn widest(&self, kind: VarKind) -> usize {
        let width = |state: &State| {
            let mut cell = Cell::default();
            cell.push(self.variables(state, state, kind), Place::Beside);
            cell.natural_width()
        };
        self.view.states().map(width).max().unwrap_or(0)
    }

    /// The name of a process, as a header.
    pub fn name(&self, process: ProcId) -> Cell {
        Cell::text(self.view.names().process(process), Role::Header)
    }

    /// The names of the processes of a fold.
    pub fn names(&self, fold: &Fold) -> Cell {
        let names = fold.steps.iter().map(|&(process, _)| self.view.names().process(process));
        Cell::text(&names.collect::<Vec<_>>().join(", "), Role::Header)
    }

    /// The number of a row, and the line of its step.
    pub fn gutter(&self, index: usize) -> Gutter {
        let line = self.view.row(index).first().line_word().unwrap_or_default();
        Gutter { number: (index + 1).to_string(), line }
    }

    /// What a process does in a row, and its buffer after it.
    pub fn lane(&self, index: usize, process: ProcId) -> Cell {
        let part = self.view.row(index).part(process);
        let mut cell = part.as_ref().map(told).unwrap_or_default();
        cell.push(self.buffer(index, process), Place::Right);
        cell
    }

    fn store(&self, address: Address, value: i64) -> String {
        self.view.names().store(address, value)
    }

    /// The numbers of the rows of a fold.
    pub fn fold_gutter(&self, fold: &Fold) -> Gutter {
        let number = format!("{}-{}", fold.rows.start + 1, fold.rows.end);
        Gutter { number, line: String::new() }
    }

    /// The steps of a process in a fold.
    pub fn folded(&self, steps: usize) -> Cell {
        let steps = if steps == 1 { "1 local step".into() } else { format!("{steps} local steps") };
        Cell::text(&format!("… {steps}"), Role::Remark)
    }

    /// The buffer after a row that changes it, `[]` if it has become empty.
    fn buffer(&self, index: usize, process: ProcId) -> Vec<Word> {
        let changed = self.buffers[index].iter().find(|(p, _)| *p == process);
        let Some((_, now)) = changed else { return Vec::new() };
        let mut parts: Vec<String> = now.iter().map(|held| self.held(held)).collect();
        match parts.first_mut() {
            Some(first) => first.insert(0, '['),
            None => parts.push("[".into()),
        }
        parts.last_mut().expect("at least the bracket").push(']');
        parts.into_iter().map(|p| Word::new(p, Role::Buffer)).collect()
    }

    /// `x=1`, `x=1,2` for two stores to the same location, `¦` for an sfence.
    fn held(&self, held: &Held) -> String {
        match held {
            Held::Stores { location, name, values } => {
                let value = |&value: &i64| self.view.names().value(*location, value);
                let values: Vec<_> = values.iter().map(value).collect();
                format!("{name}={}", values.join(","))
            }
            Held::Barrier => "¦".into(),
        }
    }

    /// Memory at the start, all of it.
    pub fn initial_memory(&self) -> Cell {
        let state = self.view.start().state();
        let mut cell = Cell::default();
        cell.push(self.variables(state, state, VarKind::Shared), Place::Beside);
        cell.push(ghosts(self.variables(state, state, VarKind::Ghost)), Place::Below);
        cell.push(headed("pool", self.pools()), Place::Below);
        self.push_channels(&mut cell, state, Role::Plain, |_| true);
        cell
    }

    /// Memory after a row that changes it.
    pub fn memory(&self, index: usize) -> Cell {
        let row = self.view.row(index);
        let (before, after) = (row.before().state(), row.after().state());
        let mut cell = Cell::default();
        cell.push(self.changed_memory(before, after, VarKind::Shared), Place::Beside);
        cell.push(ghosts(self.changed_memory(before, after, VarKind::Ghost)), Place::Below);
        cell.push(headed("pool", self.changed_records(before, after)), Place::Below);
        let changed = |id: &ChanId| before.channel(*id) != after.channel(*id);
        self.push_channels(&mut cell, after, Role::Changed, changed);
        cell
    }

    /// Channels and what they hold, below all else.
    fn push_channels(
        &self,
        cell: &mut Cell,
        state: &State,
        role: Role,
        shown: impl Fn(&ChanId) -> bool,
    ) {
        let mut place = Place::Below;
        for id in text::buffered_channels(self.view.program()).filter(shown) {
            cell.push_text(&self.view.names().state(state).channel(id), role, place);
            place = Place::Beside;
        }
    }

    /// All variables of a kind if they take little room, else those that changed; nothing if none
    /// did.
    fn changed_memory(&self, before: &State, after: &State, kind: VarKind) -> Vec<Word> {
        let changed = self.changes(before, after, kind);
        if changed.is_empty() {
            return Vec::new();
        }
        if self.whole.contains(&kind) {
            return self.variables(before, after, kind);
        }
        let word = |&a: &Address| Word::new(self.store(a, after.value(a)), Role::Changed);
        changed.iter().map(word).collect()
    }

    /// The variables of a kind, but for those that tell of the records of pools: these have words of their own.
    fn of_kind(&self, kind: VarKind) -> impl Iterator<Item = VarId> {
        let program = self.view.program();
        let hidden = |var| program.shown.pool(var).is_some() || self.constants.contains(&var);
        self.view.start().variables_of(kind).filter(move |&var| !hidden(var))
    }

    /// The variables that tell of the records of pools.
    fn pool_variables(&self) -> impl Iterator<Item = VarId> {
        let shown = &self.view.program().shown;
        self.view.start().variables_of(VarKind::Ghost).filter(|&var| shown.pool(var).is_some())
    }

    /// `node[3]` for each pool.
    fn pools(&self) -> Vec<Word> {
        let program = self.view.program();
        let word = |var: VarId| {
            // Beside the records there is `null`.
            let records = program.var(var).size().saturating_sub(1);
            let name = program.shown.pool(var).unwrap_or_default();
            Word::new(format!("{name}[{records}]"), Role::Plain)
        };
        self.pool_variables().map(word).collect()
    }

    /// `node[1] freed` for each record that was taken or given back.
    fn changed_records(&self, before: &State, after: &State) -> Vec<Word> {
        let program = self.view.program();
        let changed = self.pool_variables().flat_map(|var| {
            let all = (0..program.var(var).size()).map(move |index| Address { var, index });
            all.filter(|&a| before.value(a) != after.value(a))
        });
        let word = |a: Address| {
            let state = program.shown.value(a.var, a.index, after.value(a)).unwrap_or_default();
            Word::new(format!("{} {state}", self.view.names().location(a)), Role::Changed)
        };
        changed.map(word).collect()
    }

    fn changes(&self, before: &State, after: &State, kind: VarKind) -> Vec<Address> {
        let elements = self.of_kind(kind).flat_map(|var| {
            (0..self.view.program().var(var).size()).map(move |index| Address { var, index })
        });
        elements.filter(|&a| before.value(a) != after.value(a)).collect()
    }

    /// `x=1`, or `a=[1 2 3]`, for all variables of a kind.
    fn variables(&self, before: &State, after: &State, kind: VarKind) -> Vec<Word> {
        let mut words = Vec::new();
        let names = self.view.names();
        for var in self.of_kind(kind) {
            let (old, new) = (names.state(before).variable(var), names.state(after).variable(var));
            let last = new.values.len() - 1;
            for (index, (value, old)) in new.values.iter().zip(old.values).enumerate() {
                let opening = match (index, new.is_array) {
                    (0, true) => format!("{}=[", new.name),
                    (0, false) => format!("{}=", new.name),
                    _ => String::new(),
                };
                let closing = if new.is_array && index == last { "]" } else { "" };
                let role = if value != old { Role::Changed } else { Role::Plain };
                let value = names.value(Address { var, index: index as u32 }, *value);
                words.push(Word::new(format!("{opening}{value}{closing}"), role));
            }
        }
        words
    }
}

/// Ghost variables stand apart, under their own name.
fn ghosts(words: Vec<Word>) -> Vec<Word> {
    headed("ghost", words)
}

/// Words under a name, if there are any.
fn headed(name: &str, mut words: Vec<Word>) -> Vec<Word> {
    if !words.is_empty() {
        words.insert(0, Word::new(name, Role::Remark));
    }
    words
}
