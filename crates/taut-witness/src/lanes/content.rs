//! What stands in a row: the step and its values, the buffer after it, and the memory it changes.

use taut_diag::SourceMap;
use taut_ir::{
    Action, Control, Expr, Finding, MemoryModel, ProcId, Program, Step, StepId, VarId, VarKind,
};

use super::cell::{Cell, Place, Word};
use super::table::Gutter;
use super::theme::Role;
use crate::buffer::{Buffer, Entry, Item};
use crate::record::{Read, Source};
use crate::replay::{Row, Run};
use crate::state::{Address, State};
use crate::text;

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
            Action::Step { process, step } => text::find_step(self.program, process, step)
                .and_then(|s| text::line(self.sources, s.span)),
            Action::Commit { .. } => None,
        };
        let line = line.map_or(String::new(), |l| l.to_string());
        Gutter { number: (index + 1).to_string(), line }
    }

    /// What happens in a row, and the buffer after it.
    pub fn lane(&self, index: usize) -> Cell {
        let row = &self.run.rows[index];
        let mut cell = match row.action {
            Action::Step { process, step } => self.step(row, process, step),
            Action::Commit { .. } => self.commit(row),
        };
        cell.push(self.buffer(index), Place::Right);
        cell
    }

    fn commit(&self, row: &Row) -> Cell {
        let stores: Vec<_> =
            row.record.writes.iter().map(|w| self.store(w.address, w.value)).collect();
        Cell::text(&format!("⇢ {} commits", stores.join(" ")), Role::Commit)
    }

    fn step(&self, row: &Row, process: ProcId, id: StepId) -> Cell {
        let step = text::find_step(self.program, process, id).expect("the run was replayed");
        let mut words: Vec<_> = text::step(self.program, process, id)
            .split_whitespace()
            .map(|w| Word::new(w, Role::Plain))
            .collect();
        let results = self.results(row, process, step);
        if !results.is_empty() {
            words.push(Word::new("→", Role::Remark));
            words.extend(results.iter().map(|w| Word::new(w, Role::Value)));
        }
        let mut cell = Cell::default();
        cell.push(words, Place::Beside);
        cell.push_text(&self.remark(row, step), Role::Remark, Place::Beside);
        if let Some(failure) = &row.failure {
            let words = format!("✗ {}", failure_words(failure.finding));
            cell.push_text(&words, Role::Finding, Place::Beside);
        }
        cell
    }

    /// What came out of a step: `0`, or `r=0 x=1` if there is more than one thing to tell.
    fn results(&self, row: &Row, process: ProcId, step: &Step) -> Vec<String> {
        let record = &row.record;
        let mut all: Vec<String> = record.spawned.iter().map(|p| self.started(*p)).collect();
        let assignments: Vec<_> = step.assignments().collect();
        let told = |value: &Expr| matches!(value, Expr::Const(_));
        if step.target == Control::Return || assignments.iter().all(|a| told(&a.value)) {
            // Constants need no telling; what a return brings back is the caller's business.
            if !matches!(step.target, Control::Call { .. }) {
                return all;
            }
        }
        let single = assignments.len() == 1 && !matches!(step.target, Control::Call { .. });
        let locals = record
            .locals
            .iter()
            .map(|l| (text::register(self.program, process, l.register, l.index), l.value));
        let writes =
            record.writes.iter().map(|w| (text::address(self.program, w.address), w.value));
        all.extend(locals.chain(writes).map(|(name, value)| {
            if single { value.to_string() } else { format!("{name}={value}") }
        }));
        all
    }

    fn started(&self, process: ProcId) -> String {
        format!("starts {}", self.program.process(process).name)
    }

    /// What was read, unless it is what came out of the step.
    fn remark(&self, row: &Row, step: &Step) -> String {
        let reads = &row.record.reads;
        if is_plain_load(step) && row.failure.is_none() {
            let buffered = reads.iter().any(|r| r.from == Source::Buffer);
            return if buffered { "(from buffer)".into() } else { String::new() };
        }
        let mut seen: Vec<String> = Vec::new();
        for read in reads {
            let words = self.read(read);
            if !seen.contains(&words) {
                seen.push(words);
            }
        }
        if seen.is_empty() { String::new() } else { format!("({})", seen.join(", ")) }
    }

    fn read(&self, read: &Read) -> String {
        let stored = self.store(read.address, read.value);
        match read.from {
            Source::Buffer => format!("{stored} from buffer"),
            Source::Memory => stored,
        }
    }

    fn store(&self, address: Address, value: i64) -> String {
        format!("{}={value}", text::address(self.program, address))
    }

    /// The buffer after a row, `[]` if it has just become empty, nothing if it was empty before.
    fn buffer(&self, index: usize) -> Vec<Word> {
        let process = self.run.rows[index].action.process();
        let now = &self.run.rows[index].after.process(process).buffer;
        let before = &self.run.before(index).process(process).buffer;
        if now.is_empty() && before.is_empty() {
            return Vec::new();
        }
        let mut parts = match self.run.memory.model {
            MemoryModel::Pso => self.queues(now),
            _ => now.entries().map(|e| self.store(e.address, e.value)).collect(),
        };
        match parts.first_mut() {
            Some(first) => first.insert(0, '['),
            None => parts.push("[".into()),
        }
        parts.last_mut().expect("at least the bracket").push(']');
        parts.into_iter().map(|p| Word::new(p, Role::Buffer)).collect()
    }

    /// A PSO buffer: `x=1,2` for two stores to the same place, `¦` for an sfence.
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
        cell
    }

    /// Memory after a row that changes it.
    pub fn memory(&self, index: usize) -> Cell {
        let (before, after) = (self.run.before(index), &self.run.rows[index].after);
        let mut cell = Cell::default();
        cell.push(self.changed_memory(before, after, VarKind::Shared), Place::Beside);
        cell.push(ghosts(self.changed_memory(before, after, VarKind::Ghost)), Place::Below);
        cell
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

/// How the last step goes wrong.
fn failure_words(finding: Finding) -> &'static str {
    match finding {
        Finding::Fault(fault) => fault.describe(),
        Finding::FullBuffer => "the buffer is full",
        Finding::Property(_) | Finding::Deadlock => "fails",
    }
}

/// Ghost variables stand apart, under their own name.
fn ghosts(mut words: Vec<Word>) -> Vec<Word> {
    if !words.is_empty() {
        words.insert(0, Word::new("ghost", Role::Remark));
    }
    words
}

/// Whether a step does nothing but load one variable into a register, or one element at a fixed
/// index.
fn is_plain_load(step: &Step) -> bool {
    let mut assignments = step.assignments();
    let fixed = |e: &Expr| match e {
        Expr::Var(_) => true,
        Expr::VarElem(_, index) => matches!(**index, Expr::Const(_)),
        _ => false,
    };
    let load = assignments.next().is_some_and(|a| {
        a.place.variable().is_none() && a.place.index().is_none() && fixed(&a.value)
    });
    load && assignments.next().is_none() && step.effects.len() == 1 && step.guard == Expr::TRUE
}
