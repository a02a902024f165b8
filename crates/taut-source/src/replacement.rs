//! Text of a source file to be replaced by other text.

use crate::{FileId, Insertion, SourceMap, Span};

/// A part of a file and what takes its place; an empty part is a place to insert at.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Replacement {
    /// The part that goes.
    pub span: Span,
    /// What comes instead.
    pub text: String,
}

impl From<Insertion> for Replacement {
    fn from(insertion: Insertion) -> Replacement {
        let span = Span::new(insertion.file, insertion.at..insertion.at);
        Replacement { span, text: insertion.text }
    }
}

impl Replacement {
    /// The text of a file with some replacements made; of several that insert at one byte, the first comes
    /// first. Those in other files are left out, and so is one whose part overlaps an earlier one.
    pub fn apply(sources: &SourceMap, file: FileId, replacements: &[Replacement]) -> String {
        let text = sources.file(file).text();
        let mut ours: Vec<_> = replacements.iter().filter(|r| r.span.file == file).collect();
        ours.sort_by_key(|r| r.span.start);
        let mut result = String::with_capacity(text.len());
        let mut done = 0;
        for replacement in ours {
            let (start, end) = (replacement.span.start as usize, replacement.span.end as usize);
            if start < done {
                continue;
            }
            result.push_str(&text[done..start]);
            result.push_str(&replacement.text);
            done = end;
        }
        result.push_str(&text[done..]);
        result
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn replacements_and_insertions_go_together() {
        let mut sources = SourceMap::new();
        let file = sources.add("a", "x = 1; y");
        let whole = Replacement { span: Span::new(file, 0..5), text: "W(x, 1)".into() };
        let overlapping = Replacement { span: Span::new(file, 4..6), text: "?".into() };
        let fence = Insertion { file, at: 6, text: " F;".into() };
        let all = [fence.into(), whole, overlapping];
        assert_eq!(Replacement::apply(&sources, file, &all), "W(x, 1); F; y");
    }
}
