//! What can happen at once, and what then waits.
//!
//! A *node* is a step or a rendezvous, together with everything that the process goes on with while it holds the others
//! or is at an atomic program point: nobody else sees anything in between. After it, some of its stores commit at once
//! and the others wait for ever (a [`Choice`]). The buffers of the states here are *frozen*: a store that waits in them
//! never commits, so the newest one per location is all that its process can see.

use std::collections::{BTreeSet, HashSet};

use taut_fault::{Fault, is_on};
use taut_ir::{Action, Memory, MemoryModel, ProcId, Program};
use taut_witness::happens::{Accesses, Watched};
use taut_witness::{Address, BoundsMet, Machine, Outcome, State};

/// Steps that happen at once, before anything commits.
#[derive(Clone, Debug)]
pub(crate) struct Node {
    pub actions: Vec<Action>,
    pub accesses: Accesses,
    pub state: State,
}

/// What becomes of the stores of a node.
#[derive(Clone, Debug)]
pub(crate) struct Choice {
    /// The state after the commits, with frozen buffers.
    pub state: State,
    pub commits: Vec<Action>,
    pub committed: Vec<Address>,
    /// Stores that wait from now on. Those to a buffer that held stores back before are not among them.
    pub waiting: Vec<(ProcId, Address)>,
    /// Whether any store of the node waits.
    pub delays: bool,
}

/// A node of more actions than this is not followed.
const LONGEST: usize = 1_000;
/// Nor are more than so many ways through a block.
const MOST_WAYS: usize = 1_000;
/// Nor is a node of more stores. Where each location has a buffer of its own, any of them may wait: the choices are many.
const MOST_STORES: usize = 64;
const MOST_STORES_PER_CELL: usize = 8;

/// The nodes of a program under a memory model with unbounded buffers.
pub(crate) struct Nodes<'p> {
    pub machine: Machine<'p>,
    pub program: &'p Program,
    pub model: MemoryModel,
    pub watched: Watched,
}

/// All that can happen in a state.
pub(crate) struct Expansion {
    pub nodes: Vec<Node>,
    pub bounds: BoundsMet,
    /// Something that happens at once was not followed to its end.
    pub is_cut: bool,
}

impl<'p> Nodes<'p> {
    pub fn new(program: &'p Program, model: MemoryModel, watched: Watched) -> Nodes<'p> {
        let machine = Machine::new(program, Memory::new(model).bounded(None));
        Nodes { machine, program, model, watched }
    }

    /// The nodes that a state allows. Steps that go wrong are none: they end the run.
    pub fn of(&self, state: &State) -> Expansion {
        let first = Node { actions: vec![], accesses: Accesses::default(), state: state.clone() };
        let mut all = Expansion { nodes: vec![], bounds: BoundsMet::default(), is_cut: false };
        let mut open = vec![first];
        let mut seen: HashSet<(State, Accesses)> = HashSet::new();
        while let Some(before) = open.pop() {
            if before.actions.len() > LONGEST || seen.len() > MOST_WAYS {
                all.is_cut = true;
                continue;
            }
            let next = self.machine.successors(&before.state);
            all.bounds = all.bounds.or(next.bounds);
            for (action, done) in next.moves {
                let Outcome::State(after) = done.outcome else { continue };
                if matches!(action, Action::Commit { .. }) {
                    continue;
                }
                let accesses =
                    Accesses::of(&self.machine, &self.watched, &before.state, action, &done.record);
                let node = before.then(action, &accesses, after);
                if node.accesses.stores.len() > self.most_stores() {
                    all.is_cut = true;
                } else if !node.state.is_held(self.program) {
                    all.nodes.push(node);
                } else if seen.insert((node.state.clone(), node.accesses.clone())) {
                    open.push(node);
                }
            }
        }
        all
    }

    fn most_stores(&self) -> usize {
        let per_cell = self.model.buffers().are_per_cell();
        if per_cell { MOST_STORES_PER_CELL } else { MOST_STORES }
    }

    /// Every way in which the stores of a node commit or wait. The first one is that all commit that can.
    pub fn choices(&self, before: &State, node: &Node) -> Vec<Choice> {
        // A store behind one that waits for ever waits for ever.
        let is_free = |p: ProcId, address: Address| {
            let buffer = &before.process(p).buffer;
            let per_cell = self.model.buffers().are_per_cell();
            if per_cell { buffer.newest(address).is_none() } else { buffer.is_empty() }
        };
        let stores = node.accesses.stores.iter().copied();
        let (fresh, stuck): (Vec<_>, Vec<_>) = stores.partition(|&(p, a)| is_free(p, a));
        let mut all = Vec::new();
        let mut seen = BTreeSet::new();
        let start = Choice {
            state: node.state.clone(),
            commits: vec![],
            committed: vec![],
            waiting: fresh,
            delays: false,
        };
        let mut open = vec![start];
        while let Some(choice) = open.pop() {
            taut_budget::tick();
            if !seen.insert(choice.waiting.clone()) {
                continue;
            }
            for i in 0..choice.waiting.len() {
                open.extend(self.commit(&choice, i));
            }
            all.push(choice);
        }
        for choice in &mut all {
            choice.delays = !choice.waiting.is_empty() || !stuck.is_empty();
            freeze(&mut choice.state);
        }
        all.sort_by_key(|choice| choice.waiting.len());
        if is_on(Fault::AllOrNone) {
            all.retain(|c| c.waiting.is_empty() || c.committed.is_empty());
        }
        all
    }

    /// The choice in which one more store commits, if it can.
    fn commit(&self, choice: &Choice, which: usize) -> Option<Choice> {
        let (process, address) = choice.waiting[which];
        if choice.waiting[..which].contains(&(process, address)) {
            return None;
        }
        let action = Action::Commit { process, var: address.var, index: address.index };
        let done = self.machine.apply(&choice.state, action).ok()?;
        let Outcome::State(state) = done.outcome else { return None };
        let mut next = Choice { state, ..choice.clone() };
        next.waiting.remove(which);
        next.commits.push(action);
        next.committed.push(address);
        Some(next)
    }
}

fn freeze(state: &mut State) {
    for process in state.processes.iter_mut().filter(|p| !p.buffer.is_empty()) {
        process.buffer = process.buffer.frozen();
    }
}

impl Node {
    fn then(&self, action: Action, accesses: &Accesses, state: State) -> Node {
        let mut node = Node { state, ..self.clone() };
        node.actions.push(action);
        node.accesses.join(accesses);
        node
    }
}
