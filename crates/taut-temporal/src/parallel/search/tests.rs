//! Random graphs, on several threads, against components found one by one.

use std::sync::atomic::AtomicBool;

use proptest::prelude::*;
use taut_testkit::random::config;

use super::*;
use crate::short_lasso::components;

/// A graph with its transitions in order of their sources.
#[derive(Clone, Debug)]
struct Listed {
    first: Vec<usize>,
    targets: Vec<u32>,
    marks: Vec<u64>,
    sets: usize,
}

impl Listed {
    fn new(nodes: usize, sets: usize, edges: &[(u32, u32, u64)]) -> Listed {
        let mut graph = Listed { first: vec![0], targets: vec![], marks: vec![], sets };
        for node in 0..nodes as u32 {
            for &(_, target, marks) in edges.iter().filter(|e| e.0 % nodes as u32 == node) {
                graph.targets.push(target % nodes as u32);
                graph.marks.push(marks & ((1 << sets) - 1));
            }
            graph.first.push(graph.targets.len());
        }
        graph
    }

    fn edges(&self, node: u32) -> std::ops::Range<usize> {
        self.first[node as usize]..self.first[node as usize + 1]
    }

    /// Whether a component has a cycle with every mark, by the textbook; all nodes count.
    fn accepts(&self) -> Vec<bool> {
        let component = components(&self.first, &self.targets);
        let mut marks = vec![None; component.len()];
        for node in 0..component.len() as u32 {
            for edge in self.edges(node) {
                let at = component[node as usize] as usize;
                if component[self.targets[edge] as usize] as usize == at {
                    *marks[at].get_or_insert(0) |= self.marks[edge];
                }
            }
        }
        let full = |c: &u32| marks[*c as usize] == Some((1_u64 << self.sets) - 1);
        component.iter().map(full).collect()
    }

    /// The nodes that node 0 leads to.
    fn reachable(&self) -> Vec<bool> {
        let mut seen = vec![false; self.first.len() - 1];
        let mut todo = vec![0_u32];
        while let Some(node) = todo.pop() {
            if !std::mem::replace(&mut seen[node as usize], true) {
                todo.extend(self.edges(node).map(|e| self.targets[e]));
            }
        }
        seen
    }
}

/// A way through it.
struct Walker<'g> {
    graph: &'g Listed,
    open: Vec<usize>,
    followed: usize,
}

impl Guide for Walker<'_> {
    type End = ();

    fn open(&mut self, node: u32) -> Result<(), ()> {
        self.open.extend(self.graph.edges(node));
        Ok(())
    }

    fn count(&self) -> usize {
        self.open.len()
    }

    fn follow(&mut self, _: u32, at: usize) -> Result<u32, ()> {
        Ok(self.graph.targets[self.open[at]])
    }

    fn marks(&self, at: usize) -> &[u64] {
        let words = self.graph.sets.div_ceil(64);
        &self.graph.marks[self.open[at]..][..words]
    }

    fn close(&mut self, count: usize) {
        self.open.truncate(count);
    }

    fn followed(&mut self, transitions: usize) {
        self.followed += transitions;
    }

    fn sets(&self) -> usize {
        self.graph.sets
    }
}

/// The outcome of each thread, and the transitions followed for good.
fn search(graph: &Listed, threads: usize) -> (Vec<Outcome<()>>, usize) {
    let sets = Sets::new(graph.sets.div_ceil(64));
    let stop = AtomicBool::new(false);
    let results: Vec<_> = std::thread::scope(|scope| {
        let run = |number| {
            let (sets, stop) = (&sets, &stop);
            scope.spawn(move || {
                let walker = Walker { graph, open: vec![], followed: 0 };
                let mut thread = Thread::new(walker, sets, number, stop);
                let outcome = thread.search(0);
                if outcome != Outcome::Nothing {
                    stop.store(true, Ordering::Relaxed);
                }
                (outcome, thread.guide.followed)
            })
        };
        let all: Vec<_> = (0..threads).map(run).collect();
        all.into_iter().map(|t| t.join().expect("no thread panics")).collect()
    });
    let followed = results.iter().map(|r| r.1).sum();
    (results.into_iter().map(|r| r.0).collect(), followed)
}

fn judge(graph: &Listed, threads: usize) -> Result<(), TestCaseError> {
    let (accepts, reachable) = (graph.accepts(), graph.reachable());
    let expected = accepts.iter().zip(&reachable).any(|(&a, &r)| a && r);
    let (outcomes, followed) = search(graph, threads);
    let cycles = outcomes.iter().filter_map(|outcome| match outcome {
        Outcome::Cycle(node) => Some(*node as usize),
        _ => None,
    });
    let cycles: Vec<usize> = cycles.collect();
    prop_assert_eq!(!cycles.is_empty(), expected, "{} threads: {:?}", threads, outcomes);
    prop_assert!(cycles.iter().all(|&node| accepts[node] && reachable[node]));
    if !expected {
        let nodes = (0..reachable.len()).filter(|&n| reachable[n]);
        let all: usize = nodes.map(|n| graph.edges(n as u32).len()).sum();
        prop_assert_eq!(followed, all, "each transition is followed for good once");
    }
    Ok(())
}

fn graph(nodes: usize, edges: usize) -> impl Strategy<Value = Listed> {
    let edge = (any::<u32>(), any::<u32>(), prop_oneof![3 => Just(0_u64), 1 => any::<u64>()]);
    (1..nodes, 0..4_usize, prop::collection::vec(edge, 0..edges))
        .prop_map(|(nodes, sets, edges)| Listed::new(nodes, sets, &edges))
}

proptest! {
    #![proptest_config(config(600))]

    #[test]
    fn threads_find_what_there_is(graph in graph(12, 30), threads in 1..5_usize) {
        judge(&graph, threads)?;
    }

    #[test]
    fn threads_find_what_there_is_in_larger_graphs(graph in graph(400, 900), threads in 2..5_usize) {
        judge(&graph, threads)?;
    }
}

#[test]
fn a_long_circle_is_one_component_for_all_threads() {
    let nodes = 20_000;
    let edges: Vec<_> = (0..nodes).map(|n| (n, n + 1, 0)).collect();
    for threads in [1, 2, 4] {
        judge(&Listed::new(nodes as usize, 1, &edges), threads).expect("no accepting cycle");
        judge(&Listed::new(nodes as usize, 0, &edges), threads).expect("an accepting cycle");
    }
}
