//! Rows: which element stands in which, and which ones an arrow passes.

use std::collections::VecDeque;

use super::{Chain, Drawing, Element, Plan, Point};

/// The most rows of nodes that an arrow has elements in; one that passes more goes straight.
pub(super) const LONGEST: usize = 12;

/// The room of an arrow that passes a row.
const PASSING: Point = Point { x: 8.0, y: 1.0 };

/// Rows, with an element for every label and for every row that an arrow passes.
pub(super) fn plan(drawing: &Drawing, nodes: &[Point], labels: &[Point]) -> Plan {
    let distance = distances(drawing);
    let mut plan = Plan::default();
    for (size, distance) in nodes.iter().zip(&distance) {
        plan.add(Element::new(*size, 2 * distance));
    }
    for (arrow, label) in drawing.arrows.iter().zip(labels) {
        plan.chain(arrow.from, arrow.to, *label);
    }
    plan
}

/// How many arrows each node is away from the first one; 0 for those that cannot be reached.
fn distances(drawing: &Drawing) -> Vec<usize> {
    let mut leaving = vec![Vec::new(); drawing.nodes.len()];
    for arrow in &drawing.arrows {
        leaving[arrow.from].push(arrow.to);
    }
    let mut distance = vec![None; drawing.nodes.len()];
    let mut queue = VecDeque::new();
    if let Some(first) = distance.first_mut() {
        *first = Some(0);
        queue.push_back((0, 0));
    }
    while let Some((node, so_far)) = queue.pop_front() {
        for &next in &leaving[node] {
            if distance[next].is_none() {
                distance[next] = Some(so_far + 1);
                queue.push_back((next, so_far + 1));
            }
        }
    }
    distance.into_iter().map(|d| d.unwrap_or(0)).collect()
}

impl Plan {
    fn add(&mut self, element: Element) -> usize {
        let id = self.elements.len();
        if self.rows.len() <= element.row {
            self.rows.resize(element.row + 1, Vec::new());
        }
        self.rows[element.row].push(id);
        self.elements.push(element);
        self.above.push(Vec::new());
        self.below.push(Vec::new());
        id
    }

    /// The way of an arrow. The label stands next to the row where it starts, on the side of the row where
    /// it ends; if that is the same row, below.
    fn chain(&mut self, from: usize, to: usize, label: Point) {
        let (start, end) = (self.elements[from].row, self.elements[to].row);
        let rows: Vec<usize> = match () {
            () if start == end => vec![start + 1],
            () if start < end => (start + 1..end).collect(),
            () => (end + 1..start).rev().collect(),
        };
        let passed = if rows.len() > 2 * LONGEST { &rows[..1] } else { &rows[..] };
        let mut elements = vec![from];
        for (i, &row) in passed.iter().enumerate() {
            let size = if i == 0 { label } else { PASSING };
            elements.push(self.add(Element::new(size, row)));
        }
        elements.push(to);
        for pair in elements.windows(2) {
            self.link(pair[0], pair[1]);
        }
        self.chains.push(Chain { elements });
    }

    fn link(&mut self, a: usize, b: usize) {
        let (upper, lower) =
            if self.elements[a].row < self.elements[b].row { (a, b) } else { (b, a) };
        if self.elements[upper].row + 1 == self.elements[lower].row {
            self.below[upper].push(lower);
            self.above[lower].push(upper);
        }
    }
}
