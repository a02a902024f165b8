//! Pictures for Graphviz.

use std::fmt::Write;

use super::drawing::{Arrow, Drawing, Look, Node, printable};
use super::{BufferDrawing, StateGraph};

impl StateGraph {
    /// The graph in Graphviz's language.
    pub fn dot(&self) -> String {
        dot(&self.drawing(), "TB")
    }
}

impl BufferDrawing<'_> {
    /// The automaton in Graphviz's language.
    pub fn dot(&self) -> String {
        dot(&self.drawing(), "LR")
    }
}

fn dot(drawing: &Drawing, direction: &str) -> String {
    let mut text = String::from("digraph taut {\n");
    let _ = writeln!(text, "  rankdir={direction};");
    let _ = writeln!(text, "  bgcolor=\"white\";");
    let _ = writeln!(text, "  label=\"{}\";", escape(&drawing.title, "\\n"));
    text.push_str("  node [shape=box, fontname=\"monospace\", fontsize=11];\n");
    text.push_str("  edge [fontname=\"monospace\", fontsize=10];\n");
    for (number, node) in drawing.nodes.iter().enumerate() {
        let _ = writeln!(text, "  s{number} [{}];", attributes(node));
    }
    for arrow in &drawing.arrows {
        let _ = writeln!(text, "  s{} -> s{} [{}];", arrow.from, arrow.to, line(arrow));
    }
    text.push_str("}\n");
    text
}

fn attributes(node: &Node) -> String {
    let label = escape(&node.lines.join("\n"), "\\l");
    let tooltip = escape(&node.whole, "\\n");
    let look = match node.look {
        Look::Plain => "",
        Look::Accelerated => ", style=filled, fillcolor=\"#fff2cc\"",
        Look::Violating => ", color=\"#c62828\", penwidth=3",
        Look::Circle => ", shape=circle",
        Look::DoubleCircle => ", shape=doublecircle",
        Look::Point => return "shape=point, label=\"\"".into(),
    };
    // Lines of a box stand at the left, the last one as well.
    let end = if matches!(node.look, Look::Circle | Look::DoubleCircle) { "" } else { "\\l" };
    format!("label=\"{label}{end}\", tooltip=\"{tooltip}\"{look}")
}

fn line(arrow: &Arrow) -> String {
    let style = match (arrow.dashed, arrow.bold) {
        (true, _) => ", style=dashed",
        (false, true) => ", style=bold",
        (false, false) => "",
    };
    let (label, whole) = (escape(&arrow.label, "\\n"), escape(&arrow.whole, "\\n"));
    format!("label=\"{label}\", tooltip=\"{whole}\"{style}")
}

/// Text between double quotes. A backslash begins one of Graphviz's own escapes, so it is doubled.
fn escape(text: &str, line_end: &str) -> String {
    let text = printable(text).replace('\\', "\\\\").replace('"', "\\\"");
    text.replace('\n', line_end)
}

#[cfg(test)]
mod tests {
    use super::escape;

    #[test]
    fn quotes_backslashes_and_line_ends_are_escaped() {
        assert_eq!(escape("a\"b\\N\nc", "\\l"), "a\\\"b\\\\N\\lc");
    }
}
