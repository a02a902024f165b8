//! A part of a graph: what is needed to see how violations come about.

use std::collections::VecDeque;

use super::{Edge, GraphError, StateGraph};

impl StateGraph {
    /// Most states of a picture. More cannot be told apart on a screen, and take a browser minutes.
    pub const MOST_DRAWN: usize = 1_000;

    /// The states on a shortest way from the start to each state in which something is violated, and the edges between
    /// them. They are numbered anew, in their order.
    pub fn violating(&self) -> Result<StateGraph, GraphError> {
        let kept = self.on_the_way();
        if kept.is_empty() {
            let message = "no state that is drawn violates anything";
            return Err(GraphError::new(
                message,
                "leave --violating out, or draw more with --max-nodes N",
            ));
        }
        let number = |old: usize| kept.binary_search(&old).ok();
        let edge = |edge: &Edge| {
            let (from, to) = (number(edge.from)?, number(edge.to)?);
            Some(Edge { from, to, ..edge.clone() })
        };
        let states = kept.iter().map(|&old| self.states[old].clone()).collect();
        let edges = self.edges.iter().filter_map(edge).collect();
        Ok(StateGraph { states, edges, ..self.clone() })
    }

    /// The numbers of the states on the ways to violations, ascending.
    fn on_the_way(&self) -> Vec<usize> {
        let before = self.breadth_first();
        let mut is_kept = vec![false; self.states.len()];
        let violating = (0..self.states.len()).filter(|&s| !self.states[s].violates.is_empty());
        for state in violating {
            let mut at = Some(state);
            // A way that is known already is followed no further, so all of them together are linear.
            while let Some(state) = at.filter(|&state| !is_kept[state]) {
                taut_budget::tick();
                is_kept[state] = true;
                at = before[state];
            }
        }
        (0..self.states.len()).filter(|&state| is_kept[state]).collect()
    }

    /// For each state the one before it on a shortest way from the start; none for the start.
    fn breadth_first(&self) -> Vec<Option<usize>> {
        let mut leaving: Vec<Vec<usize>> = vec![Vec::new(); self.states.len()];
        self.edges.iter().for_each(|edge| leaving[edge.from].push(edge.to));
        let mut before = vec![None; self.states.len()];
        let mut todo = VecDeque::from([0]);
        while let Some(state) = todo.pop_front() {
            taut_budget::tick();
            for &next in &leaving[state] {
                if next != 0 && before[next].is_none() {
                    before[next] = Some(state);
                    todo.push_back(next);
                }
            }
        }
        before
    }

    /// Refuses a picture with too many states.
    pub fn can_be_drawn(&self) -> Result<(), GraphError> {
        if self.states.len() <= StateGraph::MOST_DRAWN {
            return Ok(());
        }
        Err(GraphError::new(
            format!(
                "a picture of {} states cannot be read; at most {} are drawn",
                self.states.len(),
                StateGraph::MOST_DRAWN
            ),
            "--violating draws the ways to violations, --max-nodes 400 the first states; --to dot and --to json have no limit",
        ))
    }
}
