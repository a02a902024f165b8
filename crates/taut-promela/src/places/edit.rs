//! From a gap between two statements to the text that fills it.
//!
//! What must be written around a statement depends on the separators that are there. Taut reads the end of a line
//! as one, as SPIN does, but only after words that can end a statement, so nothing is left to that where a `;` can
//! be written.

use taut_source::layout::{begins_line, indentation, line_end};
use taut_source::{FileId, SourceMap, Span};

use crate::ast::Gap;

/// What stands around a gap.
#[derive(Clone, Copy, Default)]
pub(super) struct Shape {
    /// It is before the first statement of a block.
    pub start: bool,
    /// The sequence ends after it.
    pub end: bool,
    /// The statement before it is the guard of an option, all there is of it so far.
    pub guard: bool,
    /// The statement before it is `else`.
    pub otherwise: bool,
    /// Statements around it end with `;`, not only with their lines.
    pub semicolons: bool,
}

/// Text around a statement that is put in at a byte.
pub(super) struct Edit {
    pub file: FileId,
    pub at: usize,
    pub before: String,
    pub after: String,
}

/// The text around a statement in a gap, whose statement before begins at `start`; none if the words around the gap
/// come out of one use of a macro.
pub(super) fn edit(map: &SourceMap, gap: &Gap, start: Span, shape: Shape) -> Option<Edit> {
    if let Some(separator) = gap.separator.filter(|_| !shape.start)
        && apart(separator.site, gap.next)
    {
        let file = separator.site.file;
        let text = map.get(file)?.text();
        let end = separator.site.end as usize;
        return Some(Filler { file, text, gap, start, shape }.after_separator(end));
    }
    if !apart(gap.last, gap.separator.map_or(gap.next, |s| s.site)) {
        return None;
    }
    let file = gap.last.file;
    let filler = Filler { file, text: map.get(file)?.text(), gap, start, shape };
    let end = gap.last.end as usize;
    Some(match (shape.start, shape.end || gap.separator.is_some()) {
        (true, _) => filler.at_start(end),
        (false, true) => filler.at_end(end),
        (false, false) => filler.between(end),
    })
}

/// Whether text can be put between two pieces of text, the second of which comes after the first.
pub(super) fn apart(first: Span, second: Span) -> bool {
    first.file != second.file || first.end <= second.start
}

struct Filler<'m> {
    file: FileId,
    text: &'m str,
    gap: &'m Gap,
    start: Span,
    shape: Shape,
}

impl Filler<'_> {
    /// `x = 1; |` or `x == 1 -> |`
    fn after_separator(&self, end: usize) -> Edit {
        match line_end(self.text, end) {
            Some(line) => self.put(line.at, self.line(line.newline), ";"),
            None => self.put(end, " ".into(), ";"),
        }
    }

    /// `{ |`
    fn at_start(&self, end: usize) -> Edit {
        let after = if self.shape.semicolons { ";" } else { "" };
        match line_end(self.text, end) {
            Some(line) => self.put(line.at, self.line(line.newline), after),
            None => self.put(end, " ".into(), ";"),
        }
    }

    /// `x = 1 | }`, or before a `;` that a macro brings along.
    fn at_end(&self, end: usize) -> Edit {
        if self.shape.guard || self.shape.otherwise {
            return self.put(end, " -> ".into(), "");
        }
        match line_end(self.text, end).filter(|_| self.shape.end) {
            Some(line) if !line.comment && self.shape.semicolons => {
                self.put(end, format!(";{}", self.line(line.newline)), "")
            }
            Some(line) if self.gap.can_end => self.put(line.at, self.line(line.newline), ""),
            _ => self.put(end, "; ".into(), ""),
        }
    }

    /// `x = 1 |` where the end of the line is the separator, or `} | x = 1`.
    fn between(&self, end: usize) -> Edit {
        match line_end(self.text, end) {
            Some(line) => self.put(line.at, self.line(line.newline), ""),
            None if self.shape.otherwise => self.put(end, " -> ".into(), ";"),
            None => self.put(end, "; ".into(), ";"),
        }
    }

    fn put(&self, at: usize, before: String, after: &str) -> Edit {
        let tight = self.text[at..].starts_with(|c: char| !c.is_whitespace() && c != ';');
        let after = if tight { format!("{after} ") } else { after.into() };
        Edit { file: self.file, at, before, after }
    }

    /// The start of a new line that is as far to the right as the statements around it.
    fn line(&self, newline: &str) -> String {
        let next = self.gap.next;
        let ours = |span: Span| span.file == self.file && (span.end as usize) <= self.text.len();
        if !self.shape.end && ours(next) && begins_line(self.text, next.start as usize) {
            return format!("{newline}{}", indentation(self.text, next.start as usize));
        }
        if !ours(self.start) {
            return newline.into();
        }
        let start = self.start.start as usize;
        let indent = indentation(self.text, start);
        if self.shape.start {
            let deeper = if indent.contains('\t') { "\t" } else { "    " };
            return format!("{newline}{indent}{deeper}");
        }
        format!("{newline}{indent}{}", self.option_width(start, indent.len()))
    }

    /// Blanks as wide as the `::` with which the line of a statement begins.
    fn option_width(&self, start: usize, indent: usize) -> String {
        let line = self.text[..start].rfind('\n').map_or(0, |newline| newline + 1);
        let head = self.text.get(line + indent..start).unwrap_or_default();
        let Some(blanks) = head.strip_prefix("::") else { return String::new() };
        let width = blanks.len() - blanks.trim_start_matches([' ', '\t']).len();
        format!("  {}", &blanks[..width])
    }
}
