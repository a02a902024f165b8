//! The comments at the head of a file.
//!
//! The head ends where the program begins, so that nothing a program says in its midst is taken for an expectation.
//! A litmus test begins with its name and its description; its head ends at the `{` of the initial state.

use std::ops::Range;

/// The form of a language's comments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CommentStyle {
    /// `// …` and `/* … */`.
    Slashes,
    /// From a mark up to the end of the line, as `# …`.
    Line(&'static str),
    /// `(* … *)`, which nest, before the first `{`.
    Litmus,
}

impl CommentStyle {
    /// The lines of the comments at the head of a text, without the marks of comments and the blanks around them.
    pub fn head_lines(self, text: &str) -> Vec<Range<usize>> {
        let comments = match self {
            CommentStyle::Slashes => slash_comments(text),
            CommentStyle::Line(mark) => line_comments(text, mark),
            CommentStyle::Litmus => litmus_comments(text),
        };
        comments.into_iter().flat_map(|comment| lines(text, comment)).collect()
    }

    /// The marks of comments: up to the end of the line, and the pair around a block.
    pub fn marks(self) -> (Option<&'static str>, Option<(&'static str, &'static str)>) {
        match self {
            CommentStyle::Slashes => (Some("//"), Some(("/*", "*/"))),
            CommentStyle::Line(mark) => (Some(mark), None),
            CommentStyle::Litmus => (None, Some(("(*", "*)"))),
        }
    }
}

/// What `// …` and `/* … */` hold before anything else.
fn slash_comments(text: &str) -> Vec<Range<usize>> {
    let mut comments = Vec::new();
    let mut at = 0;
    loop {
        at += text[at..].len() - text[at..].trim_start().len();
        let rest = &text[at..];
        let (length, skipped) = if rest.starts_with("//") {
            (rest.find('\n').unwrap_or(rest.len()), 0)
        } else if let Some(inside) = rest.strip_prefix("/*") {
            match inside.find("*/") {
                Some(end) => (2 + end, 2),
                None => (rest.len(), 0),
            }
        } else {
            return comments;
        };
        comments.push(at + 2..at + length);
        at += length + skipped;
    }
}

/// What comments up to the end of a line hold before anything else.
fn line_comments(text: &str, mark: &str) -> Vec<Range<usize>> {
    debug_assert!(!mark.is_empty(), "every line would be a comment");
    let mut comments = Vec::new();
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let content = line.trim_start();
        if !content.is_empty() && !content.starts_with(mark) {
            return comments;
        }
        if !content.is_empty() {
            comments.push(at + line.len() - content.len() + mark.len()..at + line.len());
        }
        at += line.len();
    }
    comments
}

/// What `(* … *)` holds before the `{`. Such comments nest; a description in quotes is stepped over.
fn litmus_comments(text: &str) -> Vec<Range<usize>> {
    let bytes = text.as_bytes();
    let mut comments = Vec::new();
    let (mut at, mut depth, mut start) = (0, 0_usize, 0);
    let mut quoted = false;
    while at < bytes.len() {
        let pair = (bytes[at], bytes.get(at + 1).copied());
        let mut width = 1;
        match pair {
            (b'(', Some(b'*')) if !quoted => {
                if depth == 0 {
                    start = at + 2;
                }
                depth += 1;
                width = 2;
            }
            (b'*', Some(b')')) if depth > 0 => {
                depth -= 1;
                width = 2;
                if depth == 0 {
                    comments.push(start..at);
                }
            }
            // A quote ends with its line at the latest: names of tests may hold one.
            (b'"', _) if depth == 0 => quoted = !quoted,
            (b'\n', _) => quoted = false,
            (b'{', _) if depth == 0 && !quoted => return comments,
            _ => {}
        }
        at += width;
    }
    comments
}

/// The lines of a comment without blanks and without what decorates them: `*`, a third `/`, `!`.
fn lines(text: &str, comment: Range<usize>) -> Vec<Range<usize>> {
    let decoration = |c: char| c.is_whitespace() || "*/!".contains(c);
    let mut all = Vec::new();
    let mut at = comment.start;
    for line in text[comment].split_inclusive('\n') {
        let content = line.trim_start_matches(decoration);
        let start = at + line.len() - content.len();
        all.push(start..start + content.trim_end().len());
        at += line.len();
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(text: &str, style: CommentStyle) -> Vec<&str> {
        let lines = style.head_lines(text);
        lines.into_iter().map(|l| &text[l]).filter(|l| !l.is_empty()).collect()
    }

    #[test]
    fn the_head_ends_where_the_program_begins() {
        let text = "\n// a\n/* b\n * c */ /// d\nshared int x; // e\n";
        assert_eq!(said(text, CommentStyle::Slashes), ["a", "b", "c", "d"]);
        assert_eq!(said("/* never closed", CommentStyle::Slashes), ["never closed"]);
        assert_eq!(said("//", CommentStyle::Slashes), [""; 0]);
        assert_eq!(said("/*/ a */ x", CommentStyle::Slashes), ["a"]);
    }

    #[test]
    fn the_head_of_a_litmus_test_ends_at_its_brace() {
        let text = "(* a *)\nX86 SB\n\"no (* b *)\"\n(* c (* d *) e\n f *)\n{ x=0; } (* g *)";
        assert_eq!(said(text, CommentStyle::Litmus), ["a", "c (* d *) e", "f"]);
        assert_eq!(said("(* never closed", CommentStyle::Litmus), [""; 0]);
    }

    #[test]
    fn the_head_of_lines_ends_at_the_first_other_line() {
        let hash = CommentStyle::Line("#");
        assert_eq!(said("# a\n\n  #b \nstore x # c\n# d\n", hash), ["a", "b"]);
        assert_eq!(said("#", hash), [""; 0]);
        assert_eq!(said("x\n# a", hash), [""; 0]);
    }
}
