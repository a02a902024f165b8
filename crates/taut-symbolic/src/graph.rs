//! The graph of symbolic states, for people to look at.

use taut_automata::{Language, Letter};
use taut_ir::{Action, PointId, ProcId, Program, VarId};
use taut_machine::Machine;
use taut_memory::CellId;

use crate::edge::{Edge, EdgeKind, State};
use crate::node::{NodeId, Nodes};
use crate::sets::{BufferSets, Entry};

/// Symbolic states and how they follow each other.
#[derive(Clone, Debug)]
pub struct Graph {
    /// The states that were kept; the first is the initial one.
    pub states: Vec<GraphState>,
    /// How they follow each other.
    pub edges: Vec<GraphEdge>,
}

/// A symbolic state.
#[derive(Clone, Debug)]
pub struct GraphState {
    /// Where each process is; none if it does not live.
    pub points: Vec<Option<PointId>>,
    /// What memory holds, by variable and index.
    pub memory: Vec<i64>,
    /// The values of the watched expressions ([`crate::explore_watching`]).
    pub watched: Vec<i64>,
    /// What the buffer of each process may hold.
    pub buffers: Vec<GraphBuffer>,
    /// The processes whose buffer was made larger by acceleration on the way here.
    pub accelerated: Vec<ProcId>,
}

/// What a buffer may hold.
#[derive(Clone, Debug)]
pub struct GraphBuffer {
    /// As a regular expression.
    pub regex: String,
    /// The states of the minimal deterministic automaton, the first of which is where it starts, and whether
    /// each accepts.
    pub accepting: Vec<bool>,
    /// The edges of the automaton: from a state, by an entry, to a state.
    pub edges: Vec<(usize, String, usize)>,
    /// The stores on these edges: the variable, the element and the value; none for a store fence.
    pub stores: Vec<Option<(VarId, u32, i64)>>,
}

/// How one symbolic state follows another.
#[derive(Clone, Debug)]
pub struct GraphEdge {
    /// From this state.
    pub from: usize,
    /// To this one.
    pub to: usize,
    /// By which actions; none for an acceleration.
    pub actions: Vec<Action>,
    /// For a commit, what is written.
    pub value: Option<i64>,
    /// What kind of edge it is.
    pub kind: GraphEdgeKind,
}

/// The kinds of edges.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GraphEdgeKind {
    /// The edge leads to the state.
    Taken,
    /// The edge leads to a state that this one includes.
    Included,
    /// The state is the one before with a larger language.
    Accelerated,
}

/// What the search notes for the graph beside the states that it keeps.
#[derive(Default)]
pub(crate) struct Recorder {
    included: Vec<(NodeId, Edge, NodeId)>,
}

impl Recorder {
    pub(crate) fn included(&mut self, from: NodeId, edge: &Edge, into: NodeId) {
        self.included.push((from, edge.clone(), into));
    }
}

impl Graph {
    pub(crate) fn of(
        program: &Program,
        machine: &Machine<BufferSets>,
        nodes: &Nodes,
        recorder: Recorder,
    ) -> Graph {
        let drawing = Drawing { program, machine };
        let mut edges = Vec::new();
        for (to, node) in nodes.iter().enumerate() {
            let Some(from) = node.parent else { continue };
            edges.push(match &node.via {
                Some(via) => drawing.edge(from, &via.edge, to as NodeId, GraphEdgeKind::Taken),
                None => GraphEdge {
                    from: from as usize,
                    to,
                    actions: Vec::new(),
                    value: None,
                    kind: GraphEdgeKind::Accelerated,
                },
            });
        }
        for (from, edge, into) in &recorder.included {
            edges.push(drawing.edge(*from, edge, *into, GraphEdgeKind::Included));
        }
        let state = |node: &crate::node::Node| {
            let grown = node.grown.iter().map(|growth| growth.process).collect();
            drawing.state(&node.state, grown)
        };
        Graph { states: nodes.iter().map(state).collect(), edges }
    }
}

struct Drawing<'a> {
    program: &'a Program,
    machine: &'a Machine<BufferSets>,
}

impl Drawing<'_> {
    fn state(&self, state: &State, accelerated: Vec<ProcId>) -> GraphState {
        use taut_memory::MemorySystem;
        let memory = self.machine.memory();
        let buffer = |process| buffer(self.program, self.machine, memory.language(state, process));
        GraphState {
            points: memory.processes().map(|p| self.machine.point(state, p)).collect(),
            memory: self.machine.places().ids().map(|p| memory.memory(state, p)).collect(),
            watched: self.machine.watched(state),
            buffers: memory.processes().map(buffer).collect(),
            accelerated,
        }
    }

    fn edge(&self, from: NodeId, edge: &Edge, to: NodeId, kind: GraphEdgeKind) -> GraphEdge {
        let (actions, value) = match &edge.kind {
            EdgeKind::Steps { actions, .. } => (actions.to_vec(), None),
            EdgeKind::Commit { process, place, value } => {
                let (var, index) = self.machine.places().variable(*place);
                (vec![Action::Commit { process: *process, var, index }], Some(*value))
            }
        };
        GraphEdge { from: from as usize, to: to as usize, actions, value, kind }
    }
}

fn buffer(program: &Program, machine: &Machine<BufferSets>, language: Language) -> GraphBuffer {
    let names = Names::of(program, machine, language);
    let letters = machine.memory().with_languages(|languages| {
        languages.automaton(language).edges().map(|(_, letter, _)| letter).collect::<Vec<_>>()
    });
    let store = |&letter: &Letter| match machine.memory().entry(letter) {
        Entry::Store { place, value } => {
            let (var, index) = machine.places().variable(place);
            Some((var, index, value))
        }
        Entry::Fence | Entry::Mark => None,
    };
    let stores = letters.iter().map(store).collect();
    machine.memory().with_languages(|languages| {
        let automaton = languages.automaton(language);
        let states = automaton.states() as u32;
        let edge = |(from, letter, to)| (from as usize, names.get(letter), to as usize);
        GraphBuffer {
            accepting: (0..states).map(|state| automaton.accepts(state)).collect(),
            edges: automaton.edges().map(edge).collect(),
            regex: languages.regex(language, &|letter| names.get(letter)),
            stores,
        }
    })
}

/// A language as a regular expression over entries `(variable,value)`.
pub(crate) fn regex(
    program: &Program,
    machine: &Machine<BufferSets>,
    language: Language,
) -> String {
    let names = Names::of(program, machine, language);
    machine.memory().with_languages(|l| l.regex(language, &|letter| names.get(letter)))
}

/// The names of the letters of a language. They are made before the languages are used: meanwhile nobody else
/// can ask about entries.
struct Names(Vec<(Letter, String)>);

impl Names {
    fn of(program: &Program, machine: &Machine<BufferSets>, language: Language) -> Names {
        let memory = machine.memory();
        let letters = memory.with_languages(|l| l.letters(language));
        let named = |letter| (letter, name(program, machine, memory.entry(letter)));
        Names(letters.into_iter().map(named).collect())
    }

    fn get(&self, letter: Letter) -> String {
        let known = self.0.iter().find(|(l, _)| *l == letter);
        known.map_or_else(String::new, |(_, name)| name.clone())
    }
}

fn name(program: &Program, machine: &Machine<BufferSets>, entry: Entry) -> String {
    match entry {
        Entry::Mark => "$".into(),
        Entry::Fence => "#".into(),
        Entry::Store { place, value } => format!("({},{value})", variable(program, machine, place)),
    }
}

fn variable(program: &Program, machine: &Machine<BufferSets>, place: CellId) -> String {
    let (var, index) = machine.places().variable(place);
    let variable = program.var(var);
    match variable.len {
        Some(_) => format!("{}[{index}]", variable.name),
        None => variable.name.clone(),
    }
}
