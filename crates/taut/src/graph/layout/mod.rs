//! Where things stand in a picture: a layered layout (Sugiyama, Tagawa and Toda, 1981).
//!
//! 1. *Layers* (`layers`): a node's layer is its distance from the first node, so that a row of the picture
//!    is what can be reached in so many steps. Between any two rows of nodes there is one for what is written
//!    beside arrows, and where an arrow passes a row it has an element of its own there.
//! 2. *Order* (`order`): the elements of each row are sorted by the mean of their neighbours' positions, down
//!    and up a few times.
//! 3. *EditSites* (`place`): every element is drawn towards its neighbours as far as those beside it allow.
//! 4. *Routes* (`route`): arrows run through their elements, and share the sides of the boxes that they meet.
//!
//! Since labels are elements, nothing that is written overlaps anything else, which no measure of crossings
//! would promise. All of it takes time about linear in nodes and arrows, as an arrow that passes more than
//! [`layers::LONGEST`] rows goes straight.

mod layers;
mod order;
mod place;
mod route;

use super::drawing::Drawing;

/// A point, or a width and a height.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Point {
    pub(super) x: f64,
    pub(super) y: f64,
}

/// Something that takes room: a node, what is written beside an arrow, or an arrow that passes a row.
#[derive(Clone, Copy, Debug)]
pub(super) struct Element {
    pub(super) size: Point,
    /// Its centre.
    pub(super) at: Point,
    /// Its row.
    pub(super) row: usize,
}

impl Element {
    fn new(size: Point, row: usize) -> Element {
        Element { size, at: Point::default(), row }
    }
}

/// The way of an arrow.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Route {
    /// Where it starts, the points it passes, and where it ends.
    pub(super) points: Vec<Point>,
    /// It leaves and comes back at the same side, by the one point between.
    pub(super) turns: bool,
    /// The middle of what is written beside it.
    pub(super) label: Point,
}

/// Where everything stands.
#[derive(Debug)]
pub(super) struct Layout {
    pub(super) size: Point,
    /// The nodes.
    pub(super) nodes: Vec<Element>,
    /// The arrows.
    pub(super) routes: Vec<Route>,
}

/// The way from one end of an arrow to the other, by elements.
#[derive(Debug)]
struct Chain {
    elements: Vec<usize>,
}

/// Everything that is to be placed.
#[derive(Debug, Default)]
struct Plan {
    /// Nodes first.
    elements: Vec<Element>,
    chains: Vec<Chain>,
    /// The elements of each row, from left to right.
    rows: Vec<Vec<usize>>,
    /// The neighbours of each element in the row above and in the row below.
    above: Vec<Vec<usize>>,
    below: Vec<Vec<usize>>,
}

/// Finds places for the nodes and arrows of a drawing, given how much room each needs.
pub(super) fn layout(drawing: &Drawing, nodes: &[Point], labels: &[Point]) -> Layout {
    let mut plan = layers::plan(drawing, nodes, labels);
    order::order(&mut plan);
    let size = place::place(&mut plan);
    let routes = route::routes(&plan);
    plan.elements.truncate(nodes.len());
    Layout { size, nodes: plan.elements, routes }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::drawing::{Arrow, Look, Node};

    fn drawing(nodes: usize, arrows: &[(usize, usize)]) -> Drawing {
        let node = |_| Node { lines: vec!["n".into()], whole: String::new(), look: Look::Plain };
        Drawing {
            title: String::new(),
            nodes: (0..nodes).map(node).collect(),
            arrows: arrows.iter().map(|&(a, b)| Arrow::new(a, b, "label".into())).collect(),
        }
    }

    fn laid_out(nodes: usize, arrows: &[(usize, usize)]) -> Layout {
        let room = vec![Point { x: 100.0, y: 40.0 }; nodes];
        let labels = vec![Point { x: 60.0, y: 14.0 }; arrows.len()];
        layout(&drawing(nodes, arrows), &room, &labels)
    }

    /// Random arrows, the same every time; from each node after the first one comes back to an earlier one.
    fn tangle(nodes: usize) -> Vec<(usize, usize)> {
        let mut seed = 1u64;
        let mut next = |below: usize| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (seed >> 33) as usize % below
        };
        let mut arrows: Vec<_> = (1..nodes).map(|n| (next(n), n)).collect();
        arrows.extend((0..2 * nodes).map(|_| (next(nodes), next(nodes))));
        arrows
    }

    fn overlap(a: &Element, b: &Element) -> bool {
        let near = |a: f64, b: f64, room: f64| (a - b).abs() < room - 1e-6;
        near(a.at.x, b.at.x, (a.size.x + b.size.x) / 2.0)
            && near(a.at.y, b.at.y, (a.size.y + b.size.y) / 2.0)
    }

    #[test]
    fn no_two_nodes_or_labels_overlap_and_all_are_inside() {
        let arrows = tangle(60);
        let layout = laid_out(60, &arrows);
        let label =
            |r: &Route| Element { at: r.label, ..Element::new(Point { x: 60.0, y: 14.0 }, 0) };
        let mut all = layout.nodes.clone();
        all.extend(layout.routes.iter().map(label));
        for (i, a) in all.iter().enumerate() {
            assert!(all[i + 1..].iter().all(|b| !overlap(a, b)), "element {i}");
            assert!(a.at.x - a.size.x / 2.0 >= 0.0 && a.at.x + a.size.x / 2.0 <= layout.size.x);
            assert!(a.at.y - a.size.y / 2.0 >= 0.0 && a.at.y + a.size.y / 2.0 <= layout.size.y);
        }
    }

    #[test]
    fn rows_are_distances_from_the_first_node() {
        let layout = laid_out(4, &[(0, 1), (1, 2), (0, 2), (2, 0), (2, 3), (3, 3)]);
        let y: Vec<_> = layout.nodes.iter().map(|n| n.at.y).collect();
        assert!(y[0] < y[1] && y[1] == y[2] && y[2] < y[3], "{y:?}");
        let turns: Vec<_> = layout.routes.iter().map(|r| r.turns).collect();
        assert_eq!(turns, [false, true, false, false, false, true]);
    }

    #[test]
    fn nothing_and_a_node_that_nothing_leads_to_have_a_layout() {
        assert!(laid_out(0, &[]).nodes.is_empty());
        assert_eq!(laid_out(2, &[]).nodes.len(), 2);
    }

    #[test]
    fn thousands_of_nodes_take_no_time_to_speak_of() {
        let started = std::time::Instant::now();
        let chain: Vec<_> = (1..3000).flat_map(|n| [(n - 1, n), (n, 0)]).collect();
        assert_eq!(laid_out(3000, &chain).routes.len(), chain.len());
        assert_eq!(laid_out(3000, &tangle(3000)).nodes.len(), 3000);
        assert!(started.elapsed().as_secs() < 20, "{:?}", started.elapsed());
    }
}
