//! The control-flow graph of a process definition.
//!
//! Nodes are program points, edges are steps. A call leads to the entry of its procedure. A return leads behind *every*
//! call of the definition: the graph forgets which call is open. So a path of a process is always a path of the graph,
//! and some paths of the graph are no path of a process. Every analysis that asks "what may still happen from here on"
//! or "what may have happened before" is an over-approximation by that and by nothing else: guards are not looked at.
//!
//! **Cost.** The graph takes time and room proportional to the number of program points and steps, and so does every
//! question about the whole graph ([`Cfg::reachable`], [`Cfg::ahead`], [`Cfg::order`], [`Cfg::back_edges`],
//! [`Cfg::procedures`]). Returns are no exception: the edges from each return to each call are not stored, and the
//! walks pass them through one node in the middle, the *hub*. Only [`Cfg::targets`] hands them out one by one.
//!
//! The graph is a copy and borrows nothing, so that a transformation can change the steps while it has the graph. It
//! must not change where they lead.

use crate::{Control, PointId, ProcedureId, ProcessDef, Step, StepId};

/// The control-flow graph of a definition.
#[derive(Clone, Debug)]
pub struct Cfg {
    entry: PointId,
    /// By step.
    jumps: Vec<Jump>,
    /// By step.
    sources: Vec<PointId>,
    /// The steps by their source.
    leaving: Groups,
    /// The program points behind calls, in the order of the calls.
    behind_calls: Vec<PointId>,
    /// By procedure.
    entries: Vec<PointId>,
}

/// Where a step leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Jump {
    To(PointId),
    Call { entry: PointId, behind: PointId },
    Return,
    Exit,
}

/// Steps sorted by program point, in the order of the definition.
#[derive(Clone, Debug)]
struct Groups {
    /// For each program point where its steps begin, and one more where the last ones end.
    first: Vec<u32>,
    steps: Vec<StepId>,
}

impl Groups {
    /// Sorts steps by their sources. This is a counting sort.
    fn new(points: usize, sources: &[PointId]) -> Groups {
        let mut first = vec![0_u32; points + 1];
        for point in sources {
            first[point.index() + 1] += 1;
        }
        for point in 0..points {
            first[point + 1] += first[point];
        }
        let mut next = first.clone();
        let mut steps = vec![StepId(0); first[points] as usize];
        for (step, point) in sources.iter().enumerate() {
            steps[next[point.index()] as usize] = StepId::from(step);
            next[point.index()] += 1;
        }
        Groups { first, steps }
    }

    fn of(&self, point: PointId) -> &[StepId] {
        let [first, end] = [0, 1].map(|i| self.first[point.index() + i] as usize);
        &self.steps[first..end]
    }
}

impl ProcessDef {
    /// The procedure that each program point belongs to; `None` for the body of the process.
    pub fn procedure_of(&self) -> Vec<Option<ProcedureId>> {
        if self.procedures.is_empty() {
            return vec![None; self.points.len()];
        }
        Cfg::of(self).procedures()
    }
}

impl Cfg {
    /// The graph of a definition whose steps lead to program points and procedures that exist.
    pub fn of(def: &ProcessDef) -> Cfg {
        taut_budget::tick_many(def.steps.len());
        let jumps: Vec<Jump> = def.steps.iter().map(|step| Jump::of(def, step)).collect();
        let sources: Vec<PointId> = def.steps.iter().map(|step| step.source).collect();
        let behind = jumps.iter().filter_map(|jump| match jump {
            Jump::Call { behind, .. } => Some(*behind),
            _ => None,
        });
        Cfg {
            entry: def.entry,
            leaving: Groups::new(def.points.len(), &sources),
            behind_calls: behind.collect(),
            entries: def.procedures.iter().map(|p| p.entry).collect(),
            jumps,
            sources,
        }
    }

    /// Number of program points.
    pub fn len(&self) -> usize {
        self.leaving.first.len() - 1
    }

    /// Whether there are no program points.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// All program points.
    pub fn points(&self) -> impl Iterator<Item = PointId> + use<> {
        (0..self.len()).map(PointId::from)
    }

    /// The steps that leave a program point, in the order of the definition.
    pub fn leaving(&self, point: PointId) -> &[StepId] {
        self.leaving.of(point)
    }

    /// The steps that leave a program point with their code, which is that of the definition of this graph.
    pub fn steps_from<'d>(
        &self,
        def: &'d ProcessDef,
        point: PointId,
    ) -> impl Iterator<Item = (StepId, &'d Step)> {
        debug_assert_eq!(def.steps.len(), self.jumps.len(), "the graph of another definition");
        self.leaving(point).iter().map(|&id| (id, &def.steps[id.index()]))
    }

    /// Whether no step leaves a program point.
    pub fn is_last(&self, point: PointId) -> bool {
        self.leaving(point).is_empty()
    }

    /// The program point that a step leaves.
    pub fn source(&self, step: StepId) -> PointId {
        self.sources[step.index()]
    }

    /// The program points that a step may lead to: the entry of the procedure that it calls, all program points
    /// behind calls if it returns (in the order of the calls, the same one more than once if several calls come back
    /// to it), none if it exits.
    pub fn targets(&self, step: StepId) -> &[PointId] {
        match &self.jumps[step.index()] {
            Jump::To(to) | Jump::Call { entry: to, .. } => std::slice::from_ref(to),
            Jump::Return => &self.behind_calls,
            Jump::Exit => &[],
        }
    }

    /// For each program point, whether a process that is at one of the first ones may come there by steps of a kind.
    /// The first ones are among them.
    pub fn reachable(
        &self,
        from: impl IntoIterator<Item = PointId>,
        follows: impl Fn(StepId) -> bool,
    ) -> Vec<bool> {
        let mut seen = vec![false; self.len()];
        let mut todo: Vec<PointId> = from.into_iter().collect();
        let mut has_returned = false;
        while let Some(at) = todo.pop() {
            if std::mem::replace(&mut seen[at.index()], true) {
                continue;
            }
            for &step in self.leaving(at).iter().filter(|&&step| follows(step)) {
                taut_budget::tick();
                // All returns lead to the same program points: the first one brings them in.
                let is_again = self.jumps[step.index()] == Jump::Return
                    && std::mem::replace(&mut has_returned, true);
                if !is_again {
                    todo.extend(self.targets(step));
                }
            }
        }
        seen
    }

    /// For each program point, whether a process may come there from the entry by steps of a kind.
    pub fn reachable_from_entry(&self, follows: impl Fn(StepId) -> bool) -> Vec<bool> {
        self.reachable([self.entry], follows)
    }

    /// For each step, whether it is a *back edge* of a depth-first search that follows steps of a kind: it leads to
    /// a program point on the path of the search. Every loop of such steps has at least one. Calls and returns are
    /// not followed.
    pub fn back_edges(&self, follows: impl Fn(StepId) -> bool) -> Vec<bool> {
        let mut search = BackEdges {
            cfg: self,
            marks: vec![Mark::New; self.len()],
            found: vec![false; self.jumps.len()],
        };
        self.points().for_each(|root| search.from(root, &follows));
        search.found
    }

    /// The program points in an order that every step follows, forwards; `None` if the graph has a loop.
    pub fn order(&self) -> Option<Vec<PointId>> {
        let components = Components::of(self);
        let is_loop = |step: &StepId| self.targets(*step).contains(&self.source(*step));
        let has_loop = (0..self.jumps.len()).map(StepId::from).any(|step| is_loop(&step));
        if has_loop || components.has_loop() {
            return None;
        }
        let hub = self.len();
        let points = components.nodes.into_iter().rev().filter(|&node| node != hub);
        Some(points.map(PointId::from).collect())
    }

    /// For each program point the join of what is known of it and of all program points that may come after it.
    ///
    /// A join must not care about order and repetition, as a union does not. Program points on a loop have the same
    /// future, so the graph is walked by its strongly connected components (Tarjan 1972), the last first: each step
    /// is looked at once.
    pub fn ahead<T: Clone>(&self, own: &[T], mut join: impl FnMut(&mut T, &T)) -> Vec<T> {
        debug_assert_eq!(own.len(), self.len(), "one value per program point");
        let components = Components::of(self);
        // By component. The hub knows nothing of its own.
        let mut values: Vec<Option<T>> = Vec::with_capacity(components.ends.len());
        let mut first = 0;
        for &end in &components.ends {
            let mut value: Option<T> = None;
            let mut add = |more: &T| match &mut value {
                Some(value) => join(value, more),
                None => value = Some(more.clone()),
            };
            for &node in &components.nodes[first..end] {
                own.get(node).into_iter().for_each(&mut add);
                for next in components.successors(node) {
                    // What comes after a component was finished before it; within one there is nothing to fetch yet.
                    values.get(components.of_node[next]).into_iter().flatten().for_each(&mut add);
                }
            }
            values.push(value);
            first = end;
        }
        let of_point = |point: usize| values[components.of_node[point]].clone();
        (0..self.len()).map(|p| of_point(p).unwrap_or_else(|| own[p].clone())).collect()
    }

    /// For each program point the number of its strongly connected component. A program point that may come after another
    /// one has the same number or a smaller one.
    pub fn components(&self) -> Vec<usize> {
        let mut of_node = Components::of(self).of_node;
        of_node.truncate(self.len());
        of_node
    }

    /// The procedure that each program point belongs to; `None` for the body of the process. A program point that
    /// several procedures can come to belongs to the first.
    pub fn procedures(&self) -> Vec<Option<ProcedureId>> {
        let mut owner = vec![None; self.len()];
        for (id, &entry) in self.entries.iter().enumerate() {
            let mut todo = vec![entry];
            while let Some(at) = todo.pop() {
                taut_budget::tick();
                if owner[at.index()].is_some() {
                    continue;
                }
                owner[at.index()] = Some(ProcedureId::from(id));
                let steps = self.leaving(at).iter();
                todo.extend(steps.filter_map(|step| self.jumps[step.index()].within()));
            }
        }
        owner
    }

    /// The node that a step leads to. All returns lead to the hub, which comes after the program points.
    fn node_after(&self, step: StepId) -> Option<usize> {
        let jump = self.jumps[step.index()];
        let hub = (jump == Jump::Return).then_some(self.len());
        jump.direct().map(PointId::index).or(hub)
    }
}

impl Jump {
    fn of(def: &ProcessDef, step: &Step) -> Jump {
        match &step.target {
            Control::Goto(to) => Jump::To(*to),
            Control::Call { procedure, return_to, .. } => {
                Jump::Call { entry: def.procedures[procedure.index()].entry, behind: *return_to }
            }
            Control::Return => Jump::Return,
            Control::Exit => Jump::Exit,
        }
    }

    /// The program point that is next, if it is known.
    fn direct(self) -> Option<PointId> {
        match self {
            Jump::To(to) | Jump::Call { entry: to, .. } => Some(to),
            Jump::Return | Jump::Exit => None,
        }
    }

    /// The program point of the same procedure that comes next, behind the call if it is one.
    fn within(self) -> Option<PointId> {
        match self {
            Jump::To(to) | Jump::Call { behind: to, .. } => Some(to),
            Jump::Return | Jump::Exit => None,
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Mark {
    New,
    OnPath,
    Left,
}

/// The search for back edges.
struct BackEdges<'c> {
    cfg: &'c Cfg,
    /// By program point.
    marks: Vec<Mark>,
    /// By step.
    found: Vec<bool>,
}

impl BackEdges<'_> {
    fn from(&mut self, root: PointId, follows: &impl Fn(StepId) -> bool) {
        if self.marks[root.index()] != Mark::New {
            return;
        }
        self.marks[root.index()] = Mark::OnPath;
        // Each program point of the path with its steps that are not yet followed; the last one comes first.
        let mut path = vec![(root, self.cfg.leaving(root))];
        while let Some((at, left)) = path.last_mut() {
            taut_budget::tick();
            let Some((&step, rest)) = left.split_last() else {
                self.marks[at.index()] = Mark::Left;
                path.pop();
                continue;
            };
            *left = rest;
            let Jump::To(to) = self.cfg.jumps[step.index()] else { continue };
            match self.marks[to.index()] {
                _ if !follows(step) => {}
                Mark::OnPath => self.found[step.index()] = true,
                Mark::Left => {}
                Mark::New => {
                    self.marks[to.index()] = Mark::OnPath;
                    path.push((to, self.cfg.leaving(to)));
                }
            }
        }
    }
}

/// The strongly connected components of a graph, those that come last first. Nodes are the program points and the hub.
struct Components<'c> {
    cfg: &'c Cfg,
    /// The nodes, component by component.
    nodes: Vec<usize>,
    /// Where each component ends in `nodes`.
    ends: Vec<usize>,
    /// The component of each node.
    of_node: Vec<usize>,
}

/// A node that was not met.
const UNMET: usize = usize::MAX;

impl<'c> Components<'c> {
    /// Tarjan's algorithm, with the path of the search in a vector.
    fn of(cfg: &'c Cfg) -> Components<'c> {
        let count = cfg.len() + 1;
        let (nodes, ends, of_node) = (Vec::with_capacity(count), Vec::new(), vec![UNMET; count]);
        let mut found = Components { cfg, nodes, ends, of_node };
        let mut met = Met { low: vec![UNMET; count], count: 0, open: Vec::new() };
        for root in 0..count {
            if met.low[root] == UNMET {
                found.from(root, &mut met);
            }
        }
        debug_assert_eq!(found.nodes.len(), count, "every node is in one component");
        found
    }

    fn from(&mut self, root: usize, met: &mut Met) {
        let mut path = vec![(root, met.enter(root), 0)];
        while let Some((node, number, next)) = path.last_mut() {
            taut_budget::tick();
            let (node, number, position) = (*node, *number, *next);
            *next += 1;
            match self.successor(node, position) {
                Some(None) => {}
                Some(Some(to)) if met.low[to] == UNMET => path.push((to, met.enter(to), 0)),
                // A node of a finished component is no way back.
                Some(Some(to)) if self.of_node[to] != UNMET => {}
                Some(Some(to)) => met.low[node] = met.low[node].min(met.low[to]),
                None => {
                    path.pop();
                    if let Some((before, ..)) = path.last() {
                        met.low[*before] = met.low[*before].min(met.low[node]);
                    }
                    if met.low[node] == number {
                        self.finish(node, met);
                    }
                }
            }
        }
    }

    /// Closes the component of the node that was met first of it.
    fn finish(&mut self, first: usize, met: &mut Met) {
        while let Some(node) = met.open.pop() {
            self.of_node[node] = self.ends.len();
            self.nodes.push(node);
            if node == first {
                break;
            }
        }
        self.ends.push(self.nodes.len());
    }

    /// The successor of a node with a number: `None` behind the last one, `Some(None)` for a step that exits.
    fn successor(&self, node: usize, position: usize) -> Option<Option<usize>> {
        if node == self.cfg.len() {
            return self.cfg.behind_calls.get(position).map(|point| Some(point.index()));
        }
        let steps = self.cfg.leaving(PointId::from(node));
        steps.get(position).map(|&step| self.cfg.node_after(step))
    }

    fn successors(&self, node: usize) -> impl Iterator<Item = usize> {
        (0..).map_while(move |i| self.successor(node, i)).flatten()
    }

    /// Whether a component has more than one node.
    fn has_loop(&self) -> bool {
        self.ends.len() < self.nodes.len()
    }
}

/// The nodes that Tarjan's algorithm has met.
struct Met {
    /// The smallest number that is known to be reached from each node within its component.
    low: Vec<usize>,
    count: usize,
    /// The nodes of components that are not finished.
    open: Vec<usize>,
}

impl Met {
    /// Numbers a node that is met for the first time.
    fn enter(&mut self, node: usize) -> usize {
        let number = self.count;
        self.count += 1;
        self.low[node] = number;
        self.open.push(node);
        number
    }
}
