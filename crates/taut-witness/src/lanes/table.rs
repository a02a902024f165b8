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
    pub gutter: Gutter,
    pub cells: Vec<Cell>,
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
        let mut text = layout.row(&title, &self.header, theme);
        text.push_str(&layout.rule('┼', theme));
        for row in &self.rows {
            text.push_str(&layout.row(&row.gutter, &row.cells, theme));
        }
        text.push_str(&layout.rule('┴', theme));
        text
    }

    fn natural_widths(&self, width: usize) -> Vec<usize> {
        let column = |i: usize| {
            let cells = self.rows.iter().map(|r| &r.cells[i]).chain([&self.header[i]]);
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
            self.rows.iter().map(|r| of(&r.gutter).len()).max().unwrap_or(0)
        };
        let line = match widest(|g| &g.line) {
            0 => 0,
            digits => digits.max("line".len()),
        };
        let widths = self.natural_widths(width);
        let mut layout = Layout { number: widest(|g| &g.number).max(2), line, widths };
        layout.share(width);
        layout
    }
}

/// The most that the last column takes, so that a large memory leaves room for the lanes; it is
/// broken into lines instead.
pub(super) fn largest_last(width: usize) -> usize {
    NARROWEST_LANE.max(width * 3 / 10)
}

/// The widths of all columns.
struct Layout {
    number: usize,
    /// 0 if no row has a line.
    line: usize,
    widths: Vec<usize>,
}

impl Layout {
    fn gutter_width(&self) -> usize {
        if self.line == 0 { self.number } else { self.number + 1 + self.line }
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

    fn row(&self, gutter: &Gutter, cells: &[Cell], theme: Theme) -> String {
        let wrapped: Vec<_> = cells.iter().zip(&self.widths).map(|(c, &w)| c.wrap(w)).collect();
        let height = wrapped.iter().map(Vec::len).max().unwrap_or(0).max(1);
        let blank = Gutter::default();
        let mut text = String::new();
        for i in 0..height {
            let left = self.gutter(if i == 0 { gutter } else { &blank });
            let mut line = theme.paint(&left, Role::Frame);
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

    fn gutter(&self, gutter: &Gutter) -> String {
        let Gutter { number: n, line: l } = gutter;
        let (number, line) = (self.number, self.line);
        if line == 0 { format!("{n:>number$}") } else { format!("{n:>number$} {l:>line$}") }
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
