//! Where a fence can be put into a litmus test: see [`taut_source::EditSites`].
//!
//! A fence is a row of the table that is empty but for one thread's cell. It can stand after every instruction of
//! the thread but a plain jump, and before the first. A label names the instruction after it, in its cell or in
//! a later row; a new row goes before the label, never between the two.
//!
//! No store can be made atomic: x86 has no plain store that is, and `xchg`, which is, overwrites a register.

use taut_source::layout::shortened;
use taut_source::{Diagnostics, EditSites, FileId, Point, SourceMap, Span};

use crate::ast::{Instruction, Line, Operation, Thread, Tree, Value};
use crate::parser::Parser;

/// A fence as an instruction.
pub const FENCE: &str = "mfence";
/// A store fence as an instruction.
pub const STORE_FENCE: &str = "sfence";
/// An instruction that does nothing.
pub const NOTHING: &str = "nop";

const NO_ATOMIC: &str = "x86 has no plain atomic store, and `xchg` overwrites a register";

/// The places of a test in which a fence can be put, and the stores, none of which can be made atomic.
///
/// ```
/// let mut map = taut_source::SourceMap::new();
/// let text = "X86_64 T\n{ }\n P0          | P1            ;\n movq $1,(x) | movq (x),%rax ;\nexists (x=1)\n";
/// let file = map.add("t.litmus", text);
/// let places = taut_litmus::places(&map, file).unwrap();
/// let after = &places.points[2];
/// assert_eq!(after.words, "after `movq $1,(x)` of P0");
/// let fenced = taut_source::Insertion::apply(&map, file, &[after.insert(taut_litmus::FENCE)]);
/// assert!(fenced.ends_with("(x),%rax ;\n mfence      |               ;\nexists (x=1)\n"));
/// ```
pub fn places(map: &SourceMap, file: FileId) -> Result<EditSites, Diagnostics> {
    let text = map.file(file).text();
    let tree = Parser::new(text, file).run()?;
    let mut found = EditSites::default();
    for column in 0..tree.threads.len() {
        Column { text, file, tree: &tree, column, found: &mut found }.run();
    }
    // One row after the other, in each the threads from left to right.
    found.points.sort_by_key(|point| point.at);
    Ok(found)
}

/// The points of one thread.
struct Column<'t> {
    text: &'t str,
    file: FileId,
    tree: &'t Tree<'t>,
    column: usize,
    found: &'t mut EditSites,
}

impl Column<'_> {
    fn run(&mut self) {
        let thread: &Thread<'_> = &self.tree.threads[self.column];
        let words = format!("at the start of P{}", thread.number);
        self.after_row(self.tree.rows[0], thread.span, words);
        for line in &thread.lines {
            let Line::Instruction(instruction) = line else { continue };
            if stores(instruction) {
                self.found.unwritable.push((instruction.span, NO_ATOMIC));
            }
            if !matches!(instruction.operation, Operation::Jump { when: None, .. }) {
                let said = &self.text[range(instruction.span)];
                let words = format!("after `{}` of P{}", shortened(said), thread.number);
                self.after_row(self.row_of(instruction.span), instruction.span, words);
            }
        }
    }

    /// The row in which an instruction stands.
    fn row_of(&self, span: Span) -> Span {
        let rows = &self.tree.rows;
        rows[rows.partition_point(|row| row.end < span.end).min(rows.len() - 1)]
    }

    /// A new row after a row, laid out like it.
    fn after_row(&mut self, row: Span, span: Span, words: String) {
        let end = row.end as usize;
        let line = line_end(self.text, end);
        let (at, newline) = line.unwrap_or((end, " "));
        let widths = self.widths(row).filter(|_| line.is_some());
        let (before, after) = match widths {
            Some(cells) => self.aligned(&cells),
            None => self.loose(),
        };
        let before = format!("{newline}{before}");
        self.found.points.push(Point {
            file: self.file,
            at,
            before,
            after,
            opening: None,
            span,
            words,
        });
    }

    /// The cells of a row with their blanks, if it has a line for itself.
    fn widths(&self, row: Span) -> Option<Vec<&str>> {
        let start = self.text[..row.start as usize].rfind('\n').map_or(0, |newline| newline + 1);
        let line = self.text[start..row.end as usize].strip_suffix(';')?;
        if line.contains(['\n', ';']) || line.contains("(*") {
            return None;
        }
        let cells: Vec<&str> = line.split('|').collect();
        (cells.len() == self.tree.threads.len()).then_some(cells)
    }

    /// What stands before and after the instruction, so that columns stay in line.
    fn aligned(&self, cells: &[&str]) -> (String, String) {
        let cell = cells[self.column];
        let lead = &cell[..cell.len() - cell.trim_start().len()];
        // An empty cell begins where those of the row above do: after one blank.
        let lead = if lead.len() == cell.len() { " " } else { lead };
        let width = cell.chars().count().saturating_sub(lead.len() + FENCE.len()).max(1);
        let blank = |cell: &&str| -> String {
            cell.chars().map(|c| if c == '\t' { '\t' } else { ' ' }).collect()
        };
        let left = cells[..self.column].iter().map(|cell| blank(cell) + "|").collect::<String>();
        let right = cells[self.column + 1..].iter().map(|cell| format!("|{}", blank(cell)));
        (format!("{left}{lead}"), format!("{}{};", " ".repeat(width), right.collect::<String>()))
    }

    /// The same for a table that is not laid out in lines.
    fn loose(&self) -> (String, String) {
        let right = self.tree.threads.len() - 1 - self.column;
        ("| ".repeat(self.column), format!(" {};", "| ".repeat(right)))
    }
}

/// The end of the line and its line break, if nothing but one comment comes before it.
fn line_end(text: &str, at: usize) -> Option<(usize, &'static str)> {
    let line = text[at..].split('\n').next().unwrap_or_default();
    let newline = if line.ends_with('\r') { "\r\n" } else { "\n" };
    let line = line.strip_suffix('\r').unwrap_or(line);
    let rest = line.trim();
    let inside = rest.strip_prefix("(*").and_then(|rest| rest.strip_suffix("*)"));
    let comment = inside.is_some_and(|inside| !inside.contains("(*") && !inside.contains("*)"));
    (rest.is_empty() || comment).then_some((at + line.len(), newline))
}

/// Whether an instruction stores to memory and its store waits in the buffer.
fn stores(instruction: &Instruction<'_>) -> bool {
    let (Operation::Move { to, .. }
    | Operation::Binary { to, .. }
    | Operation::Unary { to, .. }
    | Operation::Exchange { to, .. }
    | Operation::ExchangeAdd { to, .. }
    | Operation::CompareExchange { to, .. }) = &instruction.operation
    else {
        return false;
    };
    !instruction.locked && matches!(to.value, Value::Memory(_))
}

fn range(span: Span) -> std::ops::Range<usize> {
    span.start as usize..span.end as usize
}
