//! Pictures as SVG that needs nothing else: no style sheet, no script, no font. The background is white and
//! every colour is given, so that it reads the same on light and dark pages. What was shortened stands in full
//! in the `title` of its group, which browsers show under the pointer.

use std::fmt::Write;

use unicode_width::UnicodeWidthStr;

use super::drawing::{Arrow, Drawing, Look, Node, printable};
use super::layout::{Element, Layout, Point, Route, layout};
use super::{BufferDrawing, StateGraph};

/// The width of a character and the height of a line, at the size of the text.
const CHARACTER: f64 = 7.3;
const LINE: f64 = 15.0;
const TEXT: f64 = 12.0;
/// The same beside arrows.
const SMALL_CHARACTER: f64 = 6.7;
const SMALL_LINE: f64 = 14.0;
const SMALL_TEXT: f64 = 11.0;
/// Room between a box and what is in it.
const PADDING: f64 = 8.0;

impl StateGraph {
    /// The graph as SVG.
    pub fn svg(&self) -> String {
        let _phase = taut_budget::phase("the graph is drawn");
        svg(&self.drawing())
    }

    /// The graph as a page that it fits, and on which it can be moved and magnified.
    pub fn html(&self) -> String {
        let _phase = taut_budget::phase("the graph is drawn");
        let drawing = self.drawing();
        taut_html::graph_page(&drawing.title, &svg(&drawing))
    }
}

impl BufferDrawing<'_> {
    /// The automaton as SVG.
    pub fn svg(&self) -> String {
        svg(&self.drawing())
    }

    /// The automaton as a page, on which it can be moved and magnified.
    pub fn html(&self) -> String {
        let drawing = self.drawing();
        taut_html::graph_page(&drawing.title, &svg(&drawing))
    }
}

fn svg(drawing: &Drawing) -> String {
    let nodes: Vec<_> = drawing.nodes.iter().map(size).collect();
    let labels: Vec<_> = drawing.arrows.iter().map(label_size).collect();
    let Layout { size, nodes, routes } = layout(drawing, &nodes, &labels);
    let mut text = header(&drawing.title, size);
    for (arrow, route) in drawing.arrows.iter().zip(&routes) {
        write_arrow(&mut text, arrow, route);
    }
    for (node, element) in drawing.nodes.iter().zip(&nodes) {
        write_node(&mut text, node, element);
    }
    for (arrow, route) in drawing.arrows.iter().zip(&routes) {
        write_label(&mut text, arrow, route);
    }
    text.push_str("</svg>\n");
    text
}

fn width(text: &str) -> f64 {
    printable(text).width() as f64
}

fn size(node: &Node) -> Point {
    let widest = node.lines.iter().map(|line| width(line)).fold(0.0, f64::max) * CHARACTER;
    match node.look {
        Look::Point => Point { x: 8.0, y: 8.0 },
        Look::Circle | Look::DoubleCircle => {
            let diameter = widest.max(LINE) + 2.0 * PADDING;
            Point { x: diameter, y: diameter }
        }
        Look::Plain | Look::Accelerated | Look::Violating => {
            Point { x: widest + 2.0 * PADDING, y: node.lines.len() as f64 * LINE + 2.0 * PADDING }
        }
    }
}

fn label_size(arrow: &Arrow) -> Point {
    match arrow.label.is_empty() {
        true => Point { x: 4.0, y: 4.0 },
        false => Point { x: width(&arrow.label) * SMALL_CHARACTER, y: SMALL_LINE },
    }
}

fn header(title: &str, size: Point) -> String {
    let (x, y) = (size.x.ceil(), size.y.ceil());
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{x}\" height=\"{y}\" \
         viewBox=\"0 0 {x} {y}\" font-family=\"ui-monospace, Menlo, Consolas, monospace\">\n"
    );
    let _ = writeln!(text, "<title>{}</title>", escape(title));
    text.push_str(
        "<defs><marker id=\"tip\" viewBox=\"0 0 10 8\" refX=\"10\" refY=\"4\" markerWidth=\"9\" \
         markerHeight=\"7\" markerUnits=\"userSpaceOnUse\" orient=\"auto\">\
         <path d=\"M 0 0 L 10 4 L 0 8 z\" fill=\"#37474f\"/></marker></defs>\n",
    );
    text.push_str("<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n");
    text
}

fn write_node(text: &mut String, node: &Node, element: &Element) {
    let (Point { x, y }, Point { x: w, y: h }) = (element.at, element.size);
    let class = match node.look {
        Look::Point => "start",
        Look::Circle | Look::DoubleCircle => "automaton-state",
        Look::Plain | Look::Accelerated | Look::Violating => "state",
    };
    let _ = write!(text, "<g class=\"{class}\"><title>{}</title>", escape(&node.whole));
    match node.look {
        Look::Point => circle(text, element, 4.0, "#263238"),
        Look::Circle => circle(text, element, w / 2.0, "#ffffff"),
        Look::DoubleCircle => {
            circle(text, element, w / 2.0, "#ffffff");
            circle(text, element, w / 2.0 - 3.0, "#ffffff");
        }
        Look::Plain | Look::Accelerated | Look::Violating => {
            let (fill, stroke, line) = colours(node.look);
            let (left, top) = (x - w / 2.0, y - h / 2.0);
            let _ = write!(
                text,
                "<rect x=\"{left:.1}\" y=\"{top:.1}\" width=\"{w:.1}\" height=\"{h:.1}\" rx=\"4\" \
                 fill=\"{fill}\" stroke=\"{stroke}\" stroke-width=\"{line}\"/>"
            );
        }
    }
    write_lines(text, node, element);
    text.push_str("</g>\n");
}

/// What fills a box, the colour of its outline, and how thick that is.
fn colours(look: Look) -> (&'static str, &'static str, &'static str) {
    match look {
        Look::Accelerated => ("#fff2cc", "#b08900", "1.5"),
        Look::Violating => ("#ffffff", "#c62828", "3"),
        _ => ("#ffffff", "#37474f", "1"),
    }
}

fn circle(text: &mut String, element: &Element, radius: f64, fill: &str) {
    let Point { x, y } = element.at;
    let _ = write!(
        text,
        "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{radius:.1}\" fill=\"{fill}\" stroke=\"#37474f\"/>"
    );
}

fn write_lines(text: &mut String, node: &Node, element: &Element) {
    let round = matches!(node.look, Look::Circle | Look::DoubleCircle);
    let anchor = if round { " text-anchor=\"middle\"" } else { "" };
    let left = if round { element.at.x } else { element.at.x - element.size.x / 2.0 + PADDING };
    let middle = node.lines.len() as f64 * LINE / 2.0;
    for (i, line) in node.lines.iter().enumerate() {
        let base = element.at.y - middle + (i as f64 + 0.75) * LINE;
        let bold = if i == 0 && !round { " font-weight=\"bold\"" } else { "" };
        let _ = write!(
            text,
            "<text x=\"{left:.1}\" y=\"{base:.1}\" font-size=\"{TEXT}\" fill=\"#102027\" \
             xml:space=\"preserve\"{anchor}{bold}>{}</text>",
            escape(line)
        );
    }
}

fn write_arrow(text: &mut String, arrow: &Arrow, route: &Route) {
    let dashes = if arrow.dashed { " stroke-dasharray=\"5 4\"" } else { "" };
    let thick = if arrow.bold { "2.2" } else { "1.1" };
    let _ = writeln!(
        text,
        "<g class=\"edge\"><title>{}</title><path d=\"{}\" fill=\"none\" stroke=\"#37474f\" \
         stroke-width=\"{thick}\"{dashes} marker-end=\"url(#tip)\"/></g>",
        escape(&arrow.whole),
        path(route)
    );
}

/// Curves that are upright in every point, except for those that turn back, which lie flat in the middle.
fn path(route: &Route) -> String {
    let point = |p: &Point| format!("{:.1} {:.1}", p.x, p.y);
    match (route.turns, route.points.as_slice()) {
        (true, [a, middle, b]) => {
            let (down, up) = (Point { x: a.x, y: middle.y }, Point { x: b.x, y: middle.y });
            let [a, down, middle, up, b] = [a, &down, middle, &up, b].map(point);
            format!("M {a} Q {down} {middle} Q {up} {b}")
        }
        (_, points) => {
            let mut text = points.first().map_or(String::new(), |p| format!("M {}", point(p)));
            for pair in points.windows(2) {
                let half = (pair[0].y + pair[1].y) / 2.0;
                let bends = pair.iter().map(|p| point(&Point { x: p.x, y: half }));
                let bends: Vec<_> = bends.collect();
                let _ = write!(text, " C {} {}", bends.join(" "), point(&pair[1]));
            }
            text
        }
    }
}

/// Labels are written last, on a piece of background, so that no line runs through them.
fn write_label(text: &mut String, arrow: &Arrow, route: &Route) {
    if arrow.label.is_empty() {
        return;
    }
    let (Point { x, y }, Point { x: w, y: h }) = (route.label, label_size(arrow));
    let (left, top, base) = (x - w / 2.0, y - h / 2.0, y + h * 0.25);
    let _ = writeln!(
        text,
        "<g class=\"label\"><title>{}</title><rect x=\"{left:.1}\" y=\"{top:.1}\" \
         width=\"{w:.1}\" height=\"{h:.1}\" fill=\"#ffffff\"/><text x=\"{x:.1}\" \
         y=\"{base:.1}\" font-size=\"{SMALL_TEXT}\" text-anchor=\"middle\" \
         fill=\"#102027\">{}</text></g>",
        escape(&arrow.whole),
        escape(&arrow.label)
    );
}

/// Text between tags.
fn escape(text: &str) -> String {
    printable(text).replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markup_in_texts_is_escaped_and_control_characters_are_gone() {
        assert_eq!(escape("a<b && c>\u{1}"), "a&lt;b &amp;&amp; c&gt;\u{fffd}");
    }

    #[test]
    fn an_arrow_that_turns_lies_flat_in_the_middle() {
        let points = [(0.0, 0.0), (5.0, 10.0), (10.0, 0.0)].map(|(x, y)| Point { x, y });
        let route = Route { points: points.to_vec(), turns: true, label: points[1] };
        assert_eq!(path(&route), "M 0.0 0.0 Q 0.0 10.0 5.0 10.0 Q 10.0 10.0 10.0 0.0");
    }
}
