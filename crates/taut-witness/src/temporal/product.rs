//! The runs of a graph that something reads and accepts.
//!
//! The product has a node for each state and each thing the reader may remember there. A run is wanted if
//! it is accepted: again and again in every acceptance set of the reader, and again and again meeting
//! every requirement of fairness. So there is one exactly if a component of the product that can be reached
//! has edges of all those kinds: going round through all of it is such a run.

use std::collections::{HashMap, VecDeque};

use super::graph::{Edge, Graph};
use super::scc::components;

/// Something that reads runs position by position and remembers a little.
pub(super) trait Reader {
    /// How many acceptance sets there are, at most 64.
    fn sets(&self) -> usize;
    /// What it may remember at the first position, which has this valuation.
    fn initial(&self, valuation: u64) -> Vec<u32>;
    /// What it may remember at the next position, and the acceptance sets that moving there is in.
    fn read(&self, at: u32, valuation: u64, next: u64) -> Vec<(u32, u64)>;
}

/// The part of the product that can be reached.
pub(super) struct Product<'g> {
    graph: &'g Graph,
    sets: usize,
    /// The states of the nodes, with what is remembered.
    nodes: Vec<(usize, u32)>,
    arcs: Vec<Vec<Arc>>,
    /// How each node was first reached, by the shortest way.
    parents: Vec<Option<(usize, usize)>>,
}

/// An edge of the product.
struct Arc {
    to: usize,
    /// The number of the edge of the graph that it follows.
    edge: usize,
    accepts: u64,
}

/// A way through the product: nodes, each with the number of the arc that leaves it.
type Way = Vec<(usize, usize)>;

impl<'g> Product<'g> {
    /// The product of a graph and a reader; none if it has more than `limit` nodes.
    pub fn new(graph: &'g Graph, reader: &impl Reader, limit: usize) -> Option<Product<'g>> {
        let (nodes, arcs, parents) = (Vec::new(), Vec::new(), Vec::new());
        let mut product = Product { graph, sets: reader.sets(), nodes, arcs, parents };
        let mut ids: HashMap<(usize, u32), usize> = HashMap::new();
        for memory in reader.initial(graph.nodes[0].valuation) {
            product.enter(&mut ids, (0, memory), None);
        }
        while product.arcs.len() < product.nodes.len() {
            let from = product.arcs.len();
            product.arcs.push(Vec::new());
            let (state, memory) = product.nodes[from];
            let here = graph.nodes[state].valuation;
            for (edge, Edge { to, .. }) in graph.nodes[state].edges.iter().enumerate() {
                for (next, accepts) in reader.read(memory, here, graph.nodes[*to].valuation) {
                    let parent = Some((from, product.arcs[from].len()));
                    let to = product.enter(&mut ids, (*to, next), parent);
                    product.arcs[from].push(Arc { to, edge, accepts });
                }
            }
            if product.nodes.len() > limit {
                return None;
            }
        }
        Some(product)
    }

    fn enter(
        &mut self,
        ids: &mut HashMap<(usize, u32), usize>,
        node: (usize, u32),
        parent: Option<(usize, usize)>,
    ) -> usize {
        *ids.entry(node).or_insert_with(|| {
            self.nodes.push(node);
            self.parents.push(parent);
            self.nodes.len() - 1
        })
    }

    /// Everything that must happen again and again: the reader's sets, then the requirements.
    fn goals(&self) -> usize {
        self.sets + self.graph.requirements
    }

    fn edge(&self, node: usize, arc: usize) -> &'g Edge {
        &self.graph.nodes[self.nodes[node].0].edges[self.arcs[node][arc].edge]
    }

    fn meets(&self, (node, arc): (usize, usize), goal: usize) -> bool {
        match goal.checked_sub(self.sets) {
            None => self.arcs[node][arc].accepts >> goal & 1 == 1,
            Some(requirement) => self.edge(node, arc).met[requirement],
        }
    }

    /// The first node, in the order of discovery, of a component that has all it takes.
    pub fn accepting(&self) -> Option<Cycle<'_, 'g>> {
        let successors: Vec<Vec<usize>> =
            self.arcs.iter().map(|arcs| arcs.iter().map(|arc| arc.to).collect()).collect();
        let component = components(&successors);
        let mut missing: HashMap<usize, Vec<bool>> = HashMap::new();
        for (node, arcs) in self.arcs.iter().enumerate() {
            for (number, arc) in arcs.iter().enumerate() {
                if component[node] != component[arc.to] {
                    continue;
                }
                let goals = missing.entry(component[node]);
                let goals = goals.or_insert_with(|| vec![true; self.goals()]);
                for (goal, missing) in goals.iter_mut().enumerate() {
                    *missing &= !self.meets((node, number), goal);
                }
            }
        }
        let all = |root: &usize| missing.get(root).is_some_and(|goals| !goals.contains(&true));
        let entry = component.iter().position(all)?;
        Some(Cycle { product: self, component, entry })
    }

    /// The edges of the graph on the shortest way to a node.
    fn stem(&self, mut node: usize) -> Vec<&'g Edge> {
        let mut edges = Vec::new();
        while let Some((from, arc)) = self.parents[node] {
            edges.push(self.edge(from, arc));
            node = from;
        }
        edges.reverse();
        edges
    }

    /// The shortest run to a node with some valuation and something remembered. The run may not be able to
    /// go on from there.
    pub fn shortest(&self, wanted: impl Fn(u64, u32) -> bool) -> Option<Vec<&'g Edge>> {
        let is_wanted =
            |&(state, memory): &(usize, u32)| wanted(self.graph.nodes[state].valuation, memory);
        self.nodes.iter().position(is_wanted).map(|node| self.stem(node))
    }
}

/// A component of the product through which an accepted run goes round.
pub(super) struct Cycle<'p, 'g> {
    product: &'p Product<'g>,
    component: Vec<usize>,
    /// Where the run enters it.
    entry: usize,
}

impl<'g> Cycle<'_, 'g> {
    /// The edges of the graph that lead to the cycle, and those of the cycle. From goal to goal the way is
    /// the shortest one; the whole need not be.
    pub fn lasso(&self) -> (Vec<&'g Edge>, Vec<&'g Edge>) {
        let mut way: Way = Vec::new();
        let mut at = self.entry;
        for goal in 0..self.product.goals() {
            if !way.iter().any(|&arc| self.product.meets(arc, goal)) {
                at = self.go(&mut way, at, |arc| self.product.meets(arc, goal));
            }
        }
        if at != self.entry || way.is_empty() {
            self.go(&mut way, at, |(node, arc)| self.target(node, arc) == self.entry);
        }
        let cycle = way.iter().map(|&(node, arc)| self.product.edge(node, arc)).collect();
        (self.product.stem(self.entry), cycle)
    }

    fn target(&self, node: usize, arc: usize) -> usize {
        self.product.arcs[node][arc].to
    }

    /// Goes on, within the component, by a shortest way that ends with an arc of some kind, which exists.
    /// Gives where it ends.
    fn go(&self, way: &mut Way, from: usize, last: impl Fn((usize, usize)) -> bool) -> usize {
        let mut parents: HashMap<usize, Option<(usize, usize)>> = HashMap::from([(from, None)]);
        let mut queue = VecDeque::from([from]);
        while let Some(node) = queue.pop_front() {
            for arc in 0..self.product.arcs[node].len() {
                let to = self.target(node, arc);
                if self.component[to] != self.component[from] {
                    continue;
                }
                if last((node, arc)) {
                    let mut tail = vec![(node, arc)];
                    let mut before = parents[&node];
                    while let Some(step) = before {
                        tail.push(step);
                        before = parents[&step.0];
                    }
                    way.extend(tail.into_iter().rev());
                    return to;
                }
                parents.entry(to).or_insert_with(|| {
                    queue.push_back(to);
                    Some((node, arc))
                });
            }
        }
        unreachable!("the component has an arc of every kind")
    }
}
