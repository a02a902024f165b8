//! What is to be seen in a state, in words: where processes are, what waits in buffers, what variables hold.

use taut_ir::{MemoryModel, ProcId, RegId, Span, VarId, VarKind};
use taut_render::view::{Held, ValueView};
use taut_render::{Names, is_hidden};
use taut_source::{FileId, SourceMap};
use taut_witness::{Address, State, text};

/// About how many values a state holds.
pub(crate) fn cells(state: &State) -> usize {
    let memory: usize = state.memory.iter().map(Vec::len).sum();
    let own = |p: &taut_witness::ProcessState| {
        4 + p.registers.iter().map(|r| 3 + r.len()).sum::<usize>() + 4 * p.stack.len()
    };
    8 + memory + 3 * state.memory.len() + state.processes.iter().map(own).sum::<usize>()
}

/// A text without what a terminal would not print as it is.
pub fn printable(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect()
}

/// A line of a source file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Spot {
    /// The file.
    pub file: FileId,
    /// The line, counted from one.
    pub line: u32,
}

impl Spot {
    /// Where a span starts.
    pub fn of(sources: &SourceMap, span: Span) -> Option<Spot> {
        sources.position(span).map(|position| Spot { file: span.file, line: position.line })
    }
}

/// The line that a process is at: that of the first step that leaves its program point.
pub fn spot(names: Names<'_>, state: &State, process: ProcId) -> Option<Spot> {
    let point = names.state(state).point(process)?;
    point.leaving.into_iter().filter_map(|span| Spot::of(names.sources(), span)).min()
}

/// Where a process is: `line 7`, `line 7 at cs`, `finished`.
pub fn place(names: Names<'_>, state: &State, process: ProcId) -> String {
    let point = names.point(process, state.process(process).point);
    let mut words = match spot(names, state, process) {
        Some(spot) => format!("line {}", spot.line),
        None if point.is_final => "finished".into(),
        None => format!("program point {}", point.number),
    };
    if !point.labels.is_empty() {
        words.push_str(&format!(" at {}", printable(&point.labels.join(", "))));
    }
    words
}

/// The processes to show: those that live.
pub fn living(names: Names<'_>, state: &State) -> Vec<ProcId> {
    names.state(state).living()
}

/// A name and what it holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cell {
    /// `x=1`, or `a=[1 2]`.
    pub text: String,
    /// Whether the last action changed it.
    pub changed: bool,
}

/// The variables of a kind, with what memory holds.
pub fn variables(names: Names<'_>, before: &State, now: &State, kind: VarKind) -> Vec<Cell> {
    let (before, now) = (names.state(before), names.state(now));
    let one = |var: VarId| {
        let word = |index, value| names.value(Address { var, index }, value);
        cell(before.variable(var), now.variable(var), word)
    };
    now.variables_of(kind).map(one).collect()
}

/// The locals of a process, without what its front end keeps to itself.
pub fn locals(names: Names<'_>, before: &State, now: &State, process: ProcId) -> Vec<Cell> {
    let (before, now) = (names.state(before), names.state(now));
    let pairs = before.registers(process).zip(now.registers(process)).enumerate();
    let shown = pairs.filter(|(_, (_, now))| !is_hidden(now.name));
    let one = |(id, (before, now)): (usize, (ValueView<'_>, ValueView<'_>))| {
        let word = |_, value| names.register_value(process, RegId::from(id), value);
        cell(before, now, word)
    };
    shown.map(one).collect()
}

/// A variable or a local, with a word for the value of each of its elements.
fn cell(before: ValueView<'_>, now: ValueView<'_>, word: impl Fn(u32, i64) -> String) -> Cell {
    Cell { text: named(now, word), changed: before.values != now.values }
}

/// The channels that can hold messages, except those of processes that do not live, with what they hold, the
/// oldest message first.
pub fn channels(names: Names<'_>, before: &State, now: &State) -> Vec<Cell> {
    let program = names.program();
    let resting = program.process_ids().filter(|&p| !now.process(p).started);
    let resting: Vec<_> = resting.flat_map(|p| &program.process(p).channels).collect();
    let cell = |id| Cell {
        text: printable(&names.state(now).channel(id)),
        changed: before.channel(id) != now.channel(id),
    };
    text::buffered_channels(program).filter(|id| !resting.contains(&id)).map(cell).collect()
}

/// Values past this many of an array are left out.
const MOST_ELEMENTS: usize = 64;

fn named(value: ValueView<'_>, word: impl Fn(u32, i64) -> String) -> String {
    let values = value.values.iter().take(MOST_ELEMENTS);
    let mut shown: Vec<_> = values.zip(0..).map(|(&value, index)| word(index, value)).collect();
    if value.values.len() > MOST_ELEMENTS {
        shown.push("…".into());
    }
    let (name, values) = (printable(value.name), shown.join(" "));
    if value.is_array { format!("{name}=[{values}]") } else { format!("{name}={values}") }
}

/// A part of a drawn buffer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Part {
    /// The way out to memory, with the place that the queue is for if it is for one: `⇠` or `x⇠`.
    Way(String),
    /// A store that waits.
    Store(String),
    /// A store fence: nothing after it commits before everything before it has.
    Barrier,
}

/// The buffer of a process as queues whose oldest store is next to memory: one queue under TSO, one for each location
/// under PSO and with delayed writes.
pub fn queues(names: Names<'_>, model: MemoryModel, state: &State, process: ProcId) -> Vec<Part> {
    let per_cell = model.buffers().are_per_cell();
    let mut parts = Vec::new();
    for (i, held) in names.state(state).buffer(model, process).into_iter().enumerate() {
        match held {
            Held::Barrier => parts.push(Part::Barrier),
            Held::Stores { location, name, values } if per_cell => {
                parts.push(Part::Way(format!("{}⇠", printable(&name))));
                let value = |&value: &i64| Part::Store(names.value(location, value));
                parts.extend(values.iter().map(value));
            }
            Held::Stores { location, name, values } => {
                if i == 0 {
                    parts.push(Part::Way("⇠".into()));
                }
                let name = printable(&name);
                let words = |&value: &i64| format!("{name}={}", names.value(location, value));
                parts.extend(values.iter().map(|value| Part::Store(words(value))));
            }
        }
    }
    parts
}

/// The same as text: `⇠│x=1│y=2│`, or `x⇠│1│2│ y⇠│1│`.
pub fn queue_text(parts: &[Part]) -> String {
    let mut text = String::new();
    for (i, part) in parts.iter().enumerate() {
        let gap = if i == 0 { "" } else { " " };
        match part {
            Part::Way(way) => text.push_str(&format!("{gap}{way}│")),
            Part::Store(store) => text.push_str(&format!("{store}│")),
            Part::Barrier => text.push_str(&format!("{gap}¦")),
        }
    }
    text
}
