//! One buffer of one state: the automaton of what it may hold.

use std::collections::BTreeMap;

use taut_source::nearest;

use super::drawing::{Arrow, Drawing, Look, Node};
use super::{Buffer, GraphError, StateGraph};

/// The buffer of a process in a state.
#[derive(Clone, Copy, Debug)]
pub struct BufferDrawing<'g> {
    /// Whose buffer.
    pub process: &'g str,
    /// The number of the state.
    pub state: usize,
    /// What it may hold.
    pub buffer: &'g Buffer,
}

impl StateGraph {
    /// The buffer that is meant by `P@N`: that of the process with this name in the state with this number.
    pub fn buffer(&self, asked: &str) -> Result<BufferDrawing<'_>, GraphError> {
        let form = "write the process, @ and the number of a state, such as p@3 or p[0]@3";
        // Names of processes have no `@` in any language, but a program may be built without one.
        let Some((name, number)) = asked.rsplit_once('@') else {
            return Err(GraphError::new(format!("`{asked}` names no buffer"), form));
        };
        let Ok(state) = number.parse::<usize>() else {
            return Err(GraphError::new(format!("`{number}` is no number of a state"), form));
        };
        let Some(process) = self.processes.iter().position(|p| p == name) else {
            return Err(self.unknown_process(name));
        };
        let buffer = self.states.get(state).and_then(|s| s.buffers.get(process));
        let buffer = buffer.ok_or_else(|| self.unknown_state(state))?;
        Ok(BufferDrawing { process: &self.processes[process], state, buffer })
    }

    fn unknown_process(&self, name: &str) -> GraphError {
        let known = self.processes.iter().map(String::as_str);
        let hint = match nearest(name, known) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("the processes are: {}", self.processes.join(", ")),
        };
        GraphError::new(format!("there is no process `{name}`"), hint)
    }

    fn unknown_state(&self, state: usize) -> GraphError {
        let last = self.states.len().saturating_sub(1);
        let more = if self.cut.is_some() { "; more are shown with --max-nodes" } else { "" };
        let hint = format!("the states of this graph are 0 to {last}{more}");
        GraphError::new(format!("there is no state {state}"), hint)
    }
}

impl BufferDrawing<'_> {
    /// As a picture: an arrow from nowhere to the start, two lines around states that accept, one arrow
    /// between any two states.
    pub(super) fn drawing(&self) -> Drawing {
        let nowhere = Node { lines: Vec::new(), whole: "start".into(), look: Look::Point };
        let states = self.buffer.accepting.iter().enumerate().map(|(number, &accepts)| {
            let look = if accepts { Look::DoubleCircle } else { Look::Circle };
            let whole = format!("{number}{}", if accepts { ", accepting" } else { "" });
            Node { lines: vec![number.to_string()], whole, look }
        });
        let nodes: Vec<_> = std::iter::once(nowhere).chain(states).collect();
        let mut entries: BTreeMap<(usize, usize), Vec<&str>> = BTreeMap::new();
        for (from, entry, to) in &self.buffer.edges {
            entries.entry((*from, *to)).or_default().push(entry);
        }
        let start = (nodes.len() > 1).then(|| Arrow::new(0, 1, String::new()));
        let arrow = |((from, to), all): (_, Vec<&str>)| Arrow::new(from + 1, to + 1, all.join(" "));
        Drawing {
            title: format!(
                "buffer of {} in state {}: {}",
                self.process, self.state, self.buffer.regex
            ),
            nodes,
            arrows: start.into_iter().chain(entries.into_iter().map(arrow)).collect(),
        }
    }
}
