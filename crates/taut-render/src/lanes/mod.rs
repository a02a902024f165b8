//! A run as a table for the terminal: one lane per process, and what memory holds.
//!
//! ```text
//!  # │ p                 │ q                 │ memory
//! ───┼───────────────────┼───────────────────┼────────
//!    │                   │                   │ x=0 y=0
//!  1 │ x := 1      [x=1] │                   │
//!  2 │ r := y → 0        │                   │
//!  3 │                   │ y := 1      [y=1] │
//!  4 │                   │ r := x → 0        │
//!  5 │ ⇢ x=1 commits  [] │                   │ x=1 y=0
//! ───┴───────────────────┴───────────────────┴────────
//! ✗ forbid `both see nothing` is violated
//!   forbidden: p:r == 0 && q:r == 0
//!   here: p:r = 0, q:r = 0
//! ```
//!
//! Every step and every commit has a row of its own; a rendezvous is one row with the send in the
//! sender's lane and the receive in the receiver's. Local steps that follow each other are one row, `… 6 local steps`
//! (see `view/folds.rs`), unless [`LaneOptions::full`] asks for all. On the right of a lane stands the process's
//! buffer after a row that changes it, oldest store first; `¦` is an `sfence`. Memory is shown where it changes, and below it what channels hold, the oldest
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
//! ┃   2 │ skip              │
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

use crate::explain::explain;
use crate::view::{Names, PartView, RunView, ShownRow};
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
    /// Whether to show every row; otherwise local steps that follow each other are folded.
    pub full: bool,
}

impl LaneOptions {
    /// The narrowest table that is drawn.
    pub const NARROWEST: usize = 32;

    fn width(self) -> usize {
        self.width.max(LaneOptions::NARROWEST)
    }

    fn theme(self) -> Theme {
        Theme { styled: self.styled }
    }
}

impl Default for LaneOptions {
    fn default() -> LaneOptions {
        LaneOptions { width: 100, styled: false, full: false }
    }
}

/// Draws a run and explains its finding. Every line ends in a line break and is no wider than
/// asked.
pub fn lanes(view: RunView<'_>, finding: Finding, options: LaneOptions) -> String {
    lanes_table(view, Some(finding), options) + &lanes_footer(view, finding, options)
}

/// Draws a run that shows nothing in particular: without an explanation.
pub fn lanes_of_run(view: RunView<'_>, options: LaneOptions) -> String {
    lanes_table(view, None, options)
}

/// Draws a run without the explanation of its finding.
pub fn lanes_table(view: RunView<'_>, finding: Option<Finding>, options: LaneOptions) -> String {
    let (width, theme) = (options.width(), options.theme());
    let content = Content::new(view, table::largest_last(width));
    let shown = shown_rows(view, finding, options.full);
    let wide = lane_table(&content, &shown);
    let table = if wide.fits(width) { wide } else { list_table(&content, &shown) };
    let mut text = table.render(width, theme);
    if shown.iter().any(|row| matches!(row, ShownRow::Fold(_))) {
        say(&mut text, "… local steps are folded; --full shows them", Role::Remark, "", options);
    }
    text
}

/// The explanation of a finding, as it stands under the run.
pub fn lanes_footer(view: RunView<'_>, finding: Finding, options: LaneOptions) -> String {
    let explanation = explain(view, finding);
    // What a cover asks for is found, and nothing is wrong.
    let is_sought = match finding {
        Finding::Property(id) => view.machine().program().property(id).kind.is_cover(),
        _ => false,
    };
    let sign = if is_sought { "✓" } else { "✗" };
    let mut text = String::new();
    say(&mut text, &format!("{sign} {}", explanation.headline), Role::Finding, "", options);
    for detail in &explanation.details {
        say(&mut text, detail, Role::Plain, "  ", options);
    }
    text
}

/// The rows that are shown, and those that are folded.
fn shown_rows(view: RunView<'_>, finding: Option<Finding>, full: bool) -> Vec<ShownRow> {
    match full {
        true => (0..view.len()).map(ShownRow::Row).collect(),
        false => view.folded(&view.matters(finding)),
    }
}

/// One row of a run in one line: `p: r := x → 0 (from buffer)`, or `p: ⇢ x=1 commits`.
pub fn tell(names: Names<'_>, row: &Row) -> String {
    let _phase = taut_budget::phase("a run is drawn");
    let told = |part: PartView<'_>| format!("{}: {}", part.name(), step::told(&part).plain());
    names.parts(row).map(told).collect::<Vec<_>>().join(", ")
}

/// One lane a process.
fn lane_table(content: &Content<'_>, shown: &[ShownRow]) -> Table {
    let processes = content.view.acting();
    let mut header: Vec<_> = processes.iter().map(|&p| content.name(p)).collect();
    header.push(Cell::text("memory", Role::Header));
    let blank = || vec![Cell::default(); processes.len()];
    let lane = |p: ProcId| processes.iter().position(|&q| q == p).expect("it takes part");
    fill(content, Table::new(header), (blank(), shown), |row| {
        let mut cells = blank();
        let (gutter, memory) = match row {
            ShownRow::Row(index) => {
                for process in content.view.row(*index).acting() {
                    cells[lane(process)] = content.lane(*index, process);
                }
                (content.gutter(*index), content.memory(*index))
            }
            ShownRow::Fold(fold) => {
                for &(process, steps) in &fold.steps {
                    cells[lane(process)] = content.folded(steps);
                }
                (content.fold_gutter(fold), Cell::default())
            }
        };
        cells.push(memory);
        vec![TableRow::cells(gutter, cells)]
    })
}

/// One lane for all, for the case that there are too many processes.
fn list_table(content: &Content<'_>, shown: &[ShownRow]) -> Table {
    let header = ["process", "what happens", "memory"];
    let table = Table::new(header.map(|h| Cell::text(h, Role::Header)).to_vec());
    fill(content, table, (vec![Cell::default(); 2], shown), |row| {
        // What takes part, each on a line: the memory and the number stand on the first.
        let (parts, gutter, memory): (Vec<_>, _, _) = match row {
            ShownRow::Row(index) => {
                let acting = content.view.row(*index).acting();
                let parts = acting.map(|p| (content.name(p), content.lane(*index, p)));
                (parts.collect(), content.gutter(*index), content.memory(*index))
            }
            ShownRow::Fold(fold) => {
                let all = (content.names(fold), content.folded(fold.rows.len()));
                (vec![all], content.fold_gutter(fold), Cell::default())
            }
        };
        let mut first = Some((gutter, memory));
        let line = |(process, told): (Cell, Cell)| {
            let (gutter, memory) = first.take().unwrap_or_default();
            TableRow::cells(gutter, vec![process, told, memory])
        };
        parts.into_iter().map(line).collect()
    })
}

/// The rows of a table: the start, every row that is shown as `row` draws it, under it the atoms that it
/// changed, and lines around the cycle.
fn fill(
    content: &Content<'_>,
    mut table: Table,
    (mut start, shown): (Vec<Cell>, &[ShownRow]),
    row: impl Fn(&ShownRow) -> Vec<TableRow>,
) -> Table {
    let run = content.view.run();
    let truths = run.atoms.as_ref();
    let note =
        |cell: Option<Cell>| cell.map(|c| TableRow { kind: RowKind::Note(c), barred: false });
    start.push(content.initial_memory());
    table.rows.push(TableRow::cells(Default::default(), start));
    table.rows.extend(note(truths.and_then(|t| atoms::all(t, 0))));
    for item in shown {
        let (first, end) = match item {
            ShownRow::Row(index) => (*index, index + 1),
            ShownRow::Fold(fold) => (fold.rows.start, fold.rows.end),
        };
        let mut rows = Vec::new();
        if run.cycle() == Some(first) {
            table.rows.push(rule("┏", "cycle, repeated for ever".into()));
            rows.extend(note(truths.and_then(|t| atoms::all(t, first))));
        }
        rows.extend(row(item));
        rows.extend(note(truths.and_then(|t| atoms::changed(t, end))));
        rows.iter_mut().for_each(|row| row.barred = run.is_in_cycle(first));
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

/// Adds a sentence under the table, broken into lines.
fn say(text: &mut String, words: &str, role: Role, indent: &str, options: LaneOptions) {
    for line in Cell::text(words, role).wrap(options.width() - indent.len()) {
        text.push_str(&format!("{indent}{}\n", line.render(None, options.theme())));
    }
}
