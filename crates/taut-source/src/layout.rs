//! How a line of source is laid out, so that text put into it looks as if a person had written it.
//!
//! For languages whose comments are `// …` and `/* … */`.

use std::ops::Range;

/// The end of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LineEnd {
    /// The byte of the line break, or the length of the text.
    pub at: usize,
    /// Whether a comment stands before it.
    pub comment: bool,
    /// The line break of this line.
    pub newline: &'static str,
}

/// The end of the line on which a byte stands, if nothing but blanks and comments comes before it. A comment that
/// goes on in the next line is something else.
pub fn line_end(text: &str, at: usize) -> Option<LineEnd> {
    let rest = text.get(at..)?;
    let line = rest.split('\n').next().unwrap_or_default();
    let newline = if line.ends_with('\r') { "\r\n" } else { "\n" };
    let line = line.strip_suffix('\r').unwrap_or(line);
    let end = at + line.len();
    let mut left = line.trim_start();
    let mut comment = false;
    while let Some(inside) = left.strip_prefix("/*") {
        left = inside[inside.find("*/")? + 2..].trim_start();
        comment = true;
    }
    if left.starts_with("//") && !left.ends_with('\\') {
        return Some(LineEnd { at: end, comment: true, newline });
    }
    left.is_empty().then_some(LineEnd { at: end, comment, newline })
}

/// The blank space at the start of the line on which a byte stands.
pub fn indentation(text: &str, at: usize) -> &str {
    let line = &text[line_start(text, at)..];
    &line[..line.len() - line.trim_start_matches([' ', '\t']).len()]
}

/// Whether nothing but blank space stands before a byte on its line.
pub fn begins_line(text: &str, at: usize) -> bool {
    text[line_start(text, at)..at].trim_start_matches([' ', '\t']).is_empty()
}

/// What to take out of a text so that a statement is gone: its whole line with its comment if it stands alone there, else
/// the statement and the blanks that kept it from its neighbour.
pub fn removal(text: &str, statement: Range<usize>) -> Range<usize> {
    let Range { start, end } = statement;
    let ends_line = line_end(text, end);
    if begins_line(text, start)
        && let Some(line) = ends_line
    {
        let whole = if text[line.at..].is_empty() { 0 } else { line.newline.len() };
        return line_start(text, start)..line.at + whole;
    }
    let is_blank = |c: &char| matches!(c, ' ' | '\t');
    match ends_line {
        Some(_) => start - text[..start].chars().rev().take_while(is_blank).count()..end,
        None => start..end + text[end..].chars().take_while(is_blank).count(),
    }
}

/// The first byte of the line on which a byte stands.
fn line_start(text: &str, at: usize) -> usize {
    text[..at].rfind('\n').map_or(0, |newline| newline + 1)
}

/// A text in one short line, for messages.
pub fn shortened(text: &str) -> String {
    const LONGEST: usize = 40;
    let line = text.lines().next().unwrap_or_default().trim_end();
    match line.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{} …", line[..end].trim_end()),
        None if line.len() < text.trim_end().len() => format!("{line} …"),
        None => line.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_ends_after_its_comments() {
        let end = |text: &str| line_end(text, 1).map(|e| (e.at, e.comment, e.newline));
        assert_eq!(end("a  \nb"), Some((3, false, "\n")));
        assert_eq!(end("a /* b */ // c\r\nd"), Some((14, true, "\r\n")));
        assert_eq!(end("a"), Some((1, false, "\n")));
        assert_eq!(end("a /* b\n */"), None);
        assert_eq!(end("a b"), None);
        // In C such a comment goes on in the next line.
        assert_eq!(end("a // b \\\nc"), None);
    }

    #[test]
    fn indentation_is_that_of_the_line() {
        let text = "a\n \tb c\n";
        assert_eq!(indentation(text, 6), " \t");
        assert!(begins_line(text, 4) && !begins_line(text, 6) && begins_line(text, 0));
    }

    #[test]
    fn a_statement_is_removed_with_its_line_or_its_blanks() {
        let without = |text: &str| {
            let start = text.find("F;").expect("a statement");
            let gone = removal(text, start..start + 2);
            format!("{}{}", &text[..gone.start], &text[gone.end..])
        };
        assert_eq!(without("a;\n  F;\nb;\n"), "a;\nb;\n");
        assert_eq!(without("a;\r\n\tF; // why\r\nb;"), "a;\r\nb;");
        assert_eq!(without("a; F; b;\n"), "a; b;\n");
        assert_eq!(without("a; F;\nb;\n"), "a;\nb;\n");
        assert_eq!(without("a;\n  F; b;\n"), "a;\n  b;\n");
        assert_eq!(without("{ F; }"), "{ }");
        assert_eq!(without("{F;}"), "{}");
        assert_eq!(without("a;\n  F;"), "a;\n");
    }

    #[test]
    fn long_texts_are_cut() {
        assert_eq!(shortened("if (x)\n y\nfi"), "if (x) …");
        assert_eq!(shortened("x := 1;\n"), "x := 1;");
        assert!(shortened(&"é".repeat(50)).ends_with('…'));
    }
}
