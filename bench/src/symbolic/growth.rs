//! What a search with a bound costs as the bound grows, beside one without.
//!
//! Everything here visits the whole space: where a search may end at the first violation there is nothing to
//! compare.

use serde_json::{Value, json};
use taut::{MemoryModel, Reduce, Report};

use super::programs::unbounded;
use super::{MODELS, SymbolicArgs, load, milliseconds};
use crate::plot::{Line, Plot};

/// The largest bound.
const LARGEST: u32 = 8;

/// What is drawn: programs whose buffers grow without end, and of which the symbolic engine visits the whole space.
const DRAWN: [&str; 7] = [
    "two_loops",
    "insisting_lock",
    "insisting_dekker",
    "dekker_membarrier",
    "lw_peterson_repeated",
    "lw_dekker_repeated",
    "dekker",
];

/// One search.
struct Point {
    states: u64,
    milliseconds: f64,
    /// Whether it went to its end.
    complete: bool,
}

/// One program under one model: without a bound, and with the bounds from 1 on, up to the first that was given up.
pub struct Curve {
    program: String,
    model: MemoryModel,
    symbolic: Point,
    bounded: Vec<Point>,
}

impl Point {
    fn of(report: &Report) -> Point {
        let complete = report.complete;
        Point { states: report.stats.states, milliseconds: milliseconds(report), complete }
    }

    fn cell(&self) -> String {
        match self.complete {
            true => format!("{} ({:.1} ms)", self.states, self.milliseconds),
            false => format!("given up at {} ({:.1} s)", self.states, self.milliseconds / 1e3),
        }
    }

    fn json(&self) -> Value {
        json!({ "states": self.states, "milliseconds": self.milliseconds, "complete": self.complete })
    }
}

impl Curve {
    /// For a file.
    pub fn json(&self) -> Value {
        let bounded: Vec<_> = self.bounded.iter().map(Point::json).collect();
        json!({
            "program": self.program,
            "model": self.model.name(),
            "symbolic": self.symbolic.json(),
            "bounds": bounded,
        })
    }

    fn row(&self) -> String {
        let mut cells = vec![self.program.clone(), self.model.to_string(), self.symbolic.cell()];
        cells.extend(self.bounded.iter().map(Point::cell));
        cells.resize(3 + LARGEST as usize, "–".into());
        format!("| {} |", cells.join(" | "))
    }
}

/// Prints the table.
pub fn run(args: &SymbolicArgs) -> Result<Vec<Curve>, String> {
    println!(
        "The whole space: states and time without a bound, and with bounds; given up after {} s or {} states\n",
        args.seconds, args.states
    );
    let bounds: Vec<_> = (1..=LARGEST).map(|bound| format!("bound {bound}")).collect();
    println!("| program | model | symbolic | {} |", bounds.join(" | "));
    println!("|{}", " --- |".repeat(3 + LARGEST as usize));
    let mut all = Vec::new();
    for (program, file) in unbounded(args) {
        for model in MODELS {
            let curve = curve(args, &program, &file, model)?;
            println!("{}", curve.row());
            all.push(curve);
        }
    }
    println!();
    Ok(all)
}

fn curve(
    args: &SymbolicArgs,
    program: &str,
    file: &str,
    model: MemoryModel,
) -> Result<Curve, String> {
    let loaded = load(file)?;
    let failed = |e: taut::EngineFault| format!("{program} under {model}: {e}");
    let symbolic = args.symbolic(&loaded, model).all(true).run().map_err(failed)?;
    let mut bounded: Vec<Point> = Vec::new();
    for bound in 1..=LARGEST {
        let check = args.limited(&loaded, model).bound(Some(bound)).all(true).reduce(Reduce::None);
        bounded.push(Point::of(&check.run().map_err(failed)?));
        if bounded.last().is_some_and(|point| !point.complete) {
            break;
        }
    }
    Ok(Curve { program: program.into(), model, symbolic: Point::of(&symbolic), bounded })
}

/// States by bound, one colour a program; without a bound, a level line. One chart a model.
pub fn plots(curves: &[Curve]) -> Vec<Plot> {
    MODELS.into_iter().map(|model| plot(curves, model)).collect()
}

fn plot(curves: &[Curve], model: MemoryModel) -> Plot {
    let drawn = |curve: &&Curve| curve.model == model && DRAWN.contains(&curve.program.as_str());
    let line = |curve: &Curve| Line {
        name: curve.program.clone(),
        rising: curve.bounded.iter().filter(|p| p.complete).map(|p| p.states as f64).collect(),
        level: curve.symbolic.complete.then_some(curve.symbolic.states as f64),
    };
    let name = model.name().to_uppercase();
    Plot {
        title: format!("{name}: states by the size of the buffers; dashed: of any size"),
        across: "entries per buffer".into(),
        upwards: "states".into(),
        first: 1,
        lines: curves.iter().filter(drawn).map(line).collect(),
    }
}
