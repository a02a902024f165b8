//! A run as a table for the terminal: one lane per process, and what memory holds.
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
//! For a property of runs, the truth of its atoms stands under every row that changes it, and all of them
//! at the start and where the cycle begins. The cycle has a bar in front of it:
//!
//! ```text
//!     # │ p                 │ memory
//! ──────┼───────────────────┼───────
//!       │                   │ x=0
//!       ├ ¬(x == 1)
//!     1 │ x := 1      [x=1] │
//! ┏━ cycle, repeated for ever ━━━━━━
//! ┃     ├ ¬(x == 1)
//! ┃   2 │ skip        [x=1] │
//! ┗━ and again from row 2 ━━━━━━━━━━
//! ──────┴───────────────────┴───────
//! ```
//!
//! `content` says what stands in a row, `step` how a step is told and `atoms` what a property sees, `cell` breaks it into lines, `table` finds the widths
//! and puts the lines side by side.

mod atoms;
mod cell;
mod content;
mod step;
mod table;
mod theme;

use taut_ir::{Finding, ProcId};
use taut_witness::{Row, Run};

use crate::explain::{Explanation, explain};
use crate::view::{Names, PartView, RunView};
use cell::Cell;
use content::Content;
use table::{RowKind, Table, TableRow};
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
pub fn lanes(view: RunView<'_>, finding: Finding, options: LaneOptions) -> String {
    let width = options.width.max(LaneOptions::NARROWEST);
    let theme = Theme { styled: options.styled };
    let mut text = lanes_of_run(view, options);
    // What a cover asks for is found, and nothing is wrong.
    let is_sought = match finding {
        Finding::Property(id) => view.machine().program().property(id).kind.is_cover(),
        _ => false,
    };
    let sign = if is_sought { "✓" } else { "✗" };
    text.push_str(&footer(sign, &explain(view, finding), width, theme));
    text
}

/// Draws a run that shows nothing in particular: without an explanation.
pub fn lanes_of_run(view: RunView<'_>, options: LaneOptions) -> String {
    let width = options.width.max(LaneOptions::NARROWEST);
    let content = Content::new(view, table::largest_last(width));
    let wide = lane_table(&content);
    let table = if wide.fits(width) { wide } else { list_table(&content) };
    table.render(width, Theme { styled: options.styled })
}

/// One row of a run in one line: `p: r := x → 0 (from buffer)`, or `p: ⇢ x=1 commits`.
pub fn tell(names: Names<'_>, row: &Row) -> String {
    let _phase = taut_budget::phase("a run is drawn");
    let told = |part: PartView<'_>| format!("{}: {}", part.name(), step::told(&part).plain());
    names.parts(row).map(told).collect::<Vec<_>>().join(", ")
}

/// One lane a process.
fn lane_table(content: &Content<'_>) -> Table {
    let processes = content.view.acting();
    let mut header: Vec<_> = processes.iter().map(|&p| content.name(p)).collect();
    header.push(Cell::text("memory", Role::Header));
    let blank = || vec![Cell::default(); processes.len()];
    fill(content, Table::new(header), blank(), |index| {
        let mut cells = blank();
        for process in content.view.row(index).acting() {
            let lane = processes.iter().position(|&p| p == process).expect("it takes part");
            cells[lane] = content.lane(index, process);
        }
        cells.push(content.memory(index));
        vec![TableRow::cells(content.gutter(index), cells)]
    })
}

/// One lane for all, for the case that there are too many processes.
fn list_table(content: &Content<'_>) -> Table {
    let header = ["process", "what happens", "memory"];
    let table = Table::new(header.map(|h| Cell::text(h, Role::Header)).to_vec());
    fill(content, table, vec![Cell::default(); 2], |index| {
        let all: Vec<_> = content.view.row(index).acting().collect();
        let row = |(part, &process): (usize, &ProcId)| {
            // A rendezvous is one row over two lines: the memory and the number stand on the first.
            let (gutter, memory) = match part {
                0 => (content.gutter(index), content.memory(index)),
                _ => Default::default(),
            };
            let cells = vec![content.name(process), content.lane(index, process), memory];
            TableRow::cells(gutter, cells)
        };
        all.iter().enumerate().map(row).collect()
    })
}

/// The rows of a table: the start, every row of the run as `row` draws it, under it the atoms that it
/// changed, and lines around the cycle.
fn fill(
    content: &Content<'_>,
    mut table: Table,
    mut start: Vec<Cell>,
    row: impl Fn(usize) -> Vec<TableRow>,
) -> Table {
    let run = content.view.run();
    let truths = run.atoms.as_ref();
    let note =
        |cell: Option<Cell>| cell.map(|c| TableRow { kind: RowKind::Note(c), barred: false });
    let cycle_starts = |index: usize| run.cycle() == Some(index);
    start.push(content.initial_memory());
    table.rows.push(TableRow::cells(Default::default(), start));
    table.rows.extend(note(truths.and_then(|t| atoms::all(t, 0))));
    for index in 0..run.rows.len() {
        let mut rows = Vec::new();
        if cycle_starts(index) {
            table.rows.push(rule("┏", "cycle, repeated for ever".into()));
            rows.extend(note(truths.and_then(|t| atoms::all(t, index))));
        }
        rows.extend(row(index));
        rows.extend(note(truths.and_then(|t| atoms::changed(t, index + 1))));
        rows.iter_mut().for_each(|row| row.barred = run.is_in_cycle(index));
        table.rows.extend(rows);
    }
    table.rows.extend(end_of(run));
    table
}

/// How the run goes on.
fn end_of(run: &Run) -> Option<TableRow> {
    let cycle = run.cycle()?;
    let ended = cycle == run.rows.len();
    Some(match ended {
        true => rule("━", "nothing can happen any more".into()),
        false => rule("┗", format!("and again from row {}", cycle + 1)),
    })
}

fn rule(corner: &'static str, words: String) -> TableRow {
    TableRow { kind: RowKind::Rule { corner, words }, barred: false }
}

fn footer(sign: &str, explanation: &Explanation, width: usize, theme: Theme) -> String {
    let mut text = String::new();
    let mut say = |words: &str, role: Role, indent: &str| {
        for line in Cell::text(words, role).wrap(width - indent.len()) {
            text.push_str(&format!("{indent}{}\n", line.render(None, theme)));
        }
    };
    say(&format!("{sign} {}", explanation.headline), Role::Finding, "");
    for detail in &explanation.details {
        say(detail, Role::Plain, "  ");
    }
    text
}
