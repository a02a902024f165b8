//! Lamport's lock for three processes with delayed writes: 74,948,667 states, of which DiVinE needs over 10 GB and a
//! plain explorer in C++ 4 GB.

use taut::load::{LoadOptions, from_path};
use taut::{MemoryModel, StoreKind};
use taut_testkit::suite::root;

use super::SpinArgs;
use super::peers::{Way, taut};
use super::table::{Question, Table};
use crate::plot::Plot;

const WAYS: [Way; 3] = [
    Way { name: "Taut, not reduced, tree", store: StoreKind::Tree, ..Way::UNREDUCED },
    Way::UNREDUCED,
    Way::TAUT,
];

/// Runs the part. There is nothing to draw.
pub fn run(args: &SpinArgs, table: &mut Table) -> Result<Vec<Plot>, String> {
    let (name, processes) = if args.quick { ("lamport2", 2) } else { ("lamport3", 3) };
    let path = root().join(format!("examples/dve/{name}.dve"));
    let name = format!("{name} delayed");
    if !args.wants(&name) {
        return Ok(Vec::new());
    }
    let question = Question { processes: Some(processes), ..Question::new(4, name) };
    for way in WAYS {
        let read = || from_path(&path, LoadOptions::default()).map_err(|e| e.to_string());
        // The lock is wrong: every violation is wanted, so that every state is visited.
        let figures = taut(args, way, read, |check, _| check.model(MemoryModel::Delayed).all(true));
        table.add(&question, way.name, figures);
    }
    if let [(reduced, every)] = table.pairs(4, "Taut", "Taut, not reduced")[..] {
        let ratio = every.states as f64 / reduced.states as f64;
        table.conclude_that("4: states for each one that reductions leave", ratio);
    }
    Ok(Vec::new())
}
