//! The formatter: a syntax tree as text, with the comments and the blank lines of its source.
//!
//! The text is made of lines, and every line knows which part of the source it stands for. Before a line
//! come the comments that stood before that part, each on a line of its own; after it, on the same line,
//! the comment that stood behind it. Comments in the middle of something move behind it. One blank line is
//! kept wherever the source has one or more. A statement or process that was written on one line stays on
//! one line.

mod exprs;
mod formulas;
mod items;
mod stmts;

pub(crate) use exprs::expression;

use taut_source::Span;

use crate::ast::File;

/// Lines longer than this are not joined.
const WIDEST: usize = 100;

/// The source that a tree was read from.
#[derive(Clone, Copy)]
pub(crate) struct Source<'s> {
    pub text: &'s str,
    pub comments: &'s [Span],
}

/// A tree as text. Without a source the layout follows the tree alone.
pub(crate) fn format(file: &File, source: Option<Source<'_>>) -> String {
    let mut writer = Writer::new(source);
    writer.items(&file.items);
    writer.comments_before(file.end.start);
    writer.out
}

/// Writes lines.
struct Writer<'s> {
    out: String,
    indent: usize,
    source: Option<Source<'s>>,
    /// The first comment that is not written yet.
    comment: usize,
    /// Where in the source the last written thing ends.
    written: u32,
    /// Nothing has been written in this block yet.
    fresh: bool,
}

impl<'s> Writer<'s> {
    fn new(source: Option<Source<'s>>) -> Writer<'s> {
        Writer { out: String::new(), indent: 0, source, comment: 0, written: 0, fresh: true }
    }

    /// Writes a line that stands for a part of the source.
    fn line(&mut self, from: u32, text: &str, to: u32) {
        self.comments_before(from);
        self.blank_before(from);
        self.put(text);
        self.written = self.written.max(to);
        self.comments_behind(to);
    }

    /// Writes a closing line: no blank line before it, but the comments that stand there.
    fn closing(&mut self, from: u32, text: &str, to: u32) {
        self.comments_before(from);
        self.fresh = true;
        self.line(from, text, to);
    }

    fn put(&mut self, text: &str) {
        self.out.push_str(&"  ".repeat(self.indent));
        self.out.push_str(text);
        self.out.push('\n');
        self.fresh = false;
    }

    /// Writes what is inside of a block.
    fn indented(&mut self, inside: impl FnOnce(&mut Self)) {
        self.indent += 1;
        self.fresh = true;
        inside(self);
        self.indent -= 1;
    }

    /// A blank line if the source has one here.
    fn blank_before(&mut self, at: u32) {
        let Some(source) = self.source else { return };
        let between = source.text.get(self.written as usize..at as usize).unwrap_or("");
        if !self.fresh && between.matches('\n').count() > 1 {
            self.blank();
        }
    }

    fn blank(&mut self) {
        if !self.out.is_empty() && !self.out.ends_with("\n\n") {
            self.out.push('\n');
        }
    }

    fn next_comment(&self) -> Option<Span> {
        self.source?.comments.get(self.comment).copied()
    }

    /// Writes the comments that stand before a place, each on a line of its own.
    fn comments_before(&mut self, at: u32) {
        while let Some(span) = self.next_comment().filter(|c| c.start < at) {
            self.blank_before(span.start);
            let text = self.take_comment(span);
            self.put(&text);
        }
    }

    fn take_comment(&mut self, span: Span) -> String {
        self.comment += 1;
        self.written = self.written.max(span.end);
        let text = self.source.map_or("", |s| &s.text[span.start as usize..span.end as usize]);
        let lines: Vec<_> = text.lines().map(str::trim_end).collect();
        lines.join("\n")
    }

    /// Adds the comments inside of the last line, and the one behind it, to its end.
    fn comments_behind(&mut self, to: u32) {
        let mut open_line = true;
        while let Some(span) = self.next_comment() {
            let inside = span.start < to;
            if !(inside || open_line && self.is_behind(span, to)) {
                return;
            }
            let text = self.take_comment(span);
            if open_line {
                self.out.pop();
                self.out.push_str(&format!(" {text}\n"));
            } else {
                self.put(&text);
            }
            open_line &= text.starts_with("/*") && !text.contains('\n');
        }
    }

    /// Whether a comment stands on the same line right behind a place.
    fn is_behind(&self, comment: Span, at: u32) -> bool {
        let from = at.max(self.written) as usize;
        let between = self.source.and_then(|s| s.text.get(from..comment.start as usize));
        between.is_some_and(|b| b.chars().all(|c| c == ' ' || c == '\t'))
    }

    /// Whether a part of the source stands on one line and holds no comment.
    fn is_one_line(&self, span: Span) -> bool {
        let Some(source) = self.source else { return false };
        let text = source.text.get(span.start as usize..span.end as usize).unwrap_or("\n");
        let next = self.next_comment().is_some_and(|c| c.start < span.end);
        let before = source.comments.get(self.comment..).unwrap_or_default();
        let inside = next && before.iter().any(|c| c.start >= span.start && c.start < span.end);
        !text.contains('\n') && !inside
    }

    /// Writes something on one line if it was written so and still fits; false if not.
    fn joined(&mut self, span: Span, write: impl FnOnce(&mut Writer<'static>)) -> bool {
        if !self.is_one_line(span) {
            return false;
        }
        let mut writer = Writer::new(None);
        write(&mut writer);
        let lines: Vec<_> = writer.out.lines().map(str::trim).filter(|l| !l.is_empty()).collect();
        let text = lines.join(" ");
        let fits = text.chars().count() + 2 * self.indent <= WIDEST;
        if fits {
            self.line(span.start, &text, span.end);
        }
        fits
    }
}
