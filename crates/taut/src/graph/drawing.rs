//! What a picture consists of, whether it is written for Graphviz or as SVG: boxes with lines of text, and
//! arrows. Texts here are as they are; who writes them escapes them.

use super::{Edge, EdgeKind, State, StateGraph, Value};

/// A picture.
pub(super) struct Drawing {
    pub(super) title: String,
    pub(super) nodes: Vec<Node>,
    pub(super) arrows: Vec<Arrow>,
}

/// Something that arrows lead to.
pub(super) struct Node {
    /// What is written in it, shortened.
    pub(super) lines: Vec<String>,
    /// The same in full.
    pub(super) whole: String,
    pub(super) look: Look,
}

/// How a node looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Look {
    /// A state.
    Plain,
    /// A state that was accelerated.
    Accelerated,
    /// A state in which something is violated; accelerated or not.
    Violating,
    /// A state of an automaton.
    Circle,
    /// One that accepts.
    DoubleCircle,
    /// Where the arrow to the start of an automaton comes from.
    Point,
}

/// An arrow.
pub(super) struct Arrow {
    pub(super) from: usize,
    pub(super) to: usize,
    /// What is written beside it, shortened.
    pub(super) label: String,
    /// The same in full.
    pub(super) whole: String,
    pub(super) dashed: bool,
    pub(super) bold: bool,
}

/// The most characters of one line of a state.
const WIDEST_LINE: usize = 44;
/// The most characters beside an arrow.
const WIDEST_LABEL: usize = 32;

impl Arrow {
    pub(super) fn new(from: usize, to: usize, whole: String) -> Arrow {
        let label = shortened(&whole, WIDEST_LABEL);
        Arrow { from, to, label, whole, dashed: false, bold: false }
    }
}

impl StateGraph {
    /// The graph as a picture.
    pub(super) fn drawing(&self) -> Drawing {
        let states = self.states.iter().enumerate();
        Drawing {
            title: format!("{} under {}, {} states", self.program, self.memory.model, self.engine),
            nodes: states.map(|(number, state)| self.node(number, state)).collect(),
            arrows: self.edges.iter().map(arrow).collect(),
        }
    }

    fn node(&self, number: usize, state: &State) -> Node {
        taut_budget::tick();
        let mut whole = vec![self.heading(number, state)];
        for (process, name) in self.processes.iter().enumerate() {
            whole.extend(self.process(name, process, state));
        }
        let memory: Vec<_> = state.memory.iter().map(Value::to_string).collect();
        let channels = state.channels.iter().map(|c| format!("#{c}"));
        let shared: Vec<_> = memory.into_iter().chain(channels).collect();
        if !shared.is_empty() {
            whole.push(shared.join(" "));
        }
        let look = match (state.violates.is_empty(), state.accelerated.is_empty()) {
            (false, _) => Look::Violating,
            (true, false) => Look::Accelerated,
            (true, true) => Look::Plain,
        };
        let lines = whole.iter().map(|line| shortened(line, WIDEST_LINE)).collect();
        Node { lines, whole: whole.join("\n"), look }
    }

    /// `3`, `3 ⟳ p` if it was accelerated, `3 ✗ mutex` if something is violated.
    fn heading(&self, number: usize, state: &State) -> String {
        let mut heading = number.to_string();
        if !state.accelerated.is_empty() {
            let names = state.accelerated.iter().filter_map(|&p| self.processes.get(p));
            let names: Vec<_> = names.map(String::as_str).collect();
            heading.push_str(&format!(" ⟳ {}", names.join(", ")));
        }
        if !state.violates.is_empty() {
            heading.push_str(&format!(" ✗ {}", state.violates.join(", ")));
        }
        heading
    }

    /// `p @ raised r=1`, and the buffer in a line of its own if it may hold anything.
    fn process(&self, name: &str, process: usize, state: &State) -> Vec<String> {
        let Some(Some(at)) = state.at.get(process) else { return Vec::new() };
        let registers = state.registers.get(process).into_iter().flatten();
        let words: Vec<_> = registers.map(|r| format!(" {r}")).collect();
        let mut lines = vec![format!("{name} @ {at}{}", words.concat())];
        match state.buffers.get(process) {
            Some(buffer) if buffer.regex != "ε" => {
                lines.push(format!("  {}", buffer.regex));
            }
            _ => {}
        }
        lines
    }
}

fn arrow(edge: &Edge) -> Arrow {
    taut_budget::tick();
    Arrow {
        dashed: edge.kind == EdgeKind::Included,
        bold: edge.kind == EdgeKind::Accelerated,
        ..Arrow::new(edge.from, edge.to, edge.actions.join("; "))
    }
}

impl std::fmt::Display for Value {
    /// `x=1`, or `flag=[0 1]` for an array.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let values: Vec<_> = self.values.iter().map(i64::to_string).collect();
        match self.array {
            true => write!(f, "{}=[{}]", self.name, values.join(" ")),
            false => write!(f, "{}={}", self.name, values.concat()),
        }
    }
}

/// A text of at most so many characters; one that is longer ends in `…`.
pub(super) fn shortened(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.into();
    }
    let kept: String = text.chars().take(most.saturating_sub(1)).collect();
    format!("{}…", kept.trim_end())
}

/// A text without characters that no format can hold: control characters other than line ends.
pub(super) fn printable(text: &str) -> String {
    let shown = |c: char| match c {
        '\n' => c,
        '\t' => ' ',
        c if c.is_control() || ('\u{fffe}'..='\u{ffff}').contains(&c) => '\u{fffd}',
        c => c,
    };
    text.chars().map(shown).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_texts_end_in_an_ellipsis_and_short_ones_stay() {
        assert_eq!(shortened("(x,1)", 5), "(x,1)");
        assert_eq!(shortened("(x,1)*", 5), "(x,1…");
        assert_eq!(shortened("ääää", 4), "ääää");
        assert_eq!(shortened("ääääa", 4), "äää…");
    }

    #[test]
    fn control_characters_are_replaced() {
        assert_eq!(printable("a\u{1}b\tc\nd\u{7f}"), "a\u{fffd}b c\nd\u{fffd}");
    }
}
