//! The tables of the book's page on growth, from the figures that `spin --json` wrote.
//!
//! What stands between two marks on the page is replaced, and nothing else.

use std::path::PathBuf;

use serde_json::Value;

/// Arguments.
#[derive(clap::Args)]
pub struct GrowthArgs {
    /// What `taut-bench spin --json FILE` wrote.
    figures: PathBuf,
    /// The page.
    page: PathBuf,
}

const BEGIN: &str = "<!-- figures: begin -->\n";
const END: &str = "<!-- figures: end -->\n";

/// The tools of the tables; one that was not asked has no columns.
const TOOLS: [&str; 3] = ["Taut, not reduced", "Taut", "SPIN, reduced"];

/// Fills the page.
pub fn run(args: &GrowthArgs) -> Result<(), String> {
    let read = |path: &PathBuf| {
        std::fs::read_to_string(path).map_err(|e| format!("{}: {e}", path.display()))
    };
    let figures: Value = serde_json::from_str(&read(&args.figures)?).map_err(|e| e.to_string())?;
    let page = filled(&read(&args.page)?, &figures)?;
    std::fs::write(&args.page, page).map_err(|e| format!("{}: {e}", args.page.display()))
}

fn filled(page: &str, figures: &Value) -> Result<String, String> {
    let no_marks = || "the page has no marks".to_string();
    let (before, rest) = page.split_once(BEGIN).ok_or_else(no_marks)?;
    let (_, after) = rest.split_once(END).ok_or_else(no_marks)?;
    let rows = figures["rows"].as_array().ok_or("no rows")?;
    Ok(format!("{before}{BEGIN}{}{END}{after}", tables(rows)))
}

/// A table for each thing that grows.
fn tables(rows: &[Value]) -> String {
    let scaling: Vec<&Value> = rows.iter().filter(|row| row["part"] == 3).collect();
    let fixed = |row: &&&Value, field: &str, value: u32| row[field] == value;
    let processes =
        scaling.iter().filter(|row| fixed(row, "bound", 2)).copied().collect::<Vec<_>>();
    let bounds =
        scaling.iter().filter(|row| fixed(row, "processes", 2)).copied().collect::<Vec<_>>();
    let axes = [
        ("Processes", "processes", processes),
        ("Entries per buffer", "bound", bounds),
        ("Variables", "variables", scaling),
    ];
    axes.iter().map(|(title, field, rows)| table(title, field, rows)).collect()
}

/// One program and size a row, and one more for the size after the last.
fn table(title: &str, field: &str, rows: &[&Value]) -> String {
    let asked = |tool: &&str| rows.iter().any(|row| row["tool"] == *tool);
    let tools: Vec<&str> = TOOLS.into_iter().filter(asked).collect();
    let mut text = format!("\n### {title}\n\n| program | {field} |");
    for tool in &tools {
        text.push_str(&format!(" {tool}: states | s | MiB |"));
    }
    text.push_str(&format!("\n|{}\n", " --- |".repeat(2 + 3 * tools.len())));
    let mut names: Vec<&str> =
        rows.iter().filter(|r| r[field].is_u64()).filter_map(|r| r["question"].as_str()).collect();
    names.sort_unstable();
    names.dedup();
    for name in names {
        let rows: Vec<&Value> = rows.iter().filter(|r| r["question"] == name).copied().collect();
        text.push_str(&program(name, field, &tools, &rows));
    }
    text
}

fn program(name: &str, field: &str, tools: &[&str], rows: &[&Value]) -> String {
    let mut sizes: Vec<u64> = rows.iter().filter_map(|row| row[field].as_u64()).collect();
    sizes.sort_unstable();
    sizes.dedup();
    let of = |tool: &str, size: u64| {
        rows.iter().find(|r| r["tool"] == tool && r[field] == size).copied().and_then(Figures::of)
    };
    // What a size takes, and whether that was measured.
    let at = |tool: &str, size: u64| match of(tool, size) {
        Some(figures) => Some((figures, "")),
        None => predicted(&sizes, size, |size| of(tool, size)).map(|figures| (figures, "*")),
    };
    let states = |size: u64| tools.iter().map(|tool| Some(at(tool, size)?.0.states)).collect();
    let mut text = String::new();
    let mut before: Option<Vec<Option<f64>>> = None;
    for size in sizes.iter().copied().chain(sizes.last().map(|last| last + 1)) {
        // A size at which nothing grows any more is left out.
        let now = Some(states(size));
        if std::mem::replace(&mut before, now.clone()) == now {
            continue;
        }
        let cell = |tool: &&str| at(tool, size).map_or(NONE.into(), |(f, mark)| f.cells(mark));
        let cells: Vec<String> = tools.iter().map(cell).collect();
        text.push_str(&format!("| {name} | {size} | {} |\n", cells.join(" | ")));
    }
    text
}

/// Cells of a search that was not finished and cannot be predicted.
const NONE: &str = "– | – | –";

/// What a size would take if states grew from the last size that was finished as they did up to there.
fn predicted(
    sizes: &[u64],
    size: u64,
    finished: impl Fn(u64) -> Option<Figures>,
) -> Option<Figures> {
    let mut known = sizes.iter().rev().filter_map(|&size| Some((size, finished(size)?)));
    let (last, figures) = known.next()?;
    let (before, fewer) = known.next()?;
    let steps = size.checked_sub(last)? as f64 / (last - before) as f64;
    Some(figures.with(figures.states * (figures.states / fewer.states).powf(steps)))
}

/// What a search took.
struct Figures {
    states: f64,
    seconds: f64,
    bytes: f64,
}

impl Figures {
    /// Those of a row; none if the search was not finished.
    fn of(row: &Value) -> Option<Figures> {
        let number = |field: &str| row[field].as_f64();
        let finished = row["complete"] == true;
        let (states, seconds) = (number("states")?, number("search_seconds")?);
        finished.then_some(Figures { states, seconds, bytes: number("bytes")? })
    }

    /// The same search with another number of states, each of which takes as much.
    fn with(&self, states: f64) -> Figures {
        let factor = states / self.states;
        Figures { states, seconds: self.seconds * factor, bytes: self.bytes * factor }
    }

    /// The cells, each between marks.
    fn cells(&self, mark: &str) -> String {
        let mebibytes = self.bytes / f64::from(1 << 20);
        let cells = [self.states, self.seconds, mebibytes].map(rounded);
        cells.map(|cell| format!("{mark}{cell}{mark}")).join(" | ")
    }
}

/// A number with three digits, or in full if it is whole and not too large.
fn rounded(number: f64) -> String {
    match number {
        n if n >= 1e9 => format!("{n:.1e}"),
        n if n >= 100.0 || n.fract() == 0.0 => format!("{n:.0}"),
        n if n >= 1.0 => format!("{n:.1}"),
        n => format!("{n:.4}"),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_page_keeps_its_words_and_gets_the_figures_and_a_prediction() {
        let row = |processes: u32, states: u64| {
            json!({
                "part": 3, "question": "lock tso", "tool": "Taut", "processes": processes, "bound": 2,
                "variables": null, "complete": true, "states": states, "search_seconds": 0.5,
                "bytes": 1048576.0,
            })
        };
        let figures = json!({ "rows": [row(2, 100), row(3, 1000)] });
        let page = format!("words\n{BEGIN}old\n{END}more words\n");
        let filled = filled(&page, &figures).expect("a page");
        assert!(filled.starts_with("words\n") && filled.ends_with("more words\n"), "{filled}");
        assert!(!filled.contains("old"), "{filled}");
        assert!(filled.contains("| lock tso | 3 | 1000 | 0.5000 | 1 |"), "{filled}");
        assert!(filled.contains("| lock tso | 4 | *10000* | *5* | *10* |"), "{filled}");
        let flat = json!({ "rows": [row(2, 100), row(3, 1000), row(4, 1000)] });
        let page = super::filled(&page, &flat).expect("a page");
        assert!(page.contains("| 3 |") && !page.contains("| 4 |"), "{page}");
        assert!(super::filled("no marks", &figures).is_err());
    }
}
