//! Tables of aligned columns.

use anstyle::Style;
use unicode_width::UnicodeWidthStr;

use super::style::paint;

/// Some text in a style.
#[derive(Clone, Debug)]
pub struct Cell {
    text: String,
    style: Style,
    right: bool,
}

impl Cell {
    /// Text on the left of its column.
    pub fn new(text: impl Into<String>) -> Cell {
        Cell { text: text.into(), style: Style::new(), right: false }
    }

    /// Text on the right of its column, as numbers are.
    pub fn right(text: impl Into<String>) -> Cell {
        Cell { right: true, ..Cell::new(text) }
    }

    /// The same in a style.
    pub fn styled(self, style: Style) -> Cell {
        Cell { style, ..self }
    }
}

/// Renders rows, the first of which is the header. Every column is as wide as its widest cell.
pub fn render(rows: &[Vec<Cell>], styled: bool) -> String {
    let count = rows.iter().map(Vec::len).max().unwrap_or(0);
    let width = |c: usize| rows.iter().filter_map(|r| r.get(c)).map(|cell| cell.text.width()).max();
    let widths: Vec<_> = (0..count).map(|c| width(c).unwrap_or(0)).collect();
    let mut text = String::new();
    for (i, row) in rows.iter().enumerate() {
        let mut line = String::new();
        for (cell, &width) in row.iter().zip(&widths) {
            let style = if i == 0 { Style::new().dimmed() } else { cell.style };
            let space = " ".repeat(width - cell.text.width());
            let shown = paint(&cell.text, style, styled && style != Style::new());
            let (before, after) = if cell.right { (&*space, "") } else { ("", &*space) };
            line.push_str("  ");
            line.push_str(before);
            line.push_str(&shown);
            line.push_str(after);
        }
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}

/// A number with spaces between its thousands.
pub fn thousands(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(' ');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_in_groups_of_three() {
        assert_eq!(thousands(0), "0");
        assert_eq!(thousands(999), "999");
        assert_eq!(thousands(1_234_567), "1 234 567");
    }
}
