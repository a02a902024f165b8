//! The bodies of certificates in pieces: read, changed in one place, and written again.
//!
//! A changed byte is mostly refused because the bytes are no body any more. A change of pieces is still a body, so that it is
//! the rules of the checker that have to refuse it. A new kind of evidence gets a variant of [`Pieces`] here; the tests in
//! `changes.rs` then take it in.

use std::collections::BTreeSet;

use fastrand::Rng;
use taut_ir::{PointId, Program};
use taut_proof::{Evidence, Interner, Parts, Reader, Rows, Writer};
use taut_witness::State;
use taut_witness::buffer::{Buffer, Item};

/// An automaton over stores: for each state whether it accepts, and its edges.
#[derive(Clone, Debug, PartialEq)]
pub struct Automaton {
    accepts: Vec<bool>,
    /// For each state: variable, element, value, and where it leads.
    edges: Vec<Vec<(u64, u64, i64, usize)>>,
}

/// A body in pieces.
#[derive(Clone, Debug, PartialEq)]
pub enum Pieces {
    States(Vec<State>),
    Buffers {
        automata: Vec<Automaton>,
        skeletons: Vec<State>,
        /// For each symbolic state its skeleton and the automata of its processes.
        states: Vec<(usize, Vec<usize>)>,
    },
    Runs {
        states: Vec<State>,
        /// For each component the set that it misses.
        missed: Vec<u64>,
        /// For each state its nodes with their components.
        nodes: Vec<Vec<(u64, usize)>>,
    },
}

impl Pieces {
    /// Reads a body; none for a kind of evidence that is not known here.
    pub fn read(program: &Program, evidence: &Evidence, body: &[u8]) -> Option<Pieces> {
        let mut input = Reader::new(body);
        let pieces = match evidence {
            Evidence::States => Pieces::States(read_states(program, &mut input)),
            Evidence::Buffers => {
                let count = input.count().expect("automata");
                let automata = (0..count).map(|_| Automaton::read(&mut input)).collect();
                let skeletons = read_states(program, &mut input);
                let mut number = || input.number().expect("a number") as usize;
                let symbolic = number();
                let states = (0..symbolic)
                    .map(|_| (number(), program.processes.iter().map(|_| number()).collect()))
                    .collect();
                Pieces::Buffers { automata, skeletons, states }
            }
            Evidence::Runs { .. } => {
                let states = read_states(program, &mut input);
                let mut number = || input.number().expect("a number");
                let components = number();
                let missed = (0..components).map(|_| number()).collect();
                let mut of_state = || {
                    let count = number();
                    (0..count).map(|_| (number(), number() as usize)).collect()
                };
                let nodes = states.iter().map(|_| of_state()).collect();
                Pieces::Runs { states, missed, nodes }
            }
            _ => return None,
        };
        input.end().expect("nothing is left");
        Some(pieces)
    }

    /// The body; none if a state does not fit the program.
    pub fn write(&self, program: &Program) -> Option<Vec<u8>> {
        let mut out = Writer::default();
        match self {
            Pieces::States(states) => {
                write_states(program, states, &mut out)?;
            }
            Pieces::Buffers { automata, skeletons, states } => {
                out.number(automata.len() as u64);
                automata.iter().for_each(|automaton| automaton.write(&mut out));
                let places = write_states(program, skeletons, &mut out)?;
                out.number(states.len() as u64);
                for (skeleton, words) in states {
                    out.number(places[*skeleton] as u64);
                    words.iter().for_each(|&word| out.number(word as u64));
                }
            }
            Pieces::Runs { states, missed, nodes } => {
                let places = write_states(program, states, &mut out)?;
                let mut sorted = vec![Vec::new(); places.iter().max().map_or(0, |last| last + 1)];
                for (place, nodes) in places.iter().zip(nodes) {
                    sorted[*place].extend(nodes);
                }
                out.number(missed.len() as u64);
                missed.iter().for_each(|&set| out.number(set));
                for nodes in sorted {
                    out.number(nodes.len() as u64);
                    for (node, component) in nodes {
                        out.number(node);
                        out.number(component as u64);
                    }
                }
            }
        }
        Some(out.into_bytes())
    }

    /// Changes something; the kind of change.
    pub fn change(&mut self, rng: &mut Rng, program: &Program) -> &'static str {
        match self {
            Pieces::States(states) => match rng.u32(..4) {
                0 => drop_one(rng, states, "a state dropped"),
                _ => change_states(rng, states, program),
            },
            Pieces::Buffers { automata, skeletons, states } => match rng.u32(..7) {
                0 => drop_one(rng, states, "a symbolic state dropped"),
                1 => swap_words(rng, states),
                2 => change_states(rng, skeletons, program),
                3 if !states.is_empty() => {
                    let at = rng.usize(..states.len());
                    states[at].0 = rng.usize(..skeletons.len());
                    "a symbolic state with another skeleton"
                }
                _ => {
                    let at = rng.usize(..automata.len());
                    automata[at].change(rng)
                }
            },
            Pieces::Runs { states, missed, nodes } => match rng.u32(..7) {
                0 if !missed.is_empty() => {
                    let at = rng.usize(..missed.len());
                    missed[at] = rng.u64(..4);
                    "a component misses another set"
                }
                1 if missed.len() > 1 => {
                    let (a, b) = (rng.usize(..missed.len()), rng.usize(..missed.len()));
                    for (_, component) in nodes.iter_mut().flatten() {
                        *component = match *component {
                            c if c == a => b,
                            c if c == b => a,
                            c => c,
                        };
                    }
                    "two components swapped"
                }
                2 | 3 => {
                    let at = rng.usize(..nodes.len());
                    drop_one(rng, &mut nodes[at], "a node dropped")
                }
                4 if !missed.is_empty() => {
                    let at = rng.usize(..nodes.len());
                    if let Some((_, component)) = nodes[at].first_mut() {
                        *component = rng.usize(..missed.len());
                    }
                    "a node in another component"
                }
                5 => {
                    let at = rng.usize(..states.len());
                    states.remove(at);
                    nodes.remove(at);
                    "a state dropped"
                }
                _ => change_states(rng, states, program),
            },
        }
    }

    /// Whether a state is among those that the body stands for.
    pub fn has(&self, state: &State) -> bool {
        match self {
            Pieces::States(states) | Pieces::Runs { states, .. } => states.contains(state),
            Pieces::Buffers { automata, skeletons, states } => {
                let bare = without_buffers(state.clone());
                states.iter().any(|(skeleton, words)| {
                    let own = words.iter().map(|&word| &automata[word]);
                    skeletons[*skeleton] == bare
                        && state.processes.iter().zip(own).all(|(p, own)| own.has(&p.buffer))
                })
            }
        }
    }
}

fn without_buffers(mut state: State) -> State {
    state.processes.iter_mut().for_each(|process| process.buffer = Buffer::default());
    state
}

fn read_states(program: &Program, input: &mut Reader<'_>) -> Vec<State> {
    let rows = Rows::read(Parts::new(program), input).expect("states");
    (0..rows.len()).map(|number| rows.state(number).expect("a state")).collect()
}

/// Writes states; for each the place at which it is written.
fn write_states(program: &Program, states: &[State], out: &mut Writer) -> Option<Vec<usize>> {
    let mut interner = Interner::new(Parts::new(program));
    let numbers: Option<Vec<u32>> =
        states.iter().map(|state| interner.insert(state).ok().map(|(number, _)| number)).collect();
    let order = interner.write(out);
    let place = |number: &u32| order.iter().position(|n| n == number);
    numbers?.iter().map(place).collect()
}

fn drop_one<T>(rng: &mut Rng, all: &mut Vec<T>, kind: &'static str) -> &'static str {
    if !all.is_empty() {
        all.remove(rng.usize(..all.len()));
    }
    kind
}

/// Changes one state of a list.
fn change_states(rng: &mut Rng, states: &mut [State], program: &Program) -> &'static str {
    let at = rng.usize(..states.len());
    let other = states[rng.usize(..states.len())].clone();
    let state = &mut states[at];
    let process = rng.usize(..state.processes.len());
    let points = program.def_of(taut_ir::ProcId::from(process)).points.len() as u32;
    let own = &mut state.processes[process];
    let value = |rng: &mut Rng, rows: &mut Vec<Vec<i64>>| {
        let mut all: Vec<&mut i64> = rows.iter_mut().flatten().collect();
        if let Some(last) = all.len().checked_sub(1) {
            *all[rng.usize(..=last)] ^= 1;
        }
    };
    match rng.u32(..6) {
        0 => {
            own.point = PointId(rng.u32(..points));
            "a program point changed"
        }
        1 => {
            value(rng, &mut own.registers);
            "a register changed"
        }
        2 => {
            value(rng, &mut state.memory);
            "a variable changed"
        }
        3 => {
            *own = other.processes[process].clone();
            "a process of another state"
        }
        4 => {
            state.memory = other.memory;
            "the memory of another state"
        }
        _ => {
            let mut items: Vec<Item> = own.buffer.items().to_vec();
            match items.is_empty() {
                true => items.extend(other.processes[process].buffer.items()),
                false => drop(items.remove(rng.usize(..items.len()))),
            }
            own.buffer = Buffer::of(items);
            "a buffer changed"
        }
    }
}

fn swap_words(rng: &mut Rng, states: &mut [(usize, Vec<usize>)]) -> &'static str {
    if let Some(last) = states.len().checked_sub(1) {
        let words = &mut states[rng.usize(..=last)].1;
        let (a, b) = (rng.usize(..words.len()), rng.usize(..words.len()));
        words.swap(a, b);
    }
    "two automata swapped"
}

impl Automaton {
    fn read(input: &mut Reader<'_>) -> Automaton {
        let mut number = || input.number().expect("a number");
        let unzigzag = |value: u64| (value >> 1) as i64 ^ -((value & 1) as i64);
        let count = number();
        let (mut accepts, mut edges) = (Vec::new(), Vec::new());
        for _ in 0..count {
            accepts.push(number() == 1);
            let count = number();
            let edge = |_| (number(), number(), unzigzag(number()), number() as usize);
            edges.push((0..count).map(edge).collect());
        }
        Automaton { accepts, edges }
    }

    fn write(&self, out: &mut Writer) {
        out.number(self.accepts.len() as u64);
        for (accepts, edges) in self.accepts.iter().zip(&self.edges) {
            out.number(u64::from(*accepts));
            out.number(edges.len() as u64);
            for &(var, index, value, to) in edges {
                out.number(var);
                out.number(index);
                out.signed(value);
                out.number(to as u64);
            }
        }
    }

    fn change(&mut self, rng: &mut Rng) -> &'static str {
        let states = self.accepts.len();
        let at = rng.usize(..states);
        match rng.u32(..4) {
            0 => {
                self.accepts[at] = !self.accepts[at];
                if self.accepts[at] { "an automaton grown" } else { "an automaton shrunk" }
            }
            1 => drop_one(rng, &mut self.edges[at], "an automaton shrunk"),
            2 => {
                if let Some(edge) = self.edges[at].first_mut() {
                    edge.3 = rng.usize(..states);
                }
                "an edge of an automaton bent"
            }
            _ => {
                if let Some(edge) = self.edges[at].last_mut() {
                    edge.2 ^= 1;
                }
                "a letter of an automaton changed"
            }
        }
    }

    /// Whether the stores of a buffer, oldest first, are a word of it.
    fn has(&self, buffer: &Buffer) -> bool {
        let mut at = BTreeSet::from([0]);
        for entry in buffer.entries() {
            let letter = (entry.address.var.index() as u64, u64::from(entry.address.index));
            let reads = |edge: &&(u64, u64, i64, usize)| {
                ((edge.0, edge.1), edge.2) == (letter, entry.value)
            };
            let next = at.iter().flat_map(|&state: &usize| self.edges[state].iter().filter(reads));
            at = next.map(|&(_, _, _, to)| to).collect();
        }
        at.iter().any(|&state| self.accepts[state])
    }
}
