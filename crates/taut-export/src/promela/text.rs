//! Text with indentation.

/// Text that is being written.
#[derive(Default)]
pub(super) struct Text {
    lines: String,
    depth: usize,
}

impl Text {
    pub(super) fn line(&mut self, line: &str) {
        self.lines.push_str(&"  ".repeat(self.depth));
        self.lines.push_str(line);
        self.lines.push('\n');
    }

    /// A line after which everything is further in.
    pub(super) fn open(&mut self, line: &str) {
        self.line(line);
        self.depth += 1;
    }

    /// A line before which everything is further out again.
    pub(super) fn close(&mut self, line: &str) {
        self.depth -= 1;
        self.line(line);
    }

    /// Everything is further out again.
    pub(super) fn back(&mut self) {
        self.depth -= 1;
    }

    /// A label, at the margin.
    pub(super) fn label(&mut self, label: &str) {
        self.lines.push_str(label);
        self.lines.push_str(":\n");
    }

    /// Text to be appended to another, as it is or so much further in.
    pub(super) fn inside(other: &Text, further: usize) -> Text {
        Text { lines: String::new(), depth: other.depth + further }
    }

    pub(super) fn append(&mut self, other: Text) {
        self.lines.push_str(&other.lines);
    }

    pub(super) fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }

    /// Whether some words stand in it.
    pub(super) fn mentions(&self, words: &str) -> bool {
        self.lines.contains(words)
    }

    pub(super) fn finish(self) -> String {
        self.lines
    }
}
