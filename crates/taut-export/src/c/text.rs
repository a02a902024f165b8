//! Comments and strings of C.

/// Text for a C comment: nothing in it ends the comment or goes on to another line.
pub(crate) fn comment(text: &str) -> String {
    let plain = |c: char| if c.is_control() || c == '\\' { ' ' } else { c };
    let text: String = text.chars().map(plain).collect();
    text.replace("*/", "* /").replace("/*", "/ *")
}

/// A C string.
pub(crate) fn string(text: &str) -> String {
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
