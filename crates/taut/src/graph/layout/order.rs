//! The order of the elements in each row: by the mean of their neighbours' positions (barycentres), which is
//! not optimal (that is NP-hard even for two rows) but good.

use super::Plan;

/// How often each row is sorted by the one above, and then by the one below. More changes little.
const SWEEPS: usize = 6;

pub(super) fn order(plan: &mut Plan) {
    let mut position = vec![0.0; plan.elements.len()];
    for row in &plan.rows {
        number(row, &mut position);
    }
    for _ in 0..SWEEPS {
        for row in plan.rows.iter_mut().skip(1) {
            sort(row, &plan.above, &mut position);
        }
        for row in plan.rows.iter_mut().rev().skip(1) {
            sort(row, &plan.below, &mut position);
        }
    }
}

fn number(row: &[usize], position: &mut [f64]) {
    for (i, &element) in row.iter().enumerate() {
        position[element] = i as f64;
    }
}

fn sort(row: &mut [usize], neighbours: &[Vec<usize>], position: &mut [f64]) {
    let key = |element: usize| {
        mean(neighbours[element].iter().map(|&n| position[n])).unwrap_or(position[element])
    };
    let mut keyed: Vec<_> = row.iter().map(|&element| (key(element), element)).collect();
    keyed.sort_by(|a, b| a.0.total_cmp(&b.0));
    for (slot, (_, element)) in row.iter_mut().zip(keyed) {
        *slot = element;
    }
    number(row, position);
}

/// The mean, if there is anything.
pub(super) fn mean(values: impl Iterator<Item = f64>) -> Option<f64> {
    let (sum, count) = values.fold((0.0, 0), |(sum, count), value| (sum + value, count + 1));
    (count > 0).then(|| sum / f64::from(count))
}
