//! A run as a table for the terminal: one lane a process, and what memory holds.
//!
//! ```text
//!  # │ p                 │ q                 │ memory
//! ───┼───────────────────┼───────────────────┼────────
//!    │                   │                   │ x=0 y=0
//!  1 │ x := 1      [x=1] │                   │
//!  2 │ r := y → 0  [x=1] │                   │
//!  3 │                   │ y := 1      [y=1] │
//!  4 │                   │ r := x → 0  [y=1] │
//!  5 │ ⇢ x=1 commits  [] │                   │ x=1 y=0
//! ───┴───────────────────┴───────────────────┴────────
//! ✗ forbid `both see nothing` is violated
//!   forbidden: p:r == 0 && q:r == 0
//!   here: p:r = 0, q:r = 0
//! ```
//!
//! Every step and every commit has a row of its own; a rendezvous is one row with the send in the
//! sender's lane and the receive in the receiver's. On the right of a lane stands the process's
//! buffer after the row, oldest store first; under PSO the stores of a variable stand together, and
//! `¦` is an `sfence`. Memory is shown where it changes, and below it what channels hold, the oldest
//! message first, such as `q = [3, 4]`. Where there are more processes than lanes
//! fit, one lane holds them all and a column in front of it says who moves.
//!
//! `content` says what stands in a row and `step` how a step is told, `cell` breaks it into lines, `table` finds the widths
//! and puts the lines side by side.

mod cell;
mod content;
mod step;
mod table;
mod theme;

use taut_diag::SourceMap;
use taut_ir::{Action, Finding, ProcId, Program};

use crate::explain::{Explanation, explain};
use crate::replay::Run;
use cell::Cell;
use content::Content;
use table::{Table, TableRow};
use theme::{Role, Theme};

/// How to draw a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LaneOptions {
    /// How many columns of the terminal to use; fewer than [`LaneOptions::NARROWEST`] count as that
    /// many.
    pub width: usize,
    /// Whether to use colours (ANSI escape codes).
    pub styled: bool,
}

impl LaneOptions {
    /// The narrowest table that is drawn.
    pub const NARROWEST: usize = 32;
}

impl Default for LaneOptions {
    fn default() -> LaneOptions {
        LaneOptions { width: 100, styled: false }
    }
}

/// Draws a run and explains its finding. Every line ends in a line break and is no wider than
/// asked.
pub fn lanes(
    program: &Program,
    sources: &SourceMap,
    run: &Run,
    finding: &Finding,
    options: LaneOptions,
) -> String {
    let width = options.width.max(LaneOptions::NARROWEST);
    let theme = Theme { styled: options.styled };
    let content = Content::new(program, sources, run, table::largest_last(width));
    let wide = lane_table(&content);
    let table = if wide.fits(width) { wide } else { list_table(&content) };
    let mut text = table.render(width, theme);
    text.push_str(&footer(&explain(program, sources, run, *finding), width, theme));
    text
}

/// The processes that do something, or are done something to, in the run.
fn taking_part(run: &Run) -> Vec<ProcId> {
    let mut all: Vec<_> = run.rows.iter().flat_map(|row| acting(row.action)).collect();
    all.sort();
    all.dedup();
    all
}

/// Who acts: one process, or the sender and the receiver of a rendezvous.
fn acting(action: Action) -> Vec<ProcId> {
    match action {
        Action::Handshake { process, receiver, .. } => vec![process, receiver],
        Action::Step { process, .. } | Action::Commit { process, .. } => vec![process],
    }
}

/// One lane a process.
fn lane_table(content: &Content<'_>) -> Table {
    let processes = taking_part(content.run);
    let mut header: Vec<_> = processes.iter().map(|&p| content.name(p)).collect();
    header.push(Cell::text("memory", Role::Header));
    let mut table = Table::new(header);
    let blank = || vec![Cell::default(); processes.len()];
    table.rows.push(start_row(content, blank()));
    for index in 0..content.run.rows.len() {
        let mut cells = blank();
        for process in acting(content.run.rows[index].action) {
            let lane = processes.iter().position(|&p| p == process).expect("it takes part");
            cells[lane] = content.lane(index, process);
        }
        cells.push(content.memory(index));
        table.rows.push(TableRow { gutter: content.gutter(index), cells });
    }
    table
}

/// One lane for all, for the case that there are too many processes.
fn list_table(content: &Content<'_>) -> Table {
    let header = ["process", "what happens", "memory"];
    let mut table = Table::new(header.map(|h| Cell::text(h, Role::Header)).to_vec());
    table.rows.push(start_row(content, vec![Cell::default(); 2]));
    for (index, row) in content.run.rows.iter().enumerate() {
        let all = acting(row.action);
        for (part, &process) in all.iter().enumerate() {
            // A rendezvous is one row over two lines: the memory and the number stand on the first.
            let (gutter, memory) = match part {
                0 => (content.gutter(index), content.memory(index)),
                _ => Default::default(),
            };
            let cells = vec![content.name(process), content.lane(index, process), memory];
            table.rows.push(TableRow { gutter, cells });
        }
    }
    table
}

fn start_row(content: &Content<'_>, mut cells: Vec<Cell>) -> TableRow {
    cells.push(content.initial_memory());
    TableRow { gutter: Default::default(), cells }
}

fn footer(explanation: &Explanation, width: usize, theme: Theme) -> String {
    let mut text = String::new();
    let mut say = |words: &str, role: Role, indent: &str| {
        for line in Cell::text(words, role).wrap(width - indent.len()) {
            text.push_str(&format!("{indent}{}\n", line.render(None, theme)));
        }
    };
    say(&format!("✗ {}", explanation.headline), Role::Finding, "");
    for detail in &explanation.details {
        say(detail, Role::Plain, "  ");
    }
    text
}
