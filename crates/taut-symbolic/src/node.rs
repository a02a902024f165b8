//! The symbolic states that are kept, and which of them include a new one.

use std::collections::HashMap;
use std::sync::Arc;

use taut_automata::Language;
use taut_ir::ProcId;

use crate::cycle::{Growth, Hop, Taken};
use crate::edge::State;
use crate::expander::Expander;
use crate::sets::BufferSets;

/// The number of a node.
pub(crate) type NodeId = u32;

/// A symbolic state that is kept.
pub(crate) struct Node {
    pub(crate) state: State,
    /// The transitions that need not be taken here, because what they lead to is reached otherwise.
    pub(crate) sleep: u128,
    /// The node before it; the root has none.
    pub(crate) parent: Option<NodeId>,
    /// How the parent leads to it; none if it is the parent with a larger language.
    pub(crate) via: Option<Arc<Taken>>,
    /// Which loops made its languages larger on arrival.
    pub(crate) grown: Vec<Growth>,
    pub(crate) depth: u32,
    /// The same for all nodes that differ in their languages only.
    pub(crate) skeleton: SkeletonId,
}

/// The number of a state without its languages.
pub(crate) type SkeletonId = u32;

/// All nodes.
#[derive(Default)]
pub(crate) struct Nodes {
    nodes: Vec<Node>,
    skeletons: HashMap<Box<[u64]>, SkeletonId>,
    /// The nodes of each skeleton.
    alike: Vec<Vec<NodeId>>,
    exact: HashMap<State, NodeId>,
}

impl Nodes {
    pub(crate) fn len(&self) -> usize {
        self.nodes.len()
    }

    pub(crate) fn get(&self, id: NodeId) -> &Node {
        &self.nodes[id as usize]
    }

    pub(crate) fn get_mut(&mut self, id: NodeId) -> &mut Node {
        &mut self.nodes[id as usize]
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &Node> {
        self.nodes.iter()
    }

    /// Bytes held, about.
    pub(crate) fn bytes(&self) -> u64 {
        let words: usize = self.nodes.first().map_or(0, |n| n.state.len());
        let each = size_of::<Node>() + 6 * words * 8 + 160;
        (self.nodes.len() * each) as u64
    }

    /// The number of a state without its languages.
    pub(crate) fn skeleton(&mut self, skeleton: Box<[u64]>) -> SkeletonId {
        let next = self.alike.len() as SkeletonId;
        let id = *self.skeletons.entry(skeleton).or_insert(next);
        if id == next {
            self.alike.push(Vec::new());
        }
        id
    }

    pub(crate) fn insert(&mut self, node: Node) -> NodeId {
        let id = self.nodes.len() as NodeId;
        self.exact.insert(node.state.clone(), id);
        self.alike[node.skeleton as usize].push(id);
        self.nodes.push(node);
        id
    }

    pub(crate) fn find(&self, state: &State) -> Option<NodeId> {
        self.exact.get(state).copied()
    }

    /// The nodes that include a state: same control and memory, larger languages or the same.
    pub(crate) fn including(
        &self,
        memory: &BufferSets,
        state: &[u64],
        skeleton: SkeletonId,
    ) -> Vec<NodeId> {
        let includes = |id: &&NodeId| includes(memory, &self.get(**id).state, state);
        self.alike[skeleton as usize].iter().filter(includes).copied().collect()
    }

    /// Whether a node that came after one includes it and takes a transition.
    pub(crate) fn is_taken_later(&self, memory: &BufferSets, node: NodeId, bit: u128) -> bool {
        let Node { state, skeleton, .. } = self.get(node);
        let alike = self.alike[*skeleton as usize].iter().rev();
        let mut later = alike.take_while(|&&other| other > node);
        later.any(|&other| {
            let other = self.get(other);
            other.sleep & bit == 0 && includes(memory, &other.state, state)
        })
    }

    /// The hops from an ancestor to a node; without one, from the initial state.
    pub(crate) fn trail(&self, ancestor: Option<NodeId>, node: NodeId) -> Vec<Hop> {
        let mut trail = Vec::new();
        let mut at = Some(node);
        while let Some(id) = at.filter(|_| at != ancestor) {
            let node = self.get(id);
            trail.extend(node.grown.iter().rev().cloned().map(Hop::Grow));
            trail.extend(node.via.clone().map(Hop::Take));
            at = node.parent;
        }
        trail.reverse();
        trail
    }

    /// The node and those before it, nearest first.
    pub(crate) fn ancestors(&self, node: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        std::iter::successors(Some(node), |&id| self.get(id).parent)
    }
}

/// Whether each language of one state includes that of another; both differ in languages only.
pub(crate) fn includes(memory: &BufferSets, large: &[u64], small: &[u64]) -> bool {
    taut_budget::tick();
    memory.processes().all(|process| {
        let (a, b) = (memory.language(large, process), memory.language(small, process));
        a == b || memory.with_languages(|languages| languages.includes(a, b))
    })
}

/// The process whose language alone differs in two states that differ in languages only.
pub(crate) fn differing(memory: &BufferSets, a: &[u64], b: &[u64]) -> Option<ProcId> {
    let differs = |p: &ProcId| memory.language(a, *p) != memory.language(b, *p);
    let mut all = memory.processes().filter(differs);
    let first = all.next()?;
    all.next().is_none().then_some(first)
}

/// A state with another language for a process.
pub(crate) fn with_language(
    expander: &Expander<'_>,
    state: &[u64],
    process: ProcId,
    language: Language,
) -> State {
    let mut other: Box<[u64]> = state.into();
    debug_assert!(expander.memory().has_buffer(process));
    expander.memory().set_language(&mut other, process, language);
    other.into()
}
