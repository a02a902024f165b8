//! EditSites of a source at which a statement can be put in, or a store made atomic, by editing its text.
//!
//! A front end lists them for a whole program ([`EditSites`]). What it promises of its list: each edit by itself,
//! and any of them together, gives a text that reads as the same program with that statement added, or that
//! store made atomic, and nothing else changed. What has no such edit is listed with the reason.

use crate::{FileId, Insertion, Replacement, SourceMap, Span};

/// A place at which a statement can be put into a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Point {
    /// The file.
    pub file: FileId,
    /// The byte before which the text goes.
    pub at: usize,
    /// What must stand before the statement: a separator, blank space, the start of a line.
    pub before: String,
    /// What must stand after it.
    pub after: String,
    /// What must be opened before the statement it comes after, and the byte before which: the brace of a body that has none.
    pub opening: Option<(usize, String)>,
    /// The statement it comes after, or the word that opens the block it is at the start of.
    pub span: Span,
    /// The place in words, for messages: "after `x := 1`".
    pub words: String,
}

impl Point {
    /// A statement as it is put in here.
    pub fn insert(&self, statement: &str) -> Insertion {
        let text = format!("{}{statement}{}", self.before, self.after);
        Insertion { file: self.file, at: self.at, text }
    }

    /// All that is put in with a statement.
    pub fn edits(&self, statement: &str) -> Vec<Insertion> {
        let opening = self.opening.iter();
        let opening =
            opening.map(|(at, text)| Insertion { file: self.file, at: *at, text: text.clone() });
        opening.chain([self.insert(statement)]).collect()
    }

    /// Where in the text that is put in the statement begins.
    pub fn statement_offset(&self) -> usize {
        self.before.len()
    }

    /// The text of a file with a statement at each of some points; and for each point where the statement
    /// begins in that text, or nothing if the point is in another file.
    pub fn fill(
        sources: &SourceMap,
        file: FileId,
        points: &[Point],
        statement: &str,
    ) -> (String, Vec<Option<usize>>) {
        // Each insertion with the point whose statement it holds, if it does.
        let mut ours: Vec<(Insertion, Option<usize>)> = Vec::new();
        for (index, point) in points.iter().enumerate().filter(|(_, p)| p.file == file) {
            let count = ours.len() + point.opening.iter().count();
            ours.extend(point.edits(statement).into_iter().map(|insertion| (insertion, None)));
            ours[count].1 = Some(index);
        }
        // Stable, as in `Insertion::apply`: of several at one byte the first comes first.
        ours.sort_by_key(|(insertion, _)| insertion.at);
        let mut starts = vec![None; points.len()];
        let mut grown = 0;
        for (insertion, index) in &ours {
            if let Some(index) = *index {
                starts[index] = Some(insertion.at + grown + points[index].statement_offset());
            }
            grown += insertion.text.len();
        }
        let insertions: Vec<_> = ours.into_iter().map(|(insertion, _)| insertion).collect();
        (Insertion::apply(sources, file, &insertions), starts)
    }
}

/// A plain store whose text can be changed so that it becomes an atomic write.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WritePoint {
    /// Where it stands in the text.
    pub span: Span,
    /// The places that the steps of the program made of it have. Text that is copied, as inlines of
    /// Promela are, may make several steps with places of their own. If there are none, its steps are those that the edits
    /// change.
    pub steps: Vec<Span>,
    /// What is stored to, as the source says it: `flag[i]`, or `x, y` for several at once.
    pub variable: String,
    /// The edits that make it atomic.
    pub edits: Vec<Replacement>,
}

/// What a text has room for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EditSites {
    /// Where a fence can stand, in the order of the text of each file.
    pub points: Vec<Point>,
    /// The stores that can be made atomic.
    pub writes: Vec<WritePoint>,
    /// EditSites where a fence would be of use and no edit puts it there, with the reason.
    pub unpatchable: Vec<(Span, &'static str)>,
    /// Stores that no edit makes atomic, with the reason.
    pub unwritable: Vec<(Span, &'static str)>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn filling_tells_where_each_statement_begins() {
        let mut sources = SourceMap::new();
        let (file, other) = (sources.add("a", "a b"), sources.add("b", "c"));
        let point = |file, at, before: &str| Point {
            file,
            at,
            before: before.into(),
            after: ";".into(),
            opening: None,
            span: Span::new(file, 0..1),
            words: String::new(),
        };
        let points =
            [point(file, 3, "\n"), point(other, 0, ""), point(file, 1, " "), point(file, 3, "")];
        let (text, starts) = Point::fill(&sources, file, &points, "F");
        assert_eq!(text, "a F; b\nF;F;");
        assert_eq!(starts, [Some(7), None, Some(2), Some(9)]);
    }

    #[test]
    fn a_body_without_braces_gets_them() {
        let mut sources = SourceMap::new();
        let file = sources.add("a", "if (c) x; y;");
        let point = Point {
            file,
            at: 9,
            before: " ".into(),
            after: " }".into(),
            opening: Some((6, " {".into())),
            span: Span::new(file, 7..9),
            words: String::new(),
        };
        let (text, starts) = Point::fill(&sources, file, &[point], "F;");
        assert_eq!(text, "if (c) { x; F; } y;");
        assert_eq!(starts, [Some(12)]);
    }
}
