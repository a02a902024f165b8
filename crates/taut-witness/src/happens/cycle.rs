//! The happens-before relation of a run, and a circle in it.
//!
//! This is the definition, in a few lines, and knows nothing of any search. The nodes of the
//! graph are what happens at once. The edges are program order (a start of a process comes before its steps),
//! coherence (the order in which stores to a location reach memory), reads-from and from-read. A store counts
//! where it reaches memory. The run has the trace of a sequentially consistent one if and only if there is no circle
//! (Shasha and Snir, *Efficient and correct execution of parallel programs that share memory*, 1988).

use std::collections::{BTreeMap, HashMap, VecDeque};

use taut_ir::{Action, ProcId, Program};

use super::access::{Accesses, Object};
use super::watched::Watched;
use crate::address::Address;
use crate::machine::Machine;
use crate::record::Source;
use crate::trace::{Row, Run};

/// Why one node comes before another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// In the same process, or the start of it.
    Program,
    /// Stores to the same object.
    Coherence(Object),
    /// A load of what was stored.
    ReadsFrom(Object),
    /// A load before a store that it does not see.
    FromRead(Object),
}

/// An edge of the happens-before relation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Edge {
    /// The row of the run in which the earlier node begins.
    pub from: usize,
    /// The row in which the later one begins.
    pub to: usize,
    /// The reason.
    pub order: Order,
}

/// What the definition says about a run: its shortest circle through the last store that committed, if there is one.
pub(super) fn cycle(machine: &Machine<'_>, watched: &Watched, run: &Run) -> Option<Vec<Edge>> {
    let mut graph = Graph::default();
    graph.read(machine, watched, run);
    graph.close();
    graph.shortest_cycle()
}

/// A store that waits: its node, and the nodes that have read it in the buffer.
struct Waiting {
    node: usize,
    address: Address,
    readers: Vec<usize>,
}

#[derive(Default)]
struct Graph {
    edges: HashMap<usize, Vec<Edge>>,
    /// The last node of each process.
    last: HashMap<ProcId, usize>,
    /// The nodes that wrote each object, in order.
    writers: BTreeMap<Object, Vec<usize>>,
    /// Loads: the node, the object, and the number of writes of it up to the one that was read.
    loads: Vec<(usize, Object, usize)>,
    waiting: HashMap<ProcId, Vec<Waiting>>,
    /// The node whose store committed last.
    closing: Option<usize>,
}

impl Graph {
    fn read(&mut self, machine: &Machine<'_>, watched: &Watched, run: &Run) {
        let program: &Program = machine.program();
        let mut node = 0;
        for (i, row) in run.rows.iter().enumerate() {
            let before = run.before(i);
            if let Action::Commit { process, var, index } = row.action {
                self.commit(process, Address { var, index });
                continue;
            }
            // A process that keeps the others out goes on with the same node.
            if !before.is_held(program) {
                node = i;
            }
            let accesses = Accesses::of(machine, watched, before, row.action, &row.record);
            self.buffered_loads(node, row.action.process(), row, watched);
            self.event(node, &accesses);
        }
    }

    fn edge(&mut self, from: usize, to: usize, order: Order) {
        if from != to {
            self.edges.entry(from).or_default().push(Edge { from, to, order });
        }
    }

    fn event(&mut self, node: usize, accesses: &Accesses) {
        for process in &accesses.processes {
            if let Some(before) = self.last.insert(*process, node) {
                self.edge(before, node, Order::Program);
            }
        }
        for process in &accesses.spawned {
            // A process that is used again comes after what it was before.
            if let Some(before) = self.last.insert(*process, node) {
                self.edge(before, node, Order::Program);
            }
        }
        for &object in &accesses.reads {
            let seen = self.writers.get(&object).map_or(0, Vec::len);
            self.loads.push((node, object, seen));
        }
        for &object in &accesses.writes {
            self.writers.entry(object).or_default().push(node);
        }
        for &(process, address) in &accesses.stores {
            let waiting = Waiting { node, address, readers: Vec::new() };
            self.waiting.entry(process).or_default().push(waiting);
        }
    }

    /// Loads that the buffer of the process serves.
    fn buffered_loads(&mut self, node: usize, process: ProcId, row: &Row, watched: &Watched) {
        let Some(waiting) = self.waiting.get_mut(&process) else { return };
        let own = row.record.reads.iter().filter(|r| r.from == Source::Buffer);
        for read in own.filter(|r| watched.has(r.address.var)) {
            if let Some(store) = waiting.iter_mut().rev().find(|w| w.address == read.address) {
                store.readers.push(node);
            }
        }
    }

    fn commit(&mut self, process: ProcId, address: Address) {
        let Some(waiting) = self.waiting.get_mut(&process) else { return };
        let Some(at) = waiting.iter().position(|w| w.address == address) else { return };
        let store = waiting.remove(at);
        let object = Object::Cell(address);
        let writers = self.writers.entry(object).or_default();
        writers.push(store.node);
        let seen = writers.len();
        self.loads.extend(store.readers.iter().map(|&reader| (reader, object, seen)));
        self.closing = Some(store.node);
    }

    /// Adds the edges between accesses of the same object.
    fn close(&mut self) {
        for (object, writers) in std::mem::take(&mut self.writers) {
            for pair in writers.windows(2) {
                self.edge(pair[0], pair[1], Order::Coherence(object));
            }
            let loads: Vec<_> = self.loads.iter().filter(|l| l.1 == object).copied().collect();
            for (reader, _, seen) in loads {
                if let Some(&writer) = seen.checked_sub(1).and_then(|i| writers.get(i)) {
                    self.edge(writer, reader, Order::ReadsFrom(object));
                }
                // The next store is enough unless the load is part of it: coherence leads to the others.
                if let Some(&next) = writers[seen..].iter().find(|&&writer| writer != reader) {
                    self.edge(reader, next, Order::FromRead(object));
                }
            }
        }
    }

    /// A shortest circle through the node whose store committed last; else none.
    fn shortest_cycle(&self) -> Option<Vec<Edge>> {
        let closing = self.closing?;
        let mut reached: HashMap<usize, Edge> = HashMap::new();
        let mut open = VecDeque::from([closing]);
        while let Some(at) = open.pop_front() {
            taut_budget::tick();
            for edge in self.edges.get(&at).into_iter().flatten() {
                if reached.contains_key(&edge.to) {
                    continue;
                }
                reached.insert(edge.to, *edge);
                if edge.to == closing {
                    return Some(unwind(closing, &reached));
                }
                open.push_back(edge.to);
            }
        }
        None
    }
}

/// The edges of the circle, from the closing node on.
fn unwind(closing: usize, reached: &HashMap<usize, Edge>) -> Vec<Edge> {
    let mut edges = Vec::new();
    let mut at = closing;
    while let Some(edge) = reached.get(&at) {
        edges.push(*edge);
        at = edge.from;
        if at == closing {
            break;
        }
    }
    edges.reverse();
    edges
}
