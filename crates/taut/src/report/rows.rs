//! The rows of a run: who does what, what is read from where and written where, and what is different
//! afterwards.

use taut_html::{Access, Buffered, Entry, Part, Row, Set, SetRegister};
use taut_ir::{ChanId, Finding, ProcId};
use taut_render::view::{AccessView, BufferView, Held, PartView, StateView};

use super::places::Texts;
use super::state::Numbers;

/// All rows of a run.
pub(super) fn rows(numbers: &Numbers<'_>, finding: Finding, texts: &mut Texts<'_>) -> Vec<Row> {
    let buffers = numbers.view.buffer_changes();
    let matters = numbers.view.matters(Some(finding));
    let all = buffers.into_iter().zip(matters).enumerate();
    all.map(|(index, (changed, matters))| Row {
        local: !matters,
        buffers: changed.into_iter().map(|buffer| held(numbers, buffer)).collect(),
        ..row(numbers, index, texts)
    })
    .collect()
}

/// The buffer of a process after a row.
fn held(numbers: &Numbers<'_>, (process, held): BufferView) -> Set<Vec<Buffered>> {
    let items = |held: Held| match held {
        Held::Stores { location, values, .. } => {
            let cell = numbers.cell(location);
            values.into_iter().map(|value| Buffered::Store(Entry { cell, value })).collect()
        }
        Held::Barrier => vec![Buffered::Barrier("sfence")],
    };
    Set(numbers.lane(process), held.into_iter().flat_map(items).collect())
}

fn row(numbers: &Numbers<'_>, index: usize, texts: &mut Texts<'_>) -> Row {
    taut_budget::tick();
    let row = numbers.view.row(index);
    let changes = Changes { numbers, before: row.before(), after: row.after() };
    Row {
        action: row.kind().word(),
        part: part(numbers, row.first(), texts),
        partner: row.receiver().map(|receiver| part(numbers, receiver, texts)),
        channel: row.row().record.message.as_ref().map(|message| message.channel.index()),
        memory: changes.memory(),
        channels: changes.channels(),
        registers: changes.registers(),
        at: changes.at(texts),
        lives: changes.lives(),
        truth: numbers.view.truth(index + 1).map(<[bool]>::to_vec),
        ..Row::default()
    }
}

/// What a process does in a row; of a commit `x = 1`, the store that reaches memory.
fn part(numbers: &Numbers<'_>, part: PartView<'_>, texts: &mut Texts<'_>) -> Part {
    let access = |access: AccessView| Access {
        cell: numbers.cell(access.location),
        value: access.value,
        buffer: access.in_buffer,
    };
    Part {
        process: numbers.lane(part.process()),
        text: part.text().unwrap_or_else(|| part.committed(" = ").join(", ")),
        place: texts.place(part.span()),
        results: part.results(),
        failure: part.failure(),
        reads: part.reads().map(access).collect(),
        writes: part.writes().map(access).collect(),
    }
}

/// Two states that follow each other.
struct Changes<'a> {
    numbers: &'a Numbers<'a>,
    before: StateView<'a>,
    after: StateView<'a>,
}

impl Changes<'_> {
    fn memory(&self) -> Vec<Set<i64>> {
        let (before, after) = (self.before.state(), self.after.state());
        let changed = self.numbers.addresses().filter(|&a| before.value(a) != after.value(a));
        changed.map(|a| Set(self.numbers.cell(a), after.value(a))).collect()
    }

    fn processes(&self) -> impl Iterator<Item = (usize, ProcId)> {
        self.numbers.lanes().iter().copied().enumerate()
    }

    fn channels(&self) -> Vec<Set<Vec<Vec<i64>>>> {
        let (before, after) = (self.before.state(), self.after.state());
        let all = (0..after.channels.len()).map(ChanId::from);
        let changed = all.filter(|&id| before.channel(id) != after.channel(id));
        changed.map(|id| Set(id.index(), after.channel(id).to_vec())).collect()
    }

    fn registers(&self) -> Vec<SetRegister> {
        let mut sets = Vec::new();
        for (lane, p) in self.processes() {
            let elements = |state: StateView<'_>| {
                state.registers(p).flat_map(|register| register.values.to_vec()).collect::<Vec<_>>()
            };
            let (before, after) = (elements(self.before), elements(self.after));
            let pairs = before.into_iter().zip(after).enumerate();
            let changed = pairs.filter(|(_, (before, after))| before != after);
            sets.extend(changed.map(|(number, (_, value))| SetRegister(lane, number, value)));
        }
        sets
    }

    fn at(&self, texts: &mut Texts<'_>) -> Vec<Set<Vec<taut_html::Place>>> {
        let (before, after) = (self.before.state(), self.after.state());
        let moved = self.processes().filter(|&(_, p)| {
            let (before, after) = (before.process(p), after.process(p));
            (before.point, before.started) != (after.point, after.started)
        });
        moved.map(|(lane, p)| Set(lane, self.numbers.at(self.after, p, texts))).collect()
    }

    fn lives(&self) -> Vec<Set<bool>> {
        let (before, after) = (self.before.state(), self.after.state());
        let changed = self
            .processes()
            .filter(|&(_, p)| before.process(p).started != after.process(p).started);
        changed.map(|(lane, p)| Set(lane, after.process(p).started)).collect()
    }
}
