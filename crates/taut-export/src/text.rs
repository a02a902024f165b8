//! Text with indentation.

/// Text that is being written.
#[derive(Default)]
pub(crate) struct Text {
    lines: String,
    depth: usize,
    /// Number of names that were made up.
    fresh: usize,
}

impl Text {
    pub(crate) fn line(&mut self, line: &str) {
        self.lines.push_str(&"  ".repeat(self.depth));
        self.lines.push_str(line);
        self.lines.push('\n');
    }

    /// A line after which everything is further in.
    pub(crate) fn open(&mut self, line: &str) {
        self.line(line);
        self.depth += 1;
    }

    /// A line before which everything is further out again.
    pub(crate) fn close(&mut self, line: &str) {
        self.depth -= 1;
        self.line(line);
    }

    /// Everything is further out again.
    pub(crate) fn back(&mut self) {
        self.depth -= 1;
    }

    /// A line at the margin.
    pub(crate) fn margin(&mut self, line: &str) {
        self.lines.push_str(line);
        self.lines.push('\n');
    }

    /// A label, at the margin.
    pub(crate) fn label(&mut self, label: &str) {
        self.margin(&format!("{label}:"));
    }

    pub(crate) fn blank(&mut self) {
        self.lines.push('\n');
    }

    /// Text to be appended to another, as it is or so much further in.
    pub(crate) fn inside(other: &Text, further: usize) -> Text {
        Text { lines: String::new(), depth: other.depth + further, fresh: other.fresh }
    }

    /// A name that no other of this text has.
    pub(crate) fn fresh(&mut self, prefix: &str) -> String {
        self.fresh += 1;
        format!("{prefix}{}", self.fresh)
    }

    /// Leaves out the names that another text, made [inside](Text::inside) of this one, has made up.
    pub(crate) fn take_names(&mut self, other: &Text) {
        self.fresh = self.fresh.max(other.fresh);
    }

    pub(crate) fn append(&mut self, other: Text) {
        self.lines.push_str(&other.lines);
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }

    /// Whether some words stand in it.
    pub(crate) fn mentions(&self, words: &str) -> bool {
        self.lines.contains(words)
    }

    pub(crate) fn finish(self) -> String {
        self.lines
    }
}
