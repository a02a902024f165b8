//! Graphs as JSON. The shape is part of the book (`graph.md`): fields are added, never changed.

use serde::Serialize;

use super::{Buffer, BufferDrawing, Edge, State, StateGraph, Value};

#[derive(Serialize)]
struct GraphJson<'g> {
    program: &'g str,
    model: &'static str,
    engine: &'static str,
    bound: Option<u32>,
    complete: bool,
    processes: &'g [String],
    states: Vec<StateJson<'g>>,
    edges: Vec<EdgeJson<'g>>,
}

#[derive(Serialize)]
struct StateJson<'g> {
    state: usize,
    processes: Vec<ProcessJson<'g>>,
    memory: Vec<ValueJson<'g>>,
    channels: Vec<ValueJson<'g>>,
    buffers: Vec<BufferJson<'g>>,
    accelerated: Vec<&'g str>,
    violates: &'g [String],
}

#[derive(Serialize)]
struct ProcessJson<'g> {
    process: &'g str,
    /// Null if it does not live.
    at: Option<&'g str>,
    registers: Vec<ValueJson<'g>>,
}

#[derive(Serialize)]
struct ValueJson<'g> {
    name: &'g str,
    values: &'g [i64],
}

#[derive(Serialize)]
struct BufferJson<'g> {
    process: &'g str,
    regex: &'g str,
    automaton: AutomatonJson<'g>,
}

#[derive(Serialize)]
struct AutomatonJson<'g> {
    states: usize,
    accepting: Vec<usize>,
    edges: Vec<LetterJson<'g>>,
}

#[derive(Serialize)]
struct LetterJson<'g> {
    from: usize,
    entry: &'g str,
    to: usize,
}

#[derive(Serialize)]
struct EdgeJson<'g> {
    from: usize,
    to: usize,
    kind: &'static str,
    actions: &'g [String],
}

#[derive(Serialize)]
struct OneBufferJson<'g> {
    state: usize,
    #[serde(flatten)]
    buffer: BufferJson<'g>,
}

impl StateGraph {
    /// The graph as one JSON object.
    pub fn json(&self) -> String {
        let states = self.states.iter().enumerate();
        written(&GraphJson {
            program: &self.program,
            model: self.memory.model.name(),
            engine: self.engine,
            bound: self.memory.bound.filter(|_| self.memory.model.has_bound()),
            complete: self.cut.is_none(),
            processes: &self.processes,
            states: states.map(|(number, state)| self.state_json(number, state)).collect(),
            edges: self.edges.iter().map(edge).collect(),
        })
    }

    fn state_json<'g>(&'g self, number: usize, state: &'g State) -> StateJson<'g> {
        let names = || self.processes.iter().map(String::as_str);
        let places = names().zip(&state.at).zip(&state.registers);
        let process = |((process, at), registers): ((_, &'g Option<String>), &'g Vec<Value>)| {
            ProcessJson { process, at: at.as_deref(), registers: values(registers) }
        };
        let accelerated = state.accelerated.iter().filter_map(|&p| self.processes.get(p));
        StateJson {
            state: number,
            processes: places.map(process).collect(),
            memory: values(&state.memory),
            channels: values(&state.channels),
            buffers: names().zip(&state.buffers).map(|(p, b)| buffer(p, b)).collect(),
            accelerated: accelerated.map(String::as_str).collect(),
            violates: &state.violates,
        }
    }
}

impl BufferDrawing<'_> {
    /// The buffer as one JSON object: one of the `buffers` of a state, and the number of the state.
    pub fn json(&self) -> String {
        let buffer = buffer(self.process, self.buffer);
        written(&OneBufferJson { state: self.state, buffer })
    }
}

fn values(all: &[Value]) -> Vec<ValueJson<'_>> {
    all.iter().map(|v| ValueJson { name: &v.name, values: &v.values }).collect()
}

fn edge(edge: &Edge) -> EdgeJson<'_> {
    EdgeJson { from: edge.from, to: edge.to, kind: edge.kind.name(), actions: &edge.actions }
}

fn buffer<'g>(process: &'g str, buffer: &'g Buffer) -> BufferJson<'g> {
    let accepting = buffer.accepting.iter().enumerate().filter(|(_, accepts)| **accepts);
    let letter =
        |(from, entry, to): &'g (usize, String, usize)| LetterJson { from: *from, entry, to: *to };
    let automaton = AutomatonJson {
        states: buffer.accepting.len(),
        accepting: accepting.map(|(state, _)| state).collect(),
        edges: buffer.edges.iter().map(letter).collect(),
    };
    BufferJson { process, regex: &buffer.regex, automaton }
}

/// Numbers, strings and lists cannot fail to be written.
fn written(value: &impl Serialize) -> String {
    serde_json::to_string_pretty(value).map_or_else(|_| String::new(), |text| text + "\n")
}
