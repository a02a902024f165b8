//! Taut beside SPIN, everything in one run: one table, one drawing, one file of figures.
//!
//! 1. *Plain Promela* under SC without reductions, where both must store the same number of states: speed on one
//!    core and on all, and bytes per state.
//! 2. *The models of mmlib* under TSO and PSO with growing buffers: from the file to the verdict.
//! 3. *Scaling*: locks for two, three and four processes under TSO.
//! 4. *Delayed writes*: Lamport's lock for three processes, of which DiVinE needs over 10 GB.
//!
//! SPIN is used as its users do who want speed: `gcc -O3`, a table as large as the search asks for, and for each
//! question the flags that its manual recommends; with its partial-order reduction and without. It gets Taut's own
//! export of what it cannot read. Both have the same limits of time and memory. Bytes are those for states: SPIN's
//! states and hash table without its stack, Taut's peak in all.

mod buffers;
mod delayed;
mod figures;
mod locks;
mod peers;
mod plain;
mod scaling;
mod table;

use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

use crate::plot;
use table::Table;

/// Arguments.
#[derive(clap::Args)]
pub struct SpinArgs {
    /// Only these parts, from 1 to 4, with commas.
    #[arg(long, value_name = "PARTS", value_delimiter = ',', value_parser = clap::value_parser!(u8).range(1..=4))]
    part: Vec<u8>,
    /// The smallest of everything, in seconds, SPIN not optimised: to see that it works.
    #[arg(long)]
    quick: bool,
    /// Only questions that have this in their name.
    #[arg(long, value_name = "NAME")]
    only: Option<String>,
    /// Leave SPIN out.
    #[arg(long)]
    no_spin: bool,
    /// Minutes after which a search is given up.
    #[arg(long, default_value_t = 5)]
    minutes: u32,
    /// Megabytes at which a search is given up.
    #[arg(long, default_value_t = 8000)]
    megabytes: u32,
    /// The largest buffers of part 2; the smallest have five entries.
    #[arg(long, default_value_t = 8)]
    bound: u32,
    /// Draw it.
    #[arg(long, value_name = "FILE")]
    plot: Option<PathBuf>,
    /// Write all figures to a file.
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
}

impl SpinArgs {
    fn wants(&self, question: &str) -> bool {
        self.only.as_ref().is_none_or(|only| question.contains(only.as_str()))
    }

    /// The sizes of the buffers of part 2.
    fn bounds(&self) -> RangeInclusive<u32> {
        const SMALLEST: u32 = 5;
        let largest = if self.quick { SMALLEST } else { self.bound.max(SMALLEST) };
        SMALLEST..=largest
    }

    fn wants_part(&self, part: u8) -> bool {
        self.part.is_empty() || self.part.contains(&part)
    }
}

/// Runs the benchmark.
pub fn run(args: &SpinArgs) -> Result<(), String> {
    let mut table = Table::begin();
    let mut plots = Vec::new();
    let parts = [plain::run, buffers::run, scaling::run, delayed::run];
    for (part, run) in (1..).zip(parts).filter(|(part, _)| args.wants_part(*part)) {
        plots.extend(run(args, &mut table)?);
        table.end_part(part);
    }
    table.conclude();
    if let Some(path) = &args.plot {
        write(path, &plot::svg(&plots))?;
    }
    if let Some(path) = &args.json {
        let text = serde_json::to_string_pretty(&table.json()).map_err(|e| e.to_string())?;
        write(path, &(text + "\n"))?;
    }
    table.complaints()
}

fn write(path: &Path, text: &str) -> Result<(), String> {
    std::fs::write(path, text).map_err(|e| format!("{}: {e}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_smallest_of_everything_is_measured_drawn_and_written() {
        let folder = std::env::temp_dir().join(format!("taut-bench-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        let (plot, json) = (folder.join("spin.svg"), folder.join("spin.json"));
        let args = SpinArgs {
            part: Vec::new(),
            quick: true,
            only: None,
            no_spin: false,
            minutes: 1,
            megabytes: 1000,
            bound: 5,
            plot: Some(plot.clone()),
            json: Some(json.clone()),
        };
        run(&args).expect("figures");
        let svg = std::fs::read_to_string(plot).expect("a drawing");
        assert!(svg.starts_with("<svg") && svg.trim_end().ends_with("</svg>"));
        let text = std::fs::read_to_string(json).expect("figures");
        let figures: serde_json::Value = serde_json::from_str(&text).expect("JSON");
        let rows = figures["rows"].as_array().expect("rows");
        let complete = |part: u8, tool: &str| {
            let of = |row: &&serde_json::Value| {
                row["part"] == part && row["tool"].as_str().is_some_and(|t| t.starts_with(tool))
            };
            rows.iter().filter(of).any(|row| row["complete"] == true)
        };
        // Part 2 needs models that are not in the repository.
        for part in [1, 3, 4] {
            assert!(complete(part, "Taut"), "part {part}: {text}");
        }
        assert!(complete(1, "SPIN") && complete(3, "SPIN"), "{text}");
        std::fs::remove_dir_all(folder).expect("removed");
    }
}
