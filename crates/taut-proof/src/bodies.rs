//! Bodies that have more than states: automata for buffers, and nodes of what reads runs.

use std::collections::BTreeMap;

use taut_budget::tick;
use taut_ir::{Program, VarId};
use taut_witness::Address;

use crate::Damaged;
use crate::bytes::Reader;
use crate::parts::Parts;
use crate::rows::Rows;

/// A store that waits, or a store fence.
pub type Letter = Option<(Address, i64)>;

/// An automaton over the stores of a program and store fences. State 0 is where words begin.
#[derive(Clone, Debug)]
pub struct BufferAutomaton {
    /// For each state whether words may end there.
    pub accepting: Vec<bool>,
    /// For each state the letters that follow, and where they lead.
    pub edges: Vec<Vec<(Letter, usize)>>,
}

impl BufferAutomaton {
    fn read(program: &Program, input: &mut Reader<'_>) -> Result<BufferAutomaton, Damaged> {
        let states = input.count()?;
        let (mut accepting, mut edges) = (Vec::new(), Vec::new());
        for _ in 0..states {
            accepting.push(input.below(2, "answer")? == 1);
            let mut all = Vec::new();
            for _ in 0..input.count()? {
                let var = input.below(program.vars.len() + 1, "variable")?;
                let Some(variable) = program.vars.get(var) else {
                    all.push((None, input.below(states, "automaton state")?));
                    continue;
                };
                let index = input.below(variable.size() as usize, "element")? as u32;
                let value = input.signed()?;
                if !variable.ty.contains(value) {
                    return Err("a value in a buffer is not of its type".into());
                }
                let address = Address { var: VarId::from(var), index };
                all.push((Some((address, value)), input.below(states, "automaton state")?));
            }
            edges.push(all);
        }
        Ok(BufferAutomaton { accepting, edges })
    }
}

/// A body of symbolic states.
#[derive(Debug)]
pub struct SymbolicStates<'p> {
    /// What buffers may hold.
    pub automata: Vec<BufferAutomaton>,
    /// States without buffers.
    pub skeletons: Rows<'p>,
    /// For each symbolic state the number of its skeleton, and that of the automaton of each process.
    pub states: Vec<(usize, Vec<usize>)>,
}

impl<'p> SymbolicStates<'p> {
    /// Reads a body of symbolic states.
    pub fn read(program: &'p Program, body: &[u8]) -> Result<SymbolicStates<'p>, Damaged> {
        let mut input = Reader::new(body);
        let mut automata = Vec::new();
        for _ in 0..input.count()? {
            automata.push(BufferAutomaton::read(program, &mut input)?);
        }
        let skeletons = Rows::read(Parts::new(program), &mut input)?;
        let mut states = Vec::new();
        for _ in 0..input.count()? {
            tick();
            let skeleton = input.below(skeletons.len(), "state")?;
            let each = program.processes.iter().map(|_| input.below(automata.len(), "automaton"));
            states.push((skeleton, each.collect::<Result<_, _>>()?));
        }
        input.end()?;
        Ok(SymbolicStates { automata, skeletons, states })
    }
}

/// The nodes of each state with the numbers of their components.
#[derive(Debug)]
pub struct Nodes {
    /// For each component the set that it misses.
    pub missed: Vec<usize>,
    /// For each state its nodes, each with its component.
    pub nodes: Vec<BTreeMap<u64, usize>>,
}

impl Nodes {
    /// Reads the nodes of so many states.
    pub fn read(states: usize, input: &mut Reader<'_>) -> Result<Nodes, Damaged> {
        let count = input.count()?;
        let missed = (0..count).map(|_| input.below(usize::MAX, "set"));
        let missed = missed.collect::<Result<Vec<_>, _>>()?;
        let mut nodes = Vec::new();
        for _ in 0..states {
            tick();
            let mut of_state = BTreeMap::new();
            for _ in 0..input.count()? {
                let node = input.number()?;
                of_state.insert(node, input.below(missed.len(), "component")?);
            }
            nodes.push(of_state);
        }
        Ok(Nodes { missed, nodes })
    }
}
