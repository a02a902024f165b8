//! State graphs for people to look at: what an engine stores, drawn.
//!
//! A [`StateGraph`] is either the graph of symbolic states ([`symbolic`]), in which one state stands for all
//! contents of the buffers that its languages have (Linden and Wolper, SPIN 2010, figures 2 and 4), or the
//! graph of single states ([`explicit`]). Both have one shape, so that they are written by the same code:
//! [`StateGraph::dot`], [`StateGraph::svg`] and [`StateGraph::json`]; and one buffer of one state, as the
//! automaton that it is, by [`StateGraph::buffer`].
//!
//! The invariant: **state 0 is the initial one, the number of a state is its position, and edges lead from and
//! to states that are there.** A graph that is cut short says so ([`StateGraph::cut`]).
//!
//! Nothing here searches beyond [`GraphOptions::most_states`], and the layout takes time that is about linear
//! in what is drawn.

mod automaton;
mod dot;
mod drawing;
mod explicit;
mod filter;
mod json;
mod layout;
mod svg;
mod symbolic;
mod words;

use std::fmt;

use taut_explicit::{Limit, Limits};
use taut_ir::{Memory, MemoryModel};

use crate::load::Loaded;

pub use automaton::BufferDrawing;

/// A graph of states, ready to be written.
#[derive(Clone, Debug)]
pub struct StateGraph {
    /// The program's name.
    pub program: String,
    /// The memory system.
    pub memory: Memory,
    /// The engine whose states these are: `symbolic` or `explicit`.
    pub engine: &'static str,
    /// The names of the processes.
    pub processes: Vec<String>,
    /// The states; the first is the initial one.
    pub states: Vec<State>,
    /// How they follow each other.
    pub edges: Vec<Edge>,
    /// Why the graph is not whole, if it is not.
    pub cut: Option<Cut>,
}

/// A state.
#[derive(Clone, Debug)]
pub struct State {
    /// Where each process is; none if it does not live.
    pub at: Vec<Option<String>>,
    /// For each process its registers. Those that never change are left out.
    pub registers: Vec<Vec<Value>>,
    /// What memory holds.
    pub memory: Vec<Value>,
    /// How many messages wait in each channel that can hold any.
    pub channels: Vec<Value>,
    /// What the buffer of each process may hold.
    pub buffers: Vec<Buffer>,
    /// The processes, by position, whose buffers were made larger by acceleration on the way here.
    pub accelerated: Vec<usize>,
    /// What is violated here, or by a step that leaves this state. In symbolic states only what is asked of
    /// memory, registers and places: only that is the same for all contents of the buffers.
    pub violates: Vec<String>,
}

/// The value or the values of something with a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Value {
    /// Its name.
    pub name: String,
    /// One value; for an array one for each element.
    pub values: Vec<i64>,
    /// Whether it is an array.
    pub array: bool,
}

/// What a buffer may hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Buffer {
    /// As a regular expression over entries `(variable,value)`, the oldest first; `ε` for an empty buffer.
    pub regex: String,
    /// The states of the minimal automaton, the first of which is where it starts, and whether each accepts.
    pub accepting: Vec<bool>,
    /// The edges of the automaton: from a state, by an entry, to a state.
    pub edges: Vec<(usize, String, usize)>,
}

/// How one state follows another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edge {
    /// From this state.
    pub from: usize,
    /// To this one.
    pub to: usize,
    /// What happens, in the words of the source: `p: x := 1`, `p: commit x=1`.
    pub actions: Vec<String>,
    /// What kind of edge it is.
    pub kind: EdgeKind,
}

/// The kinds of edges.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EdgeKind {
    /// The edge leads to the state.
    Taken,
    /// The edge leads to a state that the one it is drawn to includes.
    Included,
    /// The state is the one before with a larger language: a loop was repeated.
    Accelerated,
}

impl EdgeKind {
    /// The name, as in the JSON form.
    pub fn name(self) -> &'static str {
        match self {
            EdgeKind::Taken => "taken",
            EdgeKind::Included => "included",
            EdgeKind::Accelerated => "accelerated",
        }
    }
}

/// Why a graph is not whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cut {
    /// There are more states than were asked for.
    States(u64),
    /// The search ended at another limit.
    Limit(Limit),
}

impl fmt::Display for Cut {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Cut::States(1) => {
                f.write_str("it ends at its first state; those after it are left out")
            }
            Cut::States(n) => write!(f, "it ends at {n} states; those after them are left out"),
            Cut::Limit(limit) => write!(f, "{limit}; states after that are left out"),
        }
    }
}

/// Which states to show, and how many.
#[derive(Clone, Debug)]
pub struct GraphOptions {
    /// The memory system. Symbolic states have buffers without a bound, whatever it says.
    pub memory: Memory,
    /// The most states that are shown.
    pub most_states: usize,
    /// Other limits of the search.
    pub limits: Limits,
}

impl GraphOptions {
    /// The most states that are shown unless something else is asked for: a picture of more is no help.
    pub const MOST_STATES: usize = 400;

    /// A memory model with what else is usual.
    pub fn new(model: MemoryModel) -> GraphOptions {
        let limits = Limits::default();
        GraphOptions { memory: Memory::new(model), most_states: GraphOptions::MOST_STATES, limits }
    }

    /// All limits of the search.
    fn all_limits(&self) -> Limits {
        Limits { states: Some(self.most_states.max(1) as u64), ..self.limits.clone() }
    }
}

/// Why there is no graph, or no such buffer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GraphError {
    message: String,
    hint: String,
}

impl GraphError {
    fn new(message: impl Into<String>, hint: impl Into<String>) -> GraphError {
        GraphError { message: message.into(), hint: hint.into() }
    }

    /// What to do instead.
    pub fn hint(&self) -> &str {
        &self.hint
    }
}

impl fmt::Display for GraphError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for GraphError {}

/// The graph of symbolic states, under TSO or PSO with buffers without a bound.
pub fn symbolic(loaded: &Loaded, options: &GraphOptions) -> Result<StateGraph, GraphError> {
    let _phase = taut_budget::phase("the graph is computed");
    if loaded.program.priorities.is_some() {
        return Err(GraphError::new(
            "the symbolic engine does not support priorities of processes".to_owned(),
            "use --engine explicit",
        ));
    }
    let model = options.memory.model;
    if !taut_symbolic::supports(model) {
        return Err(GraphError::new(
            format!("there are no symbolic states under {model}: its buffers are finite"),
            "use --engine explicit, or --model tso or pso",
        ));
    }
    Ok(symbolic::graph(loaded, options))
}

/// The graph of single states, under any memory model. It is breadth first, by the replayer's plain stepping
/// code: enough for what can be looked at.
pub fn explicit(loaded: &Loaded, options: &GraphOptions) -> StateGraph {
    let _phase = taut_budget::phase("the graph is computed");
    explicit::graph(loaded, options)
}
