//! The loops of a definition: a loop nesting forest of its control-flow graph.
//!
//! A strongly connected region of the graph is a loop. Its *entries* are the program points that the process can reach
//! from outside of it. Without the edges into its entries the region falls apart, and the strongly connected regions
//! of what is left are the loops inside of it (Steensgaard, *Sequentializing program dependence graphs for irreducible
//! programs*, 1993). In a graph without jumps into the middle of a loop these are the natural loops, those with a
//! common head taken together. The forest is defined for every graph, so that `goto` needs no case of its own.
//!
//! Linear in the size of the graph per level of nesting.

use std::collections::{BTreeMap, BTreeSet};

use taut_ir::{Control, PointId, ProcessDef, Step};

/// The number of a loop of a forest.
pub(crate) type LoopId = usize;

/// A loop of a definition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Loop {
    /// The loop around it.
    pub(crate) parent: Option<LoopId>,
    /// All its program points, those of inner loops included.
    pub(crate) points: BTreeSet<PointId>,
}

/// All loops of a definition; a loop comes after the loop around it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Forest {
    pub(crate) loops: Vec<Loop>,
    /// The innermost loop of each program point.
    innermost: Vec<Option<LoopId>>,
}

/// Where a step goes within its own body: for a call, where it goes on afterwards.
pub(crate) fn next(step: &Step) -> Option<PointId> {
    match step.target {
        Control::Goto(to) | Control::Call { return_to: to, .. } => Some(to),
        Control::Return | Control::Exit => None,
    }
}

type Edge = (PointId, PointId);

impl Forest {
    /// The loops of a definition and of its procedures.
    pub(crate) fn of(def: &ProcessDef) -> Forest {
        let edges: Vec<Edge> =
            def.steps.iter().filter_map(|step| Some((step.source, next(step)?))).collect();
        let mut starts: BTreeSet<PointId> = def.procedures.iter().map(|p| p.entry).collect();
        starts.insert(def.entry);
        let mut forest = Forest { loops: Vec::new(), innermost: vec![None; def.points.len()] };
        let mut todo = vec![(None, edges.clone())];
        while let Some((parent, region)) = todo.pop() {
            taut_budget::tick();
            for points in cyclic_components(&region) {
                let id = forest.loops.len();
                let entries = entries(&points, &edges, &starts);
                let inner = |&(from, to): &Edge| {
                    points.contains(&from) && points.contains(&to) && !entries.contains(&to)
                };
                todo.push((Some(id), region.iter().copied().filter(inner).collect()));
                // An inner loop is found after the one around it, so the last to write is the innermost.
                points.iter().for_each(|at| forest.innermost[at.index()] = Some(id));
                forest.loops.push(Loop { parent, points });
            }
        }
        forest
    }

    /// The loops around a step, innermost first: those in which it starts and ends.
    pub(crate) fn around(&self, step: &Step) -> impl Iterator<Item = LoopId> {
        let target = next(step);
        let chain =
            std::iter::successors(self.innermost[step.source.index()], |&id| self.loops[id].parent);
        chain.filter(move |&id| target.is_some_and(|to| self.loops[id].points.contains(&to)))
    }

    /// Whether a loop is outermost and no step leaves it.
    pub(crate) fn is_endless(&self, id: LoopId, def: &ProcessDef) -> bool {
        let Loop { parent, points } = &self.loops[id];
        let stays = |step: &Step| next(step).is_some_and(|to| points.contains(&to));
        parent.is_none() && def.steps.iter().filter(|s| points.contains(&s.source)).all(stays)
    }
}

/// The program points of a region that are reached from outside of it. One that nothing reaches has its first program point
/// as its entry, so that it falls apart, too.
fn entries(
    region: &BTreeSet<PointId>,
    edges: &[Edge],
    starts: &BTreeSet<PointId>,
) -> BTreeSet<PointId> {
    let mut found: BTreeSet<PointId> = region.intersection(starts).copied().collect();
    let is_into = |(from, to): &&Edge| !region.contains(from) && region.contains(to);
    found.extend(edges.iter().filter(is_into).map(|(_, to)| *to));
    if found.is_empty() {
        found.extend(region.first());
    }
    found
}

/// The strongly connected components that have an edge, by Kosaraju's algorithm.
fn cyclic_components(edges: &[Edge]) -> Vec<BTreeSet<PointId>> {
    let (mut forward, mut backward) = (Graph::new(), Graph::new());
    for &(from, to) in edges {
        forward.entry(from).or_default().push(to);
        backward.entry(to).or_default().push(from);
    }
    let mut seen = BTreeSet::new();
    let mut order = Vec::new();
    for &start in forward.keys() {
        order.extend(finished(&forward, start, &mut seen));
    }
    let mut seen = BTreeSet::new();
    let components =
        order.into_iter().rev().map(|at| finished(&backward, at, &mut seen)).collect::<Vec<_>>();
    let is_cyclic = |component: &Vec<PointId>| match component[..] {
        [] => false,
        [one] => forward.get(&one).is_some_and(|next| next.contains(&one)),
        _ => true,
    };
    components.into_iter().filter(is_cyclic).map(|c| c.into_iter().collect()).collect()
}

type Graph = BTreeMap<PointId, Vec<PointId>>;

/// The program points that a depth-first search from a start finishes, in that order, past those that were seen.
fn finished(graph: &Graph, start: PointId, seen: &mut BTreeSet<PointId>) -> Vec<PointId> {
    let mut done = Vec::new();
    if !seen.insert(start) {
        return done;
    }
    let mut path = vec![(start, 0)];
    while let Some((at, tried)) = path.last_mut() {
        taut_budget::tick();
        match graph.get(at).and_then(|next| next.get(*tried)) {
            Some(&to) => {
                *tried += 1;
                if seen.insert(to) {
                    path.push((to, 0));
                }
            }
            None => {
                done.push(*at);
                path.pop();
            }
        }
    }
    done
}

#[cfg(test)]
mod tests {
    use super::*;
    use taut_ir::{ProgramPoint, Span};

    fn def(count: usize, edges: &[(u32, u32)]) -> ProcessDef {
        let step = |&(from, to): &(u32, u32)| Step::skip(PointId(from), PointId(to), Span::NONE);
        ProcessDef {
            name: "p".into(),
            registers: Vec::new(),
            params: 0,
            points: vec![ProgramPoint::default(); count],
            entry: PointId(0),
            steps: edges.iter().map(step).collect(),
            procedures: Vec::new(),
            channel_registers: Vec::new(),
            span: Span::NONE,
        }
    }

    fn depths(count: usize, edges: &[(u32, u32)]) -> Vec<usize> {
        let def = def(count, edges);
        let forest = Forest::of(&def);
        def.steps.iter().map(|step| forest.around(step).count()).collect()
    }

    #[test]
    fn a_line_has_no_loops() {
        assert_eq!(depths(3, &[(0, 1), (1, 2)]), [0, 0]);
    }

    #[test]
    fn a_loop_in_a_loop_counts_twice_and_the_way_out_does_not_count() {
        // 0 → 1 → 2 → 1 inside of 1 → 3 → 0, and out of all by 3 → 4.
        let edges = [(0, 1), (1, 2), (2, 1), (1, 3), (3, 0), (3, 4)];
        assert_eq!(depths(5, &edges), [1, 2, 2, 1, 1, 0]);
    }

    #[test]
    fn a_step_from_a_point_to_itself_is_a_loop() {
        assert_eq!(depths(2, &[(0, 0), (0, 1)]), [1, 0]);
    }

    #[test]
    fn a_jump_into_the_middle_of_a_loop_makes_two_entries() {
        let edges = [(0, 1), (0, 2), (1, 2), (2, 1)];
        assert_eq!(depths(3, &edges), [0, 0, 1, 1]);
    }

    #[test]
    fn a_loop_that_is_never_left_is_endless_and_only_the_outermost() {
        let def = def(4, &[(0, 1), (1, 2), (2, 1), (2, 2), (2, 3), (3, 1)]);
        let forest = Forest::of(&def);
        let endless = |id: LoopId| forest.is_endless(id, &def);
        assert_eq!((0..forest.loops.len()).filter(|&id| endless(id)).count(), 1);
        assert!(forest.is_endless(0, &def));
        assert!(forest.loops.len() > 1);
    }

    #[test]
    fn what_nothing_reaches_is_taken_apart_too() {
        assert_eq!(depths(3, &[(1, 2), (2, 1)]), [1, 1]);
    }
}
