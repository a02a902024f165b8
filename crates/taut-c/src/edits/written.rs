//! The text of a file as it is written, for edits: what stands before and after a place, outside of comments.

use taut_source::{FileId, SourceMap, Span};

/// The text of the main file.
pub(super) struct Written<'t> {
    pub(super) file: FileId,
    pub(super) text: &'t str,
    /// The characters outside of comments, strings and directives, with their places.
    significant: Vec<(usize, char)>,
}

impl<'t> Written<'t> {
    pub(super) fn new(sources: &'t SourceMap, file: FileId) -> Written<'t> {
        let text = sources.file(file).text();
        Written { file, text, significant: significant(text) }
    }

    /// The text of a span, if it is in this file.
    pub(super) fn slice(&self, span: Span) -> Option<&'t str> {
        if span.is_none() || span.file != self.file {
            return None;
        }
        self.text.get(span.start as usize..span.end as usize)
    }

    /// The last character before a place, and where it ends.
    pub(super) fn before(&self, at: usize) -> Option<(usize, char)> {
        let index = self.significant.partition_point(|&(place, _)| place < at).checked_sub(1)?;
        let (place, c) = self.significant[index];
        Some((place + c.len_utf8(), c))
    }

    /// The first character from a place on, and where it begins.
    pub(super) fn after(&self, at: usize) -> Option<(usize, char)> {
        self.in_range(at, usize::MAX).next()
    }

    /// The characters between two places.
    pub(super) fn in_range(
        &self,
        from: usize,
        to: usize,
    ) -> impl Iterator<Item = (usize, char)> + '_ {
        let first = self.significant.partition_point(|&(place, _)| place < from);
        self.significant[first..].iter().copied().take_while(move |&(place, _)| place < to)
    }

    /// True if a statement that begins at a place is one of a block's own, or follows a label.
    pub(super) fn stands_alone(&self, at: usize) -> bool {
        matches!(self.before(at), Some((_, '{' | '}' | ';' | ':')))
    }
}

/// The characters of a text outside of comments, strings, directives and blanks.
fn significant(text: &str) -> Vec<(usize, char)> {
    let bytes = text.as_bytes();
    let (mut all, mut at, mut fresh_line) = (Vec::new(), 0, true);
    while at < bytes.len() {
        let rest = &text[at..];
        let skipped = match bytes[at] {
            b'\n' => {
                fresh_line = true;
                at += 1;
                continue;
            }
            b'/' if rest.starts_with("//") => rest.find('\n').unwrap_or(rest.len()),
            b'/' if rest.starts_with("/*") => rest.find("*/").map_or(rest.len(), |end| end + 2),
            b'#' if fresh_line => directive(rest),
            quote @ (b'"' | b'\'') => literal(rest, quote),
            _ => 0,
        };
        if skipped > 0 {
            at += skipped;
            continue;
        }
        let Some(c) = rest.chars().next() else { break };
        if !c.is_whitespace() {
            all.push((at, c));
            fresh_line = false;
        }
        at += c.len_utf8();
    }
    all
}

/// The length of a directive with its continued lines.
fn directive(text: &str) -> usize {
    let mut length = 0;
    for line in text.split_inclusive('\n') {
        length += line.trim_end_matches('\n').len();
        if !line.trim_end().ends_with('\\') {
            break;
        }
        length += 1;
    }
    length.min(text.len()).max(1)
}

/// The length of a string or a character constant.
fn literal(text: &str, quote: u8) -> usize {
    let mut escaped = false;
    for (at, byte) in text.bytes().enumerate().skip(1) {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = true,
            b'\n' => return at,
            byte if byte == quote => return at + 1,
            _ => {}
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_strings_and_directives_do_not_count() {
        let text = "#define A ; \\\n ;\n/* ; */ a // ;\n\";\" b ';' c";
        let found: String = significant(text).into_iter().map(|(_, c)| c).collect();
        assert_eq!(found, "abc");
    }
}
