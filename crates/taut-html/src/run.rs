//! A run: its start, and what each row does and changes.

use std::collections::BTreeMap;

use serde::Serialize;

/// A counterexample.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Run {
    /// The name of the memory model, as on the command line.
    pub model: String,
    /// The store buffers of the memory model.
    pub buffers: Buffers,
    /// What is violated.
    pub finding: Finding,
    /// The processes that live at some time, a lane each.
    pub processes: Vec<Process>,
    /// Memory: a cell for each shared or ghost variable, or element of one.
    pub cells: Vec<Cell>,
    /// The channels.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub channels: Vec<Channel>,
    /// For a property of runs, its atoms as the source says them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub atoms: Vec<String>,
    /// The truth of the atoms at the start.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub truth: Option<Vec<bool>>,
    /// What happens.
    pub rows: Vec<Row>,
    /// How the run goes on for ever, if it does.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lasso: Option<Lasso>,
    /// Why it is possible, in sentences.
    pub story: Vec<Sentence>,
    /// The stores whose being late matters.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub late: Vec<Late>,
    /// Whether the same steps are a violation under SC, too.
    pub under_sc: bool,
}

/// The store buffers of a memory model, as queues next to a process.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Buffers {
    /// No buffers.
    #[default]
    None,
    /// One queue per process.
    PerProcess,
    /// One queue per process and variable.
    PerVariable,
}

/// What is violated.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Finding {
    /// The name of the property.
    pub property: String,
    /// In one line.
    pub headline: String,
    /// Why, a line for each thing to say.
    pub details: Vec<String>,
}

/// A process.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Process {
    /// Its name.
    pub name: String,
    /// Whether it lives at the start.
    pub lives: bool,
    /// Where it can go on at the start.
    pub at: Vec<Place>,
    /// Its registers, with their values at the start.
    pub registers: Vec<Register>,
}

/// A register of a process, or an element of one.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Register {
    /// Its name, such as `r` or `r[2]`.
    pub name: String,
    /// Its value at the start.
    pub value: i64,
    /// Words of the source for its values, if there are some: `null`, `node[1]`, `IDLE`.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub words: BTreeMap<i64, String>,
}

/// A place in memory.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Cell {
    /// Its name, such as `x` or `a[2]`.
    pub name: String,
    /// Whether it is an observer's.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub ghost: bool,
    /// Its value at the start.
    pub value: i64,
    /// Words of the source for its values, if there are some: `null`, `node[1]`, `freed`.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub words: BTreeMap<i64, String>,
    /// Whether it is not shown: it never changes, and no one looks at it.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub hidden: bool,
}

/// A channel; it is empty at the start.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Channel {
    /// Its name.
    pub name: String,
    /// How many messages it holds; 0 for a rendezvous.
    pub capacity: u32,
}

/// A line of a source: its number in the list of sources, and the line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
pub struct Place(pub usize, pub u32);

/// One action, and what it changes.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Row {
    /// `step`, `handshake` (two steps at once, on a channel that holds no messages) or `commit`.
    pub action: &'static str,
    /// The process that moves, sends, or whose store commits, and what it does.
    pub part: Part,
    /// For a handshake, the other half.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub partner: Option<Part>,
    /// Whether it is a local step that does not matter for the violation: such rows are folded.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub local: bool,
    /// The channel that a message goes through.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub channel: Option<usize>,
    /// Memory cells that are not what they were.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub memory: Vec<Set<i64>>,
    /// Processes whose buffers are not what they were, with all they hold now, oldest first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub buffers: Vec<Set<Vec<Buffered>>>,
    /// Channels that are not what they were, with all they hold now, oldest message first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub channels: Vec<Set<Vec<Vec<i64>>>>,
    /// Registers that are not what they were.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub registers: Vec<SetRegister>,
    /// Processes that can go on elsewhere now.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub at: Vec<Set<Vec<Place>>>,
    /// Processes that started or ended.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub lives: Vec<Set<bool>>,
    /// For a property of runs, the truth of its atoms now; absent where a process holds the others.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub truth: Option<Vec<bool>>,
}

/// The number of a thing and what it is now.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Set<T>(pub usize, pub T);

/// The numbers of a process and of its register, and the value now.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct SetRegister(pub usize, pub usize, pub i64);

/// What one process does in a row.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Part {
    /// The process.
    pub process: usize,
    /// What it does: a step as text, or for a commit the store.
    pub text: String,
    /// The line of the step.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub place: Option<Place>,
    /// What came out of it, unless its text says it: values, or what became of a condition or of a compare-and-swap.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub results: Vec<String>,
    /// How it goes wrong, if it does.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failure: Option<String>,
    /// What it read, in order.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub reads: Vec<Access>,
    /// What it wrote, in order.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub writes: Vec<Access>,
}

/// A read or a write.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Access {
    /// The memory cell.
    pub cell: usize,
    /// The value.
    pub value: i64,
    /// Whether it was found in, or went into, the buffer of the process, and not memory.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub buffer: bool,
}

/// One item of a buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum Buffered {
    /// A store.
    Store(Entry),
    /// The word `sfence`: nothing after it commits before everything before it has.
    Barrier(&'static str),
}

/// A store in a buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Entry {
    /// The memory cell.
    pub cell: usize,
    /// The value.
    pub value: i64,
}

/// How a run goes on for ever.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Lasso {
    /// How many rows come before the cycle. If it is the number of rows, the run ends there and stays in
    /// its last state.
    pub before: usize,
    /// The fairness of the cycle.
    pub fairness: String,
}

/// A sentence of the story.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Sentence {
    /// What it is about: `delay`, `step`, `remark`, `cycle` or `end`.
    pub kind: &'static str,
    /// The sentence.
    pub text: String,
    /// The rows that it tells of.
    pub rows: Vec<usize>,
}

/// A store that was late.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Late {
    /// Whose store.
    pub process: usize,
    /// The memory cell.
    pub cell: usize,
    /// The value.
    pub value: i64,
    /// The row of the store.
    pub stored: usize,
    /// The row in which it left the buffer; absent if it never does.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub left: Option<usize>,
}
