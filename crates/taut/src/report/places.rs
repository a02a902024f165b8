//! The texts that a report shows, and places in them.

use taut_html::{Place, Source};
use taut_source::{FileId, SourceMap, Span};

use crate::load::Loaded;

/// How much of a text is shown. Nobody reads more, and a page should open at once.
const MOST_BYTES: usize = 400_000;

/// The program's own file, and every other that a place was asked of, in that order.
pub(super) struct Texts<'l> {
    pub(super) map: &'l SourceMap,
    files: Vec<FileId>,
}

impl<'l> Texts<'l> {
    pub(super) fn new(loaded: &'l Loaded) -> Texts<'l> {
        Texts { map: &loaded.sources, files: vec![loaded.file] }
    }

    /// Where a span starts, if it is in a text.
    pub(super) fn place(&mut self, span: Span) -> Option<Place> {
        let line = self.map.position(span)?.line;
        let known = self.files.iter().position(|&file| file == span.file);
        let file = known.unwrap_or_else(|| {
            self.files.push(span.file);
            self.files.len() - 1
        });
        Some(Place(file, line))
    }

    pub(super) fn sources(&self) -> Vec<Source> {
        let source = |file: &FileId| {
            let file = self.map.get(*file)?;
            let shown = beginning(file.text());
            let cut = shown.len() < file.text().len();
            Some(Source { name: file.name().into(), text: shown.into(), cut })
        };
        self.files.iter().filter_map(source).collect()
    }
}

/// As many whole lines as are shown, or part of the first if it is too long.
fn beginning(text: &str) -> &str {
    if text.len() <= MOST_BYTES {
        return text;
    }
    let end = (0..=MOST_BYTES).rev().find(|&i| text.is_char_boundary(i)).unwrap_or(0);
    let lines = text[..end].rfind('\n').map_or(end, |at| at + 1);
    &text[..lines]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_texts_are_cut_between_lines_and_characters() {
        assert_eq!(beginning("short"), "short");
        let lines = "twelve bytes\n".repeat(MOST_BYTES / 10);
        let shown = beginning(&lines);
        assert!(shown.len() <= MOST_BYTES && shown.ends_with('\n'));
        let one = "µ".repeat(MOST_BYTES);
        assert_eq!(beginning(&one).len(), MOST_BYTES);
    }
}
