//! C text with indentation.

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

    /// A label, at the margin. The empty statement lets anything follow it.
    pub(super) fn label(&mut self, label: &str) {
        self.lines.push_str(label);
        self.lines.push_str(":;\n");
    }

    pub(super) fn blank(&mut self) {
        self.lines.push('\n');
    }

    pub(super) fn finish(self) -> String {
        self.lines
    }
}

/// Text for a C comment: nothing in it ends the comment or goes on to another line.
pub(super) fn comment(text: &str) -> String {
    let plain = |c: char| if c.is_control() || c == '\\' { ' ' } else { c };
    let text: String = text.chars().map(plain).collect();
    text.replace("*/", "* /").replace("/*", "/ *")
}

/// A C string.
pub(super) fn string(text: &str) -> String {
    let mut quoted = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => quoted.extend(['\\', c]),
            // Two question marks could begin a trigraph.
            '?' => quoted.push('.'),
            c if c.is_ascii_graphic() || c == ' ' => quoted.push(c),
            _ => quoted.push('.'),
        }
    }
    quoted.push('"');
    quoted
}
