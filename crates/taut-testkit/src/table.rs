//! Tables of known answers: comma-separated values with a first line of names.

use std::path::Path;

/// A row of a table, by the names in its first line.
pub struct Row(Vec<(String, String)>);

impl Row {
    /// A field. There must be one of that name.
    pub fn get(&self, name: &str) -> &str {
        let field = self.0.iter().find(|(key, _)| key == name);
        field.map(|(_, value)| value.as_str()).unwrap_or_else(|| panic!("no column {name}"))
    }

    /// A field that is a number; none if it is not.
    pub fn number(&self, name: &str) -> Option<u64> {
        self.get(name).parse().ok()
    }
}

/// The rows of a table. There must be one.
pub fn rows(path: &Path) -> Vec<Row> {
    let text = std::fs::read_to_string(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    let mut lines = text.lines();
    let names = fields(lines.next().expect("a first line"));
    let row = |line| Row(names.iter().cloned().zip(fields(line)).collect());
    lines.map(row).collect()
}

fn fields(line: &str) -> Vec<String> {
    let mut all = vec![String::new()];
    let mut quoted = false;
    for c in line.chars() {
        match c {
            '"' => quoted = !quoted,
            ',' if !quoted => all.push(String::new()),
            c => all.last_mut().expect("a field").push(c),
        }
    }
    all
}
