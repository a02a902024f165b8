//! EditSites: each row keeps its order, and each element comes as near to the mean of its neighbours as the
//! others of its row allow.

use super::order::mean;
use super::{Plan, Point};

/// Room between two elements of a row.
const BESIDE: f64 = 18.0;
/// Room between two rows, of which one is for labels.
const BETWEEN: f64 = 26.0;
/// Room around the picture.
const MARGIN: f64 = 20.0;
/// How often all rows are placed by their neighbours.
const SWEEPS: usize = 8;

/// EditSites all elements; the size of the picture.
pub(super) fn place(plan: &mut Plan) -> Point {
    let height = rows(plan);
    for row in 0..plan.rows.len() {
        columns(plan, row, |_, _| Some(0.0));
    }
    for _ in 0..SWEEPS {
        for row in 0..plan.rows.len() {
            columns(plan, row, |plan, e| near(plan, &plan.above[e]));
        }
        for row in (0..plan.rows.len()).rev() {
            columns(plan, row, |plan, e| near(plan, &plan.below[e]));
        }
    }
    Point { x: shift(plan), y: height }
}

fn near(plan: &Plan, neighbours: &[usize]) -> Option<f64> {
    mean(neighbours.iter().map(|&n| plan.elements[n].at.x))
}

/// Gives each row its height; the height of the picture.
fn rows(plan: &mut Plan) -> f64 {
    let mut top = MARGIN;
    for row in &plan.rows {
        let height = row.iter().map(|&e| plan.elements[e].size.y).fold(0.0, f64::max);
        for &element in row {
            plan.elements[element].at.y = top + height / 2.0;
        }
        top += height + BETWEEN;
    }
    top - BETWEEN + MARGIN
}

/// EditSites one row. The sum of the squares of the distances from where the elements want to be is as small as
/// can be: what is left once the room that each needs is taken off is isotonic regression, by pooling
/// adjacent violators.
fn columns(plan: &mut Plan, row: usize, wish: impl Fn(&Plan, usize) -> Option<f64>) {
    let mut offset = 0.0;
    let mut offsets = Vec::with_capacity(plan.rows[row].len());
    // Elements that have no room to be where they want: the mean of their wishes, and how many they are.
    let mut pools: Vec<(f64, usize)> = Vec::new();
    let mut before: Option<f64> = None;
    for &element in &plan.rows[row] {
        let width = plan.elements[element].size.x;
        offset += before.map_or(0.0, |before| (before + width) / 2.0 + BESIDE);
        before = Some(width);
        offsets.push(offset);
        let wished = wish(plan, element).unwrap_or(plan.elements[element].at.x);
        let mut pool = (wished - offset, 1);
        while let Some(&(value, count)) = pools.last().filter(|last| last.0 > pool.0) {
            let all = count + pool.1;
            pool = ((value * count as f64 + pool.0 * pool.1 as f64) / all as f64, all);
            pools.pop();
        }
        pools.push(pool);
    }
    let values = pools.into_iter().flat_map(|(value, count)| std::iter::repeat_n(value, count));
    for ((&element, offset), value) in plan.rows[row].iter().zip(offsets).zip(values) {
        plan.elements[element].at.x = value + offset;
    }
}

/// Moves everything to where the picture begins; the width of the picture.
fn shift(plan: &mut Plan) -> f64 {
    let left = plan.elements.iter().map(|e| e.at.x - e.size.x / 2.0).fold(f64::INFINITY, f64::min);
    let right = plan.elements.iter().map(|e| e.at.x + e.size.x / 2.0).fold(left, f64::max);
    if plan.elements.is_empty() {
        return 2.0 * MARGIN;
    }
    for element in &mut plan.elements {
        element.at.x += MARGIN - left;
    }
    right - left + 2.0 * MARGIN
}
