//! A table: widths that share the space fairly, and cells side by side.

use super::cell::Cell;
use super::theme::{Role, Theme};

/// A lane narrower than this is hard to read.
const NARROWEST_LANE: usize = 12;
/// What a column takes besides its text: a blank, a bar, a blank.
const BAR: usize = 3;

/// The number and the line of a row; blank where there is none.
#[derive(Clone, Debug, Default)]
pub(super) struct Gutter {
    pub number: String,
    pub line: String,
}

/// One row.
pub(super) struct TableRow {
    pub kind: RowKind,
    /// Whether it has a bar in front of it, as the rows of a cycle have.
    pub barred: bool,
}

/// What a row is.
pub(super) enum RowKind {
    /// A cell for each column.
    Cells(Gutter, Vec<Cell>),
    /// Something to say across all columns.
    Note(Cell),
    /// A line across the table, with words in it.
    Rule {
        /// How it begins.
        corner: &'static str,
        /// What stands in it.
        words: String,
    },
}

impl TableRow {
    /// A row of cells without a bar.
    pub fn cells(gutter: Gutter, cells: Vec<Cell>) -> TableRow {
        TableRow { kind: RowKind::Cells(gutter, cells), barred: false }
    }
}

/// A table with a gutter on its left.
pub(super) struct Table {
    header: Vec<Cell>,
    pub rows: Vec<TableRow>,
}

impl Table {
    pub fn new(header: Vec<Cell>) -> Table {
        Table { header, rows: Vec::new() }
    }

    /// Whether no column has to be too narrow.
    pub fn fits(&self, width: usize) -> bool {
        let natural = self.natural_widths(width);
        let widths = self.layout(width).widths;
        widths.iter().zip(natural).all(|(&w, natural)| w >= natural.min(NARROWEST_LANE))
    }

    /// The table as text.
    pub fn render(&self, width: usize, theme: Theme) -> String {
        let layout = self.layout(width);
        let line = if layout.line > 0 { "line" } else { "" };
        let title = Gutter { number: "#".into(), line: line.into() };
        let mut text = layout.row(&title, &self.header, false, theme);
        text.push_str(&layout.rule('┼', theme));
        for row in &self.rows {
            text.push_str(&match &row.kind {
                RowKind::Cells(gutter, cells) => layout.row(gutter, cells, row.barred, theme),
                RowKind::Note(cell) => layout.note(cell, row.barred, width, theme),
                RowKind::Rule { corner, words } => layout.titled_rule(corner, words, theme),
            });
        }
        text.push_str(&layout.rule('┴', theme));
        text
    }

    /// The rows of cells.
    fn rows_of_cells(&self) -> impl Iterator<Item = (&Gutter, &Vec<Cell>)> {
        self.rows.iter().filter_map(|row| match &row.kind {
            RowKind::Cells(gutter, cells) => Some((gutter, cells)),
            RowKind::Note(_) | RowKind::Rule { .. } => None,
        })
    }

    fn natural_widths(&self, width: usize) -> Vec<usize> {
        let column = |i: usize| {
            let cells = self.rows_of_cells().map(|(_, cells)| &cells[i]).chain([&self.header[i]]);
            cells.map(Cell::natural_width).max().unwrap_or(0)
        };
        let mut widths: Vec<_> = (0..self.header.len()).map(column).collect();
        if let Some(last) = widths.last_mut() {
            *last = (*last).min(largest_last(width));
        }
        widths
    }

    /// The width of each column: what it needs if there is room for all, else a fair share, where a
    /// column that needs less than its share leaves the rest to the others.
    fn layout(&self, width: usize) -> Layout {
        let widest = |of: fn(&Gutter) -> &String| {
            self.rows_of_cells().map(|(gutter, _)| of(gutter).len()).max().unwrap_or(0)
        };
        let line = match widest(|g| &g.line) {
            0 => 0,
            digits => digits.max("line".len()),
        };
        let widths = self.natural_widths(width);
        let bar = if self.rows.iter().any(|row| row.barred) { CYCLE_BAR.len() } else { 0 };
        let mut layout = Layout { bar, number: widest(|g| &g.number).max(2), line, widths };
        layout.share(width);
        layout
    }
}

/// The most that the last column takes, so that a large memory leaves room for the lanes; it is
/// broken into lines instead.
pub(super) fn largest_last(width: usize) -> usize {
    NARROWEST_LANE.max(width * 3 / 10)
}

/// What stands in front of the rows of a cycle.
const CYCLE_BAR: [&str; 2] = ["┃", " "];

/// The widths of all columns.
struct Layout {
    /// The room for the bar in front of some rows; 0 if none has one.
    bar: usize,
    number: usize,
    /// 0 if no row has a line.
    line: usize,
    widths: Vec<usize>,
}

impl Layout {
    fn gutter_width(&self) -> usize {
        let line = if self.line == 0 { 0 } else { 1 + self.line };
        self.bar + self.number + line
    }

    /// Shrinks columns until all fit, the ones that need least first.
    fn share(&mut self, width: usize) {
        let columns = self.widths.len();
        let mut room = width.saturating_sub(self.gutter_width() + BAR * columns);
        let mut by_need: Vec<_> = (0..columns).collect();
        by_need.sort_by_key(|&i| self.widths[i]);
        for (done, &i) in by_need.iter().enumerate() {
            let share = room / (columns - done);
            self.widths[i] = self.widths[i].min(share).max(1);
            room = room.saturating_sub(self.widths[i]);
        }
    }

    fn row(&self, gutter: &Gutter, cells: &[Cell], barred: bool, theme: Theme) -> String {
        let wrapped: Vec<_> = cells.iter().zip(&self.widths).map(|(c, &w)| c.wrap(w)).collect();
        let height = wrapped.iter().map(Vec::len).max().unwrap_or(0).max(1);
        let blank = Gutter::default();
        let mut text = String::new();
        for i in 0..height {
            let mut line = self.gutter(if i == 0 { gutter } else { &blank }, barred, theme);
            for (cell, &width) in wrapped.iter().zip(&self.widths) {
                let content = cell.get(i).cloned().unwrap_or_default();
                line.push_str(&theme.paint(" │ ", Role::Frame));
                line.push_str(&content.render(Some(width), theme));
            }
            text.push_str(line.trim_end());
            text.push('\n');
        }
        text
    }

    /// Something to say across all columns of a table that may take this width.
    fn note(&self, cell: &Cell, barred: bool, width: usize, theme: Theme) -> String {
        let room = width.saturating_sub(self.gutter_width() + BAR).max(1);
        let mut text = String::new();
        for (i, line) in cell.wrap(room).iter().enumerate() {
            let tick = if i == 0 { " ├ " } else { " │ " };
            text.push_str(&self.gutter(&Gutter::default(), barred, theme));
            text.push_str(&theme.paint(tick, Role::Frame));
            text.push_str(line.render(None, theme).trim_end());
            text.push('\n');
        }
        text
    }

    fn gutter(&self, gutter: &Gutter, barred: bool, theme: Theme) -> String {
        let Gutter { number: n, line: l } = gutter;
        let (number, line) = (self.number, self.line);
        let text =
            if line == 0 { format!("{n:>number$}") } else { format!("{n:>number$} {l:>line$}") };
        let text = theme.paint(&text, Role::Frame);
        match (self.bar, barred) {
            (0, _) => text,
            (_, true) => theme.paint(CYCLE_BAR[0], Role::Cycle) + CYCLE_BAR[1] + &text,
            (room, false) => " ".repeat(room) + &text,
        }
    }

    /// The width of the whole.
    fn full_width(&self) -> usize {
        self.gutter_width() + self.widths.iter().map(|width| width + BAR).sum::<usize>()
    }

    /// A line across the table with words in it.
    fn titled_rule(&self, corner: &str, words: &str, theme: Theme) -> String {
        let start = format!("{corner}━ {words} ");
        let rest = self.full_width().saturating_sub(start.chars().count()).max(1);
        theme.paint(&(start + &"━".repeat(rest)), Role::Cycle) + "\n"
    }

    fn rule(&self, crossing: char, theme: Theme) -> String {
        let mut text = "─".repeat(self.gutter_width());
        for width in &self.widths {
            text.push('─');
            text.push(crossing);
            text.push_str(&"─".repeat(width + 1));
        }
        theme.paint(&text, Role::Frame) + "\n"
    }
}
