//! The rows of a run: who does what, what is read from where and written where, and what is different
//! afterwards.

use taut_html::{Access, Buffered, Entry, Part, Row, Set, SetRegister};
use taut_ir::{Action, ChanId, ProcId};
use taut_render::told;
use taut_witness::buffer::{Buffer, Item};
use taut_witness::{Read, Record, Run, Source, State, Target, Write, text};

use super::places::Texts;
use super::state::Numbers;

/// All rows of a run.
pub(super) fn rows(numbers: &Numbers<'_>, texts: &mut Texts<'_>) -> Vec<Row> {
    (0..numbers.run.rows.len()).map(|index| row(numbers, index, texts)).collect()
}

/// The truth of the atoms after so many rows.
pub(super) fn truth(run: &Run, rows: usize) -> Option<Vec<bool>> {
    run.atoms.as_ref()?.at.get(rows)?.clone()
}

fn row(numbers: &Numbers<'_>, index: usize, texts: &mut Texts<'_>) -> Row {
    taut_budget::tick();
    let row = &numbers.run.rows[index];
    let changes = Changes { numbers, before: numbers.run.before(index), after: &row.after };
    let action = match row.action {
        Action::Step { .. } => "step",
        Action::Handshake { .. } => "handshake",
        Action::Commit { .. } => "commit",
    };
    let partner = match (row.action, &row.record.partner) {
        (Action::Handshake { receiver, .. }, Some(record)) => {
            Some(part(numbers, index, receiver, record, texts))
        }
        _ => None,
    };
    Row {
        action,
        part: part(numbers, index, row.action.process(), &row.record, texts),
        partner,
        channel: row.record.message.as_ref().map(|message| message.channel.index()),
        memory: changes.memory(),
        buffers: changes.buffers(),
        channels: changes.channels(),
        registers: changes.registers(),
        at: changes.at(texts),
        lives: changes.lives(),
        truth: truth(numbers.run, index + 1),
    }
}

/// What a process does in a row.
fn part(
    numbers: &Numbers<'_>,
    index: usize,
    process: ProcId,
    record: &Record,
    texts: &mut Texts<'_>,
) -> Part {
    let row = &numbers.run.rows[index];
    let common = Part {
        process: numbers.lane(process),
        reads: record.reads.iter().map(|read| of_read(numbers, read)).collect(),
        writes: record.writes.iter().map(|write| of_write(numbers, write)).collect(),
        ..Part::default()
    };
    let Some(told) = told(numbers.program, row, process) else {
        return Part { text: commit(numbers, record), ..common };
    };
    let step = match row.action {
        Action::Handshake { receiver, receive, .. } if receiver == process => Some(receive),
        Action::Step { step, .. } | Action::Handshake { step, .. } => Some(step),
        Action::Commit { .. } => None,
    };
    let step = step.and_then(|step| text::find_step(numbers.program, process, step));
    Part {
        text: told.text,
        place: step.and_then(|step| texts.place(step.span)),
        results: told.results,
        failure: told.failure.map(String::from),
        ..common
    }
}

/// `x = 1`: the store that reaches memory.
fn commit(numbers: &Numbers<'_>, record: &Record) -> String {
    let store = |w: &Write| format!("{} = {}", text::address(numbers.program, w.address), w.value);
    record.writes.iter().map(store).collect::<Vec<_>>().join(", ")
}

fn of_read(numbers: &Numbers<'_>, read: &Read) -> Access {
    let buffer = read.from == Source::Buffer;
    Access { cell: numbers.cell(read.address), value: read.value, buffer }
}

fn of_write(numbers: &Numbers<'_>, write: &Write) -> Access {
    let buffer = write.to == Target::Buffer;
    Access { cell: numbers.cell(write.address), value: write.value, buffer }
}

/// Two states that follow each other.
struct Changes<'a> {
    numbers: &'a Numbers<'a>,
    before: &'a State,
    after: &'a State,
}

impl Changes<'_> {
    fn memory(&self) -> Vec<Set<i64>> {
        let changed =
            self.numbers.addresses().filter(|&a| self.before.value(a) != self.after.value(a));
        changed.map(|a| Set(self.numbers.cell(a), self.after.value(a))).collect()
    }

    fn processes(&self) -> impl Iterator<Item = (usize, ProcId)> {
        self.numbers.lanes().iter().copied().enumerate()
    }

    fn buffers(&self) -> Vec<Set<Vec<Buffered>>> {
        let changed = self
            .processes()
            .filter(|&(_, p)| self.before.process(p).buffer != self.after.process(p).buffer);
        changed.map(|(lane, p)| Set(lane, self.items(&self.after.process(p).buffer))).collect()
    }

    fn items(&self, buffer: &Buffer) -> Vec<Buffered> {
        let item = |item: &Item| match item {
            Item::Store(entry) => {
                let cell = self.numbers.cell(entry.address);
                Buffered::Store(Entry { cell, value: entry.value })
            }
            Item::Barrier => Buffered::Barrier("sfence"),
        };
        buffer.items().iter().map(item).collect()
    }

    fn channels(&self) -> Vec<Set<Vec<Vec<i64>>>> {
        let all = (0..self.after.channels.len()).map(ChanId::from);
        let changed = all.filter(|&id| self.before.channel(id) != self.after.channel(id));
        changed.map(|id| Set(id.index(), self.after.channel(id).to_vec())).collect()
    }

    fn registers(&self) -> Vec<SetRegister> {
        let mut sets = Vec::new();
        for (lane, p) in self.processes() {
            let (before, after) =
                (&self.before.process(p).registers, &self.after.process(p).registers);
            if before == after {
                continue;
            }
            for (number, (register, index)) in self.numbers.registers(p).enumerate() {
                let value = after[register.index()][index as usize];
                if before[register.index()][index as usize] != value {
                    sets.push(SetRegister(lane, number, value));
                }
            }
        }
        sets
    }

    fn at(&self, texts: &mut Texts<'_>) -> Vec<Set<Vec<taut_html::Place>>> {
        let moved = self.processes().filter(|&(_, p)| {
            let (before, after) = (self.before.process(p), self.after.process(p));
            (before.point, before.started) != (after.point, after.started)
        });
        moved.map(|(lane, p)| Set(lane, self.numbers.at(self.after, p, texts))).collect()
    }

    fn lives(&self) -> Vec<Set<bool>> {
        let changed = self
            .processes()
            .filter(|&(_, p)| self.before.process(p).started != self.after.process(p).started);
        changed.map(|(lane, p)| Set(lane, self.after.process(p).started)).collect()
    }
}
