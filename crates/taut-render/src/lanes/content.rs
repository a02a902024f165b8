//! What stands in a row: what happens (`step`), the buffer after it, the memory and the channels it
//! changes.

use taut_ir::{Action, ChanId, ProcId, Program, VarId, VarKind};
use taut_source::SourceMap;
use taut_witness::buffer::{Buffer, Entry, Item};
use taut_witness::{Address, Row, Run, State, text};

use super::cell::{Cell, Place, Word};
use super::step::{Telling, store};
use super::table::Gutter;
use super::theme::Role;

/// A run and the names of what is in it.
pub(super) struct Content<'a> {
    program: &'a Program,
    sources: &'a SourceMap,
    pub run: &'a Run,
    /// The kinds of variables that take little room: they are all shown in every row that changes
    /// one.
    whole: Vec<VarKind>,
}

impl<'a> Content<'a> {
    /// The content of a run, where memory should take at most `little` columns.
    pub fn new(
        program: &'a Program,
        sources: &'a SourceMap,
        run: &'a Run,
        little: usize,
    ) -> Content<'a> {
        let mut content = Content { program, sources, run, whole: Vec::new() };
        let fits = |&kind: &VarKind| content.widest(kind) <= little;
        content.whole = [VarKind::Shared, VarKind::Ghost].into_iter().filter(fits).collect();
        content
    }

    /// The room that the variables of a kind take at most.
    fn widest(&self, kind: VarKind) -> usize {
        let states =
            std::iter::once(&self.run.initial).chain(self.run.rows.iter().map(|r| &r.after));
        let width = |state: &State| {
            let mut cell = Cell::default();
            cell.push(self.variables(state, state, kind), Place::Beside);
            cell.natural_width()
        };
        states.map(width).max().unwrap_or(0)
    }

    /// The name of a process, as a header.
    pub fn name(&self, process: ProcId) -> Cell {
        Cell::text(&self.program.process(process).name, Role::Header)
    }

    /// The number of a row, and the line of its step.
    pub fn gutter(&self, index: usize) -> Gutter {
        let line = match self.run.rows[index].action {
            Action::Step { process, step } | Action::Handshake { process, step, .. } => {
                text::step_line(self.program, self.sources, process, step)
            }
            Action::Commit { .. } => None,
        };
        let line = line.map_or(String::new(), |l| l.to_string());
        Gutter { number: (index + 1).to_string(), line }
    }

    /// What a process does in a row, and its buffer after it.
    pub fn lane(&self, index: usize, process: ProcId) -> Cell {
        let row = &self.run.rows[index];
        let mut cell = told(self.program, row, process);
        cell.push(self.buffer(index, process), Place::Right);
        cell
    }

    fn store(&self, address: Address, value: i64) -> String {
        store(self.program, address, value)
    }

    /// The buffer after a row, `[]` if it has just become empty, nothing if it was empty before.
    fn buffer(&self, index: usize, process: ProcId) -> Vec<Word> {
        let now = &self.run.rows[index].after.process(process).buffer;
        let before = &self.run.before(index).process(process).buffer;
        if now.is_empty() && before.is_empty() {
            return Vec::new();
        }
        let mut parts = match self.run.memory.model.buffers().are_per_cell() {
            true => self.queues(now),
            false => now.entries().map(|e| self.store(e.address, e.value)).collect(),
        };
        match parts.first_mut() {
            Some(first) => first.insert(0, '['),
            None => parts.push("[".into()),
        }
        parts.last_mut().expect("at least the bracket").push(']');
        parts.into_iter().map(|p| Word::new(p, Role::Buffer)).collect()
    }

    /// A buffer of PSO or of delayed writes: `x=1,2` for two stores to the same place, `¦` for an sfence.
    fn queues(&self, buffer: &Buffer) -> Vec<String> {
        let mut parts: Vec<String> = Vec::new();
        let mut last: Option<Address> = None;
        for item in buffer.items() {
            match item {
                Item::Store(Entry { address, value }) if last == Some(*address) => {
                    parts.last_mut().expect("a store before it").push_str(&format!(",{value}"));
                }
                Item::Store(Entry { address, value }) => parts.push(self.store(*address, *value)),
                Item::Barrier => parts.push("¦".into()),
            }
            last = item.address();
        }
        parts
    }

    /// Memory at the start, all of it.
    pub fn initial_memory(&self) -> Cell {
        let state = &self.run.initial;
        let mut cell = Cell::default();
        cell.push(self.variables(state, state, VarKind::Shared), Place::Beside);
        cell.push(ghosts(self.variables(state, state, VarKind::Ghost)), Place::Below);
        self.push_channels(&mut cell, state, Role::Plain, |_| true);
        cell
    }

    /// Memory after a row that changes it.
    pub fn memory(&self, index: usize) -> Cell {
        let (before, after) = (self.run.before(index), &self.run.rows[index].after);
        let mut cell = Cell::default();
        cell.push(self.changed_memory(before, after, VarKind::Shared), Place::Beside);
        cell.push(ghosts(self.changed_memory(before, after, VarKind::Ghost)), Place::Below);
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
        for id in text::buffered_channels(self.program).filter(shown) {
            cell.push_text(&text::channel(self.program, state, id), role, place);
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

    fn of_kind(&self, kind: VarKind) -> impl Iterator<Item = VarId> {
        self.program.var_ids().filter(move |&v| self.program.var(v).kind == kind)
    }

    fn changes(&self, before: &State, after: &State, kind: VarKind) -> Vec<Address> {
        let elements = self.of_kind(kind).flat_map(|var| {
            (0..self.program.var(var).size()).map(move |index| Address { var, index })
        });
        elements.filter(|&a| before.value(a) != after.value(a)).collect()
    }

    /// `x=1`, or `a=[1 2 3]`, for all variables of a kind.
    fn variables(&self, before: &State, after: &State, kind: VarKind) -> Vec<Word> {
        let mut words = Vec::new();
        for var in self.of_kind(kind) {
            let variable = self.program.var(var);
            let last = variable.size() - 1;
            for index in 0..=last {
                let address = Address { var, index };
                let value = after.value(address);
                let changed = value != before.value(address);
                let opening = match (index, variable.len) {
                    (0, Some(_)) => format!("{}=[", variable.name),
                    (0, None) => format!("{}=", variable.name),
                    _ => String::new(),
                };
                let closing = if variable.len.is_some() && index == last { "]" } else { "" };
                let role = if changed { Role::Changed } else { Role::Plain };
                words.push(Word::new(format!("{opening}{value}{closing}"), role));
            }
        }
        words
    }
}

/// What a process does in a row.
pub(super) fn told(program: &Program, row: &Row, process: ProcId) -> Cell {
    let told = Telling { program, failure: row.failure.as_ref() };
    match (row.action, &row.record.partner) {
        (Action::Handshake { receiver, receive, .. }, Some(record)) if process == receiver => {
            told.step(process, receive, record)
        }
        (Action::Step { step, .. } | Action::Handshake { step, .. }, _) => {
            told.step(process, step, &row.record)
        }
        (Action::Commit { .. }, _) => commit(program, row),
    }
}

fn commit(program: &Program, row: &Row) -> Cell {
    let stores = row.record.writes.iter().map(|w| store(program, w.address, w.value));
    let stores: Vec<_> = stores.collect();
    Cell::text(&format!("⇢ {} commits", stores.join(" ")), Role::Commit)
}

/// Ghost variables stand apart, under their own name.
fn ghosts(mut words: Vec<Word>) -> Vec<Word> {
    if !words.is_empty() {
        words.insert(0, Word::new("ghost", Role::Remark));
    }
    words
}
