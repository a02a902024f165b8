//! Routes: arrows run through the centres of their elements and end at the sides of boxes, where all that end
//! at the same side share it in the order of where they come from.

use super::{Chain, Plan, Point, Route};

/// How much of a side arrows may end at.
const USED: f64 = 0.8;

/// One end of an arrow at a box.
struct End {
    node: usize,
    lower: bool,
    /// Where the arrow goes to, or comes from.
    towards: f64,
    route: usize,
    first: bool,
}

/// The routes of all arrows.
pub(super) fn routes(plan: &Plan) -> Vec<Route> {
    let mut routes: Vec<Route> = plan.chains.iter().map(|chain| route(plan, chain)).collect();
    let numbered = plan.chains.iter().enumerate();
    let mut ends: Vec<End> = numbered.flat_map(|(i, chain)| ends(plan, chain, i)).collect();
    ends.sort_by(|a, b| {
        (a.node, a.lower).cmp(&(b.node, b.lower)).then(a.towards.total_cmp(&b.towards))
    });
    for side in ends.chunk_by(|a, b| (a.node, a.lower) == (b.node, b.lower)) {
        for (i, end) in side.iter().enumerate() {
            let at = port(plan, end, (i + 1) as f64 / (side.len() + 1) as f64);
            let points = &mut routes[end.route].points;
            let point = if end.first { points.first_mut() } else { points.last_mut() };
            if let Some(point) = point {
                *point = at;
            }
        }
    }
    routes
}

fn route(plan: &Plan, chain: &Chain) -> Route {
    let points: Vec<Point> = chain.elements.iter().map(|&e| plan.elements[e].at).collect();
    let (first, last) = (chain.elements[0], chain.elements[chain.elements.len() - 1]);
    // The label is the first element after the box.
    let label = points[1];
    Route { points, turns: plan.elements[first].row == plan.elements[last].row, label }
}

fn ends(plan: &Plan, chain: &Chain, route: usize) -> [End; 2] {
    let all = &chain.elements;
    let end = |node: usize, beside: usize, first: bool| End {
        node,
        lower: plan.elements[beside].row > plan.elements[node].row,
        towards: plan.elements[beside].at.x,
        route,
        first,
    };
    [end(all[0], all[1], true), end(all[all.len() - 1], all[all.len() - 2], false)]
}

/// A point of a side, `part` of the way along what arrows may use of it.
fn port(plan: &Plan, end: &End, part: f64) -> Point {
    let node = &plan.elements[end.node];
    let half = if end.lower { node.size.y / 2.0 } else { -node.size.y / 2.0 };
    Point { x: node.at.x + (part - 0.5) * node.size.x * USED, y: node.at.y + half }
}
