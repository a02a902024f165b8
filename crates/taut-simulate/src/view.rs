//! What is to be seen in a state, in words: where processes are, what waits in buffers, what variables hold.

use taut_ir::{MemoryModel, ProcId, Program, Span, VarKind};
use taut_source::{FileId, SourceMap};
use taut_witness::buffer::{Buffer, Item};
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
pub fn spot(
    program: &Program,
    sources: &SourceMap,
    state: &State,
    process: ProcId,
) -> Option<Spot> {
    let at = state.process(process);
    if !at.started {
        return None;
    }
    let steps = program.def_of(process).steps_from(at.point);
    steps.filter_map(|(_, step)| Spot::of(sources, step.span)).min()
}

/// Where a process is: `line 7`, `line 7 at cs`, `finished`.
pub fn place(program: &Program, sources: &SourceMap, state: &State, process: ProcId) -> String {
    let def = program.def_of(process);
    let at = state.process(process);
    let labels = def.points[at.point.index()].labels.join(", ");
    let mut words = match spot(program, sources, state, process) {
        Some(spot) => format!("line {}", spot.line),
        None if def.is_final(at.point) => "finished".into(),
        None => format!("program point {}", at.point.0),
    };
    if !labels.is_empty() {
        words.push_str(&format!(" at {}", printable(&labels)));
    }
    words
}

/// The processes to show: those that live.
pub fn living(program: &Program, state: &State) -> Vec<ProcId> {
    program.process_ids().filter(|&p| state.process(p).started).collect()
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
pub fn variables(program: &Program, before: &State, now: &State, kind: VarKind) -> Vec<Cell> {
    let of_kind = program.var_ids().filter(|&v| program.var(v).kind == kind);
    let cell = |v: taut_ir::VarId| {
        let (variable, values) = (program.var(v), &now.memory[v.index()]);
        let text = named(&variable.name, variable.len.is_some(), values);
        Cell { text, changed: before.memory[v.index()] != *values }
    };
    of_kind.map(cell).collect()
}

/// The locals of a process.
pub fn locals(program: &Program, before: &State, now: &State, process: ProcId) -> Vec<Cell> {
    let registers = program.def_of(process).registers.iter();
    let (old, new) = (&before.process(process).registers, &now.process(process).registers);
    let cell = |(i, register): (usize, &taut_ir::Register)| Cell {
        text: named(&register.name, register.len.is_some(), &new[i]),
        changed: old[i] != new[i],
    };
    registers.enumerate().map(cell).collect()
}

/// The channels that can hold messages, except those of processes that do not live, with what they hold, the
/// oldest message first.
pub fn channels(program: &Program, before: &State, now: &State) -> Vec<Cell> {
    let resting = program.process_ids().filter(|&p| !now.process(p).started);
    let resting: Vec<_> = resting.flat_map(|p| &program.process(p).channels).collect();
    let cell = |id| Cell {
        text: printable(&text::channel(program, now, id)),
        changed: before.channel(id) != now.channel(id),
    };
    text::buffered_channels(program).filter(|id| !resting.contains(&id)).map(cell).collect()
}

/// Values past this many of an array are left out.
const MOST_ELEMENTS: usize = 64;

fn named(name: &str, array: bool, values: &[i64]) -> String {
    let shown = values.iter().take(MOST_ELEMENTS).map(i64::to_string);
    let mut shown: Vec<_> = shown.collect();
    if values.len() > MOST_ELEMENTS {
        shown.push("…".into());
    }
    let (name, values) = (printable(name), shown.join(" "));
    if array { format!("{name}=[{values}]") } else { format!("{name}={values}") }
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

/// A buffer as queues whose oldest store is next to memory: one queue under TSO, one for each place under PSO and
/// with delayed writes.
pub fn queues(program: &Program, model: MemoryModel, buffer: &Buffer) -> Vec<Part> {
    let mut parts = Vec::new();
    let mut last: Option<Address> = None;
    let by_place = model.buffers().are_per_cell();
    for (i, item) in buffer.items().iter().enumerate() {
        let Item::Store(entry) = item else {
            parts.push(Part::Barrier);
            last = None;
            continue;
        };
        let name = printable(&text::address(program, entry.address));
        if by_place {
            if last != Some(entry.address) {
                parts.push(Part::Way(format!("{name}⇠")));
            }
            parts.push(Part::Store(entry.value.to_string()));
        } else {
            if i == 0 {
                parts.push(Part::Way("⇠".into()));
            }
            parts.push(Part::Store(format!("{name}={}", entry.value)));
        }
        last = Some(entry.address);
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
